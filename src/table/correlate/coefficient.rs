//! The coefficients, and why one may be undefined.

use std::fmt;

use super::super::summary::{mean, real};
use super::kendall::{count, mean_share};
use super::method::Base;

/// Why there is no coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
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

/// A copy in which −0.0 is 0.0, so that the total order of floats agrees with `==` on ties.
pub(super) fn one_zero(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value + 0.0).collect()
}

/// The coefficient as autojudge-evaluate gives it, except that it leaves infinite pairs out of
/// tau-b and Pearson (see `finite_pairs`) and of Spearman (see `pandas_spearman`): NaN where it is undefined; AP correlation
/// is −0.5 or 0 where a side is constant; tau-GAP takes a constant judge's order as given.
#[expect(clippy::cast_precision_loss, reason = "counts of pairs stay far below 2^53")]
pub fn upstream_coefficient(base: Base, a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (&one_zero(a)[..], &one_zero(b)[..]);
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
        Base::TauGap => tau_gap(a, b),
        Base::Spearman => pearson(&average_ranks(a), &average_ranks(b)),
        Base::Pearson => pearson(a, b),
    }
}

/// The pairs of which both values are finite: what pandas correlates.
pub(crate) fn finite_pairs(a: &[f64], b: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let pairs = a.iter().copied().zip(b.iter().copied());
    pairs.filter(|(x, y)| x.is_finite() && y.is_finite()).unzip()
}

/// Spearman as pandas computes it. It leaves out pairs with an infinite value. If both sides are
/// infinite in the same places, it ranks before it leaves out, but centers the ranks as if it had
/// ranked afterwards: −∞ shifts them off the center.
pub(crate) fn pandas_spearman(a: &[f64], b: &[f64]) -> f64 {
    let (x, y) = finite_pairs(a, b);
    let alike = a.iter().zip(b).all(|(x, y)| x.is_finite() == y.is_finite());
    if !alike || x.len() == a.len() {
        return upstream_coefficient(Base::Spearman, &x, &y);
    }
    let center = f64::midpoint(1.0, real(x.len()));
    let offsets = |values: &[f64]| -> Vec<f64> {
        let ranks = average_ranks(values).into_iter().zip(values);
        ranks.filter(|(_, value)| value.is_finite()).map(|(rank, _)| rank - center).collect()
    };
    cosine(&offsets(a), &offsets(b))
}

/// Items in the judge's order, equal ones in the order given. Each item but the first gives the
/// share of truth gaps above it that the judge orders rightly; items without a gap are left out.
#[expect(clippy::cast_precision_loss, reason = "counts of runs stay far below 2^53")]
fn tau_gap(truth: &[f64], judge: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..truth.len()).collect();
    order.sort_by(|&i, &j| judge[j].total_cmp(&judge[i]));
    let (mut total, mut used) = (0.0, 0usize);
    for (at, &item) in order.iter().enumerate() {
        let (mut gaps, mut right) = (0.0, 0.0);
        for &above in &order[..at] {
            let gap = truth[above] - truth[item];
            gaps += gap.abs();
            right += if gap > 0.0 { gap } else { 0.0 };
        }
        if gaps > 0.0 {
            total += right / gaps;
            used += 1;
        }
    }
    if used == 0 { f64::NAN } else { 2.0 / used as f64 * total - 1.0 }
}

/// Values around 0, divided by the largest distance from their mean: squares of these neither
/// overflow nor vanish.
fn centered(values: &[f64]) -> Option<Vec<f64>> {
    let largest = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    // Beyond this the sum may overflow.
    let scale = if largest > 1e300 { 2f64.powi(-64) } else { 1.0 };
    let values: Vec<f64> = values.iter().map(|value| value * scale).collect();
    let mean = mean(&values)?;
    let away: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let largest = away.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    Some(away.into_iter().map(|value| value / largest).collect())
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    if is_constant(a) || is_constant(b) {
        return f64::NAN;
    }
    let (Some(a), Some(b)) = (centered(a), centered(b)) else { return f64::NAN };
    cosine(&a, &b)
}

/// The cosine of the angle between two vectors; NaN if one is zero.
fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    (ab / (aa.sqrt() * bb.sqrt())).clamp(-1.0, 1.0)
}

