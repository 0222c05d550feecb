//! Commands around the board.

use std::path::PathBuf;

use clap::Args;

use super::Format;

// Arguments of `build`.
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[command(after_help = "\
Examples:
  gmat-leaderboard build
  gmat-leaderboard build --held-out leaderboard/.cache/heldout --generated-at 2026-06-18T00:00:00Z
  gmat-leaderboard build --out - | head

The stamp is --generated-at, else SOURCE_DATE_EPOCH, else now. Without --held-out a board with scored
headlines is not replaced (exit 1) unless --drop-headlines is given.")]
pub struct Build {
    /// Score the headline on the held-out bundles below DIR; without it every headline stays pending
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Replace a board with scored headlines by one whose headlines are pending
    #[arg(long, conflicts_with = "held_out")]
    pub drop_headlines: bool,
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
    /// Record every row of the written board in the ledger, as `record --board` does
    #[arg(long)]
    pub record: bool,
}

impl Build {
    pub fn is_to_stdout(&self) -> bool {
        self.out.as_ref().is_some_and(|out| out.as_os_str() == "-")
    }
}

// Arguments of `verify`.
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard verify
  gmat-leaderboard verify downloaded.json --root path/to/checkout
  gmat-leaderboard verify --entry github:openai/gpt-4.1-mini
  gmat-leaderboard verify downloaded.json --form-only
  gmat-leaderboard verify --explain E-DIFF

Exit code: 0 verified, 1 a finding, 2 something could not be checked.")]
pub struct Verify {
    /// The board; - is stdin [default: leaderboard/leaderboard.json below the root]
    pub board: Option<PathBuf>,
    /// Re-derive the headlines too, from the held-out bundles below DIR, and scan for leaks
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Render the site again and compare every file below DIR with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["form_only", "entry"])]
    pub site: Option<PathBuf>,
    /// Check only the row of this provider:model
    #[arg(long, value_name = "PROVIDER:MODEL", conflicts_with = "form_only")]
    pub entry: Option<String>,
    /// Check the board alone, without config and bundles
    #[arg(long, conflicts_with = "held_out")]
    pub form_only: bool,
    /// Rows that belong to no seed are a note, not a finding
    #[arg(long)]
    pub allow_unseeded: bool,
    /// A board with no row to verify is no finding
    #[arg(long)]
    pub allow_empty: bool,
    /// How to show findings
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    /// Say what a finding code means, and stop; `all` lists every code
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
}

// Arguments of `demo`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard demo
  gmat-leaderboard demo /tmp/try --leak
  gmat-leaderboard demo /tmp/big --entries 300

The directory then holds board/ (what a repository would hold) and held-out/ (what stays private).")]
pub struct Demo {
    /// Where to unpack the example workspace; must be absent or empty
    #[arg(default_value = "gmat-leaderboard-demo")]
    pub dir: PathBuf,
    /// Make a board of N made-up rows in every state a page can show: scored, pending, overfit, unpriced
    #[arg(long, value_name = "N")]
    pub entries: Option<usize>,
    /// Record a made-up year of weekly runs before the board, for trying history and weekly
    #[arg(long, conflicts_with = "leak")]
    pub history: bool,
    /// Put a held-out request into the config and see the firewall refuse it
    #[arg(long)]
    pub leak: bool,
    /// Open the site in a browser
    #[arg(long, conflicts_with = "leak")]
    pub open: bool,
}

// Arguments of `site`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard site
  gmat-leaderboard site --held-out leaderboard/.cache/heldout --open

A board whose headlines were scored is not rebuilt without --held-out, because they would turn back to
pending; it is verified and rendered as it is.")]
pub struct Site {
    /// Score the headline on the held-out bundles below DIR
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// The moment the board carries, RFC 3339 in UTC
    #[arg(long, value_name = "MOMENT")]
    pub generated_at: Option<String>,
    /// Where to write the site [default: site below the root]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Open the site in a browser
    #[arg(long)]
    pub open: bool,
}
