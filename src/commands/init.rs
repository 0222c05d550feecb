//! `init`: a board's repository, laid out or completed.

use crate::cli::Init;
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace;
use crate::workspace::Laid;

pub(super) fn run(args: &Init, ui: Ui) -> Result<Exit, Failure> {
    for laid in workspace::scaffold(&args.dir)? {
        ui.result(&match laid {
            Laid::Written(path) => format!("wrote    {path}"),
            Laid::Extended(path, lines) => format!("extended {path} by {lines} line(s)"),
            Laid::Kept(path) => format!("kept     {path}"),
        })?;
    }
    ui.result(&format!("next: gmat-leaderboard site --root {}", args.dir.display()))?;
    Ok(Exit::Yes)
}
