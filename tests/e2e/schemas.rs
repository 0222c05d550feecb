//! The JSON Schemas of `schema`: complete, and true of what the program reads and writes.

use std::collections::BTreeSet;
use std::path::Path;

use gmat_leaderboard::internals::cli::SCHEMAS;
use gmat_leaderboard::internals::domain::config::Config;
use serde_json::{Value, json};

use crate::harness::{World, board_world};

fn text(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let published = match name {
        "board" => Some("leaderboard"),
        "index" | "entry" | "pack" => Some(name),
        _ => None,
    };
    let path = match published {
        Some(name) => root.join(format!("static/schema/{name}.schema.json")),
        None => root.join(format!("schemas/{name}.schema.json")),
    };
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn schema(name: &str) -> Value {
    serde_json::from_str(&text(name)).expect("JSON")
}

/// `value` is what the schema `name` describes, and the schema is not so loose that it takes anything.
fn holds(name: &str, value: &Value) {
    let validator = jsonschema::validator_for(&schema(name)).expect(name);
    let wrong: Vec<String> =
        validator.iter_errors(value).map(|it| format!("{}: {it}", it.instance_path())).collect();
    assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    assert!(!validator.is_valid(&json!("a text")), "{name} takes a text");
    assert!(!validator.is_valid(&json!([17])), "{name} takes a list of numbers");
}

/// [`holds`] for a document that is not parsed yet.
pub fn holds_text(name: &str, text: &str) {
    holds(name, &serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}")));
}

#[test]
fn every_schema_has_an_id_and_describes_every_key() {
    fn described(value: &Value, path: &str, wrong: &mut Vec<String>) {
        for (key, of) in value["properties"].as_object().into_iter().flatten() {
            if of["description"].as_str().is_none_or(str::is_empty) && of.get("const").is_none() {
                wrong.push(format!("{path}.{key}"));
            }
        }
        for (name, of) in value["$defs"].as_object().into_iter().flatten() {
            described(of, &format!("{path}/{name}"), wrong);
        }
    }
    let world = World::new();
    let mut wrong = Vec::new();
    for (name, _) in SCHEMAS {
        let schema = schema(name);
        assert_eq!(schema["$id"], format!("urn:gmat-leaderboard:schema:{name}"));
        assert!(schema["title"].is_string() && schema["description"].is_string(), "{name}");
        described(&schema, name, &mut wrong);
    }
    assert!(wrong.is_empty(), "without a description: {wrong:#?}");
    let ran = world.run(&["schema", "seal"]);
    assert_eq!((ran.code, ran.stdout), (0, text("seal")), "{}", ran.stderr);
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas"));
    assert_eq!(files.expect("the folder").count() + 4, SCHEMAS.len(), "a file is not listed");
}

/// The keys of an object that the config schema describes, all of them with those below.
fn keys(schema: &Value, found: &mut BTreeSet<String>) {
    for (key, _) in schema["properties"].as_object().into_iter().flatten() {
        found.insert(key.clone());
    }
    for (_, below) in schema["$defs"].as_object().into_iter().flatten() {
        keys(below, found);
    }
}

#[test]
fn the_schema_of_the_config_has_the_keys_that_the_program_reads() {
    let mut described = BTreeSet::new();
    keys(&schema("config"), &mut described);
    let read: BTreeSet<String> = Config::keys().map(str::to_owned).collect();
    assert_eq!(described, read);
    // A key that the schema does not know is one that the program refuses.
    let world = board_world();
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    holds("config", &config);
    config["n_vots"] = json!(3);
    let validator = jsonschema::validator_for(&schema("config")).expect("a schema");
    assert!(!validator.is_valid(&config));
    world.write("board/seeds.json", config.to_string());
    let ran = world.run(&["verify", "--root", "board"]);
    assert!(ran.code == 2 && ran.stderr.contains("did you mean `n_votes`?"), "{}", ran.stderr);
    config.as_object_mut().expect("an object").remove("n_vots");
    config["x-mine"] = json!({"any": "thing"});
    holds("config", &config);
}

/// A board with a ledger: the demo's year is too large for a quick test, so one week is recorded.
fn recorded() -> World {
    let world = board_world();
    let ok = |args: &[&str]| {
        let ran = world.run(args);
        assert_eq!(ran.code, 0, "{args:?} {}", ran.stderr);
    };
    ok(&["build", "--root", "board", "--held-out", "held-out", "--record", "--seal", "-q"]);
    let run = |id: &str, day: &str, score: f64| {
        json!({"runId": id, "runAt": format!("2026-05-{day}T12:00:00Z"), "model": "acme:m1",
            "aggregateScore": score, "hallucinationRate": 0.1, "nPrompts": 40,
            "scores": {"datasets": {"a": score, "b": 0.5}, "rubrics": {"clear": score}}})
    };
    for (id, day, score) in [("one", "05", 0.5), ("two", "12", 0.6), ("three", "19", 0.4)] {
        holds("record", &run(id, day, score));
        world.write(&format!("{id}.json"), run(id, day, score).to_string());
        ok(&["record", "--root", "board", &format!("{id}.json"), "-q"]);
    }
    // Whoever records by hand names the weights as they like.
    let mut own = run("own", "20", 0.5);
    own["model"] = json!("acme:m2");
    own["weightsSha16"] = json!("by hand");
    holds("record", &own);
    world.write("own.json", own.to_string());
    ok(&["record", "--root", "board", "own.json", "-q"]);
    ok(&["history", "retract", "two", "--root", "board", "--reason", "a test", "-q"]);
    world
}

#[test]
fn files_and_outputs_are_what_their_schemas_say() {
    let world = recorded();
    let file = |path: &str| -> Value { serde_json::from_str(&world.read(path)).expect(path) };
    let at = "board/leaderboard";
    holds("board", &file(&format!("{at}/leaderboard.json")));
    holds("seal", &file(&format!("{at}/leaderboard.seal.json")));
    holds("weekly", &file(&format!("{at}/weekly.json")));
    for name in ["prompts", "completions", "judge"] {
        holds(name, &file(&format!("{at}/bundles/careful/{name}.json")));
    }
    let mut kinds = BTreeSet::new();
    for line in world.read(&format!("{at}/history.jsonl")).lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        holds("ledger", &line);
        kinds.insert(line["kind"].as_str().expect("a kind").to_owned());
    }
    assert!(["board", "retraction", "run"].iter().all(|kind| kinds.contains(*kind)), "{kinds:?}");
    world.write("weights.json", r#"{"datasets": {"a": 1, "b": 2}}"#);
    holds("weights", &file("weights.json"));

    world.write(
        "a.tot",
        "r1 GRADE t1 0.8\nr1 GRADE t2 0.4\nr2 GRADE t1 0.6\nr2 GRADE t2 0.2\nr2 GRADE all 0.9\n",
    );
    world.write("bad.script", "Create Spacecraf Sat\n");
    let board = "board/leaderboard/leaderboard.json";
    for (name, call) in [
        ("verify", "verify"),
        ("check", "check board/leaderboard/bundles/careless"),
        ("diff", "diff board/leaderboard/leaderboard.json board/leaderboard/leaderboard.json"),
        ("lint", "lint bad.script"),
        ("protocol", "eval --show-protocol"),
        ("history", "history"),
        ("history-breakdown", "history breakdown --all"),
        ("history-change", "history change --over 2026"),
        ("history-verify", "history verify"),
        ("history-recalibrate", "history recalibrate --weights weights.json --dry-run"),
        ("week", "weekly"),
        ("week", "weekly --all"),
        ("rank", "rank"),
        ("rank", "export --limit 2"),
        ("stats", "stats"),
        ("stats", "stats a.tot --per-run"),
        ("stats-check", "stats a.tot --check"),
        ("group", "group --on provider"),
        ("trend", "trend board/leaderboard/history.jsonl --by score"),
        ("compare", "compare demo:careful demo:steady"),
        ("correlate", "correlate a.tot a.tot --bootstrap 0"),
        ("correlate", "correlate a.tot a.tot --per-run"),
        ("doctor", "doctor"),
    ] {
        let mut args: Vec<&str> = call.split(' ').collect();
        args.extend(["--root", "board", "--json"]);
        let ran = world.run(&args);
        let value: Value = serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("{call}: {error}\n{}{}", ran.stdout, ran.stderr));
        holds(name, &value);
    }
    let ran = world.run(&["record", "--board", board, "--root", "board", "--dry-run", "--json"]);
    assert!(ran.stdout.lines().count() > 3, "{}", ran.stderr);
    for line in ran.stdout.lines() {
        holds("recorded", &serde_json::from_str(line).expect("JSON"));
    }
}
