//! The bundles that the config names, each replayed once.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::board::{self, Board, Scored, SeedResult};
use crate::domain::Failure;
use crate::domain::config::{Config, Seed};
use crate::facts::{Replays, RowReplay};
use crate::fs::{OWN_FILE_LIMIT, Store, StoreError};
use crate::replay::{self, BundleFiles, Lift, LiftFiles, PromptSet, Replay, RunFile};
use crate::workspace::bundle::{
    keep_bundle, keep_lift, lift_files, replay_held_out, static_bundle, with_common_prompts,
};

/// What stays in memory of the public bundles once they are replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayDetail {
    /// The counts, which are all that a board needs.
    Counts,
    /// The outcome of each prompt too, for a table with a line for each.
    Outcomes,
    /// The files too, for pages that show the answers in them.
    Files,
}

/// The replays of every seed, in the order of the config.
#[derive(Debug)]
pub struct SeedReplays {
    seeds: Vec<SeedReplay>,
}

/// The replays of one seed; `None` where it has no such bundle or it is not at hand.
#[derive(Debug)]
struct SeedReplay {
    public: Result<Option<Replay>, Failure>,
    /// The files of the public bundle, if they are kept.
    files: Option<BundleFiles>,
    /// What run.json beside the public bundle says.
    run: Option<RunFile>,
    held_out: Result<Option<Replay>, Failure>,
    lift: Result<Option<Lift>, Failure>,
    /// The files of the lift bundle, if they are kept.
    lift_files: Option<LiftFiles>,
}

impl SeedReplays {
    /// Replays the bundles of all seeds of `config`; `step` is called after each seed. With
    /// `keep_in_store`, `root` keeps their files for those who read them next.
    pub fn replay(
        root: &Store,
        held_out: Option<&Store>,
        config: &Config,
        kept: ReplayDetail,
        keep_in_store: bool,
        step: impl Fn() + Sync,
    ) -> Self {
        let replay = |root: Source<'_>, held_out: Option<Source<'_>>| {
            let one = |seed: &Seed| {
                let replay = SeedReplay::replay(root, held_out, config, seed, kept, keep_in_store);
                step();
                replay
            };
            Self { seeds: config.seeds.par_iter().map(one).collect() }
        };
        let public = config.seeds.iter().map(|seed| &seed.public_bundle);
        with_common_prompts(root, public, |common| {
            let public = Source { store: root, common };
            let Some(store) = held_out else { return replay(public, None) };
            let secret = config.seeds.iter().filter_map(|seed| seed.held_out_bundle.as_ref());
            with_common_prompts(store, secret, |common| {
                replay(public, Some(Source { store, common }))
            })
        })
    }

    /// What each seed scores under `config`, which must be the one that was replayed.
    pub fn scored(&self, config: &Config) -> Vec<SeedResult> {
        let result = |(index, seed): (usize, &SeedReplay)| match seed.scored(config, index) {
            Ok(Some(scored)) => SeedResult::Scored(scored),
            Ok(None) => SeedResult::Absent,
            Err(failure) => SeedResult::Failed(failure.clone()),
        };
        self.seeds.iter().enumerate().map(result).collect()
    }

    /// What the public and lift bundles show about the rows of `board`, and what kept a bundle from
    /// being read. A row without a seed or a bundle has nothing.
    pub fn of_rows<'r>(&'r self, config: &'r Config, board: &Board) -> (Replays<'r>, Vec<Failure>) {
        let seeds: BTreeMap<String, (&Seed, &SeedReplay)> =
            config.seeds.iter().zip(&self.seeds).map(|both| (both.0.id(), both)).collect();
        let (mut replays, mut failures) = (Replays::default(), Vec::new());
        for row in &board.entries {
            let mut known = RowReplay::default();
            if let Some((asked, seed)) = seeds.get(&row.id()) {
                known.files = seed.files.as_ref().map(|files| (files, config.asked(asked)));
                known.run = seed.run.as_ref();
                known.public = seed.public.as_ref().ok().and_then(Option::as_ref);
                let lift = seed.lift.as_ref().ok().and_then(Option::as_ref);
                known.lift = lift.map(Lift::counts);
                known.lift_files = seed.lift_files.as_ref();
                failures.extend(seed.public.as_ref().err().cloned());
                failures.extend(seed.lift.as_ref().err().cloned());
            }
            replays.rows.push(known);
        }
        (replays, failures)
    }
}

