//! Files and directories of results → one table, through the readers of `import`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{LedgerDir, OWN_FILE_LIMIT, StoreError, Workspace, board_path, evidence, read_typed};
use crate::board::{self, Board, Row};
use crate::domain::{Exit, Failure};
use crate::import::board::{Outcome, Standing, Standings};
use crate::import::{
    HEAD, ImportError, Note, SUPPORTED, Sniffed, Source, Tally, cells, lighteval, lm_eval, records,
    rlm_code, sniff, sniff_document,
};
use crate::json::{Limits, parse_with};
use crate::ledger::{self, Baseline, BaselineError, Compared};
use crate::replay::Replay;
use crate::table::{Builder, Measure};

/// Size limit of a file that is read whole.
pub(super) const FILE_LIMIT: u64 = 4 << 30;
/// Size limit of one line of a file that is read line by line.
const LINE_LIMIT: usize = 64 << 20;

/// How sources are read.
#[derive(Debug, Clone)]
pub struct Intake {
    /// The kind of every source; `None` looks at each.
    pub from: Option<Source>,
    /// rlm-code's options.
    pub rlm: rlm_code::Options,
    /// Measures that the user names; any other is then refused or a facet.
    pub measures: Vec<Measure>,
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
pub struct Loaded {
    /// Everything, ready to be built.
    pub builder: Builder,
    /// How much, and what is to be said about it.
    pub tally: Tally,
    /// Whether files of cells were among it.
    pub has_cells: bool,
}

/// Where results are unless the user says: the board below the root, else an rlm-code workdir.
pub fn default_source(root: &Path) -> Result<PathBuf, Failure> {
    let (board, workdir) = (board_path(root, None), root.join(".rlm_code"));
    match () {
        () if board.is_file() => Ok(board),
        () if workdir.is_dir() => Ok(workdir),
        () => Err(Failure::unusable("there is nothing to read")
            .at(root.display().to_string())
            .detail(format!("looked for `{}` and `{}`", board.display(), workdir.display()))
            .help("name a file or a directory of results, or `--root` the board's directory")),
    }
}

/// Reads every source into one builder; all that fail are reported.
pub fn load_table(paths: &[PathBuf], intake: &Intake) -> Result<Loaded, Failure> {
    let mut loaded = Loaded::default();
    let mut failures = Vec::new();
    for path in paths {
        let result = if path.is_dir() {
            directory(path, intake, &mut loaded)
        } else {
            file(path, intake, &mut loaded)
        };
        failures.extend(result.err());
    }
    Failure::all(failures).map_or(Ok(loaded), Err)
}

pub(super) fn shown(path: &Path) -> String {
    path.strip_prefix("./").unwrap_or(path).display().to_string()
}

fn io_error(path: &Path, source: io::Error) -> Failure {
    match source.kind() {
        io::ErrorKind::NotFound => StoreError::Absent(path.to_owned()).into(),
        _ => StoreError::Io { verb: "read", path: path.to_owned(), source }.into(),
    }
}

/// Regular files of a directory that are not hidden, sorted by name; not what lies deeper.
pub(super) fn files_of(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| io_error(directory, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
        if !hidden && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn directory(path: &Path, intake: &Intake, loaded: &mut Loaded) -> Result<(), Failure> {
    for workdir in [path.to_owned(), path.join(".rlm_code")] {
        let benchmarks = workdir.join("rlm/benchmarks");
        let runs = [
            workdir.join("observability/runs.jsonl"),
            workdir.join("rlm/observability/runs.jsonl"),
        ];
        if benchmarks.is_dir() || runs.iter().any(|file| file.is_file()) {
            let benchmarks = if benchmarks.is_dir() { files_of(&benchmarks)? } else { Vec::new() };
            // Its writer writes the second file, but its leaderboard reads only the first.
            let read = if intake.rlm.compat { 1 } else { runs.len() };
            for file in runs.iter().skip(read).filter(|file| file.is_file()) {
                let what = "rlm-code's leaderboard does not read this file; neither does `--compat rlm-code`";
                loaded.tally.notes.push(Note::file(&shown(file), what));
            }
            let runs: Vec<PathBuf> =
                runs.into_iter().take(read).filter(|file| file.is_file()).collect();
            return rlm(&benchmarks, &runs, intake, loaded);
        }
    }
    let board = board_path(path, None);
    if board.is_file() && intake.from.is_none_or(|from| from == Source::Board) {
        return file(&board, intake, loaded);
    }
    let files = files_of(path)?;
    if files.is_empty() {
        return Err(Failure::unusable(format!("no file is in the directory `{}`", shown(path)))
            .help(format!("name {SUPPORTED}")));
    }
    let mut known = Vec::new();
    for path in files {
        match kind(&path, intake) {
            Ok(Some(kind)) => known.push((path, kind)),
            Ok(None) => loaded.tally.skip(Note::file(&shown(&path), "is of no kind that is read")),
            // One broken file never hides the others.
            Err(failure) if failure.exit == Exit::Unusable => loaded.tally.skip(Note {
                place: failure.place.unwrap_or_else(|| shown(&path)),
                what: [vec![failure.what], failure.details].concat().join(": "),
            }),
            Err(failure) => return Err(failure),
        }
    }
    // Cells of one directory are one source: what a measure is depends on all of them.
    let of_kind = |wanted: fn(Source) -> bool| -> Vec<PathBuf> {
        known.iter().filter(|(_, kind)| wanted(*kind)).map(|(path, _)| path.clone()).collect()
    };
    let cells = of_kind(|kind| matches!(kind, Source::Cells(_)));
    let benchmarks = of_kind(|kind| kind == Source::RlmBenchmark);
    let mut failures = Vec::new();
    if !cells.is_empty() {
        failures.extend(cells_of(&cells, intake, loaded).err());
    }
    if !benchmarks.is_empty() {
        failures.extend(rlm(&benchmarks, &[], intake, loaded).err());
    }
    for (path, kind) in &known {
        if !matches!(kind, Source::Cells(_) | Source::RlmBenchmark) {
            failures.extend(file(path, intake, loaded).err());
        }
    }
    Failure::all(failures).map_or(Ok(()), Err)
}

/// The kind of one file; `None` if it is none of ours.
pub(super) fn kind(path: &Path, intake: &Intake) -> Result<Option<Source>, Failure> {
    match intake.from {
        // The user names the program; the ending says which of its two files it is.
        Some(Source::RlmRuns) if path.extension().is_some_and(|ending| ending == "json") => {
            return Ok(Some(Source::RlmBenchmark));
        }
        Some(from) => return Ok(Some(from)),
        None => {}
    }
    let mut head = Vec::new();
    let file = File::open(path).map_err(|error| io_error(path, error))?;
    let metadata = file.metadata().map_err(|error| io_error(path, error))?;
    if !metadata.is_file() {
        let error = StoreError::Special { path: path.to_owned(), kind: "something else" };
        return Err(error.into());
    }
    file.take(HEAD as u64).read_to_end(&mut head).map_err(|error| io_error(path, error))?;
    let whole = head.len() as u64 == metadata.len();
    match sniff(&shown(path), &head, whole, &intake.all_topic) {
        Sniffed::Known(source) => Ok(Some(source)),
        Sniffed::Unknown => Ok(None),
        Sniffed::Document => {
            let bytes = read_typed(path, lighteval::SIZE_LIMIT)?;
            let limits = Limits { depth: 64, lenient_numbers: true };
            let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
            match parse_with(text, limits) {
                Ok(document) => Ok(sniff_document(&document.root)),
                Err(error) => Err(ImportError::Json { file: shown(path), error }.into()),
            }
        }
    }
}

fn file(path: &Path, intake: &Intake, loaded: &mut Loaded) -> Result<(), Failure> {
    let name = shown(path);
    let Some(kind) = kind(path, intake)? else {
        let empty = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0);
        let what = if empty { "is empty" } else { "is of no kind that is read" };
        return Err(Failure::unusable(format!("`{name}` {what}"))
            .at(name)
            .help(format!("read are {SUPPORTED}; `--from` names one")));
    };
    let builder = &mut loaded.builder;
    let tally = match kind {
        Source::RlmRuns => return rlm(&[], &[path.to_owned()], intake, loaded),
        Source::RlmBenchmark => return rlm(&[path.to_owned()], &[], intake, loaded),
        Source::Cells(_) => return cells_of(&[path.to_owned()], intake, loaded),
        Source::Board => return board_of(path, intake, loaded),
        Source::Inspect => {
            return Err(Failure::unusable(format!(
                "`{name}` is a log of Inspect, which is not read"
            ))
            .at(name)
            .detail("such logs hold prompts, targets and answers")
            .help(format!("read are {SUPPORTED}")));
        }
        Source::LightEval => {
            lighteval::read(builder, &name, &read_typed(path, lighteval::SIZE_LIMIT)?)?
        }
        Source::LmEval => lm_eval::read(builder, &name, &read_typed(path, lighteval::SIZE_LIMIT)?)?,
        Source::Csv => {
            records::read_csv(builder, &name, &read_typed(path, FILE_LIMIT)?, &intake.measures)?
        }
        Source::Jsonl => {
            records::read_jsonl(builder, &name, &read_typed(path, FILE_LIMIT)?, &intake.measures)?
        }
    };
    loaded.tally.absorb(tally);
    Ok(())
}

fn rlm(
    benchmarks: &[PathBuf],
    runs: &[PathBuf],
    intake: &Intake,
    loaded: &mut Loaded,
) -> Result<(), Failure> {
    let mut reading = rlm_code::Loader::new(&mut loaded.builder, intake.rlm)?;
    for path in benchmarks {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        match read_typed(path, OWN_FILE_LIMIT) {
            Ok(bytes) => _ = reading.benchmark(&shown(path), &bytes),
            Err(error) => reading.tally.skip(Note::file(&shown(path), error.to_string())),
        }
    }
    for path in runs {
        let name = shown(path);
        if runs.len() > 1 {
            reading.tally.notes.push(Note::file(&name, "runs are read from here"));
        }
        let failed = |error| io_error(path, error);
        let mut reader = BufReader::with_capacity(1 << 20, File::open(path).map_err(failed)?);
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

fn cells_of(paths: &[PathBuf], intake: &Intake, loaded: &mut Loaded) -> Result<(), Failure> {
    let contents: Vec<(String, Vec<u8>)> = paths
        .iter()
        .map(|path| Ok((shown(path), read_typed(path, FILE_LIMIT)?)))
        .collect::<Result<_, Failure>>()?;
    let mut raw = cells::Raw::default();
    let mut failures = Vec::new();
    for ((name, bytes), path) in contents.iter().zip(paths) {
        let Some(Source::Cells(format)) = kind(path, intake)? else { continue };
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
        let header = intake.header.unwrap_or_else(|| cells::detect(head.lines()).has_header);
        let lines =
            cells::Lines { format, header, all_topic: &intake.all_topic, strict_blanks: false };
        failures.extend(raw.read(lines, name, bytes).err().map(Failure::from));
    }
    if let Some(failure) = Failure::all(failures) {
        return Err(failure);
    }
    raw.add_to(&mut loaded.builder, &intake.measures)?;
    loaded.tally.loaded += raw.len();
    loaded.has_cells = true;
    Ok(())
}

fn board_of(path: &Path, intake: &Intake, loaded: &mut Loaded) -> Result<(), Failure> {
    let board = super::read_board(path)?.board.map_err(|findings| {
        let mut failure = Failure::unusable(format!("`{}` is not a board", shown(path)))
            .help(format!("`gmat-leaderboard verify {}` names every fault", shown(path)));
        failure.details =
            findings.iter().take(5).map(|f| format!("{}: {}", f.path, f.what)).collect();
        failure
    })?;
    // Only the root's own board has its bundles beside it.
    let workspace = if board_path(&intake.root, None) == *path
        || shown(path) == shown(&board_path(&intake.root, None))
    {
        match Workspace::open(&intake.root, intake.config.as_deref()) {
            Ok(workspace) => Some(workspace),
            Err(failure) if failure.exit == Exit::World => return Err(failure),
            Err(_) => None,
        }
    } else {
        None
    };
    let evidence =
        workspace.as_ref().map(|workspace| evidence(&workspace.store, &workspace.config, &board).0);
    let standings = match workspace.as_ref().zip(evidence.as_ref()) {
        Some((workspace, evidence)) => standings(workspace, &board, evidence)?,
        None => Standings::default(),
    };
    let outcomes: BTreeMap<String, Vec<Outcome>> = evidence
        .iter()
        .flat_map(|evidence| board.entries.iter().zip(&evidence.rows))
        .filter_map(|(row, known)| Some((row.id(), public_outcomes(row, known.public.as_ref()?)?)))
        .collect();
    let absent = board.entries.len() - outcomes.len();
    if workspace.is_some() && absent > 0 {
        let what = format!("{absent} of {} rows have no public bundle here", board.entries.len());
        loaded.tally.notes.push(Note::file(&shown(path), what));
    }
    let of_row = |row: &board::Row| outcomes.get(&row.id()).cloned().unwrap_or_default();
    crate::import::board::add(&mut loaded.builder, &board, of_row, &standings)?;
    loaded.tally.loaded += board.entries.len();
    Ok(())
}

/// What a row's public bundle replays to, if it is the one the row was scored on.
fn public_outcomes(row: &Row, replay: &Replay) -> Option<Vec<Outcome>> {
    if replay.sha16() != row.run.recorded_bundle_sha16 {
        return None;
    }
    let outcome = |outcome: &crate::replay::Outcome| Outcome {
        prompt: outcome.id.clone(),
        tier: outcome.tier.clone(),
        passed: outcome.passed(),
    };
    Some(replay.outcomes.iter().map(outcome).collect())
}

/// How the rows stand to the baselines of their cohorts; nothing where official baselines do not
/// hold, and the reason.
fn standings(
    workspace: &Workspace,
    board: &Board,
    evidence: &board::Evidence,
) -> Result<Standings, Failure> {
    let lines = LedgerDir::below(workspace.store.root()).history()?;
    let (history, _) = ledger::read(&lines).usable()?;
    let facts = ledger::row_facts(board, evidence);
    let compared = ledger::board_comparison(board, &facts, &workspace.config, &history);
    let (comparison, ids) = match compared {
        Ok(compared) => compared,
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(BaselineError::words).collect();
            let notes = vec![format!("No Δ: {}", errors.join("; "))];
            return Ok(Standings { rows: Vec::new(), notes });
        }
    };
    let rows: Vec<&Compared> =
        board.entries.iter().filter_map(|row| comparison.runs.get(ids.get(&row.id())?)).collect();
    let baselines: BTreeSet<String> =
        rows.iter().filter_map(|row| row.baseline.as_ref()).map(Baseline::words).collect();
    let standing = |compared: &&Compared| Standing {
        delta: compared.delta,
        baseline: compared.baseline.as_ref().map(|baseline| baseline.model.clone()),
        baseline_run_id: compared.baseline.as_ref().map(|baseline| baseline.run_id.clone()),
        reproducible: compared.evidence.grade.as_str().to_owned(),
        is_comparable: compared.is_comparable(),
        reasons: [compared.reasons.clone(), compared.evidence.problems.clone()].concat(),
    };
    let notes = baselines.into_iter().collect();
    Ok(Standings { rows: rows.iter().map(standing).collect(), notes })
}
