//! Two tables brought to the same topics, where both have topics at all.

use super::super::builder::Policy;
use super::super::grid::{NameError, Table};
use super::super::select::{Select, SelectError};
use super::agree::{Plan, measures, shared_topics};

/// Both sides, and what was done to them.
#[derive(Debug, Clone)]
pub struct Mutual {
    /// The truth.
    pub truth: Table,
    /// The judge.
    pub judge: Table,
    /// Which aggregates are compared: lower case, no full stop.
    pub words: String,
}

/// Whether every measure that will be compared has values per topic.
fn has_topics(table: &Table, wanted: &[String]) -> Result<bool, NameError> {
    let names = measures(table, wanted)?;
    let per_topic = |name: &String| {
        let id = table.measure_named(name);
        id.is_ok_and(|id| table.coverage(id).is_some())
    };
    Ok(!names.is_empty() && names.iter().all(per_topic))
}

/// Brings truth and judge to the same topics. `shared` asks for it or forbids it; `None` does it
/// where every measure compared has topics on both sides. `topics` and `runs` name them instead.
pub fn mutual(
    truth: &Table,
    judge: Table,
    plan: &Plan,
    shared: Option<bool>,
    topics: Option<Vec<String>>,
    runs: Option<Vec<String>>,
    policy: &Policy,
) -> Result<Mutual, SelectError> {
    let both =
        has_topics(truth, &plan.truth_measures)? && has_topics(&judge, &plan.judge_measures)?;
    let named = topics.is_some();
    let topics = match (topics, shared) {
        (Some(topics), _) => Some(topics),
        (None, Some(false)) => None,
        (None, Some(true)) => Some(shared_topics(truth, &judge)),
        (None, None) => both.then(|| shared_topics(truth, &judge)),
    };
    let words = match &topics {
        Some(topics) => {
            let which = if named { "named" } else { "shared" };
            let all = |table: &Table| table.topics().count();
            format!(
                "aggregates recomputed over {} {which} topics (truth has {}, judge {})",
                topics.len(),
                all(truth),
                all(&judge)
            )
        }
        None => "each side's aggregates, not recomputed for this comparison".to_owned(),
    };
    let select = Select { runs, topics, ..Select::default() };
    let truth = truth.clone().select(&select, policy)?.table;
    let judge = judge.select(&select, policy)?.table;
    Ok(Mutual { truth, judge, words })
}
