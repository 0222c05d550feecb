//! Which of the judge programs is asked for, and the files of cells as it reads them.

use super::{Rows, base_load, design_load, evaluate_load, write_cells};
use crate::domain::{Failure, Hint};
use crate::import::{Foreign, Sniffed, Source, cells};
use crate::table::{Holes, Table};

/// One of the judge programs whose reading of cells can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeProgram {
    /// Every measure is text, the last of several values counts.
    Base,
    /// Strict rows; aggregates dropped and computed, or kept.
    Design {
        /// Drop and compute.
        drop_aggregate: bool,
        /// Holes.
        holes: Holes,
    },
    /// Cells; every repetition counts.
    Evaluate {
        /// Compute aggregates anew.
        recompute: bool,
    },
}

/// A file of cells to be read.
#[derive(Debug, Clone)]
pub struct JudgedFile {
    /// Its name, for errors and for formats that name the run by the file.
    pub name: String,
    /// What its content looks like.
    pub kind: Sniffed,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What the files of one source have in common.
#[derive(Debug, Clone, Copy)]
pub struct JudgedSource<'s> {
    /// The files, in the order of their names.
    pub files: &'s [JudgedFile],
    /// Whether they are the files of a directory, which the design merges.
    pub is_directory: bool,
    /// Whether each starts with a header.
    pub header: bool,
    /// What the aggregate is called.
    pub all_topic: &'s str,
}

/// The cells as the program holds them.
#[derive(Debug, Clone)]
pub struct JudgedCells {
    /// The program.
    pub program: JudgeProgram,
    /// Its table.
    pub table: Table,
    /// Its rows.
    pub rows: Rows,
}

impl JudgeProgram {
    /// Reads files of cells as the program does.
    pub fn read(self, source: JudgedSource<'_>) -> Result<JudgedCells, Failure> {
        let JudgedSource { files, is_directory, header, all_topic } = source;
        let is_newest = matches!(self, Self::Evaluate { .. });
        let mut whole = cells::Raw::default();
        let mut parts = Vec::new();
        for JudgedFile { name, kind, bytes } in files {
            let format = match kind {
                Sniffed::Known(Source::Cells(format)) => *format,
                // These programs go by the number of columns alone.
                Sniffed::Unclear(formats) => formats[0],
                Sniffed::Foreign(Foreign::Qrels) => cells::Format::Tot,
                Sniffed::Foreign(Foreign::SixColumns | Foreign::RunFile) => cells::Format::Ranking,
                _ => return Err(Failure::unusable(format!("`{name}` is not a file of cells"))),
            };
            if format == cells::Format::Rag4Reports && is_newest {
                return Err(Failure::unusable("autojudge-evaluate does not read `rag4reports`")
                    .at(name.clone())
                    .hint(Hint::AutojudgeFormat));
            }
            let lines = cells::Lines { format, header, all_topic, strict_blanks: !is_newest };
            whole.read(lines, name, None, bytes)?;
            let mut part = cells::Raw::default();
            part.read(lines, name, None, bytes)?;
            parts.push(part);
        }
        let table = match self {
            Self::Base => base_load(&whole)?,
            Self::Design { drop_aggregate, holes } => {
                design_load(&parts, is_directory, drop_aggregate, holes)?
            }
            Self::Evaluate { recompute } => evaluate_load(&whole, false, recompute)?,
        };
        let rows = match self {
            Self::Base => Rows::of_raw(&whole, cells::Typing::Text),
            _ => Rows::of_table(&table),
        };
        Ok(JudgedCells { program: self, table, rows })
    }
}

impl JudgedCells {
    /// The file the program writes of what it read.
    pub fn written(&self, format: cells::Format, all_topic: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.program {
            JudgeProgram::Evaluate { .. } => {
                write_cells(&self.table, format, all_topic, &mut bytes);
            }
            _ => self.rows.write(format, all_topic, &mut bytes),
        }
        bytes
    }
}
