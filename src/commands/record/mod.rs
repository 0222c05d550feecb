//! `record`: runs, or every row of a board, into the ledger; then tell whoever must know.

mod board;
mod files;
mod notify;
mod pack;

use self::notify::Sent;
use crate::board::Board;
use crate::cli::{Common, Record};
use crate::domain::{Code, Exit, Failure, Finding};
use crate::fs;
use crate::ledger::{self, Batch, History, Inserted, RecordOptions};
use crate::notify::Unsent;
use crate::ui::{Recorded, Ui};
use crate::workspace::{self, BoardFile, LedgerSession, NewLines, Place, Workspace};

pub(super) fn run(args: &Record, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    run_with(args, None, common, ui)
}

/// Records; `built` is a board that was just built and written, with its workspace.
pub(super) fn run_with(
    args: &Record,
    built: Option<(&Workspace, &Board, BoardFile)>,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    if let Some(run_id) = &args.notify_only {
        return notify::only(run_id, args, common, ui);
    }
    let is_built = built.is_some();
    let (root, config) = (&*common.root, common.config.as_deref());
    let opened = match (&built, &args.board) {
        (Some(_), _) => None,
        (None, Some(_)) => Some(Workspace::open(root, config)?),
        (None, None) => Workspace::open_if_any(root, config)?,
    };
    let held_out = args.held_out.as_deref();
    let opened = opened.map(|workspace| workspace.with_held_out(held_out)).transpose()?;
    if let Some(workspace) = &opened {
        let findings = workspace::search_workspace(workspace, None)?;
        ui.findings(&findings)?;
        if findings.iter().any(Finding::decides) {
            ui.result("nothing was recorded")?;
            return Ok(Exit::No);
        }
    }
    let workspace = built.as_ref().map(|(workspace, ..)| *workspace).or(opened.as_ref());
    let mut session = session(args, workspace, common, ui)?;
    let new_config = match args.scale {
        Some(scale) => session.set_scale(scale, common.place())?,
        None => None,
    };
    let work = ui.working();
    work.phase("reading", 0);
    // Read before anything is written: a damaged file must not lose a card.
    let waiting = notify::waiting(&session)?;
    let mut board = None;
    let readings = if let Some((workspace, built, file)) = built {
        let readings = board::readings(workspace, built, file, &session, ui)?;
        board = readings.1;
        readings.0
    } else if let Some((path, workspace)) = args.board.as_ref().zip(opened.as_ref()) {
        let file = BoardFile::read(path)?;
        let read = board::read(&file)?;
        let readings = board::readings(workspace, &read, file, &session, ui)?;
        board = readings.1;
        readings.0
    } else {
        files::readings(args, &session, &work, ui)?
    };
    let how = RecordOptions {
        section: session.config.history.clone(),
        now: session.now.clone(),
        notes: args.notes.clone(),
        detect: args.detect,
    };
    work.phase("recording", readings.len());
    let mut batch = ledger::record_counted(&mut session.history, readings, &how, &|| work.step());
    let mut boards = Vec::new();
    if let Some(board) = board {
        let contradicted = contradicted(&batch, &session.history);
        if !contradicted.is_empty() {
            ui.findings(&contradicted)?;
            ui.result("nothing was recorded")?;
            return Ok(Exit::No);
        }
        boards.push((board.line.board_sha256.clone(), board.bytes));
        if let Some(workspace) = workspace {
            batch.lines.extend(board::withdrawals(workspace, &session, ui)?);
        }
        batch.lines.extend(ledger::Line::Board(board.line).bytes().unwrap_or_default());
    }
    if let Some((path, bytes)) = new_config.filter(|_| !args.dry_run) {
        fs::write(&path, &bytes)?;
        ui.result(&format!("set history.score_scale in {}", path.display()))?;
    }
    work.phase("writing the ledger and its weeks", 0);
    let appended = session.append(&NewLines { lines: &batch.lines, boards: &boards })?;
    drop(work);
    if ui.appended(appended)?.is_none() {
        return Ok(Exit::No);
    }
    let exit = finish(args, &session, &batch, waiting, common, ui)?;
    if !is_built {
        ui.note_unsearched(&session.config, &session.held_out);
    }
    Ok(exit)
}

/// The rows of a board that have another score in the ledger for the same moment: one of the two was
/// changed by hand.
fn contradicted(batch: &Batch, history: &History) -> Vec<Finding> {
    let finding = |row: &Inserted| {
        let run = history.run(&row.run_id)?;
        let what = format!("the ledger has another record of `{}` for the same moment", run.model);
        let help = "build the board again: a row that was scored anew has a new moment";
        Some(Finding::new(Code::HBoard, "leaderboard/leaderboard.json", "", what).help(help))
    };
    batch.conflicts().filter_map(finding).collect()
}

/// Opens the ledger, in `workspace` where there is one.
fn session(
    args: &Record,
    workspace: Option<&Workspace>,
    common: &Common,
    ui: Ui,
) -> Result<LedgerSession, Failure> {
    let place = workspace.map_or(common.place(), Place::Workspace);
    let now = args.now.as_deref();
    let mut session = if args.dry_run {
        LedgerSession::reading(place, now)?
    } else if args.repair {
        let (session, dropped) = LedgerSession::repairing(place, now)?;
        if let Some(dropped) = dropped {
            ui.result(&format!(
                "repaired {}: dropped an unfinished line of {} bytes",
                session.dir.path("history.jsonl").display(),
                dropped.len()
            ))?;
        }
        session
    } else {
        LedgerSession::writing(place, now)?
    };
    if let Some(held_out) = args.held_out.as_deref().filter(|_| workspace.is_none()) {
        session.search_with(&common.root, held_out)?;
    }
    Ok(session)
}

fn finish(
    args: &Record,
    session: &LedgerSession,
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
    let Sent { posts, delivered, remaining } = &sent;
    let recorded = Recorded { batch, history: &session.history, posts, delivered };
    ui.recorded(&recorded, &session.config.history, args.dry_run, common.json)?;
    let is_untold = !args.dry_run && !remaining.is_empty();
    if args.require_notify && is_untold && !args.notify {
        ui.note(&format!(
            "warning: {} card(s) are unsent; `record --notify-only` sends them",
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
