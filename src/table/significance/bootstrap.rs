//! Rank intervals by paired bootstrap over prompts: integers only, so bit-identical everywhere.

use serde::Serialize;

use crate::domain::real;

/// The generator of every draw in this program.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "an endless source is not an iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, without rejection: the bias is below n/2^64. 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let wide = u128::from(self.next()) * (n as u128);
        usize::try_from(wide >> 64).unwrap_or_default()
    }
}

/// Where a row could stand if other prompts of the same kind had been drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RankInterval {
    /// The best rank, at 2.5 %.
    pub low: usize,
    /// The worst rank, at 97.5 %.
    pub high: usize,
    /// The share of draws in which the row is first, alone or not.
    pub first: f64,
}

/// Rank intervals of `rows`, each one outcome per prompt in one order for all, from `replicates`
/// draws. Rows shorter than the first are read as failing what they lack.
pub fn rank_bootstrap(rows: &[Vec<bool>], replicates: usize, seed: u64) -> Vec<RankInterval> {
    let prompts = rows.first().map_or(0, Vec::len);
    let mut random = SplitMix64::new(seed);
    let mut ranks = vec![Vec::with_capacity(replicates); rows.len()];
    let mut drawn = vec![0u32; prompts];
    for _ in 0..replicates {
        // One draw for all rows makes the test paired.
        drawn.fill(0);
        for _ in 0..prompts {
            drawn[random.below(prompts)] += 1;
        }
        let scores: Vec<u32> = rows
            .iter()
            .map(|row| {
                row.iter().zip(&drawn).map(|(&passed, &times)| u32::from(passed) * times).sum()
            })
            .collect();
        for (rank, score) in ranks.iter_mut().zip(&scores) {
            rank.push(1 + scores.iter().filter(|other| *other > score).count());
        }
    }
    ranks
        .into_iter()
        .map(|mut ranks| {
            ranks.sort_unstable();
            let at = |thousandths: usize| {
                let place = (replicates * thousandths).div_ceil(1000).saturating_sub(1);
                ranks.get(place).copied().unwrap_or(1)
            };
            let first = ranks.partition_point(|rank| *rank == 1);
            let share =
                if replicates == 0 { 0.0 } else { real(first as u64) / real(replicates as u64) };
            RankInterval { low: at(25), high: at(975), first: share }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_specified_one() {
        let mut random = SplitMix64::new(7);
        assert_eq!([random.next(), random.next()], [0x63cb_e1e4_5932_0dd7, 0x044c_3cd7_f43c_661c]);
        let mut random = SplitMix64::new(7);
        let drawn: Vec<usize> = (0..12).map(|_| random.below(12)).collect();
        assert_eq!(drawn, [4, 0, 10, 6, 5, 2, 5, 3, 1, 4, 1, 11]);
    }

    #[test]
    fn equal_rows_share_the_first_rank_and_nothing_is_nothing() {
        let rows = vec![vec![true, false], vec![true, false]];
        let intervals = rank_bootstrap(&rows, 100, 7);
        assert!(intervals.iter().all(|i| (i.low, i.high) == (1, 1) && i.first > 0.99));
        assert_eq!(rank_bootstrap(&[], 100, 7), []);
        assert_eq!(rank_bootstrap(&rows, 0, 7)[0].low, 1);
    }
}
