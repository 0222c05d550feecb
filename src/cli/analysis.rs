//! Commands that ask questions of results: the board's, or anybody's.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::Common;
use super::input::{AggregatesArg, Compat, DuplicatesArg, Given, Input, Kind, OnMissing, Reading};
use crate::hub::RepoId;
use crate::import::cells;
use crate::table::Order;
use crate::table::correlate::Method;
use crate::workspace::Analysis;

/// How a ranking is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// A table for a terminal
    Table,
    /// JSON
    Json,
    /// CSV
    Csv,
    /// Markdown
    #[value(alias = "md")]
    Markdown,
    /// LaTeX
    #[value(alias = "tex")]
    Latex,
    /// A figure: a dot for each run with its 95% range
    Svg,
    /// Cells: `measure topic value`, one file per run
    #[value(name = "trec_eval", alias = "trec-eval")]
    TrecEval,
    /// Cells: `run measure topic value`
    Tot,
    /// Cells: `run topic measure value`
    #[value(name = "ir_measures", alias = "ir-measures")]
    IrMeasures,
    /// Cells: `topic run measure value`
    Rag4reports,
    /// Cells: `topic Q0 run rank value measure`
    Ranking,
    /// Cells: JSON lines of run_id, topic_id, measure, value
    Jsonl,
}

impl To {
    /// The format of cells, if it is one.
    pub fn cells(self) -> Option<cells::Format> {
        match self {
            Self::TrecEval => Some(cells::Format::TrecEval),
            Self::Tot => Some(cells::Format::Tot),
            Self::IrMeasures => Some(cells::Format::IrMeasures),
            Self::Rag4reports => Some(cells::Format::Rag4Reports),
            Self::Ranking => Some(cells::Format::Ranking),
            Self::Jsonl => Some(cells::Format::Jsonl),
            Self::Table | Self::Json | Self::Csv | Self::Markdown | Self::Latex | Self::Svg => None,
        }
    }
}

/// How agreement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AgreementTo {
    /// A table for a terminal
    Table,
    /// JSON
    Json,
    /// JSON lines
    Jsonl,
    /// CSV
    Csv,
    /// Markdown
    #[value(alias = "md")]
    Markdown,
    /// LaTeX
    #[value(alias = "tex")]
    Latex,
}

/// How values over time are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TrendTo {
    /// A table for a terminal
    Table,
    /// JSON
    Json,
    /// A figure: a line of the moving mean for each model, a dot for each run
    Svg,
}

/// The direction of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OrderArg {
    /// Smallest first
    #[value(alias = "ascending")]
    Asc,
    /// Largest first
    #[value(alias = "descending")]
    Desc,
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Self {
        match order {
            OrderArg::Asc => Self::Ascending,
            OrderArg::Desc => Self::Descending,
        }
    }
}

// Which measure, which rows.
#[derive(Debug, Clone, Default, Args)]
pub struct Ranked {
    /// Measures to rank by [default: the source's first]
    ///
    /// The next one decides between runs that are equal in those before
    #[arg(long, value_name = "MEASURE,…", value_delimiter = ',', alias = "metric")]
    pub by: Vec<String>,
    /// Sort order [default: best first]
    #[arg(hide_short_help = true, long, value_name = "ORDER")]
    pub order: Option<OrderArg>,
    /// Keep runs whose id starts with one of these
    #[arg(hide_short_help = true, long, value_name = "PREFIX,…", value_delimiter = ',')]
    pub id: Vec<String>,
    /// Title of the table
    #[arg(hide_short_help = true, long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Write to FILE instead of stdout
    #[arg(long, short, value_name = "FILE", alias = "output-path")]
    pub output: Option<PathBuf>,
}

// Arguments of `rank`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard rank
  gmat-leaderboard rank .rlm_code --by efficiency --limit 20
  gmat-leaderboard rank results.csv --by loss --measure loss:lower
  gmat-leaderboard rank runs.jsonl --where 'tokens<5000' --to markdown
  gmat-leaderboard rank .rlm_code --by reward,tokens --to svg

