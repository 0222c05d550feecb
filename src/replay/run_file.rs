//! run.json beside a bundle: how `eval` recorded it. It is not part of the bundle's hash.

use crate::json;

/// How many answers had text around their script, and how many answers there are, by run.json.
pub fn recorded_extraction(bytes: &[u8]) -> Option<(u64, u64)> {
    let document = json::parse(bytes).ok()?;
    let answers = document.root.object().ok()?.get("answers")?.object().ok()?;
    let count = |key: &str| answers.get(key)?.count().ok();
    count("extracted").zip(count("total"))
}

/// The SHA-256 of the protocol that run.json names; `None` if it names none.
pub fn recorded_protocol(bytes: &[u8]) -> Option<String> {
    let document = json::parse(bytes).ok()?;
    let sha256 = document.root.object().ok()?.get("protocol_sha256")?.as_str()?;
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (sha256.len() == 64 && sha256.bytes().all(is_hex)).then(|| sha256.to_owned())
}
