//! Every decision of a build, and every reason to refuse one.

use super::super::value::Kind;
use super::holes::HoleList;
use super::size::{MAX_CELLS, MAX_MADE};

/// What to do where a run has no value for a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Holes {
    /// Refuse.
    Error,
    /// Say so; average what is there.
    Warn,
    /// Add the default value (0, or the empty text).
    Fill,
    /// Count the default value in the aggregate, add nothing.
    FixAggregate,
    /// Say nothing; average what is there.
    #[default]
    Skip,
}

/// What to do with aggregates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Aggregates {
    /// Keep those given, compute none.
    Keep,
    /// Keep those given, compute those that are absent.
    #[default]
    Complete,
    /// Compute all of them from the topics.
    Recompute,
    /// Drop those given, compute none.
    Drop,
}

/// What to do when a cell is given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Duplicates {
    /// Refuse.
    #[default]
    Error,
    /// The first one.
    First,
    /// The last one, in the place of the first.
    Last,
    /// Their mean; of texts the first.
    Mean,
    /// All of them; all count in the mean. What one older program does.
    Keep,
}

/// Which topics a run should have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Expect {
    /// No expectation.
    Nothing,
    /// Every topic that any run has.
    #[default]
    Union,
    /// These.
    Topics(Vec<String>),
}

/// Every decision of a build, in one place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// Holes.
    pub holes: Holes,
    /// Aggregates.
    pub aggregates: Aggregates,
    /// Cells given twice.
    pub duplicates: Duplicates,
    /// Expected topics.
    pub expect: Expect,
    /// Leave texts without an aggregate.
    pub no_text_aggregate: bool,
    /// Measures every run must have a value of, per topic or as aggregate.
    pub required: Vec<String>,
}

/// Why a cell or a table was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A row has measures the table does not declare.
    #[error("unknown measure {}", list(.0))]
    UnknownMeasures(Vec<String>),
    /// A row lacks measures the table declares.
    #[error("missing measure {}", list(.0))]
    MissingMeasures(Vec<String>),
    /// A text where a number belongs.
    #[error("`{value}` is not a number, in measure `{measure}`{}", of_run(.run))]
    NotANumber {
        /// The run; empty where no run is known.
        run: String,
        /// The measure.
        measure: String,
        /// What was given.
        value: String,
    },
    /// One name, two kinds.
    #[error("measure `{measure}` is {one} in one source and {other} in another")]
    KindConflict {
        /// The measure.
        measure: String,
        /// One kind.
        one: Kind,
        /// The other.
        other: Kind,
    },
    /// More measures than a table can hold.
    #[error("more than {} measures", u16::MAX)]
    TooManyMeasures,
    /// A cell given twice.
    #[error("measure `{measure}` of run `{run}`{} is given twice", about(.topic.as_deref()))]
    Duplicate {
        /// The run.
        run: String,
        /// The topic; `None` for the aggregate.
        topic: Option<String>,
        /// The measure.
        measure: String,
        /// The lines, 0 if from no line.
        lines: (u32, u32),
        /// How many cells are given twice in all.
        count: usize,
    },
    /// Runs without a value for topics they should have.
    #[error("{0}")]
    Holes(HoleList),
    /// Runs without any value of a required measure.
    #[error("run `{run}` has no value of measure `{measure}`")]
    Required {
        /// The first such run.
        run: String,
        /// The measure.
        measure: String,
        /// How many such pairs of a run and a measure there are.
        count: usize,
    },
    /// More runs × columns than a table may have.
    #[error(
        "{runs} runs × {columns} columns are more than the {MAX_CELLS} places a table may have"
    )]
    TooLarge {
        /// Runs.
        runs: u64,
        /// Measures and facets.
        columns: u64,
    },
    /// More cells than a table may have.
    #[error("{0} cells are more than the {MAX_CELLS} a table may have")]
    TooManyCells(u64),
    /// More holes than a policy may fill.
    #[error("{0} values are missing, more than the {MAX_MADE} that can be filled in")]
    TooManyHoles(u64),
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn of_run(run: &str) -> String {
    if run.is_empty() { String::new() } else { format!(" of run `{run}`") }
}

fn about(topic: Option<&str>) -> String {
    topic.map(|topic| format!(" on topic `{topic}`")).unwrap_or_default()
}
