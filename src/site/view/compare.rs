//! Models side by side: values with their ranges, a sentence for each pair, the prompts on which
//! they differ.
//!
//! The page shows the first models of the board. It carries the numbers of all models, so that the
//! script in `static/board.js` can show any others; that script repeats the sentences of this file,
//! and a test in a browser compares both.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::answer::{Part, name, parts, why_text};
use super::baseline::{Badge, badges, delta_words};
use crate::facts::{Answers, Facts, PromptFacts, PublicAnswer, RowFacts, Score, pair_test};
use crate::site::format;
use crate::table::significance::ALPHA;

/// Models shown without a pick, and the most that can be picked.
const SHOWN: usize = 3;
const PICKED: usize = 4;
/// Models that can be chosen without a script: `static/board.css` has a rule for each.
const BARE: usize = 24;
/// Prompts on which models differ that are shown at once: `static/board.css` has a rule for it.
const FIRST: usize = 9;
/// Models whose reasons are known to the script, and characters of a reason.
const REASONED: usize = 60;
const REASON: usize = 100;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ComparePage {
    heading: String,
    lede: Vec<String>,
    /// Every model, for the search.
    entries: Vec<Shown>,
    shown: Vec<Shown>,
    measures: Vec<Measure>,
    pairs: Vec<PairView>,
    differ: Vec<Differ>,
    /// The models that solve some of these prompts alone.
    only: Vec<Alone>,
    /// How many of these prompts are shown at once.
    first: usize,
    /// These measures of the first models without drawings, to choose from without a script.
    bare: Vec<Bare>,
    /// Why answers failed, as JSON for the script.
    why: String,
    /// How many models can be picked.
    most: usize,
    /// The numbers of all models as JSON for the script.
    data: String,
}

#[derive(Debug, Serialize)]
struct Shown {
    slug: String,
    name: String,
    organization: String,
    place: String,
    is_top: bool,
}

#[derive(Debug, Serialize)]
struct Measure {
    name: String,
    note: String,
    cells: Vec<CellView>,
}

#[derive(Debug, Serialize)]
struct CellView {
    text: String,
    detail: String,
    best: bool,
    top: bool,
    /// Ends and middle of a range, or the end of a bar, in percent of the width; empty if not drawn.
    low: String,
    width: String,
    at: String,
    bar: String,
}

/// What is known of one model in one measure.
#[derive(Debug, Clone, Default, Serialize)]
struct Cell {
    text: String,
    detail: String,
    /// What the models are compared by; `None` where nothing is known.
    value: Option<f64>,
    /// Both ends of the range in percent.
    range: Option<(f64, f64)>,
}

/// A line of the table for all models.
struct Line {
    name: String,
    note: String,
    is_lower_better: bool,
    cells: Vec<Cell>,
}

/// Everything about one pair.
#[derive(Debug, Serialize)]
struct PairView {
    a: String,
    b: String,
    only_a: Solved,
    only_b: Solved,
    p: String,
    private: String,
}

/// Prompts that only one of two models solves.
#[derive(Debug, Serialize)]
struct Solved {
    count: usize,
    prompts: Vec<Prompt>,
}

#[derive(Debug, Clone, Serialize)]
struct Prompt {
    slug: String,
    title: String,
    tier: String,
}

#[derive(Debug, Serialize)]
struct Differ {
    prompt: Prompt,
    solved: Vec<bool>,
    /// Which model solves it alone, counted from 1; 0 if several do.
    only: usize,
    /// The first of the models that fails, and why.
    who: String,
    why: Vec<Part>,
}

/// A model that solves `count` prompts alone.
#[derive(Debug, Serialize)]
struct Alone {
    at: usize,
    name: String,
    count: usize,
}

#[derive(Debug, Serialize)]
struct Bare {
    name: String,
    cells: Vec<String>,
}

/// Which prompts each row solves, in the order of [`Answers::prompts`]; `None` where its answers are
/// not here.
type Passes = Vec<Option<Vec<bool>>>;
/// A row, and which prompts it solves where that is known.
type Picked<'a> = (&'a RowFacts<'a>, Option<&'a [bool]>);

