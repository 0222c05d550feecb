//! What a page or a table says about evidence, cohorts and baselines, in final words.

use serde::Serialize;

use crate::domain::config::Dimension;
use crate::facts::Traits;
use crate::facts::{Baseline, Compared, Source};
use crate::facts::{Evidence, Grade};

/// What a machine-readable page carries about a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub struct RowComparison<'c> {
    /// Whether the row could be done again and checked.
    pub is_reproducible: bool,
    /// `full`, `weak` or `none`.
    pub grade: Grade,
    /// Whether its bundle was replayed here and gave the published numbers.
    pub is_verified: bool,
    /// Whether the delta means something.
    pub is_comparable: bool,
    /// Score minus the baseline's.
    pub delta_from_baseline: Option<f64>,
    /// The baseline's score.
    pub baseline_score: Option<f64>,
    /// The run the row is compared with.
    pub baseline_run_id: Option<&'c str>,
    /// Whose run that is.
    pub baseline_model: Option<&'c str>,
    /// `official` or `earliest`.
    pub baseline_source: Option<Source>,
    /// Whether it is the baseline itself.
    pub is_baseline: bool,
    /// The cohort within which it compares; null where something about it is unknown.
    pub cohort_id: Option<&'c str>,
    /// Why it is not comparable, and what is wrong with its evidence.
    pub reasons: Vec<&'c str>,
}

impl<'c> From<&'c Compared> for RowComparison<'c> {
    fn from(compared: &'c Compared) -> Self {
        let baseline = compared.baseline.as_ref();
        let reasons = compared.reasons.iter().chain(&compared.evidence.problems);
        Self {
            is_reproducible: compared.evidence.is_reproducible(),
            grade: compared.evidence.grade,
            is_verified: compared.evidence.verified,
            is_comparable: compared.is_comparable(),
            delta_from_baseline: compared.delta,
            baseline_score: baseline.map(|baseline| baseline.score),
            baseline_run_id: baseline.map(|baseline| baseline.run_id.as_str()),
            baseline_model: baseline.map(|baseline| baseline.model.as_str()),
            baseline_source: baseline.map(|baseline| baseline.source),
            is_baseline: compared.is_baseline,
            cohort_id: compared.cohort_id.as_deref(),
            reasons: reasons.map(String::as_str).collect(),
        }
    }
}

impl Grade {
    /// `full`, `weak` or `none`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Weak => "weak",
            Self::Full => "full",
        }
    }
}

impl Source {
    /// Which run was chosen: `official` or `earliest completed`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::Earliest => "earliest completed",
        }
    }
}

impl Evidence {
    /// What is wrong with it, in a sentence; the same problem of many tasks is counted, not listed.
    pub fn words(&self) -> String {
        let count = |kind: &str| {
            let of_kind = |problem: &&String| problem.split(':').next() == Some(kind);
            self.problems.iter().filter(of_kind).count()
        };
        let words = [
            ("no_evidence", "nothing it could be checked by"),
            ("bundle_malformed", "the hash of its bundle is no hash"),
            ("bundle_mismatch", "the bundle here gives other numbers or another hash"),
            ("missing", "{} missing"),
            ("malformed", "{} that are none"),
            ("unhashed", "{task} without hashes"),
            ("duplicate_task", "{task} hashed twice"),
            ("summary_general_mismatch", "{} over all tasks that do not add up"),
            ("vacuous", "{} of nothing"),
            ("no_summary_general", "no hashes over all tasks to check the others by"),
        ];
        let plural = |number: usize, noun: &str| {
            if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
        };
        let words = words.into_iter().map(|(kind, words)| (count(kind), words));
        let hashes = words.filter(|(number, _)| *number > 0).map(|(number, words)| {
            words
                .replace("{}", &plural(number, "hash").replace("hashs", "hashes"))
                .replace("{task}", &plural(number, "task"))
        });
        hashes.collect::<Vec<_>>().join("; ")
    }
}

impl Compared {
    /// Why it is not comparable, each reason in a few words; nothing where it is.
    pub fn reason_words(&self) -> Vec<String> {
        let words = |reason: &String| match reason.as_str() {
            "no_baseline" => "no baseline yet".to_owned(),
            "no_score" => "no score yet".to_owned(),
            "not_completed" => "not completed".to_owned(),
            "other_scoring_mode" => "scored in another mode than the baseline".to_owned(),
            reason => match reason.strip_prefix("unknown:").and_then(Dimension::parse) {
                Some(dimension) => format!("{} unknown", dimension_word(dimension)),
                None => reason.replace('_', " "),
            },
        };
        self.reasons.iter().map(words).collect()
    }
}

impl Baseline {
    /// `Δ relative to openai:gpt-4.1-mini (0.804), the earliest completed run of this cohort`.
    pub fn words(&self) -> String {
        let rule = self.source.words();
        format!("Δ relative to {} ({:.3}), the {rule} run of this cohort", self.model, self.score)
    }
}

