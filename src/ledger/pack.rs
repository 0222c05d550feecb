//! What makes a run one of a pack: the facts its comparison needs, and nothing else of the file
//! they came from.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::baseline::{Baseline, BaselineError, Compared, Comparison, Entrant, compare};
use super::cohort::{Traits, cohort_id};
use super::evidence::{Mode, Proofs, grade};
use super::history::History;
use super::publish::{RowFacts, board_comparison};
use crate::board::Board;
use crate::domain::config::{Config, Dimension, RunStatus};
use crate::import::result_file::Hashes;
use crate::json::Node;

/// The allow-listed facts of a pack's run. Fields in the order of the ledger's sorted keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackRun {
    /// Hash of the protocol's generation parameters, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation_sha16: Option<String>,
    /// Who judged, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_model: Option<String>,
    /// The metric that was weighed.
    pub metric: String,
    /// How many documents the pack's tasks evaluated, where every task says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_docs: Option<u64>,
    /// The pack.
    pub pack: String,
    /// Whether only a part of the documents was evaluated.
    pub partial: bool,
    /// Which questions were asked, by hash; absent where a task does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_set_sha16: Option<String>,
    /// Why there is no score, such as `missing_task:gsm8k|0`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// `deterministic`, `judge` or `jury`.
    pub scoring_mode: String,
    /// How the run ended. A completed run does not write it, as before there was another.
    #[serde(skip_serializing_if = "is_completed")]
    pub status: RunStatus,
    /// The hashes over all tasks of the file; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_general_hashes: Option<Hashes>,
    /// The hashes of each task of the file that has any.
    pub task_hashes: BTreeMap<String, Hashes>,
    /// All tasks of the file.
    pub tasks: Vec<String>,
    /// Whether the run's time was taken as UTC for want of an offset.
    pub time_zone_assumed: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_completed(status: &RunStatus) -> bool {
    *status == RunStatus::Completed
}

/// What runs of a pack compare by: pack, scoring mode and the number of documents, or the dimensions
/// that the config names. The number of documents always counts: a part of a set is never compared
/// with all of it.
pub fn pack_dimensions(config: &Config) -> Vec<Dimension> {
    if config.cohort_dimensions == Dimension::DEFAULT {
        return vec![Dimension::Pack, Dimension::ScoringMode, Dimension::NDocs];
    }
    let mut dimensions = config.cohort_dimensions.clone();
    if !dimensions.contains(&Dimension::NDocs) {
        dimensions.push(Dimension::NDocs);
    }
    dimensions
}

/// Every recorded run of a pack, compared within its pack and cohort. `of_board` are the names of
/// the board's rows and the ids of their runs: official baselines that no pack needs to know.
pub fn pack_comparison(
    history: &History,
    config: &Config,
    of_board: &BTreeSet<String>,
) -> Result<Comparison, Vec<BaselineError>> {
    let dimensions = pack_dimensions(config);
    let entrants: Vec<Entrant> = history
        .runs()
        .into_iter()
        .filter_map(|run| {
            let facts = run.pack_run.as_ref()?;
            Some(Entrant {
                run_id: run.run_id.clone(),
                model: run.model.clone(),
                pack: facts.pack.clone(),
                cohort: cohort_id(&facts.traits(run.eval_protocol_version.clone()), &dimensions),
                is_completed: facts.status == RunStatus::Completed,
                created_at: Some(run.run_at.clone()),
                score: run.aggregate_score,
                evidence: grade(&facts.proofs(), Mode::Board),
            })
        })
        .collect();
    let is_of_board = |id: &String| {
        of_board.contains(id) || history.run(id).is_some_and(|run| run.pack_run.is_none())
    };
    let official: Vec<String> =
        config.official_baselines.iter().filter(|id| !is_of_board(id)).cloned().collect();
    compare(&entrants, &official, Mode::Board)
}

/// The rows of a board and the runs of all packs, each against its baseline.
#[derive(Debug)]
pub struct AllCompared {
    /// The rows, and the recorded runs of their cohorts.
    pub rows: Comparison,
    /// The runs of packs.
    pub packs: Comparison,
    /// Whose run each row of the board is.
    pub models: BTreeMap<String, String>,
}

