//! Who gets a card: the two Slack channels, and the webhooks of the config.

use crate::domain::config::{Webhook, WebhookKind};
use crate::ledger::Run;

/// Where a card goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Its name in words and in JSON.
    pub name: String,
    /// What it speaks.
    pub kind: WebhookKind,
    /// The environment variable that holds its address.
    pub variable: String,
    /// Whether it gets regressions only.
    pub only_regressions: bool,
}

impl Channel {
    /// The channels that a board posts to: its webhooks, and the two Slack channels if their variable
    /// is set or there is no webhook.
    pub fn all(webhooks: &[Webhook]) -> Vec<Self> {
        let slack =
            [("quality", "GMAT_SLACK_WEBHOOK_QUALITY"), ("on-call", "GMAT_SLACK_WEBHOOK_ONCALL")];
        let is_used = |variable: &str| {
            webhooks.is_empty() || std::env::var_os(variable).is_some_and(|it| !it.is_empty())
        };
        let slack = slack.into_iter().filter(|(_, variable)| is_used(variable));
        let mut channels: Vec<Self> = slack
            .map(|(name, variable)| Self {
                name: name.to_owned(),
                kind: WebhookKind::Slack,
                variable: variable.to_owned(),
                only_regressions: name == "on-call",
            })
            .collect();
        channels.extend(webhooks.iter().map(|webhook| Self {
            name: webhook.name.clone(),
            kind: webhook.kind,
            variable: webhook.env.clone(),
            only_regressions: false,
        }));
        channels
    }

    /// Whether it gets a card about `run`.
    pub fn is_for(&self, run: &Run) -> bool {
        run.regression_detected || !self.only_regressions
    }

    /// How an address of its kind starts.
    pub fn places(&self) -> &'static [&'static str] {
        match self.kind {
            WebhookKind::Slack => &["https://hooks.slack.com/", "https://hooks.slack-gov.com/"],
            WebhookKind::Discord => {
                &["https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/"]
            }
            _ => &["https://", "http://127.0.0.1:", "http://localhost:"],
        }
    }
}
