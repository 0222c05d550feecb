//! Correlations against scipy and the newest judge program.

use std::path::Path;

use gmat_leaderboard::internals::compat::autojudge::{
    Correlations, Missing, Question, evaluate, evaluate_load,
};
use gmat_leaderboard::internals::import::cells::{Format, Lines, Raw};
use gmat_leaderboard::table::Table;
use gmat_leaderboard::table::correlate::{Base, Method, coefficient, upstream_coefficient};
use serde_json::{Map, Value, json};

use crate::same;

const DEFAULT: [&str; 5] = ["kendall", "pearson", "spearman", "tauap_b", "kendall@10"];

fn number(value: f64) -> Value {
    if value.is_nan() { "NaN".into() } else { value.into() }
}

fn load(folder: &Path, path: &str, format: &str) -> Result<Table, String> {
    let bytes = std::fs::read(folder.join(path)).map_err(|error| format!("{path}: {error}"))?;
    let format: Format = format.parse().map_err(|_| format!("format {format}"))?;
    let mut raw = Raw::default();
    let lines = Lines { format, header: false, all_topic: "all", strict_blanks: false };
    raw.read(lines, path, None, &bytes).map_err(|error| error.to_string())?;
    evaluate_load(&raw, false, false).map_err(|error| error.to_string())
}

fn missing(word: Option<&str>) -> Missing {
    match word {
        Some("warn") => Missing::Warn,
        Some("skip") => Missing::Skip,
        Some("default") => Missing::Default,
        _ => Missing::Error,
    }
}

fn list(value: &Value) -> Option<Vec<String>> {
    let items = value.as_array()?;
    Some(items.iter().map(|item| item.as_str().expect("text").to_owned()).collect())
}

fn methods(names: &[String]) -> Result<Vec<(String, Method)>, String> {
    let parse = |name: &String| {
        name.parse().map(|method| (name.clone(), method)).map_err(|error| format!("{error}"))
    };
    names.iter().map(parse).collect()
}

fn answer(folder: &Path, args: &Value) -> Result<Correlations, String> {
    let text = |key: &str| args[key].as_str().expect("text");
    let names = list(&args["correlation_methods"])
        .unwrap_or_else(|| DEFAULT.iter().map(|&name| name.to_owned()).collect());
    let flag = |key: &str| args[key].as_bool().unwrap_or(false);
    let question = Question {
        methods: methods(&names)?,
        missing: missing(args["on_missing"].as_str()),
        only_shared_runs: flag("only_shared_runs"),
        runs: list(&args["run_ids"]),
        topics: list(&args["topic_ids"]),
        recompute: (flag("truth_drop_aggregate"), flag("eval_drop_aggregate")),
        measures: (list(&args["truth_measures"]), list(&args["eval_measures"])),
    };
    let truth = load(folder, text("truth"), text("truth_format"))?;
    let judge = load(folder, text("eval"), text("eval_format"))?;
    evaluate(&truth, &judge, &question)
}

fn json_of(correlations: &Correlations) -> Value {
    correlations
        .iter()
        .map(|(truth, judge, values)| {
            let values: Map<String, Value> =
                values.iter().map(|(name, value)| (name.clone(), number(*value))).collect();
            json!([truth, judge, values])
        })
        .collect()
}

#[test]
fn vectors() {
    let Some(folder) = crate::folder("correlate") else { return };
    let text = std::fs::read(folder.join("vectors.json")).expect("vectors");
    let vectors: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
    let mut compared = 0;
    for vector in &vectors {
        let id = vector["id"].as_str().expect("an id");
        let side = |key: &str| -> Vec<f64> {
            let items = vector[key].as_array().expect("numbers").iter();
            items.map(|item| item.as_f64().expect("a number")).collect()
        };
        let (a, b) = (side("a"), side("b"));
        let advisory = list(&vector["advisory"]).unwrap_or_default();
        for (base, golden, name) in [
            (Base::TauB, &vector["upstream"]["kendall"], "kendall"),
            (Base::Pearson, &vector["upstream"]["pearson"], "pearson"),
            (Base::Spearman, &vector["upstream"]["spearman"], "spearman"),
            (Base::TauApB, &vector["upstream"]["tauap_b"], "tauap_b"),
            (Base::TauA, &vector["extra"]["kendall_a"], "kendall_a"),
        ] {
            if golden.is_null() || advisory.iter().any(|path| path.contains(name)) {
                continue;
            }
            if golden.get("error").is_some() {
                assert!(coefficient(base, &a, &b).is_err(), "{id} {name}");
            } else {
                same(&number(upstream_coefficient(base, &a, &b)), golden, &format!("{id} {name}"));
            }
            compared += 1;
        }
    }
    eprintln!("correlate: {compared} vector values compared");
}

