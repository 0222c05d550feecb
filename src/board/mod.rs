//! The published artefact: its types, how it is built and ranked, its canonical bytes, and every
//! check that can be made of it. Takes values and gives values.
//!
//! What a newcomer gets wrong: the board holds only what replay produced. Whatever else is known
//! (intervals, badges, per-prompt outcomes) is derived when it is shown, never stored here.

mod audit;
mod build;
mod change;
mod differ;
mod entry;
mod evidence;
mod form;
mod gather;
mod model;
mod named;
mod order;
mod propose;
mod protocol;
mod ranking;
mod read;
mod schema;
mod sets;
mod submission;
mod tokens;
mod twins;
mod waiting;
mod waive;

pub use audit::{Against, Audit, Scope, audit};
pub use build::{SMALL_TIER, Scored, score};
pub use change::{Changes, Pair, RowChange, Standing, keep_headlines};
pub use entry::{Candidate, Checked, TierScore, check, entrant, name_of, whole_name};
pub use evidence::{Evidence, LiftCounts, RowEvidence};
pub use gather::{Gathered, SeedResult, gather};
pub use model::{Board, Cell, HeldOut, Loop, PENDING, RANKING, Row, Run};
pub use order::{Order, Place};
pub use propose::{Proposal, Terms, propose};
pub use protocol::Ground;
pub use ranking::{Ranking, assemble};
pub use read::read;
pub use schema::exempt;
pub use submission::{ConfigText, FileChange, submission};
pub use twins::{Copied, copied};
pub use waiting::not_built_yet;
pub use waive::{Reach, Used, Waived, waive};
