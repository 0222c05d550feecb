//! What the ledger's runs come to, week by week and model by model, as typed values.
//!
//! A series belongs to a model and an epoch. A point of another epoch is never joined to it,
//! however near it lies.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::config::HistorySection;
use crate::ledger::{
    Change, Derived, History, Instant, NoChange, Rules, Run, Span, TradeOff, Week, What, change,
    derive, events, trade_off,
};
use crate::site::format;

/// Weeks a chart shows.
pub(super) const WINDOW: i64 = 52;

/// The ledger with what is needed to word it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ledger<'a> {
    pub(super) history: &'a History,
    pub(super) section: &'a HistorySection,
    /// Pages of models: `provider:model` to slug.
    pub(super) pages: &'a BTreeMap<String, String>,
    /// Models that share their name with one of another provider.
    pub(super) namesakes: &'a BTreeSet<String>,
}

/// Models that only their provider tells apart.
pub(super) fn namesakes(history: &History) -> BTreeSet<String> {
    let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for model in history.models() {
        by_name.entry(short(model)).or_default().push(model);
    }
    let shared = by_name.into_values().filter(|models| models.len() > 1);
    shared.flatten().map(str::to_owned).collect()
}

/// The model without its provider.
fn short(model: &str) -> &str {
    model.split_once(':').map_or(model, |(_, name)| name)
}

impl Ledger<'_> {
    pub(super) fn rules(&self) -> Rules {
        Rules::from_section(self.section)
    }

    /// The model, harmless to show; with its provider only where that tells two apart.
    pub(super) fn name(&self, model: &str) -> String {
        format::clean(if self.namesakes.contains(model) { model } else { short(model) })
    }

    /// The model's page; empty if it has none.
    pub(super) fn slug(&self, model: &str) -> String {
        self.pages.get(model).cloned().unwrap_or_default()
    }

    /// A score with the config's decimals.
    pub(super) fn score(&self, score: f64) -> String {
        format!("{score:.*}", self.section.decimals)
    }

    /// A change of a score, with its sign.
    pub(super) fn change(&self, change: f64) -> String {
        format::signed(change, self.section.decimals)
    }
}

/// The runs of one model and epoch in one week.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// Weeks since the one of 1 January 1970.
    pub(super) week: i64,
    pub(super) epoch: String,
    pub(super) runs: usize,
    /// Mean of the scored runs.
    pub(super) mean: Option<f64>,
    /// The moving average at the week's last scored run.
    pub(super) average: Option<f64>,
    pub(super) latency: Option<f64>,
    pub(super) cost: Option<f64>,
    /// Whether a run of the week is flagged as a regression.
    pub(super) flagged: bool,
}

/// One model.
#[derive(Debug)]
pub(super) struct Series<'a> {
    pub(super) model: &'a str,
    /// In time order; within a week by epoch.
    pub(super) points: Vec<Point>,
    pub(super) latest: &'a Run,
    pub(super) derived: Derived,
    /// The change since the latest epoch began, or since the window did.
    pub(super) change: Result<Change, NoChange>,
    /// The first run of the regression the model is in.
    pub(super) fell: Option<&'a Run>,
    /// Whether the ledger says that it left the board.
    pub(super) withdrawn: bool,
}

/// Where a series starts again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bump {
    pub(super) week: i64,
    pub(super) epoch: String,
}

/// A model that lately gained on one part and lost on another.
#[derive(Debug)]
pub(super) struct Traded<'a> {
    /// The latest run that did.
    pub(super) run: &'a Run,
    pub(super) parts: TradeOff,
    /// How many of the lately recorded runs did, and of how many.
    pub(super) times: (usize, usize),
}

/// The best score of an epoch from its week on, until it is beaten.
#[derive(Debug)]
pub(super) struct Best<'a> {
    pub(super) week: i64,
    pub(super) epoch: String,
    pub(super) run: &'a Run,
    pub(super) score: f64,
    /// The last week with a run of the epoch.
    pub(super) until: i64,
}

