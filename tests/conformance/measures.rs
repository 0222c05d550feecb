//! Files of cells against three generations of one judge program.

use gmat_leaderboard::internals::compat::autojudge;
use std::path::{Path, PathBuf};

use gmat_leaderboard::internals::compat::autojudge::{
    Row, Rows, design_build, design_filter, design_load, evaluate_filter, evaluate_load,
    evaluate_ranking, write_cells,
};
use gmat_leaderboard::internals::import::cells::{self, Format, Lines, Raw, Typing, incomplete};
use gmat_leaderboard::table::{Builder, Expect, Holes, Kind, Scope, Select, Table, Value as Held};
use serde_json::{Map, Value, json};

use crate::same;

/// A golden value: NaN and the infinities are texts there.
fn spell(value: &Held<'_>) -> Value {
    match value {
        Held::Number(number) if number.is_nan() => "NaN".into(),
        Held::Number(number) if number.is_infinite() => {
            if *number > 0.0 { "Infinity" } else { "-Infinity" }.into()
        }
        Held::Number(number) => (*number).into(),
        Held::Text(text) => text.as_ref().into(),
    }
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "float",
        Kind::Text => "str",
    }
}

fn rows_json(rows: &Rows, kinds: bool) -> Value {
    let entries: Vec<Value> = rows
        .rows
        .iter()
        .map(|row| {
            let values: Map<String, Value> =
                row.values.iter().map(|(name, value)| (name.clone(), spell(value))).collect();
            json!([row.run, row.topic.as_deref().unwrap_or("all"), values])
        })
        .collect();
    let measures: Vec<&str> = rows.measures.iter().map(|(name, _)| name.as_str()).collect();
    let mut board = json!({"measures": measures, "entries": entries});
    if kinds {
        let kinds =
            rows.measures.iter().map(|(name, kind)| (name.clone(), kind_word(*kind).into()));
        board["dtypes"] = Value::Object(kinds.collect());
    }
    board
}

fn cells_json(table: &Table) -> Value {
    let entries: Vec<Value> = table
        .cells()
        .map(|cell| {
            let topic = match cell.scope {
                Scope::Topic(topic) => table.topic_name(topic),
                Scope::All => "all",
            };
            let measure = &table.measure(cell.measure).name;
            json!([table.id(cell.run), topic, measure, spell(&cell.value)])
        })
        .collect();
    let spec = |per_topic: bool| -> Value {
        let kinds = table.measures().filter_map(|(_, measure)| {
            let kind = if per_topic { measure.topic } else { measure.aggregate };
            Some((measure.name.clone(), Value::from(kind_word(kind?))))
        });
        Value::Object(kinds.collect())
    };
    json!({"per_topic": spec(true), "aggregate": spec(false), "entries": entries})
}

struct Suite {
    folder: PathBuf,
}

type Answer = Result<Value, String>;

/// Names and contents, and whether they are those of a directory.
type Files = (bool, Vec<(String, Vec<u8>)>);

