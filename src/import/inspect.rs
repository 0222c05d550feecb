//! A log of Inspect as JSON: its aggregates, one topic per task, a measure per metric.
//!
//! `samples`, `reductions` and `plan` hold prompts, targets and answers. Fields are taken by name.

use super::document::document;
use super::json_value::{is_plain_name, member, plain_text};
use super::note::{ImportError, Note, Tally};
use super::outcome::ImportOutcome;
use crate::domain::sha16;
use crate::json::{Node, Object, Value};

/// The newest version of the log format that is known.
const VERSION: f64 = 2.0;

/// Reads one log; `None` if it holds no finished evaluation, which `tally` explains.
pub fn read(
    file: &str,
    bytes: &[u8],
    tally: &mut Tally,
) -> Result<Option<ImportOutcome>, ImportError> {
    let document = document(file, bytes)?;
    let root = &document.root;
    let shape = |why: &str| ImportError::shape(file, "an Inspect log that can be read", why);
    let version = member(root, &["version"]).and_then(|node| node.number().ok());
    if let Some(version) = version.filter(|version| version.as_f64() > VERSION) {
        let why =
            format!("its version is {}; versions up to {VERSION} are known", version.as_str());
        return Err(shape(&why));
    }
    let text = |path: &[&str]| plain_text(root, path);
    let model = text(&["eval", "model"]).ok_or_else(|| shape("it has no `eval.model`"))?;
    let task = text(&["eval", "task"]).ok_or_else(|| shape("it has no `eval.task`"))?;
    let status = text(&["status"]).unwrap_or("unknown");
    if status != "success" {
        tally.skip(Note::file(file, format!("the evaluation did not finish: status `{status}`")));
        return Ok(None);
    }
    let is =
        |path: &[&str]| matches!(member(root, path).map(|n| &n.value), Some(Value::Bool(true)));
    if is(&["invalidated"]) {
        tally.skip(Note::file(file, "the log is marked as invalidated"));
        return Ok(None);
    }
    let mut outcome = ImportOutcome::new(file, model, sha16(bytes));
    outcome.at = text(&["eval", "created"]).map(str::to_owned);
    // One call of `inspect eval` writes a log per task.
    outcome.group = text(&["eval", "run_id"]).map(str::to_owned);
    let scores = member(root, &["results", "scores"]).and_then(|node| node.array().ok());
    let scores = scores.unwrap_or_default();
    for score in scores {
        add_score(&mut outcome, file, task, score, scores.len() > 1, tally);
    }
    if scores.is_empty() {
        tally.notes.push(Note::file(file, "holds no score"));
    }
    let facets: [(_, &[_]); 3] = [
        ("inspect_version", &["eval", "packages", "inspect_ai"]),
        ("run_id", &["eval", "run_id"]),
        ("commit", &["eval", "revision", "commit"]),
    ];
    outcome.texts(root, &facets);
    let limited = member(root, &["eval", "config", "limit"]).is_some_and(|node| !node.is_null());
    outcome.facet("partial", if limited { "true" } else { "false" });
    Ok(Some(outcome))
}

/// Metrics are called `scorer/metric` where a log has several scores.
fn add_score(
    outcome: &mut ImportOutcome,
    file: &str,
    task: &str,
    score: &Node<'_>,
    several: bool,
    tally: &mut Tally,
) {
    let text = |key: &str| plain_text(score, &[key]);
    let prefix = match (several, text("name"), text("reducer")) {
        (false, ..) | (true, None, _) => String::new(),
        (true, Some(name), None) => format!("{name}/"),
        (true, Some(name), Some(reducer)) => format!("{name}[{reducer}]/"),
    };
    let metrics = member(score, &["metrics"]).and_then(|node| node.object().ok());
    for (name, metric) in metrics.into_iter().flat_map(Object::iter) {
        let value = member(metric, &["value"]).and_then(|node| node.number().ok());
        match value.map(crate::json::Number::as_f64).filter(|value| value.is_finite()) {
            Some(value) if is_plain_name(name) => {
                outcome.metric(task, &format!("{prefix}{name}"), None, value);
            }
            _ => {
                let what = format!("metric `{prefix}{name}` is not a finite number; it is missing");
                tally.skip(Note::file(file, what));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aggregates_are_read_and_nothing_of_a_sample() {
        let log = r#"{"version":2,"status":"success","eval":{"run_id":"R","task":"gsm8k","model":"org/m",
            "created":"2026-05-14T12:00:00+00:00","config":{"limit":3}},
            "results":{"scores":[{"name":"match","metrics":{"accuracy":{"value":0.5},"stderr":{"value":0.1}}},
            {"name":"judge","reducer":"mean","metrics":{"accuracy":{"value":NaN}}}]},
            "samples":[{"input":"CANARY","target":"CANARY"}]}"#;
        let mut tally = Tally::default();
        let outcome = read("l.json", log.as_bytes(), &mut tally).expect("a log").expect("finished");
        let cells: Vec<_> =
            outcome.cells.iter().map(|(task, m, v)| (task.as_str(), m.name.as_str(), *v)).collect();
        assert_eq!(cells, [("gsm8k", "match/accuracy", 0.5), ("gsm8k", "match/stderr", 0.1)]);
        assert_eq!(
            tally.notes[0].what,
            "metric `judge[mean]/accuracy` is not a finite number; it is missing"
        );
        assert_eq!((outcome.model.as_str(), outcome.group.as_deref()), ("org/m", Some("R")));
        assert!(!format!("{outcome:?}").contains("CANARY"));
    }

    #[test]
    fn unfinished_invalid_and_newer_logs_are_not_read() {
        let log = |version: u8, more: &str| {
            format!(r#"{{"version":{version},{more},"eval":{{"task":"t","model":"m"}}}}"#)
        };
        let mut tally = Tally::default();
        for more in [r#""status":"error""#, r#""status":"success","invalidated":true"#] {
            assert_eq!(read("l", log(2, more).as_bytes(), &mut tally), Ok(None), "{more}");
        }
        assert_eq!(tally.skipped, 2);
        assert!(read("l", log(3, r#""status":"success""#).as_bytes(), &mut tally).is_err());
    }
}
