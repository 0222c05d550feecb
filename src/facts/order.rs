//! Which rows the held-out counts can tell apart, from the published numbers alone.
//!
//! A row is above another only if it passes more prompts and both the best-case McNemar test and
//! Fisher's test say so at 5 % after Holm's correction over all pairs of rows.
//! Most boards are one tied group, and that is the honest answer.

use std::collections::BTreeMap;

use crate::table::significance::{ALPHA, best_case_mcnemar, fisher};

/// The ranks a row may hold, both ends inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankRange {
    /// One plus the rows shown to be better.
    pub low: usize,
    /// All rows less those shown to be worse.
    pub high: usize,
}

// Passed and total.
type Counts = (u64, u64);

/// The ranks that rows may hold which passed `(passed, total)` held-out prompts, one per row.
///
/// Rows scored on sets of different sizes are never compared. Works on distinct scores, so
/// ten thousand rows cost no more than the square of the number of different scores.
pub(super) fn rank_ranges(scores: &[Counts]) -> Vec<RankRange> {
    let mut rows_at: BTreeMap<Counts, usize> = BTreeMap::new();
    for score in scores {
        *rows_at.entry(*score).or_default() += 1;
    }
    let (mut pairs, mut best_case, mut exact) = (Vec::new(), Vec::new(), Vec::new());
    for (&worse, &worse_rows) in &rows_at {
        for (&better, &better_rows) in rows_at.range(worse..).skip(1) {
            if worse.1 == better.1 {
                pairs.push((worse, better));
                let repeats = worse_rows * better_rows;
                best_case.push((best_case_mcnemar(worse.0, better.0), repeats));
                exact.push((fisher(worse, better), repeats));
            }
        }
    }
    let family = scores.len() * scores.len().saturating_sub(1) / 2;
    let best_case = holm_with_repeats(&best_case, family);
    let exact = holm_with_repeats(&exact, family);
    let (mut above, mut below) = (BTreeMap::new(), BTreeMap::new());
    for ((worse, better), (first, second)) in pairs.into_iter().zip(best_case.iter().zip(exact)) {
        if *first <= ALPHA && second <= ALPHA {
            *above.entry(worse).or_insert(0) += rows_at[&better];
            *below.entry(better).or_insert(0) += rows_at[&worse];
        }
    }
    let place = |score: &Counts| RankRange {
        low: 1 + above.get(score).copied().unwrap_or_default(),
        high: scores.len() - below.get(score).copied().unwrap_or_default(),
    };
    scores.iter().map(place).collect()
}

/// Holm's correction where each p counts for several equal ones, in a family of `family` tests;
/// the tests that are left out have p = 1.
fn holm_with_repeats(p: &[(f64, usize)], family: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].0.total_cmp(&p[b].0));
    let mut adjusted = vec![1.0; p.len()];
    let (mut before, mut highest) = (0, 0.0_f64);
    for at in order {
        #[expect(clippy::cast_precision_loss, reason = "pairs of rows stay far below 2^53")]
        let factor = (family - before) as f64;
        highest = highest.max((factor * p[at].0).min(1.0));
        adjusted[at] = highest;
        before += p[at].1;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::significance::holm;

    fn ranges(scores: &[(u64, u64)]) -> Vec<(usize, usize)> {
        rank_ranges(scores).iter().map(|place| (place.low, place.high)).collect()
    }

    #[test]
    fn a_dozen_prompts_separate_almost_no_models() {
        assert_eq!(ranges(&[(10, 12), (9, 12), (5, 12), (3, 12)]), [(1, 4); 4]);
        assert_eq!(ranges(&[(12, 12), (1, 12)]), [(1, 1), (2, 2)]);
    }

    #[test]
    fn many_prompts_make_groups() {
        let scores = [(109, 120), (105, 120), (75, 120), (20, 120)];
        assert_eq!(ranges(&scores), [(1, 2), (1, 2), (3, 3), (4, 4)]);
    }

    #[test]
    fn sets_of_different_sizes_are_not_compared() {
        assert_eq!(ranges(&[(12, 12), (0, 120)]), [(1, 2), (1, 2)]);
        assert_eq!(ranges(&[]), []);
    }

    #[test]
    fn repeats_count_as_tests_of_their_own() {
        let repeated = holm_with_repeats(&[(0.01, 2), (0.02, 1)], 3);
        assert_eq!(repeated, [holm(&[0.01, 0.01, 0.02])[0], holm(&[0.01, 0.01, 0.02])[2]]);
    }
}
