//! The seal.

use std::collections::BTreeSet;

use gmat_leaderboard::{Finding, verify};
use serde_json::{Value, json};

use crate::harness::{World, board_world, frozen};

const AT: &str = "2026-11-16T00:00:00Z";
const CONFIG: &str = "board/seeds.json";
const SEAL: &str = "board/leaderboard/leaderboard.seal.json";

/// Builds and seals the frozen board.
fn seal(world: &World) -> String {
    let mut args = vec!["build", "--root", "board", "--held-out", "held-out"];
    args.extend(["--generated-at", AT, "--seal"]);
    let ran = world.run(&args);
    assert_eq!(ran.code, 0, "{}", ran.both());
    ran.stdout
}

fn findings(world: &World) -> Vec<Finding> {
    verify(&world.path("board")).expect("verified").findings().to_vec()
}

/// The places of E-SEAL that decide, and the words of its notes.
fn told(world: &World) -> (BTreeSet<String>, Vec<String>) {
    let found = findings(world).into_iter().filter(|finding| finding.code.as_str() == "E-SEAL");
    let (wrong, notes): (Vec<_>, Vec<_>) = found.partition(Finding::decides);
    (
        wrong.into_iter().map(|it| format!("{} {}", it.file, it.path).trim().to_owned()).collect(),
        notes.into_iter().map(|it| it.what).collect(),
    )
}

fn edit(world: &World, below: &str, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_str(&world.read(below)).expect("JSON");
    change(&mut value);
    world.write(below, serde_json::to_string_pretty(&value).expect("JSON"));
}

#[test]
fn a_seal_covers_the_board_and_everything_it_was_scored_from() {
    let world = board_world();
    let first = seal(&world);
    assert!(first.ends_with(&format!("sealed as number 1: {SEAL}\n")), "{first}");
    let bytes = world.read(SEAL);
    assert_eq!(seal(&world), first, "an unchanged board keeps its seal");
    assert_eq!(world.read(SEAL), bytes);
    // Without the held-out set the board is sealed as it is.
    edit(&world, CONFIG, |config| config["x-note"] = json!("of ours"));
    let ran = world.run(&["build", "--root", "board", "--seal"]);
    assert!(ran.stdout.ends_with(&format!("\nsealed as number 2: {SEAL}\n")), "{}", ran.both());
    let bytes = world.read(SEAL);
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(ran.stdout.contains(&format!("\nseal: number 2 in {SEAL}\nnot covered: ")));
    assert!(ran.stdout.ends_with("signature (the config pins no key)\n"), "{}", ran.stdout);

    // One line feed more in each file changes no value.
    let sealed: Value = serde_json::from_str(&bytes).expect("JSON");
    let files: BTreeSet<String> =
        sealed["files"].as_object().expect("files").keys().cloned().collect();
    assert_eq!(files.len(), 5 * 3 + 2 * 3);
    for file in files.iter().map(|file| format!("board/{file}")) {
        world.write(&file, format!("{}\n", world.read(&file)));
    }
    edit(&world, CONFIG, |config| config["n_votes"] = json!(5));
    edit(&world, CONFIG, |config| config["seeds"][0]["submitted_by"] = json!("another"));
    let board = world.read("board/leaderboard/leaderboard.json");
    world.write("board/leaderboard/leaderboard.json", board.replace("0.1.0", "0.1.1"));
    let root = world.path("board").display().to_string();
    let mut expected = files;
    expected.extend([
        format!("{root}/leaderboard/leaderboard.json"),
        format!("{root}/seeds.json n_votes"),
        format!("{root}/seeds.json seeds"),
    ]);
    assert_eq!(told(&world).0, expected);
}

