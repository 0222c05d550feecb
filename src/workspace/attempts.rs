//! Scorings of the held-out set: the salt they are committed with, and their lines in the ledger.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::board::{Board, HeldOut, Row};
use crate::domain::config::{BelowPath, Config, Seed, is_report_url};
use crate::domain::{Code, Failure, Finding};
use crate::fs::{self, BUNDLE_FILE_LIMIT, Store, StoreError};
use crate::json;
use crate::ledger::{Attempt, Commit, History, Line};
use crate::replay;
use crate::seal::{Salt, commitment, manifest};
use crate::workspace::{LedgerSession, NewLines, Place, Workspace};

/// The file of the master salt, in the held-out directory.
const MASTER: &str = "master-salt.hex";
/// Where scored held-out bundles are kept, below the held-out directory.
const KEPT: &str = "by-commitment";
/// The files that a row is committed by.
pub(super) const FILES: [&str; 3] = ["completions.json", "judge.json", "prompts.json"];

/// The files of a held-out bundle, in the order of [`FILES`].
pub(super) type Bundle = [Vec<u8>; 3];

/// The commitment to a set of prompts.
pub(super) fn set_commitment(salt: &Salt, prompts: &[u8]) -> String {
    commitment(salt, &manifest([("prompts.json", prompts)]))
}

/// The manifest of a row's bundle.
pub(super) fn row_manifest(bundle: &Bundle) -> String {
    manifest(FILES.into_iter().zip(bundle.iter().map(Vec::as_slice)))
}

/// The salt of a set's commitment.
pub(super) fn set_salt(master: &Salt, protocol: &str) -> Salt {
    master.derive(&format!("set\n{protocol}"))
}

/// The salt of a row's commitments.
pub(super) fn row_salt(master: &Salt, protocol: &str, provider: &str, model: &str) -> Salt {
    master.derive(&format!("row\n{protocol}\n{provider}\n{model}"))
}

/// Makes the master salt in `dir` and reads it back. One that is there is never replaced.
pub fn make_salt(dir: &Path) -> Result<PathBuf, Failure> {
    let path = dir.join(MASTER);
    let salt = Salt::new(fs::random_bytes()?);
    fs::create_private(&path, salt.text().as_bytes())?;
    if master_salt(&Store::open(dir)?)? == salt {
        return Ok(path);
    }
    Err(Failure::unusable("the master salt was written, but other bytes are read back")
        .at(path.display().to_string()))
}

/// The master salt in a held-out directory.
pub(super) fn master_salt(store: &Store) -> Result<Salt, Failure> {
    let failure = |what: &str, help: &str| {
        Failure::unusable(what).at(store.path(MASTER).display().to_string()).help(help)
    };
    match store.read(MASTER, BUNDLE_FILE_LIMIT) {
        Err(StoreError::Absent(_)) => Err(failure(
            "the held-out directory has no master salt",
            "fetch the private dataset that has it, or restore it from your second copy; for the first commitment of a board make one with `gmat-leaderboard heldout salt`",
        )),
        bytes => Salt::parse(&bytes?).ok_or_else(|| {
            failure(
                "the master salt is damaged: expected 64 lower-case hex digits and a line feed",
                "restore it from your second copy",
            )
        }),
    }
}

/// The prompts.json of a held-out directory: its own, else that of its bundles.
pub fn held_out_prompts(dir: &Path) -> Result<PathBuf, Failure> {
    let own = dir.join("prompts.json");
    if own.is_file() {
        return Ok(own);
    }
    let failed = |source| StoreError::Io { verb: "read", path: dir.to_owned(), source };
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(failed(error).into());
        }
        entries => entries.into_iter().flatten(),
    };
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join("prompts.json")))
        .filter(|file| file.is_file())
        .collect();
    folders.sort();
    folders.into_iter().next().ok_or_else(|| {
        Failure::unusable("the held-out directory has no prompts.json")
            .at(dir.display().to_string())
            .help("fetch the held-out set first: `gmat-leaderboard fetch`; for a new set, write its prompts.json there (`gmat-leaderboard heldout new`)")
    })
}

/// Number and address of the workflow run this is.
pub fn workflow() -> (Option<u64>, Option<String>) {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let number = set("GITHUB_RUN_NUMBER").and_then(|number| number.parse().ok());
    let parts = (set("GITHUB_SERVER_URL"), set("GITHUB_REPOSITORY"), set("GITHUB_RUN_ID"));
    let url = match parts {
        (Some(server), Some(repository), Some(id)) => {
            Some(format!("{server}/{repository}/actions/runs/{id}"))
        }
        _ => None,
    };
    (number, url.filter(|url| is_report_url(url)))
}

