//! Flags that texts name exist, and messages say what to do.

use std::collections::BTreeSet;
use std::path::Path;

use crate::harness::{World, board_world};

/// Every text of the program and its documentation, with the place it comes from.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for below in ["README.md", "CONTRIBUTING.md", "docs", "src", "templates", "static"] {
        for entry in walkdir::WalkDir::new(root.join(below)).sort_by_file_name() {
            let entry = entry.expect("walked");
            let known = ["md", "rs", "html", "yml"].map(Some);
            let end = entry.path().extension().and_then(|end| end.to_str());
            if known.contains(&end) {
                let text = std::fs::read_to_string(entry.path()).expect("text");
                let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                texts.push((entry.path().display().to_string(), text.to_owned()));
            }
        }
    }
    texts
}

/// Long options of `command` and of the commands below it, hidden ones and aliases included.
pub fn flags(command: &clap::Command, all: &mut BTreeSet<String>) {
    for argument in command.get_arguments() {
        let names = argument.get_long_and_visible_aliases().unwrap_or_default();
        let aliases = argument.get_all_aliases().unwrap_or_default();
        all.extend(names.into_iter().chain(aliases).map(str::to_owned));
    }
    command.get_subcommands().for_each(|below| flags(below, all));
}

fn is_flag_letter(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'
}

/// The flags in a text that a command's call names, up to the end of the call.
pub fn flags_in(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("--") {
        let before = text[..at].chars().next_back();
        let name = text[at + 2..].split(|c| !is_flag_letter(c)).next().unwrap_or_default();
        let starts = before.is_none_or(|c| c == ' ' || c == '`' || c == '(' || c == '\n');
        if starts && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            found.push(name.trim_end_matches('-'));
        }
    }
    found
}

/// The part of `text` that is one call: to a backtick, a quote, a pipe, a comment or the line's end.
fn call(text: &str) -> String {
    let joined = text.replace("\\\\\n", " ").replace("\\\n", " ");
    joined.split(['`', '"', '|', '\n', '#', ';', '&', '<', '\'']).next().unwrap_or_default().into()
}

