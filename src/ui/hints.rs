//! Lines on how to fix something that more than one command prints.

/// Where a command needs recorded runs.
pub const RECORD_A_RUN: &str = "`gmat-leaderboard record run.json` records one";
/// Where a run id is not recorded.
pub const LIST_RUN_IDS: &str = "`gmat-leaderboard history --json` lists every run_id";
/// Where something was not searched for held-out texts.
pub const NO_HELD_OUT_SET: &str = "note: no held-out set at hand, so nothing was searched for \
     held-out texts; fetch it, or name it with --held-out";
