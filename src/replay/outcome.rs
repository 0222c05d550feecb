//! What replaying a bundle shows, prompt by prompt.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::{Finding, Rate};

/// One prompt's result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromptOutcome {
    /// The prompt's id.
    pub id: String,
    /// Its difficulty class.
    pub tier: String,
    /// What is structurally missing or wrong, worded as `lint:…`, `missing-type:…`; empty if fine.
    pub failures: Vec<String>,
    /// The recorded votes.
    pub votes: Vec<Option<bool>>,
    /// The majority of the votes; `None` if no vote could be read.
    pub judged: Option<bool>,
}

impl PromptOutcome {
    /// Structurally fine, and the judge was convinced.
    pub fn passed(&self) -> bool {
        self.judgement().passed()
    }

    /// What of it is counted.
    pub(crate) fn judgement(&self) -> Judgement<'_> {
        let is_fine = self.failures.is_empty();
        Judgement { tier: &self.tier, is_fine, judged: self.judged, votes: self.votes.len() }
    }
}

/// What of a prompt's result is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judgement<'r> {
    pub(super) tier: &'r str,
    pub(super) is_fine: bool,
    pub(super) judged: Option<bool>,
    pub(super) votes: usize,
}

impl Judgement<'_> {
    fn passed(self) -> bool {
        self.is_fine && self.judged == Some(true)
    }
}

/// A replayed static bundle.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Replay {
    /// One outcome per prompt, in the order of prompts.json; none where only the counts were kept.
    pub outcomes: Vec<PromptOutcome>,
    /// What the outcomes add up to.
    pub(crate) totals: Totals,
    /// Summed usage of this model's completions, with `generation_calls` and `judge_calls`.
    pub usage: BTreeMap<String, u64>,
    /// SHA-256 over the three files, in lower-case hex. Empty if only the counts of a held-out bundle
    /// were kept.
    pub sha256: String,
    /// SHA-256 of prompts.json alone, in lower-case hex.
    pub prompts_sha256: String,
    /// Short digest of each prompt's completion text, in order: to see copies between rows.
    pub texts: Arc<[u32]>,
    /// Whether a file has CRLF line ends, which git may have put there.
    pub has_crlf: bool,
    /// What is wrong or worth knowing about the bundle.
    pub findings: Vec<Finding>,
}

/// What the outcomes of a replay add up to.
#[derive(Debug, Clone)]
pub(crate) struct Totals {
    /// Passed and total by tier.
    by_tier: BTreeMap<String, (usize, usize)>,
    /// How many completions are structurally fine.
    pub(crate) fine: usize,
    /// The votes on the prompt that has fewest.
    pub(crate) fewest_votes: Option<usize>,
}

impl Totals {
    pub(crate) fn count<'r>(results: impl Iterator<Item = Judgement<'r>>) -> Self {
        let mut tiers: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let (mut fine, mut fewest_votes) = (0, None);
        for result in results {
            let (passed, total) = tiers.entry(result.tier).or_default();
            *passed += usize::from(result.passed());
            *total += 1;
            fine += usize::from(result.is_fine);
            fewest_votes = Some(fewest_votes.map_or(result.votes, |least| result.votes.min(least)));
        }
        Self {
            by_tier: tiers.into_iter().map(|(tier, counts)| (tier.to_owned(), counts)).collect(),
            fine,
            fewest_votes,
        }
    }
}

impl Replay {
    /// First 16 hex digits of [`Replay::sha256`], if it has any.
    pub fn sha16(&self) -> &str {
        self.sha256.get(..16).unwrap_or_default()
    }

    /// Passed and total, over all prompts.
    pub fn counts(&self) -> (usize, usize) {
        let tiers = self.totals.by_tier.values();
        tiers.fold((0, 0), |all, tier| (all.0 + tier.0, all.1 + tier.1))
    }

    /// Passed and total by tier.
    pub fn tier_counts(&self) -> BTreeMap<&str, (usize, usize)> {
        self.totals.by_tier.iter().map(|(tier, counts)| (tier.as_str(), *counts)).collect()
    }

    /// The rate over all prompts.
    pub fn rate(&self) -> Rate {
        let (passed, total) = self.counts();
        Rate::of(passed, total)
    }
}
