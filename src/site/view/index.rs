//! The board itself, on one page or on many, and the lean page with all rows.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::baseline::{Baseline, Delta, baseline, delta, marks_line};
use super::row::{NAME, RowView, put_off, row_view};
use super::{Tombstone, rate};
use crate::facts::{Cohort, Facts, RowFacts};
use crate::site::changes::Moves;
use crate::site::chart::{Frontier, Ladder, Scatter, frontier, ladder, scatter};
use crate::site::format;
use crate::site::view::headline::{caption, frugal, no_delta, note, verdict};

/// Rows on a page: more would cost a phone seconds. A larger board has several pages.
pub(in crate::site) const PAGE_ROWS: usize = 200;
/// Rows of a page that are laid out for the first paint.
const FIRST_ROWS: usize = 100;
/// Pages on either side of the current one that are linked, beside the first and the last.
const NEAR: usize = 2;
/// Rows in the charts beside the board.
const CHART_ROWS: usize = 20;
/// More tiers than this stand only on the pages of the rows.
const TIER_COLUMNS: usize = 4;
/// So do tiers with long names.
const TIER_LETTERS: usize = 30;

/// One page of the board.
#[expect(clippy::struct_excessive_bools, reason = "each is a question a template asks")]
#[derive(Debug, Serialize)]
pub(in crate::site) struct IndexPage {
    pub(in crate::site) path: String,
    first: bool,
    verdict: String,
    frugal: String,
    split: bool,
    tiers: Vec<String>,
    columns: String,
    has_delta: bool,
    has_lift: bool,
    has_cost: bool,
    tables: Vec<TableView>,
    filters: Vec<Filter>,
    pages: Vec<PageLink>,
    all: bool,
    shown: String,
    ladder: Option<Ladder>,
    scatter: Option<Scatter>,
    frontier: Option<Frontier>,
    chart_note: String,
    withdrawn: Vec<Tombstone>,
}

/// The rows of one cohort; most boards have one.
#[derive(Debug, Serialize)]
struct TableView {
    id: String,
    /// Empty if there is one table.
    heading: String,
    caption: String,
    baseline: Option<Baseline>,
    /// Why no row has a difference; empty if there is a baseline.
    no_delta: &'static str,
    bodies: Vec<Body>,
}

#[derive(Debug, Serialize)]
struct Body {
    label: String,
    ranked: bool,
    rows: Vec<RowView>,
}

#[derive(Debug, Serialize)]
struct Filter {
    key: &'static str,
    label: &'static str,
    /// The choice that filters nothing.
    any: &'static str,
    options: Vec<String>,
}

/// A page of the board; without an address, pages that are left out.
#[derive(Debug, Serialize)]
struct PageLink {
    href: String,
    text: String,
    current: bool,
}

/// All rows in few columns.
#[derive(Debug, Serialize)]
pub(in crate::site) struct LeanPage {
    split: bool,
    has_delta: bool,
    shown: String,
    tables: Vec<LeanTable>,
}

#[derive(Debug, Serialize)]
struct LeanTable {
    id: String,
    heading: String,
    caption: String,
    baseline: Option<Baseline>,
    no_delta: &'static str,
    rows: Vec<LeanRow>,
}

#[derive(Debug, Serialize)]
struct LeanRow {
    slug: String,
    rank: String,
    model: String,
    provider: String,
    held_out: String,
    public: String,
    gap: String,
    delta: String,
    tone: &'static str,
    marks: String,
}

