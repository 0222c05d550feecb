//! One run of one model, as recorded: the line every series is made of.
//!
//! Only the fields named here are kept. A record may carry anything, and what a runner calls
//! `samples` may be a prompt; so unknown keys are named and left out, never copied.

use std::collections::BTreeMap;

use serde::Serialize;

use super::instant::Instant;
use super::pack::PackRun;
use super::rejection::Rejection;
use crate::domain::config::is_report_url;
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
    pub pack_run: Option<PackRun>,
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
    /// Unique among runs for ever.
    pub run_id: String,
    /// What weighs the parts of the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights_sha16: Option<String>,
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

/// Each key of a run in the ledger's spelling and in the one runners send.
const KEYS: &[(&str, &str)] = &[
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
    ("weights_sha16", "weightsSha16"),
];

impl Run {
    /// Reads a record; a score above `score_scale` is refused.
    pub fn read(node: &Node<'_>, score_scale: f64) -> Result<Reading, Rejection> {
        let object = node.object().map_err(|_| Rejection::Record)?;
        let fields = Fields { node };
        let run_id = fields.name("run_id").ok_or(Rejection::RunId)?;
        let model = fields.name("model").ok_or(Rejection::Model)?;
        let run_at = fields.name("run_at").ok_or(Rejection::RunAt)?;
        let at = Instant::parse(&run_at).ok_or(Rejection::RunAt)?;
        let aggregate_score =
            fields.number("aggregate_score", score_scale, Rejection::AggregateScore)?;
        let hallucination_rate =
            fields.number("hallucination_rate", 1.0, Rejection::HallucinationRate)?;
        let latency_p95_ms = fields.number("latency_p95_ms", f64::MAX, Rejection::LatencyP95Ms)?;
        let cost_per_message_usd =
            fields.number("cost_per_message_usd", f64::MAX, Rejection::CostPerMessageUsd)?;
        let regression_detected = match fields.get("regression_detected") {
            None => false,
            Some(flag) => flag.boolean().map_err(|_| Rejection::RegressionDetected)?,
        };
        let hallucination_count =
            fields.count("hallucination_count", 0, Rejection::HallucinationCount)?;
        let (dataset_scores, rubric_scores) = fields.scores()?;
        let protocol = fields.get("eval_protocol_version");
        let eval_protocol_version = match protocol.map(|version| &version.value) {
            Some(Value::Number(number)) if number.is_integer() => Some(number.as_str().to_owned()),
            _ => fields.text("eval_protocol_version", 100, Rejection::EvalProtocolVersion)?,
        };
        let weights_sha16 = fields.text("weights_sha16", 100, Rejection::WeightsSha16)?;
        let notes = fields.text("notes", 4000, Rejection::Notes)?;
        let report_url = fields.text("report_url", 2000, Rejection::ReportUrl)?;
        if report_url.as_deref().is_some_and(|url| !is_report_url(url)) {
            return Err(Rejection::ReportUrl);
        }
        let n_prompts = fields.count("n_prompts", 1, Rejection::NPrompts)?;
        let pack_run = match fields.get("pack_run") {
            None => None,
            Some(pack_run) => Some(PackRun::read(pack_run).ok_or(Rejection::PackRun)?),
        };
        let mut left_out: Vec<String> = object
            .iter()
            .filter(|(key, _)| !KEYS.iter().any(|(snake, camel)| key == snake || key == camel))
            .map(|(key, _)| key.to_string())
            .collect();
        left_out.sort_unstable();
        let run = Self {
            aggregate_score,
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
            recorded_at: fields.text("recorded_at", 100, Rejection::Record).unwrap_or_default(),
            regression_detected,
            report_url,
            rubric_scores,
            run_at,
            run_id,
            weights_sha16,
            at,
        };
        Ok(Reading { run, left_out })
    }

    /// `<protocol>/<weights>`: within one epoch scores compare.
    pub fn epoch(&self) -> String {
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        format!("{}/{}", part(&self.eval_protocol_version), part(&self.weights_sha16))
    }

    /// Whether both are the same but for when they were recorded.
    pub fn says_the_same(&self, other: &Self) -> bool {
        let recorded_at = other.recorded_at.clone();
        Self { recorded_at, ..self.clone() } == *other
    }
}

/// Reads members by their name in either spelling; an absent or null one is `None`.
struct Fields<'n, 'a> {
    node: &'n Node<'a>,
}

impl<'n, 'a> Fields<'n, 'a> {
    fn get(&self, name: &str) -> Option<&'n Node<'a>> {
        let object = self.node.object().ok()?;
        let camel = KEYS.iter().find(|(snake, _)| *snake == name).map_or(name, |keys| keys.1);
        object.get(name).or_else(|| object.get(camel))
    }

    fn present(&self, name: &str) -> Option<&'n Node<'a>> {
        self.get(name).filter(|member| !member.is_null())
    }

    fn name(&self, name: &str) -> Option<String> {
        self.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    fn number(&self, name: &str, most: f64, bad: Rejection) -> Result<Option<f64>, Rejection> {
        let Some(member) = self.present(name) else { return Ok(None) };
        let value = member.number().map_err(|_| bad)?.as_f64();
        // −0 is 0.
        if (0.0..=most).contains(&value) { Ok(Some(value + 0.0)) } else { Err(bad) }
    }

    fn count(&self, name: &str, least: u64, bad: Rejection) -> Result<Option<u64>, Rejection> {
        let Some(member) = self.present(name) else { return Ok(None) };
        member.count().ok().filter(|count| *count >= least).map(Some).ok_or(bad)
    }

    /// An empty text is an absent one.
    fn text(&self, name: &str, most: usize, bad: Rejection) -> Result<Option<String>, Rejection> {
        let Some(member) = self.present(name) else { return Ok(None) };
        let text = member.as_str().filter(|text| text.chars().count() <= most).ok_or(bad)?;
        Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
    }

    /// `dataset_scores` and `rubric_scores`, also as `scores.datasets` and `scores.rubrics`, or as
    /// a flat `scores` of datasets.
    fn scores(&self) -> Result<(Parts, Parts), Rejection> {
        let nested = self.present("scores");
        let part = |key: &str| nested.and_then(|scores| scores.object().ok()?.get(key));
        let (datasets, rubrics) = (part("datasets"), part("rubrics"));
        let flat = if datasets.is_none() && rubrics.is_none() { nested } else { None };
        let datasets = self.present("dataset_scores").or(datasets).or(flat);
        let rubrics = self.present("rubric_scores").or(rubrics);
        Ok((
            parts(datasets).ok_or(Rejection::DatasetScores)?,
            parts(rubrics).ok_or(Rejection::RubricScores)?,
        ))
    }
}

type Parts = BTreeMap<String, f64>;

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
