//! Rows that share most of their completions: one may be a copy of the other. The only definition of
//! a copy, for checks and pages.

use std::collections::BTreeSet;

use crate::board::Scored;
use crate::domain::config::Config;
use crate::domain::{Code, Finding, share};

/// From this share of equal completions on, two rows are called twins.
const TWIN_SHARE: f64 = 0.9;

/// What is kept of a row's completions: a piece of the digest of each, in prompt order. Two texts
/// have the same piece by chance once in 65,536 times or less; most texts of two rows, never.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    pieces: Box<[u16]>,
    /// Pieces a text.
    width: usize,
}

impl Texts {
    /// Of the digests of the completions. The fewer lead to a twin, the more is kept of each: one
    /// that is alone must not look like that of a stranger.
    pub(super) fn of(digests: &[u64]) -> Self {
        const WHOLE: usize = 4;
        let of = digests.len();
        let leading = (0..of).take_while(|prompt| may_be_twin(*prompt, of)).count();
        let width = WHOLE.div_ceil(leading.max(1));
        let mut pieces = Vec::with_capacity(digests.len() * width);
        for digest in digests {
            let bytes = digest.to_le_bytes();
            let two = bytes.chunks_exact(2).take(width);
            pieces.extend(two.map(|two| u16::from_le_bytes([two[0], two[1]])));
        }
        Self { pieces: pieces.into(), width }
    }

    fn len(&self) -> usize {
        self.pieces.len().checked_div(self.width).unwrap_or_default()
    }

    fn iter(&self) -> impl Iterator<Item = &[u16]> {
        self.pieces.chunks_exact(self.width.max(1))
    }

    /// How many texts of the other are the same.
    fn shared(&self, other: &Self) -> usize {
        self.iter().zip(other.iter()).filter(|(one, other)| one == other).count()
    }

    /// The text at `prompt`, if it is one of the first, one of which every twin shares.
    fn leading(&self, prompt: usize) -> Option<&[u16]> {
        self.iter().nth(prompt).filter(|_| may_be_twin(prompt, self.len()))
    }
}

/// Whether a row that shared none of the texts before `prompt` can still share enough of all.
fn may_be_twin(prompt: usize, of: usize) -> bool {
    prompt < of && share(of - prompt, of) >= TWIN_SHARE
}

/// A note for every row that is the twin of another.
pub(super) fn twins(config: &Config, scored: &[Scored]) -> Vec<Finding> {
    let id = |row: &Scored| config.seeds[row.seed].id();
    let texts: Vec<&Texts> = scored.iter().map(|row| &row.texts).collect();
    let note = |Copied { one, other, shared, of }: Copied| {
        let (one, other) = (&scored[one], &scored[other]);
        let what =
            format!("rows `{}` and `{}` share {shared} of {of} completions", id(one), id(other));
        let file = config.seeds[other.seed].public_bundle.file("completions.json");
        Finding::new(Code::BTwin, file, "", what).note()
    };
    pairs(&texts).into_iter().map(note).collect()
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
pub fn copied<'d>(digests: impl Iterator<Item = &'d [u64]>) -> Vec<Copied> {
    let texts: Vec<Texts> = digests.map(Texts::of).collect();
    pairs(&texts.iter().collect::<Vec<_>>())
}

/// Twins differ in too few texts to differ in all of the first ones, so rows are compared only if
/// they share one of those. A row that is the twin of an earlier one is not compared with others: a
/// hundred copies are a hundred pairs, not five thousand.
fn pairs(rows: &[&Texts]) -> Vec<Copied> {
    let mut found = BTreeSet::new();
    let mut texts: Vec<(&[u16], usize)> = Vec::with_capacity(rows.len());
    for prompt in 0.. {
        texts.clear();
        for (row, own) in rows.iter().enumerate() {
            texts.extend(own.leading(prompt).zip(Some(row)));
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

fn twin(rows: &[&Texts], one: usize, other: usize) -> Option<Copied> {
    let (shared, of) = (rows[one].shared(rows[other]), rows[other].len());
    (share(shared, of) >= TWIN_SHARE).then_some(Copied { one, other, shared, of })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart_by_what_is_kept_of_them() {
        let digests: Vec<u64> =
            (0..51).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut other = digests.clone();
        other[3] += 1;
        other[50] ^= 7;
        let (one, other) = (Texts::of(&digests), Texts::of(&other));
        assert_eq!((one.len(), one.shared(&one), one.shared(&other)), (51, 51, 49));
        assert!(one.leading(5).is_some() && one.leading(6).is_none());
        assert_eq!(one.width, 1);
    }

    #[test]
    fn a_stranger_whose_first_text_looks_alike_does_not_hide_twins() {
        for prompts in [4, 5, 9] {
            let texts = |first: u64| {
                let rest = (1..prompts).map(|n: u64| (n + first).wrapping_mul(0x9e37_79b9));
                Texts::of(&[first].into_iter().chain(rest).collect::<Vec<_>>())
            };
            let (stranger, one, copy) = (texts(7), texts(7 | 1 << 40), texts(7 | 1 << 40));
            let found = pairs(&[&stranger, &one, &copy]);
            let found: Vec<_> = found.iter().map(|pair| (pair.one, pair.other)).collect();
            assert_eq!(found, [(1, 2)], "{prompts} prompts");
        }
    }

    #[test]
    fn a_row_that_shares_all_first_texts_does_not_hide_twins() {
        let text = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let one: Vec<u64> = (0..51).map(text).collect();
        // It shares the six texts by which candidates are found, and no other.
        let shield: Vec<u64> = (0..51).map(|n| text(if n < 6 { n } else { n + 100 })).collect();
        let found = copied([&shield[..], &one, &one].into_iter());
        assert_eq!(found, [Copied { one: 1, other: 2, shared: 51, of: 51 }]);
    }

    #[test]
    fn nine_in_ten_are_a_copy_and_one_fewer_is_not() {
        let one: Vec<u64> = (0..50).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let changed = |count: usize| {
            let own = |(at, text): (usize, &u64)| if at < count { !text } else { *text };
            one.iter().enumerate().map(own).collect::<Vec<u64>>()
        };
        assert_eq!(copied([&one[..], &changed(5)].into_iter()).len(), 1);
        assert_eq!(copied([&one[..], &changed(6)].into_iter()).len(), 0);
        assert_eq!(copied([&[][..], &[], &one].into_iter()), []);
    }

    #[test]
    fn a_set_of_few_prompts_keeps_whole_digests() {
        // They differ in the last bits only.
        let one = Texts::of(&[1 << 63]);
        assert_eq!((one.len(), one.shared(&Texts::of(&[1 << 62])), one.shared(&one)), (1, 0, 1));
        let two = Texts::of(&[1 << 31, 2]);
        assert_eq!((two.len(), two.shared(&Texts::of(&[1 << 30, 2]))), (2, 1));
        let none = Texts::of(&[]);
        assert_eq!((none.len(), none.shared(&none), none.leading(0)), (0, 0, None));
    }
}
