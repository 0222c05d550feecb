//! What changed from one board to the next, in words. Rates only: a change is never told in
//! prompts of the held-out set.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::board::{Board, HeldOut, Row};

use super::slug::slug;
use super::words;

/// One board, and what changed since the one before it.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    pub(super) date: String,
    pub(super) stamp: String,
    pub(super) protocol: String,
    pub(super) sha: String,
    pub(super) short: String,
    pub(super) models: String,
    pub(super) first: bool,
    pub(super) changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Serialize)]
pub(super) struct Change {
    /// `added`, `removed`, `scored`, `changed`, `board`.
    pub(super) kind: &'static str,
    pub(super) subject: String,
    /// The row's page, also of a row that is gone; empty for what is not a row.
    pub(super) slug: String,
    pub(super) text: String,
}

/// The boards known so far, newest first; `boards` are oldest first, each with its hash.
pub(super) fn steps(boards: &[(&Board, String)]) -> Vec<Step> {
    let mut steps = Vec::new();
    for (at, (board, sha)) in boards.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| boards[before].0);
        let changes = before.map(|before| differences(before, board)).unwrap_or_default();
        steps.push(Step {
            date: words::date(&board.generated_at),
            stamp: words::clean(&board.generated_at),
            protocol: words::clean(&board.eval_protocol_version),
            sha: sha.clone(),
            short: sha.chars().take(12).collect(),
            models: words::count(board.entries.len(), "model"),
            first: before.is_none(),
            changes,
        });
    }
    steps.reverse();
    steps
}

fn differences(old: &Board, new: &Board) -> Vec<Change> {
    let mut changes = Vec::new();
    let header = [
        ("protocol", &old.eval_protocol_version, &new.eval_protocol_version),
        ("judge", &old.judge_model, &new.judge_model),
    ];
    for (name, before, after) in header {
        if before != after {
            let text = format!("{name} {} → {}", words::clean(before), words::clean(after));
            let subject = "The board".to_owned();
            changes.push(Change { kind: "board", subject, slug: String::new(), text });
        }
    }
    let known = rows(old);
    let mut change = |row: &Row, kind, text| {
        let (subject, slug) = (words::clean(&row.model), slug(&row.provider, &row.model));
        changes.push(Change { kind, subject, slug, text });
    };
    for row in &new.entries {
        match known.get(&row.id()) {
            None => change(row, "added", score_text(row)),
            Some(before) => {
                if let Some((kind, text)) = row_change(before, row) {
                    change(row, kind, text);
                }
            }
        }
    }
    let kept = rows(new);
    for row in old.entries.iter().filter(|row| !kept.contains_key(&row.id())) {
        change(row, "removed", format!("last shown with {}", score_text(row)));
    }
    changes
}

fn rows(board: &Board) -> BTreeMap<String, &Row> {
    board.entries.iter().map(|row| (row.id(), row)).collect()
}

fn headline(row: &Row) -> String {
    row.held_out.rate().map_or_else(|| "pending".to_owned(), words::percent)
}

fn score_text(row: &Row) -> String {
    format!("public {}, held-out {}", words::percent(row.public.pass_rate), headline(row))
}

fn row_change(before: &Row, after: &Row) -> Option<(&'static str, String)> {
    let mut parts = Vec::new();
    let mut kind = "changed";
    if before.held_out.rate() != after.held_out.rate() {
        if before.held_out == HeldOut::Pending {
            kind = "scored";
        }
        parts.push(format!("held-out {} → {}", headline(before), headline(after)));
    }
    if before.public.pass_rate != after.public.pass_rate {
        let rate = |row: &Row| words::percent(row.public.pass_rate);
        parts.push(format!("public {} → {}", rate(before), rate(after)));
    }
    if before.run.recorded_bundle_sha16 != after.run.recorded_bundle_sha16 {
        parts.push("another bundle".to_owned());
    }
    (!parts.is_empty()).then(|| (kind, parts.join(", ")))
}

/// How ranks moved since the board before.
#[derive(Debug, Default)]
pub(super) struct Moves {
    /// Position on the board before, of rows that were ranked; `None` if there was no board
    /// before under this protocol.
    before: Option<BTreeMap<String, u64>>,
}

impl Moves {
    /// Ranks compare only within one protocol version.
    pub(super) fn since(before: Option<&Board>, now: &Board) -> Self {
        let before = before
            .filter(|before| before.eval_protocol_version == now.eval_protocol_version)
            .map(|before| {
                let ranked = before.entries.iter().filter(|row| row.held_out.rate().is_some());
                ranked.map(|row| (row.id(), row.rank)).collect()
            });
        Self { before }
    }

    /// A mark and the same in words; both empty if nothing moved.
    pub(super) fn of(&self, row: &Row) -> (String, String) {
        let nothing = (String::new(), String::new());
        let (Some(before), Some(_)) = (&self.before, row.held_out.rate()) else { return nothing };
        match before.get(&row.id()).map(|rank| (*rank, rank.abs_diff(row.rank))) {
            None => ("new".to_owned(), "newly ranked".to_owned()),
            Some((_, 0)) => nothing,
            Some((rank, by)) if rank > row.rank => (format!("▲{by}"), format!("up {by} in order")),
            Some((_, by)) => (format!("▼{by}"), format!("down {by} in order")),
        }
    }
}
