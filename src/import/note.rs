//! What a reader says about what it read.

use std::collections::BTreeSet;

use crate::domain::{Failure, Hint};
use crate::json::JsonError;
use crate::table::BuildError;

/// Something a user should know about a file or a line of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// File, with the line where there is one.
    pub place: String,
    /// What happened: lower case, no full stop.
    pub what: String,
    /// What changes it. `correlate` has fewer flags than `rank` and its siblings.
    pub(crate) hint: Option<Hint>,
}

impl Note {
    /// A note about a whole file.
    pub fn file(file: &str, what: impl Into<String>) -> Self {
        Self { place: file.to_owned(), what: what.into(), hint: None }
    }

    /// A note about a line.
    pub fn line(file: &str, line: usize, what: impl Into<String>) -> Self {
        Self::file(&format!("{file}:{line}"), what)
    }

    /// Adds what changes it.
    #[must_use]
    pub(crate) fn hint(mut self, hint: Hint) -> Self {
        self.hint = Some(hint);
        self
    }
}

/// How much was read, and what should be said about the rest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Rows, files or lines that became part of the table.
    pub loaded: usize,
    /// Rows, files or lines that did not.
    pub skipped: usize,
    /// Why not, and whatever else is worth saying.
    pub notes: Vec<Note>,
    /// Measures that were taken to be better lower because of their name.
    pub lowered: BTreeSet<String>,
}

impl Tally {
    /// Counts something that was left out, and says why.
    pub fn skip(&mut self, note: Note) {
        self.skipped += 1;
        self.notes.push(note);
    }

    /// Adds what another reader says.
    pub fn absorb(&mut self, other: Self) {
        self.loaded += other.loaded;
        self.skipped += other.skipped;
        self.notes.extend(other.notes);
        self.lowered.extend(other.lowered);
    }
}

/// Why a file could not be read at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ImportError {
    /// Not JSON.
    #[error("`{file}` is not JSON")]
    Json {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: JsonError,
    },
    /// JSON of another shape.
    #[error("`{file}` is not {wanted}")]
    Shape {
        /// The file.
        file: String,
        /// What it should be.
        wanted: &'static str,
        /// What it lacks or has.
        why: String,
    },
    /// A line that does not fit its format.
    #[error("{what}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
        /// What was expected.
        expected: String,
    },
    /// The table refused a cell.
    #[error("{error}")]
    Build {
        /// The file, with the line where it is known.
        place: String,
        /// Why.
        error: BuildError,
    },
}

impl ImportError {
    /// JSON of another shape than `wanted`.
    pub(super) fn shape(file: &str, wanted: &'static str, why: impl Into<String>) -> Self {
        Self::Shape { file: file.to_owned(), wanted, why: why.into() }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        let what = error.to_string();
        match error {
            ImportError::Json { file, error } => Self::unusable(what)
                .at(format!("{file}:{}", error.location))
                .detail(error.to_string())
                .hint(Hint::NotJson),
            ImportError::Shape { file, why, .. } => Self::unusable(what).at(file).detail(why),
            ImportError::Line { file, line, expected, .. } => {
                Self::unusable(what).at(format!("{file}:{line}")).detail(expected)
            }
            ImportError::Build { place, error } => Self::from(error).at(place),
        }
    }
}
