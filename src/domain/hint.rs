//! What to do about a failure, where the answer is a flag of a command. The core names the case;
//! `ui/hints.rs` words it, so that another program that uses the core is not advised to pass flags.

/// A case that a flag of a command settles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hint {
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
    /// A file that was read as JSON is none.
    NotJson,
    /// Measures were taken to be better higher.
    HigherIsBetter,
    /// Measures were taken to be better lower.
    LowerIsBetter,
    /// Runs were left out because a benchmark holds them.
    RunsOfBenchmarks,
}
