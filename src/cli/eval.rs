//! `eval`: the only command that talks to a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

// Arguments of `eval`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard eval --model github:openai/gpt-4.1-mini \\
      --judge github:openai/gpt-4.1-mini --to leaderboard/bundles/gpt-4.1-mini
  gmat-leaderboard eval --model ollama:qwen3-coder:30b \\
      --judge openai:gpt-4.1-mini --limit 3
  gmat-leaderboard eval --model openai:m1 --base-url http://localhost:8000/v1 \\
      --as acme:m1 --answers-only --to leaderboard/bundles/m1
  gmat-leaderboard eval --votes-only --judge openai:gpt-4.1-mini \\
      --to leaderboard/bundles/m1
  gmat-leaderboard eval --show-protocol --json | sha256sum

Providers and the variables that hold their keys:
  github     GH_TOKEN, MODELS_PAT or GITHUB_TOKEN
  openai     OPENAI_API_KEY, and OPENAI_BASE_URL for another server
  anthropic  ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL
  ollama     no key; OLLAMA_HOST

Every answer is written to a journal below leaderboard/.cache/eval before the next question. The
same call continues where the last one stopped and does not ask again for answers in the journal.

Exit code: that of `check` on the bundle; 2 the call cannot be made; 3 it stopped early: run it
again.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Eval {
    /// Model to ask, as provider:model
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// Judge to ask, `judge_model` of the config
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub judge: Option<String>,
    /// Write the bundle to this directory
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// Base URL of the model's server; needs --as
    ///
    /// It must use https or be on this machine
    #[arg(help_heading = "Names and servers", long, value_name = "URL", requires = "model")]
    pub base_url: Option<String>,
    /// Base URL of the judge's server, which may be the same as --base-url
    #[arg(
        help_heading = "Names and servers",
        hide_short_help = true,
        long,
        value_name = "URL",
        requires = "judge"
    )]
    pub judge_base_url: Option<String>,
    /// Name of the row, if not that of --model
    #[arg(
        help_heading = "Names and servers",
        long = "as",
        value_name = "PROVIDER:MODEL",
        requires = "model"
    )]
    pub as_name: Option<String>,
    /// The prompts.json to ask
    ///
    /// Default: the public set of the board, else leaderboard/prompts.json
    #[arg(help_heading = "What to ask", long, value_name = "FILE")]
    pub prompts: Option<PathBuf>,
    /// Pin this public set in the config, by SHA-256 and size
    ///
    /// For maintainers of a new board
    #[arg(hide_short_help = true, long, requires = "to", conflicts_with_all = ["held_out", "votes_only"])]
    pub pin: bool,
    /// Try the first N prompts with any judge; no bundle
    #[arg(help_heading = "What to ask", long, value_name = "N", conflicts_with = "to", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Ask the model only; see --votes-only
    #[arg(help_heading = "What to ask", long, conflicts_with_all = ["judge", "votes_only"])]
    pub answers_only: bool,
    /// Ask the judge about the answers that are in --to
    #[arg(help_heading = "What to ask", long, requires = "to", conflicts_with_all = ["base_url", "limit", "prompts", "omit"])]
    pub votes_only: bool,
    /// Leave a setting out that the model does not accept; such rows are in a cohort of their own
    #[arg(help_heading = "What to ask", hide_short_help = true, long, value_name = "SETTING")]
    pub omit: Vec<Setting>,
    /// Print the calls, tokens and dollars it would take
    #[arg(help_heading = "Trying and resuming", long)]
    pub dry_run: bool,
    /// Start anew: set the journal of this model aside
    #[arg(help_heading = "Trying and resuming", hide_short_help = true, long)]
    pub restart: bool,
    /// Ask the private set in this directory; --to must be ignored by git
    #[arg(
        help_heading = "What to ask",
        hide_short_help = true,
        long,
        value_name = "DIR",
        requires = "expose_to",
        conflicts_with_all = ["prompts", "limit", "answers_only", "votes_only"]
    )]
    pub held_out: Option<PathBuf>,
    /// Confirm that this provider will see the private set; may be repeated
    #[arg(
        help_heading = "What to ask",
        hide_short_help = true,
        long,
        value_name = "PROVIDER",
        requires = "held_out"
    )]
    pub expose_to: Vec<String>,
    /// Print the texts sent to model and judge, and the settings
    ///
    /// The SHA-256 of the protocol is printed too
    #[arg(help_heading = "Trying and resuming", long)]
    pub show_protocol: bool,
    /// How much, how fast.
    #[command(flatten)]
    pub bounds: EvalBounds,
}

// How much, how fast.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct EvalBounds {
    /// Number of prompts to ask in parallel
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
    /// Send at most N requests a minute to each provider
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rpm: Option<u32>,
    /// Wait at most this many seconds for one answer, all retries together; then stop with exit 3
    #[arg(hide_short_help = true, long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub patience: u64,
    /// Give up one request after this many seconds
    #[arg(hide_short_help = true, long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: u64,
    /// Delay before the first retry, in milliseconds; doubles up to 64x
    #[arg(hide_short_help = true, long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    pub retry_pause: u64,
    /// Stop before the answers cost more
    ///
    /// The prices are those of the config
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    pub max_usd: Option<f64>,
    /// Stop after N requests of this call
    #[arg(hide_short_help = true, long, value_name = "N")]
    pub max_calls: Option<u64>,
}

/// A setting of the protocol that a model may refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Setting {
    /// temperature
    Temperature,
    /// max_tokens
    #[value(name = "max_tokens")]
    MaxTokens,
    /// top_p
    #[value(name = "top_p")]
    TopP,
    /// seed
    Seed,
}

fn dollars(text: &str) -> Result<f64, String> {
    let amount = text.parse::<f64>().ok().filter(|amount| (0.0..1e9).contains(amount));
    amount.ok_or_else(|| "write an amount of dollars, such as 2.50".to_owned())
}