/// The page.
pub(in crate::site) fn compare_page(facts: &Facts<'_>, answers: &Answers<'_>) -> ComparePage {
    let rows = &facts.rows;
    let passes: Passes =
        (0..rows.len()).map(|at| Some(answers.row(at)?.passes().collect())).collect();
    let lines = lines(facts);
    let shown: Vec<usize> = (0..rows.len().min(SHOWN)).collect();
    let picked: Vec<Picked<'_>> =
        shown.iter().map(|at| (&rows[*at], passes[*at].as_deref())).collect();
    let names: Vec<String> = picked.iter().map(|(row, _)| name(row)).collect();
    let mut pairs = Vec::new();
    for (at, a) in picked.iter().enumerate() {
        pairs.extend(picked[at + 1..].iter().map(|b| pair_view(answers, *a, *b)));
    }
    let known: Option<Vec<&Vec<bool>>> = shown.iter().map(|at| passes[*at].as_ref()).collect();
    let known = known.unwrap_or_default();
    let differ = answers.prompts.iter().enumerate().filter_map(|(at, of)| {
        let solved: Vec<bool> = known.iter().map(|passes| passes[at]).collect();
        let failed = solved.iter().position(|passes| !passes)?;
        let differs = solved.iter().any(|passes| *passes != solved[0]);
        let answer = &answers.row(shown[failed])?.answers[at];
        let why = parts(&reason(answer));
        let mut solvers = solved.iter().enumerate().filter(|(_, passes)| **passes);
        let only = match (solvers.next(), solvers.next()) {
            (Some((at, _)), None) => at + 1,
            _ => 0,
        };
        let who = names[failed].clone();
        differs.then(|| Differ { prompt: prompt(of), solved, only, who, why })
    });
    let differ: Vec<Differ> = differ.collect();
    let alone = |(at, name): (usize, &String)| Alone {
        at,
        name: name.clone(),
        count: differ.iter().filter(|line| line.only == at).count(),
    };
    let only = (1..).zip(&names).map(alone).filter(|alone| alone.count > 0).collect();
    let entry = |row: &RowFacts<'_>| Shown {
        slug: row.slug.clone(),
        name: name(row),
        organization: row.organization_shown().unwrap_or_default().to_owned(),
        place: place(row),
        is_top: row.is_top(),
    };
    ComparePage {
        heading: format::list(&names),
        lede: lede(&picked),
        entries: rows.iter().map(entry).collect(),
        shown: picked.iter().map(|(row, _)| entry(row)).collect(),
        measures: lines.iter().map(|line| line.view(rows, &shown)).collect(),
        pairs,
        differ,
        only,
        first: FIRST,
        bare: lines
            .iter()
            .map(|line| Bare {
                name: line.name.clone(),
                cells: line.cells.iter().take(BARE).map(|cell| cell.text.clone()).collect(),
            })
            .collect(),
        why: reasons(facts, answers),
        most: PICKED,
        data: data(rows, &lines, answers, &passes),
    }
}

fn reason(answer: &PublicAnswer) -> String {
    format::truncate(&format::clean(&why_text(answer)), REASON)
}

/// Why each answer of the first models failed: `[["Judge: 3 of 3 votes no", …], {slug: [0, -1, …]}]`,
/// one number a prompt, −1 where it is solved.
fn reasons(facts: &Facts<'_>, answers: &Answers<'_>) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut rows = serde_json::Map::new();
    for (at, row) in answers.rows().take(REASONED) {
        let mut number = |answer: &PublicAnswer| {
            if answer.passed {
                return json!(-1);
            }
            let text = reason(answer);
            json!(*known.entry(text.clone()).or_insert_with(|| {
                texts.push(text);
                texts.len() - 1
            }))
        };
        let numbers: Vec<Value> = row.answers.iter().map(&mut number).collect();
        rows.insert(facts.rows[at].slug.clone(), json!(numbers));
    }
    json!([texts, rows]).to_string()
}

/// `#4, top group`
fn place(row: &RowFacts<'_>) -> String {
    match row.standing {
        Some(standing) if standing.is_top => format!("#{}, top group", standing.place),
        Some(standing) => format!("#{}, significantly behind #1", standing.place),
        None => "waiting for the private test".to_owned(),
    }
}

