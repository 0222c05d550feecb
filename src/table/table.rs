//! The table: runs, topics, measures, cells. Immutable; only the builder makes one.
//!
//! An aggregate that is absent is absent. Nothing here turns it into a zero, and ranking puts it
//! last.

use std::collections::{BTreeMap, HashMap};

use crate::domain::nearest;
use crate::table::cell::{Cell, Column};
use crate::table::{
    CellRef, Facet, FacetValue, Layout, Measure, MeasureId, Names, Reduce, RunId, Scope, TopicId,
    Value,
};

/// Everything a table holds; the builder fills it and makes it a [`Table`].
#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    pub(super) measures: Vec<Measure>,
    pub(super) ids: Names,
    /// Each run's number in `ids`.
    pub(super) runs: Vec<u32>,
    pub(super) facets: Vec<Facet>,
    pub(super) topics: Names,
    pub(super) topic_facets: Vec<Facet>,
    pub(super) texts: Names,
    pub(super) cells: Vec<Cell>,
    pub(super) columns: Vec<Column>,
    pub(super) layout: Option<Layout>,
    /// Each measure by its name and by its name in exports; each facet by its name.
    pub(super) measure_index: HashMap<String, u16>,
    pub(super) facet_index: HashMap<String, usize>,
}

impl Content {
    /// Fills the indexes once measures and facets are final.
    pub(super) fn index(&mut self) {
        self.measure_index.clear();
        self.facet_index.clear();
        for (at, measure) in (0u16..).zip(&self.measures) {
            self.measure_index.entry(measure.name.clone()).or_insert(at);
            self.measure_index.entry(measure.field().to_owned()).or_insert(at);
        }
        for (at, facet) in self.facets.iter().enumerate() {
            self.facet_index.entry(facet.name.clone()).or_insert(at);
        }
    }
}

/// Runs × topics × measures. See the [module](super) for what can be asked of it.
#[derive(Debug, Clone)]
pub struct Table {
    pub(super) content: Content,
}

/// Why a name did not lead to one thing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// No measure of that name.
    #[error("the table has no measure `{name}`")]
    Measure {
        /// What was asked for.
        name: String,
        /// A measure that may be meant.
        nearest: Option<String>,
        /// All measures.
        known: Vec<String>,
    },
    /// No facet of that name.
    #[error("the table has no facet `{name}`")]
    Facet {
        /// What was asked for.
        name: String,
        /// A facet that may be meant.
        nearest: Option<String>,
        /// All facets.
        known: Vec<String>,
    },
    /// No run whose id starts so.
    #[error("no run's id starts with `{name}`")]
    Run {
        /// What was asked for.
        name: String,
        /// An id that may be meant.
        nearest: Option<String>,
    },
    /// Several runs whose ids start so.
    #[error("`{name}` is the start of {count} run ids")]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// How many ids start so.
        count: usize,
        /// Some of them.
        some: Vec<String>,
    },
}

