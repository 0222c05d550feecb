//! `record --board`: every row of a board as a run, and the board itself.

use crate::facts;
use crate::workspace;
use std::path::Path;

use crate::cli::Common;
use crate::commands::baselines;
use crate::commands::ledger::Session;
use crate::domain::{Code, Failure, Finding};
use crate::facts::ReplayCheck;
use crate::ledger::{BoardLine, Reading};
use crate::ui::Ui;
use crate::workspace::Workspace;

/// A board that is not the last one recorded.
pub(super) struct NewBoard {
    pub(super) line: BoardLine,
    pub(super) bytes: Vec<u8>,
}

/// The rows as runs; the board too, if it is not the last one recorded.
pub(super) fn readings(
    path: &Path,
    session: &Session,
    common: &Common,
    ui: Ui,
) -> Result<(Vec<Reading>, Option<NewBoard>), Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let file = workspace::read_board(path)?;
    let board = file.board.map_err(|findings| not_a_board(&findings))?;
    let (evidence, failures) = workspace::evidence(&workspace.store, &workspace.config, &board);
    if let Some(failure) = Failure::all(failures) {
        return Err(failure);
    }
    let facts = facts::row_facts(&board, &evidence);
    let strangers = facts
        .iter()
        .filter(|(_, facts)| facts.replay == ReplayCheck::Mismatch)
        .map(|(row, _)| unrecordable(Code::EDiff, row, "does not reproduce from its bundle"));
    if let Some(failure) = Failure::all(strangers.collect()) {
        return Err(failure);
    }
    if let Some(earlier) = baselines::earlier(&workspace) {
        baselines::settle(&workspace, &earlier, &board, ui)?;
    }
    let runs = facts::board_runs(&board, &facts, &workspace.config, &session.history);
    let runs = runs.map_err(|rows| {
        let failures =
            rows.iter().map(|row| unrecordable(Code::EBundle, row, "has no bundle to pin it"));
        Failure::all(failures.collect()).unwrap_or_else(|| Failure::unusable("no row"))
    })?;
    let readings = runs.into_iter().map(|run| Reading { run, left_out: Vec::new() }).collect();
    let line = facts::board_line(&board, &file.bytes, &session.history, &session.now);
    Ok((readings, line.map(|line| NewBoard { line, bytes: file.bytes })))
}

fn unrecordable(code: Code, row: &str, why: &str) -> Failure {
    Failure::unusable(format!("row `{row}` {why}"))
        .code(code)
        .help("nothing was recorded; `gmat-leaderboard verify` names every difference")
}

fn not_a_board(findings: &[Finding]) -> Failure {
    let failures = findings.iter().map(|finding| {
        Failure::unusable(finding.what.clone())
            .code(finding.code)
            .at(format!("{}, {}", finding.file, finding.path))
            .help(finding.help.clone())
    });
    Failure::all(failures.collect()).unwrap_or_else(|| Failure::unusable("not a board"))
}
