//! Recording runs: records as they arrive, one or thousands, and what recording them does.

mod insert;
mod read;

use std::collections::BTreeSet;

use super::history::History;
use super::instant::Week;
use super::line::Line;
use super::run::{Reading, Run};
use super::weeks::{changed_weeks, weeks};
use crate::domain::config::HistorySection;

pub use insert::{
    Inserted, RecordAnswer, RecordOutcome, Rules, insert, insert_record, is_regression, not_live,
    row_id,
};
pub use read::{Limit, read_records};

/// Options of recording.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    /// What the config says about scores and regressions.
    pub section: HistorySection,
    /// When the lines are appended, RFC 3339.
    pub now: String,
    /// A person's words for records that bring none.
    pub notes: Option<String>,
    /// Whether to look for regressions ourselves.
    pub detect: bool,
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
    /// New runs that do not carry the weights of the last recalibration, and that id.
    pub other_weights: Option<(Vec<String>, String)>,
}

impl Batch {
    /// The records that are new.
    pub fn inserted(&self) -> impl Iterator<Item = &Inserted> {
        self.results.iter().filter(|result| result.outcome == RecordOutcome::Inserted)
    }

    /// Whether a run of this batch is a regression.
    pub fn has_regression(&self, history: &History) -> bool {
        let flagged = |run: &Run| run.regression_detected;
        self.results.iter().any(|result| history.run(&result.run_id).is_some_and(flagged))
    }

    /// The records that contradict what is known.
    pub fn conflicts(&self) -> impl Iterator<Item = &Inserted> {
        self.results.iter().filter(|result| result.outcome == RecordOutcome::ConflictKeptFirst)
    }
}

/// Records `readings` in order.
pub fn record(history: &mut History, readings: Vec<Reading>, how: &RecordOptions) -> Batch {
    record_counted(history, readings, how, &|| ())
}

/// [`record`], which calls `step` after each reading.
pub fn record_counted(
    history: &mut History,
    readings: Vec<Reading>,
    how: &RecordOptions,
    step: &dyn Fn(),
) -> Batch {
    let (before, section) = (weeks(history), &how.section);
    let rules = Rules::from_section(section);
    let mut batch = Batch::default();
    let recalibrated = Recalibrated::find(history);
    let mut other_weights = Vec::new();
    for reading in readings {
        step();
        let mut run = reading.run;
        run.recorded_at = Some(how.now.clone());
        run.notes = run.notes.or_else(|| how.notes.clone());
        // A run that was recorded under its bare name is still the same run.
        let is_known =
            |run: &Run| history.run(&run.run_id).is_some_and(|known| known.model == run.model);
        if let Some(provider) = &section.default_provider
            && !(run.model.contains(':') || run.pack_run.is_some() || is_known(&run))
        {
            run.model = format!("{provider}:{}", run.model);
        }
        let mut rises = Vec::new();
        if how.detect {
            rises = insert::rises(history, &run, section.detect);
            run.regression_detected |=
                !rises.is_empty() || is_regression(history, &run, rules, section.regression_drop);
        }
        let mut result = insert(history, run, rules);
        result.left_out = reading.left_out;
        result.rises = rises;
        if result.outcome == RecordOutcome::Inserted
            && let Some(run) = history.run(&result.run_id)
        {
            if recalibrated.as_ref().is_some_and(|before| before.differs(run)) {
                other_weights.push(run.run_id.clone());
            }
            batch.lines.extend(Line::Run(Box::new(run.clone())).bytes().unwrap_or_default());
        }
        batch.results.push(result);
    }
    if let Some(before) = recalibrated.filter(|_| !other_weights.is_empty()) {
        batch.other_weights = Some((other_weights, before.weights));
    }
    if !batch.lines.is_empty() {
        batch.changed_weeks = changed_weeks(&before, &weeks(history));
    }
    batch
}

/// The last recalibration: its weights, and the models it concerns.
struct Recalibrated {
    weights: String,
    rescored: BTreeSet<String>,
    known: BTreeSet<String>,
}

impl Recalibrated {
    fn find(history: &History) -> Option<Self> {
        let weights = history.current_weights()?.to_owned();
        let has = |model: &&str| {
            let carries = |run: &Run| run.conditions_id.as_deref() == Some(weights.as_str());
            history.of_model(model).any(carries)
        };
        let rescored = history.models().filter(has).map(str::to_owned).collect();
        let known = history.models().map(str::to_owned).collect();
        Some(Self { weights, rescored, known })
    }

