//! Replays become scores, and a score with the words of its seed a row.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::model::{Cell, HeldOut, Loop, Row, RowRun};
use crate::domain::config::{Config, HeldOutTiers, Seed};
use crate::domain::{Finding, Gap, Rate, share};
use crate::replay::{Asked, Lift, LiftCounts, Replay};

/// Held-out tiers below this many prompts say too much about single prompts.
pub const SMALL_TIER: u64 = 5;

/// What replaying its bundles adds to a seed: all that its row and the checks between rows need.
#[derive(Debug, Clone)]
pub struct Scored {
    /// Position of the seed in the config.
    pub seed: usize,
    /// The anchor.
    pub(super) public: ScoredCell,
    /// The headline, if scored.
    pub(super) held_out: Option<ScoredCell>,
    /// The repair loop, with a lift bundle.
    close_the_loop: Option<Loop>,
    sha16: String,
    usage: BTreeMap<String, u64>,
    /// Digests of the public completions in prompt order, which show copies.
    pub(super) texts: Arc<[u32]>,
    /// Whether a file of the public bundle has CRLF line ends, which git may have put there.
    pub(super) has_crlf: bool,
    /// What is wrong or worth knowing about its bundles.
    pub(super) findings: Vec<Finding>,
}

/// A published cell, and the prompts it was scored on.
#[derive(Debug, Clone)]
pub(super) struct ScoredCell {
    /// SHA-256 of prompts.json, in lower-case hex.
    pub(super) set: String,
    pub(super) cell: Cell,
}

impl ScoredCell {
    /// `policy` decides about small tiers of a held-out set.
    fn from_replay(replay: &Replay, policy: Option<HeldOutTiers>) -> Self {
        let shown = |total: usize| {
            policy != Some(HeldOutTiers::SuppressSmall) || total as u64 >= SMALL_TIER
        };
        let tiers = replay.tier_counts().into_iter().filter(|(_, (_, total))| shown(*total));
        let cell = Cell {
            by_tier: tiers
                .map(|(tier, (passed, total))| (tier.to_owned(), Rate::of(passed, total)))
                .collect(),
            n_prompts: replay.counts().1 as u64,
            pass_rate: replay.rate(),
        };
        Self { set: replay.prompts_sha256.clone(), cell }
    }

    /// The tiers that are shown.
    pub(super) fn tiers(&self) -> impl Iterator<Item = &str> {
        self.cell.by_tier.keys().map(String::as_str)
    }
}

impl Scored {
    /// The row, with what the config says about its seed.
    pub fn row(&self, config: &Config, rank: u64, tool_version: &str) -> Row {
        let seed = &config.seeds[self.seed];
        Row {
            close_the_loop: self.close_the_loop.clone(),
            held_out: self
                .held_out
                .as_ref()
                .map_or(HeldOut::Pending, |score| HeldOut::Scored(score.cell.clone())),
            kind: seed.kind.clone(),
            model: seed.model.clone(),
            overfit_gap: self.headline().map(|rate| Gap::between(self.public.cell.pass_rate, rate)),
            provider: seed.provider.clone(),
            public: self.public.cell.clone(),
            rank,
            run: RowRun {
                judge_model: config.judge_model.clone(),
                n_votes: config.n_votes,
                recorded_bundle_sha16: self.sha16.clone(),
                submitted_by: seed.submitted_by.clone(),
                tool_version: tool_version.to_owned(),
                verified: true,
            },
            usage: self.usage.clone(),
        }
    }

    /// The tiers of the public set.
    pub(super) fn tiers(&self) -> impl Iterator<Item = &str> {
        self.public.tiers()
    }

    /// The tiers of the lift bundle.
    pub(super) fn loop_tiers(&self) -> impl Iterator<Item = &str> {
        let cells = self.close_the_loop.iter();
        cells.flat_map(|cell| cell.dry_run_agreement.keys().map(String::as_str))
    }

    /// The headline rate; `None` while pending.
    pub(super) fn headline(&self) -> Option<Rate> {
        self.held_out.as_ref().map(|score| score.cell.pass_rate)
    }
}

impl Config {
    /// What is asked of the bundles of `seed`.
    pub fn asked<'a>(&'a self, seed: &'a Seed) -> Asked<'a> {
        Asked {
            provider: &seed.provider,
            model: &seed.model,
            judge_model: &self.judge_model,
            n_votes: self.n_votes,
            require_votes: self.require_votes,
        }
    }
}

/// Scores the seed at `index` from its replays.
pub fn score(
    config: &Config,
    index: usize,
    public: &Replay,
    held_out: Option<&Replay>,
    lift: Option<&Lift>,
) -> Scored {
    let of_held_out = held_out.map_or(&[][..], |replay| &replay.findings);
    Scored {
        seed: index,
        public: ScoredCell::from_replay(public, None),
        held_out: held_out
            .map(|replay| ScoredCell::from_replay(replay, Some(config.held_out_tiers))),
        close_the_loop: lift.map(close_the_loop),
        sha16: public.sha16().to_owned(),
        usage: public.usage.clone(),
        texts: Arc::clone(&public.texts),
        has_crlf: public.has_crlf,
        findings: public.findings.iter().chain(of_held_out).cloned().collect(),
    }
}

/// The cells that a replay can be published as: with every tier, and without small ones.
pub fn cells(replay: &Replay) -> [Cell; 2] {
    [HeldOutTiers::AsIs, HeldOutTiers::SuppressSmall]
        .map(|policy| ScoredCell::from_replay(replay, Some(policy)).cell)
}

fn close_the_loop(lift: &Lift) -> Loop {
    let LiftCounts { base, repaired, prompts, agreement } = lift.counts();
    let [base, repaired] = [base, repaired].map(|count| share(count, prompts));
    let rate = |value| Rate::nearest(value).expect("a share lies in 0..=1");
    Loop {
        base_runnable: rate(base),
        dry_run_agreement: agreement
            .into_iter()
            .map(|(tier, (agree, of))| (tier, (of > 0).then(|| Rate::of(agree, of))))
            .collect(),
        repair_lift: Gap::nearest(repaired - base).expect("a difference of shares lies in -1..=1"),
        repaired_runnable: rate(repaired),
    }
}
