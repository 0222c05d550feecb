//! Help, completions, the manual, and calls that make no sense.

use gmat_leaderboard::internals::cli::{TERMS, TOPICS};

use crate::harness::World;

#[test]
fn completions_are_made_for_every_shell() {
    let world = World::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = world.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.contains("completions"), "{shell}");
    }
}

#[test]
fn the_manual_is_a_roff_page() {
    let ran = World::new().run(&["man"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains(".TH gmat-leaderboard 1"), "{}", ran.stdout);
}

#[test]
fn a_call_that_makes_no_sense_is_exit_2_and_says_so() {
    let ran = World::new().run(&["bulid"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("unrecognized subcommand 'bulid'"), "{}", ran.stderr);
}

#[test]
fn the_schema_describes_the_committed_board() {
    let ran = World::new().run(&["schema", "board"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let schema: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/leaderboard/leaderboard.json");
    let board = std::fs::read(path).expect("the board");
    let mut board: serde_json::Value = serde_json::from_slice(&board).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert!(validator.is_valid(&board));
    board["entries"][0]["run"]["notes"] = "more".into();
    assert!(!validator.is_valid(&board), "the schema is not closed");
}

#[test]
fn help_explains_commands_and_topics_and_suggests() {
    let world = World::new();
    let ran = world.run(&["help", "held-out"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("The held-out set is the private test"), "{}", ran.stdout);
    let ran = world.run(&["help", "history", "sql"]);
    assert!(ran.stdout.contains("Usage: gmat-leaderboard history sql"), "{}", ran.stdout);
    let ran = world.run(&["help"]);
    let topics = "\nTopics: bundle, cohorts, exit-codes, held-out, protocol, terms\n";
    assert!(ran.stdout.ends_with(topics), "{}", ran.stdout);
    let ran = world.run(&["help", "protocoll"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("did you mean `protocol`?"), "{}", ran.stderr);
    let ran = world.run(&["man", "verify"]);
    assert!(
        ran.stdout.contains("verify") && ran.stdout.contains("\\-\\-held\\-out"),
        "{}",
        ran.stdout
    );
    assert_eq!(world.run(&["man", "verfy"]).code, 2);
    for name in ["board", "entry", "index", "pack"] {
        let schema: serde_json::Value =
            serde_json::from_str(&world.run(&["schema", name]).stdout).expect("JSON");
        assert!(schema["$schema"].is_string(), "{name}");
    }
}

#[test]
fn help_explains_every_term_of_the_glossary() {
    let world = World::new();
    for (term, meaning) in TERMS {
        let words = term.split(' ').collect::<Vec<_>>();
        let ran = world.run(&[&["help"], &words[..]].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{term}");
        // A command or topic of the same name has its own page.
        let is_topic = TOPICS.iter().any(|(topic, _)| *topic == words[0]);
        let is_page = ran.stdout.contains("Usage: ") || is_topic;
        assert_eq!(ran.stdout == format!("{meaning}\n"), !is_page, "{term}: {}", ran.stdout);
    }
}

#[test]
fn unknown_words_get_a_suggestion() {
    let world = crate::harness::board_world();
    for (call, hint) in [
        ("bulid", "'build'"),
        ("verify --held-uot x", "'--held-out'"),
        ("verify --root board --entry demo:carefull", "did you mean `demo:careful`?"),
        ("verify --explain E-DIF", "did you mean `E-DIFF`?"),
        (
            "verify board/lederboard/leaderboard.json",
            "did you mean `board/leaderboard/leaderboard.json`?",
        ),
        (
            "check board/leaderboard/bundles/carefull",
            "did you mean `board/leaderboard/bundles/careful`?",
        ),
        ("compare --root board demo:carefull demo:steady", "did you mean `demo:careful`?"),
        ("rank --root board --by held_ot", "did you mean `held_out`?"),
        ("group --root board --on providr", "did you mean `provider`?"),
        ("lint --explain unknow-field", "'unknown-field'"),
        ("schema bord", "'board'"),
        ("schema verfy", "'verify'"),
        ("help held-oot", "did you mean `held-out`?"),
        ("man verfy", "did you mean `verify`?"),
    ] {
        let ran = world.run(&call.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 2, "{call}: {}", ran.both());
        assert!(ran.stderr.contains(hint), "{call}: {}", ran.stderr);
    }
    let ran = world.run(&["help", "cohrot"]);
    assert!(ran.stderr.contains("did you mean `cohort`?"), "{}", ran.stderr);
    let ran = world.run(&["help", "terms"]);
    assert!(ran.stdout.contains("\nheld-out set\n    The private test"), "{}", ran.stdout);
}
