//! The members of a record by key, in the ledger's spelling or in the one runners send.

use std::collections::BTreeMap;

use super::rejection::Rejection;
use crate::domain::nearest;
use crate::json::{Node, Object};

/// A key of a run, in the order of [`KEYS`].
#[derive(Debug, Clone, Copy)]
pub(super) enum Key {
    AggregateScore,
    CostPerMessageUsd,
    DatasetScores,
    EvalProtocolVersion,
    HallucinationCount,
    HallucinationRate,
    Kind,
    LatencyP95Ms,
    Model,
    NPrompts,
    Notes,
    PackRun,
    RecordedAt,
    RegressionDetected,
    ReportUrl,
    RubricScores,
    RunAt,
    RunId,
    Scores,
    Status,
    WeightsSha16,
}

/// Each key of a run in the ledger's spelling and in the one runners send.
const KEYS: [(&str, &str); 21] = [
    ("aggregate_score", "aggregateScore"),
    ("cost_per_message_usd", "costPerMessageUsd"),
    ("dataset_scores", "datasetScores"),
    ("eval_protocol_version", "evalProtocolVersion"),
    ("hallucination_count", "hallucinationCount"),
    ("hallucination_rate", "hallucinationRate"),
    ("kind", "kind"),
    ("latency_p95_ms", "latencyP95Ms"),
    ("model", "model"),
    ("n_prompts", "nPrompts"),
    ("notes", "notes"),
    ("pack_run", "packRun"),
    ("recorded_at", "recordedAt"),
    ("regression_detected", "regressionDetected"),
    ("report_url", "reportUrl"),
    ("rubric_scores", "rubricScores"),
    ("run_at", "runAt"),
    ("run_id", "runId"),
    ("scores", "scores"),
    ("status", "status"),
    ("weights_sha16", "weightsSha16"),
];

/// Each key in the ledger's spelling.
pub(super) const NAMES: [&str; KEYS.len()] = {
    let mut names = [""; KEYS.len()];
    let mut at = 0;
    while at < KEYS.len() {
        names[at] = KEYS[at].0;
        at += 1;
    }
    names
};

/// The key of a record that `word` is probably a slip of, in the spelling nearest to it.
pub fn nearest_key(word: &str) -> Option<&'static str> {
    nearest(word, KEYS.iter().flat_map(|(snake, camel)| [*snake, *camel]))
}

/// The members of a record, one place per key of [`KEYS`]; an absent or null one is `None`.
pub(super) struct Fields<'n, 'a> {
    members: [Option<&'n Node<'a>>; KEYS.len()],
}

impl<'n, 'a> Fields<'n, 'a> {
    /// The members by key, and the keys no run has, sorted. The ledger's spelling wins over the other.
    pub(super) fn split(object: &'n Object<'a>) -> (Self, Vec<String>) {
        let mut members = [None; KEYS.len()];
        let mut left_out = Vec::new();
        let mut next = 0;
        for (key, member) in object.iter() {
            let key = &**key;
            // The ledger's own lines are sorted, so the next key is seldom far.
            next += KEYS[next..].iter().take_while(|(snake, _)| *snake < key).count();
            if KEYS.get(next).is_some_and(|(snake, _)| *snake == key) {
                members[next] = Some(member);
            } else if let Some(place) = KEYS.iter().position(|(snake, _)| *snake == key) {
                members[place] = Some(member);
            } else if let Some(place) = KEYS.iter().position(|(_, camel)| *camel == key) {
                members[place] = members[place].or(Some(member));
            } else {
                left_out.push(key.to_owned());
            }
        }
        left_out.sort_unstable();
        (Self { members }, left_out)
    }

    pub(super) fn get(&self, key: Key) -> Option<&'n Node<'a>> {
        self.members[key as usize]
    }

    pub(super) fn present(&self, key: Key) -> Option<&'n Node<'a>> {
        self.get(key).filter(|member| !member.is_null())
    }

    pub(super) fn name(&self, key: Key) -> Option<String> {
        self.get(key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    pub(super) fn number(
        &self,
        key: Key,
        most: f64,
        bad: Rejection,
    ) -> Result<Option<f64>, Rejection> {
        let Some(member) = self.present(key) else { return Ok(None) };
        let value = member.number().map_err(|_| bad)?.as_f64();
        // −0 is 0.
        if (0.0..=most).contains(&value) { Ok(Some(value + 0.0)) } else { Err(bad) }
    }

    pub(super) fn count(
        &self,
        key: Key,
        least: u64,
        bad: Rejection,
    ) -> Result<Option<u64>, Rejection> {
        let Some(member) = self.present(key) else { return Ok(None) };
        member.count().ok().filter(|count| *count >= least).map(Some).ok_or(bad)
    }

    /// An empty text is an absent one.
    pub(super) fn text(
        &self,
        key: Key,
        most: usize,
        bad: Rejection,
    ) -> Result<Option<String>, Rejection> {
        let Some(member) = self.present(key) else { return Ok(None) };
        let text = member.as_str().filter(|text| text.chars().count() <= most).ok_or(bad)?;
        Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
    }

    /// `dataset_scores` and `rubric_scores`, also as `scores.datasets` and `scores.rubrics`, or as
    /// a flat `scores` of datasets.
    pub(super) fn scores(&self) -> Result<(Parts, Parts), Rejection> {
        let nested = self.present(Key::Scores);
        let part = |key: &str| nested.and_then(|scores| scores.object().ok()?.get(key));
        let (datasets, rubrics) = (part("datasets"), part("rubrics"));
        let flat = if datasets.is_none() && rubrics.is_none() { nested } else { None };
        let datasets = self.present(Key::DatasetScores).or(datasets).or(flat);
        let rubrics = self.present(Key::RubricScores).or(rubrics);
        Ok((
            parts(datasets).ok_or(Rejection::DatasetScores)?,
            parts(rubrics).ok_or(Rejection::RubricScores)?,
        ))
    }
}

pub(super) type Parts = BTreeMap<String, f64>;

/// A null part is one that was not scored.
fn parts(node: Option<&Node<'_>>) -> Option<Parts> {
    let Some(node) = node else { return Some(Parts::new()) };
    if node.is_null() {
        return Some(Parts::new());
    }
    let mut parts = Parts::new();
    for (name, score) in node.object().ok()?.iter() {
        // A name is a label; a longer text could be a prompt.
        if name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
            return None;
        }
        if !score.is_null() {
            parts.insert(name.to_string(), score.number().ok()?.as_f64());
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_are_sorted_and_the_last_one_is_the_last() {
        assert!(KEYS.is_sorted());
        assert_eq!(KEYS[Key::WeightsSha16 as usize].0, "weights_sha16");
        assert_eq!(KEYS[Key::Notes as usize].0, "notes");
    }
}
