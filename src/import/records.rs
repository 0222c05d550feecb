//! Any CSV or TSV with a header, any JSON lines: one record per row.
//!
//! Nothing says which columns are measures: a column whose every value is a number is one, unless
//! the user lists the measures.

use std::collections::HashMap;

use super::document::{LIMITS, without_bom};
use super::json_value::compact;
use super::note::{ImportError, Note, Tally};
use crate::domain::{Hint, nearest, unharmed};
use crate::json::{Value as Json, parse_with};
use crate::table::{
    Better, BuildError, Builder, FacetKind, FacetValue, Measure, MeasureId, RunId, STARTED_AT,
    Scope, Value, lower_by_name, parse_number,
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
/// A table takes memory for columns × rows; above this most of it must be there.
const SPARSE_LIMIT: usize = 20_000_000;

/// What the user says about columns.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'m> {
    /// Columns that are measures, and how they are read.
    pub measures: &'m [Measure],
    /// Whether no other column is a measure.
    pub closed: bool,
}

/// Values below named columns; what is absent is not listed.
#[derive(Default)]
struct Records {
    columns: Vec<String>,
    rows: Vec<(usize, Vec<(u32, String)>)>,
    /// Whether `0,5` is a number.
    decimal_commas: bool,
}

impl Records {
    /// A number, or a percentage as a share.
    fn number(&self, text: &str) -> Option<f64> {
        let (text, scale) = text.strip_suffix('%').map_or((text, 1.0), |text| (text, 100.0));
        let plain = parse_number(text);
        let number = match plain {
            None if self.decimal_commas && text.matches(',').count() == 1 => {
                parse_number(&text.replace(',', "."))
            }
            number => number,
        };
        number.map(|number| number / scale)
    }
}

fn value(row: &[(u32, String)], column: usize) -> Option<&str> {
    row.iter().find(|(at, _)| *at as usize == column).map(|(_, text)| text.as_str())
}

/// Reads CSV with a header line; its first line says whether commas, semicolons or tabs separate.
pub fn read_csv(
    builder: &mut Builder,
    file: &str,
    bytes: &[u8],
    given: Given<'_>,
) -> Result<Tally, ImportError> {
    let mut tally = Tally::default();
    let text = without_bom(bytes);
    let delimiter = delimiter(text);
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).delimiter(delimiter).from_reader(text);
    let line_error = |line: u64, what: String| ImportError::Line {
        file: file.to_owned(),
        line: usize::try_from(line).unwrap_or(0),
        what,
        expected: "expected UTF-8 with a header line, separated by commas, semicolons or tabs"
            .to_owned(),
    };
    let header = reader.headers().map_err(|error| line_error(1, csv_words(&error)))?;
    let is_own = matches!(header.iter().take(2).collect::<Vec<_>>()[..], [RANK, "id" | "entry_id"]);
    // White space around a separator is a habit of people; this program writes none it does not mean.
    let field = |text: &str| unharmed(if is_own { text } else { text.trim() }).to_owned();
    let columns: Vec<String> = header.iter().map(field).collect();
    let mut records = Records { columns, rows: Vec::new(), decimal_commas: delimiter == b';' };
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                return Err(line_error(line, csv_words(&error)));
            }
        };
        let line = usize::try_from(record.position().map_or(0, csv::Position::line)).unwrap_or(0);
        if record.len() != records.columns.len() {
            let (fields, columns) = (record.len(), records.columns.len());
            let what = format!("the line has {fields} fields, the header {columns}");
            tally.skip(Note::line(file, line, what));
            continue;
        }
        let row = (0..).zip(record.iter().map(field)).filter(|(_, text)| !text.is_empty());
        records.rows.push((line, row.collect()));
    }
    if delimiter != b',' {
        let what = if delimiter == b';' { "semicolons; `0,5` is 0.5" } else { "tabs" };
        tally.notes.push(Note::file(file, format!("columns are separated by {what}")));
    }
    add(builder, file, &records, given, &mut tally)?;
    Ok(tally)
}

/// The separator that the header has most of.
fn delimiter(text: &[u8]) -> u8 {
    let ([mut commas, mut semicolons, mut tabs], mut is_quoted) = ([0; 3], false);
    for byte in text {
        match byte {
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'\n' => break,
            b',' => commas += 1,
            b';' => semicolons += 1,
            b'\t' => tabs += 1,
            _ => {}
        }
    }
    match () {
        () if tabs > commas.max(semicolons) => b'\t',
        () if semicolons > commas => b';',
        () => b',',
    }
}

