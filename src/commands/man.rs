//! `man`: a manual page.

use clap::CommandFactory;

use crate::cli::{Cli, Man};
use crate::domain::{Exit, Failure, nearest};
use crate::ui::Ui;

pub(super) fn run(args: &Man, ui: Ui) -> Result<Exit, Failure> {
    let mut program = Cli::command();
    let command = match &args.of {
        None => program,
        Some(name) => {
            program.build();
            let known = program.get_subcommands().map(clap::Command::get_name);
            let near = nearest(name, known);
            let found = program.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                Failure::unusable(format!("unknown command `{name}`"))
                    .meant(near, "`gmat-leaderboard help` lists all")
            })?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(|error| {
        Failure::world("the manual page could not be made").detail(error.to_string())
    })?;
    ui.out(page)?;
    Ok(Exit::Yes)
}
