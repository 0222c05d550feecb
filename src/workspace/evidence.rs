//! What the committed bundles show about the rows of a board.

use rayon::prelude::*;

use crate::board::{Board, Row};
use crate::domain::Failure;
use crate::domain::config::Config;
use crate::facts::{LiftCounts, Replays, RowReplay};
use crate::fs::Store;
use crate::workspace::bundle::with_common_prompts;
use crate::workspace::{replay_lift, replay_public};

/// Replays the public and lift bundles of every row. A row without a seed or a bundle has no
/// evidence; what kept a bundle from being read comes back beside it.
pub fn evidence(root: &Store, config: &Config, board: &Board) -> (Replays, Vec<Failure>) {
    let seeds: std::collections::BTreeMap<String, &_> =
        config.seeds.iter().map(|seed| (seed.id(), seed)).collect();
    let bundles = config.seeds.iter().map(|seed| &seed.public_bundle);
    let rows: Vec<(RowReplay, Vec<Failure>)> = with_common_prompts(root, bundles, |common| {
        let replayed = |row: &Row| {
            let mut failures = Vec::new();
            let mut known = RowReplay::default();
            if let Some(seed) = seeds.get(&row.id()) {
                let mut keep = |failure| failures.push(failure);
                known.public =
                    replay_public(root, config, seed, common).unwrap_or_else(|failure| {
                        keep(failure);
                        None
                    });
                let lift = replay_lift(root, seed).unwrap_or_else(|failure| {
                    keep(failure);
                    None
                });
                known.lift = lift.as_ref().map(LiftCounts::from);
            }
            (known, failures)
        };
        board.entries.par_iter().map(replayed).collect()
    });
    let mut evidence = Replays::default();
    let mut failures = Vec::new();
    for (row, failed) in rows {
        evidence.rows.push(row);
        failures.extend(failed);
    }
    (evidence, failures)
}
