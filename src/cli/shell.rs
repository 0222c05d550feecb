//! Commands for shells and manuals.

use clap::Args;
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: gmat-leaderboard completions bash > ~/.local/share/bash-completion/completions/gmat-leaderboard"
)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Example: gmat-leaderboard man | man -l -")]
pub struct Man {}
