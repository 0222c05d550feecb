//! A results file as a run of a pack.
//!
//! A missing task gives no score: a mean of the others would reward whoever drops the hardest task.

use std::collections::BTreeMap;

use crate::domain::config::{Config, Pack, PackTask, RunStatus, ScoringMode};
use crate::domain::{round6, sha16};
use crate::facts::{cohort_id, pack_dimensions};
use crate::import::result_file::{ResultFile, TaskResult};
use crate::ledger::{History, Instant, PackRun, Run, RunKind};

/// When a results file was made: what its name says and where, or what the user says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunTime {
    /// RFC 3339 with offset.
    pub run_at: String,
    /// Whether the offset is a guess.
    pub is_assumed: bool,
}

impl RunTime {
    /// `typed` wins; else the time in the file; else that of its name at `offset`, or at UTC, which
    /// is a guess.
    pub fn from_result(
        result: &ResultFile,
        typed: Option<&str>,
        offset: Option<&str>,
    ) -> Option<Self> {
        let (run_at, is_assumed) = match (typed.or(result.at.as_deref()), &result.local_time) {
            (Some(known), _) => (known.to_owned(), false),
            (None, Some(local)) => (format!("{local}{}", offset.unwrap_or("Z")), offset.is_none()),
            (None, None) => return None,
        };
        Instant::parse(&run_at).map(|_| Self { run_at, is_assumed })
    }
}

/// How a run was scored and ended, as the file says or else the user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunTerms {
    /// How the score came about; absent: as the pack says.
    pub scoring_mode: Option<ScoringMode>,
    /// Who judged.
    pub judge_model: Option<String>,
    /// What served the model.
    pub backend: Option<String>,
    /// How the run ended; absent: completed.
    pub status: Option<RunStatus>,
}

/// The run that `result` is of `pack`; `None` if the time is not valid.
///
/// A run that did not complete has no score, so that no series, week or baseline counts it.
pub fn pack_run(
    result: &ResultFile,
    pack: &Pack,
    config: &Config,
    time: &RunTime,
    terms: &RunTerms,
) -> Option<Run> {
    let status = terms.status.unwrap_or(RunStatus::Completed);
    let found: Vec<Sought<'_>> =
        pack.tasks.iter().map(|task| (task, find(result, &task.name))).collect();
    let value = |(task, found): &Sought<'_>| {
        found.and_then(|(_, found)| found.metrics.get(&task.metric).copied())
    };
    let reasons: Vec<String> = found
        .iter()
        .filter(|entry| value(entry).is_none())
        .map(|(task, found)| match found {
            None => format!("missing_task:{}", task.name),
            Some(_) => format!("missing_metric:{}:{}", task.name, task.metric),
        })
        .collect();
    let weighed = found.iter().filter_map(|entry| Some((entry.0.weight, value(entry)?)));
    let (sum, whole) = weighed
        .fold((0.0, 0.0), |(sum, whole), (weight, value)| (sum + weight * value, whole + weight));
    let has_score = reasons.is_empty() && status == RunStatus::Completed;
    let score = has_score.then(|| round6(sum / whole));
    let metrics: Vec<&str> = pack.tasks.iter().map(|task| task.metric.as_str()).collect();
    let all_same = metrics.iter().all(|metric| *metric == metrics[0]);
    let facts = PackRun {
        backend: terms.backend.clone(),
        generation: result.generation.clone(),
        generation_sha16: result.generation_sha16.clone(),
        judge_model: terms.judge_model.clone(),
        metric: if all_same { metrics[0].to_owned() } else { metrics.join("+") },
        n_docs: found.iter().map(|(_, found)| found.and_then(|(_, found)| found.n_docs)).sum(),
        pack: pack.id.clone(),
        partial: result.is_partial,
        public_set_sha16: public_set(result, &found),
        reasons,
        scoring_mode: terms.scoring_mode.unwrap_or(pack.scoring_mode).as_str().to_owned(),
        status,
        summary_general_hashes: result.summary_hashes.clone(),
        task_hashes: result.task_hashes.clone(),
        tasks: result.tasks.keys().cloned().collect(),
        time_zone_assumed: time.is_assumed,
    };
    let run_id = format!("{}-{}-{}", result.program, result.sha16, pack_label(&pack.id));
    let protocol = Some(config.eval_protocol_version.clone());
    let cohort = cohort_id(&facts.traits(protocol.clone()), &pack_dimensions(config));
    Some(Run {
        aggregate_score: score,
        cost_per_message_usd: None,
        dataset_scores: found
            .iter()
            .filter_map(|entry| Some((entry.0.name.clone(), value(entry)?)))
            .collect(),
        eval_protocol_version: protocol,
        hallucination_count: None,
        hallucination_rate: None,
        kind: RunKind::Run,
        latency_p95_ms: None,
        model: result.model.clone(),
        n_prompts: facts.n_docs.filter(|docs| *docs > 0),
        notes: None,
        pack_run: Some(Box::new(facts)),
        recorded_at: None,
        regression_detected: false,
        report_url: None,
        rubric_scores: BTreeMap::new(),
        at: Instant::parse(&time.run_at)?,
        run_at: time.run_at.clone(),
        // The status of a pack run is in `pack_run`; this field says nothing about it.
        status: RunStatus::Completed,
        // Unknown is not equal to unknown: such a run is an epoch of its own.
        conditions_id: Some(cohort.unwrap_or_else(|_| format!("unknown-{run_id}"))),
        run_id,
    })
}