    /// Whether `run` starts a series that does not compare with the rescored ones.
    fn differs(&self, run: &Run) -> bool {
        let is_concerned = self.rescored.contains(&run.model) || !self.known.contains(&run.model);
        is_concerned && run.conditions_id.as_deref() != Some(self.weights.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::config::DetectLimits;

    const ONE_POINT: Limit<'_> = Limit { score_scale: 1.0, config: Some("seeds.json") };

    fn how(limits: DetectLimits, default_provider: Option<&str>) -> RecordOptions {
        RecordOptions {
            section: HistorySection {
                detect: limits,
                default_provider: default_provider.map(str::to_owned),
                ..HistorySection::default()
            },
            now: "2026-05-10T00:00:00Z".into(),
            notes: Some("n".into()),
            detect: true,
        }
    }

    #[test]
    fn a_rise_above_its_limit_is_a_regression_and_is_explained() {
        let run = |id: &str, day: u8, rest: &str| {
            let text = format!(
                r#"{{"run_id":"{id}","run_at":"2026-05-0{day}T12:00:00Z","model":"p:m","aggregate_score":0.5,{rest}}}"#
            );
            read_records("f", text.as_bytes(), &ONE_POINT, &|| ()).0.remove(0)
        };
        let limits = DetectLimits {
            hallucination: Some(0.05),
            latency_p95_ms: Some(500.0),
            cost_per_message_usd: None,
        };
        let readings = vec![
            run(
                "a",
                1,
                r#""hallucination_rate":0,"latency_p95_ms":1000,"cost_per_message_usd":0.01"#,
            ),
            run(
                "b",
                2,
                r#""hallucination_rate":0.05,"latency_p95_ms":1500,"cost_per_message_usd":9"#,
            ),
            run("c", 3, r#""hallucination_rate":0.5"#),
            run("d", 4, r#""latency_p95_ms":9000"#),
        ];
        let batch = record(&mut History::default(), readings.clone(), &how(limits, None));
        let rises: Vec<&[String]> = batch.results.iter().map(|of| of.rises.as_slice()).collect();
        assert_eq!(rises[..2], [&[] as &[String]; 2]);
        assert_eq!(
            rises[2],
            [
                "`hallucination_rate` rose from 0.05 to 0.5, by more than `history.detect.hallucination` (0.05)"
            ]
        );
        assert_eq!(
            rises[3],
            [
                "`latency_p95_ms` rose from 1500 to 9000, by more than `history.detect.latency_p95_ms` (500)"
            ]
        );
        assert_eq!(batch.results[3].answer().notes, rises[3]);
        let lines = String::from_utf8(batch.lines).expect("text");
        assert_eq!(lines.matches(r#""regression_detected":true"#).count(), 2);
        let before = record(&mut History::default(), readings, &how(DetectLimits::default(), None));
        assert!(before.results.iter().all(|of| of.rises.is_empty()), "no limit, no rise");
    }

    #[test]
    fn a_bare_name_joins_the_series_of_the_default_provider() {
        let record_of = |id: &str, model: &str| {
            let text =
                format!(r#"{{"run_id":"{id}","run_at":"2026-05-04T12:00:00Z","model":"{model}"}}"#);
            read_records("f", text.as_bytes(), &ONE_POINT, &|| ()).0
        };
        let (plain, acme) =
            (how(DetectLimits::default(), None), how(DetectLimits::default(), Some("acme")));
        let mut history = History::default();
        record(&mut history, record_of("old", "m"), &plain);
        for (id, model) in [("a", "m"), ("b", "acme:m"), ("c", "x:m"), ("old", "m")] {
            record(&mut history, record_of(id, model), &acme);
        }
        let count = |model: &str| history.of_model(model).count();
        assert_eq!((count("acme:m"), count("x:m"), count("m")), (2, 1, 1));
    }

    #[test]
    fn a_loss_beyond_one_prompt_is_found_when_asked_for() {
        let how = how(DetectLimits::default(), None);
        let mut history = History::default();
        let lines = [("a", 4, 0.80), ("b", 5, 0.79), ("c", 6, 0.75)].map(|(id, day, score)| {
            format!(
                r#"{{"run_id":"{id}","run_at":"2026-05-0{day}T12:00:00Z","model":"m","aggregate_score":{score},"n_prompts":50}}"#
            )
        });
        let (readings, _) = read_records("f", lines.join("\n").as_bytes(), &ONE_POINT, &|| ());
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
