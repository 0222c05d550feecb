//! `correlate`: whether judges order runs as the truth does.

use std::path::Path;

use super::analysis::read;
use super::intake::lines;
use super::output;
use crate::cli::input::{Kind, OnMissing};
use crate::cli::{Common, Correlate, To};
use crate::domain::{Exit, Failure};
use crate::store;
use crate::table::Table;
use crate::table::correlate::{
    Judged, Missing, Plan, Scatter, correlate, csv, json, latex, markdown, mutual, svg,
};
use crate::ui::Ui;

pub(super) fn run(args: &Correlate, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let plan = Plan {
        methods: args.method.clone(),
        truth_measures: args.truth_measure.clone(),
        judge_measures: args.judge_measure.clone(),
        missing: match args.on_missing {
            OnMissing::Error => Missing::Error,
            OnMissing::Fill | OnMissing::FixAggregate if args.runs != "shared" => Missing::Fill,
            _ => Missing::Skip,
        },
        bootstrap: args.bootstrap,
    };
    let load = |path: &Path, from: Kind| -> Result<Table, Failure> {
        Ok(read(&[path.to_owned()], &args.input(from), None, common, ui)?.0)
    };
    let truth = load(&args.truth, args.truth_from)?;
    let judges =
        if args.judges.is_empty() { vec![args.truth.clone()] } else { args.judges.clone() };
    let mut reports = Vec::new();
    for path in &judges {
        let judge = load(path, args.judge_from)?;
        reports.push(one(args, &plan, &truth, path, judge, ui)?);
    }
    if let Some(path) = &args.svg {
        let scatters =
            reports.iter().filter_map(|one| Some((one.name.clone(), one.scatter.clone()?)));
        store::write(path, svg(&scatters.collect::<Vec<_>>()).as_bytes())?;
        ui.say(&format!("wrote `{}`", path.display()));
    }
    ui.undefined(&reports);
    let to = if common.json { To::Json } else { args.to };
    let path = args.output.as_deref();
    match to {
        To::Json | To::Jsonl => output::pour(path, ui, |out| json(&reports, out)),
        To::Csv => output::pour(path, ui, |out| csv(&reports, out)),
        To::Markdown => output::pour(path, ui, |out| markdown(&reports, out)),
        To::Latex => output::pour(path, ui, |out| latex(&reports, out)),
        _ => output::drawn(path, ui, &ui.agreements(&reports)),
    }
}

fn one(
    args: &Correlate,
    plan: &Plan,
    truth: &Table,
    path: &Path,
    judge: Table,
    ui: Ui,
) -> Result<Judged, Failure> {
    let file = |word: &str| lines(Path::new(word));
    let runs = match args.runs.as_str() {
        "shared" | "all" => None,
        word => Some(file(word)?),
    };
    let topics = match args.topics.as_deref() {
        Some(word) if word != "shared" && word != "all" => Some(file(word)?),
        _ => None,
    };
    let shared = args.topics.as_deref().map(|word| word == "shared");
    let policy = args.input(Kind::Auto).policy(None, false);
    let sides = mutual(truth, judge, plan, shared, topics, runs, &policy)?;
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = name.trim_end_matches(".txt").trim_end_matches(".jsonl").to_owned();
    ui.say(&format!("{name}: {}", sides.words));
    let report = correlate(&sides.truth, &sides.judge, plan)?;
    ui.overlap(&name, &report, plan.missing, args.runs == "shared")?;
    let first = report.agreements.first();
    let scatter = first.and_then(|a| Scatter::of(&sides.truth, &a.truth, &sides.judge, &a.judge));
    Ok(Judged { name, report, scatter })
}