#[test]
fn every_call_that_a_text_shows_names_flags_its_command_has() {
    let mut program = gmat_leaderboard::internals::cli::command();
    program.build();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (place, text) in texts() {
        for (at, lead) in text.match_indices("gmat-leaderboard ") {
            let call = call(&text[at + lead.len()..]);
            let words: Vec<&str> = call.split_whitespace().collect();
            let Some(mut command) = words.first().and_then(|word| program.find_subcommand(word))
            else {
                continue;
            };
            for word in &words[1..] {
                command = command.find_subcommand(word).unwrap_or(command);
            }
            let mut known = BTreeSet::from(["help".to_owned(), "version".to_owned()]);
            flags(command, &mut known);
            for flag in flags_in(&call) {
                seen += 1;
                if !known.contains(flag) {
                    wrong
                        .push(format!("{place}: `{}` has no --{flag}: {call}", command.get_name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 100, "{seen} flags looked at");
}

#[test]
fn every_flag_that_a_text_names_exists_somewhere() {
    // Flags of other programs that texts show: cargo, git, hf, jq, gh, curl, inspect, gmat-copilot.
    const OTHERS: [&str; 35] = [
        "cached",
        "all-targets",
        "check",
        "create",
        "document-private-items",
        "example",
        "git",
        "lib",
        "locked",
        "no-deps",
        "no-fail-fast",
        "output-dir",
        "path",
        "private",
        "quiet",
        "release",
        "repo",
        "rev",
        "show-output",
        "test",
        "version",
        "bin",
        "root",
        "help",
        "include",
        "repo-type",
        "create-pr",
        "exclude",
        "judge-model",
        "lift",
        "lift-recorded",
        "live",
        "pace",
        "permissive",
        "recorded",
    ];
    let mut program = gmat_leaderboard::internals::cli::command();
    program.build();
    let mut known: BTreeSet<String> = OTHERS.map(str::to_owned).into();
    flags(&program, &mut known);
    let mut wrong = Vec::new();
    for (place, text) in texts() {
        let is_code = Path::new(&place).extension().is_some_and(|end| end == "rs");
        if place.contains("/static/") || place.contains("/templates/") || place.contains("/git.rs")
        {
            continue;
        }
        for line in text.lines().filter(|line| !is_code || !line.trim_start().starts_with("//")) {
            for flag in flags_in(line).into_iter().filter(|flag| !known.contains(*flag)) {
                wrong.push(format!("{place}: --{flag}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_empty_board_is_told_of_a_flag_that_exists() {
    let world = World::new();
    world.write("seeds.json", "{\"seeds\": []}");
    for command in ["site", "build"] {
        let ran = world.run(&[command]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("gmat-leaderboard build --allow-empty"), "{}", ran.stderr);
    }
    let ran = world.run(&["build", "--allow-empty", "--out", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn one_mistake_on_every_line_is_told_once_with_a_count() {
    let world = board_world();
    let prompts = world.read("board/leaderboard/bundles/careful/prompts.json");
    let prompts: serde_json::Value = serde_json::from_str(&prompts).expect("JSON");
    let ids: Vec<&str> =
        prompts.as_array().expect("prompts").iter().filter_map(|one| one["id"].as_str()).collect();
    let answers: String =
        ids.iter().map(|id| format!("{{\"id\":\"{id}\",\"completion\":\"x\"}}\n")).collect();
    let votes: String =
        ids.iter().map(|id| format!("{{\"id\":\"{id}\",\"votes\":[]}}\n")).collect();
    world.write("answers.jsonl", answers);
    world.write("votes.jsonl", votes);
    let ran = world.run(&[
        "freeze",
        "--model",
        "acme:m1",
        "--prompts",
        "board/leaderboard/bundles/careful/prompts.json",
        "--completions",
        "answers.jsonl",
        "--votes",
        "votes.jsonl",
        "--to",
        "new",
    ]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.stderr.lines().count(), 13, "{}", ran.stderr);
    let last = "error[E-SCHEMA]: and 47 more like the first of these: unknown key `completion`\n";
    assert!(ran.stderr.ends_with(last), "{}", ran.stderr);
}

#[test]
fn a_note_is_printed_once_by_a_command_that_runs_several() {
    let world = board_world();
    let judge = "board/leaderboard/bundles/careful/judge.json";
    let mut votes: std::collections::BTreeMap<String, Vec<Option<bool>>> =
        serde_json::from_str(&world.read(judge)).expect("votes");
    votes.values_mut().next().expect("a prompt").pop();
    world.write(judge, serde_json::to_string(&votes).expect("JSON"));
    let config = world.read("board/seeds.json");
    let lenient = config.replace("\"require_votes\": true", "\"require_votes\": false");
    assert_ne!(lenient, config);
    world.write("board/seeds.json", lenient);
    let ran = world.run(&["site", "--root", "board", "--held-out", "held-out"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let notes: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("note[")).collect();
    let distinct: BTreeSet<&&str> = notes.iter().collect();
    assert!(!notes.is_empty() && distinct.len() == notes.len(), "{}", ran.stderr);
}

#[test]
fn a_second_demo_says_what_to_do() {
    let world = World::new();
    world.write("demo/board/seeds.json", "{}");
    let ran = world.run(&["demo", "demo"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("gmat-leaderboard serve --root demo/board"), "{}", ran.stderr);
}

#[test]
fn a_held_out_bundle_is_frozen_into_new_directories_and_named_in_the_seed() {
    let world = board_world();
    let prompts = "[{\"id\":\"a\",\"request\":\"Make an orbit\",\"intent\":\"an orbit\"}]";
    world.write("secret/prompts.json", prompts);
    world.write("secret/answers.jsonl", "{\"id\":\"a\",\"text\":\"\"}\n");
    world.write("secret/votes.jsonl", "{\"id\":\"a\",\"votes\":[true,true,true]}\n");
    let call = [
        "freeze",
        "--root",
        "board",
        "--held-out",
        "--model",
        "acme:m1",
        "--prompts",
        "secret/prompts.json",
        "--completions",
        "secret/answers.jsonl",
        "--votes",
        "secret/votes.jsonl",
        "--to",
        "far/away/acme__m1",
    ];
    let ran = world.run(&call);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("ready: 1 of 1 held-out prompts pass"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("B-SET") && !ran.stderr.contains("orbit"), "{}", ran.stderr);
    assert_eq!(world.read("far/away/acme__m1/prompts.json"), prompts);

    let ran = world.run(&[&call[..13], &["third", "--json"]].concat());
    crate::schemas::holds_text("freeze-held-out", &ran.stdout);

    world.write("secret/prompts.json", prompts.replace("Make", "REPLACE: make"));
    let ran = world.run(&[&call[..13], &["other"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("finding[B-DRAFT]: 1 of 1 prompts are still placeholders"),
        "{}",
        ran.stdout
    );
    assert!(!world.exists("other"));
}

#[test]
fn check_adds_a_held_out_bundle_and_names_a_row_that_is_another_bundle() {
    let world = board_world();
    let at = |to: &str| format!("board/leaderboard/bundles/{to}");
    for file in ["prompts.json", "completions.json", "judge.json"] {
        let text = world.read(&at(&format!("careful/{file}")));
        world.write(&at(&format!("mine/{file}")), text.replace("demo:careful:", "acme:m1:"));
        world.write(&at(&format!("copy/{file}")), text);
    }
    let ran = world.run(&[
        "check",
        "--root",
        "board",
        &at("mine"),
        "--add",
        "--held-out-bundle",
        "acme__m1",
        "-q",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let config: serde_json::Value =
        serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    let last = config["seeds"].as_array().and_then(|seeds| seeds.last()).expect("a seed");
    assert_eq!(last["held_out_bundle"], "acme__m1");

    // A row that is listed gets one, once, and no other byte changes.
    let without =
        world.read("board/seeds.json").replace(",\n      \"held_out_bundle\": \"acme__m1\"", "");
    world.write("board/seeds.json", &without);
    let name = ["check", "--root", "board", &at("mine"), "--add", "--held-out-bundle", "acme__m1"];
    let ran = world.run(&name);
    let named = "`acme:m1` in board/seeds.json names the held-out bundle `acme__m1`; next: ";
    assert!(ran.code == 0 && ran.stdout.contains(named), "{}", ran.both());
    assert!(!ran.stdout.contains("in your fork"), "{}", ran.stdout);
    let with = without.replace("/mine\"\n", "/mine\",\n      \"held_out_bundle\": \"acme__m1\"\n");
    assert!(with != without && world.read("board/seeds.json") == with);
    assert_eq!(world.run(&name).code, 2, "it names one already");
    assert_eq!(world.read("board/seeds.json"), with);
    let ran = world.run(&["check", "--root", "board", &at("copy"), "-q"]);
    let other = "that seed names another bundle, `leaderboard/bundles/careful`";
    assert!(ran.stdout.contains(other), "{}", ran.stdout);
    let ran = world.run(&["check", "--root", "board", &at("careful"), "-q"]);
    assert!(!ran.stdout.contains("another bundle"), "{}", ran.stdout);
}

#[test]
fn a_bad_name_is_told_its_fault() {
    let world = board_world();
    let ran = world.run(&["check", "board/leaderboard/bundles/careful", "--model", "Acme:m1"]);
    assert_eq!(ran.code, 2);
    let what =
        "`Acme:m1` is not a valid provider:model; the provider contains the capital letter `A`";
    assert!(ran.stderr.contains(what), "{}", ran.stderr);
}

#[test]
fn lint_takes_directories_and_explains_every_rule() {
    let world = World::new();
    world.write("a/one.script", "Create Spacecraft Sat\n");
    world.write("a/b/two.gmat", "Create Spacecraf Sat\n");
    world.write("a/notes.txt", "not a script");
    world.write(".git/three.script", "Create Nothing Sat\n");
    let ran = world.run(&["lint", "."]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("a/b/two.gmat:1:8"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n2 scripts checked: "), "{}", ran.stdout);
    world.write("empty/x.txt", "");
    let ran = world.run(&["lint", "empty"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("no GMAT script is below this directory"), "{}", ran.stderr);
    let ran = world.run(&["lint", "--explain", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for rule in ["syntax-error", "unused-resource", "unknown-field"] {
        assert!(ran.stdout.contains(&format!("{rule} (")), "{}", ran.stdout);
    }
}

#[test]
fn an_unclosed_block_names_the_line_that_opened_it() {
    let script = b"Create Spacecraft Sat\nBeginMissionSequence\nTarget DC\n  Stop\n";
    let ran = World::new().run_with_stdin(&["lint", "-"], script);
    let what = "expected `EndTarget` for the `Target` on line 3, found the end of the script";
    assert!(ran.stdout.contains(what), "{}", ran.stdout);
}
