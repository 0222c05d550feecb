//! Commands that lay out what is to be filled.

use std::path::PathBuf;

use clap::{Args, Subcommand};

// Arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard init my-board
  gmat-leaderboard init my-board --prompts 20
  cd gmat-copilot && gmat-leaderboard init
  gmat-leaderboard init --upgrade --revision 4da20b8c1f0e2d3a4b5c6d7e8f90a1b2c3d4e5f6

Writes what is missing and keeps what is there; files that exist are only added to where git needs
a line. A directory without a config gets an illustrative example row, so that everything can be
tried before the first real bundle. With --prompts it gets no row, and N placeholders for a public
set of your own in leaderboard/prompts.json; `eval --pin` and `freeze --pin` pin that set.")]
pub struct Init {
    /// Directory of the board's repository
    #[arg(default_value = ".")]
    pub dir: PathBuf,
    /// Start a public set of your own with N placeholders instead of the example
    #[arg(long, value_name = "N", conflicts_with = "upgrade", value_parser = clap::value_parser!(u16).range(1..=5000))]
    pub prompts: Option<u16>,
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
    /// Make the master salt of commitments, once for a board
    Salt(HeldoutSalt),
    /// Commit to the held-out set of the config's protocol version, in the ledger
    Commit(HeldoutCommit),
    /// Publish a retired held-out set with the bundles and salts that open its commitments
    Reveal(HeldoutReveal),
}

// Arguments of `heldout salt`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: gmat-leaderboard heldout salt --held-out leaderboard/.cache/heldout

Writes master-salt.hex, which only you may read. Upload it to the private dataset and keep a second
copy elsewhere: without it no held-out number can ever be proved. It is never made in CI.")]
pub struct HeldoutSalt {
    /// Held-out directory [default: leaderboard/.cache/heldout under --root]
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
}

// Arguments of `heldout commit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: gmat-leaderboard heldout commit --held-out leaderboard/.cache/heldout

Run it once per protocol version, before the first score. From then on `build --held-out` commits to
each row's bundle and records the attempt before it shows a number. Needs the master salt in DIR.")]
pub struct HeldoutCommit {
    /// Held-out directory [default: leaderboard/.cache/heldout under --root]
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
}

// Arguments of `heldout reveal`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: gmat-leaderboard heldout reveal --protocol 1

The set, every bundle that was scored on it and their salts become files to commit: everybody can read
them, for good. Reveal a set only after a newer protocol version replaced it.")]
pub struct HeldoutReveal {
    /// Protocol version to reveal
    #[arg(long, value_name = "VERSION")]
    pub protocol: String,
    /// Held-out directory [default: leaderboard/.cache/heldout under --root]
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
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
