//! The coefficients, and why one may be undefined.

use std::fmt;

use super::super::summary::{mean, real};
use super::kendall::{count, mean_share};
use super::method::Base;

/// Why there is no coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// Fewer than three runs.
    TooFew(usize),
    /// The truth gives all runs the same value.
    TruthConstant,
    /// The judge gives all runs the same value.
    JudgeConstant,
    /// A value is infinite.
    Infinite,
    /// The two sides are of different length.
    Unequal,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew(n) => write!(f, "only {n} runs, 3 are needed"),
            Self::TruthConstant => f.write_str("the truth gives every run the same value"),
            Self::JudgeConstant => f.write_str("the judge gives every run the same value"),
            Self::Infinite => f.write_str("a value is infinite"),
            Self::Unequal => f.write_str("the two sides have different runs"),
        }
    }
}

#[expect(clippy::float_cmp, reason = "ties are exact equality")]
fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

/// The coefficient of truth and judge, run by run.
///
/// ```
/// use gmat_leaderboard::table::correlate::{Base, Undefined, coefficient};
///
/// let truth = [0.9, 0.7, 0.5, 0.1];
/// assert_eq!(coefficient(Base::TauB, &truth, &[4.0, 3.0, 2.0, 1.0]), Ok(1.0));
/// assert_eq!(coefficient(Base::TauB, &truth, &[1.0; 4]), Err(Undefined::JudgeConstant));
/// ```
pub fn coefficient(base: Base, truth: &[f64], judge: &[f64]) -> Result<f64, Undefined> {
    if truth.len() != judge.len() {
        return Err(Undefined::Unequal);
    }
    if truth.len() < 3 {
        return Err(Undefined::TooFew(truth.len()));
    }
    if is_constant(truth) {
        return Err(Undefined::TruthConstant);
    }
    if is_constant(judge) {
        return Err(Undefined::JudgeConstant);
    }
    let value = upstream_coefficient(base, truth, judge);
    if value.is_finite() { Ok(value) } else { Err(Undefined::Infinite) }
}

/// The coefficient as one older program gives it: NaN where it is undefined, except for AP
/// correlation, which is −0.5 or 0 where a side is constant.
#[expect(clippy::cast_precision_loss, reason = "counts of pairs stay far below 2^53")]
pub fn upstream_coefficient(base: Base, a: &[f64], b: &[f64]) -> f64 {
    match base {
        Base::TauB => {
            let pairs = count(a, b);
            let scale = ((pairs.all - pairs.tied_a) as f64) * ((pairs.all - pairs.tied_b) as f64);
            if scale == 0.0 { f64::NAN } else { pairs.balance as f64 / scale.sqrt() }
        }
        Base::TauA => {
            let pairs = count(a, b);
            if pairs.all == 0 { f64::NAN } else { pairs.balance as f64 / pairs.all as f64 }
        }
        Base::TauApB => {
            let half =
                |x: &[f64], y: &[f64]| mean_share(x, y).map_or(0.0, |share| 2.0 * share - 1.0);
            f64::midpoint(half(a, b), half(b, a))
        }
        Base::Spearman => pearson(&average_ranks(a), &average_ranks(b)),
        Base::Pearson => pearson(a, b),
    }
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    if is_constant(a) || is_constant(b) {
        return f64::NAN;
    }
    let (Some(mean_a), Some(mean_b)) = (mean(a), mean(b)) else { return f64::NAN };
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x - mean_a, y - mean_b);
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    (ab / (aa.sqrt() * bb.sqrt())).clamp(-1.0, 1.0)
}

/// Ranks from 1, the least first; equal values share the mean of theirs.
#[expect(clippy::float_cmp, reason = "ties are exact equality")]
pub fn average_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for group in order.chunk_by(|&i, &j| values[i] == values[j]) {
        let shared = real(before) + f64::midpoint(1.0, real(group.len()));
        for &item in group {
            ranks[item] = shared;
        }
        before += group.len();
    }
    ranks
}
