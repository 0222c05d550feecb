//! Which stream a line goes to: the result on stdout, notes, warnings and errors on stderr.

use crate::harness::{Ran, World, board_world};

const BOARD: &str = "board/leaderboard/leaderboard.json";
/// How each line on stderr begins when a command succeeds.
const NOTES: [&str; 4] = ["note", "hub: ", "reading ", "warning: "];

/// A call in `board_world` (after the calls above it) and a part of its result line.
const CALLS: &[(&str, &[&str], &str)] = &[
    (
        "build",
        &["--held-out", "held-out"],
        "wrote 5 row(s) to board/leaderboard/leaderboard.json\n",
    ),
    ("verify", &[], "verified: 5 public row(s) reproduce; board is aggregate-only\n"),
    ("verify", &["--held-out", "held-out"], "held-out: 4 headline(s) re-derived\n"),
    ("verify", &["--form-only"], "well-formed: "),
    ("verify", &["--format", "github"], "verified: 5 public row(s) reproduce"),
    ("render", &["--out", "pages"], " row(s) to pages\n"),
    ("render", &["--out", "pages", "--check"], "checked: "),
    ("site", &["--out", "pages"], "kept the board: "),
    ("record", &["--board", BOARD], "recorded 5 run(s), 0 known already\n"),
    ("record", &["--notify-only"], "there are no unsent cards\n"),
    ("history verify", &[], "verified: 6 line(s), root "),
    ("history withdraw", &["demo:careful", "--reason", "asked"], "withdrew `demo:careful`\n"),
    ("history retract", &["RUN", "--reason", "wrong"], "retracted `"),
    ("history", &["--since", "2099-01-01"], "no run is recorded there\n"),
    ("weekly", &["--write"], "wrote 1 week(s) to board/leaderboard/weekly.json\n"),
    ("check", &["board/leaderboard/bundles/steady"], "ready: no findings, "),
    (
        "freeze",
        &["--from", "board/leaderboard/bundles/steady", "--to", "frozen"],
        "wrote prompts.json, completions.json and judge.json to frozen\n",
    ),
    ("lint", &["good.script"], "1 script checked: 0 errors, "),
    ("export", &[BOARD, "--to", "csv", "--output", "cells.csv"], "wrote `cells.csv`\n"),
    ("init", &["new"], "wrote    seeds.json\n"),
    ("init", &["new"], "next: gmat-leaderboard site\n"),
    (
        "heldout new",
        &["--count", "10", "--like", "PROMPTS", "--out", "draft/prompts.json"],
        "wrote 10 placeholders",
    ),
    ("demo", &["try"], "$ gmat-leaderboard verify --root try/board\nverified: 10 public row(s)"),
    ("demo", &["leaky", "--leak"], "finding[L-TEXT]: "),
];

fn call(world: &World, command: &str, args: &[&str], more: &[&str]) -> Ran {
    let ledger = world.exists("board/leaderboard/history.jsonl");
    let run_id = ledger.then(|| {
        let line = world.read("board/leaderboard/history.jsonl");
        let line: serde_json::Value =
            serde_json::from_str(line.lines().next().expect("a line")).expect("JSON");
        line["run_id"].as_str().expect("a run").to_owned()
    });
    let mut words: Vec<&str> = command.split(' ').collect();
    words.extend(args.iter().map(|arg| match *arg {
        "RUN" => run_id.as_deref().expect("a ledger"),
        "PROMPTS" => "board/leaderboard/bundles/steady/prompts.json",
        arg => arg,
    }));
    words.extend(["--root", "board"]);
    words.extend(more);
    world.run(&words)
}

fn world() -> World {
    let world = board_world();
    world.write("good.script", "Create Spacecraft Sat\n");
    world
}

#[test]
fn every_command_says_its_result_on_stdout_and_notes_on_stderr() {
    let world = world();
    for (command, args, result) in CALLS {
        let ran = call(&world, command, args, &[]);
        let reported = format!("{command} {args:?}\n{}---\n{}", ran.stdout, ran.stderr);
        assert_eq!(ran.code, 0, "{reported}");
        assert!(ran.stdout.contains(result), "{reported}");
        let other = ran.stderr.lines().find(|line| !NOTES.iter().any(|it| line.starts_with(it)));
        assert_eq!(other, None, "{reported}");
    }
}

#[test]
fn quiet_keeps_the_result_line_to_itself() {
    let world = world();
    for (command, args, result) in CALLS.iter().filter(|call| !call.2.starts_with("finding")) {
        let ran = call(&world, command, args, &["--quiet"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command} {args:?}");
        assert!(!ran.stdout.contains(result), "{command} {args:?}: {}", ran.stdout);
    }
}

#[test]
fn data_on_stdout_stays_alone() {
    let world = world();
    for (command, args, _) in CALLS.iter().filter(|call| !call.1.contains(&"github")) {
        let ran = call(&world, command, args, &["--json"]);
        assert_eq!(ran.code, 0, "{command} {args:?}: {}", ran.stderr);
        for line in ran.stdout.lines() {
            let value = serde_json::from_str::<serde_json::Value>(line);
            assert!(value.is_ok(), "{command} {args:?}: {line}");
        }
    }
    let board = world.run(&["build", "--root", "board", "--held-out", "held-out", "--out", "-"]);
    assert_eq!(board.code, 0, "{}", board.stderr);
    assert!(serde_json::from_str::<serde_json::Value>(&board.stdout).is_ok(), "{}", board.stdout);
    let head = world.run(&["history", "checkpoint", "--root", "board", "--dry-run"]);
    assert!(head.stdout.starts_with("gmat-leaderboard/history\n"), "{}", head.stdout);
    let ran = world.run(&["rank", BOARD, "--to", "csv"]);
    assert!(ran.stdout.starts_with("rank,id,"), "{}", ran.stdout);
}

#[test]
fn findings_are_the_answer_and_failures_are_errors() {
    let world = world();
    let board = world.read(BOARD);
    world.write(BOARD, board.replacen("\"pass_rate\": 0.", "\"pass_rate\": 0.0", 1));
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("finding["), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nnot verified: "), "{}", ran.stdout);
    assert!(!ran.stderr.contains("finding["), "{}", ran.stderr);
    let quiet = world.run(&["verify", "--root", "board", "--quiet"]);
    assert!(quiet.stdout.starts_with("finding["), "a finding is never silenced");

    let config = world.read("board/seeds.json").replacen("\"seeds\": [", "\"seeds\": [[],", 1);
    world.write("board/seeds.json", config);
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("error"), "{}", ran.stderr);
}
