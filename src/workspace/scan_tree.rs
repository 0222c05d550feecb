//! The search for held-out files and prompts in everything below the root that is, or could be,
//! committed.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::domain::{Code, Failure, Finding};
use crate::firewall::{Exempt, Origin, REMEDY, Requests};
use crate::fs::tracked_files;
use crate::fs::{BUNDLE_FILE_LIMIT, StoreError};
use crate::json;
use crate::replay::Secret;
use crate::workspace::scan::{BUNDLE_FILES, each_prompt};
use crate::workspace::{HeldOutSets, Workspace, held_out_cache};

/// A larger file is compared by its hash only.
const TEXT_LIMIT: u64 = 16 << 20;
/// A held-out file shorter than this, such as `{}`, says nothing.
const SHORTEST_FILE: u64 = 32;
/// Directories outside a repository that hold what programs made.
const MADE: [&str; 3] = [".git", "target", "node_modules"];

/// Copies of held-out files and, if `prompts`, held-out prompts in the files below the root. The config, the
/// board and the ledger are left to [`crate::workspace::search_workspace`], which looks for more in them.
pub(super) fn search_tree(
    workspace: &Workspace,
    held_out: &HeldOutSets,
    searched: &[PathBuf],
    prompts: bool,
) -> Result<Vec<Finding>, Failure> {
    let public = PublicSet::read(workspace);
    let mut requests = Requests::default();
    for store in held_out.stores() {
        each_prompt(store, &mut |file, number, secret| {
            let origin = Origin { file, number };
            match secret {
                Secret::Prompt(prompt) => {
                    requests.add_prompt(&origin, prompt, &public.exempt, &public.ids);
                }
                Secret::Canary(canary) => requests.add_canary(&origin, canary, &public.exempt),
                Secret::Text(_) => {}
            }
        })?;
    }
    let copies = Copies::read(held_out, &public)?;
    let files = files(workspace, held_out)?;
    let found: Vec<Result<Option<Finding>, Failure>> = files
        .par_iter()
        .map(|(path, place)| {
            if let Some(finding) = copies.finding(path)? {
                return Ok(Some(finding));
            }
            let is_text = std::fs::metadata(path).is_ok_and(|file| file.len() <= TEXT_LIMIT);
            if !prompts || !is_text || searched.contains(place) {
                return Ok(None);
            }
            // A file that goes away or cannot be read is not one that this run publishes.
            let Ok(bytes) = std::fs::read(path) else { return Ok(None) };
            if public.texts.iter().any(|text| text.as_bytes() == bytes) {
                return Ok(None);
            }
            let document = json::parse(&bytes).ok();
            let text = String::from_utf8_lossy(&bytes);
            let root = document.as_ref().map(|document| &document.root);
            Ok(requests.findings(&path.display().to_string(), &text, root))
        })
        .collect();
    let mut findings = Vec::new();
    for found in found {
        findings.extend(found?);
    }
    Ok(findings)
}

/// The public prompts: the pinned ones, or those of the seeds' bundles where nothing is pinned.
#[derive(Default)]
struct PublicSet {
    exempt: Exempt,
    ids: HashSet<String>,
    texts: Vec<String>,
}

impl PublicSet {
    fn read(workspace: &Workspace) -> Self {
        let pinned = workspace.pinned_prompts().map(|prompts| vec![prompts]);
        let texts = pinned.unwrap_or_else(|| {
            let mut texts: Vec<String> = Vec::new();
            for seed in &workspace.config.seeds {
                let file = seed.public_bundle.file("prompts.json");
                let bytes = workspace.store.read(file, BUNDLE_FILE_LIMIT).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            texts
        });
        let mut public = Self::default();
        for text in &texts {
            public.exempt.add_text(text);
            let document = json::parse(text.as_bytes()).ok();
            let prompts = document.as_ref().and_then(|document| document.root.array().ok());
            for prompt in prompts.into_iter().flatten() {
                let id = prompt.object().ok().and_then(|prompt| prompt.get("id"));
                public.ids.extend(id.and_then(|id| id.as_str()).map(str::to_owned));
            }
        }
        public.texts = texts;
        public
    }
}

/// The held-out files by size and hash.
struct Copies {
    sizes: HashSet<u64>,
    files: HashMap<[u8; 32], String>,
}

impl Copies {
    fn read(held_out: &HeldOutSets, public: &PublicSet) -> Result<Self, StoreError> {
        let mut copies = Self { sizes: HashSet::new(), files: HashMap::new() };
        let public: HashSet<[u8; 32]> =
            public.texts.iter().map(|text| Sha256::digest(text.as_bytes()).into()).collect();
        for store in held_out.stores() {
            for path in walk(store.root()) {
                let is_bundle = BUNDLE_FILES.iter().any(|name| path.ends_with(name));
                let size = std::fs::metadata(&path).map_or(0, |file| file.len());
                if !is_bundle || size < SHORTEST_FILE {
                    continue;
                }
                let hash = digest(&path)?;
                if !public.contains(&hash) {
                    copies.sizes.insert(size);
                    copies.files.insert(hash, path.display().to_string());
                }
            }
        }
        Ok(copies)
    }

    fn finding(&self, path: &Path) -> Result<Option<Finding>, StoreError> {
        let size = std::fs::metadata(path).map_or(0, |file| file.len());
        if !self.sizes.contains(&size) {
            return Ok(None);
        }
        let Some(original) = self.files.get(&digest(path)?) else { return Ok(None) };
        let what = format!("is a copy of the held-out file `{original}`");
        let file = path.display().to_string();
        Ok(Some(Finding::new(Code::LText, file, "", what).help(REMEDY)))
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

/// The regular files below the root that git tracks or would track, or all of them outside a
/// repository, each as it is named to people and as an absolute path; without the held-out sets
/// themselves and a set that the config declares public.
fn files(
    workspace: &Workspace,
    held_out: &HeldOutSets,
) -> Result<Vec<(PathBuf, PathBuf)>, StoreError> {
    let root = workspace.store.root();
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let files = tracked_files(root)?.unwrap_or_else(|| walk(root).collect());
    let mut left_out: Vec<PathBuf> = held_out.stores().map(|s| s.root().to_owned()).collect();
    left_out.push(held_out_cache(root));
    left_out
        .extend(workspace.config.held_out_published.iter().map(|dir| workspace.store.path(dir)));
    let left_out: Vec<PathBuf> = left_out.iter().filter_map(|dir| real(dir)).collect();
    let real_root = real(root).unwrap_or_else(|| root.to_owned());
    let is_file = |file: &PathBuf| std::fs::symlink_metadata(file).is_ok_and(|it| it.is_file());
    let mut named: Vec<(PathBuf, PathBuf)> = files
        .into_iter()
        .filter(is_file)
        .filter_map(|file| real(&file))
        .filter(|place| !left_out.iter().any(|dir| place.starts_with(dir)))
        .map(|place| (root.join(place.strip_prefix(&real_root).unwrap_or(&place)), place))
        .collect();
    named.sort();
    named.dedup();
    Ok(named)
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
