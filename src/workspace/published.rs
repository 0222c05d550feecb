//! A published site as somebody downloaded it: whether its files agree with each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::board::Board;
use crate::domain::{Code, Failure, Finding, sha256, slug};
use crate::facts::ReplayCheck;
use crate::fs::{OWN_FILE_LIMIT, StoreError, read_typed};
use crate::replay::{self, BundleFiles};
use crate::seal::Seal;
use crate::workspace::{Workspace, seal_path};

type Files = BTreeMap<String, Vec<u8>>;

const SUMS: &str = "SHA256SUMS";
const SEAL: &str = "leaderboard.seal.json";

/// Forgets the files that a hub or `fetch` adds to a site.
pub fn without_foreign(files: &mut Files) {
    files.retain(|path, _| path != ".gitattributes" && !path.starts_with(".gmat-leaderboard-"));
}

/// What SHA256SUMS and the other files in `dir` disagree about.
pub fn check_sums(dir: &Path, files: &Files) -> Vec<Finding> {
    let finding = |path: &str, what: &str| {
        let file = dir.join(path).display().to_string();
        Finding::new(Code::ESite, file, "", format!("`{path}` {what}"))
    };
    let Some(sums) = files.get(SUMS) else { return vec![finding(SUMS, "is missing")] };
    let text = String::from_utf8_lossy(sums);
    let listed: BTreeMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(sum, path)| (path, sum))
        .collect();
    let mut findings = Vec::new();
    for (path, sum) in &listed {
        match files.get(*path) {
            None => findings.push(finding(path, "is listed in SHA256SUMS and missing")),
            Some(bytes) if sha256(bytes) != *sum => {
                findings.push(finding(path, "is not the file that SHA256SUMS lists"));
            }
            Some(_) => {}
        }
    }
    let unlisted = files.keys().filter(|path| *path != SUMS && !listed.contains_key(path.as_str()));
    findings.extend(unlisted.map(|path| finding(path, "is not listed in SHA256SUMS")));
    findings
}

/// What can be checked about the site in `dir` without its repository: each row against its published
/// bundle, and the seal. Returns how many rows reproduce.
pub fn check_alone(dir: &Path, files: &Files, board: &Board) -> (Vec<Finding>, usize) {
    let file = |path: &str| dir.join(path).display().to_string();
    let (mut findings, mut rows) = (Vec::new(), 0);
    let sealed = match files.get(SEAL).map(|bytes| Seal::read(bytes, &file(SEAL))) {
        Some(Ok(seal)) => Some(seal),
        Some(Err(finding)) => {
            findings.push(finding);
            None
        }
        None => None,
    };
    let board_sha256 = files.get("leaderboard.json").map(sha256);
    if let Some(seal) =
        sealed.as_ref().filter(|seal| Some(&seal.board_sha256) != board_sha256.as_ref())
    {
        let what = format!("the board is not the one of seal number {}", seal.serial);
        findings.push(Finding::new(Code::ESeal, file("leaderboard.json"), "", what));
    }
    let known: Option<BTreeSet<&str>> =
        sealed.as_ref().map(|seal| seal.files.values().map(String::as_str).collect());
    for (index, row) in board.entries.iter().enumerate() {
        let name = format!("bundles/{}", slug(&row.provider, &row.model));
        let read = |file: &str| files.get(&format!("{name}/{file}")).cloned();
        // A bundle whose prompts are those of the board has no copy of them.
        let prompts = read("prompts.json").or_else(|| files.get("prompts.json").cloned());
        let (Some(prompts), Some(completions), Some(judge)) =
            (prompts, read("completions.json"), read("judge.json"))
        else {
            continue;
        };
        if let Some(known) = &known {
            for (part, bytes) in
                [("prompts", &prompts), ("completions", &completions), ("judge", &judge)]
            {
                if !known.contains(sha256(bytes).as_str()) {
                    let what = "the file is not one that was sealed";
                    let file = file(&format!("{name}/{part}.json"));
                    findings.push(Finding::new(Code::ESeal, file, "", what));
                }
            }
        }
        let (dir, prompts) = (file(&name), prompts.into());
        let files = BundleFiles { dir, secret: false, prompts, completions, judge };
        let in_row = |code, path: &str, what: &str| {
            Finding::new(code, file("leaderboard.json"), format!("entries[{index}].{path}"), what)
        };
        match replay::replay(&files, &row.asked(), None) {
            Ok(replay) if ReplayCheck::between(row, Some(&replay)) == ReplayCheck::Match => {
                rows += 1;
            }
            Ok(replay) if replay.sha16() != row.run.recorded_bundle_sha16 => {
                let what = "the published bundle is not the one the row was scored on";
                findings.push(in_row(Code::EHash, "run.recorded_bundle_sha16", what));
            }
            Ok(_) => {
                let what = "the published bundle gives another public score";
                findings.push(in_row(Code::EDiff, "public", what));
            }
            Err(failure) => findings.push(in_row(Code::EDiff, "public", &failure.what)),
        }
    }
    (findings, rows)
}

impl Workspace {
    /// The seal of `board` and its signature, to be published with it; nothing if the seal beside the
    /// board is not of these bytes.
    pub(super) fn published_seal(&self, board: &[u8]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let path = seal_path(&self.board_path(None));
        let read = |path: &Path| match read_typed(path, OWN_FILE_LIMIT) {
            Err(StoreError::Absent(_)) => Ok(None),
            bytes => bytes.map(Some),
        };
        let Some(bytes) = read(&path)? else { return Ok(Vec::new()) };
        let is_of_board =
            Seal::read(&bytes, SEAL).is_ok_and(|seal| seal.board_sha256 == sha256(board));
        if !is_of_board {
            return Ok(Vec::new());
        }
        let signature = read(&path.with_extension("json.minisig"))?;
        let files = [(SEAL, Some(bytes)), ("leaderboard.seal.json.minisig", signature)];
        Ok(files.into_iter().filter_map(|(name, bytes)| Some((name.to_owned(), bytes?))).collect())
    }
}
