//! Aggregates: the only place that keeps, drops or computes them.

use std::collections::HashMap;

use super::super::measure::Reduce;
use super::super::summary::Sum;
use super::super::value::Kind;
use super::holes::Gap;
use super::{Aggregates, Builder, Duplicates, Policy};
use crate::table::cell::Cell;
use crate::table::table::Content;

/// What the topics of one run add up to.
#[derive(Clone, Default)]
struct Heap {
    sum: Sum,
    count: f64,
    first: Option<u64>,
}

impl Policy {
    /// Whether aggregates stay exactly as they were given.
    pub(crate) fn keeps_aggregates(&self) -> bool {
        self.aggregates == Aggregates::Keep
    }
}

impl Builder {
    pub(super) fn make_aggregates(
        &mut self,
        policy: &Policy,
        gaps: &[Gap],
        notes: &mut Vec<String>,
    ) {
        let mut listed: Vec<Cell> =
            self.content.cells.iter().filter(|cell| cell.scope == Cell::ALL).copied().collect();
        if !listed.is_empty() {
            self.content.cells.retain(|cell| cell.scope != Cell::ALL);
        }
        if policy.aggregates == Aggregates::Drop {
            for (column, measure) in self.content.columns.iter_mut().zip(&mut self.content.measures)
            {
                column.take(|_| true);
                measure.aggregate = None;
            }
            return;
        }
        let mut dropped = Vec::new();
        if policy.aggregates == Aggregates::Recompute {
            for cell in listed.drain(..) {
                let column = &mut self.content.columns[usize::from(cell.measure)];
                column.set(cell.run, (cell.bits, cell.is_text));
            }
            dropped = self.drop_given(policy);
        }
        for cell in &listed {
            let column = &mut self.content.columns[usize::from(cell.measure)];
            column.set(cell.run, (cell.bits, cell.is_text));
        }
        if !policy.keeps_aggregates() {
            listed.extend(self.compute(policy, gaps));
        }
        self.note_lost(&dropped, notes);
        // Who keeps every repetition wants to see it, in the order given.
        if policy.duplicates == Duplicates::Keep {
            self.content.cells.extend(listed);
        }
    }

    /// Drops the aggregates of every run that has topics, and gives their runs by measure. Under
    /// `Duplicates::Keep`, which is how one older program reads, it drops all of them.
    fn drop_given(&mut self, policy: &Policy) -> Vec<(u16, Vec<u32>)> {
        let content = &mut self.content;
        let all = policy.duplicates == Duplicates::Keep;
        let mut drops = vec![all; content.runs.len()];
        for cell in &content.cells {
            drops[cell.run as usize] = true;
        }
        let mut dropped = Vec::new();
        for (at, (column, measure)) in
            (0u16..).zip(content.columns.iter_mut().zip(&mut content.measures))
        {
            let runs = column.take(|run| drops[run as usize]);
            if !runs.is_empty() {
                dropped.push((at, runs));
            }
            measure.aggregate = match measure.topic {
                Some(Kind::Text) if policy.no_text_aggregate => None,
                Some(kind) => Some(kind),
                None if !column.is_empty() => measure.aggregate,
                None if matches!(measure.reduce, Reduce::Ratio { .. }) => measure.aggregate,
                None => None,
            };
        }
        dropped
    }

    /// Says which dropped aggregates were not computed again.
    fn note_lost(&self, dropped: &[(u16, Vec<u32>)], notes: &mut Vec<String>) {
        let content = &self.content;
        for (at, runs) in dropped {
            let measure = &content.measures[usize::from(*at)];
            let column = &content.columns[usize::from(*at)];
            let lost: Vec<u32> =
                runs.iter().filter(|run| column.get(**run).is_none()).copied().collect();
            let Some(first) = lost.first() else { continue };
            if matches!(measure.reduce, Reduce::Ratio { .. }) {
                continue;
            }
            let name = &measure.name;
            let why = match (measure.topic, &measure.reduce) {
                (Some(_), Reduce::Given) => "is not computed from topics".to_owned(),
                (Some(_), _) => {
                    let id = content.ids.get(content.runs[*first as usize]);
                    let more = match lost.len() {
                        1 => String::new(),
                        count => format!(" and {} more", count - 1),
                    };
                    format!("has no value per topic in run `{id}`{more}")
                }
                (None, _) => "has no value per topic".to_owned(),
            };
            notes.push(format!(
                "measure `{name}` {why}, so its aggregates cannot be recomputed and are left out"
            ));
        }
    }

