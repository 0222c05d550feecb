//! Charts over weeks: every model's average, who led when, and one small drawing a model for
//! latency and cost.
//!
//! What a newcomer gets wrong: a rule stands where scores begin to mean something else. No line
//! ever crosses one; [`Frame::runs`] cuts them all, in one place.

use serde::Serialize;

use crate::site::trends::{Best, Point, Series, Trends, week_named};
use crate::site::{happened::epoch_words, words};

use super::{Axis, Tick, number};

/// Lines of their own colour; the ones after them share one.
const COLOURS: usize = 6;
/// More lines than this are a thicket.
pub(in crate::site) const LINES: usize = 20;
/// Between two names under each other.
const LINE_HEIGHT: f64 = 13.0;

/// A drawing over weeks.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Weeks {
    id: String,
    title: String,
    description: String,
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
    ticks_y: Vec<Tick>,
    rules: Vec<Rule>,
    lines: Vec<Line>,
    names: Vec<Name>,
}

/// A vertical rule.
#[derive(Debug, Serialize)]
struct Rule {
    x: String,
    label: String,
}

#[derive(Debug, Serialize)]
struct Line {
    class: String,
    /// The line.
    path: String,
    /// One dot for every week.
    dots: String,
    /// Weeks with a flagged run.
    flags: String,
}

/// A name beside the end of its line.
#[derive(Debug, Serialize)]
struct Name {
    class: String,
    x: String,
    y: String,
    text: String,
}

