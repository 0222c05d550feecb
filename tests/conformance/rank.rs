//! The run leaderboard against rlm-code, quirks included.

use std::path::Path;

use gmat_leaderboard::internals::compat::rlm_code::Upstream;
use gmat_leaderboard::internals::import::rlm_code::{Loader, Options};
use gmat_leaderboard::table::{Builder, Condition, Moment, Order, Policy, Select, Summary, Table};
use serde_json::{Value, json};

use crate::same;

/// The folder's runs, benchmarks in the order of their names, and how many of each there are.
fn load(folder: &Path, workdir: &str) -> (Table, [usize; 3], Vec<String>) {
    let mut builder = Builder::default();
    let options = Options { compat: true, ..Options::default() };
    let mut loader = Loader::new(&mut builder, options).expect("measures");
    let mut counts = [0; 3];
    let mut notes = Vec::new();
    let below = format!("{workdir}/rlm/benchmarks");
    let mut files: Vec<String> = std::fs::read_dir(folder.join(&below))
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    for turn in 0..2 {
        for name in &files {
            let file = format!("{below}/{name}");
            let bytes = std::fs::read(folder.join(&file)).expect("a benchmark");
            counts[2 * turn] += usize::from(loader.benchmark(&file, &bytes));
        }
        let runs = format!("{workdir}/observability/runs.jsonl");
        let bytes = std::fs::read(folder.join(&runs)).unwrap_or_default();
        if loader.begin_runs(&runs) {
            for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
                counts[1 + turn] += usize::from(loader.run_line(&runs, at + 1, line));
            }
        }
        notes.extend(loader.tally.notes.drain(..).map(|note| note.place));
    }
    (builder.build(&Policy::default()).expect("a table").table, counts, notes)
}

fn select(filter: &Value) -> Select {
    let mut select = Select { keep_undated: true, ..Select::default() };
    for (key, value) in filter.as_object().into_iter().flatten() {
        let texts = || {
            let list = value.as_array().into_iter().flatten();
            list.map(|text| text.as_str().expect("text").to_owned()).collect()
        };
        let bound = |name: &str, sign: &str| -> Condition {
            format!("{name}{sign}{value}").parse().expect("a condition")
        };
        let moment = || Moment::parse(value.as_str().expect("text"));
        match key.as_str() {
            _ if value.is_null() => {}
            "environments" => select.facets.push(("environment".into(), texts())),
            "models" => select.facets.push(("model".into(), texts())),
            "presets" => select.facets.push(("preset".into(), texts())),
            "tags" => select.facets.push(("tags".into(), texts())),
            "min_reward" => select.conditions.push(bound("reward", ">=")),
            "max_reward" => select.conditions.push(bound("reward", "<=")),
            "min_completion_rate" => select.conditions.push(bound("completion_rate", ">=")),
            "min_cases" => select.conditions.push(bound("cases", ">=")),
            "date_from" => select.since = moment(),
            "date_to" => select.until = moment(),
            other => panic!("filter {other}"),
        }
    }
    select.facets.retain(|(_, texts)| !texts.is_empty());
    select
}

#[test]
fn rank() {
    let Some(folder) = crate::folder("rank") else { return };
    let text = std::fs::read(folder.join("cases.json")).expect("cases");
    let cases: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
    let (table, counts, notes) = load(&folder, "workdir");
    let (mut compared, mut advisory) = (0, 0);
    for case in &cases {
        let id = case["id"].as_str().expect("an id");
        let args = &case["args"];
        let kept = table
            .clone()
            .select(&select(&args["filter"]), &Policy::default())
            .expect("a selection")
            .table;
        let upstream = Upstream::new(&kept, table.len());
        let found = match case["op"].as_str().expect("an op") {
            "load" => {
                let failed = case["expect"]["warnings_prefix"].as_array().expect("a list");
                for warning in failed {
                    let file = warning.as_str().expect("text").rsplit(' ').next();
                    let file = file.expect("a file");
                    assert!(notes.iter().any(|place| place.starts_with(file)), "{file}");
                }
                json!({"benchmarks": counts[0], "runs": counts[1], "second_load_all": counts[2],
                       "warnings_prefix": failed})
            }
            "export" => {
                export(&folder, case, upstream);
                compared += 1;
                continue;
            }
            "cli" | "table" => {
                advisory += 1;
                continue;
            }
            op => answer(op, args, &kept, upstream),
        };
        let mut expect = case["expect"].clone();
        if let Some(fields) = expect.as_object_mut() {
            fields.remove("group_order");
        }
        if expect.get("error").is_some() {
            assert!(found.get("error").is_some(), "{id}: {found}");
        } else {
            same(&found, &expect, id);
        }
        if let Some(order) = case["expect"]["group_order"].as_array() {
            let names = args["field"].as_str().zip(args["metric"].as_str());
            let (field, metric) = names.expect("names");
            let groups = upstream.group(field, metric).expect("groups");
            let names: Vec<Value> = groups.iter().map(|g| g.name.as_str().into()).collect();
            assert_eq!(&names, order, "{id}");
        }
        compared += 1;
    }
    eprintln!("rank: {compared} cases compared, {advisory} advisory ones left out");
}

