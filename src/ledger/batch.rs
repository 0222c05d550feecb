//! Records as they arrive, one or thousands, and what recording them does.

use std::fmt;

use super::history::History;
use super::insert::{Inserted, Outcome, Rules, insert, is_regression};
use super::instant::Week;
use super::line::Line;
use super::rejection::Rejection;
use super::run::{Reading, Run};
use super::weeks::{changed_weeks, weeks};
use crate::domain::Failure;
use crate::json::{self, Node, Value};

/// How records are taken.
#[derive(Debug, Clone)]
pub struct How {
    /// The scale and ε.
    pub rules: Rules,
    /// When the lines are appended, RFC 3339.
    pub now: String,
    /// A person's words for records that bring none.
    pub notes: Option<String>,
    /// Whether to look for regressions ourselves.
    pub detect: bool,
    /// The loss that is a regression.
    pub drop: Option<f64>,
}

/// What recording did.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// What became of each record, in order.
    pub results: Vec<Inserted>,
    /// The lines to append.
    pub lines: Vec<u8>,
    /// The weeks that are not what they were.
    pub changed_weeks: Vec<Week>,
}

impl Batch {
    /// The records that are new.
    pub fn inserted(&self) -> impl Iterator<Item = &Inserted> {
        self.results.iter().filter(|result| result.outcome == Outcome::Inserted)
    }

    /// Whether a run of this batch is a regression.
    pub fn has_regression(&self, history: &History) -> bool {
        let flagged = |run: &Run| run.regression_detected;
        self.results.iter().any(|result| history.run(&result.run_id).is_some_and(flagged))
    }

    /// The records that contradict what is known.
    pub fn conflicts(&self) -> impl Iterator<Item = &Inserted> {
        self.results.iter().filter(|result| result.outcome == Outcome::ConflictKeptFirst)
    }
}

/// Reads the records of a file: one object, an array of them, or one object a line.
pub fn read_records(file: &str, bytes: &[u8], score_scale: f64) -> (Vec<Reading>, Vec<Failure>) {
    let mut taken = (Vec::new(), Vec::new());
    let whole = json::parse(bytes);
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let several = lines.iter().filter(|line| !line.trim_ascii().is_empty()).count() > 1;
    match whole {
        Ok(document) => match &document.root.value {
            Value::Array(records) => {
                for (index, record) in records.iter().enumerate() {
                    take(&mut taken, record, score_scale, format_args!("{file}, [{index}]"));
                }
            }
            _ => take(&mut taken, &document.root, score_scale, format_args!("{file}")),
        },
        // Not one document: then each line is one.
        Err(_) if several => {
            for (index, line) in lines.iter().enumerate() {
                let line = line.trim_ascii();
                let number = index + 1;
                if line.is_empty() {
                    continue;
                }
                match json::parse(line) {
                    Ok(document) => {
                        take(
                            &mut taken,
                            &document.root,
                            score_scale,
                            format_args!("{file}, line {number}"),
                        );
                    }
                    Err(error) => taken
                        .1
                        .push(Failure::json(file, &error).at(format!("{file}, line {number}"))),
                }
            }
        }
        Err(error) => taken.1.push(Failure::json(file, &error)),
    }
    taken
}

fn take(
    (readings, failures): &mut (Vec<Reading>, Vec<Failure>),
    record: &Node<'_>,
    score_scale: f64,
    place: fmt::Arguments<'_>,
) {
    match Run::read(record, score_scale) {
        Ok(reading) if reading.run.pack_run.is_none() => readings.push(reading),
        // Evidence is read from result files, not taken on somebody's word.
        Ok(_) => failures.push(rejected(Rejection::PackRun, place)),
        Err(reason) => failures.push(rejected(reason, place)),
    }
}

fn rejected(reason: Rejection, place: fmt::Arguments<'_>) -> Failure {
    Failure::unusable(format!("a record is rejected: {reason}"))
        .at(place.to_string())
        .help(format!("{}; nothing was recorded", reason.wanted()))
}

/// Records `readings` in order.
pub fn record(history: &mut History, readings: Vec<Reading>, how: &How) -> Batch {
    let before = weeks(history);
    let mut batch = Batch::default();
    for reading in readings {
        let mut run = reading.run;
        run.recorded_at = Some(how.now.clone());
        run.notes = run.notes.or_else(|| how.notes.clone());
        if how.detect && !run.regression_detected {
            run.regression_detected = is_regression(history, &run, how.rules, how.drop);
        }
        let mut result = insert(history, run, how.rules);
        result.left_out = reading.left_out;
        if result.outcome == Outcome::Inserted
            && let Some(run) = history.run(&result.run_id)
        {
            batch.lines.extend(Line::Run(Box::new(run.clone())).bytes().unwrap_or_default());
        }
        batch.results.push(result);
    }
    if !batch.lines.is_empty() {
        batch.changed_weeks = changed_weeks(&before, &weeks(history));
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"run_id":"a","run_at":"2026-05-04T12:00:00Z","model":"m"}"#;

    fn ids(bytes: &str) -> (Vec<String>, usize) {
        let (readings, failures) = read_records("f", bytes.as_bytes(), 1.0);
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

    #[test]
    fn a_loss_beyond_one_prompt_is_found_when_asked_for() {
        let how = How {
            rules: Rules { score_scale: 1.0, epsilon: 0.005 },
            now: "2026-05-10T00:00:00Z".into(),
            notes: Some("n".into()),
            detect: true,
            drop: None,
        };
        let mut history = History::default();
        let lines = [("a", 4, 0.80), ("b", 5, 0.79), ("c", 6, 0.75)].map(|(id, day, score)| {
            format!(
                r#"{{"run_id":"{id}","run_at":"2026-05-0{day}T12:00:00Z","model":"m","aggregate_score":{score},"n_prompts":50}}"#
            )
        });
        let (readings, _) = read_records("f", lines.join("\n").as_bytes(), 1.0);
        let batch = record(&mut history, readings.clone(), &how);
        let flags: Vec<bool> =
            history.recorded().iter().map(|run| run.regression_detected).collect();
        assert_eq!(flags, [false, false, true]);
        assert_eq!(batch.inserted().count(), 3);
        assert_eq!(batch.changed_weeks.len(), 1);
        let again = record(&mut history, readings, &how);
        assert_eq!((again.inserted().count(), again.conflicts().count()), (0, 0));
        assert!(again.lines.is_empty() && again.changed_weeks.is_empty());
    }
}
