//! Python's `statistics` and `sum` over floats. Its mean and standard deviation are those of exact
//! fractions, rounded once, so they are computed with whole numbers of any length.

use num_bigint::BigUint;

use crate::table::Summary;

/// A finite float as a sign, a whole number and a power of two.
fn parts(value: f64) -> (bool, u64, i32) {
    let bits = value.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7ff).unwrap_or(0);
    let fraction = bits & ((1 << 52) - 1);
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    (value.is_sign_negative(), mantissa, exponent.max(1) - 1075)
}

/// `value` × 2^`power`, in steps that do not overflow on the way.
fn scaled(mut value: f64, mut power: i64) -> f64 {
    while power != 0 {
        let step = power.clamp(-900, 900);
        value *= 2f64.powi(i32::try_from(step).unwrap_or(0));
        power -= step;
    }
    value
}

/// `whole` × 2^`power`, rounded once; `more` says that the true value is a little larger.
fn rounded(whole: &BigUint, more: bool, power: i64) -> f64 {
    let extra = whole.bits().saturating_sub(64);
    let top = whole >> extra;
    let more = more || &top << extra != *whole;
    // 64 bits, the last of which also stands for all that was cut: the cast rounds correctly.
    let top = u64::try_from(&top).unwrap_or(u64::MAX) | u64::from(more);
    #[expect(clippy::cast_precision_loss, reason = "this is the one rounding")]
    scaled(top as f64, power + i64::try_from(extra).unwrap_or(0))
}

/// How far to shift `above` so that it has at least `bits` bits more than `below`; even.
fn room(above: &BigUint, below: &BigUint, bits: u64) -> u64 {
    (bits + below.bits()).saturating_sub(above.bits()).next_multiple_of(2)
}

fn ratio(above: &BigUint, below: &BigUint, power: i64) -> f64 {
    let shift = room(above, below, 66);
    let above = above << shift;
    let whole = &above / below;
    let more = &whole * below != above;
    rounded(&whole, more, power - i64::try_from(shift).unwrap_or(0))
}

fn root(above: &BigUint, below: &BigUint, power: i64) -> f64 {
    let shift = room(above, below, 134);
    let above = above << shift;
    let whole = &above / below;
    let root = whole.sqrt();
    let more = &root * &root != whole || &whole * below != above;
    rounded(&root, more, power - i64::try_from(shift / 2).unwrap_or(0))
}

/// The exact sum of the positive and of the negative values, the exact sum of squares, and the
/// power of two they are in.
fn sums(values: &[f64]) -> (BigUint, BigUint, BigUint, i32) {
    let power = values.iter().map(|value| parts(*value).2).min().unwrap_or(0);
    let (mut positive, mut negative, mut squares) = (BigUint::ZERO, BigUint::ZERO, BigUint::ZERO);
    for value in values {
        let (is_negative, mantissa, exponent) = parts(*value);
        let shift = u32::try_from(exponent - power).unwrap_or(0);
        let whole = BigUint::from(mantissa) << shift;
        squares += &whole * &whole;
        if is_negative { negative += whole } else { positive += whole }
    }
    (positive, negative, squares, power)
}

/// `statistics.mean`; `None` of nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
        return crate::table::mean(values);
    }
    let (positive, negative, _, power) = sums(values);
    let n = BigUint::from(values.len());
    Some(if positive >= negative {
        ratio(&(positive - negative), &n, power.into())
    } else {
        -ratio(&(negative - positive), &n, power.into())
    })
}

/// `statistics.stdev`; 0 for fewer than two values.
fn std_dev(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let (positive, negative, squares, power) = sums(values);
    let n = BigUint::from(values.len());
    let sum = if positive >= negative { positive - negative } else { negative - positive };
    let above = &n * squares - &sum * &sum;
    let below = &n * (&n - 1u32);
    if above == BigUint::ZERO { 0.0 } else { root(&above, &below, power.into()) }
}

/// The figures as Python's `statistics`, `min`, `max` and (3.11) `sum` give them.
pub fn python_summary(numbers: impl IntoIterator<Item = f64>) -> Option<Summary> {
    let values: Vec<f64> = numbers.into_iter().collect();
    let rest = Summary::of(values.iter().copied())?;
    if values.iter().any(|value| !value.is_finite()) {
        return Some(rest);
    }
    let mut sorted = values.clone();
    // Stable and by value: zeros of both signs keep their order, as in Python.
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let middle = sorted.len() / 2;
    let median = if sorted.len().is_multiple_of(2) {
        #[expect(clippy::manual_midpoint, reason = "Python overflows here, and so must this")]
        let mean = (sorted[middle - 1] + sorted[middle]) / 2.0;
        mean
    } else {
        sorted[middle]
    };
    let first = |wins: fn(f64, f64) -> bool| {
        values.iter().copied().reduce(|best, value| if wins(value, best) { value } else { best })
    };
    Some(Summary {
        mean: mean(&values)?,
        median,
        std_dev: std_dev(&values),
        min: first(|value, best| value < best)?,
        max: first(|value, best| value > best)?,
        sum: values.iter().fold(0.0, |sum, value| sum + value),
        ..rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each expected number is what Python 3.11 prints.
    #[test]
    fn figures_are_those_of_python() {
        let tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
        let summary = python_summary(tenths).expect("figures");
        assert_eq!(summary.std_dev.to_string(), "0.21602468994692867");
        assert_eq!(summary.mean.to_string(), "0.4");
        assert_eq!(summary.sum.to_string(), "2.8");
        let huge = python_summary([1e300, 0.0, 2.0, 3e299]).expect("figures");
        assert_eq!(format!("{:e}", huge.std_dev), "4.716990566028302e299");
        assert_eq!(format!("{:e}", huge.mean), "3.25e299");
        let zeros = python_summary([0.0, -0.0]).expect("figures");
        assert!(zeros.min.is_sign_positive() && zeros.max.is_sign_positive());
        let tiny = python_summary([5e-324, 1e-320, -1e-320]).expect("figures");
        assert_eq!(format!("{:e}", tiny.std_dev), "1e-320");
        assert_eq!(python_summary([0.25]).map(|one| one.std_dev), Some(0.0));
    }
}