/// Everything derived for the page of trends and its data.
#[derive(Debug)]
pub(super) struct Trends<'a> {
    pub(super) ledger: Ledger<'a>,
    /// Best latest average first; then those without a score in the last weeks.
    pub(super) series: Vec<Series<'a>>,
    pub(super) bumps: Vec<Bump>,
    pub(super) traded: Vec<Traded<'a>>,
    /// Epoch after epoch, each in time order; the last of its week.
    pub(super) bests: Vec<Best<'a>>,
    /// The first week a chart shows: no earlier than the first run.
    pub(super) first: i64,
    /// The week of the latest run.
    pub(super) last: i64,
    /// Where each model's series is.
    pub(super) by_model: BTreeMap<&'a str, usize>,
}

impl<'a> Trends<'a> {
    /// `None` where no run is recorded.
    pub(super) fn derive(ledger: Ledger<'a>) -> Option<Self> {
        let history = ledger.history;
        let newest = |model: &str| history.of_model(model).next_back().map(|run| week_of(run.at));
        let last = history.models().filter_map(newest).max()?;
        let first = last - WINDOW + 1;
        let epsilon = ledger.rules().epsilon;
        let mut series = Vec::new();
        let mut bumps = Vec::new();
        let mut traded = Vec::new();
        for model in history.models() {
            let runs: Vec<&Run> = history.of_model(model).collect();
            let Some(latest) = runs.last().copied() else { continue };
            bumps.extend(runs.windows(2).filter_map(|pair| {
                let (before, after) = (pair[0], pair[1]);
                let is_new = || history.before_in_epoch(after).next().is_none();
                let bump = || Bump { week: week_of(after.at), epoch: after.epoch() };
                (before.epoch() != after.epoch() && is_new()).then(bump)
            }));
            let recent = runs.iter().rev().take_while(|run| week_of(run.at) > last - RECENT);
            let all = recent.clone().count();
            let mut did = recent.filter_map(|run| Some((*run, trade_off(history, run, epsilon)?)));
            if let Some((run, parts)) = did.next() {
                traded.push(Traded { run, parts, times: (1 + did.count(), all) });
            }
            series.push(Series {
                model,
                points: points(&runs, history, epsilon),
                derived: derive(history, latest, epsilon),
                change: change_of(&runs, first, &ledger),
                fell: fell(&runs),
                withdrawn: history
                    .withdrawals()
                    .iter()
                    .any(|line| format!("{}:{}", line.provider, line.model) == model),
                latest,
            });
        }
        bumps.sort();
        bumps.dedup();
        traded.sort_by(|a, b| (b.run.at, &b.run.run_id).cmp(&(a.run.at, &a.run.run_id)));
        let standing = |series: &Series<'_>| {
            let mut recent =
                series.points.iter().rev().take_while(|point| point.week > last - RECENT);
            recent.find_map(|point| point.average)
        };
        series.sort_by(|a, b| {
            let (a_now, b_now) = (standing(a), standing(b));
            let order = b_now.unwrap_or(-1.0).total_cmp(&a_now.unwrap_or(-1.0));
            order.then_with(|| a.model.cmp(b.model))
        });
        let by_model = series.iter().enumerate().map(|(at, series)| (series.model, at)).collect();
        let earliest = series.iter().filter_map(|series| series.points.first());
        let earliest = earliest.map(|point| point.week).min().unwrap_or(last);
        let (bests, first) = (bests(history), first.max(earliest));
        Some(Self { ledger, series, bumps, traded, bests, first, last, by_model })
    }

    /// The bumps a chart shows.
    pub(super) fn bumps_shown(&self) -> Vec<&Bump> {
        let mut shown: Vec<&Bump> =
            self.bumps.iter().filter(|bump| bump.week > self.first).collect();
        shown.dedup_by_key(|bump| bump.week);
        shown.split_off(shown.len().saturating_sub(MOST_BUMPS))
    }
}

