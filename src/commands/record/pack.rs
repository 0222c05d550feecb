//! `record --pack`: results files as runs of a pack.

use crate::cli::Record;
use crate::domain::config::{Config, Pack, RunStatus, ScoringMode};
use crate::domain::{Failure, nearest};
use crate::facts::{self, RunTerms, RunTime};
use crate::import::result_file::{self, ResultFile};
use crate::import::{ImportError, lighteval};
use crate::ledger::{Instant, Reading};
use crate::ui::Ui;
use crate::workspace::{self, LedgerSession, typed_or_now};

/// The runs in the files named; every file without a run is reported.
pub(super) fn readings(
    id: &str,
    args: &Record,
    session: &LedgerSession,
    ui: Ui,
) -> Result<Vec<Reading>, Failure> {
    let pack = find(id, &session.config)?;
    if let Some(run_at) = &args.run_at {
        typed_or_now(Some(run_at))?;
    }
    if let Some(offset) = &args.tz
        && Instant::parse(&format!("2026-01-01T00:00:00{offset}")).is_none()
    {
        return Err(Failure::unusable(format!("`{offset}` is not an offset"))
            .help("write it as Z, +02:00 or -05:30"));
    }
    let (mut results, mut readings, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for (file, bytes) in workspace::record_files(&args.files, lighteval::SIZE_LIMIT)? {
        match read(&file, &bytes, ui) {
            Ok(result) => results.push((file, result)),
            Err(failure) => failures.push(failure),
        }
    }
    for (file, result) in result_file::merge(results) {
        match reading(&file, &result, pack, args, session, ui) {
            Ok(reading) => readings.push(reading),
            Err(failure) => failures.push(failure),
        }
    }
    match Failure::all(failures) {
        Some(failure) => Err(failure),
        None => Ok(readings),
    }
}

fn read(file: &str, bytes: &[u8], ui: Ui) -> Result<ResultFile, Failure> {
    let (result, notes) = result_file::read(file, bytes).map_err(|error| {
        let ImportError::Shape { why, .. } = &error else { return Failure::from(error) };
        let found = match result_file::kind(file, bytes) {
            Some(kind) => format!("`{file}` is {kind}, which packs do not accept"),
            None => error.to_string(),
        };
        Failure::unusable(found).at(file).detail(why.clone()).help(
            "packs accept finished results of LightEval and lm-evaluation-harness (results_*.json) \
             and of Inspect (JSON logs); `rank FILE` reads other formats, and `record FILE` takes \
             run records",
        )
    })?;
    for note in notes {
        ui.note(&format!("note: {}: {}", note.place, note.what));
    }
    Ok(result)
}

fn reading(
    file: &str,
    result: &ResultFile,
    pack: &Pack,
    args: &Record,
    session: &LedgerSession,
    ui: Ui,
) -> Result<Reading, Failure> {
    let (config, limit) = (&session.config, session.limit());
    let time = RunTime::from_result(result, args.run_at.as_deref(), args.tz.as_deref());
    let terms = terms(file, result, pack, args)?;
    let run = time.and_then(|time| facts::pack_run(result, pack, config, &time, &terms));
    let run = run.map(|run| facts::as_recorded(run, &result.sha16, &session.history));
    let run = run.ok_or_else(|| {
        Failure::unusable(format!("`{file}` has no timestamp")).at(file).help(
            "LightEval names its files results_YYYY-MM-DDTHH-MM-SS.ffffff.json; \
             else pass `--run-at 2026-05-14T12:00:00Z`",
        )
    })?;
    if let Some(status) = terms.status.filter(|status| *status != RunStatus::Completed) {
        ui.note(&format!("note: {file}: no score: the run is {}", status.as_str()));
    }
    for reason in run.pack_run.iter().flat_map(|facts| &facts.reasons) {
        ui.note(&format!("note: {file}: no score: {reason}"));
    }
    let is_off = |score: &f64| !(0.0..=limit.score_scale).contains(score);
    if let Some(score) = run.aggregate_score.filter(is_off) {
        return Err(limit.rejects(score, file));
    }
    Ok(Reading { run, left_out: Vec::new() })
}

/// What the file says, else what the user says; an error where they contradict each other.
fn terms(file: &str, result: &ResultFile, pack: &Pack, args: &Record) -> Result<RunTerms, Failure> {
    let typed_mode = args.scoring_mode.as_deref().and_then(ScoringMode::parse);
    let typed_status = args.status.as_deref().and_then(RunStatus::parse);
    let says = [
        ("--scoring-mode", result.scoring_mode.map(ScoringMode::as_str), &args.scoring_mode),
        ("--judge", result.judge_model.as_deref(), &args.judge),
        ("--backend", result.backend.as_deref(), &args.backend),
        ("--status", result.status.map(RunStatus::as_str), &args.status),
    ];
    for (option, in_file, typed) in says {
        if let (Some(in_file), Some(typed)) = (in_file, typed)
            && in_file != typed
        {
            let what = format!("the file says `{in_file}` where `{option}` says `{typed}`");
            return Err(Failure::unusable(what).at(file).help(format!("leave out `{option}`")));
        }
    }
    let terms = RunTerms {
        scoring_mode: result.scoring_mode.or(typed_mode),
        judge_model: result.judge_model.clone().or_else(|| args.judge.clone()),
        backend: result.backend.clone().or_else(|| args.backend.clone()),
        status: result.status.or(typed_status),
    };
    let mode = terms.scoring_mode.unwrap_or(pack.scoring_mode);
    if let Some(judge) = &terms.judge_model
        && mode == ScoringMode::Deterministic
    {
        let what = format!("a judge `{judge}` is named for a run that is scored by rule");
        let help = "pass `--scoring-mode judge`, or set `scoring_mode` of the pack";
        return Err(Failure::unusable(what).at(file).help(help));
    }
    for (option, what, name) in [
        ("--judge", "the judge is not the name of a model", &terms.judge_model),
        ("--backend", "the backend is not a name", &terms.backend),
    ] {
        let is_bad = |name: &String| {
            name.is_empty() || name.len() > 200 || name.chars().any(char::is_control)
        };
        if name.as_ref().is_some_and(is_bad) {
            let help = "write 1 to 200 printable characters";
            return Err(Failure::unusable(what).at(option).help(help));
        }
    }
    Ok(terms)
}

fn find<'c>(id: &str, config: &'c Config) -> Result<&'c Pack, Failure> {
    config.packs.iter().find(|pack| pack.id == id).ok_or_else(|| {
        let near = nearest(id, config.packs.iter().map(|pack| pack.id.as_str()));
        let otherwise = "packs are defined in the config under `packs`; see docs/comparability.md";
        Failure::unusable(format!("the config has no pack `{id}`")).meant(near, otherwise)
    })
}
