//! What the commands around the ledger share: config, ledger, the moment.

use crate::cli::Common;
use crate::domain::config::Config;
use crate::domain::{Failure, stamp};
use crate::ledger::{self, History, Instant, Rules};
use crate::store::{self, LedgerDir, OpenLedger};
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
        Ok(Self { config, dir, history, now: later.unwrap_or(now), file })
    }

    /// The rules of the config.
    pub(super) fn rules(&self) -> Rules {
        Rules::of(&self.config.history)
    }

    /// Appends whole lines; a session that only reads writes nothing.
    pub(super) fn append(&mut self, lines: &[u8]) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) if !lines.is_empty() => Ok(file.append(lines)?),
            _ => Ok(()),
        }
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
