//! Pass rates at the board's precision: whole thousandths.

use std::fmt;

use serde::{Serialize, Serializer};

/// A pass rate in whole thousandths, 0 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u16);

impl Rate {
    /// `passed` of `total`; 0 for an empty set.
    ///
    /// Goes through `f64` and its decimal text, because the reference does: 1/80 is published as
    /// 0.013, while exact half-even arithmetic would say 0.012.
    pub(crate) fn of(passed: usize, total: usize) -> Self {
        Self::nearest(share(passed, total)).unwrap_or(Self(0))
    }

    /// The thousandth nearest to `value`; `None` for anything that is not a rate.
    pub(crate) fn nearest(value: f64) -> Option<Self> {
        let thousandths = format!("{value:.3}").replace('.', "").parse().ok()?;
        (thousandths <= 1000).then_some(Self(thousandths))
    }

    /// The rate that `value` spells exactly; `None` if it lies between two thousandths.
    pub(crate) fn exact(value: f64) -> Option<Self> {
        Self::nearest(value).filter(|rate| rate.value().to_bits() == value.to_bits())
    }

    /// The rate as a number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
    /// The count of `total` that was published as this rate: the nearest one.
    pub(crate) fn count_of(self, total: u64) -> u64 {
        let nearest = (u128::from(self.0) * u128::from(total) + 500) / 1000;
        u64::try_from(nearest).unwrap_or(u64::MAX)
    }

    /// The rate in thousandths.
    pub(crate) fn thousandths(self) -> u16 {
        self.0
    }
}

/// `passed / total` as the reference computes it, 0 for an empty set.
#[expect(clippy::cast_precision_loss, reason = "counts of prompts stay far below 2^53")]
pub fn share(passed: usize, total: usize) -> f64 {
    if total == 0 { 0.0 } else { passed as f64 / total as f64 }
}

/// A signed difference of two rates in whole thousandths, −1000 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap(i16);

impl Gap {
    /// The public score minus the held-out score, from the rates as published.
    pub(crate) fn between(public: Rate, held_out: Rate) -> Self {
        #[expect(clippy::cast_possible_wrap, reason = "a rate is at most 1000")]
        Self(public.0 as i16 - held_out.0 as i16)
    }

    /// The thousandth nearest to `value`; `None` outside −1 to 1.
    pub(crate) fn nearest(value: f64) -> Option<Self> {
        let thousandths: i16 = format!("{value:.3}").replace('.', "").parse().ok()?;
        (-1000..=1000).contains(&thousandths).then_some(Self(thousandths))
    }

    /// The gap that `value` spells exactly.
    pub(crate) fn exact(value: f64) -> Option<Self> {
        Self::nearest(value).filter(|gap| gap.value().to_bits() == value.to_bits())
    }

    /// The gap as a number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// The gap in thousandths.
    pub(crate) fn thousandths(self) -> i16 {
        self.0
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl Serialize for Gap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value())
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_that_of_the_exact_double_ties_to_even() {
        for (passed, total, thousandths) in
            [(41, 51, 804), (1, 80, 13), (1, 16, 62), (3, 16, 188), (0, 0, 0), (7, 7, 1000)]
        {
            assert_eq!(Rate::of(passed, total).thousandths(), thousandths, "{passed}/{total}");
        }
        assert_eq!(Rate::nearest(0.8045).map(Rate::thousandths), Some(804));
    }

    #[test]
    fn every_thousandth_survives_its_own_text() {
        for thousandths in 0..=1000 {
            let rate = Rate(thousandths);
            let text = rate.to_string();
            assert_eq!(Rate::exact(text.parse().expect("a number")), Some(rate), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_rate_is_refused() {
        for value in [1.001, 1.7, -0.001, f64::NAN, f64::INFINITY] {
            assert_eq!(Rate::nearest(value), None, "{value}");
        }
        assert_eq!(Rate::exact(0.8041), None);
        assert_eq!(Gap::nearest(-1.2), None);
    }

    #[test]
    fn a_gap_is_the_difference_of_the_published_rates() {
        let rate = |thousandths| Rate(thousandths);
        assert_eq!(Gap::between(rate(804), rate(750)).value().to_string(), "0.054");
        assert_eq!(Gap::between(rate(250), rate(833)).to_string(), "-0.583");
        assert_eq!(Gap::between(rate(500), rate(500)).to_string(), "0.0");
    }
}
