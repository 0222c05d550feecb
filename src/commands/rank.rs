//! `rank` (also `leaderboard`): runs in order of one measure, in any format.

use crate::cli::{Common, Rank, Ranked, To};
use crate::compat::rlm_code::Upstream;
use crate::domain::{Exit, Failure, stamp};
use crate::fs;
use crate::site::rank_figure;
use crate::table::{Order, Page, Select, Table, Ties};
use crate::ui::{Ui, Working, output};
use crate::workspace::{Analysis, FilteredTable, main_measures};

/// With `workdir_first`, .rlm_code is the default source even where there is a board.
pub(super) fn run(
    args: &Rank,
    workdir_first: bool,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    let Rank { ranked, limit, to, given } = args;
    let analysis = Analysis { workdir_first, ..given.analysis(common) };
    let to = if common.json { To::Json } else { *to };
    let select = Select { ids: ranked.id.clone(), ..Select::default() };
    let work = ui.working();
    let ready = analysis.ready(&given.filter(), select, None, &|it| work.remark(it))?;
    write(&ready, ranked, *limit, to, &analysis, work, ui)
}

/// Writes a ranking, or the cells it was made of, as `rank` and `export` do.
pub(super) fn write(
    ready: &FilteredTable,
    ranked: &Ranked,
    limit: i64,
    to: To,
    analysis: &Analysis,
    work: Working,
    ui: Ui,
) -> Result<Exit, Failure> {
    let FilteredTable { table, total } = ready;
    work.phase("ranking", 0);
    if let Some(format) = to.cells() {
        drop(work);
        return output::cells(table, format, &analysis.all_topic, ranked.output.as_deref(), ui);
    }
    if analysis.is_rlm_compat() {
        drop(work);
        return upstream(table, *total, ranked, limit, to, ui);
    }
    let by = main_measures(table, &ranked.by)?;
    let ranking = table.rank_by(&by, ranked.order.map(Order::from), Ties::Shared);
    drop(work);
    let mut page = Page::new(table, &ranking);
    page.total = *total;
    page.shown = match usize::try_from(limit) {
        Ok(0) => page.shown,
        Ok(limit) => limit.min(page.shown),
        Err(_) => {
            return Err(Failure::unusable(format!("the limit {limit} is not 0 or more"))
                .help("0 shows all rows"));
        }
    };
    if let Some(title) = &ranked.title {
        page.title.clone_from(title);
    }
    page.exported_at = Some(stamp(fs::moment()?));
    if page.shown == 0 {
        ui.note("note: no run matches");
    }
    let path = ranked.output.as_deref();
    match to {
        To::Json => output::pour(path, ui, |out| page.json(out)),
        To::Csv => output::pour(path, ui, |out| page.csv(out)),
        To::Markdown => output::pour(path, ui, |out| page.markdown(out)),
        To::Latex => output::pour(path, ui, |out| page.latex(out)),
        To::Svg => {
            let svg = rank_figure(&page);
            output::pour(path, ui, |out| out.write_all(svg.as_bytes()))
        }
        _ => output::drawn(path, ui, &ui.page(&page)),
    }
}

/// The bytes that rlm-code writes.
fn upstream(
    table: &Table,
    total: usize,
    ranked: &Ranked,
    limit: i64,
    to: To,
    ui: Ui,
) -> Result<Exit, Failure> {
    let upstream = Upstream::new(table, total);
    let metric = match &ranked.by[..] {
        [] => "reward",
        [one] => one.as_str(),
        _ => {
            return Err(Failure::unusable("rlm-code ranks by one measure")
                .help("name one with `--by`, or leave out `--compat`"));
        }
    };
    let title = ranked.title.as_deref().unwrap_or("RLM Leaderboard");
    let (output, limit) = (ranked.output.as_deref(), Some(limit));
    let now = fs::moment()?;
    let stamp = format!("{}+00:00", now.strftime("%Y-%m-%dT%H:%M:%S.%6f"));
    let bytes = match to {
        To::Json => upstream.json(metric, limit, output.map(|_| stamp.as_str()))?,
        To::Csv => {
            let Some(bytes) = upstream.csv(metric, limit)? else {
                ui.note("note: no run matches, so upstream writes no file");
                return Ok(Exit::Yes);
            };
            bytes
        }
        To::Markdown => upstream.markdown(metric, limit, title)?.into_bytes(),
        To::Table => {
            let text = ui.styled(&upstream.styled(metric, limit, title)?);
            return output::drawn(output, ui, &text);
        }
        _ => {
            return Err(Failure::unusable("rlm-code writes table, json, csv and markdown")
                .help("leave out `--compat` for the other formats"));
        }
    };
    output::pour(output, ui, |out| out.write_all(&bytes))
}
