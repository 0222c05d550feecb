//! The page of one pack: its runs by cohort, each with score, evidence and difference from the
//! baseline.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Link;
use super::baseline::{Baseline, Delta, Mark, delta_of, marks_of};
use crate::domain::config::{Config, RunStatus, ScoringMode};
use crate::facts::{Cohort, Facts, PackFacts, PackRunFacts, Reference};
use crate::ledger::PackRun;
use crate::site::format;

/// More tasks than this stand only in the pack's JSON.
const TASK_COLUMNS: usize = 6;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct PackPage {
    id: String,
    slug: String,
    title: String,
    lead: String,
    tasks: Vec<Task>,
    columns: Vec<String>,
    tables: Vec<PackTable>,
    others: Vec<Link>,
    command: String,
    /// Whether there are two runs to compare.
    compare: bool,
}

#[derive(Debug, Serialize)]
struct Task {
    name: String,
    metric: String,
    weight: String,
}

/// The runs of one cohort.
#[derive(Debug, Serialize)]
struct PackTable {
    id: String,
    heading: String,
    caption: String,
    baseline: Option<Baseline>,
    no_delta: &'static str,
    rows: Vec<PackRow>,
}

#[derive(Debug, Serialize)]
struct PackRow {
    model: String,
    date: String,
    run: String,
    /// Its page.
    href: String,
    /// Who judged, and how the run ended if it did not complete; empty if there is nothing to say.
    terms: String,
    score: String,
    /// Why there is no score, or what else must be known of it.
    score_note: String,
    delta: Delta,
    tasks: Vec<String>,
    grade: &'static str,
    marks: Vec<Mark>,
    problems: String,
}

/// The page of `pack`.
pub(in crate::site) fn pack_page(
    pack: &PackFacts<'_>,
    facts: &Facts<'_>,
    config: &Config,
) -> PackPage {
    let tasks: Vec<Task> = pack
        .pack
        .iter()
        .flat_map(|pack| &pack.tasks)
        .map(|task| Task {
            name: format::clean(&task.name),
            metric: format::clean(&task.metric),
            weight: task.weight.to_string(),
        })
        .collect();
    let columns: Vec<&str> = pack
        .pack
        .filter(|pack| pack.tasks.len() <= TASK_COLUMNS)
        .map(|pack| pack.tasks.iter().map(|task| task.name.as_str()).collect())
        .unwrap_or_default();
    let others = facts.packs.iter().filter(|other| other.id != pack.id);
    let tables = pack.cohorts.iter().filter(|cohort| !cohort.rows.is_empty()).enumerate();
    PackPage {
        id: format::clean(pack.id),
        slug: pack.slug.clone(),
        title: format::truncate(&format::clean(pack.id), 36),
        lead: lead(pack),
        tasks,
        columns: columns.iter().map(|name| format::clean(name)).collect(),
        tables: tables.map(|(at, cohort)| table(pack, cohort, at, &columns, config)).collect(),
        others: others
            .map(|other| Link {
                href: format!("{}.html", other.slug),
                text: format::clean(other.id),
            })
            .collect(),
        command: format!(
            "gmat-leaderboard record results_2026-05-14T12-00-00.123456.json --pack {}",
            format::shell(pack.id)
        ),
        compare: pack.runs.len() > 1,
    }
}

fn lead(pack: &PackFacts<'_>) -> String {
    let runs = match pack.runs.len() {
        0 => "No run is recorded yet".to_owned(),
        number => format!("{} recorded", format::count(number, "run")),
    };
    let Some(config) = pack.pack else {
        return format!("{runs}. The config no longer has this pack.");
    };
    let of_runs = pack.runs.iter().filter_map(|of| of.run.pack_run.as_ref());
    let used: BTreeSet<&str> = of_runs.map(|facts| facts.scoring_mode.as_str()).collect();
    let used = if used.is_empty() { [config.scoring_mode.as_str()].into() } else { used };
    let how: Vec<String> = used.into_iter().map(|mode| mode_words(mode).to_owned()).collect();
    let how = format!("scored {}", format::list(&how));
    let tasks = format::count(config.tasks.len(), "task");
    format!("{runs}. Weighted mean of {tasks}, {how}; a missing task gives no score.")
}

pub(super) fn mode_words(mode: &str) -> &'static str {
    match ScoringMode::parse(mode) {
        Some(ScoringMode::Deterministic) => "by rule",
        Some(ScoringMode::Judge) => "by a judge",
        Some(ScoringMode::Jury) => "by a jury",
        None => "in an unknown way",
    }
}

