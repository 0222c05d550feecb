//! Cells and columns: where a value belongs, and how it is kept in few bytes.

use super::value::Value;

/// A run of a table, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run(pub(super) u32);

/// A topic of a table, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Topic(pub(super) u32);

/// A measure of a table, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeasureId(pub(super) u16);

impl Run {
    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Topic {
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
    Topic(Topic),
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
        if self.scope == Self::ALL { Scope::All } else { Scope::Topic(Topic(self.scope)) }
    }

    pub(super) fn number(self) -> Option<f64> {
        (!self.is_text).then(|| f64::from_bits(self.bits))
    }
}

/// One cell, for reading.
#[derive(Debug, Clone, PartialEq)]
pub struct CellRef<'a> {
    /// The run.
    pub run: Run,
    /// The topic, or all.
    pub scope: Scope,
    /// The measure.
    pub measure: MeasureId,
    /// What it holds.
    pub value: Value<'a>,
}

/// The aggregates of one measure, nine bytes a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    pub(super) bits: Vec<u64>,
    /// 0 absent, 1 number, 2 text.
    pub(super) state: Vec<u8>,
}

impl Column {
    pub(super) fn set(&mut self, run: u32, bits: u64, is_text: bool) {
        let run = run as usize;
        if self.bits.len() <= run {
            self.bits.resize(run + 1, 0);
            self.state.resize(run + 1, 0);
        }
        self.bits[run] = bits;
        self.state[run] = 1 + u8::from(is_text);
    }

    pub(super) fn clear(&mut self, run: u32) {
        if let Some(state) = self.state.get_mut(run as usize) {
            *state = 0;
        }
    }

    pub(super) fn has(&self, run: u32) -> bool {
        self.state.get(run as usize).is_some_and(|state| *state != 0)
    }

    pub(super) fn get(&self, run: u32) -> Option<(u64, bool)> {
        let run = run as usize;
        match self.state.get(run)? {
            0 => None,
            state => Some((self.bits[run], *state == 2)),
        }
    }
}
