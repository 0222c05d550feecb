//! The kinds of lines the ledger has, read and written.
//!
//! A line is one compact JSON object with sorted keys. A line once written never changes; a
//! correction is another line.

use serde::Serialize;

use super::fields;
use super::held_out_log::{Attempt, Commit, Exposure, Reveal};
use super::run::Run;
use crate::json::{self, Node};

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Line {
    /// A run of a model.
    Run(Box<Run>),
    /// Takes a run out of everything derived.
    Retraction(Retraction),
    /// A board was published.
    Board(BoardLine),
    /// A run was scored again.
    Rescore(Rescore),
    /// A row was taken off the board.
    Withdraw(Withdraw),
    /// The held-out set is about to be scored.
    Attempt(Attempt),
    /// A provider is about to see held-out requests.
    Exposure(Exposure),
    /// Fixes the held-out set of a protocol version before its first score.
    Commit(Commit),
    /// Opens a commitment.
    Reveal(Reveal),
    /// The reserved kind `graduate`: read, never written.
    Reserved,
}

/// Takes a run out of everything derived; the line itself stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Retraction {
    /// `retraction`.
    pub kind: &'static str,
    /// Why.
    pub reason: String,
    /// When the line was appended.
    pub recorded_at: String,
    /// Of which run.
    pub run_id: String,
}

/// A board was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardLine {
    /// SHA-256 of its bytes, in hex.
    pub board_sha256: String,
    /// When the board was built.
    pub generated_at: String,
    /// `board`.
    pub kind: &'static str,
    /// Its protocol version.
    pub protocol: String,
    /// SHA-256 of the protocol's texts and settings, in hex; absent if the config has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol_sha256: Option<String>,
    /// When the line was appended.
    pub recorded_at: String,
    /// How many rows it has.
    pub rows: u64,
    /// 1, 2, 3 …
    pub serial: u64,
}

/// A run was scored again under other weights or another scorer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rescore {
    /// `rescore`.
    pub kind: &'static str,
    /// The weights of the new run.
    pub new_weights_sha16: Option<String>,
    /// The run that was scored again.
    pub of: String,
    /// The weights of the old run.
    pub old_weights_sha16: Option<String>,
    /// Why.
    pub reason: String,
    /// When the line was appended.
    pub recorded_at: String,
    /// The run that holds the new score.
    pub run_id: String,
}

/// A row was taken off the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Withdraw {
    /// `withdraw`.
    pub kind: &'static str,
    /// The model.
    pub model: String,
    /// The protocol version it stood under.
    pub protocol: String,
    /// Who serves the model.
    pub provider: String,
    /// Why.
    pub reason: String,
    /// When the line was appended.
    pub recorded_at: String,
}

impl BoardLine {
    /// Reads a line of the kind `board`.
    pub fn read(node: &Node<'_>) -> Result<Self, LineError> {
        Ok(Self {
            board_sha256: text(node, "board_sha256")?,
            generated_at: text(node, "generated_at")?,
            kind: "board",
            protocol: text(node, "protocol")?,
            protocol_sha256: optional_text(node, "protocol_sha256")?,
            recorded_at: text(node, "recorded_at")?,
            rows: count(node, "rows")?,
            serial: count(node, "serial")?,
        })
    }
}

impl Withdraw {
    /// Reads a line of the kind `withdraw`.
    pub fn read(node: &Node<'_>) -> Result<Self, LineError> {
        Ok(Self {
            kind: "withdraw",
            model: text(node, "model")?,
            protocol: text(node, "protocol")?,
            provider: text(node, "provider")?,
            reason: text(node, "reason")?,
            recorded_at: text(node, "recorded_at")?,
        })
    }
}

