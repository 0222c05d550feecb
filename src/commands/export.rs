//! `export`: sources merged, filtered and written in another format.

use super::rank;
use crate::cli::{Common, Export};
use crate::domain::{Exit, Failure};
use crate::table::{Aggregates, Select};
use crate::ui::{Ui, output};

pub(super) fn run(args: &Export, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let Export { sources, ranked, limit, to, input, filter, .. } = args;
    let some = |names: &Vec<String>| (!names.is_empty()).then(|| names.clone());
    let select = Select {
        ids: ranked.id.clone(),
        runs: some(&args.only_runs),
        topics: some(&args.only_topics),
        measures: some(&args.only_measures),
        ..Select::default()
    };
    let analysis = input.analysis(sources, common);
    if let (Some(format), Some(program)) = (to.cells(), analysis.judge_program()) {
        let cells = analysis.judged(program)?;
        let bytes = cells.written(format, &input.all_topic);
        return output::pour(ranked.output.as_deref(), ui, |out| out.write_all(&bytes));
    }
    // Converting a file of cells adds no computed aggregates.
    let aggregates = to.cells().map(|_| Aggregates::Keep);
    let ready = analysis.ready(&filter.runs(), select, aggregates, &|it| ui.remark(it))?;
    rank::write(&ready, ranked, *limit, *to, &analysis, ui)
}