impl Suite {
    fn text<'c>(args: &'c Value, key: &str) -> &'c str {
        args[key].as_str().unwrap_or_else(|| panic!("{key} in {args}"))
    }

    fn list(args: &Value, key: &str) -> Option<Vec<String>> {
        let list = args[key].as_array()?;
        Some(list.iter().map(|text| text.as_str().expect("text").to_owned()).collect())
    }

    /// The file at `path`, or every file of the directory that is not hidden, sorted.
    fn files(&self, path: &str) -> Result<Files, String> {
        let whole = self.folder.join(path);
        if !whole.is_dir() {
            return Ok((false, vec![(path.to_owned(), std::fs::read(&whole).expect("a file"))]));
        }
        let mut names: Vec<String> = std::fs::read_dir(&whole)
            .expect("a directory")
            .map(|entry| entry.expect("an entry"))
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        if names.is_empty() {
            return Err(format!("no file in {path}"));
        }
        let read = |name: &String| std::fs::read(whole.join(name)).expect("a file");
        Ok((true, names.iter().map(|name| (format!("{path}/{name}"), read(name))).collect()))
    }

    fn lines(args: &Value, strict_blanks: bool) -> Result<Lines<'static>, String> {
        let format = Self::text(args, "format").parse::<Format>().map_err(|e| e.to_string())?;
        let header = args["has_header"].as_bool().unwrap_or(false);
        Ok(Lines { format, header, all_topic: "all", strict_blanks })
    }

    /// All files as one.
    fn raw<'f>(files: &'f [(String, Vec<u8>)], lines: Lines<'_>) -> Result<Raw<'f>, String> {
        let mut raw = Raw::default();
        for (name, bytes) in files {
            raw.read(lines, name, None, bytes).map_err(|error| error.to_string())?;
        }
        Ok(raw)
    }

    fn design(&self, args: &Value, drop: bool, holes: Holes) -> Result<Table, String> {
        let (is_directory, files) = self.files(Self::text(args, "path"))?;
        let lines = Self::lines(args, true)?;
        let raws = files
            .iter()
            .map(|file| Self::raw(std::slice::from_ref(file), lines))
            .collect::<Result<Vec<_>, _>>()?;
        design_load(&raws, is_directory, drop, holes).map_err(|error| error.to_string())
    }

    fn evaluate(&self, args: &Value, drop: bool, recompute: bool) -> Result<Table, String> {
        let (_, files) = self.files(Self::text(args, "path"))?;
        if args["format"] == "rag4reports" {
            return Err("that program does not read rag4reports".to_owned());
        }
        let raw = Self::raw(&files, Self::lines(args, false)?)?;
        evaluate_load(&raw, drop, recompute).map_err(|error| error.to_string())
    }

    fn answer(&self, op: &str, args: &Value) -> Option<Answer> {
        let flag = |key: &str| args[key].as_bool().unwrap_or(false);
        Some(match op {
            "base.load" => self.base(args).map(|rows| rows_json(&rows, false)),
            "design.load" => {
                let holes = holes(Self::text(args, "on_missing"));
                let table = self.design(args, flag("drop_aggregate"), holes);
                table.map(|table| rows_json(&Rows::of_table(&table), true))
            }
            "eval.load" => self
                .evaluate(args, flag("drop_aggregates"), flag("recompute_aggregates"))
                .and_then(|table| match incomplete(&table) {
                    Some(why) if flag("verify") && args["on_missing"] == "error" => Err(why),
                    _ => Ok(cells_json(&table)),
                }),
            "eval.filter_and_recompute"
            | "eval.filter_topics_and_recompute"
            | "eval.filter_runs" => {
                let recompute = op != "eval.filter_runs";
                let select = Select {
                    runs: Self::list(args, "runs")
                        .filter(|_| op != "eval.filter_topics_and_recompute"),
                    topics: Self::list(args, "topics").filter(|_| recompute),
                    ..Select::default()
                };
                self.evaluate(args, false, false)
                    .and_then(|t| filter(t, &select, recompute))
                    .map(|table| cells_json(&table))
            }
            "eval.builder_filter" => self.evaluate(args, false, false).map(|table| {
                let wanted = Self::list(args, "measures").expect("measures");
                let mut builder = Builder::from_table(table);
                builder.retain_measures(|measure| wanted.contains(&measure.name));
                let table =
                    builder.build(&autojudge::evaluate_policy(false)).expect("a table").table;
                let mut board = cells_json(&table);
                if flag("drop_aggregates") {
                    let entries = board["entries"].as_array_mut().expect("entries");
                    entries.retain(|entry| entry[1] != "all");
                }
                board
            }),
            "eval.aggregate_ranking" => self.evaluate(args, false, false).and_then(|table| {
                let measure = Self::text(args, "measure");
                evaluate_ranking(&table, measure)
                    .map(|r| json!(r))
                    .ok_or_else(|| measure.to_owned())
            }),
            "eval.top_k" => self.evaluate(args, false, false).and_then(|table| {
                let measure = Self::text(args, "measure");
                let mut ranking =
                    evaluate_ranking(&table, measure).ok_or_else(|| measure.to_owned())?;
                ranking.sort_by(|a, b| b.1.partial_cmp(&a.1).expect("numbers"));
                let k = usize::try_from(args["k"].as_u64().expect("k")).expect("small");
                Ok(ranking.into_iter().take(k).map(|(run, _)| Value::from(run)).collect())
            }),
            "eval.aggregate_discrepancies" => self.evaluate(args, false, false).map(|table| {
                let tolerance = args["tolerance"].as_f64().expect("a number");
                let mut runs: Map<String, Value> = Map::new();
                for d in table.discrepancies(tolerance).expect("a table") {
                    let run = runs.entry(d.run).or_insert_with(|| json!({}));
                    run[&d.measure] =
                        json!([d.given, d.recomputed, (d.given - d.recomputed).abs()]);
                }
                json!({ "discrepancies": runs })
            }),
            "design.build" => build(args).map(|table| rows_json(&Rows::of_table(&table), true)),
            "design.filter_and_recompute" => {
                let load = &args["load"];
                let holes = holes(Self::text(load, "on_missing"));
                self.design(args, load["drop_aggregate"] == true, holes).and_then(|table| {
                    let (runs, topics) = (Self::list(args, "runs"), Self::list(args, "topics"));
                    let table = design_filter(&table, runs.as_deref(), topics.as_deref());
                    let table = table.map_err(|error| error.to_string())?;
                    Ok(rows_json(&Rows::of_table(&table), true))
                })
            }
            "design.merge" => self.merge(args).map(|rows| rows_json(&rows, true)),
            "design.for_leaderboard" => self.base_typed(args).map(|rows| {
                let spec = rows.spec(flag("drop_aggregate"));
                spec.iter().map(|(name, kind)| json!([name, kind_word(*kind)])).collect()
            }),
            "base.detect_format" => {
                let bytes =
                    std::fs::read(self.folder.join(Self::text(args, "path"))).expect("a file");
                let text = String::from_utf8_lossy(&bytes);
                let found = cells::detect(text.lines());
                // JSON lines are detected here, which upstream leaves open.
                let known = found.possible.iter().filter(|format| **format != Format::Jsonl);
                let possible: Vec<&str> = known.map(|format| format.name()).collect();
                Ok(json!({"possible": possible, "has_header": found.has_header}))
            }
            _ => return None,
        })
    }

    fn base_typed(&self, args: &Value) -> Result<Rows, String> {
        let (_, files) = self.files(Self::text(args, "path"))?;
        Ok(Rows::of_raw(&Self::raw(&files, Self::lines(args, true)?)?, Typing::Joint))
    }

    fn base(&self, args: &Value) -> Result<Rows, String> {
        let (_, files) = self.files(Self::text(args, "path"))?;
        Ok(Rows::of_raw(&Self::raw(&files, Self::lines(args, true)?)?, Typing::Text))
    }

    fn merge(&self, args: &Value) -> Result<Rows, String> {
        let mut spec = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        let drop = args["drop_aggregate"] != false;
        let skip = args["skip_all_rows"] != false;
        for path in Self::list(args, "paths").expect("paths") {
            let one = json!({"path": path, "format": args["format"]});
            let board = Rows::of_table(&self.design(&one, drop, Holes::Fill)?);
            if rows.is_empty() {
                spec = board.measures;
            }
            rows.extend(board.rows.into_iter().filter(|row| !skip || row.topic.is_some()));
        }
        let table = design_build(&spec, &rows, Expect::Nothing, Holes::Fill, drop);
        Ok(Rows::of_table(&table.map_err(|error| error.to_string())?))
    }

    /// What a write gives; the error of a format upstream does not know.
    fn written(&self, op: &str, args: &Value) -> Option<Result<Vec<u8>, String>> {
        let format: Format = Self::text(args, "to").parse().ok()?;
        let known: &[Format] = match op.split('.').next()? {
            "base" => &[Format::TrecEval, Format::Tot, Format::IrMeasures, Format::Rag4Reports],
            "design" => &[Format::TrecEval, Format::Tot, Format::IrMeasures],
            _ => {
                &[Format::TrecEval, Format::Tot, Format::IrMeasures, Format::Ranking, Format::Jsonl]
            }
        };
        let mut out = Vec::new();
        let result = match op {
            "base.write" => self.base(args).map(|rows| rows.write(format, "all", &mut out)),
            "design.write" => self
                .design(args, true, Holes::Fill)
                .map(|table| Rows::of_table(&table).write(format, "all", &mut out)),
            "eval.write" | "eval.write_recomputed" => self
                .evaluate(args, false, op == "eval.write_recomputed")
                .map(|table| write_cells(&table, format, "all", &mut out)),
            _ => return None,
        };
        // An empty board never gets as far as asking for the format.
        if !known.contains(&format) && out != b"\n" {
            return Some(Err(format!("{format} is not written by that program")));
        }
        Some(result.map(|()| out))
    }
}

