//! Every model's average over weeks, with its name at the end of its line.

use crate::site::format;
use crate::site::trends::{Point, Series, Trends};

use super::weeks::{Frame, Line, NARROW, Name, WIDE, Weeks, dotted, joined, marks, plain};
use super::{Axis, Tick, number};

/// Lines of their own colour; the ones after them share one.
const COLOURS: usize = 6;
/// More lines than this are a thicket.
pub(in crate::site) const LINES: usize = 12;
/// Between two names under each other.
const LINE_HEIGHT: f64 = 13.0;

fn class_of(index: usize) -> String {
    if index < COLOURS { format!("s{index}") } else { "sx".to_owned() }
}

/// Every model's moving average and its weekly means, for a desk and for a phone.
pub(in crate::site) fn averages(trends: &Trends<'_>) -> [Weeks; 2] {
    [(WIDE, "weeks-wide"), (NARROW, "weeks-narrow")].map(|(frame, id)| {
        let shown: Vec<&Series<'_>> = trends.series.iter().take(LINES).collect();
        let first = trends.first;
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
            let is_flagged = |point: &&Point| point.flagged && index < COLOURS;
            let flagged: Vec<Point> = series.points.iter().filter(is_flagged).cloned().collect();
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
        // The best are drawn last, on top.
        drawing.lines.reverse();
        drawing.names = names(ends, frame);
        drawing.title = String::from("Average of the last three runs of every model, week by week");
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
            format::count(count, "vertical rule")
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
            text: format::truncate(name, room.max(4)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_the_edge_never_cover_each_other() {
        let ends = (0..8).map(|n| (String::new(), (WIDE.right, 200.0 + f64::from(n)), "m".into()));
        let names = names(ends.collect(), WIDE);
        let ys: Vec<f64> = names.iter().map(|name| name.y.parse().expect("a number")).collect();
        assert!(ys.windows(2).all(|pair| pair[1] - pair[0] >= LINE_HEIGHT - 0.11), "{ys:?}");
    }
}
