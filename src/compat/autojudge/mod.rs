//! What three generations of one judge program make of files of cells, where they differ from us
//! and from each other. Each load and filter goes through the one builder, under a policy.
//!
//! A row here is all measures of one run and scope, because the two older programs think in rows;
//! the newest, and we, think in cells.

mod correlate;
mod program;
mod report;

pub use correlate::{Correlations, Missing, Question, evaluate, methods, shared_topics};
pub use program::{JudgeProgram, JudgedCells, JudgedFile, JudgedSource};
pub use report::CorrelationRows;

use std::io::Write;

use crate::import::ImportError;
use crate::import::cells::{Format, Raw, Typing, write_line};
use crate::table::{
    Aggregates, BuildError, Builder, Duplicates, Expect, Holes, Kind, Measure, Policy, Scope,
    Select, SelectError, Table, Value,
};

/// Every measure a run has in one scope.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The run.
    pub run: String,
    /// The topic; `None` is the aggregate.
    pub topic: Option<String>,
    /// The values, in the order of first sight.
    pub values: Vec<(String, Value<'static>)>,
}

/// Rows and what their measures are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// The measures.
    pub measures: Vec<(String, Kind)>,
    /// The rows, in order.
    pub rows: Vec<Row>,
}

impl Rows {
    /// The rows of what was read: the last of several values counts, in the place of the first.
    pub fn of_raw(raw: &Raw<'_>, typing: Typing) -> Self {
        let kind = |measure: &Measure| measure.topic.or(measure.aggregate).unwrap_or(Kind::Number);
        let measures = raw.infer(typing).iter().map(|m| (m.name.clone(), kind(m))).collect();
        let mut rows: Vec<Row> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for (run, topic, measure, text) in raw.cells() {
            let at = *places.entry((run, topic)).or_insert_with(|| {
                let topic = topic.map(str::to_owned);
                rows.push(Row { run: run.to_owned(), topic, values: Vec::new() });
                rows.len() - 1
            });
            let value = Value::Text(text.to_owned().into());
            match rows[at].values.iter_mut().find(|(name, _)| name == measure) {
                Some((_, old)) => *old = value,
                None => rows[at].values.push((measure.to_owned(), value)),
            }
        }
        Self { measures, rows }
    }

    /// The rows of a table that lists its cells in order; a measure that comes again starts
    /// another row.
    pub fn of_table(table: &Table) -> Self {
        let mut rows: Vec<Row> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for cell in table.cells() {
            let name = &table.measure(cell.measure).name;
            let place = places.entry((cell.run, cell.scope)).or_insert(usize::MAX);
            if rows.get(*place).is_none_or(|row| row.values.iter().any(|(known, _)| known == name))
            {
                *place = rows.len();
                let topic = match cell.scope {
                    Scope::Topic(topic) => Some(table.topic_name(topic).to_owned()),
                    Scope::All => None,
                };
                rows.push(Row { run: table.id(cell.run).to_owned(), topic, values: Vec::new() });
            }
            let value = match cell.value {
                Value::Number(number) => Value::Number(number),
                Value::Text(text) => Value::Text(text.into_owned().into()),
            };
            rows[*place].values.push((name.clone(), value));
        }
        let kind = |measure: &Measure| measure.topic.or(measure.aggregate).unwrap_or(Kind::Number);
        let measures = table.measures().map(|(_, m)| (m.name.clone(), kind(m))).collect();
        Self { measures, rows }
    }

    /// The measures that occur in a row about a topic, or all of them.
    pub fn spec(&self, drop_aggregate: bool) -> Vec<(String, Kind)> {
        let per_topic = |name: &str| {
            let topics = self.rows.iter().filter(|row| row.topic.is_some());
            topics.flat_map(|row| &row.values).any(|(known, _)| known == name)
        };
        let wanted = |(name, _): &&(String, Kind)| !drop_aggregate || per_topic(name);
        self.measures.iter().filter(wanted).cloned().collect()
    }

    /// Writes the rows as lines, without asking whether the format can hold them.
    pub fn write(&self, format: Format, all_topic: &str, out: &mut Vec<u8>) {
        for row in &self.rows {
            for (measure, _) in &self.measures {
                if let Some((_, value)) = row.values.iter().find(|(name, _)| name == measure) {
                    let topic = row.topic.as_deref().unwrap_or(all_topic);
                    let _ = write_line(format, &row.run, topic, measure, value, out);
                }
            }
        }
        if out.is_empty() {
            let _ = writeln!(out);
        }
    }
}

/// Writes the cells of a table in their order, without asking whether the format can hold them.
pub fn write_cells(table: &Table, format: Format, all_topic: &str, out: &mut Vec<u8>) {
    for cell in table.cells() {
        let topic = match cell.scope {
            Scope::Topic(topic) => table.topic_name(topic),
            Scope::All => all_topic,
        };
        let measure = &table.measure(cell.measure).name;
        let _ = write_line(format, table.id(cell.run), topic, measure, &cell.value, out);
    }
    if out.is_empty() {
        let _ = writeln!(out);
    }
}

/// The oldest program's load: every cell is the text it is, and the last of several counts.
pub fn base_load(raw: &Raw<'_>) -> Result<Table, BuildError> {
    let mut builder = Builder::new(raw.infer(Typing::Text));
    for row in &Rows::of_raw(raw, Typing::Text).rows {
        let run = builder.run(&row.run);
        let scope = match &row.topic {
            Some(topic) => Scope::Topic(builder.topic(topic)),
            None => Scope::All,
        };
        for (name, value) in &row.values {
            let measure = builder.measure(Measure::text(name))?;
            builder.cell(run, scope, measure, value.clone(), 0)?;
        }
    }
    Ok(builder.build(&evaluate_policy(false))?.table)
}

