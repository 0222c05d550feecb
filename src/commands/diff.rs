//! `diff`: what changed between two boards.

use crate::ui;

use crate::board::{Changes, keep_headlines};
use crate::cli::{Diff, DiffFormat};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace::BoardFile;

pub(super) fn run(args: &Diff, json: bool, ui: Ui) -> Result<Exit, Failure> {
    let (old, mut new) =
        (BoardFile::read(&args.old)?.board()?, BoardFile::read(&args.new)?.board()?);
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
