//! Replays become rows, rows become a ranked board. The only way to make one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::model::{Board, Cell, HeldOut, Loop, RANKING, Row, Run};
use crate::domain::config::{Config, HeldOutTiers, Seed};
use crate::domain::{Finding, Gap, Rate, share};
use crate::replay::{Asked, Lift, Replay};

/// Held-out tiers below this many prompts say too much about single prompts.
pub const SMALL_TIER: usize = 5;

/// One seed, scored: its row, and the little that cross-checks between rows need. Small on
/// purpose: a thousand of these are held at once, their replays are not.
#[derive(Debug, Clone)]
pub struct Scored {
    /// Position of the seed in the config.
    pub seed: usize,
    /// The row; its rank is given when the board is assembled.
    pub row: Row,
    /// SHA-256 of the public prompts.json.
    pub public_set: String,
    /// SHA-256 of the held-out prompts.json, if scored.
    pub held_out_set: Option<String>,
    /// Full SHA-256 of the public bundle.
    pub bundle_sha256: String,
    /// Short digests of the public completions, in prompt order.
    pub texts: Vec<u64>,
    /// Whether a file of the public bundle has CRLF line ends, which git may have put there.
    pub has_crlf: bool,
    /// What is wrong or worth knowing about its bundles.
    pub findings: Vec<Finding>,
}

impl Scored {
    /// The tiers of the public set.
    pub(super) fn tiers(&self) -> impl Iterator<Item = &String> {
        self.row.public.by_tier.keys()
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

/// Makes the row of the seed at `index` from its replays.
pub fn score(
    config: &Config,
    index: usize,
    public: Replay,
    held_out: Option<Replay>,
    lift: Option<&Lift>,
    tool_version: &str,
) -> Scored {
    let seed = &config.seeds[index];
    let anchor = cell(&public, None);
    let headline = held_out.as_ref().map(|replay| cell(replay, Some(config.held_out_tiers)));
    let row = Row {
        close_the_loop: lift.map(close_the_loop),
        overfit_gap: headline
            .as_ref()
            .map(|headline| Gap::between(anchor.pass_rate, headline.pass_rate)),
        held_out: headline.map_or(HeldOut::Pending, HeldOut::Scored),
        kind: seed.kind.clone(),
        model: seed.model.clone(),
        provider: seed.provider.clone(),
        public: anchor,
        rank: 0,
        run: Run {
            judge_model: config.judge_model.clone(),
            n_votes: config.n_votes,
            recorded_bundle_sha16: public.sha16().to_owned(),
            submitted_by: seed.submitted_by.clone(),
            tool_version: tool_version.to_owned(),
            verified: true,
        },
        usage: public.usage,
    };
    let held_out_set = held_out.as_ref().map(|replay| replay.prompts_sha256.clone());
    let mut findings = public.findings;
    findings.extend(held_out.into_iter().flat_map(|replay| replay.findings));
    findings.shrink_to_fit();
    Scored {
        seed: index,
        row,
        public_set: public.prompts_sha256,
        held_out_set,
        bundle_sha256: public.sha256,
        texts: public.texts,
        has_crlf: public.has_crlf,
        findings,
    }
}

/// The aggregate of one replay; `policy` decides about small tiers of a held-out set.
fn cell(replay: &Replay, policy: Option<HeldOutTiers>) -> Cell {
    let shown = |total: usize| policy != Some(HeldOutTiers::SuppressSmall) || total >= SMALL_TIER;
    Cell {
        by_tier: replay
            .tier_counts()
            .into_iter()
            .filter(|(_, (_, total))| shown(*total))
            .map(|(tier, (passed, total))| (tier.to_owned(), Rate::of(passed, total)))
            .collect(),
        n_prompts: replay.outcomes.len() as u64,
        pass_rate: replay.rate(),
    }
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

/// Ranks the rows, which come in the order of the config, and puts the header on top.
pub fn assemble(config: &Config, rows: Vec<Row>, generated_at: &str) -> Board {
    Board {
        entries: rank(rows),
        eval_protocol_version: config.eval_protocol_version.clone(),
        generated_at: generated_at.to_owned(),
        held_out_set: config.held_out_set.clone(),
        judge_model: config.judge_model.clone(),
        public_set: config.public_set.clone(),
        ranking: RANKING.to_owned(),
    }
}

/// Headline descending, then model name; pending rows last. Ties keep their order.
fn rank(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by(|a, b| place(a).cmp(&place(b)));
    for (position, row) in rows.iter_mut().enumerate() {
        row.rank = position as u64 + 1;
    }
    rows
}

/// What decides a row's place: `None` is least, so a pending headline comes last.
fn place(row: &Row) -> (Reverse<Option<Rate>>, &str) {
    (Reverse(row.held_out.rate()), &row.model)
}
