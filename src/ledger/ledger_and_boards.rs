//! The ledger with the copies of boards beside it: what they say about a board and its config.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{Board, HeldOut, NotCovered, Row};
use crate::domain::config::{Config, Protocol};
use crate::domain::{Code, Finding, FindingHint, sha256};
use crate::json::{self, Node};
use crate::ledger::{BoardLine, Instant, LedgerBytes, ParsedLedger, Withdraw, check};

/// A ledger and the boards kept beside it.
#[derive(Debug, Clone, Copy)]
pub struct LedgerAndBoards<'f> {
    /// The ledger's files.
    pub files: LedgerBytes<'f>,
    /// What was read from `history.jsonl`.
    pub parsed: &'f ParsedLedger,
    /// The files in `boards/` by their name there.
    pub boards: &'f BTreeMap<String, Vec<u8>>,
    /// How `boards/` is named to people.
    pub dir: &'f str,
}

/// A board that is compared with the ledger.
#[derive(Debug, Clone, Copy)]
pub struct BoardToVerify<'b> {
    /// Its bytes.
    pub bytes: &'b [u8],
    /// How it is named to people.
    pub file: &'b str,
    /// The moment it carries, if it says one.
    pub generated_at: Option<&'b str>,
    /// The board, if it can be read.
    pub board: Option<&'b Board>,
    /// The config it is checked against.
    pub config: &'b Config,
    /// How the config is named to people.
    pub config_file: &'b str,
    /// When it is checked.
    pub now: &'b str,
}

