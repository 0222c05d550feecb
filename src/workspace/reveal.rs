//! Opening a retired held-out set: its files and salts, and the check that they give what was
//! committed to and published.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::board::{Board, HeldOut, Row, cells};
use crate::domain::{Code, Failure, Finding, sha256, slug_of};
use crate::fs::{self, BUNDLE_FILE_LIMIT, SITE_LIMIT, Store};
use crate::json;
use crate::ledger::{self, Attempt, Line, Reveal};
use crate::replay::{self, BundleFiles, Replay};
use crate::seal::{Salt, commitment, manifest};
use crate::workspace::attempts::{
    Bundle, FILES, master_salt, row_manifest, row_salt, set_commitment, set_salt,
};
use crate::workspace::{BoardFile, HeldOutSet, LedgerSession, NewLines, Place, Workspace};

type Files = BTreeMap<String, Vec<u8>>;

/// What `verify --reveal` re-scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Revealed {
    /// How many boards.
    pub boards: usize,
    /// How many held-out cells of them were reproduced.
    pub cells: usize,
}

/// The folder below the root that the set of a protocol version is revealed in.
pub fn reveal_dir(root: &Path, protocol: &str) -> PathBuf {
    root.join("leaderboard/revealed").join(slug_of(protocol))
}

impl Workspace {
    /// Every file of a reveal of `protocol`, by path, from the held-out directory.
    fn reveal_files(&self, store: Store, protocol: &str) -> Result<(Files, Salt), Failure> {
        let history = self.ledger()?.history()?;
        let Some(commit) = history.commit(protocol) else {
            return Err(Failure::unusable(format!(
                "the ledger has no commitment for protocol version `{protocol}`"
            ))
            .help("only a set that was committed to with `heldout commit` can be revealed"));
        };
        let master = master_salt(&store)?;
        let place = store.root().display().to_string();
        let set = HeldOutSet::open(store.into())?;
        let read = |dir: &Path, name: &str| {
            set.store.read(dir.join(name), BUNDLE_FILE_LIMIT).unwrap_or_default()
        };
        let salt = set_salt(&master, protocol);
        let mut prompts = set.bundles.keys().map(|dir| read(dir, "prompts.json"));
        let prompts = prompts.find(|it| set_commitment(&salt, it) == commit.set_commitment);
        let Some(prompts) = prompts else {
            return Err(Failure::unusable(format!(
                "no prompts.json here gives the commitment of protocol version `{protocol}` with the master salt"
            ))
            .at(place)
            .help("fetch the dataset as it was then, with its master salt"));
        };
        let mut files = Files::new();
        let mut put = |dir: String, salt: &Salt, manifest: String, named: Vec<(&str, &[u8])>| {
            files.insert(format!("{dir}/manifest"), manifest.into_bytes());
            files.insert(format!("{dir}/salt.hex"), salt.text().into_bytes());
            for (name, bytes) in named {
                files.insert(format!("{dir}/{name}"), bytes.to_vec());
            }
        };
        let named = vec![("prompts.json", prompts.as_slice())];
        put("set".to_owned(), &salt, manifest(named.clone()), named);
        let bundle = |dir: &PathBuf| -> Bundle { FILES.map(|name| read(dir, name)) };
        let bundles: Vec<(Bundle, String)> = set
            .bundles
            .keys()
            .map(bundle)
            .map(|it| (row_manifest(&it), it))
            .map(|(m, b)| (b, m))
            .collect();
        let mut missing = Vec::new();
        for attempt in history.attempts().iter().filter(|line| line.protocol == protocol) {
            let Some(wanted) = &attempt.row_commitment else { continue };
            let salt = row_salt(&master, protocol, &attempt.provider, &attempt.model);
            let found = bundles.iter().find(|(_, manifest)| commitment(&salt, manifest) == *wanted);
            let Some((bundle, manifest)) = found else {
                missing.push(format!(
                    "attempt {} of {}:{}",
                    attempt.attempt, attempt.provider, attempt.model
                ));
                continue;
            };
            let named = FILES.into_iter().zip(bundle.iter().map(Vec::as_slice)).collect();
            put(format!("rows/{wanted}"), &salt, manifest.clone(), named);
        }
        if !missing.is_empty() {
            return Err(Failure::unusable(format!(
                "no bundle here gives the commitment of {}",
                missing.join(", ")
            ))
            .at(place)
            .help("fetch every bundle that was ever scored; `build --held-out` keeps each in by-commitment/"));
        }
        Ok((files, salt))
    }

