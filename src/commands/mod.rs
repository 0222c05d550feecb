//! One file per command: read, call the core, hand over to `ui`. No rule of the domain inside.

mod build;
mod completions;
mod lint;
mod man;
mod render;
mod serve;
mod verify;

use crate::cli::{Cli, Command};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;

/// Runs the command that was asked for.
pub fn run(cli: &Cli, ui: Ui) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Build(args) => build::run(args, &cli.common, ui),
        Command::Completions(args) => completions::run(args, ui),
        Command::Lint(args) => lint::run(args, cli.common.json, ui),
        Command::Render(args) => render::run(args, &cli.common, ui),
        Command::Serve(args) => serve::run(args, &cli.common, ui),
        Command::Man(_) => man::run(ui),
        Command::Verify(args) => verify::run(args, &cli.common, ui),
    }
}
