//! Files and directories of results → one table, through the readers of `import`.

mod board;
mod directory;

pub(super) use directory::files_of;

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use crate::domain::config::Price;
use crate::domain::{Failure, Hint, nearest};
use crate::fs::{OWN_FILE_LIMIT, StoreError};
use crate::import::{
    Foreign, HEAD, ImportOutcome, Note, SUPPORTED, Sniffed, Source, Tally, add_outcomes, cells,
    exported, inspect, lighteval, lm_eval, openai_evals, promptfoo, records, rlm_code,
};
use crate::ledger;
use crate::table::{Builder, Measure};
use crate::workspace::analysis::{Listener, LoadEvent};
use crate::workspace::board_path;
use crate::workspace::ledger::read_ledger;
use crate::workspace::source_file::{kind, open_lines, read_source};
use crate::workspace::sources::board::board_of;
use crate::workspace::sources::directory::directory;

/// Size limit of a file that is read whole.
pub(super) const FILE_LIMIT: u64 = 4 << 30;
/// Size limit of one line of a file that is read line by line.
const LINE_LIMIT: usize = 64 << 20;
/// Endings of a file that do not belong to the name of its run.
const RUN_ENDINGS: [&str; 9] = [
    ".gz",
    ".eval",
    ".trec",
    ".trec_eval",
    ".treceval",
    ".ir_measures_q",
    ".jsonl",
    ".tsv",
    ".txt",
];

/// How sources are read.
#[derive(Debug, Clone)]
pub struct SourceOptions {
    /// The kind of every source; `None` looks at each.
    pub from: Option<Source>,
    /// rlm-code's options.
    pub rlm: rlm_code::Options,
    /// List prices of models, for runs that record tokens and no cost.
    pub prices: BTreeMap<String, Price>,
    /// Measures that the user describes.
    pub measures: Vec<Measure>,
    /// Whether no other measure is read.
    pub closed: bool,
    /// Keep only the newest results file of each model.
    pub latest: bool,
    /// What the aggregate is called in files of cells.
    pub all_topic: String,
    /// Whether files of cells start with a header; `None` looks.
    pub header: Option<bool>,
    /// The board's directory.
    pub root: PathBuf,
    /// The board's config.
    pub config: Option<PathBuf>,
}

/// What was read.
#[derive(Debug, Default)]
pub struct LoadedSources {
    /// Everything, ready to be built.
    pub builder: Builder,
    /// How much, and what is to be said about it.
    pub tally: Tally,
    /// Whether files of cells were among it.
    pub has_cells: bool,
    /// What can only be added when every source is known.
    later: Later,
}

#[derive(Debug, Default)]
struct Later {
    /// Evaluations, whose runs are named when all of them are known.
    outcomes: Vec<ImportOutcome>,
    /// Benchmarks and runs of rlm-code: a run that a benchmark holds is counted once.
    benchmarks: Vec<PathBuf>,
    runs: Vec<PathBuf>,
    /// Files that were read, by canonical path, and how many were named again.
    files: HashSet<PathBuf>,
    repeated: usize,
    /// Runs that are named after files.
    named: HashSet<String>,
}

impl Later {
    fn len(&self) -> usize {
        self.outcomes.len() + self.benchmarks.len() + self.runs.len()
    }
}

/// Where results are unless the user says: the board below the root, else an rlm-code workdir (the
/// other way round if `workdir_first`), else the ledger.
pub fn default_source(root: &Path, workdir_first: bool) -> Result<PathBuf, Failure> {
    let (board, workdir) = (board_path(root, None), root.join(".rlm_code"));
    let ledger = board.with_file_name("history.jsonl");
    match () {
        () if workdir_first && workdir.is_dir() => Ok(workdir),
        () if board.is_file() => Ok(board),
        () if workdir.is_dir() => Ok(workdir),
        () if ledger.is_file() => Ok(ledger),
        () => Err(Failure::unusable("there are no results to read")
            .at(root.display().to_string())
            .detail(format!(
                "looked for `{}`, `{}` and `{}`",
                board.display(),
                workdir.display(),
                ledger.display()
            ))
            .help("name a file or a directory of results, or `--root` the board's directory")),
    }
}

