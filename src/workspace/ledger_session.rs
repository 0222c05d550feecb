//! The ledger, opened to look at it or to append to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::domain::config::Config;
use crate::domain::{Failure, Finding, stamp};
use crate::fs;
use crate::ledger::{self, History, Instant, Limit, Rules, Week, WeekSummary};
use crate::workspace::config::{PLACES, find_config, has_config};
use crate::workspace::{
    HeldOutSets, LedgerDir, LedgerSnapshot, LockedFile, NewLines, Workspace, read_config_or_default,
};

/// An opened ledger.
#[derive(Debug)]
pub struct LedgerSession {
    /// The config, or its defaults.
    pub config: Config,
    /// The config's file; `None` where there is none and the defaults hold.
    pub config_file: Option<String>,
    /// Where the files are.
    pub dir: LedgerDir,
    /// Everything recorded.
    pub history: History,
    /// When a line is recorded now: never before the last one.
    pub now: String,
    file: Option<LockedFile>,
    /// The weeks of what the file holds, if it is open.
    weeks: Vec<WeekSummary>,
    /// weekly.json, read after the ledger was locked; `None` if it is not there.
    weekly: Option<Vec<u8>>,
    /// The held-out sets that lines are searched with.
    pub held_out: Arc<HeldOutSets>,
}

impl LedgerSession {
    /// Opens the ledger below `place` to look at it, or for a dry run of a command that records at
    /// `now`.
    pub fn reading(place: Place<'_>, now: Option<&str>) -> Result<Self, Failure> {
        let dir = LedgerDir::below(place.root());
        let bytes = dir.history()?.unwrap_or_default();
        Self::new(place, now, dir, &bytes)
    }

    /// Opens the ledger to append to it, locked until the session ends.
    pub fn writing(place: Place<'_>, now: Option<&str>) -> Result<Self, Failure> {
        Self::locked(place, now, LedgerDir::below(place.root()).open(place.ledger())?)
    }

    /// Like [`Self::writing`]; drops an incomplete last line and returns its bytes.
    pub fn repairing(
        place: Place<'_>,
        now: Option<&str>,
    ) -> Result<(Self, Option<Vec<u8>>), Failure> {
        let mut file = LedgerDir::below(place.root()).open(place.ledger())?;
        let dropped = file.drop_unfinished()?;
        Ok((Self::locked(place, now, file)?, dropped))
    }

    fn locked(place: Place<'_>, now: Option<&str>, file: LockedFile) -> Result<Self, Failure> {
        let mut session = Self::new(place, now, LedgerDir::below(place.root()), &file.bytes)?;
        session.weekly = match place.ledger().filter(|_| file.is_as_read) {
            Some(ledger) => ledger.weekly().map(<[u8]>::to_vec),
            None => session.dir.optional("weekly.json")?,
        };
        session.weeks = ledger::weeks(&session.history);
        session.file = Some(file);
        Ok(session)
    }

    fn new(
        place: Place<'_>,
        now: Option<&str>,
        dir: LedgerDir,
        bytes: &[u8],
    ) -> Result<Self, Failure> {
        let (config, config_file) = match place {
            Place::Root(root, config) => read_config_or_default(root, config)?,
            Place::Workspace(workspace) => {
                (workspace.config.clone(), Some(workspace.config_file.clone()))
            }
        };
        let held_out = match place {
            Place::Root(root, _) => Arc::new(HeldOutSets::at_hand(root, None)?),
            Place::Workspace(workspace) => workspace.shared_held_out_sets()?,
        };
        let (history, recorded_until) = ledger::read(bytes).usable()?;
        let (typed, now) = (now, typed_or_now(now)?);
        let later = recorded_until.filter(|until| Instant::parse(until) > Instant::parse(&now));
        if let Some((typed, until)) = typed.zip(later.as_ref()) {
            return Err(Failure::unusable(format!(
                "`--now {typed}` is before the last line of the ledger, recorded at {until}"
            ))
            .at(dir.path("history.jsonl").display().to_string())
            .help("lines are recorded in time order: pass a later time, or leave out `--now`; the time of a run is its `run_at`"));
        }
        // A clock that is behind must not make the ledger go back in time.
        let now = later.unwrap_or(now);
        let (file, weekly, weeks) = (None, None, Vec::new());
        Ok(Self { config, config_file, dir, history, now, file, weeks, weekly, held_out })
    }

    /// Searches what is recorded with this held-out directory too.
    pub fn search_with(&mut self, root: &Path, held_out: &Path) -> Result<(), Failure> {
        let store = Arc::new(fs::Store::open(held_out)?);
        self.held_out = Arc::new(HeldOutSets::at_hand(root, Some(store))?);
        Ok(())
    }

