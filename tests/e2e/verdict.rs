//! What `verify`, `build`, `diff` and `check` answer about a board with a new entry, with
//! scored headlines, or without a config.

use serde_json::{Value, json};

use crate::harness::{World, board_world, copy};

const BOARD: &str = "board/leaderboard/leaderboard.json";
const AT: &str = "2026-11-16T00:00:00Z";

fn edit(world: &World, path: &str, edit: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_str(&world.read(path)).expect("JSON");
    edit(&mut value);
    world.write(path, gmat_leaderboard::internals::json::pretty(&value));
}

fn json_of(stdout: &str) -> Value {
    serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
}

/// Adds the bundle of another row under a new name, with a seed of this kind.
pub fn enter(world: &World, kind: &str) {
    let bundles = world.path("board/leaderboard/bundles");
    copy(&bundles.join("steady"), &bundles.join("late"));
    let path = "board/leaderboard/bundles/late/completions.json";
    world.write(path, world.read(path).replace("demo:steady:", "demo:late:"));
    edit(world, "board/seeds.json", |config| {
        let seed = json!({"provider": "demo", "model": "late", "kind": kind,
            "public_bundle": "leaderboard/bundles/late"});
        config["seeds"].as_array_mut().expect("seeds").push(seed);
    });
}

#[test]
fn an_entry_that_was_never_on_a_board_is_not_built_yet() {
    let world = board_world();
    enter(&world, "entry");
    let verify = ["verify", "--root", "board"];
    let ran = world.run(&verify);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let note = "note[E-ROW-MISSING]: entry `demo:late` is not built yet\n";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    assert!(!ran.stderr.contains("gmat-leaderboard build"), "{}", ran.stderr);
    // To be asked is not to be on a board.
    let asked = json!({"kind": "exposure", "provider": "demo", "model": "late", "protocol": "1",
        "recorded_at": "2026-06-18T00:00:00Z", "set_commitment": null, "workflow_run": null,
        "workflow_url": null});
    world.write("board/leaderboard/history.jsonl", format!("{asked}\n"));
    let ran = world.run(&verify);
    assert!(ran.code == 0 && ran.stderr.contains(note), "{}", ran.both());
    std::fs::remove_file(world.path("board/leaderboard/history.jsonl")).expect("removed");
    let publish =
        ["publish", "--root", "board", "--dry-run", "--held-out", "held-out", "--space", "x/y"];
    let ran = world.run(&publish);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("finding[E-ROW-MISSING]"), "{}", ran.stdout);

    // A board that was kept names it, so it was removed.
    let mut board = json_of(&world.read(BOARD));
    board["entries"][0]["model"] = json!("late");
    world.write("board/leaderboard/boards/old.json", board.to_string());
    let ran = world.run(&verify);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("finding[E-ROW-MISSING]"), "{}", ran.stdout);
    std::fs::remove_dir_all(world.path("board/leaderboard/boards")).expect("removed");
    assert_eq!(world.run(&verify).code, 0);

    let line = json!({"kind": "withdraw", "provider": "demo", "model": "late", "protocol": "1",
        "reason": "asked", "recorded_at": "2026-11-16T00:00:00Z"});
    world.write("board/leaderboard/history.jsonl", format!("{line}\n"));
    let ran = world.run(&verify);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("finding[E-ROW-MISSING]"), "{}", ran.stdout);
}

#[test]
fn a_missing_row_of_another_kind_is_a_finding() {
    let world = board_world();
    enter(&world, "seed");
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("finding[E-ROW-MISSING]"), "{}", ran.stdout);
}

