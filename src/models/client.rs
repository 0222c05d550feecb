//! One provider, asked over HTTP.

use std::io::Read;
use std::time::Duration;

use jiff::Timestamp;
use ureq::http::{HeaderMap, Response};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body};

use super::error::ModelError;
use super::provider::{Provider, Service};
use super::wire::{self, ModelReply, Question};
use crate::hub::{Resolve, error_message, server_words, transport_words, wait_asked};

/// Size limit of a reply.
const REPLY_LIMIT: u64 = 4 << 20;
/// Size limit of an error's page and of the list of models.
const ERROR_LIMIT: u64 = 1 << 20;
const CONNECT: Duration = Duration::from_secs(30);
/// The version of the Messages API whose fields are read here.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// A model of one provider.
pub(crate) struct ModelClient {
    agent: Agent,
    pub(crate) service: Service,
    /// The model's name at the provider.
    pub(crate) model: String,
}

impl ModelClient {
    /// `timeout` is for one whole call.
    pub(crate) fn new(service: Service, model: &str, timeout: Duration) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("gmat-leaderboard/", env!("CARGO_PKG_VERSION")))
            .accept_encoding("identity")
            .max_response_header_size(64 << 10)
            .timeout_connect(Some(CONNECT.min(timeout)))
            .timeout_global(Some(timeout));
        // A proxy has no business between this machine and itself.
        let config = if service.url.is_loopback() { config.proxy(None) } else { config }.build();
        let agent = Agent::with_parts(config, DefaultConnector::default(), Resolve::default());
        Self { agent, service, model: model.to_owned() }
    }

    /// The body of the request that asks `question`.
    pub(crate) fn body(&self, question: &Question<'_>) -> Vec<u8> {
        wire::body(self.service.provider, &self.model, question)
    }

    /// Sends a body and reads the answer.
    pub(crate) fn ask(&self, body: &[u8]) -> Result<ModelReply, ModelError> {
        let request = self.agent.post(self.service.url.whole());
        let request =
            self.headers().into_iter().fold(request, |to, (name, value)| to.header(name, value));
        let mut response = request.send(body).map_err(|error| self.failed(&error))?;
        let status = response.status().as_u16();
        if (300..400).contains(&status) {
            return Err(ModelError::Redirect);
        }
        let limit = if status >= 400 { ERROR_LIMIT } else { REPLY_LIMIT };
        let bytes = self.read(&mut response, limit);
        if status >= 400 {
            // The status is known; whatever can be read of the words is a bonus.
            let bytes = bytes.unwrap_or_default();
            if status == 400 && wire::is_filtered(&bytes) {
                return Ok(ModelReply::filtered());
            }
            let words = self.clean(&error_message(&bytes));
            return Err(ModelError::Refused { status, words, wait: wait(response.headers()) });
        }
        let bytes = bytes?;
        wire::reply(self.service.provider, &bytes)
            .map_err(|what| ModelError::Reply(self.clean(&what)))
    }

    /// The names of the provider's models; none if it does not tell.
    pub(crate) fn models(&self) -> Vec<String> {
        let Some(url) = self.service.list() else { return Vec::new() };
        let request = self.agent.get(url.whole());
        let request =
            self.headers().into_iter().fold(request, |to, (name, value)| to.header(name, value));
        let Ok(mut response) = request.call() else { return Vec::new() };
        match self.read(&mut response, ERROR_LIMIT) {
            Ok(bytes) if response.status().is_success() => wire::names(&bytes),
            _ => Vec::new(),
        }
    }

    fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![("content-type", "application/json".to_owned())];
        let anthropic = self.service.provider == Provider::Anthropic;
        if anthropic {
            headers.push(("anthropic-version", ANTHROPIC_VERSION.to_owned()));
        }
        headers.extend(self.service.key.as_ref().map(|key| {
            if anthropic {
                ("x-api-key", key.expose().to_owned())
            } else {
                ("authorization", key.bearer())
            }
        }));
        headers
    }

    /// The whole body, without the key: a server can echo what it was sent.
    fn read(&self, response: &mut Response<Body>, limit: u64) -> Result<Vec<u8>, ModelError> {
        let mut bytes = Vec::new();
        let read = response.body_mut().as_reader().take(limit + 1).read_to_end(&mut bytes);
        if let Err(error) = read {
            let words = format!("the reply broke off after {} bytes: {error}", bytes.len());
            return Err(ModelError::Transport(self.clean(&words)));
        }
        if bytes.len() as u64 > limit {
            return Err(ModelError::Reply(format!("it is longer than {limit} bytes")));
        }
        match (&self.service.key, String::from_utf8(bytes)) {
            (Some(key), Ok(text)) => Ok(key.scrub(&text).into_bytes()),
            (None, Ok(text)) => Ok(text.into_bytes()),
            (_, Err(_)) => Err(ModelError::Reply("it is not UTF-8".to_owned())),
        }
    }

    fn failed(&self, error: &ureq::Error) -> ModelError {
        ModelError::Transport(self.clean(&transport_words(error)))
    }

    fn clean(&self, text: &str) -> String {
        server_words(text, self.service.key.as_ref())
    }
}

/// How long a reply asks to wait: seconds, milliseconds or a date.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok().filter(|it| (0.0..=1e9).contains(it));
    if let Some(milliseconds) = text("retry-after-ms").and_then(number) {
        return Some(Duration::from_secs_f64(milliseconds / 1000.0));
    }
    let after = text("retry-after").unwrap_or_default();
    if let Some(seconds) = number(after) {
        return Some(Duration::from_secs_f64(seconds));
    }
    if let Ok(date) = jiff::fmt::rfc2822::parse(after) {
        let left = date.timestamp().as_second() - Timestamp::now().as_second();
        return Some(Duration::from_secs(left.try_into().unwrap_or(0)));
    }
    wait_asked(headers).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_as_seconds_milliseconds_or_date() {
        let of = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().expect("a value"));
            wait(&headers)
        };
        assert_eq!(of("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(of("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(of("retry-after-ms", "20"), Some(Duration::from_millis(20)));
        assert_eq!(of("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        let soon = Timestamp::now() + Duration::from_secs(100);
        let date = jiff::fmt::rfc2822::DateTimePrinter::new();
        let date = date.timestamp_to_rfc9110_string(&soon).expect("a date");
        let wait = of("retry-after", &date).expect("a wait");
        assert!((95..=101).contains(&wait.as_secs()), "{date}: {wait:?}");
        for bad in ["soon", "-1", "1e99", "NaN", ""] {
            assert_eq!(of("retry-after", bad), None, "{bad}");
        }
    }
}
