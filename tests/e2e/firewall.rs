//! Held-out texts on their way out: which command finds them, and where it says they are.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Ran, World, board_world, copy, keep_prompts};

/// Two rows of the frozen board, with the held-out set of one fetched into the cache.
fn fetched() -> World {
    let world = board_world();
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    config["seeds"].as_array_mut().expect("seeds").truncate(2);
    config["seeds"][0].as_object_mut().expect("a seed").remove("lift_bundle");
    config["public_set"] = json!({"n_prompts": 8, "committed": true});
    for name in ["careful", "steady"] {
        keep_prompts(&world, &format!("board/leaderboard/bundles/{name}"), 8);
    }
    for name in ["careful-lift", "careless", "memoriser", "newcomer"] {
        let dir = world.path(&format!("board/leaderboard/bundles/{name}"));
        if dir.exists() {
            std::fs::remove_dir_all(dir).expect("removed");
        }
    }
    world.write("board/seeds.json", config.to_string());
    for name in ["careless", "memoriser", "steady"] {
        std::fs::remove_dir_all(world.path(&format!("held-out/{name}"))).expect("removed");
    }
    let build = ["build", "--root", "board", "--held-out", "held-out", "-q"];
    let stamp = ["--generated-at", "2026-11-16T00:00:00Z"];
    std::fs::remove_file(world.path("board/leaderboard/leaderboard.json")).expect("removed");
    let built = world.run(&[&build[..], &stamp].concat());
    assert_eq!(built.code, 0, "{}", built.stderr);
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
    let lines: Vec<&str> = ran.stdout.lines().chain(ran.stderr.lines()).collect();
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
        assert!(!ran.both().contains(&gold), "{args:?}: {}", ran.stderr);
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

/// Every key of a config that takes free text, as a JSON pointer; the last two parts may not be
/// there yet.
const TEXT_KEYS: &[(&str, &str)] = &[
    ("/eval_protocol_version", "eval_protocol_version"),
    ("/judge_model", "judge_model"),
    ("/public_set/note", "public_set.note"),
    ("/held_out_set/store", "held_out_set.store"),
    ("/held_out_set/commitment", "held_out_set.commitment"),
    ("/site/title", "site.title"),
    ("/site/description", "site.description"),
    ("/site/contact", "site.contact"),
    ("/site/licence", "site.licence"),
    ("/site/license", "site.license"),
    ("/site/question", "site.question"),
    ("/site/links/0/text", "site.links[0].text"),
    ("/site/links/0/url", "site.links[0].url"),
    ("/site/models/0", "site.models[0]"),
    ("/site/datasets/0", "site.datasets[0]"),
    ("/seeds/0/submitted_by", "seeds[0].submitted_by"),
    ("/seeds/0/about/name", "seeds[0].about.name"),
    ("/seeds/0/about/organization", "seeds[0].about.organization"),
    ("/seeds/0/withdrawn/reason", "seeds[0].withdrawn.reason"),
    ("/waivers/0/why", "waivers[0].why"),
    ("/waivers/0/who", "waivers[0].who"),
    ("/waivers/0/path", "waivers[0].path"),
    ("/prices/demo:careful/source", "prices[key number 1].source"),
    ("/seeds/0/about/url", "seeds[0].about.url"),
    ("/repository", "repository"),
    ("/packs/0/id", "packs[0].id"),
    ("/history/primary", "history.primary"),
    ("/x-note", "x-note"),
    ("/site/x-note", "site.x-note"),
    ("/seeds/1/x-note", "seeds[1].x-note"),
];

/// Puts `text` at a pointer into the config, which gets the sections it needs.
fn put(world: &World, pointer: &str, text: &str) {
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    config["site"] = json!({
        "title": "A board", "links": [{"text": "Source", "url": "https://example.org/"}],
        "models": ["m"], "datasets": ["d"],
    });
    if pointer.starts_with("/waivers") {
        config["waivers"] = json!([{"code": "B-VOTES", "path": "leaderboard/bundles/careful",
        "who": "owners", "why": "known", "until": "2027-01-31"}]);
    }
    config["prices"] = json!({"demo:careful": {"input": 1.0, "output": 1.0, "date": "2026-01-01",
        "source": "list"}});
    config["packs"] = json!([{"id": "p", "tasks": ["t"], "primary_metric": "em",
        "scoring_mode": "deterministic"}]);
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    if config.pointer(parent).is_none() {
        let (above, name) = parent.rsplit_once('/').expect("a pointer");
        config.pointer_mut(above).expect("a section")[name] = json!({});
    }
    match config.pointer_mut(parent).expect("a parent") {
        Value::Array(items) => items[key.parse::<usize>().expect("an index")] = json!(text),
        parent => parent[key] = json!(text),
    }
    world.write("board/seeds.json", config.to_string());
}

/// `gold` as the key at `pointer` can hold it: keys of pages have a longest length, and addresses
/// contain no spaces.
fn written(pointer: &str, gold: &str) -> String {
    let longest = match pointer.rsplit('/').next() {
        Some("url" | "repository") if !pointer.starts_with("/site") => {
            return format!("https://example.org/{}", gold.replace(' ', "-"));
        }
        Some("name" | "organization") => 60,
        Some("question") => 120,
        Some("reason") => 300,
        _ => usize::MAX,
    };
    gold.chars().take(longest).collect::<String>().trim().to_owned()
}

/// One leak finding, at `path` of the config, which repeats nothing.
fn names_key(ran: &Ran, path: &str, gold: &str, words: &str) {
    let leaks: Vec<String> =
        found(ran).into_iter().filter(|finding| finding.starts_with("finding[L-")).collect();
    assert_eq!(ran.code, 1, "{words}: {}{}", ran.stdout, ran.stderr);
    assert_eq!(leaks.len(), 1, "{words}: {}", ran.stderr);
    assert!(leaks[0].contains("contains text of held-out prompt 2 of "), "{words}: {}", leaks[0]);
    let place = format!("--> board/seeds.json, {path}");
    assert!(leaks[0].ends_with(&place), "{words}: {}", leaks[0]);
    assert!(!ran.both().contains(gold), "{words}: {}", ran.stderr);
}

#[test]
fn a_held_out_text_in_any_key_of_the_config_is_found_and_the_key_is_named() {
    let world = fetched();
    let config = world.read("board/seeds.json");
    for (pointer, path) in TEXT_KEYS {
        world.write("board/seeds.json", &config);
        let gold = written(pointer, &gold(&world, 2));
        put(&world, pointer, &gold);
        let root = ["--root", "board"];
        let build = world.run(&[&["build", "--out", "board/new.json"], &root[..]].concat());
        names_key(&build, path, &gold, &format!("build, {pointer}"));
        assert!(!world.exists("board/new.json"));
    }
}

#[test]
fn every_command_that_writes_or_checks_a_page_or_a_board_searches() {
    let world = fetched();
    let gold = gold(&world, 2);
    let board = world.read("board/leaderboard/leaderboard.json");
    assert_eq!(world.run(&["render", "--root", "board", "-q"]).code, 0);
    copy(&world.path("board/site"), &world.path("board/leaderboard/.cache/site"));
    put(&world, "/site/description", &gold);
    let run = json!({"run_id": "r1", "run_at": "2026-05-04T12:00:00Z", "model": "m"});
    world.write("run.json", run.to_string());
    let commands: [&[&str]; 9] = [
        // Elsewhere: without a held-out set the scored board itself is not replaced.
        &["build", "--out", "board/leaderboard/.cache/new.json"],
        &["build", "--out", "-"],
        &["verify"],
        &["verify", "--site", "board/leaderboard/.cache/site"],
        &["render"],
        &["render", "--check", "--out", "board/leaderboard/.cache/site"],
        &["site"],
        &["record", "run.json"],
        &["serve", "--port", "0"],
    ];
    for args in commands {
        let ran = world.run(&[args, &["--root", "board"]].concat());
        names_key(&ran, "site.description", &gold, &format!("{args:?}"));
    }
    let publish = ["publish", "--space", "gmat/board", "--dry-run", "--root", "board"];
    let ran = world.run(&publish);
    names_key(&ran, "site.description", &gold, "publish");

    // A named set does the same as a fetched one; without either a note says so, once.
    std::fs::remove_dir_all(world.path("board/leaderboard/.cache/heldout")).expect("removed");
    let note = "note: no held-out set at hand, so nothing was searched for held-out texts";
    for args in commands.into_iter().filter(|args| args[0] != "serve") {
        let with = [args, &["--root", "board", "--held-out", "held-out"]].concat();
        names_key(&world.run(&with), "site.description", &gold, &format!("{args:?}"));
        let without = world.run(&[args, &["--root", "board"]].concat());
        let note = if args == ["verify"] { "no held-out bundle at hand)" } else { note };
        assert_eq!(without.both().matches(note).count(), 1, "{args:?}: {}", without.both());
        world.write("board/leaderboard/leaderboard.json", &board);
    }
}

#[test]
fn a_text_that_only_a_page_holds_is_found_on_the_page() {
    let world = fetched();
    let gold = gold(&world, 2);
    world.write("board/extra/extra/note.txt", &gold);
    let ran = world.run(&["render", "--root", "board", "--static", "board/extra"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let found = found(&ran);
    assert!(found.iter().any(|it| it.contains("--> extra/note.txt, line 1")), "{found:?}");
    assert!(!world.exists("board/site"));
}

#[test]
fn only_recorded_boards_are_history() {
    let world = board_world();
    let root = ["--root", "board"];
    let record = ["record", "--board", "board/leaderboard/leaderboard.json", "-q"];
    assert_eq!(world.run(&[&record[..], &root].concat()).code, 0);
    assert_eq!(world.run(&[&["weekly", "--write", "-q"], &root[..]].concat()).code, 0);
    assert_eq!(world.run(&[&["verify"], &root[..]].concat()).code, 0);
    assert_eq!(world.run(&[&["render", "-q"], &root[..]].concat()).code, 0);
    let clean = world.read("board/site/changes.html");

    let mut old: Value =
        serde_json::from_str(&world.read("board/leaderboard/leaderboard.json")).expect("JSON");
    old["generated_at"] = json!("2026-10-01T00:00:00Z");
    old["entries"][0]["model"] = json!("planted");
    let bytes = old.to_string();
    let sha = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&bytes));
    for name in [&*sha, "00aa"] {
        let path = format!("board/leaderboard/boards/{name}.json");
        world.write(&path, &bytes);
        let ran = world.run(&[&["verify"], &root[..]].concat());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        let what = "finding[H-BOARD]: this board is not in the ledger, so it is not shown";
        assert_eq!(found(&ran), [format!("{what}   --> {path}")], "{}", ran.stderr);
        assert_eq!(world.run(&[&["render", "-q"], &root[..]].concat()).code, 0);
        assert_eq!(world.read("board/site/changes.html"), clean);
        std::fs::remove_file(world.path(&path)).expect("removed");
    }
}

#[test]
fn held_out_files_and_prompts_below_the_root_are_found() {
    let world = fetched();
    let verify = ["verify", "--root", "board", "--held-out", "held-out"];
    let honest = world.run(&verify);
    assert_eq!(honest.code, 0, "{}{}", honest.stdout, honest.stderr);

    // The whole bundle, and each of its files alone under another name.
    copy(&world.path("held-out/careful"), &world.path("board/leaderboard/bundles/oops"));
    let ran = world.run(&verify);
    assert_eq!((ran.code, found(&ran).len()), (1, 3), "{}", ran.stderr);
    std::fs::remove_dir_all(world.path("board/leaderboard/bundles/oops")).expect("removed");
    for name in ["prompts.json", "completions.json", "judge.json"] {
        let bytes = world.read(&format!("held-out/careful/{name}"));
        world.write("board/notes/kept.txt", &bytes);
        for command in ["verify", "build"] {
            let ran = match command {
                "verify" => world.run(&verify),
                _ => world.run(&["build", "--root", "board", "--held-out", "held-out"]),
            };
            let found = found(&ran);
            assert_eq!((ran.code, found.len()), (1, 1), "{command} {name}: {}", ran.stderr);
            assert!(found[0].contains("is a copy of the held-out file"), "{found:?}");
            assert!(found[0].contains("notes/kept.txt"), "{found:?}");
        }
    }
    std::fs::remove_dir_all(world.path("board/notes")).expect("removed");

    // One request inside a public answer, spelled with other spaces and case.
    let file = "board/leaderboard/bundles/steady/completions.json";
    let gold = gold(&world, 2);
    let mut answers: Value = serde_json::from_str(&world.read(file)).expect("JSON");
    let answer = answers.as_object_mut().expect("answers").values_mut().next().expect("one");
    let text = format!("% {}\n{}", gold.to_uppercase(), answer["text"].as_str().expect("text"));
    answer["text"] = json!(text);
    world.write("board/notes/answers.json", answers.to_string());
    let ran = world.run(&verify);
    let found_there = found(&ran);
    assert_eq!((ran.code, found_there.len()), (1, 1), "{}", ran.stderr);
    assert!(found_there[0].contains("contains text of held-out prompt 2"), "{found_there:?}");
    assert!(!ran.both().contains(&gold), "{}", ran.stderr);

    // The digests of held-out requests in the keys of a recording.
    let held: Value =
        serde_json::from_str(&world.read("held-out/careful/completions.json")).expect("JSON");
    let keys: Vec<&String> = held.as_object().expect("answers").keys().take(1).collect();
    world.write("board/notes/answers.json", json!({ keys[0]: {"text": ""} }).to_string());
    let ran = world.run(&verify);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        found(&ran)[0].contains("contains the request digest of held-out prompt"),
        "{}",
        ran.stderr
    );

    // What git ignores cannot be committed; what the config declares public may be.
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        let done = git.args(args).current_dir(world.path("board")).output().expect("git runs");
        assert!(done.status.success(), "{args:?}");
    };
    git(&["init", "-q"]);
    world.write("board/.gitignore", "notes/\nleaderboard/.cache/\n");
    assert_eq!(world.run(&verify).code, 0);
    copy(&world.path("held-out"), &world.path("board/old-set"));
    assert_eq!(world.run(&verify).code, 1);
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    config["held_out_set"]["published"] = json!("old-set");
    world.write("board/seeds.json", config.to_string());
    let ran = world.run(&["build", "--root", "board", "--held-out", "board/old-set"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = world.run(&["verify", "--root", "board", "--held-out", "board/old-set"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = world.run(&["render", "--root", "board", "--held-out", "board/old-set"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let page = world.read("board/site/method.html");
    assert!(page.contains("is published, so its scores say less about new tasks"), "{page}");
    assert!(!page.contains("is never published"), "{page}");
}

fn git(world: &World, args: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let mut git = std::process::Command::new("git");
    git.args(who).args(args).current_dir(world.path("board")).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let done = git.output().expect("git runs");
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A PNG chunk as far as the search reads it, around bytes that are not text.
fn picture(kind: &str, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).expect("short").to_be_bytes();
    [b"\x89PNG\r\n\x1a\n", &length[..], kind.as_bytes(), data, b"\xde\xad\xbe\xef"].concat()
}

/// The first command of the README, in a clone of the project.
#[test]
fn a_demo_works_in_a_repository_that_has_the_example() {
    let world = World::new();
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&project.join("examples/answers"), &world.path("board/examples/answers"));
    world.write("board/.gitignore", "/gmat-leaderboard-demo/\n");
    git(&world, &["init", "-q"]);
    git(&world, &["add", "."]);
    git(&world, &["commit", "-qm", "a clone"]);
    for dir in ["gmat-leaderboard-demo", "other"] {
        let ran = world.run(&["demo", &format!("board/{dir}"), "--entries", "3"]);
        assert_eq!(ran.code, 0, "{}", ran.both());
    }
}

#[test]
fn packed_files_are_searched_and_what_a_commit_had_once_is_found() {
    use std::io::Write;

    let world = fetched();
    let verify = ["verify", "--root", "board", "--held-out", "held-out"];
    let gold = gold(&world, 2);
    let zlib = |text: &str| {
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        zlib.write_all(text.as_bytes()).and_then(|()| zlib.finish()).expect("packed")
    };
    let prompts = world.read("held-out/careful/prompts.json");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(prompts.as_bytes()).expect("packed");
    let gzip = gzip.finish().expect("packed");
    // A member of a zip archive: its header, its name, the stream of zlib without what is around it.
    let stream = zlib(&prompts);
    let header = [b"PK\x03\x04\x14\0\0\0\x08\0", &[0; 16][..], b"\x05\0\0\0", b"a.jso"].concat();
    let zip = [&header, &stream[2..stream.len() - 4]].concat();
    for (name, bytes) in [
        ("a.png", picture("tEXt", format!("Comment\0{gold}").as_bytes())),
        ("b.png", picture("zTXt", &[b"Comment\0\0", &zlib(&gold)[..]].concat())),
        ("c.gz", gzip),
        ("d.zip", zip),
    ] {
        let file = format!("board/notes/{name}");
        world.write(&file, bytes);
        let ran = world.run(&verify);
        let found = found(&ran);
        assert_eq!((ran.code, found.len()), (1, 1), "{name}: {}", ran.both());
        assert!(found[0].contains(name) && !ran.both().contains(&gold), "{found:?}");
        std::fs::remove_file(world.path(&file)).expect("removed");
    }
    assert_eq!(world.run(&verify).code, 0);
    // On a site, as a file of one's own.
    world.write("s/extra/logo.png", picture("zTXt", &[b"Comment\0\0", &zlib(&gold)[..]].concat()));
    let render = ["render", "--root", "board", "--held-out", "held-out", "--out", "site"];
    let ran = world.run(&[&render[..], &["--static", "s"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.both());
    assert!(found(&ran).concat().contains("logo.png"), "{}", ran.both());

    // Staged is not committed; committed stays committed.
    git(&world, &["init", "-q"]);
    world.write("board/.gitignore", "leaderboard/.cache/\n");
    copy(&world.path("held-out/careful"), &world.path("board/oops"));
    git(&world, &["add", "."]);
    git(&world, &["rm", "-rq", "--cached", "oops"]);
    std::fs::remove_dir_all(world.path("board/oops")).expect("removed");
    git(&world, &["commit", "-qm", "a board"]);
    let ran = world.run(&verify);
    assert_eq!(ran.code, 0, "{}", ran.both());
    copy(&world.path("held-out/careful"), &world.path("board/oops"));
    git(&world, &["add", "."]);
    git(&world, &["commit", "-qm", "oops"]);
    git(&world, &["rm", "-rq", "oops"]);
    git(&world, &["commit", "-qm", "never mind"]);
    let ran = world.run(&verify);
    let found = found(&ran);
    assert_eq!((ran.code, found.len()), (1, 1), "{}", ran.both());
    let words = "a commit has a copy of the held-out file `held-out/careful/prompts.json`";
    assert!(found[0].contains(words), "{found:?}");
    // A set that is public anyway may be there.
    copy(&world.path("held-out"), &world.path("board/old-set"));
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    config["held_out_set"]["published"] = json!("old-set");
    world.write("board/seeds.json", config.to_string());
    let ran = world.run(&["build", "--root", "board", "--held-out", "board/old-set"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
}
