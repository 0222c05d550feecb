//! Golden cases of real systems: one module per folder under `GMAT_CONFORMANCE`. Any other folder of
//! the same shape works the same. Without the variable each test says that it was skipped.

#![expect(clippy::print_stderr, reason = "a test says what it compared or skipped")]

mod gmat;
mod ledger;
mod stats;

use std::path::{Path, PathBuf};

/// The folder `name` below `GMAT_CONFORMANCE`, or `None` after saying why not.
fn folder(name: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("GMAT_CONFORMANCE") else {
        eprintln!("{name}: skipped, GMAT_CONFORMANCE is not set");
        return None;
    };
    let folder = PathBuf::from(root).join(name);
    if !folder.is_dir() {
        eprintln!("{name}: skipped, {} is absent", folder.display());
        return None;
    }
    Some(folder)
}

/// The files of a folder with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

#[test]
fn absent_folders_are_reported_as_skipped() {
    assert_eq!(folder("no-such-folder"), None);
}
