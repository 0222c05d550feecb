//! A hook that sees every read and walk, so that tests can count them or make one fail.

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
}

type Hook = dyn Fn(Call, &Path) -> io::Result<()> + Send + Sync;

static HOOK: OnceLock<Box<Hook>> = OnceLock::new();

/// Shows every later read and walk of this process to `hook`; an error of it is what the call gives.
/// The first hook stays.
#[cfg_attr(sealed, expect(dead_code, reason = "tests count reads with it"))]
pub fn watch(hook: impl Fn(Call, &Path) -> io::Result<()> + Send + Sync + 'static) {
    let _ = HOOK.set(Box::new(hook));
}

pub(crate) fn call(call: Call, path: &Path) -> Result<(), StoreError> {
    let Some(hook) = HOOK.get() else { return Ok(()) };
    hook(call, path).map_err(|source| StoreError::Io {
        verb: "read",
        path: path.to_owned(),
        source,
    })
}
