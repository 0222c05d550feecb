//! Given aggregates against those the topics make.

use serde::Serialize;

use crate::table::builder::Builder;
use crate::table::{Aggregates, BuildError, Duplicates, NameError, Policy, Scope, Table};

/// An aggregate that its topics do not make.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Discrepancy {
    /// The run.
    pub run: String,
    /// The measure.
    pub measure: String,
    /// What the source says.
    pub given: f64,
    /// What the topics make.
    pub recomputed: f64,
}

impl Table {
    /// Every given aggregate that differs from the recomputed one by more than `tolerance`, the
    /// largest difference of each measure first.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Aggregates, Builder, Measure, Policy, Scope};
    ///
    /// let mut builder = Builder::new([Measure::number("score")]);
    /// builder.add("a", "t1", [("score", 0.5.into())])?;
    /// builder.add_row("a", Scope::All, [("score", 0.9.into())])?;
    /// let table = builder.build(&Policy { aggregates: Aggregates::Keep, ..Policy::default() })?.table;
    /// let found = table.discrepancies(0.001)?;
    /// assert_eq!((found[0].given, found[0].recomputed), (0.9, 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn discrepancies(&self, tolerance: f64) -> Result<Vec<Discrepancy>, BuildError> {
        let mut builder = Builder::from_table(self.clone());
        builder.retain_measures(|measure| measure.topic.is_some());
        let policy = Policy {
            aggregates: Aggregates::Recompute,
            duplicates: Duplicates::Keep,
            ..Policy::default()
        };
        let fresh = builder.build(&policy)?.table;
        let mut found = Vec::new();
        for cell in self.cells().filter(|cell| cell.scope == Scope::All) {
            let name = &self.measure(cell.measure).name;
            let again = fresh.measure_named(name).ok().and_then(|id| fresh.number(cell.run, id));
            if let (Some(given), Some(recomputed)) = (cell.value.number(), again)
                && (given - recomputed).abs() > tolerance
            {
                let (run, measure) = (self.id(cell.run).to_owned(), name.clone());
                found.push(Discrepancy { run, measure, given, recomputed });
            }
        }
        let size = |d: &Discrepancy| (d.given - d.recomputed).abs();
        found.sort_by(|a, b| {
            a.measure.cmp(&b.measure).then(size(b).total_cmp(&size(a))).then(a.run.cmp(&b.run))
        });
        Ok(found)
    }

    /// Each run's aggregate, in the order of first sight; runs without one are left out.
    pub fn aggregate_ranking(&self, measure: &str) -> Result<Vec<(&str, f64)>, NameError> {
        let id = self.measure_named(measure)?;
        Ok(self.runs().filter_map(|run| Some((self.id(run), self.number(run, id)?))).collect())
    }
}
