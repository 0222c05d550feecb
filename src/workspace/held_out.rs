//! The held-out sets that are at hand: the one the user names, and the fetched one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::domain::{Failure, Finding};
use crate::firewall::Outgoing;
use crate::fs::{Store, StoreError, walk_files};
use crate::workspace::held_out_cache;
use crate::workspace::scan::{BUNDLE_FILES, search_held_out};

/// A held-out directory and the bundles below it.
#[derive(Debug)]
pub struct HeldOutSet {
    /// The directory.
    pub store: Store,
    /// Directories below it with the files of a bundle that are in each, sorted. Every bundle
    /// counts, whether a seed names it or not.
    pub(super) bundles: BTreeMap<PathBuf, Vec<&'static str>>,
}

impl HeldOutSet {
    /// Walks the directory. Links are not followed: what they lead to is either below the
    /// directory, and walked itself, or is refused by replay too.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        let mut bundles: BTreeMap<PathBuf, Vec<&str>> = BTreeMap::new();
        for file in walk_files(dir)? {
            let name = BUNDLE_FILES.into_iter().find(|name| file.ends_with(name));
            let below = file.parent().and_then(|parent| parent.strip_prefix(dir).ok());
            if let Some((name, below)) = name.zip(below) {
                bundles.entry(below.to_owned()).or_default().push(name);
            }
        }
        Ok(Self { store: Store::open(dir)?, bundles })
    }
}

/// Held-out directories to search with. Empty where none is at hand.
#[derive(Debug, Default)]
pub struct HeldOutSets {
    sets: Vec<HeldOutSet>,
}

impl HeldOutSets {
    /// The directory typed with `--held-out` and the cache below `root`, each once. The cache
    /// counts even where another directory is named, and only if a bundle is in it.
    pub fn at_hand(root: &Path, typed: Option<&Path>) -> Result<Self, StoreError> {
        let cache = held_out_cache(root);
        // A typed directory that is not there is refused where it is opened to score with.
        let dirs = typed.map(Path::to_owned).into_iter().chain([cache.clone()]);
        let mut sets = Vec::new();
        let mut known: Vec<PathBuf> = Vec::new();
        for dir in dirs.filter(|dir| dir.is_dir()) {
            let place = std::fs::canonicalize(&dir).unwrap_or_else(|_| dir.clone());
            if known.contains(&place) {
                continue;
            }
            let set = HeldOutSet::open(&dir)?;
            if dir != cache || !set.bundles.is_empty() {
                sets.push(set);
                known.push(place);
            }
        }
        Ok(Self { sets })
    }

    /// Whether there is nothing to search with.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The sets, the typed one first.
    pub fn iter(&self) -> impl Iterator<Item = &HeldOutSet> {
        self.sets.iter()
    }

    /// Every place of `outgoing` with a text of any of the sets.
    pub(super) fn search(&self, outgoing: &Outgoing<'_>) -> Result<Vec<Finding>, Failure> {
        let mut hits = Vec::new();
        for set in &self.sets {
            hits.extend(search_held_out(set, outgoing)?);
        }
        Ok(outgoing.findings(&hits))
    }
}
