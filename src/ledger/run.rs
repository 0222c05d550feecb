//! One run of one model, as recorded: the line every series is made of.
//!
//! Only the fields named here are kept. A record may carry anything, and what a runner calls
//! `samples` may be a prompt; so unknown keys are named and left out, never copied.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::fields::{Fields, Key};
use super::instant::Instant;
use super::pack_run::PackRun;
use super::rejection::Rejection;
use crate::domain::config::{RunStatus, is_report_url};
use crate::domain::round6;
use crate::json::{Node, Value};

/// A run that was read and checked. Fields in the order of the ledger's sorted keys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// The score on the config's scale; absent where the run has none.
    pub aggregate_score: Option<f64>,
    /// What a message costs, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_per_message_usd: Option<f64>,
    /// Score by dataset.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dataset_scores: BTreeMap<String, f64>,
    /// The stamp under which runs compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval_protocol_version: Option<String>,
    /// How many hallucinations were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hallucination_count: Option<u64>,
    /// Share of answers with a hallucination, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hallucination_rate: Option<f64>,
    /// `run`.
    pub kind: RunKind,
    /// 95th percentile of the latency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_p95_ms: Option<f64>,
    /// `provider:model`, byte for byte.
    pub model: String,
    /// How many prompts the score is over, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_prompts: Option<u64>,
    /// Free text by a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// What makes the run one of a pack; absent for other runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pack_run: Option<Box<PackRun>>,
    /// When the line was appended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_at: Option<String>,
    /// The detector's word; never recomputed here.
    pub regression_detected: bool,
    /// Where the full report is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_url: Option<String>,
    /// Score by rubric.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rubric_scores: BTreeMap<String, f64>,
    /// When the run was made, RFC 3339 with offset, as given.
    pub run_at: String,
    /// Unique among all runs.
    pub run_id: String,
    /// How the run ended. A run that did not complete has no score.
    #[serde(skip_serializing_if = "RunStatus::is_completed")]
    pub status: RunStatus,
    /// The conditions it was scored under: runs with another id are never compared with it. Of a row or
    /// a run of a pack the id of its cohort, else that of the weights.
    #[serde(rename = "weights_sha16", skip_serializing_if = "Option::is_none")]
    pub conditions_id: Option<String>,
    /// `run_at` as an instant.
    #[serde(skip)]
    pub at: Instant,
}

/// The word `run`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// The only one.
    Run,
}

/// A record, and the keys of it that were left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What was kept.
    pub run: Run,
    /// Keys no run has, sorted.
    pub left_out: Vec<String>,
}

/// A key in which two runs differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The key, in the ledger's spelling.
    pub key: String,
    /// The recorded value, as JSON.
    pub stored: String,
    /// The other value, as JSON.
    pub sent: String,
}

impl Run {
    /// Its score minus that of `earlier`, where both have one.
    pub(crate) fn score_minus(&self, earlier: &Self) -> Option<f64> {
        Some(round6(self.aggregate_score? - earlier.aggregate_score?))
    }

