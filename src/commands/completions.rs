//! `completions`: a completion script for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::{Cli, Completions};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;

pub(super) fn run(args: &Completions, ui: Ui) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gmat-leaderboard", &mut script);
    if args.shell == Shell::Bash {
        script = with_one_prefix(&script);
    }
    ui.out(script)?;
    Ok(Exit::Yes)
}

/// clap_complete 4.6 names a subcommand of a program with a hyphen in two ways: it sets
/// `gmat__leaderboard__subcmd__rank` and looks for `gmat__subcmd__leaderboard__subcmd__rank`, so
/// that bash completes nothing after the first word.
fn with_one_prefix(script: &[u8]) -> Vec<u8> {
    let script = String::from_utf8_lossy(script);
    script.replace("gmat__subcmd__leaderboard", "gmat__leaderboard").into_bytes()
}