    /// Computes what is absent; gives it in the order in which run and measure were first seen.
    fn compute(&mut self, policy: &Policy, gaps: &[Gap]) -> Vec<Cell> {
        if self.content.cells.is_empty() {
            return Vec::new();
        }
        let heaps = self.heaps(gaps);
        let content = &mut self.content;
        let mut computed = Vec::new();
        for (run, measure, heap) in heaps {
            let at = usize::from(measure);
            let declared = &mut content.measures[at];
            if content.columns[at].get(run).is_some()
                || matches!(declared.reduce, Reduce::Ratio { .. })
            {
                continue;
            }
            let value = match (declared.topic, &declared.reduce) {
                (Some(Kind::Text), _) if policy.no_text_aggregate => None,
                (Some(Kind::Text), _) | (_, Reduce::First) => {
                    heap.first.map(|first| (first, declared.topic == Some(Kind::Text)))
                }
                (_, Reduce::Given) => None,
                (_, Reduce::Sum) => Some((heap.sum.total().to_bits(), false)),
                _ => Some((heap.sum.over(heap.count).to_bits(), false)),
            };
            let Some((bits, is_text)) = value else { continue };
            // A measure that was given as one kind stays of that kind.
            let kind = if is_text { Kind::Text } else { Kind::Number };
            if *declared.aggregate.get_or_insert(kind) == kind {
                content.columns[at].set(run, (bits, is_text));
                computed.push(Cell { run, scope: Cell::ALL, line: 0, measure, is_text, bits });
            }
        }
        computed
    }

    /// One heap for each run and measure that has topics, in the order of first sight.
    fn heaps(&self, gaps: &[Gap]) -> Vec<(u32, u16, Heap)> {
        let content = &self.content;
        let measures = content.measures.len();
        let room = content.runs.len() * measures;
        let mut heaps: Vec<(u32, u16, Heap)> = Vec::new();
        // Dense where most places are used, which is how files of cells are.
        let mut places = if room <= 4 * content.cells.len() + 1024 {
            Places::Dense(vec![0; room])
        } else {
            Places::Sparse(HashMap::new())
        };
        let mut heap_of = |run: u32, measure: u16, add: &dyn Fn(&mut Heap)| {
            let key = run as usize * measures + usize::from(measure);
            let next = heaps.len() + 1;
            let at = match &mut places {
                Places::Dense(slots) => &mut slots[key],
                Places::Sparse(slots) => slots.entry(key).or_default(),
            };
            if *at == 0 {
                *at = next;
                heaps.push((run, measure, Heap::default()));
            }
            add(&mut heaps[*at - 1].2);
        };
        for cell in &content.cells {
            heap_of(cell.run, cell.measure, &|heap| heap.add(*cell));
        }
        for &(run, measure, topics) in gaps {
            heap_of(run, measure, &|heap| heap.add_defaults(content, measure, topics));
        }
        heaps
    }
}

/// The place of each run and measure in the list, from 1.
enum Places {
    Dense(Vec<usize>),
    Sparse(HashMap<usize, usize>),
}

impl Heap {
    fn add(&mut self, cell: Cell) {
        self.count += 1.0;
        self.first.get_or_insert(cell.bits);
        if let Some(number) = cell.number() {
            self.sum.add(number);
        }
    }

    fn add_defaults(&mut self, content: &Content, measure: u16, topics: u32) {
        self.count += f64::from(topics);
        if content.measures[usize::from(measure)].topic != Some(Kind::Text) {
            self.sum.add(0.0);
        }
    }
}
