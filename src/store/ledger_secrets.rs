//! The ledger and the boards it keeps, searched for held-out texts: a note, a reason or a name is
//! typed by a person, and what is recorded stays for ever.

use super::{Addition, HeldOutSets, LedgerDir, Store, Workspace, read_tree, search_held_out};
use crate::board::firewall::{Exempt, Outgoing};
use crate::domain::config::Config;
use crate::domain::{Failure, Finding};
use crate::ledger;

/// What of the held-out directory stands in the recorded history of the workspace.
pub fn scan_ledger(workspace: &Workspace, held_out: &Store) -> Result<Vec<Finding>, Failure> {
    let dir = LedgerDir::below(workspace.store.root());
    let mut files: Vec<(String, String)> = Vec::new();
    let named = |file: &str| dir.path(file).display().to_string();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let history = dir.history()?;
    if !history.is_empty() {
        files.push((named("history.jsonl"), ledger::texts(&text(&history))));
    }
    files.extend(dir.optional("weekly.json")?.map(|bytes| (named("weekly.json"), text(&bytes))));
    let boards = dir.path("boards");
    if boards.is_dir() {
        for (name, bytes) in read_tree(&boards, super::SITE_LIMIT)? {
            files.push((boards.join(name).display().to_string(), text(&bytes)));
        }
    }
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let mut exempt = Exempt::of_board(&workspace.config);
    if let Some(prompts) = workspace.pinned_prompts() {
        exempt.add_text(&prompts);
    }
    search(exempt, &files, held_out)
}

/// What of the held-out sets stands in what is about to be recorded.
pub(super) fn scan_addition(
    addition: &Addition<'_>,
    config: &Config,
    held_out: &HeldOutSets,
) -> Result<Vec<Finding>, Failure> {
    if held_out.is_empty() || addition.lines.is_empty() {
        return Ok(Vec::new());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut files =
        vec![("the lines to be recorded".to_owned(), ledger::texts(&text(addition.lines)))];
    for (sha256, bytes) in addition.boards {
        files.push((format!("boards/{sha256}.json"), text(bytes)));
    }
    let mut findings = Vec::new();
    for set in held_out.stores() {
        findings.extend(search(Exempt::of_board(config), &files, set)?);
    }
    Ok(findings)
}

fn search(
    exempt: Exempt,
    files: &[(String, String)],
    held_out: &Store,
) -> Result<Vec<Finding>, Failure> {
    let mut outgoing = Outgoing::new(exempt);
    for (name, text) in files {
        outgoing.add_page(name.as_str(), text);
    }
    let hits = search_held_out(held_out, &outgoing)?;
    Ok(outgoing.findings(&hits))
}
