//! The shell lines of the workflows that `init` writes, step by step as GitHub would run them: from
//! an empty folder to a published board, and entries that are merged or refused.

use std::collections::BTreeMap;
use std::process::Command;

use super::{DATASET, SPACE, TOKEN, empty_space, put, space, start, tree};
use crate::bundles::bundle;
use crate::fake_hub::FakeHub;
use crate::fake_model::FakeModel;
use crate::harness::{Ran, World, copy, finish, frozen};

/// One step with shell lines; others (`uses:`) are GitHub's.
#[derive(Debug, Default)]
struct Step {
    name: String,
    id: String,
    condition: String,
    env: Vec<(String, String)>,
    run: String,
}

/// The steps of a workflow in the format of this project: two spaces a level, `run: |` for blocks.
fn steps(workflow: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let (_, text) = workflow.split_once("    steps:\n").expect("steps");
    for chunk in format!("\n{text}").split("\n      - ").skip(1) {
        let (mut step, mut section) = (Step::default(), "");
        for line in chunk.lines() {
            if let Some(inner) = line.strip_prefix("          ") {
                match section {
                    "env" => {
                        let (name, value) = inner.split_once(": ").expect("a variable");
                        step.env.push((name.to_owned(), value.trim_matches('"').to_owned()));
                    }
                    "run" => step.run += &format!("{inner}\n"),
                    _ => {}
                }
                continue;
            }
            let (key, value) = line.trim_start().split_once(':').unwrap_or_default();
            let value = value.trim();
            section = "";
            match key {
                "name" => value.clone_into(&mut step.name),
                "id" => value.clone_into(&mut step.id),
                "if" => value.clone_into(&mut step.condition),
                "env" => section = "env",
                "run" if value == "|" => section = "run",
                "run" => value.clone_into(&mut step.run),
                _ => {}
            }
        }
        steps.push(step);
    }
    steps
}

/// A job: what expressions are worth, and what its steps did.
struct Job<'w> {
    world: &'w World,
    values: BTreeMap<String, String>,
    ran: Vec<String>,
}

impl Job<'_> {
    fn value(&self, expression: &str) -> String {
        let inner = expression.trim().trim_start_matches("${{").trim_end_matches("}}").trim();
        match inner.split_once(" != ").or_else(|| inner.split_once(" == ")) {
            Some((left, right)) if right.starts_with('\'') => {
                let is_equal = self.value(left) == right.trim_matches('\'');
                (is_equal == inner.contains(" == ")).to_string()
            }
            _ => self.values.get(inner).cloned().unwrap_or_default(),
        }
    }

    /// Runs the steps in `dir` until one fails; returns the one that failed.
    fn run(&mut self, workflow: &str, dir: &str, hub: &FakeHub) -> Option<(String, Ran)> {
        for file in ["output", "path", "summary"] {
            self.world.write(&format!("runner/{file}"), "");
        }
        let _ = std::fs::remove_dir_all(self.world.path("runner/program"));
        for step in steps(workflow).into_iter().filter(|step| !step.run.is_empty()) {
            if !step.condition.is_empty() && self.value(&step.condition) != "true" {
                continue;
            }
            let mut command = shell(self.world, dir, &step.run);
            let path = self.world.read("runner/path").lines().collect::<Vec<_>>().join(":");
            let system = std::env::var("PATH").expect("a path");
            let stubs = self.world.path("stubs").display().to_string();
            command.env("PATH", [path, stubs, system].join(":").trim_start_matches(':'));
            command.env("HF_ENDPOINT", &hub.endpoint).env("RUNNER_TEMP", self.world.path("runner"));
            command.env("GITHUB_OUTPUT", self.world.path("runner/output"));
            command.env("GITHUB_PATH", self.world.path("runner/path"));
            command.env("GITHUB_STEP_SUMMARY", self.world.path("runner/summary"));
            for (name, value) in &step.env {
                let is_expression = value.starts_with("${{");
                command.env(name, if is_expression { self.value(value) } else { value.clone() });
            }
            let ran = finish(&mut command, None);
            if ran.code != 0 {
                return Some((step.name, ran));
            }
            for line in self.world.read("runner/output").lines() {
                let (name, value) = line.split_once('=').expect("an output");
                self.values.insert(format!("steps.{}.outputs.{name}", step.id), value.to_owned());
            }
            self.world.write("runner/output", "");
            self.ran.push(step.name);
        }
        None
    }
}

