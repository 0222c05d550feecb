//! The comparison of a recorded run with its baseline, as `history --pack --json` writes it.

use serde::{Serialize, Serializer};

use crate::facts::{BaselineSource, Compared, Grade};

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
struct WireRun<'c> {
    is_reproducible: bool,
    grade: Grade,
    problems: &'c [String],
    verified: bool,
    cohort_id: Option<&'c str>,
    is_comparable: bool,
    not_comparable_because: &'c [String],
    baseline_run_id: Option<&'c str>,
    baseline_score: Option<f64>,
    baseline_source: Option<BaselineSource>,
    is_baseline: bool,
    delta_from_baseline: Option<f64>,
    notes: &'c [&'static str],
}

impl Serialize for Compared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let baseline = self.baseline.as_ref();
        WireRun {
            is_reproducible: self.evidence.is_reproducible(),
            grade: self.evidence.grade,
            problems: &self.evidence.problems,
            verified: self.evidence.verified,
            cohort_id: self.cohort_id.as_deref(),
            is_comparable: self.is_comparable(),
            not_comparable_because: &self.reasons,
            baseline_run_id: baseline.map(|baseline| baseline.run_id.as_str()),
            baseline_score: baseline.map(|baseline| baseline.score),
            baseline_source: baseline.map(|baseline| baseline.source),
            is_baseline: self.is_baseline,
            delta_from_baseline: self.delta,
            notes: &self.notes,
        }
        .serialize(serializer)
    }
}
