//! Runs every row of docs/equivalents.md: its command, or the function that it names.

use std::collections::BTreeMap;
use std::error::Error;

use gmat_leaderboard::table::correlate::{Plan, correlate};
use gmat_leaderboard::table::{
    Aggregates, Builder, Expect, Holes, Judge, Measure, Policy, Scope, Select, Table, Value,
};
use gmat_leaderboard::{CellFormat, load, write_cells};

use crate::harness::World;

const DOCS: &str = include_str!("../../docs/equivalents.md");

type Done = Result<(), Box<dyn Error>>;

/// What tries a row about Rust functions, by what the document says.
type Tries<'t> = &'t [(&'t str, &'t dyn Fn() -> Done)];

/// One row: what the document says, what is done, and what is expected.
struct Line {
    document: String,
    does: Vec<String>,
    code: i32,
    answers: Vec<String>,
}

/// The rows below the heading that starts with `heading`.
fn lines(heading: &str) -> Vec<Line> {
    let section = DOCS.split("\n## ").find(|section| section.starts_with(heading));
    let rows = section.expect(heading).lines().filter(|line| line.starts_with("| "));
    let rows = rows.filter(|line| !line.starts_with("| the document"));
    rows.map(|row| {
        let row = row.replace("\\|", "\u{1}");
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [document, does, answer] = cells[..] else { panic!("three cells: {row}") };
        let quoted = |cell: &str| -> Vec<String> {
            cell.split('`').skip(1).step_by(2).map(|it| it.replace('\u{1}', "|")).collect()
        };
        let code = answer.strip_prefix("exit ").and_then(|rest| rest.split(':').next());
        let code = code.map_or(0, |code| code.parse().expect("a code"));
        let document = document.replace('`', "");
        Line { document, does: quoted(does), code, answers: quoted(answer) }
    })
    .collect()
}

