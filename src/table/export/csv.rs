//! CSV: RFC 4180, and harmless in a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

use super::{Page, Shown};
use crate::table::{Display, Medium};

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
                    // A plus sign is for people.
                    Shown::Number(number, Display::Signed(decimals)) => {
                        writer.write_field(Display::Fixed(decimals).show(number))?;
                    }
                    Shown::Number(number, display) => writer.write_field(display.show(number))?,
                    Shown::Text(text) => writer.write_field(harmless(text).as_ref())?,
                }
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }
}

/// The text, with an apostrophe before what a spreadsheet would run as a formula.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
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
    }
}
