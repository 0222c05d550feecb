//! Upstream's answers, quirks included: ids cut to 16 characters, figures of the page shown,
//! times compared as texts. For a table loaded with
//! [`Options::compat`](crate::import::rlm_code::Options).

mod compare;
mod export;
mod python;
mod styled;

pub use compare::{ComparedEntries, GroupsByValue};
pub use python::python_summary;
pub use styled::{Styled, StyledCell};

use serde::Serialize;
use serde_json::Value as Json;

use crate::table::{
    Clock, FacetValue, Group, Key, MeasureId, NameError, Order, RankRow, RunId, STARTED_AT,
    Summary, Table, Ties, TrendPoint, UNKNOWN,
};

/// One entry as upstream writes it, in its field order.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the fields are upstream's and mean what they say")]
pub struct Entry<'t> {
    pub entry_id: String,
    pub benchmark_id: &'t str,
    pub run_id: Option<&'t str>,
    pub environment: Option<&'t str>,
    pub model: Option<&'t str>,
    pub preset: Option<&'t str>,
    pub timestamp: Option<&'t str>,
    pub description: Option<&'t str>,
    pub avg_reward: f64,
    pub completion_rate: f64,
    pub total_cases: i64,
    pub completed_cases: i64,
    pub avg_steps: f64,
    pub total_tokens: i64,
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    pub estimated_cost: f64,
    pub duration_seconds: f64,
    pub efficiency: f64,
    pub tokens_per_step: f64,
    pub source_path: &'t str,
    pub tags: Json,
    pub metadata: Json,
}

/// One point of what `compute_trend` returns.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are upstream's and mean what they say")]
pub struct TrendEntry<'t> {
    pub timestamp: &'t str,
    pub entry_id: String,
    pub value: f64,
    pub moving_avg: f64,
}

/// The five figures of a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct Statistics {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The standard deviation of a sample.
    pub std_dev: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl From<Option<Summary>> for Statistics {
    fn from(summary: Option<Summary>) -> Self {
        summary.map_or_else(Self::default, |Summary { mean, median, std_dev, min, max, .. }| Self {
            mean,
            median,
            std_dev,
            min,
            max,
        })
    }
}

/// One page of a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The measure's name.
    pub metric: String,
    /// The direction.
    pub order: Order,
    /// The rows shown.
    pub rows: Vec<RankRow>,
    /// How many entries match, shown or not.
    pub filtered: usize,
    /// The figures of the rows shown.
    pub statistics: Statistics,
}

/// Answers as upstream gives them.
#[derive(Debug, Clone, Copy)]
pub struct Upstream<'t> {
    table: &'t Table,
    /// How many entries were loaded before any filter.
    total: usize,
}

/// Why upstream raises.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UpstreamError {
    /// A list cannot be grouped.
    #[error("`{0}` is a list and cannot be grouped")]
    ListField(String),
    /// A name that is not there.
    #[error(transparent)]
    Name(#[from] NameError),
}

impl<'t> Upstream<'t> {
    /// Answers over `table`, which holds what matches of `total` loaded entries.
    pub fn new(table: &'t Table, total: usize) -> Self {
        Self { table, total }
    }

    /// How many entries were loaded before any filter.
    #[cfg_attr(sealed, expect(dead_code, reason = "the conformance tests use it"))]
    pub fn total(self) -> usize {
        self.total
    }