fn filter(table: Table, select: &Select, recompute: bool) -> Result<Table, String> {
    evaluate_filter(table, select, recompute).map_err(|error| error.to_string())
}

fn holes(word: &str) -> Holes {
    match word {
        "error" => Holes::Error,
        "warn" => Holes::Warn,
        "default" => Holes::Fill,
        "fix_aggregate" => Holes::FixAggregate,
        _ => Holes::Skip,
    }
}

fn build(args: &Value) -> Result<Table, String> {
    let spec: Vec<(String, Kind)> = args["spec"]
        .as_array()
        .expect("a spec")
        .iter()
        .map(|pair| {
            let kind = if pair[1] == "str" { Kind::Text } else { Kind::Number };
            (pair[0].as_str().expect("a name").to_owned(), kind)
        })
        .collect();
    let kind_of = |name: &str| spec.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
    let mut rows = Vec::new();
    for record in args["records"].as_array().expect("records") {
        let topic = record[1].as_str().expect("a topic");
        let mut values = Vec::new();
        for (name, value) in record[2].as_object().expect("values") {
            let held: Held<'static> = match value {
                Value::Number(number) if kind_of(name) == Some(Kind::Text) => {
                    Held::Text(number.to_string().into())
                }
                Value::Number(number) => Held::Number(number.as_f64().expect("a double")),
                Value::Bool(value) if kind_of(name) == Some(Kind::Text) => {
                    Held::Text(if *value { "True" } else { "False" }.into())
                }
                Value::Bool(value) => Held::Number(f64::from(u8::from(*value))),
                Value::String(text) => Held::Text(text.clone().into()),
                // What Python prints for null; no number.
                _ => Held::Text("None".into()),
            };
            values.push((name.clone(), held));
        }
        let run = record[0].as_str().expect("a run").to_owned();
        rows.push(Row { run, topic: (topic != "all").then(|| topic.to_owned()), values });
    }
    let expect = match args["expected_topic_ids"].as_array() {
        None => Expect::Nothing,
        Some(list) => Expect::Topics(
            list.iter().map(|topic| topic.as_str().expect("a topic").to_owned()).collect(),
        ),
    };
    let on_missing = holes(args["on_missing"].as_str().expect("a policy"));
    let table = design_build(&spec, &rows, expect, on_missing, args["drop_aggregate"] == true);
    table.map_err(|error| error.to_string())
}

