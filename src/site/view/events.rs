//! What the ledger says happened, in words: for the page of changes and the feed.
//!
//! A ledger of thousands of runs has thousands of new bests. A page says when another model
//! takes the lead, and when one falls, recovers or leaves.

use std::cmp::Ordering;

use serde::Serialize;

use crate::domain::sha256;
use crate::ledger::{Event, EventKind, Instant, Run, events};
use crate::site::format;
use crate::site::trends::{Ledger, Trends};

/// How many are listed, the latest; `v1/history.json` has them all.
pub(crate) const TOLD: usize = 50;

/// One event.
#[derive(Debug, Serialize)]
pub(crate) struct EventLine {
    pub(crate) stamp: String,
    pub(crate) date: String,
    /// `regression`, `recovered`, `lead`, `retracted`, `withdrawn`.
    pub(crate) kind: &'static str,
    pub(crate) subject: String,
    /// Its page; empty if there is none.
    pub(crate) slug: String,
    pub(crate) text: String,
    /// It never changes: a feed reader knows by it what it has shown.
    pub(crate) id: String,
}

/// What happened, newest first, boards left out: they have their own entries.
pub(in crate::site) fn happened(
    ledger: &Ledger<'_>,
    trends: Option<&Trends<'_>>,
) -> Vec<EventLine> {
    let mut reported: Vec<EventLine> =
        events(ledger.history).iter().filter_map(|event| tell(event, ledger)).collect();
    reported.extend(trends.map(leads).unwrap_or_default());
    // Stable: what happens at one moment keeps the order above.
    reported.sort_by_key(|happened| Instant::parse(&happened.stamp));
    reported.reverse();
    reported.truncate(TOLD);
    reported
}

fn tell(event: &Event, ledger: &Ledger<'_>) -> Option<EventLine> {
    let (kind, model, text) = match &event.what {
        // A board has its own entry; a best is listed below, once a week.
        EventKind::Board { .. } | EventKind::NewBest { .. } => return None,
        EventKind::RegressionOpened { model, run_id } => {
            let text = format!("{}, flagged as a regression", scores(ledger, run_id));
            ("regression", model, text)
        }
        EventKind::RegressionResolved { model, run_id } => {
            let text = format!("{} and is not flagged any more", scores(ledger, run_id));
            ("recovered", model, text)
        }
        EventKind::Retracted { run_id, reason } => {
            let model = &ledger.history.run(run_id)?.model;
            ("retracted", model, format!("had a run retracted: {}", format::clean(reason)))
        }
        EventKind::Withdrawn { model, reason } => {
            ("withdrawn", model, format!("left the board: {}", format::clean(reason)))
        }
    };
    let fact = serde_json::to_vec(event).unwrap_or_default();
    Some(EventLine::new(ledger, &event.at, kind, model, text, &fact))
}

/// `fell from 47% to 32%`. The flag may come from the runner, so the score need not have dropped.
fn scores(ledger: &Ledger<'_>, run_id: &str) -> String {
    let run = ledger.history.run(run_id);
    let scored = |run: &&Run| run.aggregate_score.is_some();
    let before = run.and_then(|run| ledger.history.before_in_epoch(run).find(scored));
    let now = run.filter(scored);
    let words = |run: Option<&Run>| run.and_then(|run| ledger.score_of(run)).unwrap_or_default();
    match (before, now) {
        (Some(then), Some(run)) => {
            let way = match run.aggregate_score.partial_cmp(&then.aggregate_score) {
                Some(Ordering::Less) => "fell",
                Some(Ordering::Greater) => "rose",
                _ => "stayed",
            };
            match way {
                "stayed" => format!("stayed at {}", words(now)),
                way => format!("{way} from {} to {}", words(before), words(now)),
            }
        }
        (None, Some(_)) => format!("scored {}", words(now)),
        _ => "has no score".to_owned(),
    }
}

/// Where another model has the best score of an epoch than the week before.
fn leads(trends: &Trends<'_>) -> Vec<EventLine> {
    let ledger = &trends.ledger;
    let mut reported = Vec::new();
    for (at, best) in trends.bests.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &trends.bests[at]);
        let before = before.filter(|before| before.epoch == best.epoch);
        let score = ledger.score(best.score);
        let text = match before {
            Some(before) if before.run.model == best.run.model => continue,
            Some(before) => {
                format!("takes the lead from {} with {score}", ledger.name(&before.run.model))
            }
            None if best.epoch == "/" => format!("leads the first week with {score}"),
            None => format!("leads the first week under {} with {score}", epoch_words(&best.epoch)),
        };
        let fact = format!("lead\n{}", best.run.run_id);
        let model = &best.run.model;
        reported.push(EventLine::new(
            ledger,
            &best.run.run_at,
            "lead",
            model,
            text,
            fact.as_bytes(),
        ));
    }
    reported
}

impl EventLine {
    fn new(
        ledger: &Ledger<'_>,
        at: &str,
        kind: &'static str,
        model: &str,
        text: String,
        fact: &[u8],
    ) -> Self {
        Self {
            stamp: format::clean(at),
            date: format::date(at),
            kind,
            subject: ledger.name(model),
            slug: ledger.slug(model),
            text,
            id: sha256(fact),
        }
    }
}

/// `protocol 1`; the whole label where an epoch is more than its protocol.
pub(crate) fn epoch_words(epoch: &str) -> String {
    match epoch.split_once('/') {
        Some(("", "")) | None => "no protocol".to_owned(),
        Some(("", weights)) => format!("weights {}", format::truncate(&format::clean(weights), 16)),
        Some((protocol, _)) => {
            format!("protocol {}", format::truncate(&format::clean(protocol), 16))
        }
    }
}
