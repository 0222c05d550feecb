//! Reads records from a file, and explains why one is rejected.

use std::collections::BTreeMap;
use std::fmt;

use crate::domain::{Failure, Hint};
use crate::json::{self, Node, Object, Value};
use crate::ledger::rejection::Rejection;
use crate::ledger::run::{Reading, Run};

/// Reads the records of a file: one object, an array of them, or one object a line. Calls `step` after
/// each line of a file of lines.
pub fn read_records(
    file: &str,
    bytes: &[u8],
    limit: &Limit,
    step: &dyn Fn(),
) -> (Vec<Reading>, Vec<Failure>) {
    let mut taken = ParsedRecords::default();
    let whole = json::parse(bytes);
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let several = lines.iter().filter(|line| !line.trim_ascii().is_empty()).count() > 1;
    match whole {
        Ok(document) => match &document.root.value {
            Value::Array(records) => {
                for (index, record) in records.iter().enumerate() {
                    taken.take(record, limit, format_args!("{file}, [{index}]"));
                }
            }
            _ => taken.take(&document.root, limit, format_args!("{file}")),
        },
        // Not one document: then each line is one.
        Err(_) if several => {
            for (index, line) in lines.iter().enumerate() {
                let line = line.trim_ascii();
                let number = index + 1;
                step();
                if line.is_empty() {
                    continue;
                }
                match json::parse(line) {
                    Ok(document) => {
                        taken.take(&document.root, limit, format_args!("{file}, line {number}"));
                    }
                    Err(error) => taken
                        .failures
                        .push(Failure::json(file, &error).at(format!("{file}, line {number}"))),
                }
            }
        }
        Err(error) => taken.failures.push(Failure::json(file, &error)),
    }
    taken.failures.extend(taken.rejected.iter().filter(|(_, count)| **count > SHOWN).map(
        |(reason, count)| {
            Failure::unusable(format!("{} more records: {reason}", count - SHOWN)).at(file)
        },
    ));
    (taken.readings, taken.failures)
}

/// The largest score a record may have, and where that is written.
#[derive(Debug, Clone, Copy)]
pub struct Limit<'l> {
    /// `history.score_scale`.
    pub score_scale: f64,
    /// The config's name; `None` if there is none and the default holds.
    pub config: Option<&'l str>,
}

/// How many rejections of one kind are shown per file; the others are counted.
const SHOWN: usize = 5;

#[derive(Default)]
struct ParsedRecords {
    readings: Vec<Reading>,
    failures: Vec<Failure>,
    rejected: BTreeMap<Rejection, usize>,
}

impl ParsedRecords {
    fn take(&mut self, record: &Node<'_>, limit: &Limit<'_>, place: fmt::Arguments<'_>) {
        let reason = match Run::read(record, limit.score_scale) {
            Ok(reading) if reading.run.pack_run.is_none() => {
                self.readings.push(reading);
                return;
            }
            // A pack run comes from result files; a record cannot claim to be one.
            Ok(_) => Rejection::PackRun,
            Err(reason) => reason,
        };
        let count = self.rejected.entry(reason).or_default();
        *count += 1;
        if *count <= SHOWN {
            self.failures.push(rejected(reason, record, limit).at(place.to_string()));
        }
    }
}

/// What is wrong with a record: the value, and what belongs there.
fn rejected(reason: Rejection, record: &Node<'_>, limit: &Limit<'_>) -> Failure {
    let said = reason.key().and_then(|key| {
        let member = record.object().ok().and_then(|object| member(object, key));
        Some(match member {
            None => format!("`{key}` is missing"),
            Some(node) => match (&node.value, reason) {
                (Value::Number(number), Rejection::AggregateScore) => {
                    return Some(limit.beyond(number.as_f64(), number.as_str()));
                }
                (Value::Number(number), Rejection::HallucinationRate) if number.as_f64() > 1.0 => {
                    format!("`{key}` {} is above 1", number.as_str())
                }
                (Value::Number(number), _) if number.as_f64() < 0.0 => {
                    format!("`{key}` {} is below 0", number.as_str())
                }
                _ => format!("`{key}` is {}", shown(node)),
            },
        })
    });
    let said = said.map(|said| format!(": {said}")).unwrap_or_default();
    let failure = Failure::unusable(format!("record rejected ({reason}){said}"));
    match reason {
        Rejection::AggregateScore => failure.hint(limit.hint()),
        _ => failure.help(format!("{}; nothing was recorded", reason.wanted())),
    }
}

