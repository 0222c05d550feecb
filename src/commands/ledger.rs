//! What the commands around the ledger share: config, ledger, the moment.

use std::path::Path;

use crate::cli::Common;
use crate::domain::config::Config;
use crate::domain::{Exit, Failure, Finding, stamp};
use crate::ledger::{self, History, Instant, Rules};
use crate::store::{self, Addition, HeldOutSets, LedgerDir, OpenLedger};
use crate::ui::Ui;

/// An opened ledger.
pub(super) struct Session {
    /// The config, or its defaults.
    pub(super) config: Config,
    /// Where the files are.
    pub(super) dir: LedgerDir,
    /// Everything recorded.
    pub(super) history: History,
    /// When a line is recorded now: never before the last one.
    pub(super) now: String,
    file: Option<OpenLedger>,
    held_out: HeldOutSets,
}

impl Session {
    /// Opens the ledger to look at it.
    pub(super) fn reading(common: &Common, now: Option<&str>) -> Result<Self, Failure> {
        let dir = LedgerDir::below(&common.root);
        let bytes = dir.history()?;
        Self::new(common, now, dir, None, &bytes)
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
            ui.say(&format!(
                "repaired {}: dropped an unfinished line of {} bytes",
                dir.path("history.jsonl").display(),
                dropped.len()
            ));
        }
        let bytes = std::mem::take(&mut file.bytes);
        let mut session = Self::new(common, now, dir, None, &bytes)?;
        file.bytes = bytes;
        session.file = Some(file);
        Ok(session)
    }

    fn new(
        common: &Common,
        now: Option<&str>,
        dir: LedgerDir,
        file: Option<OpenLedger>,
        bytes: &[u8],
    ) -> Result<Self, Failure> {
        let config = store::read_config_or_default(&common.root, common.config.as_deref())?;
        let (history, recorded_until) = ledger::read(bytes).usable()?;
        let now = moment(now)?;
        let later = recorded_until.filter(|until| Instant::parse(until) > Instant::parse(&now));
        let held_out = HeldOutSets::at_hand(&common.root, None)?;
        Ok(Self { config, dir, history, now: later.unwrap_or(now), file, held_out })
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

    /// The rules of the config.
    pub(super) fn rules(&self) -> Rules {
        Rules::of(&self.config.history)
    }

    /// Records lines and the boards they name, if no held-out text is in them; a session that only
    /// reads searches them too and writes nothing. Anything but [`Exit::Yes`] was told already.
    pub(super) fn append(&mut self, addition: &Addition<'_>, ui: Ui) -> Result<Exit, Failure> {
        let Self { config, dir, file, held_out, .. } = self;
        let findings = dir.append(file.as_mut(), addition, config, held_out)?;
        ui.findings(&findings);
        if findings.iter().any(Finding::decides) {
            ui.say("nothing was recorded");
            return Ok(Exit::No);
        }
        Ok(Exit::Yes)
    }
}

/// What "now" means: the one typed, else `SOURCE_DATE_EPOCH`, else the clock.
pub(super) fn moment(typed: Option<&str>) -> Result<String, Failure> {
    match typed {
        Some(typed) if Instant::parse(typed).is_some() => Ok(typed.to_owned()),
        Some(typed) => Err(Failure::unusable(format!("`{typed}` is not a moment"))
            .help("write it as RFC 3339 with an offset, such as 2026-05-14T12:00:00Z")),
        None => Ok(stamp(store::moment()?)),
    }
}
