//! Commands around the ledger.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

// Arguments of `record`.
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard record run.json
  gmat-leaderboard record --board leaderboard/leaderboard.json
  jq -c '.[]' old-runs.json | gmat-leaderboard record -
  gmat-leaderboard record run.json --scale 5
  gmat-leaderboard record run.json --notify --dry-run
  gmat-leaderboard record results_2026-05-14T12-00-00.123456.json --pack reasoning
  gmat-leaderboard record results/ --pack chat --scoring-mode judge --judge openai/gpt-4.1-mini

A record is known by its run_id: sent twice it is recorded once. leaderboard/weekly.json is kept up
to date. The addresses of channels come from GMAT_SLACK_WEBHOOK_QUALITY,
GMAT_SLACK_WEBHOOK_ONCALL and the variables that `webhooks` in the config names; cards
that could not be sent wait in leaderboard/.cache/unsent.jsonl.

Exit code: 0 recorded or known, 1 a regression or a conflict where asked for, 2 a record was
refused and nothing was written, 3 the disk or, with --require-notify, a channel failed.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Record {
    /// Run records: files, directories, or - for stdin
    ///
    /// A file has a JSON object, an array of them, or one per line
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Record every row of this board, and the board itself
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    pub board: Option<PathBuf>,
    /// Read the files as results of this pack of the config
    ///
    /// Reads results of LightEval, lm-evaluation-harness and Inspect
    #[arg(help_heading = "Results of packs", long, value_name = "ID", conflicts_with = "board")]
    pub pack: Option<String>,
    /// Time of the run, RFC 3339 with offset, if the file name has none
    #[arg(
        help_heading = "Results of packs",
        hide_short_help = true,
        long,
        value_name = "MOMENT",
        requires = "pack"
    )]
    pub run_at: Option<String>,
    /// UTC offset of the times in file names, such as +02:00 [default: UTC, marked as assumed]
    #[arg(
        help_heading = "Results of packs",
        hide_short_help = true,
        long,
        value_name = "OFFSET",
        requires = "pack",
        allow_hyphen_values = true
    )]
    pub tz: Option<String>,
    /// Scoring mode, if a result file has none [default: the pack's scoring_mode]
    #[arg(
        help_heading = "Results of packs",
        hide_short_help = true,
        long,
        value_name = "MODE",
        requires = "pack",
        value_parser = ["deterministic", "judge", "jury"]
    )]
    pub scoring_mode: Option<String>,
    /// Model that judged the runs, if a result file has none
    #[arg(
        help_heading = "Results of packs",
        hide_short_help = true,
        long,
        value_name = "MODEL",
        requires = "pack"
    )]
    pub judge: Option<String>,
    /// What served the model, e.g. vllm, if a result file does not say
    #[arg(
        help_heading = "Results of packs",
        hide_short_help = true,
        long,
        value_name = "NAME",
        requires = "pack"
    )]
    pub backend: Option<String>,
    /// Status of the runs, if a result file has none [default: completed]
    #[arg(
        help_heading = "Results of packs",
        hide_short_help = true,
        long,
        value_name = "STATUS",
        requires = "pack",
        value_parser = ["completed", "failed", "cancelled"]
    )]
    pub status: Option<String>,
    /// Highest possible score, e.g. 5
    ///
    /// It is written to the config as history.score_scale
    #[arg(long, value_name = "TOP", conflicts_with_all = ["board", "pack"], value_parser = scale)]
    pub scale: Option<f64>,
    /// Note for records that have none
    #[arg(hide_short_help = true, long, value_name = "TEXT")]
    pub notes: Option<String>,
    /// Also search the records for text of the held-out bundles under DIR; the cache is always searched
    #[arg(hide_short_help = true, long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// Time of recording, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(hide_short_help = true, long, value_name = "MOMENT")]
    pub now: Option<String>,
    /// Mark runs whose score fell, or whose measure rose, past a limit as regressions
    ///
    /// A run is a regression if its score fell by more than history.regression_drop (default:
    /// history.trend_epsilon) and by more than one prompt, or if its hallucination rate, latency or cost rose by
    /// more than the limit in history.detect
    #[arg(help_heading = "Regressions and conflicts", long)]
    pub detect: bool,
    /// Exit 1 if a record differs from the recorded run with the same run_id
    #[arg(help_heading = "Regressions and conflicts", hide_short_help = true, long)]
    pub strict: bool,
    /// Exit 1 if a recorded run is a regression
    #[arg(help_heading = "Regressions and conflicts", long)]
    pub fail_on_regression: bool,
    /// Send a card for each new run to Slack and the webhooks
    ///
    /// Also sends the cards that an earlier call could not send
    #[arg(help_heading = "Notifications", long, overrides_with = "no_notify")]
    pub notify: bool,
    /// Do not post cards
    #[arg(help_heading = "Notifications", hide_short_help = true, long, overrides_with = "notify")]
    pub no_notify: bool,
    /// Record nothing; send this run's card, or all unsent cards
    #[arg(
        help_heading = "Notifications",
        long,
        value_name = "RUN_ID",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with_all = ["files", "board", "no_notify"]
    )]
    pub notify_only: Option<String>,
    /// Exit 3 if a card of this or an earlier call is unsent
    #[arg(help_heading = "Notifications", hide_short_help = true, long)]
    pub require_notify: bool,
    /// Write and send nothing; print the cards
    #[arg(long)]
    pub dry_run: bool,
    /// Drop an incomplete last line of the ledger first
    #[arg(hide_short_help = true, long)]
    pub repair: bool,
    /// Slack address for tests: http://127.0.0.1:PORT
    #[arg(long, value_name = "URL", hide = true)]
    pub slack_base: Option<String>,
}

