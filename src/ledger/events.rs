//! What happened, as events a feed or a page of changes can tell, newest last.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::history::History;
use super::instant::Instant;
use super::run::Run;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// When, RFC 3339.
    pub at: String,
    /// What, with whom.
    pub what: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum EventKind {
    /// A board was published.
    Board {
        /// Which.
        serial: u64,
        /// Its hash.
        board_sha256: String,
        /// Its protocol version.
        protocol: String,
        /// How many rows it has.
        rows: u64,
    },
    /// A model fell.
    RegressionOpened {
        /// The model.
        model: String,
        /// The first flagged run.
        run_id: String,
    },
    /// A model recovered.
    RegressionResolved {
        /// The model.
        model: String,
        /// The first run without a flag.
        run_id: String,
    },
    /// A model beat every run of its epoch before it.
    NewBest {
        /// The model.
        model: String,
        /// The run.
        run_id: String,
        /// The epoch.
        epoch: String,
        /// The score.
        score: f64,
    },
    /// A run was taken out.
    Retracted {
        /// The run.
        run_id: String,
        /// Why.
        reason: String,
    },
    /// A row was taken off the board.
    Withdrawn {
        /// `provider:model`.
        model: String,
        /// Why.
        reason: String,
    },
}

/// Every event, in the order of time.
pub fn events(history: &History) -> Vec<Event> {
    let mut events = Vec::new();
    let mut in_regression: BTreeSet<&str> = BTreeSet::new();
    let mut best: BTreeMap<String, f64> = BTreeMap::new();
    for run in history.runs() {
        let mut tell = |what: EventKind| events.push(Event { at: run.run_at.clone(), what });
        let (model, run_id) = (run.model.clone(), run.run_id.clone());
        if run.regression_detected {
            if in_regression.insert(&run.model) {
                tell(EventKind::RegressionOpened { model: model.clone(), run_id: run_id.clone() });
            }
        } else if in_regression.remove(run.model.as_str()) {
            tell(EventKind::RegressionResolved { model: model.clone(), run_id: run_id.clone() });
        }
        let epoch = run.epoch();
        let before = best.get(&epoch).copied();
        if let Some(score) = run.aggregate_score
            && before.is_none_or(|best| score > best)
        {
            best.insert(epoch.clone(), score);
            tell(EventKind::NewBest { model, run_id, epoch, score });
        }
    }
    events.extend(history.boards().iter().map(|line| Event {
        at: line.recorded_at.clone(),
        what: EventKind::Board {
            serial: line.serial,
            board_sha256: line.board_sha256.clone(),
            protocol: line.protocol.clone(),
            rows: line.rows,
        },
    }));
    events.extend(history.retractions().map(|line| Event {
        at: line.recorded_at.clone(),
        what: EventKind::Retracted { run_id: line.run_id.clone(), reason: line.reason.clone() },
    }));
    events.extend(history.withdrawals().iter().map(|line| Event {
        at: line.recorded_at.clone(),
        what: EventKind::Withdrawn {
            model: format!("{}:{}", line.provider, line.model),
            reason: line.reason.clone(),
        },
    }));
    // Stable: what happens at one moment keeps the order above.
    events.sort_by_key(|event| Instant::parse(&event.at));
    events
}

/// Regressions: the run that opened each, and the one that resolved it.
pub fn episodes(history: &History) -> Vec<(&Run, Option<&Run>)> {
    let mut episodes: Vec<(&Run, Option<&Run>)> = Vec::new();
    for event in events(history) {
        match event.what {
            EventKind::RegressionOpened { run_id, .. } => {
                episodes.extend(history.run(&run_id).map(|run| (run, None)));
            }
            EventKind::RegressionResolved { run_id, model } => {
                let open =
                    |(run, end): &&mut (&Run, Option<&Run>)| run.model == model && end.is_none();
                if let Some(episode) = episodes.iter_mut().find(open) {
                    episode.1 = history.run(&run_id);
                }
            }
            _ => {}
        }
    }
    episodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Line;

    #[test]
    fn falls_recoveries_records_and_tombstones_are_told_in_time_order() {
        let lines = [
            r#"{"run_id":"a","run_at":"2026-05-04T12:00:00Z","model":"m","aggregate_score":0.8}"#,
            r#"{"run_id":"b","run_at":"2026-05-05T12:00:00Z","model":"m","aggregate_score":0.5,"regression_detected":true}"#,
            r#"{"run_id":"c","run_at":"2026-05-07T12:00:00Z","model":"m","aggregate_score":0.9}"#,
            r#"{"kind":"withdraw","model":"m","protocol":"1","provider":"p","reason":"asked","recorded_at":"2026-05-06T12:00:00Z"}"#,
        ];
        let lines = lines.map(|line| Line::read(line.as_bytes()).expect(line).0);
        let events = serde_json::to_value(events(&History::from_lines(lines).0)).expect("JSON");
        let kinds: Vec<&str> = events
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|event| event["what"]["kind"].as_str())
            .collect();
        assert_eq!(
            kinds,
            ["new_best", "regression_opened", "withdrawn", "regression_resolved", "new_best"]
        );
    }
}
