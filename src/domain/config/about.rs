//! What a seed says about its model beyond `provider:model`.

use serde::Serialize;

use super::is_report_url;
use super::read::Reader;
use crate::domain::{day, escape};
use crate::json::{Mismatch, Node};

const ABOUT: &[&str] = &["name", "organization", "weights", "parameters", "released", "url"];
const WITHDRAWN: &[&str] = &["reason"];
/// All of them.
pub(super) const KEYS: &[&[&str]] = &[ABOUT, WITHDRAWN];

/// What pages say about a model. Everything is optional: absent means unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct About {
    /// The name shown instead of the model's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who made the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// Whether the weights can be downloaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<Weights>,
    /// The number of parameters in words, such as `70B` or `8x7B`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
    /// When the model was released: `2026`, `2026-03` or `2026-03-14`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// The https address of its model card or announcement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Whether the weights of a model can be downloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Weights {
    /// Everybody can download them.
    Open,
    /// The model is only offered as a service.
    Closed,
}

impl Weights {
    /// The word in the config.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// Why a row is withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Withdrawn {
    /// The reason, shown in place of the row.
    pub reason: String,
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn about(&mut self, node: &Node<'a>) -> About {
        self.known_keys(node, ABOUT);
        About {
            name: self.optional(node, "name", |name| label(name, 60)),
            organization: self.optional(node, "organization", |name| label(name, 60)),
            weights: self.optional(node, "weights", weights),
            parameters: self.optional(node, "parameters", |count| label(count, 20)),
            released: self.optional(node, "released", released),
            url: self.optional(node, "url", https),
        }
    }

    pub(super) fn withdrawn(&mut self, node: &Node<'a>) -> Option<Withdrawn> {
        self.known_keys(node, WITHDRAWN);
        let reason = self.keep(node.required("reason").and_then(|reason| label(reason, 300)))?;
        Some(Withdrawn { reason })
    }
}

/// One line of visible text; longer texts would break a table.
pub(super) fn label(node: &Node<'_>, longest: usize) -> Result<String, Mismatch> {
    let fits = |text: &&str| {
        (1..=longest).contains(&text.chars().count())
            && text.trim() == *text
            && escape(text) == *text
    };
    node.as_str().filter(fits).map(str::to_owned).ok_or_else(|| {
        let wanted =
            format!("a text of 1 to {longest} visible characters without spaces at its ends");
        node.mismatch(wanted)
    })
}

pub(super) fn https(node: &Node<'_>) -> Result<String, Mismatch> {
    let address = node.as_str().filter(|text| is_report_url(text) && escape(text) == *text);
    address
        .map(str::to_owned)
        .ok_or_else(|| node.mismatch("an https address such as \"https://example.org/model\""))
}

fn weights(node: &Node<'_>) -> Result<Weights, Mismatch> {
    match node.as_str() {
        Some("open") => Ok(Weights::Open),
        Some("closed") => Ok(Weights::Closed),
        _ => Err(node.mismatch("\"open\" or \"closed\"; leave the key out if it is unknown")),
    }
}

fn released(node: &Node<'_>) -> Result<String, Mismatch> {
    // Padded to a whole day, so that one parser checks years, months and days.
    let is_date = |text: &&str| {
        let whole = match text.len() {
            4 => format!("{text}-01-01"),
            7 => format!("{text}-01"),
            _ => (*text).to_owned(),
        };
        day(&whole).is_some()
    };
    let wanted = "a day, month or year such as \"2026-03-14\", \"2026-03\" or \"2026\"";
    node.as_str().filter(is_date).map(str::to_owned).ok_or_else(|| node.mismatch(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::config::Config;

    fn read(members: &str) -> Result<Config, crate::domain::Failure> {
        let text = format!(r#"{{"seeds": [{{"model": "m", "public_bundle": "b", {members}}}]}}"#);
        Config::parse(text.as_bytes(), "seeds.json")
    }

    #[test]
    fn all_keys_are_optional_and_absent_means_unknown() {
        let whole = r#""about": {"name": "Orbit 2", "organization": "Acme", "weights": "open",
            "parameters": "70B", "released": "2026-03", "url": "https://example.org/o2"},
            "withdrawn": {"reason": "asked by its author"}"#;
        let seed = &read(whole).expect("a config").seeds[0];
        let about = seed.about.as_ref().expect("about");
        assert_eq!(
            (about.weights, about.released.as_deref()),
            (Some(Weights::Open), Some("2026-03"))
        );
        assert_eq!(seed.withdrawn.as_ref().expect("withdrawn").reason, "asked by its author");
        let empty = &read(r#""about": {}"#).expect("a config").seeds[0];
        assert_eq!(empty.about, Some(About::default()));
        assert_eq!(read(r#""x-a": 1"#).expect("a config").seeds[0].about, None);
        for date in ["2026", "2026-12", "2028-02-29"] {
            assert!(read(&format!(r#""about": {{"released": "{date}"}}"#)).is_ok(), "{date}");
        }
    }

    #[test]
    fn a_wrong_value_is_refused_with_path_expected_and_found() {
        let long = format!(r#"{{"name": "{}"}}"#, "n".repeat(61));
        for (value, path, expected) in [
            (r#"{"name": ""}"#, "name", "a text of 1 to 60 visible characters"),
            (&*long, "name", "a text of 1 to 60 visible characters"),
            (r#"{"name": "a\u202eb"}"#, "name", "a text of 1 to 60 visible characters"),
            (r#"{"organization": " Acme"}"#, "organization", "without spaces at its ends"),
            (r#"{"weights": "unknown"}"#, "weights", "leave the key out if it is unknown"),
            (r#"{"weights": true}"#, "weights", "found a boolean"),
            (r#"{"parameters": 70}"#, "parameters", "a text of 1 to 20 visible characters"),
            (r#"{"released": "March 2026"}"#, "released", "a day, month or year"),
            (r#"{"released": "2026-13"}"#, "released", "a day, month or year"),
            (r#"{"released": "2026-3-1"}"#, "released", "a day, month or year"),
            (r#"{"url": "http://example.org"}"#, "url", "an https address"),
            (r#"{"licence": "MIT"}"#, "licence", "unknown config key `licence`"),
        ] {
            let failure = read(&format!(r#""about": {value}"#)).expect_err(value);
            let place = failure.place.clone().expect("a place");
            assert!(place.ends_with(&format!(", seeds[0].about.{path}")), "{value}: {place}");
            assert!(failure.what.contains(expected), "{value}: {}", failure.what);
        }
        let failure = read(r#""withdrawn": {}"#).expect_err("a reason is required");
        assert!(failure.what.contains("the key `reason`"), "{}", failure.what);
        let failure = read(r#""withdrawn": "gone""#).expect_err("an object");
        assert!(failure.place.expect("a place").ends_with(", seeds[0].withdrawn"));
    }
}