fn scale(text: &str) -> Result<f64, String> {
    let top = text.parse().ok().filter(|top: &f64| top.is_finite() && *top > 0.0);
    top.ok_or_else(|| "expected a number above 0".to_owned())
}

// Arguments of `history`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  gmat-leaderboard history --model github:openai/gpt-4.1-mini --since 90d
  gmat-leaderboard history --epoch 1/
  gmat-leaderboard history breakdown
  gmat-leaderboard history change --over 2026-Q2
  gmat-leaderboard history recalibrate --weights weights.json --dry-run
  gmat-leaderboard history verify --against kept-elsewhere.txt
  gmat-leaderboard history sql --dialect sqlite

Exit code: 0 done, 1 with --fail-on-regression a model is in regression, 2 the ledger is unusable."
)]
pub struct History {
    /// What to do instead of listing the series.
    #[command(subcommand)]
    pub command: Option<HistoryCommand>,
    /// Which runs to list.
    #[command(flatten)]
    pub listing: Listing,
}

// Which runs to list.
#[derive(Debug, Args)]
pub struct Listing {
    /// Show only this model
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// Show runs since a date such as 2026-04-01, or the last 90d
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Show runs under this protocol version
    #[arg(long, value_name = "VERSION")]
    pub protocol: Option<String>,
    /// Show runs of this epoch, as PROTOCOL/WEIGHTS, including runs rescored since
    #[arg(long, value_name = "EPOCH", conflicts_with = "pack")]
    pub epoch: Option<String>,
    /// Show runs of this pack with grade, cohort, baseline and delta
    #[arg(long, value_name = "ID")]
    pub pack: Option<String>,
    /// Exit 1 if a listed model is in regression
    #[arg(long)]
    pub fail_on_regression: bool,
    /// Current time for --since 90d, RFC 3339 [default: the clock]
    #[arg(long, value_name = "MOMENT", hide = true)]
    pub now: Option<String>,
}

// What to do with the ledger.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Show each model's latest score by dataset and rubric, and which of them rose or fell
    Breakdown(Breakdown),
    /// Show the percent change of the three-run average over a time span
    Change(ChangeOver),
    /// Rescore every run from its recorded parts with other weights
    Recalibrate(Recalibrate),
    /// Exclude a run from everything derived; its line stays in the ledger
    Retract(Retract),
    /// Record that a row was removed from the board
    Withdraw(Withdraw),
    /// Check the ledger: bytes, checkpoints, lines, weekly.json, board
    Verify(CheckLedger),
    /// Print and append a checkpoint of the ledger as it is now
    Checkpoint(Checkpoint),
    /// Print the ledger as an SQL script: tables, rows, views
    Sql(Sql),
}

// Arguments of `history breakdown`.
#[derive(Debug, Args)]
#[command(after_help = "Example: gmat-leaderboard history breakdown --model acme:m1 --all")]
pub struct Breakdown {
    /// Show only this model
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// Show every run, not only the latest of each model
    #[arg(long)]
    pub all: bool,
}

// Arguments of `history change`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard history change --over 90d
  gmat-leaderboard history change --over 2026-Q2
  gmat-leaderboard history change --over 2026-04-01..2026-06-30 --model github:openai/gpt-4.1-mini")]
pub struct ChangeOver {
    /// Time span: 90d, 2026-Q2, 2026, or FROM..TO including both days
    #[arg(long, value_name = "SPAN")]
    pub over: String,
    /// Show only this model
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// Show runs of this epoch, as PROTOCOL/WEIGHTS, including runs rescored since
    #[arg(long, value_name = "EPOCH")]
    pub epoch: Option<String>,
    /// Current time for 90d, RFC 3339 [default: the clock]
    #[arg(long, value_name = "MOMENT", hide = true)]
    pub now: Option<String>,
}

// Arguments of `history recalibrate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: gmat-leaderboard history recalibrate --weights weights.json --dry-run

