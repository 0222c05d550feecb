//! LightEval results as runs of a pack: scores, grades, baselines, and nothing secret.

use crate::harness::{Ran, World};

const CONFIG: &str = r#"{"packs": [{"id": "reasoning", "tasks": ["gsm8k|0", "mmlu|5"], "weights": {"gsm8k|0": 3},
    "primary_metric": {"gsm8k|0": "em", "mmlu|5": "acc"}, "scoring_mode": "deterministic"}]}"#;

/// A results file whose hashes add up.
fn results(model: &str, em: &str, docs: u32) -> String {
    let hashes = |examples: &str| {
        format!(
            r#"{{"hash_examples": "{examples}", "hash_full_prompts": "2525db8437d5d1bf",
                 "hash_input_tokens": "8f3994649349ab37", "hash_cont_tokens": "9fcb202a6afcc69e"}}"#
        )
    };
    let sum = |parts: [&str; 2]| {
        gmat_leaderboard::internals::domain::xxh64_hex(parts.concat().as_bytes())
    };
    let summary = format!(
        r#"{{"hash_examples": "{}", "hash_full_prompts": "{}", "hash_input_tokens": "{}", "hash_cont_tokens": "{}"}}"#,
        sum(["72b6f5800320393e", "82b6f5800320393e"]),
        sum(["2525db8437d5d1bf"; 2]),
        sum(["8f3994649349ab37"; 2]),
        sum(["9fcb202a6afcc69e"; 2]),
    );
    format!(
        r#"{{"config_general": {{"model_name": "{model}", "max_samples": null, "model_config": {{
            "generation_parameters": {{"temperature": 0.0, "seed": 7, "stop": "CANARY"}},
            "api_key": "sk-CANARY", "base_url": "https://CANARY.example", "cache_dir": "/home/CANARY/x"}}}},
          "results": {{"gsm8k|0": {{"em": {em}}}, "mmlu|5": {{"acc": 0.4, "odd": "N/A", "deep": {{"a": 1}}, "none": null}}, "all": {{"em": 1}}}},
          "versions": {{"gsm8k|0": 0, "mmlu|5": 0}},
          "config_tasks": {{"gsm8k|0": {{"effective_num_docs": {docs}, "original_num_docs": 100}},
                            "mmlu|5": {{"effective_num_docs": 50, "original_num_docs": 50}}}},
          "summary_tasks": {{"gsm8k|0": {{"hashes": {}}}, "mmlu|5": {{"hashes": {}}}}},
          "summary_general": {{"hashes": {summary}}}}}"#,
        hashes("72b6f5800320393e"),
        hashes("82b6f5800320393e"),
    )
}

pub fn world() -> World {
    let world = World::new();
    world.write("seeds.json", CONFIG);
    world.write("r/results_2026-05-14T12-00-00.123456.json", results("org/first", "0.6", 100));
    world.write("r/results_2026-05-15T12-00-00.json", results("org/second", "0.8", 100));
    world.write("r/results_2026-05-16T12-00-00.json", results("org/part", "0.9", 10));
    world.write("r/results_2026-05-17T12-00-00.json", results("org/nan", "NaN", 100));
    world
}

fn clean(ran: &Ran) {
    assert!(!ran.stdout.contains("CANARY") && !ran.stderr.contains("CANARY"), "{ran:?}");
}