/// The baseline of the cohort; none where its runs are held against that of the pack.
fn reference<'c>(pack: &PackFacts<'_>, cohort: &'c Cohort) -> Option<&'c Reference> {
    let is_own = |at: &usize| pack.runs[*at].compared.baseline == pack.runs[*at].own.baseline;
    cohort.reference.as_ref().filter(|_| cohort.rows.iter().any(is_own))
}

/// Why no run of the table is comparable; empty where there is a baseline.
fn no_delta(pack: &PackFacts<'_>, cohort: &Cohort) -> &'static str {
    let is_other = |at: &usize| {
        pack.runs[*at].compared.reasons.iter().any(|reason| reason == "other_scoring_mode")
    };
    match (reference(pack, cohort), &cohort.id) {
        (Some(_), _) => "",
        _ if cohort.rows.iter().any(is_other) => {
            "Not comparable: the baseline of the pack was scored in another mode."
        }
        (None, Some(_)) => "No Δ: there is no completed run with a score.",
        (None, None) => "Not comparable: how these runs were scored is not fully known.",
    }
}

fn table(
    pack: &PackFacts<'_>,
    cohort: &Cohort,
    at: usize,
    columns: &[&str],
    config: &Config,
) -> PackTable {
    let decimals = config.history.decimals;
    let runs = format::count(cohort.rows.len(), "run");
    let under = if cohort.words.is_empty() { "" } else { " under " };
    PackTable {
        id: format!("runs-{}", at + 1),
        heading: cohort.heading.clone(),
        caption: format!("{runs}{under}{}.", cohort.words),
        baseline: reference(pack, cohort).map(|reference| Baseline {
            model: reference.model.clone(),
            href: String::new(),
            score: format!("{:.decimals$}", reference.score),
            run: reference.run_id.clone(),
            rule: reference.source.label(),
        }),
        no_delta: no_delta(pack, cohort),
        rows: cohort.rows.iter().map(|at| row(&pack.runs[*at], columns, config)).collect(),
    }
}

fn row(of: &PackRunFacts<'_>, columns: &[&str], config: &Config) -> PackRow {
    let PackRunFacts { run, model, compared, .. } = of;
    let decimals = config.history.decimals;
    let none = || format::NONE.to_owned();
    let facts = run.pack_run.as_ref();
    let reasons = facts.map(|facts| facts.reasons.as_slice()).unwrap_or_default();
    let mut notes: Vec<String> = reasons.iter().map(|reason| missing(reason)).collect();
    notes.extend(facts.filter(|facts| facts.partial).map(|_| "part of the set".to_owned()));
    let task = |name: &&str| {
        run.dataset_scores.get(*name).map_or_else(none, |score| format!("{score:.decimals$}"))
    };
    let assumed = facts.is_some_and(|facts| facts.time_zone_assumed);
    PackRow {
        model: model.clone(),
        date: format!(
            "{}{}",
            format::date(&run.run_at),
            if assumed { ", UTC assumed" } else { "" }
        ),
        run: format::clean(&run.run_id),
        href: format!("../runs/{}.html", of.slug),
        terms: facts.map(|facts| terms(facts)).unwrap_or_default(),
        score: run.aggregate_score.map_or_else(none, |score| format!("{score:.decimals$}")),
        score_note: format::clean(&notes.join(", ")),
        delta: delta_of(compared, run.n_prompts, config.history.score_scale, |delta| {
            format::signed(delta, decimals)
        }),
        tasks: columns.iter().map(task).collect(),
        grade: compared.evidence.grade.as_str(),
        marks: marks_of(compared),
        problems: format::clean(&compared.evidence.describe()),
    }
}

fn terms(facts: &PackRun) -> String {
    let judge = facts.judge_model.as_ref().map(|judge| format!("judged by {judge}"));
    let status = Some(facts.status).filter(|status| *status != RunStatus::Completed);
    let status = status.map(|status| status.as_str().to_owned());
    format::clean(&judge.into_iter().chain(status).collect::<Vec<_>>().join(", "))
}

/// `missing_task:gsm8k|0` in words.
pub(super) fn missing(reason: &str) -> String {
    match reason.split_once(':') {
        Some(("missing_task", task)) => format!("no task {task}"),
        Some(("missing_metric", metric)) => format!("no metric {metric}"),
        _ => reason.to_owned(),
    }
}
