//! The kinds of lines the ledger has, read and written.
//!
//! A line is one compact JSON object with sorted keys. What a newcomer gets wrong: a line once
//! written never changes; a correction is another line.

use serde::Serialize;

use super::run::Run;
use crate::json::{self, Node};

/// One line.
#[derive(Debug, Clone, PartialEq)]
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
    /// A kind that is reserved (`attempt`, `graduate`): read, never written.
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

/// Why a line is not one of the ledger's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Not strict JSON.
    #[error("is not JSON: {0}")]
    Json(String),
    /// A run that would be refused today.
    #[error("is refused: {0}")]
    Run(&'static str),
    /// A kind nobody knows.
    #[error("is of the unknown kind `{0}`")]
    Kind(String),
    /// A key is missing or of another type.
    #[error("lacks `{0}`")]
    Key(&'static str),
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
            Some(kind) => kind.as_str().ok_or(LineError::Key("kind"))?,
        };
        let (line, known): (Self, &[&str]) = match kind {
            "run" => {
                // The scale may have changed since; what was recorded stays recorded.
                let reading = Run::read(node, f64::MAX)
                    .map_err(|rejection| LineError::Run(rejection.wanted()))?;
                return Ok((Self::Run(Box::new(reading.run)), reading.left_out));
            }
            "retraction" => (
                Self::Retraction(Retraction {
                    kind: "retraction",
                    reason: text(node, "reason")?,
                    recorded_at: text(node, "recorded_at")?,
                    run_id: text(node, "run_id")?,
                }),
                &["kind", "reason", "recorded_at", "run_id"],
            ),
            "board" => (
                Self::Board(BoardLine {
                    board_sha256: text(node, "board_sha256")?,
                    generated_at: text(node, "generated_at")?,
                    kind: "board",
                    protocol: text(node, "protocol")?,
                    recorded_at: text(node, "recorded_at")?,
                    rows: count(node, "rows")?,
                    serial: count(node, "serial")?,
                }),
                &[
                    "board_sha256",
                    "generated_at",
                    "kind",
                    "protocol",
                    "recorded_at",
                    "rows",
                    "serial",
                ],
            ),
            "rescore" => (
                Self::Rescore(Rescore {
                    kind: "rescore",
                    new_weights_sha16: text(node, "new_weights_sha16").ok(),
                    of: text(node, "of")?,
                    old_weights_sha16: text(node, "old_weights_sha16").ok(),
                    reason: text(node, "reason")?,
                    recorded_at: text(node, "recorded_at")?,
                    run_id: text(node, "run_id")?,
                }),
                &[
                    "kind",
                    "new_weights_sha16",
                    "of",
                    "old_weights_sha16",
                    "reason",
                    "recorded_at",
                    "run_id",
                ],
            ),
            "withdraw" => (
                Self::Withdraw(Withdraw {
                    kind: "withdraw",
                    model: text(node, "model")?,
                    protocol: text(node, "protocol")?,
                    provider: text(node, "provider")?,
                    reason: text(node, "reason")?,
                    recorded_at: text(node, "recorded_at")?,
                }),
                &["kind", "model", "protocol", "provider", "reason", "recorded_at"],
            ),
            "attempt" | "graduate" => {
                return Ok((Self::Reserved, Vec::new()));
            }
            other => return Err(LineError::Kind(other.to_owned())),
        };
        let unknown = object.iter().filter(|(key, _)| !known.contains(&&***key));
        Ok((line, unknown.map(|(key, _)| key.to_string()).collect()))
    }

    /// When the line was appended, where it says so.
    pub fn recorded_at(&self) -> Option<&str> {
        match self {
            Self::Run(run) => run.recorded_at.as_deref(),
            Self::Retraction(line) => Some(&line.recorded_at),
            Self::Board(line) => Some(&line.recorded_at),
            Self::Rescore(line) => Some(&line.recorded_at),
            Self::Withdraw(line) => Some(&line.recorded_at),
            Self::Reserved => None,
        }
    }

    /// The bytes to append, newline included; `None` for a kind that is reserved. (Strings and
    /// numbers are always JSON.)
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let bytes = match self {
            Self::Run(line) => serde_json::to_vec(line),
            Self::Retraction(line) => serde_json::to_vec(line),
            Self::Board(line) => serde_json::to_vec(line),
            Self::Rescore(line) => serde_json::to_vec(line),
            Self::Withdraw(line) => serde_json::to_vec(line),
            Self::Reserved => return None,
        };
        let mut bytes = bytes.ok()?;
        bytes.push(b'\n');
        Some(bytes)
    }
}

fn text(node: &Node<'_>, key: &'static str) -> Result<String, LineError> {
    let member = node.required(key).ok().and_then(Node::as_str);
    member.map(str::to_owned).ok_or(LineError::Key(key))
}

fn count(node: &Node<'_>, key: &'static str) -> Result<u64, LineError> {
    node.required(key).and_then(Node::count).map_err(|_| LineError::Key(key))
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
            r#"{"kind":"rescore","new_weights_sha16":"b","of":"r","old_weights_sha16":null,"reason":"weights","recorded_at":"t","run_id":"r2"}"#,
            r#"{"kind":"withdraw","model":"m","protocol":"1","provider":"p","reason":"asked","recorded_at":"t"}"#,
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
        assert!(matches!(Line::read(br#"{"kind":"attempt","x":1}"#), Ok((Line::Reserved, _))));
        for (text, words) in [
            ("{}", "is refused: `run_id` is a string, not empty"),
            ("[1]", "is not JSON: expected an object"),
            ("{", "is not JSON: expected a key in double quotes"),
            (r#"{"kind":"party"}"#, "is of the unknown kind `party`"),
            (r#"{"kind":"withdraw"}"#, "lacks `model`"),
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
        #![proptest_config(ProptestConfig {
            failure_persistence: Some(Box::new(
                proptest::test_runner::FileFailurePersistence::WithSource("regressions"),
            )),
            ..ProptestConfig::default()
        })]

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
