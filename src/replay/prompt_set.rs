//! The prompts of a bundle, ready to be answered.
//!
//! Most bundles of a board hold the same prompts.json, byte for byte: what is read, digested and
//! sorted for one of them serves for all. A set belongs to bytes, not to a board. A bundle with one
//! other byte has a set of its own.

use sha2::{Digest, Sha256};

use crate::domain::{Failure, Finding};
use crate::json::{self, Document};
use crate::replay::redact::Source;
use crate::replay::{Prompt, prompts, request_digest};

/// A prompts.json, read.
#[derive(Debug)]
pub struct PromptSet<'d> {
    bytes: &'d [u8],
    pub(super) prompts: Vec<Prompt<'d>>,
    /// Digest of each request with the position of its prompt, sorted.
    pub(super) requests: Vec<([u8; 16], usize)>,
    /// SHA-256 of the bytes, as far as it goes: a bundle's digest goes on from here.
    pub(super) digest: Sha256,
    repeats: bool,
    pub(super) has_crlf: bool,
}

impl<'d> PromptSet<'d> {
    pub(super) fn read(document: &'d Document<'_>, source: &Source) -> Result<Self, Failure> {
        let prompts = prompts::read(document, source)?;
        let digest = |(at, prompt): (usize, &Prompt<'_>)| (request_digest(prompt.request), at);
        let mut requests: Vec<_> = prompts.iter().enumerate().map(digest).collect();
        requests.sort_unstable();
        let bytes = document.text.as_bytes();
        let repeats = !prompts::duplicates(&prompts, source).is_empty();
        let has_crlf = memchr::memchr(b'\r', bytes).is_some();
        let digest = Sha256::new_with_prefix(bytes);
        Ok(Self { bytes, prompts, requests, digest, repeats, has_crlf })
    }

    /// The set of a file without a name; `None` if it cannot be read.
    pub fn unnamed(document: &'d Document<'_>) -> Option<Self> {
        Self::read(document, &Source::new("", "prompts.json", true)).ok()
    }

    /// Whether it was read from just these bytes.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        std::ptr::eq(self.bytes, bytes) || self.bytes == bytes
    }

    /// What is there twice, said of the file it was met in.
    pub(super) fn duplicates(&self, source: &Source) -> Vec<Finding> {
        if self.repeats { prompts::duplicates(&self.prompts, source) } else { Vec::new() }
    }
}

/// Runs with the set that `bytes` hold, or without one if they cannot be read: then every bundle
/// reads its own, and reports what is wrong with it.
pub fn with_prompts<T>(bytes: Option<&[u8]>, run: impl FnOnce(Option<&PromptSet<'_>>) -> T) -> T {
    let document = bytes.and_then(|bytes| json::parse(bytes).ok());
    let set = document.as_ref().and_then(PromptSet::unnamed);
    run(set.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{Asked, BundleFiles, Replay, replay, replay_counts};

    const REPEATING: &[u8] = br#"[{"id": "a", "request": "abc", "intent": ""},
        {"id": "a", "request": "x", "intent": "", "difficulty": "hard"}]"#;
    const OTHER: &[u8] = br#"[{"id": "a", "request": "abc", "intent": "b"}]"#;

    const ASKED: Asked<'_> =
        Asked { provider: "demo", model: "m", judge_model: "j", n_votes: 1, require_votes: true };

    fn bundle(secret: bool, prompts: &[u8]) -> BundleFiles {
        BundleFiles {
            dir: "bundles/m".to_owned(),
            secret,
            prompts: prompts.to_vec().into(),
            completions: b"{}".to_vec(),
            judge: br#"{"a": [true]}"#.to_vec(),
        }
    }

    fn replayed(prompts: &[u8], common: Option<&PromptSet<'_>>) -> Result<Replay, Failure> {
        replay(&bundle(false, prompts), &ASKED, common)
    }

    #[test]
    fn a_bundle_is_replayed_alike_with_its_prompts_read_before_or_not() {
        for prompts in [REPEATING, OTHER, b"[]\r\n", b"[{}]", b"[", b""] {
            let alone = format!("{:?}", replayed(prompts, None));
            for common in [REPEATING, OTHER, b"[]", b"[]\r\n", b"[{}]", b"["] {
                let with = with_prompts(Some(common), |set| replayed(prompts, set));
                assert_eq!(format!("{with:?}"), alone, "{prompts:?} with {common:?}");
            }
        }
        assert!(replayed(REPEATING, None).is_ok_and(|replay| replay.findings.len() > 1));
    }

    #[test]
    fn the_counts_of_a_held_out_bundle_come_without_its_hash() {
        let [files, secret] = [false, true].map(|secret| bundle(secret, OTHER));
        let public = replay_counts(&files, &ASKED, None).expect("replayed");
        let secret = replay_counts(&secret, &ASKED, None).expect("replayed");
        let all = [OTHER, b"{}", br#"{"a": [true]}"#].concat();
        assert_eq!(public.sha256, hex::encode(Sha256::digest(all)));
        assert_eq!(public.sha16(), &public.sha256[..16]);
        assert_eq!((&*secret.sha256, secret.sha16()), ("", ""));
        assert_eq!(secret.prompts_sha256, hex::encode(Sha256::digest(OTHER)));
        assert_eq!(secret.prompts_sha256, public.prompts_sha256);
    }
}
