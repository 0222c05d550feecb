//! Decimal numbers as doubles.

/// The double nearest to a JSON number. `NaN` if `text` is not a number.
#[cfg(not(target_arch = "wasm32"))]
pub fn parse_float(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// The double nearest to a JSON number. `NaN` if `text` is not a number.
///
/// The parser of the standard library has a table of 10 kB that does not compress, a twentieth of the
/// module for browsers. This one gives the same results and is slower for numbers of many digits.
#[cfg(target_arch = "wasm32")]
pub fn parse_float(text: &str) -> f64 {
    exact(text).unwrap_or(f64::NAN)
}

/// As many significant digits decide between two doubles; of those after them only counts whether one
/// is not 0.
#[cfg(any(test, target_arch = "wasm32"))]
const DIGITS: usize = 800;

#[cfg(any(test, target_arch = "wasm32"))]
fn exact(text: &str) -> Option<f64> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.bytes().chain(fraction.bytes());
    if whole.is_empty() || !digits.clone().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let unsigned = exponent.trim_start_matches(['+', '-']);
    if unsigned.is_empty() || !unsigned.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    // An exponent that no integer holds is one that no double has.
    let far = if exponent.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 };
    let mut power = exponent.parse().unwrap_or(far) - i64::try_from(fraction.len()).ok()?;
    let digits = digits.skip_while(|it| *it == b'0');
    // Whole numbers of 15 digits and powers of ten up to 22 are doubles, so that one division rounds once.
    if power.unsigned_abs() <= 22 && digits.clone().count() <= 15 {
        let number = digits.fold(0.0, |all, digit| 10.0 * all + f64::from(digit - b'0'));
        let scale = (0..power.unsigned_abs()).fold(1.0, |all, _| 10.0 * all);
        return Some(sign * if power < 0 { number / scale } else { number * scale });
    }
    let mut number = Big::default();
    let (mut taken, mut is_more) = (0, false);
    for digit in digits {
        if taken < DIGITS {
            number.multiply_add(10, u32::from(digit - b'0'));
            taken += 1;
        } else {
            is_more |= digit != b'0';
            power += 1;
        }
    }
    if is_more {
        number.multiply_add(10, 1);
        power -= 1;
    }
    let highest = power.saturating_add(i64::try_from(taken).ok()?);
    let size = match highest {
        _ if number.0.is_empty() => 0.0,
        ..=-330 => 0.0,
        -329..=310 => ratio(number, power),
        _ => f64::INFINITY,
    };
    Some(sign * size)
}

/// The double nearest to `number` times 10 to the `power`, by long division in base 2.
#[cfg(any(test, target_arch = "wasm32"))]
fn ratio(mut number: Big, power: i64) -> f64 {
    let mut divisor = Big(vec![1]);
    let scaled = if power < 0 { &mut divisor } else { &mut number };
    for _ in 0..power.unsigned_abs() {
        scaled.multiply_add(10, 0);
    }
    // Both are shifted until the quotient is at least 1 and below 2; 2 to the `exponent` is missing.
    let mut exponent = number.bits() - divisor.bits();
    number.shift(-exponent.min(0));
    divisor.shift(exponent.max(0));
    if number.is_below(&divisor) {
        number.shift(1);
        exponent -= 1;
    }
    if exponent > 1023 {
        return f64::INFINITY;
    }
    // Below 2^-1022 a double has fewer bits.
    let bits = (53 + (exponent + 1022).min(0)).max(0);
    let mut quotient: u64 = 0;
    for _ in 0..bits {
        quotient <<= 1;
        if !number.is_below(&divisor) {
            number.subtract(&divisor);
            quotient |= 1;
        }
        number.shift(1);
    }
    // What is left is twice the remainder; half goes to the even neighbor. Without a bit nothing was
    // shifted, and the remainder itself is compared.
    let is_tie = number == divisor;
    let is_up = !number.is_below(&divisor) && (!is_tie || quotient & 1 == 1);
    let rounded = quotient + u64::from(is_up && exponent >= -1075);
    let biased = u64::try_from(exponent + 1022).unwrap_or(0);
    // A quotient that was rounded up to the next power of 2 carries into the exponent.
    f64::from_bits(rounded + (biased << 52))
}

/// A whole number, its lowest 32 bits first and without zeros at the end.
#[cfg(any(test, target_arch = "wasm32"))]
#[derive(Default, PartialEq)]
struct Big(Vec<u32>);

#[cfg(any(test, target_arch = "wasm32"))]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what does not fit is carried on"
)]
impl Big {
    fn multiply_add(&mut self, factor: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for part in &mut self.0 {
            let product = u64::from(*part) * u64::from(factor) + carry;
            *part = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn shift(&mut self, mut bits: i64) {
        while bits > 0 {
            let step = bits.min(31);
            self.multiply_add(1 << step, 0);
            bits -= step;
        }
    }

    fn bits(&self) -> i64 {
        let last = self.0.last().map_or(0, |last| 32 - i64::from(last.leading_zeros()));
        i64::try_from(self.0.len()).unwrap_or(i64::MAX).saturating_sub(1) * 32 + last
    }

    fn is_below(&self, other: &Self) -> bool {
        let (own, others) = (self.0.iter().rev(), other.0.iter().rev());
        self.0.len().cmp(&other.0.len()).then_with(|| own.cmp(others)).is_lt()
    }

    fn subtract(&mut self, other: &Self) {
        let mut borrow = 0;
        for (at, part) in self.0.iter_mut().enumerate() {
            let less = i64::from(*part) - i64::from(other.0.get(at).copied().unwrap_or(0)) - borrow;
            *part = less as u32;
            borrow = i64::from(less < 0);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(text: &str) {
        let expected: f64 = text.parse().expect(text);
        let found = exact(text).expect(text);
        assert_eq!(found.to_bits(), expected.to_bits(), "{text}: {found:e}, not {expected:e}");
    }

    #[test]
    fn hard_numbers_are_those_of_the_standard_library() {
        for text in [
            "0",
            "0.0",
            "1",
            "0.1",
            "0.30000000000000004",
            "1e22",
            "1e23",
            "8.5e-15",
            "1e308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "1e999999999999999999999",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1e-324",
            "3e-324",
            "1e-400",
            "1e-99999999999999999999",
            "9007199254740993",
            "9007199254740992.999",
            "9007199254740993.000000000000000000000000000001",
            "5e-324",
            "7.4e-324",
            "7.5e-324",
            "0.000000",
            "00",
            "123456789012345678901234567890",
        ] {
            same(text);
            same(&format!("-{text}"));
        }
        let long = format!("9007199254740993.{}1", "0".repeat(2000));
        same(&long);
        same(&format!("0.{}1", "0".repeat(300)));
        for text in ["", "-", ".5", "1e", "1e+", "x", "1.5x", "NaN"] {
            assert_eq!(exact(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_number_is_that_of_the_standard_library(
            bits: u64, digits in "[0-9]{1,25}", fraction in "[0-9]{1,30}", exponent in -345..330_i32,
        ) {
            let value = f64::from_bits(bits);
            if value.is_finite() {
                same(&format!("{value}"));
                same(&format!("{value:e}"));
            }
            same(&format!("{digits}.{fraction}e{exponent}"));
        }
    }
}
