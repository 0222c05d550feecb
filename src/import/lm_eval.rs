//! lm-evaluation-harness's results file: one run, a topic per task, a measure per metric.
//!
//! `model_args` and `pretty_env_info` hold paths of whoever ran it; fields are taken by name.

use super::document::document;
use super::json_value::{better, is_plain_name, member, plain_text};
use super::note::{ImportError, Note, Tally};
use super::outcome::ImportOutcome;
use crate::domain::sha16;
use crate::json::{Object, Value};

/// Keys of a task's results that are not metrics.
const NOT_METRICS: [&str; 5] = ["name", "alias", "sample_len", "sample_count", "samples"];

/// Reads one file; `tally` says what of it is missing.
pub fn read(file: &str, bytes: &[u8], tally: &mut Tally) -> Result<ImportOutcome, ImportError> {
    let document = document(file, bytes)?;
    let root = &document.root;
    let wanted = "an lm-evaluation-harness results file";
    let results = member(root, &["results"])
        .and_then(|node| node.object().ok())
        .ok_or_else(|| ImportError::shape(file, wanted, "it has no object `results`"))?;
    let name = plain_text(root, &["model_name"]).or_else(|| plain_text(root, &["config", "model"]));
    let mut outcome = ImportOutcome::new(file, name.unwrap_or("unnamed"), sha16(bytes));
    for (task, metrics) in results.iter() {
        let subtasks = member(root, &["group_subtasks", task]).and_then(|node| node.array().ok());
        let is_group = member(root, &["groups", task]).is_some()
            || subtasks.is_some_and(|subtasks| !subtasks.is_empty());
        if is_group {
            tally.notes.push(Note::file(
                file,
                format!("group `{task}` is an average of tasks; the tasks are read"),
            ));
            continue;
        }
        if !is_plain_name(task) {
            tally.skip(Note::file(file, "a task's name holds control characters"));
            continue;
        }
        for (key, value) in metrics.object().ok().into_iter().flat_map(Object::iter) {
            if NOT_METRICS.contains(&key.as_ref()) {
                continue;
            }
            let number = match &value.value {
                Value::Number(number) if number.as_f64().is_finite() => number.as_f64(),
                // Its writer says so where no error can be estimated.
                Value::String(text) if text == "N/A" && key.contains("_stderr") => continue,
                _ => {
                    let what =
                        format!("`results.{task}.{key}` is not a finite number; it is missing");
                    tally.skip(Note::file(file, what));
                    continue;
                }
            };
            let metric = key.split(',').next().unwrap_or(key);
            let better = better(member(root, &["higher_is_better", task, metric]));
            let name = key.strip_suffix(",none").unwrap_or(key);
            outcome.metric(task, name, better, number);
        }
    }
    let date = member(root, &["date"]).and_then(|node| node.number().ok());
    #[expect(clippy::cast_possible_truncation, reason = "seconds; a wild value gives no time")]
    let at = date.and_then(|date| jiff::Timestamp::from_second(date.as_f64() as i64).ok());
    outcome.at = at.map(|at| at.to_string());
    let facets: [(_, &[_]); 3] = [
        ("lm_eval_version", &["lm_eval_version"]),
        ("git_hash", &["git_hash"]),
        ("model_sha", &["config", "model_sha"]),
    ];
    outcome.texts(root, &facets);
    let limited = member(root, &["config", "limit"]).is_some_and(|node| !node.is_null());
    outcome.facet("partial", if limited { "true" } else { "false" });
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::super::outcome::add_outcomes;
    use super::*;
    use crate::table::{Builder, Policy, STARTED_AT};

    #[test]
    fn metrics_keep_their_filter_and_groups_are_left_out() {
        let file = br#"{"results":{"g":{"acc,none":1},"t":{"alias":"t","acc,none":0.5,
            "acc_stderr,none":"N/A","em,strict":0.25,"bad":null}},"group_subtasks":{"g":["t"],"t":[]},
            "higher_is_better":{"t":{"em":false}},"date":1778760000.5,"model_name":"org/m",
            "config":{"limit":null,"model_args":{"pretrained":"/home/someone/m"}}}"#;
        let mut builder = Builder::default();
        let mut tally = Tally::default();
        let outcome = read("f.json", file, &mut tally).expect("a file");
        add_outcomes(&mut builder, vec![outcome], false, &mut tally).expect("cells");
        assert_eq!((tally.loaded, tally.skipped), (1, 1));
        let table = builder.build(&Policy::default()).expect("a table").table;
        let run = table.find("org/m@2026-05-14T12:00:00Z").expect("one run");
        let value = |name: &str| table.number(run, table.measure_named(name).expect("a measure"));
        assert_eq!((value("acc"), value("em,strict")), (Some(0.5), Some(0.25)));
        assert_eq!(table.facet(run, STARTED_AT).known(), Some("2026-05-14T12:00:00Z"));
        assert!(!format!("{table:?}").contains("someone"));
    }
}