fn prompt(prompt: &PromptFacts) -> Prompt {
    Prompt {
        slug: prompt.slug.clone(),
        title: super::prompts::title(prompt),
        tier: format::clean(&prompt.text.tier),
    }
}

/// The prompts that `a` solves and `b` does not.
fn only(answers: &Answers<'_>, a: &[bool], b: &[bool]) -> Solved {
    let solved = a.iter().zip(b).zip(&answers.prompts).filter(|((a, b), _)| **a && !**b);
    let prompts: Vec<Prompt> = solved.map(|(_, of)| prompt(of)).collect();
    Solved { count: prompts.len(), prompts }
}

/// What the comparison shows: who solves most, who costs least, whether the lead is significant.
fn lede(picked: &[Picked<'_>]) -> Vec<String> {
    let is_private = picked.iter().filter(|(row, _)| row.held_out.is_some()).count() > 1;
    let score = |row: &RowFacts<'_>| if is_private { row.held_out } else { Some(row.public) };
    let mut scored: Vec<(Picked<'_>, Score)> =
        picked.iter().filter_map(|row| Some((*row, score(row.0)?))).collect();
    scored.sort_by(|(_, a), (_, b)| b.share().total_cmp(&a.share()));
    let [((best, of_best), first), ((next, of_next), second), ..] = scored.as_slice() else {
        return Vec::new();
    };
    let is_tied = first.counts() == second.counts();
    let set = if is_private { "private" } else { "public" };
    let most = if is_tied {
        format!("{} and {} solve equally many", name(best), name(next))
    } else {
        format!("{} solves most ({})", name(best), format::whole_percent(*first))
    };
    let cost = |row: &RowFacts<'_>| Some((row.cost_per_solved?, name(row)));
    let mut costs: Vec<(f64, String)> = picked.iter().filter_map(|(row, _)| cost(row)).collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let cheapest = match costs.as_slice() {
        [(least, who), .., (dearest, _)] => format!(
            "{} costs least ({} per solved prompt, against {})",
            if *who == name(best) && !is_tied { " and".to_owned() } else { format!("; {who}") },
            format::money(*least),
            format::money(*dearest)
        ),
        _ => String::new(),
    };
    if are_apart(best, next) {
        return vec![format!("{most}{cheapest}."), not_comparable(&name(best), &name(next))];
    }
    let passes = of_best.zip(*of_next).filter(|_| !is_private);
    let p = pair_test(first.counts(), second.counts(), passes);
    let between = format!("between {} and {}", name(best), name(next));
    let prompts = format!("the {} {set} prompts", format::grouped(first.total));
    let lead = match p {
        None => format!(
            "The scores of {} and {} are over different numbers of prompts.",
            name(best),
            name(next)
        ),
        Some(p) if p > ALPHA => format!("No significant difference {between} on {prompts}."),
        Some(_) => format!("The difference {between} is significant on {prompts}."),
    };
    vec![format!("{most}{cheapest}."), lead]
}

/// Whether it is known that two rows were not scored alike.
fn are_apart(a: &RowFacts<'_>, b: &RowFacts<'_>) -> bool {
    let (a, b) = (&a.compared.cohort_id, &b.compared.cohort_id);
    a.is_some() && b.is_some() && a != b
}

fn not_comparable(a: &str, b: &str) -> String {
    format!("{a} and {b} are not comparable: another protocol, judge or public set.")
}

fn lines(facts: &Facts<'_>) -> Vec<Line> {
    let rows = &facts.rows;
    let line = |name: String,
                note: String,
                is_lower_better,
                cell: &dyn Fn(&RowFacts<'_>) -> Option<Cell>| Line {
        name,
        note,
        is_lower_better,
        cells: rows.iter().map(|row| cell(row).unwrap_or_else(none)).collect(),
    };
    let prompts = |count: Option<u64>, set: &str| {
        count.map_or_else(
            || format!("{set} prompts"),
            |count| format!("{} {set} prompts", format::grouped(count)),
        )
    };
    let mut lines = Vec::new();
    if rows.iter().any(|row| row.held_out.is_some()) {
        let note = prompts(facts.held_out_prompts, "private");
        let cell =
            |row: &RowFacts<'_>| {
                Some(row.held_out.map_or_else(
                    || Cell { text: "pending".to_owned(), ..Cell::default() },
                    score_cell,
                ))
            };
        lines.push(line("Score".to_owned(), note, false, &cell));
    }
    if rows.iter().any(|row| row.cost_per_solved.is_some()) {
        let cell = |row: &RowFacts<'_>| {
            let cost = row.cost_per_solved?;
            Some(Cell { text: format::money(cost), value: Some(cost), ..Cell::default() })
        };
        let dates: std::collections::BTreeSet<&str> =
            rows.iter().filter_map(|row| Some(row.price?.date.as_str())).collect();
        let note = match dates.into_iter().collect::<Vec<_>>().as_slice() {
            [date] => format!("list price, {}", format::date(date)),
            _ => "list prices".to_owned(),
        };
        lines.push(line("Cost per solved prompt".to_owned(), note, true, &cell));
    }
    if rows.iter().any(|row| row.tokens_per_solved.is_some()) {
        let cell = |row: &RowFacts<'_>| {
            let tokens = row.tokens_per_solved?;
            Some(Cell { text: format::amount(tokens), value: Some(tokens), ..Cell::default() })
        };
        lines.push(line("Tokens per solved prompt".to_owned(), String::new(), true, &cell));
    }
    if facts.has_baseline() {
        let cell = |row: &RowFacts<'_>| {
            let (text, detail) = delta_words(row);
            Some(Cell { text, detail, ..Cell::default() })
        };
        lines.push(line("Δ vs baseline".to_owned(), "percentage points".to_owned(), false, &cell));
    }
    let cell = |row: &RowFacts<'_>| {
        let text = badges(row).iter().map(Badge::short).collect::<Vec<_>>().join(", ");
        Some(Cell { text, ..Cell::default() })
    };
    lines.push(line("Evidence".to_owned(), "Method explains the words".to_owned(), false, &cell));
    let note = prompts(facts.public_prompts, "public");
    lines.push(line("Public".to_owned(), note, false, &|row| Some(score_cell(row.public))));
    for tier in facts.tiers.iter().take(12) {
        let sizes = rows.iter().filter_map(|row| Some(row.public_tier(tier)?.counts().1));
        let note = prompts(sizes.max(), "public");
        let cell = |row: &RowFacts<'_>| Some(score_cell(row.public_tier(tier)?));
        lines.push(line(super::prompts::tier_name(tier), note, false, &cell));
    }
    lines
}

