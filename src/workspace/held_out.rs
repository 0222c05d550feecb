//! The held-out sets that are at hand: the one the user names, and the fetched one.

use std::path::{Path, PathBuf};

use crate::domain::{Failure, Finding};
use crate::firewall::Outgoing;
use crate::fs::{Store, StoreError};
use crate::workspace::held_out_cache;
use crate::workspace::scan::{has_bundles, search_held_out};

/// Held-out directories to search with. Empty where none is at hand.
#[derive(Debug, Default)]
pub struct HeldOutSets {
    stores: Vec<Store>,
}

impl HeldOutSets {
    /// The directory typed with `--held-out` and the cache below `root`, each once. The cache
    /// counts even where another directory is named, and only if a bundle is in it.
    pub fn at_hand(root: &Path, typed: Option<&Path>) -> Result<Self, StoreError> {
        let cache = held_out_cache(root);
        let cache = if cache.is_dir() && has_bundles(&cache)? { Some(cache) } else { None };
        let mut stores = Vec::new();
        let mut known: Vec<PathBuf> = Vec::new();
        // A typed directory that is not there is refused where it is opened to score with.
        let typed = typed.filter(|dir| dir.is_dir()).map(Path::to_owned);
        for dir in typed.into_iter().chain(cache) {
            let place = std::fs::canonicalize(&dir).unwrap_or_else(|_| dir.clone());
            if !known.contains(&place) {
                stores.push(Store::open(&dir)?);
                known.push(place);
            }
        }
        Ok(Self { stores })
    }

    /// Whether there is nothing to search with.
    pub fn is_empty(&self) -> bool {
        self.stores.is_empty()
    }

    /// The directories, the typed one first.
    pub fn stores(&self) -> impl Iterator<Item = &Store> {
        self.stores.iter()
    }

    /// Every place of `outgoing` with a text of any of the sets.
    pub(super) fn search(&self, outgoing: &Outgoing<'_>) -> Result<Vec<Finding>, Failure> {
        let mut hits = Vec::new();
        for store in self.stores() {
            hits.extend(search_held_out(store, outgoing)?);
        }
        Ok(outgoing.findings(&hits))
    }
}
