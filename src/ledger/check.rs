//! Parses the ledger and checks what its lines say; `audit.rs` checks that no line was changed.
//!
//! Everything here is a finding; nothing stops at the first.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::domain::{Code, Failure, Finding, FindingHint, nearest, sha256};
use crate::json;
use crate::ledger::held_out_log::gaps;
use crate::ledger::{Checkpoint, History, Instant, Line, Tampering, audit, split_lines, weeks};

/// The ledger and the files beside it, as far as they are there.
#[derive(Debug, Clone, Copy, Default)]
pub struct LedgerBytes<'f> {
    /// `history.jsonl`.
    pub history: &'f [u8],
    /// `history.checkpoints`.
    pub checkpoints: Option<&'f [u8]>,
    /// A checkpoint somebody kept elsewhere: its three-line form, or a copy of `history.checkpoints`.
    pub against: Option<&'f [u8]>,
    /// `weekly.json`.
    pub weekly: Option<&'f [u8]>,
    /// The board, and when it was built.
    pub board: Option<(&'f [u8], &'f str)>,
}

/// A ledger that was read, and what is wrong with its lines.
#[derive(Debug, Clone, Default)]
pub struct ParsedLedger {
    /// What the valid lines hold.
    pub history: History,
    /// What is wrong with the others.
    pub findings: Vec<Finding>,
    /// When the last line was recorded, where lines say so.
    pub recorded_until: Option<String>,
}

const FILE: &str = "leaderboard/history.jsonl";
const CHECKPOINTS: &str = "leaderboard/history.checkpoints";
const WEEKLY: &str = "leaderboard/weekly.json";
const BOARD: &str = "leaderboard/leaderboard.json";

/// Reads every line; a ledger whose bytes are not lines has none.
pub fn read(history: &[u8]) -> ParsedLedger {
    read_counted(history, &|| ())
}

/// [`read`], which calls `step` after each line.
pub fn read_counted(history: &[u8], step: &dyn Fn()) -> ParsedLedger {
    let lines = match split_lines(history) {
        Ok(lines) => lines,
        Err(tampering) => {
            return ParsedLedger { findings: vec![tampered(tampering)], ..ParsedLedger::default() };
        }
    };
    let mut findings = Vec::new();
    let mut good = Vec::with_capacity(lines.len());
    let mut numbers = Vec::with_capacity(lines.len());
    let mut unknown_keys: BTreeMap<(String, Option<&str>), (usize, usize)> = BTreeMap::new();
    let mut latest: Option<Instant> = None;
    let mut recorded_until = None;
    for (index, bytes) in lines.iter().enumerate() {
        let number = index + 1;
        step();
        match Line::read(bytes) {
            Ok((line, unknown)) => {
                for key in unknown {
                    let near = nearest(&key, line.keys().iter().copied());
                    unknown_keys.entry((key, near)).or_insert((number, 0)).1 += 1;
                }
                let recorded = line.recorded_at().and_then(Instant::parse);
                if recorded.is_some_and(|at| latest.is_some_and(|latest| at < latest)) {
                    let what = format!("line {number} has an earlier time than the line before it");
                    findings.push(Finding::new(Code::HOrder, FILE, path(number), what));
                }
                if recorded > latest {
                    latest = recorded;
                    recorded_until = line.recorded_at().map(str::to_owned);
                }
                good.push(line);
                numbers.push(number);
            }
            Err(error) => {
                let what = format!("line {number} {error}");
                findings.push(Finding::new(Code::HLine, FILE, path(number), what));
            }
        }
    }
    for ((key, near), (first, count)) in unknown_keys {
        let others = match count - 1 {
            0 => String::new(),
            1 => " and 1 more line".to_owned(),
            more => format!(" and {more} more lines"),
        };
        let what = format!("unknown key `{key}` on line {first}{others}");
        let help = match near {
            Some(near) => format!("did you mean `{near}`? to correct a run, retract it and record it again"),
            None => "the ledger holds aggregates only; retract the run and record it again without the key".to_owned(),
        };
        findings.push(Finding::new(Code::LKey, FILE, path(first), what).help(help));
    }
    let (history, misplaced) = History::from_lines(good);
    for (index, misplaced) in misplaced {
        let number = numbers[index];
        let what = format!("line {number} {misplaced}");
        findings.push(Finding::new(Code::HLine, FILE, path(number), what));
    }
    ParsedLedger { history, findings, recorded_until }
}