fn plain(text: &str) -> String {
    // Codes that change the color are shown with the picture of ESC.
    text.replace('`', "").replace('\u{1b}', "␛").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs the rows of a section in `world`, one after the other: a command, or one of `tries` for each
/// row about Rust functions. `RUN` in a path is `run`.
fn check(heading: &str, world: &World, run: &dyn Fn() -> String, tries: Tries<'_>) {
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let lines = lines(heading);
    assert!(lines.len() > 9, "{heading}");
    let mut tried = 0;
    for Line { document, does, code, answers } in lines {
        let command = does.first().expect("a command or a function");
        let Some(args) = command.strip_prefix("gmat-leaderboard ") else {
            let own = tries.iter().find(|(name, _)| *name == document);
            let (_, own) = own.unwrap_or_else(|| panic!("no test tries the row {document}"));
            own().unwrap_or_else(|error| panic!("{document}: {error}"));
            tried += 1;
            continue;
        };
        // A command that only renders gives the same site again.
        let said =
            said.entry(if args == "render" { args.to_owned() } else { format!("{args} {code}") });
        let said = said.or_insert_with(|| {
            let args: Vec<&str> = args.split(' ').collect();
            let ran = world.run(&args);
            assert_eq!(ran.code, code, "{command}\n{}{}", ran.stdout, ran.stderr);
            ran.stdout + &ran.stderr
        });
        let (text, wanted) = match answers.split_first() {
            Some((file, rest)) if is_file(file) => (world.read(&file.replace("RUN", &run())), rest),
            _ => (said.clone(), &answers[..]),
        };
        assert!(!wanted.is_empty(), "{command}");
        for wanted in wanted {
            assert!(plain(&text).contains(&plain(wanted)), "{command}\nhas no {wanted}\n{text}");
        }
    }
    assert_eq!(tried, tries.len(), "{heading}: a test without its row");
}

/// Whether an answer names the file that has the rest of the answers.
fn is_file(answer: &str) -> bool {
    ["site/", "leaderboard/", "results."].iter().any(|start| answer.starts_with(start))
}

fn nothing() -> String {
    String::new()
}

#[test]
fn every_row_about_the_run_leaderboard_is_true() {
    let world = World::new();
    let benchmark = |id: &str, rest: &str, tokens: u32| {
        format!(
            r#"{{"benchmark_id":"{id}",{rest},"case_results":[{{"case_id":"c1","run_id":"{id}_r0",
                "started_at":"2025-05-15T10:00:00Z","finished_at":"2025-05-15T10:01:00Z",
                "usage":{{"total_tokens":{tokens},"prompt_tokens":900,"completion_tokens":300}}}}]}}"#
        )
    };
    let first = r#""environment":"dspy","model":"gpt-4o","preset":"quick","started_at":"2025-05-15T10:00:00Z","avg_reward":0.95,"completed_cases":5,"total_cases":5,"avg_steps":3,"tags":["nightly"]"#;
    let second = r#""environment":"pure_rlm","model":"claude-3-opus","preset":"full","started_at":"2025-05-16T10:00:00Z","avg_reward":0.9,"completed_cases":3,"total_cases":5,"avg_steps":4"#;
    world.write(".rlm_code/rlm/benchmarks/a.json", benchmark("abc12345deadbeefcafe", first, 1200));
    world.write(".rlm_code/rlm/benchmarks/b.json", benchmark("def67890deadbeefcafe", second, 1500));
    world.write(
        ".rlm_code/observability/runs.jsonl",
        r#"{"run_id":"run_one","environment":"generic","model":"gpt-4o","started_at":"2025-05-17T10:00:00Z","finished_at":"2025-05-17T10:00:12Z","total_reward":0.3,"steps":6,"completed":true,"usage_summary":{"total_tokens":800}}
{"run_id":"abc12345deadbeefcafe_r0","total_reward":0.95,"steps":3,"completed":true}
"#,
    );
    world.write("more.csv", "run_id,reward\nextra,0.5\n");
    let table = || load(&world.path(".rlm_code"));
    let loaded = || -> Done {
        let table = table()?;
        assert_eq!(table.distinct("environment"), ["dspy", "generic", "pure_rlm"]);
        assert_eq!(table.id(table.find("abc1")?), "abc12345deadbeefcafe");
        let (rest, was_there) = table.remove("run_one")?;
        assert_eq!((rest.len(), was_there), (2, true));
        assert!(rest.find("run_one").is_err());
        Ok(())
    };
    let added = || -> Done {
        let mut builder = Builder::for_table(table()?, false);
        builder.add_entries(&load(&world.path("more.csv"))?, false)?;
        let table = builder.build(&Policy::default())?.table;
        assert_eq!((table.len(), value(&table, "extra", "reward")), (4, Some(0.5)));
        Ok(())
    };
    let tries: Tries<'_> = &[
        ("Leaderboard(path), get_entry, remove_entry, get_unique_values in code", &loaded),
        ("add_entry(entry) in code", &added),
    ];
    check("rlm-code", &world, &nothing, tries);
}

/// A run's aggregate.
fn value(table: &Table, run: &str, measure: &str) -> Option<f64> {
    table.number(table.find(run).ok()?, table.measure_named(measure).ok()?)
}

