//! The lines of the journal, and run.json.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{Asker, EvalWorkers, Outcome};
use super::plan::Plan;
use crate::domain::Failure;
use crate::models::ModelReply;
use crate::replay::{Prompt, spoken_vote};
use crate::ui::EvalCounts;

/// One answer of a model or a judge, as the journal has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Record {
    /// When it came.
    pub(super) at: String,
    /// `provider:model` that was asked.
    pub(super) by: String,
    pub(super) finish: Option<String>,
    pub(super) key: String,
    /// The model as the provider names it.
    pub(super) model: Option<String>,
    pub(super) text: String,
    /// Input and output.
    pub(super) tokens: Option<(u64, u64)>,
    /// How many calls failed before.
    pub(super) tries: u32,
    /// The provider's own usage object.
    pub(super) usage: Value,
}

impl Record {
    pub(super) fn new(key: &str, by: &Asker, at: String, tries: u32, reply: ModelReply) -> Self {
        let ModelReply { text, model, finish, tokens, usage } = reply;
        let by = by.id.clone();
        Self { at, by, finish, key: key.to_owned(), model, text, tokens, tries, usage }
    }

    /// The line, newline included.
    pub(super) fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// Whether the answer ends because it was too long.
    fn is_cut(&self) -> bool {
        matches!(self.finish.as_deref(), Some("length" | "max_tokens"))
    }

    fn is_refusal(&self) -> bool {
        matches!(self.finish.as_deref(), Some("refusal" | "content_filter"))
    }
}

/// The records of a journal by key; the first of a key counts.
pub(super) fn parse(bytes: &[u8], file: &str) -> Result<HashMap<String, Record>, Failure> {
    let mut records = HashMap::new();
    for (at, line) in
        bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, it)| !it.is_empty())
    {
        let record: Record = serde_json::from_slice(line).map_err(|_| {
            Failure::unusable("a line of the journal cannot be read")
                .at(format!("{file}:{}", at + 1))
                .help("remove the line, or set the journal aside with `--restart`")
        })?;
        records.entry(record.key.clone()).or_insert(record);
    }
    Ok(records)
}

/// Counts what happened to the answers and votes.
pub(super) fn count(outcomes: &[Outcome]) -> EvalCounts {
    let mut counts = EvalCounts::default();
    for outcome in outcomes {
        if let Some(answer) = &outcome.answer {
            counts.answers += 1;
            counts.extracted += usize::from(answer.text != outcome.script);
            counts.truncated += usize::from(answer.is_cut());
            counts.refused += usize::from(answer.is_refusal());
            counts.empty += usize::from(outcome.script.trim().is_empty());
        }
        for tries in &outcome.votes {
            counts.votes += 1;
            counts.asked_again += usize::from(tries.len() > 1);
            let last = tries.last().and_then(|it| spoken_vote(&it.text));
            counts.unreadable += usize::from(last.is_none());
        }
    }
    counts
}

/// What run.json says of one model that was asked.
fn part<'r>(asker: &Asker, records: impl Iterator<Item = &'r Record> + Clone) -> Value {
    let times: BTreeSet<&str> = records.clone().map(|record| record.at.as_str()).collect();
    let named: BTreeSet<&str> = records.clone().filter_map(|it| it.model.as_deref()).collect();
    let retries: u64 = records.map(|record| u64::from(record.tries)).sum();
    json!({
        "answered_as": named,
        "first_at": times.first(),
        "last_at": times.last(),
        "model": asker.client.model,
        "origin": asker.client.service.origin(),
        "provider": asker.client.service.provider.as_str(),
        "retries": retries,
    })
}

/// run.json: how the bundle was recorded. What another run recorded of the other part stays.
pub(super) fn run_file(
    drive: &EvalWorkers<'_>,
    plan: &Plan,
    (name, prompts_sha256): (&str, &str),
    prompts: &[Prompt<'_>],
    outcomes: &[Outcome],
    existing: Option<Vec<u8>>,
) -> BTreeMap<String, Value> {
    let counts = count(outcomes);
    let mut run: BTreeMap<String, Value> =
        existing.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let mut set = |key: &str, value: Value| run.insert(key.to_owned(), value);
    set("format", json!(1));
    set("model", json!(name));
    set("prompts_sha256", json!(prompts_sha256));
    set("tool_version", json!(env!("CARGO_PKG_VERSION")));
    if let Some(asker) = &drive.model {
        let mut answers = part(asker, outcomes.iter().filter_map(|it| it.answer.as_ref()));
        answers["empty"] = json!(counts.empty);
        answers["extracted"] = json!(counts.extracted);
        answers["refused"] = json!(counts.refused);
        answers["settings"] = json!(plan.protocol.generation);
        answers["total"] = json!(counts.answers);
        answers["truncated"] = json!(counts.truncated);
        let usage = prompts.iter().zip(outcomes).filter_map(|(prompt, outcome)| {
            let usage = outcome.answer.as_ref().map(|answer| &answer.usage)?;
            (!usage.is_null()).then(|| (prompt.id.to_owned(), usage.clone()))
        });
        answers["usage"] = Value::Object(usage.collect());
        set("answers", answers);
        set("protocol_sha256", json!(plan.protocol.sha256()));
        let last = outcomes.iter().filter_map(|it| it.answer.as_ref()).map(|it| &it.at).max();
        set("recorded_at", json!(last));
    }
    if let Some(asker) = &drive.judge {
        let mut votes = part(asker, outcomes.iter().flat_map(|it| it.votes.iter().flatten()));
        votes["asked_again"] = json!(counts.asked_again);
        votes["protocol_sha256"] = json!(plan.protocol.sha256());
        votes["settings"] = json!(plan.protocol.judging);
        votes["total"] = json!(counts.votes);
        votes["unreadable"] = json!(counts.unreadable);
        set("votes", votes);
    }
    run
}
