//! `history`: the series, and what else can be asked of the ledger.

mod amendments;
mod views;

use std::collections::BTreeSet;

use crate::cli::{Common, History, HistoryCommand, Listing};
use crate::domain::{Exit, Failure, nearest};
use crate::ledger::{self, Instant, Run, RunReport, Span};
use crate::ui::{SeriesView, Ui, hints};
use crate::workspace::{LedgerDir, LedgerSession, typed_or_now};

pub(super) fn run(args: &History, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    match &args.command {
        None => list(&args.listing, common, ui),
        Some(HistoryCommand::Breakdown(args)) => views::breakdown(args, common, ui),
        Some(HistoryCommand::Change(args)) => views::change(args, common, ui),
        Some(HistoryCommand::Recalibrate(args)) => amendments::recalibrate(args, common, ui),
        Some(HistoryCommand::Retract(args)) => amendments::retract(args, common, ui),
        Some(HistoryCommand::Withdraw(args)) => amendments::withdraw(args, common, ui),
        Some(HistoryCommand::Verify(args)) => views::verify(args, common, ui),
        Some(HistoryCommand::Checkpoint(args)) => amendments::checkpoint(args, common, ui),
        Some(HistoryCommand::Sql(args)) => views::sql(args, common, ui),
    }
}

fn list(args: &Listing, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut session = LedgerSession::reading(common.place(), None)?;
    if let Some(pack) = &args.pack {
        return views::pack(pack, &session, common, ui);
    }
    session.choose_epoch(args.epoch.as_deref())?;
    let since = args.since.as_deref().map(|since| since_when(since, args.now.as_deref()));
    let since = since.transpose()?;
    let models = models(args.model.as_deref(), &session)?;
    let is_shown = |run: &&Run| {
        since.is_none_or(|since| run.at >= since)
            && args.protocol.as_ref().is_none_or(|wanted| {
                run.eval_protocol_version.as_deref().unwrap_or_default() == wanted
            })
    };
    let (history, epsilon) = (&session.history, session.rules().epsilon);
    let report = |run| RunReport::new(history, run, epsilon);
    let of_model = |model: &String| history.of_model(model).filter(is_shown).map(report).collect();
    let series = models.iter().map(of_model).collect();
    let view = SeriesView { history, models: &models, series, names_hidden: args.epoch.is_none() };
    ui.series(&view, &session.config.history, common.json)?;
    let open = ledger::open_regressions(&session.history);
    let is_open = models.iter().any(|model| open.contains(&model.as_str()));
    Ok(if args.fail_on_regression && is_open { Exit::No } else { Exit::Yes })
}

/// The models asked for: all, or the one named.
pub(super) fn models(named: Option<&str>, session: &LedgerSession) -> Result<Vec<String>, Failure> {
    let known: Vec<String> = session.history.models().map(str::to_owned).collect();
    match named {
        None if known.is_empty() => Err(nothing_recorded(&session.dir)),
        None => Ok(known),
        Some(named) if known.iter().any(|model| model == named) => Ok(vec![named.to_owned()]),
        Some(named) => {
            // A bare name is a model of the default provider.
            let provider = session.config.history.default_provider.as_deref().unwrap_or_default();
            let whole = format!("{provider}:{named}");
            if known.contains(&whole) {
                return Ok(vec![whole]);
            }
            let failure = Failure::unusable(format!("no run of `{named}` is recorded"));
            // A model is often called by the last part of its name.
            let tail = |model: &&String| model.rsplit(['/', ':']).next() == Some(named);
            let near = known.iter().find(tail).map(String::as_str);
            let near = near.or_else(|| nearest(named, known.iter().map(String::as_str)));
            Err(failure.meant(near, "`gmat-leaderboard history` lists every model"))
        }
    }
}

fn nothing_recorded(dir: &LedgerDir) -> Failure {
    Failure::unusable("no run is recorded")
        .at(dir.path("history.jsonl").display().to_string())
        .help(hints::RECORD_A_RUN)
}

impl LedgerSession {
    /// Limits the history to the runs of one epoch, given as `history --json` prints it, or by its
    /// protocol or weights alone where that names one epoch.
    pub(super) fn choose_epoch(&mut self, wanted: Option<&str>) -> Result<(), Failure> {
        let Some(wanted) = wanted else { return Ok(()) };
        let known = self.history.epochs();
        let is_part = |epoch: &&String| {
            epoch.split_once('/').is_some_and(|(protocol, weights)| {
                !wanted.is_empty() && (protocol == wanted || weights == wanted)
            })
        };
        let epoch = match known.get(wanted) {
            Some(epoch) => epoch.clone(),
            None => match known.iter().filter(is_part).collect::<Vec<_>>().as_slice() {
                [one] => (*one).clone(),
                found => return Err(no_epoch(wanted, found, &known)),
            },
        };
        self.history = self.history.in_epoch(&epoch);
        Ok(())
    }
}

fn no_epoch(wanted: &str, found: &[&String], known: &BTreeSet<String>) -> Failure {
    let list = |epochs: &mut dyn Iterator<Item = &String>| {
        epochs.map(|epoch| format!("`{epoch}`")).collect::<Vec<_>>().join(", ")
    };
    let failure = if found.is_empty() {
        Failure::unusable(format!("no recorded run has the epoch `{wanted}`"))
    } else {
        let found = list(&mut found.iter().copied());
        Failure::unusable(format!("`{wanted}` names more than one epoch: {found}"))
    };
    if known.is_empty() {
        return failure.help("`gmat-leaderboard record run.json` records a run");
    }
    failure
        .help(format!("an epoch is `<protocol>/<weights>`; recorded: {}", list(&mut known.iter())))
}

fn since_when(text: &str, now: Option<&str>) -> Result<Instant, Failure> {
    let now = typed_or_now(now)?;
    let day = ledger::parse_day(text).map(Instant::of_day);
    let span = || Instant::parse(&now).and_then(|now| Span::parse(text, now));
    day.or_else(|| Instant::parse(text)).or_else(|| span().map(|span| span.from)).ok_or_else(|| {
        Failure::unusable(format!("`{text}` is not a day"))
            .help("write a date such as 2026-04-01, or a time span such as 90d")
    })
}
