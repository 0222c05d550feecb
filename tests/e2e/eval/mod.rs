//! `eval` from an API key to a bundle, against stand-ins for the providers on this machine.

mod faults;
mod held_out;
mod kill;
mod peers;
mod protocol;
mod run;

use std::process::Command;

use crate::fake_model::FakeModel;
use crate::harness::{Ran, World, board_world, finish};
use crate::hub::{Files, tree};

/// No output and no file may ever hold it.
pub const KEY: &str = "sk-canary-5d0e8b61f7";
pub const TO: &str = "board/leaderboard/bundles/m-1";
/// The call of an entrant on the frozen board.
pub const CALL: [&str; 9] = [
    "eval",
    "--root",
    "board",
    "--model",
    "openai:m-1",
    "--judge",
    "openai:demo/illustrative",
    "--retry-pause",
    "1",
];
pub const FULL: [&str; 2] = ["--to", TO];

/// Three prompts and one vote each, without a board around them.
pub fn small() -> World {
    let world = World::new();
    world.write("seeds.json", r#"{"judge_model": "judge-1", "n_votes": 1}"#);
    let prompt = |id: &str, more: &str| {
        format!(
            r#"{{"id": "{id}", "request": "Propagate {id}", "intent": "One day of {id}", "structural": {{"required_types": ["Spacecraft"]{more}}}}}"#
        )
    };
    let prompts =
        [prompt("a", ""), prompt("b", ""), prompt("c", r#", "required_commands": ["Maneuver"]"#)];
    world.write("prompts.json", format!("[{}]", prompts.join(", ")));
    world
}

/// The call on [`small`].
pub const SMALL: [&str; 10] = [
    "eval",
    "--model",
    "openai:m-1",
    "--judge",
    "openai:judge-1",
    "--prompts",
    "prompts.json",
    "--retry-pause",
    "1",
    "--jobs=1",
];

/// The binary with every provider at this stand-in and the key in the environment.
pub fn command(model: &FakeModel, world: &World, args: &[&[&str]]) -> Command {
    let mut command = world.command(&args.concat());
    command.env("OPENAI_BASE_URL", format!("{}/v1", model.origin)).env("OPENAI_API_KEY", KEY);
    command.env("ANTHROPIC_BASE_URL", &model.origin).env("ANTHROPIC_API_KEY", KEY);
    command.env("OLLAMA_HOST", &model.origin).env("GH_TOKEN", KEY);
    command
}

/// Runs it; the key must be nowhere.
pub fn run(model: &FakeModel, world: &World, args: &[&[&str]]) -> Ran {
    let ran = finish(&mut command(model, world, args), None);
    assert!(!ran.both().contains(KEY), "the key is in the output: {}", ran.both());
    for (path, bytes) in tree(&world.path("")) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(KEY), "the key is in {path}");
    }
    ran
}

/// The three files of the bundle that [`FULL`] writes.
pub fn bundle(world: &World, to: &str) -> Files {
    let mut files = tree(&world.path(to));
    files.remove("run.json");
    assert_eq!(files.len(), 3, "{:?}", files.keys());
    files
}

/// The bundle of a run that nothing disturbed.
pub fn undisturbed() -> Files {
    let (model, world) = (FakeModel::start(&[]), board_world());
    let ran = run(&model, &world, &[&CALL, &FULL]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    bundle(&world, TO)
}
