//! What can go wrong between this program and a hub.
//!
//! Holds facts, never the token and never a signed address. Whether trying again may help is
//! decided here, once, for every call.

use super::name::BadName;
use crate::domain::{Exit, Failure};
use crate::fs::StoreError;

/// A fact about a hub.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// `HF_ENDPOINT` is not a place this program talks to.
    #[error("the endpoint `{text}` is not usable: {why}")]
    Endpoint {
        /// What was given.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Control characters, blanks or worse in the token.
    #[error("the token has characters that no token has")]
    BadToken,
    /// There is none, and the call needs one.
    #[error("there is no token")]
    NoToken,
    /// The hub answered, and the answer is no.
    #[error("the hub answered {} at {}", .0.status, .0.url)]
    Refused(Box<Refusal>),
    /// No answer, or half of one.
    #[error("no answer from {url}: {words}")]
    Transport {
        /// Host and path.
        url: String,
        /// What happened to the connection.
        words: String,
    },
    /// An answer that is not what the protocol says.
    #[error("unexpected response from {url}: {what}")]
    Answer {
        /// Host and path.
        url: String,
        /// What is wrong with it.
        what: String,
    },
    /// A redirect that is not followed.
    #[error("a redirect from {from} is not followed: {why}")]
    Redirect {
        /// Host and path of the answer that redirects.
        from: String,
        /// Why not.
        why: &'static str,
    },
    /// The listing names files that cannot be written here.
    #[error("names in the listing that are refused: {}", .0.len())]
    Names(Vec<BadName>),
    /// The site has files that have no place in one.
    #[error("files of the site that are not published: {}", .0.len())]
    SiteNames(Vec<BadName>),
    /// More than this program takes from a hub.
    #[error("the hub offers {what}, above the limit of {limit}")]
    TooMuch {
        /// What, with its number.
        what: String,
        /// The limit, with its unit.
        limit: String,
    },
    /// A body that is not the file the listing names.
    #[error("what arrived is not the file `{path}`: {what}")]
    Differs {
        /// The file.
        path: String,
        /// Both sides.
        what: String,
    },
    /// A file of the Space that is not as it was sent, although the commit was accepted.
    #[error("the Space does not hold what was sent: `{path}` differs at commit {revision}")]
    Unpublished {
        /// The file.
        path: String,
        /// The commit.
        revision: String,
    },
    /// Another head each time.
    #[error("another job publishes to the same Space")]
    Busy,
    /// Anything else that makes the call useless.
    #[error("{what}")]
    Unusable {
        /// What.
        what: String,
        /// What to do.
        help: &'static str,
    },
    /// The file system.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An answer of 400 or above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// `X-Error-Code`.
    pub code: String,
    /// The hub's words, without the token.
    pub message: String,
    /// Host and path.
    pub url: String,
    /// `X-Request-Id`.
    pub request: String,
    /// How many seconds the hub asks to wait.
    pub wait: Option<u64>,
    /// Whether the token was sent.
    pub with_token: bool,
    /// Whether the answer came from another host, by a signed address.
    pub is_signed: bool,
}

/// Whether the same call may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retry {
    Never,
    /// Once, at once: a signed address has run out, or a body was wrong.
    Once,
    /// After a wait, of this many seconds if the hub said so.
    Later(Option<u64>),
}

impl HubError {
    pub(super) fn again(&self) -> Retry {
        match self {
            Self::Refused(refusal) => match refusal.status {
                408 | 429 | 500 | 502 | 503 | 504 => Retry::Later(refusal.wait),
                403 if refusal.is_signed => Retry::Once,
                _ => Retry::Never,
            },
            Self::Transport { .. } | Self::Answer { .. } => Retry::Later(None),
            Self::Differs { .. } => Retry::Once,
            _ => Retry::Never,
        }
    }

    pub(super) fn status(&self) -> Option<u16> {
        match self {
            Self::Refused(refusal) => Some(refusal.status),
            _ => None,
        }
    }
}

