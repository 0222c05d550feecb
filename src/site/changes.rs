//! What changed from one board to the next, in words, each change with its cause. Rates only: a
//! change is never told in prompts of the held-out set.

use serde::Serialize;

use crate::board::{Board, Changes, RowChange, RowSummary};
use crate::domain::{Rate, slug};
use crate::ledger::Withdraw;
use crate::site::format;

/// More changes of one board than this are counted on the page; `v1/history.json` has them all.
pub(super) const LISTED: usize = 100;

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
    /// What a reader must know before comparing with the board before; empty if nothing.
    pub(super) note: String,
    pub(super) changes: Vec<Change>,
    /// The first of them.
    pub(super) listed: usize,
    /// How many changes are not listed, in words; empty if all are.
    pub(super) more: String,
}

/// One change.
#[derive(Debug, Serialize)]
pub(super) struct Change {
    /// `added`, `removed`, `withdrawn`, `scored`, `changed`, `moved`, `board`.
    pub(super) kind: &'static str,
    pub(super) subject: String,
    /// The row's page, also of a row that is gone; empty for what is not a row.
    pub(super) slug: String,
    pub(super) text: String,
    /// What made it change, as far as boards and ledger say; empty if they do not.
    pub(super) cause: String,
}

/// The boards known so far, newest first; `boards` are oldest first, each with its hash.
pub(super) fn steps(boards: &[(&Board, String)], withdrawn: &[Withdraw]) -> Vec<Step> {
    let mut steps = Vec::new();
    for (at, (board, sha)) in boards.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| boards[before].0);
        let found = before.map(|before| Changes::between(before, board));
        let changes = found.as_ref().map(|found| told(found, withdrawn)).unwrap_or_default();
        let more = changes.len().saturating_sub(LISTED);
        steps.push(Step {
            date: format::date(&board.generated_at),
            stamp: format::clean(&board.generated_at),
            protocol: format::clean(&board.eval_protocol_version),
            sha: sha.clone(),
            short: sha.chars().take(12).collect(),
            models: format::count(board.entries.len(), "model"),
            first: before.is_none(),
            note: match found {
                Some(found) if !found.comparable => {
                    "A new protocol: rates and ranks do not compare with those of the board before."
                        .to_owned()
                }
                _ => String::new(),
            },
            changes,
            listed: LISTED,
            more: if more == 0 { String::new() } else { format::count(more, "more change") },
        });
    }
    steps.reverse();
    steps
}

fn told(found: &Changes, withdrawn: &[Withdraw]) -> Vec<Change> {
    let header = [("eval_protocol_version", "protocol"), ("judge_model", "judge")];
    let of_board = header.iter().filter_map(|(key, name)| {
        let pair = found.header.get(*key)?;
        let text = format!("{name} {} → {}", format::clean(&pair.old), format::clean(&pair.new));
        let (subject, slug) = ("The board".to_owned(), String::new());
        Some(Change { kind: "board", subject, slug, text, cause: String::new() })
    });
    let added = found.added.iter().map(|row| of_row("added", row, scores(row), String::new()));
    let changed = found.changed.iter().filter_map(|change| row_change(change, found.comparable));
    let removed = found.removed.iter().map(|row| {
        let text = format!("last shown with {}", scores(row));
        match withdrawn.iter().rfind(|line| format!("{}:{}", line.provider, line.model) == row.row)
        {
            Some(line) => of_row("withdrawn", row, text, format::clean(&line.reason)),
            None => of_row("removed", row, text, String::new()),
        }
    });
    of_board.chain(added).chain(changed).chain(removed).collect()
}

fn of_row(kind: &'static str, row: &RowSummary, text: String, cause: String) -> Change {
    let (provider, model) = row.row.split_once(':').unwrap_or_default();
    Change { kind, subject: format::clean(model), slug: slug(provider, model), text, cause }
}

fn headline(rate: Option<Rate>) -> String {
    rate.map_or_else(|| "pending".to_owned(), format::percent)
}

fn scores(row: &RowSummary) -> String {
    format!("public {}, held-out {}", format::percent(row.public), headline(row.held_out))
}

fn row_change(change: &RowChange, comparable: bool) -> Option<Change> {
    let (old, new) = (&change.old, &change.new);
    let mut parts = Vec::new();
    let mut kind = "moved";
    let is_ranked = old.held_out.is_some() && new.held_out.is_some();
    if comparable && is_ranked && old.rank != new.rank {
        let way = if new.rank < old.rank { "up" } else { "down" };
        parts.push(format!("{way} from place {} to {}", old.rank, new.rank));
    }
    if old.held_out != new.held_out {
        kind = if old.held_out.is_none() { "scored" } else { "changed" };
        parts.push(format!("held-out {} → {}", headline(old.held_out), headline(new.held_out)));
    }
    if old.public != new.public {
        kind = if kind == "scored" { kind } else { "changed" };
        parts.push(format!(
            "public {} → {}",
            format::percent(old.public),
            format::percent(new.public)
        ));
    }
    let is_other = |why: &&&str| **why != "other rows moved";
    if parts.is_empty() && change.why.iter().any(|why| is_other(&why)) {
        kind = "changed";
        parts.push("the same rates".to_owned());
    }
    (!parts.is_empty()).then(|| of_row(kind, new, parts.join(", "), change.why.join(", ")))
}
