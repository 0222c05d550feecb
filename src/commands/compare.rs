//! `compare`: runs side by side, and topic by topic.

use std::path::{Path, PathBuf};

use crate::cli::{Common, Compare};
use crate::compat::rlm_code::Upstream;
use crate::domain::{Exit, Failure};
use crate::table::{MeasureId, RunId, Select};
use crate::ui::Ui;

/// How many runs fit side by side.
const MOST: usize = 50;

pub(super) fn run(args: &Compare, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let Compare { ids, sources, by, fail_on_drop, reading } = args;
    // `--source` leaves no doubt, so that a run may have the name of a file.
    let (paths, ids): (Vec<&String>, Vec<&String>) =
        ids.iter().partition(|id| sources.is_empty() && Path::new(id).exists());
    let sources: Vec<PathBuf> = match paths.as_slice() {
        [] => sources.clone(),
        paths => paths.iter().map(PathBuf::from).collect(),
    };
    if ids.len() < 2 && paths.is_empty() {
        return Err(Failure::unusable("`compare` needs at least two runs")
            .help("name them, e.g. `compare demo:careful demo:steady`, or name sources to compare all their runs"));
    }
    let analysis = reading.input.analysis(&sources, common);
    let work = ui.working();
    let filter = reading.filter.runs();
    let table = analysis.ready(&filter, Select::default(), None, &|it| work.remark(it))?.table;
    drop(work);
    if analysis.is_rlm_compat() && common.json {
        let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
        ui.json(&Upstream::new(&table, table.len()).compare(&ids, by)?)?;
        return Ok(Exit::Yes);
    }
    let mut runs: Vec<RunId> = Vec::new();
    for id in &ids {
        let run = table.find(id)?;
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    if ids.is_empty() {
        runs = table.runs().collect();
    }
    if !(2..=MOST).contains(&runs.len()) {
        let what = format!("`compare` takes 2 to {MOST} runs, and this names {}", runs.len());
        let known: Vec<&str> = table.runs().take(10).map(|run| table.id(run)).collect();
        return Err(Failure::unusable(what)
            .detail(format!("the sources have: `{}`", known.join("`, `")))
            .help("name the runs before the sources, by id or any unique start of it"));
    }
    let measures: Vec<MeasureId> = if by.is_empty() {
        let some = |id: &MeasureId| runs.iter().any(|run| table.number(*run, *id).is_some());
        table.measures().map(|(id, _)| id).filter(some).collect()
    } else {
        by.iter().map(|name| table.measure_named(name)).collect::<Result<_, _>>()?
    };
    let comparison = table.compare(&runs, &measures);
    let fallen: Vec<(MeasureId, RunId, f64)> = comparison
        .drops(&table)
        .into_iter()
        .filter_map(|(measure, run, drop)| Some((measure, run, drop?)))
        .filter(|(_, _, drop)| fail_on_drop.is_some_and(|limit| *drop > limit))
        .collect();
    ui.comparison(&table, &comparison, &fallen, common.json)?;
    Ok(if fallen.is_empty() { Exit::Yes } else { Exit::No })
}