/// Weeks that count as now.
pub(super) const RECENT: i64 = 12;
/// More rules than this hide what they divide.
const MOST_BUMPS: usize = 12;

/// The number of the ISO week of `at`; the one of 1 January 1970 is 0.
pub(super) fn week_of(at: Instant) -> i64 {
    (at.day() + 3).div_euclid(7)
}

/// The ISO week with that number.
pub(super) fn week_named(week: i64) -> Week {
    Instant::of_day(week * 7).week()
}

fn points(runs: &[&Run], history: &History, epsilon: f64) -> Vec<Point> {
    let mut weeks: BTreeMap<(i64, String), Vec<&Run>> = BTreeMap::new();
    for run in runs {
        weeks.entry((week_of(run.at), run.epoch())).or_default().push(run);
    }
    let mean = |runs: &[&Run], of: fn(&Run) -> Option<f64>| {
        let values: Vec<f64> = runs.iter().filter_map(|run| of(run)).collect();
        #[expect(clippy::cast_precision_loss, reason = "runs of a week stay far below 2^53")]
        let count = values.len() as f64;
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)
    };
    weeks
        .into_iter()
        .map(|((week, epoch), runs)| Point {
            week,
            epoch,
            runs: runs.len(),
            mean: mean(&runs, |run| run.aggregate_score),
            average: runs
                .iter()
                .rfind(|run| run.aggregate_score.is_some())
                .and_then(|run| derive(history, run, epsilon).moving_average),
            latency: mean(&runs, |run| run.latency_p95_ms),
            cost: mean(&runs, |run| run.cost_per_message_usd),
            flagged: runs.iter().any(|run| run.regression_detected),
        })
        .collect()
}

fn bests(history: &History) -> Vec<Best<'_>> {
    let mut bests: Vec<Best<'_>> = Vec::new();
    let mut order: BTreeMap<String, usize> = BTreeMap::new();
    let mut until: BTreeMap<String, i64> = BTreeMap::new();
    for run in history.models().flat_map(|model| history.of_model(model)) {
        let week = until.entry(run.epoch()).or_insert(i64::MIN);
        *week = week_of(run.at).max(*week);
    }
    for event in events(history) {
        let What::NewBest { run_id, epoch, score, .. } = event.what else { continue };
        let Some(run) = history.run(&run_id) else { continue };
        let next = order.len();
        order.entry(epoch.clone()).or_insert(next);
        let until = until.get(&epoch).copied().unwrap_or_default();
        bests.push(Best { week: week_of(run.at), epoch, run, score, until });
    }
    // Stable: within an epoch they stay in time order.
    bests.sort_by_key(|best| order.get(&best.epoch).copied());
    bests.reverse();
    bests.dedup_by(|earlier, kept| (earlier.week, &earlier.epoch) == (kept.week, &kept.epoch));
    bests.reverse();
    bests
}

/// The first run of the regression that is open after the last one.
fn fell<'a>(runs: &[&'a Run]) -> Option<&'a Run> {
    runs.iter().rev().take_while(|run| run.regression_detected).last().copied()
}

fn change_of(runs: &[&Run], first: i64, ledger: &Ledger<'_>) -> Result<Change, NoChange> {
    let scored = || runs.iter().rev().filter(|run| run.aggregate_score.is_some());
    let Some(latest) = scored().next() else { return Err(NoChange::TooFew(0)) };
    let epoch = latest.epoch();
    let start = scored().take_while(|run| run.epoch() == epoch && week_of(run.at) >= first).last();
    let from = start.map_or(latest.at, |run| run.at);
    let span = Span { from, to: Instant::of_day(latest.at.day() + 1) };
    change(ledger.history, &latest.model, span, ledger.rules().score_scale)
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
