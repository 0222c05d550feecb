//! The ledger with the copies of boards beside it: what they say about a board and its config.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::domain::config::Config;
use crate::domain::{Code, Finding, Hint};
use crate::json::{self, Node};
use crate::ledger::{BoardLine, Withdraw};

/// A ledger and the boards kept beside it.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'f> {
    /// `history.jsonl`.
    pub bytes: &'f [u8],
    /// Its lines about boards.
    pub lines: &'f [BoardLine],
    /// Its lines about rows that were taken off.
    pub withdrawals: &'f [Withdraw],
    /// The files in `boards/` by their name there.
    pub boards: &'f BTreeMap<String, Vec<u8>>,
}

impl Kept<'_> {
    /// The copy of a recorded board; `None` if it is not there or not what was recorded.
    pub fn copy(&self, line: &BoardLine) -> Option<&Vec<u8>> {
        let bytes = self.boards.get(&format!("{}.json", line.board_sha256));
        bytes.filter(|bytes| hex::encode(Sha256::digest(bytes)) == line.board_sha256)
    }

    /// Everything that is wrong with the copies; `dir` is how `boards/` is named to people.
    pub fn check_copies(&self, dir: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        let is_recorded = |name: &String| {
            let sha256 = name.strip_suffix(".json");
            self.lines.iter().any(|line| sha256 == Some(&*line.board_sha256))
        };
        // Such a file is not shown anywhere.
        for name in self.boards.keys().filter(|name| !is_recorded(name)) {
            let what = "this board is not in the ledger, so it is not shown";
            let help = "remove the file";
            let file = format!("{dir}/{name}");
            let finding = Finding::new(Code::HBoard, file, "", what).help(help);
            findings.push(finding.hint(Hint::UnrecordedCopy));
        }
        for line in self.lines.iter().filter(|line| self.copy(line).is_none()) {
            let file = format!("leaderboard/boards/{}.json", line.board_sha256);
            let what =
                format!("the copy of board number {} is missing or was changed", line.serial);
            let help = "restore it from git: `git log -- leaderboard/boards`";
            findings.push(Finding::new(Code::HBoard, file, "", what).help(help));
        }
        findings
    }

    /// A finding for every row of a recorded board that is not among those `here` although nothing
    /// says that it was withdrawn. Boards of another protocol version are not compared.
    pub fn vanished(
        &self,
        version: &str,
        here: &BTreeSet<String>,
        config: &Config,
        file: &str,
    ) -> Vec<Finding> {
        let mut gone: BTreeSet<String> = BTreeSet::new();
        for bytes in self.lines.iter().filter_map(|line| self.copy(line)) {
            let Ok(board) = json::parse(bytes) else { continue };
            let header = board.root.object().ok();
            let text = header.and_then(|header| header.get("eval_protocol_version")?.as_str());
            if text == Some(version) {
                gone.extend(rows(&board.root));
            }
        }
        let is_withdrawn = |row: &String| {
            let of = |it: &Withdraw| *row == format!("{}:{}", it.provider, it.model);
            let seed = config.seeds.iter().find(|seed| seed.id() == *row);
            self.withdrawals.iter().any(of) || seed.is_some_and(|seed| seed.withdrawn.is_some())
        };
        let gone = gone.iter().filter(|row| !here.contains(*row) && !is_withdrawn(row));
        gone.map(|id| {
            let what = format!("row `{id}` of a recorded board is gone");
            let help = "restore the row, or withdraw it";
            let finding = Finding::new(Code::ERowMissing, file, "entries", what).help(help);
            finding.hint(Hint::VanishedRow(id.clone()))
        })
        .collect()
    }

    /// `provider:model` of every row that a line of the ledger or a board kept beside it names.
    pub fn rows_ever_named(&self) -> BTreeSet<String> {
        let mut named = BTreeSet::new();
        for line in self.bytes.split(|byte| *byte == b'\n') {
            // A line that is not JSON is a finding of its own.
            named.extend(json::parse(line).iter().filter_map(|line| row_of_line(&line.root)));
        }
        for bytes in self.boards.values() {
            // Whatever else is wrong with such a file, its rows were on a board.
            let Ok(document) = json::parse(bytes) else { continue };
            named.extend(rows(&document.root));
        }
        named
    }
}

/// The names of a board's rows.
fn rows<'n>(board: &'n Node<'_>) -> impl Iterator<Item = String> + 'n {
    let rows = board.object().ok().and_then(|header| header.get("entries")?.array().ok());
    rows.unwrap_or_default().iter().filter_map(row_name)
}

/// The row that a line names. An exposure names a model or a judge that was asked, which may never
/// become a row.
fn row_of_line(node: &json::Node<'_>) -> Option<String> {
    let kind = node.object().ok()?.get("kind").and_then(json::Node::as_str);
    row_name(node).filter(|_| kind != Some("exposure"))
}

/// The row that an object names: `model` is the whole name in a run, beside `provider` elsewhere.
fn row_name(node: &Node<'_>) -> Option<String> {
    let object = node.object().ok()?;
    let text = |key: &str| object.get(key).and_then(Node::as_str);
    let model = text("model")?;
    Some(text("provider").map_or(model.to_owned(), |provider| format!("{provider}:{model}")))
}