impl ParsedLedger {
    /// The history, if every line could be read, and when its last line was recorded.
    pub fn usable(self) -> Result<(History, Option<String>), Failure> {
        self.failure().map_or(Ok((self.history, self.recorded_until)), Err)
    }

    /// The lines that could not be read, as one failure.
    pub fn failure(&self) -> Option<Failure> {
        let broken = self.findings.iter().filter(|finding| is_unreadable(finding));
        let failures = broken.map(|finding| {
            let place = format!("{FILE}, {}", finding.path);
            finding.clone().into_failure(place.trim_end_matches(", "))
        });
        Failure::all(failures.collect())
    }
}

/// Whether it keeps a line from being read; the other rules do not.
fn is_unreadable(finding: &Finding) -> bool {
    matches!(finding.code, Code::HTorn | Code::HForm | Code::HLine)
}

fn path(number: usize) -> String {
    format!("line {number}")
}

/// Everything that is wrong with the ledger and what is derived from it, sorted.
/// `parsed` is what [`read`] made of the history.
pub fn check(files: &LedgerBytes<'_>, parsed: &ParsedLedger) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        anchored(files.history, files.checkpoints).into_iter().collect();
    findings.extend(files.against.and_then(|kept| anchored_elsewhere(files.history, kept)));
    findings.extend(parsed.findings.iter().cloned());
    if !parsed.findings.iter().any(is_unreadable) {
        let history = &parsed.history;
        findings.extend(missing_attempts(history));
        findings.extend(files.weekly.and_then(|bytes| weekly(history, bytes)));
        findings.extend(files.board.and_then(|(bytes, at)| recorded(history, bytes, at)));
    }
    findings.sort();
    findings.dedup();
    findings
}

/// What is wrong with the ledger's bytes, by its checkpoints.
pub fn anchored(history: &[u8], checkpoints: Option<&[u8]>) -> Option<Finding> {
    let own = checkpoints.map(records).unwrap_or_default();
    match audit(history, &own) {
        Err(tampering) => Some(tampered(tampering)),
        Ok(anchored) if anchored.unanchored_lines > 0 && checkpoints.is_some() => {
            let what = format!(
                "{} of {} lines are newer than the last checkpoint",
                anchored.unanchored_lines, anchored.head.size
            );
            let help = "a new checkpoint covers them";
            let finding = Finding::new(Code::HTree, CHECKPOINTS, "", what).note().help(help);
            Some(finding.hint(FindingHint::NoCheckpoint))
        }
        Ok(_) => None,
    }
}

/// What is wrong with the ledger's bytes, by a checkpoint that was kept elsewhere.
fn anchored_elsewhere(history: &[u8], against: &[u8]) -> Option<Finding> {
    let kept = match std::str::from_utf8(against).ok().and_then(Checkpoint::parse) {
        Some(checkpoint) => vec![Some(checkpoint)],
        None => records(against),
    };
    let kept = if kept.is_empty() { vec![None] } else { kept };
    let tampering = audit(history, &kept).err()?;
    let mut finding = tampered(tampering);
    if let Tampering::BadCheckpoint(_) = tampering {
        "the checkpoint kept elsewhere cannot be parsed: expected a checkpoint as printed, or lines of time, size and root"
            .clone_into(&mut finding.what);
    } else if finding.file == CHECKPOINTS || finding.code == Code::HTree {
        finding.what = format!("{}, by the checkpoint kept elsewhere", finding.what);
    }
    Some(finding)
}

/// The checkpoints of a `history.checkpoints`; `None` for a line that is none.
fn records(bytes: &[u8]) -> Vec<Option<Checkpoint>> {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if body.is_empty() {
        return Vec::new();
    }
    body.split(|byte| *byte == b'\n')
        .map(|line| std::str::from_utf8(line).ok().and_then(Checkpoint::parse_record))
        .collect()
}

