//! `correlate --compat autojudge-evaluate`: that program's rows, one JSON object a line.

use std::path::Path;

use super::intake::{intake, lines};
use super::output;
use crate::cli::input::{AggregatesArg, Kind, OnMissing};
use crate::cli::{Common, Correlate};
use crate::domain::{Exit, Failure};
use crate::import::cells::evaluate::{Missing, Question, evaluate};
use crate::store::{self, JudgeProgram};
use crate::table::Table;
use crate::ui::Ui;

pub(super) fn run(args: &Correlate, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let load = |path: &Path, from: Kind| -> Result<Table, Failure> {
        let intake = intake(&args.input(from), common)?;
        Ok(store::load_judged(path, &intake, JudgeProgram::Evaluate { recompute: false })?.0)
    };
    let some = |names: &Vec<String>| (!names.is_empty()).then(|| names.clone());
    let file = |word: &str| lines(Path::new(word));
    let truth = load(&args.truth, args.truth_from)?;
    let recompute = args.aggregates == Some(AggregatesArg::Recompute);
    let mut text = String::new();
    for path in &args.judges {
        let judge = load(path, args.judge_from)?;
        let question = Question {
            methods: args.method.iter().map(|method| (method.to_string(), *method)).collect(),
            missing: match args.on_missing {
                OnMissing::Error => Missing::Error,
                OnMissing::Warn => Missing::Warn,
                OnMissing::Fill | OnMissing::FixAggregate => Missing::Default,
                OnMissing::Skip => Missing::Skip,
            },
            only_shared_runs: args.runs == "shared",
            runs: (!["shared", "all"].contains(&args.runs.as_str()))
                .then(|| file(&args.runs))
                .transpose()?,
            topics: match args.topics.as_deref() {
                None | Some("all") => None,
                Some("shared") => Some(crate::table::correlate::shared_topics(&truth, &judge)),
                Some(word) => Some(file(word)?),
            },
            recompute: (recompute, recompute),
            measures: (some(&args.truth_measure), some(&args.judge_measure)),
        };
        let place = path.display().to_string();
        let rows = evaluate(&truth, &judge, &question)
            .map_err(|why| Failure::unusable(why).at(place.clone()))?;
        let name = place.rsplit('/').next().unwrap_or_default().replace(".txt", "");
        for (truth_measure, judge_measure, values) in rows {
            let mut row = serde_json::json!({"Judge": name, "TruthMeasure": truth_measure, "EvalMeasure": judge_measure});
            for (method, value) in values {
                row[method] =
                    serde_json::json!(value.is_finite().then_some((value * 1e10).round() / 1e10));
            }
            text += &format!("{row}\n");
        }
    }
    output::pour(args.output.as_deref(), ui, |out| out.write_all(text.as_bytes()))
}