    /// One entry in full.
    pub fn entry(self, run: RunId) -> Entry<'t> {
        let table = self.table;
        let number = |name: &str| {
            table.measure_named(name).ok().and_then(|id| table.number(run, id)).unwrap_or(0.0)
        };
        #[expect(clippy::cast_possible_truncation, reason = "counts were cut to whole numbers")]
        let count = |name: &str| number(name) as i64;
        let text = |name: &str| match table.facet(run, name) {
            FacetValue::Absent => Some(""),
            FacetValue::Null => None,
            FacetValue::Text(text) => Some(text),
        };
        let raw = |name: &str, empty: Json| match table.facet(run, name) {
            FacetValue::Text(json) => serde_json::from_str(json).unwrap_or_default(),
            _ => empty,
        };
        let id = table.id(run);
        let is_run = table.facet(run, "kind") == FacetValue::Text("run");
        Entry {
            entry_id: cut(id, 16).to_owned(),
            benchmark_id: if is_run { "" } else { id },
            run_id: is_run.then_some(id),
            environment: text("environment"),
            model: text("model"),
            preset: text("preset"),
            timestamp: text(STARTED_AT),
            description: text("description"),
            avg_reward: number("reward"),
            completion_rate: number("completion_rate"),
            total_cases: count("cases"),
            completed_cases: count("completed_cases"),
            avg_steps: number("steps"),
            total_tokens: count("tokens"),
            prompt_tokens: count("prompt_tokens"),
            completion_tokens: count("completion_tokens"),
            estimated_cost: number("cost"),
            duration_seconds: number("duration"),
            efficiency: number("efficiency"),
            tokens_per_step: number("tokens_per_step"),
            source_path: text("source_path").unwrap_or_default(),
            tags: raw("tags", Json::Array(Vec::new())),
            metadata: raw("metadata", Json::Object(serde_json::Map::new())),
        }
    }

    /// A page: positions for ranks, ties in load order, 0 means no limit, a negative limit counts
    /// from the end.
    pub fn rank(
        self,
        metric: &str,
        order: Option<Order>,
        limit: Option<i64>,
    ) -> Result<Page, NameError> {
        let ranking = self.table.rank(self.table.measure_named(metric)?, order, Ties::Position);
        let mut rows = ranking.rows;
        let filtered = rows.len();
        let keep = match limit {
            None | Some(0) => filtered,
            Some(limit) => match usize::try_from(limit) {
                Ok(limit) => limit.min(filtered),
                Err(_) => filtered
                    .saturating_sub(usize::try_from(limit.unsigned_abs()).unwrap_or(usize::MAX)),
            },
        };
        rows.truncate(keep);
        let statistics = python_summary(rows.iter().filter_map(|row| row.value)).into();
        let metric = self.table.measure(ranking.measure).name.clone();
        Ok(Page { metric, order: ranking.order, rows, filtered, statistics })
    }

    /// Entries by the 16-character id, first loaded wins; unknown ids are absent.
    pub fn find(self, ids: &[&str]) -> Vec<(String, RunId)> {
        let mut found: Vec<(String, RunId)> = Vec::new();
        for id in ids {
            let run = self.table.runs().find(|run| cut(self.table.id(*run), 16) == *id);
            if let Some(run) = run
                && !found.iter().any(|(known, _)| known == id)
            {
                found.push(((*id).to_owned(), run));
            }
        }
        found
    }

    /// The values of any field, sorted, without those Python calls false.
    #[cfg_attr(sealed, expect(dead_code, reason = "the conformance tests use it"))]
    pub fn unique(self, field: &str) -> Vec<String> {
        let mut values: Vec<String> =
            self.table.runs().filter_map(|run| self.field(run, field).ok().flatten()).collect();
        values.sort();
        values.dedup();
        values
    }

    /// Groups over any field.
    pub fn group(self, field: &str, metric: &str) -> Result<Vec<Group>, UpstreamError> {
        let measure = self.table.measure_named(metric)?;
        let mut groups: Vec<Group> = Vec::new();
        for run in self.table.runs() {
            let name = self.field(run, field)?.unwrap_or_else(|| UNKNOWN.to_owned());
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.runs.push(run),
                None => groups.push(Group { name, runs: vec![run], summary: None }),
            }
        }
        for group in &mut groups {
            let values = group.runs.iter().filter_map(|run| self.table.number(*run, measure));
            group.summary = python_summary(values);
        }
        Ok(groups)
    }

    /// The points of a trend, in the order of their times as texts.
    pub fn trend(self, metric: &str, window: usize) -> Result<Vec<TrendEntry<'t>>, NameError> {
        let trend = self.table.trend(self.table.measure_named(metric)?, window, Clock::Texts);
        let values: Vec<f64> = trend.points.iter().map(|point| point.value).collect();
        let point = |(at, point): (usize, &TrendPoint<'t>)| {
            // A window of 0 is everything so far.
            let start = if window == 0 { 0 } else { (at + 1).saturating_sub(window) };
            TrendEntry {
                timestamp: point.at,
                entry_id: cut(self.table.id(point.run), 16).to_owned(),
                value: point.value,
                moving_avg: python::mean(&values[start..=at]).unwrap_or(point.moving_mean),
            }
        };
        Ok(trend.points.iter().enumerate().map(point).collect())
    }

    /// A field as text; `None` for what Python calls false.
    fn field(self, run: RunId, field: &str) -> Result<Option<String>, UpstreamError> {
        let entry = serde_json::to_value(self.entry(run)).unwrap_or_default();
        Ok(match &entry[field] {
            Json::String(text) if !text.is_empty() => Some(text.clone()),
            Json::Number(number) if number.as_f64() != Some(0.0) => Some(number.to_string()),
            Json::Array(_) | Json::Object(_) => {
                return Err(UpstreamError::ListField(field.to_owned()));
            }
            _ => None,
        })
    }

    fn number(self, run: RunId, key: &Key) -> f64 {
        let id: Option<MeasureId> = match key {
            Key::Measure(name) => self.table.measure_named(name).ok(),
            _ => None,
        };
        id.and_then(|id| self.table.number(run, id)).unwrap_or(0.0)
    }
}

/// The first `length` characters.
fn cut(text: &str, length: usize) -> &str {
    text.char_indices().nth(length).map_or(text, |(end, _)| &text[..end])
}
