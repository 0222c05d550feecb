//! Placeholders for a set that is still to be written, public or held-out.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

/// What one placeholder looks like in prompts.json.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptDraft {
    /// The line that must never be seen outside, in a held-out set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canary: Option<String>,
    /// The tier.
    pub difficulty: String,
    /// Its name within the set.
    pub id: String,
    /// To be replaced.
    pub intent: String,
    /// To be replaced.
    pub request: String,
    /// What a script must contain, to be filled.
    structural: Value,
}

/// `count` placeholders whose tiers are in the proportion of `tiers`: of a held-out set, every one
/// with `canary`, or without one of a public set.
pub fn make_prompt_drafts(
    count: usize,
    tiers: &BTreeMap<String, usize>,
    canary: Option<&str>,
) -> Vec<PromptDraft> {
    let (prefix, hint) = match canary {
        Some(_) => ("held", "; never published"),
        None => ("prompt", ""),
    };
    let mut drafts = Vec::new();
    for (tier, share) in shares(count, tiers) {
        for _ in 0..share {
            let number = drafts.len() + 1;
            drafts.push(PromptDraft {
                canary: canary.map(str::to_owned),
                difficulty: tier.clone(),
                id: format!("{prefix}_{number:03}"),
                intent: format!("REPLACE: what a script that answers request {number} must do"),
                request: format!("REPLACE: request {number}, tier {tier}{hint}"),
                structural: json!({"required_types": [], "required_fields": {}, "required_commands": []}),
            });
        }
    }
    drafts
}

/// Splits `count` in proportion; what rounding leaves goes to the largest remainders.
fn shares(count: usize, tiers: &BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let total: usize = tiers.values().sum();
    if total == 0 {
        return Vec::new();
    }
    let mut shares: Vec<(String, usize, usize)> = tiers
        .iter()
        .map(|(tier, n)| (tier.clone(), count * n / total, count * n % total))
        .collect();
    let left = count - shares.iter().map(|(_, share, _)| share).sum::<usize>();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(shares[index].2), index));
    for index in order.into_iter().take(left) {
        shares[index].1 += 1;
    }
    shares.into_iter().map(|(tier, share, _)| (tier, share)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tiers(counts: &[(&str, usize)]) -> BTreeMap<String, usize> {
        counts.iter().map(|(tier, n)| ((*tier).to_owned(), *n)).collect()
    }

    #[test]
    fn tiers_keep_their_proportion() {
        let like = tiers(&[("easy", 20), ("medium", 20), ("hard", 11)]);
        let drafts = make_prompt_drafts(12, &like, Some("c"));
        let count = |tier: &str| drafts.iter().filter(|draft| draft.difficulty == tier).count();
        assert_eq!((count("easy"), count("hard"), count("medium")), (5, 2, 5));
        assert_eq!(drafts[0].id, "held_001");
        assert!(drafts.iter().all(|draft| draft.canary.as_deref() == Some("c")));
    }

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

        #[test]
        fn every_placeholder_has_a_tier(count in 0_usize..500, counts in prop::collection::vec(1_usize..60, 1..6)) {
            let like = counts.iter().enumerate().map(|(tier, n)| (tier.to_string(), *n)).collect();
            prop_assert_eq!(make_prompt_drafts(count, &like, None).len(), count);
        }
    }
}
