//! What can go wrong while pages are made: templates, assets, and official baselines of the config
//! that do not hold; never the board.

use crate::domain::Failure;
use crate::facts::BaselineError;

/// A fact about a template, an asset or the config.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A template names something that is not there, or cannot be parsed.
    #[error("template `{template}` cannot be rendered: {reason}")]
    Template {
        /// The template.
        template: String,
        /// The line, from 1.
        line: usize,
        /// Whether the user brought it.
        overridden: bool,
        /// What the engine says.
        reason: String,
        /// The expression that names something unknown.
        expression: Option<String>,
        /// Names that exist where the unknown one was looked for.
        known: Vec<String>,
    },
    /// An override for a file that does not exist.
    #[error("`{name}` overrides nothing")]
    UnknownOverride {
        /// The file as brought.
        name: String,
        /// `template` or `static file`.
        kind: &'static str,
        /// The files that can be overridden.
        known: Vec<String>,
    },
    /// A template that is not text.
    #[error("template `{0}` is not UTF-8")]
    NotText(String),
    /// Two files of one name; a page of ours would overwrite another.
    #[error("two files of the site are named `{0}`")]
    Twice(String),
    /// Official baselines that do not hold.
    #[error("the official baselines do not hold")]
    Baselines(Vec<BaselineError>),
}

impl From<SiteError> for Failure {
    fn from(error: SiteError) -> Self {
        let what = error.to_string();
        match error {
            SiteError::Template { template, line, overridden, reason, expression, known } => {
                let what = match &expression {
                    Some(name) => {
                        format!("template `{template}` uses `{name}`, which is not defined")
                    }
                    None => format!("template `{template}` cannot be rendered"),
                };
                let origin = if overridden { " (override)" } else { "" };
                let mut failure =
                    Self::unusable(what).at(format!("templates/{template}:{line}{origin}"));
                if expression.is_none() {
                    failure = failure.detail(reason);
                }
                if !known.is_empty() {
                    failure = failure.detail(format!("there is: `{}`", known.join("`, `")));
                }
                if overridden {
                    failure = failure.help("correct the override, or leave it out: without `--templates` the built-in template is used");
                }
                failure
            }
            SiteError::UnknownOverride { known, kind, .. } => Self::unusable(what)
                .detail(format!("a {kind} can be one of: `{}`", known.join("`, `")))
                .help("rename the file; further static files may lie below `extra/`"),
            SiteError::Baselines(errors) => {
                let failures = errors.into_iter().map(Self::from).collect();
                Self::all(failures).unwrap_or_else(|| Self::unusable(what))
            }
            SiteError::NotText(_) | SiteError::Twice(_) => Self::unusable(what),
        }
    }
}