/// Reads JSON lines: one object per line.
pub fn read_jsonl(
    builder: &mut Builder,
    file: &str,
    bytes: &[u8],
    given: Given<'_>,
) -> Result<Tally, ImportError> {
    let mut tally = Tally::default();
    let mut records = Records::default();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut booleans = 0;
    let bytes = without_bom(bytes);
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let document = match parse_with(line, LIMITS) {
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
        let mut row = Vec::with_capacity(object.len());
        for (key, node) in object.iter() {
            let text = match &node.value {
                Json::Null => continue,
                Json::String(text) => text.clone().into_owned(),
                Json::Bool(value) => {
                    booleans += 1;
                    if *value { "1" } else { "0" }.to_owned()
                }
                Json::Number(number) => number.as_str().to_owned(),
                _ => compact(node),
            };
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            let column = *numbers.entry(key.to_string()).or_insert_with(|| {
                records.columns.push(key.to_string());
                next
            });
            row.push((column, text));
        }
        records.rows.push((at + 1, row));
    }
    if booleans > 0 {
        tally.notes.push(Note::file(file, "true and false are read as 1 and 0"));
    }
    add(builder, file, &records, given, &mut tally)?;
    Ok(tally)
}

fn csv_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "the line is not UTF-8".to_owned(),
        _ => "the line is not CSV".to_owned(),
    }
}

/// What a column is.
#[derive(Clone)]
enum Role {
    Measure(MeasureId),
    Facet(String),
    /// It names the topic, or numbers the rows of an export.
    Neither,
}

struct Roles {
    run: usize,
    topic: Option<usize>,
    columns: Vec<Role>,
}

/// Whether a header is that of a ranking this program wrote: its second column is the id, and the
/// others are facets and measures whatever they are called.
fn is_own(columns: &[String]) -> bool {
    matches!(columns, [rank, id, ..] if rank == RANK && (id == "id" || id == "entry_id"))
}

fn roles(
    builder: &mut Builder,
    file: &str,
    records: &Records,
    given: Given<'_>,
    tally: &mut Tally,
) -> Result<Roles, ImportError> {
    let position = |names: &[&str]| {
        names.iter().find_map(|name| {
            records.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
        })
    };
    let column = |name: &str| records.columns.iter().position(|column| column == name);
    let taken = |at: usize| given.measures.iter().any(|m| m.name == records.columns[at]);
    let own = is_own(&records.columns);
    let run = if own { 1 } else { position(&RUN).filter(|at| !taken(*at)).unwrap_or(0) };
    let topic = position(&TOPIC).filter(|at| *at != run && !taken(*at) && !own);
    let refused = |error: BuildError| ImportError::Build { place: file.to_owned(), error };
    let absent = given.measures.iter().find(|measure| column(&measure.name).is_none());
    if let Some(absent) = absent.filter(|_| given.closed) {
        let known = records.columns.iter().map(String::as_str);
        let near = nearest(&absent.name, known).map(|name| format!("; did you mean `{name}`?"));
        return Err(ImportError::Line {
            file: file.to_owned(),
            line: 1,
            what: format!("there is no column `{}`", absent.name),
            expected: format!(
                "the columns are {}{}",
                records.columns.join(", "),
                near.unwrap_or_default()
            ),
        });
    }
    let mut seen = vec![(false, true); records.columns.len()];
    for (at, text) in records.rows.iter().flat_map(|(_, row)| row) {
        let (any, numeric) = &mut seen[*at as usize];
        *any = true;
        *numeric = *numeric && records.number(text).is_some();
    }
    if given.closed {
        // A list of measures says in which order they are shown.
        for measure in given.measures {
            builder.measure(measure.clone()).map_err(refused)?;
        }
    }
    let mut columns = Vec::with_capacity(records.columns.len());
    for (at, name) in records.columns.iter().enumerate() {
        if Some(at) == topic || (own && at == 0) {
            columns.push(Role::Neither);
            continue;
        }
        let is_time = if own {
            name == STARTED_AT
        } else {
            TIME.iter().any(|time| name.eq_ignore_ascii_case(time))
        };
        let is_rank = !own && name.eq_ignore_ascii_case(RANK);
        let is_measure = seen[at] == (true, true) && !is_time && !is_rank;
        let user = given.measures.iter().find(|measure| measure.name == *name);
        let measure = match user {
            _ if at == run => None,
            Some(measure) => Some(measure.clone()),
            None if is_measure && !given.closed && lower_by_name(name) => {
                tally.lowered.insert(name.clone());
                Some(Measure::number(name).better(Better::Lower))
            }
            None => (is_measure && !given.closed).then(|| Measure::number(name)),
        };
        columns.push(match measure {
            Some(measure) => Role::Measure(builder.measure(measure).map_err(refused)?),
            // The column that names the run is a facet as well, so that `--model A` finds it.
            None if is_time => Role::Facet(STARTED_AT.to_owned()),
            None => Role::Facet(name.clone()),
        });
    }
    Ok(Roles { run, topic, columns })
}

