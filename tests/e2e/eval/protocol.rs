//! The protocol: printed, hashed, recorded, shown, and fixed for a protocol version.

use sha2::{Digest, Sha256};

use crate::harness::{World, board_world};

#[test]
fn the_protocol_is_printed_and_its_json_has_the_hash() {
    let world = World::new();
    let ran = world.run(&["eval", "--show-protocol"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let json = world.run(&["eval", "--show-protocol", "--json"]);
    let sha256 = hex::encode(Sha256::digest(&json.stdout));
    assert!(ran.stdout.starts_with(&format!("protocol sha256: {sha256}\n")), "{}", ran.stdout);
    for part in ["--- system (shipped with", "--- request (", "--- judge (", "temperature 0,"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
}

#[test]
fn a_changed_protocol_needs_a_new_version() {
    let world = board_world();
    let plain = world.read("board/seeds.json");
    let with = |section: &str| plain.replacen('{', &format!("{{\"protocol\": {section},"), 1);
    world.write("board/seeds.json", with(r#"{"request": "ask.md"}"#));
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 2, "{}", ran.both());
    assert!(ran.stderr.contains("ask.md"), "{}", ran.stderr);

    world.write("board/ask.md", "Write this: {{ request }} <b>\n");
    let build = ["build", "--root", "board", "--held-out", "held-out", "--record", "-q"];
    assert_eq!(world.run(&build).code, 0);
    let shown = world.run(&["eval", "--root", "board", "--show-protocol"]);
    let sha256 =
        shown.stdout.lines().next().expect("a line").trim_start_matches("protocol sha256: ");
    let ledger = world.read("board/leaderboard/history.jsonl");
    assert!(ledger.contains(&format!("\"protocol_sha256\":\"{sha256}\"")), "{ledger}");
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let site = ["render", "--root", "board", "--held-out", "held-out", "--out", "site", "-q"];
    assert_eq!(world.run(&site).code, 0);
    let method = world.read("site/method.html");
    assert!(method.contains(sha256), "the hash is shown");
    assert!(method.contains("Write this: {{ request }} &lt;b&gt;"), "the text is shown, escaped");

    let prompts: serde_json::Value =
        serde_json::from_str(&world.read("held-out/steady/prompts.json")).expect("JSON");
    let secret = prompts[0]["request"].as_str().expect("a request");
    world.write("board/ask.md", format!("{secret} {{{{ request }}}}\n"));
    let ran = world.run(&site);
    assert_eq!(ran.code, 1, "{}", ran.both());
    assert!(ran.stdout.contains("of held-out prompt 1"), "{}", ran.both());

    for (config, text) in [
        (with(r#"{"request": "ask.md"}"#), "Write that: {{ request }}\n"),
        (
            with(r#"{"request": "ask.md", "judging": {"temperature": 0}}"#),
            "Write this: {{ request }} <b>\n",
        ),
        (plain.clone(), ""),
    ] {
        world.write("board/ask.md", text);
        world.write("board/seeds.json", &config);
        for call in [&["verify", "--root", "board"][..], &build] {
            let ran = world.run(call);
            assert_eq!(ran.code, 1, "{call:?}: {}", ran.both());
            assert!(ran.both().contains("finding[E-PROTOCOL]: the protocol "), "{}", ran.both());
        }
        let newer =
            config.replace("\"eval_protocol_version\": \"1\"", "\"eval_protocol_version\": \"2\"");
        world.write("board/seeds.json", newer);
        let ran = world.run(&["build", "--root", "board", "--held-out", "held-out", "--out", "-"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
}