/// `lines` as GitHub runs them.
fn shell(world: &World, dir: &str, lines: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-e", "-c", lines]).current_dir(world.path(dir)).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", world.path(""));
    for (role, name) in [("AUTHOR", "n"), ("COMMITTER", "n")] {
        command.env(format!("GIT_{role}_NAME"), name).env(format!("GIT_{role}_EMAIL"), "n@e.org");
    }
    command
}

fn sh(world: &World, dir: &str, lines: &str) {
    let ran = finish(&mut shell(world, dir, lines), None);
    assert_eq!(ran.code, 0, "{lines}: {}", ran.both());
}

/// A repository made by `init`, a private dataset, an empty Space, and a `cargo` that installs this
/// binary where the workflow asks for it.
fn world() -> World {
    let world = World::new();
    put(&world, "hub/datasets/gmat/heldout/main/steady", &tree(&frozen().join("held-out/steady")));
    empty_space(&world);
    let program = env!("CARGO_BIN_EXE_gmat-leaderboard");
    let stub = format!(
        "#!/bin/sh\n[ \"$*\" = \"install --locked --git https://example.org/p --rev $REVISION \
         --root $RUNNER_TEMP/program gmat-leaderboard\" ] || exit 9\n\
         mkdir -p \"$RUNNER_TEMP/program/bin\" && ln -s {program} \"$RUNNER_TEMP/program/bin/\"\n"
    );
    world.write("stubs/cargo", stub);
    let revision = "0123456789abcdef0123456789abcdef01234567";
    let init = ["init", "board", "--source", "https://example.org/p", "--revision", revision, "-q"];
    assert_eq!(world.run(&init).code, 0);
    sh(&world, "", "chmod +x stubs/cargo");
    sh(&world, "board", "git init -q -b main && git add . && git commit -q -m Begin");
    world
}

fn gated(world: &World, hub: &FakeHub, dry_run: bool) -> Vec<String> {
    let values = [
        ("secrets.HF_HELDOUT_READ_TOKEN", "hf_read"),
        ("secrets.HF_SPACE_WRITE_TOKEN", TOKEN),
        ("vars.HELDOUT_DATASET", DATASET),
        ("vars.LEADERBOARD_SPACE", SPACE),
        ("inputs.dry_run && '--dry-run' || ''", if dry_run { "--dry-run" } else { "" }),
        ("!inputs.dry_run", if dry_run { "false" } else { "true" }),
    ];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let mut job = Job { world, values, ran: Vec::new() };
    let workflow = world.read("board/.github/workflows/leaderboard.yml");
    let failed = job.run(&workflow, "board", hub);
    assert!(failed.is_none(), "{failed:?}");
    job.ran
}

/// Makes the change `lines` on a branch, merges it as GitHub does for the check, and runs the check;
/// a request that passes is merged. Returns the steps that ran, and the one that failed.
fn request(
    world: &World,
    hub: &FakeHub,
    is_fork: bool,
    lines: &str,
) -> (Vec<String>, Option<(String, Ran)>) {
    sh(world, "", "rm -rf checkout && mkdir checkout && git clone -q board checkout/submission");
    let branch = format!(
        "git checkout -q -b change && {{\n{lines}\n}} && git add . && git commit -q -m Change &&
         git checkout -q main && git merge -q --no-ff -m Merge change"
    );
    sh(world, "checkout/submission", &branch);
    let key = "github.event.pull_request.head.repo.full_name != github.repository";
    let values = BTreeMap::from([(key.to_owned(), is_fork.to_string())]);
    let mut job = Job { world, values, ran: Vec::new() };
    let workflow = world.read("checkout/submission/.github/workflows/submission.yml");
    let failed = job.run(&workflow, "checkout", hub);
    if failed.is_none() {
        sh(world, "board", "git pull -q --ff-only ../checkout/submission main");
    }
    (job.ran, failed)
}

const GATED: [&str; 10] = [
    "Build the program",
    "Fetch the held-out set",
    "Build the board and record it",
    "Write the week",
    "Checkpoint the ledger",
    "Seal the board",
    "Sign the seal",
    "Verify the board",
    "Publish the site",
    "Notify",
];
const SCOPE: &str = "What the request changes";

