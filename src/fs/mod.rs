//! The file system, git and the clock. Reads regular files of bounded size, never outside
//! the directory it was opened on. Writes whole files or nothing; the ledger alone is appended to.
//!
//! Paths from a config are untrusted. Read them with [`Store::read`], which the kernel
//! keeps below the root; only paths typed by the user go through [`read_typed`].

mod clock;
mod directory;
mod error;
mod git;
pub(crate) mod hook;
mod lock;
mod mirror;
mod private;
mod read;
mod scripts;
mod stage;
mod stdin;
mod tree;
mod write;

pub use clock::moment;
pub use directory::{Written, write_directory};
pub use error::StoreError;
pub use git::{GitExposure, committed, exposure, git_version};
pub(crate) use git::{blob_id, committed_blobs, export, ignored_files, tracked_files};
pub use hook::{Call, watch};
pub use lock::lock_directory;
pub use mirror::{Mirror, MirrorEntry, find_below};
pub(crate) use private::make_private;
pub use private::{create_private, prompt_tiers, random_bytes, random_uuid};
pub use read::{Store, read_typed};
pub use scripts::scripts;
pub use stdin::{StdinLines, read_stdin};
pub use tree::{Sync, compare_tree, fingerprint, read_tree, write_tree};
pub(crate) use tree::{walk_error, walk_files};
pub(crate) use write::sync_directory;
pub use write::{make_directory, remove, write, write_with};

/// Size limit of one file of a bundle.
pub const BUNDLE_FILE_LIMIT: u64 = 64 << 20;
/// Size limit of all files of a site together.
pub const SITE_LIMIT: u64 = 256 << 20;
/// Size limit of a board, a config and other files of our own.
pub const OWN_FILE_LIMIT: u64 = 64 << 20;
/// Size limit of one script, and of one line that carries one: what the scorer can address.
pub const SCRIPT_LIMIT: u64 = u32::MAX as u64;
