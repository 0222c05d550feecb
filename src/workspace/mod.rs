//! A board's directory with its config, and the held-out directory beside it.

mod analysis;
mod attempts;
mod baselines;
mod board_file;
mod bundle;
mod checkout_diff;
mod config;
pub mod demo;
mod demo_history;
mod eval_journal;
mod held_out;
mod held_out_drafts;
mod judge_files;
mod ledger;
mod ledger_session;
mod published;
mod record_files;
mod replays;
mod reveal;
mod scaffold;
mod scan;
mod scan_ledger;
mod scan_site;
mod scan_tree;
mod seal;
mod site;
mod source_file;
mod sources;
mod verify;

pub use analysis::{
    Analysis, FilteredTable, Listener, LoadEvent, RunFilter, listed_names, load, main_measure,
    main_measures,
};
pub use attempts::{Committed, held_out_prompts, make_salt, workflow};
pub use board_file::BoardFile;
pub use bundle::{TypedBundle, replay_held_out, score_bundle, static_bundle, typed_bundle};
pub use checkout_diff::differing_files;
pub use config::{ConfigFile, find_config, read_config, read_config_or_default};
pub(crate) use demo::{
    MAX_ROWS, discard_demo, finish_demo, is_unfinished_demo, plant_leak, unpack_demo,
};
pub use demo_history::{DemoYear, demo_withdrawal, demo_year};
pub use eval_journal::EvalJournal;
pub use held_out::{HeldOutSet, HeldOutSets};
pub use held_out_drafts::{PromptDraft, make_prompt_drafts};
pub use judge_files::load_judged;
pub use ledger::{LEDGER_LIMIT, LedgerDir, LedgerSnapshot, LockedFile, NewLines};
pub use ledger_session::{Appended, LedgerSession, Place, typed_or_now};
pub use published::{check_alone, check_sums, without_foreign};
pub use record_files::{RecordFile, record_files};
pub use replays::{ReplayDetail, SeedReplays};
pub use reveal::{Revealed, reveal_dir};
pub use scaffold::{PUBLIC_DRAFT, ProgramPin, ScaffoldedFile, names_program, scaffold};
pub use scan::{search_pages, search_workspace};
pub use scan_site::{search_rendered_site, search_site_files};
pub use seal::seal_path;
#[cfg(not(sealed))]
pub use seal::wrong_signature;
pub use site::{RenderedSite, Request, render_ledger_site, render_site};
pub use sources::{LoadedSources, SourceOptions, board_at, default_source, load_table};
pub use verify::{Verdict, verify};

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::board;
use crate::domain::config::{Config, Seed};
use crate::domain::{Failure, Finding, nearest, sha256};
use crate::firewall::Exempt;
use crate::fs::{Store, StoreError, exposure};
use crate::workspace::config::{PLACES, has_config};

/// Everything on disk that a command can be about. Each part is read at most once.
#[derive(Debug)]
pub struct Workspace {
    /// The root.
    pub store: Store,
    /// The config.
    pub config: Config,
    /// How the config is named to people.
    pub config_file: String,
    pub(crate) config_bytes: Vec<u8>,
    /// The directory typed with `--held-out`.
    held_out: Option<Arc<Store>>,
    /// Why that directory may not be used.
    exposed: Option<Finding>,
    /// The seal typed with `--seal`; else it is looked for beside the board.
    seal: Option<PathBuf>,
    held_out_sets: OnceLock<Arc<HeldOutSets>>,
    kept: ReplayDetail,
    replays: OnceLock<SeedReplays>,
    ledger: OnceLock<LedgerSnapshot>,
    pinned_prompts: OnceLock<Option<String>>,
}

impl Workspace {
    /// Opens the root and reads the config.
    pub fn open(root: &Path, config: Option<&Path>) -> Result<Self, Failure> {
        let store = Store::open(root)?;
        Ok(Self::new(store, read_config(root, config)?))
    }

    /// Like [`Self::open`]; where there is no config its defaults hold, since runs can be recorded
    /// without one.
    pub fn open_or_default(root: &Path, config: Option<&Path>) -> Result<Self, Failure> {
        if has_config(root, config) {
            return Self::open(root, config);
        }
        let (name, bytes) = (PLACES[0].to_owned(), b"{}".to_vec());
        let config = Config::parse(&bytes, &name)?;
        Ok(Self::new(Store::open(root)?, ConfigFile { config, name, bytes }))
    }

