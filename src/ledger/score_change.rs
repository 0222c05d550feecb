//! How much better over a span of time: the change of the three-run average, in percent.
//!
//! Two epochs do not compare, so a span that crosses from one into another has no change.

use jiff::ToSpan;
use jiff::civil::Date;
use serde::Serialize;

use super::history::History;
use super::instant::{Instant, day_number, parse_day};
use super::run::Run;
use super::series::{WINDOW, average_and_trend};
use crate::domain::round6;
use crate::table::significance::Score;

/// From a moment up to, but without, another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first moment inside.
    pub from: Instant,
    /// The first moment after.
    pub to: Instant,
}

impl Span {
    /// Reads `90d` (back from `now`), `2026-Q2`, `2026-04-01..2026-06-30` (both days inside) or a
    /// year.
    pub fn parse(text: &str, now: Instant) -> Option<Self> {
        let days = |from: i64, to: i64| {
            (from < to).then(|| Self { from: Instant::of_day(from), to: Instant::of_day(to) })
        };
        if let Some((from, to)) = text.split_once("..") {
            return days(parse_day(from)?, parse_day(to)? + 1);
        }
        if let Some(count) = text.strip_suffix('d') {
            let count: i64 = count.parse().ok().filter(|count| (1..=36_500).contains(count))?;
            let to = now.day() + 1;
            return days(to - count, to);
        }
        let (year, quarter) = match text.split_once("-Q") {
            Some((year, quarter)) => (year, Some(quarter)),
            None => (text, None),
        };
        let year: i16 = (year.len() == 4).then(|| year.parse().ok())??;
        let (month, length) = match quarter {
            None => (1, 12),
            Some("1") => (1, 3),
            Some("2") => (4, 3),
            Some("3") => (7, 3),
            Some("4") => (10, 3),
            Some(_) => return None,
        };
        let first = Date::new(year, month, 1).ok()?;
        days(day_number(first), day_number(first.checked_add(length.months()).ok()?))
    }

    fn holds(&self, run: &Run) -> bool {
        self.from <= run.at && run.at < self.to
    }
}

/// The change of one model over a span.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The model.
    pub model: String,
    /// The epoch both ends are in.
    pub epoch: String,
    /// The average at the first run.
    pub from: f64,
    /// The average at the last run.
    pub to: f64,
    /// The first run's day.
    pub from_date: String,
    /// The last run's day.
    pub to_date: String,
    /// The first run.
    pub from_run_id: String,
    /// The last run.
    pub to_run_id: String,
    /// Scored runs from the first to the last.
    pub runs: usize,
    /// Change of the average in percent of the first; absent where that is 0.
    pub percent: Option<f64>,
    /// Whether the intervals of the ends overlap; absent where it is not known how many prompts.
    pub within_noise: Option<bool>,
}

/// Why a model has no change over a span.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoChange {
    /// Fewer than two scored runs.
    #[error("{0} scored run(s) in this span; a change needs 2")]
    TooFew(usize),
    /// The ends are of two epochs.
    #[error("the runs are of two epochs, `{0}` and `{1}`, which do not compare")]
    Epochs(String, String),
}

/// The change of `model` over `span`.
pub fn change(history: &History, model: &str, span: Span, scale: f64) -> Result<Change, NoChange> {
    let scored: Vec<&Run> = history
        .of_model(model)
        .filter(|run| run.aggregate_score.is_some() && span.holds(run))
        .collect();
    let [first, .., last] = scored.as_slice() else {
        return Err(NoChange::TooFew(scored.len()));
    };
    if let Some(other) = scored.iter().find(|run| run.epoch() != first.epoch()) {
        return Err(NoChange::Epochs(first.epoch(), other.epoch()));
    }
    let average = |run: &Run| {
        average_and_trend(history.before_in_epoch(run), run, |run| run.aggregate_score, 0.0)
            .0
            .unwrap_or_default()
    };
    let (from, to) = (average(first), average(last));
    Ok(Change {
        model: model.to_owned(),
        epoch: first.epoch(),
        from,
        to,
        from_date: first.at.date(),
        to_date: last.at.date(),
        from_run_id: first.run_id.clone(),
        to_run_id: last.run_id.clone(),
        runs: scored.len(),
        percent: (from > 0.0).then(|| round6((to - from) / from * 100.0)),
        within_noise: overlap((from, prompts(history, first)), (to, prompts(history, last)), scale),
    })
}

/// The smallest number of prompts behind an average: its runs ask the same prompts again, so more
/// runs do not make it surer about other prompts.
fn prompts(history: &History, run: &Run) -> Option<u64> {
    std::iter::once(run)
        .chain(history.before_in_epoch(run).filter(|run| run.aggregate_score.is_some()))
        .take(WINDOW)
        .map(|run| run.n_prompts)
        .min()
        .flatten()
}

