//! Dropping runs, topics and measures before a build.

use std::collections::HashSet;

use super::super::facets::{Facet, FacetValue};
use super::super::measure::Measure;
use super::{Builder, Known};
use crate::table::cell::{Cell, Column};
use crate::table::table::Content;
use crate::table::{Names, RunId};

impl Builder {
    /// Drops every run that `keep` does not want, with its cells.
    pub(crate) fn retain_runs(&mut self, keep: impl Fn(RunId) -> bool) {
        let content = &mut self.content;
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(content.runs.len());
        let mut kept = 0;
        for at in 0..u32::try_from(content.runs.len()).unwrap_or(u32::MAX) {
            let wanted = keep(RunId(at));
            numbers.push(wanted.then_some(kept));
            kept += u32::from(wanted);
        }
        if numbers.iter().all(Option::is_some) {
            return;
        }
        let old = std::mem::take(content);
        let mut ids = Names::default();
        let mut facets: Vec<Facet> =
            old.facets.iter().map(|facet| Facet::new(&facet.name, facet.kind)).collect();
        let mut columns = vec![Column::default(); old.columns.len()];
        let mut runs = Vec::with_capacity(kept as usize);
        for (before, now) in numbers.iter().enumerate() {
            let (Some(now), Ok(before)) = (*now, u32::try_from(before)) else { continue };
            runs.push(ids.intern(old.ids.get(old.runs[before as usize])));
            for (facet, source) in facets.iter_mut().zip(&old.facets) {
                match source.get(before) {
                    FacetValue::Absent => {}
                    value => facet.set(now, value),
                }
            }
            for (column, source) in columns.iter_mut().zip(&old.columns) {
                if let Some((bits, is_text)) = source.get(before) {
                    column.set(now, (bits, is_text));
                }
            }
        }
        let mut cells = old.cells;
        cells.retain_mut(|cell| renumber(numbers[cell.run as usize], &mut cell.run));
        *content = Content { ids, runs, facets, cells, columns, ..old };
    }

    /// Drops every cell about a topic that `keep` does not want; given aggregates stay until the
    /// build decides about them.
    pub(crate) fn retain_topics(&mut self, keep: impl Fn(&str) -> bool) {
        let content = &mut self.content;
        let wanted: Vec<bool> = content.topics.iter().map(keep).collect();
        if wanted.iter().all(|wanted| *wanted) {
            return;
        }
        let old = std::mem::take(&mut content.topics);
        let old_facets = std::mem::take(&mut content.topic_facets);
        let numbers: Vec<Option<u32>> = wanted
            .iter()
            .zip(old.iter())
            .map(|(wanted, name)| wanted.then(|| content.topics.intern(name)))
            .collect();
        for facet in &old_facets {
            let mut kept = Facet::new(&facet.name, facet.kind);
            for (before, now) in (0u32..).zip(&numbers) {
                if let Some(now) = now {
                    kept.set(*now, facet.get(before));
                }
            }
            content.topic_facets.push(kept);
        }
        content.cells.retain_mut(|cell| {
            cell.scope == Cell::ALL || renumber(numbers[cell.scope as usize], &mut cell.scope)
        });
    }

    /// The runs that have no cell about a topic.
    pub(crate) fn topicless_runs(&self) -> HashSet<RunId> {
        let mut runs: HashSet<RunId> =
            (0u32..).zip(&self.content.runs).map(|(at, _)| RunId(at)).collect();
        for cell in self.content.cells.iter().filter(|cell| cell.scope != Cell::ALL) {
            runs.remove(&RunId(cell.run));
        }
        runs
    }

    /// Drops every run that has no cell about a topic, except those that `keep` wants.
    pub(crate) fn drop_topicless_runs(&mut self, keep: impl Fn(RunId) -> bool) {
        let topicless = self.topicless_runs();
        self.retain_runs(|run| !topicless.contains(&run) || keep(run));
    }

    /// Drops every measure that `keep` does not want.
    pub fn retain_measures(&mut self, keep: impl Fn(&Measure) -> bool) {
        let content = &mut self.content;
        let mut numbers: Vec<Option<u16>> = Vec::with_capacity(content.measures.len());
        let mut kept = 0;
        for measure in &content.measures {
            let wanted = keep(measure);
            numbers.push(wanted.then_some(kept));
            kept += u16::from(wanted);
        }
        let mut stays = numbers.iter();
        content.measures.retain(|_| stays.next().is_some_and(Option::is_some));
        let mut stays = numbers.iter();
        content.columns.retain(|_| stays.next().is_some_and(Option::is_some));
        content
            .cells
            .retain_mut(|cell| renumber(numbers[usize::from(cell.measure)], &mut cell.measure));
        self.known = Known::from_content(content);
    }
}

/// Whether what had the old `number` stays; it then has the number `now`.
fn renumber<T>(now: Option<T>, number: &mut T) -> bool {
    now.map(|now| *number = now).is_some()
}
