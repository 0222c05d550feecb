//! What a run means beside the ones before it: delta, moving average, trend, and why any is null.
//!
//! The previous run is the one before in time within the same epoch, not the one recorded before;
//! and a short series has no trend, because `stable` is a claim.

use serde::Serialize;
use serde::ser::SerializeStruct;

use super::history::History;
use super::instant::Week;
use super::run::Run;
use crate::domain::round6;

/// How many runs the moving average covers.
pub const WINDOW: usize = 3;

/// Where the average is going.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Trend {
    /// Up by more than ε.
    Improving,
    /// Within ε.
    Stable,
    /// Down by more than ε.
    Declining,
}

/// Why there is no delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoDelta {
    /// The model has no earlier run.
    FirstRun,
    /// The model has earlier runs, none of them in this epoch.
    EpochStart,
    /// This run has no score.
    NoScore,
    /// The previous run has no score.
    PrevNoScore,
}

/// Why there is no trend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoTrend {
    /// This run has no score.
    NoScore,
    /// Fewer than three scored runs in this epoch.
    InsufficientRuns,
}

/// What is derived for one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// The run.
    pub run_id: String,
    /// Its ISO week.
    pub week: Week,
    /// Its epoch.
    pub epoch: String,
    /// The run before it in its epoch.
    pub prev_run_id: Option<String>,
    /// Score minus previous score.
    pub score_delta: Result<f64, NoDelta>,
    /// Hallucination rate minus previous rate.
    pub hallucination_delta: Option<f64>,
    /// p95 latency minus previous, in milliseconds.
    pub latency_delta: Option<f64>,
    /// Cost per message minus previous, in US dollars.
    pub cost_delta: Option<f64>,
    /// Mean of the last three scores of the epoch.
    pub moving_average: Option<f64>,
    /// Where the average is going.
    pub trend: Result<Trend, NoTrend>,
    /// What a reader must know.
    pub notes: Vec<String>,
}

impl Serialize for Derived {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("Derived", 13)?;
        row.serialize_field("run_id", &self.run_id)?;
        row.serialize_field("week", &self.week)?;
        row.serialize_field("epoch", &self.epoch)?;
        row.serialize_field("prev_run_id", &self.prev_run_id)?;
        row.serialize_field("score_delta", &self.score_delta.ok())?;
        row.serialize_field("score_delta_null_because", &self.score_delta.err())?;
        row.serialize_field("hallucination_delta", &self.hallucination_delta)?;
        row.serialize_field("latency_p95_ms_delta", &self.latency_delta)?;
        row.serialize_field("cost_per_message_usd_delta", &self.cost_delta)?;
        row.serialize_field("moving_average", &self.moving_average)?;
        row.serialize_field("trend", &self.trend.ok())?;
        row.serialize_field("trend_null_because", &self.trend.err())?;
        row.serialize_field("notes", &self.notes)?;
        row.end()
    }
}

impl Trend {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Improving => "improving",
            Self::Stable => "stable",
            Self::Declining => "declining",
        }
    }
}

impl NoDelta {
    /// Why, in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::FirstRun => "first run",
            Self::EpochStart => "new protocol",
            Self::NoScore => "no score",
            Self::PrevNoScore => "previous run has no score",
        }
    }
}

impl NoTrend {
    /// Why, in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoScore => "no score",
            Self::InsufficientRuns => "fewer than 3 runs",
        }
    }
}

/// The smallest change of the average that counts.
pub fn default_epsilon(score_scale: f64) -> f64 {
    round6(0.005 * score_scale)
}

