//! Why a record is not a run, in stable words.

use std::fmt;

/// Why a record is not a run. Declared in the order in which they are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rejection {
    /// Not an object.
    Record,
    /// Not a non-empty string.
    RunId,
    /// Not a non-empty string.
    Model,
    /// Not RFC 3339 with an offset.
    RunAt,
    /// Not a number from 0 to the scale, nor null.
    AggregateScore,
    /// Not a number from 0 to 1, nor null.
    HallucinationRate,
    /// Not a number of 0 or more, nor null.
    LatencyP95Ms,
    /// Not a number of 0 or more, nor null.
    CostPerMessageUsd,
    /// Not true or false.
    RegressionDetected,
    /// Not a whole number, nor null.
    HallucinationCount,
    /// Not names with numbers.
    DatasetScores,
    /// Not names with numbers.
    RubricScores,
    /// Not a string or a whole number.
    EvalProtocolVersion,
    /// Not a string.
    WeightsSha16,
    /// Not a text of at most 4000 characters.
    Notes,
    /// Not an https address without spaces, `|`, `<` and `>`.
    ReportUrl,
    /// Not a whole number of 1 or more.
    NPrompts,
    /// Not `completed`, `failed` or `cancelled`.
    Status,
    /// Not what `record --pack` writes.
    PackRun,
}

impl Rejection {
    /// The stable word, such as `bad_run_at`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Record => "bad_record",
            Self::RunId => "bad_run_id",
            Self::Model => "bad_model",
            Self::RunAt => "bad_run_at",
            Self::AggregateScore => "bad_aggregate_score",
            Self::HallucinationRate => "bad_hallucination_rate",
            Self::LatencyP95Ms => "bad_latency_p95_ms",
            Self::CostPerMessageUsd => "bad_cost_per_message_usd",
            Self::RegressionDetected => "bad_regression_detected",
            Self::HallucinationCount => "bad_hallucination_count",
            Self::DatasetScores => "bad_dataset_scores",
            Self::RubricScores => "bad_rubric_scores",
            Self::EvalProtocolVersion => "bad_eval_protocol_version",
            Self::WeightsSha16 => "bad_weights_sha16",
            Self::Notes => "bad_notes",
            Self::ReportUrl => "bad_report_url",
            Self::NPrompts => "bad_n_prompts",
            Self::Status => "bad_status",
            Self::PackRun => "bad_pack_run",
        }
    }

    /// The key it is about, in the ledger's spelling; `None` for a whole record.
    pub fn key(self) -> Option<&'static str> {
        if self == Self::Record { None } else { self.as_str().strip_prefix("bad_") }
    }

    /// What belongs there.
    pub fn wanted(self) -> &'static str {
        match self {
            Self::Record => "a record is a JSON object of the kind `run`",
            Self::RunId => "`run_id` must be a non-empty string",
            Self::Model => "`model` must be a non-empty string",
            Self::RunAt => "`run_at` must be RFC 3339 with an offset, such as 2026-05-14T12:00:00Z",
            Self::AggregateScore => {
                "`aggregate_score` must be a number from 0 to `history.score_scale`, or null"
            }
            Self::HallucinationRate => "`hallucination_rate` must be a number from 0 to 1, or null",
            Self::LatencyP95Ms => "`latency_p95_ms` must be a number of 0 or more, or null",
            Self::CostPerMessageUsd => {
                "`cost_per_message_usd` must be a number of 0 or more, or null"
            }
            Self::RegressionDetected => "`regression_detected` must be true or false",
            Self::HallucinationCount => {
                "`hallucination_count` must be a whole number of 0 or more, or null"
            }
            Self::DatasetScores => {
                "`dataset_scores` must be an object of numbers; a name has at most 100 characters"
            }
            Self::RubricScores => {
                "`rubric_scores` must be an object of numbers; a name has at most 100 characters"
            }
            Self::EvalProtocolVersion => "`eval_protocol_version` must be a string",
            Self::WeightsSha16 => "`weights_sha16` must be a string",
            Self::Notes => "`notes` must be a text of at most 4000 characters",
            Self::ReportUrl => {
                "`report_url` must be an https address without spaces, `|`, `<` and `>`"
            }
            Self::NPrompts => "`n_prompts` must be a whole number of 1 or more",
            Self::Status => "`status` must be completed, failed or cancelled",
            Self::PackRun => "`pack_run` is written by the program alone",
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
