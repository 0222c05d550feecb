//! Everything that the page of trends and its data show of the ledger, derived once.

use std::collections::BTreeMap;

use super::run_changes::{RunChange, run_changes};
use super::series::{
    Best, Point, RECENT, Segment, bests, change_of_quarter, change_since, fell, points, segments,
    week_of,
};
use crate::domain::config::Weights;
use crate::ledger::{Change, Derived, History, NoChange, Rules, Run, TradeOff, derive, trade_off};

/// Weeks that are shown.
pub(crate) const WINDOW: i64 = 52;

/// One model.
#[derive(Debug)]
pub(crate) struct ModelSeries<'a> {
    pub(crate) model: &'a str,
    /// In time order; within a week by epoch.
    pub(crate) points: Vec<Point>,
    pub(crate) latest: &'a Run,
    pub(crate) derived: Derived,
    /// The change since the latest epoch began, or since the window did.
    pub(crate) change: Result<Change, NoChange>,
    /// The change over the last quarter.
    pub(crate) quarter: Result<Change, NoChange>,
    /// The first run of the regression the model is in.
    pub(crate) fell: Option<&'a Run>,
    /// Whether the ledger says that it left the board.
    pub(crate) withdrawn: bool,
}

/// A model that lately gained on one part and lost on another.
#[derive(Debug)]
pub(crate) struct RecentTradeOff<'a> {
    /// The latest run that did.
    pub(crate) run: &'a Run,
    pub(crate) parts: TradeOff,
    /// How many of the lately recorded runs did, and of how many.
    pub(crate) times: (usize, usize),
}

/// What the runs of a ledger come to.
#[derive(Debug)]
pub(crate) struct LedgerTrends<'a> {
    /// Best latest average first; then those without a score in the last weeks.
    pub(crate) series: Vec<ModelSeries<'a>>,
    /// Oldest first; they do not overlap. Empty where no run of the last year has a score.
    pub(crate) segments: Vec<Segment<'a>>,
    /// The lines that are drawn: the best model of all (`None`), or the best of each kind.
    pub(crate) kinds: Vec<Option<Weights>>,
    pub(crate) traded: Vec<RecentTradeOff<'a>>,
    /// In time order.
    pub(crate) changes: Vec<RunChange<'a>>,
    /// Epoch after epoch, each in time order; the last of its week.
    pub(crate) bests: Vec<Best<'a>>,
    /// The first week that is shown: no earlier than the first run.
    pub(crate) first: i64,
    /// The week of the latest run.
    pub(crate) last: i64,
    /// Where each model's series is.
    pub(crate) by_model: BTreeMap<&'a str, usize>,
    /// Open or closed, for the models where it is known.
    weights: BTreeMap<&'a str, Weights>,
}

impl<'a> LedgerTrends<'a> {
    /// `None` where no run is recorded.
    pub(crate) fn derive(
        history: &'a History,
        rules: &Rules,
        weights: impl Fn(&str) -> Option<Weights>,
    ) -> Option<Self> {
        let weights: BTreeMap<&str, Weights> =
            history.models().filter_map(|model| Some((model, weights(model)?))).collect();
        let newest = |model: &str| history.of_model(model).next_back().map(|run| week_of(run.at));
        let last = history.models().filter_map(newest).max()?;
        let first = last - WINDOW + 1;
        let Rules { epsilon, score_scale: scale, .. } = *rules;
        let until = history.models().filter_map(|model| history.of_model(model).next_back());
        let until = until.map(|run| run.at).max()?;
        let mut series = Vec::new();
        let mut traded = Vec::new();
        for model in history.models() {
            let runs: Vec<&Run> = history.of_model(model).collect();
            let Some(latest) = runs.last().copied() else { continue };
            let recent = runs.iter().rev().take_while(|run| week_of(run.at) > last - RECENT);
            let all = recent.clone().count();
            let mut did = recent.filter_map(|run| Some((*run, trade_off(history, run, epsilon)?)));
            if let Some((run, parts)) = did.next() {
                traded.push(RecentTradeOff { run, parts, times: (1 + did.count(), all) });
            }
            series.push(ModelSeries {
                model,
                points: points(history, model, scale, epsilon),
                derived: derive(history, latest, epsilon),
                change: change_since(history, &runs, first, scale),
                quarter: change_of_quarter(history, model, until, scale),
                fell: fell(&runs),
                withdrawn: history
                    .withdrawals()
                    .iter()
                    .any(|line| format!("{}:{}", line.provider, line.model) == model),
                latest,
            });
        }
        traded.sort_by(|a, b| (b.run.at, &b.run.run_id).cmp(&(a.run.at, &a.run.run_id)));
        let standing = |series: &ModelSeries<'_>| {
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
        let segments = segments(history, first);
        let kinds = kinds(&weights, segments.last());
        let changes = run_changes(history, rules, first);
        Some(Self {
            series,
            segments,
            kinds,
            traded,
            changes,
            bests,
            first,
            last,
            by_model,
            weights,
        })
    }

    /// The runs of `segment` that were the best so far, of all models or of one kind.
    pub(crate) fn records(&self, segment: &Segment<'a>, kind: Option<Weights>) -> Vec<&'a Run> {
        segment
            .records(|run| kind.is_none() || self.weights.get(run.model.as_str()).copied() == kind)
    }

    /// The last run that took the lead from another model, and the run that it took it from.
    pub(crate) fn lead(&self) -> Option<(&'a Run, Option<&'a Run>)> {
        let records = self.records(self.segments.last()?, None);
        let holder = &records.last()?.model;
        let since = records.iter().rposition(|run| run.model != *holder);
        let taken = records.get(since.map_or(0, |at| at + 1)).copied()?;
        Some((taken, since.map(|at| records[at])))
    }

    /// The best run so far of what is compared now.
    pub(crate) fn best(&self, kind: Option<Weights>) -> Option<&'a Run> {
        self.records(self.segments.last()?, kind).last().copied()
    }
}

/// Best closed and best open model where both are known and the best of all is one of them.
fn kinds(weights: &BTreeMap<&str, Weights>, segment: Option<&Segment<'_>>) -> Vec<Option<Weights>> {
    let has = |kind| {
        let runs = segment.map(|segment| segment.runs.as_slice()).unwrap_or_default();
        runs.iter().any(|run| weights.get(run.model.as_str()) == Some(&kind))
    };
    let best = segment.and_then(|segment| segment.records(|_| true).last().copied());
    let is_known = best.is_some_and(|run| weights.contains_key(run.model.as_str()));
    if is_known && has(Weights::Closed) && has(Weights::Open) {
        vec![Some(Weights::Closed), Some(Weights::Open)]
    } else {
        vec![None]
    }
}
