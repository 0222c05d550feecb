//! Rows compare only within a protocol version, so its ground may not move under it.

use std::collections::BTreeSet;

use super::model::Board;
use super::ranking::Ranking;
use super::read::{read, read_row};
use crate::domain::config::SetHeader;
use crate::domain::{Code, Finding};
use crate::json;

/// What the rows of a board stand on, and which of them have a headline. All that is kept of the
/// board that is replaced while the rows of the new one are scored.
#[derive(Debug)]
pub struct Ground {
    eval_protocol_version: String,
    judge_model: String,
    public_set: SetHeader,
    n_votes: Option<u64>,
    /// Rows with a headline, as `provider:model`.
    headlines: BTreeSet<String>,
}

impl Ground {
    /// Of the board that `bytes` spell; `None` if they spell none. One row at a time is in memory.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (mut n_votes, mut headlines, mut is_board) = (None, BTreeSet::new(), true);
        let header = json::parse_elements(bytes, "entries", |row| {
            // After one that is no row the others do not matter, however many they are.
            let Some(row) = is_board.then(|| read_row(row)).flatten() else {
                is_board = false;
                return;
            };
            n_votes.get_or_insert(row.run.n_votes);
            headlines.extend(row.held_out.rate().map(|_| row.id()));
        });
        let board = read(&header.ok()?.root, "").ok().filter(|_| is_board);
        let Board { eval_protocol_version, judge_model, public_set, .. } = board?;
        Some(Self { eval_protocol_version, judge_model, public_set, n_votes, headlines })
    }

    pub(super) fn of(board: &Board<Ranking<'_>>) -> Self {
        let scored = board.entries.seeds().filter(|(_, has_headline)| *has_headline);
        Self {
            eval_protocol_version: board.eval_protocol_version.clone(),
            judge_model: board.judge_model.clone(),
            public_set: board.public_set.clone(),
            n_votes: board.entries.n_votes(),
            headlines: scored.map(|(seed, _)| seed.id()).collect(),
        }
    }
}

/// What differs between the board that is replaced and the new one although both carry the same
/// protocol version.
pub(super) fn protocol_changes(old: &Ground, new: &Ground, file: &str) -> Vec<Finding> {
    if old.eval_protocol_version != new.eval_protocol_version {
        return Vec::new();
    }
    let set = |ground: &Ground, key: &str| {
        ground.public_set.get(key).map(|value| serde_json::to_string(value).unwrap_or_default())
    };
    let votes = |ground: &Ground| ground.n_votes.map(|votes| votes.to_string());
    let pairs = [
        ("judge_model", Some(old.judge_model.clone()), Some(new.judge_model.clone())),
        ("public_set.sha256", set(old, "sha256"), set(new, "sha256")),
        ("public_set.n_prompts", set(old, "n_prompts"), set(new, "n_prompts")),
        ("entries[0].run.n_votes", votes(old), votes(new)),
    ];
    let changed = pairs.into_iter().filter_map(|(path, old, new)| Some((path, old?, new?)));
    changed
        .filter(|(_, old, new)| old != new)
        .map(|(path, before, after)| {
            let what = format!(
                "`{path}` changes from the board it replaces, under the same protocol version `{}`",
                old.eval_protocol_version
            );
            Finding::new(Code::EProtocol, file, path, what).sides(before, after)
        })
        .collect()
}

/// Headlines the old board has and the new one has not. Without a held-out set (`is_refused`) they
/// would all be lost, which must be asked for.
pub(super) fn lost_headlines(
    old: &Ground,
    rows: &Ranking<'_>,
    file: &str,
    is_refused: bool,
) -> Option<Finding> {
    if is_refused {
        let lost = old.headlines.len();
        let what = format!("the build would replace {lost} scored headline(s) by pending ones");
        let help = "pass `--held-out DIR` to score them, `--out -` or another `--out` to leave this board as it is, or `--drop-headlines` to lose them";
        let finding = Finding::new(Code::EHeld, file, "entries", what).help(help);
        return (lost > 0).then_some(finding);
    }
    let pending = rows.seeds().filter(|(_, has_headline)| !has_headline);
    let scored = rows.seeds().filter(|(_, has_headline)| *has_headline);
    let kept: BTreeSet<String> = scored.map(|(seed, _)| seed.id()).collect();
    let ids = pending.map(|(seed, _)| seed.id());
    let lost = ids.filter(|id| old.headlines.contains(id) && !kept.contains(id)).count();
    (lost > 0).then(|| {
        let what = format!("{lost} headline(s) of the board it replaces turn back to pending");
        let help =
            "pass `--held-out DIR` to score them, or restore the board: `git checkout -- FILE`";
        Finding::new(Code::EHeld, file, "entries", what).note().help(help)
    })
}
