//! The search for held-out files and prompts in everything below the root that is, or could be,
//! committed.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::domain::{Code, Failure, Finding};
use crate::firewall::{HeldOutPrompts, Origin, REMEDY, unpacked};
use crate::fs::{BUNDLE_FILE_LIMIT, Store, StoreError, blob_id, committed_blobs, tracked_files};
use crate::replay::Secret;
use crate::workspace::demo::is_example_set;
use crate::workspace::scan::{BUNDLE_FILES, each_prompt};
use crate::workspace::{HeldOutSets, Workspace, held_out_cache, reveal_dir};

/// A larger file is compared by its hash only.
const TEXT_LIMIT: u64 = 16 << 20;
/// A held-out file shorter than this, such as `{}`, says nothing.
const SHORTEST_FILE: u64 = 32;
/// Directories outside a repository that hold what programs made.
const MADE: [&str; 3] = [".git", "target", "node_modules"];

/// Copies of held-out files and, if `search_prompts`, held-out prompts in the files below the root. The config, the
/// board and the ledger are left to [`crate::workspace::search_workspace`], which looks for more in them.
pub(super) fn search_tree(
    workspace: &Workspace,
    held_out: &HeldOutSets,
    searched: &[PathBuf],
    search_prompts: bool,
) -> Result<Vec<Finding>, Failure> {
    let SearchedTexts { public, prompts, copies } = SearchedTexts::read(workspace, held_out)?;
    let files = files(workspace, held_out)?;
    let mut findings = committed_sets(workspace, held_out, &public)?;
    let found: Vec<Result<Option<Finding>, Failure>> = files
        .par_iter()
        .map(|TreeFile { path, place, size }| {
            let is_text = *size <= TEXT_LIMIT && search_prompts && !searched.contains(place);
            let bytes = if is_text { bytes_of(workspace, path) } else { None };
            if bytes.as_ref().is_some_and(|bytes| public.contains(bytes)) {
                return Ok(None);
            }
            let name = path.display().to_string();
            let contents = Contents::new(path, bytes.as_ref().map(|bytes| bytes.as_slice()));
            if let Some(copy) = copies.finding(&name, *size, &contents)? {
                return Ok(Some(copy));
            }
            Ok(bytes.and_then(|bytes| in_file(&prompts, &name, &bytes)))
        })
        .collect();
    for found in found {
        findings.extend(found?);
    }
    Ok(findings)
}

/// The contents of a file below the root, as its replay kept it or as it is on disk.
fn bytes_of(workspace: &Workspace, path: &Path) -> Option<Arc<Vec<u8>>> {
    let store = &workspace.store;
    let kept = path.strip_prefix(store.root()).ok().and_then(|below| store.kept_file(below));
    kept.or_else(|| std::fs::read(path).ok().map(Arc::new))
}

/// What a file has of the held-out prompts: as it is or, if it is not text, unpacked.
fn in_file(prompts: &HeldOutPrompts, name: &str, bytes: &[u8]) -> Option<Finding> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return prompts.finding(name, text);
    }
    let unpacked = unpacked(bytes);
    let views = iter::once(bytes).chain(unpacked.iter().map(Vec::as_slice));
    views.map(String::from_utf8_lossy).find_map(|text| prompts.finding(name, &text))
}

/// A finding for each held-out set that a commit of the repository has, even if its files were
/// removed since: whoever has the repository has the set.
fn committed_sets(
    workspace: &Workspace,
    held_out: &HeldOutSets,
    public: &[Arc<Vec<u8>>],
) -> Result<Vec<Finding>, Failure> {
    let mut sets: BTreeMap<String, String> = BTreeMap::new();
    for set in held_out.iter() {
        let dirs = set.bundles.keys().zip(set.is_first()?);
        for (dir, _) in dirs.filter(|(_, is_first)| **is_first) {
            let file = dir.join(BUNDLE_FILES[0]);
            let Ok(bytes) = set.store.read_kept(&file, BUNDLE_FILE_LIMIT) else { continue };
            if !public.contains(&bytes) && !is_example_set(&bytes) {
                sets.entry(blob_id(&bytes)).or_insert(set.store.path(file).display().to_string());
            }
        }
    }
    let mut known = committed_blobs(workspace.store.root(), sets.keys())?;
    if !known.is_empty() {
        let files = opened(workspace).into_iter().flat_map(|dir| walk(&dir).collect::<Vec<_>>());
        let sets = files.filter(|file| file.ends_with(BUNDLE_FILES[0]));
        let public: Vec<String> =
            sets.filter_map(|file| Some(blob_id(&std::fs::read(file).ok()?))).collect();
        known.retain(|id| !public.contains(id));
    }
    let finding = |name: &String| {
        let file = workspace.store.path(".git").display().to_string();
        let what = format!("a commit has a copy of the held-out file `{}`", sets[name]);
        let help = "remove it from the history before it is pushed; if it was pushed, the held-out set is no longer private: retire it";
        Finding::new(Code::LText, file, "", what).help(help)
    };
    Ok(known.iter().map(finding).collect())
}

