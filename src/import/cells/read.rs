//! Lines → cells, with their text until it is known what each measure is.

use std::borrow::Cow;

use super::super::note::ImportError;
use super::format::{Columns, Format};
use crate::json::{Limits, Value as Json, parse_with};
use crate::table::{
    Better, BuildError, Builder, Kind, Measure, MeasureId, Names, Reduce, Scope, Value,
    lower_by_name, parse_number,
};

/// How lines are read.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'o> {
    /// The column order.
    pub format: Format,
    /// Whether the first line names the columns.
    pub header: bool,
    /// The aggregate's topic.
    pub all_topic: &'o str,
    /// Whether a line of white space is an error, as it is in two older programs.
    pub strict_blanks: bool,
}

/// Marks the aggregate among topic numbers.
const ALL_SCOPE: u32 = u32::MAX;

/// One line.
#[derive(Debug, Clone)]
struct RawCell<'a> {
    run: u32,
    scope: u32,
    line: u32,
    measure: u16,
    file: u16,
    text: Cow<'a, str>,
    number: Option<f64>,
}

/// All lines of one or more files.
#[derive(Debug, Clone, Default)]
pub struct Raw<'a> {
    files: Vec<String>,
    runs: Names,
    topics: Names,
    measures: Names,
    cells: Vec<RawCell<'a>>,
    /// For each measure: numbers only, per topic and as aggregate; and whether it occurs there.
    kinds: Vec<[ValueKinds; 2]>,
    /// Whether JSON's true and false are 1 and 0, and how many were read so.
    booleans: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ValueKinds {
    any: bool,
    text: bool,
}

/// How the kinds of measures are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typing {
    /// Per topic and as aggregate, each for itself.
    Separate,
    /// One kind for both.
    Joint,
    /// Everything is text.
    Text,
}

/// Remembers the last number of a column: lines that follow each other name the same run, or the
/// next topic.
#[derive(Default)]
struct Column {
    last: u32,
}

impl Column {
    fn number(&mut self, names: &mut Names, text: &str) -> u32 {
        for guess in [self.last, self.last + 1, 0] {
            if (guess as usize) < names.len() && names.get(guess) == text {
                self.last = guess;
                return guess;
            }
        }
        self.last = names.intern(text);
        self.last
    }
}

impl<'a> Raw<'a> {
    /// Reads JSON's true and false as 1 and 0 instead of as texts.
    #[must_use]
    pub fn with_booleans_as_numbers(mut self) -> Self {
        self.booleans = Some(0);
        self
    }

    /// How many times true or false was read as a number.
    pub fn booleans(&self) -> usize {
        self.booleans.unwrap_or_default()
    }

