//! Words what a table refuses: what, and what to do.

use super::{BuildError, ConditionError, MeasureError, SelectError};
use crate::domain::{Failure, Hint};
use crate::table::NameError;

impl From<NameError> for Failure {
    fn from(error: NameError) -> Self {
        let failure = Self::unusable(error.to_string());
        let list = |names: &[String]| {
            let shown: Vec<String> =
                names.iter().take(30).map(|name| format!("`{name}`")).collect();
            match names.len().saturating_sub(shown.len()) {
                0 => shown.join(", "),
                more => format!("{} and {more} more", shown.join(", ")),
            }
        };
        match error {
            NameError::Measure { nearest, known, .. } | NameError::Facet { nearest, known, .. } => {
                let failure = failure.detail(format!("it has: {}", list(&known)));
                match nearest {
                    Some(name) => failure.help(format!("did you mean `{name}`?")),
                    None => failure.help("name one of these"),
                }
            }
            NameError::Run { nearest, .. } => match nearest {
                Some(name) => failure.help(format!("did you mean `{name}`?")),
                None => failure.help("`rank` lists the ids"),
            },
            NameError::Ambiguous { some, .. } => failure
                .detail(format!("among them: {}", list(&some)))
                .help("give more letters, or the whole id"),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let failure = Self::unusable(error.to_string());
        match error {
            BuildError::Duplicate { lines, count, .. } => {
                let failure = match lines {
                    (0, _) | (_, 0) => failure,
                    (first, second) => failure.detail(format!("lines {first} and {second}")),
                };
                let more = match count {
                    1 => failure,
                    count => failure.detail(format!("{count} values are given more than once")),
                };
                more.hint(Hint::DuplicateValue)
            }
            BuildError::Holes(_) => failure.hint(Hint::MissingValues),
            BuildError::KindConflict { .. } => failure.hint(Hint::MeasureOfTwoKinds),
            BuildError::NotANumber { .. } => failure.hint(Hint::TextForNumber),
            BuildError::Required { count, .. } => {
                let failure = match count {
                    1 => failure,
                    count => {
                        failure.detail(format!("{count} values of required measures are missing"))
                    }
                };
                failure.hint(Hint::RequiredMeasure)
            }
            BuildError::TooLarge { .. } | BuildError::TooManyCells(_) => {
                failure.help("read fewer files at a time, or files with fewer columns")
            }
            BuildError::TooManyHoles(_) => failure.hint(Hint::TooManyMissingValues),
            BuildError::UnknownMeasures(_)
            | BuildError::MissingMeasures(_)
            | BuildError::TooManyMeasures => failure,
        }
    }
}

impl From<ConditionError> for Failure {
    fn from(error: ConditionError) -> Self {
        match error {
            ConditionError::Name(error) => error.into(),
            error => Self::unusable(error.to_string()).hint(Hint::Condition),
        }
    }
}

impl From<SelectError> for Failure {
    fn from(error: SelectError) -> Self {
        match error {
            SelectError::Condition(error) => error.into(),
            SelectError::Name(error) => error.into(),
            SelectError::Build(error) => error.into(),
        }
    }
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Self {
        Self::unusable(error.to_string())
            .help("a measure is `name:higher:mean`; direction and reduction may be left out")
    }
}
