//! `fetch`, `publish` and `doctor` against a strict stand-in for the hub on this machine.
//!
//! The stand-in is `hub/fakehub.py` below `GMAT_CONFORMANCE`; without it, or without python3, each
//! test says that it was skipped. It checks every request, knows every token and sees whether one
//! reaches another host.

#![expect(clippy::print_stderr, reason = "a test says why it was skipped")]

mod client;
mod doctor;
mod fetch;
mod hostile;
mod kill;
mod offline;
mod publish;
mod relay;
mod walk;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use crate::harness::{Ran, World, finish};

/// No output may ever hold it.
pub const TOKEN: &str = "hf_canary_e2b1d7c09a4f";
pub const STRICT: [&str; 3] = ["--strict", "--require-pinned", "--resolve-cache"];
pub const DATASET: &str = "gmat/heldout";
pub const SPACE: &str = "gmat/leaderboard";
/// The held-out bundle of `board` where `publish` looks for it.
pub const CACHED: &str = "leaderboard/.cache/heldout/steady";
/// Short pauses, so that a fault costs no time.
pub const QUICK: [&str; 4] = ["--retry-pause", "5", "--timeout", "5"];

pub type Files = BTreeMap<String, Vec<u8>>;

/// A stand-in that is running.
pub struct FakeHub {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
    pub endpoint: String,
    transcript: PathBuf,
}

/// What the stand-in saw.
pub struct Seen {
    pub code: i32,
    pub requests: Vec<Value>,
    pub summary: Value,
}

pub fn script() -> Option<PathBuf> {
    let Some(root) = std::env::var_os("GMAT_CONFORMANCE") else {
        eprintln!("hub: skipped, GMAT_CONFORMANCE is not set");
        return None;
    };
    let script = PathBuf::from(root).join("hub/fakehub.py");
    if !script.is_file() {
        eprintln!("hub: skipped, {} is absent", script.display());
        return None;
    }
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("hub: skipped, python3 is absent");
        return None;
    }
    Some(script)
}

impl FakeHub {
    /// Serves the repositories below `hub/` of the world.
    pub fn start(world: &World, arguments: &[&str]) -> Option<Self> {
        let script = script()?;
        let transcript = world.path("transcript.jsonl");
        let mut command = Command::new("python3");
        command.arg(script).arg("serve").arg("--exit-with-stdin");
        command.arg("--root").arg(world.path("hub")).arg("--transcript").arg(&transcript);
        command.args(["--token", TOKEN, "--token", "hf_read:read", "--token", "hf_none:none"]);
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the stand-in starts");
        let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        answers.read_line(&mut line).expect("a line");
        let started: Value = serde_json::from_str(&line).expect("JSON");
        let endpoint = started["endpoint"].as_str().expect("an endpoint").to_owned();
        Some(Self { child, answers, endpoint, transcript })
    }

    /// The binary with `args` and this hub in its environment.
    pub fn command(&self, world: &World, args: &[&str]) -> Command {
        let mut command = world.command(args);
        command.args(QUICK).env("HF_ENDPOINT", &self.endpoint).env("HF_TOKEN", TOKEN);
        command
    }

    pub fn run(&self, world: &World, args: &[&str]) -> Ran {
        self.run_as(world, TOKEN, args)
    }

    pub fn run_as(&self, world: &World, token: &str, args: &[&str]) -> Ran {
        let ran = finish(self.command(world, args).env("HF_TOKEN", token), None);
        for output in [&ran.stdout, &ran.stderr] {
            assert!(!output.contains("hf_canary"), "the token is in the output: {output}");
        }
        ran
    }

    /// Ends it and gives what it saw.
    pub fn end(mut self) -> Seen {
        drop(self.child.stdin.take());
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("a line");
        let code = self.child.wait().expect("it ends").code().unwrap_or(-1);
        let text = std::fs::read_to_string(&self.transcript).expect("a transcript");
        let requests = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        Seen { code, requests, summary: serde_json::from_str(&line).expect("JSON") }
    }

    /// Ends it; no request broke a rule and every fault was met.
    pub fn end_well(self) -> Seen {
        let seen = self.end();
        assert_eq!(seen.summary["violations"], serde_json::json!([]), "{}", seen.summary);
        assert_eq!(seen.summary["unused_faults"], serde_json::json!([]), "{}", seen.summary);
        assert_eq!(seen.code, 0);
        seen
    }
}

impl Seen {
    /// `METHOD path` of every request.
    pub fn calls(&self) -> Vec<String> {
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        self.requests.iter().map(|it| text(&it["method"]) + " " + &text(&it["path"])).collect()
    }
}

