//! Aggregates: the only place that keeps, drops or computes them.

use std::collections::HashMap;

use super::super::grid::{Cell, Content};
use super::super::measure::Reduce;
use super::super::summary::Sum;
use super::super::value::Kind;
use super::holes::Gap;
use super::{Aggregates, Builder, Duplicates, Policy};

/// What the topics of one run add up to.
#[derive(Clone, Default)]
struct Heap {
    sum: Sum,
    count: f64,
    first: Option<u64>,
}

impl Builder {
    pub(super) fn make_aggregates(
        &mut self,
        policy: &Policy,
        gaps: &[Gap],
        notes: &mut Vec<String>,
    ) {
        let given: Vec<Cell> =
            self.content.cells.iter().filter(|cell| cell.scope == Cell::ALL).copied().collect();
        let listed = !given.is_empty();
        if listed {
            self.content.cells.retain(|cell| cell.scope != Cell::ALL);
        }
        if policy.aggregates == Aggregates::Recompute {
            self.drop_given(&given, notes);
        } else {
            for cell in &given {
                let column = &mut self.content.columns[usize::from(cell.measure)];
                column.set(cell.run, cell.bits, cell.is_text);
            }
        }
        if policy.aggregates != Aggregates::Keep {
            self.compute(policy, gaps);
        }
        // Cells that were given as cells are kept as such only where the columns cannot say it:
        // several for one place.
        if policy.duplicates == Duplicates::Keep
            && policy.aggregates != Aggregates::Recompute
            && has_repeats(&given)
        {
            self.content.cells.extend(given);
        }
    }

    /// Drops given aggregates of measures that topics can make, and says which are lost for good.
    fn drop_given(&mut self, given: &[Cell], notes: &mut Vec<String>) {
        let content = &mut self.content;
        let mut has_topics = vec![false; content.measures.len()];
        let mut runs_with = vec![Vec::new(); content.measures.len()];
        for cell in &content.cells {
            let measure = usize::from(cell.measure);
            has_topics[measure] = true;
            if runs_with[measure].last() != Some(&cell.run) {
                runs_with[measure].push(cell.run);
            }
        }
        for (column, runs) in content.columns.iter_mut().zip(&runs_with) {
            for run in runs {
                column.clear(*run);
            }
        }
        let mut lost: Vec<&str> = given
            .iter()
            .map(|cell| usize::from(cell.measure))
            .filter(|measure| !has_topics[*measure])
            .map(|measure| content.measures[measure].name.as_str())
            .collect();
        lost.sort_unstable();
        lost.dedup();
        for name in lost {
            notes.push(format!(
                "measure `{name}` has no value per topic, so its aggregates cannot be recomputed and are left out"
            ));
        }
    }

    fn compute(&mut self, policy: &Policy, gaps: &[Gap]) {
        if self.content.cells.is_empty() {
            return;
        }
        let heaps = self.heaps(gaps);
        let content = &mut self.content;
        for (run, measure, heap) in heaps {
            let at = usize::from(measure);
            let declared = &mut content.measures[at];
            if content.columns[at].has(run) || matches!(declared.reduce, Reduce::Ratio { .. }) {
                continue;
            }
            let value = match (declared.topic, &declared.reduce) {
                (Some(Kind::Text), _) if policy.no_text_aggregate => None,
                (Some(Kind::Text), _) | (_, Reduce::First) => {
                    heap.first.map(|text| (text, declared.topic == Some(Kind::Text)))
                }
                (_, Reduce::Given) => None,
                (_, Reduce::Sum) => Some((heap.sum.total().to_bits(), false)),
                _ => Some(((heap.sum.total() / heap.count).to_bits(), false)),
            };
            let Some((bits, is_text)) = value else { continue };
            // A measure that was given as one kind stays of that kind.
            let kind = if is_text { Kind::Text } else { Kind::Number };
            if *declared.aggregate.get_or_insert(kind) == kind {
                content.columns[at].set(run, bits, is_text);
            }
        }
    }

    /// One heap for each run and measure that has topics, runs first.
    fn heaps(&self, gaps: &[Gap]) -> Vec<(u32, u16, Heap)> {
        let content = &self.content;
        let measures = content.measures.len();
        let room = content.runs.len() * measures;
        // Dense where most places are used, which is how cell files are.
        if room <= 4 * content.cells.len() + 1024 {
            let mut heaps = vec![Heap::default(); room];
            let at = |run: u32, measure: u16| run as usize * measures + usize::from(measure);
            for cell in &content.cells {
                heaps[at(cell.run, cell.measure)].add(*cell);
            }
            for &(run, _, measure) in gaps {
                heaps[at(run, measure)].add_default(content, measure);
            }
            let places = (0u32..)
                .zip(&content.runs)
                .flat_map(|(run, _)| (0u16..).zip(&content.measures).map(move |(m, _)| (run, m)));
            return places
                .zip(heaps)
                .filter(|(_, heap)| heap.count > 0.0)
                .map(|((run, measure), heap)| (run, measure, heap))
                .collect();
        }
        let mut heaps: HashMap<(u32, u16), Heap> = HashMap::new();
        for cell in &content.cells {
            heaps.entry((cell.run, cell.measure)).or_default().add(*cell);
        }
        for &(run, _, measure) in gaps {
            heaps.entry((run, measure)).or_default().add_default(content, measure);
        }
        let mut heaps: Vec<_> =
            heaps.into_iter().map(|((run, measure), heap)| (run, measure, heap)).collect();
        heaps.sort_by_key(|(run, measure, _)| (*run, *measure));
        heaps
    }
}

impl Heap {
    fn add(&mut self, cell: Cell) {
        self.count += 1.0;
        self.first.get_or_insert(cell.bits);
        if let Some(number) = cell.number() {
            self.sum.add(number);
        }
    }

    fn add_default(&mut self, content: &Content, measure: u16) {
        self.count += 1.0;
        if content.measures[usize::from(measure)].topic != Some(Kind::Text) {
            self.sum.add(0.0);
        }
    }
}

fn has_repeats(given: &[Cell]) -> bool {
    let mut seen = std::collections::HashSet::new();
    given.iter().any(|cell| !seen.insert((cell.run, cell.measure)))
}
