//! What every analysis does first: read the sources, say what was left out, apply the filters.

use crate::compat::autojudge;
use crate::workspace;
use std::path::PathBuf;

use super::intake::{intake, lines};
use crate::cli::{Common, Filter, Input, OnMissing};
use crate::domain::Failure;
use crate::table::{Aggregates, Builder, Expect, Holes, MeasureId, Policy, Select, Table};
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
    let mut select = filter.apply(extra, input.is_rlm_compat())?;
    if let Some(topics) = &mut select.topics {
        topics.retain(|topic| *topic != input.all_topic);
        if topics.is_empty() {
            select.topics = None;
        }
    }
    let selects = select.topics.is_some()
        || select.measures.is_some()
        || !select.takes_all_runs()
        || !filter.without.is_empty();
    let Raw { builder, policy, has_cells } = raw(sources, input, aggregates, common, ui)?;
    // The second build says what is missing in what is left.
    let quiet = selects && policy.holes == Holes::Warn;
    let first = Policy { holes: if quiet { Holes::Skip } else { policy.holes }, ..policy.clone() };
    let built = builder.build(&first)?;
    ui.notes(&built.notes);
    let table = built.table;
    let total = table.len();
    for name in &filter.without {
        select.without.push(table.id(table.find(name)?).to_owned());
    }
    for unmatched in table.unmatched(&select) {
        ui.note(&format!("note: {unmatched}"));
    }
    let cuts =
        select.topics.is_some() || select.runs.is_some() || (has_cells && !select.takes_all_runs());
    let policy = if cuts && input.aggregates.is_none() && input.compat.is_none() {
        select.keep_topicless = true;
        recomputing(&table, &select, input, policy)
    } else {
        policy
    };
    let built = table.select(&select, &policy)?;
    ui.notes(&built.notes);
    Ok(Ready { table: built.table, total })
}

/// How aggregates are made for some of the runs or topics: afresh, and a run that lacks a topic
/// is averaged as if it had 0 there, unless the user says otherwise.
fn recomputing(table: &Table, select: &Select, input: &Input, policy: Policy) -> Policy {
    let expect = match (&select.topics, policy.expect) {
        (Some(topics), _) => {
            let known = |name: &&String| table.topic(name).is_some();
            Expect::Topics(topics.iter().filter(known).cloned().collect())
        }
        (None, Expect::Union) => {
            Expect::Topics(table.topics().map(|topic| table.topic_name(topic).to_owned()).collect())
        }
        (None, expect) => expect,
    };
    let holes = if input.on_missing.is_none() { Holes::FixAggregate } else { policy.holes };
    Policy { aggregates: Aggregates::Recompute, holes, expect, ..policy }
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
    let Raw { builder, policy, .. } = raw(sources, input, aggregates, common, ui)?;
    let built = builder.build(&policy)?;
    ui.notes(&built.notes);
    Ok((built.table, policy))
}

/// What the sources hold, and how it is to be built.
struct Raw {
    builder: Builder,
    policy: Policy,
    has_cells: bool,
}

fn raw(
    sources: &[PathBuf],
    input: &Input,
    aggregates: Option<Aggregates>,
    common: &Common,
    ui: Ui,
) -> Result<Raw, Failure> {
    let paths = match sources {
        [] => {
            let path = workspace::default_source(&common.root, input.workdir_first)?;
            let shown = path.strip_prefix("./").unwrap_or(&path);
            ui.note(&format!("reading {}", shown.display()));
            vec![path]
        }
        sources => sources.to_vec(),
    };
    let intake = intake(input, common)?;
    if let Some(program) = input.judge_program() {
        let [path] = paths.as_slice() else {
            return Err(Failure::unusable("a judge program reads one file or one directory"));
        };
        let table = workspace::load_judged(path, &intake, program)?.table;
        let policy = autojudge::evaluate_policy(false);
        return Ok(Raw { builder: Builder::from_table(table), policy, has_cells: true });
    }
    let loaded = workspace::load_table(&paths, &intake)?;
    ui.tally(&loaded.tally);
    let topics = input.topics.as_deref().map(lines).transpose()?;
    let mut policy = input.policy(topics, loaded.has_cells);
    if input.spec.is_some() && input.on_missing == Some(OnMissing::Error) {
        policy.required = intake.measures.iter().map(|measure| measure.name.clone()).collect();
    }
    if let (None, Some(aggregates)) = (input.aggregates, aggregates) {
        let merges = aggregates == Aggregates::Keep && loaded.has_cells && paths.len() > 1;
        policy.aggregates = if merges { Aggregates::Recompute } else { aggregates };
    }
    Ok(Raw { builder: loaded.builder, policy, has_cells: loaded.has_cells })
}
