//! Lines about the held-out set: when it was scored, who saw it, what fixes it, what opens it.
//!
//! They are appended before the fact: an `attempt` before its number is shown, an `exposure`
//! before the first request, a `commit` before the first score of its protocol version.

use serde::Serialize;

use super::line::{LineError, count, text};
use crate::domain::config::is_report_url;
use crate::json::Node;

/// The held-out set is about to be scored for one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// 1, 2, 3 … for one provider, model and protocol version.
    pub attempt: u64,
    /// `attempt`.
    pub kind: &'static str,
    /// The model.
    pub model: String,
    /// The protocol version.
    pub protocol: String,
    /// Who serves the model.
    pub provider: String,
    /// When the line was appended.
    pub recorded_at: String,
    /// Commitment to the row's held-out bundle, 64 hex digits; null without a salt.
    pub row_commitment: Option<String>,
    /// The number of the workflow run; null outside a workflow.
    pub workflow_run: Option<u64>,
    /// Where that run can be seen; null outside a workflow.
    pub workflow_url: Option<String>,
}

/// A provider is about to see held-out requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exposure {
    /// `exposure`.
    pub kind: &'static str,
    /// The model that is asked.
    pub model: String,
    /// The protocol version of the set.
    pub protocol: String,
    /// Who serves the model and sees the requests.
    pub provider: String,
    /// When the line was appended.
    pub recorded_at: String,
    /// Commitment to the set, 64 hex digits; null without a salt.
    pub set_commitment: Option<String>,
    /// The number of the workflow run; null outside a workflow.
    pub workflow_run: Option<u64>,
    /// Where that run can be seen; null outside a workflow.
    pub workflow_url: Option<String>,
}

/// Fixes the held-out set of a protocol version; one per version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Commit {
    /// `commit`.
    pub kind: &'static str,
    /// The protocol version.
    pub protocol: String,
    /// When the line was appended.
    pub recorded_at: String,
    /// Commitment to the set, 64 hex digits.
    pub set_commitment: String,
}

/// Opens the commitment of a protocol version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reveal {
    /// `reveal`.
    pub kind: &'static str,
    /// The protocol version.
    pub protocol: String,
    /// When the line was appended.
    pub recorded_at: String,
    /// The salt of the commitment, 64 hex digits.
    pub salt: String,
    /// The commitment it opens, 64 hex digits.
    pub set_commitment: String,
}

impl Attempt {
    pub(super) const KEYS: [&str; 9] = [
        "attempt",
        "kind",
        "model",
        "protocol",
        "provider",
        "recorded_at",
        "row_commitment",
        "workflow_run",
        "workflow_url",
    ];

    pub(super) fn read(node: &Node<'_>) -> Result<Self, LineError> {
        let attempt = count(node, "attempt")?;
        if attempt == 0 {
            return Err(LineError::Wrong("attempt", "a whole number from 1"));
        }
        Ok(Self {
            attempt,
            kind: "attempt",
            model: text(node, "model")?,
            protocol: text(node, "protocol")?,
            provider: text(node, "provider")?,
            recorded_at: text(node, "recorded_at")?,
            row_commitment: nullable(node, "row_commitment", digest)?,
            workflow_run: nullable(node, "workflow_run", count)?,
            workflow_url: nullable(node, "workflow_url", url)?,
        })
    }
}

impl Exposure {
    pub(super) const KEYS: [&str; 8] = [
        "kind",
        "model",
        "protocol",
        "provider",
        "recorded_at",
        "set_commitment",
        "workflow_run",
        "workflow_url",
    ];

    pub(super) fn read(node: &Node<'_>) -> Result<Self, LineError> {
        Ok(Self {
            kind: "exposure",
            model: text(node, "model")?,
            protocol: text(node, "protocol")?,
            provider: text(node, "provider")?,
            recorded_at: text(node, "recorded_at")?,
            set_commitment: nullable(node, "set_commitment", digest)?,
            workflow_run: nullable(node, "workflow_run", count)?,
            workflow_url: nullable(node, "workflow_url", url)?,
        })
    }
}

impl Commit {
    pub(super) const KEYS: [&str; 4] = ["kind", "protocol", "recorded_at", "set_commitment"];

    pub(super) fn read(node: &Node<'_>) -> Result<Self, LineError> {
        Ok(Self {
            kind: "commit",
            protocol: text(node, "protocol")?,
            recorded_at: text(node, "recorded_at")?,
            set_commitment: digest(node, "set_commitment")?,
        })
    }
}

impl Reveal {
    pub(super) const KEYS: [&str; 5] =
        ["kind", "protocol", "recorded_at", "salt", "set_commitment"];

    pub(super) fn read(node: &Node<'_>) -> Result<Self, LineError> {
        Ok(Self {
            kind: "reveal",
            protocol: text(node, "protocol")?,
            recorded_at: text(node, "recorded_at")?,
            salt: digest(node, "salt")?,
            set_commitment: digest(node, "set_commitment")?,
        })
    }
}

/// 32 bytes in lower-case hex.
fn digest(node: &Node<'_>, key: &'static str) -> Result<String, LineError> {
    let digest = text(node, key)?;
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digest.len() == 64 && digest.bytes().all(is_hex) {
        Ok(digest)
    } else {
        Err(LineError::Wrong(key, "64 lower-case hex digits"))
    }
}