fn tampered(tampering: Tampering) -> Finding {
    let ledger = |code, what: &str| Finding::new(code, FILE, "", what);
    let checkpoint = |index: usize, what: &str| {
        let what = format!("checkpoint {} {what}", index + 1);
        Finding::new(Code::HCheckpoint, CHECKPOINTS, path(index + 1), what)
    };
    match tampering {
        Tampering::NoFinalNewline => ledger(Code::HTorn, "the last line has no newline"),
        Tampering::EmptyLine => ledger(Code::HForm, "a line is empty"),
        Tampering::CarriageReturn => ledger(Code::HForm, "a line holds a carriage return"),
        Tampering::BadCheckpoint(index) => {
            checkpoint(index, "cannot be parsed: expected time, size and root")
        }
        Tampering::CheckpointShrinks(index) => {
            checkpoint(index, "is smaller than the one before it")
        }
        Tampering::Truncated(index) => {
            let what = format!("the ledger has fewer lines than checkpoint {} counted", index + 1);
            ledger(Code::HTree, &what)
        }
        Tampering::RootMismatch(index) => {
            let what = format!("the ledger's lines are not the ones of checkpoint {}", index + 1);
            ledger(Code::HTree, &what)
        }
    }
}

/// How many missing numbers a note lists.
const LISTED: usize = 10;

/// Gaps in the attempts of each row, and in the workflow runs that recorded them: an attempt that
/// was scored and left out shows here.
fn missing_attempts(history: &History) -> Vec<Finding> {
    let mut rows: BTreeMap<(&str, String), Vec<u64>> = BTreeMap::new();
    for line in history.attempts() {
        let row = format!("{}:{}", line.provider, line.model);
        rows.entry((&line.protocol, row)).or_default().push(line.attempt);
    }
    let mut findings = Vec::new();
    let mut note = |what: String| {
        findings.push(Finding::new(Code::HAttempt, FILE, "", what).note());
    };
    let list = |(missing, count): (Vec<u64>, u64)| {
        let numbers: Vec<String> = missing.iter().map(u64::to_string).collect();
        let more = if count > missing.len() as u64 { ", …" } else { "" };
        (count > 0).then(|| format!("{count} missing ({}{more})", numbers.join(", ")))
    };
    for ((protocol, row), numbers) in rows {
        if let Some(missing) = list(gaps(1, &numbers, LISTED)) {
            note(format!("attempts of `{row}` under protocol `{protocol}`: {missing}"));
        }
    }
    let attempts = history.attempts().iter().filter_map(|line| line.workflow_run);
    let runs: Vec<u64> =
        attempts.chain(history.exposures().iter().filter_map(|line| line.workflow_run)).collect();
    let first = runs.iter().copied().min().unwrap_or_default();
    if let Some(missing) = list(gaps(first, &runs, LISTED)) {
        note(format!("workflow runs: {missing}"));
    }
    findings
}

/// The bytes of `weekly.json`.
pub fn weekly_bytes(history: &History) -> Vec<u8> {
    json::pretty(&weeks(history))
}

fn weekly(history: &History, bytes: &[u8]) -> Option<Finding> {
    (weekly_bytes(history) != bytes).then(|| {
        let what = "weekly.json differs from what the ledger gives";
        Finding::new(Code::HWeekly, WEEKLY, "", what)
    })
}

