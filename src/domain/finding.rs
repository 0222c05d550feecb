//! One thing a check can show to be wrong.

use serde::Serialize;

use super::{Code, Failure, FindingHint, Hint};

/// A fact that contradicts a rule, with both sides of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub code: Code,
    /// Whether it decides the answer.
    pub severity: Severity,
    /// The subject and what is wrong with it: lower case, no full stop.
    pub what: String,
    /// The file it is in.
    pub file: String,
    /// The key path inside the file; empty for the whole file.
    pub path: String,
    /// What the published file says. Never set for a leak.
    pub published: Option<String>,
    /// What was rebuilt. Never set for a leak.
    pub rebuilt: Option<String>,
    /// What to do, without the commands of the program.
    pub help: String,
    /// What a command of the program does about it; `ui/hints.rs` has the words.
    #[serde(skip)]
    pub(crate) hint: Option<FindingHint>,
}

/// Whether a finding decides the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// The answer is no.
    Finding,
    /// Worth knowing; the answer does not change.
    Note,
}

impl Finding {
    /// File and key path, as people read it.
    pub(crate) fn place(&self) -> String {
        match (self.file.as_str(), self.path.as_str()) {
            ("", path) => path.to_owned(),
            (file, "") => file.to_owned(),
            (file, path) => format!("{file}, {path}"),
        }
    }

    /// A finding with the help that goes with its code.
    pub(crate) fn new(
        code: Code,
        file: impl Into<String>,
        path: impl Into<String>,
        what: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity: Severity::Finding,
            what: what.into(),
            file: file.into(),
            path: path.into(),
            published: None,
            rebuilt: None,
            help: code.help().into(),
            hint: Some(FindingHint::Code(code)),
        }
    }

    /// Downgrades the finding to a note, which does not affect the exit code.
    #[must_use]
    pub(crate) fn note(mut self) -> Self {
        self.severity = Severity::Note;
        self
    }

    /// Adds both sides.
    #[must_use]
    pub(crate) fn sides(
        mut self,
        published: impl Into<String>,
        rebuilt: impl Into<String>,
    ) -> Self {
        self.published = Some(published.into());
        self.rebuilt = Some(rebuilt.into());
        self
    }

    /// Replaces the help, and what a command does about it.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self.hint = None;
        self
    }

    /// Replaces what a command does about it.
    #[must_use]
    pub(crate) fn hint(mut self, hint: FindingHint) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The finding as a reason why something could not be done, at `place`.
    pub(crate) fn into_failure(self, place: impl Into<String>) -> Failure {
        let failure = Failure::unusable(self.what).code(self.code).at(place).help(self.help);
        match self.hint {
            Some(hint) => failure.hint(Hint::Finding(hint)),
            None => failure,
        }
    }

    /// Whether it decides the answer.
    pub fn decides(&self) -> bool {
        self.severity == Severity::Finding
    }
}
