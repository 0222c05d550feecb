//! Which rows repeat the completions of others: told beside the row, because a copy is no second
//! opinion.

use std::collections::BTreeMap;

use super::facts::{Flag, RowFacts};
use super::words;

/// Rows are searched for partly shared completions only on boards up to this size.
const SHARED_LIMIT: usize = 200;

/// Rows named in one sentence.
const NAMED: usize = 3;

/// Rows whose completions are those of another row, wholly or for the most part.
pub(super) fn flag(rows: &mut [RowFacts<'_>]) {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut same: BTreeMap<&[u64], Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        if let Some(replay) = row.replay.filter(|replay| !replay.texts.is_empty()) {
            same.entry(&replay.texts).or_default().push(at);
        }
    }
    for group in same.values().filter(|group| group.len() > 1) {
        for &at in group {
            let others: Vec<String> = group
                .iter()
                .filter(|&&o| o != at)
                .take(NAMED)
                .map(|&o| rows[o].model.clone())
                .collect();
            found.push((
                at,
                format!("Identical completions: word for word those of {}.", words::list(&others)),
            ));
        }
    }
    if rows.len() <= SHARED_LIMIT {
        for (at, row) in rows.iter().enumerate() {
            found.extend(mostly_shared(row, rows).map(|sentence| (at, sentence)));
        }
    }
    for (at, sentence) in found {
        rows[at].flags.push(Flag { word: "identical completions", sentence });
    }
}

/// Which other rows have more than half of the completions of `row`, those with most first.
fn mostly_shared(row: &RowFacts<'_>, rows: &[RowFacts<'_>]) -> Option<String> {
    let texts = &row.replay?.texts;
    let mut sharing: Vec<(usize, &str)> = rows
        .iter()
        .filter(|other| !std::ptr::eq(row, *other))
        .filter_map(|other| Some((other, &other.replay?.texts)))
        .filter(|(_, others)| *others != texts)
        .map(|(other, others)| {
            let shared = texts.iter().zip(others).filter(|(a, b)| a == b).count();
            (shared, other.model.as_str())
        })
        .filter(|(shared, _)| shared * 2 > texts.len())
        .collect();
    sharing.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let (most, _) = *sharing.first()?;
    let mut names: Vec<String> =
        sharing.iter().take(NAMED).map(|(_, model)| (*model).to_owned()).collect();
    if sharing.len() > NAMED {
        names.push(format!("{} more", sharing.len() - NAMED));
    }
    let (up_to, all) = (if sharing.len() > 1 { "up to " } else { "" }, texts.len());
    Some(format!(
        "Identical completions: {up_to}{most} of {all} are word for word those of {}.",
        words::list(&names)
    ))
}