/// Where bundles are, and the prompts that most of them have.
#[derive(Debug, Clone, Copy)]
struct Source<'a> {
    store: &'a Store,
    common: Option<&'a PromptSet<'a>>,
}

impl SeedReplay {
    fn replay(
        root: Source<'_>,
        held_out: Option<Source<'_>>,
        config: &Config,
        seed: &Seed,
        kept: ReplayDetail,
        keep_in_store: bool,
    ) -> Self {
        let (public, files) = match static_bundle(root.store, &seed.public_bundle, false) {
            Ok(Some(files)) => {
                let replay = match kept {
                    ReplayDetail::Counts => replay::replay_counts,
                    ReplayDetail::Outcomes | ReplayDetail::Files => replay::replay,
                };
                let replay = replay(&files, &config.asked(seed), root.common);
                let keep = |files| keep_bundle(root.store, &seed.public_bundle, files);
                (replay.map(Some), after_replay(files, kept, keep_in_store.then_some(keep)))
            }
            Ok(None) => (Ok(None), None),
            Err(failure) => (Err(failure), None),
        };
        // Without a public bundle there is no row, so nothing else is scored.
        let held_out = match held_out.filter(|_| matches!(public, Ok(Some(_)))) {
            Some(source) => replay_held_out(source.store, config, seed, source.common),
            None => Ok(None),
        };
        let run = root.store.read(seed.public_bundle.file("run.json"), OWN_FILE_LIMIT);
        // A run.json that the disk does not give would put the row into another cohort.
        let (run, public) = match run {
            Err(error @ StoreError::Io { .. }) => (None, Err(error.into())),
            run => (run.ok().and_then(|run| RunFile::parse(&run)), public),
        };
        let (lift, lift_files) = match lift_files(root.store, seed) {
            Ok(Some((dir, files))) => {
                let lift = replay::lift(&files).map(Some);
                let keep = |files| keep_lift(root.store, dir, files);
                (lift, after_replay(files, kept, keep_in_store.then_some(keep)))
            }
            Ok(None) => (Ok(None), None),
            Err(failure) => (Err(failure), None),
        };
        Self { public, files, run, held_out, lift, lift_files }
    }

    /// The score, or the first bundle that could not be read.
    fn scored(&self, config: &Config, index: usize) -> Result<Option<Scored>, &Failure> {
        let Some(public) = self.public.as_ref()? else { return Ok(None) };
        let held_out = self.held_out.as_ref()?.as_ref();
        let lift = self.lift.as_ref()?.as_ref();
        Ok(Some(board::score(config, index, public, held_out, lift)))
    }
}

/// The files of a bundle, if its replay holds them too; else `keep` gets them.
fn after_replay<F>(files: F, kept: ReplayDetail, keep: Option<impl FnOnce(F)>) -> Option<F> {
    if kept == ReplayDetail::Files {
        return Some(files);
    }
    if let Some(keep) = keep {
        keep(files);
    }
    None
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn a_board_keeps_the_counts_of_its_bundles_and_no_outcomes() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let open = |kept| Workspace::open(root, None).expect("a workspace").keeping(kept);
        let [board, table] = [ReplayDetail::Counts, ReplayDetail::Outcomes].map(open);
        let replays = |it: &SeedReplays| -> Vec<Replay> {
            it.seeds.iter().filter_map(|seed| seed.public.as_ref().ok()?.clone()).collect()
        };
        let [board, table] = [board, table].map(|it| replays(it.replays(|| ())));
        assert!(!table.is_empty());
        for (counts, outcomes) in board.iter().zip(&table) {
            assert!(counts.outcomes.is_empty());
            assert_eq!(outcomes.outcomes.len(), outcomes.counts().1);
            assert_eq!(counts.tier_counts(), outcomes.tier_counts());
        }
    }
}
