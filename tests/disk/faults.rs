//! A disk that fails, or a process that is killed, at the n-th step, for every n: what was there stays
//! or is replaced whole, and the next run ends as if nothing had happened.
//!
//! The suite tries some steps of each command; `scripts/faults` tries all.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use gmat_leaderboard::Exit;
use gmat_leaderboard::internals::fs::{Call, watch};
use serde_json::json;
use sha2::Digest;

use crate::fake_hub::FakeHub;
use crate::fake_model::FakeModel;

/// Which step fails, counted from 1; the calls so far.
#[derive(Default)]
struct Plan {
    fails: usize,
    kills: bool,
    /// What another program removes at that step, instead of a failure.
    removes: Option<PathBuf>,
    calls: Vec<Call>,
}

type Shared = Arc<Mutex<Plan>>;

fn install(plan: &Shared) {
    let plan = Arc::clone(plan);
    watch(move |call, _| {
        let mut plan = plan.lock().expect("no panic in the hook");
        plan.calls.push(call);
        if plan.calls.len() != plan.fails {
            return Ok(());
        }
        if plan.kills {
            // Nothing is cleaned up.
            std::process::abort();
        }
        if let Some(dir) = &plan.removes {
            return std::fs::remove_dir_all(dir);
        }
        // No space left, or a bad sector.
        Err(io::Error::from_raw_os_error(if matches!(call, Call::Read) { 5 } else { 28 }))
    });
}

type Files = BTreeMap<String, Vec<u8>>;

fn tree(dir: &Path) -> Files {
    let mut files = Files::new();
    for entry in walkdir::WalkDir::new(dir).sort_by_file_name() {
        let entry = entry.expect("walked");
        let below = entry.path().strip_prefix(dir).expect("below").display().to_string();
        if entry.file_type().is_file() {
            files.insert(below, std::fs::read(entry.path()).expect("readable"));
        } else if !below.is_empty() {
            files.insert(below + "/", Vec::new());
        }
    }
    files
}

fn put(dir: &Path, files: &Files) {
    if dir.exists() {
        std::fs::remove_dir_all(dir).expect("removed");
    }
    std::fs::create_dir_all(dir).expect("made");
    for (below, bytes) in files {
        let path = dir.join(below);
        if below.ends_with('/') {
            std::fs::create_dir_all(path).expect("made");
        } else {
            std::fs::write(path, bytes).expect("written");
        }
    }
}

/// One command, what is there before it, and how it ends.
struct Scenario {
    name: &'static str,
    args: Vec<String>,
    before: Files,
    exit: Exit,
}

/// Files that a run may write with other bytes each time.
fn varies(below: &str) -> bool {
    // The list of what a fetch may write says so before it is complete.
    below.ends_with(".gmat-leaderboard-fetch.json")
        || below.ends_with("run.json")
        || below.contains(".cache/eval/")
}

/// Whether a ledger has these lines at its start and grows towards `after`.
fn grows(before: &[u8], now: &[u8], after: &[u8]) -> bool {
    now.starts_with(before) && after.starts_with(now)
}

struct Bench {
    plan: Shared,
    dir: PathBuf,
    /// Everything, instead of some steps.
    all: bool,
}

impl Bench {
    fn args(&self, scenario: &Scenario, n: usize) -> Vec<OsString> {
        let dir = self.dir.display().to_string();
        let own = ["gmat-leaderboard".to_owned(), "--quiet".to_owned()];
        let args = scenario
            .args
            .iter()
            .map(|it| it.replace("DIR", &dir).replace("SPACE", &format!("s{n}")));
        own.into_iter().chain(args).map(OsString::from).collect()
    }

    /// Runs the command in this process with a fault at step `n`; 0 is none.
    fn run(&self, scenario: &Scenario, n: usize, space: usize) -> (Exit, Vec<Call>) {
        *self.plan.lock().expect("no panic in the hook") = Plan { fails: n, ..Plan::default() };
        let exit = gmat_leaderboard::run(self.args(scenario, space));
        let mut plan = self.plan.lock().expect("no panic in the hook");
        plan.fails = 0;
        (exit, std::mem::take(&mut plan.calls))
    }

