//! Webhook addresses: secrets from the environment that no output can hold.

use std::fmt;

use super::Channel;
use crate::domain::config::WebhookKind;

/// An address that cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret {
    address: String,
    kind: WebhookKind,
}

impl WebhookSecret {
    /// The address, for the transport alone.
    pub(super) fn expose(&self) -> &str {
        &self.address
    }

    /// Whether this answer means that the card was taken.
    pub(super) fn is_taken(&self, status: u16, body: &str) -> bool {
        match self.kind {
            WebhookKind::Slack | WebhookKind::Mattermost => status == 200 && body == "ok",
            WebhookKind::Discord => matches!(status, 200 | 204),
            _ => (200..300).contains(&status),
        }
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// The address of `channel` from the environment, or a fixed word that says why there is none.
/// `base` replaces the places of its kind, for tests on this machine.
pub fn webhook(channel: &Channel, base: Option<&str>) -> Result<WebhookSecret, &'static str> {
    let address = std::env::var_os(&channel.variable).filter(|address| !address.is_empty());
    let address = address.ok_or("not_configured")?.into_string().map_err(|_| "bad_url")?;
    let is_local = base.is_none_or(|base| base.starts_with("http://127.0.0.1:"));
    let is_there = match base {
        Some(base) => address.starts_with(base),
        None => channel.places().iter().any(|place| address.starts_with(place)),
    };
    let is_there = is_there && !address.contains(char::is_whitespace);
    let secret = WebhookSecret { address, kind: channel.kind };
    if is_local && is_there { Ok(secret) } else { Err("bad_url") }
}

#[cfg(test)]
pub(super) fn tests_secret(address: &str) -> WebhookSecret {
    WebhookSecret { address: address.to_owned(), kind: WebhookKind::Slack }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_nothing_of_itself() {
        assert_eq!(format!("{:?}", Some(tests_secret("https://x/CANARY"))), "Some(***)");
    }
}