/// The id that a results file had before a file could be in two packs.
fn file_id(sha16: &str) -> String {
    format!("le-{sha16}")
}

/// The pack in a run id: its own id if that is short and plain, else a hash of it.
fn pack_label(id: &str) -> String {
    let is_plain = (1..=40).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if is_plain { id.to_owned() } else { sha16(id.as_bytes()) }
}

/// `run` as an earlier version recorded it, if one did: under an id and a cohort that do not name the
/// pack, or without generation parameters.
pub fn as_recorded(mut run: Run, file_sha16: &str, history: &History) -> Run {
    let known = history.run(&run.run_id).or_else(|| history.run(&file_id(file_sha16)));
    let known = known.and_then(|known| known.pack_run.as_ref());
    if let Some((facts, known)) = run.pack_run.as_mut().zip(known)
        && known.generation.is_empty()
    {
        facts.generation.clear();
    }
    let pack = |run: &Run| run.pack_run.as_ref().map(|facts| facts.pack.clone());
    match history.run(&file_id(file_sha16)).filter(|known| pack(known) == pack(&run)) {
        Some(known) => {
            Run { run_id: known.run_id.clone(), conditions_id: known.conditions_id.clone(), ..run }
        }
        None => run,
    }
}

/// A task of the pack, and the key and result it has in the file.
type Sought<'r> = (&'r PackTask, Option<(&'r String, &'r TaskResult)>);

/// The task by its key, or by its key without the suite that older files put first.
fn find<'r>(result: &'r ResultFile, name: &str) -> Option<(&'r String, &'r TaskResult)> {
    let bare = |key: &str| {
        let parts: Vec<&str> = key.split('|').collect();
        if let [_, task, few_shot] = parts[..] { format!("{task}|{few_shot}") } else { key.into() }
    };
    let exact = result.tasks.get_key_value(name);
    exact.or_else(|| result.tasks.iter().find(|(key, _)| bare(key) == name))
}

/// Which questions were asked: the hash of every task's questions and version; `None` where a task
/// does not say.
fn public_set(result: &ResultFile, found: &[Sought<'_>]) -> Option<String> {
    let sets: Option<BTreeMap<&str, (&str, Option<i64>)>> = found
        .iter()
        .map(|(task, found)| {
            let (key, found) = (*found)?;
            let hash = result.task_hashes.get(key)?.get("hash_examples")?;
            Some((task.name.as_str(), (hash.as_str(), found.version)))
        })
        .collect();
    Some(sha16(&serde_json::to_vec(&sets?).ok()?))
}
