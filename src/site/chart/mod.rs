//! Charts as coordinates: everything a template needs to draw, computed here, final strings.
//!
//! Places across are percentages of the width, so that letters keep their size on every screen.

mod cost;
mod figure;
mod labels;
mod lines;
mod runs;
mod scatter;

use crate::site::format;
pub(super) use cost::{CostChart, cost_chart};
pub(crate) use figure::{rank_figure, trend_figure};
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

/// A model or a run; places across are percentages.
#[derive(Debug, Serialize)]
struct Dot {
    x: String,
    y: String,
    slug: String,
    title: String,
    /// How it is drawn: `best` on the line and `top` in the top group, or `first` and `second` on a
    /// line, else empty.
    class: &'static str,
}

/// A straight line; places across are percentages.
#[derive(Debug, Serialize)]
struct Stroke {
    x1: String,
    y1: String,
    x2: String,
    y2: String,
}

impl Stroke {
    /// From one point to another: percent of the width, and pixels down.
    fn new(from: (f64, f64), to: (f64, f64)) -> Self {
        Self { x1: percent(from.0), y1: number(from.1), x2: percent(to.0), y2: number(to.1) }
    }
}

/// Where scores begin to mean something else.
#[derive(Debug, Serialize)]
struct Rule {
    x: String,
    label: String,
    anchor: &'static str,
    /// Offset of the label from the rule.
    dx: &'static str,
}

impl Rule {
    /// At `x` percent of the width; the label is on the side that has more room.
    fn new(x: f64, label: String) -> Self {
        let (anchor, dx) = if x > 60.0 { ("end", "-6") } else { ("start", "6") };
        Self { x: percent(x), label, anchor, dx }
    }
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

/// A mark at a share, labeled in percent.
fn share_tick(at: String, share: f64) -> Tick {
    Tick { at, label: format!("{:.0}%", share * 100.0) }
}

/// Says that an axis starts above zero; empty if it does not.
fn starts_at(low: f64) -> String {
    if low > 0.0 { format!(" Scores start at {:.0}%.", low * 100.0) } else { String::new() }
}

/// ` (68 to 89)`, for descriptions that are read aloud.
fn spoken(interval: Option<Interval>) -> String {
    interval
        .map(|interval| format!(" ({})", format::interval(interval).replace('–', " to ")))
        .unwrap_or_default()
}
