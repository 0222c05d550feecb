//! The command that looks at GMAT scripts.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::gmat::Rule;
use crate::replay::REASONS;

// Arguments of `lint`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard lint mission.script
  gmat-leaderboard lint --format github scripts/*.script
  gmat-leaderboard lint --format sarif . > lint.sarif
  gmat-leaderboard lint .
  gmat-leaderboard lint --explain unknown-field
  echo '{\"script\": \"Create Spacecraft Sat\"}' | gmat-leaderboard lint --jsonl

Information (severity info) is about what GMAT would most likely refuse and a score does not count:
misspelt commands, resources that are not created, unknown words. It never blocks.

A script in a bundle is shown and checked by `check DIR --prompt ID`; what a prompt asks for (types,
fields, commands) is checked there only.

Exit code: 0 when nothing blocks, 1 when a rule of severity error or warning is broken, 2 when a
file cannot be read. With --jsonl always 0: the answers are in the output.")]
pub struct Lint {
    /// GMAT scripts, or directories with *.script and *.gmat files below; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["jsonl", "explain"])]
    pub files: Vec<PathBuf>,
    /// Read one JSON object {"script": …} per line from stdin and answer each with one line
    #[arg(long, conflicts_with_all = ["files", "format", "explain"])]
    pub jsonl: bool,
    /// Output format of diagnostics, which go to stdout
    #[arg(long, value_name = "FORMAT", conflicts_with = "explain")]
    pub format: Option<LintFormat>,
    /// Explain a rule, or another reason that `check` prints, and how to fix it; `all` explains all
    #[arg(long, value_name = "RULE", conflicts_with = "files",
          value_parser = PossibleValuesParser::new(Rule::ALL.map(Rule::name).into_iter().chain(REASONS.map(|it| it.0)).chain(["all"])))]
    pub explain: Option<String>,
}

/// How diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For a person; editors can parse it too
    Human,
    /// One JSON document on stdout
    Json,
    /// Annotations for a GitHub pull request, on stdout
    Github,
    /// SARIF 2.1.0 on stdout, for code scanning and editors
    Sarif,
}
