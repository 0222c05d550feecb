//! `record`: runs, or every row of a board, into the ledger; then tell whoever must know.

use super::ledger::Session;
use crate::cli::{Common, Record};
use crate::domain::{Exit, Failure};
use crate::ledger::{self, Batch, How};
use crate::notify;
use crate::store::Addition;
use crate::ui::{Recorded, Ui};

pub(super) fn run(args: &Record, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let Some(run_id) = &args.notify_only {
        return super::notify::again(run_id, args, common, ui);
    }
    let mut session = if args.dry_run {
        Session::reading(common, args.now.as_deref())?
    } else {
        Session::writing(common, args.now.as_deref(), args.repair, ui)?
    };
    session.search_with(args.held_out.as_deref(), common)?;
    let mut board = None;
    let readings = match &args.board {
        Some(path) => {
            let (readings, recorded) = super::record_board::readings(path, &session, common, ui)?;
            board = recorded;
            readings
        }
        None => super::record_files::readings(args, &session, ui)?,
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
    if session.append(&Addition { lines: &batch.lines, boards: &boards }, ui)? != Exit::Yes {
        return Ok(Exit::No);
    }
    finish(args, &session, &batch, common, ui)
}

fn finish(
    args: &Record,
    session: &Session,
    batch: &Batch,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    let posts = if args.notify { super::notify::due(batch, session) } else { Vec::new() };
    let told = if args.dry_run {
        posts.iter().map(|_| Err("dry run".to_owned())).collect()
    } else {
        notify::tell(&posts, args.slack_base.as_deref())
    };
    let recorded = Recorded { batch, history: &session.history, posts: &posts, told: &told };
    ui.recorded(&recorded, &session.config.history, args.dry_run, common.json)?;
    let weekly = session.dir.optional("weekly.json")?.filter(|_| !batch.changed_weeks.is_empty());
    if weekly.is_some_and(|bytes| bytes != ledger::weekly_bytes(&session.history)) {
        ui.say("note: weekly.json is behind; `gmat-leaderboard weekly --write` writes it");
    }
    let is_untold = !args.dry_run && told.iter().any(Result::is_err);
    Ok(match () {
        () if args.require_notify && is_untold => Exit::World,
        () if args.fail_on_regression && batch.has_regression(&session.history) => Exit::No,
        () if args.strict && batch.conflicts().next().is_some() => Exit::No,
        () => Exit::Yes,
    })
}