/// Compares everything that official baselines may be of.
pub fn compare_all(
    board: &Board,
    facts: &BTreeMap<String, RowFacts>,
    config: &Config,
    history: &History,
) -> Result<AllCompared, Vec<BaselineError>> {
    let (rows, ids) = board_comparison(board, facts, config, history)?;
    let of_board = ids.iter().flat_map(|(row, run)| [row.clone(), run.clone()]).collect();
    let packs = pack_comparison(history, config, &of_board)?;
    let models: BTreeMap<String, String> = ids.into_iter().map(|(row, run)| (run, row)).collect();
    Ok(AllCompared { rows, packs, models })
}

impl Compared {
    /// The run as the leaderboard of its pack shows it. The pack has one baseline, and a run that
    /// was scored in another mode than that is not comparable.
    #[must_use]
    pub fn in_pack(self, run: &PackRun, baseline: Option<&Baseline>, history: &History) -> Self {
        let mode_of = |baseline: &Baseline| {
            let facts = history.run(&baseline.run_id)?.pack_run.as_ref()?;
            Some(facts.scoring_mode.clone())
        };
        if baseline.and_then(mode_of).is_none_or(|mode| mode == run.scoring_mode) {
            return self;
        }
        let mut reasons = vec!["other_scoring_mode".to_owned()];
        reasons.extend(self.reasons.into_iter().filter(|reason| reason != "no_baseline"));
        Self { reasons, baseline: None, is_baseline: false, delta: None, ..self }
    }
}

impl PackRun {
    /// What it says about how it was scored.
    pub fn traits(&self, eval_protocol_version: Option<String>) -> Traits {
        Traits {
            pack: Some(self.pack.clone()),
            scoring_mode: Some(self.scoring_mode.clone()),
            eval_protocol_version,
            judge_model: self.judge_model.clone(),
            public_set_sha16: self.public_set_sha16.clone(),
            generation_sha16: self.generation_sha16.clone(),
            metric: Some(self.metric.clone()),
            n_docs: self.n_docs,
            ..Traits::default()
        }
    }

    /// What it can be checked by.
    pub fn proofs(&self) -> Proofs {
        Proofs {
            tasks: self.tasks.clone(),
            task_hashes: self.task_hashes.clone().into_iter().collect(),
            summary_general: self.summary_general_hashes.clone(),
            bundle: None,
        }
    }

    /// Reads what [`PackRun`] writes; `None` for anything else.
    pub fn read(node: &Node<'_>) -> Option<Self> {
        let object = node.object().ok()?;
        let text = |key: &str| object.get(key).and_then(Node::as_str).map(str::to_owned);
        let flag = |key: &str| object.get(key).is_some_and(|flag| flag.boolean() == Ok(true));
        let words = |key: &str| -> Option<Vec<String>> {
            let Some(list) = object.get(key) else { return Some(Vec::new()) };
            list.array().ok()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
        };
        let task_hashes = match object.get("task_hashes") {
            None => BTreeMap::new(),
            Some(tasks) => tasks
                .object()
                .ok()?
                .iter()
                .map(|(task, fields)| Some((task.to_string(), hashes(fields)?)))
                .collect::<Option<_>>()?,
        };
        let summary_general_hashes = match object.get("summary_general_hashes") {
            None => None,
            Some(fields) => Some(hashes(fields)?),
        };
        let status = match object.get("status") {
            None => RunStatus::Completed,
            Some(status) => RunStatus::parse(status.as_str()?)?,
        };
        Some(Self {
            generation_sha16: text("generation_sha16"),
            judge_model: text("judge_model"),
            metric: text("metric")?,
            n_docs: object.get("n_docs").and_then(|count| count.count().ok()),
            pack: text("pack")?,
            partial: flag("partial"),
            public_set_sha16: text("public_set_sha16"),
            reasons: words("reasons")?,
            scoring_mode: text("scoring_mode")?,
            status,
            summary_general_hashes,
            task_hashes,
            tasks: words("tasks")?,
            time_zone_assumed: flag("time_zone_assumed"),
        })
    }
}

fn hashes(node: &Node<'_>) -> Option<Hashes> {
    let hash = |(field, hash): (&std::borrow::Cow<'_, str>, &Node<'_>)| {
        Some((field.to_string(), hash.as_str()?.to_owned()))
    };
    node.object().ok()?.iter().map(hash).collect()
}
