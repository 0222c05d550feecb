//! Drawings over weeks: their frame, their rules, and one small drawing a model for what is not a
//! score.
//!
//! A rule stands where scores begin to mean something else. No line ever crosses one;
//! [`Frame::runs`] cuts them all, in one place.

use crate::site::format;
use serde::Serialize;

use crate::site::trends::{Point, Series, Trends, week_named};
use crate::site::view::epoch_words;

use super::averages::LINES;
use super::{Axis, Tick, number};

/// A drawing over weeks.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Weeks {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) description: String,
    /// `wide` or `narrow`; empty for one that suits both.
    class: &'static str,
    width: String,
    height: String,
    left: String,
    right: String,
    top: String,
    bottom: String,
    /// Where the weeks are named.
    foot: String,
    ticks_x: Vec<Tick>,
    pub(super) ticks_y: Vec<Tick>,
    rules: Vec<Rule>,
    pub(super) lines: Vec<Line>,
    pub(super) names: Vec<Name>,
}

/// A vertical rule.
#[derive(Debug, Serialize)]
struct Rule {
    x: String,
    label: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Line {
    pub(super) class: String,
    /// The line.
    pub(super) path: String,
    /// One dot for every week.
    pub(super) dots: String,
    /// Weeks with a flagged run.
    pub(super) flags: String,
}

/// A name beside the end of its line.
#[derive(Debug, Serialize)]
pub(super) struct Name {
    pub(super) class: String,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) text: String,
}

/// Where things lie in a drawing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) class: &'static str,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

pub(super) const WIDE: Frame = Frame {
    class: "wide",
    width: 800.0,
    height: 360.0,
    left: 40.0,
    right: 690.0,
    top: 22.0,
    bottom: 332.0,
};
pub(super) const NARROW: Frame = Frame {
    class: "narrow",
    width: 400.0,
    height: 340.0,
    left: 34.0,
    right: 312.0,
    top: 22.0,
    bottom: 312.0,
};
const SMALL: Frame = Frame {
    class: "",
    width: 170.0,
    height: 84.0,
    left: 2.0,
    right: 168.0,
    top: 17.0,
    bottom: 80.0,
};

impl Frame {
    /// Weeks from the first to the last.
    #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
    pub(super) fn across(self, trends: &Trends<'_>) -> Axis {
        let (first, last) = (trends.first, trends.last.max(trends.first + 1));
        Axis { from: first as f64, to: last as f64, start: self.left, end: self.right }
    }

    /// Points joined where nothing stands between them: one run of points an epoch and side of a
    /// rule.
    #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
    pub(super) fn runs(
        self,
        trends: &Trends<'_>,
        points: &[Point],
        value: fn(&Point) -> Option<f64>,
        up: Axis,
    ) -> Vec<Vec<(f64, f64)>> {
        let across = self.across(trends);
        let bumps = trends.bumps_shown();
        let side = |week: i64| bumps.partition_point(|bump| bump.week <= week);
        let mut runs: Vec<(_, Vec<(f64, f64)>)> = Vec::new();
        for point in points.iter().filter(|point| point.week >= trends.first) {
            let Some(value) = value(point) else { continue };
            let at = (across.at(point.week as f64), up.at(value));
            let key = (point.epoch.clone(), side(point.week));
            match runs.iter_mut().rfind(|(known, _)| *known == key) {
                Some((_, run)) => run.push(at),
                None => runs.push((key, vec![at])),
            }
        }
        runs.into_iter().map(|(_, run)| run).collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
    fn rules(self, trends: &Trends<'_>) -> Vec<Rule> {
        let across = self.across(trends);
        let bumps = trends.bumps_shown().into_iter();
        // Between two weeks, so that it belongs to neither.
        bumps
            .map(|bump| Rule {
                x: across.text(bump.week as f64 - 0.5),
                label: epoch_words(&bump.epoch),
            })
            .collect()
    }

    pub(super) fn drawing(self, id: &str, trends: &Trends<'_>) -> Weeks {
        Weeks {
            id: id.to_owned(),
            title: String::new(),
            description: String::new(),
            class: self.class,
            width: number(self.width),
            height: number(self.height),
            left: number(self.left),
            right: number(self.right),
            top: number(self.top),
            bottom: number(self.bottom),
            foot: number(self.bottom + 15.0),
            ticks_x: self.week_ticks(trends),
            ticks_y: Vec::new(),
            rules: self.rules(trends),
            lines: Vec::new(),
            names: Vec::new(),
        }
    }

    /// A week every few, the last one always.
    #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
    fn week_ticks(self, trends: &Trends<'_>) -> Vec<Tick> {
        let across = self.across(trends);
        let (first, last) = (trends.first, trends.last);
        // A name is about 55 units wide.
        let room = ((self.right - self.left) / 62.0).floor().max(1.0);
        let every = ((last - first) as f64 / room).ceil().max(1.0);
        let mut ticks = Vec::new();
        let mut week = last as f64;
        while week >= first as f64 {
            #[expect(clippy::cast_possible_truncation, reason = "a week's number")]
            let name = week_named(week as i64).to_string();
            ticks.push(Tick { at: across.text(week), label: name });
            week -= every;
        }
        ticks.reverse();
        ticks
    }
}

/// Less than this is drawn as nothing.
const SMALLEST: f64 = 1e-9;

/// The power of ten at or below `value`, by multiplication: the same on every machine.
fn power_of_ten(value: f64) -> f64 {
    let mut unit = 1.0;
    while unit * 10.0 <= value {
        unit *= 10.0;
    }
    while unit > value {
        unit /= 10.0;
    }
    unit
}

/// Round marks from below the lowest value to above the highest.
pub(super) fn marks(values: impl Iterator<Item = f64> + Clone) -> (Vec<f64>, f64, f64) {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if high - low > SMALLEST { (low, high) } else { (0.0, high.max(1.0)) };
    let rough = (high - low) / 4.0;
    let unit = power_of_ten(rough);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * unit);
    let step = step.into_iter().find(|step| *step >= rough).unwrap_or(unit);
    let (from, to) = ((low / step).floor(), (high / step).ceil());
    let mut marks = Vec::new();
    let mut mark = from;
    while mark <= to {
        marks.push(mark * step);
        mark += 1.0;
    }
    (marks, from * step, to * step)
}

