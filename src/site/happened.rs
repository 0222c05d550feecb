//! What the ledger says happened, in words: for the page of changes and the feed.
//!
//! What a newcomer gets wrong: a ledger of thousands of runs has thousands of new bests. A reader
//! is told when another model takes the lead, and when one falls, recovers or leaves.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ledger::{Event, What, events};

use super::data::sha256;
use super::trends::Ledger;
use super::words;

/// How many are told, the latest; `v1/history.json` has them all.
pub(super) const TOLD: usize = 50;

/// One event.
#[derive(Debug, Serialize)]
pub(super) struct Happened {
    pub(super) stamp: String,
    pub(super) date: String,
    /// `regression`, `recovered`, `lead`, `retracted`, `withdrawn`.
    pub(super) kind: &'static str,
    pub(super) subject: String,
    /// Its page; empty if there is none.
    pub(super) slug: String,
    pub(super) text: String,
    /// The same for ever: a reader's program knows by it what it has shown.
    pub(super) id: String,
}

/// What happened, newest first, boards left out: they have their own entries.
pub(super) fn happened(ledger: &Ledger<'_>) -> Vec<Happened> {
    let mut leaders: BTreeMap<String, String> = BTreeMap::new();
    let events = events(ledger.history);
    let told = events.iter().filter_map(|event| tell(event, ledger, &mut leaders));
    let mut told: Vec<Happened> = told.collect();
    told.reverse();
    told.truncate(TOLD);
    told
}

fn tell(
    event: &Event,
    ledger: &Ledger<'_>,
    leaders: &mut BTreeMap<String, String>,
) -> Option<Happened> {
    let score = |run_id: &str| {
        let run = ledger.history.run(run_id)?;
        Some(ledger.score(run.aggregate_score?))
    };
    let with = |run_id: &str| score(run_id).map(|score| format!(" with {score}")).unwrap_or_default();
    let (kind, model, text) = match &event.what {
        What::Board { .. } => return None,
        What::RegressionOpened { model, run_id } => {
            let run = words::clean(run_id);
            ("regression", model, format!("fell{} (run {run})", with(run_id)))
        }
        What::RegressionResolved { model, run_id } => {
            let run = words::clean(run_id);
            ("recovered", model, format!("recovered{} (run {run})", with(run_id)))
        }
        What::NewBest { model, epoch, score, .. } => {
            let before = leaders.insert(epoch.clone(), model.clone());
            if before.as_ref() == Some(model) {
                return None;
            }
            let score = ledger.score(*score);
            let text = match before {
                Some(before) => {
                    format!("takes the lead from {} with {score}", ledger.name(&before))
                }
                None => format!("leads the first runs under {} with {score}", epoch_words(epoch)),
            };
            ("lead", model, text)
        }
        What::Retracted { run_id, reason } => {
            let model = &ledger.history.run(run_id)?.model;
            let (run, reason) = (words::clean(run_id), words::clean(reason));
            ("retracted", model, format!("run {run} was taken out: {reason}"))
        }
        What::Withdrawn { model, reason } => {
            ("withdrawn", model, format!("left the board: {}", words::clean(reason)))
        }
    };
    let fact = serde_json::to_vec(event).unwrap_or_default();
    Some(Happened {
        stamp: words::clean(&event.at),
        date: words::date(&event.at),
        kind,
        subject: ledger.name(model),
        slug: ledger.slug(model),
        text,
        id: sha256(&fact),
    })
}

/// `protocol 1`; the whole label where an epoch is more than its protocol.
pub(super) fn epoch_words(epoch: &str) -> String {
    match epoch.split_once('/') {
        Some(("", "")) | None => "no protocol".to_owned(),
        Some(("", weights)) => format!("weights {}", words::shorten(&words::clean(weights), 16)),
        Some((protocol, _)) => format!("protocol {}", words::shorten(&words::clean(protocol), 16)),
    }
}