impl From<HubError> for Failure {
    fn from(error: HubError) -> Self {
        let what = error.to_string();
        match error {
            HubError::Endpoint { .. } => Self::unusable(what).help(
                "HF_ENDPOINT is `https://host` with an optional port; unset it for huggingface.co",
            ),
            HubError::BadToken => {
                Self::unusable(what).help("copy the token again; it is one word such as `hf_…`")
            }
            HubError::NoToken => Self::unusable(what)
                .help("set HF_TOKEN, or write the token to ~/.cache/huggingface/token"),
            HubError::Refused(refusal) => refused(&refusal),
            HubError::Transport { url, words } => Self::world("the hub cannot be reached")
                .at(url)
                .detail(words)
                .help("check the network and run the command again; finished files are kept"),
            HubError::Answer { url, what } => Self::world("unexpected response from the hub")
                .at(url)
                .detail(what)
                .help("try again; if it persists, a proxy may be answering instead of the hub"),
            HubError::Redirect { from, why } => {
                Self::unusable("the hub redirects to an address that is not allowed")
                    .at(from)
                    .detail(why)
                    .help("nothing was sent there; check HF_ENDPOINT")
            }
            HubError::Names(names) => {
                named(what, &names).help("rename them in the dataset; nothing was downloaded")
            }
            HubError::SiteNames(names) => named(what, &names)
                .help("take them out of the site or rename them; nothing was sent"),
            HubError::TooMuch { .. } => {
                Self::unusable(what).help("a held-out set is small; is this the right repository?")
            }
            HubError::Differs { .. } => Self::world(what)
                .help("nothing of it was kept; run the command again, finished files are kept"),
            HubError::Unpublished { .. } => Self::world(what)
                .help("run `publish` again; if it persists, look at the commits of the Space"),
            HubError::Busy => Self::world(what)
                .detail("three times the Space had changed between reading and committing")
                .help("find the other job and let one of them finish, then run this again"),
            HubError::Unusable { help, .. } => Self::unusable(what).help(help),
            HubError::Store(error) => error.into(),
        }
    }
}

fn named(what: String, names: &[BadName]) -> Failure {
    let few = names.iter().take(20);
    let failure = few.fold(Failure::unusable(what), |failure, BadName { name, why }| {
        failure.detail(format!("`{name}`: {why}"))
    });
    match names.len().saturating_sub(20) {
        0 => failure,
        more => failure.detail(format!("and {more} more")),
    }
}

fn refused(refusal: &Refusal) -> Failure {
    let is_world = matches!(refusal.status, 408 | 412 | 429 | 500..);
    let (what, help) = explain(refusal);
    let mut failure = Failure::unusable(format!("{what} ({})", refusal.status))
        .at(refusal.url.clone())
        .help(help);
    if is_world {
        failure.exit = Exit::World;
    }
    if !refusal.message.is_empty() {
        failure = failure.detail(format!("the hub says: {}", refusal.message));
    }
    if !refusal.request.is_empty() {
        failure = failure.detail(format!("request {}", refusal.request));
    }
    failure
}

fn explain(refusal: &Refusal) -> (&'static str, &'static str) {
    match (refusal.status, refusal.code.as_str()) {
        (401, _) if refusal.with_token => (
            "the hub does not accept the token",
            "it is wrong or has expired: create a new one at https://huggingface.co/settings/tokens",
        ),
        (401, _) => (
            "the hub requires a token",
            "set HF_TOKEN, or write the token to ~/.cache/huggingface/token",
        ),
        (403, "GatedRepo") => {
            ("the repository is gated", "ask its owner for access with the token's account")
        }
        (403, _) if refusal.is_signed => {
            ("a signed URL was refused twice", "run the command again; finished files are kept")
        }
        (403, _) => (
            "the token lacks the required permission",
            "fetch needs a token that reads the dataset, publish one that writes the Space",
        ),
        (404, "RevisionNotFound") => ("the revision does not exist", "check --revision"),
        (404, "EntryNotFound") => ("a file of the listing is gone", "run the command again"),
        (404, _) => (
            "the repository does not exist, or this token may not see it",
            "check owner/name and the token's rights; `publish --create` makes a Space, `hf upload` a dataset",
        ),
        (429, _) => {
            ("the hub is rate-limiting requests", "wait five minutes and run the command again")
        }
        (408 | 500.., _) => (
            "the hub reports a server error",
            "run the command again later; finished files are kept",
        ),
        _ => ("the hub refused the request", "see its message; the same request will fail again"),
    }
}
