//! GMAT scripts below directories.

use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::domain::Failure;
use crate::fs::tree::walk_error;

/// `named`, with each directory replaced by the scripts below it, sorted. Hidden directories and
/// links are left out.
pub fn scripts(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            files.extend(below(path)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn below(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_hidden =
        |entry: &DirEntry| entry.depth() > 0 && entry.file_name().as_encoded_bytes()[0] == b'.';
    let mut found = Vec::new();
    let walk = WalkDir::new(dir).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| !is_hidden(entry)) {
        let entry = entry.map_err(|error| walk_error(dir, error))?;
        let path = entry.path();
        let is_script = path.extension().is_some_and(|end| end == "script" || end == "gmat");
        if is_script && entry.file_type().is_file() {
            found.push(path.strip_prefix("./").unwrap_or(path).to_owned());
        }
    }
    if found.is_empty() {
        return Err(Failure::unusable("no GMAT script is below this directory")
            .at(dir.display().to_string())
            .help("scripts end in .script or .gmat; name files with another ending one by one"));
    }
    Ok(found)
}