    /// Runs it in another process that is killed at step `n`.
    fn kill(&self, scenario: &Scenario, n: usize, space: usize) {
        let args = self.args(scenario, space);
        let args: Vec<&str> = args.iter().map(|it| it.to_str().expect("text")).collect();
        let status = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "faults::killed_at_a_step"])
            .env("GMAT_TEST_KILL", json!([n, args]).to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("it starts");
        assert_eq!(status.code(), None, "{}: step {n} was not reached", scenario.name);
    }

    /// All steps, or those that change something with some reads between.
    fn chosen(&self, calls: &[Call], most: usize) -> Vec<usize> {
        if self.all {
            return (1..=calls.len()).collect();
        }
        let is_change = |n: &usize| !matches!(calls[n - 1], Call::Read | Call::Walk);
        let (changes, reads): (Vec<usize>, Vec<usize>) = (1..=calls.len()).partition(is_change);
        let spread = |list: Vec<usize>, most: usize| {
            let step = list.len().div_ceil(most.max(1)).max(1);
            list.into_iter().step_by(step)
        };
        spread(changes, most).chain(spread(reads, most / 3 + 1)).collect()
    }

    fn check(&self, scenario: &Scenario, most: usize) {
        put(&self.dir, &scenario.before);
        let (exit, calls) = self.run(scenario, 0, 0);
        assert_eq!(exit, scenario.exit, "{}", scenario.name);
        let after = tree(&self.dir);
        let steps = self.chosen(&calls, most);
        let mut tried = [0, 0];
        for n in steps.iter().copied() {
            let is_change = !matches!(calls[n - 1], Call::Read | Call::Walk);
            for kills in [false, true] {
                // A killed process leaves the same whatever it was about to read.
                let rarely = !self.all && !n.is_multiple_of(5);
                if kills && (!is_change || rarely) {
                    continue;
                }
                let space = n + usize::from(kills) * 10_000;
                let at =
                    format!("{}, step {n} ({:?}), killed: {kills}", scenario.name, calls[n - 1]);
                put(&self.dir, &scenario.before);
                let mut is_done = false;
                if kills {
                    self.kill(scenario, n, space);
                } else {
                    let exit = self.run(scenario, n, space).0;
                    is_done = exit == Exit::Yes;
                    assert!(
                        exit != Exit::Unusable || scenario.exit == exit || !is_change,
                        "{at}: {exit:?}"
                    );
                }
                self.is_old_or_new(scenario, &after, kills, &at);
                // A demo that is complete is not unpacked again.
                if scenario.name != "demo" || !is_done {
                    let (exit, _) = self.run(scenario, 0, space);
                    assert_eq!(exit, scenario.exit, "{at}: the next run");
                }
                let now = tree(&self.dir);
                for (below, bytes) in &after {
                    assert!(now.contains_key(below), "{at}: {below} is missing after the next run");
                    assert!(
                        varies(below)
                            || now[below] == *bytes
                            // A checkpoint of the same ledger may be there twice.
                            || below.ends_with(".checkpoints") && now[below].starts_with(bytes),
                        "{at}: {below} differs after the next run"
                    );
                }
                let left: Vec<_> = now.keys().filter(|below| !after.contains_key(*below)).collect();
                assert!(left.is_empty(), "{at}: left over: {left:?}");
                tried[usize::from(kills)] += 1;
            }
        }
        let Scenario { name, .. } = scenario;
        println!("{name}: {} steps, {} failed, {} killed", calls.len(), tried[0], tried[1]);
    }

    /// A directory that another program removes at some step: no file is left half written, and once
    /// the directory is back the command ends as ever.
    fn check_without(&self, scenario: &Scenario, removed: &str) {
        put(&self.dir, &scenario.before);
        let (_, calls) = self.run(scenario, 0, 0);
        let after = tree(&self.dir);
        let mut ends = BTreeMap::new();
        for n in self.chosen(&calls, 5) {
            let at = format!("{}, {removed} removed at step {n}", scenario.name);
            put(&self.dir, &scenario.before);
            let removes = Some(self.dir.join(removed));
            *self.plan.lock().expect("no panic in the hook") =
                Plan { fails: n, removes, ..Plan::default() };
            let exit = gmat_leaderboard::run(self.args(scenario, n));
            *self.plan.lock().expect("no panic in the hook") = Plan::default();
            *ends.entry(format!("{exit:?}")).or_insert(0) += 1;
            // What was removed may be missing from what is written after, but each file is whole.
            for (below, bytes) in tree(&self.dir) {
                let is_json = |it: &[u8]| serde_json::from_slice::<serde_json::Value>(it).is_ok();
                let tail = |it: &[u8]| it[it.len().saturating_sub(30)..].to_vec();
                let is_whole = match below.rsplit_once('.').map(|(_, end)| end) {
                    Some("json") => is_json(&bytes),
                    Some("jsonl") => bytes.split_inclusive(|it| *it == b'\n').all(is_json),
                    Some("html") => after.get(&below).is_none_or(|it| tail(it) == tail(&bytes)),
                    _ => !below.contains(".gmat-leaderboard-"),
                };
                assert!(is_whole, "{at}: {below} is half written");
            }
            put(&self.dir, &scenario.before);
            assert_eq!(self.run(scenario, 0, n).0, scenario.exit, "{at}: the next run");
            assert_eq!(tree(&self.dir), after, "{at}: the next run");
        }
        println!("{} without {removed}: {ends:?}", scenario.name);
    }

    fn is_old_or_new(&self, scenario: &Scenario, after: &Files, kills: bool, at: &str) {
        let now = tree(&self.dir);
        let none = Vec::new();
        for (below, bytes) in &now {
            let (old, new) = (scenario.before.get(below), after.get(below));
            let is_growing =
                below.ends_with("history.jsonl") || below.ends_with("history.checkpoints");
            let is_whole = old == Some(bytes)
                || new == Some(bytes)
                || varies(below)
                || is_growing && grows(old.unwrap_or(&none), bytes, new.unwrap_or(&none));
            let is_staged = below.contains(".gmat-leaderboard-");
            let is_demo = scenario.name == "demo" && kills && below.starts_with("new");
            assert!(
                is_whole || kills && is_staged || is_demo,
                "{at}: {below} is neither old nor new"
            );
        }
        for below in scenario.before.keys().filter(|below| after.contains_key(*below)) {
            assert!(now.contains_key(below), "{at}: {below} is lost");
        }
        let is_half = |below: &&String| below.starts_with("new/");
        if !kills
            && ["init", "demo"].contains(&scenario.name)
            && now.keys().filter(is_half).count() > 0
        {
            let whole: Vec<_> = after.keys().filter(is_half).collect();
            assert_eq!(
                now.keys().filter(is_half).collect::<Vec<_>>(),
                whole,
                "{at}: half a folder"
            );
        }
    }
}