/// Why a line is not one of the ledger's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Not strict JSON.
    #[error("is not JSON: {0}")]
    Json(String),
    /// A run that would be refused today.
    #[error("is refused: {0}")]
    Run(&'static str),
    /// An unknown kind.
    #[error("has the unknown kind `{0}`")]
    Kind(String),
    /// A required key is missing.
    #[error("lacks `{0}`")]
    Missing(&'static str),
    /// A key has a value of another type or form.
    #[error("has an invalid `{0}`: expected {1}")]
    Wrong(&'static str, &'static str),
}

impl Line {
    /// Reads one line, and names the keys no line of its kind has.
    pub fn read(bytes: &[u8]) -> Result<(Self, Vec<String>), LineError> {
        let document =
            json::parse(bytes).map_err(|error| LineError::Json(error.fault.to_string()))?;
        let node = &document.root;
        let object = node.object().map_err(|_| LineError::Json("expected an object".to_owned()))?;
        let kind = match object.get("kind") {
            None => "run",
            Some(kind) => kind.as_str().ok_or(LineError::Wrong("kind", "a string"))?,
        };
        let line = match kind {
            "run" => {
                // The scale may have changed since; what was recorded stays recorded.
                let reading = Run::read(node, f64::MAX)
                    .map_err(|rejection| LineError::Run(rejection.wanted()))?;
                return Ok((Self::Run(Box::new(reading.run)), reading.left_out));
            }
            "retraction" => Self::Retraction(Retraction {
                kind: "retraction",
                reason: text(node, "reason")?,
                recorded_at: text(node, "recorded_at")?,
                run_id: text(node, "run_id")?,
            }),
            "board" => Self::Board(BoardLine::read(node)?),
            "rescore" => Self::Rescore(Rescore {
                kind: "rescore",
                new_weights_sha16: optional_text(node, "new_weights_sha16")?,
                of: text(node, "of")?,
                old_weights_sha16: optional_text(node, "old_weights_sha16")?,
                reason: text(node, "reason")?,
                recorded_at: text(node, "recorded_at")?,
                run_id: text(node, "run_id")?,
            }),
            "withdraw" => Self::Withdraw(Withdraw::read(node)?),
            "attempt" => Self::Attempt(Attempt::read(node)?),
            "exposure" => Self::Exposure(Exposure::read(node)?),
            "commit" => Self::Commit(Commit::read(node)?),
            "reveal" => Self::Reveal(Reveal::read(node)?),
            "graduate" => return Ok((Self::Reserved, Vec::new())),
            other => return Err(LineError::Kind(other.to_owned())),
        };
        let known = line.keys();
        let unknown = object.iter().filter(|(key, _)| !known.contains(&&***key));
        let unknown = unknown.map(|(key, _)| key.to_string()).collect();
        Ok((line, unknown))
    }

    /// The keys a line of this kind may have, in the ledger's spelling.
    pub fn keys(&self) -> &'static [&'static str] {
        match self {
            Self::Run(_) => &fields::NAMES,
            Self::Retraction(_) => &["kind", "reason", "recorded_at", "run_id"],
            Self::Board(_) => &[
                "board_sha256",
                "generated_at",
                "kind",
                "protocol",
                "protocol_sha256",
                "recorded_at",
                "rows",
                "serial",
            ],
            Self::Rescore(_) => &[
                "kind",
                "new_weights_sha16",
                "of",
                "old_weights_sha16",
                "reason",
                "recorded_at",
                "run_id",
            ],
            Self::Withdraw(_) => {
                &["kind", "model", "protocol", "provider", "reason", "recorded_at"]
            }
            Self::Attempt(_) => &Attempt::KEYS,
            Self::Exposure(_) => &Exposure::KEYS,
            Self::Commit(_) => &Commit::KEYS,
            Self::Reveal(_) => &Reveal::KEYS,
            Self::Reserved => &["kind"],
        }
    }

    /// When the line was appended, where it says so.
    pub fn recorded_at(&self) -> Option<&str> {
        match self {
            Self::Run(run) => run.recorded_at.as_deref(),
            Self::Retraction(line) => Some(&line.recorded_at),
            Self::Board(line) => Some(&line.recorded_at),
            Self::Rescore(line) => Some(&line.recorded_at),
            Self::Withdraw(line) => Some(&line.recorded_at),
            Self::Attempt(line) => Some(&line.recorded_at),
            Self::Exposure(line) => Some(&line.recorded_at),
            Self::Commit(line) => Some(&line.recorded_at),
            Self::Reveal(line) => Some(&line.recorded_at),
            Self::Reserved => None,
        }
    }

    /// The bytes to append, newline included; `None` for a kind that is reserved. (Strings and
    /// numbers are always JSON.)
    pub fn bytes(&self) -> Option<Vec<u8>> {
        if matches!(self, Self::Reserved) {
            return None;
        }
        let mut bytes = serde_json::to_vec(self).ok()?;
        bytes.push(b'\n');
        Some(bytes)
    }
}

pub(super) fn text(node: &Node<'_>, key: &'static str) -> Result<String, LineError> {
    let member = node.required(key).map_err(|_| LineError::Missing(key))?;
    member.as_str().map(str::to_owned).ok_or(LineError::Wrong(key, "a string"))
}

/// A text that may be null or absent.
fn optional_text(node: &Node<'_>, key: &'static str) -> Result<Option<String>, LineError> {
    match node.required(key) {
        Ok(member) if !member.is_null() => text(node, key).map(Some),
        _ => Ok(None),
    }
}