fn answer(op: &str, args: &Value, table: &Table, upstream: Upstream<'_>) -> Value {
    let metric = args["metric"].as_str().unwrap_or("reward");
    let limit = args["limit"].as_i64();
    match op {
        "rank" => {
            let order = args["order"].as_str().map(|order| match order {
                "asc" => Order::Ascending,
                _ => Order::Descending,
            });
            let page = upstream.rank(metric, order, limit).expect("a page");
            let ranking: Vec<Value> = page
                .rows
                .iter()
                .map(|row| {
                    let entry = upstream.entry(row.run);
                    let file = entry.source_path.rsplit('/').next();
                    json!([entry.entry_id, file, row.value])
                })
                .collect();
            let mut answer = serde_json::to_value(page.statistics).expect("JSON");
            answer["metric"] = page.metric.into();
            answer["order"] = page.order.word().into();
            answer["total_count"] = upstream.total().into();
            answer["filtered_count"] = page.filtered.into();
            answer["ranking"] = ranking.into();
            answer
        }
        "stats" => {
            let measure = table.measure_named(metric).expect("a measure");
            match Summary::of(table.runs().filter_map(|run| table.number(run, measure))) {
                None => json!({"count": 0}),
                Some(summary) => {
                    let mut answer = serde_json::to_value(summary).expect("JSON");
                    answer.as_object_mut().expect("an object").remove("stderr");
                    answer
                }
            }
        }
        "trend" => {
            let Ok(window) = usize::try_from(args["window"].as_i64().expect("a window")) else {
                return json!({"error": "a window is 0 or more"});
            };
            if args["entries"].is_array() {
                return json!([]);
            }
            json!(upstream.trend(metric, window).expect("a trend"))
        }
        "group" => match upstream.group(args["field"].as_str().expect("a field"), metric) {
            Err(error) => json!({"error": error.to_string()}),
            Ok(groups) => groups
                .into_iter()
                .map(|group| {
                    let mut figures = serde_json::to_value(group.summary).expect("JSON");
                    for key in ["std_dev", "stderr", "sum"] {
                        figures.as_object_mut().expect("an object").remove(key);
                    }
                    (group.name, figures)
                })
                .collect(),
        },
        "compare" => {
            let texts = |key: &str| -> Vec<&str> {
                args[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
            };
            let metrics: Vec<String> = texts("metrics").into_iter().map(str::to_owned).collect();
            json!(upstream.compare(&texts("ids"), &metrics).expect("measures"))
        }
        "unique" => upstream.unique(args["field"].as_str().expect("a field")).into(),
        "remove" => {
            let id = args["id"].as_str().expect("an id");
            let full: Vec<String> =
                upstream.find(&[id]).iter().map(|(_, run)| table.id(*run).to_owned()).collect();
            let (left, removed) = table.clone().remove(&full[0]).expect("a table");
            let (_, second) = left.clone().remove(&full[0]).expect("a table");
            json!({"removed": removed, "left": left.len(), "second": second})
        }
        "table_styles" => {
            let table = upstream.styled(metric, limit, "RLM Leaderboard").expect("a table");
            let rows: Vec<Vec<Value>> = table
                .rows
                .iter()
                .map(|row| {
                    row.iter()
                        .map(|cell| match cell.color {
                            Some(color) => json!([cell.text, color]),
                            None => json!(cell.text),
                        })
                        .collect()
                })
                .collect();
            json!({"title": table.title, "caption": table.caption,
                   "columns": table.columns, "rows": rows})
        }
        other => panic!("op {other}"),
    }
}

fn export(folder: &Path, case: &Value, upstream: Upstream<'_>) {
    let id = case["id"].as_str().expect("an id");
    let args = &case["args"];
    let metric = args["metric"].as_str().expect("a metric");
    let limit = match &args["limit"] {
        Value::String(_) => Some(10),
        limit => limit.as_i64(),
    };
    let golden = case["golden"].as_str().map(|path| std::fs::read(folder.join(path)));
    let golden = golden.map(|bytes| bytes.expect("a golden file"));
    match args["format"].as_str().expect("a format") {
        "json" => {
            let at = "2026-01-02T03:04:05.678901+00:00";
            let ours = upstream.json(metric, limit, Some(at)).expect("an export");
            let golden = golden.expect("a golden file");
            let parse = |bytes: &[u8]| -> Value { serde_json::from_slice(bytes).expect("JSON") };
            same(&parse(&ours), &parse(&golden), id);
        }
        "csv" => {
            let ours = upstream.csv(metric, limit).expect("an export");
            let text = |bytes: Option<Vec<u8>>| {
                bytes.map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
            };
            assert_eq!(text(ours), text(golden), "{id}");
        }
        "markdown" => {
            let title = args["title"].as_str().unwrap_or("RLM Leaderboard");
            let ours = upstream.markdown(metric, limit, title).expect("an export");
            let golden = String::from_utf8(golden.expect("a golden file")).expect("UTF-8");
            assert_eq!(ours, golden, "{id}");
        }
        other => panic!("format {other}"),
    }
}
