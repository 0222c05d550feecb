//! Recording one run: it is new, known, contradicts the stored one, or is rejected.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::domain::config::{DetectLimits, HistorySection};
use crate::domain::{real, round6};
use crate::json::Node;
use crate::ledger::history::History;
use crate::ledger::rejection::Rejection;
use crate::ledger::run::{Difference, Run};
use crate::ledger::series::{Derived, Trend, default_epsilon, derive};

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordOutcome {
    /// A new run.
    Inserted,
    /// Known, and it says the same.
    Unchanged,
    /// Known, and it says something else: the first stays.
    ConflictKeptFirst,
    /// Not a run.
    #[cfg_attr(sealed, expect(dead_code, reason = "the conformance tests use it"))]
    Rejected,
}

/// What is printed about a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Inserted {
    /// What became of it.
    pub outcome: RecordOutcome,
    /// Which run.
    pub run_id: String,
    /// What is derived for the stored run; absent for one that is not live.
    pub derived: Option<Derived>,
    /// Why the stored run is not live: retracted, or superseded by which run.
    pub not_live: Option<String>,
    /// In what a conflicting record differs from the stored run.
    pub differs: Vec<Difference>,
    /// Keys that were left out.
    pub left_out: Vec<String>,
    /// What rose by more than its limit, in words.
    pub rises: Vec<String>,
}

/// The answer in the shape runners expect.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordAnswer {
    /// The row's id, always the same for one `run_id`.
    pub leaderboard_row_id: String,
    /// Score minus previous score.
    pub score_delta: Option<f64>,
    /// Where the average is going.
    pub trend: Option<Trend>,
    /// Whether a week changed.
    pub week_summary_updated: bool,
    /// Whether every card that had to be sent was.
    pub slack_notified: bool,
    /// What became of the record.
    pub outcome: RecordOutcome,
    /// Hallucination rate minus previous rate.
    pub hallucination_delta: Option<f64>,
    /// What a reader must know.
    pub notes: Vec<String>,
    /// Which run.
    pub run_id: String,
    /// The keys in which a conflicting record differs from the stored run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
}

impl Inserted {
    /// The answer, before anybody was notified.
    pub fn answer(&self) -> RecordAnswer {
        let derived = self.derived.as_ref();
        RecordAnswer {
            leaderboard_row_id: row_id(&self.run_id),
            score_delta: derived.and_then(|derived| derived.score_delta.ok()),
            trend: derived.and_then(|derived| derived.trend.ok()),
            week_summary_updated: self.outcome == RecordOutcome::Inserted,
            slack_notified: false,
            outcome: self.outcome,
            hallucination_delta: derived.and_then(|derived| derived.hallucination_delta),
            notes: match derived {
                Some(derived) => [derived.notes.as_slice(), self.rises.as_slice()].concat(),
                None => self.not_live.iter().cloned().collect(),
            },
            run_id: self.run_id.clone(),
            differs: self.differs.iter().map(|difference| difference.key.clone()).collect(),
        }
    }
}

/// The rules a run is recorded by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// The largest score.
    pub score_scale: f64,
    /// The smallest change of the average that counts.
    pub epsilon: f64,
}

impl Rules {
    /// The rules of a config.
    pub fn from_section(section: &HistorySection) -> Self {
        let epsilon = section.trend_epsilon;
        Self {
            score_scale: section.score_scale,
            epsilon: epsilon.unwrap_or_else(|| default_epsilon(section.score_scale)),
        }
    }
}

/// Whether the score of `run` fell, against the scored run before it, by more than `drop` (or ε) and by
/// more than one prompt where it is known how many there are.
pub fn is_regression(history: &History, run: &Run, rules: Rules, drop: Option<f64>) -> bool {
    let one_prompt = run.n_prompts.map_or(0.0, |prompts| rules.score_scale / real(prompts));
    let least = drop.unwrap_or(rules.epsilon).max(one_prompt);
    let mut scored = history.before_in_epoch(run).filter(|run| run.aggregate_score.is_some());
    let change = scored.next().and_then(|before| run.score_minus(before));
    change.is_some_and(|change| change < -least)
}

/// Measures of `run` that rose by more than their limit since the run before it that has them.
pub(super) fn rises(history: &History, run: &Run, limits: DetectLimits) -> Vec<String> {
    type Read = fn(&Run) -> Option<f64>;
    let measures: [(&str, &str, Option<f64>, Read); 3] = [
        ("hallucination_rate", "hallucination", limits.hallucination, |run| run.hallucination_rate),
        ("latency_p95_ms", "latency_p95_ms", limits.latency_p95_ms, |run| run.latency_p95_ms),
        ("cost_per_message_usd", "cost_per_message_usd", limits.cost_per_message_usd, |run| {
            run.cost_per_message_usd
        }),
    ];
    let rise = |(name, key, limit, read): (&str, &str, Option<f64>, Read)| {
        let (limit, now) = (limit?, read(run)?);
        let before = history.before_in_epoch(run).find_map(read)?;
        (round6(now - before) > limit).then(|| {
            format!("`{name}` rose from {before} to {now}, by more than `history.detect.{key}` ({limit})")
        })
    };
    measures.into_iter().filter_map(rise).collect()
}

/// Reads `record` and records it.
#[cfg_attr(sealed, expect(dead_code, reason = "the conformance tests use it"))]
pub fn insert_record(
    history: &mut History,
    record: &Node<'_>,
    rules: Rules,
) -> Result<Inserted, Rejection> {
    let reading = Run::read(record, rules.score_scale)?;
    let mut inserted = insert(history, reading.run, rules);
    inserted.left_out = reading.left_out;
    Ok(inserted)
}

/// Records `run`.
pub fn insert(history: &mut History, run: Run, rules: Rules) -> Inserted {
    let run_id = run.run_id.clone();
    let mut differs = Vec::new();
    let outcome = match history.run(&run_id) {
        None => RecordOutcome::Inserted,
        Some(known) if known.says_the_same(&run) => RecordOutcome::Unchanged,
        Some(known) => {
            differs = known.differences(&run);
            RecordOutcome::ConflictKeptFirst
        }
    };
    if outcome == RecordOutcome::Inserted {
        history.add(run);
    }
    let stored = history.run(&run_id).filter(|_| history.is_live(&run_id));
    let derived = stored.map(|run| derive(history, run, rules.epsilon));
    let not_live = not_live(history, &run_id);
    let (left_out, rises) = (Vec::new(), Vec::new());
    Inserted { outcome, run_id, derived, not_live, differs, left_out, rises }
}

/// Why the recorded run called `run_id` does not count; `None` if it does.
pub fn not_live(history: &History, run_id: &str) -> Option<String> {
    let superseded = history.superseded_by(run_id);
    let superseded = superseded.map(|by| format!("superseded by the rescored run `{}`", by.run_id));
    let retraction = history.retraction(run_id);
    superseded.or_else(|| retraction.map(|line| format!("retracted: {}", line.reason)))
}

/// The row id of a run: a version 8 UUID made of its `run_id`.
pub fn row_id(run_id: &str) -> String {
    let digest = Sha256::new_with_prefix("gmat-leaderboard/row/v1\n").chain_update(run_id);
    let mut bytes: [u8; 32] = digest.finalize().into();
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = hex::encode(&bytes[..16]);
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    parts.join("-")
}