#[test]
fn results_become_runs_with_grade_cohort_baseline_and_delta() {
    let world = world();
    let ran = world.run(&["record", "r", "--pack", "reasoning", "--now", "2026-06-01T00:00:00Z"]);
    clean(&ran);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains(
            "note: r/results_2026-05-17T12-00-00.json: no score: missing_metric:gsm8k|0:em\n"
        ),
        "{}",
        ran.stderr
    );
    assert!(!world.read("leaderboard/history.jsonl").contains("CANARY"));
    let ran = world.run(&["history", "--pack", "reasoning", "--json"]);
    crate::schemas::holds_text("history-pack", &ran.stdout);
    clean(&ran);
    let rows: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let row = |index: usize, key: &str| rows[index]["compared"][key].clone();
    assert_eq!((rows[0]["score"].as_f64(), rows[1]["score"].as_f64()), (Some(0.55), Some(0.7)));
    assert_eq!((row(0, "grade"), row(0, "is_baseline")), ("full".into(), true.into()));
    assert_eq!(row(1, "delta_from_baseline"), 0.15);
    assert_eq!((rows[2]["partial"].as_bool(), row(2, "is_baseline")), (Some(true), true.into()));
    assert_ne!(row(2, "cohort_id"), row(1, "cohort_id"));
    assert_eq!(rows[3]["score"], serde_json::Value::Null);
    assert_eq!(row(3, "not_comparable_because"), serde_json::json!(["no_score"]));
    let shown = world.run(&["history", "--pack", "reasoning"]);
    clean(&shown);
    assert!(shown.stdout.contains("org/second  2026-05-15 12:00  0.700  full"), "{}", shown.stdout);
    let again = world.run(&["record", "r", "--pack", "reasoning", "-q", "--json"]);
    assert!(!again.stdout.contains("\"inserted\""), "{}", again.stdout);
    assert_eq!(world.run(&["history", "verify"]).code, 0);
}

/// Every hash replaced by one constant, as converters do that have none.
fn pasted(result: &str) -> String {
    let mut parts = result.split("\"hash_").map(str::to_owned);
    let first = parts.next().unwrap_or_default();
    parts.fold(first, |text, part| {
        let (field, rest) = part.split_once("\": \"").expect("a hash");
        let rest = rest.split_once('"').expect("an end").1;
        format!("{text}\"hash_{field}\": \"0123456789abcdef\"{rest}")
    })
}

