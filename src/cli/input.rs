//! Which sources an analysis reads, and which runs of them it takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Common;
use crate::compat::Program;
use crate::import::{Source, cells};
use crate::table::{Aggregates, Compare, Condition, Duplicates, Holes, Measure};
use crate::workspace::{Analysis, RunFilter};

// What every analysis reads, and how.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Sources")]
pub struct Input {
    /// Input format; auto detects it per file
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub from: Kind,
    /// Set the better direction and the reduction of a measure, e.g. latency_ms:lower; repeatable
    #[arg(hide_short_help = true, long = "measure", value_name = "NAME[:higher|lower][:mean|sum]")]
    pub measures: Vec<Measure>,
    /// Keep only the newest results file of each model
    #[arg(hide_short_help = true, long)]
    pub latest: bool,
    /// Reproduce another program where it behaves differently
    #[arg(hide_short_help = true, long, value_name = "PROGRAM")]
    pub compat: Option<Compat>,
    /// Keep rlm-code runs that a benchmark already contains
    #[arg(hide_short_help = true, long)]
    pub keep_benchmark_runs: bool,
    /// What to do if a run lacks a topic that others have [default: warn for files of cells, else skip]
    #[arg(hide_short_help = true, long, value_name = "WHAT")]
    pub on_missing: Option<OnMissing>,
    /// What to do with aggregates [default: keep those in the source, compute the rest]
    #[arg(hide_short_help = true, long, value_name = "WHAT")]
    pub aggregates: Option<AggregatesArg>,
    /// What to do if a value appears twice
    #[arg(hide_short_help = true, long, value_name = "WHICH", default_value = "error")]
    pub duplicates: DuplicatesArg,
    /// File of topics that every run should have, one per line
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    pub topics: Option<PathBuf>,
    /// Topic name of the aggregate in files of cells
    #[arg(hide_short_help = true, long, value_name = "ID", default_value = "all")]
    pub all_topic: String,
    /// Aggregate of a text measure
    #[arg(hide_short_help = true, long, value_name = "WHICH", default_value = "first")]
    pub text_aggregate: TextAggregate,
    /// Read measures from FILE, one `name[:number|text][:higher|lower][:mean|sum]` per line
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
    /// Files of cells start with a header row [default: detect]
    #[arg(hide_short_help = true, long, alias = "has-header")]
    pub header: bool,
}

// What every analysis is asked about.
#[derive(Debug, Clone, Default, Args)]
pub struct Given {
    /// Result files or directories, merged [default: the board, .rlm_code or the ledger]
    #[arg(value_name = "SOURCE")]
    pub sources: Vec<PathBuf>,
    #[command(flatten)]
    /// How they are read, and which runs are taken.
    pub reading: Reading,
}

// How sources are read, and which of their runs are taken.
#[derive(Debug, Clone, Default, Args)]
pub struct Reading {
    #[command(flatten)]
    /// How.
    pub input: Input,
    #[command(flatten)]
    /// Which.
    pub filter: Filter,
}

// Which runs are taken; all conditions must hold.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Filters")]
pub struct Filter {
    /// Keep runs of these environments
    #[arg(hide_short_help = true, long, value_name = "NAME,…", value_delimiter = ',')]
    pub environment: Vec<String>,
    /// Keep runs of these models
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub model: Vec<String>,
    /// Keep runs of these presets
    #[arg(hide_short_help = true, long, value_name = "NAME,…", value_delimiter = ',')]
    pub preset: Vec<String>,
    /// Keep runs with any of these tags
    #[arg(hide_short_help = true, long, value_name = "TAG,…", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Keep runs with a reward of at least X
    #[arg(hide_short_help = true, long, value_name = "X", allow_negative_numbers = true)]
    pub min_reward: Option<f64>,
    /// Keep runs with a reward of at most X
    #[arg(hide_short_help = true, long, value_name = "X", allow_negative_numbers = true)]
    pub max_reward: Option<f64>,
    /// Keep runs that completed at least this share of cases, from 0 to 1
    #[arg(hide_short_help = true, long, value_name = "X")]
    pub min_completion_rate: Option<f64>,
    /// Keep runs with at least N cases
    #[arg(hide_short_help = true, long, value_name = "N")]
    pub min_cases: Option<u64>,
    /// Keep runs started at or after TIME, e.g. 2026-01-31
    ///
    /// A time without a zone is UTC
    #[arg(long, value_name = "TIME", alias = "date-from")]
    pub since: Option<String>,
    /// Keep runs started at or before TIME; a date includes the whole day
    #[arg(hide_short_help = true, long, value_name = "TIME", alias = "date-to")]
    pub until: Option<String>,
    /// With --since or --until, keep runs without a readable timestamp
    #[arg(hide_short_help = true, long)]
    pub keep_undated: bool,
    /// Keep runs matching a condition, e.g. 'reward>=0.5'
    ///
    /// Another example: 'model=gpt-4o'. Repeated conditions must all hold
    #[arg(long = "where", value_name = "CONDITION")]
    pub conditions: Vec<Condition>,
    /// Drop these runs, by id or unique id prefix
    #[arg(hide_short_help = true, long, value_name = "ID,…", value_delimiter = ',')]
    pub without: Vec<String>,
}

