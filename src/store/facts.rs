//! What the bundles say about the rows of a board, beyond the board.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Store;
use super::bundle::replay_public;
use crate::board::{Board, Row};
use crate::domain::config::{Config, Seed};
use crate::domain::{Failure, Rate};
use crate::ledger::{ReplayCheck, RowFacts};
use crate::replay::{Outcome, Replay};

/// The facts of every row whose bundle is there, by `provider:model`.
pub fn row_facts(
    store: &Store,
    config: &Config,
    board: &Board,
) -> Result<BTreeMap<String, RowFacts>, Failure> {
    let rows: BTreeMap<String, &Row> = board.entries.iter().map(|row| (row.id(), row)).collect();
    let one = |seed: &Seed| -> Result<Option<(String, RowFacts)>, Failure> {
        let Some(row) = rows.get(&seed.id()) else { return Ok(None) };
        let replay = replay_public(store, config, seed)?;
        Ok(replay.map(|replay| (seed.id(), facts(row, &replay))))
    };
    let facts: Vec<Result<Option<(String, RowFacts)>, Failure>> =
        config.seeds.par_iter().map(one).collect();
    facts.into_iter().filter_map(Result::transpose).collect()
}

fn facts(row: &Row, replay: &Replay) -> RowFacts {
    let is_structural = |outcome: &&Outcome| outcome.failures.is_empty();
    let structural = replay.outcomes.iter().filter(is_structural).count();
    let matches =
        row.run.recorded_bundle_sha16 == replay.sha16() && row.public.pass_rate == replay.rate();
    RowFacts {
        bundle_sha256: replay.sha256.clone(),
        prompts_sha256: replay.prompts_sha256.clone(),
        structural: Some(Rate::of(structural, replay.outcomes.len())),
        replay: if matches { ReplayCheck::Match } else { ReplayCheck::Mismatch },
    }
}