/// The pages of the board, the first of them `index.html`.
pub(in crate::site) fn index_pages(
    facts: &Facts<'_>,
    moves: &Moves,
    withdrawn: &[Tombstone],
) -> Vec<IndexPage> {
    let total = facts.rows.len();
    let count = total.div_ceil(PAGE_ROWS).max(1);
    let path = |at: usize| match at {
        0 => "index.html".to_owned(),
        at => format!("index-{}.html", at + 1),
    };
    let order: Vec<(usize, usize)> = (0..facts.cohorts.len())
        .flat_map(|cohort| facts.cohorts[cohort].rows.iter().map(move |row| (cohort, *row)))
        .collect();
    let mut pages: Vec<IndexPage> = (0..count)
        .map(|at| {
            let from = at * PAGE_ROWS;
            let rows = &order[from..order.len().min(from + PAGE_ROWS)];
            page(facts, moves, path(at), rows, (from, count))
        })
        .collect();
    if count > 1 {
        for (current, page) in pages.iter_mut().enumerate() {
            let near = |at: &usize| at.abs_diff(current) <= NEAR || [0, count - 1].contains(at);
            let mut last = 0;
            for at in (0..count).filter(near) {
                if at > last + 1 {
                    let (href, text) = (String::new(), "…".to_owned());
                    page.pages.push(PageLink { href, text, current: false });
                }
                let (href, text) = (path(at), (at + 1).to_string());
                page.pages.push(PageLink { href, text, current: at == current });
                last = at;
            }
        }
    }
    let sizes = facts.public_prompts.zip(facts.held_out_prompts);
    let charted = &facts.ranked()[..facts.scored.min(CHART_ROWS)];
    let first = &mut pages[0];
    first.withdrawn = withdrawn.to_vec();
    first.ladder = ladder("ladder", charted);
    first.scatter = scatter("scatter", charted, sizes);
    first.frontier = frontier("frontier", charted);
    first.chart_note = if facts.scored > CHART_ROWS {
        format!("The first {CHART_ROWS} of {}.", format::count(facts.scored, "ranked model"))
    } else {
        String::new()
    };
    pages
}

fn page(
    facts: &Facts<'_>,
    moves: &Moves,
    path: String,
    rows: &[(usize, usize)],
    (from, pages): (usize, usize),
) -> IndexPage {
    let letters: usize = facts.tiers.iter().map(|tier| tier.chars().count()).sum();
    let fit = facts.tiers.len() <= TIER_COLUMNS && letters <= TIER_LETTERS;
    let tiers: &[String] = if fit { &facts.tiers } else { &[] };
    let has_lift = facts.rows.iter().any(|row| row.row.close_the_loop.is_some());
    let has_delta = facts.has_baseline();
    let total = facts.rows.len();
    let shown = if pages == 1 {
        format::count(total, "model")
    } else {
        format!("{}–{} of {}", from + 1, from + rows.len(), format::count(total, "model"))
    };
    IndexPage {
        path,
        first: from == 0,
        verdict: verdict(facts),
        frugal: frugal(facts),
        split: facts.cohorts.len() > 1,
        tiers: tiers.iter().map(|tier| format::clean(tier)).collect(),
        columns: (8 + tiers.len() + usize::from(has_lift) + usize::from(has_delta)).to_string(),
        has_delta,
        has_lift,
        has_cost: facts.rows.iter().any(|row| row.cost.is_some()),
        tables: tables(facts, moves, rows, tiers),
        filters: if pages == 1 { filters(facts) } else { Vec::new() },
        pages: Vec::new(),
        all: pages > 1,
        shown,
        ladder: None,
        scatter: None,
        frontier: None,
        chart_note: String::new(),
        withdrawn: Vec::new(),
    }
}

/// The tables of a page that shows `rows`: of each its cohort and its place in the facts.
fn tables(
    facts: &Facts<'_>,
    moves: &Moves,
    rows: &[(usize, usize)],
    tiers: &[String],
) -> Vec<TableView> {
    let table = |at: usize, part: &[(usize, usize)]| {
        let (cohort, first) = part.first().copied().unwrap_or_default();
        let cohort = &facts.cohorts[cohort];
        let is_continued = cohort.rows.first().is_some_and(|start| *start != first);
        let continued = if is_continued { ", continued" } else { "" };
        TableView {
            id: table_id(at),
            heading: match cohort.heading.as_str() {
                "" => String::new(),
                heading => format!("{heading}{continued}"),
            },
            caption: [caption(facts, cohort), note(facts)].join(" ").trim_end().to_owned(),
            baseline: baseline(cohort, "m/"),
            no_delta: no_delta(facts, cohort),
            bodies: bodies(facts, cohort, moves, part, tiers),
        }
    };
    // An empty board keeps the head of its table.
    if rows.is_empty() {
        return vec![table(0, rows)];
    }
    let mut tables: Vec<TableView> =
        rows.chunk_by(|a, b| a.0 == b.0).enumerate().map(|(at, part)| table(at, part)).collect();
    let mut first = FIRST_ROWS;
    for table in &mut tables {
        let rows = table.bodies.iter_mut().flat_map(|body| &mut body.rows);
        let mut rows: Vec<&mut RowView> = rows.collect();
        let now = first.min(rows.len());
        first -= now;
        put_off(&mut rows, now);
    }
    tables
}

