//! The providers: where each is, and which variable holds its key.

use crate::domain::Failure;
use crate::hub::{Token, Url};

/// Who serves a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Provider {
    Github,
    Openai,
    Anthropic,
    Ollama,
}

/// A provider with its address and key.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) provider: Provider,
    /// The base address, without a slash at its end.
    base: String,
    /// Where questions go.
    pub(super) url: Url,
    pub(super) key: Option<Token>,
}

impl Provider {
    pub(crate) const ALL: [Self; 4] = [Self::Github, Self::Openai, Self::Anthropic, Self::Ollama];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Github => "github",
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
        }
    }

    /// The provider called `name`.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == name)
    }

    /// The variables that may hold the key, the first that is set counts.
    pub(crate) fn variables(self) -> &'static [&'static str] {
        match self {
            Self::Github => &["GH_TOKEN", "MODELS_PAT", "GITHUB_TOKEN"],
            Self::Openai => &["OPENAI_API_KEY"],
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::Ollama => &[],
        }
    }

    /// The variable that holds the key, if one is set.
    pub(crate) fn key_variable(self) -> Option<&'static str> {
        self.variables().iter().copied().find(|name| set(name).is_some())
    }

    /// The variable that may hold another base address, and the usual address.
    fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Github => ("", "https://models.github.ai/inference"),
            Self::Openai => ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
            Self::Anthropic => ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
            Self::Ollama => ("OLLAMA_HOST", "http://localhost:11434"),
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Github | Self::Openai => "/chat/completions",
            Self::Anthropic => "/v1/messages",
            Self::Ollama => "/api/chat",
        }
    }

    /// The provider with its address and key; `typed` is the base address from the command line and
    /// the flag that gave it. A call that asks nothing needs no key.
    pub(crate) fn service(
        self,
        typed: Option<(&str, &'static str)>,
        needs_key: bool,
    ) -> Result<Service, Failure> {
        let (variable, usual) = self.place();
        let (base, from) = match (typed, set(variable)) {
            (Some((typed, flag)), _) => (typed.to_owned(), flag),
            (None, Some(base)) => (base, variable),
            (None, None) => (usual.to_owned(), ""),
        };
        let base = self.spelled_out(&base);
        let url = Url::parse(&format!("{base}{}", self.path())).map_err(|why| {
            Failure::unusable(format!(
                "the base address of `{}` cannot be used: {why}",
                self.as_str()
            ))
            .at(if from.is_empty() { variable } else { from })
            .help("write https://host/path, or http:// for a server on this machine")
        })?;
        let key = self.key()?;
        // A server of one's own may need no key.
        if needs_key && key.is_none() && from.is_empty() && !self.variables().is_empty() {
            let names = self.variables().join(" or ");
            return Err(Failure::unusable(format!("there is no key for `{}`", self.as_str()))
                .help(format!("set {names} in the environment; keys are read from there alone")));
        }
        Ok(Service { provider: self, base, url, key })
    }

    fn key(self) -> Result<Option<Token>, Failure> {
        let Some(variable) = self.key_variable() else { return Ok(None) };
        Token::parse(&set(variable).unwrap_or_default()).map_err(|_| {
            Failure::unusable(format!("{variable} has characters that no key has"))
                .help("copy the key again; it is one word")
        })
    }

    /// `OLLAMA_HOST` may lack the scheme, and may be the address that the server listens on.
    fn spelled_out(self, base: &str) -> String {
        let base = base.trim().trim_end_matches('/');
        if self == Self::Ollama {
            let base = base.replacen("0.0.0.0", "127.0.0.1", 1);
            return if base.contains("://") { base } else { format!("http://{base}") };
        }
        base.to_owned()
    }
}

impl Service {
    /// Scheme, host and port, for people.
    pub(crate) fn origin(&self) -> String {
        self.url.origin_text()
    }

    pub(crate) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Where the names of all models are listed.
    pub(super) fn list(&self) -> Option<Url> {
        let base = &self.base;
        let address = match self.provider {
            Provider::Github => format!("{}/catalog/models", base.trim_end_matches("/inference")),
            Provider::Openai => format!("{base}/models"),
            Provider::Anthropic => format!("{base}/v1/models"),
            Provider::Ollama => format!("{base}/api/tags"),
        };
        Url::parse(&address).ok()
    }
}

fn set(variable: &str) -> Option<String> {
    if variable.is_empty() {
        return None;
    }
    let value = std::env::var_os(variable)?.to_string_lossy().into_owned();
    Some(value).filter(|value| !value.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_address_is_https_or_this_machine() {
        for (provider, base, url) in [
            (
                Provider::Openai,
                "http://localhost:8000/v1/",
                "http://localhost:8000/v1/chat/completions",
            ),
            (Provider::Openai, "https://host/v1", "https://host/v1/chat/completions"),
            (Provider::Anthropic, "http://127.0.0.1:1", "http://127.0.0.1:1/v1/messages"),
            (Provider::Ollama, "0.0.0.0:11434", "http://127.0.0.1:11434/api/chat"),
            (Provider::Ollama, "https://far:1", "https://far:1/api/chat"),
            (
                Provider::Github,
                "https://models.github.ai/inference",
                "https://models.github.ai/inference/chat/completions",
            ),
        ] {
            let service = provider.service(Some((base, "--base-url")), true).expect(base);
            assert_eq!(service.url.to_string(), url);
        }
        for bad in [
            "http://host/v1",
            "host",
            "ftp://localhost",
            "https://user@host",
            "http://localhost.evil.org",
        ] {
            let failure = Provider::Openai.service(Some((bad, "--base-url")), true).expect_err(bad);
            assert_eq!(failure.place.as_deref(), Some("--base-url"), "{bad}");
        }
    }
}
