//! JSON: the keys of the seed's export, one entry per row.

use std::io::{self, Write};

use serde::Serialize;

use super::super::facets::FacetKind;
use super::super::measure::Display;
use super::super::value::{Kind, json_number};
use super::{Column, Page, Shown, Source};
use crate::domain::escape_json;
use crate::table::{MeasureId, Medium};

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
        if !self.ranking.then.is_empty() {
            let name = |id: MeasureId| self.table.measure(id).name.as_str();
            let then: Vec<&str> = self.measures().skip(1).map(name).collect();
            writeln!(out, "  \"then_by\": {},", compact(&then))?;
        }
        writeln!(out, "  \"order\": \"{}\",", self.ranking.order.word())?;
        writeln!(out, "  \"total_entries\": {},", self.total)?;
        writeln!(out, "  \"filtered_entries\": {},", self.ranking.rows.len())?;
        writeln!(out, "  \"statistics\": {},", compact(&all))?;
        if let Some(page) = page {
            writeln!(out, "  \"shown_entries\": {},", self.rows().len())?;
            writeln!(out, "  \"shown_statistics\": {},", compact(&page))?;
        }
        writeln!(out, "  \"measures\": [{}],", self.measures_json())?;
        write!(out, "  \"entries\": [")?;
        self.entries(out, "    ")?;
        writeln!(out, "]\n}}")
    }

    /// What the measures among the keys of an entry are, so that a reader need not guess.
    fn measures_json(&self) -> String {
        let of_column = |column: &Column<'_>| {
            let Source::Measure(id, _) = column.source else { return None };
            let measure = self.table.measure(id);
            let kind = measure.aggregate.unwrap_or(Kind::Number);
            Some(format!(
                "{{\"key\": {}, \"name\": {}, \"kind\": \"{kind}\", \"better\": {}}}",
                quote(&column.header),
                quote(&measure.name),
                compact(&measure.better)
            ))
        };
        let columns = self.columns(Medium::Json);
        columns.iter().filter_map(of_column).collect::<Vec<_>>().join(", ")
    }

    /// Writes the entries alone, separated by commas, each on its own line.
    pub fn entries(&self, out: &mut dyn Write, indent: &str) -> io::Result<()> {
        let columns = self.columns(Medium::Json);
        let key = |(at, column): (usize, &Column<'_>)| {
            format!("{}{}: ", if at == 0 { "" } else { ", " }, quote(&column.header))
        };
        let keys: Vec<String> = columns.iter().enumerate().map(key).collect();
        // One buffer for all rows: a million of them are written in one go each.
        let mut line = Vec::new();
        for (at, row) in self.rows().iter().enumerate() {
            line.clear();
            line.extend_from_slice(if at == 0 { b"\n" } else { b",\n" });
            line.extend_from_slice(indent.as_bytes());
            line.push(b'{');
            for (column, key) in columns.iter().zip(&keys) {
                line.extend_from_slice(key.as_bytes());
                match (&column.source, self.cell(row, column)) {
                    (Source::Facet(facet), Shown::Missing) => {
                        line.extend_from_slice(empty(facet.map(|it| it.kind), &column.header));
                    }
                    (_, Shown::Missing) => line.extend_from_slice(b"null"),
                    (_, Shown::Number(number, display)) => spell(&mut line, number, display)?,
                    // Lists and objects are held as JSON already.
                    (Source::Facet(Some(facet)), Shown::Text(json))
                        if facet.kind != FacetKind::Text =>
                    {
                        line.extend_from_slice(escape_json(json).as_bytes());
                    }
                    (_, Shown::Text(text)) if text.bytes().all(|byte| byte < 0x7f) => {
                        serde_json::to_writer(&mut line, text)?;
                    }
                    (_, Shown::Text(text)) => line.extend_from_slice(quote(text).as_bytes()),
                }
            }
            if row.tied {
                line.extend_from_slice(b", \"tied\": true");
            }
            line.push(b'}');
            out.write_all(&line)?;
        }
        if !self.rows().is_empty() {
            write!(out, "\n{}", &indent[..indent.len() / 2])?;
        }
        Ok(())
    }
}

/// What an absent facet is: a list or an object without members, else null. Where no run has the
/// facet its kind is not known, and the names of the run leaderboard decide.
fn empty(kind: Option<FacetKind>, header: &str) -> &'static [u8] {
    match (kind, header) {
        (Some(FacetKind::List), _) | (None, "tags") => b"[]",
        (Some(FacetKind::Json), _) | (None, "metadata") => b"{}",
        _ => b"null",
    }
}

/// A number as JSON: counts without a fraction; NaN and the infinities as texts, because `null`
/// is a value that is missing.
fn spell(line: &mut Vec<u8>, number: f64, display: Display) -> io::Result<()> {
    let is_count = matches!(display, Display::Thousands | Display::Fixed(0));
    if is_count && number.fract() == 0.0 && number.abs() < 9e15 {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        serde_json::to_writer(line, &(number as i64))?;
    } else if number.is_finite() {
        serde_json::to_writer(line, &number)?;
    } else {
        serde_json::to_writer(line, &json_number(number))?;
    }
    Ok(())
}

fn quote(text: &str) -> String {
    compact(&text)
}

fn compact(value: &impl Serialize) -> String {
    let document = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    escape_json(&document).into_owned()
}
