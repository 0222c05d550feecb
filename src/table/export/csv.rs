//! CSV: RFC 4180, and harmless in a spreadsheet.

use std::io::{self, Write};

use super::{Page, Shown};
use crate::domain::harmless;
use crate::table::{Medium, spell_plain};

impl Page<'_> {
    /// Writes a header and one line per row; no row, header only.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.columns(Medium::Csv);
        // Programs guess the separator by counting in the header, and not inside quotes.
        let misleads = columns.iter().any(|column| column.header.contains([';', '\t']));
        let quotes =
            if misleads { csv::QuoteStyle::NonNumeric } else { csv::QuoteStyle::Necessary };
        let mut writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .quote_style(quotes)
            .from_writer(out);
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
