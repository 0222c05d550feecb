//! The held-out sets that are at hand: the one the user names, and the fetched one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use crate::domain::{Failure, Finding, sha256};
use crate::firewall::Outgoing;
use crate::fs::{BUNDLE_FILE_LIMIT, SITE_LIMIT, Store, StoreError, walk_files};
use crate::workspace::held_out_cache;
use crate::workspace::scan::{BUNDLE_FILES, search_held_out};

/// A held-out directory and the bundles below it.
#[derive(Debug)]
pub struct HeldOutSet {
    /// The directory.
    pub store: Arc<Store>,
    /// Every file in it, by its path below the directory.
    files: Vec<PathBuf>,
    /// Directories below it with the files of a bundle that are in each, sorted. Every bundle
    /// counts, whether a seed names it or not.
    pub(super) bundles: BTreeMap<PathBuf, Vec<&'static str>>,
    /// See [`Self::is_first`].
    is_first: OnceLock<Vec<bool>>,
}

impl HeldOutSet {
    /// Walks the directory. Links are not followed: what they lead to is either below the
    /// directory, and walked itself, or is refused by replay too.
    pub(crate) fn open(store: Arc<Store>) -> Result<Self, StoreError> {
        let dir = store.root();
        let mut bundles: BTreeMap<PathBuf, Vec<&str>> = BTreeMap::new();
        let paths = walk_files(dir)?;
        for file in &paths {
            let name = BUNDLE_FILES.into_iter().find(|name| file.ends_with(name));
            let below = file.parent().and_then(|parent| parent.strip_prefix(dir).ok());
            if let Some((name, below)) = name.zip(below) {
                bundles.entry(below.to_owned()).or_default().push(name);
            }
        }
        let below = |path: &PathBuf| path.strip_prefix(dir).ok().map(Path::to_owned);
        let files = paths.iter().filter_map(below).collect();
        Ok(Self { store, files, bundles, is_first: OnceLock::new() })
    }

    /// Of each bundle, whether no bundle before it has the same prompts.json. Bundles of one set share
    /// its bytes: the first one is searched and named, not each.
    pub(super) fn is_first(&self) -> Result<&[bool], StoreError> {
        if let Some(is_first) = self.is_first.get() {
            return Ok(is_first);
        }
        let (mut known, mut last) = (BTreeSet::new(), None);
        let mut is_first = Vec::new();
        for dir in self.bundles.keys() {
            let prompts = self.prompts(dir)?;
            // Most bundles have the prompts of the one before, which is seen without a hash.
            is_first.push(match &prompts {
                Some(_) if prompts == last => false,
                Some(prompts) => known.insert(Sha256::digest(&**prompts)),
                None => true,
            });
            last = prompts;
        }
        Ok(self.is_first.get_or_init(|| is_first))
    }

    /// The prompts.json in `dir`; `None` if there is none to read. A disk that fails is an error: a set
    /// that is not read is not searched for.
    fn prompts(&self, dir: &Path) -> Result<Option<Arc<Vec<u8>>>, StoreError> {
        match self.store.read_kept(dir.join(BUNDLE_FILES[0]), BUNDLE_FILE_LIMIT) {
            Ok(prompts) => Ok(Some(prompts)),
            Err(error @ StoreError::Io { .. }) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// SHA-256 of every file in it that is not empty, in lower-case hex.
    pub(crate) fn digests(&self) -> Result<BTreeSet<String>, StoreError> {
        let mut digests = BTreeSet::new();
        for file in &self.files {
            match self.store.read_kept(file, SITE_LIMIT) {
                // No file of a site may be this large, so none can equal it.
                Err(StoreError::TooLarge { .. }) => {}
                bytes => {
                    let bytes = bytes?;
                    if !bytes.is_empty() {
                        digests.insert(sha256(&*bytes));
                    }
                }
            }
        }
        Ok(digests)
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
    pub fn at_hand(root: &Path, typed: Option<Arc<Store>>) -> Result<Self, StoreError> {
        let cache = held_out_cache(root);
        let place = |dir: &Path| std::fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
        let is_typed = typed.as_ref().is_some_and(|store| place(store.root()) == place(&cache));
        let mut sets = Vec::new();
        if let Some(store) = typed {
            sets.push(HeldOutSet::open(store)?);
        }
        if cache.is_dir() && !is_typed {
            let set = HeldOutSet::open(Arc::new(Store::open(&cache)?))?;
            sets.extend(Some(set).filter(|set| !set.bundles.is_empty()));
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
