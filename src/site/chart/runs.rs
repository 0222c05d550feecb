//! One row over all boards: its score whenever it changed, with its range.
//!
//! Places across are percentages, so that letters keep their size at every width. A line never
//! crosses a change of judge or protocol: scores on both sides are not comparable.

use serde::Serialize;

use super::{Rule, Stroke, Tick, number, percent, share_tick, starts_at};
use crate::facts::Score;
use crate::ledger::Instant;
use crate::site::format;

/// A recorded score.
#[derive(Debug, Clone)]
pub(in crate::site) struct RunPoint {
    pub(in crate::site) at: Instant,
    /// RFC 3339.
    pub(in crate::site) stamp: String,
    pub(in crate::site) score: Score,
    pub(in crate::site) protocol: String,
    pub(in crate::site) judge: String,
    /// The bundle it comes from.
    pub(in crate::site) bundle: String,
}

/// The chart.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Runs {
    description: String,
    note: String,
    height: String,
    ticks: Vec<Tick>,
    points: Vec<Dot>,
    lines: Vec<Stroke>,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
struct Dot {
    x: String,
    y: String,
    /// Ends of the range.
    top: String,
    bottom: String,
    /// Empty where it would cover another.
    label: String,
    date: String,
    anchor: &'static str,
}

const HEIGHT: f64 = 168.0;
/// First and last point, in percent of the width.
const ENDS: (f64, f64) = (4.0, 96.0);
/// Labels nearer than this, in percent of the width, would touch on a phone.
const APART: f64 = 16.0;

/// `None` for fewer than two scores. `set` is which score is drawn: `Private` or `Public`.
pub(in crate::site) fn runs(set: &str, all: &[RunPoint]) -> Option<Runs> {
    let points = changes(all);
    if points.len() < 2 {
        return None;
    }
    let (first, last) = (points.first()?.at, points.last()?.at);
    #[expect(clippy::cast_precision_loss, reason = "seconds of some years")]
    let seconds = |at: Instant| at.seconds_since(first) as f64;
    let span = seconds(last).max(1.0);
    let across = |point: &RunPoint| ENDS.0 + seconds(point.at) / span * (ENDS.1 - ENDS.0);
    let ends = |point: &RunPoint| {
        point
            .score
            .interval
            .map_or((point.score.share(), point.score.share()), |it| (it.low, it.high))
    };
    let low = points.iter().map(|point| ends(point).0).fold(1.0, f64::min);
    let high = points.iter().map(|point| ends(point).1).fold(0.0, f64::max);
    // Whole tenths, so that the axis has round numbers.
    let (from, to) = ((low * 10.0).floor() / 10.0, ((high * 10.0).ceil() / 10.0).min(1.0));
    let to = if to - from < 0.1 { from + 0.1 } else { to };
    let up = |share: f64| HEIGHT - (share - from) / (to - from) * HEIGHT;
    let is_break = |a: &RunPoint, b: &RunPoint| a.protocol != b.protocol || a.judge != b.judge;

    let mut dots: Vec<Dot> = Vec::new();
    let mut shown = f64::INFINITY;
    for point in points.iter().rev() {
        let x = across(point);
        let is_shown = shown - x >= APART;
        if is_shown {
            shown = x;
        }
        let words = |text: String| if is_shown { text } else { String::new() };
        dots.push(Dot {
            x: percent(x),
            y: number(up(point.score.share())),
            top: number(up(ends(point).1)),
            bottom: number(up(ends(point).0)),
            label: words(format::whole_percent(point.score)),
            date: words(format::date(&point.stamp)),
            anchor: if x < 8.0 {
                "start"
            } else if x > 92.0 {
                "end"
            } else {
                "middle"
            },
        });
    }
    dots.reverse();
    let pairs = || points.windows(2).map(|pair| (pair[0], pair[1]));
    let place = |point: &RunPoint| (across(point), up(point.score.share()));
    let lines =
        pairs().filter(|(a, b)| !is_break(a, b)).map(|(a, b)| Stroke::new(place(a), place(b)));
    let rules = pairs().filter(|(a, b)| is_break(a, b)).map(|(a, b)| {
        let x = f64::midpoint(across(a), across(b));
        let what = if a.judge == b.judge {
            format!("protocol {}", format::clean(&b.protocol))
        } else {
            "judge changed".to_owned()
        };
        Rule::new(x, format!("{what}: not comparable across"))
    });
    let said = |point: &&RunPoint| {
        format!("{}: {}", format::date(&point.stamp), format::whole_percent(point.score))
    };
    // The table under it has them all.
    let spoken: Vec<String> = points.iter().rev().take(8).rev().map(said).collect();
    let start = starts_at(from);
    Some(Runs {
        description: format!("{}.", spoken.join("; ")),
        note: format!("{set} score whenever it changed, with its 95% range.{start}"),
        height: number(HEIGHT),
        ticks: ticks(from, to, up),
        points: dots,
        lines: lines.collect(),
        rules: rules.collect(),
    })
}

/// The scores without those that repeat the one before.
fn changes(all: &[RunPoint]) -> Vec<&RunPoint> {
    let mut points: Vec<&RunPoint> = Vec::new();
    for point in all {
        let same = |before: &&RunPoint| {
            (before.score.counts(), &before.protocol, &before.judge, &before.bundle)
                == (point.score.counts(), &point.protocol, &point.judge, &point.bundle)
        };
        if !points.last().is_some_and(same) {
            points.push(point);
        }
    }
    points
}

/// Marks at round percentages from `from` to `to`, at most six.
fn ticks(from: f64, to: f64, up: impl Fn(f64) -> f64) -> Vec<Tick> {
    let every = if to - from > 0.55 { 0.2 } else { 0.1 };
    let mut ticks = Vec::new();
    let mut share = from;
    while share < to + 1e-9 {
        ticks.push(share_tick(number(up(share)), share));
        share += every;
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(day: &str, passed: u64, protocol: &str, judge: &str) -> RunPoint {
        let stamp = format!("{day}T00:00:00Z");
        RunPoint {
            at: Instant::parse(&stamp).expect("a moment"),
            stamp,
            score: Score::from_counts(passed, 120),
            protocol: protocol.to_owned(),
            judge: judge.to_owned(),
            bundle: "b".to_owned(),
        }
    }

    #[test]
    fn no_line_crosses_a_change_of_judge_or_protocol() {
        let boards = [
            point("2026-01-01", 60, "1", "a"),
            point("2026-01-08", 60, "1", "a"),
            point("2026-02-01", 70, "1", "a"),
            point("2026-04-01", 70, "1", "b"),
            point("2026-06-01", 80, "1", "b"),
            point("2026-08-01", 80, "2", "b"),
        ];
        let chart = runs("Private", &boards).expect("a chart");
        // The second board repeats the first.
        assert_eq!(chart.points.len(), 5);
        assert_eq!((chart.lines.len(), chart.rules.len()), (2, 2));
        let rule: f64 = chart.rules[0].x.trim_end_matches('%').parse().expect("a number");
        for line in &chart.lines {
            let [from, to] = [&line.x1, &line.x2]
                .map(|x| x.trim_end_matches('%').parse::<f64>().expect("a number"));
            assert!(to < rule || rule < from, "{line:?} crosses {rule}");
        }
        assert!(chart.rules[0].label.starts_with("judge changed"));
        assert!(chart.rules[1].label.starts_with("protocol 2"));
        assert!(runs("Private", &boards[..2]).is_none());
    }
}