/// What sources are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Kind {
    /// Detect it
    #[default]
    Auto,
    /// A leaderboard.json
    Board,
    /// The ledger of a board, history.jsonl
    Ledger,
    /// JSON written by rank, export, stats, group, trend, compare or correlate
    Export,
    /// An rlm-code workdir, benchmarks folder, benchmark or runs.jsonl
    RlmCode,
    /// A LightEval results file
    Lighteval,
    /// An lm-evaluation-harness results file
    LmEval,
    /// An Inspect log as JSON
    Inspect,
    /// A promptfoo results file
    Promptfoo,
    /// An OpenAI evals log
    OpenaiEvals,
    /// CSV or TSV with a header
    Csv,
    /// JSON lines of any keys
    Records,
    /// `measure topic value`, one file per run
    #[value(name = "trec_eval", alias = "trec-eval")]
    TrecEval,
    /// `topic measure value`, one file per run, as ir_measures -q prints
    #[value(name = "ir_measures_q", alias = "ir-measures-q")]
    IrMeasuresQ,
    /// `run measure topic value`
    Tot,
    /// `run topic measure value`
    #[value(name = "ir_measures", alias = "ir-measures")]
    IrMeasures,
    /// `topic run measure value`
    Rag4reports,
    /// `topic Q0 run rank value measure`
    Ranking,
    /// JSON lines of run_id, topic_id, measure, value
    Jsonl,
}

/// Programs whose behaviour can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Compat {
    /// rlm-code's leaderboard
    RlmCode,
    /// The judge leaderboard as designed
    AutojudgeDesign,
    /// autojudge-base
    AutojudgeBase,
    /// autojudge-evaluate
    AutojudgeEvaluate,
}

/// What to do about values that are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnMissing {
    /// Fail
    Error,
    /// Average the rest and print a note
    Warn,
    /// Insert 0 or an empty text
    #[value(alias = "default")]
    Fill,
    /// Count 0 in the aggregate only
    #[value(alias = "fix_aggregate")]
    FixAggregate,
    /// Average the rest
    #[value(alias = "ignore")]
    Skip,
}

/// What to do with aggregates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AggregatesArg {
    /// Keep those in the source, compute none
    Keep,
    /// Compute all of them from the topics
    Recompute,
}

/// Which of several values counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum DuplicatesArg {
    /// Fail
    #[default]
    Error,
    /// The first
    First,
    /// The last
    Last,
    /// Their mean
    Mean,
}

/// What a text measure aggregates to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TextAggregate {
    /// Its first value
    #[default]
    First,
    /// Nothing
    None,
}

impl Kind {
    /// The reader it asks for; `None` looks.
    pub fn source(self) -> Option<Source> {
        Some(match self {
            Self::Auto => return None,
            Self::Board => Source::Board,
            Self::Ledger => Source::Ledger,
            Self::Export => Source::Export,
            Self::RlmCode => Source::RlmRuns,
            Self::Lighteval => Source::LightEval,
            Self::LmEval => Source::LmEval,
            Self::Inspect => Source::Inspect,
            Self::Promptfoo => Source::Promptfoo,
            Self::OpenaiEvals => Source::OpenAiEvals,
            Self::Csv => Source::Csv,
            Self::Records => Source::Jsonl,
            Self::TrecEval => Source::Cells(cells::Format::TrecEval),
            Self::IrMeasuresQ => Source::Cells(cells::Format::IrMeasuresQ),
            Self::Tot => Source::Cells(cells::Format::Tot),
            Self::IrMeasures => Source::Cells(cells::Format::IrMeasures),
            Self::Rag4reports => Source::Cells(cells::Format::Rag4Reports),
            Self::Ranking => Source::Cells(cells::Format::Ranking),
            Self::Jsonl => Source::Cells(cells::Format::Jsonl),
        })
    }
}