/// Whether the 95% intervals of two scores overlap; `None` where it is not known how many prompts
/// are behind one of them.
pub(crate) fn overlap(
    (from, from_prompts): (f64, Option<u64>),
    (to, to_prompts): (f64, Option<u64>),
    scale: f64,
) -> Option<bool> {
    let interval = |average: f64, prompts| Score::from_share(average / scale, prompts).interval;
    let (a, b) = (interval(from, from_prompts?)?, interval(to, to_prompts?)?);
    Some(a.low <= b.high && b.low <= a.high)
}

impl Change {
    /// `quality improved 12.0 % (0.742 → 0.831, 2026-04-02 to 2026-06-28, 13 runs)`.
    pub fn describe(&self, decimals: usize) -> String {
        let what = match self.percent {
            None => "quality has no percent change from 0".to_owned(),
            Some(percent) => {
                let shown = crate::domain::round(percent.abs(), 1);
                match percent {
                    _ if shown == 0.0 => "quality unchanged".to_owned(),
                    up if up > 0.0 => format!("quality improved {shown:.1} %"),
                    _ => format!("quality declined {shown:.1} %"),
                }
            }
        };
        let noise = match self.within_noise {
            Some(true) => ", within noise",
            Some(false) => "",
            None => ", noise not judged: prompt counts unknown",
        };
        format!(
            "{what} ({:.decimals$} → {:.decimals$}, {} to {}, {} runs{noise})",
            self.from, self.to, self.from_date, self.to_date, self.runs
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Line;

    fn history(runs: &[(&str, f64, &str)]) -> History {
        let line = |(index, (day, score, protocol)): (usize, &(&str, f64, &str))| {
            let text = format!(
                r#"{{"run_id":"r{index}","run_at":"{day}T12:00:00Z","model":"m","aggregate_score":{score},"eval_protocol_version":"{protocol}","n_prompts":1000}}"#
            );
            Line::read(text.as_bytes()).expect("a run").0
        };
        History::from_lines(runs.iter().enumerate().map(line)).0
    }

    fn span(text: &str) -> Span {
        Span::parse(text, Instant::parse("2026-07-01T00:00:00Z").expect("now")).expect(text)
    }

    #[test]
    fn a_quarter_a_year_days_back_and_two_days_are_spans() {
        let day = |text| Instant::of_day(parse_day(text).expect(text));
        for (text, from, to) in [
            ("2026-Q2", "2026-04-01", "2026-07-01"),
            ("2026-Q4", "2026-10-01", "2027-01-01"),
            ("2026", "2026-01-01", "2027-01-01"),
            ("90d", "2026-04-03", "2026-07-02"),
            ("2026-05-01..2026-05-01", "2026-05-01", "2026-05-02"),
        ] {
            assert_eq!(span(text), Span { from: day(from), to: day(to) }, "{text}");
        }
        for bad in ["", "d", "0d", "-3d", "2026-Q5", "26-Q1", "2026-05-02..2026-05-01", "soon"] {
            assert_eq!(Span::parse(bad, day("2026-07-01")), None, "{bad}");
        }
    }

    #[test]
    fn the_change_is_that_of_the_average_and_says_when_it_is_noise() {
        let better = history(&[("2026-04-02", 0.742, "1"), ("2026-06-28", 0.92, "1")]);
        let words = change(&better, "m", span("2026-Q2"), 1.0).expect("a change").describe(3);
        assert_eq!(
            words,
            "quality improved 12.0 % (0.742 → 0.831, 2026-04-02 to 2026-06-28, 2 runs)"
        );
        let same = history(&[("2026-04-02", 0.742, "1"), ("2026-06-28", 0.744, "1")]);
        let words = change(&same, "m", span("2026-Q2"), 1.0).expect("a change").describe(3);
        assert_eq!(
            words,
            "quality improved 0.1 % (0.742 → 0.743, 2026-04-02 to 2026-06-28, 2 runs, within noise)"
        );
    }

    #[test]
    fn epochs_do_not_mix_and_nothing_grows_from_zero() {
        let mixed = history(&[("2026-04-02", 0.7, "1"), ("2026-06-28", 0.8, "2")]);
        let refused = change(&mixed, "m", span("2026-Q2"), 1.0).expect_err("two epochs");
        assert_eq!(refused, NoChange::Epochs("1/".into(), "2/".into()));
        assert_eq!(change(&mixed, "m", span("2026-Q1"), 1.0), Err(NoChange::TooFew(0)));
        let zero = history(&[("2026-04-02", 0.0, "1"), ("2026-06-28", 0.8, "1")]);
        let change = change(&zero, "m", span("2026-Q2"), 1.0).expect("a change");
        assert_eq!(change.percent, None);
        assert!(
            change.describe(3).starts_with("quality has no percent change from 0 (0.000 → 0.400")
        );
    }
}
