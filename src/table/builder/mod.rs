//! The only door to a [`Table`]: declare measures, add cells, build under a policy.
//!
//! Loading, merging and filtering go through here too. Values are checked and cast when they are
//! added; aggregates are made in `aggregates.rs` and nowhere else. An aggregate the source gives is
//! added like any other cell, never skipped before: the policy decides about it.

mod aggregates;
mod duplicates;
mod holes;
mod merge;
mod policy;
mod presence;
mod retain;
mod rows;
mod size;

use std::collections::HashMap;

use super::facets::{Facet, FacetKind, FacetValue};
use super::layout::Layout;
use super::measure::{Better, Measure};
use super::value::{Kind, Value};
use crate::table::cell::{Cell, Column};
use crate::table::table::Content;
use crate::table::{MeasureId, RunId, Scope, Table, TopicId};

pub use holes::{Hole, HoleList};
pub use policy::{Aggregates, BuildError, Duplicates, Expect, Holes, Policy};

/// A finished table and what should be said about it.
#[derive(Debug, Clone)]
pub struct Built {
    /// The table.
    pub table: Table,
    /// What a user should know.
    pub notes: Vec<String>,
}

/// Collects cells and makes a table of them.
///
/// ```
/// use gmat_leaderboard::table::{Builder, Holes, Measure, Policy, Expect};
///
/// let mut builder = Builder::new([Measure::number("grade"), Measure::text("label")]);
/// builder.add("run1", "t1", [("grade", 0.8.into()), ("label", "A".into())])?;
/// builder.add("run2", "t1", [("grade", 0.4.into()), ("label", "B".into())])?;
/// builder.add("run2", "t2", [("grade", 0.6.into()), ("label", "C".into())])?;
/// assert!(builder.add("run1", "t2", [("grad", 0.8.into())]).is_err()); // a slip fails at once
///
/// let policy = Policy {
///     holes: Holes::FixAggregate,
///     expect: Expect::Topics(vec!["t1".into(), "t2".into()]),
///     ..Policy::default()
/// };
/// let table = builder.build(&policy)?.table;
/// let grade = table.measure_named("grade")?;
/// assert_eq!(table.number(table.find("run1")?, grade), Some(0.4)); // t2 counts as 0
/// assert_eq!(table.number(table.find("run2")?, grade), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Builder {
    content: Content,
    /// The index of each measure, facet of runs and facet of topics.
    known: Known,
    /// Whether the measures were given to [`Builder::new`]: rows must then have all of them and
    /// no other.
    is_strict: bool,
    /// Whether another table was merged, whose rows nothing has checked yet.
    has_merged: bool,
}

#[derive(Debug, Clone, Default)]
struct Known {
    measures: HashMap<String, u16>,
    facets: HashMap<String, usize>,
    topic_facets: HashMap<String, usize>,
}

impl Known {
    fn from_content(content: &Content) -> Self {
        let mut known = Self::default();
        for (at, measure) in (0u16..).zip(&content.measures) {
            known.measures.entry(measure.name.clone()).or_insert(at);
        }
        for (names, facets) in
            [(&mut known.facets, &content.facets), (&mut known.topic_facets, &content.topic_facets)]
        {
            for (at, facet) in facets.iter().enumerate() {
                names.entry(facet.name.clone()).or_insert(at);
            }
        }
        known
    }
}

impl Builder {
    /// A builder that knows these measures.
    pub fn new(measures: impl IntoIterator<Item = Measure>) -> Self {
        let mut builder = Self::default();
        for measure in measures {
            builder.content.measures.push(measure);
            builder.content.columns.push(Column::default());
        }
        builder.known = Known::from_content(&builder.content);
        builder.is_strict = !builder.content.measures.is_empty();
        builder
    }

    /// A builder that holds everything `table` holds, to change it.
    pub fn from_table(table: Table) -> Self {
        let mut content = table.content;
        // Aggregates that are listed as cells are taken from there.
        for cell in content.cells.iter().filter(|cell| cell.scope == Cell::ALL) {
            content.columns[usize::from(cell.measure)].clear(cell.run);
        }
        Self { known: Known::from_content(&content), content, ..Self::default() }
    }

    /// [`Self::from_table`]; with `drop_aggregates` without the measures that have aggregates only,
    /// which [`Aggregates::Recompute`] cannot make anew.
    pub fn for_table(table: Table, drop_aggregates: bool) -> Self {
        let mut builder = Self::from_table(table);
        if drop_aggregates {
            builder.retain_measures(|measure| measure.topic.is_some());
        }
        builder
    }