/// `board`, then `board-2` and so on.
fn table_id(at: usize) -> String {
    if at == 0 { "board".to_owned() } else { format!("board-{}", at + 1) }
}

/// Groups of rows that share the lower end of their ranks, then the rows without a rank.
fn bodies(
    facts: &Facts<'_>,
    cohort: &Cohort,
    moves: &Moves,
    rows: &[(usize, usize)],
    tiers: &[String],
) -> Vec<Body> {
    let mut members: BTreeMap<usize, usize> = BTreeMap::new();
    for place in cohort.rows.iter().filter_map(|at| facts.rows[*at].place) {
        *members.entry(place.low).or_default() += 1;
    }
    let low = |at: usize| facts.rows[at].place.map(|place| place.low);
    rows.chunk_by(|a, b| low(a.1) == low(b.1))
        .map(|group| {
            let low = low(group[0].1);
            let members = low.and_then(|low| members.get(&low).copied()).unwrap_or_default();
            Body {
                label: group_label(facts, low, members),
                ranked: low.is_some(),
                rows: group
                    .iter()
                    .map(|(_, at)| row_view(&facts.rows[*at], moves, tiers))
                    .collect(),
            }
        })
        .collect()
}

/// What is said above the rows whose ranks start at `low`; `members` of them are in the table.
fn group_label(facts: &Facts<'_>, low: Option<usize>, members: usize) -> String {
    let Some(low) = low else { return "Not ranked: no held-out score yet".to_owned() };
    let is_alone = || facts.order.places.iter().filter(|place| place.low == 1).count() == 1;
    match (low, members) {
        (1, _) if facts.scored == 1 => "Ranked: one model, nothing to compare it with".to_owned(),
        (1, members) if members == facts.scored => {
            format!("All {members} ranked models: no difference can be shown at 95%")
        }
        (1, 1) if is_alone() => "First: better than every model below at 95%".to_owned(),
        (1, 1) => "First group: no model is shown to be better than this one".to_owned(),
        (1, members) => format!("First group: no model is shown to be better than these {members}"),
        (low, members) => format!(
            "Next {}: {} shown to be better at 95%",
            if members == 1 { "model".to_owned() } else { format!("{members} models") },
            if low == 2 { "1 model is".to_owned() } else { format!("{} models are", low - 1) },
        ),
    }
}

fn filters(facts: &Facts<'_>) -> Vec<Filter> {
    let distinct = |key, label, any, value: fn(&RowFacts<'_>) -> String| {
        let options: BTreeSet<String> = facts.rows.iter().map(value).collect();
        (options.len() > 1).then(|| Filter {
            key,
            label,
            any,
            options: options.into_iter().collect(),
        })
    };
    [
        distinct("provider", "Provider", "any provider", |row| row.provider.clone()),
        distinct("kind", "Kind", "any kind", |row| format::clean(&row.row.kind)),
        distinct("status", "Status", "any status", |row| {
            if row.held_out.is_some() { "ranked" } else { "pending" }.to_owned()
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every row with few columns, for boards of several pages.
pub(in crate::site) fn lean_page(facts: &Facts<'_>) -> LeanPage {
    let tables = facts.cohorts.iter().enumerate().map(|(at, cohort)| LeanTable {
        id: table_id(at),
        heading: cohort.heading.clone(),
        caption: caption(facts, cohort),
        baseline: baseline(cohort, "m/"),
        no_delta: no_delta(facts, cohort),
        rows: cohort.rows.iter().map(|at| lean_row(&facts.rows[*at])).collect(),
    });
    LeanPage {
        split: facts.cohorts.len() > 1,
        has_delta: facts.has_baseline(),
        shown: format::count(facts.rows.len(), "model"),
        tables: tables.collect(),
    }
}

fn lean_row(row: &RowFacts<'_>) -> LeanRow {
    let none = || format::NONE.to_owned();
    let Delta { value, note, tone } = delta(row);
    LeanRow {
        slug: row.slug.clone(),
        rank: row.place.map_or_else(none, |p| format::range(p.low, p.high)),
        model: format::truncate(&row.model, NAME),
        provider: row.provider.clone(),
        held_out: row.held_out.map_or_else(|| "pending".to_owned(), rate),
        public: rate(row.public),
        gap: row.gap.map_or_else(none, format::points),
        delta: if note.is_empty() { value } else { format!("{value} {note}") },
        tone,
        marks: marks_line(row),
    }
}
