//! Time series of ledger runs: comparable segments, best scores, weeks of a model, changes.
//!
//! A series belongs to a model and an epoch. Points of two epochs are never joined.

use std::collections::{BTreeMap, BTreeSet};

use super::weekly::model_weeks;
use crate::facts::Score;
use crate::ledger::{
    Change, EventKind, History, Instant, NoChange, Run, Span, Week, change, derive, events,
};

/// Weeks that count as now.
pub(crate) const RECENT: i64 = 12;
/// Segments that are shown.
const MOST_SEGMENTS: usize = 12;

/// Runs that compare: those of one epoch, until the next one starts.
#[derive(Debug)]
pub(crate) struct Segment<'a> {
    pub(crate) epoch: String,
    /// Scored, in time order; never empty.
    pub(crate) runs: Vec<&'a Run>,
}

impl<'a> Segment<'a> {
    /// The runs that beat every run before them, among those that `counts`; of one day the best.
    pub(crate) fn records(&self, counts: impl Fn(&Run) -> bool) -> Vec<&'a Run> {
        let mut records: Vec<&Run> = Vec::new();
        for run in self.runs.iter().copied().filter(|run| counts(run)) {
            if records.last().is_none_or(|best| run.aggregate_score > best.aggregate_score) {
                records.pop_if(|best| best.at.day() == run.at.day());
                records.push(run);
            }
        }
        records
    }

    /// The best run of each model, the first of equals.
    pub(crate) fn best_of_each(&self) -> Vec<&'a Run> {
        let mut best: BTreeMap<&str, &Run> = BTreeMap::new();
        for run in &self.runs {
            let known = best.entry(&run.model).or_insert(run);
            if run.aggregate_score > known.aggregate_score {
                *known = run;
            }
        }
        best.into_values().collect()
    }
}

/// The best score of an epoch from its week on, until it is beaten.
#[derive(Debug)]
pub(crate) struct Best<'a> {
    pub(crate) week: i64,
    pub(crate) epoch: String,
    pub(crate) run: &'a Run,
    pub(crate) score: f64,
}

/// The runs of one model and epoch in one week.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    /// Weeks since the one of 1 January 1970.
    pub(crate) week: i64,
    pub(crate) epoch: String,
    pub(crate) runs: usize,
    /// Mean of the scored runs.
    pub(crate) mean: Option<f64>,
    /// The moving average at the week's last scored run.
    pub(crate) average: Option<f64>,
    pub(crate) latency: Option<f64>,
    pub(crate) cost: Option<f64>,
    pub(crate) cost_per_solved: Option<f64>,
    /// Whether a run of the week is flagged as a regression.
    pub(crate) flagged: bool,
}

/// What a solved prompt cost in `run`, in US dollars: the cost of a message by the score, which is at
/// most `scale`.
pub(crate) fn cost_per_solved(run: &Run, scale: f64) -> Option<f64> {
    let share = run.aggregate_score? / scale;
    (share > 0.0).then_some(run.cost_per_message_usd? / share)
}

/// The score of a run as the board rounds it, where it is a share of a known number of prompts.
pub(crate) fn counted_score(run: &Run) -> Option<Score> {
    let (score, prompts) = (run.aggregate_score?, run.n_prompts.filter(|prompts| *prompts > 0)?);
    Some(Score::from_share(score, prompts))
}

/// The scored runs since the week `first`, by what compares. The latest segment is the epoch with
/// the most models lately; the one before it is found in the same way among the runs before it.
/// Runs of packs are other tests, which have their own pages.
pub(crate) fn segments(history: &History, first: i64) -> Vec<Segment<'_>> {
    let mut rest: Vec<(String, &Run)> = history
        .runs()
        .into_iter()
        .filter(|run| run.aggregate_score.is_some() && run.pack_run.is_none())
        .filter(|run| week_of(run.at) >= first)
        .map(|run| (run.epoch(), run))
        .collect();
    let mut segments = Vec::new();
    while let Some(newest) = rest.last().map(|(_, run)| week_of(run.at))
        && segments.len() < MOST_SEGMENTS
    {
        let mut models: BTreeMap<&str, (BTreeSet<&str>, usize)> = BTreeMap::new();
        for (at, (epoch, run)) in rest.iter().enumerate() {
            if week_of(run.at) > newest - RECENT {
                let (models, latest) = models.entry(epoch).or_default();
                models.insert(&run.model);
                *latest = at;
            }
        }
        let most = models.iter().max_by_key(|(_, (models, latest))| (models.len(), *latest));
        let Some(epoch) = most.map(|(epoch, _)| (*epoch).to_owned()) else { break };
        let runs: Vec<&Run> =
            rest.iter().filter(|(other, _)| *other == epoch).map(|(_, run)| *run).collect();
        let start = runs[0].at;
        rest.retain(|(_, run)| run.at < start);
        segments.push(Segment { epoch, runs });
    }
    segments.reverse();
    segments
}

