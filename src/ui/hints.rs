//! Lines on how to fix something that name a command or a flag.

use crate::domain::{Failure, Hint};

/// Where a command needs recorded runs.
pub const RECORD_A_RUN: &str = "`gmat-leaderboard record run.json` records one";
/// Where a run id is not recorded.
pub const LIST_RUN_IDS: &str = "`gmat-leaderboard history --json` lists every run_id";
/// Where something was not searched for held-out texts.
pub const NO_HELD_OUT_SET: &str = "note: no held-out set at hand, so nothing was searched for \
     held-out texts; fetch it, or name it with --held-out";
/// Where two runs are of two epochs.
pub const CHOOSE_AN_EPOCH: &str = "choose one with --epoch";

/// What to do about `failure`, if it says or the case is known.
pub fn advice_on(failure: &Failure) -> Option<String> {
    failure.help.clone().or_else(|| failure.hint.as_ref().map(advice))
}

/// What to do in a case that a flag settles.
pub(super) fn advice(hint: &Hint) -> String {
    let text = match hint {
        Hint::AbsentBundle => "add the bundle, or build without `--strict` to skip the seed",
        Hint::BoardStamp => "pass `--generated-at` in the form 2026-06-18T00:00:00Z",
        Hint::EmptyBoard => {
            "check `--root`, or enter a model first (docs/submit.md); `gmat-leaderboard build --allow-empty` writes an empty board"
        }
        Hint::SeveralModels(first) => return format!("choose one: `--model {first}`"),
        Hint::EntryListed => {
            "check without `--add`; docs/submit.md, section 5, says how to update or withdraw an entry"
        }
        Hint::ScaleIsSet => "leave out `--scale`, or change the key in the config",
        Hint::ScoreBeyondScale(config) => {
            return format!(
                "a score is a number from 0 to `history.score_scale`, or null; for scores up to 5, \
                 `record --scale 5` sets that key in {config}; nothing was recorded"
            );
        }
        Hint::DuplicateValue => "`--duplicates first`, `last` or `mean` says which one counts",
        Hint::MissingValues => {
            "`--on-missing fill` adds zeros, `fix-aggregate` counts them in the aggregate, `skip` averages what is there"
        }
        Hint::TooManyMissingValues => {
            "`--on-missing skip` averages what is there; `--topics FILE` names fewer expected topics"
        }
        Hint::MeasureOfTwoKinds => {
            "rename one of the measures, or read it as text in both: list the measures in `--spec FILE`, this one as `NAME:text`"
        }
        Hint::TextForNumber => {
            "a measure is a number or a text throughout; declare it as text with `--spec`"
        }
        Hint::RequiredMeasure => {
            "take the measure out of `--spec`, or leave out `--on-missing error`"
        }
        Hint::Condition => "a condition is a name, a sign and a value: `--where 'reward>=0.5'`",
        Hint::OneRunPerFile => "`--output DIR/` writes one file per run; `--to tot` holds them all",
        Hint::TopicNamedAsAggregate => "`--all-topic ID` gives the aggregate another name",
        Hint::TextUnfitForFormat => "`--to jsonl` holds any text",
        Hint::NotJson => "`--from` names the format if it is not JSON",
        Hint::HigherIsBetter => "`--measure NAME:lower` overrides it",
        Hint::LowerIsBetter => "`--measure NAME:higher` overrides it",
        Hint::RunsOfBenchmarks => "`--keep-benchmark-runs` keeps such runs",
    };
    text.to_owned()
}
