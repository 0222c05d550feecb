//! The charts whole, each with its numbers as a table.

use crate::site::format;
use serde::Serialize;

use crate::facts::Facts;
use crate::site::chart::{Frontier, Ladder, Scatter, frontier, ladder, scatter};

use super::{interval, rate};

/// A drawing with more rows than this is a wall.
const MOST: usize = 200;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ChartsPage {
    note: String,
    ladder: Option<Ladder>,
    scatter: Option<Scatter>,
    frontier: Option<Frontier>,
    rows: Vec<Line>,
    has_cost: bool,
    reason: String,
}

#[derive(Debug, Serialize)]
struct Line {
    slug: String,
    model: String,
    held_out: String,
    held_out_interval: String,
    public: String,
    public_interval: String,
    gap: String,
    gap_interval: String,
    tokens: String,
    cost: String,
    overfit: bool,
}

/// The page.
pub(in crate::site) fn charts_page(facts: &Facts<'_>) -> ChartsPage {
    let rows = &facts.ranked()[..facts.scored.min(MOST)];
    let none = || format::NONE.to_owned();
    ChartsPage {
        note: if facts.scored > MOST {
            format!("The first {MOST} of {}.", format::count(facts.scored, "ranked model"))
        } else {
            String::new()
        },
        ladder: ladder("ladder", rows),
        scatter: scatter("scatter", rows, facts.public_prompts.zip(facts.held_out_prompts)),
        frontier: frontier("frontier", rows),
        rows: rows
            .iter()
            .filter_map(|row| {
                let held_out = row.held_out?;
                Some(Line {
                    slug: row.slug.clone(),
                    model: row.model.clone(),
                    held_out: rate(held_out),
                    held_out_interval: interval(held_out),
                    public: rate(row.public),
                    public_interval: interval(row.public),
                    gap: row.gap.map_or_else(none, format::points),
                    gap_interval: row.gap_interval.map_or_else(none, format::points_interval),
                    tokens: row.tokens.map_or_else(none, format::amount),
                    cost: row.cost.map_or_else(none, format::money),
                    overfit: row.is_overfit(),
                })
            })
            .collect(),
        has_cost: rows.iter().any(|row| row.cost.is_some()),
        reason: if facts.scored == 0 {
            "No model has a held-out score yet, so there is nothing to draw.".to_owned()
        } else {
            String::new()
        },
    }
}
