//! `history breakdown`, `change`, `verify`, `sql` and `--pack`: looking, never writing.

use std::collections::BTreeSet;

use super::{models, nothing_recorded};
use crate::cli::{Breakdown, ChangeOver, CheckLedger, Common, Sql, SqlDialect};
use crate::domain::{Exit, Failure, Finding};
use crate::fs::{self, OWN_FILE_LIMIT};
use crate::ledger::{self, Dialect, Instant, PartsReport, Rules, Run, Span, SqlContents};
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, LedgerDir, LedgerSession, LedgerSnapshot, typed_or_now};
use crate::{board, facts};

pub(super) fn breakdown(args: &Breakdown, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let session = LedgerSession::reading(common.place(), None)?;
    let models = models(args.model.as_deref(), &session)?;
    let count = if args.all { usize::MAX } else { 1 };
    let runs: Vec<&Run> = models
        .iter()
        .flat_map(|model| {
            let has_parts =
                |run: &&Run| !run.dataset_scores.is_empty() || !run.rubric_scores.is_empty();
            let latest = session.history.of_model(model).rev().filter(has_parts).take(count);
            let mut latest: Vec<&Run> = latest.collect();
            latest.reverse();
            latest
        })
        .collect();
    let (history, section) = (&session.history, &session.config.history);
    let (epsilon, primary) = (session.rules().epsilon, section.primary.as_deref());
    let reports: Vec<PartsReport<'_>> =
        runs.into_iter().map(|run| PartsReport::new(history, run, epsilon, primary)).collect();
    ui.breakdown(&reports, section.decimals, common.json)?;
    Ok(Exit::Yes)
}

pub(super) fn change(args: &ChangeOver, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut session = LedgerSession::reading(common.place(), None)?;
    session.choose_epoch(args.epoch.as_deref())?;
    let now = typed_or_now(args.now.as_deref())?;
    let span = Instant::parse(&now).and_then(|now| Span::parse(&args.over, now));
    let span = span.ok_or_else(|| {
        Failure::unusable(format!("`{}` is not a time span", args.over))
            .help("write 90d, 2026-Q2, 2026, or 2026-04-01..2026-06-30")
    })?;
    let scale = session.rules().score_scale;
    let changes: Vec<_> = models(args.model.as_deref(), &session)?
        .into_iter()
        .map(|model| {
            let change = ledger::change(&session.history, &model, span, scale);
            (model, change)
        })
        .collect();
    ui.changes(&changes, session.config.history.decimals, common.json)?;
    // Asked about one model, no answer is a refusal; asked about all, it is one of the answers.
    let is_refused = args.model.is_some() && changes.iter().all(|(_, change)| change.is_err());
    Ok(if is_refused { Exit::Unusable } else { Exit::Yes })
}

pub(super) fn pack(
    id: &str,
    session: &LedgerSession,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    // Official baselines of the board may be rows by name.
    let board = BoardFile::read(&workspace::board_path(&common.root, None));
    let of_board: BTreeSet<String> = board
        .and_then(|file| file.board())
        .map(|board| board.entries.iter().map(board::Row::id).collect())
        .unwrap_or_default();
    let comparison = facts::pack_comparison(&session.history, &session.config, &of_board);
    let comparison = comparison.map_err(facts::baseline_failure)?;
    let is_of_pack = |run: &&Run| run.pack_run.as_ref().is_some_and(|facts| facts.pack == id);
    let runs: Vec<_> = session
        .history
        .runs()
        .into_iter()
        .filter(is_of_pack)
        .filter_map(|run| Some((run, comparison.runs.get(&run.run_id)?)))
        .collect();
    if runs.is_empty() {
        return Err(Failure::unusable(format!("no run of the pack `{id}` is recorded"))
            .help(format!("`gmat-leaderboard record results_….json --pack {id}` records one")));
    }
    ui.pack(&runs, session.config.history.decimals, common.json)?;
    Ok(Exit::Yes)
}

pub(super) fn verify(args: &CheckLedger, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let against = args.against.as_deref().map(|path| fs::read_typed(path, OWN_FILE_LIMIT));
    let ledger = LedgerSnapshot::read(&common.root)?;
    let findings = check(&ledger, common, against.transpose()?.as_deref())?;
    ui.ledger_checked(&findings, ledger.bytes(), common.json)?;
    Ok(if findings.iter().any(Finding::decides) { Exit::No } else { Exit::Yes })
}

pub(super) fn sql(args: &Sql, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let ledger = LedgerSnapshot::read(&common.root)?;
    let history = ledger.history()?;
    if history.recorded().is_empty() {
        return Err(nothing_recorded(&LedgerDir::below(&common.root)));
    }
    let dialect = match args.dialect {
        SqlDialect::Postgres => Dialect::Postgres,
        SqlDialect::Sqlite => Dialect::Sqlite,
        SqlDialect::Duckdb => Dialect::Duckdb,
    };
    let since = args.since_checkpoint.map(|size| ledger.at_checkpoint(size)).transpose()?;
    let boards = ledger.boards()?;
    let contents = SqlContents { history, since: since.as_ref(), boards: &boards };
    let (config, _) = workspace::read_config_or_default(&common.root, common.config.as_deref())?;
    let epsilon = Rules::from_section(&config.history).epsilon;
    ui.stream(ledger::sql(contents, dialect, epsilon).as_bytes())?;
    Ok(Exit::Yes)
}

/// Everything wrong with the ledger, held against the board where there is one.
pub(super) fn check(
    ledger: &LedgerSnapshot,
    common: &Common,
    against: Option<&[u8]>,
) -> Result<Vec<Finding>, Failure> {
    let board = BoardFile::read(&workspace::board_path(&common.root, None)).ok();
    let board = board.and_then(|file| Some((file.board().ok()?.generated_at, file.bytes)));
    let board = board.map(|(at, bytes)| (bytes, at));
    let board = board.as_ref().map(|(bytes, at)| (bytes.as_slice(), at.as_str()));
    Ok(ledger.check(board, against)?)
}
