//! Two tables brought to the same topics, where both have topics at all.

use super::super::builder::Policy;
use super::super::select::{Select, SelectError};
use super::agreement::{Plan, measures, shared_topics};
use crate::table::{NameError, Table};

/// The topics that are compared, and those that are not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Topics {
    /// Whether aggregates are computed from topics at all.
    pub used: bool,
    /// Topics both sides have, of those asked for.
    pub shared: usize,
    /// Only the truth has them; empty if a side has no topics at all.
    pub truth_only: Vec<String>,
    /// Only the judge has them; empty if a side has no topics at all.
    pub judge_only: Vec<String>,
    /// Asked for by name, but on neither side.
    pub unknown: Vec<String>,
}

impl Topics {
    fn shared(truth: &Table, judge: &Table, named: Option<&[String]>) -> Self {
        let names = |table: &Table| -> Vec<String> {
            table.topics().map(|topic| table.topic_name(topic).to_owned()).collect()
        };
        let wanted = |topic: &&String| named.is_none_or(|named| named.contains(topic));
        let (ours, theirs) = (names(truth), names(judge));
        let only = |side: &[String], other: &Table| -> Vec<String> {
            let lacks = |topic: &&String| other.topic(topic).is_none();
            side.iter().filter(wanted).filter(lacks).cloned().collect()
        };
        let shared = ours.iter().filter(wanted).filter(|topic| judge.topic(topic).is_some());
        let shared = shared.count();
        let unknown = named.unwrap_or_default().iter();
        let unknown = unknown
            .filter(|topic| truth.topic(topic).is_none() && judge.topic(topic).is_none())
            .cloned()
            .collect();
        let used = false;
        if named.is_none() && (ours.is_empty() || theirs.is_empty()) {
            return Self { used, shared, unknown, ..Self::default() };
        }
        let (truth_only, judge_only) = (only(&ours, judge), only(&theirs, truth));
        Self { used, shared, truth_only, judge_only, unknown }
    }
}

/// Both sides, and what was done to them.
#[derive(Debug, Clone)]
pub struct Mutual {
    /// The truth.
    pub truth: Table,
    /// The judge.
    pub judge: Table,
    /// Which aggregates are compared: lower case, no full stop.
    pub words: String,
    /// Which topics both sides have.
    pub topics: Topics,
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
/// where every measure compared has topics on both sides and aggregates need not stay as given.
/// `topics` and `runs` name them instead.
pub fn mutual(
    truth: &Table,
    judge: Table,
    plan: &Plan,
    shared: Option<bool>,
    topics: Option<Vec<String>>,
    runs: Option<Vec<String>>,
    policy: &Policy,
) -> Result<Mutual, SelectError> {
    let both = !policy.keeps_aggregates()
        && has_topics(truth, &plan.truth_measures)?
        && has_topics(&judge, &plan.judge_measures)?;
    let named = topics.is_some();
    let mut compared = Topics::shared(truth, &judge, topics.as_deref());
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
    compared.used = topics.is_some();
    let select = Select { runs, topics, ..Select::default() };
    let truth = truth.clone().select(&select, policy)?.table;
    let judge = judge.select(&select, policy)?.table;
    Ok(Mutual { truth, judge, words, topics: compared })
}
