//! Why the prompts of a bundle fail, counted: what an entrant reads before the details.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::replay::{Failing, Reason};

/// The reason of a prompt that the judge did not accept.
const VOTES: &str = "votes";
/// The fix for a script whose syntax error is a Markdown fence.
const FENCE: &str = "fence";
/// How many fixes are named.
const MOST_FIXES: usize = 3;

/// Failing prompts by cause.
#[derive(Debug, Serialize)]
pub struct FailureSummary {
    /// Prompts that the judge accepts and whose script is wrong.
    pub structure_only: usize,
    /// Prompts whose script is right and that the judge does not accept.
    pub votes_only: usize,
    /// Prompts that fail for both.
    pub both: usize,
    /// How many prompts each rule fails, the most frequent first.
    pub reasons: Vec<Frequency>,
    /// The fixes that make most prompts pass, the best first.
    pub fixes: Vec<Fix>,
}

/// How many prompts a rule fails.
#[derive(Debug, Serialize)]
pub struct Frequency {
    /// The rule, or `votes`.
    pub rule: String,
    /// How many prompts.
    pub prompts: usize,
}

/// One kind of mistake, and what it would help to avoid it.
#[derive(Debug, Serialize)]
pub struct Fix {
    /// A rule of the linter, `missing-…`, or `fence`.
    pub rule: String,
    /// How many prompts have this mistake.
    pub prompts: usize,
    /// How many of them have no other.
    pub alone: usize,
    /// The first of those prompts, or else the first that has the mistake.
    pub example: String,
    /// The mistake there.
    pub reason: Reason,
}

impl FailureSummary {
    pub(super) fn of(failing: &[Failing], fenced: &[String]) -> Self {
        let mut summary = Self {
            structure_only: 0,
            votes_only: 0,
            both: 0,
            reasons: Vec::new(),
            fixes: Vec::new(),
        };
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        let mut fixes: BTreeMap<&str, Fix> = BTreeMap::new();
        for prompt in failing {
            let rules: BTreeSet<&str> = prompt.reasons.iter().map(|it| it.rule.as_str()).collect();
            *match (rules.contains(VOTES), rules.len()) {
                (true, 1) => &mut summary.votes_only,
                (true, _) => &mut summary.both,
                (false, _) => &mut summary.structure_only,
            } += 1;
            for rule in &rules {
                *reasons.entry(rule).or_default() += 1;
            }
            let causes: BTreeMap<&str, &Reason> = prompt
                .reasons
                .iter()
                .rev()
                .filter(|reason| !follows(reason, &prompt.reasons))
                .map(|reason| (reason.rule.as_str(), reason))
                .collect();
            for (&rule, &reason) in causes.iter().filter(|(rule, _)| **rule != VOTES) {
                let is_fence = rule == "syntax-error" && fenced.contains(&prompt.id);
                let rule = if is_fence { FENCE } else { rule };
                let fix = fixes.entry(rule).or_insert_with(|| Fix {
                    rule: rule.to_owned(),
                    prompts: 0,
                    alone: 0,
                    example: prompt.id.clone(),
                    reason: reason.clone(),
                });
                fix.prompts += 1;
                if causes.len() == 1 {
                    if fix.alone == 0 {
                        (fix.example, fix.reason) = (prompt.id.clone(), reason.clone());
                    }
                    fix.alone += 1;
                }
            }
        }
        let frequency =
            |(rule, prompts): (&str, usize)| Frequency { rule: rule.to_owned(), prompts };
        summary.reasons = reasons.into_iter().map(frequency).collect();
        summary.reasons.sort_by_key(|reason| Reverse(reason.prompts));
        summary.fixes = fixes.into_values().collect();
        summary.fixes.sort_by_key(|fix| Reverse((fix.alone, fix.prompts)));
        summary.fixes.truncate(MOST_FIXES);
        summary
    }
}

/// Whether something is missing only because its name is misspelt elsewhere in the script.
fn follows(reason: &Reason, all: &[Reason]) -> bool {
    let names = |meant: &String| {
        reason.message.contains(&format!("`{meant}`"))
            || reason.message.contains(&format!(".{meant}`"))
    };
    reason.rule.starts_with("missing-")
        && all.iter().filter_map(|other| other.suggestion.as_ref()).any(names)
}
