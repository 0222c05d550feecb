//! `record FILE…`: the records of files, folders and standard input.

use crate::cli::Record;
use crate::domain::Failure;
use crate::ledger::{self, Reading};
use crate::ui::{Ui, Working};
use crate::workspace;
use crate::workspace::LedgerSession;

/// The records of the files named.
pub(super) fn readings(
    args: &Record,
    session: &LedgerSession,
    work: &Working,
    ui: Ui,
) -> Result<Vec<Reading>, Failure> {
    if args.files.is_empty() && !args.repair {
        return Err(Failure::unusable("no records were given")
            .help("pass files, directories or `-`, or `--board leaderboard/leaderboard.json`"));
    }
    if let Some(pack) = &args.pack {
        return super::pack::readings(pack, args, session, ui);
    }
    let (mut readings, mut failures) = (Vec::new(), Vec::new());
    for (file, bytes) in workspace::record_files(&args.files, workspace::LEDGER_LIMIT)? {
        let lines = memchr::memchr_iter(b'\n', &bytes).count();
        work.phase(&format!("reading {file}"), if lines < 2 { 0 } else { lines });
        let limit = session.limit();
        let (good, bad) = ledger::read_records(&file, &bytes, &limit, &|| work.step());
        readings.extend(good);
        failures.extend(bad);
    }
    match Failure::all(failures) {
        Some(failure) => Err(failure),
        None => Ok(readings),
    }
}
