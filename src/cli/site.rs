//! Commands around the site.

use std::path::PathBuf;

use clap::Args;

// What a site is made from, beyond board, config and bundles.
#[derive(Debug, Clone, Default, Args)]
pub struct SiteSource {
    /// Board file [default: leaderboard/leaderboard.json under --root]
    pub board: Option<PathBuf>,
    /// Templates that replace built-in ones, file by file
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
    /// Static files that replace built-in ones, file by file; extra/ may hold any file
    #[arg(long = "static", value_name = "DIR")]
    pub statics: Option<PathBuf>,
    /// URL of the site, for feed, sitemap and citations [default: site.base_url of the config]
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
}

// Arguments of `render`.
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard render
  gmat-leaderboard render --out site --base-url https://example.org/board --open
  gmat-leaderboard render --out site --check
  gmat-leaderboard render --templates my-templates

Without a board, the site is that of the ledger: trends, models, weeks, changes and packs.

The site is a function of the board, the config, the bundles below the root and the version of
this program: the same input gives the same bytes. Before anything is written or compared, config,
ledger and pages are searched for texts of the held-out set, if it is in leaderboard/.cache/heldout
or named with --held-out; a site with such a text is not written.")]
pub struct Render {
    /// What the site is made from
    #[command(flatten)]
    pub source: SiteSource,
    /// Write the site to DIR [default: site under --root]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Also search the pages for text of the held-out bundles under DIR; the cache is always searched
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Compare the files with what would be written, and write nothing
    #[arg(long)]
    pub check: bool,
    /// Open the site in a browser
    #[arg(long, conflicts_with = "check")]
    pub open: bool,
}

// Arguments of `serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard serve --open
  gmat-leaderboard serve --port 8000 --templates my-templates

Only this machine can reach the preview. Pages reload when the board, the ledger, the config,
templates or static files change. Without a board, the site is that of the ledger. A page with a held-out text is not shown. Stop it with Ctrl-C.")]
pub struct Serve {
    /// What the site is made from
    #[command(flatten)]
    pub source: SiteSource,
    /// Also search the pages for text of the held-out bundles under DIR; the cache is always searched
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Port; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = 4173)]
    pub port: u16,
    /// Open the site in a browser
    #[arg(long)]
    pub open: bool,
}
