//! The ledger's files. Lines are appended under a lock and synced; nothing before them is ever
//! touched, and an append that fails leaves the file as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Metadata, Permissions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::board::{self, Board};
use crate::domain::config::Config;
use crate::domain::{Failure, Finding};
use crate::fs::hook::{self, Call};
use crate::fs::{
    SITE_LIMIT, StoreError, make_directory, read_tree, read_typed, remove, sync_directory, write,
};
use crate::json;
use crate::ledger::{self, BoardLine, Checkpoint, History, LedgerAndBoards, ParsedLedger};
use crate::workspace::HeldOutSets;
use crate::workspace::scan_ledger::scan_addition;

/// Size limit of the ledger: above it a database is the better tool.
pub const LEDGER_LIMIT: u64 = 512 << 20;

/// How often, and after what pause, a reader looks whether a line that was being written is complete.
const LOCK_TRIES: u32 = 500;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// What is about to be recorded.
#[derive(Debug, Clone, Copy)]
pub struct NewLines<'a> {
    /// Whole lines of the ledger.
    pub lines: &'a [u8],
    /// The boards those lines name, by SHA-256.
    pub boards: &'a [(String, Vec<u8>)],
}

/// Where the ledger and what is derived from it lie.
#[derive(Debug, Clone)]
pub struct LedgerDir {
    dir: PathBuf,
}

impl LedgerDir {
    /// The ledger of the board below `root`.
    pub fn below(root: &Path) -> Self {
        let dir = root.join("leaderboard");
        Self { dir: dir.strip_prefix("./").map(Path::to_owned).unwrap_or(dir) }
    }

    /// The path of one of its files.
    pub fn path(&self, file: &str) -> PathBuf {
        self.dir.join(file)
    }

    /// The ledger's bytes, if it is there.
    pub fn history(&self) -> Result<Option<Vec<u8>>, StoreError> {
        match read_ledger(&self.path("history.jsonl"), read_typed) {
            Err(StoreError::Absent(_)) => Ok(None),
            bytes => bytes.map(Some),
        }
    }

    /// One of the files beside it, if it is there.
    pub fn optional(&self, file: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match read_typed(&self.path(file), LEDGER_LIMIT) {
            Err(StoreError::Absent(_)) => Ok(None),
            bytes => bytes.map(Some),
        }
    }

    /// Opens the ledger for appending and waits for the lock. What was `read` before is not
    /// read again if the file is still the same.
    pub fn open(&self, read: Option<&LedgerSnapshot>) -> Result<LockedFile, StoreError> {
        make_directory(&self.dir)?;
        LockedFile::open(self.path("history.jsonl"), read, FlockOperation::LockExclusive)
    }

    /// Records `addition`: the only way to record a line. Everything in it is searched for held-out
    /// texts first, because a recorded line is never removed. A finding that decides leaves the
    /// ledger as it was; without an open ledger (a dry run) nothing is written either.
    pub fn append(
        &self,
        open: Option<&mut LockedFile>,
        addition: &NewLines<'_>,
        config: &Config,
        held_out: &HeldOutSets,
    ) -> Result<Vec<Finding>, Failure> {
        let findings = scan_addition(addition, config, held_out)?;
        if findings.iter().any(Finding::decides) {
            return Ok(findings);
        }
        let Some(open) = open.filter(|_| !addition.lines.is_empty()) else { return Ok(findings) };
        for (sha256, bytes) in addition.boards {
            self.keep_board(sha256, bytes)?;
        }
        open.write(addition.lines)?;
        Ok(findings)
    }

    /// Keeps an unchanged copy of a published board under its hash.
    fn keep_board(&self, sha256: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let boards = self.path("boards");
        make_directory(&boards)?;
        write(&boards.join(format!("{sha256}.json")), bytes)
    }

    /// Replaces a file in the ignored cache beside the ledger; `None` removes it.
    pub fn set_cache(&self, file: &str, bytes: Option<&[u8]>) -> Result<(), StoreError> {
        let cache = self.path(".cache");
        let path = cache.join(file);
        if let Some(bytes) = bytes {
            make_directory(&cache)?;
            return write(&path, bytes);
        }
        remove(&path)
    }

