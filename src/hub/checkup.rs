//! Whether a hub, a token, a dataset and a Space are set up as publishing needs them.

use serde::Serialize;

use super::client::Client;
use super::repo::{RepoId, RepoKind};
use crate::domain::Failure;

/// One thing that was looked at.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What it is.
    pub subject: &'static str,
    /// How it is.
    pub state: CheckState,
    /// What was seen.
    pub what: String,
    /// What to do where it is not well; empty otherwise.
    pub help: String,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    /// As it should be.
    Well,
    /// Not as it should be.
    Ill,
    /// Not looked at.
    Skipped,
    /// Could be better, or comes next; nothing fails without it.
    Todo,
}

impl Check {
    /// As it should be.
    pub fn well(subject: &'static str, what: impl Into<String>) -> Self {
        Self { subject, state: CheckState::Well, what: what.into(), help: String::new() }
    }

    /// Not as it should be.
    pub fn ill(subject: &'static str, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { subject, state: CheckState::Ill, what: what.into(), help: help.into() }
    }

    /// Could be better, or comes next.
    pub fn todo(subject: &'static str, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { state: CheckState::Todo, ..Self::ill(subject, what, help) }
    }

    /// Not looked at, and how to have it looked at.
    pub fn skipped(subject: &'static str, what: impl Into<String>) -> Self {
        Self { state: CheckState::Skipped, ..Self::well(subject, what) }
    }

    /// Something that could not be found out.
    pub fn failed(subject: &'static str, failure: impl Into<Failure>) -> Self {
        let failure: Failure = failure.into();
        Self::ill(subject, failure.what, failure.help.unwrap_or_default())
    }
}

/// Looks at what is named.
pub(crate) fn checkup(
    client: &Client<'_>,
    dataset: Option<&RepoId>,
    space: Option<&RepoId>,
) -> Vec<Check> {
    vec![token(client), self::dataset(client, dataset), self::space(client, space)]
}

fn token(client: &Client<'_>) -> Check {
    if !client.has_token() {
        let help = "set HF_TOKEN, or write the token to ~/.cache/huggingface/token";
        return Check::ill("token", "there is none", help);
    }
    match client.who() {
        Ok((name, role)) => Check::well("token", format!("of `{name}`, role `{role}`")),
        Err(error) => Check::failed("token", error),
    }
}

fn dataset(client: &Client<'_>, dataset: Option<&RepoId>) -> Check {
    let Some(id) = dataset else {
        return Check::skipped("dataset", "not checked; pass --dataset owner/name");
    };
    match client.info(RepoKind::Dataset, id, "main") {
        Ok(info) if info.private => Check::well("dataset", format!("`{id}` is private")),
        Ok(_) => Check::ill(
            "dataset",
            format!("`{id}` is not private: anybody can read the held-out set"),
            "make it private in its settings, and treat the set as read",
        ),
        Err(error) => Check::failed("dataset", error),
    }
}

fn space(client: &Client<'_>, space: Option<&RepoId>) -> Check {
    let Some(id) = space else {
        return Check::skipped("Space", "not checked; pass --space owner/name");
    };
    match client.info(RepoKind::Space, id, "main") {
        Ok(info) if info.sdk == "static" => Check::well("Space", format!("`{id}` is static")),
        Ok(info) => Check::ill(
            "Space",
            format!("`{id}` is `{}`, not `static`", info.sdk),
            "name a static Space, or make one: `publish --create --space owner/name`",
        ),
        Err(error) => Check::failed("Space", error),
    }
}
