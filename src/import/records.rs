//! Any CSV with a header, any JSON lines: one record per row.
//!
//! What a newcomer gets wrong: nothing says which columns are measures. Given ones are; without
//! any, a column whose every value is a number is.

use super::note::{ImportError, Note, Tally};
use super::spell::compact;
use crate::domain::nearest;
use crate::json::{Limits, Value as Json, parse_with};
use crate::table::{
    BuildError, Builder, FacetKind, FacetValue, Measure, MeasureId, Run, STARTED_AT, Scope, Value,
    parse_number,
};

/// Columns that name the run, in order of preference.
const RUN: [&str; 8] = ["run_id", "run", "id", "entry_id", "system", "model", "name", "judge"];
/// Columns that name the topic.
const TOPIC: [&str; 9] =
    ["topic_id", "topic", "case_id", "case", "task", "prompt_id", "prompt", "query_id", "question"];
/// Columns that say when.
const TIME: [&str; 6] = ["timestamp", "started_at", "date", "time", "created_at", "datetime"];
/// A column that some export added and no source measured.
const RANK: &str = "rank";

/// Rows of texts below named columns; `None` is absent.
struct Records {
    columns: Vec<String>,
    rows: Vec<(usize, Vec<Option<String>>)>,
}

/// Reads CSV with a header line.
pub fn read_csv(
    builder: &mut Builder,
    file: &str,
    bytes: &[u8],
    measures: &[Measure],
) -> Result<Tally, ImportError> {
    let mut tally = Tally::default();
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let line_error = |line: u64, what: String| ImportError::Line {
        file: file.to_owned(),
        line: usize::try_from(line).unwrap_or(0),
        what,
        expected: "expected UTF-8, comma-separated, with a header line".to_owned(),
    };
    let header = reader.headers().map_err(|error| line_error(1, csv_words(&error)))?;
    let columns: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                return Err(line_error(line, csv_words(&error)));
            }
        };
        let line = usize::try_from(record.position().map_or(0, csv::Position::line)).unwrap_or(0);
        if record.len() != columns.len() {
            let what =
                format!("the line has {} fields, the header {}", record.len(), columns.len());
            tally.skip(Note::line(file, line, what));
            continue;
        }
        let row =
            record.iter().map(|field| Some(field.trim().to_owned()).filter(|f| !f.is_empty()));
        rows.push((line, row.collect()));
    }
    add(builder, file, &Records { columns, rows }, measures, &mut tally)?;
    Ok(tally)
}

/// Reads JSON lines: one object per line.
pub fn read_jsonl(
    builder: &mut Builder,
    file: &str,
    bytes: &[u8],
    measures: &[Measure],
) -> Result<Tally, ImportError> {
    let limits = Limits { depth: 64, lenient_numbers: true };
    let mut tally = Tally::default();
    let mut records = Records { columns: Vec::new(), rows: Vec::new() };
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let document = match parse_with(line, limits) {
            Ok(document) => document,
            Err(error) => {
                tally.skip(Note::line(file, at + 1, format!("not JSON: {error}")));
                continue;
            }
        };
        let Ok(object) = document.root.object() else {
            let what = format!("the line holds {}, not an object", document.root.kind());
            tally.skip(Note::line(file, at + 1, what));
            continue;
        };
        let mut row: Vec<Option<String>> = vec![None; records.columns.len()];
        for (key, node) in object.iter() {
            let column = records.columns.iter().position(|name| name == key).unwrap_or_else(|| {
                records.columns.push(key.clone().into_owned());
                row.push(None);
                records.columns.len() - 1
            });
            row[column] = match &node.value {
                Json::Null => None,
                Json::String(text) => Some(text.clone().into_owned()),
                Json::Bool(value) => Some(if *value { "1" } else { "0" }.to_owned()),
                Json::Number(number) => Some(number.as_str().to_owned()),
                _ => Some(compact(node)),
            };
        }
        records.rows.push((at + 1, row));
    }
    for (_, row) in &mut records.rows {
        row.resize(records.columns.len(), None);
    }
    add(builder, file, &records, measures, &mut tally)?;
    Ok(tally)
}

fn csv_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "the line is not UTF-8".to_owned(),
        _ => "the line is not CSV".to_owned(),
    }
}

/// A number, or a percentage as a share.
fn number(text: &str) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percent) => parse_number(percent).map(|number| number / 100.0),
        None => parse_number(text),
    }
}

struct Roles {
    run: usize,
    topic: Option<usize>,
    measures: Vec<(usize, MeasureId)>,
    facets: Vec<(usize, String)>,
}

