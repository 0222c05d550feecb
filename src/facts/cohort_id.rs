//! Which runs may be compared: the key they share.
//!
//! Two unknown values are not equal. A run that does not say who judged it is shown but not compared
//! with any other. A run that is scored by rule needs no judge.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::domain::config::Dimension;
use crate::domain::sha16;

/// What a run says about how it was scored; absent where it does not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScoringConditions {
    /// The board or the pack.
    pub pack: Option<String>,
    /// `deterministic`, `judge` or `jury`.
    pub scoring_mode: Option<String>,
    /// The protocol version.
    pub eval_protocol_version: Option<String>,
    /// Who judged.
    pub judge_model: Option<String>,
    /// Votes per prompt.
    pub n_votes: Option<u64>,
    /// Hash of the public prompts alone.
    pub public_set_sha16: Option<String>,
    /// Hash of the judge's prompt and parameters.
    pub judge_config_sha16: Option<String>,
    /// Hash of the protocol's generation parameters.
    pub generation_sha16: Option<String>,
    /// Who served the model.
    pub backend: Option<String>,
    /// The metric that was weighed.
    pub metric: Option<String>,
    /// How many documents were evaluated.
    pub n_docs: Option<u64>,
    /// Hash of the evaluation protocol.
    pub protocol_sha16: Option<String>,
}

impl ScoringConditions {
    /// The value in this dimension; null where it does not apply, `None` where it is unknown.
    pub(super) fn value(&self, dimension: Dimension) -> Option<Value> {
        let by_rule = self.scoring_mode.as_deref() == Some("deterministic");
        let of_judges = [Dimension::JudgeModel, Dimension::NVotes, Dimension::JudgeConfigSha16];
        if by_rule && of_judges.contains(&dimension) {
            return Some(Value::Null);
        }
        let text =
            |text: &Option<String>| text.clone().filter(|text| !text.is_empty()).map(Value::String);
        match dimension {
            Dimension::Pack => text(&self.pack),
            Dimension::ScoringMode => text(&self.scoring_mode),
            Dimension::EvalProtocolVersion => text(&self.eval_protocol_version),
            Dimension::JudgeModel => text(&self.judge_model),
            Dimension::NVotes => self.n_votes.map(Value::from),
            Dimension::PublicSetSha16 => text(&self.public_set_sha16),
            Dimension::JudgeConfigSha16 => text(&self.judge_config_sha16),
            Dimension::GenerationSha16 => text(&self.generation_sha16),
            Dimension::Backend => text(&self.backend),
            Dimension::Metric => text(&self.metric),
            Dimension::NDocs => self.n_docs.map(Value::from),
            Dimension::ProtocolSha16 => text(&self.protocol_sha16),
        }
    }

    /// `protocol 1 · gpt-4.1-mini ×3 · set b8faa2dc`: what a reader needs to tell cohorts apart.
    pub fn describe(&self) -> String {
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
            let name = dimension.word();
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
                Dimension::ProtocolSha16 => format!("{name} {}", short(&self.protocol_sha16)),
            }
        };
        dimensions.iter().map(word).collect::<Vec<_>>().join(" · ")
    }
}

/// The key over `dimensions` as canonical JSON, or the dimensions that are unknown, in order.
pub fn cohort_key(
    traits: &ScoringConditions,
    dimensions: &[Dimension],
) -> Result<String, Vec<Dimension>> {
    let mut key: BTreeMap<&str, Value> = BTreeMap::new();
    let mut unknown = Vec::new();
    for dimension in dimensions {
        match traits.value(*dimension) {
            Some(value) => {
                key.insert(dimension.as_str(), value);
            }
            None => unknown.push(*dimension),
        }
    }
    // Strings and numbers are always JSON.
    if unknown.is_empty() {
        Ok(serde_json::to_string(&key).unwrap_or_default())
    } else {
        Err(unknown)
    }
}

/// The cohort's id: the first 16 hex digits of the SHA-256 of its key.
pub fn cohort_id(
    traits: &ScoringConditions,
    dimensions: &[Dimension],
) -> Result<String, Vec<Dimension>> {
    cohort_key(traits, dimensions).map(|key| sha16(key.as_bytes()))
}

/// The ones of `dimensions` in which `cohorts` are not all the same.
pub fn differing(cohorts: &[ScoringConditions], dimensions: &[Dimension]) -> Vec<Dimension> {
    let differs = |dimension: &&Dimension| {
        cohorts.windows(2).any(|pair| pair[0].value(**dimension) != pair[1].value(**dimension))
    };
    dimensions.iter().filter(differs).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traits(judge: &str, votes: u64) -> ScoringConditions {
        ScoringConditions {
            eval_protocol_version: Some("1".into()),
            judge_model: Some(judge.into()),
            n_votes: Some(votes),
            public_set_sha16: Some("b8faa2dce9e6b777".into()),
            ..ScoringConditions::default()
        }
    }

    #[test]
    fn a_cohort_is_described_in_a_line() {
        let one = traits("openai/gpt-4.1-mini", 3);
        assert_eq!(one.describe(), "protocol 1 · gpt-4.1-mini ×3 · set b8faa2dc");
        let differing = differing(&[one.clone(), traits("other", 1)], &Dimension::DEFAULT);
        assert_eq!(differing, [Dimension::JudgeModel, Dimension::NVotes]);
        assert_eq!(one.words_of(&differing), "judged by openai/gpt-4.1-mini · 3 votes");
    }
}
