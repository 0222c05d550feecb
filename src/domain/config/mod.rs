//! The config, `seeds.json`: what a board is asked to score, and every word the site borrows.
//!
//! Parsed once into types that cannot be wrong. All problems are collected, with line and key path.
//! A value of the wrong type makes the config unusable (exit 2), while a well-typed value that
//! breaks a rule of the board is a finding (exit 1).

mod about;
mod add;
mod header;
mod history;
mod protocol;
mod read;
mod sections;
mod seed;
mod webhook;

use std::collections::BTreeMap;

pub use about::{About, Weights, Withdrawn};
pub use header::{Scalar, SetHeader};
pub use history::{
    DetectLimits, Dimension, HistorySection, Pack, PackTask, RunStatus, ScoringMode, is_report_url,
};
pub use protocol::{Protocol, ProtocolText, Sampling};
pub use sections::{AttemptLimits, HeldOutTiers, Link, Price, SiteTexts, Waiver};
pub use seed::{BelowPath, Seed};
pub use webhook::{Webhook, WebhookKind};

use super::{Failure, Finding};

/// A config that was read and checked.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The stamp under which rows compare.
    pub eval_protocol_version: String,
    /// Judge votes per prompt.
    pub n_votes: u64,
    /// Who judged.
    pub judge_model: String,
    /// Header block of the public set, copied into the board.
    pub public_set: SetHeader,
    /// Header block of the held-out set, copied into the board.
    pub held_out_set: SetHeader,
    /// The folder of a held-out set that is public: a demo, or a retired set.
    pub held_out_published: Option<BelowPath>,
    /// SHA-256 of the public prompts.json in lower-case hex, if pinned.
    pub public_pin: Option<String>,
    /// What to score, in file order.
    pub seeds: Vec<Seed>,
    /// Whether a short vote list is a finding rather than a note.
    pub require_votes: bool,
    /// Exceptions the owner accepts.
    pub waivers: Vec<Waiver>,
    /// Whether small held-out tiers are published.
    pub held_out_tiers: HeldOutTiers,
    /// The https address of the repository that holds the board.
    pub repository: Option<String>,
    /// Texts of the site.
    pub site: SiteTexts,
    /// The evaluation protocol, if the board publishes one.
    pub protocol: Option<Protocol>,
    /// Prices by `provider:model`.
    pub prices: BTreeMap<String, Price>,
    /// How scores are read and when a change counts.
    pub history: HistorySection,
    /// What must be equal for two runs to compare.
    pub cohort_dimensions: Vec<Dimension>,
    /// Runs by id or rows by `provider:model` that others are compared with, at most one per cohort.
    pub official_baselines: Vec<String>,
    /// Named sets of tasks of imported results.
    pub packs: Vec<Pack>,
    /// Where a Slack card's link leads.
    pub slack_report_url: Option<String>,
    /// The minisign public key that seals are signed with.
    pub seal_key: Option<String>,
    /// How often the held-out set may be scored under one protocol version.
    pub attempts: AttemptLimits,
    /// Channels that get a card for each new run, besides the two of Slack.
    pub webhooks: Vec<Webhook>,
    /// Well-typed values that break a rule of the board, and notes.
    pub findings: Vec<Finding>,
}

impl Config {
    /// Every key that a config can have, at any depth.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        [read::KEYS, about::KEYS, history::KEYS, protocol::KEYS, webhook::KEYS]
            .into_iter()
            .flatten()
            .flat_map(|keys| keys.iter().copied())
    }

    /// What rows of the board compare by: the protocol too, if there is one.
    pub fn board_dimensions(&self) -> Vec<Dimension> {
        let protocol = self.protocol.as_ref().map(|_| Dimension::ProtocolSha16);
        self.cohort_dimensions.iter().copied().chain(protocol).collect()
    }

    /// Reads the config `file` from its bytes; the failure carries every problem.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Self, Failure> {
        read::config(bytes, file)
    }
}
