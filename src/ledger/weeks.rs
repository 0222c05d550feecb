//! The weekly summary over all models. Derived, never stored as truth: a run recorded late may
//! change a past week.
//!
//! A regression is an episode. Three flagged runs in a row are one regression, and episodes opened
//! minus episodes closed is how many are open, always.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::history::History;
use super::instant::Week;
use crate::domain::round;

/// One week that has runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WeekSummary {
    /// Mean score of the scored runs, to four places.
    pub avg_aggregate_score: Option<f64>,
    /// The best score.
    pub best_run_score: Option<f64>,
    /// The epochs of the runs; more than one means that the average mixes protocols.
    pub epochs: BTreeSet<String>,
    /// Runs with a hallucination rate above 0.
    pub hallucination_incidents: u64,
    /// Regressions that began this week.
    pub regressions_detected: u64,
    /// Models in regression after the week's last run.
    pub regressions_open: u64,
    /// Regressions that ended this week.
    pub regressions_resolved: u64,
    /// All runs.
    pub run_count: u64,
    /// Runs with a score.
    pub scored_run_count: u64,
    /// The week.
    pub week: Week,
    /// The worst score.
    pub worst_run_score: Option<f64>,
}

/// Every week with runs, ascending.
pub fn weeks(history: &History) -> Vec<WeekSummary> {
    let mut weeks: BTreeMap<Week, (WeekSummary, f64)> = BTreeMap::new();
    let mut in_regression: BTreeSet<&str> = BTreeSet::new();
    let mut epoch = String::new();
    for run in history.runs() {
        let week = run.at.week();
        let (summary, sum) = weeks.entry(week).or_insert_with(|| (WeekSummary::empty(week), 0.0));
        summary.run_count += 1;
        if let Some(score) = run.aggregate_score {
            summary.scored_run_count += 1;
            *sum += score;
            let best = summary.best_run_score.map_or(score, |best| best.max(score));
            let worst = summary.worst_run_score.map_or(score, |worst| worst.min(score));
            (summary.best_run_score, summary.worst_run_score) = (Some(best), Some(worst));
        }
        summary.hallucination_incidents +=
            u64::from(run.hallucination_rate.is_some_and(|rate| rate > 0.0));
        if run.regression_detected {
            summary.regressions_detected += u64::from(in_regression.insert(&run.model));
        } else {
            summary.regressions_resolved += u64::from(in_regression.remove(run.model.as_str()));
        }
        summary.regressions_open = in_regression.len() as u64;
        run.spell_epoch(&mut epoch);
        if !summary.epochs.contains(&epoch) {
            summary.epochs.insert(epoch.clone());
        }
    }
    weeks
        .into_values()
        .map(|(mut summary, sum)| {
            #[expect(clippy::cast_precision_loss, reason = "runs of a week stay far below 2^53")]
            let mean = sum / summary.scored_run_count as f64;
            summary.avg_aggregate_score = (summary.scored_run_count > 0).then(|| round(mean, 4));
            summary
        })
        .collect()
}

/// Models that are in regression after all runs, sorted.
pub fn open_regressions(history: &History) -> Vec<&str> {
    let flagged = |model: &&str| {
        history.of_model(model).next_back().is_some_and(|run| run.regression_detected)
    };
    history.models().filter(flagged).collect()
}

/// The weeks whose summary differs between `old` and `new`, those on one side only included.
pub fn changed_weeks(old: &[WeekSummary], new: &[WeekSummary]) -> Vec<Week> {
    let by_week = |summaries: &[WeekSummary]| -> BTreeMap<Week, WeekSummary> {
        summaries.iter().map(|summary| (summary.week, summary.clone())).collect()
    };
    let (old, new) = (by_week(old), by_week(new));
    let all: BTreeSet<Week> = old.keys().chain(new.keys()).copied().collect();
    all.into_iter().filter(|week| old.get(week) != new.get(week)).collect()
}

impl WeekSummary {
    fn empty(week: Week) -> Self {
        Self {
            avg_aggregate_score: None,
            best_run_score: None,
            epochs: BTreeSet::new(),
            hallucination_incidents: 0,
            regressions_detected: 0,
            regressions_open: 0,
            regressions_resolved: 0,
            run_count: 0,
            scored_run_count: 0,
            week,
            worst_run_score: None,
        }
    }
}