    /// The largest score, and where it is set.
    pub fn limit(&self) -> Limit<'_> {
        Limit { score_scale: self.rules().score_scale, config: self.config_file.as_deref() }
    }

    /// Takes scores up to `scale`. Returns the config's path and its new bytes unless it says so
    /// already. Refuses a scale other than the one that scores were recorded on.
    pub fn set_scale(
        &mut self,
        scale: f64,
        place: Place<'_>,
    ) -> Result<Option<(PathBuf, Vec<u8>)>, Failure> {
        let (path, bytes) = place.config_bytes()?;
        let name = path.display().to_string();
        let Some(bytes) = Config::set_score_scale(&bytes, &name, scale)? else { return Ok(None) };
        let old = self.config.history.score_scale;
        let runs = self.history.recorded().iter();
        let scored = runs.filter(|run| run.aggregate_score.is_some()).count();
        if scored > 0 && (old - scale).abs() > f64::EPSILON {
            let what =
                format!("`--scale {scale}`: {scored} run(s) are recorded on the scale {old}");
            return Err(Failure::unusable(what)
                .at(self.dir.path("history.jsonl").display().to_string())
                .help(
                    "scores of two scales do not compare; use another `--root` for the other scale",
                ));
        }
        self.config.history = Config::parse(&bytes, &name)?.history;
        self.config_file = Some(name);
        Ok(Some((path, bytes)))
    }

    /// The rules of the config.
    pub fn rules(&self) -> Rules {
        Rules::from_section(&self.config.history)
    }

    /// Records lines and the boards they name, if no held-out text is in them, and brings
    /// weekly.json up to date; a session that only reads searches them too and writes nothing.
    pub fn append(&mut self, addition: &NewLines<'_>) -> Result<Appended, Failure> {
        let Self { config, dir, file, held_out, weeks, .. } = self;
        let before = file.is_some().then(|| weeks.clone());
        let findings = dir.append(file.as_mut(), addition, config, held_out)?;
        if findings.iter().any(Finding::decides) {
            return Ok(Appended { findings, weeks: None });
        }
        let Some((file, before)) = file.as_ref().zip(before) else {
            return Ok(Appended { findings, weeks: Some(Vec::new()) });
        };
        // Two histories of a million runs would not both fit everywhere.
        self.history = History::default();
        self.history = ledger::read(&file.bytes).usable()?.0;
        let after = ledger::weeks(&self.history);
        self.weeks.clone_from(&after);
        let weekly = ledger::weekly_bytes(&self.history);
        // A ledger without runs needs no summary. Written also where nothing was appended: an
        // earlier call may have been killed between the two writes.
        let is_needed = self.weekly.is_some() || !after.is_empty();
        if is_needed && self.weekly.as_ref() != Some(&weekly) {
            fs::write(&self.dir.path("weekly.json"), &weekly)?;
            self.weekly = Some(weekly);
        }
        Ok(Appended { findings, weeks: Some(ledger::changed_weeks(&before, &after)) })
    }
}

/// What became of lines that were to be recorded.
#[derive(Debug)]
pub struct Appended {
    /// What the search for held-out texts found.
    pub findings: Vec<Finding>,
    /// The weeks that changed; `None` if a held-out text was found and nothing was recorded.
    pub weeks: Option<Vec<Week>>,
}

/// Where the ledger is.
#[derive(Debug, Clone, Copy)]
pub enum Place<'p> {
    /// Below a root, and the config that was typed; neither needs to be a board's.
    Root(&'p Path, Option<&'p Path>),
    /// In a workspace that is open already.
    Workspace(&'p Workspace),
}

impl<'p> Place<'p> {
    fn root(self) -> &'p Path {
        match self {
            Self::Root(root, _) => root,
            Self::Workspace(workspace) => workspace.store.root(),
        }
    }

    /// The config's path and bytes; where there is none, the path of a new one.
    fn config_bytes(self) -> Result<(PathBuf, Vec<u8>), Failure> {
        let path = match self {
            Self::Root(root, typed) if has_config(root, typed) => find_config(root, typed)?,
            Self::Root(root, _) => root.join(PLACES[0]),
            Self::Workspace(workspace) => PathBuf::from(&workspace.config_file),
        };
        let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
        match fs::read_typed(&path, fs::OWN_FILE_LIMIT) {
            Err(fs::StoreError::Absent(_)) => Ok((path, b"{}\n".to_vec())),
            bytes => Ok((path, bytes?)),
        }
    }

    /// The ledger, where it was read already.
    fn ledger(self) -> Option<&'p LedgerSnapshot> {
        match self {
            Self::Root(..) => None,
            Self::Workspace(workspace) => workspace.ledger.get(),
        }
    }
}

/// What "now" means: the one typed, else `SOURCE_DATE_EPOCH`, else the clock.
pub fn typed_or_now(typed: Option<&str>) -> Result<String, Failure> {
    match typed {
        Some(typed) if Instant::parse(typed).is_some() => Ok(typed.to_owned()),
        Some(typed) => Err(Failure::unusable(format!("`{typed}` is not a valid time"))
            .help("write it as RFC 3339 with an offset, such as 2026-05-14T12:00:00Z")),
        None => Ok(stamp(fs::moment()?)),
    }
}
