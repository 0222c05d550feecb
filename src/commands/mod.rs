//! One file or folder per command: read, call the core, hand over to `ui`. No rule of the domain inside.

mod build;
mod check;
mod compare;
mod completions;
mod correlate;
mod demo;
mod diff;
mod doctor;
mod eval;
mod export;
mod fetch;
mod freeze;
mod group;
mod heldout;
mod help;
mod history;
mod init;
mod lint;
mod man;
mod publish;
mod rank;
mod record;
mod render;
mod schema;
mod serve;
mod site;
mod stats;
mod trend;
mod verify;
mod weekly;

use crate::cli::{Cli, Command, HeldoutCommand};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace::LedgerDir;

/// Runs the command that was asked for.
pub(crate) fn run(cli: &Cli, ui: Ui) -> Result<Exit, Failure> {
    if cli.appends()
        && let Some(what) = LedgerDir::below(&cli.common.root).finish_last_line()?
    {
        ui.note(&format!("note: {what}"));
    }
    match &cli.command {
        Command::Build(args) => build::run(args, &cli.common, ui),
        Command::Check(args) => check::run(args, &cli.common, ui),
        Command::Completions(args) => completions::run(args, ui),
        Command::Correlate(args) => correlate::run(args, &cli.common, ui),
        Command::Demo(args) => demo::run(args, &cli.common, ui),
        Command::Diff(args) => diff::run(args, cli.common.json, ui),
        Command::Doctor(args) => doctor::run(args, &cli.common, ui),
        Command::Eval(args) => eval::run(args, &cli.common, ui),
        Command::Fetch(args) => fetch::run(args, &cli.common, ui),
        Command::Freeze(args) => freeze::run(args, &cli.common, ui),
        Command::History(args) => history::run(args, &cli.common, ui),
        Command::Compare(args) => compare::run(args, &cli.common, ui),
        Command::Export(args) => export::run(args, &cli.common, ui),
        Command::Group(args) => group::run(args, &cli.common, ui),
        Command::Heldout(args) => match &args.what {
            HeldoutCommand::New(args) => heldout::new(args, &cli.common, ui),
            HeldoutCommand::Salt(args) => heldout::salt(args, &cli.common, ui),
            HeldoutCommand::Commit(args) => heldout::commit(args, &cli.common, ui),
            HeldoutCommand::Reveal(args) => heldout::reveal(args, &cli.common, ui),
        },
        Command::Help(args) => help::run(args, ui),
        Command::Init(args) => init::run(args, ui),
        Command::Lint(args) => lint::run(args, cli.common.json, ui),
        Command::Render(args) => render::run(args, &cli.common, ui),
        Command::Schema(args) => schema::run(args, ui),
        Command::Serve(args) => serve::run(args, &cli.common, ui),
        Command::Man(args) => man::run(args, ui),
        Command::Publish(args) => publish::run(args, &cli.common, ui),
        Command::Record(args) => record::run(args, &cli.common, ui),
        Command::Site(args) => site::run(args, &cli.common, ui),
        Command::Rank(args) => rank::run(args, false, &cli.common, ui),
        Command::Leaderboard(args) => rank::run(args, true, &cli.common, ui),
        Command::Stats(args) => stats::run(args, &cli.common, ui),
        Command::Trend(args) => trend::run(args, &cli.common, ui),
        Command::Verify(args) => verify::run(args, &cli.common, ui),
        Command::Weekly(args) => weekly::run(args, &cli.common, ui),
    }
}
