//! What the commands around the ledger share: config, ledger, the moment.

use crate::fs;
use crate::workspace;
use std::path::Path;

use crate::cli::Common;
use crate::domain::config::Config;
use crate::domain::{Failure, Finding, stamp};
use crate::ledger::{self, History, Instant, Limit, Rules, Week};
use crate::ui::Ui;
use crate::workspace::{Addition, HeldOutSets, LedgerDir, OpenLedger};

/// An opened ledger.
pub(super) struct Session {
    /// The config, or its defaults.
    pub(super) config: Config,
    /// The config's file; `None` where there is none and the defaults hold.
    pub(super) config_file: Option<String>,
    /// Where the files are.
    pub(super) dir: LedgerDir,
    /// Everything recorded.
    pub(super) history: History,
    /// When a line is recorded now: never before the last one.
    pub(super) now: String,
    file: Option<OpenLedger>,
    /// The held-out sets that lines are searched with.
    pub(super) held_out: HeldOutSets,
}

impl Session {
    /// Opens the ledger to look at it, or for a dry run of a command that records at `now`.
    pub(super) fn reading(common: &Common, now: Option<&str>) -> Result<Self, Failure> {
        let dir = LedgerDir::below(&common.root);
        let bytes = dir.history()?;
        Self::new(common, now, dir, &bytes)
    }

    /// Opens the ledger to append to it; nobody else can until the session ends.
    pub(super) fn writing(
        common: &Common,
        now: Option<&str>,
        repair: bool,
        ui: Ui,
    ) -> Result<Self, Failure> {
        let dir = LedgerDir::below(&common.root);
        let mut file = dir.open()?;
        if repair && let Some(dropped) = file.drop_unfinished()? {
            ui.result(&format!(
                "repaired {}: dropped an unfinished line of {} bytes",
                dir.path("history.jsonl").display(),
                dropped.len()
            ))?;
        }
        let bytes = std::mem::take(&mut file.bytes);
        let mut session = Self::new(common, now, dir, &bytes)?;
        file.bytes = bytes;
        session.file = Some(file);
        Ok(session)
    }

    fn new(
        common: &Common,
        now: Option<&str>,
        dir: LedgerDir,
        bytes: &[u8],
    ) -> Result<Self, Failure> {
        let (config, config_file) =
            workspace::read_config_or_default(&common.root, common.config.as_deref())?;
        let (history, recorded_until) = ledger::read(bytes).usable()?;
        let (typed, now) = (now, moment(now)?);
        let later = recorded_until.filter(|until| Instant::parse(until) > Instant::parse(&now));
        if let Some((typed, until)) = typed.zip(later.as_ref()) {
            return Err(Failure::unusable(format!(
                "`--now {typed}` is before the last line of the ledger, recorded at {until}"
            ))
            .at(dir.path("history.jsonl").display().to_string())
            .help("lines are recorded in time order: pass a later moment, or leave `--now` out; when a run was made is its `run_at`"));
        }
        // A clock that is behind must not make the ledger go back in time.
        let now = later.unwrap_or(now);
        let held_out = HeldOutSets::at_hand(&common.root, None)?;
        Ok(Self { config, config_file, dir, history, now, file: None, held_out })
    }

    /// Searches what is recorded with this held-out directory too.
    pub(super) fn search_with(
        &mut self,
        held_out: Option<&Path>,
        common: &Common,
    ) -> Result<(), Failure> {
        self.held_out = HeldOutSets::at_hand(&common.root, held_out)?;
        Ok(())
    }

    /// The largest score, and where it is set.
    pub(super) fn limit(&self) -> Limit<'_> {
        Limit { score_scale: self.rules().score_scale, config: self.config_file.as_deref() }
    }

    /// The rules of the config.
    pub(super) fn rules(&self) -> Rules {
        Rules::of(&self.config.history)
    }

    /// Records lines and the boards they name, if no held-out text is in them, and brings
    /// weekly.json up to date; a session that only reads searches them too and writes nothing.
    /// Returns the weeks that changed, or `None` if a held-out text was found and reported.
    pub(super) fn append(
        &mut self,
        addition: &Addition<'_>,
        ui: Ui,
    ) -> Result<Option<Vec<Week>>, Failure> {
        let Self { config, dir, file, held_out, .. } = self;
        let before = file.as_ref().map(|file| ledger::weeks(&ledger::read(&file.bytes).history));
        let findings = dir.append(file.as_mut(), addition, config, held_out)?;
        ui.findings(&findings)?;
        if findings.iter().any(Finding::decides) {
            ui.result("nothing was recorded")?;
            return Ok(None);
        }
        let Some((file, before)) = file.as_ref().zip(before) else { return Ok(Some(Vec::new())) };
        self.history = ledger::read(&file.bytes).usable()?.0;
        let after = ledger::weeks(&self.history);
        let weekly = ledger::weekly_bytes(&self.history);
        let written = self.dir.optional("weekly.json")?;
        // A ledger without runs needs no summary. Written also where nothing was appended: an
        // earlier call may have been killed between the two writes.
        let is_needed = written.is_some() || !after.is_empty();
        if is_needed && written.is_none_or(|bytes| bytes != weekly) {
            fs::write(&self.dir.path("weekly.json"), &weekly)?;
        }
        Ok(Some(ledger::changed_weeks(&before, &after)))
    }
}

/// What "now" means: the one typed, else `SOURCE_DATE_EPOCH`, else the clock.
pub(super) fn moment(typed: Option<&str>) -> Result<String, Failure> {
    match typed {
        Some(typed) if Instant::parse(typed).is_some() => Ok(typed.to_owned()),
        Some(typed) => Err(Failure::unusable(format!("`{typed}` is not a moment"))
            .help("write it as RFC 3339 with an offset, such as 2026-05-14T12:00:00Z")),
        None => Ok(stamp(fs::moment()?)),
    }
}
