//! A repository laid out, a held-out set begun.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::bundles::{PROMPTS, bundle};
use crate::harness::{Ran, World, board_world};

#[test]
fn a_new_repository_works_at_once() {
    let world = World::new();
    let ran = world.run(&["init", "mine"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        ran.stdout,
        "wrote    leaderboard/bundles/steady/completions.json\n\
         wrote    leaderboard/bundles/steady/judge.json\n\
         wrote    leaderboard/bundles/steady/prompts.json\n\
         wrote    seeds.json\n\
         wrote    .gitignore\n\
         wrote    .gitattributes\n\
         wrote    .github/workflows/leaderboard.yml\n\
         wrote    .github/workflows/record.yml\n\
         wrote    .github/workflows/submission.yml\n\
         wrote    .github/pull_request_template.md\n\
         wrote    README.md\n\
         first: cd mine && git init -b main\n\
         next: gmat-leaderboard site\n"
    );
    for command in ["build", "verify"] {
        let ran = world.run(&[command, "--root", "mine"]);
        assert_eq!(ran.code, 0, "{command}: {}", ran.stderr);
    }
    world.write("mine/README.md", "mine\n");
    let again = world.run(&["init", "mine"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(!again.stdout.contains("wrote"), "{}", again.stdout);
    assert_eq!(world.read("mine/README.md"), "mine\n");
}

/// Freezes the small bundle as the first one of `mine`, pins its set, and enters it.
fn first_bundle(world: &World) -> Vec<Ran> {
    bundle(world, "recorded", "acme:m1");
    let to = "mine/leaderboard/bundles/m1";
    let freeze = ["freeze", "--root", "mine", "--pin", "--from", "recorded", "--to", to];
    let add = ["check", to, "--root", "mine", "--submitted-by", "n", "--add"];
    [&freeze[..], &add].map(|call| world.run(&[call, &["--model", "acme:m1"]].concat())).into()
}

#[test]
fn a_set_of_ones_own_is_drafted_pinned_and_built() {
    let world = World::new();
    let ran = world.run(&["init", "mine", "--prompts", "20"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let next = "then: replace every request and intent in leaderboard/prompts.json\n\
        next: gmat-leaderboard eval --pin ";
    assert!(ran.stdout.contains(next), "{}", ran.stdout);
    assert!(!world.read("mine/README.md").contains("steady"));
    let draft = world.read("mine/leaderboard/prompts.json");
    let set: serde_json::Value = serde_json::from_str(&draft).expect("JSON");
    assert_eq!(set.as_array().map(Vec::len), Some(20));
    assert!(set[0]["canary"].is_null() && set[0]["structural"]["required_types"].is_array());
    // Placeholders are refused before anybody is asked.
    let to = ["eval", "--root", "mine", "--model", "ollama:m", "--answers-only", "--dry-run"];
    let ran = world.run(&to);
    assert_eq!(ran.code, 2, "{}", ran.both());
    assert!(ran.stderr.contains("error[B-DRAFT]: 20 of 20 prompts are still"), "{}", ran.stderr);
    assert!(ran.stderr.contains("leaderboard/prompts.json\nhelp: "), "{}", ran.stderr);

    // Where the bundle cannot be written, the set is not pinned.
    let config = world.read("mine/seeds.json");
    world.write("mine/leaderboard/bundles/m1/judge.json", "{}");
    assert_eq!(first_bundle(&world)[0].code, 2);
    assert_eq!(world.read("mine/seeds.json"), config);
    std::fs::remove_dir_all(world.path("mine/leaderboard/bundles/m1")).expect("removed");
    let ran = first_bundle(&world);
    assert_eq!((ran[0].code, ran[1].code), (0, 0), "{}{}", ran[0].both(), ran[1].both());
    let pinned = "pinned the public set of 3 prompts in ";
    assert!(ran[0].stdout.contains(pinned), "{}", ran[0].stdout);
    let config = world.read("mine/seeds.json");
    assert!(config.contains("\"n_prompts\": 3,\n    \"reproducible_offline\""), "{config}");
    let ran = world.run(&["build", "--root", "mine"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    // Another set cannot be pinned under rows that were recorded on this one.
    world.write("recorded/prompts.json", PROMPTS.replace("850", "851"));
    let freeze = ["freeze", "--root", "mine", "--pin", "--from", "recorded", "--to", "other"];
    let ran = world.run(&freeze);
    assert_eq!(ran.code, 2, "{}", ran.both());
    assert!(ran.stderr.contains("pins another public set, on which 1 seed(s) were recorded"));
    assert!(!world.exists("other") && world.read("mine/seeds.json") == config);
}

#[test]
fn the_example_is_replaced_under_the_same_protocol_version() {
    let world = World::new();
    assert_eq!(world.run(&["init", "mine"]).code, 0);
    assert_eq!(world.run(&["build", "--root", "mine"]).code, 0);
    let ran = first_bundle(&world);
    assert!(ran[0].stderr.contains("row(s) demo:steady were recorded on another set"), "{ran:?}");
    assert_eq!(ran[1].code, 0, "{}", ran[1].both());
    // While the example is there, its row is measured by the pin.
    assert_eq!(world.run(&["build", "--root", "mine"]).code, 1);
    let mut config: serde_json::Value =
        serde_json::from_str(&world.read("mine/seeds.json")).expect("JSON");
    config["seeds"].as_array_mut().expect("seeds").remove(0);
    config["judge_model"] = "openai/gpt-4.1-mini".into();
    world.write("mine/seeds.json", config.to_string());
    for command in ["build", "verify"] {
        let ran = world.run(&[command, "--root", "mine"]);
        assert_eq!(ran.code, 0, "{command}: {}", ran.both());
    }
}

#[test]
fn a_checkout_that_is_there_is_adopted() {
    let Some(root) = std::env::var_os("GMAT_CONFORMANCE") else { return };
    let source = PathBuf::from(root).join("gmat-copilot");
    if !source.is_dir() {
        return;
    }
    let world = World::new();
    for entry in walkdir::WalkDir::new(&source) {
        let entry = entry.expect("readable");
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(&source).expect("below").display().to_string();
            world.write(&format!("copy/{below}"), std::fs::read(entry.path()).expect("readable"));
        }
    }
    world.write("copy/.gitignore", "/dist/");
    let before = world.run(&["verify", "--root", "copy"]);
    let ran = world.run(&["init", "copy"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!world.exists("copy/seeds.json"), "its config stays where it is");
    assert!(ran.stdout.contains("extended .gitignore by 3 line(s)\n"), "{}", ran.stdout);
    assert_eq!(
        world.read("copy/.gitignore"),
        "/dist/\n/site/\n/leaderboard/.cache/\n.gmat-leaderboard-*\n"
    );
    assert!(world.read("copy/.gitattributes").contains("tests/data/eval/** -text\n"));
    let readme = world.read("copy/README.md");
    assert!(readme.contains("config `leaderboard/seeds.json`"), "{readme}");
    assert!(!readme.contains("demo:steady"), "it has no such row");
    let workflow = world.read("copy/.github/workflows/leaderboard.yml");
    assert!(workflow.contains("      - leaderboard/seeds.json\n"), "{workflow}");
    assert!(workflow.contains("      - tests/data/eval/"), "{workflow}");
    let after = world.run(&["verify", "--root", "copy"]);
    assert_eq!(after.code, 0, "{}", after.stderr);
    assert_eq!((before.code, before.both()), (after.code, after.both()));
}

#[test]
fn the_workflows_name_the_program_and_are_upgraded() {
    let world = World::new();
    let ran = world.run(&["init", "mine"]);
    let hint = "run `gmat-leaderboard init --upgrade --source URL --revision COMMIT`";
    assert!(ran.stderr.contains(hint), "{}", ran.stderr);
    let old = "mine/.github/workflows/leaderboard-submission.yml";
    let new = "mine/.github/workflows/submission.yml";
    std::fs::rename(world.path(new), world.path(old)).expect("renamed");
    let ran = world.run(&["init", "mine"]);
    assert!(ran.stdout.contains("kept     .github/workflows/leaderboard-submission.yml\n"));
    assert!(!world.exists(new), "one check of pull requests is enough");

    let commits =
        ["0123456789abcdef0123456789abcdef01234567", "89abcdef0123456789abcdef0123456789abcdef"];
    let upgrade = ["init", "mine", "--upgrade", "--revision"];
    let source = ["--source", "https://example.org/program"];
    let ran = world.run(&[&upgrade[..], &commits[..1], &source].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("removed  .github/workflows/leaderboard-submission.yml\n"));
    assert!(!world.exists(old));
    assert_eq!(world.run(&[&upgrade[..], &commits[1..]].concat()).code, 0);
    for file in [new, "mine/.github/workflows/leaderboard.yml"] {
        let text = world.read(file);
        assert!(text.contains("SOURCE: \"https://example.org/program\"\n"), "{text}");
        assert!(text.contains(&format!("REVISION: \"{}\"\n", commits[1])), "{text}");
    }
    for (source, revision, flag) in [
        ("https://example.org/p", "main", "--revision"),
        ("git@example.org:p", commits[0], "--source"),
    ] {
        let ran = world.run(&["init", "mine", "--source", source, "--revision", revision]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(flag), "{}", ran.stderr);
    }
}

const NEW: [&str; 6] =
    ["heldout", "new", "--count", "12", "--like", "board/leaderboard/bundles/careful/prompts.json"];

#[test]
fn a_held_out_set_begins_as_private_placeholders() {
    let world = board_world();
    let git = Command::new("git").args(["init", "-q"]).current_dir(world.path("")).status();
    assert!(git.expect("git").success());

    let ran = world.run(&NEW);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("finding[L-TREE]: git would track"), "{}", ran.stdout);

    world.write(".gitignore", "/leaderboard/.cache/\n");
    let ran = world.run(&NEW);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let path = "leaderboard/.cache/heldout-draft/prompts.json";
    let told = format!("wrote 12 placeholders to {path}: ");
    assert!(ran.stdout.starts_with(&told), "{}", ran.stdout);
    let text = world.read(path);
    let set: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(set.as_array().map(Vec::len), Some(12));
    let canary = set[0]["canary"].as_str().expect("a canary");
    assert!(canary.starts_with("gmat-leaderboard:heldout:v1:"), "{canary}");
    assert!(!ran.both().contains(canary), "a canary is never shown");
    let mode = std::fs::metadata(world.path(path)).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let again = world.run(&NEW);
    assert_eq!(again.code, 2, "{}", again.stderr);
    assert_eq!(world.read(path), text, "an existing set is never touched");
}
