//! `record --notify`: which cards are due, and the same card again.

use super::ledger::Session;
use crate::cli::{Common, Record};
use crate::domain::{Exit, Failure};
use crate::ledger::{Batch, History, Instant, Rules, derive};
use crate::notify::{self, Post, Scale};
use crate::ui::Ui;

/// A run older than this is a backfill, and nobody is told.
const FRESH_SECONDS: i64 = 7 * 86_400;

/// The cards for the new runs of `batch`.
pub(super) fn due(batch: &Batch, session: &Session) -> Vec<Post> {
    let now = Instant::parse(&session.now);
    let inserted = batch.inserted().filter_map(|result| session.history.run(&result.run_id));
    inserted
        .filter(|run| now.is_none_or(|now| now.seconds_since(run.at) <= FRESH_SECONDS))
        .flat_map(|run| cards(&run.run_id, &session.history, session))
        .collect()
}

/// `--notify-only`: the card of a run that is recorded already.
pub(super) fn again(run_id: &str, args: &Record, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let session = Session::reading(common, args.now.as_deref())?;
    let posts = cards(run_id, &session.history, &session);
    if posts.is_empty() {
        return Err(Failure::unusable(format!(
            "no run `{run_id}` is recorded, or it was retracted"
        ))
        .help("`gmat-leaderboard history --json` lists every run_id"));
    }
    if args.dry_run {
        ui.posts(&posts)?;
        return Ok(Exit::Yes);
    }
    let told = notify::tell(&posts, args.slack_base.as_deref());
    ui.told(&posts, &told);
    let is_untold = told.iter().any(Result::is_err);
    Ok(if is_untold && args.require_notify { Exit::World } else { Exit::Yes })
}

fn cards(run_id: &str, history: &History, session: &Session) -> Vec<Post> {
    let Some(run) = history.run(run_id).filter(|_| history.retraction(run_id).is_none()) else {
        return Vec::new();
    };
    let Rules { score_scale, epsilon } = session.rules();
    let scale = Scale { score_scale, decimals: session.config.history.decimals, epsilon };
    let derived = derive(history, run, epsilon);
    notify::posts(run, &derived, &scale, session.config.slack_report_url.as_deref())
}
