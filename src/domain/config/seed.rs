//! One `provider:model` the board is asked to score.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::{About, Withdrawn};

/// A seed as the config lists it; what is absent or the default is not written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seed {
    /// Who serves the model; `recorded` if the config names none.
    pub provider: String,
    /// The model.
    pub model: String,
    /// What kind of row it is.
    pub kind: String,
    /// Who brought it.
    #[serde(skip_serializing_if = "is_default_submitter")]
    pub submitted_by: String,
    /// The public bundle, below the root.
    pub public_bundle: BelowPath,
    /// The held-out bundle, below the held-out directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out_bundle: Option<BelowPath>,
    /// The lift bundle, below the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift_bundle: Option<BelowPath>,
    /// Whether a maintainer has judged the entrant's answers again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rejudged: bool,
    /// What pages say about the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<About>,
    /// Set when the row is withdrawn; the seed stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<Withdrawn>,
}

impl Seed {
    /// The provider of a seed that names none: its bundle may be recorded under any known one.
    pub const RECORDED: &str = "recorded";
    /// Who brought a seed that does not say.
    pub const SUBMITTER: &str = "seed";
    /// The kind of a seed that does not say.
    pub const KIND: &str = "seed";

    /// The kind of a row that an entrant brings: answers and votes are the entrant's own.
    pub const ENTRY: &str = "entry";

    /// Whether rows of this kind bring answers and votes of the entrant's own.
    pub fn is_self_recorded_kind(kind: &str) -> bool {
        matches!(kind, Self::ENTRY | "self-recorded")
    }

    /// Whether a row of `kind` counts as self-recorded: until a maintainer sets `rejudged` in its seed.
    pub fn is_self_recorded(kind: &str, seed: Option<&Self>) -> bool {
        Self::is_self_recorded_kind(kind) && !seed.is_some_and(|seed| seed.rejudged)
    }

    /// `provider:model`.
    pub fn id(&self) -> String {
        format!("{}:{}", self.provider, self.model)
    }
}

fn is_default_submitter(name: &String) -> bool {
    name == Seed::SUBMITTER
}

/// A relative path of plain names: it cannot leave the directory it is taken below.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct BelowPath(String);

impl BelowPath {
    /// `None` for an empty or absolute path, `.`, `..`, a backslash, a colon or a control character.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = |part: &str| !matches!(part, "" | "." | "..");
        let harmless = |c: char| c != '\\' && c != ':' && !c.is_control();
        let trimmed = text.strip_suffix('/').unwrap_or(text);
        (trimmed.split('/').all(plain) && text.chars().all(harmless)).then(|| Self(trimmed.into()))
    }

    /// The path as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of `file` in this directory.
    pub fn file(&self, file: &str) -> String {
        format!("{}/{file}", self.0)
    }
}

impl AsRef<Path> for BelowPath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for BelowPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_could_leave_is_no_path() {
        for good in ["a", "leaderboard/bundles/x__y", "a b/c.d", "tests/data/eval/"] {
            assert!(BelowPath::parse(good).is_some(), "{good}");
        }
        for bad in
            ["", "/", ".", "..", "a/../b", "/etc", "a//b", "./a", "a\\b", "C:/x", "a\0b", "a/\n"]
        {
            assert!(BelowPath::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn a_kind_is_one_word_and_another_is_named_at_its_place() {
        let read = |kind: &str| {
            let text =
                format!(r#"{{"seeds": [{{"model": "m", "public_bundle": "b", "kind": {kind}}}]}}"#);
            crate::domain::config::Config::parse(text.as_bytes(), "seeds.json")
        };
        for good in ["\"seed\"", "\"entry\"", "\"self-recorded\"", "\"a\""] {
            assert!(read(good).is_ok(), "{good}");
        }
        let long = format!("\"{}\"", "a".repeat(25));
        for bad in ["\"\"", "\"Seed\"", "\"two words\"", "\"-a\"", "\"a\\u202e\"", &long] {
            let failure = read(bad).expect_err(bad);
            let place = failure.place.expect("a place");
            assert!(place.ends_with(", seeds[0].kind"), "{place}");
            assert!(
                failure.what.contains("one word of 1 to 24 lower-case letters"),
                "{}",
                failure.what
            );
        }
    }
}
