//! All rows against all: corrected p values, the ranks they support, and what could be found.

use serde::Serialize;

use super::{ALPHA, Z95, mcnemar};
use crate::domain::real;

/// Two rows on the same prompts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Pair {
    /// Index of the first row.
    pub a: usize,
    /// Index of the second row.
    pub b: usize,
    /// Prompts that only the first passes.
    pub only_a: u64,
    /// Prompts that only the second passes.
    pub only_b: u64,
    /// Exact McNemar p.
    pub p: f64,
    /// The p-value after Holm's correction over all pairs.
    pub p_holm: f64,
}

impl Pair {
    /// The row that is better beyond luck, if one is.
    pub fn winner(&self) -> Option<usize> {
        let better = if self.only_a > self.only_b { self.a } else { self.b };
        (self.p_holm <= ALPHA).then_some(better)
    }
}

/// Every pair of rows; a row holds one outcome per prompt, in one order for all.
pub fn pairs(rows: &[Vec<bool>]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, first) in rows.iter().enumerate() {
        for (b, second) in rows.iter().enumerate().skip(a + 1) {
            let only = |x: &[bool], y: &[bool]| {
                x.iter().zip(y).filter(|(x, y)| **x && !**y).count() as u64
            };
            let (only_a, only_b) = (only(first, second), only(second, first));
            pairs.push(Pair { a, b, only_a, only_b, p: mcnemar(only_a, only_b), p_holm: 1.0 });
        }
    }
    let corrected = holm(&pairs.iter().map(|pair| pair.p).collect::<Vec<_>>());
    for (pair, p) in pairs.iter_mut().zip(corrected) {
        pair.p_holm = p;
    }
    pairs
}

/// One plus the number of rows that are better beyond luck. Several rows share a rank, and the
/// relation is not transitive; both are right.
pub fn stat_ranks(rows: usize, pairs: &[Pair]) -> Vec<usize> {
    let mut ranks = vec![1; rows];
    for pair in pairs {
        if let Some(winner) = pair.winner() {
            ranks[if winner == pair.a { pair.b } else { pair.a }] += 1;
        }
    }
    ranks
}

/// Holm's correction: family-wise, so a ranking claim may rest on it. In the order given.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![1.0; p.len()];
    let mut highest: f64 = 0.0;
    for (place, &index) in order.iter().enumerate() {
        highest = highest.max((real((p.len() - place) as u64) * p[index]).min(1.0));
        corrected[index] = highest;
    }
    corrected
}

/// Which of `p` the Benjamini–Hochberg procedure rejects at the false discovery rate `alpha`, in the
/// order given.
pub fn benjamini_hochberg(p: &[f64], alpha: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let tests = real(p.len() as u64);
    let is_small = |place: usize| p[order[place]] <= real(place as u64 + 1) / tests * alpha;
    let rejections = (0..p.len()).rev().find(|place| is_small(*place)).map_or(0, |last| last + 1);
    let mut rejected = vec![false; p.len()];
    for &index in &order[..rejections] {
        rejected[index] = true;
    }
    rejected
}

/// The smallest lead, in prompts, that could ever count among `rows` rows on `prompts` shared
/// prompts after Holm's correction; `None` if none could.
pub(crate) fn smallest_lead(prompts: u64, rows: u64) -> Option<u64> {
    let comparisons = real((rows * rows.saturating_sub(1) / 2).max(1));
    (1..=prompts).find(|&lead| super::best_case_mcnemar(lead, 0) * comparisons <= ALPHA)
}

/// How many shared prompts find a difference with 80 % power, when `only_a` and `only_b` are the
/// shares of prompts that only one of the two passes; `None` if there is no difference.
pub fn prompts_needed(only_a: f64, only_b: f64) -> Option<f64> {
    /// The 80 % point of the normal distribution.
    const Z_POWER: f64 = 0.841_621_233_572_914_3;
    let (d, discordant) = (only_a - only_b, only_a + only_b);
    let needed =
        ((Z95 * discordant.sqrt() + Z_POWER * (discordant - d * d).sqrt()) / d).powi(2).ceil();
    needed.is_finite().then_some(needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_prompts_find_almost_nothing() {
        assert_eq!(smallest_lead(12, 2), Some(6));
        assert_eq!(smallest_lead(12, 4), Some(8));
        assert_eq!(smallest_lead(12, 10), Some(11));
        assert_eq!(smallest_lead(5, 2), None);
        assert_eq!(prompts_needed(0.2, 0.2), None);
    }

    #[test]
    fn holm_keeps_the_order_given_and_never_falls() {
        assert_eq!(holm(&[]), Vec::<f64>::new());
        let corrected = holm(&[0.04, 0.01, 0.03]);
        assert!(corrected[1] <= corrected[2] && corrected[2] <= corrected[0]);
    }
}