    /// Writes the reveal of `protocol` to `to`, from the held-out directory `from`, and records it.
    /// Returns how many rows it opens.
    pub fn reveal(&self, from: &Path, protocol: &str, to: &Path) -> Result<usize, Failure> {
        let (files, salt) = self.reveal_files(Store::open(from)?, protocol)?;
        for (path, bytes) in &files {
            let path = to.join(path);
            if let Some(parent) = path.parent() {
                fs::make_directory(parent)?;
            }
            fs::write(&path, bytes)?;
        }
        let mut session = LedgerSession::writing(Place::Workspace(self), None)?;
        let commit = session.history.commit(protocol).map(|line| line.set_commitment.clone());
        if let Some(set_commitment) = commit.filter(|_| session.history.reveal(protocol).is_none())
        {
            let line = Line::Reveal(Reveal {
                kind: "reveal",
                protocol: protocol.to_owned(),
                recorded_at: session.now.clone(),
                salt: salt.hex(),
                set_commitment,
            });
            let lines = line.bytes().unwrap_or_default();
            session.append(&NewLines { lines: &lines, boards: &[] })?;
        }
        Ok(files
            .keys()
            .filter(|path| path.starts_with("rows/") && path.ends_with("/manifest"))
            .count())
    }

    /// Checks the reveal in `dir` against the ledger, and re-scores every recorded board of its
    /// protocol version, and `file` too.
    pub fn check_reveal(
        &self,
        dir: &Path,
        file: &BoardFile,
    ) -> Result<(Vec<Finding>, Revealed), Failure> {
        let ledger = self.ledger()?;
        let files = fs::read_tree(dir, SITE_LIMIT)?;
        let mut opened = Opened { dir, files: &files, rows: BTreeMap::new(), findings: Vec::new() };
        let Some(found) = opened.set() else {
            return Ok((opened.findings, Revealed::default()));
        };
        let Some(commit) = ledger.history()?.commits().find(|line| line.set_commitment == found)
        else {
            opened.wrong(
                "set",
                "the revealed set and its salt give a commitment that the ledger does not have",
            );
            return Ok((opened.findings, Revealed::default()));
        };
        let protocol = &commit.protocol;
        let attempts: BTreeSet<&str> = ledger
            .history()?
            .attempts()
            .iter()
            .filter(|line| line.protocol == *protocol)
            .filter_map(|line| line.row_commitment.as_deref())
            .collect();
        opened.rows(&attempts);
        if let Some(reveal) = ledger.history()?.reveal(protocol)
            && files.get("set/salt.hex") != Some(&format!("{}\n", reveal.salt).into_bytes())
        {
            opened.wrong("set/salt.hex", "the salt is not the one that the ledger reveals");
        }
        let mut scorer = Scorer { opened, replays: BTreeMap::new(), done: Revealed::default() };
        let mut latest: BTreeMap<String, Attempt> = BTreeMap::new();
        let (mut is_committed, mut has_file) = (false, false);
        let lines = ledger::split_lines(ledger.bytes()).unwrap_or_default();
        for (line, _) in lines.into_iter().filter_map(|line| Line::read(line).ok()) {
            match line {
                Line::Commit(line) => is_committed |= line.protocol == *protocol,
                Line::Attempt(line) if line.protocol == *protocol => {
                    latest.insert(format!("{}:{}", line.provider, line.model), line);
                }
                Line::Board(line) if line.protocol == *protocol => {
                    let name = format!("{}.json", line.board_sha256);
                    has_file |= line.board_sha256 == sha256(&file.bytes);
                    let bytes = ledger.board_files()?.get(&name);
                    let copy = bytes.filter(|bytes| sha256(bytes) == line.board_sha256);
                    let place = format!("leaderboard/boards/{name}");
                    let Some(board) = copy.and_then(|bytes| read_board(bytes, &place)) else {
                        let what = "the copy of a recorded board is missing or changed";
                        scorer.opened.findings.push(Finding::new(Code::HBoard, place, "", what));
                        continue;
                    };
                    scorer.board(&board, &place, &latest, is_committed);
                }
                _ => {}
            }
        }
        let own = read_board(&file.bytes, &file.name);
        if let Some(own) = own.filter(|own| !has_file && own.eval_protocol_version == *protocol) {
            scorer.board(&own, &file.name, &latest, is_committed);
        }
        Ok((scorer.opened.findings, scorer.done))
    }
}

fn read_board(bytes: &[u8], name: &str) -> Option<Board> {
    let document = json::parse(bytes).ok()?;
    Board::from_node(&document.root, name).ok()
}

/// A reveal that is being read.
struct Opened<'r> {
    dir: &'r Path,
    files: &'r Files,
    /// Bundles by row commitment.
    rows: BTreeMap<&'r str, Bundle>,
    findings: Vec<Finding>,
}

impl<'r> Opened<'r> {
    fn wrong(&mut self, path: &str, what: &str) {
        let file = self.dir.join(path).display().to_string();
        self.findings.push(Finding::new(Code::EReveal, file, "", what));
    }