/// What became of a commitment.
#[derive(Debug)]
pub enum Committed {
    /// It was recorded.
    New(String),
    /// The ledger has it already.
    Known(String),
    /// The ledger has another one for this protocol version.
    Other(Finding),
}

impl Workspace {
    /// Commits to the held-out set in the held-out directory, for the config's protocol version.
    pub fn commit_set(&self) -> Result<Committed, Failure> {
        let Some(store) = &self.held_out else {
            return Err(Failure::unusable("no held-out directory was named"));
        };
        let protocol = &self.config.eval_protocol_version;
        let master = master_salt(store)?;
        let path = held_out_prompts(store.root())?;
        let prompts = fs::read_typed(&path, BUNDLE_FILE_LIMIT)?;
        let set_commitment = set_commitment(&set_salt(&master, protocol), &prompts);
        let mut session = LedgerSession::writing(Place::Workspace(self), None)?;
        if let Some(commit) = session.history.commit(protocol) {
            if commit.set_commitment == set_commitment {
                return Ok(Committed::Known(set_commitment));
            }
            let finding = not_committed(commit, &path.display().to_string());
            return Ok(Committed::Other(finding));
        }
        // A commitment is for good.
        let (shown, dir) = (path.display().to_string(), path.parent().unwrap_or(Path::new("")));
        let document = json::parse(&prompts).map_err(|error| Failure::json(&shown, &error))?;
        replay::read_prompts(&document, &dir.display().to_string(), true)?;
        let line = Line::Commit(Commit {
            kind: "commit",
            protocol: protocol.clone(),
            recorded_at: session.now.clone(),
            set_commitment: set_commitment.clone(),
        });
        record(&mut session, &line.bytes().unwrap_or_default())?;
        Ok(Committed::New(set_commitment))
    }

