//! The core compiled for browsers, `static/module.js`, run in node: it finds what the program finds.
//! These tests fail when the core has changed, the module was not built again with `scripts/wasm`,
//! and the answers differ.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::harness::{World, board_world, copy};
use crate::need::skip;
use crate::verdict::enter;

struct Node {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

static NODE: Mutex<Option<Node>> = Mutex::new(None);

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the module answers; `None`, and the test says so, where node is missing.
pub fn ask(request: &Value) -> Option<Value> {
    let mut node = NODE.lock().unwrap_or_else(PoisonError::into_inner);
    if node.is_none() {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/module.cjs");
        let started =
            Command::new("node").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = started else {
            skip("node", "no node on PATH to run the module for browsers");
            return None;
        };
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        *node = Some(Node { child, to, from });
    }
    let node = node.as_mut()?;
    writeln!(node.to, "{request}").expect("node listens");
    let mut line = String::new();
    node.from.read_line(&mut line).expect("node answers");
    Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
}

/// What the module finds in the checkout at `root`, whose files the program names with `prefix`.
/// `None` also where a file is not one that a browser can be given: a link, a pipe, no file at all.
pub fn verify(root: &Path, prefix: &str) -> Option<Value> {
    let (config, board) = ("seeds.json", "leaderboard/leaderboard.json");
    let answer = ask(&json!({
        "root": root, "config": config, "board": board,
        "configName": format!("{prefix}{config}"), "boardName": format!("{prefix}{board}"),
    }))?;
    answer.get("unfit").is_none().then_some(answer)
}

/// Code and place of findings, notes and failures. Without those that need held-out texts or are about
/// official baselines.
#[derive(Debug, PartialEq, Eq)]
pub struct Findings(BTreeSet<String>);

impl Findings {
    pub fn new<'t>(all: impl Iterator<Item = (bool, &'t str, &'t str)>) -> Self {
        let is_elsewhere =
            |code: &str| ["H-BASELINE", "L-TEXT", "L-WORDS", "L-STORE"].contains(&code);
        let line = |(is_note, code, place): (bool, &str, &str)| {
            format!("{}{code} {place}", if is_note { "note " } else { "" })
        };
        Self(all.filter(|(_, code, _)| !is_elsewhere(code)).map(line).collect())
    }

    pub fn of_answer(answer: &Value) -> Self {
        let list = |key: &str| answer[key].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let of = |is_note: bool, it: &Value| {
            let (file, path) = (text(&it["file"]), text(&it["path"]));
            let comma = if path.is_empty() { "" } else { ", " };
            (is_note, text(&it["code"]), format!("{file}{comma}{path}"))
        };
        // `[CODE] what (place)`
        let failure = |it: &Value| {
            let reported = text(it);
            let code = reported.split(['[', ']']).nth(1).unwrap_or_default().to_owned();
            let place =
                reported.rsplit_once(" (").map_or("", |(_, place)| place.trim_end_matches(')'));
            (false, code, place.to_owned())
        };
        let all: Vec<(bool, String, String)> = list("findings")
            .iter()
            .map(|it| of(false, it))
            .chain(list("notes").iter().map(|it| of(true, it)))
            .chain(list("failures").iter().map(failure))
            .collect();
        Self::new(
            all.iter().map(|(is_note, code, place)| (*is_note, code.as_str(), place.as_str())),
        )
    }
}

#[test]
fn every_row_of_the_frozen_and_the_example_board_reproduces() {
    let example = World::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&root.join("leaderboard"), &example.path("leaderboard"));
    example.write("seeds.json", std::fs::read(root.join("seeds.json")).expect("the config"));
    for (world, below) in [(board_world(), "board"), (example, ".")] {
        let Some(answer) = verify(&world.path(below), "") else { return };
        let ran = world.run(&["verify", "--root", below, "--json"]);
        let reported: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(answer["answer"], json!("yes"), "{answer}");
        assert_eq!(answer["rows_checked"], reported["rows_checked"], "{below}");
        // The words are those of the command line too.
        assert_eq!(answer["notes"], reported["notes"], "{below}");
        let gaps = |value: &Value| value["not_covered"].as_array().cloned().unwrap_or_default();
        assert!(gaps(&answer).starts_with(&gaps(&reported)), "{below}: {answer}");
    }
}

