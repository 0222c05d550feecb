//! Bundle bytes in, outcomes out: scoring with no model, no judge and no network.
//!
//! Takes bytes and gives values; where the bytes come from is not known here. What a newcomer
//! gets wrong: nothing recorded is repaired. A missing vote list, an odd usage key or a completion
//! without a prompt is told, never guessed around.

mod outcome;

pub use outcome::{Outcome, Replay};