    /// Reads a record; a score above `score_scale` is refused.
    pub fn read(node: &Node<'_>, score_scale: f64) -> Result<Reading, Rejection> {
        let (fields, left_out) = Fields::split(node.object().map_err(|_| Rejection::Record)?);
        if fields.present(Key::Kind).is_some_and(|kind| kind.as_str() != Some("run")) {
            return Err(Rejection::Record);
        }
        let run_id = fields.name(Key::RunId).ok_or(Rejection::RunId)?;
        let model = fields.name(Key::Model).ok_or(Rejection::Model)?;
        let run_at = fields.name(Key::RunAt).ok_or(Rejection::RunAt)?;
        let at = Instant::parse(&run_at).ok_or(Rejection::RunAt)?;
        let aggregate_score =
            fields.number(Key::AggregateScore, score_scale, Rejection::AggregateScore)?;
        let hallucination_rate =
            fields.number(Key::HallucinationRate, 1.0, Rejection::HallucinationRate)?;
        let latency_p95_ms = fields.number(Key::LatencyP95Ms, f64::MAX, Rejection::LatencyP95Ms)?;
        let cost_per_message_usd =
            fields.number(Key::CostPerMessageUsd, f64::MAX, Rejection::CostPerMessageUsd)?;
        let regression_detected = match fields.get(Key::RegressionDetected) {
            None => false,
            Some(flag) => flag.boolean().map_err(|_| Rejection::RegressionDetected)?,
        };
        let hallucination_count =
            fields.count(Key::HallucinationCount, 0, Rejection::HallucinationCount)?;
        let (dataset_scores, rubric_scores) = fields.scores()?;
        let protocol = fields.get(Key::EvalProtocolVersion);
        let eval_protocol_version = match protocol.map(|version| &version.value) {
            Some(Value::Number(number)) if number.is_integer() => Some(number.as_str().to_owned()),
            _ => fields.text(Key::EvalProtocolVersion, 100, Rejection::EvalProtocolVersion)?,
        };
        let conditions_id = fields.text(Key::WeightsSha16, 100, Rejection::WeightsSha16)?;
        let notes = fields.text(Key::Notes, 4000, Rejection::Notes)?;
        let report_url = fields.text(Key::ReportUrl, 2000, Rejection::ReportUrl)?;
        if report_url.as_deref().is_some_and(|url| !is_report_url(url)) {
            return Err(Rejection::ReportUrl);
        }
        let n_prompts = fields.count(Key::NPrompts, 1, Rejection::NPrompts)?;
        let status = match fields.present(Key::Status) {
            None => RunStatus::Completed,
            Some(status) => status.as_str().and_then(RunStatus::parse).ok_or(Rejection::Status)?,
        };
        let pack_run = match fields.get(Key::PackRun) {
            None => None,
            Some(pack_run) => Some(Box::new(PackRun::read(pack_run).ok_or(Rejection::PackRun)?)),
        };
        let run = Self {
            aggregate_score: aggregate_score.filter(|_| status == RunStatus::Completed),
            cost_per_message_usd,
            dataset_scores,
            eval_protocol_version,
            hallucination_count,
            hallucination_rate,
            kind: RunKind::Run,
            latency_p95_ms,
            model,
            n_prompts,
            notes,
            pack_run,
            recorded_at: fields.text(Key::RecordedAt, 100, Rejection::Record).unwrap_or_default(),
            regression_detected,
            report_url,
            rubric_scores,
            run_at,
            run_id,
            status,
            conditions_id,
            at,
        };
        Ok(Reading { run, left_out })
    }

    /// How the run ended, whichever command recorded it.
    pub fn ended(&self) -> RunStatus {
        self.pack_run.as_ref().map_or(self.status, |run| run.status)
    }

    /// `<protocol>/<weights>`: within one epoch scores compare.
    pub fn epoch(&self) -> String {
        let mut label = String::new();
        self.spell_epoch(&mut label);
        label
    }

    /// Writes into a buffer that is reused: a ledger asks this of every run.
    pub(super) fn spell_epoch(&self, label: &mut String) {
        label.clear();
        label.push_str(self.eval_protocol_version.as_deref().unwrap_or_default());
        label.push('/');
        label.push_str(self.conditions_id.as_deref().unwrap_or_default());
    }

