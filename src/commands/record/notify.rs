//! `record --notify`: which cards are due, which still wait, and sending them.

use crate::cli::{Common, Record};
use crate::domain::{Exit, Failure};
use crate::ledger::{self, Batch, Instant, Rules, derive};
use crate::notify::{self, Channel, Post, Scale, Unsent};
use crate::ui::{Ui, hints};
use crate::workspace::LedgerSession;

/// The cards that could not be sent, below the ledger's cache.
const UNSENT: &str = "unsent.jsonl";

/// What sending did.
#[derive(Default)]
pub(super) struct Sent {
    pub(super) posts: Vec<Post>,
    /// For each post, why it was not sent.
    pub(super) delivered: Vec<Result<(), String>>,
    /// What waits now.
    pub(super) remaining: Vec<Unsent>,
}

/// The cards that wait from earlier calls.
pub(super) fn waiting(session: &LedgerSession) -> Result<Vec<Unsent>, Failure> {
    let bytes = session.dir.optional(&format!(".cache/{UNSENT}"))?.unwrap_or_default();
    notify::read_unsent(&bytes).map_err(|line| {
        let path = session.dir.path(".cache").join(UNSENT);
        Failure::unusable("not an unsent card")
            .at(format!("{}, line {line}", path.display()))
            .help("the file lists unsent cards, one JSON object per line; remove the line, or delete the file to forget them all")
    })
}

/// The cards for the new runs of `batch`; none for a backfill.
pub(super) fn due(batch: &Batch, session: &LedgerSession) -> Vec<Post> {
    let now = Instant::parse(&session.now);
    let inserted = batch.inserted().filter_map(|result| session.history.run(&result.run_id));
    inserted
        .filter(|run| now.is_none_or(|now| !ledger::is_backfill(run, now)))
        .flat_map(|run| cards(&run.run_id, session).unwrap_or_default())
        .collect()
}

/// Sends the cards in `waiting`, then `due`; what is not taken waits for the next call. The list is
/// written before the first card goes out, so a killed call loses none.
pub(super) fn send(
    waiting: Vec<Unsent>,
    due: Vec<Post>,
    session: &LedgerSession,
    args: &Record,
    ui: Ui,
) -> Result<Sent, Failure> {
    let mut posts: Vec<Post> = Vec::new();
    let drop = |unsent: &Unsent, why: &str| {
        ui.note(&format!("note: dropped the card about `{}`: {why}", unsent.run_id));
    };
    for unsent in &waiting {
        match cards(&unsent.run_id, session) {
            Ok(cards) => match cards.into_iter().find(|it| it.channel.name == unsent.channel) {
                Some(card) => posts.push(card),
                None => drop(unsent, &format!("there is no channel `{}` any more", unsent.channel)),
            },
            Err(why) => drop(unsent, &why),
        }
    }
    for post in due {
        let is_same =
            |other: &Post| (&other.run_id, &other.channel) == (&post.run_id, &post.channel);
        if !posts.iter().any(is_same) {
            posts.push(post);
        }
    }
    if args.dry_run {
        let delivered = posts.iter().map(|_| Err("dry run".to_owned())).collect();
        return Ok(Sent { posts, delivered, remaining: waiting });
    }
    let unsent = |post: &Post| {
        let mut known = waiting.iter().filter(|old| old.run_id == post.run_id);
        known.find(|old| old.channel == post.channel.name).cloned().unwrap_or_else(|| Unsent {
            channel: post.channel.name.clone(),
            run_id: post.run_id.clone(),
            since: session.now.clone(),
        })
    };
    keep(&posts.iter().map(unsent).collect::<Vec<_>>(), session)?;
    let delivered = notify::send_all(&posts, args.slack_base.as_deref());
    let failed = posts.iter().zip(&delivered).filter(|(_, delivered)| delivered.is_err());
    let remaining: Vec<Unsent> = failed.map(|(post, _)| unsent(post)).collect();
    keep(&remaining, session)?;
    Ok(Sent { posts, delivered, remaining })
}

fn keep(unsent: &[Unsent], session: &LedgerSession) -> Result<(), Failure> {
    let bytes = notify::unsent_bytes(unsent);
    Ok(session.dir.set_cache(UNSENT, (!bytes.is_empty()).then_some(&bytes))?)
}

/// `--notify-only`: the card of a run that is recorded already; without one, all that wait.
pub(super) fn only(run_id: &str, args: &Record, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    // Opened for writing, so that two calls do not send the same card.
    let session = if args.dry_run {
        LedgerSession::reading(common.place(), args.now.as_deref())?
    } else {
        LedgerSession::writing(common.place(), args.now.as_deref())?
    };
    let waiting = waiting(&session)?;
    let (named, others) = if run_id.is_empty() {
        (Vec::new(), Vec::new())
    } else {
        let named = cards(run_id, &session).map_err(|why| {
            Failure::unusable(format!("no card for `{run_id}`: {why}")).help(hints::LIST_RUN_IDS)
        })?;
        (named, waiting.iter().filter(|unsent| unsent.run_id != run_id).cloned().collect())
    };
    let waiting = if run_id.is_empty() { waiting } else { Vec::new() };
    let mut sent = send(waiting, named, &session, args, ui)?;
    if args.dry_run {
        ui.posts(&sent.posts)?;
        return Ok(Exit::Yes);
    }
    if !others.is_empty() {
        sent.remaining.extend(others);
        keep(&sent.remaining, &session)?;
    }
    if sent.posts.is_empty() {
        ui.result("there are no unsent cards")?;
    }
    ui.delivered(&sent.posts, &sent.delivered)?;
    Ok(if args.require_notify && !sent.remaining.is_empty() { Exit::World } else { Exit::Yes })
}

/// The cards about a run, or why there are none.
fn cards(run_id: &str, session: &LedgerSession) -> Result<Vec<Post>, String> {
    let history = &session.history;
    let run = history.run(run_id).ok_or("it is not recorded")?;
    if let Some(why) = ledger::not_live(history, run_id) {
        return Err(why);
    }
    let Rules { score_scale, epsilon } = session.rules();
    let scale = Scale { score_scale, decimals: session.config.history.card_decimals, epsilon };
    let derived = derive(history, run, epsilon);
    let channels = Channel::all(&session.config.webhooks);
    let report_url = session.config.slack_report_url.as_deref();
    Ok(notify::posts(run, &derived, &scale, report_url, &channels))
}