/// Every id of the golden message that a quote surrounds must be named by ours.
fn names_what_upstream_names(ours: &str, golden: &Value, id: &str) {
    let message = golden["message"].as_str().unwrap_or_default();
    if message.contains("Try: --eval-format") || message.contains("could not convert") {
        return;
    }
    let quoted = message.split('\'').skip(1).step_by(2);
    for name in quoted.filter(|name| !name.contains([' ', '\t', '\\']) && name.len() < 20) {
        if ["NoneType", "rag4reports", "ranking", "jsonl", "csv"].contains(&name) {
            continue;
        }
        assert!(ours.contains(name), "{id}: `{name}` is not in `{ours}`, golden `{message}`");
    }
}

#[test]
fn measures() {
    let Some(folder) = crate::folder("measures") else { return };
    let text = std::fs::read(folder.join("cases.json")).expect("cases");
    let cases: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
    let suite = Suite { folder };
    let (mut compared, mut advisory) = (0, 0);
    for case in &cases {
        let (id, op) = (case["id"].as_str().expect("an id"), case["op"].as_str().expect("an op"));
        if compare(&suite, case, id, op) {
            compared += 1;
        } else {
            advisory += 1;
        }
    }
    eprintln!("measures: {compared} cases compared, {advisory} advisory ones left out");
}

fn compare(suite: &Suite, case: &Value, id: &str, op: &str) -> bool {
    let args = &case["args"];
    let golden = &case["expect"];
    if let Some(written) = args.get("to").and_then(|_| suite.written(op, args)) {
        match (case["golden"].as_str(), written) {
            (Some(path), Ok(ours)) => {
                let golden = std::fs::read(Path::new(&suite.folder).join(path)).expect("a golden");
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                assert_eq!(text(&ours), text(&golden), "{id}");
            }
            (None, Err(ours)) => names_what_upstream_names(&ours, golden, id),
            (golden, ours) => panic!("{id}: ours {ours:?}, golden {golden:?}"),
        }
        return true;
    }
    match suite.answer(op, args) {
        None => return false,
        Some(Err(ours)) => {
            assert!(golden.get("error").is_some(), "{id}: ours failed: {ours}; golden {golden}");
            names_what_upstream_names(&ours, golden, id);
        }
        Some(Ok(ours)) => {
            let mut golden = golden
                .get("ok")
                .unwrap_or_else(|| panic!("{id}: ours {ours}; golden {golden}"))
                .clone();
            if let Some(fields) = golden.as_object_mut() {
                fields.remove("report");
                fields.remove("reason");
                // Upstream keeps an integer id an integer in JSON lines; here every id is text.
                for entry in
                    fields.get_mut("entries").and_then(Value::as_array_mut).into_iter().flatten()
                {
                    if let Some(number) = entry[1].as_i64() {
                        entry[1] = number.to_string().into();
                    }
                }
            }
            same(&ours, &golden, id);
        }
    }
    true
}