    /// Adds the lines of one file; `run` is the run where lines do not name one, else the name of
    /// the file without its directory. If it is given, a line that names the run, see [`run_name`],
    /// is not a measure.
    pub fn read(
        &mut self,
        lines: Lines<'_>,
        file: &str,
        run: Option<&str>,
        bytes: &'a [u8],
    ) -> Result<(), ImportError> {
        let is_named = run.is_some();
        let run_name = run.or(file.rsplit('/').next()).unwrap_or(file);
        let place = u16::try_from(self.files.len()).unwrap_or(u16::MAX);
        self.files.push(file.to_owned());
        let error = |line: usize, what: String, expected: String| ImportError::Line {
            file: file.to_owned(),
            line,
            what,
            expected,
        };
        let text = std::str::from_utf8(bytes).map_err(|fault| {
            let before = &bytes[..fault.valid_up_to()];
            let line = memchr::memchr_iter(b'\n', before).count() + 1;
            error(line, "the line is not UTF-8".to_owned(), "expected UTF-8".to_owned())
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut runs, mut topics, mut measures) =
            (Column::default(), Column::default(), Column::default());
        let columns = lines.format.columns();
        let mut skip = lines.header;
        let stripped = text.trim_end();
        for (at, line) in logical_lines(stripped).enumerate() {
            if line.trim().is_empty() {
                // Upstream strips the file at both ends, then refuses blanks inside it.
                if lines.strict_blanks && !line.is_empty() && !self.cells_of(place).is_empty() {
                    return Err(error(
                        at + 1,
                        columns_words(0, line, lines.format),
                        expected(columns.as_ref()),
                    ));
                }
                continue;
            }
            if std::mem::take(&mut skip) {
                continue;
            }
            let is_query =
                lines.format == Format::IrMeasuresQ && line.trim_start().starts_with('{');
            let (run, topic, measure, value) = match &columns {
                Some(columns) if !is_query => split(line, run_name, columns).map_err(|count| {
                    error(at + 1, columns_words(count, line, lines.format), expected(Some(columns)))
                })?,
                _ => {
                    let names = is_query.then_some((run_name, lines.all_topic));
                    json_line(line, names).map_err(|what| error(at + 1, what, expected(None)))?
                }
            };
            let is_run_id = measure == RUN_ID && topic == lines.all_topic;
            let is_without_run = columns.as_ref().is_some_and(|columns| columns.run.is_none());
            if is_named && is_run_id && is_without_run {
                continue;
            }
            let run = runs.number(&mut self.runs, &run);
            let scope = if topic == lines.all_topic {
                ALL_SCOPE
            } else {
                topics.number(&mut self.topics, &topic)
            };
            let known = self.measures.len();
            let measure = measures.number(&mut self.measures, &measure);
            let measure = u16::try_from(measure).map_err(|_| ImportError::Build {
                place: file.to_owned(),
                error: BuildError::TooManyMeasures,
            })?;
            if self.measures.len() > known {
                self.kinds.push(<[ValueKinds; 2]>::default());
            }
            let mut number = parse_number(&value);
            // Only `json_line` lends these two texts: a line's own text is never static.
            if let (Some(count), Cow::Borrowed(TRUE | FALSE), None) =
                (&mut self.booleans, &value, &columns)
            {
                *count += 1;
                number = Some(f64::from(u8::from(value == TRUE)));
            }
            let seen = &mut self.kinds[usize::from(measure)][usize::from(scope == ALL_SCOPE)];
            seen.any = true;
            seen.text |= number.is_none();
            let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
            self.cells.push(RawCell {
                run,
                scope,
                line,
                measure,
                file: place,
                text: value,
                number,
            });
        }
        Ok(())
    }

    fn cells_of(&self, file: u16) -> &[RawCell<'a>] {
        let from = self.cells.partition_point(|cell| cell.file < file);
        &self.cells[from..]
    }

    /// How many lines held a cell.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether no line held a cell.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cells in order: run, topic (`None` is the aggregate), measure, text.
    pub fn cells(&self) -> impl Iterator<Item = (&str, Option<&str>, &str, &str)> {
        self.cells.iter().map(|cell| {
            (
                self.runs.get(cell.run),
                (cell.scope != ALL_SCOPE).then(|| self.topics.get(cell.scope)),
                self.measures.get(u32::from(cell.measure)),
                cell.text.as_ref(),
            )
        })
    }

    /// What each measure is, in the order of first sight.
    pub fn infer(&self, typing: Typing) -> Vec<Measure> {
        let kind = |seen: ValueKinds, text: bool| {
            seen.any.then_some(if text { Kind::Text } else { Kind::Number })
        };
        self.measures
            .iter()
            .zip(&self.kinds)
            .map(|(name, [topic, aggregate])| {
                let (topic_text, aggregate_text) = match typing {
                    Typing::Separate => (topic.text, aggregate.text),
                    Typing::Joint => (topic.text || aggregate.text, topic.text || aggregate.text),
                    Typing::Text => (true, true),
                };
                let mut measure =
                    if topic_text { Measure::text(name) } else { Measure::number(name) };
                measure.topic = kind(*topic, topic_text);
                measure.aggregate = kind(*aggregate, aggregate_text);
                if measure.topic.is_none() {
                    measure.reduce = Reduce::Given;
                }
                measure
            })
            .collect()
    }

    /// Adds everything to `builder`. `given` measures are as given; any other is inferred, or
    /// refused with its place if `closed`. Returns the measures that are better lower because of
    /// their name.
    pub fn add_to(
        &self,
        builder: &mut Builder,
        given: &[Measure],
        closed: bool,
    ) -> Result<Vec<String>, ImportError> {
        let mut inferred = self.infer(Typing::Separate);
        inferred.iter_mut().for_each(by_name);
        let lowered = inferred.iter().filter(|measure| measure.better == Better::Lower);
        let lowered = lowered.map(|measure| measure.name.clone()).collect();
        self.add_as(builder, inferred, given, closed)?;
        Ok(lowered)
    }

    /// Adds everything to `builder`; every measure is averaged and better higher, as the judge
    /// programs take it.
    pub fn add_plain(&self, builder: &mut Builder) -> Result<(), ImportError> {
        self.add_as(builder, self.infer(Typing::Separate), &[], false)
    }

    fn add_as(
        &self,
        builder: &mut Builder,
        inferred: Vec<Measure>,
        given: &[Measure],
        closed: bool,
    ) -> Result<(), ImportError> {
        let mut ids: Vec<Option<MeasureId>> = Vec::new();
        for mut measure in inferred {
            if let Some(known) = given.iter().find(|known| known.name == measure.name) {
                // The file says where a measure occurs, the user what it is.
                measure = Measure {
                    topic: measure.topic.and(known.topic),
                    aggregate: measure.aggregate.and(known.aggregate),
                    ..known.clone()
                };
            } else if closed {
                ids.push(None);
                continue;
            }
            let place = self.files.join(", ");
            let id = builder.measure(measure);
            ids.push(Some(id.map_err(|error| ImportError::Build { place, error })?));
        }
        let runs: Vec<_> = self.runs.iter().map(|id| builder.run(id)).collect();
        let topics: Vec<_> = self.topics.iter().map(|name| builder.topic(name)).collect();
        for cell in &self.cells {
            let place = || format!("{}:{}", self.files[usize::from(cell.file)], cell.line);
            let Some(measure) = ids[usize::from(cell.measure)] else {
                let name = self.measures.get(u32::from(cell.measure)).to_owned();
                let error = BuildError::UnknownMeasures(vec![name]);
                return Err(ImportError::Build { place: place(), error });
            };
            let scope = match cell.scope {
                ALL_SCOPE => Scope::All,
                topic => Scope::Topic(topics[topic as usize]),
            };
            let value = match cell.number {
                Some(number) if builder.is_number(measure, scope) => Value::Number(number),
                _ => Value::Text(Cow::Borrowed(&cell.text)),
            };
            builder
                .cell(runs[cell.run as usize], scope, measure, value, cell.line)
                .map_err(|error| ImportError::Build { place: place(), error })?;
        }
        Ok(())
    }
}

/// Sets the direction and the reduction that the name of a measure implies.
fn by_name(measure: &mut Measure) {
    if measure.topic.or(measure.aggregate) != Some(Kind::Number) {
        return;
    }
    if lower_by_name(&measure.name) {
        measure.better = Better::Lower;
    }
    // Counts of trec_eval and ir_measures add up over topics, and geometric means are not means.
    let base = measure.name.split('(').next().unwrap_or_default();
    let is_count = base.starts_with("num_") || matches!(base, "NumRet" | "NumRel" | "NumQ");
    if is_count {
        measure.better = Better::Unordered;
    }
    if is_count && measure.reduce == Reduce::Mean {
        measure.reduce = Reduce::Sum;
    }
    if base.starts_with("gm_") {
        measure.reduce = Reduce::Given;
    }
}

/// The run that a trec_eval file names in its line `runid all NAME`.
pub fn run_name<'b>(bytes: &'b [u8], all_topic: &str) -> Option<&'b str> {
    let line =
        bytes.split(|byte| *byte == b'\n').find(|line| line.starts_with(RUN_ID.as_bytes()))?;
    match std::str::from_utf8(line).ok()?.split_whitespace().collect::<Vec<_>>().as_slice() {
        [RUN_ID, topic, name] if *topic == all_topic => Some(name),
        _ => None,
    }
}

