//! Commands that compare two boards.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

// Arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard diff old.json leaderboard/leaderboard.json
  gmat-leaderboard diff old.json new.json --format markdown >> \"$GITHUB_STEP_SUMMARY\"
  gmat-leaderboard diff leaderboard/leaderboard.json built.json --keep-headlines

Exit code: 0 whether or not they differ; with --exit-code, 1 if they do.")]
pub struct Diff {
    /// Older board
    pub old: PathBuf,
    /// Newer board
    pub new: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: DiffFormat,
    /// Copy headlines from OLD to pending rows of NEW with the same bundle, and rank again
    #[arg(long)]
    pub keep_headlines: bool,
    /// Exit 1 if the boards differ
    #[arg(long)]
    pub exit_code: bool,
}

/// How a difference is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// Lines for a person
    Human,
    /// One JSON document
    Json,
    /// A table for a pull request
    Markdown,
}
