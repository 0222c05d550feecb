//! The journal of `eval`: one line for each answer, on disk before the next question is asked.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::domain::Failure;
use crate::fs::{GitExposure, StoreError, exposure, make_private, write};
use crate::workspace::LockedFile;

/// A file of whole lines that this process alone may append to.
#[derive(Debug)]
pub struct EvalJournal {
    /// How it is named to people.
    pub path: PathBuf,
    file: Mutex<LockedFile>,
}

impl EvalJournal {
    /// Opens the journal `name` below the ignored cache and returns what it holds. A last line that
    /// was cut is dropped. With `restart`, what it holds is set aside.
    pub fn open(root: &Path, name: &str, restart: bool) -> Result<(Self, Vec<u8>), Failure> {
        let path = root.join("leaderboard/.cache/eval").join(format!("{name}.jsonl"));
        let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
        let dir = path.parent().unwrap_or(root);
        if !matches!(exposure(dir)?, GitExposure::Outside | GitExposure::Ignored) {
            return Err(Failure::unusable("git would track the journal of answers")
                .at(dir.display().to_string())
                .help("add the line `/leaderboard/.cache/` to .gitignore"));
        }
        let failed = |source| StoreError::Io { verb: "create", path: dir.to_owned(), source };
        make_private(dir).map_err(failed)?;
        let mut file = LockedFile::journal(path.clone())?.ok_or_else(|| {
            Failure::unusable("another `eval` of this model is running")
                .at(path.display().to_string())
                .help("wait until it ends, or stop it; its answers are kept")
        })?;
        file.drop_unfinished()?;
        if restart && !file.bytes.is_empty() {
            write(&path.with_extension("old.jsonl"), &file.bytes)?;
            file.clear()?;
        }
        let bytes = file.bytes.clone();
        Ok((Self { path, file: Mutex::new(file) }, bytes))
    }

    /// Appends one line and waits until it is on disk.
    pub fn append(&self, line: &[u8]) -> Result<(), StoreError> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write(line)
    }
}
