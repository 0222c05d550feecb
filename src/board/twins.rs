//! Rows that share most of their completions: one may be a copy of the other.

use std::collections::BTreeSet;

use super::build::Scored;
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
    let is_twin = |(one, other): &(usize, usize)| {
        let (one, other) = (&scored[*one].texts, &scored[*other].texts);
        share(one.shared(other), other.len()) >= TWIN_SHARE
    };
    let id = |row: &Scored| config.seeds[row.seed].id();
    let texts: Vec<&Texts> = scored.iter().map(|row| &row.texts).collect();
    let pairs = candidates(&texts).into_iter().filter(is_twin);
    pairs
        .map(|(one, other)| {
            let (one, other) = (&scored[one], &scored[other]);
            let (count, of) = (one.texts.shared(&other.texts), other.texts.len());
            let what =
                format!("rows `{}` and `{}` share {count} of {of} completions", id(one), id(other));
            let file = config.seeds[other.seed].public_bundle.file("completions.json");
            Finding::new(Code::BTwin, file, "", what).note()
        })
        .collect()
}

/// Pairs that share one of the first texts. Twins do: they differ in too few to differ in all of
/// those.
fn candidates(rows: &[&Texts]) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
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
            // Against the first holder only: a hundred copies are a hundred pairs, not five thousand.
            pairs.extend(same[1..].iter().map(|(_, copy)| (same[0].1, *copy)));
        }
    }
    pairs
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
            let pairs = candidates(&[&stranger, &one, &copy]);
            assert_eq!(pairs, BTreeSet::from([(1, 2)]), "{prompts} prompts");
        }
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
