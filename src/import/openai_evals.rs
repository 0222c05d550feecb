//! A log of OpenAI evals: the final report of one evaluation.
//!
//! Its events hold prompts and answers; only `spec` and `final_report` are looked at.

use super::document::{LIMITS, without_bom};
use super::json_value::{is_plain_name, member, plain_text};
use super::note::{ImportError, Tally};
use super::outcome::ImportOutcome;
use crate::domain::sha16;
use crate::json::{Object, Value, parse_with};

/// Reads one log. Values of the report that are not numbers are left out.
pub fn read(file: &str, bytes: &[u8], tally: &mut Tally) -> Result<ImportOutcome, ImportError> {
    let text = without_bom(bytes);
    let mut outcome = ImportOutcome::new(file, "unnamed", sha16(bytes));
    let (mut task, mut reports) = ("eval".to_owned(), 0);
    let mut values = Vec::new();
    for line in text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        let wanted =
            |key: &str| memchr::memmem::find(line, format!("\"{key}\"").as_bytes()).is_some();
        if !wanted("spec") && !wanted("final_report") {
            continue;
        }
        let Ok(document) = parse_with(line, LIMITS) else { continue };
        let root = &document.root;
        if let Some(spec) = member(root, &["spec"]) {
            let text = |key: &str| plain_text(spec, &[key]);
            let models = member(spec, &["completion_fns"]).and_then(|node| node.array().ok());
            let model = models.and_then(|list| list.first());
            if let Some(model) = model.and_then(|model| plain_text(model, &[])) {
                model.clone_into(&mut outcome.model);
            }
            if let Some(name) = text("eval_name").or_else(|| text("base_eval")) {
                name.clone_into(&mut task);
            }
            outcome.at = text("created_at").map(|at| at.replacen(' ', "T", 1));
            if let Some(id) = text("run_id") {
                outcome.facet("run_id", id);
            }
        }
        let report = member(root, &["final_report"]).and_then(|node| node.object().ok());
        reports += usize::from(report.is_some());
        for (name, value) in report.into_iter().flat_map(Object::iter) {
            if let Value::Number(number) = value.value
                && number.as_f64().is_finite()
                && is_plain_name(name)
            {
                values.push((name.to_string(), number.as_f64()));
            }
        }
    }
    if reports == 0 {
        let why = "it has no line `final_report`; the evaluation did not finish";
        return Err(ImportError::shape(file, "a finished OpenAI evals log", why));
    }
    for (name, value) in values {
        outcome.metric(&task, &name, None, value);
    }
    if reports > 1 {
        tally.notes.push(super::note::Note::file(file, "holds several final reports"));
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_final_report_is_read_and_no_event() {
        let log = r#"{"spec": {"completion_fns": ["fictional-1"], "eval_name": "logic.dev.v0", "run_id": "R1", "created_at": "2026-05-14 12:00:00.000000"}}
{"final_report": {"accuracy": 0.75, "boostrap_std": 0.1, "note": "x"}}
{"run_id": "R1", "event_id": 0, "type": "sampling", "data": {"prompt": "CANARY"}}
"#;
        let mut tally = Tally::default();
        let outcome = read("l.jsonl", log.as_bytes(), &mut tally).expect("a log");
        assert_eq!((outcome.model.as_str(), outcome.cells.len()), ("fictional-1", 2));
        assert_eq!(outcome.at.as_deref(), Some("2026-05-14T12:00:00.000000"));
        assert!(!format!("{outcome:?}").contains("CANARY"));
        let unfinished = log.lines().next().expect("a line");
        assert!(read("l.jsonl", unfinished.as_bytes(), &mut tally).is_err());
    }
}
