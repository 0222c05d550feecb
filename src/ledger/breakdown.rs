//! The parts a score is made of, each with its own series: one rubric may rise while another falls.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::history::History;
use super::run::Run;
use super::series::{Trend, average_and_trend};
use crate::domain::round6;

/// What a part is a score of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// A set of prompts.
    Dataset,
    /// A quality that is judged.
    Rubric,
}

impl PartKind {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dataset => "dataset",
            Self::Rubric => "rubric",
        }
    }

    /// The parts of this kind in a run.
    pub fn scores(self, run: &Run) -> &BTreeMap<String, f64> {
        match self {
            Self::Dataset => &run.dataset_scores,
            Self::Rubric => &run.rubric_scores,
        }
    }
}

/// One part of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// What it is a score of.
    pub kind: PartKind,
    /// Its score.
    pub value: f64,
    /// Score minus the previous run's; absent where that has none.
    pub delta: Option<f64>,
    /// Mean of the last three.
    pub moving_average: Option<f64>,
    /// Where the mean is going; absent for a short series.
    pub trend: Option<Trend>,
}

/// A run that gained on some parts and lost on others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TradeOff {
    /// Parts that rose by more than ε, largest first.
    pub gains: Vec<(String, f64)>,
    /// Parts that fell by more than ε, largest first.
    pub losses: Vec<(String, f64)>,
}

impl TradeOff {
    /// The parts that changed by more than ε, if some rose and others fell.
    pub fn from_changes(mut changes: Vec<(String, f64)>, epsilon: f64) -> Option<Self> {
        changes.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(&b.0)));
        let (gains, losses): (Vec<_>, Vec<_>) = changes
            .into_iter()
            .filter(|(_, change)| change.abs() > epsilon)
            .partition(|(_, change)| *change > 0.0);
        (!gains.is_empty() && !losses.is_empty()).then_some(Self { gains, losses })
    }

    /// `trade-off: +a, −b`.
    pub fn describe(&self) -> String {
        let named = |sign: char, parts: &[(String, f64)]| -> Vec<String> {
            parts.iter().map(|(name, _)| format!("{sign}{name}")).collect()
        };
        let parts = [named('+', &self.gains), named('−', &self.losses)].concat();
        format!("trade-off: {}", parts.join(", "))
    }
}

/// The parts of `run`, `primary` first, then by kind and name.
pub fn breakdown(history: &History, run: &Run, epsilon: f64, primary: Option<&str>) -> Vec<Part> {
    let names = |kind: PartKind| {
        kind.scores(run).iter().map(move |(name, value)| (kind, name.clone(), *value))
    };
    let mut parts: Vec<Part> = names(PartKind::Dataset)
        .chain(names(PartKind::Rubric))
        .map(|(kind, name, value)| {
            let of = |run: &Run| kind.scores(run).get(&name).copied();
            let before = history.before_in_epoch(run).next().and_then(&of);
            let (moving_average, trend) =
                average_and_trend(history.before_in_epoch(run), run, of, epsilon);
            let delta = before.map(|before| round6(value - before));
            Part { name, kind, value, delta, moving_average, trend: trend.ok() }
        })
        .collect();
    parts.sort_by_key(|part| (Reverse(Some(part.name.as_str()) == primary), part.kind));
    parts
}

/// Whether `run` gained on one part and lost on another by more than ε.
pub fn trade_off(history: &History, run: &Run, epsilon: f64) -> Option<TradeOff> {
    let previous = history.before_in_epoch(run).next()?;
    let changes = [PartKind::Dataset, PartKind::Rubric]
        .into_iter()
        .flat_map(|kind| {
            let before = kind.scores(previous);
            kind.scores(run).iter().filter_map(move |(name, value)| {
                Some((name.clone(), round6(value - before.get(name)?)))
            })
        })
        .collect();
    TradeOff::from_changes(changes, epsilon)
}