impl Limit<'_> {
    /// `1 in seeds.json`.
    fn said(&self) -> String {
        match self.config {
            Some(config) => format!("{} in {config}", self.score_scale),
            None => format!("{}, the default", self.score_scale),
        }
    }

    fn beyond(&self, score: f64, text: &str) -> String {
        if score < 0.0 {
            format!("`aggregate_score` {text} is below 0")
        } else {
            format!("`aggregate_score` {text} is above `history.score_scale` ({})", self.said())
        }
    }

    fn hint(&self) -> Hint {
        Hint::ScoreBeyondScale(self.config.unwrap_or("seeds.json").to_owned())
    }

    /// Why `score`, of the result file `file`, cannot be recorded.
    pub fn rejects(&self, score: f64, file: &str) -> Failure {
        let (reason, said) = (Rejection::AggregateScore, self.beyond(score, &score.to_string()));
        Failure::unusable(format!("record rejected ({reason}): {said}")).at(file).hint(self.hint())
    }
}

/// The member of a record in either spelling.
fn member<'n, 'a>(object: &'n Object<'a>, key: &str) -> Option<&'n Node<'a>> {
    let mut camel = String::new();
    for (index, word) in key.split('_').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if index > 0 => camel.extend(first.to_uppercase()),
            first => camel.extend(first),
        }
        camel.push_str(letters.as_str());
    }
    object.get(key).or_else(|| object.get(&camel))
}

/// A value as JSON, cut where it is long.
fn shown(node: &Node<'_>) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.as_str().to_owned(),
        Value::String(text) if text.chars().count() > 40 => {
            let start: String = text.chars().take(40).collect();
            format!("{start:?}… ({} characters)", text.chars().count())
        }
        Value::String(text) => format!("{:?}", &**text),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"run_id":"a","run_at":"2026-05-04T12:00:00Z","model":"m"}"#;

    const ONE_POINT: Limit<'_> = Limit { score_scale: 1.0, config: Some("seeds.json") };

    #[test]
    fn a_rejection_gives_the_value_the_limit_and_the_config_key() {
        let said = |field: &str, config: Option<&'static str>| {
            let text =
                format!(r#"{{"run_id":"a","run_at":"2026-05-04T12:00:00Z","model":"m",{field}}}"#);
            let limit = Limit { config, ..ONE_POINT };
            let (_, failures) = read_records("f", text.as_bytes(), &limit, &|| ());
            failures[0].what.clone()
        };
        let seeds = Some("seeds.json");
        for (field, config, words) in [
            (
                r#""aggregateScore":4.2"#,
                seeds,
                "record rejected (bad_aggregate_score): `aggregate_score` 4.2 is above `history.score_scale` (1 in seeds.json)",
            ),
            (
                r#""aggregate_score":4.2"#,
                None,
                "record rejected (bad_aggregate_score): `aggregate_score` 4.2 is above `history.score_scale` (1, the default)",
            ),
            (
                r#""aggregate_score":-1"#,
                seeds,
                "record rejected (bad_aggregate_score): `aggregate_score` -1 is below 0",
            ),
            (
                r#""aggregate_score":"4""#,
                seeds,
                "record rejected (bad_aggregate_score): `aggregate_score` is \"4\"",
            ),
            (
                r#""hallucinationRate":1.2"#,
                seeds,
                "record rejected (bad_hallucination_rate): `hallucination_rate` 1.2 is above 1",
            ),
            (
                r#""latency_p95_ms":-5"#,
                seeds,
                "record rejected (bad_latency_p95_ms): `latency_p95_ms` -5 is below 0",
            ),
            (
                r#""regression_detected":{}"#,
                seeds,
                "record rejected (bad_regression_detected): `regression_detected` is an object",
            ),
        ] {
            assert!(said(field, config).contains(words), "{}", said(field, config));
        }
        let (_, failures) = read_records("f", br#"{"model":"m"}"#, &ONE_POINT, &|| ());
        assert!(failures[0].what.contains("(bad_run_id): `run_id` is missing"));
        let many = r#"{"run_id":"a"}
"#
        .repeat(300);
        let (_, failures) = read_records("f", many.as_bytes(), &ONE_POINT, &|| ());
        assert_eq!(failures.len(), 6);
        assert!(failures[5].what.contains("295 more records: bad_model"));
    }

    fn ids(bytes: &str) -> (Vec<String>, usize) {
        let (readings, failures) = read_records("f", bytes.as_bytes(), &ONE_POINT, &|| ());
        (readings.into_iter().map(|reading| reading.run.run_id).collect(), failures.len())
    }

    #[test]
    fn one_object_an_array_and_lines_are_all_records() {
        let two = ONE.replace("\"a\"", "\"b\"");
        let both = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(ids(ONE), (vec!["a".to_owned()], 0));
        assert_eq!(ids(&format!("[{ONE},{two}]")), (both.clone(), 0));
        assert_eq!(ids(&format!("{ONE}\r\n\n{two}\n")), (both.clone(), 0));
        assert_eq!(ids(&format!("{ONE}\nnonsense\n{two}\n{{}}\n")), (both, 2));
        assert_eq!(ids("nonsense"), (vec![], 1));
        assert_eq!(ids(""), (vec![], 1));
    }
}
