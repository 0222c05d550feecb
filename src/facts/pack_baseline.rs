//! The runs of packs, each against the baseline of its pack.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::Board;
use crate::domain::config::{Config, Dimension, RunStatus};
use crate::domain::{Code, Finding};
use crate::facts::{
    Baseline, BaselineComparison, BaselineError, BundleFacts, Compared, Mode, Proofs, RunToCompare,
    ScoringConditions, board_comparison, cohort_id, compare, grade,
};
use crate::ledger::{History, PackRun, Run};

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
) -> Result<BaselineComparison, Vec<BaselineError>> {
    let dimensions = pack_dimensions(config);
    let all_runs: Vec<RunToCompare> = history
        .runs()
        .into_iter()
        .filter_map(|run| {
            let facts = run.pack_run.as_ref()?;
            Some(RunToCompare {
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
    let named = |name: &String| match official_runs(name, &all_runs) {
        runs if runs.is_empty() && is_of_board(name) => Vec::new(),
        runs if runs.is_empty() => vec![name.clone()],
        runs => runs,
    };
    let official: Vec<String> = config.official_baselines.iter().flat_map(named).collect();
    compare(&all_runs, &official, Mode::Board)
        .map_err(|errors| errors.into_iter().map(|error| error.explained(history)).collect())
}

/// The runs that an official baseline names: one by its id, or of a model the earliest completed,
/// scored run in each pack and cohort.
fn official_runs(name: &str, all_runs: &[RunToCompare]) -> Vec<String> {
    if all_runs.iter().any(|run| run.run_id == name) {
        return vec![name.to_owned()];
    }
    let mut earliest: BTreeMap<(&str, &str), &RunToCompare> = BTreeMap::new();
    let usable = |of: &&RunToCompare| of.model == name && of.is_completed && of.score.is_some();
    for run in all_runs.iter().filter(usable) {
        let Ok(cohort) = &run.cohort else { continue };
        // They are in time order.
        earliest.entry((&run.pack, cohort)).or_insert(run);
    }
    earliest.into_values().map(|run| run.run_id.clone()).collect()
}

/// The rows of a board and the runs of all packs, each against its baseline.
#[derive(Debug)]
pub struct AllCompared {
    /// The rows, and the recorded runs of their cohorts.
    pub rows: BaselineComparison,
    /// The runs of packs.
    pub packs: BaselineComparison,
    /// Whose run each row of the board is.
    pub models: BTreeMap<String, String>,
}

/// Compares everything that official baselines may be of.
pub fn compare_all(
    board: &Board,
    facts: &BTreeMap<String, BundleFacts>,
    config: &Config,
    history: &History,
) -> Result<AllCompared, Vec<BaselineError>> {
    let (rows, ids) = board_comparison(board, facts, config, history)?;
    let of_board = ids.iter().flat_map(|(row, run)| [row.clone(), run.clone()]).collect();
    let packs = pack_comparison(history, config, &of_board)?;
    let models: BTreeMap<String, String> = ids.into_iter().map(|(row, run)| (run, row)).collect();
    Ok(AllCompared { rows, packs, models })
}

/// What is wrong with the official baselines of the config.
pub fn baseline_findings(
    board: &Board,
    facts: &BTreeMap<String, BundleFacts>,
    (config, config_file): (&Config, &str),
    history: &History,
) -> Vec<Finding> {
    let errors = compare_all(board, facts, config, history).err().unwrap_or_default();
    let finding = |error: BaselineError| {
        Finding::new(Code::HBaseline, config_file, "official_baselines", error.message())
    };
    errors.into_iter().map(finding).collect()
}

impl Compared {
    /// The run as the leaderboard of its pack shows it. The pack has one baseline, and a run that
    /// was scored in another mode than that is not comparable; its delta is given all the same.
    #[must_use]
    pub fn in_pack(self, run: &Run, baseline: Option<&Baseline>, history: &History) -> Self {
        let mode = |run: &Run| run.pack_run.as_ref().map(|facts| facts.scoring_mode.clone());
        let of_baseline = baseline.and_then(|baseline| mode(history.run(&baseline.run_id)?));
        let is_other = of_baseline.is_some() && of_baseline != mode(run);
        if !is_other && self.baseline.is_some() {
            return self;
        }
        let mut reasons = self.reasons;
        if is_other {
            reasons.retain(|reason| reason != "no_baseline");
            reasons.insert(0, "other_scoring_mode".to_owned());
        }
        let scored = baseline.zip(run.aggregate_score);
        let delta = scored.map(|(baseline, score)| baseline.delta(score));
        Self { reasons, baseline: baseline.cloned(), is_baseline: false, delta, ..self }
    }
}

impl PackRun {
    /// What it says about how it was scored.
    pub fn traits(&self, eval_protocol_version: Option<String>) -> ScoringConditions {
        ScoringConditions {
            pack: Some(self.pack.clone()),
            scoring_mode: Some(self.scoring_mode.clone()),
            eval_protocol_version,
            judge_model: self.judge_model.clone(),
            backend: self.backend.clone(),
            public_set_sha16: self.public_set_sha16.clone(),
            generation_sha16: self.generation_sha16.clone(),
            metric: Some(self.metric.clone()),
            n_docs: self.n_docs,
            ..ScoringConditions::default()
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
}
