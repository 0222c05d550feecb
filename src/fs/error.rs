//! What can go wrong between this program and the file system.

use std::io;
use std::path::{Path, PathBuf};

use crate::domain::{Code, Failure, nearest};

/// A fact about a file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing is there.
    #[error("`{}` does not exist", .0.display())]
    Absent(PathBuf),
    /// The path, or a symlink on it, leads out of the directory it must stay in.
    #[error("`{}` leads out of its directory", .0.display())]
    Leaves(PathBuf),
    /// A directory, FIFO, device or socket where a file should be.
    #[error("`{}` is {kind}, not a regular file", .path.display())]
    Special {
        /// The file.
        path: PathBuf,
        /// `a directory`, `a FIFO`, …
        kind: &'static str,
    },
    /// Above the size limit; nothing was read.
    #[error("`{}` has {size} bytes, above the limit of {limit}", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The output would replace a symlink.
    #[error("`{}` is a symlink", .0.display())]
    OutputLink(PathBuf),
    /// A file where a directory should be.
    #[error("`{}` is not a directory", .0.display())]
    NotDirectory(PathBuf),
    /// The output directory holds something else.
    #[error("`{}` is not empty, and its `{file}` is not what would be written", .dir.display())]
    Occupied {
        /// The directory.
        dir: PathBuf,
        /// The first file that is missing there or differs.
        file: String,
    },
    /// The output directory is not there.
    #[error("the directory of `{}` does not exist", .0.display())]
    NoDirectory(PathBuf),
    /// Something is there already, and it stays.
    #[error("`{}` exists already", .0.display())]
    Exists(PathBuf),
    /// Another process writes there.
    #[error("another run of this program is writing to `{}`", .0.display())]
    Locked(PathBuf),
    /// There is a repository but no git, so what it would commit is unknown.
    #[error("`{}` is a git repository, and the program `git` was not found", .0.display())]
    NoGit(PathBuf),
    /// Git did not answer a question about a repository.
    #[error("git failed in the repository `{}`: {words}", .repository.display())]
    GitRefused {
        /// Root of the work tree.
        repository: PathBuf,
        /// What git said.
        words: String,
    },
    /// Anything the system says beyond that.
    #[error("cannot {verb} `{}`: {source}", .path.display())]
    Io {
        /// What was tried.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
}

impl StoreError {
    /// Whether it says that nothing is there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent(_))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let what = error.to_string();
        match error {
            StoreError::Absent(path) => Self::unusable(what).help(match beside(&path) {
                Some(near) => format!("did you mean `{}`?", near.display()),
                None => "check the path; relative paths start at the working directory".to_owned(),
            }),
            StoreError::Leaves(_) => Self::unusable(what).code(Code::PPath),
            StoreError::Special { .. } => Self::unusable(what).code(Code::PSpecial),
            StoreError::NotDirectory(_) => {
                Self::unusable(what).code(Code::PSpecial).help("name a directory, not a file in it")
            }
            StoreError::TooLarge { .. } => Self::unusable(what).code(Code::JSize),
            StoreError::OutputLink(_) => Self::unusable(what).code(Code::PSymlink),
            StoreError::Occupied { .. } => Self::unusable(what)
                .help("nothing was changed; name a new directory, or remove this one first"),
            StoreError::NoDirectory(_) => {
                Self::unusable(what).code(Code::WIo).help("create it first: `mkdir -p`")
            }
            StoreError::Exists(_) => {
                Self::unusable(what).help("name another file; nothing was changed")
            }
            StoreError::Locked(_) => Self::world(what).help("wait until it has finished"),
            StoreError::NoGit(_) => {
                Self::unusable(what).help("install git, or use a directory outside the repository")
            }
            StoreError::GitRefused { .. } => {
                Self::unusable(what).help("fix the repository, or use a directory outside it")
            }
            StoreError::Io { .. } => Self::world(what).code(Code::WIo),
        }
    }
}

/// The path that was probably meant: its first part that does not exist is replaced by the nearest name
/// in the same directory, if the result exists.
fn beside(path: &Path) -> Option<PathBuf> {
    let parts: Vec<&Path> = path.ancestors().collect();
    let absent = parts.iter().rev().find(|part| !part.as_os_str().is_empty() && !part.exists())?;
    let parent = absent.parent()?;
    let listed = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let names: Vec<String> = fs_err::read_dir(listed)
        .ok()?
        .take(1000)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let near = nearest(absent.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    let rest = path.strip_prefix(absent).ok()?;
    let meant =
        if rest.as_os_str().is_empty() { parent.join(near) } else { parent.join(near).join(rest) };
    meant.exists().then_some(meant)
}
