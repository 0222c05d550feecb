//! Public against held-out: on the diagonal the gap is 0, in the band it is not significant.

use crate::site::format;
use serde::Serialize;

use crate::domain::real;
use crate::facts::RowFacts;
use crate::table::significance::newcombe;

use super::labels::{Drawn, FlexLabel, FlexPoint, only_musts, place_flexible};
use super::{Axis, Tick, number, percent, share_tick, spoken};

/// Interval crosses on more points than this would only be a grey cloud.
const CROSSES: usize = 30;
/// The band has at most this many corners a side.
const STEPS: u64 = 100;
/// With more prompts than this the band is as narrow as the diagonal.
const THIN: u64 = 100_000;
/// So many overfit models are named over dots; more names would hide what they name.
const NAMED: usize = 6;
/// Height of the plot in pixels, and its width in units; places across are percentages.
const HEIGHT: f64 = 320.0;
const ACROSS: f64 = 1000.0;
/// Widths of the plot, in pixels, at which labels must hold: on a desk and on a phone.
const WIDE: [f64; 3] = [536.0, 610.0, 680.0];
const NARROW: [f64; 4] = [232.0, 302.0, 400.0, 535.0];

/// The chart.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Scatter {
    description: String,
    height: String,
    ticks_x: Vec<Tick>,
    ticks_y: Vec<Tick>,
    /// Corners of the band; empty where the sets have no one size.
    band: String,
    points: Vec<Dot>,
    /// Both intervals of each point, as one path.
    crosses: Vec<String>,
    wide: Vec<FlexLabel>,
    narrow: Vec<FlexLabel>,
}

#[derive(Debug, Serialize)]
struct Dot {
    x: String,
    y: String,
    slug: String,
    title: String,
    overfit: bool,
}

/// The ranked `rows`; `sizes` of the public and the held-out set where all rows share them.
pub(in crate::site) fn scatter(
    rows: &[RowFacts<'_>],
    sizes: Option<(u64, u64)>,
) -> Option<Scatter> {
    let (across, up) = (Axis::rates(0.0, ACROSS), Axis::rates(HEIGHT, 0.0));
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
        let name = format::truncate(&row.name, 24);
        points.push(Dot {
            x: percent(across.at(public) / 10.0),
            y: number(up.at(private)),
            slug: row.slug.clone(),
            title: format!(
                "{name}: public {}, private {}",
                format::whole_percent(row.public),
                format::whole_percent(held_out)
            ),
            overfit: row.is_overfit(),
        });
        named.push(FlexPoint {
            x: across.at(public) / ACROSS,
            y: up.at(private),
            name,
            must: few && row.is_overfit(),
            ..FlexPoint::default()
        });
        said.push(format!(
            "{}: public {}{}, private {}{}{}",
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
    let drawn = Drawn { lines: Vec::new(), height: HEIGHT };
    Some(Scatter {
        height: number(HEIGHT),
        description: format!(
            "On the diagonal both scores agree; below it the private score is lower. \
             Inside the band no gap can be shown. {}.",
            said.join("; ")
        ),
        ticks_x: ticks(|rate| percent(rate * 100.0)),
        ticks_y: ticks(|rate| up.text(rate)),
        band: sizes.map(|sizes| band(sizes, across, up)).unwrap_or_default(),
        points,
        crosses,
        wide: place_flexible(&named, &drawn, &WIDE),
        narrow: place_flexible(&only_musts(&named), &drawn, &NARROW),
    })
}

/// 0, 25, 50, 75, 100 %.
fn ticks(at: impl Fn(f64) -> String) -> Vec<Tick> {
    let rates = (0..=4).map(|quarter| f64::from(quarter) / 4.0);
    rates.map(|rate| share_tick(at(rate), rate)).collect()
}

/// Where the interval of the gap holds zero: for each public count, the lowest and the highest
/// held-out count that does not differ significantly from it.
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
