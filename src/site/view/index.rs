//! The board: question, three answers, one drawing, the table.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Tombstone;
use super::baseline::{Baseline, baseline};
use super::entry::{Failed, Strip, failed, strip};
use super::headline::{Card, call, cards, entered, lede, next_steps, table_note};
use super::row::{Column, NAME, RowView, row_view};
use crate::facts::{Answers, Facts, RankGroup, RowFacts};
use crate::site::chart::{CostChart, cost_chart};
use crate::site::format;

/// A board with more rows than this has several pages.
const ONE_PAGE: usize = 500;
/// Rows on each of several pages.
const PAGE_ROWS: usize = 200;
/// Pages on either side of the current one that are linked, beside the first and the last.
const NEAR: usize = 2;
/// A table with fewer rows needs no search.
const SEARCHED: usize = 5;
/// More tiers than this stand only on the pages of the rows.
const TIER_COLUMNS: usize = 6;

/// One page of the board.
#[expect(clippy::struct_excessive_bools, reason = "each is a question a template asks")]
#[derive(Debug, Serialize)]
pub(in crate::site) struct IndexPage {
    #[serde(skip)]
    pub(in crate::site) path: String,
    /// Whether it is the first page, which has the cards and the drawing.
    first: bool,
    lede: String,
    /// What is known where nothing is ranked; else empty.
    entered: String,
    cards: Vec<Card>,
    chart: Option<CostChart>,
    /// Boards under another judge; none if there is one.
    tabs: Vec<PageLink>,
    /// Whether any row is ranked; else the public score is the score.
    ranked: bool,
    toolbar: bool,
    /// Whether columns sort: not where a page shows a part of the rows.
    sorts: bool,
    filters: Vec<Filter>,
    /// The columns of the menu.
    columns: Vec<Column>,
    sections: Vec<Section>,
    /// What the only row of the board answered; absent where there are several, or no answers.
    only: Option<OnlyRow>,
    /// What must be said under the table.
    note: String,
    baseline: Option<Baseline>,
    /// What a board with one row or none asks of its reader.
    call: Option<Card>,
    next: Vec<Card>,
    pages: Vec<PageLink>,
    /// Name, organization and page of every row as JSON, where the board has several pages.
    names: String,
    withdrawn: Vec<Tombstone>,
}

/// The answers of a board's only row.
#[derive(Debug, Serialize)]
struct OnlyRow {
    slug: String,
    strip: Strip,
    failed: Option<Failed>,
}

/// Rows under one heading.
#[derive(Debug, Serialize)]
struct Section {
    /// `top`, `behind` or `waiting`.
    class: &'static str,
    heading: &'static str,
    note: String,
    rows: Vec<RowView>,
}

/// A way to show fewer rows: a switch, or a choice if there are options.
#[derive(Debug, Serialize)]
struct Filter {
    key: &'static str,
    label: &'static str,
    options: Vec<String>,
}

/// A page of the board; without an address, pages that are left out.
#[derive(Debug, Serialize)]
struct PageLink {
    href: String,
    text: String,
    current: bool,
}

/// The pages of the board, the first of them `index.html`.
pub(in crate::site) fn index_pages(
    facts: &Facts<'_>,
    answers: &Answers<'_>,
    withdrawn: &[Tombstone],
) -> Vec<IndexPage> {
    let empty = RankGroup::default();
    let groups: Vec<&RankGroup> = if facts.rank_groups.is_empty() {
        vec![&empty]
    } else {
        facts.rank_groups.iter().collect()
    };
    let mut all = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let mut pages = group_pages(facts, answers, at, group);
        for page in &mut pages {
            page.tabs = tabs(&groups, at);
        }
        all.append(&mut pages);
    }
    if let Some(first) = all.first_mut() {
        first.withdrawn = withdrawn.to_vec();
    }
    all
}

fn path(group: usize, page: usize) -> String {
    let page = if page == 0 { String::new() } else { format!("-{}", page + 1) };
    if group == 0 { format!("index{page}.html") } else { format!("judge-{}{page}.html", group + 1) }
}

