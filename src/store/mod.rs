//! The only room that touches the file system. Reads regular files of bounded size, never outside
//! the directory it was opened on; writes whole files or nothing.
//!
//! What a newcomer gets wrong: a path in a config is a stranger's claim. It goes through
//! [`Store::read`], which the kernel keeps below the root; only paths typed by the user go
//! through [`read_typed`].

mod bundle;
mod checkout;
mod clock;
mod config;
mod content;
mod directory;
mod error;
mod evidence;
pub mod example;
mod git;
mod held_out;
mod judged;
mod ledger;
mod ledger_secrets;
mod mirror;
mod private;
mod read;
mod records;
mod scaffold;
mod score;
mod scripts;
mod secrets;
mod sources;
mod stdin;
mod tree;
mod tree_search;
mod workspace;
mod write;

pub use bundle::{
    TypedBundle, replay_held_out, replay_lift, replay_public, static_bundle, typed_bundle,
};
pub use checkout::differing_files;
pub use clock::moment;
pub use config::{find_config, read_config, read_config_or_default};
pub use directory::{Written, write_directory};
pub use error::StoreError;
pub use evidence::evidence;
pub use git::{Exposure, committed, exposure, git_version};
pub use held_out::HeldOutSets;
pub use judged::{JudgeProgram, load_judged};
pub use ledger::{Addition, LEDGER_LIMIT, LedgerDir, OpenLedger, check_ledger, rows_ever_named};
pub use mirror::{Found, Mirror, find_below};
pub use private::{create_private, prompt_tiers, random_uuid};
pub use read::{Store, read_typed};
pub use records::{RecordFile, record_files};
pub use scaffold::{Laid, scaffold};
pub use score::score_all;
pub use scripts::scripts;
pub use secrets::{search_pages, search_workspace};
pub use sources::{Intake, Loaded, board_at, default_source, load_table};
pub use stdin::{Arriving, read_stdin};
pub use tree::{compare_tree, fingerprint, read_tree, write_tree};
pub use workspace::{
    BoardFile, Workspace, board_path, held_out_cache, previous_board, previous_ground, read_board,
};
pub use write::{make_directory, write, write_with};

/// Size limit of one file of a bundle.
pub const BUNDLE_FILE_LIMIT: u64 = 64 << 20;
/// Size limit of all files of a site together.
pub const SITE_LIMIT: u64 = 256 << 20;
/// Size limit of a board, a config and other files of our own.
pub const OWN_FILE_LIMIT: u64 = 64 << 20;
/// Size limit of one script, and of one line that carries one: what the scorer can address.
pub const SCRIPT_LIMIT: u64 = u32::MAX as u64;
