//! Each input is read at most once in a run: the hook of `fs` counts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gmat_leaderboard::internals::domain::Exit;
use gmat_leaderboard::internals::fs::{Call, watch};

type Counts = Arc<Mutex<BTreeMap<(String, PathBuf), usize>>>;

/// Runs the program in this process and returns how often each path was read or walked.
fn counted(counts: &Counts, args: &[&str]) -> BTreeMap<(String, PathBuf), usize> {
    counts.lock().expect("no panic while counting").clear();
    let args = ["gmat-leaderboard", "--quiet"].iter().chain(args).map(OsString::from);
    let exit = gmat_leaderboard::run(args);
    assert_eq!(exit, Exit::Yes);
    counts.lock().expect("no panic while counting").clone()
}

/// One test, because the hook is the process's.
#[test]
fn each_input_is_read_once() {
    let counts = Counts::default();
    let seen = Arc::clone(&counts);
    watch(move |call, path| {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let key = (format!("{call:?}"), path);
        *seen.lock().expect("no panic while counting").entry(key).or_default() += 1;
        Ok(())
    });
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path().canonicalize().expect("a path");
    let (root, held_out) = (dir.join("demo/board"), dir.join("demo/held-out"));
    let text = |path: &Path| path.display().to_string();
    counted(&counts, &["demo", &text(&dir.join("demo")), "--history"]);
    name_a_baseline(&root.join("seeds.json"));
    let (root_text, held_out_text, site) = (text(&root), text(&held_out), text(&root.join("site")));
    let common = ["--root", &root_text, "--held-out", &held_out_text];

    for (command, own_ledger_reads) in [
        (vec!["verify", "--site", &site], 1),
        (vec!["render"], 1),
        (vec!["site"], 1),
        // Once to compare, once more under the lock.
        (vec!["build", "--record"], 2),
    ] {
        if command[0] == "verify" {
            // A site of the config as it is now.
            counted(&counts, &[&["render"], &common[..]].concat());
        }
        let args = [&command[..], &common[..]].concat();
        let counts = counted(&counts, &args);
        let times = |call: Call, path: PathBuf| {
            counts.get(&(format!("{call:?}"), path)).copied().unwrap_or_default()
        };
        let read = |path: &str| times(Call::Read, root.join(path));
        assert_eq!(read("seeds.json"), 1, "{command:?}: the config");
        let board = if command[0] == "build" { 1 } else { read("leaderboard/leaderboard.json") };
        assert_eq!(board, 1, "{command:?}: the board");
        assert_eq!(read("leaderboard/history.jsonl"), own_ledger_reads, "{command:?}: the ledger");
        assert_eq!(times(Call::Walk, held_out.clone()), 1, "{command:?}: the held-out set");
        let bundles = counts
            .iter()
            .filter(|((call, path), _)| call == "Read" && path.starts_with(&root))
            .filter(|((_, path), _)| path.ends_with("completions.json"));
        let mut replayed = 0;
        for ((_, path), times) in bundles {
            assert_eq!(*times, 1, "{command:?}: {}", path.display());
            replayed += 1;
        }
        assert!(replayed >= 5, "{command:?} replays {replayed} bundles");
    }
}

/// Names the first seed as the official baseline.
fn name_a_baseline(config: &Path) {
    let text = std::fs::read_to_string(config).expect("a config");
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let seed = &json["seeds"][0];
    let id = format!(
        "{}:{}",
        seed["provider"].as_str().expect("a provider"),
        seed["model"].as_str().expect("a model")
    );
    json["official_baselines"] = serde_json::json!([id]);
    std::fs::write(config, serde_json::to_string_pretty(&json).expect("JSON")).expect("written");
}
