//! A number or a text. A missing value is absent: never 0, never "".

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::json::python_float;

/// What a measure can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A double. Yes/no is 1 and 0, so that its mean is a rate.
    Number,
    /// A text.
    Text,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number => "number",
            Self::Text => "text",
        })
    }
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// A number; may be NaN or infinite if its source says so.
    Number(f64),
    /// A text.
    Text(Cow<'a, str>),
}

impl Value<'_> {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => f.write_str(&spell_number(*number)),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Serialize for Value<'_> {
    /// JSON has no NaN; it and the infinities are texts, because `null` means missing.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) if number.is_finite() => serializer.serialize_f64(*number),
            Self::Number(number) => json_number(*number).serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// A number as JSON; NaN and the infinities as the texts `NaN`, `Infinity`, `-Infinity`, which
/// [`parse_number`] takes.
pub(crate) fn json_number(number: f64) -> serde_json::Value {
    match number {
        number if number.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        number => number.into(),
    }
}

/// For `serialize_with`: see [`json_number`].
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn serialize_number<S: Serializer>(
    number: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Value::Number(*number).serialize(serializer)
}

/// A number for a machine: all its digits, whole numbers without a fraction.
pub(crate) fn spell_plain(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        format!("{number:.0}")
    } else {
        spell_number(number)
    }
}

/// A number in any spelling Python's `float` takes: `+0.5 .5 5. 1e-3 007 1_000 nan -Infinity`.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    // Rust's grammar is Python's but for digit separators.
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let bytes = text.as_bytes();
    let separator = |at: usize| {
        at > 0
            && bytes[at - 1].is_ascii_digit()
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    let mut underscores = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_').peekable();
    underscores.peek()?;
    if !underscores.all(|(at, _)| separator(at)) {
        return None;
    }
    text.replace('_', "").parse().ok()
}

/// A number as Python's `repr` spells it: shortest digits that round-trip, `1.0`, `1e-05`, `nan`.
pub(crate) fn spell_number(number: f64) -> String {
    if number.is_nan() { "nan".to_owned() } else { python_float(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_every_spelling_and_nothing_else_is() {
        for (text, number) in [
            ("+0.5", 0.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e-3", 0.001),
            ("007", 7.0),
            ("1_000", 1000.0),
            ("1E2", 100.0),
            (" 2 ", 2.0),
            ("-Infinity", f64::NEG_INFINITY),
            ("inf", f64::INFINITY),
        ] {
            assert_eq!(parse_number(text).map(f64::to_bits), Some(number.to_bits()), "{text}");
        }
        assert!(parse_number("nan").is_some_and(f64::is_nan));
        for text in ["", "high", "1__0", "_1", "1_", "1,5", "0x1", "True", "-"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_spelt_as_python_spells_them() {
        for (number, text) in [
            (1e-5, "1e-05"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(spell_number(number), text);
        }
    }
}
