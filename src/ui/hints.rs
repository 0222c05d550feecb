//! Lines on how to fix something that name a command or a flag. The core says what is wrong and what to
//! do in its own words; these name the command that does it. `web/` shows them too.

use crate::board::NotCovered;
use crate::domain::{Code, Failure, Finding, FindingHint, Hint};

/// Where a command needs recorded runs.
pub const RECORD_A_RUN: &str = "`gmat-leaderboard record run.json` records one";
/// Where a run id is not recorded.
pub const LIST_RUN_IDS: &str = "`gmat-leaderboard history --json` lists every run_id";
/// Where something was not searched for held-out texts.
pub const NO_HELD_OUT_SET: &str = "note: no held-out set at hand, so nothing was searched for \
     held-out texts; fetch it, or name it with --held-out";
/// Where two runs are of two epochs.
pub const CHOOSE_AN_EPOCH: &str = "choose one with --epoch";

/// What to do about `failure`, if it or its code says.
pub fn advice_on(failure: &Failure) -> Option<String> {
    match (&failure.help, &failure.hint) {
        (Some(help), hint) => Some(joined(help, hint.as_ref().and_then(advice))),
        (None, Some(hint)) => advice(hint),
        (None, None) => failure.code.map(code_help),
    }
}

/// What to do about `finding`.
pub fn help_on(finding: &Finding) -> String {
    joined(&finding.help, finding.hint.as_ref().and_then(finding_advice))
}

/// `finding` with everything that can be done about it in its help, as programs read it.
pub fn worded(finding: &Finding) -> Finding {
    Finding { help: help_on(finding), hint: None, ..finding.clone() }
}

/// `gap` with the command that closes it, where there is one.
pub fn gap(gap: NotCovered) -> NotCovered {
    if gap == NotCovered::UNWITNESSED {
        let why = format!("{}: `history verify --against FILE`", gap.why);
        return NotCovered { why: why.into(), ..gap };
    }
    gap
}

/// What to do about any finding of `code`.
pub fn code_help(code: Code) -> String {
    joined(code.help(), command_for(code).map(str::to_owned))
}

/// What the program does about a reason of `check` why a prompt fails.
pub fn on_reason(reason: &str) -> Option<&'static str> {
    (reason == "fence").then_some(
        "`eval` keeps only the script; for answers recorded elsewhere, pass `freeze --extract`.",
    )
}

fn joined(help: &str, advice: Option<String>) -> String {
    match advice {
        Some(advice) => format!("{help}; {advice}"),
        None => help.to_owned(),
    }
}

/// Which command or flag helps, where there is one.
pub(super) fn advice(hint: &Hint) -> Option<String> {
    let text = match hint {
        Hint::Finding(hint) => return finding_advice(hint),
        Hint::SeveralModels(first) => return Some(format!("choose one: `--model {first}`")),
        Hint::AbsentBundle => "add the bundle, or build without `--strict` to skip the seed",
        Hint::BoardStamp => "pass `--generated-at` in the form 2026-06-18T00:00:00Z",
        Hint::EmptyBoard => {
            "check `--root`, or enter a model first (docs/submit.md); `gmat-leaderboard build --allow-empty` writes an empty board"
        }
        Hint::EntryListed => {
            "check without `--add`; docs/submit.md, section 5, says how to update or withdraw an entry"
        }
        Hint::ScaleIsSet => "leave out `--scale`, or change the key in the config",
        Hint::ScoreBeyondScale(config) => {
            return Some(format!(
                "a score is a number from 0 to `history.score_scale`, or null; for scores up to 5, \
                 `record --scale 5` sets that key in {config}; nothing was recorded"
            ));
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
        Hint::UnnamedCompletions => {
            "`gmat-leaderboard freeze` writes completions.json from recorded answers"
        }
        Hint::SixColumns => "`--from ranking` reads it as cells",
        Hint::AutojudgeFormat => "`export --to ir_measures` converts the file",
    };
    Some(text.to_owned())
}

/// Which command or flag helps with a finding, where there is one.
fn finding_advice(hint: &FindingHint) -> Option<String> {
    let text = match hint {
        FindingHint::Code(code) => command_for(*code)?,
        FindingHint::OtherModel(name) => return Some(format!("did you mean `--model {name}`?")),
        FindingHint::AllHeadlinesLost => {
            "pass `--held-out DIR` to do so, `--out -` or another `--out` to leave this board as it is, or `--drop-headlines` to lose them"
        }
        FindingHint::HeadlinesLost => "`--held-out DIR` scores them",
        FindingHint::NoVotes => {
            "ask the judge with `eval --votes-only`, or run `freeze` again with `--votes FILE`"
        }
        FindingHint::UnrecordedCopy => "`record --board` keeps a copy of each board it records",
        FindingHint::VanishedRow(id) => {
            return Some(format!(
                "`gmat-leaderboard history withdraw {id} --reason TEXT` records why"
            ));
        }
        FindingHint::NoCommitment => "`gmat-leaderboard heldout commit` commits to it",
        FindingHint::UnrecordedScoring => "`gmat-leaderboard build --held-out DIR` does so",
        FindingHint::OtherProtocol => "`gmat-leaderboard eval --show-protocol` prints them",
        FindingHint::NoCheckpoint => "`gmat-leaderboard history checkpoint` writes one",
        FindingHint::EarlierStamp => "a moment given with `--generated-at` must not go back",
        FindingHint::UnreadableSeal | FindingHint::NotSealedYet => {
            "`gmat-leaderboard build --seal` writes it"
        }
    };
    Some(text.to_owned())
}

/// Which command or flag helps with any finding of `code`, where there is one.
fn command_for(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::EDiff | Code::EUsage | Code::ELoop => {
            "`gmat-leaderboard build --out -` prints the rebuilt board and writes nothing"
        }
        Code::ERowUnknown => "`--allow-unseeded` accepts rows that cannot be rebuilt",
        Code::EEmpty => "check `--config` and `--root`, or pass `--allow-empty`",
        Code::ESchema => "`gmat-leaderboard schema board` prints that of the board",
        Code::EBundle => "check `--root`",
        Code::ESite => "`gmat-leaderboard render --out DIR` writes a new one",
        Code::ESeal => "`gmat-leaderboard build --seal` seals it",
        Code::LStore => "`--allow-public-store` is for a retired set",
        Code::BMissing => "`build --skip-broken` leaves the row out",
        Code::BSet => "`freeze --pin` writes the pin",
        Code::BDraft => "`init --prompts` and `heldout new` write them",
        Code::HTorn => "`gmat-leaderboard record --repair` drops it too",
        Code::HWeekly => {
            "`gmat-leaderboard weekly --write` writes it, `gmat-leaderboard render` updates the site"
        }
        Code::HBoard => "a maintainer who meant the change builds it anew with `build --record`",
        _ => return None,
    })
}