    /// The keys whose values differ, `recorded_at` left out, with both values as JSON.
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let object = |run: &Self| match serde_json::to_value(run) {
            Ok(serde_json::Value::Object(object)) => object,
            _ => serde_json::Map::new(),
        };
        let (ours, theirs) = (object(self), object(other));
        let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
        let said = |value: Option<&serde_json::Value>| {
            value.map_or_else(|| "null".to_owned(), ToString::to_string)
        };
        keys.into_iter()
            .filter(|key| *key != "recorded_at" && ours.get(*key) != theirs.get(*key))
            .map(|key| Difference {
                key: key.clone(),
                stored: said(ours.get(key)),
                sent: said(theirs.get(key)),
            })
            .collect()
    }

    /// Whether both are the same but for when they were recorded.
    pub fn says_the_same(&self, other: &Self) -> bool {
        let recorded_at = other.recorded_at.clone();
        Self { recorded_at, ..self.clone() } == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn read(text: &str) -> Result<Reading, Rejection> {
        Run::read(&json::parse(text.as_bytes()).expect("JSON").root, 5.0)
    }

    const PLAIN: &str = r#""run_id":"r","run_at":"2026-05-14T12:00:00Z","model":"m""#;

    #[test]
    fn the_shape_runners_send_is_the_same_run() {
        let camel = read(
            r#"{"runId":"r","runAt":"2026-05-14T12:00:00Z","model":"m","aggregateScore":4.2,
                "hallucinationRate":0,"latencyP95Ms":900,"costPerMessageUsd":0.002,
                "regressionDetected":false,"scores":{"datasets":{"contracts":4.0},"rubrics":{"soundness":4.5}},
                "reportUrl":"https://example.org/r","samples":["secret"]}"#,
        )
        .expect("a run");
        let snake = read(&format!(
            r#"{{{PLAIN},"aggregate_score":4.2,"hallucination_rate":0.0,"latency_p95_ms":900.0,
                "cost_per_message_usd":0.002,"dataset_scores":{{"contracts":4}},
                "rubric_scores":{{"soundness":4.5}},"report_url":"https://example.org/r"}}"#
        ))
        .expect("a run");
        assert_eq!(camel.run, snake.run);
        assert_eq!(camel.left_out, ["samples"]);
        let flat = read(&format!(r#"{{{PLAIN},"scores":{{"a":1,"b":null}}}}"#)).expect("a run");
        assert_eq!(flat.run.dataset_scores, BTreeMap::from([("a".to_owned(), 1.0)]));
    }

    #[test]
    fn the_first_wrong_field_is_named() {
        for (text, reason) in [
            ("[]", "bad_record"),
            ("{}", "bad_run_id"),
            (r#"{"run_id":7,"model":"m"}"#, "bad_run_id"),
            (r#"{"run_id":"r","model":""}"#, "bad_model"),
            (r#"{"run_id":"r","model":"m","run_at":"2026-05-14T12:00:00"}"#, "bad_run_at"),
        ] {
            assert_eq!(read(text).expect_err(text).as_str(), reason);
        }
        for (field, reason) in [
            (r#""aggregate_score":5.1"#, "bad_aggregate_score"),
            (r#""aggregate_score":-0.1"#, "bad_aggregate_score"),
            (r#""aggregate_score":"4""#, "bad_aggregate_score"),
            (r#""aggregate_score":true"#, "bad_aggregate_score"),
            (r#""hallucination_rate":1.01"#, "bad_hallucination_rate"),
            (r#""latency_p95_ms":-1"#, "bad_latency_p95_ms"),
            (r#""cost_per_message_usd":{}"#, "bad_cost_per_message_usd"),
            (r#""regression_detected":"no""#, "bad_regression_detected"),
            (r#""hallucination_count":1.5"#, "bad_hallucination_count"),
            (r#""dataset_scores":{"a":"high"}"#, "bad_dataset_scores"),
            (r#""rubric_scores":[1]"#, "bad_rubric_scores"),
            (r#""eval_protocol_version":[1]"#, "bad_eval_protocol_version"),
            (r#""status":"error""#, "bad_status"),
            (r#""report_url":"http://x""#, "bad_report_url"),
            (r#""report_url":"https://x/a|b""#, "bad_report_url"),
        ] {
            let text = format!("{{{PLAIN},{field}}}");
            assert_eq!(read(&text).expect_err(&text).as_str(), reason);
        }
    }

    #[test]
    fn absent_and_null_and_nothing_are_the_same() {
        let bare = read(&format!("{{{PLAIN}}}")).expect("a run").run;
        let nulls = format!(
            r#"{{{PLAIN},"aggregate_score":null,"notes":"","hallucination_rate":null,"weights_sha16":null,"recorded_at":"x"}}"#
        );
        let nulls = read(&nulls).expect("a run").run;
        assert!(bare.says_the_same(&nulls));
        assert_eq!(bare.epoch(), "/");
    }
}