Runs without a value rank last and show –. Equal values share a rank, marked =.")]
pub struct Rank {
    #[command(flatten)]
    /// What and how.
    pub ranked: Ranked,
    /// Show the top N runs; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true)]
    pub limit: i64,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", alias = "format")]
    pub to: To,
    #[command(flatten)]
    /// Sources and filters.
    pub given: Given,
}

// Arguments of `export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard export --to csv --output board.csv
  gmat-leaderboard export .rlm_code --to markdown --by reward --limit 10
  gmat-leaderboard export a.tot b.tot --to ir_measures --only-topics t1,t2
  gmat-leaderboard export --eval-results eval-results --dataset my-org/gmat-scripts

Several sources merge. json, csv, markdown, latex and table are a ranking; the other formats are
cells, and convert between files of cells. Merging files of cells and filtering runs or topics
recompute the aggregates; `--aggregates keep` keeps those of the files.")]
pub struct Export {
    #[command(flatten)]
    /// What and how.
    pub ranked: Ranked,
    /// Show the top N runs; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub limit: i64,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "json", alias = "format")]
    pub to: To,
    /// Keep these runs, by whole id; aggregates are recomputed
    #[arg(
        help_heading = "Merge and filter cells",
        hide_short_help = true,
        long,
        value_name = "ID,…",
        value_delimiter = ',',
        alias = "filter-runs"
    )]
    pub only_runs: Vec<String>,
    /// Keep these topics
    ///
    /// Aggregates are recomputed, and a topic that a run lacks counts as 0
    #[arg(
        help_heading = "Merge and filter cells",
        long,
        value_name = "ID,…",
        value_delimiter = ',',
        alias = "filter-topics"
    )]
    pub only_topics: Vec<String>,
    /// Keep only these measures
    #[arg(
        help_heading = "Merge and filter cells",
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        alias = "filter-measures"
    )]
    pub only_measures: Vec<String>,
    /// Write the scores of each open-weights model of the board to DIR, in the format of Hugging
    /// Face's .eval_results, and print the line that opens the pull request on its repository
    #[arg(help_heading = "Scores for Hugging Face", hide_short_help = true, long, value_name = "DIR", requires = "dataset", conflicts_with_all = ["sources", "output"])]
    pub eval_results: Option<PathBuf>,
    /// With --eval-results: the benchmark's dataset on the hub, as owner/name
    #[arg(
        help_heading = "Scores for Hugging Face",
        hide_short_help = true,
        long,
        value_name = "OWNER/NAME",
        requires = "eval_results"
    )]
    pub dataset: Option<RepoId>,
    /// With --eval-results: the commit of that dataset
    #[arg(
        help_heading = "Scores for Hugging Face",
        hide_short_help = true,
        long,
        value_name = "COMMIT",
        requires = "eval_results"
    )]
    pub dataset_revision: Option<String>,
    #[command(flatten)]
    /// Sources and filters.
    pub given: Given,
}

// Arguments of `stats`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard stats
  gmat-leaderboard stats .rlm_code --by reward --environment dspy
  gmat-leaderboard stats .rlm_code --values model
  gmat-leaderboard stats truth.tot --per-run
  gmat-leaderboard stats truth.tot --check

Exit code of --check: 0 they agree, 1 they do not.")]
pub struct Stats {
    /// Keep only these measures
    #[arg(long, value_name = "MEASURE,…", value_delimiter = ',', alias = "metric")]
    pub by: Vec<String>,
    /// List the values of a facet instead
    #[arg(long, value_name = "FACET", conflicts_with_all = ["per_run", "check"])]
    pub values: Option<String>,
    /// Summarize over the topics of each run instead of over the runs
    #[arg(long, conflicts_with = "check")]
    pub per_run: bool,
    /// Compare the aggregates in the source with those computed from the topics
    #[arg(long)]
    pub check: bool,
    /// Largest difference that `--check` accepts
    #[arg(
        hide_short_help = true,
        long,
        value_name = "X",
        default_value_t = 0.001,
        requires = "check"
    )]
    pub tolerance: f64,
    #[command(flatten)]
    /// Sources and filters.
    pub given: Given,
}

