//! `compare`: runs side by side, and topic by topic.

use super::analysis::ready;
use crate::cli::{Common, Compare};
use crate::domain::{Exit, Failure};
use crate::table::{MeasureId, Run, Select};
use crate::ui::Ui;

pub(super) fn run(args: &Compare, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let Compare { ids, sources, by, fail_on_drop, input, filter } = args;
    let table = ready(sources, input, filter, Select::default(), None, common, ui)?.table;
    if input.is_rlm_compat() && common.json {
        return super::upstream::compare(&table, ids, by, ui);
    }
    let mut runs: Vec<Run> = Vec::new();
    for id in ids {
        let run = table.find(id)?;
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    let measures: Vec<MeasureId> = if by.is_empty() {
        let some = |id: &MeasureId| runs.iter().any(|run| table.number(*run, *id).is_some());
        table.measures().map(|(id, _)| id).filter(some).collect()
    } else {
        by.iter().map(|name| table.measure_named(name)).collect::<Result<_, _>>()?
    };
    let comparison = table.compare(&runs, &measures);
    let fallen: Vec<(MeasureId, Run, f64)> = comparison
        .drops(&table)
        .into_iter()
        .filter_map(|(measure, run, drop)| Some((measure, run, drop?)))
        .filter(|(_, _, drop)| fail_on_drop.is_some_and(|limit| *drop > limit))
        .collect();
    ui.comparison(&table, &comparison, &fallen, common.json)?;
    Ok(if fallen.is_empty() { Exit::Yes } else { Exit::No })
}
