//! `rank` and `export` under `--compat`: the other program's bytes.

use std::path::{Path, PathBuf};

use crate::cli::{Common, Input, Ranked, To};
use crate::domain::{Exit, Failure};
use crate::import::cells;
use crate::import::rlm_code::Upstream;
use crate::store::{self, JudgeProgram};
use crate::table::Table;
use crate::ui::Ui;

pub(super) fn write(
    table: &Table,
    total: usize,
    ranked: &Ranked,
    limit: i64,
    to: To,
    ui: Ui,
) -> Result<Exit, Failure> {
    let upstream = Upstream::new(table, total);
    let metric = ranked.by.as_deref().unwrap_or("reward");
    let title = ranked.title.as_deref().unwrap_or("RLM Leaderboard");
    let (output, limit) = (ranked.output.as_deref(), Some(limit));
    let now = store::moment()?;
    let stamp = format!("{}+00:00", now.strftime("%Y-%m-%dT%H:%M:%S.%6f"));
    let bytes = match to {
        To::Json => upstream.json(metric, limit, output.map(|_| stamp.as_str()))?,
        To::Csv => {
            let Some(bytes) = upstream.csv(metric, limit)? else {
                ui.say("note: no run matches, so upstream writes no file");
                return Ok(Exit::Yes);
            };
            bytes
        }
        To::Markdown => upstream.markdown(metric, limit, title)?.into_bytes(),
        To::Table => {
            let text = ui.styled(&upstream.styled(metric, limit, title)?);
            return super::output::drawn(output, ui, &text);
        }
        _ => {
            return Err(Failure::unusable("rlm-code writes table, json, csv and markdown")
                .help("leave out `--compat` for the other formats"));
        }
    };
    super::output::pour(output, ui, |out| out.write_all(&bytes))
}

/// Writes cells as a judge program writes what it read.
pub(super) fn judged(
    sources: &[PathBuf],
    input: &Input,
    common: &Common,
    program: JudgeProgram,
    format: cells::Format,
    output: Option<&Path>,
    ui: Ui,
) -> Result<Exit, Failure> {
    let [path] = sources else {
        return Err(Failure::unusable("a judge program reads one file or one directory"));
    };
    let (table, rows) = store::load_judged(path, &super::intake::intake(input, common)?, program)?;
    let mut bytes = Vec::new();
    match program {
        JudgeProgram::Evaluate { .. } => {
            cells::compat::write_cells(&table, format, &input.all_topic, &mut bytes);
        }
        _ => rows.write(format, &input.all_topic, &mut bytes),
    }
    super::output::pour(output, ui, |out| out.write_all(&bytes))
}
