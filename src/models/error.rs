//! Why a model gave no answer, and whether to ask again.

use std::time::Duration;

use crate::domain::{Exit, Failure};

/// Why there is no answer. Holds no key.
#[derive(Debug, Clone)]
pub(crate) enum ModelError {
    /// The provider answered with a status of 400 or above.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The provider's words.
        words: String,
        /// How long it asks to wait.
        wait: Option<Duration>,
    },
    /// No reply, or half of one.
    Transport(String),
    /// A reply that is not what the API documents.
    Reply(String),
    /// A redirect, which is not followed: the key would go with it.
    Redirect,
}

/// Whether the same call may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModelRetry {
    Never,
    /// After a wait, of this length if the provider said so.
    Later(Option<Duration>),
}

impl ModelError {
    pub(crate) fn again(&self) -> ModelRetry {
        match self {
            Self::Refused { status: 408 | 409 | 425 | 429 | 500.., wait, .. } => {
                ModelRetry::Later(*wait)
            }
            Self::Transport(_) | Self::Reply(_) => ModelRetry::Later(None),
            Self::Refused { .. } | Self::Redirect => ModelRetry::Never,
        }
    }

    /// What happened, in a line.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Refused { status, words, .. } if words.is_empty() => format!("status {status}"),
            Self::Refused { status, words, .. } => format!("status {status}: {words}"),
            Self::Transport(words) => words.clone(),
            Self::Reply(words) => format!("unexpected reply: {words}"),
            Self::Redirect => "a redirect".to_owned(),
        }
    }

    /// The error without what the provider said.
    pub(crate) fn without_words(self) -> Self {
        match self {
            Self::Refused { status, wait, .. } => {
                Self::Refused { status, words: String::new(), wait }
            }
            Self::Reply(_) => Self::Reply("not shown".to_owned()),
            other => other,
        }
    }

    /// The failure that ends the run; `place` is the address, `variables` those of the key.
    pub(crate) fn failure(&self, place: &str, variables: &[&str], has_key: bool) -> Failure {
        let (exit, what, help) = match self {
            Self::Refused { status: 401 | 403, .. } if !has_key => (
                Exit::Unusable,
                "the provider wants a key, and none is set",
                format!("set {} in the environment", variables.join(" or ")),
            ),
            Self::Refused { status: 401 | 403, .. } => (
                Exit::Unusable,
                "the provider does not accept the key",
                format!("check {}; it may be wrong, expired or without access to this model", variables.join(" or ")),
            ),
            Self::Refused { status: 404, .. } => (
                Exit::Unusable,
                "the provider does not know this model or address",
                "check the name after the provider, and the base address".to_owned(),
            ),
            Self::Refused { status: 400 | 422, .. } => (
                Exit::Unusable,
                "the provider refuses the request",
                "if it names a setting that the model does not accept, leave it out: `--omit temperature`".to_owned(),
            ),
            Self::Refused { status: 429, .. } => (
                Exit::World,
                "the provider is limiting requests",
                "run the same command again later; every answer so far is kept".to_owned(),
            ),
            Self::Redirect => (
                Exit::Unusable,
                "the provider redirects, which is not followed",
                "check the base address; the key was not sent anywhere else".to_owned(),
            ),
            Self::Refused { .. } | Self::Transport(_) | Self::Reply(_) => (
                Exit::World,
                "the provider gives no usable answer",
                "run the same command again later; every answer so far is kept".to_owned(),
            ),
        };
        let mut failure = Failure::world(what).at(place).detail(self.message()).help(help);
        failure.exit = exit;
        failure
    }
}