/// Ranks from 1, the least first; equal values share the mean of theirs.
#[expect(clippy::float_cmp, reason = "ties are exact equality")]
pub(crate) fn average_ranks(values: &[f64]) -> Vec<f64> {
    let values = one_zero(values);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::correlate::{Plan, correlate};
    use crate::table::significance::SplitMix64;
    use crate::table::{Builder, Measure, Policy, Table};

    /// Each coefficient by its definition, pair by pair; NaN where it is undefined.
    fn by_definition(base: Base, a: &[f64], b: &[f64]) -> f64 {
        let n = a.len();
        let sign = |x: f64, y: f64| f64::from(i8::from(x > y) - i8::from(x < y));
        let sum = |f: &dyn Fn(usize, usize) -> f64| -> f64 {
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| f(i, j)).sum()
        };
        let balance = sum(&|i, j| sign(a[i], a[j]) * sign(b[i], b[j]));
        let untied = |x: &[f64]| sum(&|i, j| sign(x[i], x[j]).abs());
        let r = |x: &[f64], y: &[f64]| {
            let mean = |v: &[f64]| v.iter().sum::<f64>() / real(n);
            let (mx, my) = (mean(x), mean(y));
            let dot = |u: &[f64], mu: f64, v: &[f64], mv: f64| -> f64 {
                u.iter().zip(v).map(|(p, q)| (p - mu) * (q - mv)).sum()
            };
            dot(x, mx, y, my) / (dot(x, mx, x, mx) * dot(y, my, y, my)).sqrt()
        };
        let ranks = |x: &[f64]| -> Vec<f64> {
            let below = |v: f64| real(x.iter().filter(|w| **w < v).count());
            let equal = |v: f64| real(x.iter().filter(|w| sign(**w, v).abs() < 0.5).count());
            x.iter().map(|v| below(*v) + f64::midpoint(equal(*v), 1.0)).collect()
        };
        let half = |x: &[f64], y: &[f64]| {
            let (mut shares, mut used) = (0.0, 0.0);
            for i in 0..n {
                let above: Vec<usize> = (0..n).filter(|&j| y[j] > y[i]).collect();
                if !above.is_empty() {
                    let right = above.iter().filter(|&&j| x[j] > x[i]).count();
                    shares += real(right) / real(above.len());
                    used += 1.0;
                }
            }
            2.0 * shares / used - 1.0
        };
        match base {
            Base::TauB => balance / (untied(a) * untied(b)).sqrt(),
            Base::TauA => balance / real(n * (n - 1) / 2),
            Base::TauApB => f64::midpoint(half(a, b), half(b, a)),
            Base::TauGap => {
                let above = |i: usize, j: usize| b[j] > b[i] || (sign(b[j], b[i]) == 0.0 && j < i);
                let (mut shares, mut used) = (0.0, 0.0);
                for i in 0..n {
                    let gaps = |right: bool| -> f64 {
                        let pairs = (0..n).filter(|&j| above(i, j) && (!right || a[j] > a[i]));
                        pairs.map(|j| (a[j] - a[i]).abs()).sum()
                    };
                    if gaps(false) > 0.0 {
                        shares += gaps(true) / gaps(false);
                        used += 1.0;
                    }
                }
                2.0 * shares / used - 1.0
            }
            Base::Spearman => r(&ranks(a), &ranks(b)),
            Base::Pearson => r(a, b),
        }
    }

    const BASES: [Base; 6] =
        [Base::TauB, Base::TauA, Base::TauApB, Base::TauGap, Base::Spearman, Base::Pearson];

    fn draw(random: &mut SplitMix64, n: usize, values: &[f64]) -> Vec<f64> {
        (0..n).map(|_| values[random.below(values.len())]).collect()
    }

    fn same(ours: Result<f64, Undefined>, wanted: f64, what: &str) {
        match ours {
            Ok(ours) => assert!((ours - wanted).abs() < 1e-9, "{what}: {ours}, not {wanted}"),
            Err(why) => assert!(wanted.is_nan(), "{what}: {why}, not {wanted}"),
        }
    }

    #[test]
    fn every_coefficient_is_its_definition_with_zeros_of_both_signs_and_infinities() {
        let few = [-1.0, -0.0, 0.0, 0.5];
        let many = [-2.5, -1.0, -0.25, -0.0, 0.0, 0.1, 0.5, 1.0, 7.0];
        let infinite = [f64::NEG_INFINITY, -0.0, 0.0, 0.5, 1.0, f64::INFINITY];
        let mut random = SplitMix64::new(17);
        for round in 0..1500 {
            let n = 3 + random.below(28);
            let values: [&[f64]; 3] = [&few, &many, &infinite];
            let (a, b) =
                (draw(&mut random, n, values[round % 3]), draw(&mut random, n, values[round % 3]));
            if is_constant(&a) || is_constant(&b) {
                continue;
            }
            for base in BASES {
                let what = format!("{} of {a:?} and {b:?}", base.name());
                same(coefficient(base, &a, &b), by_definition(base, &a, &b), &what);
            }
        }
    }

    #[test]
    fn the_best_runs_are_found_with_zeros_of_both_signs() {
        let table = |values: &[f64]| -> Table {
            let mut builder = Builder::new([Measure::number("m")]);
            for (at, value) in values.iter().enumerate() {
                builder.add(&format!("r{at:02}"), "t", [("m", (*value).into())]).expect("a cell");
            }
            builder.build(&Policy::default()).expect("a table").table
        };
        let mut random = SplitMix64::new(29);
        for _ in 0..150 {
            let count = 4 + random.below(12);
            let top = 3 + random.below(count - 3);
            let values = [-1.0, -0.0, 0.0, -0.0, 0.0, 2.0];
            let (a, b) = (draw(&mut random, count, &values), draw(&mut random, count, &values));
            // The best in truth, ties by run id; then back in the order of ids.
            let mut best: Vec<usize> = (0..count).collect();
            best.sort_by(|&i, &j| a[j].partial_cmp(&a[i]).expect("numbers").then(i.cmp(&j)));
            best.truncate(top);
            best.sort_unstable();
            let of = |side: &[f64]| -> Vec<f64> { best.iter().map(|&at| side[at]).collect() };
            let (best_a, best_b) = (of(&a), of(&b));
            if is_constant(&best_a) || is_constant(&best_b) {
                continue;
            }
            let methods = BASES.map(|base| super::super::Method { base, top: Some(top) }).to_vec();
            let plan = Plan { methods, ..Plan::default() };
            let report = correlate(&table(&a), &table(&b), &plan).expect("a report");
            for found in report.agreements {
                let what = format!("{} of {a:?} and {b:?}", found.method);
                same(found.value, by_definition(found.method.base, &best_a, &best_b), &what);
            }
        }
    }

    #[test]
    fn pearson_survives_huge_and_tiny_values() {
        let line = [1.0, 2.0, 3.0, 5.0];
        for scale in [1e-310, 1e-200, 1e200, 3e307] {
            let scaled = line.map(|value| value * scale);
            let r = coefficient(Base::Pearson, &line, &scaled).expect("defined");
            assert!((r - 1.0).abs() < 1e-12, "{scale}: {r}");
        }
    }

    #[test]
    fn spearman_of_infinite_values_is_that_of_pandas() {
        const INF: f64 = f64::INFINITY;
        // The values are those of pandas 3.1.1.
        for (a, b, wanted) in [
            ([-INF, 1.0, 2.0, 3.0, 4.0], [INF, 1.0, 3.0, 2.0, 4.0], 0.596_284_793_999_943_9),
            ([-INF, 1.0, 2.0, 3.0, 4.0], [-INF, 1.0, 3.0, 2.0, 4.0], 8.0 / 9.0),
            ([-INF, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 3.0, 2.0, 4.0], 0.8),
            ([INF, 1.0, 2.0, 3.0, INF], [-INF, 5.0, 5.0, 5.0, -INF], 0.0),
            ([INF, 1.0, 2.0, 3.0, 5.0], [INF, 5.0, 7.0, 5.0, 3.0], -0.632_455_532_033_675_9),
            ([INF, 1.0, 2.0, 3.0, 5.0], [INF, 5.0, 5.0, 5.0, 5.0], f64::NAN),
            ([INF, INF, -INF, INF, INF], [INF, INF, -INF, INF, INF], f64::NAN),
            ([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 3.0, 4.0, 4.0], 0.872_081_599_272_381),
        ] {
            let ours = pandas_spearman(&a, &b);
            assert!(
                (ours - wanted).abs() < 1e-12 || (ours.is_nan() && wanted.is_nan()),
                "{a:?} {b:?}: {ours}"
            );
        }
    }

    #[test]
    fn tau_gap_takes_the_gaps_of_the_truth() {
        // Gaps 1 and 8: the judge swaps the small one, then the large one.
        let truth = [10.0, 9.0, 1.0];
        assert_eq!(coefficient(Base::TauGap, &truth, &[3.0, 2.0, 1.0]), Ok(1.0));
        assert_eq!(coefficient(Base::TauGap, &truth, &[2.0, 3.0, 1.0]), Ok(0.0));
        let far = coefficient(Base::TauGap, &truth, &[3.0, 1.0, 2.0]).expect("defined");
        assert!((far - (1.0 + 1.0 / 9.0 - 1.0)).abs() < 1e-12, "{far}");
        assert_eq!(coefficient(Base::TauGap, &[1.0; 3], &truth), Err(Undefined::TruthConstant));
    }
}