/// What of the held-out sets is looked for in files that may show public answers.
struct SearchedTexts {
    /// The prompts.json of the public set.
    public: Vec<Arc<Vec<u8>>>,
    prompts: HeldOutPrompts,
    copies: Copies,
}

impl SearchedTexts {
    fn read(workspace: &Workspace, held_out: &HeldOutSets) -> Result<Self, Failure> {
        let public = public_set(workspace);
        let texts: Vec<_> = public.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
        let mut prompts = HeldOutPrompts::new(texts.iter().map(|text| &**text));
        for set in held_out.iter() {
            each_prompt(set, &mut |file, number, secret| {
                let origin = Origin { file, number };
                match secret {
                    Secret::Prompt(prompt) => prompts.add_prompt(&origin, prompt),
                    Secret::Canary(canary) => prompts.add_canary(&origin, canary),
                    Secret::Text(_) => {}
                }
            })?;
        }
        let copies = Copies::below(held_out, &public);
        Ok(Self { public, prompts, copies })
    }
}

/// Held-out prompts, and copies of held-out files, in the files of a site that show public answers:
/// each with its path, the part of it that does, and its bytes.
pub(super) fn search_answers<'f>(
    workspace: &Workspace,
    files: impl IntoIterator<Item = (&'f str, &'f str, &'f [u8])>,
) -> Result<Vec<Finding>, Failure> {
    let held_out = workspace.held_out_sets()?;
    let SearchedTexts { public, prompts, copies } = SearchedTexts::read(workspace, held_out)?;
    let mut findings = Vec::new();
    for (path, answers, bytes) in files {
        if public.iter().any(|it| it.as_slice() == bytes) {
            continue;
        }
        let contents = Contents::new(Path::new(path), Some(bytes));
        let copy = copies.finding(path, bytes.len() as u64, &contents)?;
        findings.extend(copy.or_else(|| prompts.finding(path, answers)));
    }
    Ok(findings)
}

/// The public prompts: the pinned ones, or those of the seeds' bundles where nothing is pinned.
fn public_set(workspace: &Workspace) -> Vec<Arc<Vec<u8>>> {
    if let Some(pinned) = workspace.pinned_prompts() {
        return vec![Arc::new(pinned.into())];
    }
    let mut files: Vec<Arc<Vec<u8>>> = Vec::new();
    for seed in &workspace.config.seeds {
        let file = seed.public_bundle.file("prompts.json");
        let bytes = workspace.store.read_kept(file, BUNDLE_FILE_LIMIT).unwrap_or_default();
        if !files.contains(&bytes) {
            files.push(bytes);
        }
    }
    files
}

/// The held-out files by size.
struct Copies {
    by_size: HashMap<u64, Vec<Original>>,
}

/// A held-out file.
struct Original {
    store: Arc<Store>,
    below: PathBuf,
    /// What is in it, if that is in memory.
    bytes: Option<Arc<Vec<u8>>>,
    /// Its hash, once that is needed; `None` if it cannot be read.
    hash: OnceLock<Option<[u8; 32]>>,
}

impl Original {
    fn new(store: &Arc<Store>, below: PathBuf) -> Self {
        let (store, bytes) = (Arc::clone(store), store.kept_file(&below));
        Self { store, below, bytes, hash: OnceLock::new() }
    }

    fn size(&self) -> u64 {
        let on_disk = || std::fs::metadata(self.store.path(&self.below)).map_or(0, |it| it.len());
        self.bytes.as_ref().map_or_else(on_disk, |bytes| bytes.len() as u64)
    }

    fn read(&self) -> Option<Arc<Vec<u8>>> {
        self.bytes.clone().or_else(|| self.store.read_kept(&self.below, BUNDLE_FILE_LIMIT).ok())
    }

    fn has_hash(&self, hash: [u8; 32]) -> bool {
        let own = || self.read().map(|bytes| Sha256::digest(&*bytes).into());
        *self.hash.get_or_init(own) == Some(hash)
    }
}

impl Copies {
    /// Those below `held_out` that are not the `public` prompts.
    fn below(held_out: &HeldOutSets, public: &[Arc<Vec<u8>>]) -> Self {
        let mut by_size: HashMap<u64, Vec<Original>> = HashMap::new();
        for set in held_out.iter() {
            let files = set.bundles.iter();
            for below in files.flat_map(|(dir, names)| names.iter().map(|name| dir.join(name))) {
                let original = Original::new(&set.store, below);
                let size = original.size();
                let may_be_public = public.iter().any(|it| it.len() as u64 == size);
                let is_public = || original.read().is_some_and(|bytes| public.contains(&bytes));
                if size >= SHORTEST_FILE && !(may_be_public && is_public()) {
                    by_size.entry(size).or_default().push(original);
                }
            }
        }
        Self { by_size }
    }

