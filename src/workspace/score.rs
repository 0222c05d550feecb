//! All seeds of a config, read and scored: bytes are held only while their row is made.

use rayon::prelude::*;

use crate::board::{self, Scored, SeedResult};
use crate::domain::Failure;
use crate::domain::config::Config;
use crate::fs::Store;
use crate::replay::PromptSet;
use crate::workspace::bundle::with_common_prompts;
use crate::workspace::{replay_held_out, replay_lift, replay_public};

/// Scores every seed, in the order of the config whatever the number of threads; `step` is called
/// after each.
pub fn score_all(
    root: &Store,
    held_out: Option<&Store>,
    config: &Config,
    step: impl Fn() + Sync,
) -> Vec<SeedResult> {
    let score = |root: Source<'_>, held_out: Option<Source<'_>>| {
        let one = |index: usize| {
            let result = score_one(root, held_out, config, index);
            step();
            match result {
                Ok(Some(scored)) => SeedResult::Scored(scored),
                Ok(None) => SeedResult::Absent,
                Err(failure) => SeedResult::Failed(failure),
            }
        };
        (0..config.seeds.len()).into_par_iter().map(one).collect()
    };
    let public = config.seeds.iter().map(|seed| &seed.public_bundle);
    with_common_prompts(root, public, |common| {
        let public = Source { store: root, common };
        let Some(store) = held_out else { return score(public, None) };
        let secret = config.seeds.iter().filter_map(|seed| seed.held_out_bundle.as_ref());
        with_common_prompts(store, secret, |common| score(public, Some(Source { store, common })))
    })
}

/// Where bundles are, and the prompts that most of them have.
#[derive(Debug, Clone, Copy)]
struct Source<'a> {
    store: &'a Store,
    common: Option<&'a PromptSet<'a>>,
}

fn score_one(
    root: Source<'_>,
    held_out: Option<Source<'_>>,
    config: &Config,
    index: usize,
) -> Result<Option<Scored>, Failure> {
    let seed = &config.seeds[index];
    let Some(public) = replay_public(root.store, config, seed, root.common)? else {
        return Ok(None);
    };
    let held_out = match held_out {
        Some(source) => replay_held_out(source.store, config, seed, source.common)?,
        None => None,
    };
    let lift = replay_lift(root.store, seed)?;
    Ok(Some(board::score(config, index, &public, held_out.as_ref(), lift.as_ref())))
}
