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
  gmat-leaderboard build --held-out leaderboard/.cache/heldout --record --seal
  gmat-leaderboard build --out - | head

The stamp is --generated-at, else SOURCE_DATE_EPOCH, else now. Without --held-out a board with scored
headlines is not replaced (exit 1) unless --drop-headlines is given; with --seal it is verified and
sealed as it is.")]
pub struct Build {
    /// Score the headlines on the held-out bundles under DIR; without it they stay pending
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Allow replacing scored headlines by pending ones
    #[arg(long, conflicts_with = "held_out")]
    pub drop_headlines: bool,
    /// Write the board to FILE; - is stdout [default: leaderboard/leaderboard.json under --root]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Timestamp of the board, RFC 3339 in UTC
    #[arg(long, value_name = "MOMENT")]
    pub generated_at: Option<String>,
    /// Fail if a seed has no public bundle, instead of skipping it with a note
    #[arg(help_heading = "Rows", long)]
    pub strict: bool,
    /// Skip rows whose bundle is broken, with a note, instead of failing
    #[arg(help_heading = "Rows", hide_short_help = true, long)]
    pub skip_broken: bool,
    /// Allow writing a board without rows
    #[arg(help_heading = "Rows", long)]
    pub allow_empty: bool,
    /// Record every row of the written board in the ledger, as `record --board` does
    #[arg(help_heading = "After the build", long)]
    pub record: bool,
    /// Write a seal beside the board: SHA-256 of the board and of everything it was scored from
    #[arg(help_heading = "After the build", long)]
    pub seal: bool,
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
  gmat-leaderboard verify --published published
  gmat-leaderboard verify --explain E-DIFF

Exit code: 0 verified, 1 a finding, 2 something could not be checked.")]
pub struct Verify {
    /// Board file; - is stdin [default: leaderboard/leaderboard.json under --root]
    pub board: Option<PathBuf>,
    /// Also replay the held-out bundles under DIR
    ///
    /// Board and ledger are searched for held-out text too
    #[arg(help_heading = "Check more", long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Also render the site and compare it with the files under DIR
    #[arg(help_heading = "Check more", long, value_name = "DIR", conflicts_with_all = ["form_only", "entry"])]
    pub site: Option<PathBuf>,
    /// Compare with the seal in FILE [default: leaderboard.seal.json beside the board, if present]
    #[arg(help_heading = "Check more", hide_short_help = true, long, value_name = "FILE", conflicts_with_all = ["form_only", "entry"])]
    pub seal: Option<PathBuf>,
    /// Re-score the boards of a retired held-out set, revealed in DIR
    ///
    /// `heldout reveal` writes DIR
    #[arg(help_heading = "Check more", long, value_name = "DIR", conflicts_with_all = ["form_only", "entry"])]
    pub reveal: Option<PathBuf>,
    /// Check the site that `fetch --published` downloaded to DIR
    ///
    /// It is compared with the repository, if that is under --root
    #[arg(help_heading = "Check more", long, value_name = "DIR", conflicts_with_all = ["form_only", "entry", "board", "site"])]
    pub published: Option<PathBuf>,
    /// Check only the row of this provider:model
    #[arg(
        help_heading = "Check less",
        long,
        value_name = "PROVIDER:MODEL",
        conflicts_with = "form_only"
    )]
    pub entry: Option<String>,
    /// Check the board file alone, without config and bundles
    #[arg(help_heading = "Check less", long, conflicts_with = "held_out")]
    pub form_only: bool,
    /// Report rows that are not in the config as notes
    #[arg(help_heading = "Check less", hide_short_help = true, long)]
    pub allow_unseeded: bool,
    /// Accept a board without any row from the config
    #[arg(help_heading = "Check less", hide_short_help = true, long)]
    pub allow_empty: bool,
    /// Output format of findings
    #[arg(help_heading = "Output", long, value_enum, default_value = "human")]
    pub format: Format,
    /// Explain a finding code and exit; `all` lists every code
    #[arg(help_heading = "Output", long, value_name = "CODE")]
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
    /// Directory for the example workspace; must be absent or empty
    #[arg(default_value = "gmat-leaderboard-demo")]
    pub dir: PathBuf,
    /// Make a board of N made-up rows in every state a page can show: scored, pending, overfit, unpriced
    #[arg(long, value_name = "N")]
    pub entries: Option<usize>,
    /// Record a made-up year of weekly runs, to try history and weekly
    #[arg(long, conflicts_with = "leak")]
    pub history: bool,
    /// Put a held-out request into the config and show how the firewall refuses it
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
    /// Score the headlines on the held-out bundles under DIR
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Timestamp of the board, RFC 3339 in UTC
    #[arg(long, value_name = "MOMENT")]
    pub generated_at: Option<String>,
    /// Write the site to DIR [default: site under --root]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Open the site in a browser
    #[arg(long)]
    pub open: bool,
}
