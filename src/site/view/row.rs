//! One row of the board's table, and which rows wait until the first have been painted.

use crate::site::format;
use serde::Serialize;

use crate::domain::config::Weights;
use crate::facts::RowFacts;
use crate::site::changes::Moves;

use super::baseline::{Delta, Mark, delta, marks};
use super::{fraction, interval, lift, rate, state_word};

/// Letters of a name in the table; its page has them all.
pub(super) const NAME: usize = 80;

#[derive(Debug, Serialize)]
pub(super) struct RowView {
    /// When it is laid out, as a class; empty for the first paint.
    later: &'static str,
    slug: String,
    rank: String,
    moved: String,
    moved_words: String,
    model: String,
    provider: String,
    name: String,
    /// Empty where the name starts with it.
    organization: String,
    /// `open` or `closed`; empty where unknown.
    weights: &'static str,
    flags: String,
    kind: String,
    status: &'static str,
    held_out: String,
    held_out_interval: String,
    plot: Plot,
    public: String,
    public_count: String,
    gap: String,
    gap_interval: String,
    overfit: bool,
    delta: Delta,
    tiers: Vec<String>,
    lift: String,
    lift_count: String,
    tokens: String,
    cost: String,
    marks: Vec<Mark>,
    state: &'static str,
    hash: String,
}

impl RowView {
    /// How wide each text is, about, that decides how wide a column is.
    fn widths(&self) -> Vec<usize> {
        let marks: usize = self.marks.iter().map(|mark| width(mark.word) + 4).sum();
        let second = width(&self.provider) + width(&self.flags);
        let texts = [
            &self.rank,
            &self.moved,
            &self.model,
            &self.held_out,
            &self.held_out_interval,
            &self.public,
            &self.public_count,
            &self.gap,
            &self.gap_interval,
            &self.delta.value,
            &self.delta.note,
            &self.lift,
            &self.lift_count,
            &self.tokens,
            &self.cost,
        ];
        let texts = texts.into_iter().chain(&self.tiers).map(|text| width(text));
        texts.chain([second, marks]).collect()
    }
}

/// Places on an axis of 100 units; empty where there is nothing to draw.
#[derive(Debug, Serialize)]
struct Plot {
    from: String,
    to: String,
    held_out: String,
    public: String,
}

/// The row as the table shows it.
pub(super) fn row_view(row: &RowFacts<'_>, moves: &Moves, tiers: &[String]) -> RowView {
    let at = |value: f64| {
        let text = format!("{:.1}", value * 100.0);
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    };
    let held_out = row.held_out;
    let held_out_interval = held_out.and_then(|score| score.interval);
    let (lift, lift_count) = lift(row).unwrap_or((format::NONE.to_owned(), String::new()));
    let (mark, in_words) = moves.for_row(row.row);
    RowView {
        later: "",
        slug: row.slug.clone(),
        rank: row.place.map_or_else(|| format::NONE.to_owned(), |p| format::range(p.low, p.high)),
        moved: mark,
        moved_words: in_words,
        model: format::truncate(&row.model, NAME),
        provider: row.provider.clone(),
        name: format::truncate(&row.name, NAME),
        organization: row.organization_shown().unwrap_or_default().to_owned(),
        weights: row.about.and_then(|about| about.weights).map(Weights::as_str).unwrap_or_default(),
        flags: row.flag_words().join(" · "),
        kind: format::clean(&row.row.kind),
        status: if held_out.is_some() { "ranked" } else { "pending" },
        held_out: held_out.map_or_else(|| "pending".to_owned(), rate),
        held_out_interval: held_out.map(interval).unwrap_or_default(),
        plot: Plot {
            from: held_out_interval.map(|i| at(i.low)).unwrap_or_default(),
            to: held_out_interval.map(|i| at(i.high)).unwrap_or_default(),
            held_out: held_out.map(|score| at(score.rate.value())).unwrap_or_default(),
            public: at(row.public.rate.value()),
        },
        public: rate(row.public),
        public_count: fraction(row.public.counts()),
        gap: row.gap.map_or_else(|| format::NONE.to_owned(), format::points),
        gap_interval: row.gap_interval.map(format::points_interval).unwrap_or_default(),
        overfit: row.is_overfit(),
        delta: delta(row),
        tiers: tiers.iter().map(|tier| tier_cell(row, tier)).collect(),
        lift,
        lift_count,
        tokens: row.tokens.map_or_else(|| format::NONE.to_owned(), format::amount),
        cost: row.cost.map(format::money).unwrap_or_default(),
        marks: marks(row),
        state: state_word(row.state),
        hash: row
            .row
            .run
            .recorded_bundle_sha16
            .chars()
            .filter(char::is_ascii_hexdigit)
            .take(12)
            .collect(),
    }
}

fn tier_cell(row: &RowFacts<'_>, tier: &str) -> String {
    let rate = || row.row.public.by_tier.get(tier).copied().map(format::percent);
    row.public_tier(tier).map(fraction).or_else(rate).unwrap_or_else(|| format::NONE.to_owned())
}

/// How wide a text is, in half letters, as far as one can tell without its font.
fn width(text: &str) -> usize {
    let half_letters = |letter: char| match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' => 1,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 3,
        letter if letter.is_ascii() => 2,
        _ => 3,
    };
    text.chars().map(half_letters).sum()
}

/// Leaves all rows behind the first `now` for later. A column is as wide as its widest cell: rows
/// with the widest texts already count for that before they show, or the table would jump.
pub(super) fn put_off(rows: &mut [&mut RowView], now: usize) {
    for row in &mut rows[now..] {
        row.later = "later";
    }
    let widths: Vec<_> = rows.iter().map(|row| row.widths()).collect();
    let columns = widths.first().map_or(0, Vec::len);
    for column in 0..columns {
        // Of rows with texts of one width the first.
        let widest = widths.iter().map(|row| row[column]).enumerate().rev();
        let widest = widest.max_by_key(|(_, width)| *width).map(|(at, _)| at);
        if let Some(at) = widest.filter(|at| *at >= now) {
            rows[at].later = "later widest";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_count_for_more_than_many_narrow_ones() {
        assert!(width(&"W".repeat(39)) > width(&"i".repeat(40)));
        assert!(width("模型") > width("ab"));
        assert_eq!(width(""), 0);
    }
}