/// The number of the ISO week of `at`; the one of 1 January 1970 is 0.
pub(crate) fn week_of(at: Instant) -> i64 {
    (at.day() + 3).div_euclid(7)
}

/// The ISO week with that number.
pub(crate) fn week_named(week: i64) -> Week {
    Instant::of_day(week * 7).week()
}

/// When the week with that number starts.
pub(crate) fn monday(week: i64) -> Instant {
    Instant::of_day(week * 7 - 3)
}

/// The weeks of `model`, whose scores are at most `scale`.
pub(crate) fn points(history: &History, model: &str, scale: f64, epsilon: f64) -> Vec<Point> {
    model_weeks(history, model)
        .into_iter()
        .map(|of| Point {
            week: week_of(of.runs[0].at),
            runs: of.runs.len(),
            mean: of.mean(|run| run.aggregate_score),
            average: of
                .runs
                .iter()
                .rfind(|run| run.aggregate_score.is_some())
                .and_then(|run| derive(history, run, epsilon).moving_average),
            latency: of.mean(|run| run.latency_p95_ms),
            cost: of.mean(|run| run.cost_per_message_usd),
            cost_per_solved: of.mean(|run| cost_per_solved(run, scale)),
            flagged: of.runs.iter().any(|run| run.regression_detected),
            epoch: of.epoch,
        })
        .collect()
}

/// The runs that were the best of their epoch, epoch after epoch.
pub(crate) fn bests(history: &History) -> Vec<Best<'_>> {
    let mut bests: Vec<Best<'_>> = Vec::new();
    let mut order: BTreeMap<String, usize> = BTreeMap::new();
    for event in events(history) {
        let EventKind::NewBest { run_id, epoch, score, .. } = event.what else { continue };
        let Some(run) = history.run(&run_id) else { continue };
        let next = order.len();
        order.entry(epoch.clone()).or_insert(next);
        bests.push(Best { week: week_of(run.at), epoch, run, score });
    }
    // Stable: within an epoch they stay in time order.
    bests.sort_by_key(|best| order.get(&best.epoch).copied());
    bests.reverse();
    bests.dedup_by(|earlier, kept| (earlier.week, &earlier.epoch) == (kept.week, &kept.epoch));
    bests.reverse();
    bests
}

/// The first run of the regression that is open after the last one.
pub(crate) fn fell<'a>(runs: &[&'a Run]) -> Option<&'a Run> {
    runs.iter().rev().take_while(|run| run.regression_detected).last().copied()
}

/// The change of the average since the latest epoch began, or since the week `first`.
pub(crate) fn change_since(
    history: &History,
    runs: &[&Run],
    first: i64,
    scale: f64,
) -> Result<Change, NoChange> {
    let scored = || runs.iter().rev().filter(|run| run.aggregate_score.is_some());
    let Some(latest) = scored().next() else { return Err(NoChange::TooFew(0)) };
    let epoch = latest.epoch();
    let start = scored().take_while(|run| run.epoch() == epoch && week_of(run.at) >= first).last();
    let from = start.map_or(latest.at, |run| run.at);
    let span = Span { from, to: Instant::of_day(latest.at.day() + 1) };
    change(history, &latest.model, span, scale)
}

/// Days of a quarter.
const QUARTER: i64 = 90;

/// The change of the average of `model` over the quarter that ends with the day of `until`.
pub(crate) fn change_of_quarter(
    history: &History,
    model: &str,
    until: Instant,
    scale: f64,
) -> Result<Change, NoChange> {
    let to = until.day() + 1;
    let span = Span { from: Instant::of_day(to - QUARTER), to: Instant::of_day(to) };
    change(history, model, span, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_has_one_number_from_monday_to_sunday() {
        for (day, week) in [
            ("2026-01-04T23:59:59Z", "2026-W01"),
            ("2026-01-05T00:00:00Z", "2026-W02"),
            ("2021-01-03T12:00:00Z", "2020-W53"),
            ("1969-12-31T12:00:00Z", "1970-W01"),
        ] {
            let at = Instant::parse(day).expect("a moment");
            assert_eq!(week_named(week_of(at)).to_string(), week, "{day}");
        }
    }
}