impl From<Compat> for Program {
    fn from(program: Compat) -> Self {
        match program {
            Compat::RlmCode => Self::RlmCode,
            Compat::AutojudgeDesign => Self::AutojudgeDesign,
            Compat::AutojudgeBase => Self::AutojudgeBase,
            Compat::AutojudgeEvaluate => Self::AutojudgeEvaluate,
        }
    }
}

impl From<OnMissing> for Holes {
    fn from(what: OnMissing) -> Self {
        match what {
            OnMissing::Error => Self::Error,
            OnMissing::Warn => Self::Warn,
            OnMissing::Fill => Self::Fill,
            OnMissing::FixAggregate => Self::FixAggregate,
            OnMissing::Skip => Self::Skip,
        }
    }
}

impl From<AggregatesArg> for Aggregates {
    fn from(what: AggregatesArg) -> Self {
        match what {
            AggregatesArg::Keep => Self::Keep,
            AggregatesArg::Recompute => Self::Recompute,
        }
    }
}

impl From<DuplicatesArg> for Duplicates {
    fn from(which: DuplicatesArg) -> Self {
        match which {
            DuplicatesArg::Error => Self::Error,
            DuplicatesArg::First => Self::First,
            DuplicatesArg::Last => Self::Last,
            DuplicatesArg::Mean => Self::Mean,
        }
    }
}

impl Input {
    /// The analysis of `sources` that these flags ask for.
    pub fn analysis(&self, sources: &[PathBuf], common: &Common) -> Analysis {
        Analysis {
            root: common.root.clone(),
            config: common.config.clone(),
            sources: sources.to_vec(),
            workdir_first: false,
            from: self.from.source(),
            measures: self.measures.clone(),
            spec: self.spec.clone(),
            topics: self.topics.clone(),
            latest: self.latest,
            keep_benchmark_runs: self.keep_benchmark_runs,
            header: self.header,
            all_topic: self.all_topic.clone(),
            compat: self.compat.map(Program::from),
            holes: self.on_missing.map(Holes::from),
            aggregates: self.aggregates.map(Aggregates::from),
            duplicates: self.duplicates.into(),
            no_text_aggregate: self.text_aggregate == TextAggregate::None,
        }
    }
}

impl Given {
    /// The analysis that these flags ask for.
    pub fn analysis(&self, common: &Common) -> Analysis {
        self.reading.input.analysis(&self.sources, common)
    }

    /// The filter that these flags ask for.
    pub fn filter(&self) -> RunFilter {
        self.reading.filter.runs()
    }
}

impl Filter {
    /// The filter that these flags ask for.
    pub fn runs(&self) -> RunFilter {
        let facets = [
            ("environment", &self.environment),
            ("model", &self.model),
            ("preset", &self.preset),
            ("tags", &self.tag),
        ];
        let facets = facets.into_iter().filter(|(_, texts)| !texts.is_empty());
        #[expect(clippy::cast_precision_loss, reason = "a run has fewer than 2^53 cases")]
        let min_cases = self.min_cases.map(|cases| cases as f64);
        let bounds = [
            ("reward", Compare::AtLeast, self.min_reward),
            ("reward", Compare::AtMost, self.max_reward),
            ("completion_rate", Compare::AtLeast, self.min_completion_rate),
            ("cases", Compare::AtLeast, min_cases),
        ];
        let bounds = bounds.into_iter().filter_map(|(name, compare, value)| {
            Some(Condition { name: name.to_owned(), compare, value: value?.to_string() })
        });
        RunFilter {
            facets: facets.map(|(name, texts)| (name.to_owned(), texts.clone())).collect(),
            conditions: bounds.chain(self.conditions.iter().cloned()).collect(),
            since: self.since.clone(),
            until: self.until.clone(),
            keep_undated: self.keep_undated,
            without: self.without.clone(),
        }
    }
}
