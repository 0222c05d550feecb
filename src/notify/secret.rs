//! Webhook addresses: secrets from the environment that no output can hold.

use std::fmt;

use super::Channel;

/// Where Slack's webhooks live.
const SLACK: &str = "https://hooks.slack.com/";

/// An address that cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    /// The address, for the transport alone.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Channel {
    /// The environment variable that holds its address.
    pub fn variable(self) -> &'static str {
        match self {
            Self::Quality => "GMAT_SLACK_WEBHOOK_QUALITY",
            Self::OnCall => "GMAT_SLACK_WEBHOOK_ONCALL",
        }
    }
}

/// The address of `channel` from the environment, or a fixed word that says why there is none.
/// `base` replaces Slack's own place, for tests on this machine.
pub fn webhook(channel: Channel, base: Option<&str>) -> Result<WebhookSecret, &'static str> {
    let address = std::env::var_os(channel.variable()).filter(|address| !address.is_empty());
    let address = address.ok_or("not_configured")?.into_string().map_err(|_| "bad_url")?;
    let place = base.unwrap_or(SLACK);
    let is_local = base.is_none_or(|base| base.starts_with("http://127.0.0.1:"));
    let is_there = address.starts_with(place) && !address.contains(char::is_whitespace);
    if is_local && is_there { Ok(WebhookSecret(address)) } else { Err("bad_url") }
}

#[cfg(test)]
pub(super) fn tests_secret(address: &str) -> WebhookSecret {
    WebhookSecret(address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_nothing_of_itself() {
        assert_eq!(format!("{:?}", Some(tests_secret("https://x/CANARY"))), "Some(***)");
    }
}