/// Derives `run`, which is in `history`.
pub fn derive(history: &History, run: &Run, epsilon: f64) -> Derived {
    let earlier = history.before_in_epoch(run);
    let previous = earlier.clone().next();
    let difference = |of: fn(&Run) -> Option<f64>| {
        previous.and_then(of).zip(of(run)).map(|(before, now)| round6(now - before))
    };
    let (moving_average, trend) =
        average_and_trend(earlier, run, |run| run.aggregate_score, epsilon);
    let restart = if previous.is_none() { restart_note(history, run) } else { None };
    let mut notes: Vec<String> = restart.into_iter().collect();
    notes.extend(
        history
            .rescore(&run.run_id)
            .map(|rescore| format!("scored again from {}: {}", rescore.of, rescore.reason)),
    );
    Derived {
        run_id: run.run_id.clone(),
        week: run.at.week(),
        epoch: run.epoch(),
        prev_run_id: previous.map(|run| run.run_id.clone()),
        score_delta: score_delta(history, run, previous),
        hallucination_delta: difference(|run| run.hallucination_rate),
        latency_delta: difference(|run| run.latency_p95_ms),
        cost_delta: difference(|run| run.cost_per_message_usd),
        moving_average,
        trend,
        notes,
    }
}

/// Derives every run, in time order.
#[cfg_attr(sealed, expect(dead_code, reason = "the conformance tests use it"))]
pub fn derive_all(history: &History, epsilon: f64) -> Vec<Derived> {
    history.runs().into_iter().map(|run| derive(history, run, epsilon)).collect()
}

fn score_delta(history: &History, run: &Run, previous: Option<&Run>) -> Result<f64, NoDelta> {
    let Some(previous) = previous else {
        let is_first = history.before(run).next().is_none();
        return Err(if is_first { NoDelta::FirstRun } else { NoDelta::EpochStart });
    };
    run.aggregate_score.ok_or(NoDelta::NoScore)?;
    run.score_minus(previous).ok_or(NoDelta::PrevNoScore)
}

/// Average and trend of whatever `score` reads from a run and the ones before it, latest first.
pub(super) fn average_and_trend<'h>(
    earlier: impl Iterator<Item = &'h Run>,
    run: &Run,
    score: impl Fn(&Run) -> Option<f64>,
    epsilon: f64,
) -> (Option<f64>, Result<Trend, NoTrend>) {
    let Some(now) = score(run) else { return (None, Err(NoTrend::NoScore)) };
    let earlier = earlier.filter_map(&score);
    // One more than the window: the average before this run needs it.
    let mut scores: Vec<f64> = std::iter::once(now).chain(earlier.take(WINDOW)).collect();
    scores.reverse();
    let average = window_average(&scores);
    if scores.len() < WINDOW {
        return (Some(round6(average)), Err(NoTrend::InsufficientRuns));
    }
    let before = window_average(&scores[..scores.len() - 1]);
    let change = round6(average - before);
    let trend = match change {
        up if up > epsilon => Trend::Improving,
        down if down < -epsilon => Trend::Declining,
        _ => Trend::Stable,
    };
    (Some(round6(average)), Ok(trend))
}

/// Mean of the last three, summed oldest first.
#[expect(clippy::cast_precision_loss, reason = "at most three")]
fn window_average(scores: &[f64]) -> f64 {
    let window = &scores[scores.len().saturating_sub(WINDOW)..];
    window.iter().fold(0.0, |sum, score| sum + score) / window.len() as f64
}

/// Says that the average starts again, on the first run of an epoch of a model that has others.
fn restart_note(history: &History, run: &Run) -> Option<String> {
    let before = history.before(run).next()?;
    let changes: Vec<String> = [
        ("eval_protocol_version", &before.eval_protocol_version, &run.eval_protocol_version),
        ("weights_sha16", &before.conditions_id, &run.conditions_id),
    ]
    .into_iter()
    .filter(|(_, old, new)| old != new)
    .map(|(name, old, new)| {
        let word = |part: &Option<String>| part.clone().unwrap_or_else(|| "none".into());
        format!("{name} {} -> {}", word(old), word(new))
    })
    .collect();
    Some(format!("moving average restarted: {}", changes.join(", ")))
}