    /// Appends to `history.checkpoints`. An unfinished last record is dropped: it was never printed.
    pub fn append_checkpoint(&self, record: &str) -> Result<(), StoreError> {
        let path = self.path("history.checkpoints");
        let mut checkpoints = LockedFile::open(path, None, FlockOperation::LockExclusive)?;
        checkpoints.drop_unfinished()?;
        checkpoints.write(record.as_bytes())
    }

    /// Finishes what a killed writer left at the end of the ledger: a line that was cut is dropped,
    /// because nothing had been answered about it yet; a whole line gets its line feed. Says what was
    /// done.
    pub fn finish_last_line(&self) -> Result<Option<String>, StoreError> {
        let path = self.path("history.jsonl");
        if !ends_unfinished(&path) {
            return Ok(None);
        }
        let mut ledger = LockedFile::open(path, None, FlockOperation::LockExclusive)?;
        let whole = memchr::memrchr(b'\n', &ledger.bytes).map_or(0, |newline| newline + 1);
        let tail = &ledger.bytes[whole..];
        let name = ledger.path.display().to_string();
        // Another writer may have finished it while this one waited for the lock.
        if tail.is_empty() {
            return Ok(None);
        }
        if json::parse(tail).is_ok() {
            ledger.write(b"\n")?;
            return Ok(Some(format!("{name}: the last line was complete and got its line feed")));
        }
        let dropped = ledger.drop_unfinished()?.unwrap_or_default().len();
        Ok(Some(format!("{name}: dropped {dropped} bytes of a line that a killed run left")))
    }
}

/// Reads the ledger at `path` with `read`. Where its last line is not complete, another process may be
/// writing it: it is read again once that process is done, or has taken too long.
pub(super) fn read_ledger<E>(
    path: &Path,
    read: impl Fn(&Path, u64) -> Result<Vec<u8>, E>,
) -> Result<Vec<u8>, E> {
    let bytes = read(path, LEDGER_LIMIT)?;
    if bytes.last().is_none_or(|last| *last == b'\n') {
        return Ok(bytes);
    }
    let shared = FlockOperation::NonBlockingLockShared;
    for _ in 0..LOCK_TRIES {
        let lock = File::open(path).map(|file| rustix::fs::flock(&file, shared).map(|()| file));
        if !matches!(lock, Ok(Err(Errno::WOULDBLOCK))) {
            // While this process has the lock, nothing is written.
            return read(path, LEDGER_LIMIT);
        }
        std::thread::sleep(LOCK_PAUSE);
    }
    read(path, LEDGER_LIMIT)
}

/// Whether the file at `path` is there and does not end in a line feed.
fn ends_unfinished(path: &Path) -> bool {
    let last = || {
        let mut file =
            File::open(path).ok().filter(|it| it.metadata().is_ok_and(|it| it.is_file()))?;
        file.seek(SeekFrom::End(-1)).ok()?;
        let mut last = [0];
        file.read_exact(&mut last).ok()?;
        Some(last[0])
    };
    last().is_some_and(|last| last != b'\n')
}

type FileState = (u64, SystemTime);

fn state(metadata: &Metadata) -> Option<FileState> {
    Some((metadata.len(), metadata.modified().ok()?))
}

/// The ledger of a root and the files beside it, each read once.
#[derive(Debug)]
pub struct LedgerSnapshot {
    dir: LedgerDir,
    history: Option<Vec<u8>>,
    /// Length and time of change of the file that `history` was read from.
    state: Option<FileState>,
    checkpoints: Option<Vec<u8>>,
    weekly: Option<Vec<u8>>,
    parsed: ParsedLedger,
    boards: OnceLock<BTreeMap<String, Vec<u8>>>,
    /// How `boards/` is named to people.
    boards_dir: String,
}

impl LedgerSnapshot {
    /// Reads the ledger below `root`; one that is not there has no lines.
    pub fn read(root: &Path) -> Result<Self, StoreError> {
        let dir = LedgerDir::below(root);
        // Asked before the read: a line that is appended meanwhile shows as a change.
        let state = std::fs::metadata(dir.path("history.jsonl")).ok().as_ref().and_then(state);
        let history = dir.history()?;
        let parsed = ledger::read(history.as_deref().unwrap_or_default());
        let checkpoints = dir.optional("history.checkpoints")?;
        let weekly = dir.optional("weekly.json")?;
        let boards_dir = dir.path("boards").display().to_string();
        let boards = OnceLock::new();
        Ok(Self { dir, history, state, checkpoints, weekly, parsed, boards, boards_dir })
    }