impl Table {
    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.content.runs.len()
    }

    /// Whether there is no run.
    pub fn is_empty(&self) -> bool {
        self.content.runs.is_empty()
    }

    /// The runs, in the order of first sight.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = RunId> + use<> {
        (0..u32::try_from(self.content.runs.len()).unwrap_or(u32::MAX)).map(RunId)
    }

    /// The id of a run.
    pub fn id(&self, run: RunId) -> &str {
        self.content.ids.get(self.content.runs.get(run.index()).copied().unwrap_or(u32::MAX))
    }

    /// The topics, in the order of first sight.
    pub fn topics(&self) -> impl Iterator<Item = TopicId> + use<> {
        (0..u32::try_from(self.content.topics.len()).unwrap_or(u32::MAX)).map(TopicId)
    }

    /// The name of a topic.
    pub fn topic_name(&self, topic: TopicId) -> &str {
        self.content.topics.get(topic.0)
    }

    /// The topic of that name.
    pub fn topic(&self, name: &str) -> Option<TopicId> {
        self.content.topics.find(name).map(TopicId)
    }

    /// The measures, in order.
    pub fn measures(&self) -> impl DoubleEndedIterator<Item = (MeasureId, &Measure)> {
        self.content
            .measures
            .iter()
            .enumerate()
            .map(|(at, measure)| (MeasureId(u16::try_from(at).unwrap_or(u16::MAX)), measure))
    }

    /// One measure.
    pub fn measure(&self, id: MeasureId) -> &Measure {
        &self.content.measures[id.index()]
    }

    /// The measure of that name (or of that name in exports), letter case aside if that is unique.
    pub fn measure_named(&self, name: &str) -> Result<MeasureId, NameError> {
        if let Some(at) = self.content.measure_index.get(name) {
            return Ok(MeasureId(*at));
        }
        let loose = |(_, m): &(MeasureId, &Measure)| {
            m.name.eq_ignore_ascii_case(name) || m.field().eq_ignore_ascii_case(name)
        };
        self.measures().find(loose).map(|(id, _)| id).ok_or_else(|| NameError::Measure {
            name: name.to_owned(),
            nearest: nearest(name, self.measures().map(|(_, m)| m.name.as_str()))
                .map(str::to_owned),
            known: self.measures().map(|(_, m)| m.name.clone()).collect(),
        })
    }

    /// The first measure that has a better direction: what a table is ranked by unless asked.
    pub fn main_measure(&self) -> Option<MeasureId> {
        let ordered = |m: &Measure| m.better != crate::table::Better::Unordered;
        let candidates = || self.measures().filter(|(_, m)| ordered(m) && m.aggregate.is_some());
        // What a run costs is not what it is ranked by unless the user asks for it.
        let first = candidates().find(|(_, m)| !crate::table::measure::lower_by_name(&m.name));
        first.or_else(|| candidates().next()).or_else(|| self.measures().next()).map(|(id, _)| id)
    }

    /// A run's aggregate.
    pub fn value(&self, run: RunId, measure: MeasureId) -> Option<Value<'_>> {
        if let Some((bits, is_text)) = self.content.columns[measure.index()].get(run.0) {
            return Some(self.unpack(bits, is_text));
        }
        let Reduce::Ratio { of, per, scale } = &self.measure(measure).reduce else { return None };
        let other = |name: &str| self.number(run, self.measure_named(name).ok()?);
        let below = match per {
            Some(name) => other(name).filter(|below| *below != 0.0)?,
            None => 1.0,
        };
        Some(Value::Number(other(of)? * scale / below))
    }

    /// A run's aggregate, if it is a number.
    pub fn number(&self, run: RunId, measure: MeasureId) -> Option<f64> {
        self.value(run, measure)?.number()
    }

    /// What is known about runs.
    pub fn facets(&self) -> &[Facet] {
        &self.content.facets
    }

    /// What is known about topics.
    pub fn topic_facets(&self) -> &[Facet] {
        &self.content.topic_facets
    }

    /// One facet of a run; absent if there is no such facet.
    pub fn facet(&self, run: RunId, name: &str) -> FacetValue<'_> {
        let at = self.content.facet_index.get(name);
        at.map_or(FacetValue::Absent, |at| self.content.facets[*at].get(run.0))
    }

    /// The run facet of that name.
    pub fn facet_named(&self, name: &str) -> Result<&Facet, NameError> {
        let at = self.content.facet_index.get(name);
        at.map(|at| &self.content.facets[*at]).ok_or_else(|| {
            let known: Vec<&str> = self.content.facets.iter().map(|f| f.name.as_str()).collect();
            NameError::Facet {
                name: name.to_owned(),
                nearest: nearest(name, known.iter().copied()).map(str::to_owned),
                known: known.into_iter().map(str::to_owned).collect(),
            }
        })
    }

    /// The columns this table is shown with, where its source has an opinion.
    pub fn layout(&self) -> Option<&Layout> {
        self.content.layout.as_ref()
    }

    /// All cells: those per topic in the order of first sight, then the aggregates.
    pub fn cells(&self) -> impl Iterator<Item = CellRef<'_>> {
        let listed = self.content.cells.iter().any(|cell| cell.scope == Cell::ALL);
        let aggregates = self.runs().flat_map(move |run| {
            self.measures().filter_map(move |(measure, _)| {
                let (bits, is_text) = self.content.columns[measure.index()].get(run.0)?;
                let value = self.unpack(bits, is_text);
                Some(CellRef { run, scope: Scope::All, measure, value })
            })
        });
        let given = self.content.cells.iter().map(|cell| CellRef {
            run: RunId(cell.run),
            scope: cell.scope(),
            measure: MeasureId(cell.measure),
            value: self.unpack(cell.bits, cell.is_text),
        });
        given.chain(aggregates.filter(move |_| !listed))
    }

    /// Whether any cell is about a topic.
    pub fn has_topics(&self) -> bool {
        self.content.cells.iter().any(|cell| cell.scope != Cell::ALL)
    }

    /// Whether any run has a value of `measure`.
    pub fn has_values(&self, measure: MeasureId) -> bool {
        match self.measure(measure).reduce {
            Reduce::Ratio { .. } => self.runs().any(|run| self.value(run, measure).is_some()),
            _ => !self.content.columns[measure.index()].is_empty(),
        }
    }

    /// Each run's numbers per topic, by run and measure: one pass over the cells.
    pub fn topic_numbers(&self) -> BTreeMap<(RunId, MeasureId), Vec<(TopicId, f64)>> {
        let mut numbers: BTreeMap<_, Vec<(TopicId, f64)>> = BTreeMap::new();
        for cell in self.content.cells.iter().filter(|cell| cell.scope != Cell::ALL) {
            if let Some(number) = cell.number() {
                let key = (RunId(cell.run), MeasureId(cell.measure));
                numbers.entry(key).or_default().push((TopicId(cell.scope), number));
            }
        }
        numbers
    }

    /// The value of a topic for one run: one per topic, in topic order; the last one if several.
    pub fn topic_values(&self, run: RunId, measure: MeasureId) -> Vec<Option<f64>> {
        let mut values = vec![None; self.content.topics.len()];
        for cell in &self.content.cells {
            if cell.run == run.0 && cell.measure == measure.0 && cell.scope != Cell::ALL {
                values[cell.scope as usize] = cell.number();
            }
        }
        values
    }

    /// How many topics each run has a value for, and how many it could have; `None` without topics.
    pub fn coverage(&self, measure: MeasureId) -> Option<Vec<u32>> {
        let mut counts: Option<Vec<u32>> = None;
        for cell in &self.content.cells {
            if cell.measure == measure.0 && cell.scope != Cell::ALL {
                counts.get_or_insert_with(|| vec![0; self.len()])[cell.run as usize] += 1;
            }
        }
        counts
    }

    /// The run with that id, or whose id starts so if no other does; failing that, the run whose
    /// model starts so.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, Measure, Policy};
    ///
    /// let mut builder = Builder::new([Measure::number("score")]);
    /// builder.add("bench_20250501", "t1", [("score", 0.5.into())])?;
    /// builder.add("bench_20250504", "t1", [("score", 0.7.into())])?;
    /// let table = builder.build(&Policy::default())?.table;
    /// assert_eq!(table.id(table.find("bench_20250504")?), "bench_20250504");
    /// assert!(table.find("bench_2025050").is_err()); // two of them
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, name: &str) -> Result<RunId, NameError> {
        if let Some(run) = self.runs().find(|run| self.id(*run) == name) {
            return Ok(run);
        }
        let by_id: Vec<RunId> = self.runs().filter(|run| self.id(*run).starts_with(name)).collect();
        let model = |run: &RunId| self.facet(*run, "model").known().unwrap_or_default();
        let mut hits = by_id;
        if hits.is_empty() {
            hits = self.runs().filter(|run| model(run) == name).collect();
        }
        if hits.is_empty() {
            hits = self.runs().filter(|run| model(run).starts_with(name)).collect();
        }
        match hits[..] {
            [run] => Ok(run),
            [] => {
                let near = nearest(name, self.runs().map(|run| self.id(run)));
                let nearest = near.map(str::to_owned);
                Err(NameError::Run { name: name.to_owned(), nearest })
            }
            _ => Err(NameError::Ambiguous {
                name: name.to_owned(),
                count: hits.len(),
                some: hits.iter().take(5).map(|run| self.id(*run).to_owned()).collect(),
            }),
        }
    }

    /// For each run, how many characters of its id no other id starts with, at least `least`.
    pub fn short_ids(&self, least: usize) -> Vec<usize> {
        let mut order: Vec<RunId> = self.runs().collect();
        order.sort_by(|a, b| self.id(*a).cmp(self.id(*b)));
        let shared = |a: RunId, b: RunId| {
            self.id(a).chars().zip(self.id(b).chars()).take_while(|(x, y)| x == y).count()
        };
        let mut lengths = vec![least; self.len()];
        for pair in order.windows(2) {
            let needed = shared(pair[0], pair[1]) + 1;
            for run in pair {
                lengths[run.index()] = lengths[run.index()].max(needed);
            }
        }
        lengths
    }

    fn unpack(&self, bits: u64, is_text: bool) -> Value<'_> {
        if is_text {
            Value::Text(self.content.texts.get(u32::try_from(bits).unwrap_or(u32::MAX)).into())
        } else {
            Value::Number(f64::from_bits(bits))
        }
    }
}
