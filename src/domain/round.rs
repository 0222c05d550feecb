//! One rounding for every derived number: the decimal text of the double, read back.

use crate::json::parse_float;

/// Counts of tokens and prompts stay far below 2^53, where a double holds every integer.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}

/// `value` to `places` decimals, ties to even on the exact binary value; never −0.
pub fn round(value: f64, places: usize) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let rounded = parse_float(&format!("{value:.places$}"));
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// `value` to six decimals, the precision of every delta and average.
pub fn round6(value: f64) -> f64 {
    round(value, 6)
}

/// A change with its sign, in as many decimals as it takes not to look like 0.
pub fn signed(value: f64, decimals: usize) -> String {
    let shows = |places: &usize| value == 0.0 || round(value, *places) != 0.0;
    let decimals = (decimals..=6).find(shows).unwrap_or(decimals);
    format!("{:+.decimals$}", round(value, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_goes_and_minus_zero_too() {
        assert_eq!(round6(0.3 - (0.1 + 0.2)).to_bits(), 0.0_f64.to_bits());
        assert_eq!(round6(0.007_812_5).to_string(), "0.007812");
        assert_eq!(round(0.806_666_666, 4).to_string(), "0.8067");
    }
}
