//! `correlate`: how well judges agree with the truth.

mod compat;

use std::path::Path;

use crate::cli::input::{AggregatesArg, Kind, OnMissing};
use crate::cli::{AgreementTo as To, Common, Correlate};
use crate::domain::{Exit, Failure};
use crate::fs;
use crate::table::Table;
use crate::table::correlate::{
    Judged, Method, Missing, Plan, Scatter, correlate, csv, json, jsonl, latex, markdown, mutual,
    ranks_json, svg,
};
use crate::ui::{Ui, hints, nothing_to_correlate, output};
use crate::workspace::listed_names;

pub(super) fn run(args: &Correlate, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if args.compat.is_some() {
        return compat::run(args, common, ui);
    }
    let plan = Plan {
        methods: if args.method.is_empty() { Method::defaults() } else { args.method.clone() },
        truth_measures: args.truth_measure.clone(),
        judge_measures: args.judge_measure.clone(),
        missing: match args.on_missing {
            Some(OnMissing::Error) => Missing::Error,
            Some(OnMissing::Fill | OnMissing::FixAggregate)
                if args.runs.as_deref() != Some("shared") =>
            {
                Missing::Fill
            }
            _ => Missing::Skip,
        },
        bootstrap: args.bootstrap,
    };
    let to = if common.json { To::Json } else { args.to.unwrap_or(To::Table) };
    let load = |path: &Path, from: Option<Kind>| -> Result<Table, Failure> {
        args.side(path, from, common).read(None, &|it| ui.remark_without_hints(it))
    };
    let truth = load(&args.truth, args.truth_from).map_err(of_truth)?;
    let judges =
        if args.judges.is_empty() { vec![args.truth.clone()] } else { args.judges.clone() };
    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    for path in &judges {
        let judge = load(path, args.judge_from).map_err(of_judge)?;
        match one(args, &plan, &truth, path, judge, common, ui) {
            Ok(report) => reports.push(report),
            Err(failure) => failures.push(failure),
        }
    }
    if let Some(failure) = Failure::all(failures) {
        return Err(failure);
    }
    if let Some(path) = &args.svg {
        let scatters =
            reports.iter().filter_map(|one| Some((one.name.clone(), one.scatter.clone()?)));
        fs::write(path, svg(&scatters.collect::<Vec<_>>()).as_bytes())?;
        ui.result(&format!("wrote `{}`", path.display()))?;
    }
    let path = args.output.as_deref();
    if args.per_run {
        return match to {
            To::Json => output::pour(path, ui, |out| ranks_json(&reports, out)),
            To::Table => output::drawn(path, ui, &Ui::ranks(&reports)),
            _ => Err(Failure::unusable("`--per-run` is a table or JSON")
                .help("write `--to table` or `--to json`")),
        };
    }
    ui.undefined(&reports);
    match to {
        To::Json => output::pour(path, ui, |out| json(&reports, out)),
        To::Jsonl => output::pour(path, ui, |out| jsonl(&reports, out)),
        To::Csv => output::pour(path, ui, |out| csv(&reports, out)),
        To::Markdown => output::pour(path, ui, |out| markdown(&reports, out)),
        To::Latex => output::pour(path, ui, |out| latex(&reports, out)),
        To::Table => output::drawn(path, ui, &ui.agreements(&reports)),
    }
}

/// Recommends the flag that sets the file type of the truth alone.
fn of_truth(failure: Failure) -> Failure {
    with_flag(failure, "`--truth-from")
}

/// Recommends the flag that sets the file type of the judges alone.
fn of_judge(failure: Failure) -> Failure {
    with_flag(failure, "`--judge-from")
}

fn with_flag(mut failure: Failure, flag: &str) -> Failure {
    failure.help = hints::advice_on(&failure);
    failure.hint = None;
    let texts = failure.details.iter_mut().chain(&mut failure.help);
    texts.for_each(|text| *text = text.replace("`--from", flag));
    failure
}

fn one(
    args: &Correlate,
    plan: &Plan,
    truth: &Table,
    path: &Path,
    judge: Table,
    common: &Common,
    ui: Ui,
) -> Result<Judged, Failure> {
    let file = |word: &str| listed_names(Path::new(word));
    let runs = match args.runs.as_deref() {
        None | Some("shared" | "all") => None,
        Some(word) => Some(file(word)?),
    };
    let topics = match args.topics.as_deref() {
        Some(word) if word != "shared" && word != "all" => Some(file(word)?),
        _ => None,
    };
    let shared = args.topics.as_deref().map(|word| word == "shared");
    let policy = args.side(path, None, common).policy(None, false);
    let sides = mutual(truth, judge, plan, shared, topics, runs, &policy)?;
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = name.trim_end_matches(".txt").trim_end_matches(".jsonl").to_owned();
    let report = correlate(&sides.truth, &sides.judge, plan)?;
    let keep = args.aggregates == Some(AggregatesArg::Keep);
    if let Some(failure) = nothing_to_correlate(&name, &sides, &report, keep) {
        return Err(failure.at(path.display().to_string()));
    }
    ui.note(&format!("{name}: {}", sides.words));
    ui.overlap(&name, &report, &sides.topics, plan.missing)?;
    let first = report.agreements.first();
    let scatter =
        first.and_then(|a| Scatter::between(&sides.truth, &a.truth, &sides.judge, &a.judge));
    Ok(Judged { name, report, scatter })
}
