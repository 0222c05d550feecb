//! What happened, in one append-only file: its lines, the tree that pins them, and everything
//! derived from them. Takes values and gives values; the clock is an argument.
//!
//! Nothing derived is ever stored as truth. Deltas, trends and weeks are functions of the set of
//! lines, the same for every order of the file.

mod as_table;
mod audit;
mod breakdown;
mod check;
mod checkpoint;
mod events;
mod fields;
mod held_out_log;
mod history;
mod instant;
mod ledger_and_boards;
mod line;
mod merkle;
mod pack_run;
mod recalibrate;
mod record;
mod rejection;
mod report;
mod run;
mod score_change;
mod series;
mod sql;
mod weeks;

pub use as_table::add_runs;
pub use audit::{Anchored, Tampering, audit, head, split_lines};
pub use breakdown::{Part, PartKind, TradeOff, breakdown, trade_off};
pub use check::{LedgerBytes, ParsedLedger, anchored, check, read, read_counted, weekly_bytes};
pub use checkpoint::{Checkpoint, ORIGIN};
pub use events::{Event, EventKind, episodes, events};
pub use fields::nearest_key;
pub use held_out_log::{Attempt, Commit, Exposure, Reveal};
pub use history::{History, Misplaced};
pub use instant::{Instant, Week, parse_day};
pub use ledger_and_boards::{BoardToVerify, LedgerAndBoards};
pub use line::{BoardLine, Line, LineError, Rescore, Retraction, Withdraw};
pub use merkle::{Frontier, Hash};
pub use pack_run::PackRun;
pub use recalibrate::{Recalibration, Skipped, Weights, recalibrate};
pub use record::{
    Batch, Inserted, Limit, RecordAnswer, RecordOptions, RecordOutcome, Rules, insert,
    insert_record, is_regression, not_live, read_records, record, record_counted, row_id,
};
pub use rejection::Rejection;
pub use report::{PartsReport, RunReport, is_backfill};
pub use run::{Difference, Reading, Run, RunKind};
pub(crate) use score_change::overlap;
pub use score_change::{Change, NoChange, Span, change};
pub use series::{Derived, NoDelta, NoTrend, Trend, WINDOW, default_epsilon, derive, derive_all};
pub use sql::{Dialect, SqlContents, sql};
pub use weeks::{WeekSummary, changed_weeks, open_regressions, weeks};

pub use crate::import::result_file::Hashes;