    /// Records every held-out scoring behind `board` that the ledger does not have yet, before a
    /// number of it is written or shown. Findings that decide mean that nothing was recorded and
    /// nothing may be shown. Does nothing on a board whose set was never committed, unless the config
    /// limits scorings: those are counted by these lines.
    pub fn log_attempts(&self, board: &Board) -> Result<Vec<Finding>, Failure> {
        let Some(store) = &self.held_out else { return Ok(Vec::new()) };
        let protocol = &self.config.eval_protocol_version;
        if self.ledger()?.history()?.commit(protocol).is_none() {
            let limits = &self.config.attempts;
            let help = if store.path(MASTER).exists() {
                "run `gmat-leaderboard heldout commit` first"
            } else if limits.budget.or(limits.per_entrant).is_some() {
                "the config limits scorings (`attempts`), which are counted from the commitment on: run `gmat-leaderboard heldout salt` once, then `gmat-leaderboard heldout commit`"
            } else {
                return Ok(Vec::new());
            };
            let what = format!(
                "the held-out set of protocol version `{protocol}` is to be scored before it was committed to"
            );
            return Err(Failure::unusable(what).at(store.root().display().to_string()).help(help));
        }
        let master = master_salt(store)?;
        let mut session = LedgerSession::writing(Place::Workspace(self), None)?;
        let Some(commit) = session.history.commit(protocol).cloned() else { return Ok(Vec::new()) };
        let set_salt = set_salt(&master, protocol);
        let (workflow_run, workflow_url) = workflow();
        let (mut lines, mut bundles, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        let mut new = Vec::new();
        for (index, seed, dir) in scored(&self.config, board) {
            let bundle = read_bundle(store, dir)?;
            if set_commitment(&set_salt, &bundle[2]) != commit.set_commitment {
                let file = store.path(dir.file("prompts.json")).display().to_string();
                findings.push(not_committed(&commit, &file));
                continue;
            }
            let Seed { provider, model, .. } = seed;
            let salt = row_salt(&master, protocol, provider, model);
            let row_commitment = commitment(&salt, &row_manifest(&bundle));
            let last = session.history.last_attempt(protocol, provider, model);
            if last.and_then(|line| line.row_commitment.as_ref()) == Some(&row_commitment) {
                continue;
            }
            new.push(index);
            findings.extend(self.over_the_limit(&session.history, index, &new)?);
            let line = Line::Attempt(Attempt {
                attempt: last.map_or(1, |line| line.attempt + 1),
                kind: "attempt",
                model: model.clone(),
                protocol: protocol.clone(),
                provider: provider.clone(),
                recorded_at: session.now.clone(),
                row_commitment: Some(row_commitment.clone()),
                workflow_run,
                workflow_url: workflow_url.clone(),
            });
            lines.extend(line.bytes().unwrap_or_default());
            bundles.push((row_commitment, bundle));
        }
        if findings.iter().any(Finding::decides) || lines.is_empty() {
            return Ok(findings);
        }
        // Kept first: a line whose bundle is lost can never be opened.
        for (name, bundle) in &bundles {
            for (file, bytes) in FILES.iter().zip(bundle) {
                match fs::create_private(&store.path(KEPT).join(name).join(file), bytes) {
                    Err(StoreError::Exists(_)) => {}
                    written => written?,
                }
            }
        }
        record(&mut session, &lines)?;
        Ok(findings)
    }

    /// A finding if the entrant of the seed at `index` has no scoring left; `new` are the seeds that
    /// are scored now. Rows of recorded boards count too: an entrant whose seed is gone or has
    /// another name starts no new count.
    fn over_the_limit(
        &self,
        history: &History,
        index: usize,
        new: &[usize],
    ) -> Result<Option<Finding>, Failure> {
        let Config { seeds, attempts, eval_protocol_version: protocol, .. } = &self.config;
        let (by, Some(limit)) = (&seeds[index].submitted_by, attempts.per_entrant) else {
            return Ok(None);
        };
        let is_theirs = |kind: &str, submitted_by: &str| {
            Seed::is_self_recorded_kind(kind) && submitted_by == by
        };
        let is_seed = |seed: &&Seed| is_theirs(&seed.kind, &seed.submitted_by);
        if !is_seed(&&seeds[index]) {
            return Ok(None);
        }
        let mut rows: BTreeSet<String> = seeds.iter().filter(is_seed).map(Seed::id).collect();
        for (_, board) in self.ledger()?.boards()? {
            let row = board.entries.iter();
            rows.extend(row.filter(|it| is_theirs(&it.kind, &it.run.submitted_by)).map(Row::id));
        }
        let of_row = |line: &&Attempt| {
            line.protocol == *protocol
                && rows.contains(&format!("{}:{}", line.provider, line.model))
        };
        let before = history.attempts().iter().filter(of_row).count();
        let now = new.iter().filter(|index| is_seed(&&seeds[**index])).count();
        let used = (before + now) as u64;
        Ok((used > limit).then(|| {
            let what = format!(
                "`{}` would be scoring number {used} of `{by}` under protocol `{protocol}`; the config allows {limit}",
                seeds[index].id()
            );
            Finding::new(Code::EAttempts, &*self.config_file, format!("seeds[{index}]"), what)
        }))
    }
}

/// The seeds whose rows on `board` are scored, with their held-out bundles.
fn scored<'c>(
    config: &'c Config,
    board: &Board,
) -> impl Iterator<Item = (usize, &'c Seed, &'c BelowPath)> {
    let is_scored = |seed: &Seed| {
        let mut rows = board.entries.iter();
        rows.any(|row| row.id() == seed.id() && matches!(row.held_out, HeldOut::Scored(_)))
    };
    let seeds = config.seeds.iter().enumerate();
    seeds.filter_map(move |(index, seed)| {
        let dir = seed.held_out_bundle.as_ref().filter(|_| is_scored(seed))?;
        Some((index, seed, dir))
    })
}

/// The files of the held-out bundle in `dir`.
fn read_bundle(store: &Store, dir: &BelowPath) -> Result<Bundle, StoreError> {
    let read = |name| store.read(dir.file(name), BUNDLE_FILE_LIMIT);
    Ok([read(FILES[0])?, read(FILES[1])?, read(FILES[2])?])
}

fn not_committed(commit: &Commit, file: &str) -> Finding {
    let what = format!(
        "the set and the master salt do not give the commitment of protocol version `{}`",
        commit.protocol
    );
    let help = "restore the set and the salt that were committed to, or raise `eval_protocol_version` for a new set";
    Finding::new(Code::EHeldSet, file, "", what).help(help)
}

fn record(session: &mut LedgerSession, lines: &[u8]) -> Result<(), Failure> {
    let appended = session.append(&NewLines { lines, boards: &[] })?;
    match appended.weeks {
        Some(_) => Ok(()),
        None => Err(Failure::unusable("nothing can be recorded: a line has a held-out text")),
    }
}
