//! Commands around the board.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `build`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard build
  gmat-leaderboard build --held-out leaderboard/.cache/heldout --generated-at 2026-06-18T00:00:00Z
  gmat-leaderboard build --out - | head

The stamp is --generated-at, else SOURCE_DATE_EPOCH, else now.")]
pub struct Build {
    /// Score the headline on the held-out bundles below DIR; without it every headline stays pending
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Where to write the board; - is stdout [default: leaderboard/leaderboard.json below the root]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The moment the board carries, RFC 3339 in UTC
    #[arg(long, value_name = "MOMENT")]
    pub generated_at: Option<String>,
    /// A seed without a public bundle is an error, not a note
    #[arg(long)]
    pub strict: bool,
    /// Leave rows out whose bundle is broken, with a note, instead of refusing to build
    #[arg(long)]
    pub skip_broken: bool,
    /// Write a board without rows
    #[arg(long)]
    pub allow_empty: bool,
}
