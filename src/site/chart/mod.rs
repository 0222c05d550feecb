//! Charts as coordinates: everything a template needs to draw, computed here, final strings.
//!
//! Places across are percentages of the width, so that letters keep their size on every screen.

mod cost;
mod labels;
mod lines;
mod runs;
mod scatter;

use crate::site::format;
pub(super) use cost::{CostChart, cost_chart};
pub(super) use lines::{BestChart, Measure, SeriesChart, best_chart, kind_words, series_chart};
pub(super) use runs::{RunPoint, Runs, runs};
pub(super) use scatter::{Scatter, scatter};

use serde::Serialize;

use crate::table::significance::Interval;

/// A mark on an axis.
#[derive(Debug, Serialize)]
pub(super) struct Tick {
    at: String,
    label: String,
}

/// A straight axis: values `from..to` on the drawing's `start..end`.
#[derive(Debug, Clone, Copy)]
struct Axis {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// Rates from 0 to 1.
    fn rates(start: f64, end: f64) -> Self {
        Self { from: 0.0, to: 1.0, start, end }
    }

    fn at(self, value: f64) -> f64 {
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    fn text(self, value: f64) -> String {
        number(self.at(value))
    }
}

/// A coordinate with one decimal, none where it is whole.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A place across, in percent of the plot's width.
fn percent(value: f64) -> String {
    format!("{}%", number(value))
}

/// The scores from round below to round above, never less than 20 points apart.
fn score_range(rates: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let lowest = rates.clone().fold(1.0, f64::min);
    let highest = rates.fold(0.0, f64::max);
    let low = (((lowest - 0.02) * 10.0).floor() / 10.0).max(0.0);
    let high = (((highest + 0.03) * 10.0).ceil() / 10.0).min(1.0);
    if high - low < 0.2 {
        ((high - 0.2).max(0.0), (low + 0.2).min(1.0).max(high))
    } else {
        (low, high)
    }
}

fn score_ticks(low: f64, high: f64) -> Vec<f64> {
    let step: u32 = if high - low > 0.65 { 20 } else { 10 };
    let inside = |rate: &f64| (low - 1e-9..=high + 1e-9).contains(rate);
    let first = [low];
    let marks = (0..=100 / step).map(|at| f64::from(at * step) / 100.0).filter(inside);
    let mut ticks: Vec<f64> =
        first.into_iter().chain(marks.filter(|rate| rate - low > 0.05)).collect();
    ticks.dedup();
    ticks
}

/// ` (68 to 89)`, for descriptions that are read aloud.
fn spoken(interval: Option<Interval>) -> String {
    interval
        .map(|interval| format!(" ({})", format::interval(interval).replace('–', " to ")))
        .unwrap_or_default()
}
