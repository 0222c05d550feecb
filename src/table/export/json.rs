//! JSON: the keys of the seed's export, one entry per row.

use std::io::{self, Write};

use serde::Serialize;

use super::super::facets::{FacetKind, FacetValue};
use super::super::measure::Display;
use super::super::value::spell_number;
use super::{Page, Shown, Source};
use crate::table::Medium;

impl Page<'_> {
    /// Writes the page as one JSON document.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let (all, page) = self.figures();
        writeln!(out, "{{")?;
        if let Some(at) = &self.exported_at {
            writeln!(out, "  \"exported_at\": {},", quote(at))?;
        }
        writeln!(out, "  \"title\": {},", quote(&self.title))?;
        let measure = self.table.measure(self.ranking.measure);
        writeln!(out, "  \"metric\": {},", quote(&measure.name))?;
        writeln!(out, "  \"order\": \"{}\",", self.ranking.order.word())?;
        writeln!(out, "  \"total_entries\": {},", self.total)?;
        writeln!(out, "  \"filtered_entries\": {},", self.ranking.rows.len())?;
        writeln!(out, "  \"statistics\": {},", compact(&all))?;
        if let Some(page) = page {
            writeln!(out, "  \"shown_entries\": {},", self.rows().len())?;
            writeln!(out, "  \"shown_statistics\": {},", compact(&page))?;
        }
        write!(out, "  \"entries\": [")?;
        self.entries(out, "    ")?;
        writeln!(out, "]\n}}")
    }

    /// Writes the entries alone, separated by commas, each on its own line.
    pub fn entries(&self, out: &mut dyn Write, indent: &str) -> io::Result<()> {
        let columns = self.columns(Medium::Json);
        let keys: Vec<String> = columns.iter().map(|column| quote(&column.header)).collect();
        for (at, row) in self.rows().iter().enumerate() {
            write!(out, "{}\n{indent}{{", if at == 0 { "" } else { "," })?;
            for (place, (column, key)) in columns.iter().zip(&keys).enumerate() {
                let comma = if place == 0 { "" } else { ", " };
                write!(out, "{comma}{key}: ")?;
                match (&column.source, self.cell(row, column)) {
                    (_, Shown::Missing) => out.write_all(b"null")?,
                    (Source::Facet(Some(facet)), Shown::Text(_))
                        if facet.kind != FacetKind::Text =>
                    {
                        match facet.get(row.run.0) {
                            FacetValue::Text(json) => out.write_all(json.as_bytes())?,
                            _ => out.write_all(b"null")?,
                        }
                    }
                    (_, Shown::Number(number, display)) => spell(out, number, display)?,
                    (_, Shown::Text(text)) => out.write_all(quote(text).as_bytes())?,
                }
            }
            if row.tied {
                write!(out, ", \"tied\": true")?;
            }
            write!(out, "}}")?;
        }
        if !self.rows().is_empty() {
            write!(out, "\n{}", &indent[..indent.len() / 2])?;
        }
        Ok(())
    }
}

/// A number as JSON: counts without a fraction, NaN and the infinities as `null`.
fn spell(out: &mut dyn Write, number: f64, display: Display) -> io::Result<()> {
    let is_count = matches!(display, Display::Thousands | Display::Fixed(0));
    match number {
        _ if !number.is_finite() => out.write_all(b"null"),
        _ if is_count && number.fract() == 0.0 && number.abs() < 9e15 => write!(out, "{number:.0}"),
        _ => out.write_all(spell_number(number).as_bytes()),
    }
}

fn quote(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}
