//! `completions`: a completion script for a shell.

use clap::CommandFactory;

use crate::cli::{Cli, Completions};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;

pub(super) fn run(args: &Completions, ui: Ui) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gmat-leaderboard", &mut script);
    ui.out(script)?;
    Ok(Exit::Yes)
}