/// Without a seed no bundle asks for the row; the recorded boards still do.
#[test]
fn a_row_of_a_recorded_board_that_is_gone_is_a_finding_until_it_is_withdrawn() {
    let world = board_world();
    let build = ["build", "--root", "board", "--held-out", "held-out", "--record"];
    assert_eq!(world.run(&[&build[..], &["--generated-at", AT]].concat()).code, 0);
    let verify = ["verify", "--root", "board"];
    assert_eq!(world.run(&verify).code, 0);
    let config = world.read("board/seeds.json");
    edit(&world, "board/seeds.json", |config| {
        let seeds = config["seeds"].as_array_mut().expect("seeds");
        seeds.retain(|seed| seed["model"] != "careless");
    });
    let words = "finding[E-ROW-MISSING]: row `demo:careless` of a recorded board is gone\n";
    // Recording the board without it, and doing so twice, makes it no better.
    for at in ["2026-11-16T01:00:00Z", "2026-11-16T02:00:00Z"] {
        let ran = world.run(&[&build[..], &["--generated-at", at]].concat());
        assert_eq!(ran.code, 0, "{}", ran.both());
        let ran = world.run(&verify);
        assert_eq!((ran.code, ran.stdout.matches(words).count()), (1, 1), "{}", ran.both());
        let help =
            "; `gmat-leaderboard history withdraw demo:careless --reason TEXT` records why\n";
        assert!(ran.stdout.contains(help), "{}", ran.stdout);
    }
    let reduced = world.read("board/seeds.json");
    world.write("board/seeds.json", config);
    assert_eq!(
        world.run(&[&build[..], &["--generated-at", "2026-11-16T03:00:00Z"]].concat()).code,
        0
    );
    assert_eq!(world.run(&verify).code, 0, "it is back");
    world.write("board/seeds.json", &reduced);
    assert_eq!(
        world.run(&[&build[..], &["--generated-at", "2026-11-16T04:00:00Z"]].concat()).code,
        0
    );
    // Another protocol version is another board.
    let (board, recorded) = (world.read(BOARD), world.read("board/seeds.json"));
    edit(&world, "board/seeds.json", |config| config["eval_protocol_version"] = json!("2"));
    edit(&world, BOARD, |board| board["eval_protocol_version"] = json!("2"));
    assert!(!world.run(&verify).stdout.contains("E-ROW-MISSING"));
    world.write(BOARD, board);
    world.write("board/seeds.json", recorded);
    assert!(world.run(&verify).stdout.contains(words));
    let withdraw = ["history", "withdraw", "demo:careless", "--reason", "asked", "--root", "board"];
    assert_eq!(world.run(&withdraw).code, 0);
    let ran = world.run(&verify);
    assert_eq!(ran.code, 0, "{}", ran.both());
}

