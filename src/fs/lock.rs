//! A lock on a directory: of two processes that replace the same files in it, one waits for the other.

use std::fs::File;
use std::path::Path;

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

/// Locks `directory` until the result is dropped. If another process has the lock, calls `wait` and
/// waits for it. Returns `None` if the directory does not exist or its file system cannot lock it.
pub fn lock_directory(directory: &Path, wait: impl FnOnce()) -> Option<File> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let handle = rustix::fs::open(directory, flags, Mode::empty()).ok()?;
    let lock = |operation| retry_on_intr(|| rustix::fs::flock(&handle, operation));
    let locked = match lock(FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {
            wait();
            lock(FlockOperation::LockExclusive)
        }
        locked => locked,
    };
    locked.is_ok().then(|| handle.into())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn one_waits_until_the_other_is_done() {
        let directory = tempfile::tempdir().expect("a directory");
        let lock = |wait: &dyn Fn()| lock_directory(directory.path(), wait);
        let (waits, is_done) = (AtomicBool::new(false), AtomicBool::new(false));
        let first = lock(&|| panic!("the lock is free"));
        assert!(first.is_some());
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let second = lock(&|| waits.store(true, Ordering::SeqCst));
                assert!(second.is_some() && is_done.load(Ordering::SeqCst));
            });
            while !waits.load(Ordering::SeqCst) {
                assert!(!second.is_finished(), "it did not wait");
                std::thread::yield_now();
            }
            is_done.store(true, Ordering::SeqCst);
            drop(first);
        });
        let file = directory.path().join("file");
        assert!(lock_directory(&file, || ()).is_none());
        std::fs::write(&file, "").expect("written");
        assert!(lock_directory(&file, || ()).is_none());
    }
}