#[test]
fn evaluations() {
    let Some(folder) = crate::folder("correlate") else { return };
    let text = std::fs::read(folder.join("cases.json")).expect("cases");
    let cases: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
    let mut compared = 0;
    for case in cases.iter().filter(|case| case["op"] == "evaluate") {
        let id = case["id"].as_str().expect("an id");
        let golden = &case["expect"];
        match answer(&folder, &case["args"]) {
            Ok(ours) => {
                assert!(golden.get("error").is_none(), "{id}: golden {golden}");
                same(&json_of(&ours), &golden["correlations"], id);
            }
            Err(ours) => {
                let message = golden["message"].as_str();
                let message =
                    message.unwrap_or_else(|| panic!("{id}: ours {ours}; golden {golden}"));
                for name in message.split('\'').skip(1).step_by(2) {
                    assert!(ours.contains(name), "{id}: `{name}` is not in `{ours}`");
                }
            }
        }
        compared += 1;
    }
    eprintln!("correlate: {compared} evaluations compared");
}

/// The options of one call, each with its values.
struct Call<'a> {
    options: Vec<(&'a str, &'a str)>,
    inputs: Vec<&'a str>,
}

impl<'a> Call<'a> {
    fn parse(args: &'a [Value]) -> Self {
        let mut call = Self { options: Vec::new(), inputs: Vec::new() };
        let flags = ["--silent", "--aggregate", "--only-shared-topics", "--topic-ids-from-eval"];
        let mut args = args.iter().map(|arg| arg.as_str().expect("text"));
        while let Some(arg) = args.next() {
            match arg {
                "-i" => {}
                flag if flags.contains(&flag) => call.options.push((flag, "")),
                option if option.starts_with("--") => {
                    call.options.push((option, args.next().expect("a value")));
                }
                input => call.inputs.push(input),
            }
        }
        call
    }

    fn all(&self, name: &str) -> Option<Vec<String>> {
        let found: Vec<String> = self
            .options
            .iter()
            .filter(|(option, _)| *option == name)
            .map(|(_, value)| (*value).to_owned())
            .collect();
        (!found.is_empty()).then_some(found)
    }

    fn rows(&self, folder: &Path) -> Result<Vec<Value>, String> {
        let one = |name: &str| self.all(name).and_then(|mut values| values.pop());
        let default = || DEFAULT.iter().map(|&name| name.to_owned()).collect();
        let names: Vec<String> = self.all("--correlation").unwrap_or_else(default);
        let truth_format = one("--truth-format").expect("a format");
        let truth = load(folder, &one("--truth-leaderboard").expect("a truth"), &truth_format)?;
        let mut rows = Vec::new();
        for path in self.files() {
            let judge = load(folder, &path, &one("--eval-format").expect("a format"))?;
            let mut topics = self.all("--topic");
            let of = |table: &Table| -> Vec<String> {
                table.topics().map(|topic| table.topic_name(topic).to_owned()).collect()
            };
            if one("--only-shared-topics").is_some() {
                let shared = |topic: &String| truth.topic(topic).is_some();
                topics = Some(of(&judge).into_iter().filter(shared).collect());
            }
            if one("--topic-ids-from-eval").is_some() {
                topics = Some(of(&judge));
            }
            let question = Question {
                methods: methods(&names)?,
                missing: missing(one("--on-missing").as_deref()),
                only_shared_runs: false,
                runs: self.all("--run"),
                topics,
                recompute: (false, false),
                measures: (self.all("--truth-measure"), self.all("--eval-measure")),
            };
            let name = path.rsplit('/').next().expect("a name").replace(".txt", "");
            for (truth_measure, judge_measure, values) in evaluate(&truth, &judge, &question)? {
                let mut row = json!({"Judge": name, "TruthMeasure": truth_measure,
                                     "EvalMeasure": judge_measure});
                for (method, value) in values {
                    row[method] = if value.is_nan() { Value::Null } else { value.into() };
                }
                rows.push(row);
            }
        }
        if one("--aggregate").is_some() {
            let mut row = json!({"Judges": rows.len()});
            for name in &names {
                let values: Vec<f64> = rows.iter().filter_map(|row| row[name].as_f64()).collect();
                row[name] = json!(gmat_leaderboard::table::mean(&values));
            }
            rows = vec![row];
        }
        Ok(rows)
    }

    /// The judges; the one pattern of the suite is spelt out.
    fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        for input in &self.inputs {
            match *input {
                "inputs/judge_[gb]*d.txt" => {
                    files.extend(["bad", "good"].map(|name| format!("inputs/judge_{name}.txt")));
                }
                input => files.push(input.to_owned()),
            }
        }
        files
    }
}

#[test]
fn command_lines() {
    let Some(folder) = crate::folder("correlate") else { return };
    let text = std::fs::read(folder.join("cases.json")).expect("cases");
    let cases: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
    let mut compared = 0;
    for case in cases.iter().filter(|case| case["op"] == "meta_evaluate_cli") {
        let id = case["id"].as_str().expect("an id");
        let call = Call::parse(case["args"].as_array().expect("arguments"));
        if let Some(golden) = case["expect"]["rows"].as_array() {
            let ours = call.rows(&folder).unwrap_or_else(|error| panic!("{id}: {error}"));
            same(&Value::Array(ours), &Value::Array(golden.clone()), id);
            compared += 1;
        } else if case["expect"]["exit"] != 0 && !call.inputs.is_empty() {
            assert!(call.rows(&folder).is_err(), "{id}");
            compared += 1;
        }
    }
    eprintln!("correlate: numbers of {compared} command lines compared");
}
