//! The evaluation protocol: the texts and settings that the model and the judge are asked with.
//!
//! The program ships default texts. A board that has `protocol` in its config publishes the protocol,
//! and its hash becomes part of what rows compare by.

use serde::Serialize;

use super::BelowPath;
use super::read::Reader;
use crate::domain::{Code, Failure, sha256};
use crate::json::{self, Mismatch, Node};

const PROTOCOL: &[&str] = &["system", "request", "judge", "generation", "judging"];
const GENERATION: &[&str] = &["temperature", "max_tokens", "top_p", "seed"];
const JUDGING: &[&str] = &["temperature", "max_tokens"];
/// All of them.
pub(super) const KEYS: &[&[&str]] = &[PROTOCOL, GENERATION, JUDGING];

/// What the model and the judge are asked, with the settings.
///
/// Serialized, it is the document that [`Protocol::sha256`] hashes; keys are sorted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Protocol {
    /// Settings of the model.
    pub generation: Sampling,
    /// What the judge is asked, with `{{ intent }}` and `{{ script }}`.
    pub judge: ProtocolText,
    /// Settings of the judge.
    pub judging: Sampling,
    /// What the model is asked, with `{{ request }}`.
    pub request: ProtocolText,
    /// The model's system message.
    pub system: ProtocolText,
}

/// One text of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtocolText {
    /// The file it is read from; `None` for the text that ships with the program.
    pub file: Option<BelowPath>,
    /// The text; `None` until the file is read.
    text: Option<String>,
    /// The variables it may have, and whether it must have them.
    variables: &'static [&'static str],
    required: bool,
}

/// Settings of a model; what is absent is not sent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Sampling {
    /// The most tokens of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// A seed, for providers that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// 0 is the most likely answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The share of likely tokens to draw from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
}

impl Sampling {
    /// `temperature 0`, `max_tokens 4096`: one word and number for each setting.
    pub fn settings(&self) -> Vec<String> {
        let temperature = self.temperature.map(|value| format!("temperature {value}"));
        let max_tokens = self.max_tokens.map(|value| format!("max_tokens {value}"));
        let top_p = self.top_p.map(|value| format!("top_p {value}"));
        let seed = self.seed.map(|value| format!("seed {value}"));
        [temperature, max_tokens, top_p, seed].into_iter().flatten().collect()
    }
}

impl Default for Protocol {
    fn default() -> Self {
        let text = |text: &str, variables, required| ProtocolText {
            file: None,
            text: Some(text.to_owned()),
            variables,
            required,
        };
        Self {
            generation: Sampling {
                max_tokens: Some(4096),
                temperature: Some(0.0),
                ..Sampling::default()
            },
            judge: text(include_str!("protocol/judge.txt"), &["intent", "script"], true),
            // At temperature 0 the votes would be copies of one vote.
            judging: Sampling {
                max_tokens: Some(512),
                temperature: Some(0.7),
                ..Sampling::default()
            },
            request: text(include_str!("protocol/request.txt"), &["request"], true),
            system: text(include_str!("protocol/system.txt"), &["request"], false),
        }
    }
}

impl Serialize for ProtocolText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl ProtocolText {
    /// The text; empty if its file was not read.
    pub fn as_str(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// The text with the values of its variables, without white space at its ends.
    pub fn fill(&self, values: &[(&str, &str)]) -> String {
        let mut out = String::new();
        for (plain, variable) in parts(self.as_str()) {
            out += plain;
            let value = values.iter().find(|(name, _)| Some(*name) == variable);
            out += value.map_or("", |(_, value)| value);
        }
        out.trim().to_owned()
    }

    fn set(&mut self, text: &str, file: &str) -> Result<(), Failure> {
        let wrong = |what: String, help: String| {
            Err(Failure::unusable(what).code(Code::ESchema).at(file).help(help))
        };
        let names = self.variables.iter().map(|name| format!("`{{{{ {name} }}}}`"));
        let known = names.collect::<Vec<_>>().join(" and ");
        let used: Vec<&str> = parts(text).filter_map(|(_, variable)| variable).collect();
        if let Some(unknown) = used.iter().find(|name| !self.variables.contains(name)) {
            return wrong(
                format!("the protocol text has an unknown variable `{unknown}`"),
                format!("it may have {known}"),
            );
        }
        if let Some(missing) =
            self.variables.iter().find(|name| self.required && !used.contains(name))
        {
            return wrong(
                format!("the protocol text has no `{{{{ {missing} }}}}`"),
                format!("it needs {known}"),
            );
        }
        self.text = Some(text.to_owned());
        Ok(())
    }
}

/// The text in front of each `{{ variable }}` with the variable, and the rest without one.
fn parts(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let found = text.split_once("{{").and_then(|(plain, after)| {
            let (variable, after) = after.split_once("}}")?;
            Some((plain, variable.trim(), after))
        });
        let Some((plain, variable, after)) = found else {
            rest = None;
            return Some((text, None));
        };
        rest = Some(after);
        Some((plain, Some(variable)))
    })
}