    /// Declares a measure, or finds the one of that name; a scope that only one of the two knows
    /// is added.
    pub fn measure(&mut self, measure: Measure) -> Result<MeasureId, BuildError> {
        let measures = &mut self.content.measures;
        if let Some(at) = self.known.measures.get(&measure.name).copied() {
            let known = &mut measures[usize::from(at)];
            for (known, new) in
                [(&mut known.topic, measure.topic), (&mut known.aggregate, measure.aggregate)]
            {
                match (*known, new) {
                    (Some(one), Some(other)) if one != other => {
                        let measure = measure.name;
                        return Err(BuildError::KindConflict { measure, one, other });
                    }
                    (None, new) => *known = new,
                    _ => {}
                }
            }
            return Ok(MeasureId(at));
        }
        let id = u16::try_from(measures.len()).map_err(|_| BuildError::TooManyMeasures)?;
        self.known.measures.insert(measure.name.clone(), id);
        measures.push(measure);
        self.content.columns.push(Column::default());
        Ok(MeasureId(id))
    }

    /// The names of the measures declared so far.
    pub fn measure_names(&self) -> impl Iterator<Item = &str> {
        self.content.measures.iter().map(|measure| measure.name.as_str())
    }

    /// Gives a measure another direction; `false` if there is no measure of that name.
    pub(crate) fn redirect(&mut self, name: &str, better: Better) -> bool {
        let found = self.content.measures.iter_mut().find(|measure| measure.name == name);
        found.map(|measure| measure.better = better).is_some()
    }

    /// The columns the table is shown with.
    pub fn layout(&mut self, layout: Layout) {
        self.content.layout = Some(layout);
    }

    /// The run with this id, which is remembered.
    pub fn run(&mut self, id: &str) -> RunId {
        let known = self.content.ids.len();
        let number = self.content.ids.intern(id);
        if number as usize == known {
            return self.push_run(number);
        }
        match self.content.runs.get(number as usize) {
            // Until two runs share an id, runs and ids have the same numbers.
            Some(at) if *at == number => RunId(number),
            _ => {
                let at = self.content.runs.iter().position(|run| *run == number);
                at.map_or_else(|| self.push_run(number), |at| RunId(u32::try_from(at).unwrap_or(0)))
            }
        }
    }

    /// Another run with this id, even if there is one.
    pub(crate) fn another_run(&mut self, id: &str) -> RunId {
        let number = self.content.ids.intern(id);
        self.push_run(number)
    }

    /// Whether a run has this id.
    pub(crate) fn has_run(&self, id: &str) -> bool {
        self.content.ids.find(id).is_some()
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.content.runs.len()
    }

    /// Whether there is no run.
    pub fn is_empty(&self) -> bool {
        self.content.runs.is_empty()
    }

    fn push_run(&mut self, number: u32) -> RunId {
        self.content.runs.push(number);
        RunId(u32::try_from(self.content.runs.len() - 1).unwrap_or(u32::MAX))
    }

    /// The topic of this name, which is remembered.
    pub fn topic(&mut self, name: &str) -> TopicId {
        TopicId(self.content.topics.intern(name))
    }

    /// Says something about a run.
    pub fn facet(&mut self, run: RunId, name: &str, kind: FacetKind, value: FacetValue<'_>) {
        let facets = &mut self.content.facets;
        facet_of(facets, &mut self.known.facets, name, kind).set(run.0, value);
    }

    /// Says something about a topic.
    pub fn topic_facet(&mut self, topic: TopicId, name: &str, value: &str) {
        let facets = &mut self.content.topic_facets;
        facet_of(facets, &mut self.known.topic_facets, name, FacetKind::Text)
            .set(topic.0, FacetValue::Text(value));
    }

    /// Adds one cell, cast to what its measure is in that scope.
    #[expect(clippy::needless_pass_by_value, reason = "`0.5.into()` reads better without a &")]
    pub fn cell(
        &mut self,
        run: RunId,
        scope: Scope,
        measure: MeasureId,
        value: Value<'_>,
        line: u32,
    ) -> Result<(), BuildError> {
        let (bits, is_text) = self.cast(run, scope, measure, &value)?;
        let scope = match scope {
            Scope::Topic(topic) => topic.0,
            Scope::All => Cell::ALL,
        };
        self.content.cells.push(Cell {
            run: run.0,
            scope,
            line,
            measure: measure.0,
            is_text,
            bits,
        });
        Ok(())
    }

    /// Sets an aggregate of a source that gives each once, such as one file per run. One that is
    /// there already makes it a cell like any other, and the build decides between them.
    pub fn aggregate(
        &mut self,
        run: RunId,
        measure: MeasureId,
        value: Value<'_>,
    ) -> Result<(), BuildError> {
        if self.content.columns[measure.index()].get(run.0).is_some() {
            return self.cell(run, Scope::All, measure, value, 0);
        }
        let (bits, is_text) = self.cast(run, Scope::All, measure, &value)?;
        self.content.columns[measure.index()].set(run.0, (bits, is_text));
        Ok(())
    }

