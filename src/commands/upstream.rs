//! `rank` and `export` under `--compat`: the other program's bytes.

use crate::compat::autojudge;
use crate::fs;
use crate::workspace;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::analysis::Ready;
use crate::cli::{Common, Input, Ranked, To};
use crate::compat::rlm_code::{Entry, Upstream};
use crate::domain::{Exit, Failure};
use crate::import::cells;
use crate::table::{MeasureId, Table};
use crate::ui::Ui;
use crate::ui::output;
use crate::workspace::JudgeProgram;

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

/// What rlm-code's `compute_trend` returns.
pub(super) fn trend(ready: &Ready, by: MeasureId, window: usize, ui: Ui) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Point<'t> {
        timestamp: &'t str,
        entry_id: String,
        value: f64,
        moving_avg: f64,
    }
    let upstream = Upstream::new(&ready.table, ready.total);
    let points: Vec<Point<'_>> = upstream
        .trend(&ready.table.measure(by).name, window)?
        .into_iter()
        .map(|(timestamp, entry_id, value, moving_avg)| Point {
            timestamp,
            entry_id,
            value,
            moving_avg,
        })
        .collect();
    ui.json(&points)?;
    Ok(Exit::Yes)
}

/// The measures rlm-code ranks by, in its order.
const METRICS: [&str; 7] =
    ["reward", "completion_rate", "steps", "tokens", "cost", "duration", "efficiency"];

/// What rlm-code's `compare` returns: by the id of 16 characters, unknown ids left out.
pub(super) fn compare(
    table: &Table,
    ids: &[String],
    by: &[String],
    ui: Ui,
) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Compared<'t> {
        entry: Entry<'t>,
        metrics: Ordered<f64>,
    }
    let metrics: Vec<&str> =
        if by.is_empty() { METRICS.to_vec() } else { by.iter().map(String::as_str).collect() };
    let upstream = Upstream::new(table, table.len());
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for (id, run) in upstream.find(&ids) {
        let mut values = Vec::new();
        for name in &metrics {
            let value = table.number(run, table.measure_named(name)?).unwrap_or(0.0);
            values.push(((*name).to_owned(), value));
        }
        let compared = Compared { entry: upstream.entry(run), metrics: Ordered(values) };
        found.push((id, compared));
    }
    ui.json(&Ordered(found))?;
    Ok(Exit::Yes)
}

/// A map that keeps its order.
struct Ordered<T>(Vec<(String, T)>);

impl<T: Serialize> Serialize for Ordered<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
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
    let (table, rows) =
        workspace::load_judged(path, &super::intake::intake(input, common)?, program)?;
    let mut bytes = Vec::new();
    match program {
        JudgeProgram::Evaluate { .. } => {
            autojudge::write_cells(&table, format, &input.all_topic, &mut bytes);
        }
        _ => rows.write(format, &input.all_topic, &mut bytes),
    }
    output::pour(output, ui, |out| out.write_all(&bytes))
}