/// The board that `path` is, or that is below it.
pub fn board_at(path: &Path, source_options: &SourceOptions) -> Option<PathBuf> {
    let board = if path.is_dir() { board_path(path, None) } else { path.to_owned() };
    let is_board = board.is_file()
        && matches!(kind(&board, source_options), Ok(Sniffed::Known(Source::Board)));
    is_board.then_some(board)
}

/// Reads every source into one builder; all that fail are reported.
pub fn load_table(
    paths: &[PathBuf],
    source_options: &SourceOptions,
    tell: Listener<'_>,
) -> Result<LoadedSources, Failure> {
    let mut loaded = LoadedSources::default();
    let mut failures = Vec::new();
    for path in paths {
        let result = if path.is_dir() {
            directory(path, source_options, &mut loaded, tell)
        } else {
            file(path, source_options, &mut loaded, tell)
        };
        failures.extend(result.err());
    }
    if let Some(failure) = Failure::all(failures) {
        return Err(failure);
    }
    let later = std::mem::take(&mut loaded.later);
    rlm(&later.benchmarks, &later.runs, source_options, &mut loaded)?;
    let tally = &mut loaded.tally;
    add_outcomes(&mut loaded.builder, later.outcomes, source_options.latest, tally)?;
    if later.repeated > 0 {
        let what = match later.repeated {
            1 => "1 file is named twice; it is read once".to_owned(),
            n => format!("{n} files are named twice; each is read once"),
        };
        tally.notes.push(Note::file("sources", what));
    }
    describe(&mut loaded, source_options)?;
    Ok(loaded)
}

/// Applies what the user says about measures of any source, and says which are better lower.
fn describe(loaded: &mut LoadedSources, source_options: &SourceOptions) -> Result<(), Failure> {
    for measure in &source_options.measures {
        if !loaded.builder.redirect(&measure.name, measure.better) && !source_options.closed {
            let known: Vec<&str> = loaded.builder.measure_names().collect();
            let failure =
                Failure::unusable(format!("the sources have no measure `{}`", measure.name))
                    .detail(format!("they have: `{}`", known.join("`, `")));
            return Err(match nearest(&measure.name, known.iter().copied()) {
                Some(near) => failure.help(format!("did you mean `{near}`?")),
                None => failure,
            });
        }
        loaded.tally.lowered.remove(&measure.name);
    }
    if !loaded.tally.lowered.is_empty() {
        let names: Vec<&str> = loaded.tally.lowered.iter().map(String::as_str).collect();
        let what =
            format!("`{}`: assuming that lower is better, because of the name", names.join("`, `"));
        let note = Note::file("measures", what);
        loaded.tally.notes.push(note.hint(Hint::LowerIsBetter));
    }
    Ok(())
}

pub(super) fn shown(path: &Path) -> String {
    path.strip_prefix("./").unwrap_or(path).display().to_string()
}

pub(super) fn io_error(path: &Path, source: io::Error) -> Failure {
    match source.kind() {
        io::ErrorKind::NotFound => StoreError::Absent(path.to_owned()).into(),
        // Data that cannot be unpacked is not a disk failure.
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            Failure::unusable(format!("`{}` cannot be unpacked: {source}", shown(path)))
                .at(shown(path))
        }
        _ => StoreError::Io { verb: "read", path: path.to_owned(), source }.into(),
    }
}

fn note_of(path: &Path, failure: Failure) -> Note {
    let name = shown(path);
    let what = failure.what.replacen(&format!("`{name}` "), "", 1);
    let what = [vec![what], failure.details].concat().join(": ");
    Note::file(&failure.place.unwrap_or(name), what)
}

/// Whether a file was not read before, by canonical path; remembers it.
fn is_new(path: &Path, loaded: &mut LoadedSources) -> bool {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_new = loaded.later.files.insert(real);
    loaded.later.repeated += usize::from(!is_new);
    is_new
}