#[test]
fn every_row_about_the_leaderboard_of_measures_is_true() {
    let world = World::new();
    let truth = "run1 GRADE t1 0.8\nrun1 GRADE t2 0.4\nrun1 GRADE all 0.9\nrun1 CATEGORY t1 A\nrun1 CATEGORY t2 B\n\
                 run1 ONLYALL all 7\nrun2 GRADE t1 0.6\nrun2 GRADE t2 0.2\nrun2 GRADE all 0.4\nrun3 GRADE t1 0.1\n\
                 run3 GRADE t2 0.3\nrun3 GRADE all 0.2\n";
    for (file, text) in [
        ("truth.tot", truth),
        ("cells/truth.tot", truth),
        ("judge.tot", &truth.replace("0.8", "0.7")),
        ("half.tot", "run1 GRADE t1 0.8\nrun2 GRADE t1 0.6\nrun3 GRADE t1 0.1\n"),
        ("swapped.tot", "run1 GRADE all 0.5\nrun2 GRADE all 0.9\nrun3 GRADE all 0.1\n"),
        ("more.tot", "run4 GRADE t1 0.5\n"),
        ("avg.tot", "run1 GRADE t1 0.4\nrun1 GRADE AVG 0.5\n"),
        ("typo.tot", "run1 GRAED t1 0.5\n"),
        ("text.tot", "run1 X t1 high\nrun1 X t2 1\n"),
        ("spec.txt", "GRADE:number\nCATEGORY:text\nONLYALL\n"),
        ("bool.txt", "GRADE:bool\n"),
        ("topics.txt", "t1\nt2\nt3\n"),
    ] {
        world.write(file, text);
    }
    let loaded = || -> Done {
        let table = load(&world.path("truth.tot"))?;
        let mut written = Vec::new();
        write_cells(&table, CellFormat::Tot, "all", &mut written)?;
        assert!(plain(&String::from_utf8(written)?).contains("run1 GRADE t1 0.8"));
        Ok(())
    };
    let read = || -> Done {
        let table = load(&world.path("truth.tot"))?;
        let runs: Vec<&str> = table.runs().map(|run| table.id(run)).collect();
        let topics: Vec<&str> = table.topics().map(|topic| table.topic_name(topic)).collect();
        assert_eq!((runs, topics), (vec!["run1", "run2", "run3"], vec!["t1", "t2"]));
        let ranking = table.aggregate_ranking("GRADE")?;
        assert_eq!(ranking, [("run1", 0.9), ("run2", 0.4), ("run3", 0.2)]);
        Ok(())
    };
    let correlated = || -> Done {
        let (truth, judge) = (load(&world.path("truth.tot"))?, load(&world.path("swapped.tot"))?);
        let plan = Plan {
            methods: vec!["kendall".parse()?],
            truth_measures: vec!["GRADE".to_owned()],
            judge_measures: vec!["GRADE".to_owned()],
            ..Plan::default()
        };
        let report = correlate(&truth, &judge, &plan)?;
        // Two of three pairs are in the same order.
        let tau = report.agreements[0].value.expect("three runs");
        assert!((tau - 1.0 / 3.0).abs() < 1e-12, "{tau}");
        Ok(())
    };
    let tries: Tries<'_> = &[
        ("run_ids, topic_ids, get_aggregate_ranking() in code", &read),
        ("a leaderboard never changes; every change goes through the builder", &immutable),
        ("LeaderboardBuilder(spec), MeasureSpec", &declared),
        ("float: mean, default 0; str: first value, default empty", &kinds),
        ("booleans are 1 and 0, so that the mean is a rate", &booleans),
        ("add(run_id, topic_id, values) checks and casts", &adds),
        ("add_records(records) from any objects", &records),
        ("add_entries(entries, skip_all_rows)", &entries),
        ("add_from_all(leaderboards)", &merged),
        ("for_leaderboard(lb, drop_aggregate)", &of_table),
        ("build(expected_topic_ids, on_missing, drop_aggregate)", &built),
        ("LeaderboardSpec.names, name_set", &names),
        ("LeaderboardSpec.cast_values(values)", &cast),
        ("_handle_aggregates() is the only handler of aggregates", &aggregates),
        ("Leaderboard.load(path), write() in code", &loaded),
        ("filter_and_recompute() in code", &selected),
        ("LeaderboardEvaluator.evaluate() in code", &correlated),
        ("class MyJudge(AutoJudge)", &judged),
    ];
    check("autojudge", &world, &nothing, tries);
}

/// Grades a response by its length.
struct Longest;

