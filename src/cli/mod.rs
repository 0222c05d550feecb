//! The command line as types; the help text is documentation.
//!
//! Clap types only: no rule of the domain, nothing that runs. Each group of commands has a file.

mod board;
mod lint;
mod shell;
mod site;

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub use board::{Build, Verify};
pub use lint::Lint;
pub use shell::{Completions, Man};
pub use site::{Render, Serve, SiteSource};

/// Turns recorded evaluation bundles of GMAT mission scripts into a leaderboard anyone can audit
/// offline, and the static site that shows it.
#[derive(Debug, Parser)]
#[command(name = "gmat-leaderboard", version, max_term_width = 100)]
#[command(
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// The board's directory: defaults of other paths lie below it
    #[arg(long, global = true, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// The config [default: seeds.json, else leaderboard/seeds.json, below the root]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Machine-readable output on stdout, the same as --format json
    #[arg(long, global = true)]
    pub json: bool,
    /// Say nothing but results, findings and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When to colour what is said; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// When to colour.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::AlwaysAnsi,
            Color::Never => Self::Never,
        }
    }
}

/// How findings are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person, on stderr
    Human,
    /// One JSON document on stdout
    Json,
    /// Annotations for a GitHub pull request, on stdout
    Github,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Score every seed from its recorded bundle, rank on held-out, write the board
    Build(Build),
    /// Write the board as a static site, or check one
    Render(Render),
    /// Preview the site on this machine; pages reload when something changes
    Serve(Serve),
    /// Check GMAT scripts: syntax, types, fields, references
    Lint(Lint),
    /// Rebuild every row and the whole board, and name every difference
    Verify(Verify),
    /// Print a shell completion script
    Completions(Completions),
    /// Print the manual page
    Man(Man),
}
