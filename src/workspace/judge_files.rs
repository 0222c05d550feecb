//! The files of cells that a judge program is to read.

use std::path::Path;

use crate::compat::autojudge::{JudgeProgram, JudgedCells, JudgedFile, JudgedSource};
use crate::domain::Failure;
use crate::workspace::SourceOptions;
use crate::workspace::source_file::{kind, read_source};
use crate::workspace::sources::{FILE_LIMIT, files_of, shown};

/// Reads a file or a directory of cells as a judge program does.
pub fn load_judged(
    path: &Path,
    source_options: &SourceOptions,
    program: JudgeProgram,
) -> Result<JudgedCells, Failure> {
    let is_directory = path.is_dir();
    let paths = if is_directory { files_of(path)? } else { vec![path.to_owned()] };
    if paths.is_empty() {
        return Err(Failure::unusable(format!("no file is in the directory `{}`", shown(path))));
    }
    let files: Vec<JudgedFile> = paths
        .iter()
        .map(|path| {
            let bytes = read_source(path, FILE_LIMIT)?;
            Ok(JudgedFile { name: shown(path), kind: kind(path, source_options)?, bytes })
        })
        .collect::<Result<_, Failure>>()?;
    let header = source_options.header.unwrap_or(false);
    program.read(JudgedSource {
        files: &files,
        is_directory,
        header,
        all_topic: &source_options.all_topic,
    })
}