/// Not a test of its own: the process that [`Bench::kill`] starts.
#[test]
fn killed_at_a_step() {
    let Ok(text) = std::env::var("GMAT_TEST_KILL") else { return };
    let (n, args): (usize, Vec<String>) = serde_json::from_str(&text).expect("JSON");
    let plan = Shared::default();
    *plan.lock().expect("fresh") = Plan { fails: n, kills: true, ..Plan::default() };
    install(&plan);
    gmat_leaderboard::run(args.into_iter().map(OsString::from));
}

const SCRIPT: &str = "Create Spacecraft Sat\nCreate Propagator Prop\nBeginMissionSequence\nPropagate Prop(Sat) {Sat.ElapsedDays = 1}\n";

/// A bundle of two prompts, which `set` names.
fn bundle(files: &mut Files, dir: &str, set: &str, yes: bool) {
    let request = |n: u8| format!("Coast for {n} days around the {set} planet and report twice.");
    let prompts: Vec<_> = [1, 2]
        .map(|n| {
            json!({"id": format!("{set}-{n}"), "request": request(n), "intent": format!("Coasting {n} of {set}"),
                "structural": {"required_types": ["Spacecraft"]}})
        })
        .into();
    let digest = |n| hex::encode(&sha2::Sha256::digest(request(n))[..8]);
    let answers = json!({format!("a:m:{}", digest(1)): {"text": SCRIPT}, format!("a:m:{}", digest(2)): {"text": SCRIPT}});
    let votes = json!({format!("{set}-1"): [true], format!("{set}-2"): [yes]});
    for (name, value) in [("prompts", json!(prompts)), ("completions", answers), ("judge", votes)] {
        files.insert(format!("{dir}/{name}.json"), value.to_string().into_bytes());
    }
}