/// Why a file is not read.
fn refusal(path: &Path, sniffed: Sniffed) -> Failure {
    let name = shown(path);
    match sniffed {
        Sniffed::Foreign(foreign) => {
            let failure = Failure::unusable(format!("`{name}` is {}", foreign.name()))
                .at(name)
                .detail(foreign.why())
                .help(foreign.help());
            match foreign {
                Foreign::SixColumns => failure.hint(Hint::SixColumns),
                _ => failure,
            }
        }
        Sniffed::Unclear(formats) => {
            let mut failure = Failure::unusable(format!(
                "`{name}` can be read in {} ways",
                if formats.len() == 2 { "two" } else { "three" }
            ))
            .at(name);
            for format in formats {
                failure = failure.detail(format!("`--from {format}`: {}", format.column_order()));
            }
            failure.help("say which with `--from`")
        }
        _ => {
            let empty = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0);
            let what = if empty { "is empty" } else { "has an unsupported format" };
            Failure::unusable(format!("`{name}` {what}"))
                .at(name)
                .detail(format!("supported: {SUPPORTED}"))
                .help(
                    "`--from` names the format; any other results can be written as a CSV with one \
                     row per run, such as `run,accuracy,cost`",
                )
        }
    }
}

fn file(
    path: &Path,
    source_options: &SourceOptions,
    loaded: &mut LoadedSources,
    tell: Listener<'_>,
) -> Result<(), Failure> {
    match kind(path, source_options)? {
        Sniffed::Known(source) => file_of(path, source, source_options, loaded, tell),
        sniffed => Err(refusal(path, sniffed)),
    }
}

fn file_of(
    path: &Path,
    source: Source,
    source_options: &SourceOptions,
    loaded: &mut LoadedSources,
    tell: Listener<'_>,
) -> Result<(), Failure> {
    if !is_new(path, loaded) {
        return Ok(());
    }
    let name = shown(path);
    tell(LoadEvent::Phase(&format!("reading {name}"), 0));
    let document = || read_source(path, lighteval::SIZE_LIMIT);
    let given = records::Given { measures: &[], closed: source_options.closed };
    let mut tally = Tally::default();
    match source {
        Source::RlmRuns => loaded.later.runs.push(path.to_owned()),
        Source::RlmBenchmark => loaded.later.benchmarks.push(path.to_owned()),
        Source::Cells(_) => {
            cells_of(&[path.to_owned()], source_options, loaded, false)?;
        }
        Source::Board => return board_of(path, source_options, loaded),
        Source::Ledger => return ledger_of(path, loaded, tell),
        Source::Export => {
            tally = exported::read(&mut loaded.builder, &name, &read_source(path, FILE_LIMIT)?)?;
        }
        Source::LightEval => {
            loaded.later.outcomes.push(lighteval::read(&name, &document()?, &mut tally)?);
        }
        Source::LmEval => {
            loaded.later.outcomes.push(lm_eval::read(&name, &document()?, &mut tally)?);
        }
        Source::Inspect => {
            loaded.later.outcomes.extend(inspect::read(&name, &document()?, &mut tally)?);
        }
        Source::Promptfoo => {
            loaded.later.outcomes.extend(promptfoo::read(&name, &document()?, &mut tally)?);
        }
        Source::OpenAiEvals => {
            let bytes = read_source(path, FILE_LIMIT)?;
            loaded.later.outcomes.push(openai_evals::read(&name, &bytes, &mut tally)?);
        }
        Source::Csv | Source::Jsonl => {
            let bytes = read_source(path, FILE_LIMIT)?;
            let given = records::Given { measures: &source_options.measures, ..given };
            let read = if source == Source::Csv { records::read_csv } else { records::read_jsonl };
            tally = read(&mut loaded.builder, &name, &bytes, given)?;
        }
    }
    loaded.tally.absorb(tally);
    Ok(())
}

fn rlm(
    benchmarks: &[PathBuf],
    runs: &[PathBuf],
    source_options: &SourceOptions,
    loaded: &mut LoadedSources,
) -> Result<(), Failure> {
    if benchmarks.is_empty() && runs.is_empty() {
        return Ok(());
    }
    let mut reading = rlm_code::Loader::new(&mut loaded.builder, source_options.rlm)?
        .with_prices(&source_options.prices);
    for path in benchmarks {
        match read_source(path, OWN_FILE_LIMIT) {
            Ok(bytes) => _ = reading.benchmark(&shown(path), &bytes),
            Err(failure) => reading.tally.skip(note_of(path, failure)),
        }
    }
    for path in runs {
        let name = shown(path);
        if runs.len() > 1 {
            reading.tally.notes.push(Note::file(&name, "runs are read from here"));
        }
        let failed = |error| io_error(path, error);
        let mut reader = open_lines(path)?;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let limited = (&mut reader).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut line);
            if limited.map_err(failed)? == 0 {
                break;
            }
            if line.len() > LINE_LIMIT {
                return Err(Failure::unusable(format!("a line has more than {LINE_LIMIT} bytes"))
                    .at(format!("{name}:{number}")));
            }
            reading.run_line(&name, number, &line);
        }
    }
    let tally = reading.finish();
    loaded.tally.absorb(tally);
    Ok(())
}

