//! Commands around the ledger.

use std::path::PathBuf;

use clap::{Args, Subcommand};

// Arguments of `record`.
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard record run.json
  gmat-leaderboard record --board leaderboard/leaderboard.json
  jq -c '.[]' old-runs.json | gmat-leaderboard record -
  gmat-leaderboard record run.json --notify --dry-run
  gmat-leaderboard record results_2026-05-14T12-00-00.123456.json --pack reasoning
  gmat-leaderboard record results/ --pack chat --scoring-mode judge --judge openai/gpt-4.1-mini

A record is known by its run_id: sent twice it is recorded once. leaderboard/weekly.json is kept up
to date. Slack addresses come from GMAT_SLACK_WEBHOOK_QUALITY and GMAT_SLACK_WEBHOOK_ONCALL; cards
that could not be sent wait in leaderboard/.cache/unsent.jsonl.

Exit code: 0 recorded or known, 1 a regression or a conflict where asked for, 2 a record was
refused and nothing was written, 3 the disk or, with --require-notify, Slack failed.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Record {
    /// Files of records (one, an array, or one a line), folders of them, or - for standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Record every row of this board, and the board itself
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    pub board: Option<PathBuf>,
    /// The files are LightEval results of this pack of the config
    #[arg(long, value_name = "ID", conflicts_with = "board")]
    pub pack: Option<String>,
    /// When the run was made, for a result file whose name does not say, RFC 3339 with offset
    #[arg(long, value_name = "MOMENT", requires = "pack")]
    pub run_at: Option<String>,
    /// The offset of the times in result file names, such as +02:00 [default: UTC, and marked so]
    #[arg(long, value_name = "OFFSET", requires = "pack", allow_hyphen_values = true)]
    pub tz: Option<String>,
    /// How the runs were scored, where a result file does not say [default: the pack's scoring_mode]
    #[arg(
        long,
        value_name = "MODE",
        requires = "pack",
        value_parser = ["deterministic", "judge", "jury"]
    )]
    pub scoring_mode: Option<String>,
    /// The model that judged the runs, where a result file does not say
    #[arg(long, value_name = "MODEL", requires = "pack")]
    pub judge: Option<String>,
    /// How the runs ended, where a result file does not say [default: completed]
    #[arg(
        long,
        value_name = "STATUS",
        requires = "pack",
        value_parser = ["completed", "failed", "cancelled"]
    )]
    pub status: Option<String>,
    /// Words for records that bring none
    #[arg(long, value_name = "TEXT")]
    pub notes: Option<String>,
    /// Search what is recorded for texts of the held-out bundles below DIR, beside those of the cache
    #[arg(long, value_name = "DIR")]
    pub held_out: Option<PathBuf>,
    /// When this is recorded, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "MOMENT")]
    pub now: Option<String>,
    /// Mark a run that lost more than noise as a regression
    #[arg(long)]
    pub detect: bool,
    /// Exit 1 if a record contradicts the one that is known
    #[arg(long)]
    pub strict: bool,
    /// Exit 1 if a recorded run is a regression
    #[arg(long)]
    pub fail_on_regression: bool,
    /// Send a Slack card for each new run, and every card that an earlier call could not send
    #[arg(long, overrides_with = "no_notify")]
    pub notify: bool,
    /// Tell nobody
    #[arg(long, overrides_with = "notify")]
    pub no_notify: bool,
    /// Record nothing; send the card of this run again, or without RUN_ID every card that waits
    #[arg(
        long,
        value_name = "RUN_ID",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with_all = ["files", "board", "no_notify"]
    )]
    pub notify_only: Option<String>,
    /// Exit 3 while a card waits to be sent, from this call or an earlier one
    #[arg(long)]
    pub require_notify: bool,
    /// Write nothing and send nothing; print the cards that would be sent
    #[arg(long)]
    pub dry_run: bool,
    /// Drop an unfinished last line first
    #[arg(long)]
    pub repair: bool,
    /// Where Slack is, for tests: http://127.0.0.1:PORT
    #[arg(long, value_name = "URL", hide = true)]
    pub slack_base: Option<String>,
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
    /// Only this model
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// Only runs since then: a day, or 90d back from now
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Only runs under this protocol version
    #[arg(long, value_name = "VERSION")]
    pub protocol: Option<String>,
    /// Only runs of this epoch, as PROTOCOL/WEIGHTS, also those rescored into another one since
    #[arg(long, value_name = "EPOCH", conflicts_with = "pack")]
    pub epoch: Option<String>,
    /// Only runs of this pack, each with its grade, cohort, baseline and delta
    #[arg(long, value_name = "ID")]
    pub pack: Option<String>,
    /// Exit 1 if a listed model is in regression
    #[arg(long)]
    pub fail_on_regression: bool,
    /// What now is, for --since 90d, RFC 3339
    #[arg(long, value_name = "MOMENT", hide = true)]
    pub now: Option<String>,
}