#[test]
fn a_pack_has_a_page_with_grade_baseline_difference_and_reasons_and_nothing_secret() {
    let world = world();
    world.write("r/results_2026-05-18T12-00-00.json", pasted(&results("org/pasted", "1.0", 100)));
    let dropped = results("org/<dropped>", "0.9", 100).replace("\"gsm8k|0\"", "\"other|0\"");
    world.write("r/results_2026-05-19T12-00-00.json", dropped);
    crate::boards::write_board(&world, &crate::boards::board(&crate::boards::Shape::default()));
    let ran = world.run(&["record", "r", "--pack", "reasoning", "--now", "2026-06-01T00:00:00Z"]);
    clean(&ran);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = world.run(&["render", "-q"]);
    clean(&ran);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for entry in walkdir::WalkDir::new(world.path("site")).into_iter().flatten() {
        if entry.file_type().is_file() {
            let text =
                String::from_utf8_lossy(&std::fs::read(entry.path()).expect("read")).into_owned();
            assert!(!text.contains("CANARY"), "{}", entry.path().display());
        }
    }
    let page = world.read("site/packs/reasoning.html");
    assert!(world.read("site/index.html").contains("<a href=\"packs/reasoning.html\">Packs</a>"));
    assert!(page.contains("6 runs recorded. Weighted mean of 2 tasks, scored by rule; a missing task gives no score."), "{page}");
    let row = |model: &str| {
        let row =
            page.split("<tr>").find(|row| row.starts_with(&format!("<th scope=\"row\">{model}<")));
        row.unwrap_or_else(|| panic!("no {model} in {page}"))
    };
    assert!(
        row("org/second").contains("<td class=\"n\">0.700</td><td class=\"n up\">+0.150</td>"),
        "{}",
        row("org/second")
    );
    assert!(row("org/second").contains("<small>grade full</small>"));
    assert!(
        row("org/first").contains("<td class=\"n \">0.000<small>baseline</small></td>"),
        "{}",
        row("org/first")
    );
    assert!(row("org/part").contains("0.775<small>part of the set</small>"), "{}", row("org/part"));
    assert!(row("org/nan").contains("–<small>no metric gsm8k|0:em</small></td><td class=\"n none\">–<small>no score yet</small>"), "{}", row("org/nan"));
    assert!(
        row("org/pasted")
            .contains("<small>grade none: 4 hashes over all tasks that do not add up</small>"),
        "{}",
        row("org/pasted")
    );
    assert!(
        row("org/&lt;dropped&gt;").contains("–<small>no task gsm8k|0</small>"),
        "{}",
        row("org/&lt;dropped&gt;")
    );
    assert!(page.contains("Δ is relative to org/first at 0.550, the earliest completed run of this cohort (run <code>le-"), "{page}");
    let file: serde_json::Value =
        serde_json::from_str(&world.read("site/v1/packs/reasoning.json")).expect("JSON");
    for run in std::fs::read_dir(world.path("site/v1/runs")).expect("the runs") {
        let text = std::fs::read_to_string(run.expect("a file").path()).expect("text");
        crate::schemas::holds_text("pack-run", &text);
    }
    assert_eq!(file["baselineScore"], 0.55);
    let entries = file["entries"].as_array().expect("runs");
    let of = |model: &str| entries.iter().find(|entry| entry["model"] == model).expect(model);
    assert_eq!(of("org/second")["deltaFromBaseline"], 0.15);
    assert_eq!(
        of("org/nan")["reasons"],
        serde_json::json!(["missing_metric:gsm8k|0:em", "no_score"])
    );
    assert_eq!(of("org/pasted")["isReproducible"], false);
    let run = |model: &str, key: &str| {
        world.read(&format!("site/{}", of(model)[key].as_str().expect("a path")))
    };
    let second: serde_json::Value = serde_json::from_str(&run("org/second", "file")).expect("JSON");
    for (key, value) in [
        ("pack", "reasoning".into()),
        ("packScore", 0.7.into()),
        ("baselineScore", 0.55.into()),
        ("deltaFromBaseline", 0.15.into()),
        ("isComparable", true.into()),
        ("isReproducible", true.into()),
        ("status", "completed".into()),
        ("scoringMode", "deterministic".into()),
        ("judgeModel", serde_json::Value::Null),
        ("backend", serde_json::Value::Null),
        ("problems", serde_json::json!([])),
        ("generationParameters", serde_json::json!({"seed": "7", "temperature": "0.0"})),
    ] {
        assert_eq!(second[key], value, "{key}");
    }
    assert_eq!(second["taskHashes"]["mmlu|5"]["hash_examples"], "82b6f5800320393e");
    let page = run("org/second", "page");
    for words in [
        "Scores 0.700: +0.150 from the baseline, org/first at 0.550.",
        "<li>Reproducible</li>\n<li>Comparable</li>",
        "<tr><th scope=\"row\">gsm8k|0</th><td class=\"l\">em</td><td class=\"n l\">3</td><td class=\"n\">0.800</td><td class=\"n\">0.600</td><td class=\"n\">+0.200</td></tr>",
        "<tr><th scope=\"row\">Generation</th><td>seed 7, temperature 0.0</td></tr>",
        "<td><code>8f3994649349ab37</code></td>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let nan = run("org/nan", "page");
    assert!(nan.contains("No score: no metric gsm8k|0:em."), "{nan}");
    assert_eq!(of("org/<dropped>")["packScore"], serde_json::Value::Null);
}

#[test]
fn an_official_baseline_is_used_or_refused_in_words() {
    let world = world();
    assert_eq!(world.run(&["record", "r", "--pack", "reasoning", "-q"]).code, 0);
    let rows = world.run(&["history", "--pack", "reasoning", "--json"]).stdout;
    let rows: serde_json::Value = serde_json::from_str(&rows).expect("JSON");
    let id = |index: usize| rows[index]["run_id"].as_str().expect("an id").to_owned();
    let official =
        |ids: &str| CONFIG.replacen('{', &format!("{{\"official_baselines\": [{ids}], "), 1);
    world.write("seeds.json", official(&format!("\"{}\"", id(1))));
    let ran = world.run(&["history", "--pack", "reasoning", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(rows[0]["compared"]["delta_from_baseline"], -0.15);
    for (ids, words) in [
        (
            "\"nobody\"".to_owned(),
            "official baseline `nobody` is not a recorded run or a row of this board".to_owned(),
        ),
        (format!("\"{}\"", id(3)), format!("official baseline `{}` has no score", id(3))),
    ] {
        world.write("seeds.json", official(&ids));
        let ran = world.run(&["history", "--pack", "reasoning"]);
        assert_eq!(ran.code, 2);
        assert!(
            ran.stderr.starts_with("error[H-BASELINE]: ") && ran.stderr.contains(&words),
            "{}",
            ran.stderr
        );
    }
    let retracted = id(1);
    world.write("seeds.json", CONFIG);
    let ran = world.run(&["history", "retract", &retracted, "--reason", "wrong set"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    world.write("seeds.json", official(&format!("\"{retracted}\"")));
    let ran = world.run(&["history", "--pack", "reasoning"]);
    let words = format!("error[H-BASELINE]: official baseline `{retracted}` was retracted\n");
    assert!(ran.stderr.starts_with(&words), "{}", ran.stderr);
}

#[test]
fn a_file_that_is_no_result_is_refused_with_a_reason() {
    let world = world();
    world.write("results.json", results("org/m", "0.5", 100));
    world.write("results_2026-05-18T12-00-00.json", "{\"results\": {}}");
    world.write("results_2026-05-19T12-00-00.json", vec![b' '; 40 << 20]);
    world.write(
        "results_2026-05-20T12-00-00.json",
        results("org/odd", "{\"deep\": 1}", 100).replace("\"acc\": 0.4", "\"acc\": \"sk-CANARY\""),
    );
    let ran = world.run(&["record", "results_2026-05-20T12-00-00.json", "--pack", "reasoning"]);
    clean(&ran);
    assert_eq!(ran.code, 0);
    for what in [
        "`results.gsm8k|0.em` is an object; it counts as missing",
        "`results.mmlu|5.acc` is a string; it counts as missing",
        "`results.mmlu|5.none` is null; it counts as missing",
        "no score: missing_metric:gsm8k|0:em",
        "no score: missing_metric:mmlu|5:acc",
    ] {
        let note = format!("note: results_2026-05-20T12-00-00.json: {what}\n");
        assert!(ran.stderr.contains(&note), "{}", ran.stderr);
    }
    // As a table the same files keep their secrets too.
    for to in ["table", "json", "csv", "markdown"] {
        let ran = world.run(&["rank", "r", "--to", to]);
        clean(&ran);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let large = world.run(&["rank", "results_2026-05-19T12-00-00.json", "--from", "lighteval"]);
    assert_eq!(large.code, 2);
    assert!(large.stderr.contains("above the limit of 33554432"), "{}", large.stderr);
    for (file, words) in [
        ("results.json", "has no timestamp"),
        ("results_2026-05-18T12-00-00.json", "it has no `config_general.model_name`"),
        ("results_2026-05-19T12-00-00.json", "has 41943040 bytes, above the limit of 33554432"),
    ] {
        let ran = world.run(&["record", file, "--pack", "reasoning"]);
        clean(&ran);
        assert_eq!(ran.code, 2, "{file}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let timed =
        ["record", "results.json", "--pack", "reasoning", "--run-at", "2026-05-18T12:00:00+02:00"];
    assert_eq!(world.run(&timed).code, 0);
    let ran = world.run(&["record", "results.json", "--pack", "resoning"]);
    assert_eq!((ran.code, ran.stderr.contains("did you mean `reasoning`?")), (2, true));
}

/// The runs of v1/packs/ID.json by model.
fn published(world: &World, pack: &str) -> (serde_json::Value, Vec<serde_json::Value>) {
    let ran = world.run(&["render", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let file = world.read(&format!("site/v1/packs/{pack}.json"));
    let file: serde_json::Value = serde_json::from_str(&file).expect("JSON");
    let entries = file["entries"].as_array().expect("runs").clone();
    (file, entries)
}

fn of<'e>(entries: &'e [serde_json::Value], model: &str) -> &'e serde_json::Value {
    entries.iter().find(|entry| entry["model"] == model).expect(model)
}

const FIRST: &str = "r/results_2026-05-14T12-00-00.123456.json";
const SECOND: &str = "r/results_2026-05-15T12-00-00.json";

/// A world with a board, so that it can be rendered, and the packs of `config`.
fn board_and(config: &str) -> World {
    let world = world();
    world.write("seeds.json", config);
    crate::boards::write_board(&world, &crate::boards::board(&crate::boards::Shape::default()));
    world
}

fn record(world: &World, file: &str, more: &[&str]) -> Ran {
    world.run(&[&["record", file, "--pack", "reasoning"], more].concat())
}

#[test]
fn judge_scored_packs_compare() {
    let world = board_and(&CONFIG.replace("deterministic", "judge"));
    for file in [FIRST, SECOND] {
        let ran = record(&world, file, &["--judge", "openai/gpt-4.1-mini"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let (file, entries) = published(&world, "reasoning");
    assert_eq!(file["baselineModel"], "org/first");
    let second = of(&entries, "org/second");
    assert_eq!(
        (&second["isComparable"], &second["deltaFromBaseline"]),
        (&true.into(), &0.15.into())
    );
    assert_eq!(
        (&second["scoringMode"], &second["judgeModel"]),
        (&"judge".into(), &"openai/gpt-4.1-mini".into())
    );
    assert_eq!(second["baselineModel"], "org/first");
    let page = world.read("site/packs/reasoning.html");
    assert!(page.contains("judged by openai/gpt-4.1-mini"), "{page}");
    assert!(page.contains("scored by a judge"), "{page}");
}

#[test]
fn another_scoring_mode_than_the_baseline_is_not_comparable() {
    let world = board_and(CONFIG);
    assert_eq!(record(&world, FIRST, &[]).code, 0);
    // What the file says wins; a typed mode that contradicts it is refused.
    let judged = results("org/second", "0.8", 100).replacen('{', "{\"scoring_mode\": \"jury\",", 1);
    world.write(SECOND, judged);
    let ran = record(&world, SECOND, &["--scoring-mode", "judge"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("the file says `jury` where `--scoring-mode` says `judge`"),
        "{}",
        ran.stderr
    );
    assert_eq!(record(&world, SECOND, &[]).code, 0);
    let (file, entries) = published(&world, "reasoning");
    assert_eq!(file["baselineScore"], 0.55);
    let second = of(&entries, "org/second");
    assert_eq!(second["scoringMode"], "jury");
    assert_eq!((&second["isComparable"], &second["isBaseline"]), (&false.into(), &false.into()));
    // A number, though it says nothing about which is better.
    assert_eq!(
        (&second["deltaFromBaseline"], &second["baselineModel"]),
        (&0.15.into(), &"org/first".into())
    );
    // Against runs of its own mode it is the first.
    let own = world.read(&format!("site/{}", second["file"].as_str().expect("a file")));
    let own: serde_json::Value = serde_json::from_str(&own).expect("JSON");
    assert_eq!(
        (&own["isBaseline"], &own["deltaFromBaseline"], &own["isComparable"]),
        (&true.into(), &0.0.into(), &true.into())
    );
    assert_eq!(second["reasons"][0], "other_scoring_mode");
    let page = world.read("site/packs/reasoning.html");
    assert!(page.contains("scored in another mode than the baseline"), "{page}");
    assert!(
        page.contains("Not comparable: the baseline of the pack was scored in another mode."),
        "{page}"
    );
    assert!(page.contains("<td class=\"n none\">+0.150<small>scored in another mode"), "{page}");
}

#[test]
fn a_failed_run_is_recorded_as_failed_and_is_no_baseline() {
    let world = board_and(CONFIG);
    let ran = record(&world, FIRST, &["--status", "failed"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("no score: the run is failed"), "{}", ran.stderr);
    let in_file = results("org/part", "0.9", 100)
        .replace("\"config_general\": {", "\"config_general\": {\"status\": \"cancelled\", ");
    world.write("r/results_2026-05-16T12-00-00.json", in_file);
    for file in [SECOND, "r/results_2026-05-16T12-00-00.json"] {
        assert_eq!(record(&world, file, &[]).code, 0);
    }
    let (file, entries) = published(&world, "reasoning");
    assert_eq!(
        (&file["baselineModel"], &file["baselineScore"]),
        (&"org/second".into(), &0.7.into())
    );
    for (model, status) in
        [("org/first", "failed"), ("org/part", "cancelled"), ("org/second", "completed")]
    {
        assert_eq!(of(&entries, model)["status"], status, "{model}");
    }
    let failed = of(&entries, "org/first");
    assert_eq!(
        (&failed["packScore"], &failed["isComparable"]),
        (&serde_json::Value::Null, &false.into())
    );
    assert_eq!(failed["reasons"], serde_json::json!(["no_score", "not_completed"]));
    assert_eq!(world.run(&["history", "verify"]).code, 0);
    let odd = results("org/odd", "0.9", 100).replacen('{', "{\"status\": \"success?\",", 1);
    world.write("r/results_2026-05-18T12-00-00.json", odd);
    let ran = record(&world, "r/results_2026-05-18T12-00-00.json", &[]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("`status` is not completed, failed or cancelled"),
        "{}",
        ran.stderr
    );
}

#[test]
fn one_file_can_be_in_two_packs_and_old_ids_stay() {
    let second = r#""packs": [{"id": "other pack", "tasks": ["gsm8k|0"], "primary_metric": "em", "scoring_mode": "deterministic"}, "#;
    let world = board_and(&CONFIG.replacen("\"packs\": [", second, 1));
    assert_eq!(record(&world, FIRST, &[]).code, 0);
    let ran = world.run(&["record", FIRST, "--pack", "other pack", "--strict"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ledger = world.read("leaderboard/history.jsonl");
    assert_eq!(ledger.lines().count(), 2, "{ledger}");
    let ids: Vec<String> = ledger
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|line| line["run_id"].as_str().expect("an id").to_owned())
        .collect();
    assert!(ids[0].starts_with("le-") && ids[0].ends_with("-reasoning"), "{ids:?}");
    assert_eq!(ids[0][..19], ids[1][..19], "the file is the same");
    assert_eq!(ids[1].len(), 36, "a pack with a blank in its id is named by hash: {ids:?}");
    // A ledger of version 0.1 knows the file without its pack: recorded again it is the same run.
    let old = ledger.lines().next().expect("a line").replace("-reasoning\"", "\"");
    world.write("leaderboard/history.jsonl", format!("{old}\n"));
    let ran = record(&world, FIRST, &["--strict"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(world.read("leaderboard/history.jsonl").lines().count(), 1);
    let ran = world.run(&["record", FIRST, "--pack", "other pack", "--strict"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(world.read("leaderboard/history.jsonl").lines().count(), 2);
}

#[test]
fn terms_of_a_run_that_cannot_be_are_refused() {
    let world = board_and(CONFIG);
    for (more, words) in [
        (["--judge", "m"], "a judge `m` is named for a run that is scored by rule"),
        (["--status", "done"], "invalid value 'done' for '--status <STATUS>'"),
        (["--scoring-mode", "dice"], "invalid value 'dice' for '--scoring-mode <MODE>'"),
    ] {
        let ran = record(&world, FIRST, &more);
        assert_eq!(ran.code, 2, "{more:?}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let ran = world.run(&["record", FIRST, "--status", "failed"]);
    assert_eq!(ran.code, 2, "without --pack: {}", ran.stderr);
}
