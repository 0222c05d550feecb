//! One file per command: read, call the core, hand over to `ui`. No rule of the domain inside.

mod analysis;
mod build;
mod compare;
mod completions;
mod demo;
mod group;
mod lint;
mod man;
mod output;
mod rank;
mod stats;
mod trend;
mod upstream;
mod verify;

use crate::cli::{Cli, Command};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;

/// Runs the command that was asked for.
pub fn run(cli: &Cli, ui: Ui) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Build(args) => build::run(args, &cli.common, ui),
        Command::Compare(args) => compare::run(args, &cli.common, ui),
        Command::Completions(args) => completions::run(args, ui),
        Command::Demo(args) => demo::run(args, &cli.common, ui),
        Command::Export(args) => rank::export(args, &cli.common, ui),
        Command::Group(args) => group::run(args, &cli.common, ui),
        Command::Lint(args) => lint::run(args, cli.common.json, ui),
        Command::Man(_) => man::run(ui),
        Command::Rank(args) => rank::rank(args, &cli.common, ui),
        Command::Stats(args) => stats::run(args, &cli.common, ui),
        Command::Trend(args) => trend::run(args, &cli.common, ui),
        Command::Verify(args) => verify::run(args, &cli.common, ui),
    }
}
