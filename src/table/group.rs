//! Figures per facet: of runs (environment, model) or of topics (tier).

use super::facets::FacetKind;
use super::grid::{Cell, MeasureId, NameError, Run, Table};
use super::summary::{Sum, Summary, real};

/// What runs without the facet are called.
pub const UNKNOWN: &str = "unknown";

/// The runs of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What they share.
    pub name: String,
    /// The runs.
    pub runs: Vec<Run>,
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
        let mut put = |name: &str, run: Run| match groups.iter_mut().find(|g| g.name == name) {
            Some(group) => group.runs.push(run),
            None => groups.push(Group { name: name.to_owned(), runs: vec![run], summary: None }),
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
        let slices: Vec<usize> = self
            .topics()
            .map(|topic| {
                let name = facet.get(topic.0).known().unwrap_or(UNKNOWN);
                names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
            })
            .collect();
        let mut sums = vec![(Sum::default(), 0usize); names.len() * self.len()];
        for cell in &self.content.cells {
            if let (true, Some(number)) =
                (cell.measure == measure.0 && cell.scope != Cell::ALL, cell.number())
            {
                let heap = &mut sums[slices[cell.scope as usize] * self.len() + cell.run as usize];
                heap.0.add(number);
                heap.1 += 1;
            }
        }
        let runs: Vec<Run> = self.runs().collect();
        names
            .iter()
            .enumerate()
            .map(|(slice, name)| {
                let heaps = &sums[slice * self.len()..(slice + 1) * self.len()];
                let covered =
                    runs.iter().zip(heaps).filter(|(_, heap)| heap.1 > 0).map(|(run, _)| *run);
                let means = heaps.iter().filter(|h| h.1 > 0).map(|h| h.0.over(real(h.1)));
                Group {
                    name: (*name).to_owned(),
                    runs: covered.collect(),
                    summary: Summary::of(means),
                }
            })
            .collect()
    }
}