fn roles(
    builder: &mut Builder,
    file: &str,
    records: &Records,
    given: &[Measure],
) -> Result<Roles, ImportError> {
    let position = |names: &[&str]| {
        names.iter().find_map(|name| {
            records.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
        })
    };
    let taken = |at: usize| given.iter().any(|measure| measure.name == records.columns[at]);
    let run = position(&RUN).filter(|at| !taken(*at)).unwrap_or(0);
    let topic = position(&TOPIC).filter(|at| *at != run && !taken(*at));
    let refused = |error: BuildError| ImportError::Build { place: file.to_owned(), error };
    let mut measures = Vec::new();
    for measure in given {
        let at = records.columns.iter().position(|column| *column == measure.name);
        let Some(at) = at else {
            let known = records.columns.iter().map(String::as_str);
            let near =
                nearest(&measure.name, known).map(|name| format!("; did you mean `{name}`?"));
            return Err(ImportError::Line {
                file: file.to_owned(),
                line: 1,
                what: format!("there is no column `{}`", measure.name),
                expected: format!(
                    "the columns are {}{}",
                    records.columns.join(", "),
                    near.unwrap_or_default()
                ),
            });
        };
        measures.push((at, builder.measure(measure.clone()).map_err(refused)?));
    }
    let mut facets = Vec::new();
    for (at, name) in records.columns.iter().enumerate() {
        if at == run || Some(at) == topic || measures.iter().any(|(taken, _)| *taken == at) {
            continue;
        }
        let values = || records.rows.iter().filter_map(|(_, row)| row[at].as_deref());
        let is_time = TIME.iter().any(|time| name.eq_ignore_ascii_case(time));
        let numeric = values().next().is_some() && values().all(|text| number(text).is_some());
        if given.is_empty() && numeric && !is_time && !name.eq_ignore_ascii_case(RANK) {
            measures.push((at, builder.measure(Measure::number(name)).map_err(refused)?));
        } else {
            facets.push((at, if is_time { STARTED_AT.to_owned() } else { name.clone() }));
        }
    }
    Ok(Roles { run, topic, measures, facets })
}

fn add(
    builder: &mut Builder,
    file: &str,
    records: &Records,
    given: &[Measure],
    tally: &mut Tally,
) -> Result<(), ImportError> {
    if records.columns.is_empty() {
        tally.notes.push(Note::file(file, "holds no record"));
        return Ok(());
    }
    let roles = roles(builder, file, records, given)?;
    let places: Vec<String> = match given {
        [] => roles.measures.iter().map(|(at, _)| records.columns[*at].clone()).collect(),
        _ => Vec::new(),
    };
    if !places.is_empty() {
        let what = format!(
            "run: `{}`; measures: `{}`, higher is better; `--measure name:lower:mean` says otherwise",
            records.columns[roles.run],
            places.join("`, `")
        );
        tally.notes.push(Note::file(file, what));
    }
    if roles.measures.is_empty() {
        return Err(ImportError::Shape {
            file: file.to_owned(),
            wanted: "a table of measures",
            why: format!("none of its columns is numeric: {}", records.columns.join(", ")),
        });
    }
    for (line, row) in &records.rows {
        let Some(id) = row[roles.run].as_deref() else {
            let what = format!("the column `{}` is empty", records.columns[roles.run]);
            tally.skip(Note::line(file, *line, what));
            continue;
        };
        let run = builder.run(id);
        let scope = roles.topic.and_then(|at| row[at].as_deref());
        let scope = scope.map_or(Scope::All, |name| Scope::Topic(builder.topic(name)));
        record(builder, file, *line, run, scope, row, &roles, tally);
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "one row and everything known about it")]
fn record(
    builder: &mut Builder,
    file: &str,
    line: usize,
    run: Run,
    scope: Scope,
    row: &[Option<String>],
    roles: &Roles,
    tally: &mut Tally,
) {
    let at_line = u32::try_from(line).unwrap_or(0);
    for (at, measure) in &roles.measures {
        let Some(text) = row[*at].as_deref() else { continue };
        let value = number(text).map_or(Value::from(text), Value::Number);
        if let Err(error) = builder.cell(run, scope, *measure, value, at_line) {
            tally.skip(Note::line(file, line, format!("{error}; it is missing")));
        }
    }
    for (at, name) in &roles.facets {
        if let Some(text) = row[*at].as_deref() {
            builder.facet(run, name, FacetKind::Text, FacetValue::Text(text));
        }
    }
    tally.loaded += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Better, Policy};

    #[test]
    fn numeric_columns_are_measures_and_the_rest_facets() {
        let csv = "model,task,acc,loss,started_at\na,t1,0.5,2,2026-01-01\na,t2,70%,,2026-01-01\nb,t1,1,3\n,t1,1,3,x\n";
        let mut builder = Builder::default();
        let tally = read_csv(&mut builder, "f.csv", csv.as_bytes(), &[]).expect("a file");
        assert_eq!((tally.loaded, tally.skipped), (2, 2));
        assert_eq!(tally.notes[0].place, "f.csv:4");
        let table = builder.build(&Policy::default()).expect("a table").table;
        let run = table.find("a").expect("a run");
        let acc = table.measure_named("acc").expect("a measure");
        assert_eq!(table.number(run, acc), Some(0.6));
        assert_eq!(table.facet(run, STARTED_AT).known(), Some("2026-01-01"));
    }

    #[test]
    fn given_measures_have_their_direction_and_must_exist() {
        let jsonl =
            b"{\"run\":\"a\",\"loss\":2,\"n\":3}\n{\"run\":\"b\",\"loss\":null}\n[1]\n{bad\n";
        let mut builder = Builder::default();
        let loss: Measure = "loss:lower".parse().expect("a measure");
        let tally = read_jsonl(&mut builder, "f.jsonl", jsonl, &[loss]).expect("a file");
        assert_eq!((tally.loaded, tally.skipped), (2, 2));
        let table = builder.build(&Policy::default()).expect("a table").table;
        let loss = table.measure_named("loss").expect("a measure");
        assert_eq!(table.measure(loss).better, Better::Lower);
        assert_eq!(table.number(table.find("b").expect("b"), loss), None);
        let absent: Measure = "los".parse().expect("a measure");
        let error = read_jsonl(&mut Builder::default(), "f.jsonl", jsonl, &[absent]);
        assert!(matches!(error, Err(ImportError::Line { what, .. }) if what.contains("`los`")));
    }
}
