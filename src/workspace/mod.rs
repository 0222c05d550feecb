//! A board's directory with its config, and the held-out directory beside it.

mod analysis;
mod bundle;
mod checkout;
mod config;
pub mod demo;
mod demo_history;
mod evidence;
mod held_out;
mod held_out_drafts;
mod judged;
mod ledger;
mod records;
mod scaffold;
mod scan;
mod scan_ledger;
mod scan_site;
mod scan_tree;
mod score;
mod site;
mod source_file;
mod sources;

pub use analysis::{Analysis, Listener, Ready, Remark, RunFilter, lines, main_measure};
pub use bundle::{
    TypedBundle, replay_held_out, replay_lift, replay_public, static_bundle, typed_bundle,
    waived_injections,
};
pub use checkout::differing_files;
pub use config::{find_config, read_config, read_config_or_default};
pub(crate) use demo::{MAX_SYNTHETIC_ROWS, leak, synthesise, unpack};
pub use demo_history::{Story, story};
pub use evidence::evidence;
pub use held_out::HeldOutSets;
pub use held_out_drafts::{Draft, drafts};
pub use judged::load_judged;
pub use ledger::{Addition, LEDGER_LIMIT, LedgerDir, OpenLedger, check_ledger, rows_ever_named};
pub use records::{RecordFile, record_files};
pub use scaffold::{Laid, scaffold};
pub use scan::{search_pages, search_workspace};
pub use scan_site::leaks;
pub use score::score_all;
pub use site::{Made, Request, make, make_of};
pub use sources::{Intake, Loaded, board_at, default_source, load_table};

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::board::{self, Board, Ground};
use crate::domain::config::{Config, Seed};
use crate::domain::{Failure, Finding, nearest};
use crate::firewall::Exempt;
use crate::fs::{OWN_FILE_LIMIT, Store, StoreError, exposure, read_typed};
use crate::json;
use crate::workspace::config::has_config;

/// A root and its config.
#[derive(Debug)]
pub struct Workspace {
    /// The root.
    pub store: Store,
    /// The config.
    pub config: Config,
    /// How the config is named to people.
    pub config_file: String,
}

impl Workspace {
    /// Opens the root and reads the config.
    pub fn open(root: &Path, config: Option<&Path>) -> Result<Self, Failure> {
        let store = Store::open(root)?;
        let (config, config_file) = read_config(root, config)?;
        Ok(Self { store, config, config_file })
    }

    /// The same, or `None` where the root has no config and none was typed.
    pub fn open_if_any(root: &Path, config: Option<&Path>) -> Result<Option<Self>, Failure> {
        if has_config(root, config) {
            return Self::open(root, config).map(Some);
        }
        Store::open(root)?;
        Ok(None)
    }

    /// Forgets every seed but the one named `provider:model`.
    pub fn keep_only(&mut self, entry: &str) -> Result<(), Failure> {
        let ids: Vec<String> = self.config.seeds.iter().map(Seed::id).collect();
        if !ids.iter().any(|id| id == entry) {
            let failure = Failure::unusable(format!("the config has no seed `{entry}`"))
                .at(&*self.config_file);
            return Err(match nearest(entry, ids.iter().map(String::as_str)) {
                Some(near) => failure.help(format!("did you mean `{near}`?")),
                None => failure.help("name it as provider:model, as the config does"),
            });
        }
        self.config.seeds.retain(|seed| seed.id() == entry);
        Ok(())
    }

    /// The bytes of the config as they are now.
    pub fn config_bytes(&self) -> Result<Vec<u8>, StoreError> {
        read_typed(Path::new(&self.config_file), OWN_FILE_LIMIT)
    }

    /// What is not secret on a board or in a config of this workspace.
    pub fn exempt(&self) -> Exempt {
        let mut exempt = board::exempt(&self.config);
        if let Some(prompts) = self.pinned_prompts() {
            exempt.add_text(&prompts);
        }
        exempt
    }

    /// Whether `dir` is, or is below, the folder that `held_out_set.published` names.
    pub fn is_published(&self, dir: &Path) -> bool {
        let Some(published) = &self.config.held_out_published else { return false };
        let place = |path: &Path| std::fs::canonicalize(path).ok();
        match (place(dir), place(&self.store.path(published))) {
            (Some(dir), Some(published)) => dir.starts_with(published),
            _ => false,
        }
    }

    /// Opens a held-out directory; a finding says why it may not be used.
    pub fn open_held_out(&self, dir: &Path) -> Result<(Store, Option<Finding>), Failure> {
        let store = Store::open(dir).map_err(|error| match error {
            StoreError::Absent(_) => Failure::unusable("the held-out directory does not exist")
                .at(dir.display().to_string())
                .help("fetch it first, or leave `--held-out` out to keep the headlines pending"),
            error => error.into(),
        })?;
        if self.is_published(dir) {
            return Ok((store, None));
        }
        let finding = exposure(dir)?.finding(dir);
        Ok((store, finding))
    }

    /// The public prompts.json, if the config pins it and a bundle has exactly those bytes.
    pub fn pinned_prompts(&self) -> Option<String> {
        let pin = self.config.public_pin.as_ref()?;
        self.config.seeds.iter().find_map(|seed| {
            let file = seed.public_bundle.file("prompts.json");
            let bytes = self.store.read(file, crate::fs::BUNDLE_FILE_LIMIT).ok()?;
            (hex::encode(Sha256::digest(&bytes)) == *pin).then(|| String::from_utf8(bytes).ok())?
        })
    }

    /// Where the board is unless the user says otherwise.
    pub fn board_path(&self, typed: Option<&Path>) -> PathBuf {
        board_path(self.store.root(), typed)
    }
}

/// Where the board is below `root` unless the user says otherwise.
pub fn board_path(root: &Path, typed: Option<&Path>) -> PathBuf {
    let path = typed.map_or_else(|| root.join("leaderboard/leaderboard.json"), Path::to_owned);
    path.strip_prefix("./").map(Path::to_owned).unwrap_or(path)
}

/// Where held-out bundles are kept below `root` unless the user says otherwise.
pub fn held_out_cache(root: &Path) -> PathBuf {
    let path = root.join("leaderboard/.cache/heldout");
    path.strip_prefix("./").map(Path::to_owned).unwrap_or(path)
}

/// A board from disk.
#[derive(Debug)]
pub struct BoardFile {
    /// The bytes as they lie there.
    pub bytes: Vec<u8>,
    /// The board, or what keeps the bytes from being one.
    pub board: Result<Board, Vec<Finding>>,
}

/// Reads the board at `path`, which must at least be JSON.
pub fn read_board(path: &Path) -> Result<BoardFile, Failure> {
    let file = path.display().to_string();
    let bytes = read_typed(path, OWN_FILE_LIMIT)?;
    let document = json::parse(&bytes).map_err(|error| Failure::json(&file, &error))?;
    let board = board::read(&document.root, &file);
    Ok(BoardFile { bytes, board })
}

/// What the board at `path` stands on, if there is one and it can be read.
pub fn previous_ground(path: &Path) -> Option<Ground> {
    let bytes = read_typed(path, OWN_FILE_LIMIT).ok()?;
    Ground::read(&bytes)
}

/// The board at `path`, if there is one and it can be read.
pub fn previous_board(path: &Path) -> Option<Board> {
    read_board(path).ok()?.board.ok()
}
