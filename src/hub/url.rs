//! URLs, and which origins receive the token.
//!
//! Two URLs of one host on different ports are different origins. A signed URL is a secret, so only
//! host and path are ever shown.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use ureq::http::Uri;

use super::HubError;

/// Scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    https: bool,
    host: String,
    port: u16,
}

/// Where the hub is: an origin and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint(Origin);

/// One address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Url {
    pub(super) origin: Origin,
    /// Path and query.
    target: String,
}

impl Endpoint {
    /// The hub everybody means.
    pub const DEFAULT: &str = "https://huggingface.co";

    /// Reads `scheme://host[:port]`, trailing slashes allowed; https, or http on this machine.
    pub fn parse(text: &str) -> Result<Self, HubError> {
        let wrong = |why| HubError::Endpoint { text: text.to_owned(), why };
        let url = Url::parse(text.trim_end_matches('/')).map_err(wrong)?;
        if url.target != "/" {
            return Err(wrong("it has a path or query"));
        }
        Ok(Self(url.origin))
    }

    /// The endpoint `HF_ENDPOINT` names, or the default.
    pub fn from_environment() -> Result<Self, HubError> {
        match std::env::var_os("HF_ENDPOINT").filter(|text| !text.is_empty()) {
            Some(text) => Self::parse(&text.to_string_lossy()),
            None => Self::parse(Self::DEFAULT),
        }
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.0
    }

    /// The address of `target`, which starts with a slash.
    pub(super) fn url(&self, target: impl Into<String>) -> Url {
        Url { origin: self.0.clone(), target: target.into() }
    }
}

impl Origin {
    pub(super) fn is_loopback(&self) -> bool {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
            || host.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback())
    }
}

impl Url {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let uri: Uri = text.parse().map_err(|_| "it is not an address")?;
        let https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err("it is neither http nor https"),
        };
        let authority = uri.authority().ok_or("it has no host")?;
        if authority.as_str().contains('@') {
            return Err("it has a user name");
        }
        if text.contains('#') {
            return Err("it has a fragment");
        }
        let host = authority.host().to_ascii_lowercase();
        let port = authority.port_u16();
        if host.is_empty() || (port.is_none() && authority.as_str().len() != host.len()) {
            return Err("its host or port is wrong");
        }
        let origin = Origin { https, host, port: port.unwrap_or(if https { 443 } else { 80 }) };
        if !https && !origin.is_loopback() {
            return Err("it is plain http, which only this machine may use");
        }
        let target = uri.path_and_query().map_or("/", |target| target.as_str());
        let target = if target.starts_with('/') { target.into() } else { format!("/{target}") };
        Ok(Self { origin, target })
    }

    /// Where a `Location` header leads from here.
    pub(super) fn follow(&self, location: &str) -> Result<Self, HubError> {
        let wrong = |why| HubError::Redirect { from: self.to_string(), why };
        let next = if location.starts_with('/') && !location.starts_with("//") {
            Self { origin: self.origin.clone(), target: location.to_owned() }
        } else {
            Self::parse(location).map_err(wrong)?
        };
        if self.origin.https && !next.origin.https {
            return Err(wrong("it leads from https to http"));
        }
        Ok(next)
    }

    /// The whole address, for the request itself.
    pub(crate) fn whole(&self) -> String {
        format!("{}{}", self.origin, self.target)
    }

    pub(crate) fn is_loopback(&self) -> bool {
        self.origin.is_loopback()
    }

    /// Scheme, host and port.
    pub(crate) fn origin_text(&self) -> String {
        self.origin.to_string()
    }

    pub(super) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { https, host, port } = self;
        write!(f, "{}://{host}", if *https { "https" } else { "http" })?;
        match (https, port) {
            (true, 443) | (false, 80) => Ok(()),
            _ => write!(f, ":{port}"),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Url {
    /// Host and path; the query may be a signature.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_an_origin_and_nothing_else() {
        for (text, shown) in [
            ("https://huggingface.co", "https://huggingface.co"),
            ("https://HuggingFace.co//", "https://huggingface.co"),
            ("https://hub.example:8443/", "https://hub.example:8443"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://localhost", "http://localhost"),
            ("http://[::1]:9", "http://[::1]:9"),
        ] {
            assert_eq!(Endpoint::parse(text).expect(text).to_string(), shown);
        }
        for bad in [
            "",
            "huggingface.co",
            "ftp://huggingface.co",
            "http://huggingface.co",
            "http://127.0.0.1.example.org",
            "https://user:pass@huggingface.co",
            "https://huggingface.co/api",
            "https://huggingface.co?x=1",
            "https://huggingface.co#x",
            "https://",
            "https://host:99999",
            "https://host:",
            "https://ho st",
        ] {
            assert!(matches!(Endpoint::parse(bad), Err(HubError::Endpoint { .. })), "{bad}");
        }
    }

    #[test]
    fn another_port_is_another_origin() {
        let url = |text| Url::parse(text).expect("an address").origin;
        assert_ne!(url("http://127.0.0.1:1/a"), url("http://127.0.0.1:2/a"));
        assert_eq!(url("https://h/a"), url("https://H:443/b?c"));
    }

    #[test]
    fn redirects_are_followed_where_they_may_lead() {
        let here = Url::parse("https://hub.example/datasets/x?sig=1").expect("an address");
        let there = here.follow("/api/resolve-cache/x?etag=%22a%22").expect("relative");
        assert_eq!(there.whole(), "https://hub.example/api/resolve-cache/x?etag=%22a%22");
        assert_eq!(there.origin, here.origin);
        let cdn = here.follow("https://cdn.example/f?Signature=s").expect("absolute");
        assert_eq!(cdn.to_string(), "https://cdn.example/f");
        for bad in
            ["http://127.0.0.1/x", "//cdn.example/x", "x", "", "ftp://a/b", "https://u@a/", "?a"]
        {
            assert!(matches!(here.follow(bad), Err(HubError::Redirect { .. })), "{bad}");
        }
    }
    proptest::proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

        /// The token follows the origin, so nothing may pass for it.
        #[test]
        fn no_address_passes_for_the_hub_s_own(
            tail in "([a-z./:@?#%\\\\\\[\\] -]|hub\\.example|443|//){0,8}",
            head in "(https?:)?(//)?(hub\\.example)?",
        ) {
            let here = Url::parse("https://hub.example/x").expect("an address");
            let location = format!("{head}{tail}");
            if let Ok(next) = here.follow(&location) && next.origin == here.origin {
                let rest = location.strip_prefix("https://hub.example");
                let rest = rest.map(|rest| rest.strip_prefix(":443").unwrap_or(rest));
                let is_own = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
                let is_relative = location.starts_with('/') && !location.starts_with("//");
                proptest::prop_assert!(is_own || is_relative, "{}", location);
            }
        }
    }
}
