//! The page of one run of a pack: score card, tasks beside the baseline's, conditions, hashes.

use serde::Serialize;

use super::baseline::{Badge, delta_of, run_badges};
use super::packs::{missing, mode_words};
use crate::domain::config::Config;
use crate::facts::{HASH_FIELDS, PackFacts, PackRunFacts, TaskFacts};
use crate::ledger::Run;
use crate::site::format;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct RunPage {
    title: String,
    model: String,
    pack: String,
    pack_slug: String,
    slug: String,
    run: String,
    date: String,
    sentence: String,
    badges: Vec<Badge>,
    /// Share of the scale in percent; absent without a score.
    bar: Option<Bar>,
    figures: Vec<Figure>,
    tasks: Vec<TaskRow>,
    /// Whether another run is the baseline, so that its tasks are shown beside.
    beside: bool,
    conditions: Vec<(&'static str, String)>,
    hashes: Vec<HashRow>,
    hash_names: Vec<&'static str>,
    problems: Vec<String>,
    command: String,
    /// Whether the pack has another run.
    compare: bool,
}

#[derive(Debug, Serialize)]
struct Bar {
    score: String,
    baseline: String,
}

#[derive(Debug, Serialize)]
struct Figure {
    label: &'static str,
    value: String,
    detail: String,
}

#[derive(Debug, Serialize)]
struct TaskRow {
    name: String,
    metric: String,
    weight: String,
    score: String,
    baseline: String,
    delta: String,
}

#[derive(Debug, Serialize)]
struct HashRow {
    task: String,
    hashes: Vec<String>,
}

/// The page of the run `of` of `pack`.
pub(in crate::site) fn run_page(
    pack: &PackFacts<'_>,
    of: &PackRunFacts<'_>,
    config: &Config,
) -> RunPage {
    let PackRunFacts { run, model, slug, own, .. } = of;
    let (decimals, scale) = (config.history.decimals, config.history.score_scale);
    let shown = |score: f64| format!("{score:.decimals$}");
    let facts = run.pack_run.as_ref();
    let baseline = own.baseline.as_ref();
    let other = pack.baseline_run(of);
    let delta = delta_of(own, run.n_prompts, scale, |delta| format::signed(delta, decimals));
    let percent = |score: f64| format!("{:.1}%", (score / scale * 100.0).clamp(0.0, 100.0));
    let hashes = facts.map(|facts| &facts.task_hashes);
    let hash_rows = hashes.into_iter().flatten().map(|(task, known)| HashRow {
        task: format::clean(task),
        hashes: HASH_FIELDS
            .iter()
            .map(|field| known.get(*field).map_or_else(none, |hash| format::clean(hash)))
            .collect(),
    });
    RunPage {
        title: format::truncate(&format!("{model} in {}", format::clean(pack.id)), 48),
        model: model.clone(),
        pack: format::clean(pack.id),
        pack_slug: pack.slug.clone(),
        slug: slug.clone(),
        run: format::clean(&run.run_id),
        date: format::date(&run.run_at),
        sentence: sentence(of, &shown, decimals),
        badges: run_badges(own),
        bar: run.aggregate_score.map(|score| Bar {
            score: percent(score),
            baseline: other.and(baseline).map(|of| percent(of.score)).unwrap_or_default(),
        }),
        figures: vec![
            Figure {
                label: "Score",
                value: run.aggregate_score.map_or_else(none, shown),
                detail: format!("of {scale}, weighted mean of the tasks"),
            },
            Figure { label: "Δ from the baseline", value: delta.value, detail: delta.note },
            Figure {
                label: "Baseline",
                value: baseline.map_or_else(none, |of| shown(of.score)),
                detail: baseline.map_or_else(String::new, |of| {
                    format!("{}, the {} run", format::clean(&of.model), of.source.label())
                }),
            },
            Figure {
                label: "Evidence",
                value: own.evidence.grade.as_str().to_owned(),
                detail: "grade of the hashes".to_owned(),
            },
        ],
        tasks: tasks(pack, of, decimals),
        beside: other.is_some(),
        conditions: conditions(run),
        hashes: hash_rows.collect(),
        hash_names: HASH_FIELDS.to_vec(),
        problems: own.evidence.problems.iter().map(|problem| format::clean(problem)).collect(),
        compare: pack.runs.len() > 1,
        command: other.map_or_else(String::new, |other| {
            let ids = [&other.run_id, &run.run_id].map(|id| format::shell(id));
            format!("gmat-leaderboard compare {} {} leaderboard/history.jsonl", ids[0], ids[1])
        }),
    }
}

fn none() -> String {
    format::NONE.to_owned()
}

fn sentence(of: &PackRunFacts<'_>, shown: &dyn Fn(f64) -> String, decimals: usize) -> String {
    let Some(score) = of.run.aggregate_score else {
        let facts = of.run.pack_run.as_ref();
        let mut why: Vec<String> =
            facts.into_iter().flat_map(|facts| &facts.reasons).map(|of| missing(of)).collect();
        if why.is_empty() {
            why.push(format!("the run is {}", of.run.ended().as_str()));
        }
        return format::clean(&format!("No score: {}.", why.join(", ")));
    };
    let score = shown(score);
    match (&of.own.baseline, of.own.delta) {
        (Some(_), _) if of.own.is_baseline => {
            format!("Scores {score}. It is the baseline that others are compared with.")
        }
        (Some(baseline), Some(delta)) => format!(
            "Scores {score}: {} from the baseline, {} at {}.",
            format::signed(delta, decimals),
            format::clean(&baseline.model),
            shown(baseline.score)
        ),
        _ => format!("Scores {score}. There is no baseline to compare it with."),
    }
}

fn tasks(pack: &PackFacts<'_>, of: &PackRunFacts<'_>, decimals: usize) -> Vec<TaskRow> {
    let shown = |score: Option<f64>| score.map_or_else(none, |of| format!("{of:.decimals$}"));
    let row = |of: TaskFacts<'_>| TaskRow {
        name: format::clean(of.name),
        metric: of.task.map_or_else(none, |task| format::clean(&task.metric)),
        weight: of.task.map_or_else(none, |task| task.weight.to_string()),
        score: shown(of.score),
        baseline: shown(of.baseline),
        delta: of.delta.map_or_else(none, |delta| format::signed(delta, decimals)),
    };
    pack.tasks(of).into_iter().map(row).collect()
}