/// One link for each group of rows that are ranked together.
fn tabs(groups: &[&RankGroup], current: usize) -> Vec<PageLink> {
    if groups.len() < 2 {
        return Vec::new();
    }
    let link = |(at, group): (usize, &&RankGroup)| PageLink {
        href: path(at, 0),
        text: format!(
            "Judged by {}, {}: {}",
            format::truncate(&format::clean(&group.judge), 40),
            format::count(usize::try_from(group.votes).unwrap_or(usize::MAX), "vote"),
            format::count(group.rows.len(), "model")
        ),
        current: at == current,
    };
    groups.iter().enumerate().map(link).collect()
}

fn group_pages(
    facts: &Facts<'_>,
    answers: &Answers<'_>,
    at: usize,
    group: &RankGroup,
) -> Vec<IndexPage> {
    let rows = &group.rows;
    let size = if rows.len() > ONE_PAGE { PAGE_ROWS } else { rows.len().max(1) };
    let count = rows.len().div_ceil(size).max(1);
    let tiers = if facts.tiers.len() <= TIER_COLUMNS { facts.tiers.as_slice() } else { &[] };
    let columns = columns(facts, group, tiers);
    let names = if count > 1 { names(facts, group) } else { String::new() };
    (0..count)
        .map(|page| {
            let first = page == 0;
            let shown = &rows[(page * size).min(rows.len())..((page + 1) * size).min(rows.len())];
            IndexPage {
                path: path(at, page),
                first,
                lede: lede(facts, group),
                entered: entered(facts, group),
                cards: if first { cards(facts, group) } else { Vec::new() },
                chart: if first { cost_chart(facts, group) } else { None },
                tabs: Vec::new(),
                ranked: group.scored > 0,
                toolbar: rows.len() >= SEARCHED,
                sorts: count == 1 && rows.len() > 1,
                filters: if count == 1 { filters(facts, group) } else { Vec::new() },
                columns: columns.clone(),
                sections: sections(facts, group, shown, &columns, tiers),
                only: only_row(facts, answers, group),
                note: table_note(facts, group),
                baseline: rows
                    .first()
                    .and_then(|at| facts.cohort(&facts.rows[*at]))
                    .and_then(|cohort| baseline(cohort, "m/")),
                call: if first { call(facts, group) } else { None },
                next: if first { next_steps(facts, answers, group) } else { Vec::new() },
                pages: page_links(at, page, count),
                names: names.clone(),
                withdrawn: Vec::new(),
            }
        })
        .collect()
}

fn page_links(group: usize, current: usize, count: usize) -> Vec<PageLink> {
    let mut links = Vec::new();
    let near = |at: &usize| at.abs_diff(current) <= NEAR || [0, count - 1].contains(at);
    let mut last = 0;
    for at in (0..count).filter(near).filter(|_| count > 1) {
        if at > last + 1 {
            links.push(PageLink { href: String::new(), text: "…".to_owned(), current: false });
        }
        let (href, text) = (path(group, at), (at + 1).to_string());
        links.push(PageLink { href, text, current: at == current });
        last = at;
    }
    links
}

/// The evidence of a board with one row that nothing is compared with yet.
fn only_row(facts: &Facts<'_>, answers: &Answers<'_>, group: &RankGroup) -> Option<OnlyRow> {
    let [at] = group.rows[..] else { return None };
    let answered = answers.row(at).filter(|_| facts.rows.len() == 1)?;
    Some(OnlyRow {
        slug: facts.rows[at].slug.clone(),
        strip: strip(answers, answered),
        failed: failed(answers, answered),
    })
}

/// Where each model is, for a search over all pages.
fn names(facts: &Facts<'_>, group: &RankGroup) -> String {
    let line = |at: &usize| {
        let row = &facts.rows[*at];
        let score = row.held_out.map(format::whole_percent).unwrap_or_default();
        [format::truncate(&row.name, NAME), row.organization.clone(), row.slug.clone(), score]
    };
    let lines: Vec<[String; 4]> = group.rows.iter().map(line).collect();
    serde_json::to_string(&lines).unwrap_or_default()
}

