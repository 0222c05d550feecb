//! What to do about a failure or a finding, where a command or a flag of the program does it. The core
//! names the case; `ui/hints.rs` has the words, so that another program that uses the core is not advised
//! to pass flags. `tests/architecture.rs` checks that the core names no flag.

use super::Code;

/// A case that a command or a flag settles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hint {
    /// A finding.
    Finding(FindingHint),
    /// A seed has no bundle, and that was forbidden.
    AbsentBundle,
    /// The stamp of a board is not a time in UTC.
    BoardStamp,
    /// A board has no row.
    EmptyBoard,
    /// A bundle holds answers of several models, this one among them.
    SeveralModels(String),
    /// The config lists the entry already.
    EntryListed,
    /// The config sets another scale of scores.
    ScaleIsSet,
    /// A score does not fit the scale of the config at this path.
    ScoreBeyondScale(String),
    /// A value is given more than once.
    DuplicateValue,
    /// Cells of the table are empty.
    MissingValues,
    /// More cells of the table are empty than could be filled.
    TooManyMissingValues,
    /// A measure is a number in one file and a text in another.
    MeasureOfTwoKinds,
    /// A text where a number is wanted.
    TextForNumber,
    /// A measure that must be there is not.
    RequiredMeasure,
    /// A condition that cannot be read.
    Condition,
    /// A format of one run, and a table of several.
    OneRunPerFile,
    /// A topic has the name of the aggregate.
    TopicNamedAsAggregate,
    /// A text that the format cannot hold.
    TextUnfitForFormat,
    /// A file that was read as JSON is not JSON.
    NotJson,
    /// Measures were taken to be better higher.
    HigherIsBetter,
    /// Measures were taken to be better lower.
    LowerIsBetter,
    /// Runs were left out because a benchmark holds them.
    RunsOfBenchmarks,
    /// No key of completions.json names a model.
    UnnamedCompletions,
    /// A file has six columns, which is a ranking or a file of cells.
    SixColumns,
    /// `autojudge-evaluate` does not read this format.
    AutojudgeFormat,
}

/// A finding that a command or a flag settles. These are apart from the other cases, because the module
/// for browsers has the words of findings alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FindingHint {
    /// Any finding of this code.
    Code(Code),
    /// The build has no held-out set, so all headlines would be lost.
    AllHeadlinesLost,
    /// Some headlines would turn back to pending.
    HeadlinesLost,
    /// A bundle has no votes of a judge.
    NoVotes,
    /// A copy of a board that the ledger does not know.
    UnrecordedCopy,
    /// A row, given as `provider:model`, disappeared from the board.
    VanishedRow(String),
    /// Nothing in the ledger commits to the held-out set of this protocol version.
    NoCommitment,
    /// A headline was scored and the ledger does not say so.
    UnrecordedScoring,
    /// The protocol is not the one of its version.
    OtherProtocol,
    /// Lines of the ledger have no checkpoint.
    NoCheckpoint,
    /// A board is older than the last one recorded.
    EarlierStamp,
    /// The seal of a board cannot be read.
    UnreadableSeal,
    /// The seal does not cover everything yet.
    NotSealedYet,
    /// The bundle was recorded for another model, probably this one.
    OtherModel(String),
}