#[test]
fn a_finding_has_the_words_of_the_command_line() {
    let world = board_world();
    let board = "board/leaderboard/leaderboard.json";
    let text = world.read(board).replacen("\"pass_rate\": 0.9", "\"pass_rate\": 0.8", 1);
    world.write(board, text);
    let Some(answer) = verify(&world.path("board"), "board/") else { return };
    let ran = world.run(&["verify", "--root", "board", "--json"]);
    let reported: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((ran.code, &answer["findings"]), (1, &reported["findings"]));
}

/// The answer and the findings of program and module are the same; returns their codes.
fn alike(world: &World, case: &str) -> Option<String> {
    let answer = verify(&world.path("board"), "board/")?;
    let ran = world.run(&["verify", "--root", "board", "--json"]);
    let Ok(printed) = serde_json::from_str::<Value>(&ran.stdout) else {
        // Board or config cannot be read at all.
        let code = ran.stderr.split(['[', ']']).nth(1).unwrap_or_default();
        let failures = answer["failures"].to_string();
        assert!(failures.contains(&format!("[{code}]")), "{case}: {failures}: {}", ran.stderr);
        return Some(code.to_owned());
    };
    assert_eq!(Findings::of_answer(&answer), Findings::of_answer(&printed), "{case}: {answer}");
    assert_eq!(answer["rows_checked"], printed["rows_checked"], "{case}");
    let codes = |value: &Value| -> Vec<String> {
        let all = value.as_array().into_iter().flatten();
        all.filter_map(|it| it["code"].as_str()).map(str::to_owned).collect()
    };
    Some([codes(&printed["findings"]), codes(&printed["notes"])].concat().join(" "))
}

