//! `export`: sources merged, filtered and written in another format.

use std::path::Path;

use super::rank;
use crate::cli::{Common, Export};
use crate::domain::{Exit, Failure};
use crate::hub::RepoId;
use crate::table::{Aggregates, Select};
use crate::ui::{Ui, output};
use crate::workspace::{BoardFile, Workspace};
use crate::{board, fs};

pub(super) fn run(args: &Export, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let (Some(dir), Some(dataset)) = (&args.eval_results, &args.dataset) {
        return eval_results(dir, dataset, args.dataset_revision.as_deref(), common, ui);
    }
    let Export { ranked, limit, to, given, .. } = args;
    let some = |names: &Vec<String>| (!names.is_empty()).then(|| names.clone());
    let select = Select {
        ids: ranked.id.clone(),
        runs: some(&args.only_runs),
        topics: some(&args.only_topics),
        measures: some(&args.only_measures),
        ..Select::default()
    };
    let analysis = given.analysis(common);
    if let (Some(format), Some(program)) = (to.cells(), analysis.judge_program()) {
        let cells = analysis.judged(program)?;
        let bytes = cells.written(format, &analysis.all_topic);
        return output::pour(ranked.output.as_deref(), ui, |out| out.write_all(&bytes));
    }
    // Converting a file of cells adds no computed aggregates.
    let aggregates = to.cells().map(|_| Aggregates::Keep);
    let work = ui.working();
    let ready = analysis.ready(&given.filter(), select, aggregates, &|it| work.remark(it))?;
    if to.cells().is_none() && ready.table.has_topics() {
        let topics = ready.table.topics().count();
        ui.note(&format!(
            "note: one row for each run; the values of {topics} topic(s) are in it as one number, `--to jsonl` keeps each"
        ));
    }
    rank::write(&ready, ranked, *limit, *to, &analysis, work, ui)
}

/// `--eval-results`: a file for each open-weights row, and how it gets to the model's repository.
fn eval_results(
    dir: &Path,
    dataset: &RepoId,
    revision: Option<&str>,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let board = BoardFile::read(&workspace.board_path(None))?.board()?;
    let results = board::eval_results(&board, &workspace.config, &dataset.to_string(), revision);
    if results.is_empty() {
        return Err(Failure::unusable("no row of the board has open weights").help(
            "say so in the seed of a model: \"about\": {\"weights\": \"open\", \"url\": \"https://huggingface.co/OWNER/MODEL\"}; illustrative rows are left out",
        ));
    }
    for it in results {
        let path = dir.join(&it.file);
        fs::make_directory(dir)?;
        fs::write(&path, it.text.as_bytes())?;
        let repository = it.repository.as_deref().unwrap_or("OWNER/MODEL");
        ui.result(&format!(
            "hf upload {repository} {} .eval_results/gmat-leaderboard.yaml --create-pr",
            path.display()
        ))?;
        if it.repository.is_none() {
            ui.note(&format!("note: `about.url` of {} does not lead to a model on huggingface.co; put its repository in place of OWNER/MODEL", it.id));
        }
    }
    Ok(Exit::Yes)
}
