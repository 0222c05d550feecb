//! Public against held-out: the diagonal is no gap, the band is where no gap can be shown.

use crate::site::format;
use serde::Serialize;

use crate::facts::{RowFacts, real};
use crate::table::significance::newcombe;

use super::labels::{Label, Point, place};
use super::{Axis, Tick, spoken};

/// Interval crosses on more points than this would only be a grey cloud.
const CROSSES: usize = 30;
/// The band has at most this many corners a side.
const STEPS: u64 = 100;
/// With more prompts than this the band is no wider than the diagonal.
const THIN: u64 = 100_000;
/// So many overfit models are named over dots; more names would hide what they name.
const NAMED: usize = 6;
pub(super) const LEFT: f64 = 40.0;
pub(super) const RIGHT: f64 = 390.0;
pub(super) const TOP: f64 = 10.0;
pub(super) const BOTTOM: f64 = 330.0;

/// The chart.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Scatter {
    id: String,
    title: String,
    description: String,
    ticks_x: Vec<Tick>,
    ticks_y: Vec<Tick>,
    /// Corners of the band; empty where the sets have no one size.
    band: String,
    points: Vec<Dot>,
    /// Both intervals of each point, as one path.
    crosses: Vec<String>,
    labels: Vec<Label>,
}

#[derive(Debug, Serialize)]
struct Dot {
    x: String,
    y: String,
    overfit: bool,
}

/// The ranked `rows`; `sizes` of the public and the held-out set where all rows share them.
pub(in crate::site) fn scatter(
    id: &str,
    rows: &[RowFacts<'_>],
    sizes: Option<(u64, u64)>,
) -> Option<Scatter> {
    let (across, up) = (Axis::rates(LEFT, RIGHT), Axis::rates(BOTTOM, TOP));
    let (mut points, mut crosses, mut named, mut said) = (vec![], vec![], vec![], vec![]);
    let few = rows.iter().filter(|row| row.is_overfit()).count() <= NAMED;
    for row in rows {
        let Some(held_out) = row.held_out else { continue };
        let (public, private) = (row.public.rate.value(), held_out.rate.value());
        let (x, y) = (across.text(public), up.text(private));
        if let (Some(h), Some(v)) = (row.public.interval, held_out.interval) {
            let (left, right) = (across.text(h.low), across.text(h.high));
            let (low, high) = (up.text(v.low), up.text(v.high));
            crosses.push(format!("M{left} {y}H{right}M{x} {low}V{high}"));
        }
        points.push(Dot { x, y, overfit: row.is_overfit() });
        let name = format::truncate(&row.name, 24);
        let must = few && row.is_overfit();
        named.push(Point { x: across.at(public), y: up.at(private), name, must });
        said.push(format!(
            "{}: public {}{}, held-out {}{}{}",
            row.name,
            format::percent(row.public.rate),
            spoken(row.public.interval),
            format::percent(held_out.rate),
            spoken(held_out.interval),
            if row.is_overfit() { ", overfit" } else { "" }
        ));
    }
    if points.is_empty() {
        return None;
    }
    if points.len() > CROSSES {
        crosses.clear();
    }
    Some(Scatter {
        id: id.to_owned(),
        title: "Public against held-out pass rate".to_owned(),
        description: format!(
            "On the diagonal both rates agree; below it the held-out rate is lower. \
             Inside the band no gap can be shown. {}.",
            said.join("; ")
        ),
        ticks_x: across.percent_ticks(),
        ticks_y: up.percent_ticks(),
        band: sizes.map(|sizes| band(sizes, across, up)).unwrap_or_default(),
        points,
        crosses,
        labels: place(&named, &[], (LEFT, RIGHT), (TOP, BOTTOM)),
    })
}

/// Where the interval of the gap holds zero: for each public count, the lowest and the highest
/// held-out count that cannot be told from it.
fn band((public, held_out): (u64, u64), across: Axis, up: Axis) -> String {
    if [public, held_out].iter().any(|size| !(1..=THIN).contains(size)) {
        return String::new();
    }
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    let steps = public.min(STEPS);
    for step in 0..=steps {
        let passed = step * public / steps;
        let tied = |other: u64| {
            let gap = newcombe((passed, public), (other, held_out));
            gap.is_some_and(|gap| gap.holds(0.0))
        };
        // The tied counts are a run around the one nearest to the diagonal.
        let nearest = (passed * held_out + public / 2) / public;
        let (mut low, mut high) = (nearest, nearest);
        while low > 0 && tied(low - 1) {
            low -= 1;
        }
        while high < held_out && tied(high + 1) {
            high += 1;
        }
        let x = across.text(real(passed) / real(public));
        lower.push(format!("{x},{}", up.text(real(low) / real(held_out))));
        upper.push(format!("{x},{}", up.text(real(high) / real(held_out))));
    }
    lower.reverse();
    upper.extend(lower);
    upper.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_holds_the_diagonal_and_leaves_the_corners() {
        let axis = Axis { from: 0.0, to: 1.0, start: 0.0, end: 100.0 };
        let corners = band((51, 12), axis, axis);
        let points: Vec<(f64, f64)> = corners
            .split(' ')
            .map(|corner| corner.split_once(',').expect("a pair"))
            .map(|(x, y)| (x.parse().expect("x"), y.parse().expect("y")))
            .collect();
        assert_eq!(points.len(), 104);
        let (upper, lower) = points.split_at(52);
        for ((x, high), (_, low)) in upper.iter().zip(lower.iter().rev()) {
            assert!(low - 4.2 <= *x && *x <= high + 4.2, "{x}: {low} to {high}");
        }
        assert!(upper[0].1 < 60.0 && lower[0].1 > 40.0);
    }
}
