//! What each run of the ledger changed: who is new, took the lead, fell or recovered, and at what cost.

use std::collections::BTreeMap;

use super::series::{cost_per_solved, week_of};
use crate::ledger::{History, NoDelta, Rules, Run, TradeOff, derive, overlap, trade_off};

/// What a run changed.
#[derive(Debug)]
pub(crate) struct RunChange<'a> {
    pub(crate) run: &'a Run,
    pub(crate) cost_per_solved: Option<f64>,
    /// Whether it is the first run of its model.
    pub(crate) is_new: bool,
    /// Whether it is the last run of its model.
    pub(crate) is_latest: bool,
    /// The change of the score since the run before it.
    pub(crate) delta: Result<f64, NoDelta>,
    /// The run before it under the same protocol.
    pub(crate) before: Option<Earlier<'a>>,
    /// The best run of another model, which it beat.
    pub(crate) passed: Option<Earlier<'a>>,
    pub(crate) flag: FlagChange,
    /// Its place among the models scored under the same protocol on the same day, and how many they are.
    pub(crate) place: Option<(usize, usize)>,
    /// The parts that it gained and lost on, if both.
    pub(crate) trade_off: Option<TradeOff>,
}

/// An earlier run that another is compared with.
#[derive(Debug)]
pub(crate) struct Earlier<'a> {
    pub(crate) run: &'a Run,
    pub(crate) cost_per_solved: Option<f64>,
    /// Whether the scores differ significantly; absent where the numbers of prompts are not known.
    pub(crate) is_significant: Option<bool>,
}

/// Whether a run is a regression, compared with the run before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlagChange {
    Fell,
    Recovered,
    Same,
}

impl RunChange<'_> {
    /// How many times what a solved prompt cost in `earlier` it costs now.
    pub(crate) fn cost_ratio(&self, earlier: &Earlier<'_>) -> Option<f64> {
        let (then, now) = (earlier.cost_per_solved?, self.cost_per_solved?);
        (then > 0.0).then_some(now / then)
    }

    /// Whether the run is more than one like those before it.
    fn is_notable(&self) -> bool {
        let is_significant = self.before.as_ref().and_then(|before| before.is_significant);
        self.is_new
            || self.is_latest
            || self.passed.is_some()
            || is_significant == Some(true)
            || self.flag != FlagChange::Same
    }
}

/// Whether the 95% ranges of two runs do not overlap, as `history change` judges it; `None` where it
/// is not known how many prompts they are over.
pub(crate) fn is_significant(a: &Run, b: &Run, scale: f64) -> Option<bool> {
    let of = |run: &Run| Some((run.aggregate_score?, run.n_prompts));
    overlap(of(a)?, of(b)?, scale).map(|is_same| !is_same)
}

/// The notable runs since the week `first`, in time order: models that are new, take the lead, fall or
/// recover, change by more than chance, and the latest run of every other model.
pub(super) fn run_changes<'a>(
    history: &'a History,
    rules: &Rules,
    first: i64,
) -> Vec<RunChange<'a>> {
    let mut changes = Vec::new();
    // The latest score of each model, by epoch; and the best run.
    let mut scores: BTreeMap<String, BTreeMap<&str, f64>> = BTreeMap::new();
    let mut best: BTreeMap<String, &Run> = BTreeMap::new();
    let runs: Vec<&Run> = history.runs().into_iter().filter(|run| run.pack_run.is_none()).collect();
    for day in runs.chunk_by(|a, b| a.at.day() == b.at.day()) {
        let leaders = best.clone();
        for run in day {
            let Some(score) = run.aggregate_score else { continue };
            scores.entry(run.epoch()).or_default().insert(&run.model, score);
            let leader = best.entry(run.epoch()).or_insert(run);
            if leader.aggregate_score < Some(score) {
                *leader = run;
            }
        }
        for run in day.iter().filter(|run| week_of(run.at) >= first) {
            let epoch = run.epoch();
            let is_best = best.get(&epoch).is_some_and(|best| std::ptr::eq(*best, *run));
            let leader = leaders.get(&epoch).copied().filter(|_| is_best);
            let mut change = run_change(history, rules, run, leader, scores.get(&epoch));
            if change.is_notable() {
                change.trade_off = trade_off(history, run, rules.epsilon);
                changes.push(change);
            }
        }
    }
    changes
}

/// Without the trade-off. `leader` was the best until this run beat it, `scores` are those of its epoch at
/// the end of its day.
fn run_change<'a>(
    history: &'a History,
    rules: &Rules,
    run: &'a Run,
    leader: Option<&'a Run>,
    scores: Option<&BTreeMap<&str, f64>>,
) -> RunChange<'a> {
    let scale = rules.score_scale;
    let earlier = |earlier: &'a Run| Earlier {
        run: earlier,
        cost_per_solved: cost_per_solved(earlier, scale),
        is_significant: is_significant(earlier, run, scale),
    };
    let previous = history.before(run).next();
    let was_flagged = previous.is_some_and(|run| run.regression_detected);
    let latest = history.of_model(&run.model).next_back();
    RunChange {
        run,
        cost_per_solved: cost_per_solved(run, scale),
        is_new: previous.is_none(),
        is_latest: latest.is_some_and(|latest| std::ptr::eq(latest, run)),
        delta: derive(history, run, rules.epsilon).score_delta,
        before: history.before_in_epoch(run).next().map(earlier),
        passed: leader.filter(|leader| leader.model != run.model).map(earlier),
        flag: match (was_flagged, run.regression_detected) {
            (false, true) => FlagChange::Fell,
            (true, false) => FlagChange::Recovered,
            _ => FlagChange::Same,
        },
        place: run.aggregate_score.zip(scores).map(|(score, scores)| {
            (1 + scores.values().filter(|other| **other > score).count(), scores.len())
        }),
        trade_off: None,
    }
}
