//! The command line as types; the help text is documentation.
//!
//! Clap types only: no rule of the domain, nothing that runs. Each group of commands has a file.

pub mod analysis;
mod board;
pub mod input;
mod lint;
mod shell;

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub use analysis::{Compare, Export, GroupArgs, Rank, Ranked, Stats, To, TrendArgs};
pub use board::{Build, Demo, Verify};
pub use input::{Filter, Input};
pub use lint::Lint;
pub use shell::{Completions, Man};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    #[default]
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
    /// Check GMAT scripts: syntax, types, fields, references
    Lint(Lint),
    /// Rebuild every row and the whole board, and name every difference
    Verify(Verify),
    /// Unpack an example workspace and run everything on it
    Demo(Demo),
    /// Rank runs of any source by one measure
    #[command(alias = "leaderboard")]
    Rank(Rank),
    /// Count, mean, median, spread of each measure
    Stats(Stats),
    /// The figures of a measure for each value of a facet
    Group(GroupArgs),
    /// A measure over time with a moving mean
    Trend(TrendArgs),
    /// Runs side by side, and topic by topic with an exact test
    Compare(Compare),
    /// Merge, filter and convert sources; JSON, CSV, Markdown, LaTeX, cells
    Export(Export),
    /// Print a shell completion script
    Completions(Completions),
    /// Print the manual page
    Man(Man),
}
