//! What replaying a bundle shows, prompt by prompt.

use std::collections::BTreeMap;

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
        self.failures.is_empty() && self.judged == Some(true)
    }
}

/// A replayed static bundle.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Replay {
    /// One outcome per prompt, in the order of prompts.json.
    pub outcomes: Vec<PromptOutcome>,
    /// Summed usage of this model's completions, with `generation_calls` and `judge_calls`.
    pub usage: BTreeMap<String, u64>,
    /// SHA-256 over the three files, in lower-case hex.
    pub sha256: String,
    /// SHA-256 of prompts.json alone, in lower-case hex.
    pub prompts_sha256: String,
    /// Short digest of each prompt's completion text, in order: to see copies between rows.
    pub texts: Vec<u64>,
    /// Whether a file has CRLF line ends, which git may have put there.
    pub has_crlf: bool,
    /// What is wrong or worth knowing about the bundle.
    pub findings: Vec<Finding>,
}

impl Replay {
    /// First 16 hex digits of [`Replay::sha256`].
    pub fn sha16(&self) -> &str {
        &self.sha256[..16]
    }

    /// Passed and total, over all prompts.
    pub fn counts(&self) -> (usize, usize) {
        (self.outcomes.iter().filter(|outcome| outcome.passed()).count(), self.outcomes.len())
    }

    /// Passed and total by tier.
    pub fn tier_counts(&self) -> BTreeMap<&str, (usize, usize)> {
        let mut tiers = BTreeMap::new();
        for outcome in &self.outcomes {
            let (passed, total) = tiers.entry(outcome.tier.as_str()).or_insert((0, 0));
            *passed += usize::from(outcome.passed());
            *total += 1;
        }
        tiers
    }

    /// The rate over all prompts.
    pub fn rate(&self) -> Rate {
        let (passed, total) = self.counts();
        Rate::of(passed, total)
    }
}
