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

// Arguments of `help`.
#[derive(Debug, Args)]
#[command(after_help = "Topics: bundle, cohorts, exit-codes, held-out, protocol

Examples:
  gmat-leaderboard help verify
  gmat-leaderboard help held-out")]
pub struct Help {
    /// Command, such as verify or history sql, or topic; without it, the overview
    #[arg(value_name = "COMMAND|TOPIC")]
    pub of: Vec<String>,
}

// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gmat-leaderboard man | man -l -
  gmat-leaderboard man verify | man -l -")]
pub struct Man {
    /// Command; without it, the page of the program
    #[arg(value_name = "COMMAND")]
    pub of: Option<String>,
}

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
    /// v1/entries/….json of a site
    Entry,
    /// v1/index.json of a site
    Index,
    /// v1/packs/….json of a site
    Pack,
}
