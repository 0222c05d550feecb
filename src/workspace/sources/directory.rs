//! Directories of results: which files in them are read.

use std::path::{Path, PathBuf};

use super::{
    LoadedSources, SourceOptions, cells_of, file, file_of, io_error, is_new, note_of, refusal,
    shown,
};
use crate::domain::{Exit, Failure};
use crate::import::{Note, SUPPORTED, Sniffed, Source};
use crate::workspace::analysis::Listener;
use crate::workspace::board_path;
use crate::workspace::source_file::kind;

/// How deep results files may lie below a directory: LightEval writes
/// `results/<organization>/<model>/results_*.json`.
const DEPTH: usize = 6;
/// How many files of a directory are looked at.
const FILES: usize = 20_000;
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Regular files of a directory that are not hidden, sorted by name; not what lies deeper.
pub(crate) fn files_of(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| io_error(directory, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if !is_hidden(&path) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// JSON files and Inspect logs below the subdirectories of a directory, and how many others there
/// are.
fn files_below(directory: &Path) -> (Vec<PathBuf>, usize) {
    let (mut files, mut others) = (Vec::new(), 0);
    let walk = walkdir::WalkDir::new(directory)
        .min_depth(1)
        .max_depth(DEPTH)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| !is_hidden(entry.path()));
    for entry in walk.filter_map(Result::ok).take(FILES) {
        if entry.depth() < 2 || !entry.file_type().is_file() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if [".json", ".json.gz", ".eval"].iter().any(|ending| name.ends_with(ending)) {
            files.push(entry.into_path());
        } else {
            others += 1;
        }
    }
    (files, others)
}

pub(super) fn directory(
    path: &Path,
    source_options: &SourceOptions,
    loaded: &mut LoadedSources,
    tell: Listener<'_>,
) -> Result<(), Failure> {
    for workdir in [path.to_owned(), path.join(".rlm_code")] {
        let benchmarks = workdir.join("rlm/benchmarks");
        let runs = [
            workdir.join("observability/runs.jsonl"),
            workdir.join("rlm/observability/runs.jsonl"),
        ];
        if benchmarks.is_dir() || runs.iter().any(|file| file.is_file()) {
            let benchmarks = if benchmarks.is_dir() { files_of(&benchmarks)? } else { Vec::new() };
            // Its writer writes the second file, but its leaderboard reads only the first.
            let read = if source_options.rlm.compat { 1 } else { runs.len() };
            for file in runs.iter().skip(read).filter(|file| file.is_file()) {
                let what = "rlm-code's leaderboard does not read this file; neither does `--compat rlm-code`";
                loaded.tally.notes.push(Note::file(&shown(file), what));
            }
            for file in benchmarks {
                if file.extension().is_some_and(|ending| ending == "json") && is_new(&file, loaded)
                {
                    loaded.later.benchmarks.push(file);
                }
            }
            for file in runs.into_iter().take(read) {
                if file.is_file() && is_new(&file, loaded) {
                    loaded.later.runs.push(file);
                }
            }
            return Ok(());
        }
    }
    let board = board_path(path, None);
    if board.is_file() && source_options.from.is_none_or(|from| from == Source::Board) {
        return file(&board, source_options, loaded, tell);
    }
    read_directory(path, source_options, loaded, tell)
}

/// Reads a directory as a harness writes it; a file that cannot be read never hides the others.
fn read_directory(
    path: &Path,
    source_options: &SourceOptions,
    loaded: &mut LoadedSources,
    tell: Listener<'_>,
) -> Result<(), Failure> {
    let top = files_of(path)?;
    let (below, mut others) = files_below(path);
    let before = (loaded.tally.loaded, loaded.later.len(), loaded.later.repeated);
    let mut notes = Vec::new();
    let mut cells = Vec::new();
    for (at, path) in top.iter().chain(&below).enumerate() {
        let result = match kind(path, source_options) {
            Ok(Sniffed::Known(Source::Cells(_))) if at < top.len() => {
                if is_new(path, loaded) {
                    cells.push(path.clone());
                }
                continue;
            }
            Ok(Sniffed::Known(
                source @ (Source::LightEval
                | Source::LmEval
                | Source::Inspect
                | Source::Promptfoo
                | Source::OpenAiEvals),
            )) => file_of(path, source, source_options, loaded, tell),
            Ok(Sniffed::Foreign(foreign)) => Err(refusal(path, Sniffed::Foreign(foreign))),
            // Below a directory only results files are expected.
            Ok(_) if at >= top.len() => {
                others += 1;
                continue;
            }
            Ok(Sniffed::Known(source)) => file_of(path, source, source_options, loaded, tell),
            Ok(sniffed) => Err(refusal(path, sniffed)),
            Err(failure) => Err(failure),
        };
        match result {
            Ok(()) => {}
            Err(failure) if failure.exit == Exit::Unusable => notes.push(note_of(path, failure)),
            Err(failure) => return Err(failure),
        }
    }
    // Cells of one directory are one source: what a measure is depends on all of them.
    notes.extend(cells_of(&cells, source_options, loaded, true)?);
    let after = (loaded.tally.loaded, loaded.later.len(), loaded.later.repeated);
    if after == before {
        let what = format!("no results file is in the directory `{}`", shown(path));
        let mut failure = Failure::unusable(what).help(format!("supported: {SUPPORTED}"));
        failure.details =
            notes.iter().take(5).map(|note| format!("{}: {}", note.place, note.what)).collect();
        return Err(failure);
    }
    for note in notes {
        loaded.tally.skip(note);
    }
    if others > 0 {
        let what = match others {
            1 => "1 other file below it is not read".to_owned(),
            n => format!("{n} other files below it are not read"),
        };
        loaded.tally.notes.push(Note::file(&shown(path), what));
    }
    Ok(())
}
