//! `record --board`: every row of a board as a run, and the board itself.

use crate::board::{self, Board};
use crate::domain::config::Seed;
use crate::domain::{Code, Failure, Finding};
use crate::facts::{self, ReplayCheck};
use crate::ledger::{BoardLine, Line, Reading, Withdraw};
use crate::ui::Ui;
use crate::workspace::{BoardFile, LedgerSession, Workspace};

/// A board that is not the last one recorded.
pub(super) struct NewBoard {
    pub(super) line: BoardLine,
    pub(super) bytes: Vec<u8>,
}

/// The rows as runs; the board too, if it is not the last one recorded.
pub(super) fn readings(
    workspace: &Workspace,
    board: &Board,
    file: BoardFile,
    session: &LedgerSession,
    ui: Ui,
) -> Result<(Vec<Reading>, Option<NewBoard>), Failure> {
    let (evidence, failures) = workspace.replays(|| ()).of_rows(&workspace.config, board);
    if let Some(failure) = Failure::all(failures) {
        return Err(failure);
    }
    let facts = facts::bundle_facts(board, &evidence);
    let strangers = facts
        .iter()
        .filter(|(_, facts)| facts.replay == ReplayCheck::Mismatch)
        .map(|(row, _)| unrecordable(Code::EDiff, row, "does not reproduce from its bundle"));
    if let Some(failure) = Failure::all(strangers.collect()) {
        return Err(failure);
    }
    for sentence in workspace.moved_deltas(board)? {
        ui.result(&sentence)?;
    }
    let runs = facts::board_runs(board, &facts, &workspace.config, &session.history);
    let runs = runs.map_err(|rows| {
        let failures =
            rows.iter().map(|row| unrecordable(Code::EBundle, row, "has no bundle to pin it"));
        Failure::all(failures.collect()).unwrap_or_else(|| Failure::unusable("no row"))
    })?;
    let readings = runs.into_iter().map(|run| Reading { run, left_out: Vec::new() }).collect();
    let LedgerSession { config, history, now, .. } = session;
    let line = facts::board_line(board, &file.bytes, config, history, now);
    Ok((readings, line.map(|line| NewBoard { line, bytes: file.bytes })))
}

/// The ledger lines of seeds that are withdrawn, were on a board, and have no such line yet.
pub(super) fn withdrawals(
    workspace: &Workspace,
    session: &LedgerSession,
    ui: Ui,
) -> Result<Vec<u8>, Failure> {
    let LedgerSession { config, history, now, .. } = session;
    let is_recorded = |seed: &Seed| {
        let mut known = history.withdrawals().iter();
        known.any(|line| line.provider == seed.provider && line.model == seed.model)
    };
    let withdrawn = config.seeds.iter().filter_map(|seed| Some((seed, seed.withdrawn.as_ref()?)));
    let mut open = withdrawn.filter(|(seed, _)| !is_recorded(seed)).peekable();
    let mut lines = Vec::new();
    if open.peek().is_none() {
        return Ok(lines);
    }
    let named = workspace.ledger()?.with_boards()?.rows_ever_named();
    for (seed, withdrawn) in open.filter(|(seed, _)| named.contains(&seed.id())) {
        let line = Line::Withdraw(Withdraw {
            kind: "withdraw",
            model: seed.model.clone(),
            protocol: config.eval_protocol_version.clone(),
            provider: seed.provider.clone(),
            reason: withdrawn.reason.clone(),
            recorded_at: now.clone(),
        });
        lines.extend(line.bytes().unwrap_or_default());
        ui.result(&format!("withdrew `{}`", seed.id()))?;
    }
    Ok(lines)
}

fn unrecordable(code: Code, row: &str, why: &str) -> Failure {
    Failure::unusable(format!("row `{row}` {why}"))
        .code(code)
        .help("nothing was recorded; `gmat-leaderboard verify` names every difference")
}

/// The board in `file`.
pub(super) fn read(file: &BoardFile) -> Result<Board, Failure> {
    let document = file.document()?;
    board::read(&document.root, &file.name).map_err(|findings| not_a_board(&findings))
}

fn not_a_board(findings: &[Finding]) -> Failure {
    let failures = findings
        .iter()
        .map(|finding| finding.clone().into_failure(format!("{}, {}", finding.file, finding.path)));
    Failure::all(failures.collect()).unwrap_or_else(|| Failure::unusable("not a board"))
}