/// The line of trec_eval that names the run.
pub(super) const RUN_ID: &str = "runid";

/// Lines ended by LF, CR LF or CR.
fn logical_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

type Parts<'a> = (Cow<'a, str>, Cow<'a, str>, Cow<'a, str>, Cow<'a, str>);

/// Run, topic, measure, value; or how many columns there are instead.
fn split<'a>(line: &'a str, file: &str, columns: &Columns) -> Result<Parts<'a>, usize> {
    let mut parts = [""; 6];
    let mut count = 0;
    let mut put = |part: &'a str| {
        if let Some(slot) = parts.get_mut(count) {
            *slot = part;
        }
        count += 1;
    };
    if line.is_ascii() {
        line.split_ascii_whitespace().for_each(&mut put);
    } else {
        line.split_whitespace().for_each(&mut put);
    }
    if count != columns.count {
        return Err(count);
    }
    let run = match columns.run {
        Some(at) => Cow::Borrowed(parts[at]),
        None => Cow::Owned(file.to_owned()),
    };
    let part = |at: usize| Cow::Borrowed(parts[at]);
    Ok((run, part(columns.topic), part(columns.measure), part(columns.value)))
}

/// JSON's true and false as Python spells them.
const TRUE: &str = "True";
const FALSE: &str = "False";