impl Protocol {
    /// Reads the texts that have a file of their own; `read` returns the text of a file.
    pub fn load(
        &mut self,
        mut read: impl FnMut(&BelowPath) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        for text in [&mut self.system, &mut self.request, &mut self.judge] {
            if let Some(file) = text.file.clone() {
                let content = read(&file)?;
                text.set(&content, file.as_str())?;
            }
        }
        Ok(())
    }

    /// The canonical JSON of the texts and settings.
    pub fn document(&self) -> Vec<u8> {
        json::pretty(self)
    }

    /// SHA-256 of [`Self::document`], in lower-case hex.
    pub fn sha256(&self) -> String {
        sha256(self.document())
    }
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn protocol(&mut self, node: &Node<'a>) -> Protocol {
        self.known_keys(node, PROTOCOL);
        let mut protocol = Protocol::default();
        for (key, text) in [
            ("system", &mut protocol.system),
            ("request", &mut protocol.request),
            ("judge", &mut protocol.judge),
        ] {
            if let Some(file) = self.optional_below(node, key) {
                (text.file, text.text) = (Some(file), None);
            }
        }
        for (key, known, sampling) in [
            ("generation", GENERATION, &mut protocol.generation),
            ("judging", JUDGING, &mut protocol.judging),
        ] {
            let typed = self.section(node, key, |it, node| it.sampling(node, known, sampling));
            if let Some(typed) = typed {
                *sampling = typed;
            }
        }
        protocol
    }

