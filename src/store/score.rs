//! All seeds of a config, read and scored: bytes are held only while their row is made.

use rayon::prelude::*;

use super::Store;
use super::bundle::{replay_held_out, replay_lift, replay_public};
use crate::board::{self, Scored, SeedResult};
use crate::domain::Failure;
use crate::domain::config::Config;

/// Scores every seed, in the order of the config whatever the number of threads; `step` is called
/// after each.
pub fn score_all(
    root: &Store,
    held_out: Option<&Store>,
    config: &Config,
    tool_version: &str,
    step: impl Fn() + Sync,
) -> Vec<SeedResult> {
    let one = |index: usize| {
        let result = score_one(root, held_out, config, tool_version, index);
        step();
        match result {
            Ok(Some(scored)) => SeedResult::Scored(Box::new(scored)),
            Ok(None) => SeedResult::Absent,
            Err(failure) => SeedResult::Failed(failure),
        }
    };
    (0..config.seeds.len()).into_par_iter().map(one).collect()
}

fn score_one(
    root: &Store,
    held_out: Option<&Store>,
    config: &Config,
    tool_version: &str,
    index: usize,
) -> Result<Option<Scored>, Failure> {
    let seed = &config.seeds[index];
    let Some(public) = replay_public(root, config, seed)? else { return Ok(None) };
    let held_out = match held_out {
        Some(store) => replay_held_out(store, config, seed)?,
        None => None,
    };
    let lift = replay_lift(root, seed)?;
    Ok(Some(board::score(config, index, public, held_out, lift.as_ref(), tool_version)))
}
