//! `correlate --compat autojudge-evaluate`: that program's rows, keys and defaults.

use std::path::Path;

use super::{of_judge, of_truth};
use crate::cli::input::{AggregatesArg, Compat, Kind, OnMissing};
use crate::cli::{AgreementTo as To, Common, Correlate};
use crate::compat::autojudge::{
    CorrelationRows, JudgeProgram, Missing, Question, evaluate, methods, shared_topics,
};
use crate::domain::{Exit, Failure};
use crate::table::Table;
use crate::table::correlate::Method;
use crate::ui::{Ui, output};
use crate::workspace::listed_names;

pub(super) fn run(args: &Correlate, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if args.compat != Some(Compat::AutojudgeEvaluate) {
        return Err(Failure::unusable("only autojudge-evaluate correlates")
            .help("`--compat autojudge-evaluate`, or leave it out"));
    }
    let to = if common.json { To::Json } else { args.to.unwrap_or(To::Jsonl) };
    if !matches!(to, To::Table | To::Json | To::Jsonl | To::Csv) {
        return Err(Failure::unusable("`--compat autojudge-evaluate` does not write this format")
            .help("`--to` takes table, json, jsonl or csv here; leave out `--compat` for others"));
    }
    let methods = methods(&args.method)?;
    let load = |path: &Path, from: Option<Kind>| -> Result<Table, Failure> {
        let program = JudgeProgram::Evaluate { recompute: false };
        Ok(args.side(path, from, common).judged(program)?.table)
    };
    let truth = load(&args.truth, args.truth_from).map_err(of_truth)?;
    if args.judges.is_empty() {
        return Err(Failure::unusable("autojudge-evaluate needs a judge beside the truth")
            .help("name the judges' files after the truth"));
    }
    let judges = args.judges.iter().map(|path| load(path, args.judge_from).map_err(of_judge));
    let judges: Vec<Table> = judges.collect::<Result<_, _>>()?;
    let question = question(args, methods, &truth, &judges)?;
    let mut rows = CorrelationRows::new(&question);
    let mut failures = Vec::new();
    for (path, judge) in args.judges.iter().zip(&judges) {
        let place = path.display().to_string();
        match evaluate(&truth, judge, &question) {
            Ok(found) => {
                let name = place.rsplit('/').next().unwrap_or_default().replace(".txt", "");
                rows.add(&name, &found);
            }
            Err(why) => failures.push(Failure::unusable(why).at(place)),
        }
    }
    if let Some(failure) = Failure::all(failures) {
        return Err(failure);
    }
    if rows.is_empty() {
        return Err(Failure::unusable("no measure has a numeric aggregate on both sides")
            .help("`--aggregates recompute` computes aggregates from the topics"));
    }
    let path = args.output.as_deref();
    match to {
        To::Table => output::drawn(path, ui, &ui.upstream_rows(&rows.header(), &rows.texts())),
        To::Csv => output::pour(path, ui, |out| rows.csv(out)),
        To::Json => output::pour(path, ui, |out| {
            let objects: Vec<String> = rows.objects().collect();
            writeln!(out, "[{}]", objects.join(","))
        }),
        _ => output::pour(path, ui, |out| {
            rows.objects().try_for_each(|object| writeln!(out, "{object}"))
        }),
    }
}

fn question(
    args: &Correlate,
    methods: Vec<(String, Method)>,
    truth: &Table,
    judges: &[Table],
) -> Result<Question, Failure> {
    let some = |names: &Vec<String>| (!names.is_empty()).then(|| names.clone());
    let file = |word: &str| listed_names(Path::new(word));
    let recompute = args.aggregates == Some(AggregatesArg::Recompute);
    Ok(Question {
        methods,
        missing: match args.on_missing {
            None | Some(OnMissing::Error) => Missing::Error,
            Some(OnMissing::Warn) => Missing::Warn,
            Some(OnMissing::Fill | OnMissing::FixAggregate) => Missing::Default,
            Some(OnMissing::Skip) => Missing::Skip,
        },
        only_shared_runs: args.runs.as_deref() == Some("shared"),
        runs: match args.runs.as_deref() {
            None | Some("shared" | "all") => None,
            Some(word) => Some(file(word)?),
        },
        topics: match args.topics.as_deref() {
            None | Some("all") => None,
            Some("shared") => Some(shared_topics(truth, judges)),
            Some(word) => Some(file(word)?),
        },
        recompute: (recompute, recompute),
        measures: (some(&args.truth_measure), some(&args.judge_measure)),
    })
}
