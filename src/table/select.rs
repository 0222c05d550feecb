//! Which runs, topics and measures.

use std::collections::{BTreeSet, HashSet};
use std::str::FromStr;

use super::builder::{Aggregates, BuildError, Builder, Built, Policy};
use super::facets::FacetValue;
use super::moment::Moment;
use crate::domain::nearest;
use crate::table::{NameError, RunId, Table};

/// The facet that holds when a run started.
pub(crate) const STARTED_AT: &str = "timestamp";

/// `name op value`, such as `reward>=0.5` or `model=gpt-4o`.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// A measure or a facet.
    pub name: String,
    /// The comparison.
    pub compare: Compare,
    /// What it is compared with.
    pub value: String,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compare {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `<`
    Below,
    /// `=` or `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// Why a condition could not be read or applied.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// No comparison in it.
    #[error("`{0}` is not a condition")]
    Form(String),
    /// A measure is compared with a text.
    #[error("`{name}` is a measure, and `{value}` is not a number")]
    NotANumber {
        /// The measure.
        name: String,
        /// What it is compared with.
        value: String,
    },
    /// Neither a measure nor a facet.
    #[error(transparent)]
    Name(#[from] NameError),
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let form = || ConditionError::Form(text.to_owned());
        let at = text.find(['<', '>', '=', '!']).ok_or_else(form)?;
        let (name, rest) = text.split_at(at);
        let (compare, value) = [
            (">=", Compare::AtLeast),
            ("<=", Compare::AtMost),
            ("!=", Compare::NotEqual),
            ("==", Compare::Equal),
            (">", Compare::Above),
            ("<", Compare::Below),
            ("=", Compare::Equal),
        ]
        .into_iter()
        .find_map(|(sign, compare)| Some((compare, rest.strip_prefix(sign)?)))
        .ok_or_else(form)?;
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        if name.is_empty() || value.is_empty() {
            return Err(form());
        }
        Ok(Self { name, compare, value })
    }
}

impl Compare {
    fn holds<T: PartialOrd + ?Sized>(self, a: &T, b: &T) -> bool {
        match self {
            Self::AtLeast => a >= b,
            Self::AtMost => a <= b,
            Self::Above => a > b,
            Self::Below => a < b,
            Self::Equal => a == b,
            Self::NotEqual => a != b,
        }
    }
}

/// Conditions that must all hold; an empty list keeps everything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Select {
    /// For each facet named: any of these texts.
    pub facets: Vec<(String, Vec<String>)>,
    /// Conditions on measures and facets.
    pub conditions: Vec<Condition>,
    /// Started at or after.
    pub since: Option<Moment>,
    /// Started at or before.
    pub until: Option<Moment>,
    /// Whether runs whose time is unknown, or not comparable with the bound, stay.
    pub keep_undated: bool,
    /// Only runs whose id starts with one of these.
    pub ids: Vec<String>,
    /// Not these runs, by id.
    pub without: Vec<String>,
    /// Only these runs, by id.
    pub runs: Option<Vec<String>>,
    /// Only these topics.
    pub topics: Option<Vec<String>>,
    /// Only these measures.
    pub measures: Option<Vec<String>>,
    /// Where topics are left out, whether a run that never had any stays with its aggregates.
    pub keep_topicless: bool,
}

/// A text of a [`Select`] that no run or topic has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// A facet, `run`, `topic` or `id`.
    pub what: String,
    /// The text.
    pub text: String,
    /// What may be meant.
    pub nearest: Option<String>,
}

impl std::fmt::Display for Unmatched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { what, text, nearest } = self;
        match what.as_str() {
            "run" => write!(f, "no run is called `{text}`")?,
            "id" => write!(f, "no run's id starts with `{text}`")?,
            "topic" => write!(f, "no run has topic `{text}`")?,
            what => write!(f, "no run has {what} `{text}`")?,
        }
        match nearest {
            Some(name) => write!(f, "; nearest: `{name}`"),
            None => Ok(()),
        }
    }
}

impl Select {
    /// Whether every run passes.
    pub(crate) fn takes_all_runs(&self) -> bool {
        let Self { facets, conditions, since, until, ids, without, runs, .. } = self;
        facets.is_empty()
            && conditions.is_empty()
            && since.is_none()
            && until.is_none()
            && ids.is_empty()
            && without.is_empty()
            && runs.is_none()
    }