pub(super) fn count(node: &Node<'_>, key: &'static str) -> Result<u64, LineError> {
    let member = node.required(key).map_err(|_| LineError::Missing(key))?;
    member.count().map_err(|_| LineError::Wrong(key, "a whole number from 0 to 2^53"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_kind_survives_its_own_bytes() {
        for text in [
            r#"{"aggregate_score":0.8,"kind":"run","model":"m","recorded_at":"t","regression_detected":false,"run_at":"2026-05-04T12:00:00Z","run_id":"r"}"#,
            r#"{"kind":"retraction","reason":"wrong set","recorded_at":"t","run_id":"r"}"#,
            r#"{"board_sha256":"ab","generated_at":"t","kind":"board","protocol":"1","recorded_at":"t","rows":4,"serial":1}"#,
            r#"{"board_sha256":"ab","generated_at":"t","kind":"board","protocol":"1","protocol_sha256":"cd","recorded_at":"t","rows":4,"serial":1}"#,
            r#"{"kind":"rescore","new_weights_sha16":"b","of":"r","old_weights_sha16":null,"reason":"weights","recorded_at":"t","run_id":"r2"}"#,
            r#"{"kind":"withdraw","model":"m","protocol":"1","provider":"p","reason":"asked","recorded_at":"t"}"#,
            r#"{"attempt":2,"kind":"attempt","model":"m","protocol":"1","provider":"p","recorded_at":"t","row_commitment":null,"workflow_run":null,"workflow_url":null}"#,
        ] {
            let (line, unknown) = Line::read(text.as_bytes()).expect(text);
            assert_eq!(line.bytes(), Some(format!("{text}\n").into_bytes()));
            assert_eq!(unknown, Vec::<String>::new());
        }
    }

    #[test]
    fn a_line_without_a_kind_is_a_run_and_a_strange_one_is_refused() {
        let bare = br#"{"run_id":"r","run_at":"2026-05-04T12:00:00Z","model":"m"}"#;
        assert!(matches!(Line::read(bare), Ok((Line::Run(_), _))));
        assert!(matches!(Line::read(br#"{"kind":"graduate","x":1}"#), Ok((Line::Reserved, _))));
        for (text, words) in [
            ("{}", "is refused: `run_id` must be a non-empty string"),
            ("[1]", "is not JSON: expected an object"),
            ("{", "is not JSON: expected a key in double quotes"),
            (r#"{"kind":"party"}"#, "has the unknown kind `party`"),
            (r#"{"kind":"withdraw"}"#, "lacks `model`"),
            (r#"{"kind":"withdraw","model":7}"#, "has an invalid `model`: expected a string"),
            (r#"{"kind":7}"#, "has an invalid `kind`: expected a string"),
            (
                r#"{"board_sha256":"a","generated_at":"t","kind":"board","protocol":"1","recorded_at":"t","rows":"4","serial":1}"#,
                "has an invalid `rows`: expected a whole number from 0 to 2^53",
            ),
            (
                r#"{"kind":"rescore","new_weights_sha16":1,"of":"a","reason":"","recorded_at":"t","run_id":"b"}"#,
                "has an invalid `new_weights_sha16`: expected a string",
            ),
        ] {
            assert_eq!(Line::read(text.as_bytes()).expect_err(text).to_string(), words);
        }
        let (_, unknown) = Line::read(
            br#"{"kind":"retraction","reason":"","recorded_at":"t","run_id":"r","prompt":"p"}"#,
        )
        .expect("a retraction");
        assert_eq!(unknown, ["prompt"]);
    }

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

        #[test]
        fn any_bytes_are_a_line_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
            let _ = Line::read(&bytes);
        }

        #[test]
        fn a_run_survives_its_own_bytes(
            (id, model, notes) in ("[^\\x00]{1,12}", ".{1,12}", proptest::option::of(".{1,12}")),
            (score, rate) in (proptest::option::of(0.0..1.0_f64), proptest::option::of(0.0..=1.0_f64)),
            parts in proptest::collection::btree_map("[a-z]{1,5}", 0.0..1.0_f64, 0..4),
            flag in any::<bool>(),
        ) {
            let record = serde_json::json!({
                "run_id": id, "model": model, "notes": notes, "aggregate_score": score,
                "hallucination_rate": rate, "dataset_scores": parts, "regression_detected": flag,
                "run_at": "2026-05-04T12:00:00.123456789+02:00", "recorded_at": "2026-05-04T12:00:00Z",
            });
            let (line, _) = Line::read(record.to_string().as_bytes()).expect("a run");
            let bytes = line.bytes().expect("writable");
            prop_assert_eq!(memchr::memchr_iter(b'\n', &bytes).count(), 1);
            let (again, unknown) = Line::read(&bytes[..bytes.len() - 1]).expect("a run");
            prop_assert_eq!(again, line);
            prop_assert_eq!(unknown, Vec::<String>::new());
        }
    }
}
