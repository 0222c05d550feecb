//! Commands for shells and manuals.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap_complete::Shell;

use super::SCHEMAS;

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
#[command(after_help = "Topics: bundle, cohorts, exit-codes, held-out, protocol, terms

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
#[command(after_help = "\
Examples:
  gmat-leaderboard schema board > leaderboard.schema.json
  gmat-leaderboard schema verify

docs/reference/json.md has them as tables.")]
pub struct Schema {
    /// File or output that the schema describes
    #[arg(value_name = "NAME", default_value = "board", value_parser = names())]
    pub of: String,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(SCHEMAS.iter().map(|(name, of)| PossibleValue::new(*name).help(*of)))
}
