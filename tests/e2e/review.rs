//! What changed between two boards, and what a pull request may change.

use std::process::Command;

use gmat_leaderboard::internals::domain::Code;
use gmat_leaderboard::internals::ui::hints::code_help;

use crate::harness::{World, board_world, copy, frozen};

fn demo(world: &World, name: &str) {
    copy(&frozen(), &world.path(name));
}

const BOARD: &str = "a/board/leaderboard/leaderboard.json";

#[test]
fn a_board_against_itself_has_no_change() {
    let world = World::new();
    demo(&world, "a");
    let ran = world.run(&["diff", BOARD, BOARD, "--exit-code"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout, "no change: 5 row(s) are the same\n");
}

#[test]
fn pending_rows_that_were_scored_are_listed_in_every_format() {
    let world = World::new();
    demo(&world, "a");
    let build = ["build", "--root", "a/board", "--out", "pending.json", "--generated-at"];
    let ran = world.run(&[&build[..], &["2026-01-01T00:00:00Z"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // The frozen board was built by version 0.1.0, and another version would be a reason of its own.
    let pending = world.read("pending.json").replace(env!("CARGO_PKG_VERSION"), "0.1.0");
    world.write("pending.json", pending);
    let scored = world.read(BOARD);
    let stamp = scored.split("\"generated_at\": \"").nth(1).expect("a stamp");
    let stamp = stamp.split('"').next().expect("a stamp");

    let ran = world.run(&["diff", "pending.json", BOARD, "--exit-code"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let line = format!("header   generated_at: 2026-01-01T00:00:00Z -> {stamp}\n");
    assert!(ran.stdout.starts_with(&line), "{}", ran.stdout);
    assert!(ran.stdout.contains("changed  demo:careful: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("held-out pending -> 0."), "{}", ran.stdout);
    assert!(ran.stdout.contains("(scored on the held-out set)\n"), "{}", ran.stdout);

    let ran = world.run(&["diff", "pending.json", BOARD, "--format", "markdown"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let head = "| row | rank | public | held-out | gap | why |\n|---|---|---|---|---|---|\n| demo:";
    assert!(ran.stdout.starts_with(head), "{}", ran.stdout);
    assert!(ran.stdout.contains("| pending → 0."), "{}", ran.stdout);

    let ran = world.run(&["diff", "pending.json", BOARD, "--json"]);
    let changes: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(changes["comparable"], true);
    assert_eq!(changes["changed"][0]["old"]["held_out"], serde_json::Value::Null);
}

#[test]
fn a_file_that_is_not_a_board_is_reported() {
    let world = World::new();
    world.write("a.json", "{}");
    let ran = world.run(&["diff", "a.json", "a.json"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.starts_with("error: `a.json` is not a board\n"), "{}", ran.stderr);
}

/// A base, and a head that adds a seed with a bundle of its own.
fn submitted(world: &World) {
    for side in ["base", "head"] {
        assert_eq!(world.run(&["init", side, "-q"]).code, 0);
    }
    let config = world.read("head/seeds.json");
    let seed = "\"seeds\": [\n    {\"provider\": \"demo\", \"model\": \"fresh\", \"kind\": \"entry\", \
        \"submitted_by\": \"somebody\", \"public_bundle\": \"leaderboard/bundles/fresh\"},";
    world.write("head/seeds.json", config.replacen("\"seeds\": [", seed, 1));
    for file in ["prompts.json", "completions.json", "judge.json"] {
        let text = world.read(&format!("head/leaderboard/bundles/steady/{file}"));
        let text = text.replace("demo:steady:", "demo:fresh:");
        world.write(&format!("head/leaderboard/bundles/fresh/{file}"), text);
    }
}

const SUBMISSION: [&str; 5] = ["check", "--pull-request", "base", "--root", "head"];

#[test]
fn a_bundle_and_one_seed_are_a_submission() {
    let world = World::new();
    submitted(&world);
    let ran = world.run(&SUBMISSION);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout, "leaderboard/bundles/fresh\n");
    let expected = "an entry of `demo:fresh`: one seed in seeds.json and 3 new file(s) of \
        `leaderboard/bundles/fresh`; no other key or file differs from the base\nthe answers were not scored; \
        `gmat-leaderboard check leaderboard/bundles/fresh` does that\n";
    assert_eq!(ran.stderr, expected);

    let votes = "leaderboard/bundles/fresh/judge.json";
    std::fs::remove_file(world.path(&format!("head/{votes}"))).expect("removed");
    let ran = world.run(&[&SUBMISSION[..], &["--format", "github"]].concat());
    let annotation =
        format!("::error file={votes},title=E-SUBMISSION::the bundle has no judge.json");
    assert!(ran.code == 1 && ran.stdout.starts_with(&annotation), "{}", ran.stdout);
    assert!(ran.stdout.contains("with `eval --votes-only`"), "{}", ran.stdout);
}

#[test]
fn a_pull_request_is_checked_under_the_old_name_too() {
    let world = World::new();
    submitted(&world);
    let new = world.run(&[&SUBMISSION[..], &["--json"]].concat());
    crate::schemas::holds_text("pull-request", &new.stdout);
    let old = world.run(&["submission", "--root", "head", "--base", "base", "--json"]);
    assert_eq!((old.code, &old.stdout, &old.stderr), (0, &new.stdout, &new.stderr));
    let overview = world.run(&["--help"]).stdout;
    assert!(!overview.contains("submission"), "{overview}");
}

#[test]
fn a_check_takes_a_bundle_or_a_pull_request() {
    let world = World::new();
    submitted(&world);
    let neither = world.run(&["check", "--root", "head"]);
    assert_eq!(neither.code, 2, "{}", neither.stderr);
    assert!(neither.stderr.contains("`--pull-request BASE`"), "{}", neither.stderr);
    let both = world.run(&[&SUBMISSION[..], &["head/leaderboard/bundles/fresh"]].concat());
    assert_eq!(both.code, 2, "{}", both.stderr);
}

#[test]
fn an_entry_is_updated_and_withdrawn_by_pull_request() {
    let world = World::new();
    submitted(&world);
    copy(&world.path("head"), &world.path("entered"));
    let config = world.read("head/seeds.json");
    let call = ["check", "--pull-request", "entered", "--root", "head"];

    let folder = "leaderboard/bundles/fresh-2";
    copy(&world.path("head/leaderboard/bundles/fresh"), &world.path(&format!("head/{folder}")));
    world.write("head/seeds.json", config.replace("leaderboard/bundles/fresh", folder));
    let ran = world.run(&call);
    assert_eq!((ran.code, ran.stdout), (0, format!("{folder}\n")), "{}", ran.stderr);
    let update = "an update of `demo:fresh`: one seed in seeds.json and 3 new file(s) of ";
    assert!(ran.stderr.starts_with(update), "{}", ran.stderr);

    std::fs::remove_dir_all(world.path(&format!("head/{folder}"))).expect("removed");
    let withdrawn = "\"kind\": \"entry\", \"withdrawn\": {\"reason\": \"Retired.\"},";
    world.write("head/seeds.json", config.replacen("\"kind\": \"entry\",", withdrawn, 1));
    let ran = world.run(&call);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let expected = "a withdrawal of `demo:fresh`: one seed in seeds.json; no other key or file differs \
        from the base\n";
    assert_eq!(ran.stderr, expected);
    let ran = world.run(&[&call[..], &["--json"]].concat());
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        (&answer["kind"], &answer["bundle"]),
        (&"withdrawal".into(), &serde_json::Value::Null)
    );
}

#[test]
fn a_withdrawn_row_leaves_with_the_next_build_and_is_recorded() {
    let world = board_world();
    let text = world.read("board/seeds.json");
    let mut config: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let build = |more: &[&str]| {
        let call = ["build", "--root", "board", "--held-out", "held-out", "--record"];
        world.run(&[&call[..], more].concat())
    };
    let ran = build(&["--generated-at", "2026-11-16T00:00:00Z"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let seeds = config["seeds"].as_array_mut().expect("seeds");
    let seed = seeds.iter_mut().find(|seed| seed["model"] == "careless").expect("a seed");
    seed["withdrawn"] = serde_json::json!({"reason": "Retired."});
    world.write("board/seeds.json", config.to_string());
    // The row is there until the next build, and reproduces.
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = build(&["--generated-at", "2026-11-17T00:00:00Z"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("note: skip careless: withdrawn\n"), "{}", ran.stderr);
    assert!(ran.stdout.contains("withdrew `demo:careless`\n"), "{}", ran.stdout);
    assert!(!world.read("board/leaderboard/leaderboard.json").contains("careless"));
    let line = "\"kind\":\"withdraw\",\"model\":\"careless\"";
    let ledger = world.read("board/leaderboard/history.jsonl");
    assert_eq!(ledger.matches(line).count(), 1, "{ledger}");
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = build(&["--generated-at", "2026-11-18T00:00:00Z"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.read("board/leaderboard/history.jsonl").matches(line).count(), 1);
}

#[test]
fn anything_more_is_refused_with_annotations() {
    let world = World::new();
    submitted(&world);
    world.write("head/.github/workflows/x.yml", "on: push\n");
    world.write("head/leaderboard/bundles/steady/judge.json", "{}\n");
    std::os::unix::fs::symlink("/etc/passwd", world.path("head/leaderboard/bundles/fresh/link"))
        .expect("linked");
    let ran = world.run(&[&SUBMISSION[..], &["--format", "github"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let nothing_else = "a submission changes its own bundle and one seed, nothing else";
    let no_file = "a bundle has no such file; its files are prompts.json, completions.json, judge.json, run.json";
    let help = code_help(Code::ESubmission);
    let annotation = |file: &str, what: &str| {
        format!("::error file={file},title=E-SUBMISSION::{what}%0A{help}\n")
    };
    assert_eq!(
        ran.stdout,
        annotation(".github/workflows/x.yml", nothing_else)
            + &annotation("leaderboard/bundles/fresh/link", no_file)
            + &annotation("leaderboard/bundles/steady/judge.json", nothing_else)
    );
}

#[test]
fn files_that_git_ignores_are_not_part_of_a_pull_request() {
    let world = World::new();
    submitted(&world);
    let git = |arguments: &[&str]| {
        let ran = Command::new("git").args(arguments).current_dir(world.path(".")).output();
        assert!(ran.expect("git is there").status.success(), "{arguments:?}");
    };
    let journal = "leaderboard/.cache/eval/journal.jsonl";
    world.write(&format!("head/{journal}"), "{}\n");
    // A repository around the checkout says nothing about it.
    git(&["init", "-q"]);
    world.write(".gitignore", "head/\n");
    let ran = world.run(&SUBMISSION);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("--> {journal}\n")), "{}", ran.stderr);

    git(&["init", "-q", "head"]);
    let ran = world.run(&SUBMISSION);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "leaderboard/bundles/fresh\n"),
        "{}",
        ran.stderr
    );

    // The branch it is to be merged into, by name: nothing in the repository changes.
    let named = |base| world.run(&["check", "--pull-request", base, "--root", "head"]);
    let name = ["-c", "user.name=t", "-c", "user.email=t@t"];
    git(&["init", "-q", "--initial-branch=trunk", "base"]);
    git(&["-C", "base", "add", "."]);
    git(&[&["-C", "base"], &name[..], &["commit", "-q", "-m", "base"]].concat());
    git(&["-C", "head", "fetch", "-q", "../base", "trunk:trunk"]);
    std::fs::rename(world.path("base"), world.path("moved")).expect("moved");
    let ran = named("trunk");
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "leaderboard/bundles/fresh\n"),
        "{}",
        ran.stderr
    );
    let list = ["-C", "head", "ls-files"];
    let staged = Command::new("git").args(list).current_dir(world.path(".")).output();
    assert!(staged.expect("git is there").stdout.is_empty(), "the index has changed");
    let ran = named("twig");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("`twig` is not a directory, branch or commit here"),
        "{}",
        ran.stderr
    );
    std::fs::rename(world.path("moved"), world.path("base")).expect("moved back");
    std::fs::remove_dir_all(world.path("base/.git")).expect("removed");

    // What was added by force would be in the pull request.
    git(&["-C", "head", "add", "-f", journal]);
    let ran = world.run(&SUBMISSION);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("--> {journal}\n")), "{}", ran.stderr);
}