    fn new(store: Store, ConfigFile { config, name, bytes }: ConfigFile) -> Self {
        Self {
            held_out_sets: OnceLock::new(),
            store,
            config,
            config_file: name,
            config_bytes: bytes,
            held_out: None,
            exposed: None,
            seal: None,
            kept: ReplayDetail::Counts,
            replays: OnceLock::new(),
            ledger: OnceLock::new(),
            pinned_prompts: OnceLock::new(),
        }
    }

    /// Scores and searches with the held-out bundles in `dir` too.
    pub fn with_held_out(mut self, dir: Option<&Path>) -> Result<Self, Failure> {
        let Some(dir) = dir else { return Ok(self) };
        let (store, exposed) = self.open_held_out(dir)?;
        (self.held_out, self.exposed) = (Some(Arc::new(store)), exposed);
        Ok(self)
    }

    /// Compares the board with the seal in this file.
    #[must_use]
    pub fn with_seal(self, seal: Option<PathBuf>) -> Self {
        Self { seal, ..self }
    }

    /// Keeps more of the public bundles than their counts after the replay.
    #[must_use]
    pub fn keeping(self, kept: ReplayDetail) -> Self {
        Self { kept, ..self }
    }

    /// Like [`Self::open`]; `None` if the root has no config and none was given.
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

    /// Whether headlines are scored: a held-out directory was given.
    pub fn scores_headlines(&self) -> bool {
        self.held_out.is_some()
    }

    /// Why the held-out directory may not be used: it could be committed.
    pub fn exposed(&self) -> Option<&Finding> {
        self.exposed.as_ref()
    }

    /// The held-out sets at hand to search with: the directory given, and the fetched one.
    pub fn held_out_sets(&self) -> Result<&HeldOutSets, Failure> {
        if let Some(sets) = self.held_out_sets.get() {
            return Ok(sets);
        }
        let sets = HeldOutSets::at_hand(self.store.root(), self.held_out.clone())?;
        Ok(self.held_out_sets.get_or_init(|| Arc::new(sets)))
    }

    /// [`Self::held_out_sets`], shared.
    fn shared_held_out_sets(&self) -> Result<Arc<HeldOutSets>, Failure> {
        self.held_out_sets()?;
        Ok(self.held_out_sets.get().map(Arc::clone).unwrap_or_default())
    }

    /// The bundles of all seeds, replayed on the first call; `step` is then called after each seed.
    pub fn replays(&self, step: impl Fn() + Sync) -> &SeedReplays {
        self.replays.get_or_init(|| {
            let (store, held_out) = (&self.store, self.held_out.as_deref());
            let is_sealed = self.seal.is_some() || seal_path(&self.board_path(None)).exists();
            // The search and the seal read the files again.
            let keep = held_out.is_some() || is_sealed;
            SeedReplays::replay(store, held_out, &self.config, self.kept, keep, step)
        })
    }

    /// The ledger, read on the first call.
    pub fn ledger(&self) -> Result<&LedgerSnapshot, Failure> {
        if let Some(ledger) = self.ledger.get() {
            return Ok(ledger);
        }
        let ledger = LedgerSnapshot::read(self.store.root())?;
        Ok(self.ledger.get_or_init(|| ledger))
    }

    /// Notes about completions that speak to the judge, in the bundles that a waiver names.
    pub fn waived_injections(&self) -> Vec<Finding> {
        bundle::waived_injections(&self.store, self.held_out.as_deref(), &self.config)
    }

    /// What is not secret on a board or in a config of this workspace.
    pub fn exempt(&self) -> Exempt {
        let mut exempt = board::exempt(&self.config);
        if let Some(prompts) = self.pinned_prompts() {
            exempt.add_text(prompts);
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
    fn open_held_out(&self, dir: &Path) -> Result<(Store, Option<Finding>), Failure> {
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
    pub fn pinned_prompts(&self) -> Option<&str> {
        self.pinned_prompts.get_or_init(|| self.read_pinned_prompts()).as_deref()
    }

    fn read_pinned_prompts(&self) -> Option<String> {
        let pin = self.config.public_pin.as_ref()?;
        self.config.seeds.iter().find_map(|seed| {
            let file = seed.public_bundle.file("prompts.json");
            let bytes = self.store.read_kept(file, crate::fs::BUNDLE_FILE_LIMIT).ok()?;
            (sha256(&*bytes) == *pin).then(|| String::from_utf8(bytes.to_vec()).ok())?
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