/// Where things lie in a drawing.
#[derive(Debug, Clone, Copy)]
struct Frame {
    class: &'static str,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

const WIDE: Frame = Frame {
    class: "wide",
    width: 800.0,
    height: 360.0,
    left: 40.0,
    right: 690.0,
    top: 22.0,
    bottom: 332.0,
};
const NARROW: Frame = Frame {
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
    fn across(self, trends: &Trends<'_>) -> Axis {
        let (first, last) = (trends.first(), trends.last.max(trends.first() + 1));
        Axis { from: first as f64, to: last as f64, start: self.left, end: self.right }
    }

    /// Points joined where nothing stands between them: one run of points an epoch and side of a
    /// rule.
    #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
    fn runs(
        self,
        trends: &Trends<'_>,
        points: &[Point],
        value: fn(&Point) -> Option<f64>,
        up: Axis,
    ) -> Vec<Vec<(f64, f64)>> {
        let across = self.across(trends);
        let bumps = trends.bumps_shown();
        let side = |week: i64| bumps.partition_point(|bump| bump.week <= week);
        let mut runs: Vec<((String, usize), Vec<(f64, f64)>)> = Vec::new();
        for point in points.iter().filter(|point| point.week >= trends.first()) {
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

    fn drawing(self, id: &str, trends: &Trends<'_>) -> Weeks {
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
        let (first, last) = (trends.first(), trends.last);
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

/// Round marks from below the lowest value to above the highest.
fn marks(values: impl Iterator<Item = f64> + Clone) -> (Vec<f64>, f64, f64) {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    let (low, high) =
        if low.is_finite() && high > low { (low, high) } else { (0.0, high.max(1.0)) };
    let rough = (high - low) / 4.0;
    let unit = 10_f64.powf(rough.log10().floor());
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
    if value <= 0.0 {
        return 1.0;
    }
    let unit = 10_f64.powf(value.log10().floor());
    let digits = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let above = digits.into_iter().map(|digit| digit * unit).find(|round| *round >= value);
    above.unwrap_or(10.0 * unit)
}

/// `M1 2L3 4…` of every run of points.
fn joined(runs: &[Vec<(f64, f64)>]) -> String {
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
fn dotted(runs: &[Vec<(f64, f64)>]) -> String {
    let dot = |(x, y): &(f64, f64)| format!("M{} {}h0", number(*x), number(*y));
    runs.iter().flatten().map(dot).collect()
}

fn class_of(index: usize) -> String {
    if index < COLOURS { format!("s{index}") } else { "sx".to_owned() }
}

/// Every model's moving average and its weekly means, for a desk and for a phone.
pub(in crate::site) fn averages(trends: &Trends<'_>) -> [Weeks; 2] {
    [(WIDE, "weeks-wide"), (NARROW, "weeks-narrow")].map(|(frame, id)| {
        let shown: Vec<&Series<'_>> = trends.series.iter().take(LINES).collect();
        let first = trends.first();
        let values = shown.iter().flat_map(|series| {
            let inside = series.points.iter().filter(|point| point.week >= first);
            inside.flat_map(|point| [point.mean, point.average]).flatten()
        });
        let (ticks, from, to) = marks(values);
        let up = Axis { from, to, start: frame.bottom, end: frame.top };
        let mut drawing = frame.drawing(id, trends);
        drawing.ticks_y =
            ticks.into_iter().map(|mark| Tick { at: up.text(mark), label: plain(mark) }).collect();
        let mut ends = Vec::new();
        for (index, series) in shown.iter().enumerate() {
            let class = class_of(index);
            let line = frame.runs(trends, &series.points, |point| point.average, up);
            let means = frame.runs(trends, &series.points, |point| point.mean, up);
            let flagged: Vec<Point> =
                series.points.iter().filter(|point| point.flagged).cloned().collect();
            let flags = frame.runs(trends, &flagged, |point| point.mean, up);
            if let Some(end) = line.iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0)) {
                ends.push((class.clone(), *end, trends.ledger.name(series.model)));
            }
            drawing.lines.push(Line {
                class,
                path: joined(&line),
                dots: dotted(&means),
                flags: triangles(&flags),
            });
        }
        drawing.names = names(ends, frame);
        drawing.title = "Average of the last three runs of every model, week by week".to_owned();
        drawing.description = spoken(trends, &shown);
        drawing
    })
}

/// What the drawing shows, for a listener.
fn spoken(trends: &Trends<'_>, shown: &[&Series<'_>]) -> String {
    let said: Vec<String> = shown
        .iter()
        .filter_map(|series| {
            let change = series.change.as_ref().ok()?;
            let (from, to) = (trends.ledger.score(change.from), trends.ledger.score(change.to));
            Some(format!("{} from {from} to {to}", trends.ledger.name(series.model)))
        })
        .collect();
    let bumps = match trends.bumps_shown().len() {
        0 => String::new(),
        count => format!(
            " {} where the protocol changes; no line crosses one.",
            words::count(count, "vertical rule")
        ),
    };
    format!("Since the latest protocol: {}.{bumps}", said.join("; "))
}

/// Small triangles that point down.
fn triangles(runs: &[Vec<(f64, f64)>]) -> String {
    let mark = |(x, y): &(f64, f64)| format!("M{} {}h8l-4 7z", number(*x - 4.0), number(*y - 13.0));
    runs.iter().flatten().map(mark).collect()
}

/// Names beside the ends of their lines, moved apart where they would cover each other.
fn names(mut ends: Vec<(String, (f64, f64), String)>, frame: Frame) -> Vec<Name> {
    ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    // Only those at the right edge stand under each other.
    let is_edge = |end: &(f64, f64)| end.0 > frame.right - (frame.right - frame.left) / 8.0;
    let mut ys: Vec<f64> = ends.iter().map(|(_, end, _)| end.1).collect();
    let edge: Vec<usize> = (0..ends.len()).filter(|at| is_edge(&ends[*at].1)).collect();
    for pair in edge.windows(2) {
        ys[pair[1]] = ys[pair[1]].max(ys[pair[0]] + LINE_HEIGHT);
    }
    // Those pushed below the drawing come back up.
    let mut lowest = frame.bottom;
    for at in edge.iter().rev() {
        ys[*at] = ys[*at].min(lowest);
        lowest = ys[*at] - LINE_HEIGHT;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few letters")]
    let room = ((frame.width - frame.right - 8.0) / 6.2) as usize;
    ends.iter()
        .zip(ys)
        .map(|((class, end, name), y)| Name {
            class: class.clone(),
            x: number(if is_edge(end) { frame.right + 7.0 } else { end.0 + 6.0 }),
            y: number(y + 4.0),
            text: words::shorten(name, room.max(4)),
        })
        .collect()
}

/// A mark on an axis: no more decimals than it needs.
fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The best score so far of every epoch, and who held it.
pub(in crate::site) fn running_best(trends: &Trends<'_>) -> Option<Weeks> {
    let held = &trends.bests;
    let first = trends.first();
    let values = held.iter().map(|best| best.score);
    values.clone().next()?;
    let (ticks, from, to) = marks(values);
    let up = Axis { from, to, start: NARROW.bottom - 90.0, end: NARROW.top };
    let frame = Frame {
        class: "",
        right: 368.0,
        bottom: NARROW.bottom - 90.0,
        height: NARROW.height - 90.0,
        ..NARROW
    };
    let mut drawing = frame.drawing("best", trends);
    drawing.ticks_y =
        ticks.into_iter().map(|mark| Tick { at: up.text(mark), label: plain(mark) }).collect();
    let across = frame.across(trends);
    #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
    let x = |week: i64| across.at(week.max(first) as f64);
    let bumps = trends.bumps_shown();
    let mut path = String::new();
    let mut holder = None;
    for (at, best) in held.iter().enumerate() {
        let next = held.get(at + 1).filter(|next| next.epoch == best.epoch);
        // A step ends at the next one, at the next rule, or at the edge; never beyond a rule.
        let rule = bumps.iter().find(|bump| bump.week > best.week).map(|bump| bump.week);
        #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
        let rule = rule.map_or(frame.right, |week| across.at(week as f64 - 0.8));
        let end = next.map_or(rule, |next| x(next.week).min(rule));
        let side = |week: i64| bumps.partition_point(|bump| bump.week <= week);
        let follows =
            |before: &Best<'_>| before.epoch == best.epoch && side(before.week) == side(best.week);
        let starts = at == 0 || !follows(&held[at - 1]);
        let y = up.at(best.score);
        if best.week >= first || next.is_none_or(|next| next.week > first) {
            let is_cut = starts || path.is_empty();
            let start = if is_cut {
                format!("M{} {}", number(x(best.week)), number(y))
            } else {
                format!("V{}", number(y))
            };
            path.push_str(&format!("{start}H{}", number(end)));
            if holder != Some((&best.run.model, &best.epoch)) {
                holder = Some((&best.run.model, &best.epoch));
                drawing.names.push(Name {
                    class: "s0".to_owned(),
                    x: number(x(best.week) + 3.0),
                    y: number(y + 14.0),
                    text: words::shorten(&trends.ledger.name(&best.run.model), 20),
                });
            }
        }
    }
    drawing.lines.push(Line {
        class: "steps".to_owned(),
        path,
        dots: String::new(),
        flags: String::new(),
    });
    drawing.title = "Best score so far under each protocol".to_owned();
    let last = held.last()?;
    drawing.description = format!(
        "Steps that only rise; they start again where the protocol changes. Now {} by {}.",
        trends.ledger.score(last.score),
        trends.ledger.name(&last.run.model)
    );
    Some(drawing)
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
    let first = trends.first();
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
            Some(Small { chart, model: words::shorten(&model, 24), latest: shown(end) })
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

    #[test]
    fn names_at_the_edge_never_cover_each_other() {
        let ends = (0..8).map(|n| (String::new(), (WIDE.right, 200.0 + f64::from(n)), "m".into()));
        let names = names(ends.collect(), WIDE);
        let ys: Vec<f64> = names.iter().map(|name| name.y.parse().expect("a number")).collect();
        assert!(ys.windows(2).all(|pair| pair[1] - pair[0] >= LINE_HEIGHT - 0.11), "{ys:?}");
    }
}
