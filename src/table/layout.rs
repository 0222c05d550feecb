//! Which columns a table is shown with. Data, not code: an importer may bring its own.

use super::measure::{Better, Display};
use crate::table::Table;

/// Where a column's value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key {
    /// The rank.
    Rank,
    /// The run's id.
    Id,
    /// The run's id, if its facet says so: one list may hold ids of two sorts.
    IdWhere {
        /// The facet.
        facet: String,
        /// What it must say.
        is: String,
    },
    /// A facet of the run.
    Facet(String),
    /// A measure.
    Measure(String),
}

/// One column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Its header.
    pub header: String,
    /// Its value.
    pub key: Key,
    /// How a number is shown; `None` as the measure says.
    pub display: Option<Display>,
}

impl Slot {
    /// A column of the measure `name`.
    pub(crate) fn measure(header: &str, name: &str, display: Display) -> Self {
        let key = Key::Measure(name.to_owned());
        Self { header: header.to_owned(), key, display: Some(display) }
    }

    /// A column of the facet `name`.
    pub(crate) fn facet(header: &str, name: &str) -> Self {
        Self { header: header.to_owned(), key: Key::Facet(name.to_owned()), display: None }
    }

    /// The rank.
    pub(crate) fn rank(header: &str) -> Self {
        Self { header: header.to_owned(), key: Key::Rank, display: None }
    }

    /// The id.
    pub(crate) fn id(header: &str) -> Self {
        Self { header: header.to_owned(), key: Key::Id, display: None }
    }
}

/// Where a table is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Medium {
    /// JSON: everything.
    Json,
    /// CSV: everything a spreadsheet wants.
    Csv,
    /// Markdown, LaTeX and the terminal: what a person reads.
    Page,
}

/// The columns for each medium.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// For JSON.
    pub json: Vec<Slot>,
    /// For CSV.
    pub csv: Vec<Slot>,
    /// For a page or a terminal.
    pub page: Vec<Slot>,
    /// What is shown below the measures when runs are put side by side: header and facet.
    pub beside: Vec<(&'static str, &'static str)>,
    /// What a person must know to read the columns, a line each.
    pub notes: Vec<String>,
    /// What a page is called unless it is given a title.
    pub title: String,
}

impl Layout {
    /// The columns of `medium` for `table`, ranked by the measures called `by`: those the source
    /// brought, with `by` added where it is not among them, else everything the table has.
    pub(crate) fn slots(table: &Table, medium: Medium, by: &[&str]) -> Vec<Slot> {
        let mut slots = match (table.layout(), medium) {
            (Some(layout), Medium::Json) => layout.json.clone(),
            (Some(layout), Medium::Csv) => layout.csv.clone(),
            (Some(layout), Medium::Page) => layout.page.clone(),
            (None, _) => Vec::new(),
        };
        if slots.is_empty() {
            slots = Self::generic(table, medium, by);
        }
        for by in by {
            let shown = |slot: &Slot| matches!(&slot.key, Key::Measure(name) if name == by);
            if !slots.iter().any(shown)
                && let Ok(id) = table.measure_named(by)
            {
                let measure = table.measure(id);
                let header = if medium == Medium::Page { measure.label() } else { measure.field() };
                slots.push(Slot::measure(header, &measure.name, measure.display));
            }
        }
        slots
    }

    fn generic(table: &Table, medium: Medium, by: &[&str]) -> Vec<Slot> {
        let page = medium == Medium::Page;
        let header =
            |plain: &str, page_word: &str| (if page { page_word } else { plain }).to_owned();
        let mut slots = vec![Slot::rank(&header("rank", "Rank")), Slot::id(&header("id", "ID"))];
        let mut measures: Vec<_> = table
            .measures()
            .filter(|(id, _)| table.has_values(*id))
            .map(|(_, measure)| measure)
            .collect();
        let place = |name: &str| by.iter().position(|by| *by == name);
        measures.sort_by_key(|measure| place(&measure.name).unwrap_or(by.len()));
        if page {
            // A page has room for what differs between runs and what has a direction.
            measures.retain(|m| place(&m.name).is_some() || m.better != Better::Unordered);
            measures.truncate(by.len().max(6));
        }
        // A column that repeats the ids says nothing.
        let repeats = |name: &str| {
            table.runs().all(|run| table.facet(run, name).known() == Some(table.id(run)))
        };
        for facet in table.facets().iter().filter(|facet| !repeats(&facet.name)) {
            if !page || facet.name == "model" {
                slots.push(Slot::facet(&header(&facet.name, "Model"), &facet.name));
            }
        }
        slots.extend(measures.into_iter().map(|measure| {
            let name = if page { measure.label() } else { measure.field() };
            Slot::measure(name, &measure.name, measure.display)
        }));
        slots
    }
}
