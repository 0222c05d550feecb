//! The command line as types; the help text is documentation.
//!
//! Clap types only: no rule of the domain, nothing that runs. Each group of commands has a file.
//!
//! The sentence that describes a command is at its variant. A doc comment on the type of its
//! arguments would take its place in `COMMAND --help`.
#![expect(missing_docs, reason = "a doc comment on a type of arguments becomes help text")]

pub mod analysis;
mod board;
mod diff;
mod entry;
mod eval;
mod help;
mod history;
mod hub;
pub mod input;
mod lint;
mod scaffold;
mod schemas;
mod shell;
mod site;
mod topics;

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::workspace::Place;

pub use analysis::{
    AgreementTo, Compare, Correlate, Export, GroupArgs, Rank, Ranked, Stats, To, TrendArgs, TrendTo,
};
pub use board::{Build, Demo, Site, Verify};
pub use diff::{Diff, DiffFormat};
pub use entry::{Check, Freeze};
pub use eval::{Eval, EvalBounds, Setting};
pub use help::{command, parse};
pub use history::{
    Breakdown, ChangeOver, CheckLedger, Checkpoint, History, HistoryCommand, Listing, Recalibrate,
    Record, Retract, Sql, SqlDialect, Weekly, Withdraw,
};
pub use hub::{Doctor, Fetch, Network, Publish};
pub use input::{Filter, Given, Input, OnMissing, Reading};
pub use lint::{Lint, LintFormat};
pub use scaffold::{
    Heldout, HeldoutCommand, HeldoutCommit, HeldoutNew, HeldoutReveal, HeldoutSalt, Init,
};
pub use schemas::SCHEMAS;
pub use shell::{Completions, Help, Man, Schema};
pub use site::{Render, Serve, SiteSource};
pub use topics::{TERMS, TOPICS};

/// Rank language models on GMAT mission scripts, and let anyone check the ranking
///
/// GMAT is NASA's General Mission Analysis Tool. The program scores recorded answers, writes a board
/// and a static site, and re-derives every public number offline.
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

impl Cli {
    /// Whether it may append to the ledger below the root.
    pub fn appends(&self) -> bool {
        match &self.command {
            Command::Build(args) => args.record || args.held_out.is_some(),
            Command::Eval(args) => args.held_out.is_some(),
            Command::Heldout(_) => true,
            Command::Record(args) => !args.dry_run && !args.repair,
            Command::History(args) => match &args.command {
                Some(HistoryCommand::Recalibrate(args)) => !args.dry_run,
                Some(HistoryCommand::Retract(_) | HistoryCommand::Withdraw(_)) => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a program reads stdout, so that no sentence may be printed there.
    pub fn prints_data(&self) -> bool {
        let is_json = |format: Format| format == Format::Json;
        self.common.json
            || match &self.command {
                Command::Build(args) => args.is_to_stdout(),
                Command::Verify(args) => is_json(args.format),
                Command::Check(args) => is_json(args.format) || args.pull_request.is_some(),
                Command::Freeze(args) => is_json(args.format),
                Command::Lint(args) => {
                    let is_data = |it| matches!(it, LintFormat::Json | LintFormat::Sarif);
                    args.jsonl || args.format.is_some_and(is_data)
                }
                Command::Rank(args) | Command::Leaderboard(args) => args.ranked.output.is_none(),
                Command::Export(args) => {
                    args.ranked.output.is_none() && args.eval_results.is_none()
                }
                Command::Trend(args) => args.to != TrendTo::Table && args.output.is_none(),
                Command::Correlate(args) => args.output.is_none(),
                // Scripts store the printed checkpoint, and databases read the SQL.
                Command::History(args) => matches!(
                    args.command,
                    Some(HistoryCommand::Checkpoint(_) | HistoryCommand::Sql(_))
                ),
                _ => false,
            }
    }
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Board directory; default paths are relative to it
    #[arg(hide_short_help = true, long, global = true, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Config file [default: seeds.json or leaderboard/seeds.json under --root]
    #[arg(hide_short_help = true, long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print JSON on stdout; same as --format json
    #[arg(hide_short_help = true, long, global = true)]
    pub json: bool,
    /// Print only results, findings and errors
    #[arg(hide_short_help = true, short, long, global = true)]
    pub quiet: bool,
    /// When to use color; NO_COLOR is respected
    #[arg(
        hide_short_help = true,
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub color: Color,
}

impl Common {
    /// Where the ledger is.
    pub fn place(&self) -> Place<'_> {
        Place::Root(&self.root, self.config.as_deref())
    }
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
    /// For a person
    Human,
    /// One JSON document on stdout
    Json,
    /// Annotations for a GitHub pull request, on stdout
    Github,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Score every recorded bundle, rank the rows, write the board
    Build(Build),
    /// Write the board as a static site, or check an existing one
    Render(Render),
    /// Score a bundle, explain failures, check a pull request
    #[command(alias = "submission")]
    Check(Check),
    /// Ask a model and a judge, and record a bundle
    Eval(Box<Eval>),
    /// Make a bundle from recorded answers and votes
    Freeze(Freeze),
    /// Preview the site on this machine, reloading on changes
    Serve(Serve),
    /// Check GMAT scripts for errors
    Lint(Lint),
    /// Rebuild the board and report every difference
    Verify(Verify),
    /// Build, verify and render in one step
    Site(Site),
    /// Unpack, build, verify and render an example board
    Demo(Demo),
    /// Create the missing files of a board's repository
    Init(Init),
    /// Create, commit to and reveal a held-out set
    Heldout(Heldout),
    /// Show what changed between two boards
    Diff(Diff),
    /// Check that everything needed to publish is set up
    Doctor(Doctor),
    /// Download the held-out dataset into the ignored cache
    Fetch(Fetch),
    /// Publish the site to a static Space in one commit
    Publish(Publish),
    /// Record runs, or every row of a board, in the ledger
    Record(Box<Record>),
    /// Show recorded runs, changes and checks of the ledger
    History(History),
    /// Summarize a week: scores, incidents, regressions
    Weekly(Weekly),
    /// Rank runs from any result file by one measure
    Rank(Rank),
    /// Rank runs, those of .rlm_code unless a source is named, as rlm-code's command does
    #[command(hide = true)]
    Leaderboard(Rank),
    /// Show count, mean, median and spread of each measure
    Stats(Stats),
    /// Summarize a measure per group, e.g. per provider
    Group(GroupArgs),
    /// Show a measure over time with a moving mean
    Trend(TrendArgs),
    /// Compare runs, with an exact test over shared topics
    Compare(Compare),
    /// Measure how well judges agree with ground truth
    #[command(aliases = ["meta-evaluate", "evaluate"])]
    Correlate(Correlate),
    /// Merge, filter and convert result files
    Export(Export),
    /// Print a shell completion script
    Completions(Completions),
    /// Explain a command or a concept
    Help(Help),
    /// Print a manual page
    Man(Man),
    /// Print the JSON Schema of a file or an output
    Schema(Schema),
}
