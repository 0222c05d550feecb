//! Runs that lack a value for a topic they should have.
//!
//! Holes are counted, not listed: five thousand measures on five thousand topics can leave
//! twenty-five million of them in a file of 66 kilobytes.

use std::collections::HashMap;

use super::super::value::{Kind, Value};
use super::presence::Presence;
use super::{BuildError, Builder, Expect, Holes, Policy, size};
use crate::table::cell::Cell;
use crate::table::{MeasureId, RunId, Scope, TopicId};

/// How many places, and measures of a place, a message names.
const SHOWN: usize = 10;

/// A run and a topic without some of their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// The run.
    pub run: String,
    /// The topic.
    pub topic: String,
    /// The first missing measures, by name.
    pub measures: Vec<String>,
    /// How many more measures are missing there.
    pub more: usize,
}

/// How many values are missing, and where the first are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoleList {
    /// Missing values.
    pub count: u64,
    /// The first places, by run and topic.
    pub first: Vec<Hole>,
    /// How many more places there are.
    pub more: u64,
}

impl std::fmt::Display for HoleList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verb = if self.count == 1 { "value is" } else { "values are" };
        write!(f, "{} {verb} missing: ", self.count)?;
        for (at, Hole { run, topic, measures, more }) in self.first.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}run `{run}` on topic `{topic}` (`{}`", measures.join("`, `"))?;
            match more {
                0 => write!(f, ")")?,
                more => write!(f, " and {more} more measures)")?,
            }
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, ", and {more} more"),
        }
    }
}

/// How many topics of a run lack a measure, by run and measure.
pub(super) type Gap = (u32, u16, u32);

/// What is expected and what is there.
struct Grid {
    runs: Vec<u32>,
    topics: Vec<u32>,
    measures: Vec<u16>,
    presence: Presence,
    /// How many expected topics each run has for each measure.
    filled: HashMap<(u32, u16), u32>,
    count: u64,
}