The weights: {\"datasets\": {\"contracts\": 2}, \"rubrics\": {\"soundness\": 1}}. A run that lacks a
weighted part gets no new score. Each rescored run supersedes its original in every view; the
original stays in the ledger, and `history --epoch` shows it. The id that is printed must be sent as
`weights_sha16` by new runs. `history retract` of a rescored run restores its original.")]
pub struct Recalibrate {
    /// JSON file of weights by dataset and rubric
    #[arg(long, value_name = "FILE")]
    pub weights: PathBuf,
    /// Reason, recorded in the ledger
    #[arg(long, value_name = "TEXT", default_value = "weights changed")]
    pub reason: String,
    /// Print what would change and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Time of recording, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "MOMENT")]
    pub now: Option<String>,
}

// Arguments of `history retract`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  gmat-leaderboard history retract 5f1c0a9e2b7d4c38 --reason 'wrong set'")]
pub struct Retract {
    /// Run id
    pub run_id: String,
    /// Reason, recorded in the ledger
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Time of recording, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "MOMENT")]
    pub now: Option<String>,
}

// Arguments of `history withdraw`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  gmat-leaderboard history withdraw acme:m1 --reason 'asked by its author'")]
pub struct Withdraw {
    /// Row, as provider:model
    #[arg(value_name = "ROW")]
    pub row: String,
    /// Reason, recorded in the ledger
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Time of recording, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "MOMENT")]
    pub now: Option<String>,
}

// Arguments of `history verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: gmat-leaderboard history verify --against kept-elsewhere.txt

The file is what `history checkpoint` printed when you kept it, or a copy of history.checkpoints.

Exit code: 0 in order, 1 a finding, 2 unusable input.")]
pub struct CheckLedger {
    /// Also check against a checkpoint stored elsewhere
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
}

// Arguments of `history checkpoint`.
#[derive(Debug, Args)]
#[command(after_help = "Example: gmat-leaderboard history checkpoint > kept-elsewhere.txt")]
pub struct Checkpoint {
    /// Print the checkpoint without appending it to history.checkpoints
    #[arg(long)]
    pub dry_run: bool,
    /// Time of recording, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "MOMENT")]
    pub now: Option<String>,
}

// Arguments of `history sql`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard history sql | psql -v ON_ERROR_STOP=1 \"$DATABASE_URL\"
  gmat-leaderboard history sql --dialect sqlite | sqlite3 -bail board.db
  gmat-leaderboard history sql --dialect duckdb | duckdb -bail board.duckdb
  gmat-leaderboard history sql --since-checkpoint 224 | psql -v ON_ERROR_STOP=1 \"$DATABASE_URL\"

Tables: eval_leaderboard, weekly_quality_summary, eval_regressions, board_rows. Views:
eval_leaderboard_current (without retracted and superseded runs), eval_leaderboard_trend. The script
is one transaction; load it as often as you like.

Exit code: 0 printed, 2 the ledger is unusable or has no run.")]
pub struct Sql {
    /// Database that reads the script
    #[arg(long, value_enum, default_value_t, value_name = "DATABASE")]
    pub dialect: SqlDialect,
    /// Print only what was recorded after the checkpoint of size N
    ///
    /// `history checkpoint` prints the size; history.checkpoints lists all of them
    #[arg(long, value_name = "N")]
    pub since_checkpoint: Option<u64>,
}

/// Which database reads a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SqlDialect {
    /// PostgreSQL 12 or newer
    #[default]
    Postgres,
    /// SQLite 3.28 or newer
    Sqlite,
    /// DuckDB
    Duckdb,
}

// Arguments of `weekly`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard weekly
  gmat-leaderboard weekly --week 2026-W20 --json
  gmat-leaderboard weekly --markdown > week.md
  gmat-leaderboard weekly --slack
  gmat-leaderboard weekly --all --epoch 1/
  gmat-leaderboard weekly --write

Each model is compared with its latest earlier week under the same protocol. A change is noise if the
95% ranges of both weeks overlap; runs without n_prompts are not judged. --notify posts to the Slack
channel of GMAT_SLACK_WEBHOOK_QUALITY and to the webhooks of the config.

Exit code: 0 done, 2 no such week, 3 with --notify a channel failed.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Weekly {
    /// Week, such as 2026-W20 [default: the latest with runs]
    #[arg(long, value_name = "WEEK")]
    pub week: Option<String>,
    /// Show every week with runs
    #[arg(long, conflicts_with = "week")]
    pub all: bool,
    /// Show runs of this epoch, as PROTOCOL/WEIGHTS, including runs rescored since
    #[arg(long, value_name = "EPOCH", conflicts_with = "write")]
    pub epoch: Option<String>,
    /// Print Markdown
    #[arg(long)]
    pub markdown: bool,
    /// Print the week as a Slack message
    #[arg(long, conflicts_with_all = ["all", "markdown"])]
    pub slack: bool,
    /// Post the week to the Slack channel for quality and to the webhooks of the config
    #[arg(long, conflicts_with_all = ["all", "slack"])]
    pub notify: bool,
    /// Write leaderboard/weekly.json
    #[arg(long)]
    pub write: bool,
    /// Slack address for tests: http://127.0.0.1:PORT
    #[arg(long, value_name = "URL", hide = true)]
    pub slack_base: Option<String>,
}
