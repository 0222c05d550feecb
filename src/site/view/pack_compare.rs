//! Two runs of a pack side by side. The page carries every run as a column; the script in
//! `static/board.js` shows two of them and their difference, and without a script all are shown.

use std::collections::BTreeSet;

use serde::Serialize;

use super::baseline::{Mark, marks_of};
use super::run::conditions;
use crate::domain::config::Config;
use crate::facts::{Cohort, PackFacts};
use crate::site::format;

/// Runs that are listed; the best ones.
const MOST: usize = 60;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct PackComparePage {
    pack: String,
    slug: String,
    heading: String,
    sentence: String,
    runs: Vec<Column>,
    rows: Vec<Row>,
    decimals: String,
    more: String,
}

#[derive(Debug, Serialize)]
struct Column {
    slug: String,
    model: String,
    date: String,
    marks: Vec<Mark>,
    /// Runs of one group compare.
    group: String,
    /// `1` and `2` for the two that are shown at first.
    shown: &'static str,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Cell {
    text: String,
    /// The number, for the difference; empty where there is none.
    value: String,
}

/// The page of `pack`; `None` for fewer than two runs.
pub(in crate::site) fn pack_compare_page(
    pack: &PackFacts<'_>,
    config: &Config,
) -> Option<PackComparePage> {
    let runs = &pack.runs[..pack.runs.len().min(MOST)];
    let [first, second] = pair(pack, runs.len())?;
    let decimals = config.history.decimals;
    let number = |score: Option<f64>| Cell {
        text: score.map_or_else(|| format::NONE.to_owned(), |of| format!("{of:.decimals$}")),
        value: score.map(|of| of.to_string()).unwrap_or_default(),
    };
    let mut rows = vec![Row {
        name: "Score".to_owned(),
        cells: runs.iter().map(|of| number(of.run.aggregate_score)).collect(),
    }];
    let named: Vec<&str> = if let Some(pack) = pack.pack {
        pack.tasks.iter().map(|task| task.name.as_str()).collect()
    } else {
        let names = runs.iter().flat_map(|of| of.run.dataset_scores.keys());
        names.map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect()
    };
    rows.extend(named.into_iter().map(|task| Row {
        name: format::clean(task),
        cells: runs.iter().map(|of| number(of.run.dataset_scores.get(task).copied())).collect(),
    }));
    let text = |text: String| Cell { text, value: String::new() };
    rows.push(Row {
        name: "Evidence".to_owned(),
        cells: runs.iter().map(|of| text(of.own.evidence.grade.as_str().to_owned())).collect(),
    });
    let said: Vec<Vec<(&str, String)>> = runs.iter().map(|of| conditions(of.run)).collect();
    let mut known: Vec<&str> = Vec::new();
    for (name, _) in said.iter().flatten() {
        if !known.contains(name) {
            known.push(name);
        }
    }
    let condition = |name: &str| {
        let of_run = |said: &Vec<(&str, String)>| {
            let found = said.iter().find(|(known, _)| *known == name);
            text(found.map_or_else(|| format::NONE.to_owned(), |(_, value)| value.clone()))
        };
        Row { name: name.to_owned(), cells: said.iter().map(of_run).collect() }
    };
    rows.extend(known.into_iter().map(condition));
    let group = |at: usize| {
        pack.cohorts.iter().position(|cohort| cohort.id.is_some() && cohort.rows.contains(&at))
    };
    let columns = runs.iter().enumerate().map(|(at, of)| Column {
        slug: of.slug.clone(),
        model: of.model.clone(),
        date: format::date(&of.run.run_at),
        marks: marks_of(&of.own),
        group: group(at).map(|at| at.to_string()).unwrap_or_default(),
        shown: match at {
            at if at == first => "1",
            at if at == second => "2",
            _ => "",
        },
    });
    let columns: Vec<Column> = columns.collect();
    let compares = group(first).is_some() && group(first) == group(second);
    Some(PackComparePage {
        pack: format::clean(pack.id),
        slug: pack.slug.clone(),
        heading: heading([first, second].map(|at| &columns[at])),
        sentence: if compares { COMPARE } else { DIFFER }.to_owned(),
        runs: columns,
        rows,
        decimals: decimals.to_string(),
        more: match pack.runs.len() - runs.len() {
            0 => String::new(),
            more => format!(
                "{} with a lower score in the data of the pack.",
                format::count(more, "run")
            ),
        },
    })
}

/// `static/board.js` repeats it.
fn heading([first, second]: [&Column; 2]) -> String {
    if first.model == second.model {
        return format!("{}: {} and {}", first.model, first.date, second.date);
    }
    format!("{} and {}", first.model, second.model)
}

// `static/board.js` repeats both.
const COMPARE: &str = "These runs compare: same scoring mode, same documents.";
const DIFFER: &str = "These runs do not compare: another scoring mode or other documents, or it is not known which. Read the difference with care.";

/// The baseline and the best other run of the pack's first cohort with two runs; else the first two.
fn pair(pack: &PackFacts<'_>, most: usize) -> Option<[usize; 2]> {
    let of_cohort = |cohort: &Cohort| {
        let rows: Vec<usize> = cohort.rows.iter().copied().filter(|at| *at < most).collect();
        let baseline = rows.iter().copied().find(|at| pack.runs[*at].own.is_baseline)?;
        let other = rows.into_iter().find(|at| *at != baseline)?;
        Some([baseline, other])
    };
    let found = pack.cohorts.iter().filter(|cohort| cohort.id.is_some()).find_map(of_cohort);
    found.or_else(|| (pack.runs.len() > 1).then_some([0, 1]))
}
