//! A directory that this program fills with copies of remote files, one writer at a time.
//!
//! Every step below the directory is taken from an open handle and never through a symlink. Files
//! appear whole: written under a name of our own, synced, renamed. The directory may also hold
//! files of the user's, so nothing is removed that was not named.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::fs::hook::{self, Call};
use crate::fs::{StoreError, make_private};

/// What lies at a place of the directory.
#[derive(Debug, PartialEq, Eq)]
pub enum MirrorEntry {
    /// Nothing.
    Nothing,
    /// A regular file with these bytes.
    File(Vec<u8>),
    /// A directory, a symlink, something above the limit: not a copy of a remote file.
    Other,
}

/// The directory, locked against other writers until it is dropped.
#[derive(Debug)]
pub struct Mirror {
    path: PathBuf,
    root: OwnedFd,
    /// Held for its lock.
    _lock: OwnedFd,
    staged: AtomicU64,
}

const LOCK: &str = ".gmat-leaderboard-lock";
const STAGED: &str = ".gmat-leaderboard-tmp-";
const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);
const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Mirror {
    /// Opens `path`, creating it for this user alone, takes its lock, and clears away what a
    /// killed run left half-written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |verb| move |source| StoreError::Io { verb, path: path.to_owned(), source };
        make_private(path).map_err(failed("create"))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::open(path, flags, Mode::empty())
            .map_err(|errno| failed("open")(errno.into()))?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let lock = rustix::fs::openat(&root, LOCK, flags, PRIVATE_FILE)
            .map_err(|errno| failed("lock")(errno.into()))?;
        match rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Err(StoreError::Locked(path.to_owned())),
            Err(errno) => return Err(failed("lock")(errno.into())),
        }
        let mirror =
            Self { path: path.to_owned(), root, _lock: lock, staged: AtomicU64::default() };
        mirror.sweep()?;
        Ok(mirror)
    }

    /// What lies at `below`, which is a checked name.
    pub fn find(&self, below: &str, limit: u64) -> Result<MirrorEntry, StoreError> {
        find(&self.root, &self.path, below, limit)
    }

    /// Puts a file at `below`, whole, replacing a file or symlink of that name.
    pub fn put(&self, below: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let failed = |errno: Errno| self.failed("write", below, errno);
        let whole = self.path.join(below);
        let step = |call| {
            hook::step(call, &whole).map_err(|source| StoreError::Io {
                verb: "write",
                path: whole.clone(),
                source,
            })
        };
        step(Call::Create)?;
        let (folders, name) = split(below);
        let mut directory = None;
        for folder in folders {
            let parent = directory.as_ref().unwrap_or(&self.root);
            match rustix::fs::mkdirat(parent, folder, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(errno) => return Err(failed(errno)),
            }
            let next = rustix::fs::openat(parent, folder, DIRECTORY, Mode::empty());
            directory = Some(next.map_err(|errno| match errno {
                Errno::LOOP | Errno::NOTDIR => StoreError::OutputLink(self.path.join(below)),
                errno => failed(errno),
            })?);
        }
        let number = self.staged.fetch_add(1, Ordering::Relaxed);
        let staged = format!("{STAGED}{}-{number}", std::process::id());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let file = rustix::fs::openat(&self.root, &staged, flags | OFlags::CLOEXEC, PRIVATE_FILE)
            .map_err(failed)?;
        let mut file = File::from(file);
        let written = hook::step(Call::Write, &whole)
            .and_then(|()| file.write_all(bytes))
            .and_then(|()| hook::step(Call::Sync, &whole))
            .and_then(|()| file.sync_all())
            .map_err(|source| StoreError::Io { verb: "write", path: whole.clone(), source })
            .and_then(|()| step(Call::Rename));
        let directory = directory.as_ref().unwrap_or(&self.root);
        let placed = written.and_then(|()| {
            rustix::fs::renameat(&self.root, &staged, directory, name).map_err(failed)
        });
        if placed.is_err() {
            // The next run sweeps it if this does not.
            let _ = rustix::fs::unlinkat(&self.root, &staged, AtFlags::empty());
        }
        placed?;
        // Where a directory cannot be synced the file is there anyway.
        let _ = rustix::fs::fsync(directory);
        Ok(())
    }

    /// Removes the file or symlink at `below`, and the directories that it leaves empty.
    pub fn remove(&self, below: &str) -> Result<(), StoreError> {
        let path = self.path.join(below);
        hook::step(Call::Remove, &path).map_err(|source| StoreError::Io {
            verb: "remove",
            path,
            source,
        })?;
        let (folders, name) = split(below);
        let mut handles = Vec::new();
        for folder in &folders {
            let parent = handles.last().unwrap_or(&self.root);
            match rustix::fs::openat(parent, *folder, DIRECTORY, Mode::empty()) {
                Ok(handle) => handles.push(handle),
                // A part of the path is gone or no directory: so is the file.
                Err(Errno::NOENT | Errno::LOOP | Errno::NOTDIR) => return Ok(()),
                Err(errno) => return Err(self.failed("remove", below, errno)),
            }
        }
        let directory = handles.last().unwrap_or(&self.root);
        match rustix::fs::unlinkat(directory, name, AtFlags::empty()) {
            // A directory of that name holds something else now.
            Ok(()) | Err(Errno::NOENT | Errno::ISDIR | Errno::PERM) => {}
            Err(errno) => return Err(self.failed("remove", below, errno)),
        }
        for (depth, folder) in folders.iter().enumerate().rev() {
            let parent = depth.checked_sub(1).map_or(&self.root, |above| &handles[above]);
            if rustix::fs::unlinkat(parent, *folder, AtFlags::REMOVEDIR).is_err() {
                break; // not empty
            }
        }
        Ok(())
    }

    fn sweep(&self) -> Result<(), StoreError> {
        let failed = |source| StoreError::Io { verb: "read", path: self.path.clone(), source };
        for entry in std::fs::read_dir(&self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            if name.to_string_lossy().starts_with(STAGED) {
                // A leftover that will not go does no harm.
                let _ = rustix::fs::unlinkat(&self.root, &name, AtFlags::empty());
            }
        }
        Ok(())
    }

    fn failed(&self, verb: &'static str, below: &str, errno: Errno) -> StoreError {
        StoreError::Io { verb, path: self.path.join(below), source: errno.into() }
    }
}

