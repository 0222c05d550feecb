//! What can be wrong with the official baselines of a config.

use crate::domain::{Code, Failure, nearest};
use crate::ledger::History;

/// Why nothing can be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// Two runs have one id.
    #[error("duplicate_run_id")]
    DuplicateRunId(String),
    /// An official baseline that is not recorded, and the recorded name that was probably meant.
    #[error("official_baseline_unknown:{0}")]
    Unknown(String, Option<String>),
    /// An official baseline that was rescored; the second run counts instead.
    #[error("official_baseline_superseded:{0},{1}")]
    Superseded(String, String),
    /// An official baseline that was retracted, and the run that counts instead, if any.
    #[error("official_baseline_retracted:{0}")]
    Retracted(String, Option<String>),
    /// An official baseline that did not complete, has no score or no known cohort.
    #[error("official_baseline_unusable:{0}")]
    Unusable(String),
    /// Two official baselines of one cohort.
    #[error("official_baseline_duplicate:{0},{1}")]
    Duplicate(String, String),
}

impl BaselineError {
    /// What is wrong, in a sentence for people.
    pub fn message(&self) -> String {
        match self {
            Self::DuplicateRunId(id) => format!("two runs have the id `{id}`"),
            Self::Unknown(name, near) => {
                let meant = near.as_ref().map(|near| format!("; did you mean `{near}`?"));
                format!(
                    "official baseline `{name}` is not a recorded run or a row of this board{}",
                    meant.unwrap_or_default()
                )
            }
            Self::Superseded(name, by) => {
                format!("official baseline `{name}` was rescored; its new run is `{by}`")
            }
            Self::Retracted(name, Some(by)) => {
                format!("official baseline `{name}` was retracted; run `{by}` counts instead")
            }
            Self::Retracted(name, None) => format!("official baseline `{name}` was retracted"),
            Self::Unusable(name) => format!(
                "official baseline `{name}` has no score, did not complete, or does not say how it was scored"
            ),
            Self::Duplicate(one, other) => {
                format!("official baselines `{one}` and `{other}` belong to the same cohort")
            }
        }
    }

    /// Replaces "unknown" for a run that `history` has but does not count by what happened to it.
    pub(super) fn explained(self, history: &History) -> Self {
        let Self::Unknown(name, _) = self else { return self };
        let by = history.instead_of(&name).map(|run| run.run_id.clone());
        if history.retraction(&name).is_some() {
            return Self::Retracted(name, by);
        }
        if let Some(by) = by {
            return Self::Superseded(name, by);
        }
        let ids = history.recorded().iter().map(|run| run.run_id.as_str());
        let near = nearest(&name, history.models().chain(ids)).map(str::to_owned);
        Self::Unknown(name, near)
    }

    /// Replaces each run id by the name that `written` gives for it.
    pub(super) fn named(self, written: impl Fn(String) -> String) -> Self {
        match self {
            Self::DuplicateRunId(id) => Self::DuplicateRunId(id),
            Self::Unknown(name, near) => Self::Unknown(written(name), near),
            Self::Superseded(name, by) => Self::Superseded(written(name), by),
            Self::Retracted(name, by) => Self::Retracted(written(name), by),
            Self::Unusable(name) => Self::Unusable(written(name)),
            Self::Duplicate(one, other) => Self::Duplicate(written(one), written(other)),
        }
    }
}

impl From<BaselineError> for Failure {
    fn from(error: BaselineError) -> Self {
        Self::unusable(error.message()).code(Code::HBaseline).at("official_baselines")
    }
}

/// Official baselines that do not hold, as one failure.
pub fn baseline_failure(errors: Vec<BaselineError>) -> Failure {
    let failures = errors.into_iter().map(Failure::from);
    Failure::all(failures.collect()).unwrap_or_else(|| Failure::unusable("no baseline"))
}