    /// Whether `run` passes, with measures and facets already looked up.
    fn passes(&self, table: &Table, run: RunId, tests: &[Test<'_>]) -> bool {
        let facet_holds = |(name, wanted): &(String, Vec<String>)| {
            let Some(facet) = table.facets().iter().find(|facet| facet.name == *name) else {
                return wanted.iter().any(String::is_empty);
            };
            match (facet.kind, facet.get(run.0)) {
                (super::FacetKind::List, _) => {
                    facet.list(run.0).iter().any(|tag| wanted.contains(tag))
                }
                (_, FacetValue::Text(text)) => wanted.iter().any(|wanted| wanted == text),
                (_, FacetValue::Absent) => wanted.iter().any(String::is_empty),
                (_, FacetValue::Null) => false,
            }
        };
        self.facets.iter().filter(|(_, wanted)| !wanted.is_empty()).all(facet_holds)
            && tests.iter().all(|test| test.holds(table, run))
            && self.in_time(table, run)
            && (self.ids.is_empty()
                || self.ids.iter().any(|id| table.id(run).starts_with(id.as_str())))
            && !self.without.iter().any(|id| id == table.id(run))
    }

    fn in_time(&self, table: &Table, run: RunId) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let Some(at) = table.facet(run, STARTED_AT).known().and_then(Moment::parse) else {
            return self.keep_undated;
        };
        let holds = |bound: Option<Moment>, test: fn(i64, i64) -> bool| {
            bound.is_none_or(|bound| {
                (self.keep_undated && bound.zoned != at.zoned) || test(at.micros, bound.micros)
            })
        };
        holds(self.since, |at, bound| at >= bound) && holds(self.until, |at, bound| at <= bound)
    }

    fn tests<'s>(&'s self, table: &Table) -> Result<Vec<Test<'s>>, ConditionError> {
        self.conditions.iter().map(|condition| Test::new(condition, table)).collect()
    }
}

/// A condition whose name was looked up.
struct Test<'s> {
    condition: &'s Condition,
    measure: Option<(super::MeasureId, f64)>,
}

impl<'s> Test<'s> {
    fn new(condition: &'s Condition, table: &Table) -> Result<Self, ConditionError> {
        let measure = match table.measure_named(&condition.name) {
            Ok(id) => {
                let number = super::value::parse_number(&condition.value).ok_or_else(|| {
                    ConditionError::NotANumber {
                        name: condition.name.clone(),
                        value: condition.value.clone(),
                    }
                })?;
                Some((id, number))
            }
            Err(error) if table.facet_named(&condition.name).is_err() => return Err(error.into()),
            Err(_) => None,
        };
        Ok(Self { condition, measure })
    }

    fn holds(&self, table: &Table, run: RunId) -> bool {
        let Condition { name, compare, value } = self.condition;
        if let Some((id, bound)) = self.measure {
            return table.number(run, id).is_some_and(|number| compare.holds(&number, &bound));
        }
        table.facet(run, name).known().is_some_and(|text| compare.holds(text, value))
    }
}

