//! Each input is read at most once in a run: the hook of `fs` counts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gmat_leaderboard::internals::domain::Exit;
use gmat_leaderboard::internals::fs::{Call, watch};

type Counts = Arc<Mutex<BTreeMap<(String, PathBuf), usize>>>;

/// Runs the program in this process and returns how often each path was read or walked.
fn counted(counts: &Counts, args: &[&str], expected: Exit) -> BTreeMap<(String, PathBuf), usize> {
    counts.lock().expect("no panic while counting").clear();
    let words = ["gmat-leaderboard", "--quiet"].iter().chain(args).map(OsString::from);
    let exit = gmat_leaderboard::run(words);
    assert_eq!(exit, expected, "{args:?}");
    counts.lock().expect("no panic while counting").clone()
}

/// Where `publish` looks for a hub: nothing answers there, and everything is read before it is asked.
const NO_HUB: &str = "http://127.0.0.1:1";

/// One test, because the hook is the process's. It runs in a process of its own, which has the address
/// of the hub in its environment.
#[test]
fn each_input_is_read_once() {
    if crate::is_child() {
        return count_reads();
    }
    crate::alone("loads::each_input_is_read_once", &[("HF_ENDPOINT", NO_HUB)]);
}

fn count_reads() {
    let counts = Counts::default();
    let seen = Arc::clone(&counts);
    watch(move |call, path| {
        if !matches!(call, Call::Read | Call::Walk) {
            return Ok(());
        }
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let key = (format!("{call:?}"), path);
        *seen.lock().expect("no panic while counting").entry(key).or_default() += 1;
        Ok(())
    });
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path().canonicalize().expect("a path");
    let (root, held_out) = (dir.join("demo/board"), dir.join("demo/held-out"));
    let text = |path: &Path| path.display().to_string();
    counted(&counts, &["demo", &text(&dir.join("demo")), "--history"], Exit::Yes);
    let bundle = name_a_baseline(&root.join("seeds.json"));
    let (root_text, held_out_text, site) = (text(&root), text(&held_out), text(&root.join("site")));
    let (at, secret) = (["--root", &root_text], ["--held-out", &held_out_text]);
    let bundle = text(&root.join(bundle));
    let publish = ["publish", "--space", "o/n", "--dry-run", "--retry-pause", "1"];
    // A site of the config as it is now.
    counted(&counts, &[&["render"], &at[..], &secret].concat(), Exit::Yes);

    let mut wrong = Vec::new();
    for (command, expected) in [
        ([&["verify", "--site", &site], &secret[..]].concat(), Exit::Yes),
        (vec!["verify"], Exit::Yes),
        ([&publish, &[&*site][..], &secret].concat(), Exit::World),
        (vec!["check", &bundle], Exit::Yes),
        ([&["render"], &secret[..]].concat(), Exit::Yes),
        ([&["site"], &secret[..]].concat(), Exit::Yes),
        ([&["build", "--record"], &secret[..]].concat(), Exit::Yes),
        // Sealed: the seal compares every file that was replayed, and the ledger.
        ([&["build", "--record", "--seal"], &secret[..]].concat(), Exit::Yes),
        ([&["verify"], &secret[..]].concat(), Exit::Yes),
        (vec!["verify"], Exit::Yes),
    ] {
        let counts = counted(&counts, &[&command[..], &at].concat(), expected);
        let reads = |end: &str| {
            let is_it = |(call, path): &&(String, PathBuf)| call == "Read" && path.ends_with(end);
            counts.keys().filter(is_it).count()
        };
        assert_eq!(reads("seeds.json"), 1, "{command:?} reads the config");
        let completions = reads("completions.json");
        assert!(completions >= 5, "{command:?} replays {completions} bundles");
        // The seal covers the line that was recorded before it.
        let is_recorded =
            |path: &Path| path.ends_with("history.jsonl") && command.contains(&"--seal");
        let twice = counts.iter().filter(|((_, path), times)| {
            **times > 1 && path.starts_with(&dir) && !is_recorded(path)
        });
        for ((call, path), times) in twice {
            let path = path.strip_prefix(&dir).expect("below the directory").display();
            wrong.push(format!("{command:?}: {call} {path} {times} times"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Names the first seed as the official baseline and returns the path of its bundle.
fn name_a_baseline(config: &Path) -> String {
    let text = std::fs::read_to_string(config).expect("a config");
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let seed = &json["seeds"][0];
    let id = format!(
        "{}:{}",
        seed["provider"].as_str().expect("a provider"),
        seed["model"].as_str().expect("a model")
    );
    let bundle = seed["public_bundle"].as_str().expect("a bundle").to_owned();
    json["official_baselines"] = serde_json::json!([id]);
    std::fs::write(config, serde_json::to_string_pretty(&json).expect("JSON")).expect("written");
    bundle
}