/// Measures of one kind in both scopes, as the design knows them.
fn declared(spec: &[(String, Kind)]) -> impl Iterator<Item = Measure> {
    spec.iter().map(|(name, kind)| match kind {
        Kind::Number => Measure::number(name),
        Kind::Text => Measure::text(name),
    })
}

fn design_policy(aggregates: Aggregates, holes: Holes, expect: Expect) -> Policy {
    let duplicates = Duplicates::Keep;
    Policy { holes, aggregates, duplicates, expect, ..Policy::default() }
}

fn drop_or_keep(drop_aggregate: bool) -> Aggregates {
    if drop_aggregate { Aggregates::Recompute } else { Aggregates::Keep }
}

/// The design's build: strict rows, one policy for holes, aggregates dropped and computed or kept.
pub fn design_build<'r>(
    spec: &[(String, Kind)],
    rows: impl IntoIterator<Item = &'r Row>,
    expect: Expect,
    holes: Holes,
    drop_aggregate: bool,
) -> Result<Table, BuildError> {
    let mut builder = Builder::new(declared(spec));
    for row in rows {
        let scope = match &row.topic {
            Some(topic) => Scope::Topic(builder.topic(topic)),
            None => Scope::All,
        };
        let values = row.values.iter().map(|(name, value)| (name.as_str(), value.clone()));
        builder.add_row(&row.run, scope, values)?;
    }
    // The design warns and fills; it does not only warn.
    let holes = if holes == Holes::Warn { Holes::Fill } else { holes };
    let policy = design_policy(drop_or_keep(drop_aggregate), holes, expect);
    Ok(builder.build(&policy)?.table)
}

/// The design's load of one file, or of a directory of them.
pub fn design_load(
    files: &[Raw<'_>],
    is_directory: bool,
    drop_aggregate: bool,
    holes: Holes,
) -> Result<Table, BuildError> {
    let mut boards = files.iter().map(|raw| Rows::of_raw(raw, Typing::Joint));
    let first = boards.next().unwrap_or_default();
    let raw = if is_directory {
        let mut topics: Vec<Row> = Vec::new();
        let spec = first.measures.clone();
        for board in std::iter::once(first).chain(boards) {
            topics.extend(board.rows.into_iter().filter(|row| row.topic.is_some()));
        }
        Rows::of_table(&design_build(&spec, &topics, Expect::Nothing, Holes::Fill, true)?)
    } else {
        first
    };
    let spec = raw.spec(drop_aggregate);
    let kept: Vec<Row> = raw
        .rows
        .into_iter()
        .map(|mut row| {
            row.values.retain(|(name, _)| spec.iter().any(|(known, _)| known == name));
            row
        })
        .collect();
    design_build(&spec, &kept, Expect::Nothing, holes, drop_aggregate)
}

/// The design's filter: a run that lacks a topic is averaged as if it scored 0 there.
#[cfg_attr(sealed, expect(dead_code, reason = "the conformance tests use it"))]
pub fn design_filter(
    table: &Table,
    runs: Option<&[String]>,
    topics: Option<&[String]>,
) -> Result<Table, BuildError> {
    let board = Rows::of_table(table);
    let wanted = |row: &&Row| {
        let topic = row.topic.as_ref();
        topic.is_some_and(|topic| topics.is_none_or(|topics| topics.contains(topic)))
            && runs.is_none_or(|runs| runs.contains(&row.run))
    };
    let every = || table.topics().map(|topic| table.topic_name(topic).to_owned()).collect();
    let expected = topics.map_or_else(every, <[String]>::to_vec);
    let rows = board.rows.iter().filter(wanted);
    design_build(&board.measures, rows, Expect::Topics(expected), Holes::FixAggregate, true)
}

/// The newest program's load: every repetition counts, texts have no aggregate.
pub fn evaluate_policy(recompute: bool) -> Policy {
    Policy {
        holes: Holes::Skip,
        aggregates: if recompute { Aggregates::Recompute } else { Aggregates::Keep },
        duplicates: Duplicates::Keep,
        expect: Expect::Nothing,
        no_text_aggregate: true,
        ..Policy::default()
    }
}

/// The newest program's load of one or more files as one.
pub fn evaluate_load(raw: &Raw<'_>, drop: bool, recompute: bool) -> Result<Table, ImportError> {
    let mut builder = Builder::default();
    raw.add_plain(&mut builder)?;
    let failed = |error| ImportError::Build { place: String::new(), error };
    let mut policy = evaluate_policy(recompute);
    if drop && !recompute {
        policy.aggregates = Aggregates::Drop;
    }
    Ok(builder.build(&policy).map_err(failed)?.table)
}

/// The newest program's filters; with `recompute` the aggregates are made anew even where every
/// cell stays.
pub fn evaluate_filter(
    table: Table,
    select: &Select,
    recompute: bool,
) -> Result<Table, SelectError> {
    let policy = evaluate_policy(recompute);
    let kept = table.select(select, &policy)?.table;
    Ok(Builder::from_table(kept).build(&policy)?.table)
}

/// Each run's aggregate in the order of the aggregate's rows; the last of several counts.
/// `None` if one of them is a text.
pub fn evaluate_ranking(table: &Table, measure: &str) -> Option<Vec<(String, f64)>> {
    let id = table.measure_named(measure).ok()?;
    let mut ranking: Vec<(String, f64)> = Vec::new();
    for cell in table.cells().filter(|cell| cell.scope == Scope::All && cell.measure == id) {
        let (run, value) = (table.id(cell.run), cell.value.number()?);
        match ranking.iter_mut().find(|(known, _)| known == run) {
            Some((_, old)) => *old = value,
            None => ranking.push((run.to_owned(), value)),
        }
    }
    (!ranking.is_empty()).then_some(ranking)
}
