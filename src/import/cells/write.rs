//! Cells → lines. Refuses, naming the cell, what a format cannot hold.

use std::io::{self, Write};

use super::format::Format;
use crate::domain::{Failure, Hint};
use crate::table::{CellRef, Scope, Table, Value, spell_number};

/// Why a table cannot be written in a format.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// White space where it separates columns.
    #[error("{format} separates columns by white space, and {what} `{text}` holds some")]
    Blank {
        /// The format.
        format: Format,
        /// `the run`, `the value of measure … in run …`, ….
        what: String,
        /// The text.
        text: String,
    },
    /// Nothing where something must stand.
    #[error("{format} cannot hold {what}, which is empty")]
    Empty {
        /// The format.
        format: Format,
        /// What is empty.
        what: String,
    },
    /// A topic with the aggregate's name.
    #[error("topic `{0}` has the aggregate's name")]
    AllTopic(String),
    /// A file for one run, a table of several.
    #[error("a {0} file holds one run, and the table has {1}")]
    SeveralRuns(Format, usize),
    /// The output.
    #[error("the cells could not be written: {0}")]
    Io(#[from] io::Error),
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        let what = error.to_string();
        match error {
            WriteError::Io(_) => Self::world(what),
            WriteError::SeveralRuns(..) => Self::unusable(what).hint(Hint::OneRunPerFile),
            WriteError::AllTopic(_) => Self::unusable(what).hint(Hint::TopicNamedAsAggregate),
            WriteError::Blank { .. } | WriteError::Empty { .. } => {
                Self::unusable(what).hint(Hint::TextUnfitForFormat)
            }
        }
    }
}

/// Writes all cells of `table`.
pub fn write(
    table: &Table,
    format: Format,
    all_topic: &str,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    if matches!(format, Format::TrecEval | Format::IrMeasuresQ) && table.len() > 1 {
        return Err(WriteError::SeveralRuns(format, table.len()));
    }
    check_names(table, format, all_topic)?;
    let mut any = false;
    for cell in table.cells() {
        write_cell(table, format, all_topic, &cell, out)?;
        any = true;
    }
    if !any {
        // An empty board is one empty line.
        writeln!(out)?;
    }
    Ok(())
}

/// The lines of each run, in the order of the runs.
pub fn write_by_run(
    table: &Table,
    format: Format,
    all_topic: &str,
) -> Result<Vec<Vec<u8>>, WriteError> {
    check_names(table, format, all_topic)?;
    let mut files = vec![Vec::new(); table.len()];
    for cell in table.cells() {
        write_cell(table, format, all_topic, &cell, &mut files[cell.run.index()])?;
    }
    for file in files.iter_mut().filter(|file| file.is_empty()) {
        file.push(b'\n');
    }
    Ok(files)
}

fn write_cell(
    table: &Table,
    format: Format,
    all_topic: &str,
    cell: &CellRef<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let (run, measure) = (table.id(cell.run), &table.measure(cell.measure).name);
    let topic = match cell.scope {
        Scope::Topic(topic) => table.topic_name(topic),
        Scope::All => all_topic,
    };
    if let Value::Text(text) = &cell.value {
        let what = || format!("the value of measure `{measure}` in run `{run}` on `{topic}`");
        check(format, what, text)?;
    }
    Ok(write_line(format, run, topic, measure, &cell.value, out)?)
}

/// Names once, not once per cell.
fn check_names(table: &Table, format: Format, all_topic: &str) -> Result<(), WriteError> {
    for topic in table.topics() {
        let name = table.topic_name(topic);
        if name == all_topic {
            return Err(WriteError::AllTopic(name.to_owned()));
        }
        check(format, || "the topic".to_owned(), name)?;
    }
    for (_, measure) in table.measures() {
        check(format, || "the measure".to_owned(), &measure.name)?;
    }
    for run in table.runs() {
        check(format, || "the run".to_owned(), table.id(run))?;
    }
    Ok(())
}

fn check(format: Format, what: impl Fn() -> String, text: &str) -> Result<(), WriteError> {
    if format == Format::Jsonl {
        return Ok(());
    }
    if text.is_empty() {
        return Err(WriteError::Empty { format, what: what() });
    }
    if text.contains(char::is_whitespace) || text.starts_with('\u{feff}') {
        return Err(WriteError::Blank { format, what: what(), text: text.to_owned() });
    }
    Ok(())
}

/// One line; what it holds was checked before, or need not be.
pub(crate) fn write_line(
    format: Format,
    run: &str,
    topic: &str,
    measure: &str,
    value: &Value<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::TrecEval => writeln!(out, "{measure}\t{topic}\t{value}"),
        Format::IrMeasuresQ => writeln!(out, "{topic}\t{measure}\t{value}"),
        Format::Tot => writeln!(out, "{run}\t{measure}\t{topic}\t{value}"),
        Format::IrMeasures => writeln!(out, "{run}\t{topic}\t{measure}\t{value}"),
        Format::Rag4Reports => writeln!(out, "{topic}\t{run}\t{measure}\t{value}"),
        Format::Ranking => writeln!(out, "{topic}\tQ0\t{run}\t0\t{value}\t{measure}"),
        Format::Jsonl => {
            let quote = |text: &str| serde_json::to_string(text).unwrap_or_default();
            let value = match value {
                // Not JSON, but what its readers write and read.
                Value::Number(number) if number.is_nan() => "NaN".to_owned(),
                Value::Number(number) if number.is_infinite() => {
                    if *number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
                }
                Value::Number(number) => spell_number(*number),
                Value::Text(text) => quote(text),
            };
            writeln!(
                out,
                "{{\"run_id\": {}, \"topic_id\": {}, \"measure\": {}, \"value\": {value}}}",
                quote(run),
                quote(topic),
                quote(measure)
            )
        }
    }
}