#[test]
fn what_does_not_enter_a_score_may_follow_a_seal() {
    let world = board_world();
    seal(&world);
    edit(&world, CONFIG, |config| {
        config["site"] = json!({"title": "Another"});
        config["seeds"][0]["about"] = json!({"name": "Another"});
    });
    let note = "not sealed yet: keys of the config that do not enter a score";
    assert_eq!(told(&world), (BTreeSet::new(), vec![note.to_owned()]));
    edit(&world, CONFIG, |config| {
        let seed =
            json!({"provider": "demo", "model": "late", "kind": "entry", "public_bundle": "late"});
        config["seeds"].as_array_mut().expect("seeds").push(seed);
    });
    world.write("board/late/judge.json", "{}");
    let note = "not sealed yet: seed `demo:late`, 1 file(s)";
    assert_eq!(told(&world), (BTreeSet::new(), vec![note.to_owned()]));
    std::fs::remove_file(world.path("board/leaderboard/bundles/careful-lift/verdicts.json"))
        .expect("removed");
    edit(&world, CONFIG, |config| {
        config["seeds"].as_array_mut().expect("seeds").pop();
    });
    assert_eq!(
        told(&world).0.into_iter().collect::<Vec<_>>(),
        ["leaderboard/bundles/careful-lift/verdicts.json"]
    );
}

#[test]
fn a_sealed_ledger_may_grow_and_not_change() {
    let line = |model: &str| {
        format!(
            r#"{{"kind":"exposure","model":"{model}","protocol":"1","provider":"p","recorded_at":"2026-11-16T00:00:00Z","set_commitment":null,"workflow_run":null,"workflow_url":null}}"#
        ) + "\n"
    };
    let world = board_world();
    let ledger = "board/leaderboard/history.jsonl";
    world.write(ledger, line("a") + &line("b"));
    seal(&world);
    world.write(ledger, line("a") + &line("b") + &line("c"));
    assert_eq!(told(&world), (BTreeSet::new(), vec![]));
    for wrong in [line("a"), line("b") + &line("a"), line("a") + &line("c")] {
        world.write(ledger, wrong);
        let places: Vec<_> = told(&world).0.into_iter().collect();
        assert_eq!(places, ["leaderboard/history.jsonl"]);
    }
    std::fs::remove_file(world.path(ledger)).expect("removed");
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(ran.stdout.contains("ledger (sealed, but not at hand)"), "{}", ran.stdout);
}

/// `tests/data/seal` has a seal of the frozen board, signed once with the minisign format.
#[test]
fn a_pinned_key_demands_a_signed_seal() {
    let world = board_world();
    let from = frozen().with_file_name("seal");
    let read = |name: &str| std::fs::read_to_string(from.join(name)).expect("readable");
    let key = read("minisign.pub");
    let key = key.lines().nth(1).expect("a key").to_owned();
    edit(&world, CONFIG, |config| config["seal"] = json!({"minisign": key}));
    edit(&world, CONFIG, |config| config["repository"] = json!("https://github.com/acme/board"));
    let root = world.path("board").display().to_string();
    let place = |file: &str| BTreeSet::from([format!("{root}/leaderboard/{file}")]);
    assert_eq!(told(&world).0, place("leaderboard.seal.json"));
    world.write(SEAL, read("leaderboard.seal.json"));
    let signature = "leaderboard.seal.json.minisig";
    assert_eq!(told(&world).0, place(signature));
    let signed = format!("{SEAL}.minisig");
    world.write(&signed, read(signature));
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let sealed = format!("\nseal: number 1 in {SEAL}, signed with the key of the config\n");
    assert!(ran.stdout.contains(&sealed), "{}", ran.stdout);
    let attested = format!("attestation (run `gh attestation verify {SEAL} --repo acme/board`)\n");
    assert!(ran.stdout.ends_with(&attested), "{}", ran.stdout);
    world.write(&signed, read(signature).replace("frozen", "Frozen"));
    assert_eq!(told(&world).0, place(signature));
    world.write(&signed, read(signature));
    world.write(SEAL, read("leaderboard.seal.json").replace("\"serial\": 1", "\"serial\": 2"));
    assert_eq!(told(&world).0, place(signature));
    for wrong in ["RWnonsense", "a secret"] {
        edit(&world, CONFIG, |config| config["seal"] = json!({"minisign": wrong}));
        let ran = world.run(&["verify", "--root", "board"]);
        assert_eq!(ran.code, 2, "{}", ran.both());
        assert!(ran.stderr.contains("a minisign public key"), "{}", ran.stderr);
    }
}
