//! What is shown of a recorded run: the run, what follows from the runs before it, and its parts.

use serde::Serialize;

use super::breakdown::{Part, TradeOff, breakdown, trade_off};
use super::history::History;
use super::instant::Instant;
use super::record::row_id;
use super::run::Run;
use super::series::{Derived, derive};

/// A run recorded more than this after it was made is a backfill.
const BACKFILL_SECONDS: i64 = 7 * 86_400;

/// Whether `run`, recorded at that moment, was made more than a week before.
pub fn is_backfill(run: &Run, recorded: Instant) -> bool {
    recorded.seconds_since(run.at) > BACKFILL_SECONDS
}

/// A run in its series.
#[derive(Debug, Serialize)]
pub struct RunReport<'h> {
    /// What `record` answers and `id` of the table in a database.
    pub leaderboard_row_id: String,
    /// The run.
    pub run: &'h Run,
    /// What follows from the runs before it.
    pub derived: Derived,
    /// Parts that rose while others fell.
    pub trade_off: Option<TradeOff>,
    /// Whether it was recorded more than a week after it was made.
    pub backfilled: bool,
}

impl<'h> RunReport<'h> {
    /// Derives the report of `run`; changes up to `epsilon` do not count.
    pub fn new(history: &History, run: &'h Run, epsilon: f64) -> Self {
        let recorded = run.recorded_at.as_deref().and_then(Instant::parse);
        Self {
            leaderboard_row_id: row_id(&run.run_id),
            run,
            derived: derive(history, run, epsilon),
            trade_off: trade_off(history, run, epsilon),
            backfilled: recorded.is_some_and(|recorded| is_backfill(run, recorded)),
        }
    }
}

/// The parts of a run's score.
#[derive(Debug, Serialize)]
pub struct PartsReport<'h> {
    /// The model.
    pub model: &'h str,
    /// The run.
    pub run_id: &'h str,
    /// When it was made, as recorded.
    pub run_at: &'h str,
    /// Datasets and rubrics.
    pub parts: Vec<Part>,
    /// Parts that rose while others fell.
    pub trade_off: Option<TradeOff>,
    /// When it was made.
    #[serde(skip)]
    pub at: Instant,
}

impl<'h> PartsReport<'h> {
    /// Derives the report of `run`; the part called `primary` comes first.
    pub fn new(history: &History, run: &'h Run, epsilon: f64, primary: Option<&str>) -> Self {
        Self {
            model: &run.model,
            run_id: &run.run_id,
            run_at: &run.run_at,
            parts: breakdown(history, run, epsilon, primary),
            trade_off: trade_off(history, run, epsilon),
            at: run.at,
        }
    }
}