/// What a dimension is about, in a word or two.
fn dimension_word(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Pack => "pack",
        Dimension::ScoringMode => "scoring",
        Dimension::EvalProtocolVersion => "protocol",
        Dimension::JudgeModel => "judge",
        Dimension::NVotes => "votes",
        Dimension::PublicSetSha16 => "public set",
        Dimension::JudgeConfigSha16 => "judge's settings",
        Dimension::GenerationSha16 => "generation settings",
        Dimension::Backend => "backend",
        Dimension::Metric => "metric",
        Dimension::NDocs => "number of documents",
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

    /// What it says in each of `dimensions`: `judged by openai/gpt-4.1-mini · 3 votes`.
    pub fn words_of(&self, dimensions: &[Dimension]) -> String {
        let some = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
        let short = |hash: &Option<String>| some(hash).chars().take(8).collect::<String>();
        let count = |number: Option<u64>, noun: &str| match number {
            Some(1) => format!("1 {noun}"),
            Some(number) => format!("{number} {noun}s"),
            None => format!("unknown number of {noun}s"),
        };
        let word = |dimension: &Dimension| {
            let name = dimension_word(*dimension);
            match dimension {
                Dimension::Pack => format!("{name} {}", some(&self.pack)),
                Dimension::ScoringMode => match self.scoring_mode.as_deref() {
                    Some("deterministic") => "scored by rule".to_owned(),
                    mode => format!("scored by {}", mode.unwrap_or("unknown")),
                },
                Dimension::EvalProtocolVersion => {
                    format!("{name} {}", some(&self.eval_protocol_version))
                }
                Dimension::JudgeModel => format!("judged by {}", some(&self.judge_model)),
                Dimension::NVotes => count(self.n_votes, "vote"),
                Dimension::PublicSetSha16 => format!("{name} {}", short(&self.public_set_sha16)),
                Dimension::JudgeConfigSha16 => {
                    format!("{name} {}", short(&self.judge_config_sha16))
                }
                Dimension::GenerationSha16 => format!("{name} {}", short(&self.generation_sha16)),
                Dimension::Backend => format!("served by {}", some(&self.backend)),
                Dimension::Metric => format!("{name} {}", some(&self.metric)),
                Dimension::NDocs => count(self.n_docs, "document"),
            }
        };
        dimensions.iter().map(word).collect::<Vec<_>>().join(" · ")
    }
}

/// The ones of `dimensions` in which `cohorts` are not all the same.
pub fn differing(cohorts: &[Traits], dimensions: &[Dimension]) -> Vec<Dimension> {
    let differs = |dimension: &&Dimension| {
        cohorts.windows(2).any(|pair| pair[0].value(**dimension) != pair[1].value(**dimension))
    };
    dimensions.iter().filter(differs).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Mode, Proofs, ReplayCheck, grade};

    #[test]
    fn a_row_says_why_it_has_no_delta_and_what_is_wrong_with_its_evidence() {
        let bundle = Some(("a0cab7b3f7de44b4".to_owned(), ReplayCheck::Mismatch));
        let evidence = grade(&Proofs { bundle, ..Proofs::default() }, Mode::Board);
        assert_eq!(evidence.words(), "the bundle here gives other numbers or another hash");
        let compared = Compared {
            evidence,
            reasons: vec!["unknown:judge_model".into(), "no_score".into()],
            ..Compared::alone("")
        };
        assert_eq!(compared.reason_words(), ["judge unknown", "no score yet"]);
        let row = RowComparison::from(&compared);
        assert_eq!(row.reasons, ["unknown:judge_model", "no_score", "bundle_mismatch"]);
        let problems = ["vacuous:a:x", "vacuous:b:x", "unhashed:c", "missing:c:x"];
        let evidence =
            Evidence { problems: problems.map(str::to_owned).into(), ..compared.evidence };
        assert_eq!(evidence.words(), "1 hash missing; 1 task without hashes; 2 hashes of nothing");
    }

    fn traits(judge: &str, votes: u64) -> Traits {
        Traits {
            eval_protocol_version: Some("1".into()),
            judge_model: Some(judge.into()),
            n_votes: Some(votes),
            public_set_sha16: Some("b8faa2dce9e6b777".into()),
            ..Traits::default()
        }
    }

    #[test]
    fn a_cohort_is_told_apart_in_a_line() {
        let one = traits("openai/gpt-4.1-mini", 3);
        assert_eq!(one.words(), "protocol 1 · gpt-4.1-mini ×3 · set b8faa2dc");
        let differing = differing(&[one.clone(), traits("other", 1)], &Dimension::DEFAULT);
        assert_eq!(differing, [Dimension::JudgeModel, Dimension::NVotes]);
        assert_eq!(one.words_of(&differing), "judged by openai/gpt-4.1-mini · 3 votes");
    }
}
