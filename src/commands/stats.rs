//! `stats`: what each measure is like over all runs, or over the topics of each.

use std::collections::{BTreeMap, HashMap};

use crate::cli::{Common, Stats};
use crate::compat::rlm_code::python_summary;
use crate::domain::{Exit, Failure};
use crate::table::{Aggregates, MeasureId, RunId, Select, Summary, Table, TopicId};
use crate::ui::{StatRow, Ui};
use crate::workspace::Analysis;

pub(super) fn run(args: &Stats, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let analysis = args.given.analysis(common);
    if args.check {
        return check(args, &analysis, common, ui);
    }
    let work = ui.working();
    let filter = args.given.filter();
    let table = analysis.ready(&filter, Select::default(), None, &|it| work.remark(it))?.table;
    if let Some(facet) = &args.values {
        table.facet_named(facet)?;
        let values = table.distinct(facet);
        drop(work);
        ui.values(&values, common.json)?;
        return Ok(Exit::Yes);
    }
    let measures = measures(&table, &args.by)?;
    let compat = analysis.is_rlm_compat();
    let rows: Vec<StatRow> = if args.per_run {
        per_run(&table, &measures)
    } else {
        over_runs(&table, &measures, compat)
    };
    drop(work);
    ui.stats(&rows, common.json)?;
    Ok(Exit::Yes)
}

/// The measures named, or all that are numbers.
fn measures(table: &Table, names: &[String]) -> Result<Vec<MeasureId>, Failure> {
    if names.is_empty() {
        let some = |id: &MeasureId| {
            table.has_values(*id) && table.runs().any(|run| table.number(run, *id).is_some())
        };
        return Ok(table.measures().map(|(id, _)| id).filter(some).collect());
    }
    Ok(names.iter().map(|name| table.measure_named(name)).collect::<Result<_, _>>()?)
}

fn over_runs(table: &Table, measures: &[MeasureId], compat: bool) -> Vec<StatRow> {
    let row = |id: &MeasureId| {
        let values = table.runs().filter_map(|run| table.number(run, *id));
        StatRow {
            run: None,
            measure: table.measure(*id).name.clone(),
            of: table.len(),
            summary: if compat { python_summary(values) } else { Summary::of(values) },
        }
    };
    measures.iter().map(row).collect()
}

fn per_run(table: &Table, measures: &[MeasureId]) -> Vec<StatRow> {
    let places: HashMap<MeasureId, usize> = measures.iter().copied().zip(0..).collect();
    let of = table.topics().count();
    let mut rows: Vec<((RunId, usize), StatRow)> = Vec::new();
    for ((run, id), numbers) in table.topic_numbers() {
        let Some(place) = places.get(&id) else { continue };
        let last: BTreeMap<TopicId, f64> = numbers.into_iter().collect();
        let summary = Summary::of(last.into_values());
        if summary.is_some() {
            let (measure, id) = (table.measure(id).name.clone(), Some(table.id(run).to_owned()));
            rows.push(((run, *place), StatRow { run: id, measure, of, summary }));
        }
    }
    rows.sort_by_key(|(key, _)| *key);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn check(args: &Stats, analysis: &Analysis, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let work = ui.working();
    let given = analysis.read(Some(Aggregates::Keep), &|it| work.remark(it))?;
    let found = given.discrepancies(args.tolerance)?;
    drop(work);
    ui.discrepancies(&found, args.tolerance, common.json)?;
    Ok(if found.is_empty() { Exit::Yes } else { Exit::No })
}