impl Judge for Longest {
    type Response = (&'static str, &'static str, &'static str);
    type Topic = &'static str;
    type Error = Box<dyn Error>;

    fn judge(
        &self,
        responses: &[Self::Response],
        topics: &[Self::Topic],
    ) -> Result<Table, Self::Error> {
        let mut builder = Builder::new([Measure::number("letters"), Measure::text("label")]);
        builder.add_records(responses, |(run, topic, text)| {
            let letters = text.chars().map(|_| 1.0).sum::<f64>();
            (*run, *topic, [("letters", letters.into()), ("label", "x".into())])
        })?;
        let expect = Expect::Topics(topics.iter().map(|topic| (*topic).to_owned()).collect());
        let policy = Policy { holes: Holes::FixAggregate, expect, ..Policy::default() };
        Ok(builder.build(&policy)?.table)
    }
}

/// Two runs on two topics, of which one is missing; its topic counts as 0.
fn graded() -> Result<Table, Box<dyn Error>> {
    let responses = [("a", "t1", "four"), ("b", "t1", "of"), ("b", "t2", "some")];
    Longest.judge(&responses, &["t1", "t2"])
}

/// A table with an aggregate that differs from the mean, and a measure that only has an aggregate.
fn given() -> Result<Table, Box<dyn Error>> {
    let mut given = Builder::default();
    let seen = given.measure(Measure::number("seen"))?;
    let whole = given.measure(Measure::number("whole").aggregate_only())?;
    let (run, topic) = (given.run("a"), given.topic("t1"));
    given.cell(run, Scope::Topic(topic), seen, 0.5.into(), 0)?;
    given.aggregate(run, seen, 0.9.into())?;
    given.aggregate(run, whole, 7.0.into())?;
    Ok(given.build(&Policy { aggregates: Aggregates::Keep, ..Policy::default() })?.table)
}

fn recompute() -> Policy {
    Policy { aggregates: Aggregates::Recompute, ..Policy::default() }
}

fn judged() -> Done {
    let table = graded()?;
    assert_eq!(
        (value(&table, "a", "letters"), value(&table, "b", "letters")),
        (Some(2.0), Some(3.0))
    );
    Ok(())
}

fn immutable() -> Done {
    let table = graded()?;
    let (rest, was_there) = table.clone().remove("a")?;
    assert_eq!((table.len(), rest.len(), was_there), (2, 1, true));
    let select = Select { topics: Some(vec!["t2".to_owned()]), ..Select::default() };
    let part = table.clone().select(&select, &recompute())?.table;
    assert_eq!((table.topics().count(), part.topics().count()), (2, 1));
    Ok(())
}

fn declared() -> Done {
    let mut builder = Builder::new([Measure::number("grade"), Measure::text("category")]);
    builder.add("run1", "topic1", [("grade", 0.8.into()), ("category", "A".into())])?;
    let table = builder.build(&Policy::default())?.table;
    let (run, category) = (table.find("run1")?, table.measure_named("category")?);
    assert_eq!(table.value(run, category), Some(Value::from("A")));
    assert_eq!(value(&table, "run1", "grade"), Some(0.8));
    Ok(())
}

fn kinds() -> Done {
    let mut builder = Builder::new([Measure::number("n"), Measure::text("s")]);
    builder.add("a", "t1", [("n", "1".into()), ("s", 3.0.into())])?;
    builder.add("a", "t2", [("n", 2.0.into()), ("s", "later".into())])?;
    builder.add("b", "t1", [("n", 1.0.into()), ("s", "x".into())])?;
    let table = builder.build(&Policy { holes: Holes::Fill, ..recompute() })?.table;
    assert_eq!((value(&table, "a", "n"), value(&table, "b", "n")), (Some(1.5), Some(0.5)));
    let (number, text) = (table.measure_named("n")?, table.measure_named("s")?);
    assert_eq!(table.value(table.find("a")?, text), Some(Value::from("3.0")));
    let missing = table.topic("t2").expect("a topic");
    let of = |measure| {
        let mut cells = table.cells();
        let b = table.find("b").expect("a run");
        let found = cells.find(|cell| {
            cell.run == b && cell.measure == measure && cell.scope == Scope::Topic(missing)
        });
        found.map(|cell| cell.value.to_string())
    };
    assert_eq!((of(number), of(text)), (Some("0.0".to_owned()), Some(String::new())));
    Ok(())
}

fn booleans() -> Done {
    let mut builder = Builder::new([Measure::number("is_match")]);
    for (topic, is_match) in [("t1", true), ("t2", false), ("t3", true), ("t4", true)] {
        builder.add("a", topic, [("is_match", f64::from(u8::from(is_match)).into())])?;
    }
    let table = builder.build(&Policy::default())?.table;
    assert_eq!(value(&table, "a", "is_match"), Some(0.75));
    Ok(())
}

fn adds() -> Done {
    let mut builder = Builder::new([Measure::number("letters")]);
    assert!(builder.add("c", "t1", [("leters", 1.0.into())]).is_err(), "an unknown measure");
    assert!(builder.add("c", "t1", []).is_err(), "a missing measure");
    assert!(builder.add("c", "t1", [("letters", "many".into())]).is_err(), "not a number");
    builder.add("c", "t1", [("letters", "1.5".into())])?;
    let table = builder.build(&Policy::default())?.table;
    assert_eq!(value(&table, "c", "letters"), Some(1.5));
    Ok(())
}

fn records() -> Done {
    let mut builder = Builder::new([Measure::number("letters")]);
    let words = [("a", "four"), ("b", "of")];
    builder.add_records(&words, |(run, word)| {
        let letters = word.chars().map(|_| 1.0).sum::<f64>();
        (*run, "t1", [("letters", letters.into())])
    })?;
    let table = builder.build(&Policy::default())?.table;
    assert_eq!(
        (value(&table, "a", "letters"), value(&table, "b", "letters")),
        (Some(4.0), Some(2.0))
    );
    Ok(())
}

fn entries() -> Done {
    let policy = Policy { aggregates: Aggregates::Keep, holes: Holes::Skip, ..Policy::default() };
    for (skip_aggregates, wanted) in [(true, None), (false, Some(3.0))] {
        let mut builder = Builder::default();
        builder.add_entries(&graded()?, skip_aggregates)?;
        assert_eq!(value(&builder.build(&policy)?.table, "b", "letters"), wanted);
    }
    Ok(())
}

fn merged() -> Done {
    let mut small = Builder::new([Measure::number("letters")]);
    small.add("c", "t1", [("letters", 1.0.into())])?;
    let small = small.build(&Policy::default())?.table;
    let mut merged = Builder::default();
    merged.merge_all([&graded()?, &small])?;
    let table = merged.build(&recompute())?.table;
    assert_eq!((table.len(), value(&table, "c", "letters")), (3, Some(1.0)));
    Ok(())
}

fn of_table() -> Done {
    let names = |drop| -> Result<Vec<String>, Box<dyn Error>> {
        Ok(Builder::for_table(given()?, drop).measure_names().map(str::to_owned).collect())
    };
    assert_eq!(names(false)?, ["seen", "whole"]);
    assert_eq!(names(true)?, ["seen"], "`whole` cannot be computed from topics");
    Ok(())
}

fn built() -> Done {
    let mut builder = Builder::new([Measure::number("n")]);
    builder.add("a", "t1", [("n", 1.0.into())])?;
    let expect = Expect::Topics(vec!["t1".to_owned(), "t2".to_owned()]);
    let build = |holes| {
        let policy = Policy { holes, expect: expect.clone(), ..Policy::default() };
        builder.clone().build(&policy)
    };
    assert!(build(Holes::Error).is_err(), "t2 is missing");
    let fixed = build(Holes::FixAggregate)?.table;
    assert_eq!(value(&fixed, "a", "n"), Some(0.5));
    assert_eq!(value(&build(Holes::Skip)?.table, "a", "n"), Some(1.0));
    Ok(())
}

fn names() -> Done {
    let mut builder = Builder::new([Measure::number("letters")]);
    builder.measure(Measure::text("label"))?;
    assert_eq!(builder.measure_names().collect::<Vec<_>>(), ["letters", "label"]);
    let set: std::collections::BTreeSet<&str> = builder.measure_names().collect();
    assert!(set.contains("label"));
    Ok(())
}

fn cast() -> Done {
    let builder = Builder::new([Measure::number("letters")]);
    let row = builder.cast_values([("letters", "1.5".into())])?;
    assert_eq!(row, [("letters", 1.5.into())]);
    assert!(builder.cast_values([("letters", "many".into())]).is_err());
    Ok(())
}

fn aggregates() -> Done {
    let of = |policy: &Policy| -> Result<Option<f64>, Box<dyn Error>> {
        Ok(value(&Builder::from_table(given()?).build(policy)?.table, "a", "seen"))
    };
    assert_eq!(of(&Policy { aggregates: Aggregates::Keep, ..Policy::default() })?, Some(0.9));
    let fresh = Builder::for_table(given()?, true).build(&recompute())?.table;
    assert_eq!((value(&fresh, "a", "seen"), fresh.measures().count()), (Some(0.5), 1));
    Ok(())
}

fn selected() -> Done {
    let select = Select { topics: Some(vec!["t1".to_owned()]), ..Select::default() };
    let part = graded()?.select(&select, &recompute())?.table;
    assert_eq!(value(&part, "b", "letters"), Some(2.0));
    Ok(())
}

/// A results file of two tasks; without hashes if `hashes` is empty.
fn results(model: &str, em: f64, hashes: &str) -> String {
    format!(
        r#"{{"config_general": {{"model_name": "{model}", "max_samples": null}},
            "results": {{"gsm8k": {{"em": {em}}}}}, "versions": {{"gsm8k": 0}},
            "config_tasks": {{"gsm8k": {{"effective_num_docs": 100, "original_num_docs": 100}}}},
            "summary_tasks": {{"gsm8k": {{"hashes": {{{hashes}}}}}}}}}"#
    )
}

