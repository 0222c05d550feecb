//! CSV: RFC 4180, and harmless in a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

use super::{Page, Shown};
use crate::table::{Medium, spell_plain};

impl Page<'_> {
    /// Writes a header and one line per row; no row, header only.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.columns(Medium::Csv);
        let mut writer =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
        writer.write_record(columns.iter().map(|column| harmless(&column.header).into_owned()))?;
        for row in self.rows() {
            for column in &columns {
                match self.cell(row, column) {
                    Shown::Missing => writer.write_field("")?,
                    // Commas, percent signs and rounding are for people.
                    Shown::Number(number, _) => writer.write_field(spell_plain(number))?,
                    Shown::Text(text) => writer.write_field(harmless(text).as_ref())?,
                }
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }
}

/// What a spreadsheet takes for the start of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The text, with an apostrophe before what a spreadsheet would run as a formula. [`unharmed`]
/// takes it off again; a text that already has one there gets a second.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(FORMULA) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text without the apostrophe that `harmless` put in front.
pub fn unharmed(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(FORMULA) => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_starts_a_formula() {
        for text in ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"] {
            assert!(harmless(text).starts_with('\''), "{text}");
        }
        assert_eq!(harmless("a=b"), "a=b");
        for text in ["=1", "'=1", "''=1", "'a", "a", "", "'", "-", "'-"] {
            assert_eq!(unharmed(&harmless(text)), text);
        }
    }
}
