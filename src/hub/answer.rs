//! What comes back: status, headers, a bounded body, and the few things read out of them.

use ureq::http::HeaderMap;
#[cfg(not(sealed))]
use ureq::http::HeaderName;

use super::HubError;
use super::url::Url;
#[cfg(not(sealed))]
use crate::fs::MirrorEntry;
use crate::json::{self, Limits};

/// An answer below 400.
pub(super) struct Answer {
    pub(super) url: Url,
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    /// At most one byte more than the limit.
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Reads the body as JSON.
    pub(super) fn json<T>(
        &self,
        read: impl FnOnce(&json::Node<'_>) -> Result<T, json::Mismatch>,
    ) -> Result<T, HubError> {
        let wrong = |what| HubError::Answer { url: self.url.to_string(), what };
        let limits = Limits { lenient_numbers: true, ..Limits::default() };
        let document = json::parse_with(&self.body, limits)
            .map_err(|error| wrong(format!("it is not JSON: {error}")))?;
        read(&document.root).map_err(|mismatch| {
            let path = document.locate(mismatch.at).path;
            wrong(format!("{mismatch} at `{path}`"))
        })
    }
}

pub(super) fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// `RateLimit: "api";r=0;t=55` says how long until the window ends; else `Retry-After: 7`.
pub(crate) fn wait_asked(headers: &HeaderMap) -> Option<u64> {
    let limit = header(headers, "ratelimit").unwrap_or_default();
    let field = |key: &str| {
        let mut fields = limit.split(';').filter_map(|field| field.trim().split_once('='));
        fields.find(|(name, _)| *name == key).and_then(|(_, value)| value.trim().parse().ok())
    };
    if field("r") == Some(0)
        && let Some(seconds) = field("t")
    {
        return Some(seconds);
    }
    header(headers, "retry-after")?.trim().parse().ok()
}

/// The words of an error body in any of the hub's forms; nothing of an HTML page.
pub(crate) fn error_message(body: &[u8]) -> String {
    let Ok(document) = json::parse(body) else { return String::new() };
    let Ok(object) = document.root.object() else { return String::new() };
    let text = |node: &json::Node<'_>| -> Option<String> {
        let message = node.object().ok().and_then(|object| object.get("message"));
        message.unwrap_or(node).as_str().map(str::to_owned)
    };
    let mut words = Vec::new();
    for key in ["error", "error_description", "errors"] {
        let Some(node) = object.get(key) else { continue };
        match node.array() {
            Ok(items) => words.extend(items.iter().filter_map(text)),
            Err(_) => words.extend(text(node)),
        }
    }
    words.join("; ")
}

/// Reads `bytes` as every kind of answer. Nothing is kept: it must not panic.
#[cfg(not(sealed))]
pub fn try_answers(bytes: &[u8]) {
    let _ = error_message(bytes);
    let text = String::from_utf8_lossy(bytes);
    let mut headers = HeaderMap::new();
    for (name, line) in ["ratelimit", "retry-after", "link"].into_iter().zip(text.lines()) {
        headers.extend(line.parse().ok().map(|value| (HeaderName::from_static(name), value)));
    }
    let _ = wait_asked(&headers);
    let Ok(url) = Url::parse("https://hub.example/api") else { return };
    let _ = text.lines().flat_map(|line| url.follow(line)).count();
    let _ = super::name::problems(text.lines());
    let _ = super::manifest::Manifest::read(MirrorEntry::File(bytes.to_vec()));
    let answer = Answer { url, status: 200, headers, body: bytes.to_vec() };
    super::repo::try_answer(&answer);
    super::upload::try_answer(&answer);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, value.parse().expect("a value"));
        }
        headers
    }

    #[test]
    fn the_wait_is_read_from_either_header() {
        assert_eq!(wait_asked(&headers(&[("ratelimit", "\"api\";r=0;t=55")])), Some(55));
        let both = headers(&[("ratelimit", "\"api\";r=3;t=55"), ("retry-after", "7")]);
        assert_eq!(wait_asked(&both), Some(7));
        assert_eq!(wait_asked(&headers(&[("retry-after", "Wed, 21 Oct")])), None);
        assert_eq!(wait_asked(&headers(&[])), None);
    }

    #[test]
    fn the_words_of_an_error_are_found_in_every_form() {
        assert_eq!(error_message(br#"{"error":"no"}"#), "no");
        assert_eq!(error_message(br#"{"error":["a","b"]}"#), "a; b");
        assert_eq!(error_message(br#"{"errors":[{"message":"x"}]}"#), "x");
        assert_eq!(error_message(b"<html>503</html>"), "");
        assert_eq!(error_message(b"[1]"), "");
    }
}