/// A finding if the board is not the last one of the ledger.
fn recorded(history: &History, bytes: &[u8], generated_at: &str) -> Option<Finding> {
    let lines = history.boards();
    let sha256 = sha256(bytes);
    let last = lines.last()?;
    if last.board_sha256 == sha256 {
        return None;
    }
    let finding = |what: String| Finding::new(Code::HBoard, BOARD, "", what);
    if let Some(older) = lines.iter().find(|line| line.board_sha256 == sha256) {
        let (serial, last) = (older.serial, last.serial);
        return Some(
            finding(format!("the board is number {serial} of {last} recorded, not the last"))
                .help("restore the last board: `git log -- leaderboard/leaderboard.json`"),
        );
    }
    Some(match Instant::parse(generated_at).cmp(&Instant::parse(&last.generated_at)) {
        Ordering::Greater => {
            finding("the board is newer than the last one recorded".to_owned()).note()
        }
        Ordering::Less => {
            let what = "the board is stamped before the last one recorded";
            Finding::new(Code::EHeader, BOARD, "generated_at", what)
                .sides(generated_at, &last.generated_at)
                .help("build it again")
                .hint(FindingHint::EarlierStamp)
        }
        Ordering::Equal => finding(format!("the board is none of the {} recorded", lines.len()))
            .sides(sha256, &last.board_sha256),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &LedgerBytes<'_>) -> Vec<Finding> {
        super::check(files, &read(files.history))
    }

    const RUNS: &str = concat!(
        r#"{"run_id":"a","run_at":"2026-05-04T12:00:00Z","model":"m","aggregate_score":0.8,"recorded_at":"2026-05-04T13:00:00Z"}"#,
        "\n",
        r#"{"run_id":"b","run_at":"2026-05-05T12:00:00Z","model":"m","aggregate_score":0.9,"recorded_at":"2026-05-05T13:00:00Z"}"#,
        "\n",
    );

    fn codes(findings: &[Finding]) -> Vec<String> {
        findings.iter().map(|finding| format!("{} {}", finding.code, finding.what)).collect()
    }

    #[test]
    fn each_tampering_trips_its_own_rule_and_only_it() {
        let board_line = r#"{"kind":"board","board_sha256":"00","generated_at":"2026-05-06T00:00:00Z","protocol":"1","recorded_at":"2026-05-06T00:00:00Z","rows":1,"serial":1}"#;
        let retraction = r#"{"kind":"retraction","run_id":"zz","reason":"x","recorded_at":"2026-05-06T00:00:00Z"}"#;
        for (text, expected) in [
            (RUNS.to_owned(), vec![]),
            (RUNS.trim_end().to_owned(), vec!["H-TORN the last line has no newline"]),
            (RUNS.replace('\n', "\n\n"), vec!["H-FORM a line is empty"]),
            (RUNS.replace('\n', "\r\n"), vec!["H-FORM a line holds a carriage return"]),
            (RUNS.replace("\"b\"", "\"a\""), vec!["H-LINE line 2 repeats the run_id `a`"]),
            (
                RUNS.replace("05-05T13", "05-03T13"),
                vec!["H-ORDER line 2 has an earlier time than the line before it"],
            ),
            (format!("{RUNS}nonsense\n"), vec!["H-LINE line 3 is not JSON: expected a JSON value"]),
            (format!("{RUNS}{retraction}\n"), vec!["H-LINE line 3 retracts the unknown run `zz`"]),
            (
                RUNS.replace("\"run_at\"", "\"prompt\":1,\"run_at\""),
                vec!["L-KEY unknown key `prompt` on line 1 and 1 more line"],
            ),
            (format!("{RUNS}{board_line}\n"), vec![]),
        ] {
            let files = LedgerBytes { history: text.as_bytes(), ..LedgerBytes::default() };
            assert_eq!(codes(&check(&files)), expected, "{text}");
        }
    }

    #[test]
    fn unknown_keys_get_a_suggestion_and_gaps_in_attempts_a_note() {
        let line = |attempt: u64, run: u64| {
            format!(
                r#"{{"attempt":{attempt},"kind":"attempt","model":"m","protocol":"1","provider":"p","recorded_at":"2026-05-06T00:00:00Z","row_commitment":null,"workflow_run":{run},"workflow_url":null}}"#
            )
        };
        let check_lines = |lines: &[String]| {
            let text = format!("{}\n", lines.join("\n"));
            check(&LedgerBytes { history: text.as_bytes(), ..LedgerBytes::default() })
        };
        assert_eq!(check_lines(&[line(1, 7), line(2, 8)]), []);
        let findings = check_lines(&[line(2, 7), line(5, 9)]);
        assert_eq!(
            codes(&findings),
            [
                "H-ATTEMPT attempts of `p:m` under protocol `1`: 3 missing (1, 3, 4)",
                "H-ATTEMPT workflow runs: 1 missing (8)"
            ]
        );
        assert!(findings.iter().all(|finding| !finding.decides()));
        let slip = line(1, 7).replace("\"attempt\":1", "\"atempt\":1,\"attempt\":1");
        let findings = check_lines(&[slip]);
        assert_eq!(codes(&findings), ["L-KEY unknown key `atempt` on line 1"]);
        assert!(findings[0].help.starts_with("did you mean `attempt`?"), "{}", findings[0].help);
        let wrong = format!("{RUNS}{{\"kind\":\"withdraw\",\"model\":7}}\n");
        let findings = check(&LedgerBytes { history: wrong.as_bytes(), ..LedgerBytes::default() });
        assert_eq!(codes(&findings), ["H-LINE line 3 has an invalid `model`: expected a string"]);
        let files = LedgerBytes {
            history: RUNS.as_bytes(),
            checkpoints: Some(b"not a checkpoint\n"),
            ..LedgerBytes::default()
        };
        assert_eq!(
            codes(&check(&files)),
            ["H-CHECKPOINT checkpoint 1 cannot be parsed: expected time, size and root"]
        );
    }

    #[test]
    fn derived_files_and_the_board_are_held_to_the_ledger() {
        let sha256 = sha256(b"one");
        let line = |serial: u32, sha256: &str| {
            format!(
                "{{\"kind\":\"board\",\"board_sha256\":\"{sha256}\",\"generated_at\":\"2026-05-0{serial}T00:00:00Z\",\"protocol\":\"1\",\"recorded_at\":\"2026-05-06T00:00:00Z\",\"rows\":1,\"serial\":{serial}}}\n"
            )
        };
        let history = format!("{RUNS}{}", line(1, &sha256));
        let weekly = weekly_bytes(&read(history.as_bytes()).history);
        let files = LedgerBytes {
            history: history.as_bytes(),
            weekly: Some(&weekly),
            board: Some((b"one", "2026-05-01T00:00:00Z")),
            ..LedgerBytes::default()
        };
        assert_eq!(codes(&check(&files)), Vec::<String>::new());
        let spoilt = LedgerBytes { weekly: Some(b"[]\n"), ..files };
        assert_eq!(
            codes(&check(&spoilt)),
            ["H-WEEKLY weekly.json differs from what the ledger gives"]
        );
        let ahead = LedgerBytes { board: Some((b"two", "2026-05-02T00:00:00Z")), ..files };
        assert!(!check(&ahead)[0].decides());
        let other = LedgerBytes { board: Some((b"two", "2026-05-01T00:00:00Z")), ..files };
        assert_eq!(codes(&check(&other)), ["H-BOARD the board is none of the 1 recorded"]);
        let history = format!("{history}{}", line(2, "ff"));
        let behind = LedgerBytes { history: history.as_bytes(), weekly: None, ..files };
        assert_eq!(
            codes(&check(&behind)),
            ["H-BOARD the board is number 1 of 2 recorded, not the last"]
        );
    }

    #[test]
    fn an_anchor_kept_elsewhere_sees_a_rewrite_the_repository_hides() {
        let head = |text: &str| {
            Checkpoint::from_frontier(
                &split_lines(text.as_bytes()).expect("lines").iter().collect(),
            )
        };
        let rewritten = RUNS.replace("0.8", "0.9");
        let records = head(&rewritten).record("2026-05-06T00:00:00Z");
        let kept = head(RUNS).text();
        let files = LedgerBytes {
            history: rewritten.as_bytes(),
            checkpoints: Some(records.as_bytes()),
            ..LedgerBytes::default()
        };
        assert_eq!(codes(&check(&files)), Vec::<String>::new());
        let files = LedgerBytes { against: Some(kept.as_bytes()), ..files };
        assert_eq!(
            codes(&check(&files)),
            [
                "H-TREE the ledger's lines are not the ones of checkpoint 1, by the checkpoint kept elsewhere"
            ]
        );
    }
}
