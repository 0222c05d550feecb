//! Held-out against tokens per pass: who is best at a given expense.

use serde::Serialize;

use crate::site::facts::RowFacts;
use crate::site::words;

use super::labels::{Label, Point, Rect, place};
use super::scatter::{BOTTOM, LEFT, RIGHT, TOP};
use super::{Axis, Tick, number};

/// The chart.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Frontier {
    id: String,
    title: String,
    description: String,
    ticks_x: Vec<Tick>,
    ticks_y: Vec<Tick>,
    /// Steps, never diagonals: between two models there is no model.
    steps: String,
    points: Vec<Dot>,
    labels: Vec<Label>,
}

#[derive(Debug, Serialize)]
struct Dot {
    x: String,
    y: String,
    best: bool,
}

/// The ranked `rows` with token counts; `None` for fewer than two.
pub(in crate::site) fn frontier(id: &str, rows: &[RowFacts<'_>]) -> Option<Frontier> {
    let known: Vec<(&RowFacts<'_>, f64, f64)> = rows
        .iter()
        .filter_map(|row| {
            Some((row, row.tokens.filter(|tokens| *tokens > 0.0)?, row.held_out?.rate.value()))
        })
        .collect();
    if known.len() < 2 {
        return None;
    }
    let best = undominated(&known.iter().map(|(_, x, y)| (*x, *y)).collect::<Vec<_>>());
    let (ticks, from, to) = log_ticks(known.iter().map(|(_, tokens, _)| *tokens));
    let across = Axis { from: from.ln(), to: to.ln(), start: LEFT, end: RIGHT };
    let up = Axis::rates(BOTTOM, TOP);
    let (mut corners, mut points, mut named, mut said) = (vec![], vec![], vec![], vec![]);
    for ((row, tokens, rate), best) in known.into_iter().zip(best) {
        let (x, y) = (across.at(tokens.ln()), up.at(rate));
        if best {
            corners.push((x, y));
            let spent = words::amount(tokens);
            said.push(format!("{} {:.1}% at {spent} tokens", row.model, rate * 100.0));
        }
        points.push(Dot { x: number(x), y: number(y), best });
        named.push(Point { x, y, name: words::shorten(&row.model, 24), must: best });
    }
    corners.sort_by(|a: &(f64, f64), b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let lines: Vec<Rect> =
        steps(&corners).windows(2).map(|ends| Rect::line(ends[0], ends[1])).collect();
    let tick = |tokens: f64| Tick {
        at: across.text(tokens.ln()),
        label: words::amount(tokens).replace(".00", "").replace(".0", ""),
    };
    Some(Frontier {
        id: id.to_owned(),
        title: "Held-out pass rate against tokens per passed prompt".to_owned(),
        description: format!(
            "Left is cheaper, up is better; tokens on a logarithmic axis. \
             No model is both cheaper and better than these: {}.",
            said.join("; ")
        ),
        ticks_x: ticks.into_iter().map(tick).collect(),
        ticks_y: up.percent_ticks(),
        steps: path(&steps(&corners)),
        points,
        labels: place(&named, &lines, (LEFT, RIGHT), (TOP, BOTTOM)),
    })
}

/// Standard dominance on (cost, rate): out if another is no worse in both and better in one.
/// Equals both stay.
fn undominated(points: &[(f64, f64)]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        points[a].0.total_cmp(&points[b].0).then(points[b].1.total_cmp(&points[a].1))
    });
    let mut keep = vec![false; points.len()];
    let mut last: Option<(f64, f64)> = None;
    for at in order {
        let equal = last.is_some_and(|last| last == points[at]);
        if equal || last.is_none_or(|(_, highest)| points[at].1 > highest) {
            keep[at] = true;
            last = Some(points[at]);
        }
    }
    keep
}

/// The ends of the lines that join `corners`, and go on to the right edge.
fn steps(corners: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut ends: Vec<(f64, f64)> = Vec::new();
    for (x, y) in corners {
        ends.extend(ends.last().map(|(_, before)| (*x, *before)));
        ends.push((*x, *y));
    }
    ends.extend(ends.last().map(|(_, y)| (RIGHT, *y)));
    ends
}

fn path(ends: &[(f64, f64)]) -> String {
    let Some(((x, y), rest)) = ends.split_first() else { return String::new() };
    let mut path = format!("M{} {}", number(*x), number(*y));
    for (at, (x, y)) in rest.iter().enumerate() {
        // Lines across and up take turns.
        let step =
            if at % 2 == 0 { format!("H{}", number(*x)) } else { format!("V{}", number(*y)) };
        path.push_str(&step);
    }
    path
}

/// Round marks around the values, at least three and at most seven where that can be had, and
/// both ends of the axis.
fn log_ticks(values: impl Iterator<Item = f64> + Clone) -> (Vec<f64>, f64, f64) {
    const DIGITS: [&[f64]; 4] = [
        &[1.0],
        &[1.0, 2.0, 5.0],
        &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
        &[
            1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.5, 2.8, 3.2, 3.6, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0,
            8.0, 9.0,
        ],
    ];
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.fold(0.0, f64::max);
    let (from, to) = (lowest / 1.35, highest * 1.35);
    let marks = |digits: &&'static [f64]| {
        let digits: &'static [f64] = digits;
        (-3..16)
            .flat_map(move |power| digits.iter().map(move |digit| digit * 10_f64.powi(power)))
            .filter(|mark| (from..=to).contains(mark))
            .collect::<Vec<f64>>()
    };
    let enough = DIGITS.iter().map(marks).find(|marks| marks.len() >= 3);
    (enough.unwrap_or_default(), from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontier_keeps_equals_and_drops_the_dominated() {
        let points = [(10.0, 0.5), (10.0, 0.5), (10.0, 0.4), (20.0, 0.5), (30.0, 0.9), (40.0, 0.8)];
        assert_eq!(undominated(&points), [true, true, false, false, true, false]);
    }

    #[test]
    fn steps_never_run_diagonally() {
        assert_eq!(path(&steps(&[(50.0, 200.0), (100.0, 80.0)])), "M50 200H100V80H390");
        assert_eq!(path(&steps(&[])), "");
    }
}