#[test]
fn every_row_about_comparability_is_true() {
    let hashes = r#""hash_examples": "72b6f5800320393e", "hash_full_prompts": "2525db8437d5d1bf",
        "hash_input_tokens": "8f3994649349ab37", "hash_cont_tokens": "9fcb202a6afcc69e""#;
    let config = |more: &str| {
        format!(
            r#"{{{more} "packs": [{{"id": "reasoning", "tasks": ["gsm8k"], "primary_metric": "em", "scoring_mode": "deterministic"}}]}}"#
        )
    };
    let world = World::new();
    world.write("seeds.json", config(""));
    world.write("official.json", config(r#""official_baselines": ["org/second"],"#));
    world.write(
        "strict.json",
        config(r#""cohort": {"dimensions": ["pack", "scoring_mode", "backend"]},"#),
    );
    world.write("results_2026-05-14T12-00-00.json", results("org/first", 0.6, hashes));
    world.write("results_2026-05-15T12-00-00.json", results("org/second", 0.8, hashes));
    world.write("results_2026-05-16T12-00-00.json", results("org/bare", 0.5, ""));
    world.write("results_2026-05-17T12-00-00.json", results("org/judged", 0.9, hashes));
    crate::boards::write_board(&world, &crate::boards::board(&crate::boards::Shape::default()));
    let second = || {
        let file = world.read("site/v1/packs/reasoning.json");
        let file: serde_json::Value = serde_json::from_str(&file).expect("JSON");
        let entries = file["entries"].as_array().expect("runs");
        let second = entries.iter().find(|entry| entry["model"] == "org/second").expect("a run");
        second["runId"].as_str().expect("an id").to_owned()
    };
    // The id of a run follows from its file.
    let id = {
        let scratch = World::new();
        scratch.write("seeds.json", config(""));
        let file = "results_2026-05-15T12-00-00.json";
        scratch.write(file, world.read(file));
        let ran = scratch.run(&["record", file, "--pack", "reasoning", "--json"]);
        let run: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        run["runId"].as_str().expect("an id").to_owned()
    };
    let official = format!(r#""official_baselines": ["{id}"],"#);
    world.write("official-run.json", config(&official));
    check("ADR 0025", &world, &second, &[]);
    let typo = official.replace("-reasoning", "-reasonin");
    world.write("typo.json", config(&typo));
    let ran = world.run(&["history", "--pack", "reasoning", "--config", "typo.json"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("did you mean `{id}`?")), "{}", ran.stderr);
}

#[test]
fn every_row_about_the_weekly_updater_is_true() {
    let world = World::new();
    let run = |id: &str, day: &str, score: f64, soundness: f64, citation: f64, flag: bool| {
        format!(
            r#"{{"runId":"{id}","runAt":"2026-05-{day}T12:00:00Z","model":"claude-sonnet-4-5","aggregateScore":{score},
                "hallucinationRate":0,"regressionDetected":{flag},"latencyP95Ms":1200,"costPerMessageUsd":0.004,
                "reportUrl":"https://example.org/run/{id}",
                "scores":{{"datasets":{{"contracts":4.1}},"rubrics":{{"soundness":{soundness},"citation":{citation}}}}}}}"#
        )
    };
    world.write("first.json", run("seed", "14", 4.2, 4.5, 3.9, false));
    for (id, day) in [("a", "05"), ("b", "06"), ("c", "07")] {
        world.write(&format!("old-runs/{id}.json"), run(id, day, 4.1, 4.1, 4.1, false));
    }
    world.write("slack.json", run("slack", "21", 4.3, 4.5, 4.1, false));
    world.write("fall.json", run("fall", "21", 3.0, 3.0, 3.0, true));
    world.write("weights.json", r#"{"rubrics": {"soundness": 2, "citation": 1}}"#);
    check("eval.leaderboard-updater", &world, &nothing, &[]);
}
