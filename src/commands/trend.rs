//! `trend`: a measure over time with a moving mean.

use crate::workspace;

use crate::cli::{Common, TrendArgs};
use crate::compat::rlm_code::Upstream;
use crate::domain::{Exit, Failure};
use crate::table::{Clock, Select};
use crate::ui::Ui;
use crate::workspace::{Analysis, main_measure};

/// The facet that distinguishes the series of a ledger.
const SERIES: &str = "model";

pub(super) fn run(args: &TrendArgs, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let TrendArgs { sources, by, window, input, filter } = args;
    let mut analysis = input.analysis(sources, common);
    let is_board = over_time(&mut analysis, ui)?;
    let ready = analysis.ready(&filter.runs(), Select::default(), None, &|it| ui.remark(it))?;
    let by = main_measure(&ready.table, by.as_deref())?;
    if analysis.is_rlm_compat() && common.json {
        let upstream = Upstream::new(&ready.table, ready.total);
        ui.json(&upstream.trend(&ready.table.measure(by).name, *window)?)?;
        return Ok(Exit::Yes);
    }
    let clock = if analysis.is_rlm_compat() { Clock::Texts } else { Clock::Instants };
    let series = is_board.then_some(SERIES);
    let trend = ready.table.trend_by(series, by, *window, clock);
    ui.trend(&ready.table, by, &trend, series, common.json)?;
    Ok(Exit::Yes)
}

/// Puts the ledger in place of a board, all rows of which have one time. Whether a ledger is among
/// the sources.
fn over_time(analysis: &mut Analysis, ui: Ui) -> Result<bool, Failure> {
    let intake = analysis.intake()?;
    if analysis.sources.is_empty() {
        analysis.sources = vec![workspace::default_source(&analysis.root, false)?];
    }
    let mut has_ledger = false;
    for path in &mut analysis.sources {
        let Some(board) = workspace::board_at(path, &intake) else {
            has_ledger |= path.file_name().is_some_and(|name| name == "history.jsonl");
            continue;
        };
        let ledger = board.with_file_name("history.jsonl");
        if !ledger.is_file() {
            return Err(Failure::unusable("a board has no trend: all its rows have the same time")
                .at(board.display().to_string())
                .detail(format!("its ledger `{}` does not exist", ledger.display()))
                .help("`record --board` starts a ledger; or name results that have times"));
        }
        ui.note(&format!("reading `{}`, the ledger of the board", ledger.display()));
        (*path, has_ledger) = (ledger, true);
    }
    Ok(has_ledger)
}
