//! What changed from one board to the next, in words, each change with its cause. Rates only: a
//! change never counts prompts of the held-out set.

use std::collections::BTreeMap;

use serde::Serialize;

use super::trends::Known;
use crate::board::{Board, Changes, Row, RowChange, RowSummary};
use crate::domain::slug;
use crate::facts::{Score, places};
use crate::ledger::Withdraw;
use crate::site::format;

/// More changes of one board than this are counted on the page; `v1/history.json` has them all.
pub(super) const LISTED: usize = 100;

/// One board, and what changed since the one before it.
#[derive(Debug, Serialize)]
pub(super) struct BoardChanges {
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
    /// What happened, as the rest of a sentence after the subject.
    pub(super) text: String,
    /// What made it change, as far as boards and ledger say; empty if they do not.
    pub(super) cause: String,
}

/// The boards known so far, newest first; `boards` are oldest first, each with its hash.
pub(super) fn steps(
    boards: &[(&Board, String)],
    withdrawn: &[Withdraw],
    known: &BTreeMap<String, Known>,
) -> Vec<BoardChanges> {
    let mut steps = Vec::new();
    for (at, (board, sha)) in boards.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| boards[before].0);
        let writer = before.map(|before| ChangeWriter {
            old: standings(before),
            new: standings(board),
            found: Changes::between(before, board),
            known,
        });
        let changes = writer.as_ref().map(|writer| writer.changes(withdrawn)).unwrap_or_default();
        let more = changes.len().saturating_sub(LISTED);
        steps.push(BoardChanges {
            date: format::date(&board.generated_at),
            stamp: format::clean(&board.generated_at),
            protocol: format::clean(&board.eval_protocol_version),
            sha: sha.clone(),
            short: sha.chars().take(12).collect(),
            models: format::count(board.entries.len(), "model"),
            first: before.is_none(),
            note: match writer {
                Some(writer) if !writer.found.comparable => {
                    "A new protocol: scores and places do not compare with those of the board before."
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

type Standings = BTreeMap<String, (Option<(usize, String)>, String)>;

/// Two boards and what changed between them.
struct ChangeWriter<'b> {
    old: Standings,
    new: Standings,
    found: Changes,
    known: &'b BTreeMap<String, Known>,
}

impl ChangeWriter<'_> {
    fn changes(&self, withdrawn: &[Withdraw]) -> Vec<Change> {
        let header = [("eval_protocol_version", "protocol"), ("judge_model", "judge")];
        let of_board = header.iter().filter_map(|(key, name)| {
            let pair = self.found.header.get(*key)?;
            let (old, new) = (format::clean(&pair.old), format::clean(&pair.new));
            let text = format!("moved from {name} {old} to {new}");
            let (subject, slug) = ("The board".to_owned(), String::new());
            Some(Change { kind: "board", subject, slug, text, cause: String::new() })
        });
        let added = self.found.added.iter().map(|row| {
            let text = match self.new.get(&row.row) {
                Some((Some((place, score)), _)) => {
                    format!("entered at {} place with {score}", format::ordinal(*place))
                }
                Some((None, public)) => {
                    format!("entered with {public} on the public set; the private test is pending")
                }
                None => "entered".to_owned(),
            };
            self.of_row("added", row, text, String::new())
        });
        let changed = self.found.changed.iter().filter_map(|change| self.row_change(change));
        let removed = self.found.removed.iter().map(|row| {
            let score = match self.old.get(&row.row) {
                Some((Some((_, score)), _)) => format!("it had {score}"),
                Some((None, public)) => format!("it had {public} on the public set"),
                None => String::new(),
            };
            let of_row = |line: &&Withdraw| format!("{}:{}", line.provider, line.model) == row.row;
            match withdrawn.iter().rfind(of_row) {
                Some(line) => {
                    let text = format!("was withdrawn; {score}");
                    self.of_row("withdrawn", row, text, format::clean(&line.reason))
                }
                None => {
                    self.of_row("removed", row, format!("left the board; {score}"), String::new())
                }
            }
        });
        of_board.chain(added).chain(changed).chain(removed).collect()
    }

    /// What pages call a row.
    fn name(&self, id: &str) -> String {
        self.known.get(id).map_or_else(|| format::clean(id), |known| known.name.clone())
    }

    fn of_row(&self, kind: &'static str, row: &RowSummary, text: String, cause: String) -> Change {
        let (provider, model) = row.row.split_once(':').unwrap_or_default();
        Change { kind, subject: self.name(&row.row), slug: slug(provider, model), text, cause }
    }

    fn row_change(&self, change: &RowChange) -> Option<Change> {
        let id = &change.new.row;
        let (old, was_public) = self.old.get(id)?;
        let (new, is_public) = self.new.get(id)?;
        let cause: Vec<&str> = change.why.iter().filter_map(|why| cause_words(why)).collect();
        let (mut kind, mut text) = match (old, new) {
            (None, Some((place, score))) => {
                ("scored", format!("was scored: {} place with {score}", format::ordinal(*place)))
            }
            (Some((_, score)), None) => ("changed", format!("lost its private score of {score}")),
            (Some((from, was)), Some((to, is))) => {
                let way = if to < from { "rose" } else { "fell" };
                let moved = self.found.comparable && from != to;
                let (from_words, to_words) = (format::ordinal(*from), format::ordinal(*to));
                match (moved, was == is) {
                    (true, true) => {
                        let why = self.passed(id, from < to);
                        ("moved", format!("{way} from {from_words} to {to_words}{why}"))
                    }
                    (true, false) => {
                        ("changed", format!("{way} from {from_words} to {to_words}: {was} → {is}"))
                    }
                    (false, false) => ("changed", format!("went from {was} to {is}")),
                    (false, true) => ("moved", String::new()),
                }
            }
            (None, None) => ("moved", String::new()),
        };
        if was_public != is_public {
            kind = if kind == "scored" { kind } else { "changed" };
            let joint = if text.is_empty() { "has public score" } else { ", public" };
            text.push_str(&format!("{joint} {was_public} → {is_public}"));
        }
        if text.is_empty() && !cause.is_empty() {
            (kind, text) = ("changed", "keeps its scores".to_owned());
        }
        (!text.is_empty()).then(|| self.of_row(kind, &change.new, text, cause.join(", ")))
    }

    /// ` because X entered`: who made the row `id` move although its score did not change; empty if
    /// the boards do not say.
    fn passed(&self, id: &str, fell: bool) -> String {
        let place = |rows: &Standings, id: &str| rows.get(id)?.0.as_ref().map(|(place, _)| *place);
        let is_above = |rows: &Standings, other: &str| {
            place(rows, other).zip(place(rows, id)).is_some_and(|(other, own)| other < own)
        };
        // Those above it on the board where it is lower, but not on the other.
        let (with, without) = if fell { (&self.new, &self.old) } else { (&self.old, &self.new) };
        let moved = with.keys().filter(|other| is_above(with, other) && !is_above(without, other));
        let Some(other) = moved.min_by_key(|other| place(with, other)) else {
            return String::new();
        };
        let verb = match (fell, without.contains_key(other)) {
            (true, true) => "rose",
            (true, false) => "entered",
            (false, true) => "fell",
            (false, false) => "left",
        };
        format!(" because {} {verb}", self.name(other))
    }
}

/// Every row of a board by id: place and score, absent until it is scored, and the public score.
fn standings(board: &Board) -> Standings {
    let places = places(board);
    let standing = |row: &Row| {
        let score = Score::from_cell(row.held_out.cell()?);
        Some((*places.get(&row.id())?, format::whole_percent(score)))
    };
    let public = |row: &Row| format::whole_percent(Score::from_cell(&row.public));
    board.entries.iter().map(|row| (row.id(), (standing(row), public(row)))).collect()
}

/// A cause as `diff` words it, for readers of pages; `None` where the sentence already says it.
fn cause_words(why: &'static str) -> Option<&'static str> {
    Some(match why {
        "scored on the held-out set" | "other rows moved" => return None,
        "no longer scored on the held-out set" => "not scored on the private prompts any more",
        "another held-out set" => "new private prompts",
        "another held-out result" => "new private result",
        "another public bundle" => "new public run",
        "the same bundle scores otherwise" => "the same public run is scored differently",
        "another repair loop" => "new repair run",
        "another judge" => "new judge",
        "another number of votes" => "new number of votes",
        "another program version" => "new program version",
        "another submitter" => "new submitter",
        "another usage" => "new token counts",
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{board, row};

    #[test]
    fn a_row_that_moves_says_who_moved_it() {
        let named = |name: &str| Known { name: name.to_owned(), ..Known::default() };
        let known = ["a", "b", "c"].map(|name| (format!("demo:{name}"), named(name))).into();
        let sentences = |old: Vec<Row>, new: Vec<Row>| -> Vec<String> {
            let boards = [(&board(old), "a".to_owned()), (&board(new), "b".to_owned())];
            let newest = steps(&boards, &[], &known).remove(0);
            newest.changes.iter().map(|it| format!("{} {}", it.subject, it.text)).collect()
        };
        let ranked = |models: &[(&str, usize)]| -> Vec<Row> {
            let row = |(rank, (model, passed)): (u64, &(&str, usize))| Row {
                rank,
                ..row(model, 8, Some(*passed))
            };
            (1..).zip(models).map(row).collect()
        };
        let (two, three) =
            (ranked(&[("b", 9), ("a", 7)]), ranked(&[("c", 10), ("b", 9), ("a", 7)]));
        let entered = sentences(two.clone(), three.clone());
        assert!(entered[0].starts_with("c entered at 1st place with "), "{entered:?}");
        assert_eq!(
            entered[1..],
            [
                "b fell from 1st to 2nd because c entered",
                "a fell from 2nd to 3rd because c entered"
            ]
        );
        let left = sentences(three, two);
        assert_eq!(
            left[..2],
            ["b rose from 2nd to 1st because c left", "a rose from 3rd to 2nd because c left"]
        );
        // Equal counts share a place, whatever their rank.
        let tied = sentences(ranked(&[("b", 9), ("a", 9)]), ranked(&[("a", 9), ("b", 9)]));
        assert!(tied.is_empty(), "{tied:?}");
    }
}
