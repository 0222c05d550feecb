//! `init`: a board's repository, laid out or completed.

use crate::cli::Init;
use crate::domain::{Exit, Failure};
use crate::store::{self, Laid};
use crate::ui::Ui;

pub(super) fn run(args: &Init, ui: Ui) -> Result<Exit, Failure> {
    for laid in store::scaffold(&args.dir)? {
        ui.say(&match laid {
            Laid::Written(path) => format!("wrote    {path}"),
            Laid::Extended(path, lines) => format!("extended {path} by {lines} line(s)"),
            Laid::Kept(path) => format!("kept     {path}"),
        });
    }
    ui.say(&format!("next: gmat-leaderboard site --root {}", args.dir.display()));
    Ok(Exit::Yes)
}
