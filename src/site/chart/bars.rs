//! Bars and dots on one fixed axis: the score card of a row, and its tiers.

use crate::site::format;
use serde::Serialize;

use crate::domain::Rate;
use crate::facts::{Facts, RowFacts, tier_rate};
use crate::table::significance::{Interval, wilson};

use super::{Axis, Tick, lane, number, spoken};

const LANE: f64 = 26.0;
const TOP: f64 = 22.0;
/// More tiers than this are told by the table alone.
const MOST_TIERS: usize = 24;

/// The chart: one lane per line.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Bars {
    id: String,
    title: String,
    description: String,
    height: String,
    bottom: String,
    ticks: Vec<Tick>,
    lanes: Vec<Lane>,
}

#[derive(Debug, Serialize)]
struct Lane {
    label: String,
    y: String,
    marks: Vec<Mark>,
}

#[derive(Debug, Serialize)]
struct Mark {
    /// `h` held-out, `p` public: also the class of the drawing.
    set: &'static str,
    y: String,
    at: String,
    /// Ends of the interval; empty where there is none.
    from: String,
    to: String,
    /// A bar from zero rather than a dot.
    bar: bool,
}

fn axis() -> Axis {
    Axis::rates(92.0, 388.0)
}

fn mark(set: &'static str, y: f64, rate: Rate, interval: Option<Interval>, bar: bool) -> Mark {
    let end = |value: Option<f64>| value.map(|value| axis().text(value)).unwrap_or_default();
    Mark {
        set,
        y: number(y),
        at: axis().text(rate.value()),
        from: end(interval.map(|interval| interval.low)),
        to: end(interval.map(|interval| interval.high)),
        bar,
    }
}

fn chart(id: &str, title: &str, said: &[String], lanes: Vec<Lane>) -> Bars {
    let bottom = lane(TOP, LANE, lanes.len()) - LANE / 2.0;
    Bars {
        id: id.to_owned(),
        title: title.to_owned(),
        description: format!("{}.", said.join("; ")),
        height: number(bottom + 6.0),
        bottom: number(bottom),
        ticks: axis().percent_ticks(),
        lanes,
    }
}

/// Held-out and public rate of one row.
pub(in crate::site) fn score_card(row: &RowFacts<'_>) -> Bars {
    let held_out = row.held_out.map(|score| ("Held-out", "h", score));
    let (mut lanes, mut said) = (Vec::new(), Vec::new());
    for (label, set, score) in held_out.into_iter().chain([("Public", "p", row.public)]) {
        let y = lane(TOP, LANE, lanes.len());
        let marks = vec![mark(set, y, score.rate, score.interval, true)];
        lanes.push(Lane { label: label.to_owned(), y: number(y), marks });
        said.push(format!("{label} {}{}", format::percent(score.rate), spoken(score.interval)));
    }
    chart("card", "Pass rates with 95% intervals, 0 to 100%", &said, lanes)
}

/// Public tiers of one row, and held-out tiers where they may be shown.
pub(in crate::site) fn tier_rows(facts: &Facts<'_>, row: &RowFacts<'_>) -> Option<Bars> {
    if facts.tiers.is_empty() || facts.tiers.len() > MOST_TIERS {
        return None;
    }
    let (mut lanes, mut said) = (Vec::new(), Vec::new());
    for tier in &facts.tiers {
        let y = lane(TOP, LANE, lanes.len());
        let label = format::truncate(&format::clean(tier), 13);
        let mut marks = Vec::new();
        let held_out = held_out_tier(facts, row, tier);
        let offset = if held_out.is_some() { 5.0 } else { 0.0 };
        if let Some((rate, interval)) = held_out {
            marks.push(mark("h", y - offset, rate, interval, false));
            said.push(format!("{label} held-out {}{}", format::percent(rate), spoken(interval)));
        }
        if let Some(rate) = tier_rate(&row.row.public, tier) {
            let interval = row.public_tier(tier).and_then(|(passed, total)| wilson(passed, total));
            marks.push(mark("p", y + offset, rate, interval, false));
            said.push(format!("{label} public {}{}", format::percent(rate), spoken(interval)));
        }
        lanes.push(Lane { label, y: number(y), marks });
    }
    Some(chart("tiers", "Pass rate by tier, with 95% intervals", &said, lanes))
}

/// Rate and interval of a held-out tier, if it may be shown.
pub(in crate::site) fn held_out_tier(
    facts: &Facts<'_>,
    row: &RowFacts<'_>,
    tier: &str,
) -> Option<(Rate, Option<Interval>)> {
    let size = *facts.held_out_tiers.as_ref()?.get(tier)?;
    let rate = tier_rate(row.row.held_out.cell()?, tier)?;
    Some((rate, wilson(rate.count_of(size), size)))
}
