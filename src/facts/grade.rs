//! Whether a run could be done again and checked: the hashes it carries, the bundle it was
//! replayed from, and what is wrong with either.
//!
//! A hash that is present is not evidence by itself. LightEval has for long written the hash of
//! nothing, and converters paste constants.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::board::{Row, cells};
use crate::domain::xxh64_hex;
use crate::import::result_file::Hashes;
use crate::replay::Replay;

/// The four hashes of a task.
pub const HASH_FIELDS: [&str; 4] =
    ["hash_examples", "hash_full_prompts", "hash_input_tokens", "hash_cont_tokens"];
/// The hash of nothing.
const VACUOUS: &str = "ef46db3751d8e999";

/// Whose rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// The decision record that started it, and nothing more.
    Adr,
    /// What this program publishes.
    Board,
}

/// How much a run's evidence is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Grade {
    /// Not reproducible.
    None,
    /// Reproducible, with a reservation.
    Weak,
    /// Reproducible.
    Full,
}

impl Grade {
    /// `full`, `weak` or `none`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Weak => "weak",
            Self::Full => "full",
        }
    }
}

/// What was found when the recorded bundle was replayed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayCheck {
    /// It gives the published numbers.
    Match,
    /// It gives others.
    Mismatch,
    /// It is not here.
    NotRun,
}

impl ReplayCheck {
    /// Whether `replay` gives the public cell that `row` publishes, from the bundle the row names.
    pub fn between(row: &Row, replay: Option<&Replay>) -> Self {
        let Some(replay) = replay else { return Self::NotRun };
        let is_named = replay.sha16() == row.run.recorded_bundle_sha16;
        if is_named && cells(replay)[0] == row.public { Self::Match } else { Self::Mismatch }
    }
}

/// What a run brings to be checked by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proofs {
    /// All tasks of the run, where known.
    pub tasks: Vec<String>,
    /// Each row of task hashes.
    pub task_hashes: Vec<(String, Hashes)>,
    /// The hashes over all tasks.
    pub summary_general: Option<Hashes>,
    /// The recorded bundle's sha16 and its replay.
    pub bundle: Option<(String, ReplayCheck)>,
}

/// The verdict on a run's proofs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// How much they are worth.
    pub grade: Grade,
    /// What is wrong, sorted.
    pub problems: Vec<String>,
    /// Whether the bundle was replayed here and matched.
    pub verified: bool,
}

impl Evidence {
    /// Whether the run counts as reproducible.
    pub fn is_reproducible(&self) -> bool {
        self.grade != Grade::None
    }

    /// What is wrong with it, in a sentence; the same problem of many tasks is counted, not listed.
    pub fn describe(&self) -> String {
        let count = |kind: &str| {
            let of_kind = |problem: &&String| problem.split(':').next() == Some(kind);
            self.problems.iter().filter(of_kind).count()
        };
        let words = [
            ("no_evidence", "nothing it could be checked by"),
            ("bundle_malformed", "the hash of its bundle is malformed"),
            ("bundle_mismatch", "the bundle here gives other numbers or another hash"),
            ("missing", "{} missing"),
            ("malformed", "{} that are none"),
            ("unhashed", "{task} without hashes"),
            ("duplicate_task", "{task} hashed twice"),
            ("summary_general_mismatch", "{} over all tasks that do not add up"),
            ("vacuous", "{} of nothing"),
            ("no_summary_general", "no hashes over all tasks to check the others by"),
        ];
        let plural = |number: usize, noun: &str| {
            if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
        };
        let words = words.into_iter().map(|(kind, words)| (count(kind), words));
        let hashes = words.filter(|(number, _)| *number > 0).map(|(number, words)| {
            words
                .replace("{}", &plural(number, "hash").replace("hashs", "hashes"))
                .replace("{task}", &plural(number, "task"))
        });
        hashes.collect::<Vec<_>>().join("; ")
    }
}

/// Grades `proofs`.
pub fn grade(proofs: &Proofs, mode: Mode) -> Evidence {
    let mut fatal: BTreeSet<String> = BTreeSet::new();
    let mut weak: BTreeSet<String> = BTreeSet::new();
    let board = mode == Mode::Board;
    let bundle = proofs.bundle.as_ref().filter(|_| board);
    if proofs.task_hashes.is_empty() && bundle.is_none() {
        fatal.insert("no_evidence".into());
    }
    for (task, hashes) in &proofs.task_hashes {
        for field in HASH_FIELDS {
            let hash = hashes.get(field).filter(|hash| !hash.is_empty());
            match hash.map(String::as_str) {
                None => fatal.insert(format!("missing:{task}:{field}")),
                Some(hash) if board && !is_sha16(hash) => {
                    fatal.insert(format!("malformed:{task}:{field}"))
                }
                Some(VACUOUS) if board => weak.insert(format!("vacuous:{task}:{field}")),
                Some(_) => false,
            };
        }
    }
    if board {
        fatal.extend(task_problems(proofs));
        if let Some((sha16, replay)) = bundle {
            if !is_sha16(sha16) {
                fatal.insert("bundle_malformed".into());
            }
            if *replay == ReplayCheck::Mismatch {
                fatal.insert("bundle_mismatch".into());
            }
        }
        if !proofs.task_hashes.is_empty() {
            match complete(proofs.summary_general.as_ref()) {
                None => {
                    weak.insert("no_summary_general".into());
                }
                Some(summary) if fatal.is_empty() => fatal.extend(mismatches(proofs, summary)),
                Some(_) => {}
            }
        }
    }
    let grade = match (fatal.is_empty(), weak.is_empty()) {
        (false, _) => Grade::None,
        (true, false) => Grade::Weak,
        (true, true) => Grade::Full,
    };
    let replayed = bundle.is_some_and(|(_, replay)| *replay == ReplayCheck::Match);
    let verified = grade != Grade::None && replayed;
    fatal.append(&mut weak);
    Evidence { grade, problems: fatal.into_iter().collect(), verified }
}

/// Tasks without a row of hashes, and with two.
fn task_problems(proofs: &Proofs) -> Vec<String> {
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for (task, _) in &proofs.task_hashes {
        if !seen.insert(task) {
            problems.push(format!("duplicate_task:{task}"));
        }
    }
    if !proofs.task_hashes.is_empty() {
        let unhashed = proofs.tasks.iter().filter(|task| !seen.contains(task));
        problems.extend(unhashed.map(|task| format!("unhashed:{task}")));
    }
    problems
}

fn complete(summary: Option<&Hashes>) -> Option<&Hashes> {
    summary.filter(|summary| {
        HASH_FIELDS.iter().all(|field| summary.get(*field).is_some_and(|hash| !hash.is_empty()))
    })
}

/// The fields whose summary is not the hash of the tasks' hashes in task-name order.
fn mismatches(proofs: &Proofs, summary: &Hashes) -> Vec<String> {
    let mut rows: Vec<&(String, Hashes)> = proofs.task_hashes.iter().collect();
    rows.sort();
    HASH_FIELDS
        .into_iter()
        .filter(|field| {
            let joined: String =
                rows.iter().filter_map(|(_, hashes)| hashes.get(*field)).cloned().collect();
            summary.get(*field) != Some(&xxh64_hex(joined.as_bytes()))
        })
        .map(|field| format!("summary_general_mismatch:{field}"))
        .collect()
}

fn is_sha16(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
