//! The access token. It has no text form: not in messages, not in debug output.
//!
//! A server can echo what it was sent, so every word that comes back passes [`Token::scrub`] before
//! anybody reads it.

use std::fmt;
use std::path::PathBuf;

use super::HubError;
use crate::domain::scrub;
use crate::fs::{self, StoreError};

/// A secret that goes to the endpoint's own origin and nowhere else.
#[derive(Clone)]
pub(crate) struct Token(String);

/// A token file holds one line.
const FILE_LIMIT: u64 = 4096;

impl Token {
    /// The token, trimmed; `None` if nothing is left.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, HubError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if text.len() > 512 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(HubError::BadToken);
        }
        Ok(Some(Self(text.to_owned())))
    }

    /// The token of this environment: `HF_TOKEN`, else the file that `HF_TOKEN_PATH` names, else
    /// `$HF_HOME/token`, else `~/.cache/huggingface/token`.
    pub(crate) fn from_environment() -> Result<Option<Self>, HubError> {
        if let Some(text) = std::env::var_os("HF_TOKEN") {
            let text = text.into_string().map_err(|_| HubError::BadToken)?;
            if let Some(token) = Self::parse(&text)? {
                return Ok(Some(token));
            }
        }
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let file = match (set("HF_TOKEN_PATH"), set("HF_HOME"), set("HOME")) {
            (Some(path), _, _) => PathBuf::from(path),
            (None, Some(home), _) => PathBuf::from(home).join("token"),
            (None, None, Some(home)) => PathBuf::from(home).join(".cache/huggingface/token"),
            (None, None, None) => return Ok(None),
        };
        match fs::read_typed(&file, FILE_LIMIT) {
            Ok(bytes) => Self::parse(std::str::from_utf8(&bytes).map_err(|_| HubError::BadToken)?),
            Err(StoreError::Absent(_)) => Ok(None),
            Err(error) => Err(HubError::Store(error)),
        }
    }

    /// The value of the `Authorization` header.
    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// The token itself, for a header of its own.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// `text` without the token.
    pub(crate) fn scrub(&self, text: &str) -> String {
        scrub(text, &self.0)
    }
}

/// A server's words: short, without control characters, without the token.
pub(crate) fn server_words(text: &str, token: Option<&Token>) -> String {
    let text = token.map_or_else(|| text.to_owned(), |token| token.scrub(text));
    text.chars().filter(|character| !character.is_control()).take(400).collect()
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_never_shows_itself() {
        let token = Token::parse(" hf_secret\n").expect("fine").expect("there");
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_eq!(token.bearer(), "Bearer hf_secret");
        assert_eq!(token.scrub("you sent hf_secret!"), "you sent <token>!");
    }

    #[test]
    fn a_token_with_odd_characters_is_refused() {
        for bad in ["hf a", "hf\u{1}x", "hf_é", "a\r\nX-Evil: 1", &"x".repeat(513)] {
            assert!(matches!(Token::parse(bad), Err(HubError::BadToken)), "{bad:?}");
        }
        assert!(Token::parse(" \n").expect("fine").is_none());
    }
}
