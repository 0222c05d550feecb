//! `eval`: the only command that talks to a model.

use clap::Args;

// Arguments of `eval`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard eval --show-protocol
  gmat-leaderboard eval --show-protocol --json | sha256sum

Exit code: 0 done; 2 the protocol cannot be read.")]
pub struct Eval {
    /// Print what the model and the judge are told, with the settings and the SHA-256, and end
    #[arg(long, required = true)]
    pub show_protocol: bool,
}