impl LedgerAndBoards<'_> {
    /// Everything that `verify` checks with a ledger: its own files first, then what it says about
    /// the board. Also returns what it leaves open even where all of it is right.
    pub fn verify(&self, claim: &BoardToVerify<'_>) -> (Vec<Finding>, Vec<NotCovered>) {
        let BoardToVerify { board, config, file, .. } = *claim;
        let mut findings = Vec::new();
        if let Some(at) = claim.generated_at {
            let files = LedgerBytes { board: Some((claim.bytes, at)), ..self.files };
            findings = LedgerAndBoards { files, ..*self }.check();
        }
        let mut gaps = Vec::new();
        if let Some(board) = board {
            let here = board.entries.iter().map(Row::id).collect();
            findings.extend(self.vanished(&board.eval_protocol_version, &here, config, file));
            findings.extend(self.unaccounted(board, file));
            gaps = self.not_covered(board);
        }
        findings.extend(self.ahead(claim.now));
        findings.extend(self.parsed.protocol_finding(config, claim.config_file));
        (findings, gaps)
    }

    /// Everything that is wrong with the ledger, the files derived from it and the copies.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = check(&self.files, self.parsed);
        findings.extend(self.check_copies());
        findings
    }

    fn lines(&self) -> &[BoardLine] {
        self.parsed.history.boards()
    }

    /// The copy of a recorded board; `None` if it is not there or not what was recorded.
    pub fn copy(&self, line: &BoardLine) -> Option<&Vec<u8>> {
        let bytes = self.boards.get(&format!("{}.json", line.board_sha256));
        bytes.filter(|bytes| sha256(bytes) == line.board_sha256)
    }

    /// Everything that is wrong with the copies.
    fn check_copies(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let is_recorded = |name: &String| {
            let sha256 = name.strip_suffix(".json");
            self.lines().iter().any(|line| sha256 == Some(&*line.board_sha256))
        };
        // Such a file is not shown anywhere.
        for name in self.boards.keys().filter(|name| !is_recorded(name)) {
            let what = "this board is not in the ledger, so it is not shown";
            let help = "remove the file";
            let file = format!("{}/{name}", self.dir);
            let finding = Finding::new(Code::HBoard, file, "", what).help(help);
            findings.push(finding.hint(FindingHint::UnrecordedCopy));
        }
        for line in self.lines().iter().filter(|line| self.copy(line).is_none()) {
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
    fn vanished(
        &self,
        version: &str,
        here: &BTreeSet<String>,
        config: &Config,
        file: &str,
    ) -> Vec<Finding> {
        let mut gone: BTreeSet<String> = BTreeSet::new();
        for bytes in self.lines().iter().filter_map(|line| self.copy(line)) {
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
            self.parsed.history.withdrawals().iter().any(of)
                || seed.is_some_and(|seed| seed.withdrawn.is_some())
        };
        let gone = gone.iter().filter(|row| !here.contains(*row) && !is_withdrawn(row));
        gone.map(|id| {
            let what = format!("row `{id}` of a recorded board is gone");
            let help = "restore the row, or withdraw it";
            let finding = Finding::new(Code::ERowMissing, file, "entries", what).help(help);
            finding.hint(FindingHint::VanishedRow(id.clone()))
        })
        .collect()
    }

    /// What this ledger leaves open about `board`, even where all of it is right.
    fn not_covered(&self, board: &Board) -> Vec<NotCovered> {
        let is_scored = board.entries.iter().any(|row| row.held_out != HeldOut::Pending);
        let is_committed = self.parsed.history.commit(&board.eval_protocol_version).is_some();
        let gaps = [
            (is_scored && !is_committed, NotCovered::UNCOMMITTED),
            (!self.files.history.is_empty(), NotCovered::UNWITNESSED),
        ];
        gaps.into_iter().filter(|(applies, _)| *applies).map(|(_, gap)| gap).collect()
    }

    /// Where held-out sets are committed to: a finding for a scored board whose protocol version has
    /// no commitment, or for each scored row that no `attempt` line is about.
    fn unaccounted(&self, board: &Board, file: &str) -> Vec<Finding> {
        let history = &self.parsed.history;
        let protocol = &board.eval_protocol_version;
        let rows = board.entries.iter().enumerate();
        let scored: Vec<_> = rows.filter(|(_, row)| row.held_out != HeldOut::Pending).collect();
        if scored.is_empty() || history.commits().next().is_none() {
            return Vec::new();
        }
        if history.commit(protocol).is_none() {
            let what = format!(
                "protocol version `{protocol}` is scored and its held-out set was never committed to"
            );
            let help = "commit to it, then score again: an earlier version has a commitment, so this one needs its own";
            let finding = Finding::new(Code::EHeldSet, file, "eval_protocol_version", what);
            return vec![finding.help(help).hint(FindingHint::NoCommitment)];
        }
        let is_unknown =
            |row: &Row| history.last_attempt(protocol, &row.provider, &row.model).is_none();
        let finding = |(at, row): (usize, &Row)| {
            let what =
                format!("row `{}` is scored and no attempt of it is in the ledger", row.id());
            let help = "each scoring is recorded before its number is shown";
            let path = format!("entries[{at}].held_out");
            Finding::new(Code::HAttempt, file, path, what)
                .help(help)
                .hint(FindingHint::UnrecordedScoring)
        };
        scored.into_iter().filter(|(_, row)| is_unknown(row)).map(finding).collect()
    }

    /// A note if the last line of the ledger is dated after `now` by more than a day: one of the two
    /// clocks is wrong.
    fn ahead(&self, now: &str) -> Option<Finding> {
        let until = self.parsed.recorded_until.as_deref()?;
        let (late, now) = (Instant::parse(until)?, Instant::parse(now)?);
        let what = format!("the ledger ends at {until}, which is after this machine's clock");
        let help = "check the clock; no line can be recorded in the future";
        (late.seconds_since(now) > 24 * 60 * 60).then(|| {
            Finding::new(Code::HOrder, "leaderboard/history.jsonl", "", what).help(help).note()
        })
    }

    /// `provider:model` of every row that a line of the ledger or a board kept beside it names.
    pub fn rows_ever_named(&self) -> BTreeSet<String> {
        let mut named = BTreeSet::new();
        for line in self.files.history.split(|byte| *byte == b'\n') {
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

impl ParsedLedger {
    /// A finding if the protocol of the config is not the one that the first board of its protocol
    /// version was recorded with.
    pub fn protocol_finding(&self, config: &Config, config_file: &str) -> Option<Finding> {
        let Config { protocol, eval_protocol_version: version, .. } = config;
        let mut lines = self.history.boards().iter().filter(|line| line.protocol == *version);
        let first = lines.find_map(|line| line.protocol_sha256.as_deref())?;
        let now = protocol.as_ref().map(Protocol::sha256);
        let what = match &now {
            Some(now) if now == first => return None,
            Some(_) => format!("the protocol changed under the same protocol version `{version}`"),
            None => format!("the protocol of version `{version}` is gone from the config"),
        };
        let help = "raise `eval_protocol_version`, or restore the texts and settings";
        let finding = Finding::new(Code::EProtocol, config_file, "protocol", what);
        let finding = finding.help(help).hint(FindingHint::OtherProtocol);
        Some(finding.sides(first, now.as_deref().unwrap_or("none")))
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