#[test]
fn a_build_without_the_held_out_set_does_not_replace_headlines() {
    let world = board_world();
    let before = world.read(BOARD);
    let ran = world.run(&["build", "--root", "board", "--generated-at", AT]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let words = "finding[E-HELD]: the build would replace 4 scored headline(s) by pending ones\n";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    assert!(ran.stdout.contains("--drop-headlines"), "{}", ran.stdout);
    assert_eq!(world.read(BOARD), before);
    for args in [
        &["build", "--root", "board", "--out", "-"][..],
        &["build", "--root", "board", "--out", "new.json"],
        &["site", "--root", "board"],
        &["build", "--root", "board", "--held-out", "held-out", "--generated-at", AT],
    ] {
        let ran = world.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
    }
    let again = world.run(&["build", "--root", "board", "--out", "new.json"]);
    assert_eq!(again.code, 0, "a board without headlines loses none: {}", again.stderr);
    let ran = world.run(&["build", "--root", "board", "--drop-headlines"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(world.read(BOARD).matches("pending: scored").count(), 5);
}

#[test]
fn the_summary_of_a_pull_request_keeps_published_headlines() {
    let world = board_world();
    enter(&world, "entry");
    assert_eq!(world.run(&["build", "--root", "board", "--out", "new.json"]).code, 0);
    let ran = world.run(&["diff", BOARD, "new.json", "--keep-headlines", "--json"]);
    let changes = json_of(&ran.stdout);
    assert_eq!(changes["added"].as_array().map(Vec::len), Some(1), "{changes}");
    assert_eq!(changes["added"][0]["held_out"], Value::Null);
    assert_eq!(changes["added"][0]["rank"], json!(5));
    let changed = changes["changed"].as_array().expect("changed");
    let lost = |row: &&Value| row["old"]["held_out"] != row["new"]["held_out"];
    assert_eq!(changed.iter().filter(lost).count(), 0, "{changes}");
    let without = json_of(&world.run(&["diff", BOARD, "new.json", "--json"]).stdout);
    let changed = without["changed"].as_array().expect("changed");
    assert_eq!(changed.iter().filter(lost).count(), 4);
}

#[test]
fn verify_says_in_json_what_it_did_not_cover() {
    let world = board_world();
    let answer = json_of(&world.run(&["verify", "--root", "board", "--json"]).stdout);
    assert_eq!(
        answer["not_covered"],
        json!([
            {"what": "held-out headlines", "rows": 4,
             "why": "checked for form only: no held-out bundle at hand"},
            {"what": "held-out set", "rows": null, "why": "the ledger has no commitment to it"},
            {"what": "seal", "rows": null, "why": "the board has none"},
        ])
    );
    let gated = ["verify", "--root", "board", "--held-out", "held-out", "--json"];
    let answer = json_of(&world.run(&gated).stdout);
    assert_eq!(answer["not_covered"].as_array().map(Vec::len), Some(2), "{answer}");

    // A commitment before the first score, and a ledger that no other person has a checkpoint of.
    for args in [
        &["heldout", "salt", "--root", "board", "--held-out", "held-out"][..],
        &["heldout", "commit", "--root", "board", "--held-out", "held-out"],
        &["build", "--root", "board", "--held-out", "held-out"],
    ] {
        let ran = world.run(args);
        assert_eq!(ran.code, 0, "{}", ran.both());
    }
    let answer = json_of(&world.run(&gated).stdout);
    let what = answer["not_covered"].as_array().expect("a list").iter().map(|it| &it["what"]);
    assert_eq!(what.collect::<Vec<_>>(), ["rewritten ledger", "seal"]);
}

#[test]
fn a_submission_answers_in_the_envelope_of_verify() {
    let world = board_world();
    copy(&world.path("board"), &world.path("base"));
    enter(&world, "entry");
    let args = ["check", "--pull-request", "base", "--root", "board", "--json"];
    let ran = world.run(&args);
    let good = json_of(&ran.stdout);
    assert_eq!((ran.code, &good["answer"], &good["command"]), (0, &json!("yes"), &json!("check")));
    assert_eq!(good["bundle"], json!("leaderboard/bundles/late"));
    assert_eq!(good["model"], json!("demo:late"));
    edit(&world, "board/seeds.json", |config| config["n_votes"] = json!(1));
    let ran = world.run(&args);
    let bad = json_of(&ran.stdout);
    assert_eq!((ran.code, &bad["answer"]), (1, &json!("no")));
    assert_eq!(bad["findings"][0]["code"], json!("E-SUBMISSION"));
    let verified = json_of(&world.run(&["verify", "--root", "base", "--json"]).stdout);
    for key in verified.as_object().expect("an object").keys() {
        assert!(good.get(key).is_some() && bad.get(key).is_some(), "{key}");
    }
}

#[test]
fn a_board_can_come_from_stdin_and_without_a_config() {
    let world = board_world();
    let board = world.read(BOARD);
    let ran = world.run_with_stdin(&["verify", "-", "--root", "board"], board.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    world.write("elsewhere/downloaded.json", &board);
    let ran = world.run(&["verify", "elsewhere/downloaded.json", "--root", "elsewhere"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("`--form-only`"), "{}", ran.stderr);
    let ran = world.run_with_stdin(&["verify", "-", "--form-only"], board.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn merge_markers_are_named_only_where_there_are_any() {
    let world = World::new();
    world.write("cut.json", "{\"a\": 1");
    let ran = world.run(&["verify", "cut.json", "--form-only"]);
    assert!(!ran.stderr.contains("conflict") && !ran.stderr.contains("merge"), "{}", ran.stderr);
    world.write("merged.json", "{\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> b\n}\n");
    let ran = world.run(&["verify", "merged.json", "--form-only"]);
    assert!(ran.stderr.contains("help: resolve the conflict"), "{}", ran.stderr);
}

#[test]
fn a_tier_of_a_lift_bundle_is_reported_in_its_own_file() {
    let world = board_world();
    let lift = "board/leaderboard/bundles/careful-lift/prompts.json";
    edit(&world, lift, |prompts| prompts[0]["difficulty"] = json!("no <b>tier"));
    let ran = world.run(&["verify", "--root", "board", "--json"]);
    let found = json_of(&ran.stdout);
    let found = found["findings"].as_array().expect("findings");
    let tier = found.iter().find(|finding| {
        finding["code"] == "L-TIER"
            && finding["help"].as_str().is_some_and(|it| it.contains("a tier name has"))
    });
    let file = &tier.unwrap_or_else(|| panic!("{}", ran.stdout))["file"];
    assert_eq!(file, "leaderboard/bundles/careful-lift/prompts.json");
}

#[test]
fn another_public_set_is_named_by_both_full_hashes() {
    let world = board_world();
    let path = "board/leaderboard/bundles/steady/prompts.json";
    world.write(path, format!("{}\n", world.read(path)));
    let ran = world.run(&["verify", "--root", "board"]);
    let pin = json_of(&world.read("board/seeds.json"))["public_set"]["sha256"].clone();
    let pin = format!("config pin {}, file ", pin.as_str().expect("a pin"));
    let rest = ran.stdout.split_once(&pin).unwrap_or_else(|| panic!("{}", ran.stdout)).1;
    assert_eq!(rest.bytes().take_while(u8::is_ascii_hexdigit).count(), 64, "{}", ran.stdout);
}