/// Top group, behind, waiting: those of them that have a row among `shown`.
fn sections(
    facts: &Facts<'_>,
    group: &RankGroup,
    shown: &[usize],
    columns: &[Column],
    tiers: &[String],
) -> Vec<Section> {
    let class = |row: &RowFacts<'_>| match row.standing {
        Some(standing) if standing.is_top => "top",
        Some(_) => "behind",
        None => "waiting",
    };
    let made_up = facts.made_up() == facts.rows.len();
    let top = group.ranked().iter().filter(|at| class(&facts.rows[**at]) == "top").count();
    shown
        .chunk_by(|a, b| class(&facts.rows[*a]) == class(&facts.rows[*b]))
        .map(|part| {
            let class = class(&facts.rows[part[0]]);
            let (heading, note) = match class {
                "top" if group.scored == 1 => {
                    ("Scored", "nothing to compare it with yet".to_owned())
                }
                "top" if top == 1 => ("Top group", "1 model".to_owned()),
                "top" => ("Top group", format!("{top} models: none is significantly behind #1")),
                "behind" => (
                    "Significantly behind #1",
                    "at most 1 in 20 of these is expected to be listed wrongly".to_owned(),
                ),
                _ => ("Waiting for the private test", "public score only, not ranked".to_owned()),
            };
            let rows =
                part.iter().map(|at| row_view(&facts.rows[*at], columns, tiers, made_up)).collect();
            Section { class, heading, note, rows }
        })
        .collect()
}

/// The columns of the menu: those that hold something on this board.
fn columns(facts: &Facts<'_>, group: &RankGroup, tiers: &[String]) -> Vec<Column> {
    let any = |has: fn(&RowFacts<'_>) -> bool| group.rows.iter().any(|at| has(&facts.rows[*at]));
    let column = |key: &str, label: &str, hint: &str, first| Column {
        key: key.to_owned(),
        label: label.to_owned(),
        hint: hint.to_owned(),
        first,
    };
    let mut columns = Vec::new();
    for (at, tier) in tiers.iter().enumerate() {
        let tier = format::truncate(&format::clean(tier), 20);
        let hint = format!("Score on the public prompts of the tier {tier}");
        columns.push(column(&format!("tier{}", at + 1), &format!("Public, {tier}"), &hint, "desc"));
    }
    if any(|row| row.gap.is_some()) {
        let hint = "Public minus private score in percentage points, with its 95% range";
        columns.push(column("gap", "Gap, pp", hint, "desc"));
    }
    if any(|row| row.row.close_the_loop.is_some()) {
        let hint = "How many more scripts run after one repair, in percentage points";
        columns.push(column("lift", "Repair lift, pp", hint, "desc"));
    }
    if facts.has_baseline() {
        let hint = "Difference from the baseline in percentage points";
        columns.push(column("delta", "Δ, pp", hint, "desc"));
    }
    columns.push(column("evidence", "Evidence", "How well the row can be re-derived", ""));
    columns.push(column("bundle", "Bundle", "First 8 digits of the recorded bundle's SHA-256", ""));
    columns
}

/// The filters that tell rows apart on this board.
fn filters(facts: &Facts<'_>, group: &RankGroup) -> Vec<Filter> {
    let rows = || group.rows.iter().map(|at| &facts.rows[*at]);
    let mut filters = Vec::new();
    let mut switch = |key, label, is: fn(&RowFacts<'_>) -> bool| {
        if rows().any(is) && !rows().all(is) {
            filters.push(Filter { key, label, options: Vec::new() });
        }
    };
    switch("open", "Open weights", |row| {
        row.about.and_then(|about| about.weights).is_some_and(|weights| weights.as_str() == "open")
    });
    switch("priced", "Price known", |row| row.cost_per_solved.is_some());
    let mut choice = |key, label, value: fn(&RowFacts<'_>) -> String| {
        let options: BTreeSet<String> = rows().map(value).filter(|text| !text.is_empty()).collect();
        if options.len() > 1 {
            filters.push(Filter { key, label, options: options.into_iter().collect() });
        }
    };
    choice("provider", "Provider", |row| row.organization.clone());
    choice("released", "Released", |row| {
        let released = row.about.and_then(|about| about.released.as_deref()).unwrap_or_default();
        released.chars().take(4).collect()
    });
    filters
}