/// What lies at `below` in the directory `path`, without taking its lock or creating anything.
pub fn find_below(path: &Path, below: &str, limit: u64) -> Result<MirrorEntry, StoreError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(root) => find(&root, path, below, limit),
        Err(Errno::NOENT) => Ok(MirrorEntry::Nothing),
        Err(Errno::NOTDIR) => {
            Err(StoreError::Special { path: path.to_owned(), kind: "not a directory" })
        }
        Err(errno) => {
            Err(StoreError::Io { verb: "open", path: path.to_owned(), source: errno.into() })
        }
    }
}

fn find(root: &OwnedFd, path: &Path, below: &str, limit: u64) -> Result<MirrorEntry, StoreError> {
    let failed = |source| StoreError::Io { verb: "read", path: path.join(below), source };
    let (folders, name) = split(below);
    let mut directory = None;
    for folder in folders {
        let parent = directory.as_ref().unwrap_or(root);
        match rustix::fs::openat(parent, folder, DIRECTORY, Mode::empty()) {
            Ok(handle) => directory = Some(handle),
            Err(Errno::NOENT) => return Ok(MirrorEntry::Nothing),
            Err(Errno::LOOP | Errno::NOTDIR) => return Ok(MirrorEntry::Other),
            Err(errno) => return Err(failed(errno.into())),
        }
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let directory = directory.as_ref().unwrap_or(root);
    let file = match rustix::fs::openat(directory, name, flags, Mode::empty()) {
        Ok(handle) => File::from(handle),
        Err(Errno::NOENT) => return Ok(MirrorEntry::Nothing),
        Err(Errno::LOOP | Errno::NXIO) => return Ok(MirrorEntry::Other),
        Err(errno) => return Err(failed(errno.into())),
    };
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() || metadata.len() > limit {
        return Ok(MirrorEntry::Other);
    }
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    Ok(MirrorEntry::File(bytes))
}

/// The folders and the name of a checked path.
fn split(below: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = below.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    (parts, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mirror() -> (tempfile::TempDir, Mirror) {
        let dir = tempfile::tempdir().expect("a directory");
        let mirror = Mirror::open(&dir.path().join("a/b")).expect("opened");
        (dir, mirror)
    }

    #[test]
    fn files_come_and_go_with_their_folders() {
        let (dir, mirror) = mirror();
        mirror.put("x/y/z.txt", b"one").expect("written");
        mirror.put("x/y/z.txt", b"two").expect("replaced");
        mirror.put("x/other", b"").expect("written");
        assert_eq!(mirror.find("x/y/z.txt", 9).expect("found"), MirrorEntry::File(b"two".to_vec()));
        assert_eq!(mirror.find("x/y/z.txt", 2).expect("found"), MirrorEntry::Other);
        assert_eq!(mirror.find("x/y", 9).expect("found"), MirrorEntry::Other);
        assert_eq!(mirror.find("x/n/z", 9).expect("found"), MirrorEntry::Nothing);
        let file = std::fs::metadata(dir.path().join("a/b/x/y/z.txt")).expect("there");
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
        let folder = std::fs::metadata(dir.path().join("a/b/x")).expect("there");
        assert_eq!(folder.permissions().mode() & 0o777, 0o700);
        mirror.remove("x/y/z.txt").expect("removed");
        mirror.remove("x/y/z.txt").expect("gone already");
        assert!(!dir.path().join("a/b/x/y").exists());
        assert!(dir.path().join("a/b/x/other").exists());
    }

    #[test]
    fn no_symlink_is_followed() {
        let (dir, mirror) = mirror();
        let outside = dir.path().join("outside");
        std::fs::create_dir(&outside).expect("made");
        std::fs::write(outside.join("f"), "theirs").expect("written");
        symlink(&outside, dir.path().join("a/b/link")).expect("linked");
        symlink(outside.join("f"), dir.path().join("a/b/file")).expect("linked");
        assert!(matches!(mirror.put("link/f", b"x"), Err(StoreError::OutputLink(_))));
        assert_eq!(mirror.find("link/f", 99).expect("found"), MirrorEntry::Other);
        assert_eq!(mirror.find("file", 99).expect("found"), MirrorEntry::Other);
        mirror.remove("link/f").expect("nothing to remove");
        mirror.put("file", b"ours").expect("the link is replaced");
        assert_eq!(std::fs::read(outside.join("f")).expect("there"), b"theirs");
    }

    #[test]
    fn two_writers_exclude_each_other_and_leftovers_are_swept() {
        let (dir, mirror) = mirror();
        let path = dir.path().join("a/b");
        std::fs::write(path.join(".gmat-leaderboard-tmp-1-0"), "half").expect("written");
        assert!(matches!(Mirror::open(&path), Err(StoreError::Locked(_))));
        drop(mirror);
        Mirror::open(&path).expect("free again");
        assert!(!path.join(".gmat-leaderboard-tmp-1-0").exists());
    }
}
