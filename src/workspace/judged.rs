//! Files of cells, read as one of three judge programs reads them.

use crate::compat::autojudge;
use std::path::{Path, PathBuf};

use crate::domain::Failure;
use crate::import::{Foreign, Sniffed, Source, cells};
use crate::table::{Holes, Table};
use crate::workspace::Intake;
use crate::workspace::source_file::{kind, read_source};
use crate::workspace::sources::{FILE_LIMIT, files_of, shown};

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

/// Reads files of cells as a judge program does.
pub fn load_judged(
    path: &Path,
    intake: &Intake,
    program: JudgeProgram,
) -> Result<(Table, autojudge::Rows), Failure> {
    let is_directory = path.is_dir();
    let paths = if is_directory { files_of(path)? } else { vec![path.to_owned()] };
    if paths.is_empty() {
        return Err(Failure::unusable(format!("no file is in the directory `{}`", shown(path))));
    }
    let contents: Vec<(PathBuf, Vec<u8>)> = paths
        .into_iter()
        .map(|path| Ok((path.clone(), read_source(&path, FILE_LIMIT)?)))
        .collect::<Result<_, Failure>>()?;
    let strict_blanks = !matches!(program, JudgeProgram::Evaluate { .. });
    let mut whole = cells::Raw::default();
    let mut parts = Vec::new();
    for (path, bytes) in &contents {
        let format = match kind(path, intake)? {
            Sniffed::Known(Source::Cells(format)) => format,
            // These programs go by the number of columns alone.
            Sniffed::Unclear(formats) => formats[0],
            Sniffed::Foreign(Foreign::Qrels) => cells::Format::Tot,
            Sniffed::Foreign(Foreign::SixColumns | Foreign::RunFile) => cells::Format::Ranking,
            _ => {
                let what = format!("`{}` is not a file of cells", shown(path));
                return Err(Failure::unusable(what));
            }
        };
        if format == cells::Format::Rag4Reports && matches!(program, JudgeProgram::Evaluate { .. })
        {
            return Err(Failure::unusable("autojudge-evaluate does not read `rag4reports`")
                .at(shown(path))
                .help("`export --to ir_measures` converts the file"));
        }
        let header = intake.header.unwrap_or(false);
        let lines = cells::Lines { format, header, all_topic: &intake.all_topic, strict_blanks };
        whole.read(lines, &shown(path), bytes)?;
        let mut part = cells::Raw::default();
        part.read(lines, &shown(path), bytes)?;
        parts.push(part);
    }
    let table = match program {
        JudgeProgram::Base => autojudge::base_load(&whole)?,
        JudgeProgram::Design { drop_aggregate, holes } => {
            autojudge::design_load(&parts, is_directory, drop_aggregate, holes)?
        }
        JudgeProgram::Evaluate { recompute } => autojudge::evaluate_load(&whole, false, recompute)?,
    };
    let rows = match program {
        JudgeProgram::Base => autojudge::Rows::of_raw(&whole, cells::Typing::Text),
        _ => autojudge::Rows::of_table(&table),
    };
    Ok((table, rows))
}
