//! The steps of the gated workflow in their order: fetch, build, verify, publish.

use std::process::Command;

use super::{DATASET, FakeHub, SPACE, STRICT, empty_space, put, space, tree};
use crate::harness::World;

#[test]
fn the_gated_walk_leads_from_the_dataset_to_the_space() {
    let world = World::new();
    let examples =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/held-out/steady");
    put(&world, "hub/datasets/gmat/heldout/main/steady", &tree(&examples));
    empty_space(&world);
    assert_eq!(world.run(&["init", "board", "-q"]).code, 0);
    let git = Command::new("git").args(["init", "-q"]).current_dir(world.path("board")).status();
    assert!(git.expect("git").success());
    let Some(hub) = FakeHub::start(&world, &STRICT) else { return };

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