/// Adds files of cells as one source. With `lenient`, a file that cannot be read is left out and
/// returned as a note.
fn cells_of(
    paths: &[PathBuf],
    source_options: &SourceOptions,
    loaded: &mut LoadedSources,
    lenient: bool,
) -> Result<Vec<Note>, Failure> {
    let contents: Vec<(String, Vec<u8>)> = paths
        .iter()
        .map(|path| Ok((shown(path), read_source(path, FILE_LIMIT)?)))
        .collect::<Result<_, Failure>>()?;
    let mut raw = cells::Raw::default().with_booleans_as_numbers();
    let (mut failures, mut notes) = (Vec::new(), Vec::new());
    for ((name, bytes), path) in contents.iter().zip(paths) {
        let Sniffed::Known(Source::Cells(format)) = kind(path, source_options)? else { continue };
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
        let header =
            source_options.header.unwrap_or_else(|| cells::detect(head.lines()).has_header);
        let lines = cells::Lines {
            format,
            header,
            all_topic: &source_options.all_topic,
            strict_blanks: false,
        };
        let run = run_of(name, bytes, format, source_options, loaded);
        if lenient {
            let tried = cells::Raw::default().read(lines, name, Some(&run), bytes);
            if let Err(error) = tried {
                notes.push(note_of(path, error.into()));
                continue;
            }
        }
        failures.extend(raw.read(lines, name, Some(&run), bytes).err().map(Failure::from));
    }
    if let Some(failure) = Failure::all(failures) {
        return Err(failure);
    }
    if raw.is_empty() {
        return Ok(notes);
    }
    let lowered =
        raw.add_to(&mut loaded.builder, &source_options.measures, source_options.closed)?;
    loaded.tally.lowered.extend(lowered);
    if raw.booleans() > 0 {
        let place = paths.first().map_or_else(String::new, |path| shown(path));
        loaded.tally.notes.push(Note::file(&place, "true and false are read as 1 and 0"));
    }
    loaded.tally.loaded += raw.len();
    loaded.has_cells = true;
    Ok(notes)
}

/// The run of a file whose lines name none: what its `runid` says, else the file's name without
/// its ending, else the whole path if another file has that name.
fn run_of(
    file: &str,
    bytes: &[u8],
    format: cells::Format,
    source_options: &SourceOptions,
    loaded: &mut LoadedSources,
) -> String {
    if !matches!(format, cells::Format::TrecEval | cells::Format::IrMeasuresQ) {
        return String::new();
    }
    let mut stem = file.rsplit('/').next().unwrap_or(file);
    for ending in RUN_ENDINGS {
        stem = stem.strip_suffix(ending).filter(|stem| !stem.is_empty()).unwrap_or(stem);
    }
    let said = cells::run_name(bytes, &source_options.all_topic);
    let names = [said, Some(stem), Some(file)];
    let free = names.into_iter().flatten().find(|name| !loaded.later.named.contains(*name));
    let name = free.unwrap_or(file).to_owned();
    if let Some(said) = said.filter(|said| *said != name) {
        let what = format!("another file is run `{said}` as well; this one is called `{name}`");
        loaded.tally.notes.push(Note::file(file, what));
    }
    loaded.later.named.insert(name.clone());
    name
}

/// The live runs of a ledger.
fn ledger_of(path: &Path, loaded: &mut LoadedSources, tell: Listener<'_>) -> Result<(), Failure> {
    let bytes = read_ledger(path, read_source)?;
    let lines = memchr::memchr_iter(b'\n', &bytes).count();
    tell(LoadEvent::Phase(&format!("reading {}", shown(path)), lines));
    let (history, _) = ledger::read_counted(&bytes, &|| tell(LoadEvent::Step)).usable()?;
    drop(bytes);
    let count = ledger::add_runs(&mut loaded.builder, &history)?;
    if count == 0 {
        loaded.tally.notes.push(Note::file(&shown(path), "has no run that counts"));
    }
    loaded.tally.loaded += count;
    Ok(())
}
