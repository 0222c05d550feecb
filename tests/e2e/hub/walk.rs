//! The steps of the gated workflow in their order: fetch, build, verify, publish.

use std::process::Command;

use super::{DATASET, SPACE, empty_space, put, space, start, tree};
use crate::harness::{World, frozen};

/// A new board whose held-out set is in a dataset of the hub.
fn world() -> World {
    let world = World::new();
    let examples = frozen().join("held-out/steady");
    put(&world, "hub/datasets/gmat/heldout/main/steady", &tree(&examples));
    empty_space(&world);
    assert_eq!(world.run(&["init", "board", "-q"]).code, 0);
    let git = Command::new("git").args(["init", "-q"]).current_dir(world.path("board")).status();
    assert!(git.expect("git").success());
    world
}

#[test]
fn the_gated_walk_leads_from_the_dataset_to_the_space() {
    let world = world();
    let hub = start(&world, &[]);

    let cache = "board/leaderboard/.cache/heldout";
    let fetch = ["fetch", "--root", "board", "--dataset", DATASET];
    let ran = hub.run_as(&world, "hf_read", &fetch);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for command in ["build", "verify"] {
        let ran = world.run(&[command, "--root", "board", "--held-out", cache]);
        assert_eq!(ran.code, 0, "{command}: {}", ran.stderr);
    }
    let publish = ["publish", "--root", "board", "--space", SPACE, "--held-out", cache];
    let dry = hub.run(&world, &[&publish[..], &["--dry-run"]].concat());
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    assert!(dry.stdout.contains("send index.html\n"), "{}", dry.stdout);
    assert!(space(&world).is_empty());
    let ran = hub.run(&world, &publish);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("held-out: 1 headline(s) re-derived\n"), "{}", ran.stdout);

    let sent = space(&world);
    assert_eq!(
        sent["leaderboard.json"],
        world.read("board/leaderboard/leaderboard.json").into_bytes()
    );
    let status = Command::new("git")
        .args(["status", "--porcelain", "--untracked-files=all"])
        .current_dir(world.path("board"))
        .output()
        .expect("git");
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(!status.contains(".cache"), "nothing held-out can be committed: {status}");
    hub.end_well();
}

#[test]
fn a_recorded_build_is_verified_and_published_with_its_history() {
    let world = world();
    let hub = start(&world, &[]);
    let cache = "board/leaderboard/.cache/heldout";
    let fetch = ["fetch", "--root", "board", "--dataset", DATASET];
    assert_eq!(hub.run_as(&world, "hf_read", &fetch).code, 0);
    let with = ["--root", "board", "--held-out", cache];
    for (serial, moment) in [(1, "2026-11-01T00:00:00Z"), (2, "2026-11-08T00:00:00Z")] {
        let build = ["build", "--record", "--generated-at", moment];
        for command in [&build[..], &["verify"]] {
            let ran = world.run(&[command, &with].concat());
            assert_eq!(ran.code, 0, "{command:?}: {}", ran.stderr);
        }
        let ran = hub.run(&world, &[&["publish", "--space", SPACE], &with[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        // The ledger names the board that was published, and the pages show its run.
        let board = world.read("board/leaderboard/leaderboard.json");
        let sent = space(&world);
        assert_eq!(sent["leaderboard.json"], board.into_bytes());
        let ledger = world.read("board/leaderboard/history.jsonl");
        let lines: Vec<serde_json::Value> =
            ledger.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
        assert_eq!((of("board"), of("run")), (serial, serial), "{ledger}");
        let hash = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&sent["leaderboard.json"]));
        assert_eq!(lines.last().expect("a line")["board_sha256"], hash);
        let index = String::from_utf8_lossy(&sent["v1/index.json"]).into_owned();
        assert!(index.contains(moment), "{index}");
    }
    hub.end_well();
}
