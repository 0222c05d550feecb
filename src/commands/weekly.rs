//! `weekly`: a week by model, or all weeks.

use crate::cli::{Common, Weekly};
use crate::domain::config::WebhookKind;
use crate::domain::{Exit, Failure};
use crate::facts::{self, WeekReport};
use crate::ledger::{self, Week};
use crate::notify::{self, Channel, Post, Scale};
use crate::ui::{Ui, hints};
use crate::workspace::LedgerSession;
use crate::{fs, ui};

pub(super) fn run(args: &Weekly, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut session = LedgerSession::reading(common.place(), None)?;
    session.choose_epoch(args.epoch.as_deref())?;
    let weeks = facts::week_reports(&session.history, session.rules());
    if args.write {
        let path = session.dir.path("weekly.json");
        fs::write(&path, &ledger::weekly_bytes(&session.history))?;
        ui.result(&format!("wrote {} week(s) to {}", weeks.len(), path.display()))?;
        if args.week.is_none() && !args.all {
            return Ok(Exit::Yes);
        }
    }
    if args.all && !weeks.is_empty() {
        ui.weeks(&weeks, &session.config.history, args.markdown, common.json)?;
        return Ok(Exit::Yes);
    }
    let week = match &args.week {
        Some(text) => Some(find(text, &weeks)?),
        None => weeks.last(),
    };
    let week = week.ok_or_else(|| {
        Failure::unusable("no run is recorded")
            .at(session.dir.path("history.jsonl").display().to_string())
            .help(hints::RECORD_A_RUN)
    })?;
    if args.slack || args.notify {
        return digest(week, args, &session, ui);
    }
    let shape = match () {
        () if common.json => ui::WeekShape::Json,
        () if args.markdown => ui::WeekShape::Markdown,
        () => ui::WeekShape::Text,
    };
    ui.week(week, &session.config.history, shape)?;
    Ok(Exit::Yes)
}

/// The week as a Slack message: printed, or posted.
fn digest(
    week: &WeekReport,
    args: &Weekly,
    session: &LedgerSession,
    ui: Ui,
) -> Result<Exit, Failure> {
    let scale = Scale {
        score_scale: session.rules().score_scale,
        decimals: session.config.history.card_decimals,
        epsilon: session.rules().epsilon,
    };
    let report_url = session.config.slack_report_url.as_deref();
    let payload = |kind| notify::digest(kind, week, &scale, report_url);
    if args.slack {
        ui.json(&payload(WebhookKind::Slack))?;
        return Ok(Exit::Yes);
    }
    let label = week.summary.week.to_string();
    let channels = Channel::all(&session.config.webhooks);
    let posts: Vec<Post> = channels
        .into_iter()
        .filter(|channel| !channel.only_regressions)
        .map(|channel| Post { run_id: label.clone(), payload: payload(channel.kind), channel })
        .collect();
    let delivered = notify::send_all(&posts, args.slack_base.as_deref());
    for (Post { channel, .. }, delivered) in posts.iter().zip(&delivered) {
        let Channel { name, variable, .. } = channel;
        match delivered {
            Ok(()) => ui.result(&format!("posted {label} to the {name} channel"))?,
            Err(why) => {
                ui.note(&format!("warning: could not post {label} to the {name} channel: {why}"));
                ui.note(&format!("help: check {variable}, then try again"));
            }
        }
    }
    Ok(if delivered.iter().all(Result::is_ok) { Exit::Yes } else { Exit::World })
}

fn find<'w>(text: &str, weeks: &'w [WeekReport]) -> Result<&'w WeekReport, Failure> {
    let week = Week::parse(text).ok_or_else(|| {
        Failure::unusable(format!("`{text}` is not a week"))
            .help("a week is named by its ISO year and number, such as 2026-W20")
    })?;
    weeks.iter().find(|report| report.summary.week == week).ok_or_else(|| {
        let failure = Failure::unusable(format!("no run is recorded in {week}"));
        match (weeks.first(), weeks.last()) {
            (Some(first), Some(last)) => failure.help(format!(
                "runs are recorded from {} to {}",
                first.summary.week, last.summary.week
            )),
            _ => failure.help(hints::RECORD_A_RUN),
        }
    })
}