    fn cast(
        &mut self,
        run: RunId,
        scope: Scope,
        measure: MeasureId,
        value: &Value<'_>,
    ) -> Result<(u64, bool), BuildError> {
        let declared = &mut self.content.measures[measure.index()];
        let given = if matches!(value, Value::Number(_)) { Kind::Number } else { Kind::Text };
        let slot = match scope {
            Scope::Topic(_) => &mut declared.topic,
            Scope::All => &mut declared.aggregate,
        };
        let kind = *slot.get_or_insert(given);
        let number = match (value, kind) {
            (Value::Number(number), Kind::Number) => Some(*number),
            (Value::Text(text), Kind::Number) => super::value::parse_number(text),
            (_, Kind::Text) => {
                let text = u64::from(self.content.texts.intern(&value.to_string()));
                return Ok((text, true));
            }
        };
        number.map(|number| (number.to_bits(), false)).ok_or_else(|| BuildError::NotANumber {
            run: self.id(run).to_owned(),
            measure: self.content.measures[measure.index()].name.clone(),
            value: value.to_string(),
        })
    }

    /// Whether a measure is a number in this scope, as far as is known.
    pub(crate) fn is_number(&self, measure: MeasureId, scope: Scope) -> bool {
        let declared = &self.content.measures[measure.index()];
        let kind = match scope {
            Scope::Topic(_) => declared.topic,
            Scope::All => declared.aggregate,
        };
        kind == Some(Kind::Number)
    }

    fn id(&self, run: RunId) -> &str {
        self.content.ids.get(self.content.runs[run.index()])
    }

    /// Adds a run's values for one topic: every declared per-topic measure, no other.
    pub fn add<'v>(
        &mut self,
        run: &str,
        topic: &str,
        values: impl IntoIterator<Item = (&'v str, Value<'v>)>,
    ) -> Result<(), BuildError> {
        let topic_number = self.topic(topic);
        self.add_row(run, Scope::Topic(topic_number), values)
    }

    /// Adds a row for each record: `read` gives its run, its topic and its values.
    pub fn add_records<'v, R, V>(
        &mut self,
        records: impl IntoIterator<Item = R>,
        read: impl Fn(R) -> (&'v str, &'v str, V),
    ) -> Result<(), BuildError>
    where
        V: IntoIterator<Item = (&'v str, Value<'v>)>,
    {
        let mut rows = records.into_iter().map(read);
        rows.try_for_each(|(run, topic, values)| self.add(run, topic, values))
    }

    /// Refuses a run that has no value of a required measure.
    fn check_required(&self, policy: &Policy) -> Result<(), BuildError> {
        let content = &self.content;
        let mut lacking = Vec::new();
        for name in &policy.required {
            let at = self.known.measures.get(name).copied();
            let mut has = vec![false; content.runs.len()];
            if let Some(at) = at {
                for cell in content.cells.iter().filter(|cell| cell.measure == at) {
                    has[cell.run as usize] = true;
                }
                for (run, has) in (0u32..).zip(&mut has) {
                    *has |= content.columns[usize::from(at)].get(run).is_some();
                }
            }
            let without = (0u32..).zip(&has).filter(|(_, has)| !**has);
            lacking.extend(without.map(|(run, _)| (run, name)));
        }
        let count = lacking.len();
        match lacking.into_iter().min() {
            None => Ok(()),
            Some((run, measure)) => Err(BuildError::Required {
                run: self.id(RunId(run)).to_owned(),
                measure: measure.clone(),
                count,
            }),
        }
    }

    /// Resolves what was given twice, looks for holes, makes aggregates, and is done.
    pub fn build(mut self, policy: &Policy) -> Result<Built, BuildError> {
        let mut notes = Vec::new();
        self.check_size()?;
        self.check_rows()?;
        self.resolve_duplicates(policy)?;
        let holes = self.treat_holes(policy, &mut notes)?;
        self.make_aggregates(policy, &holes, &mut notes);
        self.check_required(policy)?;
        self.content.index();
        Ok(Built { table: Table { content: self.content }, notes })
    }
}

fn facet_of<'f>(
    facets: &'f mut Vec<Facet>,
    known: &mut HashMap<String, usize>,
    name: &str,
    kind: FacetKind,
) -> &'f mut Facet {
    let at = known.get(name).copied().unwrap_or_else(|| {
        known.insert(name.to_owned(), facets.len());
        facets.push(Facet::new(name, kind));
        facets.len() - 1
    });
    &mut facets[at]
}