    /// The bytes of `history.jsonl`; none if it is not there.
    pub fn bytes(&self) -> &[u8] {
        self.history_bytes().unwrap_or_default()
    }

    /// The bytes of `history.jsonl`, if it is there.
    pub(super) fn history_bytes(&self) -> Option<&[u8]> {
        self.history.as_deref()
    }

    /// The bytes of `weekly.json`, if it is there.
    pub fn weekly(&self) -> Option<&[u8]> {
        self.weekly.as_deref()
    }

    /// Everything recorded, if every line can be read.
    pub fn history(&self) -> Result<&History, Failure> {
        self.parsed.failure().map_or(Ok(&self.parsed.history), Err)
    }

    /// What was recorded when the checkpoint over `size` lines was made.
    pub fn at_checkpoint(&self, size: u64) -> Result<History, Failure> {
        let text = String::from_utf8_lossy(self.checkpoints.as_deref().unwrap_or_default());
        let sizes = text.lines().filter_map(Checkpoint::parse_record).map(|it| it.size);
        let known: BTreeSet<u64> = sizes.collect();
        if !known.contains(&size) {
            let known: Vec<String> = known.iter().rev().take(10).map(u64::to_string).collect();
            let help = if known.is_empty() {
                "`gmat-leaderboard history checkpoint` makes one".to_owned()
            } else {
                format!("the latest sizes are {}", known.join(", "))
            };
            return Err(Failure::unusable(format!("no checkpoint has the size {size}"))
                .at(self.dir.path("history.checkpoints").display().to_string())
                .help(help));
        }
        let lines = self.bytes().split_inclusive(|byte| *byte == b'\n');
        let before = lines.take(usize::try_from(size).unwrap_or(usize::MAX)).map(<[u8]>::len).sum();
        Ok(ledger::read(&self.bytes()[..before]).usable()?.0)
    }

    /// A finding if the protocol of `config` is not the recorded one of its protocol version.
    pub(super) fn protocol_finding(&self, config: &Config, file: &str) -> Option<Finding> {
        self.parsed.protocol_finding(config, file)
    }

    /// The files in `boards/` by their name there, read on the first call.
    pub(super) fn board_files(&self) -> Result<&BTreeMap<String, Vec<u8>>, StoreError> {
        if let Some(files) = self.boards.get() {
            return Ok(files);
        }
        let dir = self.dir.path("boards");
        let files = if dir.is_dir() { read_tree(&dir, SITE_LIMIT)? } else { BTreeMap::new() };
        Ok(self.boards.get_or_init(|| files))
    }

    /// The ledger with the boards beside it.
    pub(crate) fn with_boards(&self) -> Result<LedgerAndBoards<'_>, StoreError> {
        let files = ledger::LedgerBytes {
            history: self.bytes(),
            checkpoints: self.checkpoints.as_deref(),
            weekly: self.weekly.as_deref(),
            ..ledger::LedgerBytes::default()
        };
        Ok(LedgerAndBoards {
            files,
            parsed: &self.parsed,
            boards: self.board_files()?,
            dir: &self.boards_dir,
        })
    }

    /// The recorded boards that are there unchanged, oldest first, each with its line.
    pub fn boards(&self) -> Result<Vec<(BoardLine, Board)>, StoreError> {
        let kept = self.with_boards()?;
        let read = |line: &BoardLine| {
            let document = json::parse(kept.copy(line)?).ok()?;
            Some((line.clone(), board::read(&document.root, &line.board_sha256).ok()?))
        };
        Ok(self.parsed.history.boards().iter().filter_map(read).collect())
    }

    /// Everything that is wrong with the ledger and the files derived from it. `board` is the
    /// board's bytes and the moment it carries; `against` a checkpoint that was kept elsewhere.
    pub fn check(
        &self,
        board: Option<(&[u8], &str)>,
        against: Option<&[u8]>,
    ) -> Result<Vec<Finding>, StoreError> {
        let kept = self.with_boards()?;
        let files = ledger::LedgerBytes { against, board, ..kept.files };
        Ok(LedgerAndBoards { files, ..kept }.check())
    }
}

/// A file that only grows, held under a lock until it is dropped.
#[derive(Debug)]
pub struct LockedFile {
    file: File,
    path: PathBuf,
    /// What the file holds.
    pub bytes: Vec<u8>,
    /// Whether it is unchanged since the workspace was read.
    pub is_as_read: bool,
}

