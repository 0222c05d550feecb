//! `weekly`: the summary of a week, or of all.

use crate::cli::{Common, Weekly};
use crate::domain::{Exit, Failure};
use crate::fs;
use crate::ledger::{self, Week, WeekSummary};
use crate::ui::{Ui, hints};
use crate::workspace::Session;

pub(super) fn run(args: &Weekly, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut session = Session::reading(common.place(), None)?;
    session.choose_epoch(args.epoch.as_deref())?;
    let weeks = ledger::weeks(&session.history);
    if args.write {
        let path = session.dir.path("weekly.json");
        fs::write(&path, &ledger::weekly_bytes(&session.history))?;
        ui.result(&format!("wrote {} week(s) to {}", weeks.len(), path.display()))?;
        if args.week.is_none() && !args.all {
            return Ok(Exit::Yes);
        }
    }
    let shown: Vec<&WeekSummary> = match &args.week {
        _ if args.all => weeks.iter().collect(),
        None => weeks.last().into_iter().collect(),
        Some(text) => vec![find(text, &weeks)?],
    };
    if shown.is_empty() {
        return Err(Failure::unusable("no run is recorded")
            .at(session.dir.path("history.jsonl").display().to_string())
            .help(hints::RECORD_A_RUN));
    }
    ui.weeks(&shown, &session.config.history, args, common.json)?;
    Ok(Exit::Yes)
}

fn find<'w>(text: &str, weeks: &'w [WeekSummary]) -> Result<&'w WeekSummary, Failure> {
    let week = Week::parse(text).ok_or_else(|| {
        Failure::unusable(format!("`{text}` is not a week"))
            .help("a week is named by its ISO year and number, such as 2026-W20")
    })?;
    weeks.iter().find(|summary| summary.week == week).ok_or_else(|| {
        let failure = Failure::unusable(format!("no run is recorded in {week}"));
        match (weeks.first(), weeks.last()) {
            (Some(first), Some(last)) => {
                failure.help(format!("runs are recorded from {} to {}", first.week, last.week))
            }
            _ => failure.help(hints::RECORD_A_RUN),
        }
    })
}
