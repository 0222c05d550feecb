//! Reading, with the kernel's help against traversal.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileTypeExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fs_err as fs;
use rustix::fs::{Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use crate::fs::StoreError;
use crate::fs::hook::{self, Call};

/// A directory and everything below it, nothing else.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    handle: OwnedFd,
    kept: Mutex<ReadCache>,
}

/// Files that a store keeps in memory.
#[derive(Debug, Default)]
struct ReadCache {
    files: HashMap<PathBuf, Arc<Vec<u8>>>,
    /// The last file of each size: bundles share their prompts.json, which is kept once.
    by_size: HashMap<usize, Arc<Vec<u8>>>,
    bytes: usize,
}

impl ReadCache {
    /// Keeps a file, unless it does not fit.
    fn keep(&mut self, below: &Path, bytes: Vec<u8>) -> Arc<Vec<u8>> {
        if let Some(kept) = self.files.get(below) {
            return Arc::clone(kept);
        }
        let size = bytes.len();
        let same = self.by_size.get(&size).filter(|it| ***it == bytes);
        let (shared, more) = match same {
            Some(same) => (Arc::clone(same), 0),
            None => (Arc::new(bytes), size),
        };
        if self.bytes + more <= KEPT_LIMIT {
            self.bytes += more;
            self.by_size.insert(size, Arc::clone(&shared));
            self.files.insert(below.to_owned(), Arc::clone(&shared));
        }
        shared
    }
}

/// How much a store keeps in memory; what does not fit is read again where it is needed again.
const KEPT_LIMIT: usize = 8 << 20;

impl Store {
    /// Opens the directory `root`.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::fs::open(root, flags, Mode::empty()).map_err(|errno| match errno {
            Errno::NOENT => StoreError::Absent(root.to_owned()),
            Errno::NOTDIR => StoreError::NotDirectory(root.to_owned()),
            errno => io_error("open", root, errno.into()),
        })?;
        Ok(Self { root: root.to_owned(), handle, kept: Mutex::default() })
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of something below the root, for messages and for typed defaults.
    pub fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.root.join(below)
    }

    /// Whether a directory (or a link to one that stays below the root) is at `below`.
    pub fn has_directory(&self, below: &Path) -> Result<bool, StoreError> {
        match self.open_below(below, OFlags::DIRECTORY) {
            Ok(_) => Ok(true),
            Err(StoreError::Absent(_) | StoreError::Special { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads the regular file at `below`, which must not lead out of the root.
    pub fn read(&self, below: impl AsRef<Path>, limit: u64) -> Result<Vec<u8>, StoreError> {
        let below = below.as_ref();
        if let Some(bytes) = self.kept_file(below).filter(|it| it.len() as u64 <= limit) {
            return Ok(bytes.to_vec());
        }
        self.read_new(below, limit)
    }

    /// Reads a file that other parts of the program read too, and keeps it for them.
    pub fn read_kept(
        &self,
        below: impl AsRef<Path>,
        limit: u64,
    ) -> Result<Arc<Vec<u8>>, StoreError> {
        let below = below.as_ref();
        if let Some(bytes) = self.kept_file(below).filter(|it| it.len() as u64 <= limit) {
            return Ok(bytes);
        }
        let bytes = self.read_new(below, limit)?;
        Ok(self.kept().keep(below, bytes))
    }

    /// Keeps a file that was read, for those who read it after this.
    pub fn keep(&self, below: impl AsRef<Path>, bytes: Vec<u8>) {
        self.kept().keep(below.as_ref(), bytes);
    }

    /// The file at `below`, if it was read and is kept.
    pub(crate) fn kept_file(&self, below: &Path) -> Option<Arc<Vec<u8>>> {
        self.kept().files.get(below).cloned()
    }

    fn read_new(&self, below: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
        let file = self.open_below(below, OFlags::NONBLOCK)?;
        read_regular(&file.into(), &self.root.join(below), limit)
    }

    fn kept(&self) -> MutexGuard<'_, ReadCache> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_below(&self, below: &Path, extra: OFlags) -> Result<OwnedFd, StoreError> {
        let path = self.root.join(below);
        let plain = below.components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || below.as_os_str().is_empty() {
            return Err(StoreError::Leaves(path));
        }
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | extra;
        match self.open_beneath(below, flags) {
            Ok(handle) => Ok(handle),
            Err(Errno::NOENT) => Err(StoreError::Absent(path)),
            // A link to a device outside is refused as what it is: nothing we would read anyway.
            Err(Errno::XDEV | Errno::LOOP) => Err(match fs::metadata(&path) {
                Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
                    StoreError::Special { kind: kind(metadata.file_type()), path }
                }
                _ => StoreError::Leaves(path),
            }),
            Err(Errno::NOTDIR) => Err(StoreError::Special { path, kind: "not a directory" }),
            Err(errno) => Err(io_error("open", &path, errno.into())),
        }
    }

    #[cfg(target_os = "linux")]
    fn open_beneath(&self, below: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(&self.handle, below, flags, Mode::empty(), resolve) {
            // Old kernels and some sandboxes do not have the call.
            Err(Errno::NOSYS | Errno::PERM) => self.open_resolved(below, flags),
            result => result,
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_beneath(&self, below: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        self.open_resolved(below, flags)
    }

    /// Resolves links first and opens what they lead to, if it is below the root.
    fn open_resolved(&self, below: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let resolve = |path: &Path| {
            std::fs::canonicalize(path)
                .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::NOENT))
        };
        let root = resolve(&self.root)?;
        let path = resolve(&self.root.join(below))?;
        if !path.starts_with(&root) {
            return Err(Errno::XDEV);
        }
        rustix::fs::open(&path, flags | OFlags::NOFOLLOW, Mode::empty())
    }
}

/// Reads a regular file whose path the user typed.
pub fn read_typed(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let handle = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::NOENT => StoreError::Absent(path.to_owned()),
        errno => io_error("open", path, errno.into()),
    })?;
    read_regular(&handle.into(), path, limit)
}

fn read_regular(file: &File, path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    hook::call(Call::Read, path)?;
    let failed = |source| io_error("read", path, source);
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(StoreError::Special {
            path: path.to_owned(),
            kind: kind(metadata.file_type()),
        });
    }
    let size = metadata.len();
    if size > limit {
        return Err(StoreError::TooLarge { path: path.to_owned(), size, limit });
    }
    // One byte more than the file has, so that the second read sees its end.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    while bytes.len() as u64 <= limit {
        bytes.reserve(1);
        match rustix::io::read(file, rustix::buffer::spare_capacity(&mut bytes)) {
            Ok(0) => break,
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(failed(errno.into())),
        }
    }
    if bytes.len() as u64 > limit {
        return Err(StoreError::TooLarge {
            path: path.to_owned(),
            size: bytes.len() as u64,
            limit,
        });
    }
    Ok(bytes)
}

fn io_error(verb: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { verb, path: path.to_owned(), source }
}

fn kind(file_type: std::fs::FileType) -> &'static str {
    match file_type {
        kind if kind.is_dir() => "a directory",
        kind if kind.is_fifo() => "a FIFO",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}
