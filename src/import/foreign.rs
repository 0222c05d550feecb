//! Files of other programs that are recognised and not read, and what their owner can do.

/// A file that is recognised but holds no table of measures, or none that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// A TREC run: documents ranked for each topic.
    RunFile,
    /// Six columns: a TREC run, or cells in the format `ranking`.
    SixColumns,
    /// Relevance judgments.
    Qrels,
    /// The samples lm-evaluation-harness logs beside its results.
    LmEvalSamples,
    /// The steps of one run of rlm-code.
    RlmSteps,
    /// An Inspect log as `.eval`.
    InspectArchive,
    /// HELM.
    Helm,
    /// MTEB.
    Mteb,
    /// SWE-bench.
    SweBench,
    /// DeepEval.
    DeepEval,
    /// A model card.
    ModelCard,
    /// A zip archive.
    Zip,
    /// Parquet.
    Parquet,
    /// Compressed with zstd.
    Zstd,
    /// UTF-16.
    Utf16,
}

/// How results of any program become a file that is read.
const AS_CSV: &str = "write a CSV with one row per run, such as `run,accuracy,cost`, or per task: `run,task,accuracy`";

impl Foreign {
    /// What it is, with an article.
    pub fn name(self) -> &'static str {
        match self {
            Self::RunFile => "a TREC run file",
            Self::SixColumns => "a TREC run file or a file of cells in the format `ranking`",
            Self::Qrels => "a file of relevance judgments (qrels)",
            Self::LmEvalSamples => "a log of samples of lm-evaluation-harness",
            Self::RlmSteps => "a log of steps of rlm-code",
            Self::InspectArchive => "an Inspect log in the .eval format",
            Self::Helm => "a HELM results file",
            Self::Mteb => "an MTEB results file",
            Self::SweBench => "a SWE-bench report",
            Self::DeepEval => "a DeepEval test run",
            Self::ModelCard => "a model card",
            Self::Zip => "a zip archive",
            Self::Parquet => "a Parquet file",
            Self::Zstd => "compressed with zstd",
            Self::Utf16 => "text in UTF-16",
        }
    }

    /// Why it is not read.
    pub fn why(self) -> &'static str {
        match self {
            Self::RunFile => "a run file lists documents for each topic; it holds no measures",
            Self::SixColumns => {
                "`topic Q0 document rank score tag` and `topic Q0 run rank value measure` look the same"
            }
            Self::Qrels => "qrels list judged documents for each topic; they hold no measures",
            Self::LmEvalSamples => "it holds prompts and answers; the scores are in results_*.json",
            Self::RlmSteps => {
                "it holds the steps of one run; the results of runs are in runs.jsonl"
            }
            Self::InspectArchive => "only the JSON form of Inspect logs is supported",
            Self::Helm | Self::Mteb | Self::SweBench | Self::DeepEval | Self::ModelCard => {
                "this format is not supported"
            }
            Self::Zip | Self::Parquet | Self::Zstd => "this container is not supported",
            Self::Utf16 => "only UTF-8 is supported",
        }
    }

    /// What to do instead.
    pub fn help(self) -> &'static str {
        match self {
            Self::RunFile | Self::Qrels => {
                "evaluate the run with `trec_eval -q` or `ir_measures -q` and pass what it prints"
            }
            Self::SixColumns => {
                "a run file must be evaluated with `trec_eval -q` or `ir_measures -q` first"
            }
            Self::LmEvalSamples => "pass results_*.json, or the directory that holds both",
            Self::RlmSteps => {
                "pass the directory `.rlm_code`, or `rlm/observability/runs.jsonl` in it"
            }
            Self::InspectArchive => {
                "convert it with `inspect log convert --to json --output-dir DIR FILE`"
            }
            Self::Helm | Self::Mteb | Self::SweBench | Self::DeepEval | Self::ModelCard => AS_CSV,
            Self::Zip | Self::Zstd => "unpack it first; gzip is read as it is",
            Self::Parquet => "convert it to CSV",
            Self::Utf16 => "convert it with `iconv -f UTF-16 -t UTF-8`",
        }
    }
}
