//! The answers of other programs, reproduced to the byte, behind `--compat PROGRAM`.
//!
//! - [`rlm_code`]: the run leaderboard of rlm-code: its pages, exports, trends and statistics.
//! - [`autojudge`]: three generations of one judge program (autojudge-base, the published design,
//!   autojudge-evaluate): how each loads, filters, writes and correlates files of cells.
//!
//! The quirks in here are those programs' own and are held by the conformance cases; the rest of
//! the crate does not depend on them. If you are new to the code, you can ignore this module.

pub mod autojudge;
pub mod rlm_code;