    /// A setting that is absent has its default; one that is null is not sent.
    fn sampling(
        &mut self,
        node: &Node<'a>,
        known: &[&'static str],
        default: &Sampling,
    ) -> Sampling {
        self.known_keys(node, known);
        let is_null =
            |key| node.object().ok().and_then(|it| it.get(key)).is_some_and(Node::is_null);
        let mut number = |key, read: fn(&Node<'_>) -> Result<f64, Mismatch>, default| {
            if is_null(key) { None } else { self.optional(node, key, read).or(default) }
        };
        let temperature = number("temperature", |node| share(node, 2.0), default.temperature);
        let top_p = number("top_p", |node| share(node, 1.0), default.top_p);
        let mut whole = |key, read: fn(&Node<'_>) -> Result<u64, Mismatch>, default| {
            if is_null(key) { None } else { self.optional(node, key, read).or(default) }
        };
        let max_tokens = whole("max_tokens", |node| count(node, 1, 1 << 20), default.max_tokens);
        let seed = whole("seed", |node| count(node, 0, 1 << 53), default.seed);
        Sampling { max_tokens, seed, temperature, top_p }
    }
}

fn count(node: &Node<'_>, least: u64, most: u64) -> Result<u64, Mismatch> {
    let count = node.count().ok().filter(|count| (least..=most).contains(count));
    count.ok_or_else(|| node.mismatch(format!("a whole number from {least} to {most}")))
}

fn share(node: &Node<'_>, most: f64) -> Result<f64, Mismatch> {
    let number = node.number()?.as_f64();
    let is_good = (0.0..=most).contains(&number);
    if is_good { Ok(number) } else { Err(node.mismatch(format!("a number from 0 to {most}"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::config::Config;
    use crate::gmat::{Rule, Script};

    fn read(section: &str) -> Result<Protocol, Failure> {
        let text = format!(r#"{{"protocol": {section}}}"#);
        let config = Config::parse(text.as_bytes(), "seeds.json")?;
        Ok(config.protocol.expect("a protocol"))
    }

    #[test]
    fn the_default_texts_name_every_rule_that_blocks_and_the_example_is_clean() {
        let protocol = Protocol::default();
        let system = protocol.system.as_str();
        for rule in Rule::ALL {
            assert_eq!(system.contains(rule.name()), rule.is_blocking(), "{}", rule.name());
        }
        let (_, block) = system.split_once("\n```gmat\n").expect("an example");
        let script = block.strip_suffix("```\n").expect("at the end");
        assert_eq!(Script::parse(script).diagnostics(), []);
        let mut own = protocol.clone();
        for text in [&mut own.system, &mut own.request, &mut own.judge] {
            let shipped = text.as_str().to_owned();
            text.set(&shipped, "shipped").expect("its variables");
        }
        assert_eq!(own, protocol);
    }

    #[test]
    fn a_value_is_filled_in_once_and_not_expanded_again() {
        let protocol = Protocol::default();
        assert_eq!(protocol.request.fill(&[("request", "a {{ request }}\n")]), "a {{ request }}");
        let judge = protocol.judge.fill(&[("intent", "{{ script }}"), ("script", "Stop")]);
        assert!(judge.contains("\n{{ script }}\n") && judge.contains("\nStop\n"), "{judge}");
    }

    #[test]
    fn the_hash_is_that_of_the_document_and_follows_texts_and_settings() {
        let shipped = Protocol::default();
        assert_eq!(read("{}").expect("a protocol"), shipped);
        assert_eq!(shipped.sha256(), super::sha256(shipped.document()));
        let warm = read(r#"{"generation": {"temperature": 0.5}}"#).expect("a protocol");
        assert_eq!(warm.generation.max_tokens, Some(4096));
        assert_ne!(warm.sha256(), shipped.sha256());
        let bare = read(r#"{"judging": {"temperature": null}}"#).expect("a protocol");
        assert_eq!((bare.judging.temperature, bare.judging.max_tokens), (None, Some(512)));
        let mut own = read(r#"{"request": "protocol/request.md"}"#).expect("a protocol");
        own.load(|_| Ok("Do this: {{request}}".to_owned())).expect("loaded");
        assert_eq!(own.request.fill(&[("request", "x")]), "Do this: x");
        assert_ne!(own.sha256(), shipped.sha256());
    }

    #[test]
    fn a_wrong_key_value_or_template_is_refused_with_its_place() {
        for (section, place, what) in [
            (r#"{"sytem": "a"}"#, "protocol.sytem", "unknown config key `sytem`"),
            (r#"{"system": "../a"}"#, "protocol.system", "leads out of its directory"),
            (r#"{"generation": {"temperature": 3}}"#, "temperature", "a number from 0 to 2"),
            (r#"{"generation": {"max_tokens": 0}}"#, "max_tokens", "a whole number from 1"),
            (r#"{"judging": {"top_p": 1}}"#, "judging.top_p", "unknown config key `top_p`"),
            (r#"{"judging": []}"#, "protocol.judging", "expected an object"),
        ] {
            let failure = read(section).expect_err(section);
            assert!(failure.place.clone().expect("a place").ends_with(place), "{failure:?}");
            assert!(failure.what.contains(what), "{failure:?}");
        }
        for (key, text, what) in [
            ("request", "no variable", "has no `{{ request }}`"),
            ("judge", "{{ intent }}", "has no `{{ script }}`"),
            ("system", "{{ intent }}", "unknown variable `intent`"),
        ] {
            let mut own = read(&format!(r#"{{"{key}": "p.md"}}"#)).expect("a protocol");
            let failure = own.load(|_| Ok(text.to_owned())).expect_err(text);
            assert!(failure.what.contains(what), "{failure:?}");
            assert_eq!(failure.place.as_deref(), Some("p.md"));
        }
    }
}
