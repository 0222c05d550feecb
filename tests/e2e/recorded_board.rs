//! A board in the ledger: recorded row by row, held to what was recorded, lost points noticed.

use crate::harness::{World, board_world};

const BOARD: &str = "board/leaderboard/leaderboard.json";
const LEDGER: &str = "board/leaderboard/history.jsonl";
const NOW: &str = "2026-11-17T00:00:00Z";

fn record(world: &World, more: &[&str]) -> crate::harness::Ran {
    world.run(&[&["record", "--root", "board", "--board", BOARD, "--now", NOW], more].concat())
}

#[test]
fn every_row_is_a_run_and_the_board_a_line_and_a_copy() {
    let world = board_world();
    let ran = record(&world, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let rows: serde_json::Value = serde_json::from_str(&world.read(BOARD)).expect("JSON");
    let count = rows["entries"].as_array().expect("rows").len();
    let ledger = world.read(LEDGER);
    assert_eq!(ledger.lines().count(), count + 1);
    let last: serde_json::Value =
        serde_json::from_str(ledger.lines().last().expect("a line")).expect("JSON");
    assert_eq!((last["kind"].as_str(), last["serial"].as_u64()), (Some("board"), Some(1)));
    let sha256 = last["board_sha256"].as_str().expect("a hash");
    assert_eq!(world.read(&format!("board/leaderboard/boards/{sha256}.json")), world.read(BOARD));
    let first: serde_json::Value =
        serde_json::from_str(ledger.lines().next().expect("a line")).expect("JSON");
    let row = &rows["entries"][0];
    assert_eq!(first["aggregate_score"], row["held_out"]["pass_rate"]);
    assert_eq!(first["dataset_scores"]["public"], row["public"]["pass_rate"]);
    assert_eq!(first["run_at"], rows["generated_at"]);
    assert_eq!(first["run_id"].as_str().map(str::len), Some(16));
    assert!(first["rubric_scores"]["structural"].is_number());
    let again = record(&world, &["-q"]);
    assert_eq!((again.code, world.read(LEDGER) == ledger), (0, true), "recorded once");
    let checked = world.run(&["history", "verify", "--root", "board"]);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    world.write(&format!("board/leaderboard/boards/{sha256}.json"), "{}");
    let checked = world.run(&["history", "verify", "--root", "board"]);
    assert_eq!(checked.code, 1);
    assert!(
        checked.stdout.starts_with(
            "finding[H-BOARD]: the copy of board number 1 is missing or was changed\n"
        ),
        "{}",
        checked.stdout
    );
}

#[test]
fn a_recorded_build_passes_verify_without_another_command() {
    let world = board_world();
    let root = ["--root", "board", "--held-out", "held-out"];
    for stamp in ["2026-11-09T00:00:00Z", "2026-11-16T00:00:00Z"] {
        let ran = world.run(&[&["build", "--record", "--generated-at", stamp], &root[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let weekly = world.read("board/leaderboard/weekly.json");
        let ran = world.run(&["weekly", "--all", "--json", "--root", "board"]);
        let weeks = |text: &str| -> Vec<serde_json::Map<String, serde_json::Value>> {
            serde_json::from_str(text).expect("JSON")
        };
        for (stored, said) in weeks(&weekly).iter().zip(weeks(&ran.stdout)) {
            for (key, value) in stored {
                assert_eq!(said.get(key), Some(value), "{key}: written together with the lines");
            }
        }
        let ran = world.run(&[&["verify"], &root[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
}

#[test]
fn the_demo_makes_up_a_year_that_holds_together() {
    let world = World::new();
    let ran = world.run(&["demo", "try", "--history"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for line in [
        "\nrecorded a year of weekly runs and the boards before this one, all of it made up:\n",
        "\n  `nowhere/skua-9b` falls, and recovers four weeks later\n",
        "\nopen try/board/site/trends.html for the year\n",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    let root = ["--root", "try/board"];
    assert_eq!(world.run(&[&["history", "verify"], &root[..]].concat()).code, 0);
    let weeks = world.run(&[&["weekly", "--all", "--json"], &root[..]].concat());
    let weeks: serde_json::Value = serde_json::from_str(&weeks.stdout).expect("JSON");
    let weeks = weeks.as_array().expect("weeks");
    assert!(weeks.len() >= 52, "{}", weeks.len());
    let sum = |key: &str| weeks.iter().filter_map(|week| week[key].as_u64()).sum::<u64>();
    assert_eq!((sum("regressions_detected"), sum("regressions_resolved")), (2, 1), "one is open");
    let series = world.run(&[&["history", "-q"], &root[..]].concat()).stdout;
    assert!(series.contains("moving average restarted: eval_protocol_version 0 -> 1"), "{series}");
    assert!(series.contains("trade-off: +public, −held_out"), "{series}");
    let ledger = world.read("try/board/leaderboard/history.jsonl");
    let made_up = ledger.lines().filter(|line| line.contains("\"demo-")).count();
    assert!(ledger.matches("illustrative: made up").count() >= made_up, "each line says so");
}

#[test]
fn a_board_that_is_not_the_last_recorded_is_found() {
    let world = board_world();
    assert_eq!(record(&world, &["-q"]).code, 0);
    let first = world.read(BOARD);
    let later = first.replace("2026-11-16T00:00:00Z", "2026-11-16T01:00:00Z");
    assert_ne!(first, later, "the board carries the moment it was built");
    world.write(BOARD, &later);
    let ahead = world.run(&["history", "verify", "--root", "board"]);
    assert_eq!(ahead.code, 0);
    assert!(ahead.stderr.starts_with("note[H-BOARD]: the board is newer"), "{}", ahead.stderr);
    assert_eq!(record(&world, &["-q"]).code, 0);
    assert_eq!(world.run(&["history", "verify", "--root", "board", "-q"]).code, 0);
    world.write(BOARD, &first);
    let behind = world.run(&["history", "verify", "--root", "board"]);
    assert_eq!(behind.code, 1);
    assert!(
        behind
            .stdout
            .starts_with("finding[H-BOARD]: the board is number 1 of 2 recorded, not the last\n"),
        "{}",
        behind.stdout
    );
    world.write(BOARD, first.replace("2026-11-16T00:00:00Z", "2026-11-15T00:00:00Z"));
    let stamped_back = world.run(&["verify", "--root", "board"]);
    assert_eq!(stamped_back.code, 1);
    assert!(
        stamped_back.stdout.starts_with(
            "finding[E-HEADER]: the board is stamped before the last one recorded\n  --> leaderboard/leaderboard.json, generated_at\n"
        ),
        "{}",
        stamped_back.stdout
    );
}

/// A score that was changed by hand is not made right by recording it.
#[test]
fn a_row_with_another_score_for_the_same_moment_is_not_recorded() {
    let world = board_world();
    assert_eq!(record(&world, &["-q"]).code, 0);
    let ledger = world.read("board/leaderboard/history.jsonl");
    let mut board: serde_json::Value = serde_json::from_str(&world.read(BOARD)).expect("JSON");
    let rate = &mut board["entries"][0]["held_out"]["pass_rate"];
    *rate = serde_json::json!(rate.as_f64().expect("a rate") - 0.001);
    world.write(BOARD, serde_json::to_string_pretty(&board).expect("JSON") + "\n");
    let ran = record(&world, &[]);
    assert_eq!(ran.code, 1, "{}", ran.both());
    let words = "the ledger has another record of `demo:careful` for the same moment";
    assert!(
        ran.stdout.contains(words) && ran.stdout.contains("nothing was recorded"),
        "{}",
        ran.both()
    );
    assert_eq!(world.read("board/leaderboard/history.jsonl"), ledger);
}

#[test]
fn a_row_that_does_not_reproduce_is_not_recorded() {
    let world = board_world();
    let text = world.read(BOARD);
    let rows: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let sha16 = rows["entries"][0]["run"]["recorded_bundle_sha16"].as_str().expect("a hash");
    world.write(BOARD, text.replace(sha16, "0000000000000000"));
    let ran = record(&world, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("error[E-DIFF]: row `"), "{}", ran.stderr);
    assert_eq!(world.read(LEDGER), "");
    world.write(BOARD, "{}");
    let ran = record(&world, &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.starts_with("error[E-SCHEMA]: "), "{}", ran.stderr);
}

#[test]
fn a_new_official_baseline_lists_every_delta_it_changes() {
    let world = board_world();
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=e@example.org"])
            .args(arguments)
            .current_dir(world.path("board"))
            .env("HOME", world.path(""))
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "seeds.json"]);
    git(&["commit", "-qm", "Start"]);
    assert_eq!(record(&world, &["-q"]).code, 0);
    let series = world.run(&["history", "--root", "board", "--json", "-q"]).stdout;
    let series: serde_json::Value = serde_json::from_str(&series).expect("JSON");
    let of = |model: &str| {
        let row = series.as_array().expect("runs").iter().find(|row| row["run"]["model"] == model);
        row.expect(model)["run"]["run_id"].as_str().expect("an id").to_owned()
    };
    let config = world.read("board/seeds.json");
    let official =
        |id: &str| config.replacen('{', &format!("{{\"official_baselines\": [\"{id}\"],"), 1);
    for model in ["demo:careful", "demo:careless"] {
        world.write("board/seeds.json", official(&of(model)));
        let ran = record(&world, &[]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        // All rows of the first board share its instant, so before there was no baseline.
        let moved = ran.stdout.lines().filter(|line| line.starts_with("baseline: Δ of demo:"));
        assert_eq!(moved.count(), 4, "{}", ran.stdout);
        assert!(ran.stdout.contains("baseline: Δ of demo:steady – → "), "{}", ran.stdout);
    }
    // Taking an official baseline back moves them too, and `build` tells it.
    world.write("board/seeds.json", official(&of("demo:careless")));
    git(&["add", "seeds.json"]);
    git(&["commit", "-qm", "Choose"]);
    world.write("board/seeds.json", &config);
    let built =
        world.run(&["build", "--root", "board", "--held-out", "held-out", "--out", "new.json"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    // Those of the recorded board, and those of the one that is built.
    let moved = built.stdout.lines().filter(|line| line.starts_with("baseline: Δ of demo:"));
    assert_eq!(moved.count(), 8, "{}", built.stdout);
    let (careful, careless) = (of("demo:careful"), of("demo:careless"));
    let (a, b) = if careful < careless { (&careful, &careless) } else { (&careless, &careful) };
    for (ids, words) in [
        (
            format!("{b}\", \"{a}"),
            format!("official baselines `{a}` and `{b}` belong to the same cohort\n"),
        ),
        (of("demo:newcomer"), format!("official baseline `{}` has no score", of("demo:newcomer"))),
    ] {
        world.write("board/seeds.json", official(&ids));
        for record in [&[][..], &["--record"]] {
            let build = ["build", "--root", "board", "--out", "none.json"];
            let ran = world.run(&[&build[..], record].concat());
            assert_eq!((ran.code, world.exists("none.json")), (2, false), "{}", ran.stderr);
            let start = "error[H-BASELINE]: ";
            assert!(ran.stderr.starts_with(&format!("{start}{words}")), "{}", ran.stderr);
        }
    }
    world.write("board/seeds.json", official("nobody"));
    let ran = record(&world, &[]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.starts_with(
            "error[H-BASELINE]: official baseline `nobody` is not a recorded run or a row of this board\n"
        ),
        "{}",
        ran.stderr
    );
    world.write("board/seeds.json", &config);
    // Each once, though `build` and `record` both look.
    let recorded = world.run(&["build", "--root", "board", "--held-out", "held-out", "--record"]);
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);
    let moved: Vec<&str> =
        recorded.stdout.lines().filter(|line| line.starts_with("baseline: Δ of demo:")).collect();
    let different: std::collections::BTreeSet<&&str> = moved.iter().collect();
    assert_eq!((moved.is_empty(), different.len()), (false, moved.len()), "{}", recorded.stdout);
}
