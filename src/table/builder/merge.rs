//! Adding other tables to a builder.

use std::collections::{HashMap, HashSet};

use super::super::facets::FacetValue;
use super::super::measure::Measure;
use super::{BuildError, Builder};
use crate::table::cell::Cell;
use crate::table::{RunId, Scope, Table};

impl Builder {
    /// Adds the values of another table, cell by cell, without its facets. A measure that is not
    /// known yet is declared.
    pub fn add_entries(&mut self, other: &Table, skip_aggregates: bool) -> Result<(), BuildError> {
        for cell in other.cells() {
            let scope = match cell.scope {
                Scope::All if skip_aggregates => continue,
                Scope::All => Scope::All,
                Scope::Topic(topic) => Scope::Topic(self.topic(other.topic_name(topic))),
            };
            let measure = self.measure(other.measure(cell.measure).clone())?;
            let run = self.run(other.id(cell.run));
            self.cell(run, scope, measure, cell.value, 0)?;
        }
        Ok(())
    }

    /// [`Self::merge`] for several tables.
    pub fn merge_all<'t>(
        &mut self,
        tables: impl IntoIterator<Item = &'t Table>,
    ) -> Result<(), BuildError> {
        tables.into_iter().try_for_each(|table| self.merge(table))
    }

    /// Adds everything another table holds. Measures of one name must be of one kind. A builder
    /// made by [`Builder::new`] refuses a measure it does not know at once, and a row that lacks
    /// one when it builds.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, Measure, Policy};
    ///
    /// let table = |run: &str, score: f64| {
    ///     let mut builder = Builder::new([Measure::number("score")]);
    ///     builder.add(run, "t1", [("score", score.into())])?;
    ///     builder.build(&Policy::default()).map(|built| built.table)
    /// };
    /// let mut builder = Builder::from_table(table("a", 0.5)?);
    /// builder.merge(&table("b", 0.7)?)?;
    /// assert_eq!(builder.build(&Policy::default())?.table.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&mut self, other: &Table) -> Result<(), BuildError> {
        if self.is_strict {
            let known = |measure: &Measure| self.known.measures.contains_key(&measure.name);
            let unknown = other.measures().map(|(_, measure)| measure).filter(|m| !known(m));
            let mut unknown: Vec<String> = unknown.map(|measure| measure.name.clone()).collect();
            unknown.sort();
            if !unknown.is_empty() {
                return Err(BuildError::UnknownMeasures(unknown));
            }
        }
        self.has_merged = true;
        let mut measures = Vec::new();
        for (_, measure) in other.measures() {
            measures.push(self.measure(measure.clone())?);
        }
        let runs: Vec<RunId> = other.runs().map(|run| self.run(other.id(run))).collect();
        for (run, theirs) in runs.iter().zip(other.runs()) {
            for facet in other.facets() {
                match facet.get(theirs.0) {
                    FacetValue::Absent => {}
                    value => self.facet(*run, &facet.name, facet.kind, value),
                }
            }
        }
        for topic in other.topics() {
            let ours = self.topic(other.topic_name(topic));
            for facet in other.topic_facets() {
                if let Some(value) = facet.get(topic.0).known() {
                    self.topic_facet(ours, &facet.name, value);
                }
            }
        }
        for cell in other.cells() {
            let scope = match cell.scope {
                Scope::Topic(topic) => Scope::Topic(self.topic(other.topic_name(topic))),
                Scope::All => Scope::All,
            };
            let measure = measures[cell.measure.index()];
            self.cell(runs[cell.run.index()], scope, measure, cell.value, 0)?;
        }
        if self.content.layout.is_none() {
            self.content.layout.clone_from(&other.content.layout);
        }
        Ok(())
    }

    /// Refuses rows of merged tables that lack a measure the builder was made with.
    pub(super) fn check_rows(&self) -> Result<(), BuildError> {
        if !self.is_strict || !self.has_merged {
            return Ok(());
        }
        let content = &self.content;
        let mut lacking = HashSet::new();
        let mut rows: HashMap<(u32, u32), HashSet<u16>> = HashMap::new();
        for cell in content.cells.iter().filter(|cell| cell.scope != Cell::ALL) {
            rows.entry((cell.run, cell.scope)).or_default().insert(cell.measure);
        }
        for (at, _) in (0u16..).zip(&content.measures).filter(|(_, m)| m.topic.is_some()) {
            if rows.values().any(|measures| !measures.contains(&at)) {
                lacking.insert(at);
            }
        }
        let mut missing: Vec<String> =
            lacking.iter().map(|at| content.measures[usize::from(*at)].name.clone()).collect();
        missing.sort();
        if missing.is_empty() { Ok(()) } else { Err(BuildError::MissingMeasures(missing)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Policy;

    fn table(run: &str, measures: &[&'static str]) -> Table {
        let mut builder = Builder::new(measures.iter().map(|name| Measure::number(*name)));
        builder.add(run, "t1", measures.iter().map(|name| (*name, 0.5.into()))).expect("added");
        builder.build(&Policy::default()).expect("built").table
    }

    #[test]
    fn merged_rows_that_lack_a_declared_measure_are_refused() {
        let both = ["a", "b"];
        let merged = |measures: &[&'static str]| {
            let mut builder = Builder::new(both.map(Measure::number));
            builder.add("x", "t1", both.map(|name| (name, 0.5.into()))).expect("added");
            builder.merge(&table("y", measures)).expect("merged");
            builder.build(&Policy::default()).map(|built| built.table.len())
        };
        assert_eq!(merged(&both), Ok(2));
        assert_eq!(merged(&["a"]), Err(BuildError::MissingMeasures(vec!["b".to_owned()])));
        // Two tables that share their rows make them complete.
        let mut builder = Builder::new(both.map(Measure::number));
        for name in both {
            builder.merge(&table("y", &[name])).expect("merged");
        }
        assert!(builder.build(&Policy::default()).is_ok());
    }
}