fn url(node: &Node<'_>, key: &'static str) -> Result<String, LineError> {
    let url = text(node, key)?;
    if is_report_url(&url) { Ok(url) } else { Err(LineError::Wrong(key, "an https address")) }
}

/// A value that must be there and may be null.
fn nullable<T>(
    node: &Node<'_>,
    key: &'static str,
    read: fn(&Node<'_>, &'static str) -> Result<T, LineError>,
) -> Result<Option<T>, LineError> {
    let member = node.required(key).map_err(|_| LineError::Missing(key))?;
    if member.is_null() { Ok(None) } else { read(node, key).map(Some) }
}

/// Each missing number between the smallest and the largest of `numbers`, at most `most` of them,
/// and how many are missing in all.
pub(super) fn gaps(first: u64, numbers: &[u64], most: usize) -> (Vec<u64>, u64) {
    let (mut missing, mut count, mut next) = (Vec::new(), 0, first);
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    for number in sorted.into_iter().filter(|number| *number >= first) {
        count += number - next;
        let room = most.saturating_sub(missing.len());
        missing.extend((next..number).take(room));
        next = number + 1;
    }
    (missing, count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::line::Line;
    use super::*;

    fn hex64() -> impl Strategy<Value = String> {
        any::<[u8; 32]>().prop_map(hex::encode)
    }

    fn workflow() -> impl Strategy<Value = (Option<u64>, Option<String>)> {
        proptest::option::of(1..1_000_000_u64)
            .prop_map(|run| (run, run.map(|run| format!("https://example.org/actions/runs/{run}"))))
    }

    /// One line of each of the four kinds.
    fn lines() -> impl Strategy<Value = [Line; 4]> {
        let names = (".{1,12}", ".{0,6}", ".{1,12}", ".{1,20}");
        let numbers = (1..1000_u64, workflow());
        let digests = (hex64(), hex64(), proptest::option::of(hex64()));
        (names, numbers, digests).prop_map(
            |(
                (model, protocol, provider, recorded_at),
                (attempt, (workflow_run, workflow_url)),
                (first, second, optional),
            )| {
                [
                    Line::Attempt(Attempt {
                        attempt,
                        kind: "attempt",
                        model: model.clone(),
                        protocol: protocol.clone(),
                        provider: provider.clone(),
                        recorded_at: recorded_at.clone(),
                        row_commitment: optional.clone(),
                        workflow_run,
                        workflow_url: workflow_url.clone(),
                    }),
                    Line::Exposure(Exposure {
                        kind: "exposure",
                        model,
                        protocol: protocol.clone(),
                        provider,
                        recorded_at: recorded_at.clone(),
                        set_commitment: optional,
                        workflow_run,
                        workflow_url,
                    }),
                    Line::Commit(Commit {
                        kind: "commit",
                        protocol: protocol.clone(),
                        recorded_at: recorded_at.clone(),
                        set_commitment: first.clone(),
                    }),
                    Line::Reveal(Reveal {
                        kind: "reveal",
                        protocol,
                        recorded_at,
                        salt: second,
                        set_commitment: first,
                    }),
                ]
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn each_kind_is_read_back_from_its_own_bytes(lines in lines()) {
            for line in lines {
                let bytes = line.bytes().expect("writable");
                let (again, unknown) = Line::read(bytes.trim_ascii_end()).expect("a line");
                prop_assert_eq!(&again, &line);
                prop_assert_eq!(again.bytes(), Some(bytes.clone()));
                prop_assert!(unknown.is_empty());
                // The keys are sorted, and they are the ones the reader knows.
                let object: std::collections::BTreeMap<String, serde_json::Value> =
                    serde_json::from_slice(&bytes).expect("an object");
                prop_assert!(object.keys().eq(line.keys().iter()));
                let sorted = serde_json::to_vec(&object).expect("JSON");
                prop_assert_eq!(sorted.as_slice(), bytes.trim_ascii_end());
            }
        }
    }

    #[test]
    fn a_wrong_value_is_named_with_what_belongs_there() {
        let digest = "ab".repeat(32);
        let good = format!(
            r#"{{"attempt":1,"kind":"attempt","model":"m","protocol":"1","provider":"p","recorded_at":"t","row_commitment":"{digest}","workflow_run":7,"workflow_url":"https://example.org/7"}}"#
        );
        Line::read(good.as_bytes()).expect("an attempt");
        for (from, to, words) in [
            (
                r#""attempt":1"#,
                r#""attempt":0"#,
                "has an invalid `attempt`: expected a whole number from 1",
            ),
            (&digest, "AB", "has an invalid `row_commitment`: expected 64 lower-case hex digits"),
            (
                ":7,",
                ":7.5,",
                "has an invalid `workflow_run`: expected a whole number from 0 to 2^53",
            ),
            ("https:", "http:", "has an invalid `workflow_url`: expected an https address"),
            (r#","workflow_run":7"#, "", "lacks `workflow_run`"),
        ] {
            let text = good.replace(from, to);
            assert_eq!(Line::read(text.as_bytes()).expect_err(&text).to_string(), words);
        }
    }

    #[test]
    fn gaps_are_counted_and_the_first_ones_named() {
        assert_eq!(gaps(1, &[1, 2, 3], 5), (vec![], 0));
        assert_eq!(gaps(1, &[4, 2, 4], 5), (vec![1, 3], 2));
        assert_eq!(gaps(10, &[10, 1000], 2), (vec![11, 12], 989));
        assert_eq!(gaps(1, &[], 5), (vec![], 0));
    }
}
