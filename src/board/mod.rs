//! The published artefact: its types, how it is built and ranked, its canonical bytes, and every
//! check that can be made of it. Takes values and gives values.
//!
//! The board holds only what replay produced. Whatever else is known (intervals, badges, per-prompt
//! outcomes) is derived when it is shown, never stored here.

mod audit;
mod build;
mod changes;
mod check;
mod copies;
mod eval_results;
mod gate;
mod model;
mod not_built_yet;
mod protocol;
mod ranking;
mod read;
mod rules;
mod schema;
mod seeds;
mod submission;
mod summary;
mod verification;
mod waivers;

pub use audit::{Audit, AuditInputs, AuditScope, NotCovered, audit};
pub use build::{SMALL_TIER, Scored, cells, score};
pub use changes::{Changes, Pair, RowChange, RowSummary, keep_headlines};
pub use check::{Candidate, Checked, TierScore, check, name_of, take_candidate, whole_name};
pub use copies::{Copied, copied};
pub use eval_results::{EvalResults, eval_results};
pub use gate::{Proposal, Terms, propose};
pub use model::{Board, Cell, HeldOut, Loop, PENDING, RANKING, Row, RowRun};
pub use not_built_yet::not_built_yet;
pub use ranking::assemble;
pub use read::read;
pub use rules::tier_position;
pub use schema::exempt;
pub use seeds::{SeedResult, SortedSeeds, sort_seeds};
pub use submission::{ConfigText, FileChange, Submission, submission};
pub use summary::{FailureSummary, Fix};
pub use verification::{Verification, Verified};
pub use waivers::{UsedWaiver, Waived, WaiverScope, waive, waived_seeds};