/// A board of one row without a `leaderboard.json`, its held-out bundle, runs and weights.
fn world() -> Files {
    let mut files = Files::new();
    let config = json!({
        "eval_protocol_version": "1", "n_votes": 1, "judge_model": "j",
        "public_set": {"n_prompts": 2, "committed": true}, "held_out_set": {"committed": false},
        "seeds": [{"provider": "a", "model": "m", "kind": "seed", "submitted_by": "x",
            "public_bundle": "leaderboard/bundles/m", "held_out_bundle": "m"}],
    });
    files.insert("board/seeds.json".to_owned(), config.to_string().into_bytes());
    for dir in [
        "board",
        "board/leaderboard",
        "board/leaderboard/bundles",
        "board/leaderboard/bundles/m",
        "private",
        "private/m",
    ] {
        files.insert(format!("{dir}/"), Vec::new());
    }
    bundle(&mut files, "board/leaderboard/bundles/m", "public", true);
    bundle(&mut files, "private/m", "secret", false);
    let runs: String = (1..4)
        .map(|n| {
            json!({"run_id": format!("r{n}"), "run_at": format!("2026-05-1{n}T12:00:00Z"), "model": "a:m",
                "aggregate_score": 0.5, "scores": {"datasets": {"x": 0.5, "y": 0.25}}})
            .to_string() + "\n"
        })
        .collect();
    files.insert("runs.jsonl".to_owned(), runs.into_bytes());
    let line = |n: u8, key: &str, value: serde_json::Value| {
        json!({"id": format!("secret-{n}"), key: value}).to_string() + "\n"
    };
    let lines = |key: &str, value: serde_json::Value| {
        (line(1, key, value.clone()) + &line(2, key, value)).into_bytes()
    };
    files.insert("answers.jsonl".to_owned(), lines("text", json!(SCRIPT)));
    files.insert("votes.jsonl".to_owned(), lines("votes", json!([true, true, true])));
    files.insert(
        "weights.json".to_owned(),
        json!({"datasets": {"x": 1, "y": 3}}).to_string().into_bytes(),
    );
    files
}

#[test]
fn whatever_step_fails_the_next_run_ends_as_if_nothing_had_happened() {
    if crate::is_child() {
        return all_scenarios();
    }
    let dir = tempfile::tempdir().expect("a directory");
    let hub_files = dir.path().join("hub/datasets/gmat/set/main");
    std::fs::create_dir_all(hub_files.join("m")).expect("made");
    for (below, bytes) in
        world().iter().filter(|(below, _)| below.starts_with("private/m/") && !below.ends_with('/'))
    {
        std::fs::write(hub_files.join(below.trim_start_matches("private/")), bytes)
            .expect("written");
    }
    let hub = FakeHub::start(dir.path().join("hub"), &[("hf_x", "write")], &[]);
    let model = FakeModel::start(&[]);
    let base = format!("{}/v1", model.origin);
    crate::alone(
        "faults::whatever_step_fails_the_next_run_ends_as_if_nothing_had_happened",
        &[
            ("SOURCE_DATE_EPOCH", "1800000000"),
            ("HF_ENDPOINT", &hub.endpoint),
            ("HF_TOKEN", "hf_x"),
            ("OPENAI_BASE_URL", &base),
            ("OPENAI_API_KEY", "k"),
        ],
    );
    assert!(hub.seen().violations.is_empty(), "{:?}", hub.seen().violations);
}

