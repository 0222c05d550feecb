//! Charts as coordinates: everything a template needs to draw, computed here, final strings.
//!
//! A drawing is 400 units wide, because that is about a phone: letters of 11 units stay legible
//! there, and on a desk three charts stand side by side.

mod averages;
mod best;
mod cost;
mod labels;
mod runs;
mod scatter;
mod weeks;

use crate::site::format;
pub(super) use averages::{LINES, averages};
pub(super) use best::running_best;
pub(super) use cost::{CostChart, cost_chart};
pub(super) use runs::{RunPoint, Runs, runs};
pub(super) use scatter::{Scatter, scatter};
pub(super) use weeks::{Small, Weeks, small};

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

    /// 0, 25, 50, 75, 100 %.
    fn percent_ticks(self) -> Vec<Tick> {
        (0..=4)
            .map(|quarter| f64::from(quarter) / 4.0)
            .map(|rate| Tick { at: self.text(rate), label: format!("{:.0}", rate * 100.0) })
            .collect()
    }
}

/// A coordinate with one decimal, none where it is whole.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// ` (68 to 89)`, for descriptions that are read aloud.
fn spoken(interval: Option<Interval>) -> String {
    interval
        .map(|interval| format!(" ({})", format::interval(interval).replace('–', " to ")))
        .unwrap_or_default()
}
