//! Figures per facet: of runs (environment, model) or of topics (tier).

use std::collections::{BTreeMap, HashMap};

use super::facets::FacetKind;
use super::summary::{Sum, Summary, real};
use crate::table::cell::Cell;
use crate::table::{MeasureId, NameError, RunId, Table};

/// What runs without the facet are called.
pub const UNKNOWN: &str = "unknown";

/// The runs of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What they share.
    pub name: String,
    /// The runs.
    pub runs: Vec<RunId>,
    /// The figures of their values; `None` if none has one.
    pub summary: Option<Summary>,
}

impl Table {
    /// The figures of `measure` for each text of the facet, in the order of first sight. A run
    /// with several tags counts in each. A facet of topics groups the runs' means per slice.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, FacetKind, FacetValue, Measure, Policy};
    ///
    /// let mut builder = Builder::new([Measure::number("score")]);
    /// for (run, model, score) in [("a", "m1", 0.5), ("b", "m1", 0.9), ("c", "m2", 0.1)] {
    ///     builder.add(run, "t1", [("score", score.into())])?;
    ///     let run = builder.run(run);
    ///     builder.facet(run, "model", FacetKind::Text, FacetValue::Text(model));
    /// }
    /// let table = builder.build(&Policy::default())?.table;
    /// let groups = table.group("model", table.measure_named("score")?)?;
    /// assert_eq!((groups[0].name.as_str(), groups[0].runs.len()), ("m1", 2));
    /// assert_eq!(groups[0].summary.map(|summary| summary.mean), Some(0.7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn group(&self, facet: &str, measure: MeasureId) -> Result<Vec<Group>, NameError> {
        if self.facet_named(facet).is_err()
            && self.topic_facets().iter().any(|known| known.name == facet)
        {
            return Ok(self.group_topics(facet, measure));
        }
        let facet = self.facet_named(facet)?;
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut put = |name: &str, run: RunId| {
            if let Some(at) = known.get(name) {
                groups[*at].runs.push(run);
            } else {
                known.insert(name.to_owned(), groups.len());
                groups.push(Group { name: name.to_owned(), runs: vec![run], summary: None });
            }
        };
        for run in self.runs() {
            if facet.kind == FacetKind::List {
                let tags = facet.list(run.0);
                for tag in &tags {
                    put(tag, run);
                }
                if tags.is_empty() {
                    put(UNKNOWN, run);
                }
            } else {
                put(facet.get(run.0).known().unwrap_or(UNKNOWN), run);
            }
        }
        for group in &mut groups {
            group.summary =
                Summary::of(group.runs.iter().filter_map(|run| self.number(*run, measure)));
        }
        Ok(groups)
    }

    /// For each slice of topics, the figures of the runs' means over it.
    fn group_topics(&self, facet: &str, measure: MeasureId) -> Vec<Group> {
        let Some(facet) = self.topic_facets().iter().find(|known| known.name == facet) else {
            return Vec::new();
        };
        let mut names: Vec<&str> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut slices: Vec<usize> = Vec::new();
        for topic in self.topics() {
            let name = facet.get(topic.0).known().unwrap_or(UNKNOWN);
            slices.push(*known.entry(name).or_insert_with(|| {
                names.push(name);
                names.len() - 1
            }));
        }
        // By slice, then by run: most tables have every slice in every run, but a stranger's
        // table need not.
        let mut sums: BTreeMap<(usize, RunId), (Sum, usize)> = BTreeMap::new();
        for cell in &self.content.cells {
            if let (true, Some(number)) =
                (cell.measure == measure.0 && cell.scope != Cell::ALL, cell.number())
            {
                let slice = slices[cell.scope as usize];
                let (sum, count) = sums.entry((slice, RunId(cell.run))).or_default();
                sum.add(number);
                *count += 1;
            }
        }
        let mut groups: Vec<(Vec<RunId>, Vec<f64>)> = vec![Default::default(); names.len()];
        for ((slice, run), (sum, count)) in sums {
            groups[slice].0.push(run);
            groups[slice].1.push(sum.over(real(count)));
        }
        let group = |(name, (runs, means)): (&&str, (Vec<RunId>, Vec<f64>))| Group {
            name: (*name).to_owned(),
            runs,
            summary: Summary::of(means),
        };
        names.iter().zip(groups).map(group).collect()
    }
}
