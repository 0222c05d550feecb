//! 95 % intervals of a rate and of the difference of two rates.

use serde::Serialize;

use super::Z95;
use crate::domain::{Rate, real};

/// Two ends, both inside.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether `value` lies inside.
    pub fn holds(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The Wilson interval of `passed` of `total`; `None` without prompts, or with more passes than
/// prompts.
///
/// Not Wald: at 12 of 12 that would have no width, at 17 of 20 it would leave \[0, 1\].
pub fn wilson(passed: u64, total: u64) -> Option<Interval> {
    if total == 0 || passed > total {
        return None;
    }
    let n = real(total);
    let p = real(passed) / n;
    let z2 = Z95 * Z95;
    let d = 1.0 + z2 / n;
    let centre = (p + z2 / (2.0 * n)) / d;
    let half = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt() / d;
    let low = if passed == 0 { 0.0 } else { centre - half };
    let high = if passed == total { 1.0 } else { centre + half };
    Some(Interval { low, high })
}

/// Passed of total, with its interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Score {
    pub(crate) passed: u64,
    pub(crate) total: u64,
    pub(crate) rate: Rate,
    pub(crate) interval: Option<Interval>,
}

impl Score {
    /// The count that was published as `rate`; the nearest if there is none.
    pub(crate) fn from_rate(rate: Rate, total: u64) -> Self {
        let passed = rate.count_of(total);
        Self { passed, total, rate, interval: wilson(passed, total) }
    }

    pub(crate) fn from_counts(passed: u64, total: u64) -> Self {
        let count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let rate = Rate::of(count(passed), count(total));
        Self { passed, total, rate, interval: wilson(passed, total) }
    }

    /// The count nearest to a share of `total`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count of prompts"
    )]
    pub(crate) fn from_share(share: f64, total: u64) -> Self {
        Self::from_counts(((share * real(total)).round() as u64).min(total), total)
    }

    /// Passed by total; zero without prompts.
    pub(crate) fn share(self) -> f64 {
        if self.total == 0 { 0.0 } else { real(self.passed) / real(self.total) }
    }

    pub(crate) fn counts(self) -> (u64, u64) {
        (self.passed, self.total)
    }
}

/// Newcombe's interval of `first − second`, each `(passed, total)`: two independent sets, such as
/// public and held-out. "Overfit" may be said only if its lower end is above 0.
pub fn newcombe(first: (u64, u64), second: (u64, u64)) -> Option<Interval> {
    let (a, b) = (wilson(first.0, first.1)?, wilson(second.0, second.1)?);
    let (p1, p2) = (real(first.0) / real(first.1), real(second.0) / real(second.1));
    let d = p1 - p2;
    Some(Interval {
        low: d - ((p1 - a.low).powi(2) + (b.high - p2).powi(2)).sqrt(),
        high: d + ((a.high - p1).powi(2) + (p2 - b.low).powi(2)).sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_prompts_give_no_interval_and_the_ends_are_exact() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(2, 1), None);
        assert!(wilson(0, 51).is_some_and(|i| i.low.to_bits() == 0 && i.holds(0.07)));
        assert!(wilson(51, 51).is_some_and(|i| i.high.to_bits() == 1f64.to_bits()));
        assert_eq!(newcombe((1, 2), (0, 0)), None);
    }

    #[test]
    fn a_gap_is_overfit_only_when_its_interval_excludes_zero() {
        assert!(newcombe((41, 51), (9, 12)).is_some_and(|gap| gap.holds(0.0)));
        assert!(newcombe((41, 51), (5, 12)).is_some_and(|gap| gap.low > 0.0));
    }
}
