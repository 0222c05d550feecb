//! `export`: sources merged, filtered and written in another format.

use super::analysis::ready;
use super::intake::intake;
use super::rank;
use crate::cli::{Common, Export};
use crate::domain::{Exit, Failure};
use crate::table::{Aggregates, Select};
use crate::ui::{Ui, output};
use crate::workspace;

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
    if let (Some(format), Some(program)) = (to.cells(), input.judge_program()) {
        let [path] = sources.as_slice() else {
            return Err(Failure::unusable("a judge program reads one file or one directory"));
        };
        let cells = workspace::load_judged(path, &intake(input, common)?, program)?;
        let bytes = cells.written(format, &input.all_topic);
        return output::pour(ranked.output.as_deref(), ui, |out| out.write_all(&bytes));
    }
    // A conversion of cells invents none.
    let aggregates = to.cells().map(|_| Aggregates::Keep);
    let ready = ready(sources, input, filter, select, aggregates, common, ui)?;
    rank::write(&ready, ranked, *limit, *to, input, ui)
}
