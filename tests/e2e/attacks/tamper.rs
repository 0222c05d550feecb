//! Seeded random edits of the frozen board and bundles, by a tool from outside.

use std::process::Command;

use serde_json::Value;

use super::desk::{forge, respell_set};
use crate::harness::board_world;
use crate::need::skip;

#[test]
fn random_edits_are_caught() {
    let Some(tools) = std::env::var_os("GMAT_TOOLS") else {
        skip("tools", "GMAT_TOOLS is not set");
        return;
    };
    let world = board_world();
    // The tool writes sets in this file's own spelling: spelt otherwise, no edit of it is none.
    respell_set(&world);
    forge(&world);
    let program = env!("CARGO_BIN_EXE_gmat-leaderboard");
    let build = format!(
        "{program} build --root {{root}} --config {{config}} --out {{out}} --held-out {{heldout}}"
    );
    let output = Command::new("python3")
        .arg(std::path::Path::new(&tools).join("tamper.py"))
        .args(["--board", "board/leaderboard/leaderboard.json", "--config", "board/seeds.json"])
        .args(["--root", "board", "--verify", &format!("{program} verify"), "--build", &build])
        .arg("--held-out")
        .arg(world.path("held-out"))
        .args(["-n", "120", "--seed", "1", "--jobs", "1", "--show-missed", "20"])
        .current_dir(world.path(""))
        .output()
        .expect("python3 runs");
    let reported = String::from_utf8_lossy(&output.stdout);
    let missed = String::from_utf8_lossy(&output.stderr);
    let counts: Value = serde_json::from_str(&reported).expect("one line of JSON");
    let of = |target: &str, verdict: &str| {
        counts["by_target"][target][verdict]
            .as_u64()
            .unwrap_or_else(|| panic!("{target}: {reported}"))
    };
    let total = |target| of(target, "caught") + of(target, "missed");
    assert_eq!(counts["crashed"], 0, "{reported}{missed}");
    assert_eq!(of("bundle", "missed"), 0, "{reported}{missed}");
    assert_eq!(of("selfconsistent", "missed"), 0, "{reported}{missed}");
    assert!(of("selfconsistent", "caught") > 0, "{reported}");
    assert!(of("board", "caught") * 100 >= total("board") * 95, "{reported}{missed}");
    eprintln!("tamper: {reported}");
}
