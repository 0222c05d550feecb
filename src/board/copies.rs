//! Rows that share most of their completions: one may be a copy of the other. The only definition of
//! a copy, for checks and pages.

use std::collections::BTreeSet;

use crate::board::Scored;
use crate::domain::config::Config;
use crate::domain::{Code, Finding, share};

/// From this share of equal completions on, two rows are called twins.
const TWIN_SHARE: f64 = 0.9;

/// Whether a row that shared none of the texts before `prompt` can still share enough of all.
fn may_be_twin(prompt: usize, of: usize) -> bool {
    prompt < of && share(of - prompt, of) >= TWIN_SHARE
}

/// A note for every row whose completions are mostly those of another row.
pub(super) fn twins(config: &Config, scored: &[Scored]) -> Vec<Finding> {
    let id = |row: &Scored| config.seeds[row.seed].id();
    let note = |Copied { one, other, shared, of }: Copied| {
        let (one, other) = (&scored[one], &scored[other]);
        let what =
            format!("rows `{}` and `{}` share {shared} of {of} completions", id(one), id(other));
        let file = config.seeds[other.seed].public_bundle.file("completions.json");
        Finding::new(Code::BTwin, file, "", what).note()
    };
    copied(scored.iter().map(|row| &row.texts[..])).into_iter().map(note).collect()
}

/// Two rows of which one may be a copy of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Copied {
    /// The row that comes first.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// Equal completions.
    pub shared: usize,
    /// All completions.
    pub of: usize,
}

/// The rows that are copies, by the digests of their completions in prompt order; a row without a
/// bundle has none. Of many copies of one text each is named beside the first.
pub fn copied<'d>(digests: impl Iterator<Item = &'d [u32]>) -> Vec<Copied> {
    pairs(&digests.collect::<Vec<_>>())
}

/// Twins differ in too few texts to differ in all of the first ones, so rows are compared only if
/// they share one of those. A row that is the twin of an earlier one is not compared with others: a
/// hundred copies are a hundred pairs, not five thousand.
fn pairs(rows: &[&[u32]]) -> Vec<Copied> {
    let mut found = BTreeSet::new();
    let mut texts: Vec<(u32, usize)> = Vec::with_capacity(rows.len());
    for prompt in 0.. {
        texts.clear();
        for (row, own) in rows.iter().enumerate() {
            if may_be_twin(prompt, own.len()) {
                texts.push((own[prompt], row));
            }
        }
        if texts.is_empty() {
            break;
        }
        texts.sort_unstable();
        for same in texts.chunk_by(|a, b| a.0 == b.0) {
            let mut originals: Vec<usize> = Vec::new();
            for (_, row) in same {
                match originals.iter().find_map(|one| twin(rows, *one, *row)) {
                    Some(pair) => {
                        found.insert(pair);
                    }
                    None => originals.push(*row),
                }
            }
        }
    }
    found.into_iter().collect()
}

fn twin(rows: &[&[u32]], one: usize, other: usize) -> Option<Copied> {
    let of = rows[other].len();
    let shared = rows[one].iter().zip(rows[other]).filter(|(one, other)| one == other).count();
    (share(shared, of) >= TWIN_SHARE).then_some(Copied { one, other, shared, of })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_shares_all_first_texts_does_not_hide_twins() {
        let text = |n: u32| n.wrapping_mul(0x9e37_79b9);
        let one: Vec<u32> = (0..51).map(text).collect();
        // It shares the six texts by which candidates are found, and no other.
        let shield: Vec<u32> = (0..51).map(|n| text(if n < 6 { n } else { n + 100 })).collect();
        let found = copied([&shield[..], &one, &one].into_iter());
        assert_eq!(found, [Copied { one: 1, other: 2, shared: 51, of: 51 }]);
    }

    #[test]
    fn nine_in_ten_are_a_copy_and_one_fewer_is_not() {
        let one: Vec<u32> = (0..50).map(|n: u32| n.wrapping_mul(0x9e37_79b9)).collect();
        let changed = |count: usize| {
            let own = |(at, text): (usize, &u32)| if at < count { !text } else { *text };
            one.iter().enumerate().map(own).collect::<Vec<u32>>()
        };
        assert_eq!(copied([&one[..], &changed(5)].into_iter()).len(), 1);
        assert_eq!(copied([&one[..], &changed(6)].into_iter()).len(), 0);
        assert_eq!(copied([&[][..], &[], &one].into_iter()), []);
    }
}
