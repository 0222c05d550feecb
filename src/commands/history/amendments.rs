//! `history recalibrate`, `retract`, `withdraw` and `checkpoint`: lines beside the runs.

use std::collections::BTreeSet;

use crate::cli::{Checkpoint, Common, Recalibrate, Retract, Withdraw};
use crate::domain::config::Seed;
use crate::domain::{Code, Exit, Failure, Finding, nearest};
use crate::fs::{self, OWN_FILE_LIMIT};
use crate::ledger::{self, Line, Retraction, Weights};
use crate::ui::{Ui, hints};
use crate::workspace::{LedgerDir, LedgerSession, LedgerSnapshot, NewLines, typed_or_now};

pub(super) fn recalibrate(args: &Recalibrate, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let bytes = fs::read_typed(&args.weights, OWN_FILE_LIMIT)?;
    let weights = Weights::parse(&bytes, &args.weights.display().to_string())?;
    let now = args.now.as_deref();
    let mut session = if args.dry_run {
        LedgerSession::reading(common.place(), now)?
    } else {
        LedgerSession::writing(common.place(), now)?
    };
    let done = ledger::recalibrate(
        &session.history,
        &weights,
        &args.reason,
        &session.now,
        session.rules().score_scale,
    );
    let lines: Vec<u8> = done.lines.iter().filter_map(Line::bytes).flatten().collect();
    let addition = NewLines { lines: &lines, boards: &[] };
    let Some(weeks) = ui.appended(session.append(&addition)?)? else { return Ok(Exit::No) };
    ui.recalibrated(&done, &session.config.history, args.dry_run, common.json)?;
    ui.weeks_changed(&weeks)?;
    Ok(Exit::Yes)
}

pub(super) fn retract(args: &Retract, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut session = LedgerSession::writing(common.place(), args.now.as_deref())?;
    if session.history.run(&args.run_id).is_none() {
        let known = session.history.recorded().iter().map(|run| run.run_id.as_str());
        return Err(Failure::unusable(format!("no run `{}` is recorded", args.run_id))
            .meant(nearest(&args.run_id, known), hints::LIST_RUN_IDS));
    }
    if let Some(line) = session.history.retraction(&args.run_id) {
        let of = if line.run_id == args.run_id {
            String::new()
        } else {
            format!(" together with `{}`, which it was rescored from", line.run_id)
        };
        ui.result(&format!("`{}` is already retracted{of}", args.run_id))?;
        return Ok(Exit::Yes);
    }
    let live = |session: &LedgerSession| -> BTreeSet<String> {
        session.history.runs().into_iter().map(|run| run.run_id.clone()).collect()
    };
    let before = live(&session);
    let line = Line::Retraction(Retraction {
        kind: "retraction",
        reason: args.reason.clone(),
        recorded_at: session.now.clone(),
        run_id: args.run_id.clone(),
    });
    let lines = line.bytes().unwrap_or_default();
    let addition = NewLines { lines: &lines, boards: &[] };
    let Some(weeks) = ui.appended(session.append(&addition)?)? else { return Ok(Exit::No) };
    ui.result(&format!("retracted `{}`; its line stays", args.run_id))?;
    let after = live(&session);
    for run_id in before.difference(&after).filter(|run_id| **run_id != args.run_id) {
        ui.result(&format!("retracted with it: `{run_id}`, which was rescored from it"))?;
    }
    for run_id in after.difference(&before) {
        ui.result(&format!("`{run_id}` counts again"))?;
    }
    ui.weeks_changed(&weeks)?;
    Ok(Exit::Yes)
}

pub(super) fn withdraw(args: &Withdraw, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let (provider, model) = args
        .row
        .split_once(':')
        .ok_or_else(|| Failure::unusable(format!("`{}` is not provider:model", args.row)))?;
    let mut session = LedgerSession::writing(common.place(), args.now.as_deref())?;
    let line = Line::Withdraw(ledger::Withdraw {
        kind: "withdraw",
        model: model.to_owned(),
        protocol: session.config.eval_protocol_version.clone(),
        provider: provider.to_owned(),
        reason: args.reason.clone(),
        recorded_at: session.now.clone(),
    });
    let lines = line.bytes().unwrap_or_default();
    let addition = NewLines { lines: &lines, boards: &[] };
    let mut known = LedgerSnapshot::read(&common.root)?.with_boards()?.rows_ever_named();
    known.extend(session.config.seeds.iter().map(Seed::id));
    if !known.contains(&args.row) {
        // The name is printed below, so it is searched for held-out text first.
        let mut search = LedgerSession::reading(common.place(), args.now.as_deref())?;
        if ui.appended(search.append(&addition)?)?.is_none() {
            return Ok(Exit::No);
        }
        let near = nearest(&args.row, known.iter().map(String::as_str));
        let what = format!("no row `{}` was ever on this board; nothing was recorded", args.row);
        return Err(Failure::unusable(what)
            .meant(near, "`gmat-leaderboard history` lists the recorded rows"));
    }
    if ui.appended(session.append(&addition)?)?.is_none() {
        return Ok(Exit::No);
    }
    ui.result(&format!("withdrew `{}`", args.row))?;
    Ok(Exit::Yes)
}

pub(super) fn checkpoint(args: &Checkpoint, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let dir = LedgerDir::below(&common.root);
    let ledger = LedgerSnapshot::read(&common.root)?;
    let findings = super::views::check(&ledger, common, None)?;
    // A checkpoint of a ledger that is not in order would make the disorder official.
    let spoils = |finding: &Finding| {
        !matches!(finding.code, Code::HWeekly | Code::HBoard) && finding.decides()
    };
    if findings.iter().any(spoils) {
        ui.findings(&findings)?;
        return Ok(Exit::No);
    }
    let Ok(head) = crate::ledger::head(ledger.bytes()) else { return Ok(Exit::No) };
    if !args.dry_run {
        dir.append_checkpoint(&head.record(&typed_or_now(args.now.as_deref())?))?;
    }
    ui.out(head.text())?;
    Ok(Exit::Yes)
}
