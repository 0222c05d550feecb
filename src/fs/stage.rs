//! Files and directories that are not finished yet. They lie beside their target under a name of our own
//! and get their name when they are complete.
//!
//! A killed run leaves them behind. Each is locked while its writer lives, so the next writer in that
//! directory knows which ones are left over, and removes them.

use std::fs::{File, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use tempfile::{NamedTempFile, TempDir};

use super::hook::{self, Call};

/// How the names of unfinished files and directories start.
pub(crate) const STAGED: &str = ".gmat-leaderboard-new-";

/// How often a name is tried that another process swept in the same moment.
const TRIES: usize = 16;

/// A new file in `directory`, after the leftovers there are gone.
pub(super) fn file(directory: &Path, mode: u32) -> io::Result<NamedTempFile> {
    hook::step(Call::Create, directory)?;
    sweep(directory);
    for _ in 0..TRIES {
        let staged = tempfile::Builder::new()
            .prefix(STAGED)
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(directory)?;
        if is_ours(staged.as_file()) {
            return Ok(staged);
        }
    }
    Err(io::Error::other("unfinished files are removed while they are made"))
}

/// A new directory in `directory`, after the leftovers there are gone, and what holds its lock.
pub(super) fn directory(directory: &Path) -> io::Result<(TempDir, File)> {
    hook::step(Call::Create, directory)?;
    sweep(directory);
    for _ in 0..TRIES {
        let staged = tempfile::Builder::new()
            .prefix(STAGED)
            .permissions(Permissions::from_mode(0o777)) // the umask decides
            .tempdir_in(directory)?;
        let handle = File::open(staged.path())?;
        if is_ours(&handle) {
            return Ok((staged, handle));
        }
    }
    Err(io::Error::other("unfinished directories are removed while they are made"))
}

/// Locks something new. False if another process swept it before it was locked.
fn is_ours(new: impl AsFd) -> bool {
    match rustix::fs::flock(&new, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => rustix::fs::fstat(&new).is_ok_and(|it| it.st_nlink > 0),
        Err(Errno::WOULDBLOCK) => false,
        // A file system without locks: nothing is swept there either.
        Err(_) => true,
    }
}

/// Removes what killed runs left in `directory`. What does not go does no harm.
pub(crate) fn sweep(directory: &Path) {
    for path in leftovers(directory) {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(handle) = rustix::fs::open(&path, flags, Mode::empty()) else { continue };
        // Whoever holds the lock is alive.
        if rustix::fs::flock(&handle, FlockOperation::NonBlockingLockExclusive).is_err()
            || hook::step(Call::Remove, &path).is_err()
        {
            continue;
        }
        let _ = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
    }
}

fn leftovers(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let is_left = |entry: &std::fs::DirEntry| is_staged(&entry.file_name().to_string_lossy());
    entries.filter(is_left).map(|entry| entry.path()).collect()
}

/// Whether a name is one of ours for something unfinished.
pub(crate) fn is_staged(name: &str) -> bool {
    name.starts_with(STAGED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_are_swept_and_what_is_being_written_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let below = |name: &str| dir.path().join(name);
        std::fs::write(below(".gmat-leaderboard-new-dead"), "half").expect("written");
        std::fs::create_dir_all(below(".gmat-leaderboard-new-dir/a/b")).expect("made");
        std::fs::write(below(".gmat-leaderboard-lock"), "").expect("written");
        let alive = file(dir.path(), 0o600).expect("a file");
        let (tree, lock) = directory(dir.path()).expect("a directory");
        sweep(dir.path());
        let mut names: Vec<_> = std::fs::read_dir(dir.path())
            .expect("listed")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        names.sort();
        let mut expected =
            vec![below(".gmat-leaderboard-lock"), alive.path().to_owned(), tree.path().to_owned()];
        expected.sort();
        assert_eq!(names, expected);
        drop(lock);
        sweep(dir.path());
        assert!(!tree.path().exists(), "its writer is gone");
    }
}
