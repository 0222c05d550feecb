//! One row of the board's table.

use serde::Serialize;

use super::baseline::{delta, exceptions};
use super::lift;
use crate::facts::{RowFacts, Score};
use crate::site::format;

/// Letters of a name in the table; its page has them all.
pub(super) const NAME: usize = 60;

#[derive(Debug, Serialize)]
pub(super) struct RowView {
    slug: String,
    place: String,
    name: String,
    organization: String,
    /// What a reader must know before trusting the row: `votes missing`.
    flags: Vec<FlagView>,
    /// `open`, `closed`, or empty where it is not known.
    weights: &'static str,
    /// The organization, which readers filter by as the provider.
    provider: String,
    released: String,
    score: Figure,
    range: Range,
    cost: Figure,
    tokens: Figure,
    public: Figure,
    overfit: bool,
    /// The columns of the menu, in its order.
    more: Vec<Figure>,
}

/// A word, and the sentence that explains it.
#[derive(Debug, Serialize)]
pub(super) struct FlagView {
    pub(super) word: String,
    pub(super) sentence: String,
    /// Whether the row contradicts its evidence.
    pub(super) bad: bool,
}

/// A number as text, and as the value that it is sorted by; that is empty where nothing is known.
#[derive(Debug, Default, Serialize)]
pub(super) struct Figure {
    pub(super) key: String,
    text: String,
    value: String,
}

/// The interval on an axis from 0 to 100 %.
#[derive(Debug, Default, Serialize)]
pub(super) struct Range {
    /// Left end and width of the bar, middle of the dot, in percent.
    from: String,
    width: String,
    dot: String,
    /// `76–89`
    words: String,
    /// Where a note on the free side of the bar is drawn, and its text: `public 71%, not ranked`.
    note: String,
    note_side: &'static str,
}

/// A column of the menu.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Column {
    /// The name in the address, and of the class.
    pub(super) key: String,
    pub(super) label: String,
    pub(super) hint: String,
    /// What a click on its head shows first.
    pub(super) first: &'static str,
}

/// The row as the table shows it, with the values of the `columns` of the menu.
pub(super) fn row_view(
    row: &RowFacts<'_>,
    columns: &[Column],
    tiers: &[String],
    made_up: bool,
) -> RowView {
    let mut flags = exceptions(row);
    // A board that is made up throughout says so above everything.
    flags.retain(|flag| !(made_up && flag.word == "illustrative"));
    let about = row.about;
    RowView {
        slug: row.slug.clone(),
        place: row
            .standing
            .map_or_else(|| format::NONE.to_owned(), |standing| standing.place.to_string()),
        name: format::truncate(&row.name, NAME),
        organization: format::truncate(row.organization_shown().unwrap_or_default(), 30),
        flags,
        weights: about.and_then(|about| about.weights).map_or("", |weights| weights.as_str()),
        provider: row.organization.clone(),
        released: about
            .and_then(|about| about.released.as_deref())
            .map(|day| day.chars().take(4).collect())
            .unwrap_or_default(),
        score: score_figure("score", row.held_out),
        range: match row.held_out {
            Some(score) => range(score),
            None => waiting_range(row.public),
        },
        cost: figure("cost", row.cost_per_solved, format::money, 8),
        tokens: figure("tokens", row.tokens_per_solved, format::amount, 1),
        public: score_figure("public", Some(row.public)),
        overfit: row.is_overfit(),
        more: columns.iter().map(|column| more(row, &column.key, tiers)).collect(),
    }
}

fn score_figure(key: &str, score: Option<Score>) -> Figure {
    Figure {
        key: key.to_owned(),
        text: score.map_or_else(|| format::NONE.to_owned(), format::whole_percent),
        value: score.map(|score| format!("{:.6}", score.share())).unwrap_or_default(),
    }
}

fn figure(key: &str, value: Option<f64>, words: fn(f64) -> String, decimals: usize) -> Figure {
    Figure {
        key: key.to_owned(),
        text: value.map_or_else(|| format::NONE.to_owned(), words),
        value: value.map(|value| format!("{value:.decimals$}")).unwrap_or_default(),
    }
}

/// The bar and the dot of a score.
pub(super) fn range(score: Score) -> Range {
    let Some(interval) = score.interval else { return Range::default() };
    let percent = |value: f64| format!("{:.1}%", value * 100.0);
    Range {
        from: percent(interval.low),
        width: percent(interval.high - interval.low),
        dot: percent(score.share()),
        words: format::interval(interval),
        ..Range::default()
    }
}

/// The public score in the place of the private one, and that it is not ranked.
fn waiting_range(public: Score) -> Range {
    Range {
        note: format!("public {}, not ranked", format::whole_percent(public)),
        note_side: if public.share() > 0.5 { "left" } else { "right" },
        ..range(public)
    }
}

/// The value of a column of the menu.
fn more(row: &RowFacts<'_>, key: &str, tiers: &[String]) -> Figure {
    let named = |text: Option<String>, value: Option<f64>| Figure {
        key: key.to_owned(),
        text: text.unwrap_or_else(|| format::NONE.to_owned()),
        value: value.map(|value| format!("{value:.6}")).unwrap_or_default(),
    };
    match key {
        "gap" => {
            let interval = row.gap_interval.map(format::points_interval);
            let words = row.gap.map(|gap| match &interval {
                Some(interval) => format!("{} ({interval})", format::points(gap)),
                None => format::points(gap),
            });
            named(words, row.gap.map(crate::domain::Gap::value))
        }
        "lift" => {
            let value = row.row.close_the_loop.as_ref().map(|lift| lift.repair_lift.value());
            named(lift(row).map(|(text, _)| text), value)
        }
        "delta" => {
            let delta = delta(row);
            let comma = if delta.note.is_empty() { "" } else { " " };
            named(Some(format!("{}{comma}{}", delta.value, delta.note)), row.compared.delta)
        }
        "evidence" => {
            let evidence = row.compared.evidence.grade.as_str();
            named(Some(evidence.to_owned()), None)
        }
        "bundle" => {
            let hash = row.row.run.recorded_bundle_sha16.chars();
            named(Some(hash.filter(char::is_ascii_hexdigit).take(8).collect()), None)
        }
        _ => {
            let tier = key.strip_prefix("tier").and_then(|at| at.parse::<usize>().ok());
            let tier = tier.and_then(|at| tiers.get(at - 1));
            let rate = tier.and_then(|tier| row.row.public.by_tier.get(tier).copied());
            let score = tier.and_then(|tier| row.public_tier(tier)).map(format::whole_percent);
            named(score.or(rate.map(format::percent)), rate.map(crate::domain::Rate::value))
        }
    }
}