    fn file(&self, path: &str) -> &'r [u8] {
        self.files.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    /// The commitment that salt and files below `dir` give; `None` if the salt or the manifest is wrong.
    fn commitment(&mut self, dir: &str, names: &[&str]) -> Option<String> {
        let manifest =
            manifest(names.iter().map(|name| (*name, self.file(&format!("{dir}/{name}")))));
        let is_same = self.file(&format!("{dir}/manifest")) == manifest.as_bytes();
        if !is_same {
            self.wrong(
                &format!("{dir}/manifest"),
                "a file is missing or changed: its SHA-256 is not the one of the manifest",
            );
        }
        let Some(salt) = Salt::parse(self.file(&format!("{dir}/salt.hex"))) else {
            self.wrong(
                &format!("{dir}/salt.hex"),
                "the salt is missing or damaged: expected 64 lower-case hex digits and a line feed",
            );
            return None;
        };
        is_same.then(|| commitment(&salt, &manifest))
    }

    fn set(&mut self) -> Option<String> {
        self.commitment("set", &["prompts.json"])
    }

    /// Reads every row, and refuses files that belong to none.
    fn rows(&mut self, attempts: &BTreeSet<&str>) {
        let mut seen = BTreeSet::new();
        for path in self.files.keys() {
            let parts: Vec<&str> = path.split('/').collect();
            let known = |name: &str, names: &[&str]| {
                names.contains(&name) || ["manifest", "salt.hex"].contains(&name)
            };
            match parts[..] {
                ["set", name] if known(name, &["prompts.json"]) => {}
                ["rows", row, name] if known(name, &FILES) => {
                    seen.insert(row);
                }
                _ => self.wrong(path, "unknown file in a reveal"),
            }
        }
        for row in seen {
            let dir = format!("rows/{row}");
            let Some(found) = self.commitment(&dir, &FILES) else { continue };
            if found != row || !attempts.contains(row) {
                self.wrong(
                    &dir,
                    "the revealed bundle and its salt do not give a commitment that the ledger has",
                );
                continue;
            }
            let bundle = FILES.map(|name| self.file(&format!("{dir}/{name}")).to_vec());
            if bundle[2] != self.file("set/prompts.json") {
                self.wrong(&dir, "the row was scored on other prompts than the revealed set");
            }
            self.rows.insert(row, bundle);
        }
    }
}

/// Re-scores boards from what was revealed.
struct Scorer<'r> {
    opened: Opened<'r>,
    replays: BTreeMap<(String, String, u64), Option<Replay>>,
    done: Revealed,
}

impl Scorer<'_> {
    fn board(
        &mut self,
        board: &Board,
        file: &str,
        latest: &BTreeMap<String, Attempt>,
        is_committed: bool,
    ) {
        self.done.boards += 1;
        for (index, row) in board.entries.iter().enumerate() {
            let HeldOut::Scored(cell) = &row.held_out else { continue };
            let path = format!("entries[{index}].held_out");
            let finding = |what: String| Finding::new(Code::EHeld, file, &*path, what);
            let attempt = latest.get(&row.id());
            let Some(wanted) = attempt.and_then(|line| line.row_commitment.as_ref()) else {
                let what = format!(
                    "`{}` was scored without a commitment, so it cannot be re-scored",
                    row.id()
                );
                let finding = finding(what);
                let finding = if is_committed { finding } else { finding.note() };
                self.opened.findings.push(finding);
                continue;
            };
            let Some(replay) = self.replay(row, wanted) else {
                let what = format!(
                    "the bundle that `{}` was scored on is not revealed, or cannot be replayed",
                    row.id()
                );
                self.opened.findings.push(finding(what));
                continue;
            };
            let possible = cells(replay);
            if possible.contains(cell) {
                self.done.cells += 1;
                continue;
            }
            let version = env!("CARGO_PKG_VERSION");
            let mut what = format!("the revealed bundle of `{}` gives another score", row.id());
            if row.run.tool_version != version {
                what += &format!(
                    "; it was scored by version {}, this is {version}",
                    row.run.tool_version
                );
            }
            let text = |cell| String::from_utf8_lossy(&json::pretty(cell)).into_owned();
            self.opened.findings.push(finding(what).sides(text(cell), text(&possible[0])));
        }
    }

    fn replay(&mut self, row: &Row, wanted: &str) -> Option<&Replay> {
        let key = (wanted.to_owned(), row.run.judge_model.clone(), row.run.n_votes);
        let Opened { dir, rows, .. } = &self.opened;
        let made = self.replays.entry(key).or_insert_with(|| {
            let [completions, judge, prompts] = rows.get(wanted)?.clone();
            let dir = dir.join("rows").join(wanted).display().to_string();
            let prompts = prompts.into();
            let files = BundleFiles { dir, secret: false, prompts, completions, judge };
            replay::replay(&files, &row.asked(), None).ok()
        });
        made.as_ref()
    }
}
