//! The forger's desk: edits of the board, the config and the bundles, and a tool that builds a
//! board from whatever lies there.

use std::path::Path;

use gmat_leaderboard::internals::board::{assemble, sort_seeds};
use gmat_leaderboard::internals::fs::Store;
use gmat_leaderboard::internals::workspace::{ConfigFile, ReplayDetail, SeedReplays, read_config};
use gmat_leaderboard::internals::{domain, json, replay};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::World;

pub(super) const AT: &str = "2026-11-16T00:00:00Z";
pub(super) const BOARD: &str = "board/leaderboard/leaderboard.json";
pub(super) const CONFIG: &str = "board/seeds.json";
pub(super) const VERIFY: [&str; 3] = ["verify", "--root", "board"];
pub(super) const GATED: [&str; 5] = ["verify", "--root", "board", "--held-out", "held-out"];
pub(super) const BUILD: [&str; 7] =
    ["build", "--root", "board", "--held-out", "held-out", "--generated-at", AT];
pub(super) const MODELS: [&str; 5] = ["careful", "steady", "memoriser", "careless", "newcomer"];

/// A held-out request, an intent and an id: what no message may ever say.
pub(super) const REQUEST: &str = "An atmospheric probe carrier circles Venus at 6500 km radius, tilted 75 deg. Integrate it for eight hours.";
pub(super) const INTENT: &str =
    "540 km circular, 53.2 deg, 1.5 days, table with OrbitPeriod and TA.";
pub(super) const SECRETS: [&str; 3] = [REQUEST, INTENT, "gmat-leaderboard:heldout:v1:"];

/// Edits the board and spells it canonically again.
pub(super) fn board(world: &World, edit: impl FnOnce(&mut Value)) {
    edit_json(world, BOARD, edit);
}

/// Edits one row of the board.
pub(super) fn row(world: &World, index: usize, edit: impl FnOnce(&mut Value)) {
    board(world, |board| edit(&mut board["entries"][index]));
}

/// Edits the config.
pub(super) fn config(world: &World, edit: impl FnOnce(&mut Value)) {
    edit_json(world, CONFIG, edit);
}

/// Edits a file of a public bundle.
pub(super) fn bundle(world: &World, name: &str, file: &str, edit: impl FnOnce(&mut Value)) {
    edit_json(world, &public(name, file), edit);
}

/// Where a file of a public bundle lies.
pub(super) fn public(name: &str, file: &str) -> String {
    format!("board/leaderboard/bundles/{name}/{file}")
}

pub(super) fn edit_json(world: &World, path: &str, edit: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_str(&world.read(path)).expect("JSON");
    edit(&mut value);
    world.write(path, json::pretty(&value));
}

/// Replaces text of a file, which must be there.
pub(super) fn spell(world: &World, path: &str, from: &str, to: &str) {
    let text = world.read(path);
    assert!(text.contains(from), "{from} is not in {path}");
    world.write(path, text.replacen(from, to, 1));
}

/// The object under a value, for inserting and removing.
pub(super) fn map(value: &mut Value) -> &mut serde_json::Map<String, Value> {
    value.as_object_mut().expect("an object")
}

pub(super) fn list(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("an array")
}

/// Inserts `value` under `key` of the object `into`.
pub(super) fn insert(into: &mut Value, key: &str, value: Value) {
    map(into).insert(key.to_owned(), value);
}

/// Gives every completion of a bundle another provider and model.
pub(super) fn rekey(world: &World, path: &str, name: &str) {
    edit_json(world, path, |texts| {
        let old = std::mem::take(map(texts));
        for (key, text) in old {
            let digest = key.rsplit_once(':').expect("a key").1;
            insert(texts, &format!("{name}:{digest}"), text);
        }
    });
}

/// Changes the public set of every bundle alike, with its votes, and pins it: what a maintainer
/// does who really has another set.
pub(super) fn new_set(world: &World, edit: impl Fn(&mut Vec<Value>)) {
    for name in MODELS {
        let mut before = Value::Null;
        bundle(world, name, "prompts.json", |prompts| {
            before = prompts.clone();
            edit(list(prompts));
        });
        follow_set(world, name, &before);
    }
    pin_set(world);
}

/// Spells the public set of every bundle in one line, and pins it.
pub(super) fn respell_set(world: &World) {
    for name in MODELS {
        let path = public(name, "prompts.json");
        let prompts: Value = serde_json::from_str(&world.read(&path)).expect("JSON");
        world.write(&path, prompts.to_string());
    }
    pin_set(world);
}

fn pin_set(world: &World) {
    let bytes = std::fs::read(world.path(&public("careful", "prompts.json"))).expect("read");
    let count =
        serde_json::from_slice::<Value>(&bytes).expect("JSON").as_array().expect("set").len();
    config(world, |config| {
        config["public_set"]["sha256"] = json!(hex::encode(Sha256::digest(&bytes)));
        config["public_set"]["n_prompts"] = json!(count);
        config["eval_protocol_version"] = json!("2");
    });
}

/// Drops the completions and votes of prompts that are gone, and renames those of prompts whose
/// request changed.
fn follow_set(world: &World, name: &str, before: &Value) {
    let after: Value =
        serde_json::from_str(&world.read(&public(name, "prompts.json"))).expect("JSON");
    let digest = |prompt: &Value| {
        let digest = replay::request_digest(prompt["request"].as_str().expect("a request"));
        String::from_utf8(digest.to_vec()).expect("hex")
    };
    let kept = |old: &Value| {
        after.as_array().expect("set").iter().find(|new| new["id"] == old["id"]).cloned()
    };
    for old in before.as_array().expect("set") {
        let new = kept(old);
        bundle(world, name, "completions.json", |texts| {
            let text =
                map(texts).remove(&format!("demo:{name}:{}", digest(old))).expect("answered");
            if let Some(new) = &new {
                insert(texts, &format!("demo:{name}:{}", digest(new)), text);
            }
        });
        if new.is_none() {
            bundle(world, name, "judge.json", |votes| {
                map(votes).remove(old["id"].as_str().expect("an id"));
            });
        }
    }
}

/// Builds the board that the bundles give, whatever speaks against it.
pub(super) fn forge(world: &World) {
    let root = world.path("board");
    let ConfigFile { config, name, .. } = read_config(&root, None).expect("a config");
    let store = Store::open(&root).expect("a root");
    let held_out = Store::open(&world.path("held-out")).expect("held-out bundles");
    let replays =
        SeedReplays::replay(&store, Some(&held_out), &config, ReplayDetail::Counts, false, || {});
    let seeds = sort_seeds(&config, &name, replays.scored(&config), false);
    assert!(seeds.failures.is_empty(), "{:?}", seeds.failures);
    world.write(BOARD, assemble(&config, &seeds.scored, AT, "0.1.0").bytes());
}

/// Runs git in a directory, with no configuration but what it needs.
pub(super) fn git(dir: &Path, args: &[&str]) {
    let status = std::process::Command::new("git")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status();
    assert!(status.expect("git runs").success(), "git {args:?}");
}

/// A waiver that runs for another month.
pub(super) fn waiver(code: &str, path: &str) -> Value {
    let month = std::time::Duration::from_secs(30 * 24 * 3600);
    let until = &domain::stamp(jiff::Timestamp::now() + month)[..10];
    json!({"code": code, "path": path, "who": "x", "why": "y", "until": until})
}
