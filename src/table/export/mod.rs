//! A ranking as JSON, CSV, Markdown or LaTeX, written row by row: a million rows need no memory.
//!
//! Names come from strangers. A text cell never starts a formula in a spreadsheet, and `|`, `&` or
//! `_` in a name never breaks a page.

mod csv;
mod json;
mod latex;
mod markdown;

use std::collections::HashSet;

use super::facets::{Facet, FacetValue};
use super::layout::{Key, Layout, Medium};
use super::measure::{Better, Display};
use super::rank::{RankRow, Ranking};
use super::summary::Summary;
use crate::table::{MeasureId, Table};

/// Shown where there is no value.
pub const MISSING: &str = "–";

/// One page of a ranking, ready to be written.
///
/// ```
/// use gmat_leaderboard::table::{Builder, Measure, Page, Policy, Ties};
///
/// let mut builder = Builder::new([Measure::number("score")]);
/// builder.add("=a|b", "t1", [("score", 0.5.into())])?;
/// let table = builder.build(&Policy::default())?.table;
/// let ranking = table.rank(table.measure_named("score")?, None, Ties::Shared);
/// let page = Page::new(&table, &ranking);
/// let mut csv = Vec::new();
/// page.csv(&mut csv)?;
/// assert_eq!(String::from_utf8(csv)?, "rank,id,score\r\n1,'=a|b,0.5\r\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Page<'t> {
    /// The table.
    pub table: &'t Table,
    /// Its runs in order.
    pub ranking: &'t Ranking,
    /// How many rows are shown.
    pub shown: usize,
    /// How many runs there were before any filter.
    pub total: usize,
    /// What the page is called.
    pub title: String,
    /// When it was made, if that should be said.
    pub exported_at: Option<String>,
}

/// A column whose names were looked up.
#[derive(Debug, Clone)]
pub struct Column<'t> {
    /// Its header, with an arrow for the better direction on a page.
    pub header: String,
    /// Where its values come from.
    source: Source<'t>,
}

#[derive(Debug, Clone)]
enum Source<'t> {
    Rank,
    Id,
    IdWhere(Option<&'t Facet>, String),
    Facet(Option<&'t Facet>),
    Measure(MeasureId, Display),
}

/// What a cell shows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shown<'t> {
    /// Nothing is known.
    Missing,
    /// A number, and how it is shown.
    Number(f64, Display),
    /// A name or a text.
    Text(&'t str),
}

impl<'t> Page<'t> {
    /// All rows of `ranking`.
    pub fn new(table: &'t Table, ranking: &'t Ranking) -> Self {
        let title = table.layout().map(|layout| layout.title.clone());
        Self {
            table,
            ranking,
            shown: ranking.rows.len(),
            total: ranking.rows.len(),
            title: title.unwrap_or_else(|| "Leaderboard".to_owned()),
            exported_at: None,
        }
    }

    /// The rows shown.
    pub fn rows(&self) -> &'t [RankRow] {
        &self.ranking.rows[..self.shown.min(self.ranking.rows.len())]
    }

    /// What the ranking is by, the first one first.
    pub(crate) fn measures(&self) -> impl Iterator<Item = MeasureId> {
        std::iter::once(self.ranking.measure).chain(self.ranking.then.iter().copied())
    }

    /// The columns for `medium`.
    pub fn columns(&self, medium: Medium) -> Vec<Column<'t>> {
        let by: Vec<&str> =
            self.measures().map(|id| self.table.measure(id).name.as_str()).collect();
        let facet = |name: &str| self.table.facet_named(name).ok();
        let mut taken: HashSet<String> = HashSet::new();
        Layout::slots(self.table, medium, &by)
            .into_iter()
            .filter_map(|slot| {
                let mut header = slot.header;
                if medium == Medium::Json {
                    // A measure may be called `id`; a key of a JSON object may not stand twice.
                    let name = header.clone();
                    for number in 2.. {
                        if taken.insert(header.clone()) {
                            break;
                        }
                        header = format!("{name}_{number}");
                    }
                }
                let source = match slot.key {
                    Key::Rank => Source::Rank,
                    Key::Id => Source::Id,
                    Key::IdWhere { facet: name, is } => Source::IdWhere(facet(&name), is),
                    Key::Facet(name) => Source::Facet(facet(&name)),
                    Key::Measure(name) => {
                        let id = self.table.measure_named(&name).ok()?;
                        let measure = self.table.measure(id);
                        if medium == Medium::Page {
                            header.push_str(measure.better.arrow());
                        }
                        Source::Measure(id, slot.display.unwrap_or(measure.display))
                    }
                };
                Some(Column { header, source })
            })
            .collect()
    }

    /// What is shown in `column` of `row`.
    pub fn cell(&self, row: &RankRow, column: &Column<'t>) -> Shown<'t> {
        match &column.source {
            Source::Rank => match row.rank {
                Some(rank) => Shown::Number(f64::from(rank), Display::Fixed(0)),
                None => Shown::Missing,
            },
            Source::Id => Shown::Text(self.table.id(row.run)),
            Source::IdWhere(facet, is) => {
                if facet.is_some_and(|facet| facet.get(row.run.0) == FacetValue::Text(is)) {
                    Shown::Text(self.table.id(row.run))
                } else {
                    Shown::Missing
                }
            }
            Source::Facet(facet) => match facet.map(|facet| facet.get(row.run.0)) {
                Some(FacetValue::Text(text)) => Shown::Text(text),
                _ => Shown::Missing,
            },
            Source::Measure(id, display) => match self.table.value(row.run, *id) {
                Some(super::Value::Number(number)) => Shown::Number(number, *display),
                Some(super::Value::Text(std::borrow::Cow::Borrowed(text))) => Shown::Text(text),
                _ => Shown::Missing,
            },
        }
    }

    /// The better direction of a column, if it is a measure with one.
    pub fn better(&self, column: &Column<'_>) -> Option<Better> {
        match column.source {
            Source::Measure(id, _) => Some(self.table.measure(id).better),
            _ => None,
        }
    }

    /// The name of the measure in a column.
    pub fn measure(&self, column: &Column<'_>) -> Option<&'t str> {
        match column.source {
            Source::Measure(id, _) => Some(&self.table.measure(id).name),
            _ => None,
        }
    }

    /// Whether a column holds ids.
    pub(crate) fn is_id(column: &Column<'_>) -> bool {
        matches!(column.source, Source::Id)
    }

    /// Whether a column is right-aligned.
    pub(crate) fn is_number(column: &Column<'_>) -> bool {
        matches!(column.source, Source::Rank | Source::Measure(..))
    }

    /// The figures of all matching runs, and of the rows shown where those are fewer.
    pub(crate) fn figures(&self) -> (Option<Summary>, Option<Summary>) {
        let limited = self.shown < self.ranking.rows.len();
        let page = limited.then(|| self.ranking.page_summary(self.shown)).flatten();
        (self.ranking.summary, page)
    }
}
