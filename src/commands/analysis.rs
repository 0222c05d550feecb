//! What every analysis does first: read the sources, say what was left out, apply the filters.

use std::path::PathBuf;

use super::intake::{intake, lines};
use crate::cli::{Common, Filter, Input};
use crate::domain::Failure;
use crate::import::cells;
use crate::store;
use crate::table::{Aggregates, MeasureId, Policy, Select, Table};
use crate::ui::Ui;

/// The filtered table, and how many runs there were before.
pub(super) struct Ready {
    pub(super) table: Table,
    pub(super) total: usize,
}

pub(super) fn ready(
    sources: &[PathBuf],
    input: &Input,
    filter: &Filter,
    extra: Select,
    aggregates: Option<Aggregates>,
    common: &Common,
    ui: Ui,
) -> Result<Ready, Failure> {
    let (table, policy) = read(sources, input, aggregates, common, ui)?;
    let total = table.len();
    let mut select = filter.apply(extra, input.is_rlm_compat())?;
    for name in &filter.without {
        select.without.push(table.id(table.find(name)?).to_owned());
    }
    let built = table.select(&select, &policy)?;
    ui.notes(&built.notes);
    Ok(Ready { table: built.table, total })
}

/// What the sources say, aggregates as given, without filters.
pub(super) fn unfiltered(
    sources: &[PathBuf],
    input: &Input,
    common: &Common,
    ui: Ui,
) -> Result<Table, Failure> {
    Ok(read(sources, input, Some(Aggregates::Keep), common, ui)?.0)
}

/// The measure asked for, or the source's first.
pub(super) fn main_measure(table: &Table, name: Option<&str>) -> Result<MeasureId, Failure> {
    match name {
        Some(name) => Ok(table.measure_named(name)?),
        None => table.main_measure().ok_or_else(|| {
            Failure::unusable("the sources hold no measure").help("`--measure NAME` names one")
        }),
    }
}

/// Reads and builds; `aggregates` is what to do with them unless the user says.
pub(super) fn read(
    sources: &[PathBuf],
    input: &Input,
    aggregates: Option<Aggregates>,
    common: &Common,
    ui: Ui,
) -> Result<(Table, Policy), Failure> {
    let paths = match sources {
        [] => {
            let path = store::default_source(&common.root, input.workdir_first)?;
            let shown = path.strip_prefix("./").unwrap_or(&path);
            ui.say(&format!("reading {}", shown.display()));
            vec![path]
        }
        sources => sources.to_vec(),
    };
    let intake = intake(input, common)?;
    if let Some(program) = input.judge_program() {
        let [path] = paths.as_slice() else {
            return Err(Failure::unusable("a judge program reads one file or one directory"));
        };
        let (table, _) = store::load_judged(path, &intake, program)?;
        return Ok((table, cells::compat::evaluate_policy(false)));
    }
    let loaded = store::load_table(&paths, &intake)?;
    ui.tally(&loaded.tally);
    let topics = input.topics.as_deref().map(lines).transpose()?;
    let mut policy = input.policy(topics, loaded.has_cells);
    if let (None, Some(aggregates)) = (input.aggregates, aggregates) {
        policy.aggregates = aggregates;
    }
    let built = loaded.builder.build(&policy)?;
    ui.notes(&built.notes);
    Ok((built.table, policy))
}