/// The next round number at or above `value`.
fn round_up(value: f64) -> f64 {
    if value < SMALLEST {
        return 1.0;
    }
    let unit = power_of_ten(value);
    let digits = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let above = digits.into_iter().map(|digit| digit * unit).find(|round| *round >= value);
    above.unwrap_or(10.0 * unit)
}

/// `M1 2L3 4…` of every run of points.
pub(super) fn joined(runs: &[Vec<(f64, f64)>]) -> String {
    let mut path = String::new();
    for run in runs {
        for (at, (x, y)) in run.iter().enumerate() {
            let letter = if at == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{letter}{} {}", number(*x), number(*y)));
        }
    }
    path
}

/// A dot for every point: a line of no length with round ends.
pub(super) fn dotted(runs: &[Vec<(f64, f64)>]) -> String {
    let dot = |(x, y): &(f64, f64)| format!("M{} {}h0", number(*x), number(*y));
    runs.iter().flatten().map(dot).collect()
}

/// A mark on an axis: no more decimals than it needs.
pub(super) fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A model's small drawing, with what stands beside it.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Small {
    pub(in crate::site) chart: Weeks,
    model: String,
    latest: String,
}

/// One small drawing a model, all on one scale from 0, so that they compare.
pub(in crate::site) fn small(
    trends: &Trends<'_>,
    id: &str,
    what: &str,
    value: fn(&Point) -> Option<f64>,
    shown: fn(f64) -> String,
) -> Vec<Small> {
    let first = trends.first;
    let known = |series: &&Series<'_>| {
        series.points.iter().any(|point| point.week >= first && value(point).is_some())
    };
    let series: Vec<&Series<'_>> = trends.series.iter().filter(known).take(LINES).collect();
    let inside = |series: &&Series<'_>| -> Vec<f64> {
        let points = series.points.iter().filter(|point| point.week >= first);
        points.filter_map(value).collect()
    };
    let all: Vec<f64> = series.iter().flat_map(inside).collect();
    let to = round_up(all.iter().copied().fold(0.0, f64::max));
    let up = Axis { from: 0.0, to, start: SMALL.bottom, end: SMALL.top };
    series
        .iter()
        .enumerate()
        .filter_map(|(index, series)| {
            let values = inside(series);
            let (start, end) = (*values.first()?, *values.last()?);
            let runs = SMALL.runs(trends, &series.points, value, up);
            let mut chart = SMALL.drawing(&format!("{id}-{index}"), trends);
            let model = trends.ledger.name(series.model);
            chart.title = format!("{what} of {model}");
            chart.description = format!("From {} to {}.", shown(start), shown(end));
            chart.ticks_x.clear();
            chart.rules.iter_mut().for_each(|rule| rule.label.clear());
            chart.ticks_y = vec![
                Tick { at: up.text(0.0), label: String::new() },
                Tick { at: up.text(to), label: shown(to) },
            ];
            chart.lines.push(Line {
                class: "small".to_owned(),
                path: joined(&runs),
                dots: dotted(
                    &runs.iter().filter(|run| run.len() == 1).cloned().collect::<Vec<_>>(),
                ),
                flags: String::new(),
            });
            Some(Small { chart, model: format::truncate(&model, 24), latest: shown(end) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_hold_every_value() {
        let (at, from, to) = marks([0.31, 0.87].into_iter());
        assert_eq!((plain(from).as_str(), plain(to).as_str()), ("0.2", "1"));
        assert_eq!(at.len(), 5);
        let (at, from, to) = marks([0.5].into_iter());
        assert_eq!((plain(from).as_str(), plain(to).as_str(), at.is_empty()), ("0", "1", false));
        assert_eq!(
            [2230.0, 0.0, 0.0041].map(round_up).map(|top| top.to_string()),
            ["2500", "1", "0.005"]
        );
    }
}