impl Builder {
    /// The holes that count as default values in the aggregates.
    pub(super) fn treat_holes(
        &mut self,
        policy: &Policy,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Gap>, BuildError> {
        if policy.holes == Holes::Skip || policy.expect == Expect::Nothing {
            return Ok(Vec::new());
        }
        let grid = self.grid(&policy.expect);
        if grid.count == 0 {
            return Ok(Vec::new());
        }
        match policy.holes {
            Holes::Error => return Err(BuildError::Holes(self.named(&grid))),
            Holes::Warn => notes.push(self.named(&grid).to_string()),
            Holes::Fill => self.fill(&grid)?,
            Holes::FixAggregate => {
                size::check_made(grid.runs.len() as u64 * grid.measures.len() as u64)?;
                notes.push(format!("{}; counted as 0 in the aggregates", self.named(&grid)));
                return Ok(grid.gaps());
            }
            Holes::Skip => {}
        }
        Ok(Vec::new())
    }

    fn grid(&mut self, expect: &Expect) -> Grid {
        if let Expect::Topics(names) = expect {
            for name in names {
                self.content.topics.intern(name);
            }
        }
        let content = &self.content;
        let mut expected = vec![!matches!(expect, Expect::Topics(_)); content.topics.len()];
        if let Expect::Topics(names) = expect {
            for number in names.iter().filter_map(|name| content.topics.find(name)) {
                expected[number as usize] = true;
            }
        }
        let mut presence = Presence::from_content(content);
        let mut has_topics = vec![false; content.runs.len()];
        let mut filled: HashMap<(u32, u16), u32> = HashMap::new();
        let mut there = 0;
        for cell in content.cells.iter().filter(|cell| cell.scope != Cell::ALL) {
            has_topics[cell.run as usize] = true;
            if presence.insert(cell) && expected[cell.scope as usize] {
                *filled.entry((cell.run, cell.measure)).or_default() += 1;
                there += 1;
            }
        }
        let numbers = |flags: &[bool]| -> Vec<u32> {
            (0u32..).zip(flags).filter(|(_, flag)| **flag).map(|(at, _)| at).collect()
        };
        let measures: Vec<u16> = (0u16..)
            .zip(&content.measures)
            .filter(|(_, measure)| measure.topic.is_some())
            .map(|(at, _)| at)
            .collect();
        let (runs, topics) = (numbers(&has_topics), numbers(&expected));
        let places = (runs.len() as u64).saturating_mul(topics.len() as u64);
        let count = places.saturating_mul(measures.len() as u64).saturating_sub(there);
        Grid { runs, topics, measures, presence, filled, count }
    }

    fn fill(&mut self, grid: &Grid) -> Result<(), BuildError> {
        size::check_made(grid.count)?;
        self.content.cells.reserve_exact(usize::try_from(grid.count).unwrap_or_default());
        for &run in &grid.runs {
            for &topic in &grid.topics {
                for &measure in &grid.measures {
                    if grid.presence.has(run, topic, measure) {
                        continue;
                    }
                    let kind = self.content.measures[usize::from(measure)].topic;
                    let value = match kind {
                        Some(Kind::Text) => Value::from(""),
                        _ => Value::Number(0.0),
                    };
                    let scope = Scope::Topic(TopicId(topic));
                    self.cell(RunId(run), scope, MeasureId(measure), value, 0)?;
                }
            }
        }
        Ok(())
    }

    /// The first holes by name. Looks at little more than there are cells and shown places: a
    /// place without a hole is all cells.
    fn named(&self, grid: &Grid) -> HoleList {
        let content = &self.content;
        let id = |run: u32| content.ids.get(content.runs[run as usize]);
        let (mut runs, mut topics, mut measures) =
            (grid.runs.clone(), grid.topics.clone(), grid.measures.clone());
        runs.sort_by(|a, b| id(*a).cmp(id(*b)));
        topics.sort_by(|a, b| content.topics.get(*a).cmp(content.topics.get(*b)));
        let name = |measure: u16| content.measures[usize::from(measure)].name.as_str();
        measures.sort_by(|a, b| name(*a).cmp(name(*b)));
        let mut first = Vec::new();
        'places: for &run in &runs {
            for &topic in &topics {
                let missing = measures.iter().filter(|m| !grid.presence.has(run, topic, **m));
                let missing: Vec<u16> = missing.copied().collect();
                if missing.is_empty() {
                    continue;
                }
                first.push(Hole {
                    run: id(run).to_owned(),
                    topic: content.topics.get(topic).to_owned(),
                    measures: missing.iter().take(SHOWN).map(|m| name(*m).to_owned()).collect(),
                    more: missing.len().saturating_sub(SHOWN),
                });
                if first.len() == SHOWN {
                    break 'places;
                }
            }
        }
        let places = grid.runs.len() as u64 * grid.topics.len() as u64 - self.full_places(grid);
        HoleList { count: grid.count, more: places - first.len() as u64, first }
    }

    /// How many pairs of a run and an expected topic have every measure.
    fn full_places(&self, grid: &Grid) -> u64 {
        let mut expected = vec![false; self.content.topics.len()];
        for topic in &grid.topics {
            expected[*topic as usize] = true;
        }
        let mut seen = Presence::from_content(&self.content);
        let mut measures: HashMap<(u32, u32), usize> = HashMap::new();
        for cell in self.content.cells.iter().filter(|cell| cell.scope != Cell::ALL) {
            if expected[cell.scope as usize] && seen.insert(cell) {
                *measures.entry((cell.run, cell.scope)).or_default() += 1;
            }
        }
        measures.values().filter(|count| **count == grid.measures.len()).count() as u64
    }
}

impl Grid {
    fn gaps(&self) -> Vec<Gap> {
        let expected = u32::try_from(self.topics.len()).unwrap_or(u32::MAX);
        let mut gaps = Vec::new();
        for &run in &self.runs {
            for &measure in &self.measures {
                let filled = self.filled.get(&(run, measure)).copied().unwrap_or(0);
                if filled < expected {
                    gaps.push((run, measure, expected - filled));
                }
            }
        }
        gaps
    }
}
