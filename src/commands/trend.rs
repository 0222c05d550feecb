//! `trend`: a measure over time with a moving mean.

use crate::workspace;

use crate::cli::{Common, TrendArgs, TrendTo};
use crate::compat::rlm_code::Upstream;
use crate::domain::{Exit, Failure};
use crate::site::trend_figure;
use crate::table::{Clock, MeasureId, Select, Table, Trend};
use crate::ui::{Ui, output};
use crate::workspace::{Analysis, main_measure, main_measures};

const MODEL: &str = "model";
/// What distinguishes the series of a ledger: the model; and what its scores were made under, because
/// scores on both sides of a change do not compare.
const LEDGER_SERIES: &[&str] = &[MODEL, "eval_protocol_version", "weights_sha16"];

pub(super) fn run(args: &TrendArgs, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let TrendArgs { by, window, to, title, output, given } = args;
    let to = if common.json { TrendTo::Json } else { *to };
    let mut analysis = given.analysis(common);
    let is_ledger = over_time(&mut analysis, ui)?;
    let work = ui.working();
    let ready = analysis.ready(&given.filter(), Select::default(), None, &|it| work.remark(it))?;
    let table = &ready.table;
    if analysis.is_rlm_compat() && to == TrendTo::Json {
        let by = main_measure(table, by, "rlm-code's trend")?;
        let trend = Upstream::new(table, ready.total).trend(&table.measure(by).name, *window)?;
        drop(work);
        ui.json(&trend)?;
        return Ok(Exit::Yes);
    }
    let clock = if analysis.is_rlm_compat() { Clock::Texts } else { Clock::Instants };
    // A layout of its own has only an rlm-code workdir, and rlm-code computes one series.
    let series = match table.layout() {
        _ if is_ledger => LEDGER_SERIES,
        None if has_several_models(table) => &[MODEL],
        _ => &[],
    };
    let measures = match to {
        TrendTo::Svg => vec![main_measure(table, by, "a figure")?],
        _ => main_measures(table, by)?,
    };
    let trends: Vec<(MeasureId, Trend<'_>)> = measures
        .into_iter()
        .map(|by| (by, table.trend_within(series, by, *window, clock)))
        .collect();
    drop(work);
    ui.unplaced(table, &trends);
    let path = output.as_deref();
    match (to, &trends[..]) {
        (TrendTo::Svg, [(by, trend), ..]) => {
            let svg =
                trend_figure(table, *by, trend, series, title.as_deref()).ok_or_else(|| {
                    Failure::unusable(
                        "there is no time to draw: all runs are of one moment, or none has a value",
                    )
                    .help("a figure needs runs of at least two times")
                })?;
            output::pour(path, ui, |out| out.write_all(svg.as_bytes()))
        }
        (TrendTo::Json, _) => {
            let text = ui.trend_json(table, &trends, series.first().copied());
            output::drawn(path, ui, &text)
        }
        _ => output::drawn(path, ui, &ui.trend(table, &trends, series.first().copied())),
    }
}

fn has_several_models(table: &Table) -> bool {
    let mut models = table.runs().filter_map(|run| table.facet(run, MODEL).known());
    let first = models.next();
    first.is_some_and(|first| models.any(|model| model != first))
}

/// Puts the ledger in place of a board, all rows of which have one time. Whether a ledger is among
/// the sources.
fn over_time(analysis: &mut Analysis, ui: Ui) -> Result<bool, Failure> {
    let source_options = analysis.source_options()?;
    if analysis.sources.is_empty() {
        analysis.sources = vec![workspace::default_source(&analysis.root, false)?];
    }
    let mut has_ledger = false;
    for path in &mut analysis.sources {
        let Some(board) = workspace::board_at(path, &source_options) else {
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
