//! Words what a table refuses: what, and what to do.

use super::{BuildError, ConditionError, MeasureError, SelectError};
use crate::domain::Failure;
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
                more.help("`--duplicates first`, `last` or `mean` says which one counts")
            }
            BuildError::Holes(_) => failure.help(
                "`--on-missing fill` adds zeros, `fix-aggregate` counts them in the aggregate, `skip` averages what is there",
            ),
            BuildError::KindConflict { .. } => {
                failure.help("rename one of the measures, or read it as text in both: list the measures in `--spec FILE`, this one as `NAME:text`")
            }
            BuildError::NotANumber { .. } => {
                failure.help("a measure is a number or a text throughout; declare it as text with `--spec`")
            }
            BuildError::Required { count, .. } => {
                let failure = match count {
                    1 => failure,
                    count => failure.detail(format!("{count} values of the measures in `--spec` are missing")),
                };
                failure.help("take the measure out of `--spec`, or leave out `--on-missing error`")
            }
            BuildError::TooLarge { .. } | BuildError::TooManyCells(_) => {
                failure.help("read fewer files at a time, or files with fewer columns")
            }
            BuildError::TooManyHoles(_) => failure.help(
                "`--on-missing skip` averages what is there; `--topics FILE` names fewer expected topics",
            ),
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
            error => Self::unusable(error.to_string())
                .help("a condition is a name, a sign and a value: `--where 'reward>=0.5'`"),
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
