//! The formats and their columns.

use std::fmt;
use std::str::FromStr;

/// A column order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// `measure topic value`; the run is the file's name.
    TrecEval,
    /// `topic measure value`, as `ir_measures -q` prints, or its JSON lines; the run is the file's
    /// name.
    IrMeasuresQ,
    /// `run measure topic value`
    Tot,
    /// `run topic measure value`
    IrMeasures,
    /// `topic run measure value`
    Rag4Reports,
    /// `topic Q0 run rank value measure`
    Ranking,
    /// `{"run_id", "topic_id", "measure", "value"}`
    Jsonl,
}

/// Where the parts stand in a line.
pub(super) struct Columns {
    pub(super) count: usize,
    /// `None` where the file's name is the run.
    pub(super) run: Option<usize>,
    pub(super) topic: usize,
    pub(super) measure: usize,
    pub(super) value: usize,
    pub(super) words: &'static str,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::TrecEval,
        Self::IrMeasuresQ,
        Self::Tot,
        Self::IrMeasures,
        Self::Rag4Reports,
        Self::Ranking,
        Self::Jsonl,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TrecEval => "trec_eval",
            Self::IrMeasuresQ => "ir_measures_q",
            Self::Tot => "tot",
            Self::IrMeasures => "ir_measures",
            Self::Rag4Reports => "rag4reports",
            Self::Ranking => "ranking",
            Self::Jsonl => "jsonl",
        }
    }

    /// How many columns it has; `None` for JSON lines.
    pub(crate) fn column_count(self) -> Option<usize> {
        Some(self.columns()?.count)
    }

    /// The order of its columns in words.
    pub(crate) fn column_order(self) -> &'static str {
        self.columns().map_or("JSON lines", |columns| columns.words)
    }

    /// The columns; `None` for JSON lines.
    pub(super) fn columns(self) -> Option<Columns> {
        let columns = |count, run, topic, measure, value, words| {
            Some(Columns { count, run, topic, measure, value, words })
        };
        match self {
            Self::TrecEval => columns(3, None, 1, 0, 2, "measure topic value"),
            Self::IrMeasuresQ => columns(3, None, 0, 1, 2, "topic measure value"),
            Self::Tot => columns(4, Some(0), 2, 1, 3, "run measure topic value"),
            Self::IrMeasures => columns(4, Some(0), 1, 2, 3, "run topic measure value"),
            Self::Rag4Reports => columns(4, Some(1), 0, 2, 3, "topic run measure value"),
            Self::Ranking => columns(6, Some(2), 0, 5, 4, "topic Q0 run rank value measure"),
            Self::Jsonl => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not a format's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{0}`")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name.replace('-', "_"));
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}