// Arguments of `group`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard group --on provider
  gmat-leaderboard group --on tier --by public
  gmat-leaderboard group .rlm_code --on environment --by tokens,reward
  gmat-leaderboard group .rlm_code --on tags")]
pub struct GroupArgs {
    /// Facet to group by, e.g. model or provider
    #[arg(long, value_name = "FACET", alias = "field")]
    pub on: String,
    /// Measures to summarize, each on its own [default: the source's first]
    #[arg(long, value_name = "MEASURE,…", value_delimiter = ',', alias = "metric")]
    pub by: Vec<String>,
    #[command(flatten)]
    /// Sources and filters.
    pub given: Given,
}

// Arguments of `trend`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard trend .rlm_code
  gmat-leaderboard trend leaderboard/history.jsonl --by score
  gmat-leaderboard trend .rlm_code --by efficiency --window 10 --model gpt-4o
  gmat-leaderboard trend results/ --by acc --since 2026-01-01

Each model is a series with a moving mean of its own; in a ledger, the mean starts again where the
protocol or the weights change. The runs of rlm-code are one series. `--to svg --output FILE` draws them.")]
pub struct TrendArgs {
    /// Measures to summarize, each on its own [default: the source's first]
    #[arg(long, value_name = "MEASURE,…", value_delimiter = ',', alias = "metric")]
    pub by: Vec<String>,
    /// Number of values in the moving mean; 0 uses all so far
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub window: usize,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", alias = "format")]
    pub to: TrendTo,
    /// Title of the figure
    #[arg(hide_short_help = true, long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Write to FILE instead of stdout
    #[arg(long, short, value_name = "FILE", alias = "output-path")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    /// Sources and filters.
    pub given: Given,
}

// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard compare demo:cardboard/orbiter-3 demo:nowhere/skua-9b
  gmat-leaderboard compare bench_20250501 bench_20250504 --source .rlm_code --by reward,tokens
  gmat-leaderboard compare main new runs.csv --by acc --fail-on-drop 0.02

Where both runs have topics: wins, losses, ties, the exact test, and the smallest lead that would be significant.
Exit code of --fail-on-drop: 0 no run is worse than the first by more, 1 one is.")]
pub struct Compare {
    /// Runs to compare, by id or unique id prefix; an existing path is a source. With
    /// only sources, all their runs are compared
    #[arg(value_name = "ID|SOURCE", required = true)]
    pub ids: Vec<String>,
    /// Result file or directory; repeatable [default: the board, .rlm_code or the ledger]
    #[arg(long = "source", short, value_name = "SOURCE", alias = "workdir")]
    pub sources: Vec<PathBuf>,
    /// Measures to compare [default: all]
    #[arg(long, value_name = "MEASURE,…", value_delimiter = ',', alias = "metric")]
    pub by: Vec<String>,
    /// Exit 1 if a run is worse than the first by more than this
    #[arg(long, value_name = "D")]
    pub fail_on_drop: Option<f64>,
    #[command(flatten)]
    /// How sources are read, and which runs are taken.
    pub reading: Reading,
}

