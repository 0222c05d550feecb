//! Commands that lay out what is to be filled.

use std::path::PathBuf;

use clap::{Args, Subcommand};

// Arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard init my-board
  cd gmat-copilot && gmat-leaderboard init
  gmat-leaderboard init --upgrade --revision 4da20b8c1f0e2d3a4b5c6d7e8f90a1b2c3d4e5f6

Writes what is missing and keeps what is there; files that exist are only added to where git needs
a line. A directory without a config gets an illustrative example row, so that everything can be
tried before the first real bundle.")]
pub struct Init {
    /// Directory of the board's repository
    #[arg(default_value = ".")]
    pub dir: PathBuf,
    /// Replace the workflows by those of this version; look at the difference with git
    #[arg(long)]
    pub upgrade: bool,
    /// Git address that the workflows install the program from, https
    #[arg(long, value_name = "URL", requires = "revision")]
    pub source: Option<String>,
    /// Commit of the program that the workflows install [with --upgrade: the one they have]
    #[arg(long, value_name = "COMMIT")]
    pub revision: Option<String>,
}

// Arguments of `heldout`.
#[derive(Debug, Args)]
pub struct Heldout {
    /// What to do with a held-out set.
    #[command(subcommand)]
    pub what: HeldoutCommand,
}

// What can be done with a held-out set.
#[derive(Debug, Subcommand)]
pub enum HeldoutCommand {
    /// Write placeholders for a new set, with the tiers of the public one
    New(HeldoutNew),
}

// Arguments of `heldout new`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: gmat-leaderboard heldout new --count 24 --like leaderboard/bundles/orbiter-3/prompts.json

The file goes below leaderboard/.cache/, which git must ignore. Every placeholder carries a canary
line that no board, page or log may ever show.")]
pub struct HeldoutNew {
    /// Number of prompts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub count: u16,
    /// Public prompts.json whose tiers to mirror
    #[arg(long, value_name = "FILE")]
    pub like: PathBuf,
    /// Write to FILE [default: leaderboard/.cache/heldout-draft/prompts.json under --root]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
