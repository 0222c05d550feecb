//! `diff`: what changed between two boards.

use crate::ui;
use crate::workspace;
use std::path::Path;

use crate::board::{Board, Changes, keep_headlines};
use crate::cli::{Diff, DiffFormat};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;

pub(super) fn run(args: &Diff, json: bool, ui: Ui) -> Result<Exit, Failure> {
    let (old, mut new) = (board(&args.old)?, board(&args.new)?);
    if args.keep_headlines {
        keep_headlines(&old, &mut new);
    }
    let changes = Changes::between(&old, &new);
    match args.format {
        _ if json => ui.json(&changes)?,
        DiffFormat::Json => ui.json(&changes)?,
        DiffFormat::Human => ui.out(ui::human(&changes))?,
        DiffFormat::Markdown => ui.out(ui::markdown(&changes))?,
    }
    let differs = args.exit_code && !changes.is_empty();
    Ok(if differs { Exit::No } else { Exit::Yes })
}

fn board(path: &Path) -> Result<Board, Failure> {
    workspace::read_board(path)?.board.map_err(|findings| {
        let file = path.display().to_string();
        let failure = Failure::unusable(format!("`{file}` is not a board")).at(file);
        let failure = findings.iter().take(10).fold(failure, |failure, finding| {
            failure.detail(format!("{}: {}", finding.path, finding.what))
        });
        failure.help("`gmat-leaderboard verify --form-only FILE` names every problem")
    })
}
