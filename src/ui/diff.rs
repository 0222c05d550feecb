//! Words what changed between two boards.

use crate::board::{Changes, RowSummary};
use crate::domain::{Rate, escape};

/// Lines for a person.
pub fn human(changes: &Changes) -> String {
    if changes.is_empty() {
        return format!("no change: {} row(s) are the same\n", changes.unchanged);
    }
    let mut lines = String::new();
    if !changes.comparable {
        lines += "the boards have different protocol versions: rates of the two do not compare\n";
    }
    for (key, pair) in &changes.header {
        lines += &format!("header   {key}: {} -> {}\n", escape(&pair.old), escape(&pair.new));
    }
    for (word, rows) in [("added", &changes.added), ("removed", &changes.removed)] {
        for row in rows {
            lines += &format!("{word:8} {}\n", escape(&standing(row)));
        }
    }
    for change in &changes.changed {
        let (old, new) = (&change.old, &change.new);
        let mut facts = Vec::new();
        facts.extend(moved("rank", &old.rank.to_string(), &new.rank.to_string()));
        facts.extend(moved("public", &old.public.to_string(), &new.public.to_string()));
        facts.extend(moved("held-out", &rate(old.held_out), &rate(new.held_out)));
        facts.extend(moved("gap", &gap(old), &gap(new)));
        let why = change.why.join(", ");
        lines += &format!("changed  {}: {} ({why})\n", escape(&new.row), facts.join(", "));
    }
    lines + &format!("{} row(s) are the same\n", changes.unchanged)
}

/// A table for a pull request.
pub fn markdown(changes: &Changes) -> String {
    if changes.is_empty() {
        return format!("No change: {} row(s) are the same.\n", changes.unchanged);
    }
    let mut text = String::new();
    if !changes.comparable {
        text += "The boards have different protocol versions: rates of the two do not compare.\n\n";
    }
    text += "| row | rank | public | held-out | gap | why |\n|---|---|---|---|---|---|\n";
    let one = |row: &RowSummary, why: &str| {
        let (public, held_out) = (row.public.to_string(), rate(row.held_out));
        line(&[&row.row, &row.rank.to_string(), &public, &held_out, &gap(row), why])
    };
    changes.added.iter().for_each(|row| text += &one(row, "added"));
    for change in &changes.changed {
        let (old, new) = (&change.old, &change.new);
        let both = |old: String, new: String| {
            if old == new { new } else { format!("{old} → {new}") }
        };
        text += &line(&[
            &new.row,
            &both(old.rank.to_string(), new.rank.to_string()),
            &both(old.public.to_string(), new.public.to_string()),
            &both(rate(old.held_out), rate(new.held_out)),
            &both(gap(old), gap(new)),
            &change.why.join(", "),
        ]);
    }
    changes.removed.iter().for_each(|row| text += &one(row, "removed"));
    text += &format!("\n{} row(s) are the same.\n", changes.unchanged);
    for (key, pair) in &changes.header {
        text += &format!("- `{}`: {} → {}\n", cell(key), cell(&pair.old), cell(&pair.new));
    }
    text
}

fn line(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Text that stays text in Markdown and inside one cell.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for character in escape(text).chars() {
        if "\\`*_[]<>|&#!~@".contains(character) {
            out.push_str(&format!("&#{};", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out
}

fn moved(what: &str, old: &str, new: &str) -> Option<String> {
    (old != new).then(|| format!("{what} {old} -> {new}"))
}

fn standing(row: &RowSummary) -> String {
    let held_out = rate(row.held_out);
    format!("{}: rank {}, public {}, held-out {held_out}", row.row, row.rank, row.public)
}

fn rate(rate: Option<Rate>) -> String {
    rate.map_or_else(|| "pending".to_owned(), |rate| rate.to_string())
}

fn gap(row: &RowSummary) -> String {
    row.gap.map_or_else(|| "–".to_owned(), |gap| gap.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_stays_text_in_markdown() {
        assert_eq!(cell("a|b<i>"), "a&#124;b&#60;i&#62;");
        assert_eq!(cell("openai/gpt-4.1"), "openai/gpt-4.1");
    }
}
