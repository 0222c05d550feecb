//! The writer: the bytes Python's `json.dumps(value, indent=2, sort_keys=True)` gives, plus one
//! newline. Boards are compared byte for byte, so there is exactly one spelling of each value.
//!
//! Keys come out in the order the type declares them. Published structs declare their fields in
//! alphabetical order and maps are `BTreeMap`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter, Serializer};

use super::node::{Node, Number, Value};

/// The canonical bytes of `value`.
///
/// # Panics
/// If `value` cannot be JSON at all (a map whose keys are not strings), which is a mistake in the
/// type, not in the data.
pub fn pretty<T: Serialize>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    let formatter = Python(PrettyFormatter::with_indent(b"  "));
    value
        .serialize(&mut Serializer::with_formatter(&mut out, formatter))
        .expect("published types have string keys and writing to memory cannot fail");
    out.push(b'\n');
    out
}

/// A parsed value, keys sorted: writing it gives the canonical spelling of what was read.
impl Serialize for Node<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(number) => match number.as_i64() {
                Some(integer) => serializer.serialize_i64(integer),
                None => serializer.serialize_f64(number.as_f64()),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Object(object) => {
                let mut members: Vec<_> = object.iter().collect();
                members.sort_by_key(|(key, _)| *key);
                serializer.collect_map(members)
            }
        }
    }
}

impl Number<'_> {
    /// Whether the number is written as [`pretty`] writes it.
    pub fn is_canonical(self) -> bool {
        match self.as_i64() {
            Some(integer) => integer.to_string() == self.as_str(),
            None => python_float(self.as_f64()) == self.as_str(),
        }
    }
}

struct Python<'a>(PrettyFormatter<'a>);

impl Formatter for Python<'_> {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(python_float(value).as_bytes())
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut plain = 0;
        for (at, character) in fragment.char_indices() {
            if matches!(character, ' '..='~') {
                continue;
            }
            writer.write_all(&fragment.as_bytes()[plain..at])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            plain = at + character.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[plain..])
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        self.0.write_char_escape(writer, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// A double as Python's `repr` spells it: shortest digits that round-trip, at least one decimal,
/// exponent form below 1e-4 and from 1e16 on.
pub(crate) fn python_float(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return format!("{value:?}");
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>().unwrap_or_default() {
        -4..16 => {
            let plain = format!("{value}");
            if plain.contains('.') { plain } else { plain + ".0" }
        }
        exponent => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (value, text) in [
            (0.804, "0.804"),
            (1.0, "1.0"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.25e22, "1.25e+22"),
            (1e100, "1e+100"),
            (123_456.789, "123456.789"),
            (-0.054, "-0.054"),
        ] {
            assert_eq!(python_float(value), text);
        }
    }

    #[test]
    fn strings_are_ascii_and_containers_are_indented_by_two() {
        let mut map = BTreeMap::new();
        map.insert("a", vec!["é\u{1f600}\u{7f}\n\"/\u{1}"]);
        map.insert("b", vec![]);
        assert_eq!(
            String::from_utf8(pretty(&map)).expect("ascii"),
            "{\n  \"a\": [\n    \"\\u00e9\\ud83d\\ude00\\u007f\\n\\\"/\\u0001\"\n  ],\n  \"b\": []\n}\n"
        );
        assert_eq!(pretty(&BTreeMap::<String, u8>::new()), b"{}\n");
    }
}