#[test]
fn an_entry_not_built_yet_and_a_changed_ledger_are_found_as_by_the_program() {
    let world = board_world();
    enter(&world, "entry");
    let Some(codes) = alike(&world, "an entry") else { return };
    assert!(codes.contains("E-ROW-MISSING"), "{codes}");
    assert_eq!(verify(&world.path("board"), "").expect("node")["answer"], json!("yes"));
    let board = "board/leaderboard/leaderboard.json";
    let named = world.read(board).replacen("\"model\": \"", "\"model\": \"late\", \"x\": \"", 1);
    world.write("board/leaderboard/boards/old.json", named);
    assert!(alike(&world, "an old board").is_some_and(|codes| codes.contains("H-BOARD")));

    let world = board_world();
    let ran = world.run(&["record", "--board", board, "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(world.run(&["history", "checkpoint", "--root", "board"]).code, 0);
    let (ledger, first) = ("board/leaderboard/history.jsonl", world.read(board));
    alike(&world, "recorded");
    let lines = world.read(ledger);
    let tampered: [(&str, String, &str); 4] = [
        (ledger, lines.replacen("\"rows\":5", "\"rows\":6", 1), "H-TREE"),
        (ledger, String::new(), "H-TREE"),
        (ledger, lines.trim_end().to_owned(), "H-TORN"),
        (board, first.replacen("\"rank\": 1", "\"rank\": 2", 1), "H-BOARD"),
    ];
    for (file, text, code) in tampered {
        let kept = world.read(file);
        assert_ne!(kept, text, "{code}");
        world.write(file, text);
        let codes = alike(&world, code).expect("node");
        assert!(codes.contains(code), "{code}: {codes}");
        world.write(file, kept);
    }
    std::fs::remove_dir_all(world.path("board/leaderboard/boards")).expect("removed");
    assert!(alike(&world, "no copies").is_some_and(|codes| codes.contains("H-BOARD")));
}

#[test]
fn a_seal_is_compared_as_by_the_program() {
    let world = board_world();
    let ran = world.run(&["build", "--root", "board", "--seal"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let Some(codes) = alike(&world, "sealed") else { return };
    assert!(!codes.contains("E-SEAL"), "{codes}");
    let answer = verify(&world.path("board"), "board/").expect("node");
    let ran = world.run(&["verify", "--root", "board", "--json"]);
    let reported: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let gaps = |value: &Value| value["not_covered"].as_array().cloned().unwrap_or_default();
    assert!(gaps(&answer).starts_with(&gaps(&reported)), "{answer}: {reported}");
    let seal = "board/leaderboard/leaderboard.seal.json";
    let tampered = [
        ("board/leaderboard/bundles/steady/judge.json", "true", "false"),
        ("board/seeds.json", "\"n_votes\": 3", "\"n_votes\": 5"),
        (seal, "\"serial\": 1", "\"serial\": 01"),
        (seal, "\"serial\": 1", "\"serial\": \"1\""),
        (seal, "\"format\"", "\"form\""),
        (seal, "\"serial\": 1", "\"serial\":  1"),
    ];
    for (file, from, to) in tampered {
        let kept = world.read(file);
        let text = kept.replacen(from, to, 1);
        assert_ne!(text, kept, "{file} does not contain {from}");
        world.write(file, text);
        let codes = alike(&world, to).expect("node");
        assert!(codes.contains("E-SEAL") || file.ends_with("seeds.json"), "{to}: {codes}");
        world.write(file, kept);
    }
    std::fs::remove_file(world.path("board/leaderboard/bundles/steady/judge.json")).expect("gone");
    alike(&world, "a sealed file is gone").expect("node");
}

/// `GMAT_EDITS` is how many; the suite tries a few.
#[test]
fn random_edits_of_board_config_and_bundles_are_found_alike() {
    let edits = std::env::var("GMAT_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(8);
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut draw = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below.max(1) as u64).expect("small")
    };
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for edit in 0..edits {
        let world = board_world();
        let bundle = ["careful", "steady", "careful-lift"][draw(3)];
        let names: &[&str] = match bundle {
            "careful-lift" => &["prompts.json", "trajectory.json", "verdicts.json"],
            _ => &["prompts.json", "completions.json", "judge.json"],
        };
        let file = match draw(4) {
            0 => "board/leaderboard/leaderboard.json".to_owned(),
            1 => "board/seeds.json".to_owned(),
            _ => format!("board/leaderboard/bundles/{bundle}/{}", names[draw(3)]),
        };
        let mut bytes = std::fs::read(world.path(&file)).expect("a file");
        let at = draw(bytes.len());
        let kind = draw(5);
        match kind {
            0 => bytes[at] = b' ' + u8::try_from(draw(95)).expect("a letter"),
            1 => drop(bytes.drain(at..(at + 1 + draw(20)).min(bytes.len()))),
            2 => bytes[at..].iter_mut().filter(|it| it.is_ascii_digit()).take(1).for_each(|it| {
                *it = if *it == b'9' { b'0' } else { *it + 1 };
            }),
            3 => {
                let line = bytes[..at].iter().rposition(|it| *it == b'\n').unwrap_or(0);
                let end = bytes[at..].iter().position(|it| *it == b'\n').map_or(at, |it| at + it);
                let line = bytes[line..end].to_vec();
                bytes.splice(end..end, line);
            }
            _ => bytes.truncate(at),
        }
        world.write(&file, bytes);
        let case = format!("edit {edit}: {kind} at {at} of {file}");
        let Some(codes) = alike(&world, &case) else { return };
        seen.extend(codes.split(' ').map(str::to_owned));
    }
    eprintln!("{edits} edits, {} codes: {seen:?}", seen.len());
}

/// The suite takes every fourth of the scripts; `scripts/compare-module` takes all.
#[test]
fn the_conformance_data_is_read_as_by_the_program() {
    let Some(data) = std::env::var_os("GMAT_CONFORMANCE") else {
        return skip("conformance", "GMAT_CONFORMANCE is not set");
    };
    let (data, world) = (Path::new(&data), World::new());
    copy(&data.join("gmat-copilot"), &world.path("board"));
    let (config, board) = ("leaderboard/seeds.json", "leaderboard/leaderboard.json");
    let Some(answer) = ask(&json!({
        "root": world.path("board"), "config": config, "board": board,
        "configName": format!("board/{config}"), "boardName": format!("board/{board}"),
    })) else {
        return;
    };
    let ran = world.run(&["verify", "--root", "board", "--json"]);
    let printed: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(answer["rows_checked"], printed["rows_checked"]);
    assert_eq!((&answer["findings"], &answer["notes"]), (&printed["findings"], &printed["notes"]));

    let compared =
        Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/compare-module"))
            .arg(data.join("gmat/scripts.jsonl"))
            .arg("4")
            .env("PROGRAM", env!("CARGO_BIN_EXE_gmat-leaderboard"))
            .output()
            .expect("bash runs");
    let report = String::from_utf8_lossy(&compared.stdout).into_owned();
    assert!(compared.status.success(), "{report}{}", String::from_utf8_lossy(&compared.stderr));
    let count = report.split(' ').next().and_then(|it| it.parse().ok());
    assert!(count.is_some_and(|it: usize| it >= 2_000), "{report}");
}

#[test]
fn a_script_is_scored_as_lint_reads_it() {
    let world = World::new();
    let script = "Create Satelite Sat\nSat.SMA = 7000\nBeginMissionSequence\nPropagat P(Sat)\n";
    world.write("a.script", script);
    let prompt = json!({"id": "", "request": "", "intent": "", "structural": {
        "required_types": ["Spacecraft"], "required_commands": ["Propagate"]}});
    let Some(answer) = ask(&json!({"script": script, "prompt": prompt.to_string()})) else {
        return;
    };
    let ran = world.run(&["lint", "a.script", "--format", "json"]);
    let reported: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(answer["diagnostics"], reported["files"][0]["diagnostics"], "{}", ran.stdout);
    assert_eq!(answer["passes"], json!(false));
}

#[test]
fn a_site_has_what_it_takes_to_check_it_and_only_three_kinds_of_pages_may_run_it() {
    let world = board_world();
    let ran = world.run(&["render", "-q", "--root", "board"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(world.read("board/site/v1/config.json"), world.read("board/seeds.json"));
    assert!(!world.exists("board/site/seeds.json"), "a site is not a repository");
    for name in ["prompts.json", "trajectory.json", "verdicts.json"] {
        let published = world.read(&format!("board/site/bundles/demo--careful/lift/{name}"));
        let committed = world.read(&format!("board/leaderboard/bundles/careful-lift/{name}"));
        assert_eq!(published, committed, "{name}");
    }
    let root = world.path("board/site");
    for entry in walkdir::WalkDir::new(&root).into_iter().flatten() {
        let path = entry.path().strip_prefix(&root).expect("below").display().to_string();
        if path.strip_suffix(".html").is_none() {
            continue;
        }
        let text = world.read(&format!("board/site/{path}"));
        let uses = path == "verify.html" || path.starts_with("m/") || path.starts_with("p/");
        let policy = "script-src 'self' 'wasm-unsafe-eval'; worker-src blob:;";
        assert_eq!(text.contains(policy), uses, "{path}");
        assert_eq!(text.contains("wasm"), uses, "{path}");
        assert_eq!(text.contains("derive."), uses, "{path}");
    }
    let sums = world.read("board/site/SHA256SUMS");
    let module = sums.lines().find(|line| line.contains("  module.")).expect("the module");
    let (sum, file) = module.split_once("  ").expect("two columns");
    let page = world.read("board/site/verify.html");
    assert!(page.contains(&format!("title=\"{sum}\"")) && page.contains(file), "{module}");
}