fn add(
    builder: &mut Builder,
    file: &str,
    records: &Records,
    given: Given<'_>,
    tally: &mut Tally,
) -> Result<(), ImportError> {
    if records.columns.is_empty() {
        tally.notes.push(Note::file(file, "holds no record"));
        return Ok(());
    }
    let shape = |why: String| ImportError::shape(file, "a table of measures", why);
    let (columns, rows) = (records.columns.len(), records.rows.len());
    let present: usize = records.rows.iter().map(|(_, row)| row.len()).sum();
    if columns.saturating_mul(rows) > SPARSE_LIMIT.max(present.saturating_mul(8)) {
        return Err(shape(format!(
            "it has {columns} columns and {rows} rows, and nearly all values are missing"
        )));
    }
    let roles = roles(builder, file, records, given, tally)?;
    let is_measure = |role: &Role| matches!(role, Role::Measure(_));
    if !roles.columns.iter().any(is_measure) {
        let shown: Vec<&str> = records.columns.iter().take(20).map(String::as_str).collect();
        return Err(shape(format!("none of its columns is numeric: {}", shown.join(", "))));
    }
    if given.measures.is_empty() {
        let higher: Vec<&str> = records
            .columns
            .iter()
            .zip(&roles.columns)
            .filter(|(name, role)| is_measure(role) && !tally.lowered.contains(*name))
            .map(|(name, _)| name.as_str())
            .collect();
        let run = &records.columns[roles.run];
        tally.notes.push(if higher.is_empty() {
            Note::file(file, format!("run: `{run}`"))
        } else {
            let higher = higher.join("`, `");
            Note::file(file, format!("run: `{run}`; measures: `{higher}`, higher is better"))
                .hint(Hint::HigherIsBetter)
        });
    }
    for (line, row) in &records.rows {
        let Some(id) = value(row, roles.run) else {
            let what = format!("the column `{}` is empty", records.columns[roles.run]);
            tally.skip(Note::line(file, *line, what));
            continue;
        };
        let run = builder.run(id);
        let scope = roles.topic.and_then(|at| value(row, at));
        let scope = scope.map_or(Scope::All, |name| Scope::Topic(builder.topic(name)));
        record(builder, file, *line, run, scope, (records, row), &roles, tally);
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "one row and everything known about it")]
fn record(
    builder: &mut Builder,
    file: &str,
    line: usize,
    run: RunId,
    scope: Scope,
    (records, row): (&Records, &[(u32, String)]),
    roles: &Roles,
    tally: &mut Tally,
) {
    let at_line = u32::try_from(line).unwrap_or(0);
    for (at, text) in row {
        match &roles.columns[*at as usize] {
            Role::Measure(measure) => {
                let value = records.number(text).map_or(Value::from(text.as_str()), Value::Number);
                if let Err(error) = builder.cell(run, scope, *measure, value, at_line) {
                    tally.skip(Note::line(file, line, format!("{error}; it is missing")));
                }
            }
            Role::Facet(name) => {
                builder.facet(run, name, FacetKind::Text, FacetValue::Text(text));
            }
            Role::Neither => {}
        }
    }
    tally.loaded += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Better, Policy};

    #[test]
    fn separators_in_quotes_do_not_count() {
        assert_eq!(delimiter(b"rank,id,\"a\t\t\tb\n;;;;\"\n"), b',');
        assert_eq!(delimiter(b"id;\"a,b,c\";x\n,,,,"), b';');
        assert_eq!(delimiter(b"id\tx\n"), b'\t');
    }

    #[test]
    fn numeric_columns_are_measures_and_the_rest_facets() {
        let csv = "model,task,acc,loss,started_at\na,t1,0.5,2,2026-01-01\na,t2,70%,,2026-01-01\nb,t1,1,3\n,t1,1,3,x\n";
        let mut builder = Builder::default();
        let tally =
            read_csv(&mut builder, "f.csv", csv.as_bytes(), Given::default()).expect("a file");
        assert_eq!((tally.loaded, tally.skipped), (2, 2));
        assert_eq!(tally.notes[0].place, "f.csv:4");
        let table = builder.build(&Policy::default()).expect("a table").table;
        let run = table.find("a").expect("a run");
        let acc = table.measure_named("acc").expect("a measure");
        assert_eq!(table.number(run, acc), Some(0.6));
        assert_eq!(table.facet(run, STARTED_AT).known(), Some("2026-01-01"));
        assert_eq!(table.facet(run, "model").known(), Some("a"));
        let loss = table.measure_named("loss").expect("a measure");
        assert_eq!(table.measure(loss).better, Better::Lower);
        assert!(tally.lowered.contains("loss"));
    }

    #[test]
    fn semicolons_tabs_and_guards_are_read() {
        let read = |text: &str| {
            let mut builder = Builder::default();
            read_csv(&mut builder, "f", text.as_bytes(), Given::default()).expect("a file");
            let table = builder.build(&Policy::default()).expect("a table").table;
            let acc = table.measure_named("acc").expect("a measure");
            let run = table.runs().next().expect("a run");
            (table.id(run).to_owned(), table.number(run, acc))
        };
        assert_eq!(read("run;acc\na;0,5\n"), ("a".to_owned(), Some(0.5)));
        assert_eq!(read("\u{feff}run\tacc\na b\t0.5\n"), ("a b".to_owned(), Some(0.5)));
        assert_eq!(read("run,acc\n'=a,-1\n"), ("=a".to_owned(), Some(-1.0)));
        assert_eq!(read("run,acc\n'a,1\n"), ("'a".to_owned(), Some(1.0)));
    }

    #[test]
    fn a_table_of_holes_is_refused_before_it_takes_memory() {
        let text: String =
            (0..6000).map(|at| format!("{{\"run\":\"r{at}\",\"k{at}\":1}}\n")).collect();
        let error = read_jsonl(&mut Builder::default(), "f", text.as_bytes(), Given::default());
        assert!(
            matches!(error, Err(ImportError::Shape { why, .. }) if why.contains("6001 columns"))
        );
    }

    #[test]
    fn given_measures_have_their_direction_and_must_exist() {
        let jsonl =
            b"{\"run\":\"a\",\"loss\":2,\"n\":3}\n{\"run\":\"b\",\"loss\":null}\n[1]\n{bad\n";
        let mut builder = Builder::default();
        let given = ["loss:lower".parse().expect("a measure")];
        let open = Given { measures: &given, closed: false };
        let tally = read_jsonl(&mut builder, "f.jsonl", jsonl, open).expect("a file");
        assert_eq!((tally.loaded, tally.skipped), (2, 2));
        let table = builder.build(&Policy::default()).expect("a table").table;
        let loss = table.measure_named("loss").expect("a measure");
        assert_eq!(table.measure(loss).better, Better::Lower);
        assert_eq!(table.number(table.find("b").expect("b"), loss), None);
        assert!(table.measure_named("n").is_ok(), "other columns are kept");
        let mut builder = Builder::default();
        let closed = Given { measures: &given, closed: true };
        read_jsonl(&mut builder, "f.jsonl", jsonl, closed).expect("a file");
        let table = builder.build(&Policy::default()).expect("a table").table;
        assert!(table.measure_named("n").is_err(), "a list of measures is closed");
        let absent = ["los".parse().expect("a measure")];
        let absent = Given { measures: &absent, closed: true };
        let error = read_jsonl(&mut Builder::default(), "f.jsonl", jsonl, absent);
        assert!(matches!(error, Err(ImportError::Line { what, .. }) if what.contains("`los`")));
    }
}