/// Why a selection could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// A condition.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The table that is left.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Table {
    /// The table of what `select` takes. Where topics are left out, aggregates are computed anew
    /// from those that stay; runs without any of them vanish.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, Measure, Policy, Select};
    ///
    /// let mut builder = Builder::new([Measure::number("score")]);
    /// for (run, topic, score) in [("a", "t1", 0.2), ("a", "t2", 0.8), ("b", "t1", 0.9), ("b", "t2", 0.1)] {
    ///     builder.add(run, topic, [("score", score.into())])?;
    /// }
    /// let table = builder.build(&Policy::default())?.table;
    /// let select = Select { topics: Some(vec!["t1".into()]), ..Select::default() };
    /// let table = table.select(&select, &Policy::default())?.table;
    /// let score = table.measure_named("score")?;
    /// assert_eq!(table.number(table.find("b")?, score), Some(0.9));
    ///
    /// let good = Select { conditions: vec!["score>=0.5".parse()?], ..Select::default() };
    /// assert_eq!(table.select(&good, &Policy::default())?.table.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(self, select: &Select, policy: &Policy) -> Result<Built, SelectError> {
        let keep: Option<Vec<bool>> = if select.takes_all_runs() {
            None
        } else {
            let tests = select.tests(&self)?;
            let wanted: Option<HashSet<&str>> =
                select.runs.as_ref().map(|runs| runs.iter().map(String::as_str).collect());
            let keep = |run| {
                wanted.as_ref().is_none_or(|wanted| wanted.contains(self.id(run)))
                    && select.passes(&self, run, &tests)
            };
            Some(self.runs().map(keep).collect())
        };
        if keep.is_none() && select.topics.is_none() && select.measures.is_none() {
            return Ok(Built { table: self, notes: Vec::new() });
        }
        for name in select.measures.iter().flatten() {
            self.measure_named(name)?;
        }
        let mut builder = Builder::from_table(self);
        if let Some(keep) = keep {
            builder.retain_runs(|run| keep[run.index()]);
        }
        if let Some(measures) = &select.measures {
            builder.retain_measures(|m| {
                measures.iter().any(|name| *name == m.name || name == m.field())
            });
        }
        let mut policy = policy.clone();
        if let Some(topics) = &select.topics {
            let wanted: HashSet<&str> = topics.iter().map(String::as_str).collect();
            policy.aggregates = Aggregates::Recompute;
            let topicless = builder.topicless_runs();
            builder.retain_topics(|name| wanted.contains(name));
            builder.drop_topicless_runs(|run| select.keep_topicless && topicless.contains(&run));
        }
        Ok(builder.build(&policy)?)
    }

    /// The texts of `select` that no run or topic has, each with the nearest one there is.
    pub fn unmatched(&self, select: &Select) -> Vec<Unmatched> {
        let mut found = Vec::new();
        let mut look = |what: &str, texts: &[String], known: &BTreeSet<&str>, is_start: bool| {
            for text in texts.iter().filter(|text| !text.is_empty()) {
                let has = known.contains(text.as_str())
                    || (is_start && known.iter().any(|id| id.starts_with(text.as_str())));
                if !has {
                    let nearest = nearest(text, known.iter().copied()).map(str::to_owned);
                    found.push(Unmatched { what: what.to_owned(), text: text.clone(), nearest });
                }
            }
        };
        for (name, texts) in &select.facets {
            let values = self.distinct(name);
            let what = if name == "tags" { "tag" } else { name.as_str() };
            look(what, texts, &values.iter().map(String::as_str).collect(), false);
        }
        if !select.ids.is_empty() || select.runs.is_some() {
            let ids: BTreeSet<&str> = self.runs().map(|run| self.id(run)).collect();
            look("id", &select.ids, &ids, true);
            look("run", select.runs.as_deref().unwrap_or_default(), &ids, false);
        }
        if let Some(topics) = &select.topics {
            let known: BTreeSet<&str> = self.topics().map(|topic| self.topic_name(topic)).collect();
            look("topic", topics, &known, false);
        }
        found
    }

    /// The table without one run, and whether there was such a run.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, Measure, Policy};
    ///
    /// let mut builder = Builder::new([Measure::number("score")]);
    /// builder.add("a", "t1", [("score", 0.5.into())])?;
    /// let table = builder.build(&Policy::default())?.table;
    /// let (table, removed) = table.remove("a")?;
    /// assert!(removed && table.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(self, id: &str) -> Result<(Self, bool), BuildError> {
        let before = self.len();
        let keep: Vec<bool> = self.runs().map(|run| self.id(run) != id).collect();
        let mut builder = Builder::from_table(self);
        builder.retain_runs(|run| keep[run.index()]);
        let policy = Policy { duplicates: super::Duplicates::Keep, ..Policy::default() };
        let table = builder.build(&policy)?.table;
        let removed = table.len() < before;
        Ok((table, removed))
    }

    /// Every text a facet has, sorted.
    pub fn distinct(&self, facet: &str) -> Vec<String> {
        let Ok(facet) = self.facet_named(facet) else { return Vec::new() };
        let mut texts: Vec<String> =
            self.runs().flat_map(|run| facet.list(run.0)).filter(|t| !t.is_empty()).collect();
        texts.sort();
        texts.dedup();
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_a_name_a_sign_and_a_value() {
        for (text, name, compare, value) in [
            ("reward>=0.5", "reward", Compare::AtLeast, "0.5"),
            ("model = gpt-4o", "model", Compare::Equal, "gpt-4o"),
            ("steps!=3", "steps", Compare::NotEqual, "3"),
            ("a<b", "a", Compare::Below, "b"),
        ] {
            let condition: Condition = text.parse().expect("a condition");
            assert_eq!((condition.name.as_str(), condition.compare), (name, compare));
            assert_eq!(condition.value, value);
        }
        for text in ["reward", ">=0.5", "reward>=", ""] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
