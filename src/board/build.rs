//! Replays become scores, and a score with the words of its seed a row.

use std::collections::BTreeMap;

use super::model::{Cell, HeldOut, Loop, Row, Run};
use super::named::Named;
use crate::board::copies::Texts;
use crate::domain::config::{Config, HeldOutTiers, Seed};
use crate::domain::{Finding, Gap, Rate, share};
use crate::replay::{Asked, Lift, Replay};

/// Held-out tiers below this many prompts say too much about single prompts.
pub const SMALL_TIER: usize = 5;

/// What replaying its bundles adds to a seed: all that its row and the checks between rows need.
/// Small on purpose: a thousand of these are held at once, their replays and rows are not.
#[derive(Debug, Clone)]
pub struct Scored {
    /// Position of the seed in the config.
    pub seed: usize,
    /// The anchor.
    pub(super) public: Score,
    /// The headline, if scored.
    pub(super) held_out: Option<Box<Score>>,
    /// The repair loop, with a lift bundle.
    close_the_loop: Option<Box<Loop>>,
    sha16: [u8; 8],
    usage: Named,
    /// What tells whether another row has the same public completions.
    pub(super) texts: Texts,
    /// Whether a file of the public bundle has CRLF line ends, which git may have put there.
    pub(super) has_crlf: bool,
    /// What is wrong or worth knowing about its bundles.
    pub(super) findings: Vec<Finding>,
}

/// A [`Cell`] while its row waits to be written.
#[derive(Debug, Clone)]
pub(super) struct Score {
    /// SHA-256 of prompts.json.
    pub(super) set: [u8; 32],
    /// Thousandths by tier.
    by_tier: Named,
    pub(super) n_prompts: u64,
    pass_rate: Rate,
}

impl Score {
    /// Of one replay; `policy` decides about small tiers of a held-out set.
    fn of(replay: &Replay, policy: Option<HeldOutTiers>) -> Self {
        let shown =
            |total: usize| policy != Some(HeldOutTiers::SuppressSmall) || total >= SMALL_TIER;
        let tiers = replay.tier_counts().into_iter().filter(|(_, (_, total))| shown(*total));
        Self {
            set: digest(&replay.prompts_sha256),
            by_tier: Named::of(tiers.map(|(tier, (passed, total))| {
                (tier, u64::from(Rate::of(passed, total).thousandths()))
            })),
            n_prompts: replay.outcomes.len() as u64,
            pass_rate: replay.rate(),
        }
    }

    /// The tiers that are shown.
    pub(super) fn tiers(&self) -> impl Iterator<Item = &str> {
        self.by_tier.names()
    }

    fn cell(&self) -> Cell {
        let rate = |thousandths| Rate::of_thousandths(thousandths).expect("packed from a rate");
        Cell {
            by_tier: owned(self.by_tier.iter().map(|(tier, count)| (tier, rate(count)))),
            n_prompts: self.n_prompts,
            pass_rate: self.pass_rate,
        }
    }
}

impl Scored {
    /// The row, spelt out with what the config says of its seed.
    pub fn row(&self, config: &Config, rank: u64, tool_version: &str) -> Row {
        let seed = &config.seeds[self.seed];
        Row {
            close_the_loop: self.close_the_loop.as_deref().cloned(),
            held_out: self
                .held_out
                .as_ref()
                .map_or(HeldOut::Pending, |score| HeldOut::Scored(score.cell())),
            kind: seed.kind.clone().into_owned(),
            model: seed.model.clone(),
            overfit_gap: self.headline().map(|rate| Gap::between(self.public.pass_rate, rate)),
            provider: seed.provider.clone(),
            public: self.public.cell(),
            rank,
            run: Run {
                judge_model: config.judge_model.clone(),
                n_votes: config.n_votes,
                recorded_bundle_sha16: hex::encode(self.sha16),
                submitted_by: seed.submitted_by.clone().into_owned(),
                tool_version: tool_version.to_owned(),
                verified: true,
            },
            usage: owned(self.usage.iter()),
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
        self.held_out.as_ref().map(|score| score.pass_rate)
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
    let headline = held_out.map(|replay| Score::of(replay, Some(config.held_out_tiers)));
    let anchor = Score::of(public, None);
    // Copies, because they take just the room they need; shrinking would leave holes.
    let of_held_out = held_out.map_or(&[][..], |replay| &replay.findings);
    let findings = public.findings.iter().chain(of_held_out).cloned().collect();
    Scored {
        seed: index,
        public: anchor,
        held_out: headline.map(Box::new),
        close_the_loop: lift.map(|lift| Box::new(close_the_loop(lift))),
        sha16: digest(public.sha16()),
        usage: Named::of(public.usage.iter().map(|(key, count)| (key, *count))),
        texts: Texts::of(&public.texts),
        has_crlf: public.has_crlf,
        findings,
    }
}

/// A map with names of its own.
fn owned<'n, V>(named: impl Iterator<Item = (&'n str, V)>) -> BTreeMap<String, V> {
    named.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The bytes that `hex` spells: half the room of their spelling.
fn digest<const BYTES: usize>(hex: &str) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    hex::decode_to_slice(hex, &mut bytes).expect("a replay spells its digests in hex");
    bytes
}

fn close_the_loop(lift: &Lift) -> Loop {
    let total = lift.rows.len();
    let base = share(lift.rows.iter().filter(|row| row.base.is_runnable()).count(), total);
    let repaired = share(lift.rows.iter().filter(|row| row.repaired.is_runnable()).count(), total);
    let mut agreement: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for row in &lift.rows {
        let (agree, of) = agreement.entry(row.tier.clone()).or_default();
        *agree += usize::from(row.base.is_runnable());
        *of += usize::from(row.base.passes_on_paper);
    }
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