pub(super) fn conditions(run: &Run) -> Vec<(&'static str, String)> {
    let Some(facts) = run.pack_run.as_ref() else { return Vec::new() };
    let generation: Vec<String> =
        facts.generation.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let unknown = || "not recorded".to_owned();
    let mut said = vec![
        ("Scoring mode", format!("{} ({})", facts.scoring_mode, mode_words(&facts.scoring_mode))),
        ("Status", facts.status.as_str().to_owned()),
    ];
    if facts.scoring_mode != "deterministic" {
        said.push(("Judge", facts.judge_model.clone().unwrap_or_else(unknown)));
    }
    said.extend([
        ("Backend", facts.backend.clone().unwrap_or_else(unknown)),
        (
            "Documents",
            match (facts.n_docs, facts.partial) {
                (Some(docs), true) => format!("{docs}, part of the set"),
                (Some(docs), false) => docs.to_string(),
                (None, true) => "part of the set".to_owned(),
                (None, false) => unknown(),
            },
        ),
        (
            "Generation",
            match (generation.is_empty(), &facts.generation_sha16) {
                (false, _) => generation.join(", "),
                (true, Some(hash)) => format!("hash {hash}"),
                (true, None) => unknown(),
            },
        ),
        ("Time", {
            let (minute, assumed) = (run.at.minute(), facts.time_zone_assumed);
            let (day, time) = minute.split_once(' ').unwrap_or((&minute, ""));
            let assumed = if assumed { ", UTC assumed" } else { " UTC" };
            format!("{}, {time}{assumed}", format::date(day))
        }),
    ]);
    said.into_iter().map(|(name, value)| (name, format::clean(&value))).collect()
}
