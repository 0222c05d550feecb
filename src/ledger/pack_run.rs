//! The facts of a pack's run that the ledger keeps: what its comparison needs, and nothing else of
//! the file they came from.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::config::RunStatus;
use crate::import::result_file::Hashes;
use crate::json::Node;

/// The allow-listed facts of a pack's run. Fields in the order of the ledger's sorted keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackRun {
    /// What served the model, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Known generation parameters, as the file spells them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub generation: BTreeMap<String, String>,
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
    #[serde(skip_serializing_if = "RunStatus::is_completed")]
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

impl PackRun {
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
        let generation = match object.get("generation") {
            None => BTreeMap::new(),
            Some(parameters) => hashes(parameters)?,
        };
        Some(Self {
            backend: text("backend"),
            generation,
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

/// An object of texts.
fn hashes(node: &Node<'_>) -> Option<Hashes> {
    let hash = |(field, hash): (&std::borrow::Cow<'_, str>, &Node<'_>)| {
        Some((field.to_string(), hash.as_str()?.to_owned()))
    };
    node.object().ok()?.iter().map(hash).collect()
}
