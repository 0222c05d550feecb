//! Recording runs, looking at them, and what happens to a ledger that was cut or changed.

use crate::harness::{Ran, World};

const NOW: &str = "2026-05-12T13:00:00Z";
const RUNS: &str = r#"{"runId":"r1","runAt":"2026-05-04T12:00:00Z","model":"github:openai/gpt-4.1-mini","aggregateScore":0.80,"hallucinationRate":0,"latencyP95Ms":900,"costPerMessageUsd":0.002,"scores":{"datasets":{"contracts":0.7,"leases":0.9},"rubrics":{"soundness":0.8}}}
{"runId":"r2","runAt":"2026-05-06T12:00:00Z","model":"github:openai/gpt-4.1-mini","aggregateScore":0.82,"hallucinationRate":0.1,"latencyP95Ms":850,"costPerMessageUsd":0.0021,"scores":{"datasets":{"contracts":0.75,"leases":0.85},"rubrics":{"soundness":0.82}}}
{"runId":"r3","runAt":"2026-05-12T12:00:00Z","model":"github:openai/gpt-4.1-mini","aggregateScore":0.70,"regressionDetected":true,"samples":["a prompt"]}
"#;

fn recorded() -> World {
    let world = World::new();
    world.write("runs.jsonl", RUNS);
    assert_eq!(world.run(&["record", "runs.jsonl", "--now", NOW]).code, 0);
    world
}

