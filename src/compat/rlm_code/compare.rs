//! Upstream's `compare`: runs by their 16-character ids, with the values of some measures.

use serde::{Serialize, Serializer};

use super::{Entry, Upstream};
use crate::table::{Group, NameError, Summary};

/// The measures rlm-code ranks by, in its order.
const METRICS: [&str; 7] =
    ["reward", "completion_rate", "steps", "tokens", "cost", "duration", "efficiency"];

/// What `compare` returns: entries by id, in the order asked.
#[derive(Debug, Clone, Serialize)]
pub struct ComparedEntries<'t>(Ordered<Compared<'t>>);

#[derive(Debug, Clone, Serialize)]
struct Compared<'t> {
    entry: Entry<'t>,
    metrics: Ordered<f64>,
}

/// What `aggregate_by_field` returns: the figures of each value, in the order of first sight.
#[derive(Debug, Clone, Serialize)]
pub struct GroupsByValue(Ordered<Figures>);

#[derive(Debug, Clone, Serialize)]
struct Figures {
    count: usize,
    mean: f64,
    median: f64,
    min: f64,
    max: f64,
}

impl GroupsByValue {
    /// The figures of `groups`.
    pub fn new(groups: &[Group]) -> Self {
        let figures = |group: &Group| {
            let Summary { count, mean, median, min, max, .. } = group.summary?;
            Some((group.name.clone(), Figures { count, mean, median, min, max }))
        };
        Self(Ordered(groups.iter().filter_map(figures).collect()))
    }
}

impl<'t> Upstream<'t> {
    /// Compares by all measures that rank, unless some are named. Unknown ids are left out.
    pub fn compare(self, ids: &[&str], by: &[String]) -> Result<ComparedEntries<'t>, NameError> {
        let metrics: Vec<&str> =
            if by.is_empty() { METRICS.to_vec() } else { by.iter().map(String::as_str).collect() };
        let mut found = Vec::new();
        for (id, run) in self.find(ids) {
            let mut values = Vec::new();
            for name in &metrics {
                let value = self.table.number(run, self.table.measure_named(name)?).unwrap_or(0.0);
                values.push(((*name).to_owned(), value));
            }
            found.push((id, Compared { entry: self.entry(run), metrics: Ordered(values) }));
        }
        Ok(ComparedEntries(Ordered(found)))
    }
}

/// A map that keeps its order.
#[derive(Debug, Clone)]
struct Ordered<T>(Vec<(String, T)>);

impl<T: Serialize> Serialize for Ordered<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
