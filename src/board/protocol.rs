//! Rows compare only within a protocol version, so its ground may not move under it.

use std::collections::BTreeSet;

use super::model::{Board, Row};
use crate::domain::{Code, Finding, FindingHint};

/// What differs between the board that is replaced and the new one although both carry the same
/// protocol version.
pub(super) fn protocol_changes(old: &Board, new: &Board, file: &str) -> Vec<Finding> {
    if old.eval_protocol_version != new.eval_protocol_version || is_other_board(old, new) {
        return Vec::new();
    }
    let set = |board: &Board, key: &str| {
        board.public_set.get(key).map(|value| serde_json::to_string(value).unwrap_or_default())
    };
    let votes = |board: &Board| board.entries.first().map(|row| row.run.n_votes.to_string());
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

/// Whether the example of `init` is replaced: no made-up row of `old` is left to compare with.
fn is_other_board(old: &Board, new: &Board) -> bool {
    let is_gone = |row: &Row| new.entries.iter().all(|kept| kept.id() != row.id());
    !old.entries.is_empty()
        && old.entries.iter().all(|row| row.kind == "illustrative" && is_gone(row))
}

/// Headlines the old board has and the new one has not. Without a held-out set (`is_refused`) they
/// would all be lost, which must be asked for.
pub(super) fn lost_headlines(
    old: &Board,
    new: &Board,
    file: &str,
    is_refused: bool,
) -> Option<Finding> {
    let headlines = |board: &Board| -> BTreeSet<String> {
        let scored = board.entries.iter().filter(|row| row.held_out.rate().is_some());
        scored.map(Row::id).collect()
    };
    let old = headlines(old);
    if is_refused {
        let lost = old.len();
        let what = format!("the build would replace {lost} scored headline(s) by pending ones");
        let help = "score them with the held-out set";
        let finding = Finding::new(Code::EHeld, file, "entries", what).help(help);
        let finding = finding.hint(FindingHint::AllHeadlinesLost);
        return (lost > 0).then_some(finding);
    }
    let kept = headlines(new);
    let pending: BTreeSet<String> =
        new.entries.iter().map(Row::id).filter(|id| !kept.contains(id)).collect();
    let lost = old.intersection(&pending).count();
    (lost > 0).then(|| {
        let what = format!("{lost} headline(s) of the board it replaces turn back to pending");
        let help = "score them again, or restore the board: `git checkout -- FILE`";
        let finding = Finding::new(Code::EHeld, file, "entries", what).note().help(help);
        finding.hint(FindingHint::HeadlinesLost)
    })
}
