//! A directory of files that is made once and never changed: new, or exactly what is there already.

use std::path::Path;

use crate::domain::Failure;
use crate::fs::{StoreError, Sync, make_directory, read_typed, write, write_tree};

/// What became of a directory that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It was made.
    New,
    /// It held these very bytes already; nothing was touched.
    Unchanged,
    /// It held all of these files but one, which was added.
    Completed,
}

/// Makes the directory `dir` with `files`, whole or not at all, and its parents. One that is not empty stays as it is,
/// unless it lacks just one of the files.
pub fn write_directory(dir: &Path, files: &[(String, Vec<u8>)]) -> Result<Written, Failure> {
    let failed = |source| StoreError::Io { verb: "read", path: dir.to_owned(), source };
    match std::fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_symlink() => {
            return Err(StoreError::OutputLink(dir.to_owned()).into());
        }
        Ok(metadata) if !metadata.is_dir() => {
            return Err(StoreError::NotDirectory(dir.to_owned()).into());
        }
        Ok(_) if std::fs::read_dir(dir).map_err(failed)?.next().is_some() => {
            let same = |(file, bytes): &&(String, Vec<u8>)| {
                read_typed(&dir.join(file), bytes.len() as u64).is_ok_and(|there| there == *bytes)
            };
            let others: Vec<_> = files.iter().filter(|file| !same(file)).collect();
            return match others[..] {
                [] => Ok(Written::Unchanged),
                [(file, bytes)] if std::fs::symlink_metadata(dir.join(file)).is_err() => {
                    write(&dir.join(file), bytes)?;
                    Ok(Written::Completed)
                }
                [(file, _), ..] => {
                    Err(StoreError::Occupied { dir: dir.to_owned(), file: file.clone() }.into())
                }
            };
        }
        _ => {}
    }
    if let Some(parent) = dir.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        make_directory(parent)?;
    }
    write_tree(dir, files, Sync::Each)?;
    Ok(Written::New)
}
