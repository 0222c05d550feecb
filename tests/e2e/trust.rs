//! The seal, commitments and their reveal, and the check of what is published.

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
fn reported(world: &World) -> (BTreeSet<String>, Vec<String>) {
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
    // A seal is of the whole board; one row says nothing about it, signed or not.
    let ran = world.run(&["verify", "--root", "board", "--entry", "demo:careful"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(ran.stdout.ends_with("; seal (checked only with the whole board)\n"), "{}", ran.stdout);
    world.write(SEAL, "{}");
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 1, "{}", ran.both());
    assert!(ran.stdout.ends_with("; seal (cannot be read)\n"), "{}", ran.stdout);
    world.write(SEAL, &bytes);

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
    world.write(
        "board/leaderboard/leaderboard.json",
        board.replace(env!("CARGO_PKG_VERSION"), "0.1.1"),
    );
    let root = world.path("board").display().to_string();
    let mut expected = files;
    expected.extend([
        format!("{root}/leaderboard/leaderboard.json"),
        format!("{root}/seeds.json n_votes"),
        format!("{root}/seeds.json seeds"),
    ]);
    assert_eq!(reported(&world).0, expected);
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
    assert_eq!(reported(&world), (BTreeSet::new(), vec![note.to_owned()]));
    edit(&world, CONFIG, |config| {
        let seed =
            json!({"provider": "demo", "model": "late", "kind": "entry", "public_bundle": "late"});
        config["seeds"].as_array_mut().expect("seeds").push(seed);
    });
    world.write("board/late/judge.json", "{}");
    let note = "not sealed yet: seed `demo:late`, 1 file(s)";
    assert_eq!(reported(&world), (BTreeSet::new(), vec![note.to_owned()]));
    std::fs::remove_file(world.path("board/leaderboard/bundles/careful-lift/verdicts.json"))
        .expect("removed");
    edit(&world, CONFIG, |config| {
        config["seeds"].as_array_mut().expect("seeds").pop();
    });
    assert_eq!(
        reported(&world).0.into_iter().collect::<Vec<_>>(),
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
    assert_eq!(reported(&world), (BTreeSet::new(), vec![]));
    for wrong in [line("a"), line("b") + &line("a"), line("a") + &line("c")] {
        world.write(ledger, wrong);
        let places: Vec<_> = reported(&world).0.into_iter().collect();
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
    assert_eq!(reported(&world).0, place("leaderboard.seal.json"));
    world.write(SEAL, read("leaderboard.seal.json"));
    let signature = "leaderboard.seal.json.minisig";
    assert_eq!(reported(&world).0, place(signature));
    let signed = format!("{SEAL}.minisig");
    world.write(&signed, read(signature));
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let sealed = format!("\nseal: number 1 in {SEAL}, signed with the key of the config\n");
    assert!(ran.stdout.contains(&sealed), "{}", ran.stdout);
    let attested = format!("attestation (run `gh attestation verify {SEAL} --repo acme/board`)\n");
    assert!(ran.stdout.ends_with(&attested), "{}", ran.stdout);
    world.write(&signed, read(signature).replace("frozen", "Frozen"));
    assert_eq!(reported(&world).0, place(signature));
    world.write(&signed, read(signature));
    world.write(SEAL, read("leaderboard.seal.json").replace("\"serial\": 1", "\"serial\": 2"));
    assert_eq!(reported(&world).0, place(signature));
    for wrong in ["RWnonsense", "a secret"] {
        edit(&world, CONFIG, |config| config["seal"] = json!({"minisign": wrong}));
        let ran = world.run(&["verify", "--root", "board"]);
        assert_eq!(ran.code, 2, "{}", ran.both());
        assert!(ran.stderr.contains("a minisign public key"), "{}", ran.stderr);
    }
}

const LEDGER: &str = "board/leaderboard/history.jsonl";
const VOTES: &str = "held-out/steady/judge.json";
const SALT: &str = "held-out/master-salt.hex";

/// The frozen board with two rows, one of them an entry, and its held-out set committed to.
fn committed_world() -> World {
    let world = board_world();
    edit(&world, CONFIG, |config| {
        let seeds = config["seeds"].as_array_mut().expect("seeds");
        seeds.retain(|seed| seed["model"] == "steady" || seed["model"] == "careless");
        for seed in seeds {
            seed["kind"] = json!("entry");
            seed["submitted_by"] = seed["model"].clone();
        }
        config["attempts"] = json!({"budget": 25, "per_entrant": 5});
    });
    std::fs::remove_file(world.path("board/leaderboard/leaderboard.json")).expect("removed");
    let ran = heldout(&world, &["salt"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    world
}

fn heldout(world: &World, args: &[&str]) -> crate::harness::Ran {
    let mut all = vec!["heldout"];
    all.extend(args);
    all.extend(["--root", "board", "--held-out", "held-out"]);
    world.run(&all)
}

fn record(world: &World, hour: usize) -> crate::harness::Ran {
    let at = format!("2026-11-16T{hour:02}:00:00Z");
    world.run(&[
        "build",
        "--root",
        "board",
        "--held-out",
        "held-out",
        "--generated-at",
        &at,
        "--record",
    ])
}

/// Turns the votes on one held-out prompt: another recording of the same model.
fn vote_otherwise(world: &World, prompt: usize) {
    edit(world, VOTES, |votes| {
        let votes = votes.as_object_mut().expect("votes").values_mut().nth(prompt).expect("a list");
        for vote in votes.as_array_mut().expect("a list") {
            *vote = json!(vote != &json!(true));
        }
    });
}

#[test]
fn placeholders_are_never_committed_to() {
    let world = committed_world();
    let set = world.read("held-out/steady/prompts.json");
    let request = "\"request\": \"";
    world.write("held-out/prompts.json", set.replacen(request, &format!("{request}REPLACE: "), 1));
    let ran = heldout(&world, &["commit"]);
    assert_eq!(ran.code, 2, "{}", ran.both());
    assert!(ran.stderr.starts_with("error[B-DRAFT]: 1 of "), "{}", ran.stderr);
    assert!(!world.exists(LEDGER) || !world.read(LEDGER).contains("\"commit\""));
    world.write("held-out/prompts.json", set);
    assert_eq!(heldout(&world, &["commit"]).code, 0);
}

fn kinds(world: &World) -> Vec<String> {
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        line["kind"].as_str().unwrap_or("run").to_owned()
    };
    world.read(LEDGER).lines().map(line).collect()
}

#[test]
fn a_scoring_is_in_the_ledger_before_its_number_is_shown() {
    let world = committed_world();
    let ran = record(&world, 1);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "scored before it was committed to");
    assert!(ran.stderr.contains("run `gmat-leaderboard heldout commit` first"), "{}", ran.stderr);
    let ran = heldout(&world, &["commit"]);
    assert!(
        ran.stdout.starts_with("committed to the held-out set of protocol 1: "),
        "{}",
        ran.both()
    );
    assert_eq!(record(&world, 1).code, 0);
    assert_eq!(kinds(&world)[..3], ["commit", "attempt", "attempt"]);
    let lines = kinds(&world).len();
    vote_otherwise(&world, 0);
    let ran = record(&world, 2);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert_eq!(kinds(&world)[lines], "attempt", "only the changed bundle is a new attempt");
    assert_eq!(kinds(&world).iter().filter(|kind| *kind == "attempt").count(), 3);

    // A number that may not be shown is not shown, and nothing is written.
    edit(&world, CONFIG, |config| config["attempts"]["per_entrant"] = json!(2));
    vote_otherwise(&world, 1);
    let (ledger, board) = (world.read(LEDGER), world.read("board/leaderboard/leaderboard.json"));
    let ran = record(&world, 3);
    assert_eq!(ran.code, 1, "{}", ran.both());
    assert!(
        ran.stdout
            .contains("finding[E-ATTEMPTS]: `demo:steady` would be scoring number 3 of `steady`"),
        "{}",
        ran.both()
    );
    vote_otherwise(&world, 1);
    // Losing the salt is noticed before anything is scored.
    let salt = world.read(SALT);
    std::fs::remove_file(world.path(SALT)).expect("removed");
    let ran = record(&world, 3);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("has no master salt"), "{}", ran.stderr);
    assert_eq!(heldout(&world, &["salt"]).code, 0);
    let ran = record(&world, 3);
    assert_eq!(ran.code, 1, "{}", ran.both());
    assert!(ran.stdout.contains("finding[E-HELD-SET]"), "{}", ran.stdout);
    assert_ne!(world.read(SALT), salt);
    world.write(SALT, &salt);
    assert_eq!(world.read(LEDGER), ledger);
    assert_eq!(world.read("board/leaderboard/leaderboard.json"), board);
    let hidden = world.command(&["heldout", "salt", "--root", "board"]).env("CI", "true").output();
    assert_eq!(hidden.expect("ran").status.code(), Some(2), "never made in CI");

    let ran = world.run(&["render", "--root", "board", "--out", "site"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let page = world.read("site/m/demo--steady.html");
    assert!(page.contains("The ledger has 2 scorings of it; this is the last."));
    assert!(page.contains("Several attempts: the private test was scored 2 times"));
    assert!(world.read("site/method.html").contains("3 of 25 under protocol 1"));
    assert!(!world.read("site/verify.html").contains(salt.trim_end()));

    // The recipe works as it is printed.
    let ran = heldout(&world, &["reveal", "--protocol", "1"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let page = world.read("site/verify.html");
    let recipe = page
        .split("id=\"recipe\">")
        .nth(1)
        .expect("a recipe")
        .split("</pre>")
        .next()
        .expect("its end");
    let recipe = recipe
        .replace("&#x27;", "'")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&amp;", "&");
    for line in
        world.read(LEDGER).lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
    {
        let (dir, commitment) = match line["kind"].as_str() {
            Some("commit") => ("set".to_owned(), &line["set_commitment"]),
            Some("attempt") => (
                format!("rows/{}", line["row_commitment"].as_str().expect("hex")),
                &line["row_commitment"],
            ),
            _ => continue,
        };
        let output = std::process::Command::new("bash")
            .args(["-ec", &recipe])
            .current_dir(world.path("board/leaderboard/revealed/1").join(dir))
            .output()
            .expect("bash runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        let last = said.lines().last().expect("a line");
        assert_eq!(last, format!("{}  -", commitment.as_str().expect("hex")));
    }
}

/// Limits are counted by lines that only a committed set has.
#[test]
fn limits_of_scorings_need_a_commitment_and_outlive_a_seed() {
    let world = committed_world();
    std::fs::remove_file(world.path(SALT)).expect("removed");
    for limits in [json!({"budget": 25}), json!({"per_entrant": 5})] {
        edit(&world, CONFIG, |config| config["attempts"] = limits);
        let ran = record(&world, 1);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.contains("the config limits scorings (`attempts`)"), "{}", ran.stderr);
        assert!(!world.exists("board/leaderboard/leaderboard.json"));
    }
    edit(&world, CONFIG, |config| config["attempts"] = json!({}));
    let ran = record(&world, 1);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(!kinds(&world).contains(&"attempt".to_owned()), "nothing is counted");

    // An entrant who gives the model another name goes on with the old count.
    let world = committed_world();
    assert_eq!(heldout(&world, &["commit"]).code, 0);
    edit(&world, CONFIG, |config| config["attempts"]["per_entrant"] = json!(1));
    assert_eq!(record(&world, 1).code, 0);
    let withdraw = ["history", "withdraw", "demo:steady", "--reason", "renamed", "--root", "board"];
    assert_eq!(world.run(&withdraw).code, 0);
    for dir in ["board/leaderboard/bundles", "held-out"] {
        let path = format!("{dir}/steady/completions.json");
        world.write(&path, world.read(&path).replace("demo:steady:", "demo:steadier:"));
    }
    edit(&world, CONFIG, |config| {
        let seeds = config["seeds"].as_array_mut().expect("seeds");
        let seed = seeds.iter_mut().find(|seed| seed["model"] == "steady").expect("a seed");
        seed["model"] = json!("steadier");
    });
    let ran = record(&world, 2);
    assert_eq!(ran.code, 1, "{}", ran.both());
    let words = "finding[E-ATTEMPTS]: `demo:steadier` would be scoring number 2 of `steady` under protocol `1`";
    assert!(ran.stdout.contains(words), "{}", ran.both());
    // A new protocol version starts at zero, with a set of its own.
    edit(&world, CONFIG, |config| config["eval_protocol_version"] = json!("2"));
    let ran = record(&world, 3);
    assert_eq!(ran.code, 2, "not committed to: {}", ran.both());
    assert_eq!(heldout(&world, &["commit"]).code, 0);
    let ran = record(&world, 3);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let ran = world.run(&["render", "--root", "board", "--out", "site"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(world.read("site/method.html").contains("2 of 25 under protocol 2"));
}

#[test]
fn a_reveal_reproduces_a_history_of_five_boards_and_one_flipped_bit_is_caught() {
    use gmat_leaderboard::internals::workspace::{BoardFile, Workspace};

    let world = committed_world();
    assert_eq!(heldout(&world, &["commit"]).code, 0);
    for hour in 0..5 {
        let ran = record(&world, hour + 1);
        assert_eq!(ran.code, 0, "{}", ran.both());
        if hour < 4 {
            vote_otherwise(&world, hour);
        }
    }
    let ran = heldout(&world, &["reveal", "--protocol", "1"]);
    assert!(
        ran.stdout.starts_with("revealed the set of protocol 1 and 6 bundle(s) in "),
        "{}",
        ran.both()
    );
    let dir = "board/leaderboard/revealed/1";
    let ran = world.run(&["verify", "--root", "board", "--reveal", dir, "--held-out", "held-out"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(
        ran.stdout.contains("\nrevealed: 10 held-out cell(s) of 5 board(s) reproduce\n"),
        "{}",
        ran.stdout
    );

    let findings = || {
        let workspace = Workspace::open(&world.path("board"), None).expect("a workspace");
        let board =
            BoardFile::read(&world.path("board/leaderboard/leaderboard.json")).expect("read");
        workspace.check_reveal(&world.path(dir), &board).expect("checked").0
    };
    assert_eq!(findings(), []);
    let below = |dir: &str| -> Vec<std::path::PathBuf> {
        let files =
            walkdir::WalkDir::new(world.path(dir)).into_iter().map(|it| it.expect("walked"));
        files.filter(|it| it.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
    };
    let files = [below(dir), below("board/leaderboard/boards")].concat();
    assert_eq!(files.len(), 3 + 6 * 5 + 5);
    for file in files {
        let bytes = std::fs::read(&file).expect("read");
        let mut flipped = bytes.clone();
        let middle = bytes.len() / 2;
        flipped[middle] ^= 1;
        std::fs::write(&file, flipped).expect("written");
        assert!(findings().iter().any(Finding::decides), "{}", file.display());
        std::fs::write(&file, bytes).expect("written");
    }
    // A board whose cell was made up is named, although its hash is in the ledger.
    let (ledger, boards) = (world.read(LEDGER), world.path("board/leaderboard/boards"));
    let last: Value = serde_json::from_str(
        ledger.lines().rfind(|line| line.contains("\"kind\":\"board\"")).expect("a board"),
    )
    .expect("JSON");
    let old = last["board_sha256"].as_str().expect("hex");
    let text = std::fs::read_to_string(boards.join(format!("{old}.json"))).expect("read");
    let board: Value = serde_json::from_str(&text).expect("JSON");
    let rate = board["entries"][0]["held_out"]["pass_rate"].to_string();
    let forged = text.replace(&format!("\"pass_rate\": {rate}"), "\"pass_rate\": 0.067");
    assert_ne!(forged, text);
    let new = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&forged));
    std::fs::write(boards.join(format!("{new}.json")), forged).expect("written");
    world.write(LEDGER, ledger.replace(old, &new));
    let named: Vec<String> =
        findings().iter().map(|it| format!("{} {}", it.code, it.path)).collect();
    assert_eq!(named, ["E-HELD entries[0].held_out"]);
    assert!(kinds(&world).contains(&"reveal".to_owned()));
}

/// Serves the files below `dir` on loopback; returns the address.
fn serve(dir: std::path::PathBuf) -> String {
    use std::io::{BufRead, BufReader, Write};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut lines = BufReader::new(stream.try_clone().expect("a copy")).lines();
            let first = lines.next().expect("a request").expect("a line");
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let path =
                first.split(' ').nth(1).expect("a path").trim_start_matches("/board/").to_owned();
            let (status, body) = match std::fs::read(dir.join(path)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    address
}

#[test]
fn what_is_published_is_checked_with_and_without_the_repository() {
    let world = board_world();
    edit(&world, CONFIG, |config| {
        let seeds = config["seeds"].as_array_mut().expect("seeds");
        seeds.retain(|seed| seed["model"] == "steady" || seed["model"] == "careless");
    });
    seal(&world);
    let ran = world.run(&["render", "--root", "board", "--out", "site"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert_eq!(world.read("site/leaderboard.seal.json"), world.read(SEAL));
    let address = format!("{}/board", serve(world.path("site")));
    std::fs::remove_file(world.path("site/robots.txt")).expect("removed");
    let ran = world.run(&["fetch", "--published", &address, "--to", "got"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let check = |root: &str| world.run(&["verify", "--published", "got", "--root", root]);
    let ran = check("board");
    assert_eq!(ran.code, 1, "{}", ran.both());
    assert!(ran.stdout.contains("`robots.txt` is missing"), "{}", ran.stdout);
    world.write("got/robots.txt", "User-agent: *\nAllow: /\n");
    world.write("got/.gitattributes", "*.png filter=lfs\n");
    let ran = check("board");
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(
        ran.stdout.contains("\nseal: number 1 in got/leaderboard.seal.json\n"),
        "{}",
        ran.stdout
    );
    let alone = check("site");
    assert_eq!(alone.code, 0, "{}", alone.both());
    let last = "without the repository: 2 row(s) reproduce from their published bundles; pages, ledger and config are not compared\n";
    assert!(alone.stdout.ends_with(last), "{}", alone.stdout);
    // A hub that changes a number and everything that lists it.
    let board = world.read("got/leaderboard.json");
    let forged = board.replace(env!("CARGO_PKG_VERSION"), "0.1.1");
    assert_ne!(forged, board);
    world.write("got/leaderboard.json", &forged);
    let sums = world.read("got/SHA256SUMS");
    let sum = |text: &str| hex::encode(<sha2::Sha256 as sha2::Digest>::digest(text));
    world.write("got/SHA256SUMS", sums.replace(&sum(&board), &sum(&forged)));
    let alone = check("site");
    assert_eq!(alone.code, 1, "{}", alone.both());
    assert!(alone.stdout.contains("finding[E-SEAL]: the board is not the one of seal number 1"));
    let ran = check("board");
    assert!(ran.stdout.contains("finding[E-SITE]: `SHA256SUMS` differs"), "{}", ran.stdout);
}

#[test]
fn a_board_of_a_newer_program_is_a_note() {
    let world = board_world();
    let board = world.read("board/leaderboard/leaderboard.json");
    world.write("board/leaderboard/leaderboard.json", board.replace("\"0.1.0\"", "\"99.0.0\""));
    let found: Vec<(bool, String)> =
        findings(&world).into_iter().map(|it| (it.decides(), it.what)).collect();
    let what = format!(
        "5 row(s) were scored by a newer program, such as 99.0.0; this is {}",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(found, [(false, what)]);
}