/// Every file below a directory but this program's own.
pub fn tree(dir: &Path) -> Files {
    let mut files = Files::new();
    for entry in walkdir::WalkDir::new(dir).sort_by_file_name() {
        let Ok(entry) = entry else { continue };
        let below = entry.path().strip_prefix(dir).expect("below").to_string_lossy().into_owned();
        if entry.file_type().is_file() && !below.starts_with(".gmat-leaderboard") {
            files.insert(below, std::fs::read(entry.path()).expect("readable"));
        }
    }
    files
}

/// The files of a Space as the stand-in holds them, but its own.
pub fn space(world: &World) -> Files {
    let mut files = tree(&world.path("hub/spaces/gmat/leaderboard/main"));
    files.remove(".gitattributes");
    files
}

pub fn put(world: &World, below: &str, files: &Files) {
    for (path, bytes) in files {
        world.write(&format!("{below}/{path}"), bytes);
    }
}

/// A private dataset with nested folders, odd names, an empty file and large-file objects.
pub fn dataset(world: &World) -> Files {
    let bin: Vec<u8> = (0..=255).cycle().take(256 * 40).collect();
    let mut zst = vec![0x28, 0xb5, 0x2f, 0xfd];
    zst.extend([b'z'; 3000]);
    let files: Files = [
        ("README.md", b"---\nlicense: other\n---\n# held out\n".to_vec()),
        ("index.json", b"{\"bundles\":[\"b001\",\"b002\"]}\n".to_vec()),
        ("bundles/b001/task.json", b"{\"id\":\"b001\"}\n".to_vec()),
        ("bundles/b001/data.bin", bin),
        ("bundles/b001/notes/a b+c%25.txt", "space plus percent é\n".into()),
        ("bundles/b002/task.json", b"{\"id\":\"b002\"}\n".to_vec()),
        ("bundles/b002/answers.tar.zst", zst),
        ("bundles/b002/empty.txt", Vec::new()),
        ("deep/1/2/3/4/leaf.txt", b"leaf\n".to_vec()),
    ]
    .into_iter()
    .map(|(path, bytes)| (path.to_owned(), bytes))
    .collect();
    put(world, "hub/datasets/gmat/heldout/main", &files);
    files
}

/// A small site with a picture, as a directory `site`.
pub fn site(world: &World, extra: &[(&str, &str)]) -> Files {
    let card = "---\ntitle: GMAT leaderboard\nemoji: \u{1f6f0}\u{fe0f}\ncolorFrom: indigo\n\
        colorTo: blue\nsdk: static\napp_file: index.html\npinned: false\ntags:\n  - leaderboard\n\
        ---\n# board\n";
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend([0; 600]);
    let mut files: Files = [
        ("README.md", card.into()),
        ("index.html", b"<!doctype html><title>board</title>\n".to_vec()),
        ("assets/style.css", b"body{}\n".to_vec()),
        ("data/board.json", b"{\"rows\":[]}\n".to_vec()),
        ("assets/logo.png", png),
    ]
    .into_iter()
    .map(|(path, bytes)| (path.to_owned(), bytes))
    .collect();
    files.extend(extra.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    let _ = std::fs::remove_dir_all(world.path("site"));
    put(world, "site", &files);
    files
}

/// A board of one scored row in this world's root, which is a repository, with its held-out set in
/// `held-out` and in the cache, both ignored.
pub fn board(world: &World) {
    static FILES: OnceLock<Files> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let world = World::new();
        let examples = crate::harness::frozen().join("held-out/steady");
        for below in ["held-out/steady", CACHED] {
            put(&world, below, &tree(&examples));
        }
        for args in [&["init", "-q"][..], &["build", "--held-out", "held-out", "-q"]] {
            let ran = world.run(args);
            assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        }
        let ignored = world.read(".gitignore") + "/empty/\n/held-out/\n/hub/\n/site/\n";
        world.write(".gitignore", ignored);
        tree(&world.path(""))
    });
    put(world, ".", files);
    let mut git = Command::new("git");
    let made = git.args(["init", "-q"]).current_dir(world.path("")).output().expect("git runs");
    assert!(made.status.success());
}

/// A static Space with nothing of ours in it.
pub fn empty_space(world: &World) {
    world.write("hub/spaces/gmat/leaderboard/main/.gitattributes", "*.bin filter=lfs\n");
    world.write("hub/spaces/gmat/leaderboard/settings.json", "{\"sdk\": \"static\"}");
}

/// How many commits a repository has.
pub fn commits(world: &World, repository: &str) -> usize {
    let text = world.read(&format!("hub/{repository}/repo.json"));
    let repository: Value = serde_json::from_str(&text).expect("JSON");
    repository["commits"].as_array().expect("commits").len()
}
