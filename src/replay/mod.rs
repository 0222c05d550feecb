//! Scores a recorded bundle: answers and votes were recorded earlier, so no model, judge or network is needed.
//!
//! Pure: takes bytes, not paths.
//! Recordings are never repaired. Missing votes, unusual usage keys and completions
//! without a prompt are reported.

mod bundle;
mod completions;
mod examine;
mod extract;
mod freeze;
mod judge_injection;
mod lift;
mod outcome;
mod prompt_set;
mod prompts;
mod public_texts;
mod recording;
mod redact;
mod run_file;
mod score;
mod secrets;
mod spoken_vote;
mod structural;
mod usage;
mod votes;

pub(crate) use bundle::replay_counts;
pub use bundle::{Asked, BundleFiles, absent_file, replay, replay_parsed};
pub use completions::{recorded_models, request_digest};
pub(crate) use examine::reasons;
pub use examine::{Examined, Failing, ParsedBundle, Reason, examine, structural_reasons};
pub use extract::{extract, extract_all};
pub use freeze::{Frozen, Recording, flatten, freeze};
pub use judge_injection::{speaks_to_judge, without_comments};
pub use lift::{Draft, Lift, LiftCounts, LiftFiles, LiftRow, StopReason, lift};
#[cfg(test)]
pub(crate) use outcome::Totals;
pub use outcome::{PromptOutcome, Replay};
pub use prompt_set::{PromptSet, with_prompts};
pub use prompts::{Prompt, Spec, read_prompts};
pub use public_texts::{PromptText, prompt_texts, scripts};
pub use run_file::RunFile;
pub use secrets::{Secret, SecretFiles, secrets};
pub use spoken_vote::spoken_vote;
pub use structural::{REASONS, failures};
pub use votes::{Votes, accept_all, majority};
