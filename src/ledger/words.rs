//! What a page or a table says about evidence, cohorts and baselines, in final words.

use serde::Serialize;

use super::baseline::{Baseline, Compared, Source};
use super::cohort::Traits;
use super::evidence::{Evidence, Grade};

/// What a machine-readable page carries about a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowComparison {
    /// The run the row is compared with.
    pub baseline_run_id: Option<String>,
    /// Score minus the baseline's.
    pub delta_from_baseline: Option<f64>,
    /// Whether the delta means something.
    pub is_comparable: bool,
    /// Whether the row could be done again and checked.
    pub is_reproducible: bool,
    /// Why it is not comparable, and what is wrong with its evidence.
    pub reasons: Vec<String>,
}

impl From<&Compared> for RowComparison {
    fn from(compared: &Compared) -> Self {
        Self {
            baseline_run_id: compared.baseline.as_ref().map(|baseline| baseline.run_id.clone()),
            delta_from_baseline: compared.delta,
            is_comparable: compared.is_comparable(),
            is_reproducible: compared.evidence.is_reproducible(),
            reasons: [compared.reasons.clone(), compared.evidence.problems.clone()].concat(),
        }
    }
}

/// A mark on a row, and what it says when asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Badge {
    /// The mark.
    pub label: &'static str,
    /// Why.
    pub title: String,
}

impl Evidence {
    /// `Reproducible`, `Reproducible (weak)` or nothing; then `Verified` where it was replayed here.
    pub fn badges(&self) -> Vec<Badge> {
        let mut badges = Vec::new();
        match self.grade {
            Grade::None => {}
            Grade::Weak => badges
                .push(Badge { label: "Reproducible (weak)", title: problem_words(&self.problems) }),
            Grade::Full => badges.push(Badge {
                label: "Reproducible",
                title: "the evidence is complete and adds up".into(),
            }),
        }
        if self.verified {
            let title = "the recorded bundle was replayed here and gives the published numbers";
            badges.push(Badge { label: "Verified", title: title.into() });
        }
        badges
    }
}

impl Compared {
    /// All badges of the row, `Comparable` last.
    pub fn badges(&self) -> Vec<Badge> {
        let mut badges = self.evidence.badges();
        if self.is_comparable() {
            let title = "same cohort as its baseline: the difference of the scores means something";
            badges.push(Badge { label: "Comparable", title: title.into() });
        }
        badges
    }

    /// Δ with its sign and three decimals, or `—`.
    pub fn delta_text(&self) -> String {
        self.delta.map_or_else(|| "—".to_owned(), |delta| format!("{:+.3}", super::round(delta, 3)))
    }

    /// Why there is no Δ, in a sentence; `None` where there is one.
    pub fn why_no_delta(&self) -> Option<String> {
        let words = |reason: &String| match reason.as_str() {
            "no_baseline" => "no completed, scored run of its cohort to compare with".to_owned(),
            "no_score" => "it has no score yet".to_owned(),
            "not_completed" => "it did not complete".to_owned(),
            reason => match reason.strip_prefix("unknown:") {
                Some(name) => format!("its {} is unknown", name.replace('_', " ")),
                None => reason.to_owned(),
            },
        };
        let reasons: Vec<String> = self.reasons.iter().map(words).collect();
        (!reasons.is_empty()).then(|| format!("not compared: {}", reasons.join("; ")))
    }
}

impl Baseline {
    /// `Δ relative to RUN (0.804), the earliest completed run of this cohort`.
    pub fn words(&self) -> String {
        let rule = match self.source {
            Source::Official => "official",
            Source::Earliest => "earliest completed",
        };
        format!("Δ relative to {} ({:.3}), the {rule} run of this cohort", self.run_id, self.score)
    }
}

impl Traits {
    /// `protocol 1 · gpt-4.1-mini ×3 · set b8faa2dc`: what a reader needs to tell cohorts apart.
    pub fn words(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(
            self.eval_protocol_version.as_ref().map(|version| format!("protocol {version}")),
        );
        if let Some(judge) = &self.judge_model {
            let name = judge.rsplit('/').next().unwrap_or(judge);
            let votes = self.n_votes.map(|votes| format!(" ×{votes}")).unwrap_or_default();
            parts.push(format!("{name}{votes}"));
        }
        let set = self.public_set_sha16.as_ref().and_then(|sha16| sha16.get(..8));
        parts.extend(set.map(|set| format!("set {set}")));
        parts.join(" · ")
    }
}

/// Problems as one sentence; the same problem of many tasks is counted, not listed.
fn problem_words(problems: &[String]) -> String {
    let vacuous = problems.iter().filter(|problem| problem.starts_with("vacuous:")).count();
    let mut words = Vec::new();
    if vacuous > 0 {
        words.push(format!("{vacuous} hash(es) are the hash of nothing"));
    }
    if problems.iter().any(|problem| problem == "no_summary_general") {
        words.push("no summary to check the hashes against".to_owned());
    }
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{Mode, Proofs, ReplayCheck, grade};

    #[test]
    fn a_badge_says_why_and_a_missing_delta_too() {
        let bundle = Some(("a0cab7b3f7de44b4".to_owned(), ReplayCheck::Match));
        let evidence = grade(&Proofs { bundle, ..Proofs::default() }, Mode::Board);
        let labels: Vec<&str> = evidence.badges().iter().map(|badge| badge.label).collect();
        assert_eq!(labels, ["Reproducible", "Verified"]);
        let compared = Compared {
            evidence,
            cohort_id: None,
            reasons: vec!["unknown:judge_model".into(), "no_score".into()],
            baseline: None,
            is_baseline: false,
            delta: None,
            notes: vec![],
        };
        assert_eq!(compared.delta_text(), "—");
        assert_eq!(
            compared.why_no_delta().as_deref(),
            Some("not compared: its judge model is unknown; it has no score yet")
        );
        let shown = Compared { reasons: vec![], delta: Some(-0.0004), ..compared };
        assert_eq!((shown.delta_text().as_str(), shown.why_no_delta()), ("+0.000", None));
    }

    #[test]
    fn a_cohort_is_told_apart_in_a_line() {
        let traits = Traits {
            eval_protocol_version: Some("1".into()),
            judge_model: Some("openai/gpt-4.1-mini".into()),
            n_votes: Some(3),
            public_set_sha16: Some("b8faa2dce9e6b777".into()),
            ..Traits::default()
        };
        assert_eq!(traits.words(), "protocol 1 · gpt-4.1-mini ×3 · set b8faa2dc");
    }
}
