//! The interval ladder: one rung per ranked row, tied groups behind.

use crate::site::format;
use serde::Serialize;

use crate::facts::{RowFacts, real};

use super::{Axis, Tick, lane, number, spoken};

/// Few rungs stand wider apart, so that the ladder is no stump beside the other charts.
const RUNGS: std::ops::RangeInclusive<f64> = 20.0..=44.0;
const HEIGHT: f64 = 320.0;
const TOP: f64 = 22.0;
const LABEL_END: f64 = 138.0;

/// The chart.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Ladder {
    id: String,
    title: String,
    description: String,
    height: String,
    bottom: String,
    ticks: Vec<Tick>,
    bands: Vec<Band>,
    rungs: Vec<Rung>,
}

#[derive(Debug, Serialize)]
struct Band {
    y: String,
    height: String,
    odd: bool,
}

#[derive(Debug, Serialize)]
struct Rung {
    y: String,
    label: String,
    from: String,
    to: String,
    held_out: String,
    public: String,
}

/// Held-out intervals of `rows`, which are ranked and in order; `None` without one.
pub(in crate::site) fn ladder(id: &str, rows: &[RowFacts<'_>]) -> Option<Ladder> {
    let axis = Axis::rates(LABEL_END + 10.0, 388.0);
    let rung = HEIGHT / real(rows.len().max(1) as u64);
    let rung = rung.clamp(*RUNGS.start(), *RUNGS.end());
    let (mut rungs, mut said) = (Vec::new(), Vec::new());
    // The lower end of the group's ranks, its first rung, how many rungs.
    let mut groups: Vec<(usize, usize, usize)> = Vec::new();
    for row in rows {
        let (Some(score), Some(place)) = (row.held_out, row.place) else { continue };
        let Some(interval) = score.interval else { continue };
        match groups.last_mut() {
            Some((low, _, members)) if *low == place.low => *members += 1,
            _ => groups.push((place.low, rungs.len(), 1)),
        }
        rungs.push(Rung {
            y: number(lane(TOP, rung, rungs.len())),
            label: format::truncate(&row.model, 22),
            from: axis.text(interval.low),
            to: axis.text(interval.high),
            held_out: axis.text(score.rate.value()),
            public: axis.text(row.public.rate.value()),
        });
        let rate = format::percent(score.rate);
        said.push(format!("{} {rate}{}", row.model, spoken(score.interval)));
    }
    if rungs.is_empty() {
        return None;
    }
    let top = |at: usize| lane(TOP, rung, at) - rung / 2.0;
    let bottom = top(rungs.len());
    let band = |(at, (_, first, members)): (usize, (usize, usize, usize))| Band {
        y: number(top(first)),
        height: number(top(first + members) - top(first)),
        odd: at % 2 == 1,
    };
    Some(Ladder {
        id: id.to_owned(),
        title: "Held-out pass rate with 95% interval".to_owned(),
        description: format!("Best first. {}.", said.join("; ")),
        height: number(bottom + 6.0),
        bottom: number(bottom),
        ticks: axis.percent_ticks(),
        bands: groups.into_iter().enumerate().map(band).collect(),
        rungs,
    })
}
