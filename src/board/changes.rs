//! What changed between two boards: header, rows, ranks, rates, gaps, and what made them change.
//!
//! Compares published values only, so it can never say more than the two boards do.
//! A rank that moved is not a change of the row: another row may be new.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::ranking::rank;
use super::{Board, HeldOut, Row};
use crate::domain::{Gap, Rate};

/// Everything that changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changes {
    /// Header values by key.
    pub header: BTreeMap<String, Pair<String>>,
    /// Whether rows of the two boards may be compared at all.
    pub comparable: bool,
    /// Rows that are new, in their order.
    pub added: Vec<RowSummary>,
    /// Rows that are gone, in their order.
    pub removed: Vec<RowSummary>,
    /// Rows that are in both and differ, in the new order.
    pub changed: Vec<RowChange>,
    /// How many rows are the same in both.
    pub unchanged: usize,
}

/// The old value and the new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pair<T> {
    /// In the old board.
    pub old: T,
    /// In the new board.
    pub new: T,
}

/// A row as it is in one board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowSummary {
    /// `provider:model`.
    pub row: String,
    /// Its position.
    pub rank: u64,
    /// The anchor.
    pub public: Rate,
    /// The headline; absent while pending.
    pub held_out: Option<Rate>,
    /// Anchor − headline.
    pub gap: Option<Gap>,
}

/// A row that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowChange {
    /// As it stood.
    pub old: RowSummary,
    /// The new value.
    pub new: RowSummary,
    /// What made it change, as far as the boards say.
    pub why: Vec<&'static str>,
}

impl Changes {
    /// What leads from `old` to `new`.
    pub fn between(old: &Board, new: &Board) -> Self {
        let (before, after) = (rows(old), rows(new));
        let only = |board: &Board, other: &BTreeMap<String, &Row>| {
            let gone = board.entries.iter().filter(|row| !other.contains_key(&row.id()));
            gone.map(RowSummary::from_row).collect::<Vec<_>>()
        };
        let mut changed = Vec::new();
        let mut unchanged = 0;
        for row in &new.entries {
            let Some(was) = before.get(&row.id()).copied() else { continue };
            if was == row {
                unchanged += 1;
            } else {
                let (old, new) = (RowSummary::from_row(was), RowSummary::from_row(row));
                changed.push(RowChange { old, new, why: reasons(was, row) });
            }
        }
        Self {
            header: header(old, new),
            comparable: old.eval_protocol_version == new.eval_protocol_version,
            added: only(new, &before),
            removed: only(old, &after),
            changed,
            unchanged,
        }
    }

    /// Whether the boards are the same.
    pub fn is_empty(&self) -> bool {
        self.header.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.changed.is_empty()
    }
}

/// Gives pending rows of `new` the headline that `old` has for the same row, and ranks again. A row
/// keeps its headline only where nothing it depends on changed: protocol, judge, votes, bundle.
pub fn keep_headlines(old: &Board, new: &mut Board) {
    if old.eval_protocol_version != new.eval_protocol_version {
        return;
    }
    let before = rows(old);
    for row in new.entries.iter_mut().filter(|row| row.held_out == HeldOut::Pending) {
        let Some(was) = before.get(&row.id()) else { continue };
        let ground = |row: &Row| {
            let run = &row.run;
            (run.recorded_bundle_sha16.clone(), run.judge_model.clone(), run.n_votes)
        };
        if ground(was) == ground(row) {
            row.held_out = was.held_out.clone();
            row.overfit_gap =
                was.held_out.rate().map(|rate| Gap::between(row.public.pass_rate, rate));
        }
    }
    let order = rank(new.entries.iter().map(|row| (row.held_out.rate(), row.model.as_str())));
    let mut ranked: Vec<Row> = order.into_iter().map(|at| new.entries[at].clone()).collect();
    for (row, rank) in ranked.iter_mut().zip(1..) {
        row.rank = rank;
    }
    new.entries = ranked;
}

fn rows(board: &Board) -> BTreeMap<String, &Row> {
    // The first of two equal names stays, as in a search from the top.
    board.entries.iter().rev().map(|row| (row.id(), row)).collect()
}

impl RowSummary {
    fn from_row(row: &Row) -> Self {
        Self {
            row: row.id(),
            rank: row.rank,
            public: row.public.pass_rate,
            held_out: row.held_out.rate(),
            gap: row.overfit_gap,
        }
    }
}