#[test]
fn a_scale_of_five_works_from_the_first_record_and_a_bare_name_is_one_series() {
    let world = World::new();
    let run = |id: &str, model: &str, day: u8, score: f64, rest: &str| {
        format!(
            r#"{{"runId":"{id}","runAt":"2026-05-{day:02}T12:00:00Z","model":"{model}","aggregateScore":{score},"nPrompts":200{rest}}}"#
        )
    };
    world.write("a.json", run("a", "claude-sonnet-4-5", 4, 4.1, ""));
    let ran = world.run(&["record", "a.json", "--now", NOW]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("`aggregate_score` 4.1 is above `history.score_scale` (1, the default)"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("for scores up to 5, `record --scale 5` sets that key in seeds.json"),
        "{}",
        ran.stderr
    );
    let ran = world.run(&["record", "a.json", "--scale", "5", "--now", NOW]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("set history.score_scale in seeds.json\n"), "{}", ran.stdout);
    assert_eq!(world.read("seeds.json"), "{\"history\": {\"score_scale\": 5}}\n");
    let ran = world.run(&["record", "a.json", "--scale", "10", "--now", NOW]);
    assert_eq!(
        (ran.code, ran.stderr.contains("scale 10 contradicts `history.score_scale` (5)")),
        (2, true),
        "{}",
        ran.stderr
    );

    world.write("seeds.json", r#"{"history": {"score_scale": 5, "default_provider": "anthropic", "detect": {"latency_p95_ms": 500}}}"#);
    let more = [
        run("b", "claude-sonnet-4-5", 5, 4.1, r#","latencyP95Ms":1000"#),
        run("c", "anthropic:claude-sonnet-4-5", 12, 4.2, r#","latencyP95Ms":9000"#),
    ];
    world.write("more.jsonl", more.join("\n"));
    let ran = world.run(&["record", "more.jsonl", "--detect", "--now", NOW]);
    assert!(ran.stderr.contains("note: `c` is a regression: `latency_p95_ms` rose from 1000 to 9000, by more than `history.detect.latency_p95_ms` (500)\n"), "{}", ran.stderr);
    let ran = world.run(&["weekly"]);
    assert_eq!(
        ran.stdout,
        "2026-W20: average 4.20 (+0.10 from 2026-W19), best 4.20, worst 4.20, 1 run(s), 1 scored
hallucination incidents: 0; regressions: 1 opened, 0 resolved, 1 open

model                        this week  last week      Δ  noise         best  worst  runs  incidents  halluc.  Δ  p95 ms      Δ  $/message  Δ  notes
anthropic:claude-sonnet-4-5       4.20       4.10  +0.10  within noise  4.20   4.20     1          0        –  –    9000  +8000          –  –  REGRESSION opened by c
"
    );
    let ran = world.run(&["weekly", "--slack"]);
    let card: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        card["text"],
        "Model quality, week 2026-W20\nAverage of 1 run(s): 4.2 / 5.0 (+0.1 vs 2026-W19)\nHallucination incidents: 0 ✓\nRegressions: 1 opened, 0 resolved, 1 open ✗\n• anthropic:claude-sonnet-4-5: 4.2 (+0.1, within noise); REGRESSION ✗"
    );
    let ran = world.run(&["weekly", "--notify"]);
    assert_eq!(ran.code, 3);
    assert_eq!(
        ran.stderr,
        "warning: could not post 2026-W20 to the quality channel: not_configured\nhelp: check GMAT_SLACK_WEBHOOK_QUALITY, then try again\n"
    );
}

#[test]
fn a_ledger_without_a_board_is_served_and_is_the_source_of_every_analysis() {
    let world = recorded();
    let server = crate::site::Server::start(&world, &[]);
    let index = server.get("/index.html", None);
    assert!(index.contains("<title>Trends · Model quality</title>"), "{index}");
    for args in [
        &["rank", "--by", "score,latency_p95_ms"][..],
        &["stats", "--by", "score"],
        &["group", "--on", "model"],
        &["trend", "--window", "3"],
        &["export", "--to", "csv"],
    ] {
        let ran = world.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        assert!(ran.stdout.contains("score"), "{args:?}: {}", ran.stdout);
    }
    let export: serde_json::Value =
        serde_json::from_str(&world.run(&["rank", "--json"]).stdout).expect("JSON");
    let better = |name: &str| {
        let measures = export["measures"].as_array().expect("a list");
        let found = measures.iter().find(|measure| measure["name"] == name);
        found.map(|measure| measure["better"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(better("score").as_deref(), Some("higher"));
    assert_eq!(better("hallucination_rate").as_deref(), Some("lower"));
    let ids: Vec<&str> = export["entries"]
        .as_array()
        .expect("rows")
        .iter()
        .take(2)
        .map(|row| row["id"].as_str().expect("an id"))
        .collect();
    let ran = world.run(&["compare", ids[0], ids[1], "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn a_ledger_without_a_board_is_a_site() {
    let world = recorded();
    let ran = world.run(&["render"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains(" of the ledger to site\n"), "{}", ran.stdout);
    let index = world.read("site/index.html");
    assert!(index.contains("<title>Trends · Model quality</title>"), "{index}");
    for words in ["What changed", "Every model", "Every week", "gpt-4.1-mini"] {
        assert!(index.contains(words), "{words}: {index}");
    }
    let changes = world.read("site/changes.html");
    assert!(changes.contains("<h1>What happened</h1>"), "{changes}");
    assert!(changes.contains("leads the first week with"), "{changes}");
    let mut pages = 0;
    for entry in walkdir::WalkDir::new(world.path("site")).into_iter().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_run = name.starts_with("module.") || name.starts_with("derive.");
        assert!(!is_run, "{name}: no page of it replays anything");
        if entry.path().extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        pages += 1;
        let page = std::fs::read_to_string(entry.path()).expect("a page");
        for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let file = link.split(['#', '?']).next().unwrap_or_default();
            let is_here = !file.is_empty() && !file.contains(':');
            let target = entry.path().parent().expect("a folder").join(file);
            // `404.html` works at any path and names the root.
            assert!(!is_here || target.exists() || name == "404.html", "{name}: {link}");
        }
    }
    assert_eq!(pages, 3, "trends, changes, 404");
    assert_eq!(world.run(&["render", "--check"]).code, 0);
    let empty = World::new();
    let ran = empty.run(&["render"]);
    assert_eq!((ran.code, ran.stderr.contains("there is no config")), (2, true), "{}", ran.stderr);
}

fn lines(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().collect()
}

#[test]
fn records_are_recorded_once_and_answered_in_the_runners_shape() {
    let world = World::new();
    world.write("runs.jsonl", RUNS);
    let ran = world.run(&["record", "runs.jsonl", "--now", NOW]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stdout,
        "recorded  r1  github:openai/gpt-4.1-mini  2026-W19  score 0.800  Δ – (first run)  trend – (fewer than 3 runs)\n\
         recorded  r2  github:openai/gpt-4.1-mini  2026-W19  score 0.820  Δ +0.020  trend – (fewer than 3 runs)\n\
         recorded  r3  github:openai/gpt-4.1-mini  2026-W20  score 0.700  Δ -0.120  trend declining  REGRESSION\n\
         recorded 3 run(s), 0 known already\n\
         weeks changed: 2026-W19, 2026-W20\n"
    );
    assert_eq!(ran.stderr, "note: unknown key `samples` in 1 record(s), not recorded\n");
    let ledger = world.read("leaderboard/history.jsonl");
    assert!(!ledger.contains("prompt"), "{ledger}");
    assert_eq!(
        ledger.lines().last(),
        Some(
            r#"{"aggregate_score":0.7,"kind":"run","model":"github:openai/gpt-4.1-mini","recorded_at":"2026-05-12T13:00:00Z","regression_detected":true,"run_at":"2026-05-12T12:00:00Z","run_id":"r3"}"#
        )
    );
    let again = world.run_with_stdin(&["record", "-", "--json", "-q"], RUNS.as_bytes());
    assert_eq!((again.code, again.stderr.as_str()), (0, ""));
    assert_eq!(
        lines(&again)[2],
        r#"{"leaderboardRowId":"75c86a84-af45-89bf-93f4-751801fa4977","scoreDelta":-0.12,"trend":"declining","weekSummaryUpdated":false,"slackNotified":false,"outcome":"unchanged","hallucinationDelta":null,"notes":[],"runId":"r3"}"#
    );
    assert_eq!(world.read("leaderboard/history.jsonl"), ledger);
    let failing = world.run(&["record", "runs.jsonl", "--fail-on-regression"]);
    assert_eq!(failing.code, 1);
}

#[test]
fn a_conflict_keeps_the_first_and_a_bad_record_keeps_everything() {
    let world = recorded();
    let before = world.read("leaderboard/history.jsonl");
    world.write("other.json", r#"{"run_id":"r1","run_at":"2026-05-04T12:00:00Z","model":"m"}"#);
    let ran = world.run(&["record", "other.json"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.starts_with("conflict  r1  github:openai/gpt-4.1-mini"), "{}", ran.stdout);
    assert_eq!(
        ran.stderr,
        "warning: `r1` is already recorded with other values, which stay: `aggregate_score` is 0.8, sent null; \
         `cost_per_message_usd` is 0.002, sent null; `dataset_scores` is {\"contracts\":0.7,\"leases\":0.9}, sent null; \
         `hallucination_rate` is 0.0, sent null; `latency_p95_ms` is 900.0, sent null; \
         `model` is \"github:openai/gpt-4.1-mini\", sent \"m\"; `rubric_scores` is {\"soundness\":0.8}, sent null\n\
         help: record the correction under a new run_id, and `history retract r1 --reason TEXT`\n"
    );
    assert_eq!(world.run(&["record", "other.json", "--strict"]).code, 1);
    world.write(
        "bad/a.json",
        r#"[{"run_id":"n1","run_at":"2026-05-14T12:00:00Z","model":"m"},
            {"run_id":"n2","run_at":"2026-05-14 12:00","model":"m"}]"#,
    );
    world.write(
        "bad/b.json",
        r#"{"run_id":"n3","run_at":"2026-05-14T12:00:00Z","model":"m","aggregate_score":1.5}"#,
    );
    let ran = world.run(&["record", "bad"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: record rejected (bad_run_at): `run_at` is \"2026-05-14 12:00\"\n  --> bad/a.json, [1]\n\
         help: `run_at` must be RFC 3339 with an offset, such as 2026-05-14T12:00:00Z; nothing was recorded\n\
         error: record rejected (bad_aggregate_score): `aggregate_score` 1.5 is above `history.score_scale` (1, the default)\n  --> bad/b.json\n\
         help: a score is a number from 0 to `history.score_scale`, or null; for scores up to 5, `record --scale 5` sets that key in seeds.json; nothing was recorded\n"
    );
    assert_eq!(world.read("leaderboard/history.jsonl"), before);
}

#[test]
fn the_series_shows_deltas_trends_and_why_a_value_is_missing() {
    let world = recorded();
    let ran = world.run(&["history"]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stdout,
        "github:openai/gpt-4.1-mini
  run at            score       Δ  average  trend                  halluc.       Δ  p95 ms    Δ  $/message          Δ  run  notes
  2026-05-04 12:00  0.800       –    0.800  – (fewer than 3 runs)    0.000       –     900    –   0.002000          –  r1   first run; backfilled
  2026-05-06 12:00  0.820  +0.020    0.810  – (fewer than 3 runs)    0.100  +0.100     850  -50   0.002100  +0.000100  r2   trade-off: +contracts, +soundness, −leases
  2026-05-12 12:00  0.700  -0.120    0.773  declining                    –       –       –    –          –          –  r3   REGRESSION

in regression: github:openai/gpt-4.1-mini
"
    );
    assert_eq!(ran.stderr, "");
    assert_eq!(world.run(&["history", "--fail-on-regression"]).code, 1);
    let since = world.run(&["history", "--since", "2026-05-10", "-q"]);
    assert_eq!(lines(&since).len(), 4, "{}", since.stdout);
    let ran = world.run(&["history", "--model", "github:openai/gpt-4.1-mni"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("did you mean `github:openai/gpt-4.1-mini`?"), "{}", ran.stderr);
    let json = world.run(&["history", "--json", "-q"]);
    let rows: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(rows[1]["derived"]["score_delta"], 0.02);
    assert_eq!(rows[1]["trade_off"]["losses"][0][0], "leases");
}

#[test]
fn parts_changes_and_weeks_are_derived() {
    let world = recorded();
    let ran = world.run(&["history", "breakdown"]);
    assert_eq!(
        ran.stdout,
        "github:openai/gpt-4.1-mini  2026-05-06 12:00  trade-off: +contracts, +soundness, −leases
  part       of       score       Δ  average  trend
  contracts  dataset  0.750  +0.050    0.725  –
  leases     dataset  0.850  -0.050    0.875  –
  soundness  rubric   0.820  +0.020    0.810  –

"
    );
    let ran = world.run(&["history", "change", "--over", "2026-Q2"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (
            0,
            "github:openai/gpt-4.1-mini: quality declined 3.3 % (0.800 → 0.773, 2026-05-04 to 2026-05-12, 3 runs, noise not judged: prompt counts unknown)\n"
        )
    );
    let ran = world.run(&["history", "change", "--over", "soon"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            2,
            "error: `soon` is not a time span\nhelp: write 90d, 2026-Q2, 2026, or 2026-04-01..2026-06-30\n"
        )
    );
    let ran = world.run(&["weekly", "--json"]);
    assert!(
        ran.stdout.starts_with(
        "{\"avg_aggregate_score\":0.7,\"best_run_score\":0.7,\"epochs\":[\"/\"],\"hallucination_incidents\":0,\"regressions_detected\":1,\"regressions_open\":1,\"regressions_resolved\":0,\"run_count\":1,\"scored_run_count\":1,\"week\":\"2026-W20\",\"worst_run_score\":0.7,\"previous_week\":\"2026-W19\",\"avg_aggregate_score_delta\":-0.11,\"models\":[{\"model\":\"github:openai/gpt-4.1-mini\","), "{}", ran.stdout
    );
    let ran = world.run(&["weekly", "--week", "2026-W19", "--markdown"]);
    assert_eq!(
        ran.stdout,
        "# Week 2026-W19\n\n\
         - average 0.810, best 0.820, worst 0.800, 2 run(s), 2 scored\n\
         - hallucination incidents: 1; regressions: 0 opened, 0 resolved, 0 open\n\n\
         | model | this week | last week | Δ | noise | best | worst | runs | incidents | halluc. | Δ | p95 ms | Δ | $/message | Δ | notes |\n\
         | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n\
         | github:openai/gpt-4.1-mini | 0.810 | – | – | – | 0.820 | 0.800 | 2 | 1 | 0.050 | – | 875 | – | 0.002050 | – | first week |\n"
    );
    let ran = world.run(&["weekly", "--all", "--markdown"]);
    assert!(
        ran.stdout
            .contains("| 2026-W20 | 0.700 | -0.110 | 0.700 | 0.700 | 1 | 1 | 0 | 1 | 0 | 1 |\n"),
        "{}",
        ran.stdout
    );
    let ran = world.run(&["weekly", "--week", "2026-W31"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            2,
            "error: no run is recorded in 2026-W31\nhelp: runs are recorded from 2026-W19 to 2026-W20\n"
        )
    );
    assert_eq!(world.run(&["weekly", "--week", "20"]).code, 2);
}

#[test]
fn recalibrating_writes_new_runs_and_leaves_the_old() {
    let world = recorded();
    let before = world.read("leaderboard/history.jsonl");
    world.write("weights.json", r#"{"datasets": {"contracts": 1, "leases": 3}}"#);
    let args = ["history", "recalibrate", "--weights", "weights.json", "--now", NOW];
    let dry = world.run(&[&args[..], &["--dry-run"]].concat());
    assert_eq!(
        dry.stdout,
        format!(
            "run    old    new\nr1   0.800  0.850\nr2   0.820  0.825\n\
             would rescore 2 run(s), 0 had these weights already; each new run supersedes its original, which stays in the ledger\n\
             {CARRY}"
        )
    );
    assert_eq!(dry.stderr, "note: `r3` gets no new score: it lacks `contracts`\n");
    assert_eq!(world.read("leaderboard/history.jsonl"), before);
    assert_eq!(world.run(&args).code, 0);
    let after = world.read("leaderboard/history.jsonl");
    assert!(after.starts_with(&before) && after.lines().count() == 7, "{after}");
    let ran = world.run(&["history"]);
    assert!(ran.stdout.contains("scored again from r1: weights changed"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("  r1  "), "the original is superseded: {}", ran.stdout);
    let open = "\nin regression: github:openai/gpt-4.1-mini\n";
    assert!(ran.stdout.ends_with(open), "{}", ran.stdout);
    assert_eq!(ran.stderr, "note: superseded by rescored runs: 2 run(s); shown with `--epoch /`\n");
    let again = world.run(&args);
    assert_eq!(
        (again.code, again.stdout),
        (
            0,
            format!(
                "nothing left to rescore: 2 run(s) have these weights already, 1 cannot be rescored\n{CARRY}"
            )
        )
    );
    assert_eq!(again.stderr, "note: `r3` gets no new score: it lacks `contracts`\n");
    assert_eq!(world.read("leaderboard/history.jsonl"), after);
}

const WEIGHTS: &str = "529ccb26250d98a1";
const CARRY: &str = "new runs must carry \"weights_sha16\": \"529ccb26250d98a1\"\n";

#[test]
fn after_a_recalibration_each_run_counts_once_in_every_view() {
    let world = recorded();
    assert_eq!(world.run(&["history", "retract", "r3", "--reason", "x", "--now", NOW]).code, 0);
    let weeks = |more: &[&str]| {
        let ran = world.run(&[&["weekly", "--week", "2026-W19", "--json"], more].concat());
        let week: serde_json::Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
        (
            week["run_count"].clone(),
            week["hallucination_incidents"].clone(),
            week["avg_aggregate_score"].clone(),
        )
    };
    let before = weeks(&[]);
    assert_eq!(before, (2.into(), 1.into(), 0.81.into()));
    world.write("weights.json", r#"{"datasets": {"contracts": 1, "leases": 3}}"#);
    let recalibrate = ["history", "recalibrate", "--weights", "weights.json", "--now", NOW];
    let ran = world.run(&recalibrate);
    assert!(ran.stdout.ends_with("weeks changed: 2026-W19\n"), "{}", ran.stdout);
    assert_eq!(weeks(&[]), (2.into(), 1.into(), 0.8375.into()));
    assert_eq!(weeks(&["--epoch", "/"]), before, "the other epoch is as it was");
    assert_eq!(weeks(&["--epoch", WEIGHTS]), weeks(&[]), "named by its weights alone");
    assert_eq!(world.run(&["history", "verify"]).code, 0, "weekly.json is up to date");
    let change = |more: &[&str]| {
        world.run(&[&["history", "change", "--over", "2026-Q2"], more].concat()).stdout
    };
    assert!(change(&[]).contains("quality declined 1.5 % (0.850 → 0.838,"), "{}", change(&[]));
    assert!(change(&["--epoch", "/"]).contains("(0.800 → 0.810,"), "{}", change(&["--epoch", "/"]));
    let ran = world.run(&["history", "--epoch", "2/"]);
    assert_eq!(
        (ran.code, ran.stderr),
        (
            2,
            format!(
                "error: no recorded run has the epoch `2/`\nhelp: an epoch is `<protocol>/<weights>`; recorded: `/`, `/{WEIGHTS}`\n"
            )
        )
    );
    let new = |id: &str, weights: &str| {
        world.write("new.json", format!(
            r#"{{"run_id":"{id}","run_at":"2026-05-13T12:00:00Z","model":"github:openai/gpt-4.1-mini","aggregate_score":0.9{weights}}}"#
        ));
        world.run(&["record", "new.json", "--now", "2026-05-13T13:00:00Z"]).stderr
    };
    let warned = new("n1", "");
    assert!(
        warned.contains("warning: 1 new run(s) do not carry the weights of the last recalibration and start a series of their own: `n1`\n")
            && warned.contains(WEIGHTS),
        "{warned}"
    );
    let fine = new("n2", &format!(r#","weights_sha16":"{WEIGHTS}""#));
    assert!(!fine.contains("warning"), "{fine}");
    let rescored = format!("r1~{WEIGHTS}");
    let ran = world.run(&["history", "retract", &rescored, "--reason", "x"]);
    assert!(ran.stdout.contains("`r1` counts again\n"), "{}", ran.stdout);
    let ran = world.run(&["history", "retract", "r2", "--reason", "x"]);
    assert!(ran.stdout.contains(&format!("retracted with it: `r2~{WEIGHTS}`")), "{}", ran.stdout);
    world.write("known.json", RUNS.lines().next().expect("a run"));
    let ran = world.run(&["record", "known.json"]);
    assert!(ran.stdout.starts_with("known  r1  github"), "{}", ran.stdout);
    assert_eq!(world.run(&["history", "verify"]).code, 0);
}

#[test]
fn a_moment_before_the_last_line_is_refused() {
    let world = recorded();
    world.write("more.json", r#"{"run_id":"r4","run_at":"2026-05-12T12:30:00Z","model":"m"}"#);
    for more in [&[][..], &["--dry-run"]] {
        let args = [&["record", "more.json", "--now", "2026-05-01T00:00:00Z"], more].concat();
        let ran = world.run(&args);
        assert_eq!(ran.code, 2);
        assert!(
            ran.stderr.starts_with(
                "error: `--now 2026-05-01T00:00:00Z` is before the last line of the ledger, recorded at 2026-05-12T13:00:00Z\n"
            ),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(world.read("leaderboard/history.jsonl").lines().count(), 3);
}

#[test]
fn one_model_is_shown_without_the_lines_of_others_and_slips_get_a_suggestion() {
    let world = recorded();
    world.write(
        "other.jsonl",
        r#"{"run_id":"o1","run_at":"2026-05-12T12:30:00Z","model":"m","agregate_score":0.5,"smaples":1}
{"run_id":"o2","run_at":"2026-05-12T12:40:00Z","model":"m","agregate_score":0.5}
"#,
    );
    let ran = world.run(&["record", "other.jsonl", "--now", NOW]);
    assert!(
        ran.stderr.starts_with(
            "note: unknown key `agregate_score` in 2 record(s), not recorded; did you mean `aggregate_score`?\n\
             note: unknown key `smaples` in 1 record(s), not recorded\n"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!(world.run(&["history", "retract", "o1", "--reason", "x", "--now", NOW]).code, 0);
    let ran = world.run(&["history", "--model", "m"]);
    assert!(ran.stdout.ends_with("\nretracted: o1 (x)\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("in regression"), "no line about the other model");
    let ran = world.run(&["history", "--model", "github:openai/gpt-4.1-mini"]);
    let open = "\nin regression: github:openai/gpt-4.1-mini\n";
    assert!(ran.stdout.ends_with(open) && !ran.stdout.contains("o1"), "{}", ran.stdout);
}

#[test]
fn a_retracted_run_leaves_the_series_and_stays_in_the_file() {
    let world = recorded();
    let ran = world.run(&["history", "retract", "r3", "--reason", "wrong set", "--now", NOW]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "retracted `r3`; its line stays\nweeks changed: 2026-W20\n")
    );
    let ran = world.run(&["history"]);
    let (series, last) = ran.stdout.rsplit_once("\n\n").expect("a series, then a line");
    assert!(!series.contains("r3"), "{series}");
    assert_eq!(last, "retracted: r3 (wrong set)\n");
    assert_eq!(world.run(&["history", "retract", "r9", "--reason", "x"]).code, 2);
    assert!(world.read("leaderboard/history.jsonl").contains("\"run_id\":\"r3\""));
    let ran =
        world.run(&["history", "withdraw", "github:openai/gpt-4.1-mini", "--reason", "asked"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "withdrew `github:openai/gpt-4.1-mini`\n"));
    assert_eq!(world.run(&["history", "verify"]).code, 0);

    // What never existed is refused, with the nearest name.
    let before = world.read("leaderboard/history.jsonl");
    let ran = world.run(&["history", "withdraw", "github:openai/gpt-4.1-min", "--reason", "x"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("no row `github:openai/gpt-4.1-min` was ever on this board"));
    assert!(ran.stderr.contains("help: did you mean `github:openai/gpt-4.1-mini`?"));
    let ran = world.run(&["history", "withdraw", "acme:other", "--reason", "x"]);
    assert!(ran.code == 2 && ran.stderr.contains("lists the recorded rows"), "{}", ran.stderr);
    let ran = world.run(&["history", "--model", "gpt-4.1-mini"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("did you mean `github:openai/gpt-4.1-mini`?"), "{}", ran.stderr);
    let ran = world.run(&["history", "retract", "r33", "--reason", "x"]);
    assert!(ran.code == 2 && ran.stderr.contains("did you mean `r3`?"), "{}", ran.stderr);
    assert_eq!(world.read("leaderboard/history.jsonl"), before);
}

#[test]
fn a_torn_last_line_is_refused_by_readers_and_dropped_by_the_next_writer() {
    let world = recorded();
    let ledger = "leaderboard/history.jsonl";
    let whole = world.read(ledger);
    let torn = &whole[..whole.len() - 20];
    let kept = &whole[..=torn.rfind('\n').expect("a line")];
    world.write(ledger, torn);
    for args in [&["history"][..], &["weekly"], &["history", "checkpoint"]] {
        let ran = world.run(args);
        assert!(
            ran.code != 0 && ran.both().contains("[H-TORN]: the last line has no newline"),
            "{args:?}"
        );
        assert_eq!(world.read(ledger), torn);
    }
    let ran = world.run(&["record", "--repair"]);
    assert_eq!(ran.code, 0);
    let reported = "repaired leaderboard/history.jsonl: dropped an unfinished line of ";
    assert!(ran.stdout.starts_with(reported), "{}", ran.stdout);
    assert_eq!(world.read(ledger), kept);

    // Wherever the write ended, recording the same again gives the same ledger.
    let last = whole.len() - kept.len();
    for end in [1, 2, last / 2, last - 2, last - 1] {
        world.write(ledger, &whole[..kept.len() + end]);
        let ran = world.run(&["record", "runs.jsonl", "--now", NOW]);
        assert_eq!(ran.code, 0, "{}", ran.both());
        let reported = if end == last - 1 {
            "note: leaderboard/history.jsonl: the last line was complete and got its line feed\n"
                .to_owned()
        } else {
            format!(
                "note: leaderboard/history.jsonl: dropped {end} bytes of a line that a killed run left\n"
            )
        };
        assert!(ran.stderr.starts_with(&reported), "{}", ran.stderr);
        assert_eq!(world.read(ledger), whole, "{end}");
    }
    world.write(ledger, torn);
    let ran = world.run(&["history", "retract", "r1", "--reason", "x", "--now", NOW]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(world.read(ledger).starts_with(kept), "{}", world.read(ledger));
}

#[test]
fn a_checkpoint_pins_the_ledger_and_a_change_is_found() {
    let world = recorded();
    // Derived, and would be found as well; this is about the lines.
    std::fs::remove_file(world.path("leaderboard/weekly.json")).expect("removed");
    let ran = world.run(&["history", "checkpoint", "--now", NOW]);
    assert_eq!(ran.code, 0);
    world.write("kept.txt", &ran.stdout);
    let record = world.read("leaderboard/history.checkpoints");
    assert!(record.starts_with("2026-05-12T13:00:00Z 3 "), "{record}");
    let ran = world.run(&["history", "verify", "--against", "kept.txt"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.starts_with("verified: 3 line(s), root "), "{}", ran.stdout);
    let whole = world.read("leaderboard/history.jsonl");
    world.write("leaderboard/history.jsonl", whole.replace("0.82", "0.92"));
    let ran = world.run(&["history", "verify"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (
            1,
            "finding[H-TREE]: the ledger's lines are not the ones of checkpoint 1\n  --> leaderboard/history.jsonl\nhelp: lines are only ever appended: `git log -p -- leaderboard/history.jsonl` shows who changed one\n"
        )
    );
    assert_eq!(world.run(&["history", "checkpoint"]).code, 1);
    world.write("leaderboard/history.checkpoints", "");
    assert_eq!(world.run(&["history", "verify"]).code, 0);
    assert_eq!(world.run(&["history", "verify", "--against", "kept.txt"]).code, 1);
    world.write("leaderboard/history.jsonl", &whole);
    world.write("leaderboard/weekly.json", "[]\n");
    let ran = world.run(&["history", "verify", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((ran.code, report["findings"][1]["code"].as_str()), (1, Some("H-WEEKLY")));
    assert_eq!(world.run(&["weekly", "--write"]).code, 0);
    assert_eq!(world.run(&["history", "verify"]).code, 0);
    world.write("more.json", r#"{"run_id":"r4","run_at":"2026-05-12T12:30:00Z","model":"m"}"#);
    assert_eq!(world.run(&["record", "more.json", "--dry-run", "--json"]).code, 0);
    let ran = world.run(&["record", "more.json", "--json"]);
    assert!(ran.stdout.contains("\"weekSummaryUpdated\":true"), "{}", ran.stdout);
    let weekly = world.read("leaderboard/weekly.json");
    let weeks: serde_json::Value = serde_json::from_str(&weekly).expect("JSON");
    assert_eq!(weeks[1]["run_count"], 2, "written together with the line");
    assert_eq!(world.run(&["history", "verify"]).code, 0);
}

#[test]
fn killing_it_while_it_appends_never_loses_an_earlier_line() {
    use std::fmt::Write as _;

    let world = recorded();
    let whole = world.read("leaderboard/history.jsonl");
    let mut many = String::new();
    for n in 0..20_000 {
        let _ = writeln!(
            many,
            r#"{{"run_id":"k{n}","run_at":"2026-05-12T12:00:00Z","model":"m","aggregate_score":0.5}}"#
        );
    }
    world.write("many.jsonl", many);
    for delay in [0, 20, 60, 120, 200, 300, 450] {
        let mut child = world
            .command(&["record", "many.jsonl", "-q"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the binary starts");
        std::thread::sleep(std::time::Duration::from_millis(delay));
        child.kill().expect("killed");
        child.wait().expect("ended");
        let now = world.read("leaderboard/history.jsonl");
        assert!(now.starts_with(&whole), "after {delay} ms");
        let ran = world.run(&["record", "--repair", "-q"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(world.run(&["history", "verify", "-q"]).code, 0, "after {delay} ms");
    }
    assert_eq!(world.run(&["record", "many.jsonl", "-q"]).code, 0);
    assert_eq!(world.read("leaderboard/history.jsonl").lines().count(), 20_003);
}

#[test]
fn hostile_names_are_shown_harmless_and_an_unusable_call_says_so() {
    let world = World::new();
    world.write(
        "evil.json",
        r#"{"run_id":"e\u001b[2J","run_at":"2026-05-12T12:00:00Z","model":"m\u202ex\n","notes":"\u001b]0;x\u0007"}"#,
    );
    let ran = world.run(&["record", "evil.json", "--now", NOW]);
    assert_eq!(ran.code, 0);
    let shown = world.run(&["history"]);
    for text in [&ran.stdout, &ran.stderr, &shown.stdout, &shown.stderr] {
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text:?}");
    }
    for (args, words) in [
        (&["record"][..], "no records were given"),
        (&["record", "absent.json"], "`absent.json` does not exist"),
        (&["record", "evil.json", "--now", "today"], "`today` is not a valid time"),
        (&["record", "--notify-only", "nobody"], "no card for `nobody`: it is not recorded"),
        (&["history", "--since", "when"], "`when` is not a day"),
    ] {
        let ran = world.run(args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let empty = World::new();
    for args in [&["history"][..], &["weekly"]] {
        let ran = empty.run(args);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.starts_with("error: no run is recorded\n"), "{}", ran.stderr);
    }
}

#[test]
fn a_run_that_did_not_complete_is_kept_as_such_and_has_no_score() {
    let world = recorded();
    let record = r#"{"runId":"r4","runAt":"2026-05-12T12:30:00Z","model":"github:openai/gpt-4.1-mini","aggregateScore":0.1,"status":"failed","scores":{"datasets":{"contracts":0.1,"leases":0.1}}}"#;
    let ran = world.run_with_stdin(&["record", "-", "--now", NOW], record.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!ran.stderr.contains("unknown key"), "{}", ran.stderr);
    assert!(ran.stdout.contains("score –") && ran.stdout.contains("  failed\n"), "{}", ran.stdout);
    let ledger = world.read("leaderboard/history.jsonl");
    let last: serde_json::Value =
        serde_json::from_str(ledger.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["status"], &last["aggregate_score"]), (&"failed".into(), &().into()));
    let shown = world.run(&["history", "--model", "github:openai/gpt-4.1-mini"]).stdout;
    let line = shown.lines().find(|line| line.contains("r4")).expect("shown");
    assert!(line.contains("failed"), "{line}");
    // New weights do not give it a score.
    world.write("weights.json", r#"{"datasets": {"contracts": 1}}"#);
    let call = ["history", "recalibrate", "--weights", "weights.json", "--now", NOW];
    let ran = world.run(&call);
    assert!(ran.both().contains("the run is failed"), "{}", ran.both());
    // A word that is not known is refused: it could mean that the run failed.
    let ran = world.run_with_stdin(&["record", "-"], record.replace("failed", "error").as_bytes());
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("`status` must be completed, failed or cancelled"),
        "{}",
        ran.stderr
    );
}

#[test]
fn on_a_scale_of_five_scores_have_two_decimals_and_no_change_looks_like_none() {
    let world = World::new();
    world.write("seeds.json", r#"{"history": {"score_scale": 5}}"#);
    let run = |id: u8, score: &str| {
        format!(
            r#"{{"run_id":"r{id}","run_at":"2026-05-0{id}T12:00:00Z","model":"p:m","aggregate_score":{score}}}"#
        )
    };
    world.write(
        "runs.jsonl",
        [run(4, "4.2"), run(5, "4.23"), run(6, "4.229"), run(7, "4.229")].join("\n"),
    );
    let ran = world.run(&["record", "runs.jsonl", "--now", NOW]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let shown = world.run(&["history"]).stdout;
    let columns =
        |line: &str| line.split_whitespace().skip(2).take(2).collect::<Vec<_>>().join(" ");
    let shown: Vec<String> = shown.lines().skip(2).map(columns).collect();
    assert_eq!(shown[..4], ["4.20 –", "4.23 +0.03", "4.23 -0.001", "4.23 +0.00"]);
}

#[test]
fn of_many_records_the_first_are_listed_and_the_rest_counted() {
    let world = World::new();
    let run = |at: u32| {
        let day = 1 + at % 28;
        let month = 1 + at / 28;
        format!(
            "{{\"run_id\":\"r{at}\",\"run_at\":\"2026-{month:02}-{day:02}T12:00:00Z\",\"model\":\"a:b\",\"aggregate_score\":0.5}}\n"
        )
    };
    world.write("runs.jsonl", (0..201).map(run).collect::<String>());
    let ran = world.run(&["record", "runs.jsonl", "--now", "2027-01-01T00:00:00Z"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 23, "{}", ran.stdout);
    assert!(lines[19].starts_with("recorded  r19  "), "{}", lines[19]);
    assert_eq!(lines[20], "… and 181 more; `history` shows them");
    assert_eq!(lines[21], "recorded 201 run(s), 0 known already");
    assert_eq!(lines[22], "weeks changed: 32 from 2026-W01 to 2026-W32");
    let again = world.run(&["record", "runs.jsonl", "--json"]);
    assert_eq!(again.stdout.lines().count(), 201, "a program gets all of them");
}
