//! The published artefact, field by field in the order of its canonical bytes.
//!
//! These types cannot hold a prompt, an intent or a verdict: that is the first half of the
//! firewall.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::domain::config::{Config, SetHeader};
use crate::domain::{Gap, Rate};
use crate::json;
use crate::replay::Asked;

/// The one sentence a pending cell says.
pub const PENDING: &str = "pending: scored in gated CI against the never-committed held-out set";
/// The one sentence that says how rows are ranked.
pub const RANKING: &str =
    "held_out.pass_rate desc - the headline; public shown alongside as the anchor";

/// Ranked rows under one protocol version.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Board {
    /// The rows, best first.
    pub entries: Vec<Row>,
    /// The stamp under which rows compare.
    pub eval_protocol_version: String,
    /// When the board was built, RFC 3339 in UTC.
    pub generated_at: String,
    /// The config's block on the held-out set.
    pub held_out_set: SetHeader,
    /// Who judged.
    pub judge_model: String,
    /// The config's block on the public set.
    pub public_set: SetHeader,
    /// [`RANKING`].
    pub ranking: String,
}

impl Board {
    /// A board without rows under the protocol of `config`.
    pub(crate) fn empty(config: &Config, generated_at: &str) -> Self {
        Self {
            entries: Vec::new(),
            eval_protocol_version: config.eval_protocol_version.clone(),
            generated_at: generated_at.to_owned(),
            held_out_set: config.held_out_set.clone(),
            judge_model: config.judge_model.clone(),
            public_set: config.public_set.clone(),
            ranking: RANKING.to_owned(),
        }
    }
}

/// All cells of one seed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The repair loop; absent without a lift bundle.
    pub close_the_loop: Option<Loop>,
    /// The headline.
    pub held_out: HeldOut,
    /// What kind of row it is.
    pub kind: String,
    /// The model.
    pub model: String,
    /// Anchor − headline; absent while pending.
    pub overfit_gap: Option<Gap>,
    /// Who serves the model.
    pub provider: String,
    /// The anchor.
    pub public: Cell,
    /// Position, from 1.
    pub rank: u64,
    /// What pins the row.
    pub run: RowRun,
    /// Calls and tokens of the public bundle.
    pub usage: BTreeMap<String, u64>,
}

impl Row {
    /// `provider:model`.
    pub fn id(&self) -> String {
        format!("{}:{}", self.provider, self.model)
    }

    /// How the bundle of this row is replayed.
    pub(crate) fn asked(&self) -> Asked<'_> {
        Asked {
            provider: &self.provider,
            model: &self.model,
            judge_model: &self.run.judge_model,
            n_votes: self.run.n_votes,
            require_votes: false,
        }
    }
}

/// One aggregate over one prompt set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cell {
    /// Rate within each tier.
    pub by_tier: BTreeMap<String, Rate>,
    /// How many prompts the set has.
    pub n_prompts: u64,
    /// Rate over all prompts.
    pub pass_rate: Rate,
}

/// The headline, or its absence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeldOut {
    /// Scored on the held-out set.
    Scored(Cell),
    /// Not yet scored.
    Pending,
}

impl HeldOut {
    /// The headline rate; `None` while pending.
    pub fn rate(&self) -> Option<Rate> {
        match self {
            Self::Scored(cell) => Some(cell.pass_rate),
            Self::Pending => None,
        }
    }

    /// The cell; `None` while pending.
    pub fn cell(&self) -> Option<&Cell> {
        match self {
            Self::Scored(cell) => Some(cell),
            Self::Pending => None,
        }
    }
}

impl Serialize for HeldOut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Pending {
            pass_rate: Option<Rate>,
            status: &'static str,
        }
        match self {
            Self::Scored(cell) => cell.serialize(serializer),
            Self::Pending => Pending { pass_rate: None, status: PENDING }.serialize(serializer),
        }
    }
}

/// What the repair loop achieved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Loop {
    /// Share of prompts whose first draft runs.
    pub base_runnable: Rate,
    /// Of the first drafts that pass on paper, the share whose dry run agrees; absent where none pass.
    pub dry_run_agreement: BTreeMap<String, Option<Rate>>,
    /// Repaired − base, rounded after subtracting.
    pub repair_lift: Gap,
    /// Share of prompts whose last draft runs.
    pub repaired_runnable: Rate,
}

/// What pins a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RowRun {
    /// Who judged.
    pub judge_model: String,
    /// Votes per prompt.
    pub n_votes: u64,
    /// First 16 hex digits of the SHA-256 over the bundle's three files.
    pub recorded_bundle_sha16: String,
    /// Who brought the row.
    pub submitted_by: String,
    /// Version of the program that scored it.
    pub tool_version: String,
    /// Replayed from the bytes on disk; always true in a built row.
    pub verified: bool,
}

impl Board {
    /// The canonical bytes: the only spelling that is published or verified.
    pub fn bytes(&self) -> Vec<u8> {
        json::pretty(self)
    }
}
