//! Telling one channel, with patience. Sleep and transport are arguments, so tests take no time.
//!
//! The transport's own errors print the address. Only fixed words ever leave this file.

use std::io::Read;
use std::time::Duration;

use ureq::unversioned::transport::DefaultConnector;

use super::secret::WebhookSecret;
use crate::hub::Resolve;

/// How often one card is tried.
const ATTEMPTS: u32 = 3;
/// A longer wait than this is not worth a card.
const LONGEST_WAIT: u64 = 30;
/// Slack takes about one message a second from one webhook.
pub const PAUSE: Duration = Duration::from_secs(1);
/// One attempt, from the first byte to the last.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How many posts may end without an answer: whoever records waits for them.
const SILENCES: usize = 2;
/// Slack's answers are a word.
const LONGEST_ANSWER: u64 = 4096;

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Seconds to wait, where the answer says so.
    pub retry_after: Option<u64>,
    /// The answer's text.
    pub body: String,
}

/// Why nothing came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostFault {
    /// Too slow.
    Timeout,
    /// The name has no address.
    Dns,
    /// The connection is not safe.
    Tls,
    /// The address is not one.
    BadUrl,
    /// Refused, reset, cut.
    Connection,
}

impl PostFault {
    fn code(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Dns => "dns",
            Self::Tls => "tls",
            Self::BadUrl => "bad_url",
            Self::Connection => "connection",
        }
    }

    fn is_passing(self) -> bool {
        matches!(self, Self::Timeout | Self::Dns | Self::Connection)
    }
}

/// What carries a body to an address.
pub type Transport<'t> = &'t mut dyn FnMut(&WebhookSecret, &[u8]) -> Result<Reply, PostFault>;

/// Sends `body` until it is taken, refused for good, or tried often enough; says why it was not taken.
pub fn deliver(
    to: &WebhookSecret,
    body: &[u8],
    post: Transport<'_>,
    sleep: &mut dyn FnMut(Duration),
) -> Result<(), String> {
    let (mut last, mut silences) = (String::new(), 0);
    for attempt in 1..=ATTEMPTS {
        let mut wait = u64::from(attempt);
        match post(to, body) {
            Ok(reply) if to.is_taken(reply.status, &reply.body) => return Ok(()),
            Ok(reply) => {
                last = refusal(&reply);
                match reply.status {
                    429 => wait = reply.retry_after.unwrap_or(wait),
                    500..=599 => {}
                    _ => return Err(last),
                }
            }
            Err(fault) => {
                fault.code().clone_into(&mut last);
                silences += usize::from(fault == PostFault::Timeout);
                if !fault.is_passing() || silences == SILENCES {
                    break;
                }
            }
        }
        if wait > LONGEST_WAIT {
            break;
        }
        if attempt < ATTEMPTS {
            sleep(Duration::from_secs(wait));
        }
    }
    Err(last)
}

/// `http 404 channel_not_found`; the answer is repeated only if it is one of Slack's words.
fn refusal(reply: &Reply) -> String {
    let is_word = (1..=40).contains(&reply.body.len())
        && reply.body.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let word = if is_word { format!(" {}", reply.body) } else { String::new() };
    format!("http {}{word}", reply.status)
}

/// Posts over HTTP: no redirects, no environment proxies, a limit on time and size.
pub fn post(to: &WebhookSecret, body: &[u8]) -> Result<Reply, PostFault> {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .max_redirects(0)
        .http_status_as_error(false)
        .proxy(None)
        .build();
    let agent = ureq::Agent::with_parts(config, DefaultConnector::default(), Resolve::default());
    let request = agent.post(to.expose()).header("Content-Type", "application/json");
    let mut response = request.send(body).map_err(|error| fault(&error))?;
    let retry_after = response
        .headers()
        .get("retry-after")
        .and_then(|seconds| seconds.to_str().ok()?.trim().parse().ok());
    // The status counts, however long the answer is or wherever it breaks off: a card that was taken
    // must not be posted again.
    let mut body = Vec::new();
    let _ = response.body_mut().as_reader().take(LONGEST_ANSWER).read_to_end(&mut body);
    let body = String::from_utf8_lossy(&body).into_owned();
    Ok(Reply { status: response.status().as_u16(), retry_after, body })
}

fn fault(error: &ureq::Error) -> PostFault {
    match error {
        ureq::Error::Timeout(_) => PostFault::Timeout,
        ureq::Error::HostNotFound => PostFault::Dns,
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => PostFault::Tls,
        ureq::Error::BadUri(_) | ureq::Error::RequireHttpsOnly(_) => PostFault::BadUrl,
        _ => PostFault::Connection,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(replies: Vec<Result<Reply, PostFault>>) -> (Result<(), String>, usize, Vec<u64>) {
        let secret = crate::notify::secret::tests_secret("https://hooks.slack.com/CANARY");
        let (mut waits, mut posts) = (Vec::new(), 0);
        let mut replies = replies.into_iter();
        let result = deliver(
            &secret,
            b"{}",
            &mut |_, _| {
                posts += 1;
                replies.next().expect("a reply")
            },
            &mut |wait| waits.push(wait.as_secs()),
        );
        (result, posts, waits)
    }

    fn reply(status: u16, retry_after: Option<u64>, body: &str) -> Reply {
        Reply { status, retry_after, body: body.into() }
    }

    #[test]
    fn each_answer_is_met_with_its_own_patience() {
        let ok = || Ok(reply(200, None, "ok"));
        let word = |text: &str| Err(text.to_owned());
        assert_eq!(tried(vec![ok()]), (Ok(()), 1, vec![]));
        assert_eq!(tried(vec![Ok(reply(500, None, "")), ok()]), (Ok(()), 2, vec![1]));
        assert_eq!(
            tried(vec![
                Err(PostFault::Timeout),
                Err(PostFault::Connection),
                Ok(reply(503, None, "<html>"))
            ]),
            (word("http 503"), 3, vec![1, 2])
        );
        assert_eq!(tried(vec![Ok(reply(429, Some(7), "")), ok()]), (Ok(()), 2, vec![7]));
        assert_eq!(tried(vec![Ok(reply(429, Some(31), ""))]), (word("http 429"), 1, vec![]));
        assert_eq!(
            tried(vec![Ok(reply(400, None, "invalid_payload"))]),
            (word("http 400 invalid_payload"), 1, vec![])
        );
        assert_eq!(tried(vec![Ok(reply(302, None, ""))]), (word("http 302"), 1, vec![]));
        assert_eq!(tried(vec![Ok(reply(200, None, "CANARY!"))]), (word("http 200"), 1, vec![]));
        assert_eq!(tried(vec![Err(PostFault::BadUrl)]), (word("bad_url"), 1, vec![]));
    }
}