impl LockedFile {
    /// Opens a file at once, or not at all: `None` if another process has it open.
    pub(super) fn journal(path: PathBuf) -> Result<Option<Self>, StoreError> {
        match Self::open(path, None, FlockOperation::NonBlockingLockExclusive) {
            Err(StoreError::Io { verb: "lock", source, .. })
                if source.kind() == std::io::ErrorKind::WouldBlock =>
            {
                Ok(None)
            }
            file => file.map(Some),
        }
    }

    fn open(
        path: PathBuf,
        read: Option<&LedgerSnapshot>,
        lock: FlockOperation,
    ) -> Result<Self, StoreError> {
        let flags = OFlags::RDWR
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::CLOEXEC
            | OFlags::NONBLOCK;
        // The umask decides, as for any new file.
        let mode = Mode::from_raw_mode(Permissions::from_mode(0o666).mode());
        hook::step(Call::Create, &path).map_err(|source| failed("open", &path, source))?;
        let handle = rustix::fs::open(&path, flags, mode).map_err(|errno| match errno {
            Errno::LOOP => StoreError::OutputLink(path.clone()),
            Errno::NOENT => StoreError::NoDirectory(path.clone()),
            Errno::ISDIR => StoreError::Special { path: path.clone(), kind: "a directory" },
            errno => failed("open", &path, errno.into()),
        })?;
        let mut file = File::from(handle);
        let metadata = file.metadata().map_err(|source| failed("read", &path, source))?;
        if !metadata.is_file() {
            return Err(StoreError::Special { path, kind: "a special file" });
        }
        rustix::fs::flock(&file, lock).map_err(|errno| failed("lock", &path, errno.into()))?;
        let now = file.metadata().ok().as_ref().and_then(state);
        if let Some(read) = read.filter(|read| now.is_some() && read.state == now) {
            return Ok(Self { file, path, bytes: read.bytes().to_vec(), is_as_read: true });
        }
        hook::call(Call::Read, &path)?;
        let mut bytes = Vec::new();
        (&mut file)
            .take(LEDGER_LIMIT + 1)
            .read_to_end(&mut bytes)
            .map_err(|source| failed("read", &path, source))?;
        let size = bytes.len() as u64;
        if size > LEDGER_LIMIT {
            return Err(StoreError::TooLarge { path, size, limit: LEDGER_LIMIT });
        }
        Ok(Self { file, path, bytes, is_as_read: false })
    }

    /// Writes whole lines at the end. If the disk fails on the way, what was written of them is
    /// removed again.
    pub(super) fn write(&mut self, lines: &[u8]) -> Result<(), StoreError> {
        let before = self.bytes.len() as u64;
        let written = hook::step(Call::Write, &self.path)
            .and_then(|()| self.file.write_all(lines))
            .and_then(|()| hook::step(Call::Sync, &self.path))
            .and_then(|()| self.file.sync_all());
        if let Err(source) = written {
            let _ = self.file.set_len(before);
            return Err(failed("append to", &self.path, source));
        }
        // The name of a new file must survive a power cut too.
        if let Some(directory) = self.path.parent().filter(|_| before == 0) {
            sync_directory(directory);
        }
        self.bytes.extend_from_slice(lines);
        Ok(())
    }

    /// Removes all lines.
    pub(super) fn clear(&mut self) -> Result<(), StoreError> {
        let cleared = hook::step(Call::Write, &self.path)
            .and_then(|()| self.file.set_len(0))
            .and_then(|()| self.file.sync_all());
        cleared.map_err(|source| failed("clear", &self.path, source))?;
        self.bytes.clear();
        Ok(())
    }

    /// Drops an unfinished last line and returns it; `None` if there is none.
    pub fn drop_unfinished(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        let whole = memchr::memrchr(b'\n', &self.bytes).map_or(0, |newline| newline + 1);
        if whole == self.bytes.len() {
            return Ok(None);
        }
        let cut = |file: &mut File| {
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
            file.sync_all()
        };
        hook::step(Call::Write, &self.path)
            .and_then(|()| cut(&mut self.file))
            .map_err(|source| failed("repair", &self.path, source))?;
        Ok(Some(self.bytes.split_off(whole)))
    }
}

fn failed(verb: &'static str, path: &Path, source: std::io::Error) -> StoreError {
    StoreError::Io { verb, path: path.to_owned(), source }
}
