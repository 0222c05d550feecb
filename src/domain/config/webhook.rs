//! Where cards about runs are posted besides the two Slack channels.

use super::read::Reader;
use crate::json::{Mismatch, Node};

const WEBHOOK: &[&str] = &["name", "kind", "env"];
/// All of them.
pub(super) const KEYS: &[&[&str]] = &[WEBHOOK];
/// Names of the channels that need no config.
const TAKEN: [&str; 2] = ["quality", "on-call"];

/// A channel that gets a card for each new run. Its address is a secret and never in the config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its name in messages.
    pub name: String,
    /// What it speaks.
    pub kind: WebhookKind,
    /// The environment variable that holds its address.
    pub env: String,
}

/// What a webhook speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WebhookKind {
    /// Slack's incoming webhooks.
    Slack,
    /// Mattermost's incoming webhooks.
    Mattermost,
    /// Discord's webhooks.
    Discord,
    /// Any program that takes a JSON object.
    Json,
}

impl WebhookKind {
    const NAMES: [(&'static str, Self); 4] = [
        ("slack", Self::Slack),
        ("mattermost", Self::Mattermost),
        ("discord", Self::Discord),
        ("json", Self::Json),
    ];
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn webhook(&mut self, node: &Node<'a>) -> Option<Webhook> {
        self.known_keys(node, WEBHOOK);
        let name = self.keep(node.required("name").and_then(name));
        let kind = self.keep(node.required("kind").and_then(kind));
        let env = self.keep(node.required("env").and_then(variable));
        Some(Webhook { name: name?, kind: kind?, env: env? })
    }
}

fn name(node: &Node<'_>) -> Result<String, Mismatch> {
    let fits = |text: &&str| {
        (1..=24).contains(&text.len())
            && text.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
            && !TAKEN.contains(text)
    };
    node.as_str().filter(fits).map(str::to_owned).ok_or_else(|| {
        node.mismatch("a name of 1 to 24 lower-case letters, digits and hyphens, other than `quality` and `on-call`")
    })
}

fn kind(node: &Node<'_>) -> Result<WebhookKind, Mismatch> {
    let known = WebhookKind::NAMES.iter().find(|(name, _)| node.as_str() == Some(*name));
    known
        .map(|(_, kind)| *kind)
        .ok_or_else(|| node.mismatch("\"slack\", \"mattermost\", \"discord\" or \"json\""))
}

/// The name of an environment variable; an address there is a slip that would publish a secret.
fn variable(node: &Node<'_>) -> Result<String, Mismatch> {
    let fits = |text: &&str| {
        text.len() <= 100
            && text.starts_with(|first: char| first.is_ascii_uppercase())
            && text.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_')
    };
    node.as_str().filter(fits).map(str::to_owned).ok_or_else(|| {
        node.mismatch("the name of an environment variable, such as \"GMAT_WEBHOOK\"; never the address itself")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::config::Config;

    fn read(webhooks: &str) -> Result<Vec<Webhook>, crate::domain::Failure> {
        let text = format!(r#"{{"webhooks": {webhooks}}}"#);
        Config::parse(text.as_bytes(), "seeds.json").map(|config| config.webhooks)
    }

    #[test]
    fn a_webhook_names_a_variable_and_never_an_address() {
        let good = read(r#"[{"name": "ops", "kind": "discord", "env": "GMAT_WEBHOOK_2"}]"#);
        let ops = Webhook {
            name: "ops".into(),
            kind: WebhookKind::Discord,
            env: "GMAT_WEBHOOK_2".into(),
        };
        assert_eq!(good.expect("good"), [ops]);
        for (webhook, path, wanted) in [
            (r#"{"name": "ops", "kind": "irc", "env": "A"}"#, "kind", "\"mattermost\""),
            (r#"{"name": "quality", "kind": "json", "env": "A"}"#, "name", "other than `quality`"),
            (r#"{"name": "ops", "kind": "json", "env": "https://x"}"#, "env", "never the address"),
        ] {
            let failure = read(&format!("[{webhook}]")).expect_err(webhook);
            assert!(failure.place.expect("a place").ends_with(&format!(", webhooks[0].{path}")));
            assert!(failure.what.contains(wanted), "{}", failure.what);
        }
    }
}
