//! A hook that sees every step that touches the disk, so that tests can count steps or make one fail.
//!
//! Nothing but a test of this project can set it: there is no flag, variable or file for it.

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use super::StoreError;

/// What is about to be done with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call {
    /// A file is read.
    Read,
    /// A directory is walked.
    Walk,
    /// A file or directory is created.
    Create,
    /// Bytes are written.
    Write,
    /// A file or directory is synced.
    Sync,
    /// Something gets its name.
    Rename,
    /// Something is removed.
    Remove,
}

type Hook = dyn Fn(Call, &Path) -> io::Result<()> + Send + Sync;

static HOOK: OnceLock<Box<Hook>> = OnceLock::new();

/// Shows every later step of this process to `hook`; an error of it is what the step gives. The
/// first hook stays.
#[cfg_attr(sealed, expect(dead_code, reason = "tests count and break steps with it"))]
pub fn watch(hook: impl Fn(Call, &Path) -> io::Result<()> + Send + Sync + 'static) {
    let _ = HOOK.set(Box::new(hook));
}

/// Before a read or walk.
pub(crate) fn call(call: Call, path: &Path) -> Result<(), StoreError> {
    step(call, path).map_err(|source| StoreError::Io {
        verb: "read",
        path: path.to_owned(),
        source,
    })
}

/// Before any other step.
pub(crate) fn step(call: Call, path: &Path) -> io::Result<()> {
    HOOK.get().map_or(Ok(()), |hook| hook(call, path))
}