/// The parts of a JSON line; `names` are the run and the aggregate of lines without `run_id`.
fn json_line<'l>(line: &'l str, names: Option<(&str, &str)>) -> Result<Parts<'l>, String> {
    let limits = Limits { depth: 8, lenient_numbers: true };
    let document =
        parse_with(line.trim().as_bytes(), limits).map_err(|error| format!("not JSON: {error}"))?;
    let object = document
        .root
        .object()
        .map_err(|_| format!("the line holds {}, not an object", document.root.kind()))?;
    let part = |key: &str| {
        let node = object.get(key).ok_or_else(|| format!("the key `{key}` is missing"))?;
        match &node.value {
            Json::String(text) => Ok(Cow::Owned(text.clone().into_owned())),
            Json::Number(number) => Ok(Cow::Owned(number.as_str().to_owned())),
            Json::Bool(true) => Ok(Cow::Borrowed(TRUE)),
            Json::Bool(false) => Ok(Cow::Borrowed(FALSE)),
            Json::Null => Ok(Cow::Borrowed("None")),
            _ => Err(format!("`{key}` is {}, not a text or a number", node.kind())),
        }
    };
    let Some((run, all_topic)) = names else {
        return Ok((part("run_id")?, part("topic_id")?, part("measure")?, part("value")?));
    };
    let topic = match object.get("query_id") {
        Some(node) if !node.is_null() => part("query_id")?,
        _ => Cow::Owned(all_topic.to_owned()),
    };
    Ok((Cow::Owned(run.to_owned()), topic, part("measure")?, part("value")?))
}

fn columns_words(count: usize, line: &str, format: Format) -> String {
    let shown: String = line.chars().take(60).collect();
    let columns = if count == 1 { "column" } else { "columns" };
    format!(
        "the line has {count} {columns}, {format} has {}: `{shown}`",
        format.columns().map_or(0, |c| c.count)
    )
}

fn expected(columns: Option<&Columns>) -> String {
    match columns {
        Some(columns) => format!("expected `{}`", columns.words),
        None => {
            "expected `{\"run_id\": …, \"topic_id\": …, \"measure\": …, \"value\": …}`".to_owned()
        }
    }
}
