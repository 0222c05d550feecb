//! `history recalibrate`, `retract`, `withdraw` and `checkpoint`: lines beside the runs.

use super::ledger::{Session, moment};
use crate::cli::{Checkpoint, Common, Recalibrate, Retract, Withdraw};
use crate::domain::{Code, Exit, Failure, Finding};
use crate::ledger::{self, Line, Retraction, Weights};
use crate::store::{self, Addition, LedgerDir, OWN_FILE_LIMIT};
use crate::ui::Ui;

pub(super) fn recalibrate(args: &Recalibrate, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let bytes = store::read_typed(&args.weights, OWN_FILE_LIMIT)?;
    let weights = Weights::parse(&bytes, &args.weights.display().to_string())?;
    let now = args.now.as_deref();
    let mut session = if args.dry_run {
        Session::reading(common, now)?
    } else {
        Session::writing(common, now, false, ui)?
    };
    let done = ledger::recalibrate(
        &session.history,
        &weights,
        &args.reason,
        &session.now,
        session.rules().score_scale,
    );
    let lines: Vec<u8> = done.lines.iter().filter_map(Line::bytes).flatten().collect();
    if session.append(&Addition { lines: &lines, boards: &[] }, ui)? != Exit::Yes {
        return Ok(Exit::No);
    }
    ui.recalibrated(&done, &session.config.history, args.dry_run, common.json)?;
    Ok(Exit::Yes)
}

pub(super) fn retract(args: &Retract, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut session = Session::writing(common, args.now.as_deref(), false, ui)?;
    if session.history.run(&args.run_id).is_none() {
        return Err(Failure::unusable(format!("no run `{}` is recorded", args.run_id))
            .help("`gmat-leaderboard history --json` lists every run_id"));
    }
    if session.history.retraction(&args.run_id).is_some() {
        ui.say(&format!("`{}` is retracted already", args.run_id));
        return Ok(Exit::Yes);
    }
    let line = Line::Retraction(Retraction {
        kind: "retraction",
        reason: args.reason.clone(),
        recorded_at: session.now.clone(),
        run_id: args.run_id.clone(),
    });
    let lines = line.bytes().unwrap_or_default();
    if session.append(&Addition { lines: &lines, boards: &[] }, ui)? != Exit::Yes {
        return Ok(Exit::No);
    }
    ui.say(&format!("retracted `{}`; its line stays", args.run_id));
    Ok(Exit::Yes)
}

pub(super) fn withdraw(args: &Withdraw, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let (provider, model) = args
        .row
        .split_once(':')
        .ok_or_else(|| Failure::unusable(format!("`{}` is not provider:model", args.row)))?;
    let mut session = Session::writing(common, args.now.as_deref(), false, ui)?;
    let line = Line::Withdraw(ledger::Withdraw {
        kind: "withdraw",
        model: model.to_owned(),
        protocol: session.config.eval_protocol_version.clone(),
        provider: provider.to_owned(),
        reason: args.reason.clone(),
        recorded_at: session.now.clone(),
    });
    let lines = line.bytes().unwrap_or_default();
    if session.append(&Addition { lines: &lines, boards: &[] }, ui)? != Exit::Yes {
        return Ok(Exit::No);
    }
    ui.say(&format!("withdrew `{}`", args.row));
    Ok(Exit::Yes)
}

pub(super) fn checkpoint(args: &Checkpoint, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let dir = LedgerDir::below(&common.root);
    let findings = super::history_views::check(common, None)?;
    // A checkpoint of a ledger that is not in order would make the disorder official.
    let spoils = |finding: &Finding| {
        !matches!(finding.code, Code::HWeekly | Code::HBoard) && finding.decides()
    };
    if findings.iter().any(spoils) {
        ui.findings(&findings);
        return Ok(Exit::No);
    }
    let Ok(head) = ledger::head(&dir.history()?) else { return Ok(Exit::No) };
    if !args.dry_run {
        dir.append_checkpoint(&head.record(&moment(args.now.as_deref())?))?;
    }
    ui.out(head.text())?;
    Ok(Exit::Yes)
}
