//! `correlate --compat autojudge-evaluate`: that program's rows, keys and defaults.

use crate::workspace;
use std::io::{self, Write};
use std::path::Path;

use serde_json::Value;

use crate::cli::input::{AggregatesArg, Compat, Kind, OnMissing};
use crate::cli::{Common, Correlate, To};
use crate::commands::intake::{intake, lines};
use crate::compat::autojudge::{Correlations, Missing, Question, evaluate};
use crate::domain::{Exit, Failure};
use crate::table::correlate::Method;
use crate::table::{Table, harmless};
use crate::ui::Ui;
use crate::ui::output;
use crate::workspace::JudgeProgram;

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
        let intake = intake(&args.input(from), common)?;
        Ok(workspace::load_judged(path, &intake, JudgeProgram::Evaluate { recompute: false })?.0)
    };
    let truth = load(&args.truth, args.truth_from)?;
    if args.judges.is_empty() {
        return Err(Failure::unusable("autojudge-evaluate needs a judge beside the truth")
            .help("name the judges' files after the truth"));
    }
    let judges: Vec<Table> =
        args.judges.iter().map(|path| load(path, args.judge_from)).collect::<Result<_, _>>()?;
    let question = question(args, methods, &truth, &judges)?;
    let mut rows = Rows::new(&question);
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
    if rows.columns.is_empty() {
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

/// The methods under the names that program gives them; its own defaults if none is named.
fn methods(asked: &[Method]) -> Result<Vec<(String, Method)>, Failure> {
    let asked = if asked.is_empty() { Method::autojudge_defaults() } else { asked.to_vec() };
    let mut methods: Vec<(String, Method)> = Vec::new();
    for method in asked {
        let key = method.autojudge_key().ok_or_else(|| {
            Failure::unusable(format!("autojudge-evaluate does not have the method `{method}`"))
                .help("it has kendall, pearson, spearman, tauap_b and tau_gap, each also with @k")
        })?;
        if !methods.iter().any(|(known, _)| *known == key) {
            methods.push((key, method));
        }
    }
    Ok(methods)
}

fn question(
    args: &Correlate,
    methods: Vec<(String, Method)>,
    truth: &Table,
    judges: &[Table],
) -> Result<Question, Failure> {
    let some = |names: &Vec<String>| (!names.is_empty()).then(|| names.clone());
    let file = |word: &str| lines(Path::new(word));
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
            // It takes the topics of all judges together.
            Some("shared") => Some(
                truth
                    .topics()
                    .map(|topic| truth.topic_name(topic))
                    .filter(|name| judges.iter().any(|judge| judge.topic(name).is_some()))
                    .map(str::to_owned)
                    .collect(),
            ),
            Some(word) => Some(file(word)?),
        },
        recompute: (recompute, recompute),
        measures: (some(&args.truth_measure), some(&args.judge_measure)),
    })
}

/// Its rows: three names, then a value per method in the order asked.
struct Rows {
    /// Methods that have a value somewhere.
    columns: Vec<String>,
    asked: Vec<String>,
    lines: Vec<Line>,
}

/// Judge, truth's measure, judge's measure; and the values by method.
type Line = ([String; 3], Vec<(String, f64)>);

impl Rows {
    fn new(question: &Question) -> Self {
        let asked = question.methods.iter().map(|(name, _)| name.clone()).collect();
        Self { columns: Vec::new(), asked, lines: Vec::new() }
    }

    fn add(&mut self, judge: &str, found: &Correlations) {
        for (truth_measure, judge_measure, values) in found {
            let names = [judge.to_owned(), truth_measure.clone(), judge_measure.clone()];
            self.lines.push((names, values.clone()));
        }
        let has = |name: &&String| {
            self.lines.iter().any(|(_, values)| values.iter().any(|(known, _)| known == *name))
        };
        self.columns = self.asked.iter().filter(has).cloned().collect();
    }

    fn header(&self) -> Vec<String> {
        let names = ["Judge", "TruthMeasure", "EvalMeasure"].map(str::to_owned);
        names.into_iter().chain(self.columns.iter().cloned()).collect()
    }

    /// The values of one row, ten decimals each; `None` where the coefficient is undefined.
    fn values<'r>(
        &'r self,
        values: &'r [(String, f64)],
    ) -> impl Iterator<Item = Option<f64>> + use<'r> {
        let value = |name: &String| values.iter().find(|(known, _)| known == name).map(|v| v.1);
        let rounded = |value: f64| (value * 1e10).round() / 1e10;
        self.columns.iter().map(move |name| value(name).filter(|v| v.is_finite()).map(rounded))
    }

    /// One JSON object per row, keys in the order of the header.
    fn objects(&self) -> impl Iterator<Item = String> + use<'_> {
        let header = self.header();
        self.lines.iter().map(move |(names, values)| {
            let names = names.iter().map(|name| Value::from(name.as_str()));
            let values = self.values(values).map(Value::from);
            let members = header.iter().zip(names.chain(values));
            let members = members.map(|(key, value)| format!("{}:{value}", Value::from(&key[..])));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        })
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
        writer.write_record(self.header())?;
        for (names, values) in &self.lines {
            let names = names.iter().map(|name| harmless(name).into_owned());
            let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
            writer.write_record(names.chain(self.values(values).map(number)))?;
        }
        writer.flush()
    }

    fn texts(&self) -> Vec<Vec<String>> {
        let row = |(names, values): &Line| {
            let number =
                |value: Option<f64>| value.map_or_else(|| "NaN".to_owned(), |v| format!("{v:.6}"));
            names.iter().cloned().chain(self.values(values).map(number)).collect()
        };
        self.lines.iter().map(row).collect()
    }
}
