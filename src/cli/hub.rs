//! Commands that talk to a hub.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::hub::{Patience, RepoId};

// Arguments of `fetch`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard fetch --dataset my-org/held-out
  gmat-leaderboard fetch --dataset my-org/held-out --revision v2 --dry-run
  gmat-leaderboard fetch --published my-org/leaderboard --to published
  gmat-leaderboard fetch --published https://example.org/board --to published

The token comes from HF_TOKEN, else from the file HF_TOKEN_PATH names, else from $HF_HOME/token,
else from ~/.cache/huggingface/token. HF_ENDPOINT names another hub. Only files that changed are
downloaded; a run that was cut off goes on where it stopped.")]
pub struct Fetch {
    /// Dataset, as owner/name
    #[arg(long, value_name = "OWNER/NAME", required_unless_present = "published")]
    pub dataset: Option<RepoId>,
    /// Download a published site into --to, for `verify --published`
    #[arg(long, value_name = "SPACE|URL", conflicts_with = "dataset", requires = "to")]
    pub published: Option<String>,
    /// Branch, tag or commit of the dataset
    #[arg(long, value_name = "REVISION", default_value = "main")]
    pub revision: String,
    /// Download to DIR [default: leaderboard/.cache/heldout under --root]
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// Accept a public dataset; only for a retired held-out set
    #[arg(long)]
    pub allow_public_store: bool,
    /// Print what would be downloaded and removed, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Number of parallel downloads
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub jobs: u8,
    /// How the network is used.
    #[command(flatten)]
    pub network: Network,
}

// Arguments of `publish`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard publish --space my-org/leaderboard --dry-run
  gmat-leaderboard publish --space my-org/leaderboard
  gmat-leaderboard publish --space my-org/leaderboard site --create --private

The token comes from HF_TOKEN, else from the file HF_TOKEN_PATH names, else from $HF_HOME/token,
else from ~/.cache/huggingface/token. HF_ENDPOINT names another hub. The Space gets one commit with
what changed, or none; files that are not in the site are deleted there. After the commit the Space
is read back: every file is compared by its hash, and those that were sent by their bytes. A board that does not
verify and a site that repeats a held-out text are never sent; no option changes that. So the
held-out bundles of every scored row must be at hand: in the cache, or where --held-out says.
A directory is sent only if every file in it is what render writes; --as-is sends it all the same.
Without a board, the site of the ledger is sent, after `history verify`.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Publish {
    /// Space, as owner/name
    #[arg(long, value_name = "OWNER/NAME")]
    pub space: RepoId,
    /// Rendered site to compare and send [default: render the board in memory]
    pub site: Option<PathBuf>,
    /// Send the site even if it differs from what render writes
    ///
    /// It is still searched for held-out text
    #[arg(help_heading = "Site", long, requires = "site")]
    pub as_is: bool,
    /// Templates that replace built-in ones, as given to render
    #[arg(help_heading = "Site", hide_short_help = true, long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
    /// Stylesheet and scripts that replace built-in ones, as given to render
    #[arg(help_heading = "Site", hide_short_help = true, long = "static", value_name = "DIR")]
    pub statics: Option<PathBuf>,
    /// URL of the site, as given to render [default: site.base_url of the config]
    #[arg(help_heading = "Site", hide_short_help = true, long, value_name = "URL")]
    pub base_url: Option<String>,
    /// Board to verify first [default: leaderboard/leaderboard.json under --root, if present]
    #[arg(
        help_heading = "Checks before sending",
        hide_short_help = true,
        long,
        value_name = "FILE"
    )]
    pub board: Option<PathBuf>,
    /// Held-out bundles to search the site for
    ///
    /// Default: leaderboard/.cache/heldout, if present
    #[arg(help_heading = "Checks before sending", long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// First line of the commit message [default: Publish board, or Publish ledger]
    #[arg(help_heading = "Space on the hub", hide_short_help = true, long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub message: Option<String>,
    /// Create the static Space if it does not exist
    #[arg(help_heading = "Space on the hub", long)]
    pub create: bool,
    /// Create it as private
    #[arg(help_heading = "Space on the hub", hide_short_help = true, long, requires = "create")]
    pub private: bool,
    /// Print what would be sent and deleted, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How the network is used.
    #[command(flatten)]
    pub network: Network,
}

// Arguments of `doctor`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: gmat-leaderboard doctor --dataset my-org/held-out --space my-org/leaderboard

Asks the hub only about what is named. Lines that start with `todo` are what a good public page
lacks, and the next step of docs/hosting.md. Exit 1 if anything is BAD.")]
pub struct Doctor {
    /// Dataset of the held-out set, as owner/name
    #[arg(long, value_name = "OWNER/NAME")]
    pub dataset: Option<RepoId>,
    /// Space that the board is published to, as owner/name
    #[arg(long, value_name = "OWNER/NAME")]
    pub space: Option<RepoId>,
    /// How the network is used.
    #[command(flatten)]
    pub network: Network,
}

// How the network is used.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Network")]
pub struct Network {
    /// Give up a connection after this many seconds without data
    #[arg(hide_short_help = true, long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub timeout: u64,
    /// Retry a request up to N times after a temporary failure
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=20))]
    pub retries: u32,
    /// Delay before the first retry, in milliseconds; doubles up to 8x
    #[arg(hide_short_help = true, long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    pub retry_pause: u64,
}

impl From<Network> for Patience {
    fn from(network: Network) -> Self {
        Self {
            silence: Duration::from_secs(network.timeout),
            retries: network.retries,
            pause: Duration::from_millis(network.retry_pause),
        }
    }
}
