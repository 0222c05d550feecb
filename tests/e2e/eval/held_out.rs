//! The private set: only on purpose, only into the ignored cache, and never without a trace.

use super::{CALL, run};
use crate::fake_model::FakeModel;
use crate::harness::{World, board_world};

const CACHE: &str = "board/leaderboard/.cache/heldout/m-1";

fn lines(world: &World) -> Vec<serde_json::Value> {
    let ledger = std::fs::read_to_string(world.path("board/leaderboard/history.jsonl"));
    let ledger = ledger.unwrap_or_default();
    ledger.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_private_set_is_asked_on_purpose_and_the_ledger_says_who_saw_it() {
    let (model, world) = (FakeModel::start(&[]), board_world());
    let held_out = ["--held-out", "held-out/steady"];
    let ran = run(&model, &world, &[&CALL, &held_out, &["--to", CACHE]]);
    assert_eq!(ran.code, 2, "{}", ran.both());
    assert!(ran.stderr.contains("--expose-to"), "{}", ran.stderr);
    let ran = run(
        &model,
        &world,
        &[&CALL, &["--held-out", "none", "--to", CACHE, "--expose-to", "openai"]],
    );
    assert_eq!(ran.code, 2, "{}", ran.both());
    assert!(ran.stderr.contains("`gmat-leaderboard heldout new`"), "{}", ran.stderr);
    let ran = run(&model, &world, &[&CALL, &held_out, &["--to", CACHE, "--expose-to", "github"]]);
    assert_eq!((ran.code, model.requests().len()), (2, 0), "{}", ran.both());
    assert!(ran.stderr.contains("`openai` would see the private set"), "{}", ran.stderr);
    assert_eq!(lines(&world).len(), 0);

    let call = [&CALL[..], &held_out, &["--to", CACHE, "--expose-to", "openai"]].concat();
    let ran = run(&model, &world, &[&call, &["--max-calls", "0"]]);
    assert_eq!((ran.code, model.requests().len()), (3, 0), "{}", ran.both());
    let exposures = lines(&world);
    assert_eq!(exposures.len(), 2, "the line is there before the first request");
    assert_eq!(
        (&exposures[0]["kind"], &exposures[0]["provider"]),
        (&"exposure".into(), &"openai".into())
    );
    assert_eq!(
        (&exposures[0]["model"], &exposures[1]["model"]),
        (&"m-1".into(), &"demo/illustrative".into())
    );

    let ran = run(&model, &world, &[&call]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let prompts: serde_json::Value =
        serde_json::from_str(&world.read("held-out/steady/prompts.json")).expect("JSON");
    let total = prompts.as_array().expect("prompts").len();
    assert!(ran.stdout.contains(&format!("of {total} held-out prompts pass")), "{}", ran.stdout);
    for prompt in prompts.as_array().expect("prompts") {
        let request = prompt["request"].as_str().expect("a request");
        assert!(!ran.both().contains(request), "{}", ran.both());
    }
    assert!(
        world.exists(&format!("{CACHE}/judge.json")) && world.exists(&format!("{CACHE}/run.json"))
    );
    assert_eq!(lines(&world).len(), 4);
    // Nothing is left to ask: nobody sees anything, and nothing is recorded.
    assert_eq!(run(&model, &world, &[&call]).code, 0);
    assert_eq!(lines(&world).len(), 4);
    assert_eq!(world.run(&["history", "verify", "--root", "board"]).code, 0);
}

#[test]
fn a_private_bundle_is_not_written_where_git_would_take_it() {
    let (model, world) = (FakeModel::start(&[]), board_world());
    world.write("board/.gitignore", "/leaderboard/.cache/\n");
    let git = std::process::Command::new("git")
        .args(["init", "-q"])
        .current_dir(world.path("board"))
        .output()
        .expect("git runs");
    assert!(git.status.success());
    let to = "board/leaderboard/bundles/secret";
    let ran = run(
        &model,
        &world,
        &[&CALL, &["--held-out", "held-out/steady", "--to", to, "--expose-to", "openai"]],
    );
    assert_eq!((ran.code, model.requests().len()), (1, 0), "{}", ran.both());
    assert!(ran.both().contains("L-TREE"), "{}", ran.both());
    assert!(!world.exists(to));
}
