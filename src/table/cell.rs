//! Cells and columns: where a value belongs, and how it is kept in few bytes.

use super::sparse_column::SparseColumn;
use super::value::Value;

/// A run of a table, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub(super) u32);

/// A topic of a table, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicId(pub(super) u32);

/// A measure of a table, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeasureId(pub(super) u16);

impl RunId {
    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TopicId {
    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl MeasureId {
    /// The number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What a cell is about: one topic, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// One topic.
    Topic(TopicId),
    /// The aggregate. Its name exists only in readers and writers.
    All,
}

/// A cell in 24 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) run: u32,
    /// The topic's number, or [`Cell::ALL`].
    pub(super) scope: u32,
    /// The line it came from; 0 if from no line.
    pub(super) line: u32,
    pub(super) measure: u16,
    pub(super) is_text: bool,
    /// A double, or the number of a text.
    pub(super) bits: u64,
}

impl Cell {
    pub(super) const ALL: u32 = u32::MAX;

    pub(super) fn scope(self) -> Scope {
        if self.scope == Self::ALL { Scope::All } else { Scope::Topic(TopicId(self.scope)) }
    }

    pub(super) fn number(self) -> Option<f64> {
        (!self.is_text).then(|| f64::from_bits(self.bits))
    }
}

/// One cell, for reading.
#[derive(Debug, Clone, PartialEq)]
pub struct CellRef<'a> {
    /// The run.
    pub run: RunId,
    /// The topic, or all.
    pub scope: Scope,
    /// The measure.
    pub measure: MeasureId,
    /// What it holds.
    pub value: Value<'a>,
}

/// The aggregates of one measure: the bits of a double or the number of a text, and which it is.
pub(super) type Column = SparseColumn<(u64, bool)>;