fn none() -> Cell {
    Cell { text: format::NONE.to_owned(), ..Cell::default() }
}

fn score_cell(score: Score) -> Cell {
    let range = score.interval.map(format::interval);
    Cell {
        text: format::whole_percent(score),
        detail: format!(
            "{}{} solved",
            range.map_or_else(String::new, |range| format!("{range}, ")),
            score.passed
        ),
        value: Some(score.share()),
        range: score.interval.map(|range| (round(range.low * 100.0), round(range.high * 100.0))),
    }
}

impl Line {
    fn view(&self, rows: &[RowFacts<'_>], shown: &[usize]) -> Measure {
        let values = shown.iter().filter_map(|at| self.cells[*at].value);
        let pick = if self.is_lower_better { f64::min } else { f64::max };
        let best = values.clone().reduce(pick).filter(|_| shown.len() > 1);
        let largest = values.fold(0.0, f64::max);
        let percent = |value: f64| format!("{value:.1}%");
        let cell = |at: &usize| {
            let cell = &self.cells[*at];
            let bar = cell.value.filter(|_| cell.range.is_none() && largest > 0.0);
            CellView {
                text: cell.text.clone(),
                detail: cell.detail.clone(),
                best: cell.value.is_some() && cell.value == best,
                top: rows[*at].is_top(),
                low: cell.range.map(|range| percent(range.0)).unwrap_or_default(),
                width: cell.range.map(|range| percent(range.1 - range.0)).unwrap_or_default(),
                at: cell
                    .range
                    .and(cell.value)
                    .map(|value| percent(value * 100.0))
                    .unwrap_or_default(),
                bar: bar.map(|value| percent(value / largest * 100.0)).unwrap_or_default(),
            }
        };
        Measure {
            name: self.name.clone(),
            note: self.note.clone(),
            cells: shown.iter().map(cell).collect(),
        }
    }
}

fn pair_view(
    answers: &Answers<'_>,
    (a, a_passes): Picked<'_>,
    (b, b_passes): Picked<'_>,
) -> PairView {
    let both = a_passes.zip(b_passes).filter(|_| !are_apart(a, b));
    let (of_a, of_b) = both.unwrap_or_default();
    let (only_a, only_b) = (only(answers, of_a, of_b), only(answers, of_b, of_a));
    let p = both.and_then(|_| pair_test(a.public.counts(), b.public.counts(), both));
    let p = p.map_or_else(String::new, p_value);
    let private = match (a.held_out, b.held_out) {
        _ if are_apart(a, b) => not_comparable(&name(a), &name(b)),
        (Some(first), Some(second)) => private(first.counts(), second.counts()),
        _ => "Private test: pending.".to_owned(),
    };
    PairView { a: name(a), b: name(b), only_a, only_b, p, private }
}

/// `Private test: 100 against 88 of 120, p = 0.08, no significant difference.`
fn private(a: (u64, u64), b: (u64, u64)) -> String {
    let Some(p) = pair_test(a, b, None) else {
        return format!("Private test: {} of {} against {} of {}.", a.0, a.1, b.0, b.1);
    };
    let words = if p > ALPHA { "no significant difference" } else { "significant" };
    format!("Private test: {} against {} of {}, p {}, {words}.", a.0, b.0, a.1, p_value(p))
}

/// `= 0.03`, or `< 0.001`.
fn p_value(p: f64) -> String {
    match p {
        p if p < 0.001 => "< 0.001".to_owned(),
        p if p < 0.0995 => format!("= {p:.3}"),
        p => format!("= {p:.2}"),
    }
}

/// The numbers of all models, for the script.
fn data(
    rows: &[RowFacts<'_>],
    lines: &[Line],
    answers: &Answers<'_>,
    passes: &[Option<Vec<bool>>],
) -> String {
    let row = |(at, row): (usize, &RowFacts<'_>)| {
        let bit = |passes: &bool| if *passes { '1' } else { '0' };
        let solved = passes[at].as_ref().map(|passes| passes.iter().map(bit).collect::<String>());
        let cell = |line: &Line| {
            let cell = &line.cells[at];
            json!([cell.text, cell.detail, cell.value, cell.range])
        };
        json!({
            "slug": row.slug, "name": name(row), "organization": row.organization_shown(),
            "place": place(row), "cohort": row.compared.cohort_id, "top": row.is_top(), "private": row.held_out.map(|score| [score.passed, score.total]),
            "public": [row.public.passed, row.public.total],
            "cost": row.cost_per_solved.map(|cost| json!([cost, format::money(cost)])),
            "solved": solved, "cells": lines.iter().map(cell).collect::<Vec<Value>>(),
        })
    };
    let measure = |line: &Line| json!([line.name, line.note, line.is_lower_better]);
    let data = json!({
        "prompts": answers.prompts.iter().map(prompt).collect::<Vec<Prompt>>(),
        "measures": lines.iter().map(measure).collect::<Vec<Value>>(),
        "rows": rows.iter().enumerate().map(row).collect::<Vec<Value>>(),
    });
    data.to_string()
}

fn round(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::config::Config;
    use crate::facts::Replays;
    use crate::ledger::History;
    use crate::testing::{board, row};

    #[test]
    fn a_lead_on_public_prompts_is_tested_pair_by_pair_where_the_answers_are_here() {
        let board = board(vec![row("a", 46, None), row("b", 40, None)]);
        let (config, evidence, history) =
            (Config::default(), Replays::default(), History::default());
        let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
        let passes = |solved: usize| (0..51).map(|at| at < solved).collect::<Vec<bool>>();
        let (a, b) = (passes(46), passes(40));
        let lead = |a, b| lede(&[(&facts.rows[0], a), (&facts.rows[1], b)]).remove(1);
        assert_eq!(
            lead(Some(&a), Some(&b)),
            "The difference between a and b is significant on the 51 public prompts."
        );
        assert_eq!(
            lead(Some(&a), None),
            "No significant difference between a and b on the 51 public prompts."
        );
    }
}