#[test]
fn the_workflows_lead_from_an_empty_folder_to_a_published_board_and_a_merged_entry() {
    let world = world();
    let hub = start(&world, &[]);
    assert_eq!(gated(&world, &hub, true), GATED[..9]);
    assert!(space(&world).is_empty(), "a dry run publishes nothing");
    sh(&world, "board", "git clean -qfdx && git checkout -q .");
    assert_eq!(gated(&world, &hub, false), GATED);
    let board = world.read("board/leaderboard/leaderboard.json");
    assert_eq!(space(&world)["leaderboard.json"], board.as_bytes());
    assert!(world.exists("board/leaderboard/leaderboard.seal.json"));

    // What is handed back comes by a maintainer's pull request.
    sh(&world, "board", "mv leaderboard/.cache ../cache && cp -R leaderboard ../back");
    sh(&world, "board", "git clean -qfdx && git checkout -q .");
    let own = [SCOPE, "Build the program", "The board of a maintainer's change"];
    let (ran, failed) = request(&world, &hub, false, "cp -R ../../back/. leaderboard");
    assert!(failed.is_none(), "{failed:?}");
    assert_eq!(ran, own);
    let changed = "sed -i 's/7B/8B/' seeds.json";
    let (ran, failed) = request(&world, &hub, false, changed);
    assert!(failed.is_none(), "{failed:?}");
    assert_eq!(ran, own);
    // A board that does not follow is refused from anyone, a changed config from a fork.
    let lie = "sed -i 's/\"rank\": 1/\"rank\": 2/' leaderboard/leaderboard.json";
    let (_, failed) = request(&world, &hub, false, lie);
    assert_eq!(failed.expect("refused").0, own[2]);
    for lines in [lie, "sed -i 's/8B/9B/' seeds.json"] {
        let (_, failed) = request(&world, &hub, true, lines);
        assert_eq!(failed.expect("refused").0, "Only one entry");
    }
    let (ran, failed) = request(&world, &hub, true, "echo Hello >> README.md");
    assert!(failed.is_none(), "{failed:?}");
    assert_eq!(ran, [SCOPE], "it passes before anything is built");

    // An entry from a fork, first without its votes.
    let examples = frozen().join("board/leaderboard/bundles/careful");
    copy(&examples, &world.path("entry"));
    let enter = "cp -R ../../entry leaderboard/bundles/fresh
        seed='{\"provider\": \"demo\", \"model\": \"careful\", \"kind\": \"entry\", \"submitted_by\": \"n\",'
        seed=\"$seed \\\"public_bundle\\\": \\\"leaderboard/bundles/fresh\\\"},\"
        sed -i \"s|\\\"seeds\\\": \\[|&$seed|\" seeds.json";
    let unjudged = format!("{enter}\nrm leaderboard/bundles/fresh/judge.json");
    let (_, failed) = request(&world, &hub, true, &unjudged);
    let (step, ran) = failed.expect("refused");
    assert_eq!(step, "Only one entry");
    assert!(ran.stdout.contains("the bundle has no judge.json"), "{}", ran.stdout);
    let (ran, failed) = request(&world, &hub, true, enter);
    assert!(failed.is_none(), "{failed:?}");
    let entry = ["Only one entry", "Score the bundle", "The rows that are there reproduce"];
    assert_eq!(ran[2..5], entry);
    assert_eq!(ran[5..], ["What the board would be"]);
    let summary = world.read("runner/summary");
    assert!(summary.contains("| demo:careful | "), "{summary}");
    assert_eq!(gated(&world, &hub, false), GATED);
    let board = String::from_utf8_lossy(&space(&world)["leaderboard.json"]).into_owned();
    assert!(board.contains("careful"), "{board}");
    hub.end_well();
}

#[test]
fn the_matrix_records_one_bundle_for_each_model() {
    let world = world();
    let hub = start(&world, &[]);
    let model = FakeModel::start(&[]);
    bundle(&world, "board/leaderboard/bundles/first", "acme:m0");
    world.write(
        "board/seeds.json",
        r#"{"judge_model": "judge-1", "seeds": [{"model": "m0", "public_bundle": "leaderboard/bundles/first"}]}"#,
    );
    let workflow = world.read("board/.github/workflows/record.yml");
    for (name, folder) in [("openai:acme/m-1", "openai_acme_m-1"), ("openai:m-2", "openai_m-2")] {
        let values = [
            ("matrix.model", name),
            ("inputs.judge", "openai:judge-1"),
            ("secrets.OPENAI_API_KEY", "sk-canary"),
            ("vars.OPENAI_BASE_URL", &format!("{}/v1", model.origin)),
            ("failure() || cancelled()", "false"),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let mut job = Job { world: &world, values, ran: Vec::new() };
        let failed = job.run(&workflow, "board", &hub);
        assert!(failed.is_none(), "{failed:?}");
        assert_eq!(job.ran, ["Build the program", "Name the bundle", "Record the bundle"]);
        assert_eq!(job.values["steps.bundle.outputs.name"], folder);
        let dir = format!("board/leaderboard/bundles/{folder}");
        assert!(
            world.exists(&format!("{dir}/judge.json")) && world.exists(&format!("{dir}/run.json"))
        );
    }
    hub.end_well();
}
