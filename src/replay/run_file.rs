//! run.json beside a bundle: how `eval` recorded it. It is not part of the bundle's hash.

use crate::domain::is_stamp;
use crate::json;

/// What run.json says; nothing where it says nothing usable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFile {
    /// SHA-256 of the protocol, in hex.
    pub protocol_sha256: Option<String>,
    /// When the last answer came.
    pub recorded_at: Option<String>,
    /// How many answers had text around their script, and how many answers there are.
    pub extracted: Option<(u64, u64)>,
}

impl RunFile {
    /// Reads the file; `None` if it is not a JSON object.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let document = json::parse(bytes).ok()?;
        let root = document.root.object().ok()?;
        let text = |key: &str| root.get(key).and_then(json::Node::as_str);
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_sha256 = |text: &&str| text.len() == 64 && text.bytes().all(is_hex);
        let answers = root.get("answers").and_then(|answers| answers.object().ok());
        let count = |key: &str| answers?.get(key)?.count().ok();
        Some(Self {
            protocol_sha256: text("protocol_sha256").filter(is_sha256).map(str::to_owned),
            recorded_at: text("recorded_at").filter(|it| is_stamp(it)).map(str::to_owned),
            extracted: count("extracted").zip(count("total")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_usable_values_are_taken() {
        let hash = "0a".repeat(32);
        let text = format!(
            r#"{{"protocol_sha256": "{hash}", "recorded_at": "2026-11-17T16:40:41Z", "answers": {{"extracted": 2, "total": 3}}}}"#
        );
        let run = RunFile::parse(text.as_bytes()).expect("an object");
        assert_eq!((run.protocol_sha256, run.extracted), (Some(hash), Some((2, 3))));
        assert_eq!(run.recorded_at.as_deref(), Some("2026-11-17T16:40:41Z"));
        let odd = br#"{"protocol_sha256": "<b>", "recorded_at": "now", "answers": {"total": 3}}"#;
        assert_eq!(RunFile::parse(odd), Some(RunFile::default()));
        assert_eq!(RunFile::parse(b"[]"), None);
    }
}