fn all_scenarios() {
    let dir = tempfile::tempdir().expect("a directory");
    let plan = Shared::default();
    install(&plan);
    let all = std::env::var_os("GMAT_FAULTS").is_some_and(|it| it == "all");
    let bench = Bench { plan, dir: dir.path().join("w"), all };
    let only = std::env::var("GMAT_FAULTS_ONLY").unwrap_or_default();
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let check = |name: &'static str, text: &str, before: &Files, exit: Exit, most: usize| {
        if only.is_empty() || only == name {
            bench.check(&Scenario { name, args: words(text), before: before.clone(), exit }, most);
        }
    };
    // What a command leaves is what the next one starts from.
    let after = |text: &str, before: &Files| {
        put(&bench.dir, before);
        let scenario =
            Scenario { name: "setup", args: words(text), before: Files::new(), exit: Exit::Yes };
        assert_eq!(bench.run(&scenario, 0, 0).0, Exit::Yes, "{text}");
        tree(&bench.dir)
    };
    let fresh = world();
    check("init", "init DIR/new", &fresh, Exit::Yes, 12);
    check("demo", "demo DIR/new --entries 1", &fresh, Exit::Yes, 2);
    check(
        "freeze",
        "freeze --model a:m --prompts DIR/private/m/prompts.json --completions DIR/answers.jsonl --votes DIR/votes.jsonl --to DIR/frozen/m --root DIR/frozen",
        &fresh,
        Exit::Yes,
        12,
    );
    check("record", "record DIR/runs.jsonl --root DIR/board", &fresh, Exit::Yes, 12);
    let recorded = after("record DIR/runs.jsonl --root DIR/board", &fresh);
    check(
        "recalibrate",
        "history recalibrate --weights DIR/weights.json --root DIR/board",
        &recorded,
        Exit::Yes,
        12,
    );
    check("checkpoint", "history checkpoint --root DIR/board", &recorded, Exit::Yes, 12);
    let salted = after("heldout salt --root DIR/board --held-out DIR/private", &recorded);
    check(
        "commit",
        "heldout commit --root DIR/board --held-out DIR/private",
        &salted,
        Exit::Yes,
        12,
    );
    let committed = after("heldout commit --root DIR/board --held-out DIR/private", &salted);
    let build = "build --root DIR/board --held-out DIR/private --record --seal";
    check("build", build, &committed, Exit::Yes, 12);
    let built = after(build, &committed);
    if only.is_empty() || only == "vanishing" {
        let scenario = |name, text, before: &Files| Scenario {
            name,
            args: words(text),
            before: before.clone(),
            exit: Exit::Yes,
        };
        let record = scenario("record", "record DIR/runs.jsonl --root DIR/board", &fresh);
        bench.check_without(&record, "board/leaderboard");
        let build = scenario("build", build, &committed);
        bench.check_without(&build, "board/leaderboard");
        bench.check_without(&build, "private");
        let render = scenario("render", "render --root DIR/board --held-out DIR/private", &built);
        bench.check_without(&render, "board/leaderboard");
    }
    // The board has a headline, and a build without the held-out set must not lose it.
    check("build alone", "build --root DIR/board", &built, Exit::No, 6);
    check("render", "render --root DIR/board --held-out DIR/private", &built, Exit::Yes, 3);
    let rendered = after("render --root DIR/board --held-out DIR/private", &built);
    check(
        "render again",
        "render --root DIR/board --held-out DIR/private",
        &rendered,
        Exit::Yes,
        2,
    );
    check(
        "publish",
        "publish --create --space gmat/SPACE DIR/board/site --root DIR/board --held-out DIR/private --retry-pause 1",
        &rendered,
        Exit::Yes,
        3,
    );
    check(
        "fetch",
        "fetch --dataset gmat/set --to DIR/cache --retry-pause 1 --jobs 1",
        &fresh,
        Exit::Yes,
        12,
    );
    check(
        "eval",
        "eval --root DIR/board --model openai:m --judge openai:j --jobs 1 --to DIR/board/leaderboard/bundles/n --retry-pause 1",
        &fresh,
        Exit::Yes,
        8,
    );
}
