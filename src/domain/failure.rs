//! Why something could not be done or checked, in the parts a person needs.

use std::fmt;

use super::{Code, Exit, Hint};
use crate::json::{self, Document, Fault, JsonError, Location, Mismatch};

/// An error for the user: what is wrong, where, what to do.
///
/// Rooms hold their errors as enums of facts and turn them into this at the boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Unusable input, or a disk or network failure.
    pub exit: Exit,
    /// The stable code, where the fact has one.
    pub code: Option<Code>,
    /// The subject and what is wrong with it: lower case, no full stop.
    pub what: String,
    /// File with line and column, key path, address.
    pub place: Option<String>,
    /// Further facts, one a line.
    pub details: Vec<String>,
    /// What to do, without the commands of the program.
    pub help: Option<String>,
    /// What a command of the program does about it; `ui/hints.rs` has the words.
    pub(crate) hint: Option<Hint>,
    /// Further failures found on the way; a bad row never hides the others.
    pub others: Vec<Failure>,
}

impl Failure {
    /// The call or the input is unusable.
    pub(crate) fn unusable(what: impl Into<String>) -> Self {
        Self::new(Exit::Unusable, what.into())
    }

    /// Disk or network failure; trying again may help.
    pub(crate) fn world(what: impl Into<String>) -> Self {
        Self::new(Exit::World, what.into())
    }

    fn new(exit: Exit, what: String) -> Self {
        Self {
            exit,
            code: None,
            what,
            place: None,
            details: Vec::new(),
            help: None,
            hint: None,
            others: Vec::new(),
        }
    }

    /// `file` is not strict JSON.
    pub(crate) fn json(file: &str, error: &JsonError) -> Self {
        let code = match error.fault {
            Fault::Empty | Fault::Conflict | Fault::Syntax(_) => Code::JSyntax,
            Fault::Bom => Code::JBom,
            Fault::Utf8(_) => Code::JUtf8,
            Fault::DuplicateKey(_) => Code::JDupkey,
            Fault::Number(_) => Code::JNumber,
            Fault::Depth(_) => Code::JDepth,
        };
        let failure = Self::unusable(format!("`{file}` is not acceptable JSON"))
            .code(code)
            .at(place(file, &error.location))
            .detail(error.fault.to_string());
        match error.fault {
            Fault::Conflict => {
                failure.help("resolve the conflict; `git diff --check` lists the markers")
            }
            _ => failure,
        }
    }

    /// A value of `file` is of another type than wanted.
    pub(crate) fn schema(file: &str, location: &Location, mismatch: &Mismatch) -> Self {
        Self::unusable(format!(
            "invalid value in `{file}`: expected {}, found {}",
            mismatch.wanted, mismatch.found
        ))
        .code(Code::ESchema)
        .at(place(file, location))
    }

    /// Adds the stable code.
    #[must_use]
    pub(crate) fn code(mut self, code: Code) -> Self {
        self.code = Some(code);
        self
    }

    /// Adds where it is.
    #[must_use]
    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Adds a further fact.
    #[must_use]
    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.details.push(detail.into());
        self
    }

    /// Adds what to do.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Recommends `near`, else says what else to do.
    #[must_use]
    pub(crate) fn meant(self, near: Option<&str>, otherwise: impl Into<String>) -> Self {
        self.help(near.map_or_else(|| otherwise.into(), |near| format!("did you mean `{near}`?")))
    }

    /// Adds what a command words as advice.
    #[must_use]
    pub(crate) fn hint(mut self, hint: Hint) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The failure with each of its texts changed by `change`.
    pub(crate) fn reworded(self, change: &dyn Fn(&str) -> String) -> Self {
        Self {
            what: change(&self.what),
            place: self.place.as_deref().map(change),
            details: self.details.iter().map(|text| change(text)).collect(),
            help: self.help.as_deref().map(change),
            others: self.others.into_iter().map(|other| other.reworded(change)).collect(),
            ..self
        }
    }

    /// One failure that carries all of `failures`, or `None` if there is none.
    pub(crate) fn all(failures: Vec<Failure>) -> Option<Self> {
        let mut failures = failures.into_iter();
        let mut first = failures.next()?;
        first.others.extend(failures);
        Some(first)
    }
}

/// The code, what is wrong and where, in one line: `[J-SYNTAX] what (place)`. Details, help and
/// further failures are left to the report.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(code) = self.code {
            write!(f, "[{code}] ")?;
        }
        f.write_str(&self.what)?;
        match &self.place {
            Some(place) => write!(f, " ({place})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

/// The bytes of `file` as strict JSON.
pub fn parse_document<'t>(bytes: &'t [u8], file: &str) -> Result<Document<'t>, Failure> {
    json::parse(bytes).map_err(|error| Failure::json(file, &error))
}

/// `file:line:column, key path`.
pub(super) fn place(file: &str, location: &Location) -> String {
    let comma = if location.path.is_empty() { "" } else { ", " };
    format!("{file}:{location}{comma}{}", location.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_an_error_that_another_program_can_pass_on() {
        fn read() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
            Err(Failure::unusable("`a.json` is not acceptable JSON")
                .code(Code::JSyntax)
                .at("a.json:1:2")
                .help("fix it"))?
        }
        let error = read().expect_err("it always fails");
        assert_eq!(error.to_string(), "[J-SYNTAX] `a.json` is not acceptable JSON (a.json:1:2)");
        assert_eq!(Failure::world("the disk is full").to_string(), "the disk is full");
    }
}
