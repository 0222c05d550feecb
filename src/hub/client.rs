//! The one place where requests are made.
//!
//! The token goes to the endpoint's own origin and nowhere else; redirects are followed by hand
//! for that reason. Every read has a limit, every phase a time-out.
//! Ureq drops the token on every redirect or, with another setting, keeps it for another port of the
//! same host. Both are wrong here, so it follows none.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::sync::Mutex;
use std::time::Duration;

use ureq::http::{HeaderMap, Response};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body};

use super::answer::{Answer, error_message, header, wait_asked};
use super::error::Retry;
use super::resolve::Resolve;
use super::url::Url;
use super::{Endpoint, HubError, Refusal, Token, server_words};

/// What a command may want to tell while work goes on.
#[derive(Debug)]
pub(crate) enum HubEvent<'e> {
    /// A warning from the hub; shown once.
    Warning(&'e str),
    /// A call is made again after a pause.
    Waiting {
        /// How long.
        pause: Duration,
        /// Why.
        why: &'e HubError,
    },
    /// So many files will be moved.
    Files(usize),
    /// One of them is done.
    FileDone,
}

/// Receives progress.
pub(crate) type Watch<'w> = dyn Fn(HubEvent<'_>) + Sync + 'w;

/// How long to wait and how often to try.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// The longest silence on a connection, before an answer or inside it.
    pub silence: Duration,
    /// How often a call is made again.
    pub retries: u32,
    /// The first pause; each further one doubles, up to eight times this.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let (silence, pause) = (Duration::from_secs(60), Duration::from_secs(1));
        Self { silence, retries: 5, pause }
    }
}

/// The hub counts requests in windows of 300 seconds; waiting longer than one window makes no sense.
const LONGEST_WAIT: u64 = 330;
const HOPS: usize = 5;
const ERROR_BODY: u64 = 64 << 10;
/// The longest a whole body may take, however steadily it trickles.
const WHOLE_BODY: Duration = Duration::from_secs(15 * 60);

/// A connection to one hub.
pub(crate) struct Client<'w> {
    agent: Agent,
    endpoint: Endpoint,
    token: Option<Token>,
    patience: Patience,
    watch: &'w Watch<'w>,
    warned: Mutex<BTreeSet<String>>,
}

/// One request.
pub(super) struct Call<'c> {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: &'c [(&'c str, &'c str)],
    pub(super) body: &'c [u8],
    /// How many bytes of the answer are read at most.
    pub(super) limit: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
    Put,
}

