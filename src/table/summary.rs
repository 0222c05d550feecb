//! What a column of numbers is like: count, mean, median, spread.

use serde::Serialize;

use super::value::serialize_number;

/// A sum in twice the digits of a double: the mean of any realistic column is exactly rounded.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// Adds a number.
    pub(crate) fn add(&mut self, number: f64) {
        let sum = self.high + number;
        let back = sum - self.high;
        self.low += (self.high - (sum - back)) + (number - back);
        self.high = sum;
    }

    /// The sum so far divided by `n`, rounded once: what is left after the first division is
    /// divided again.
    pub(crate) fn over(self, n: f64) -> f64 {
        let sum = self.total();
        if !sum.is_finite() {
            return sum / n;
        }
        let rest = self.low - (sum - self.high);
        let first = sum / n;
        first + (first.mul_add(-n, sum) + rest) / n
    }

    /// The sum of `numbers`.
    pub(crate) fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = Self::default();
        for number in numbers {
            sum.add(number);
        }
        sum
    }

    /// The sum so far.
    pub(crate) fn total(self) -> f64 {
        // The correction of an infinite or undefined sum is meaningless.
        if self.high.is_finite() { self.high + self.low } else { self.high }
    }
}

/// The figures of a column. Missing values are not in it; NaN is left out and counted.
///
/// ```
/// use gmat_leaderboard::table::Summary;
///
/// let summary = Summary::of([0.2, 0.4, 0.9]).expect("there are numbers");
/// assert_eq!((summary.count, summary.median), (3, 0.4));
/// assert_eq!(format!("{:.4}", summary.std_dev), "0.3606"); // of a sample: n - 1
/// assert_eq!(Summary::of([]), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// How many numbers there are.
    pub count: usize,
    /// Their mean.
    #[serde(serialize_with = "serialize_number")]
    pub mean: f64,
    /// The middle one, or the mean of the two middle ones.
    #[serde(serialize_with = "serialize_number")]
    pub median: f64,
    /// The standard deviation of a sample (n − 1); 0 for one number.
    #[serde(serialize_with = "serialize_number")]
    pub std_dev: f64,
    /// The standard error of the mean.
    #[serde(serialize_with = "serialize_number")]
    pub stderr: f64,
    /// The least.
    #[serde(serialize_with = "serialize_number")]
    pub min: f64,
    /// The greatest.
    #[serde(serialize_with = "serialize_number")]
    pub max: f64,
    /// Their sum.
    #[serde(serialize_with = "serialize_number")]
    pub sum: f64,
}

impl Summary {
    /// The figures of `numbers`; `None` if there is none.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().filter(|number| !number.is_nan()).collect();
        if sorted.is_empty() {
            return None;
        }
        let n = real(sorted.len());
        let sum = Sum::of(sorted.iter().copied());
        let mean = sum.over(n);
        let squares = Sum::of(sorted.iter().map(|number| (number - mean) * (number - mean)));
        let std_dev = if sorted.len() > 1 { squares.over(n - 1.0).sqrt() } else { 0.0 };
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(sorted[middle - 1], sorted[middle])
        } else {
            sorted[middle]
        };
        Some(Self {
            count: sorted.len(),
            mean,
            median,
            std_dev,
            stderr: std_dev / n.sqrt(),
            min: sorted[0],
            max: sorted[sorted.len() - 1],
            sum: sum.total(),
        })
    }
}

/// The mean; `None` of nothing.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| Sum::of(numbers.iter().copied()).over(real(numbers.len())))
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(super) fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_tenths_is_a_tenth() {
        let summary = Summary::of(vec![0.1; 10]).expect("numbers");
        assert_eq!(summary.mean.to_bits(), 0.1f64.to_bits());
        assert!(summary.std_dev.abs() < 1e-16);
    }

    #[test]
    fn infinities_stay_and_nan_is_left_out() {
        let summary = Summary::of([f64::INFINITY, 1.0, f64::NAN]).expect("numbers");
        assert_eq!(summary.count, 2);
        assert!(summary.mean.is_infinite() && summary.sum.is_infinite());
    }
}