fn header(old: &Board, new: &Board) -> BTreeMap<String, Pair<String>> {
    let values = |board: &Board| {
        let mut values = BTreeMap::from([
            ("eval_protocol_version".to_owned(), board.eval_protocol_version.clone()),
            ("generated_at".to_owned(), board.generated_at.clone()),
            ("judge_model".to_owned(), board.judge_model.clone()),
        ]);
        for (name, block) in
            [("public_set", &board.public_set), ("held_out_set", &board.held_out_set)]
        {
            values.extend(block.iter().map(|(key, value)| {
                let text = serde_json::to_string(value).unwrap_or_default();
                (format!("{name}.{key}"), text.trim_matches('"').to_owned())
            }));
        }
        values
    };
    let (before, after) = (values(old), values(new));
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let value = |values: &BTreeMap<String, String>, key: &String| {
        values.get(key).cloned().unwrap_or_else(|| "nothing".to_owned())
    };
    keys.into_iter()
        .map(|key| (key.clone(), Pair { old: value(&before, key), new: value(&after, key) }))
        .filter(|(_, pair)| pair.old != pair.new)
        .collect()
}

fn reasons(old: &Row, new: &Row) -> Vec<&'static str> {
    let bundle = old.run.recorded_bundle_sha16 != new.run.recorded_bundle_sha16;
    let held_out = match (old.held_out.cell(), new.held_out.cell()) {
        (None, Some(_)) => Some("scored on the held-out set"),
        (Some(_), None) => Some("no longer scored on the held-out set"),
        (Some(a), Some(b)) if a.n_prompts != b.n_prompts => Some("another held-out set"),
        (Some(a), Some(b)) if a != b => Some("another held-out result"),
        _ => None,
    };
    let facts = [
        (bundle, "another public bundle"),
        (!bundle && old.public != new.public, "the same bundle scores otherwise"),
        (old.close_the_loop != new.close_the_loop, "another repair loop"),
        (old.run.judge_model != new.run.judge_model, "another judge"),
        (old.run.n_votes != new.run.n_votes, "another number of votes"),
        (old.run.tool_version != new.run.tool_version, "another program version"),
        (old.kind != new.kind, "another kind"),
        (old.run.submitted_by != new.run.submitted_by, "another submitter"),
        (!bundle && old.usage != new.usage, "another usage"),
    ];
    let mut why: Vec<&str> = held_out.into_iter().collect();
    why.extend(facts.iter().filter(|(is_so, _)| *is_so).map(|(_, words)| *words));
    if why.is_empty() && old.rank != new.rank {
        why.push("other rows moved");
    }
    why
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, board};

    fn row(model: &str, rank: u64, held_out: Option<usize>) -> Row {
        Row { rank, ..testing::row(model, 8, held_out) }
    }

    #[test]
    fn only_the_new_row_is_pending_beside_published_headlines() {
        let old = board(vec![row("b", 1, Some(9)), row("a", 2, Some(7)), row("c", 3, Some(1))]);
        let mut new = board(
            ["a", "b", "c", "d"]
                .into_iter()
                .zip(1..)
                .map(|(it, rank)| row(it, rank, None))
                .collect(),
        );
        new.entries[2].run.recorded_bundle_sha16 = "1".repeat(16);
        keep_headlines(&old, &mut new);
        let ranked: Vec<_> =
            new.entries.iter().map(|row| (&*row.model, row.rank, row.held_out.rate())).collect();
        let rate = |passed| Some(Rate::of(passed, 15));
        assert_eq!(ranked, [("b", 1, rate(9)), ("a", 2, rate(7)), ("c", 3, None), ("d", 4, None)]);
        assert_eq!(new.entries[0], old.entries[0]);
        let mut other = board(vec![row("a", 1, None)]);
        other.eval_protocol_version = "2".to_owned();
        keep_headlines(&old, &mut other);
        assert_eq!(other.entries[0].held_out, HeldOut::Pending);
    }

    #[test]
    fn equal_boards_have_no_changes() {
        let board = board(vec![row("a", 1, Some(7))]);
        let changes = Changes::between(&board, &board);
        assert!(changes.is_empty());
        assert_eq!(changes.unchanged, 1);
    }

    #[test]
    fn every_change_has_its_reason() {
        let old = board(vec![row("a", 1, Some(7)), row("b", 2, None), row("gone", 3, None)]);
        let mut new = board(vec![row("b", 1, Some(9)), row("a", 2, Some(7)), row("new", 3, None)]);
        new.eval_protocol_version = "2".to_owned();
        let changes = Changes::between(&old, &new);
        assert_eq!(changes.added[0].row, "demo:new");
        assert_eq!(changes.removed[0].row, "demo:gone");
        let why: Vec<_> = changes.changed.iter().map(|it| (&*it.new.row, &*it.why)).collect();
        assert_eq!(
            why,
            [
                ("demo:b", &["scored on the held-out set"][..]),
                ("demo:a", &["other rows moved"][..])
            ]
        );
        assert!(!changes.comparable);
        assert_eq!(changes.header["eval_protocol_version"].new, "2");
        let mut other = new.clone();
        other.entries[0].run.recorded_bundle_sha16 = "1".repeat(16);
        other.entries[1].public.pass_rate = Rate::of(9, 10);
        let changes = Changes::between(&new, &other);
        assert_eq!(changes.changed[0].why, ["another public bundle"]);
        assert_eq!(changes.changed[1].why, ["the same bundle scores otherwise"]);
    }
}
