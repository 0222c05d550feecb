//! What every analysis does first: read the sources, say what was left out, apply the filters.

use std::path::{Path, PathBuf};

use crate::cli::{Common, Filter, Input};
use crate::domain::Failure;
use crate::import::rlm_code;
use crate::store::{self, Intake};
use crate::table::{Aggregates, Measure, MeasureId, Policy, Select, Table};
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
        [] => vec![store::default_source(&common.root)?],
        sources => sources.to_vec(),
    };
    let mut measures = input.measures.clone();
    for line in input.spec.as_deref().map(lines).transpose()?.unwrap_or_default() {
        measures.push(line.parse::<Measure>()?);
    }
    let intake = Intake {
        from: input.from.source(),
        rlm: rlm_code::Options {
            compat: input.is_rlm_compat(),
            keep_benchmark_runs: input.keep_benchmark_runs,
        },
        measures,
        all_topic: input.all_topic.clone(),
        header: input.header.then_some(true),
        root: common.root.clone(),
        config: common.config.clone(),
    };
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

/// The lines of a file that are neither empty nor comments.
pub(super) fn lines(path: &Path) -> Result<Vec<String>, Failure> {
    let bytes = store::read_typed(path, store::OWN_FILE_LIMIT)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::unusable(format!("`{}` is not UTF-8", path.display())))?;
    let useful = |line: &&str| !line.is_empty() && !line.starts_with('#');
    Ok(text.lines().map(str::trim).filter(useful).map(str::to_owned).collect())
}