    /// A finding if the file called `file`, which has that many bytes, is a copy of a held-out file.
    fn finding(
        &self,
        file: &str,
        size: u64,
        contents: &Contents<'_>,
    ) -> Result<Option<Finding>, StoreError> {
        for original in self.by_size.get(&size).into_iter().flatten() {
            let is_same = match (contents.bytes, &original.bytes) {
                (Some(bytes), Some(own)) => **own == bytes,
                _ => original.has_hash(contents.hash()?),
            };
            if is_same {
                let original = original.store.path(&original.below);
                let what = format!("is a copy of the held-out file `{}`", original.display());
                return Ok(Some(Finding::new(Code::LText, file, "", what).help(REMEDY)));
            }
        }
        Ok(None)
    }
}

/// What is in a file that may be a copy of a held-out one.
struct Contents<'a> {
    path: &'a Path,
    /// The bytes, if they are in memory.
    bytes: Option<&'a [u8]>,
    hash: OnceCell<[u8; 32]>,
}

impl<'a> Contents<'a> {
    fn new(path: &'a Path, bytes: Option<&'a [u8]>) -> Self {
        Self { path, bytes, hash: OnceCell::new() }
    }

    fn hash(&self) -> Result<[u8; 32], StoreError> {
        if let Some(hash) = self.hash.get() {
            return Ok(*hash);
        }
        let hash = match self.bytes {
            Some(bytes) => Sha256::digest(bytes).into(),
            None => digest(self.path)?,
        };
        Ok(*self.hash.get_or_init(|| hash))
    }
}

fn digest(path: &Path) -> Result<[u8; 32], StoreError> {
    let failed = |source| StoreError::Io { verb: "read", path: path.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => return Ok(hash.finalize().into()),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// A file below the root.
struct TreeFile {
    /// As it is named to people.
    path: PathBuf,
    /// Its absolute path.
    place: PathBuf,
    size: u64,
}

/// The regular files below the root that git tracks or would track, or all of them outside a
/// repository; without the held-out sets themselves and a set that the config declares public.
fn files(workspace: &Workspace, held_out: &HeldOutSets) -> Result<Vec<TreeFile>, StoreError> {
    let root = workspace.store.root();
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let files = tracked_files(root)?.unwrap_or_else(|| walk(root).collect());
    let mut left_out: Vec<PathBuf> =
        held_out.iter().map(|set| set.store.root().to_owned()).collect();
    left_out.push(held_out_cache(root));
    left_out.extend(opened(workspace));
    let left_out: Vec<PathBuf> = left_out.iter().filter_map(|dir| real(dir)).collect();
    let real_root = real(root).unwrap_or_else(|| root.to_owned());
    let named = files.iter().filter_map(|file| {
        // A file that went away is not one that this run publishes.
        let metadata = std::fs::symlink_metadata(file).ok().filter(std::fs::Metadata::is_file)?;
        // A walk follows no links. Git may list a file below a directory that has become a link since:
        // that is searched too.
        let below = file.strip_prefix(root);
        let place = below.map_or_else(|_| file.clone(), |below| real_root.join(below));
        if left_out.iter().any(|dir| place.starts_with(dir)) {
            return None;
        }
        let path = root.join(place.strip_prefix(&real_root).unwrap_or(&place));
        Some(TreeFile { path, place, size: metadata.len() })
    });
    let mut named: Vec<TreeFile> = named.collect();
    named.sort_by(|a, b| a.path.cmp(&b.path));
    named.dedup_by(|a, b| a.path == b.path);
    Ok(named)
}

/// Where held-out sets lie that are public: declared so by the config, or revealed.
fn opened(workspace: &Workspace) -> Vec<PathBuf> {
    let declared = workspace.config.held_out_published.iter().map(|dir| workspace.store.path(dir));
    // A ledger that cannot be read reveals nothing; that is a finding of its own.
    let history = workspace.ledger().ok().and_then(|ledger| ledger.history().ok());
    let revealed = history.iter().flat_map(|history| history.revealed());
    let root = workspace.store.root();
    declared.chain(revealed.map(|protocol| reveal_dir(root, protocol))).collect()
}

fn walk(root: &Path) -> impl Iterator<Item = PathBuf> {
    let is_made = |name: &std::ffi::OsStr| MADE.iter().any(|made| name == *made);
    walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(move |entry| entry.depth() == 0 || !is_made(entry.file_name()))
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
}