// What to do with the ledger.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// The parts of each model's latest score: datasets and rubrics, and what was traded for what
    Breakdown(Breakdown),
    /// Percent change of the three-run average over a span of time
    Change(ChangeOver),
    /// Score every run anew from its recorded parts, under other weights
    Recalibrate(Recalibrate),
    /// Take a run out of everything derived; its line stays
    Retract(Retract),
    /// Say that a row was taken off the board
    Withdraw(Withdraw),
    /// Check the ledger: bytes, checkpoints, lines, weekly.json, board
    Verify(CheckLedger),
    /// Pin the ledger as it is now
    Checkpoint(Checkpoint),
}

// Arguments of `history breakdown`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: gmat-leaderboard history breakdown --model github:openai/gpt-4.1-mini --all"
)]
pub struct Breakdown {
    /// Only this model
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// Every run, not only the latest of each model
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
    /// The span: 90d, 2026-Q2, 2026, or FROM..TO with both days inside
    #[arg(long, value_name = "SPAN")]
    pub over: String,
    /// Only this model
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// Only runs of this epoch, as PROTOCOL/WEIGHTS, also those rescored into another one since
    #[arg(long, value_name = "EPOCH")]
    pub epoch: Option<String>,
    /// What now is, for 90d, RFC 3339
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
    /// A file of weights by dataset and rubric
    #[arg(long, value_name = "FILE")]
    pub weights: PathBuf,
    /// Why, for the ledger
    #[arg(long, value_name = "TEXT", default_value = "weights changed")]
    pub reason: String,
    /// Print what would change, write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// When this is recorded, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "MOMENT")]
    pub now: Option<String>,
}

// Arguments of `history retract`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: gmat-leaderboard history retract 5f1c0a9e2b7d4c38 --reason 'scored on the wrong set'"
)]
pub struct Retract {
    /// The run
    pub run_id: String,
    /// Why, for the ledger
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// When this is recorded, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "MOMENT")]
    pub now: Option<String>,
}

// Arguments of `history withdraw`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: gmat-leaderboard history withdraw github:openai/gpt-4.1-mini --reason 'asked by its author'"
)]
pub struct Withdraw {
    /// The row, as provider:model
    #[arg(value_name = "PROVIDER:MODEL")]
    pub row: String,
    /// Why, for the ledger
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// When this is recorded, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
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
    /// A checkpoint you kept elsewhere
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
}

// Arguments of `history checkpoint`.
#[derive(Debug, Args)]
#[command(after_help = "Example: gmat-leaderboard history checkpoint > kept-elsewhere.txt")]
pub struct Checkpoint {
    /// Only print it; append nothing to history.checkpoints
    #[arg(long)]
    pub dry_run: bool,
    /// When this is recorded, RFC 3339 [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "MOMENT")]
    pub now: Option<String>,
}

// Arguments of `weekly`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard weekly
  gmat-leaderboard weekly --week 2026-W20 --json
  gmat-leaderboard weekly --all --markdown
  gmat-leaderboard weekly --all --epoch 1/
  gmat-leaderboard weekly --write")]
pub struct Weekly {
    /// The week [default: the latest with runs]
    #[arg(long, value_name = "WEEK")]
    pub week: Option<String>,
    /// Every week with runs
    #[arg(long, conflicts_with = "week")]
    pub all: bool,
    /// Only runs of this epoch, as PROTOCOL/WEIGHTS, also those rescored into another one since
    #[arg(long, value_name = "EPOCH", conflicts_with = "write")]
    pub epoch: Option<String>,
    /// As a Markdown table
    #[arg(long)]
    pub markdown: bool,
    /// Write leaderboard/weekly.json
    #[arg(long)]
    pub write: bool,
}
