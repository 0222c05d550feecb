//! `record`: runs, or every row of a board, into the ledger; then tell whoever must know.

mod board;
mod files;
mod notify;
mod pack;

use self::notify::Sent;
use super::ledger::Session;
use crate::cli::{Common, Record};
use crate::domain::{Exit, Failure, Finding};
use crate::ledger::{self, Batch, How};
use crate::notify::Unsent;
use crate::ui::{Recorded, Ui};
use crate::workspace;
use crate::workspace::{Addition, Workspace};

pub(super) fn run(args: &Record, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let Some(run_id) = &args.notify_only {
        return notify::only(run_id, args, common, ui);
    }
    let mut session = if args.dry_run {
        Session::reading(common, args.now.as_deref())?
    } else {
        Session::writing(common, args.now.as_deref(), args.repair, ui)?
    };
    session.search_with(args.held_out.as_deref(), common)?;
    if !args.is_search_told
        && let Some(workspace) = Workspace::open_if_any(&common.root, common.config.as_deref())?
    {
        let findings = workspace::search_workspace(&workspace, &session.held_out, None)?;
        ui.findings(&findings)?;
        if findings.iter().any(Finding::decides) {
            ui.result("nothing was recorded")?;
            return Ok(Exit::No);
        }
    }
    // Read before anything is written: a damaged file must not lose a card.
    let waiting = notify::waiting(&session)?;
    let mut board = None;
    let readings = match &args.board {
        Some(path) => {
            let (readings, recorded) = board::readings(path, &session, common, ui)?;
            board = recorded;
            readings
        }
        None => files::readings(args, &session, ui)?,
    };
    let how = How {
        rules: session.rules(),
        now: session.now.clone(),
        notes: args.notes.clone(),
        detect: args.detect,
        drop: session.config.history.regression_drop,
    };
    let mut batch = ledger::record(&mut session.history, readings, &how);
    let mut boards = Vec::new();
    if let Some(board) = board {
        boards.push((board.line.board_sha256.clone(), board.bytes));
        batch.lines.extend(ledger::Line::Board(board.line).bytes().unwrap_or_default());
    }
    if session.append(&Addition { lines: &batch.lines, boards: &boards }, ui)?.is_none() {
        return Ok(Exit::No);
    }
    let exit = finish(args, &session, &batch, waiting, common, ui)?;
    if !args.is_search_told {
        super::search::note_unsearched(&session.config, &session.held_out, ui);
    }
    Ok(exit)
}

fn finish(
    args: &Record,
    session: &Session,
    batch: &Batch,
    waiting: Vec<Unsent>,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    let sent = if args.notify {
        let due = notify::due(batch, session);
        notify::send(waiting, due, session, args, ui)?
    } else {
        Sent { remaining: waiting, ..Sent::default() }
    };
    let Sent { posts, told, remaining } = &sent;
    let recorded = Recorded { batch, history: &session.history, posts, told };
    ui.recorded(&recorded, &session.config.history, args.dry_run, common.json)?;
    let is_untold = !args.dry_run && !remaining.is_empty();
    if args.require_notify && is_untold && !args.notify {
        ui.note(&format!(
            "warning: {} card(s) wait to be sent; `record --notify-only` sends them",
            remaining.len()
        ));
    }
    Ok(match () {
        () if args.require_notify && is_untold => Exit::World,
        () if args.fail_on_regression && batch.has_regression(&session.history) => Exit::No,
        () if args.strict && batch.conflicts().next().is_some() => Exit::No,
        () => Exit::Yes,
    })
}
