//! Which runs may be compared: the key they share.
//!
//! What a newcomer gets wrong: unknown is not equal to unknown. A run that does not say who
//! judged it is shown and compared with nobody; one that needs no judge is fine without.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::domain::config::Dimension;
use crate::domain::sha16;

/// What a run says about how it was scored; absent where it does not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Traits {
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
}

impl Traits {
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
        }
    }
}

/// The key over `dimensions` as canonical JSON, or the dimensions that are unknown, in order.
pub fn cohort_key(traits: &Traits, dimensions: &[Dimension]) -> Result<String, Vec<Dimension>> {
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
pub fn cohort_id(traits: &Traits, dimensions: &[Dimension]) -> Result<String, Vec<Dimension>> {
    cohort_key(traits, dimensions).map(|key| sha16(key.as_bytes()))
}
