//! Rows compare only within a protocol version, so its ground may not move under it.

use super::model::Board;
use crate::domain::{Code, Finding};

/// What differs between the board that is replaced and the new one although both carry the same
/// protocol version.
pub fn protocol_changes(old: &Board, new: &Board, file: &str) -> Vec<Finding> {
    if old.eval_protocol_version != new.eval_protocol_version {
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
