//! Which (run, topic, measure) have a cell: bits where they are dense, a set where not.

use std::collections::HashSet;

use crate::table::cell::Cell;
use crate::table::table::Content;

pub(super) enum Presence {
    Bits(Vec<u64>, Shape),
    Set(HashSet<(u32, u32, u16)>),
}

/// How many topics and measures there are.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    topics: usize,
    measures: usize,
}

impl Presence {
    pub(super) fn from_content(content: &Content) -> Self {
        let shape = Shape { topics: content.topics.len(), measures: content.measures.len() };
        let room = content
            .runs
            .len()
            .checked_mul(shape.topics)
            .and_then(|product| product.checked_mul(shape.measures));
        match room {
            // A bit costs less than an entry of a set as long as one in 256 is used.
            Some(room) if room / 256 <= content.cells.len() + 4096 => {
                Self::Bits(vec![0; room / 64 + 1], shape)
            }
            _ => Self::Set(HashSet::new()),
        }
    }

    fn bit(shape: Shape, run: u32, topic: u32, measure: u16) -> (usize, u64) {
        let at =
            (run as usize * shape.topics + topic as usize) * shape.measures + usize::from(measure);
        (at / 64, 1 << (at % 64))
    }

    /// Whether it was not there before.
    pub(super) fn insert(&mut self, cell: &Cell) -> bool {
        match self {
            Self::Bits(words, shape) => {
                let (word, bit) = Self::bit(*shape, cell.run, cell.scope, cell.measure);
                let fresh = words[word] & bit == 0;
                words[word] |= bit;
                fresh
            }
            Self::Set(set) => set.insert((cell.run, cell.scope, cell.measure)),
        }
    }

    pub(super) fn has(&self, run: u32, topic: u32, measure: u16) -> bool {
        match self {
            Self::Bits(words, shape) => {
                let (word, bit) = Self::bit(*shape, run, topic, measure);
                words.get(word).is_some_and(|word| word & bit != 0)
            }
            Self::Set(set) => set.contains(&(run, topic, measure)),
        }
    }
}