// Arguments of `correlate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard correlate truth.tot judge_a.tot judge_b.tot
  gmat-leaderboard correlate truth.tot judges/*.tot --method tau-b --to csv
  gmat-leaderboard correlate board.json --truth-measure held_out \\
      --judge-measure public
  gmat-leaderboard correlate truth.tot judge_a.tot --per-run --to json

Without a judge the truth is compared with itself, measure against measure. Where every measure has
topics on both sides, aggregates are computed anew over shared topics; else they are as given. The
report says which. If no run, topic or measure is shared there is nothing to correlate: exit 2.")]
pub struct Correlate {
    /// Result file or directory with the ground truth
    pub truth: PathBuf,
    /// Result files or directories of the judges
    pub judges: Vec<PathBuf>,
    /// Coefficients, such as tau-b, spearman, tau-b@10
    ///
    /// Known: tau-b, tau-a, tau-ap-b, tau-gap, spearman, pearson; with @k over the k runs best in
    /// truth. Default: tau-b,tau-ap-b,tau-gap,spearman,pearson,tau-b@10
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',', alias = "correlation")]
    pub method: Vec<Method>,
    /// Topics: shared, all, or a file that lists them
    ///
    /// Default: shared, if both sides have topics
    #[arg(help_heading = "Which runs and measures", long, value_name = "shared|all|FILE")]
    pub topics: Option<String>,
    /// Runs: shared, all, or a file that lists them [default: shared]
    #[arg(help_heading = "Which runs and measures", long, value_name = "shared|all|FILE")]
    pub runs: Option<String>,
    /// If only one side has a run or topic: error fails; warn and skip leave it out; fill
    /// counts 0 for a run that the judge lacks [default: warn]
    #[arg(
        help_heading = "Which runs and measures",
        hide_short_help = true,
        long,
        value_name = "WHAT"
    )]
    pub on_missing: Option<OnMissing>,
    /// Bootstrap draws for the 95 % interval; 0 for no interval
    #[arg(long, value_name = "B", default_value_t = 1000)]
    pub bootstrap: usize,
    /// Measures of the truth [default: all that are numbers]
    #[arg(
        help_heading = "Which runs and measures",
        long,
        value_name = "NAME,…",
        value_delimiter = ','
    )]
    pub truth_measure: Vec<String>,
    /// Measures of the judges [default: all that are numbers]
    #[arg(
        help_heading = "Which runs and measures",
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        alias = "eval-measure"
    )]
    pub judge_measure: Vec<String>,
    /// File type of truth and judges; auto detects it
    #[arg(
        help_heading = "File types",
        hide_short_help = true,
        long,
        value_name = "KIND",
        default_value = "auto"
    )]
    pub from: Kind,
    /// File type of the truth, where it differs from `--from`
    #[arg(
        help_heading = "File types",
        hide_short_help = true,
        long,
        value_name = "KIND",
        alias = "truth-format"
    )]
    pub truth_from: Option<Kind>,
    /// File type of the judges, where it differs from `--from`
    #[arg(
        help_heading = "File types",
        hide_short_help = true,
        long,
        value_name = "KIND",
        alias = "eval-format"
    )]
    pub judge_from: Option<Kind>,
    /// Aggregates of the sources [default: see below]
    #[arg(help_heading = "File types", hide_short_help = true, long, value_name = "WHAT")]
    pub aggregates: Option<AggregatesArg>,
    /// What to do if a value appears twice
    #[arg(
        help_heading = "File types",
        hide_short_help = true,
        long,
        value_name = "WHICH",
        default_value = "error"
    )]
    pub duplicates: DuplicatesArg,
    /// Reproduce autojudge-evaluate 1.1.0: its keys, defaults and errors
    #[arg(help_heading = "File types", hide_short_help = true, long, value_name = "PROGRAM")]
    pub compat: Option<Compat>,
    /// Topic name of the aggregate in files of cells
    #[arg(
        help_heading = "File types",
        hide_short_help = true,
        long,
        value_name = "ID",
        default_value = "all"
    )]
    pub all_topic: String,
    /// Output format [default: table]
    ///
    /// With `--compat` one of table, json, jsonl, csv [default: jsonl]
    #[arg(help_heading = "Output", long, value_name = "FORMAT", alias = "out-format")]
    pub to: Option<AgreementTo>,
    /// Write to FILE instead of stdout
    #[arg(help_heading = "Output", long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// List each run's ranks, for the first pair of measures
    #[arg(help_heading = "Output", long, conflicts_with = "compat")]
    pub per_run: bool,
    /// Write a scatter plot (SVG) of the ranks
    ///
    /// It shows the judges' ranks against the true ranks, for the first pair of measures
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

impl Correlate {
    /// The analysis of one side.
    pub fn side(&self, path: &Path, from: Option<Kind>, common: &Common) -> Analysis {
        let input = Input {
            from: from.unwrap_or(self.from),
            on_missing: Some(OnMissing::Skip),
            aggregates: self.aggregates,
            duplicates: self.duplicates,
            all_topic: self.all_topic.clone(),
            ..Input::default()
        };
        input.analysis(&[path.to_owned()], common)
    }
}
