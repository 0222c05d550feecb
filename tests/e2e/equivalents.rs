//! Runs every row of docs/equivalents.md: its command, or the function that it names.

use std::collections::BTreeMap;
use std::error::Error;

use gmat_leaderboard::table::{
    Aggregates, Builder, Expect, Holes, Judge, Measure, Policy, Select, Table,
};

use crate::harness::World;

const DOCS: &str = include_str!("../../docs/equivalents.md");
const OWN: &str = include_str!("equivalents.rs");

/// One row: what is done, and what is expected.
struct Line {
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
        let [_, does, answer] = cells[..] else { panic!("three cells: {row}") };
        let quoted = |cell: &str| -> Vec<String> {
            cell.split('`').skip(1).step_by(2).map(|it| it.replace('\u{1}', "|")).collect()
        };
        let code = answer.strip_prefix("exit ").and_then(|rest| rest.split(':').next());
        let code = code.map_or(0, |code| code.parse().expect("a code"));
        Line { does: quoted(does), code, answers: quoted(answer) }
    })
    .collect()
}

fn plain(text: &str) -> String {
    text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs the commands of a section in `world`, one after the other. `RUN` in a path is `run`.
fn check(heading: &str, world: &World, run: &dyn Fn() -> String) {
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let lines = lines(heading);
    assert!(lines.len() > 9, "{heading}");
    for Line { does, code, answers } in lines {
        let command = does.first().expect("a command or a function");
        let Some(args) = command.strip_prefix("gmat-leaderboard ") else {
            for name in &does {
                let name = name.rsplit("::").next().expect("a name");
                let is_called =
                    OWN.contains(&format!("{name}(")) || OWN.contains(&format!("{name} "));
                assert!(is_called, "`{name}` is not used by this test");
            }
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
            Some((file, rest)) if file.starts_with("site/") || file.starts_with("leaderboard/") => {
                (world.read(&file.replace("RUN", &run())), rest)
            }
            _ => (said.clone(), &answers[..]),
        };
        assert!(!wanted.is_empty(), "{command}");
        for wanted in wanted {
            assert!(plain(&text).contains(&plain(wanted)), "{command}\nhas no {wanted}\n{text}");
        }
    }
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
    check("rlm-code", &world, &nothing);

    let table = gmat_leaderboard::load(&world.path(".rlm_code")).expect("loaded");
    assert_eq!(table.distinct("environment"), ["dspy", "generic", "pure_rlm"]);
    assert_eq!(table.id(table.find("abc1").expect("a run")), "abc12345deadbeefcafe");
    let (rest, was_there) = table.remove("run_one").expect("removed");
    assert_eq!((rest.len(), was_there), (2, true));
    let more = gmat_leaderboard::load(&world.path("more.csv")).expect("loaded");
    let mut builder = Builder::for_table(rest, false);
    builder.add_entries(&more, false).expect("added");
    assert_eq!(builder.build(&Policy::default()).expect("built").table.len(), 3);
}

#[test]
fn every_row_about_the_leaderboard_of_measures_is_true() -> Result<(), Box<dyn Error>> {
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
    check("autojudge", &world, &nothing);
    library()
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

fn library() -> Result<(), Box<dyn Error>> {
    let table = Longest
        .judge(&[("a", "t1", "four"), ("b", "t1", "of"), ("b", "t2", "some")], &["t1", "t2"])?;
    let number = |table: &Table, run: &str, name: &str| {
        table.number(table.find(run).expect("a run"), table.measure_named(name).expect("a measure"))
    };
    assert_eq!(
        (number(&table, "a", "letters"), number(&table, "b", "letters")),
        (Some(2.0), Some(3.0))
    );

    let mut builder = Builder::new([Measure::number("letters")]);
    assert_eq!(builder.measure_names().collect::<Vec<_>>(), ["letters"]);
    assert!(builder.add("c", "t1", [("leters", 1.0.into())]).is_err(), "an unknown measure");
    assert!(builder.add("c", "t1", []).is_err(), "a missing measure");
    let row = builder.cast_values([("letters", "1.5".into())])?;
    assert_eq!(row, [("letters", 1.5.into())]);
    assert!(builder.cast_values([("letters", "many".into())]).is_err());
    builder.add("c", "t1", [("letters", 1.0.into())])?;
    let small = builder.build(&Policy::default())?.table;

    let mut merged = Builder::default();
    merged.merge_all([&table, &small])?;
    assert_eq!(merged.build(&Policy::default())?.table.len(), 3);

    let mut only_topics = Builder::default();
    only_topics.add_entries(&table, true)?;
    let policy = Policy { aggregates: Aggregates::Keep, holes: Holes::Skip, ..Policy::default() };
    let only_topics = only_topics.build(&policy)?.table;
    assert_eq!(number(&only_topics, "b", "letters"), None, "aggregates were skipped");

    let mut given = Builder::default();
    let (seen, whole) = (
        given.measure(Measure::number("seen"))?,
        given.measure(Measure::number("whole").aggregate_only())?,
    );
    let (run, topic) = (given.run("a"), given.topic("t1"));
    given.cell(run, gmat_leaderboard::table::Scope::Topic(topic), seen, 0.5.into(), 0)?;
    given.aggregate(run, seen, 0.9.into())?;
    given.aggregate(run, whole, 7.0.into())?;
    let given = given.build(&Policy { aggregates: Aggregates::Keep, ..Policy::default() })?.table;
    let kept = Builder::for_table(given.clone(), false);
    assert_eq!(kept.measure_names().count(), 2);
    let fresh = Builder::for_table(given, true)
        .build(&Policy { aggregates: Aggregates::Recompute, ..Policy::default() })?
        .table;
    assert_eq!((number(&fresh, "a", "seen"), fresh.measures().count()), (Some(0.5), 1));

    let select = Select { topics: Some(vec!["t1".to_owned()]), ..Select::default() };
    let policy = Policy { aggregates: Aggregates::Recompute, ..Policy::default() };
    let part = table.select(&select, &policy)?.table;
    assert_eq!(number(&part, "b", "letters"), Some(2.0));
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
    check("ADR 0025", &world, &second);
}

#[test]
fn every_row_about_the_weekly_updater_is_true() {
    let world = World::new();
    let run = |id: &str, day: &str, score: f64, soundness: f64, citation: f64, flag: bool| {
        format!(
            r#"{{"runId":"{id}","runAt":"2026-05-{day}T12:00:00Z","model":"claude-sonnet-4-5","aggregateScore":{score},
                "hallucinationRate":0,"regressionDetected":{flag},
                "scores":{{"rubrics":{{"soundness":{soundness},"citation":{citation}}}}}}}"#
        )
    };
    world.write("first.json", run("seed", "14", 4.2, 4.5, 3.9, false));
    for (id, day) in [("a", "05"), ("b", "06"), ("c", "07")] {
        world.write(&format!("old-runs/{id}.json"), run(id, day, 4.1, 4.1, 4.1, false));
    }
    world.write("slack.json", run("slack", "21", 4.3, 4.5, 4.1, false));
    world.write("fall.json", run("fall", "21", 3.0, 3.0, 3.0, true));
    world.write("weights.json", r#"{"rubrics": {"soundness": 2, "citation": 1}}"#);
    check("eval.leaderboard-updater", &world, &nothing);
}
