//! The ledger and the boards it keeps, searched for held-out texts: a note, a reason or a name is
//! typed by a person, and a recorded line is never removed.

use crate::board;
use crate::domain::config::Config;
use crate::domain::{Failure, Finding};
use crate::firewall::{self, Outgoing};
use crate::workspace::{HeldOutSets, LedgerDir, NewLines, Workspace};

/// The recorded history of the workspace as it is searched: each file with its texts.
pub(super) fn ledger_texts(workspace: &Workspace) -> Result<Vec<(String, String)>, Failure> {
    let dir = LedgerDir::below(workspace.store.root());
    let mut files: Vec<(String, String)> = Vec::new();
    let named = |file: &str| dir.path(file).display().to_string();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let ledger = workspace.ledger()?;
    if !ledger.bytes().is_empty() {
        files.push((named("history.jsonl"), firewall::unescaped_ledger(&text(ledger.bytes()))));
    }
    files.extend(ledger.weekly().map(|bytes| (named("weekly.json"), text(bytes))));
    for (name, bytes) in ledger.board_files()? {
        files.push((named(&format!("boards/{name}")), text(bytes)));
    }
    Ok(files)
}

/// What of the held-out sets is in what is about to be recorded.
pub(super) fn scan_addition(
    addition: &NewLines<'_>,
    config: &Config,
    held_out: &HeldOutSets,
) -> Result<Vec<Finding>, Failure> {
    if held_out.is_empty() || addition.lines.is_empty() {
        return Ok(Vec::new());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut files = vec![(
        "the lines to be recorded".to_owned(),
        firewall::unescaped_ledger(&text(addition.lines)),
    )];
    for (sha256, bytes) in addition.boards {
        files.push((format!("boards/{sha256}.json"), text(bytes)));
    }
    let mut outgoing = Outgoing::new(board::exempt(config));
    for (name, text) in &files {
        outgoing.add_page(name.as_str(), text);
    }
    held_out.search(&outgoing)
}