impl<'w> Client<'w> {
    /// A client that sends `token` to `endpoint` only.
    pub(crate) fn new(
        endpoint: Endpoint,
        token: Option<Token>,
        patience: Patience,
        watch: &'w Watch<'w>,
    ) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("gmat-leaderboard/", env!("CARGO_PKG_VERSION")))
            .accept_encoding("identity")
            .max_response_header_size(64 << 10)
            .timeout_resolve(Some(patience.silence))
            .timeout_connect(Some(patience.silence))
            .timeout_send_request(Some(patience.silence))
            .timeout_send_body(Some(WHOLE_BODY))
            .timeout_recv_response(Some(patience.silence))
            .timeout_recv_body(Some(WHOLE_BODY))
            .timeout_per_read(Some(patience.silence))
            .timeout_per_write(Some(patience.silence));
        // A proxy has no business between this machine and itself.
        let config =
            if endpoint.origin().is_loopback() { config.proxy(None) } else { config }.build();
        let agent = Agent::with_parts(config, DefaultConnector::default(), Resolve::default());
        Self { agent, endpoint, token, patience, watch, warned: Mutex::default() }
    }

    /// Where the hub is.
    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Whether there is a token to send.
    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    pub(super) fn tell(&self, event: HubEvent<'_>) {
        (self.watch)(event);
    }

    /// Reads an address, following redirects. `stays` refuses those that leave the endpoint.
    pub(super) fn get(&self, url: Url, stays: bool, limit: u64) -> Result<Answer, HubError> {
        let mut url = url;
        for _ in 0..=HOPS {
            let call = Call { method: Method::Get, url, headers: &[], body: &[], limit };
            let answer = self.send(&call)?;
            if !(300..400).contains(&answer.status) {
                return Ok(answer);
            }
            let location = answer.header("location").unwrap_or_default();
            url = answer.url.follow(location)?;
            if stays && url.origin != *self.endpoint.origin() {
                let why = "it leads to another host";
                return Err(HubError::Redirect { from: answer.url.to_string(), why });
            }
        }
        Err(HubError::Redirect { from: url.to_string(), why: "it redirects more than five times" })
    }

    /// Sends bytes; a redirect is an error, because the bytes would have to go again.
    pub(super) fn put(&self, call: &Call<'_>) -> Result<Answer, HubError> {
        let answer = self.send(call)?;
        if answer.status < 300 {
            return Ok(answer);
        }
        let why = "it answers an upload";
        Err(HubError::Redirect { from: answer.url.to_string(), why })
    }

    /// Makes `attempt` until it succeeds, is refused for good, or patience ends.
    pub(super) fn patiently<T>(
        &self,
        attempt: impl Fn() -> Result<T, HubError>,
    ) -> Result<T, HubError> {
        let (mut tries, mut restarted) = (0, false);
        loop {
            let error = match attempt() {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            match error.again() {
                Retry::Once if !restarted => restarted = true,
                Retry::Later(_) if tries < self.patience.retries && self.rest(tries, &error) => {
                    tries += 1;
                }
                _ => return Err(error),
            }
        }
    }

    /// Sleeps before the same call is made again; `false` if `error` forbids that.
    pub(super) fn rest(&self, tries: u32, error: &HubError) -> bool {
        let Retry::Later(wait) = error.again() else { return false };
        let Some(pause) = self.pause(tries, wait) else { return false };
        self.tell(HubEvent::Waiting { pause, why: error });
        std::thread::sleep(pause);
        true
    }

    /// The pause before try `tries`; `None` if the hub wants more than it can have.
    fn pause(&self, tries: u32, wait: Option<u64>) -> Option<Duration> {
        if let Some(seconds) = wait {
            return (seconds <= LONGEST_WAIT).then(|| Duration::from_secs(seconds + 1));
        }
        let pause = self.patience.pause * 2_u32.pow(tries.min(3));
        // Clients that failed together must not come back together.
        let jitter = u32::try_from(RandomState::new().hash_one(tries) % 256).unwrap_or_default();
        Some(pause + pause * jitter / 1024)
    }

    fn send(&self, call: &Call<'_>) -> Result<Answer, HubError> {
        let is_own = call.url.origin == *self.endpoint.origin();
        let token = self.token.as_ref().filter(|_| is_own);
        let failed = |error: ureq::Error| HubError::Transport {
            url: call.url.to_string(),
            words: transport_words(&error),
        };
        let mut headers: Vec<(&str, String)> =
            call.headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        headers.extend(token.map(|token| ("authorization", token.bearer())));
        let uri = call.url.whole();
        let mut response = match call.method {
            Method::Get => {
                let request = self.agent.get(&uri);
                headers.iter().fold(request, |to, (name, value)| to.header(*name, value)).call()
            }
            Method::Post | Method::Put => {
                let request = match call.method {
                    Method::Put => self.agent.put(&uri),
                    _ => self.agent.post(&uri),
                };
                let request =
                    headers.iter().fold(request, |to, (name, value)| to.header(*name, value));
                request.send(call.body)
            }
        }
        .map_err(failed)?;
        self.warn(response.headers());
        let status = response.status().as_u16();
        if status >= 400 {
            return Err(self.refusal(&mut response, call, token.is_some(), !is_own));
        }
        let mut body = Vec::new();
        let limit = if status >= 300 { ERROR_BODY } else { call.limit };
        let read = response.body_mut().as_reader().take(limit + 1).read_to_end(&mut body);
        read.map_err(|error| HubError::Transport {
            url: call.url.to_string(),
            words: format!("the answer broke off after {} bytes: {error}", body.len()),
        })?;
        let headers = response.headers().clone();
        Ok(Answer { url: call.url.clone(), status, headers, body })
    }

    fn refusal(
        &self,
        response: &mut Response<Body>,
        call: &Call<'_>,
        with_token: bool,
        is_signed: bool,
    ) -> HubError {
        let mut body = Vec::new();
        // The status is known; whatever can be read of the words is a bonus.
        let _ = response.body_mut().as_reader().take(ERROR_BODY).read_to_end(&mut body);
        let headers = response.headers();
        let text = |name| self.clean(header(headers, name).unwrap_or_default());
        let message = match text("x-error-message") {
            empty if empty.is_empty() => self.clean(&error_message(&body)),
            message => message,
        };
        HubError::Refused(Box::new(Refusal {
            status: response.status().as_u16(),
            code: text("x-error-code"),
            message,
            url: call.url.to_string(),
            request: text("x-request-id"),
            wait: wait_asked(headers),
            with_token,
            is_signed,
        }))
    }

    fn warn(&self, headers: &HeaderMap) {
        let Some(warning) = header(headers, "x-hf-warning") else { return };
        let warning = self.clean(warning);
        let mut warned = self.warned.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if warned.insert(warning.clone()) {
            self.tell(HubEvent::Warning(&warning));
        }
    }

    fn clean(&self, text: &str) -> String {
        server_words(text, self.token.as_ref())
    }
}

/// What happened, without the address: it may be signed.
pub(crate) fn transport_words(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(phase) => format!("time-out: {phase}"),
        ureq::Error::HostNotFound => "the host name is unknown".to_owned(),
        ureq::Error::BadUri(_) => "the address is not valid".to_owned(),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_and_a_long_wait_is_refused() {
        let endpoint = Endpoint::parse("http://127.0.0.1:1").expect("an endpoint");
        let client = Client::new(endpoint, None, Patience::default(), &|_| {});
        for (tries, seconds) in [(0, 1), (1, 2), (3, 8), (9, 8)] {
            let pause = client.pause(tries, None).expect("a pause");
            let least = Duration::from_secs(seconds);
            assert!(pause >= least && pause <= least + least / 4, "{tries}: {pause:?}");
        }
        assert_eq!(client.pause(0, Some(7)), Some(Duration::from_secs(8)));
        assert_eq!(client.pause(0, Some(331)), None);
    }
}
