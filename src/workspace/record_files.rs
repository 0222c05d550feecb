//! Files of records as the user names them: files, folders of them, standard input.

use std::path::{Path, PathBuf};

use crate::fs::{StoreError, read_stdin, read_typed};
use crate::workspace::LEDGER_LIMIT;

/// A file of records, as it is named to people, and its bytes.
pub type RecordFile = (String, Vec<u8>);

/// Reads `paths` in order; `-` is standard input, a folder gives its `.json` and `.jsonl` files by
/// name.
pub fn record_files(paths: &[PathBuf], limit: u64) -> Result<Vec<RecordFile>, StoreError> {
    let mut files = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            files.push(("standard input".to_owned(), read_stdin(LEDGER_LIMIT)?));
        } else if path.is_dir() {
            for file in record_paths(path)? {
                files.push((file.display().to_string(), read_typed(&file, limit)?));
            }
        } else {
            files.push((path.display().to_string(), read_typed(path, limit)?));
        }
    }
    Ok(files)
}

fn record_paths(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let failed = |source| StoreError::Io { verb: "read", path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_record = path.extension().is_some_and(|found| found == "json" || found == "jsonl");
        if is_record && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
