//! `rank` and `export`: runs in order of one measure, in any format.

use super::analysis::{Ready, main_measure, ready};
use crate::cli::{Common, Export, Input, Rank, Ranked, To};
use crate::domain::{Exit, Failure, stamp};
use crate::fs;
use crate::table::{Aggregates, Order, Page, Select, Ties};
use crate::ui::Ui;
use crate::ui::output;

/// With `workdir_first`, .rlm_code is the default source even where there is a board.
pub(super) fn rank(
    args: &Rank,
    workdir_first: bool,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    let Rank { sources, ranked, limit, to, input, filter } = args;
    let input = &Input { workdir_first, ..input.clone() };
    let to = if common.json { To::Json } else { *to };
    let select = Select { ids: ranked.id.clone(), ..Select::default() };
    let ready = ready(sources, input, filter, select, None, common, ui)?;
    write(&ready, ranked, *limit, to, input, ui)
}

pub(super) fn export(args: &Export, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let Export { sources, ranked, limit, to, input, filter, .. } = args;
    let some = |names: &Vec<String>| (!names.is_empty()).then(|| names.clone());
    let select = Select {
        ids: ranked.id.clone(),
        runs: some(&args.only_runs),
        topics: some(&args.only_topics),
        measures: some(&args.only_measures),
        ..Select::default()
    };
    if let (Some(format), Some(program)) = (to.cells(), input.judge_program()) {
        let path = ranked.output.as_deref();
        return super::upstream::judged(sources, input, common, program, format, path, ui);
    }
    // A conversion of cells invents none.
    let aggregates = to.cells().map(|_| Aggregates::Keep);
    let ready = ready(sources, input, filter, select, aggregates, common, ui)?;
    write(&ready, ranked, *limit, *to, input, ui)
}

fn write(
    ready: &Ready,
    ranked: &Ranked,
    limit: i64,
    to: To,
    input: &Input,
    ui: Ui,
) -> Result<Exit, Failure> {
    let Ready { table, total } = ready;
    if let Some(format) = to.cells() {
        return output::cells(table, format, &input.all_topic, ranked.output.as_deref(), ui);
    }
    if input.is_rlm_compat() {
        return super::upstream::write(table, *total, ranked, limit, to, ui);
    }
    let by = main_measure(table, ranked.by.as_deref())?;
    let ranking = table.rank(by, ranked.order.map(Order::from), Ties::Shared);
    let mut page = Page::new(table, &ranking);
    page.total = *total;
    page.shown = match usize::try_from(limit) {
        Ok(0) => page.shown,
        Ok(limit) => limit.min(page.shown),
        Err(_) => {
            return Err(Failure::unusable(format!("a limit of {limit} makes no sense"))
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
        _ => output::drawn(path, ui, &ui.page(&page)),
    }
}
