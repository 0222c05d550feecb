//! Held-out texts on their way out: which command finds them, and where it says they are.

use serde_json::{Value, json};

use crate::harness::{Ran, World, board_world, copy};

/// The board of this repository with its held-out set fetched into the cache.
fn fetched() -> World {
    let world = board_world();
    copy(&world.path("held-out"), &world.path("board/leaderboard/.cache/heldout"));
    world
}

/// The request of one held-out prompt.
fn gold(world: &World, number: usize) -> String {
    let prompts: Value =
        serde_json::from_str(&world.read("held-out/careful/prompts.json")).expect("JSON");
    prompts[number - 1]["request"].as_str().expect("a request").to_owned()
}

/// The findings of a run: each with its first line and its place.
fn found(ran: &Ran) -> Vec<String> {
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let starts = lines.iter().enumerate().filter(|(_, line)| line.starts_with("finding["));
    starts.map(|(at, line)| format!("{line} {}", lines.get(at + 1).unwrap_or(&""))).collect()
}

#[test]
fn every_append_to_the_ledger_is_searched_first() {
    let world = fetched();
    let gold = gold(&world, 2);
    let run = |id: &str, notes: &str| {
        json!({
            "run_id": id, "run_at": "2026-05-04T12:00:00Z", "model": "demo:careful", "notes": notes,
            "aggregate_score": 0.5, "scores": {"datasets": {"a": 0.5}, "rubrics": {}},
        })
        .to_string()
    };
    world.write("run.json", run("r1", "fine"));
    world.write("leaky.json", run("r2", &gold));
    world.write("weights.json", "{\"datasets\": {\"a\": 2}, \"rubrics\": {}}");
    let now = ["--root", "board", "--now", "2026-05-05T00:00:00Z"];
    assert_eq!(world.run(&[&["record", "run.json"], &now[..]].concat()).code, 0);
    let before = world.read("board/leaderboard/history.jsonl");
    let recalibrate = ["history", "recalibrate", "--weights", "weights.json", "--reason", &gold];
    for args in [
        &["record", "leaky.json"][..],
        &["record", "leaky.json", "--dry-run"],
        &["record", "run.json", "leaky.json"],
        &["history", "retract", "r1", "--reason", &gold],
        &["history", "withdraw", "demo:careful", "--reason", &gold],
        &["history", "withdraw", &format!("demo:{gold}"), "--reason", "asked by its author"],
        &recalibrate,
    ] {
        let ran = world.run(&[args, &now[..]].concat());
        assert_eq!(ran.code, 1, "{args:?}: {}{}", ran.stdout, ran.stderr);
        let what = "finding[L-TEXT]: contains text of held-out prompt 2 of ";
        let found = found(&ran);
        assert_eq!(found.len(), 1, "{args:?}: {}", ran.stderr);
        assert!(found[0].starts_with(what), "{args:?}: {}", ran.stderr);
        assert!(found[0].contains("--> the lines to be recorded"), "{args:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains(&gold), "{args:?}: {}", ran.stderr);
        assert_eq!(world.read("board/leaderboard/history.jsonl"), before, "{args:?}");
    }
    // A named set counts where nothing was fetched, and a clean line is recorded.
    std::fs::remove_dir_all(world.path("board/leaderboard/.cache")).expect("removed");
    let named = ["record", "leaky.json", "--held-out", "held-out"];
    assert_eq!(world.run(&[&named[..], &now].concat()).code, 1);
    let clean = ["history", "withdraw", "demo:careful", "--reason", "asked by its author"];
    assert_eq!(world.run(&[&clean[..], &now].concat()).code, 0);
    assert_eq!(world.read("board/leaderboard/history.jsonl").lines().count(), 2);
}
