//! Commands for shells and manuals.

use clap::{Args, ValueEnum};
use clap_complete::Shell;

// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: gmat-leaderboard completions bash > ~/.local/share/bash-completion/completions/gmat-leaderboard"
)]
pub struct Completions {
    /// Shell
    pub shell: Shell,
}

// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Example: gmat-leaderboard man | man -l -")]
pub struct Man {}

// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "Example: gmat-leaderboard schema board > leaderboard.schema.json")]
pub struct Schema {
    /// Document that the schema describes
    #[arg(value_enum, default_value = "board")]
    pub of: SchemaOf,
}

/// What has a schema.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SchemaOf {
    /// leaderboard.json
    Board,
}
