//! `demo --history`: a made-up year before the example board, then the board itself, recorded.

use crate::cli::Common;
use crate::domain::Failure;
use crate::ledger::{self, History, Line, Reading, RecordOptions};
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, LedgerDir, NewLines, Workspace};
use crate::{facts, fs};

/// Records that one row was withdrawn, so that the site shows what becomes of it.
pub(super) fn withdraw(common: &Common) -> Result<(), Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let file = BoardFile::read(&workspace.board_path(None))?;
    let Ok(board) = file.board() else { return Ok(()) };
    let line = workspace::demo_withdrawal(&board);
    let addition = NewLines { lines: &line.bytes().unwrap_or_default(), boards: &[] };
    let dir = LedgerDir::below(&common.root);
    let sets = workspace.held_out_sets()?;
    dir.append(Some(&mut dir.open(None)?), &addition, &workspace.config, sets)?;
    Ok(())
}

pub(super) fn write(common: &Common, ui: Ui) -> Result<(), Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let config = &workspace.config;
    let file = BoardFile::read(&workspace.board_path(None))?;
    let Ok(board) = file.board() else { return Ok(()) };
    let (evidence, _) = workspace.replays(|| ()).of_rows(config, &board);
    let facts = facts::bundle_facts(&board, &evidence);
    let rows = |history: &History| facts::board_runs(&board, &facts, config, history);

    let dir = LedgerDir::below(&common.root);
    let mut open = dir.open(None)?;
    let story = workspace::demo_year(&board, &rows(&History::default()).unwrap_or_default());
    let mut append = |lines: &[u8], boards: &[(String, Vec<u8>)]| {
        // The lines are made up by this program: there is nothing to find.
        dir.append(
            Some(&mut open),
            &NewLines { lines, boards },
            config,
            workspace.held_out_sets()?,
        )?;
        Ok::<Vec<u8>, Failure>(open.bytes.clone())
    };
    let (mut history, _) = ledger::read(&append(&story.lines, &story.boards)?).usable()?;
    let runs = rows(&history).unwrap_or_default();
    let readings = runs.into_iter().map(|run| Reading { run, left_out: Vec::new() }).collect();
    let how = RecordOptions {
        section: config.history.clone(),
        now: board.generated_at.clone(),
        notes: None,
        detect: false,
    };
    let mut lines = ledger::record(&mut history, readings, &how).lines;
    let mut boards = Vec::new();
    if let Some(line) =
        facts::board_line(&board, &file.bytes, config, &history, &board.generated_at)
    {
        boards.push((line.board_sha256.clone(), file.bytes.clone()));
        lines.extend(Line::Board(line).bytes().unwrap_or_default());
    }
    append(&lines, &boards)?;
    fs::write(&dir.path("weekly.json"), &ledger::weekly_bytes(&history))?;
    if let Ok(head) = ledger::head(&open.bytes) {
        dir.append_checkpoint(&head.record(&board.generated_at))?;
    }
    let root = common.root.display();
    ui.result("")?;
    ui.result("recorded a year of weekly runs and the boards before this one, all of it made up:")?;
    for line in &story.described {
        ui.result(&format!("  {line}"))?;
    }
    ui.result(&format!("  see them: gmat-leaderboard history --root {root}"))?;
    ui.result(&format!("  the weeks: gmat-leaderboard weekly --all --root {root}"))?;
    Ok(())
}
