//! `fetch`, `publish` and `doctor` against a strict stand-in for the hub on this machine.

mod client;
mod doctor;
mod fetch;
mod hostile;
mod kill;
mod offline;
mod publish;
mod rehearsal;
mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use crate::fake_hub::{FakeHub, HubLog};
use crate::harness::{Ran, World, finish};
use crate::need::skip;

/// No output may ever hold it.
pub const TOKEN: &str = "hf_canary_e2b1d7c09a4f";
pub const DATASET: &str = "gmat/heldout";
pub const SPACE: &str = "gmat/leaderboard";
/// The held-out bundle of `board` where `publish` looks for it.
pub const CACHED: &str = "leaderboard/.cache/heldout/steady";
/// Short pauses, so that a fault costs no time.
pub const QUICK: [&str; 4] = ["--retry-pause", "5", "--timeout", "5"];

pub type Files = BTreeMap<String, Vec<u8>>;

/// A file below `hub/` of the conformance data.
pub fn recorded(name: &str) -> Option<PathBuf> {
    let file = std::env::var_os("GMAT_CONFORMANCE").map(|it| Path::new(&it).join("hub").join(name));
    let found = file.filter(|file| file.is_file());
    if found.is_none() {
        skip("hub", &format!("GMAT_CONFORMANCE has no hub/{name}"));
    }
    found
}

/// The binary with `args` and the hub at `endpoint`; the token must not be in what it prints.
pub fn run_at(endpoint: &str, world: &World, token: &str, args: &[&str]) -> Ran {
    let mut command = world.command(args);
    command.args(QUICK).env("HF_ENDPOINT", endpoint).env("HF_TOKEN", token);
    let ran = finish(&mut command, None);
    assert!(!ran.both().contains("hf_canary"), "the token is in the output: {}", ran.both());
    ran
}

/// Serves the repositories below `hub/` of the world; for the options see [`FakeHub`].
pub fn start(world: &World, options: &[&str]) -> FakeHub {
    let tokens = [(TOKEN, "write"), ("hf_read", "read"), ("hf_none", "none")];
    FakeHub::start(world.path("hub"), &tokens, options)
}

impl FakeHub {
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
        run_at(&self.endpoint, world, token, args)
    }

    /// What it saw; no request broke a rule and every fault was met.
    pub fn end_well(self) -> HubLog {
        let seen = self.seen();
        assert!(seen.violations.is_empty(), "{:#?}", seen.violations);
        assert!(seen.unmet.is_empty(), "{:?}", seen.unmet);
        seen
    }
}

impl HubLog {
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
        let run = |args: &[&str]| {
            let ran = world.run(args);
            assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        };
        run(&["init", "-q"]);
        crate::harness::keep_prompts(&world, "leaderboard/bundles/steady", 12);
        let mut config: Value = serde_json::from_str(&world.read("seeds.json")).expect("JSON");
        config["public_set"] = serde_json::json!({"n_prompts": 12, "committed": true});
        world.write("seeds.json", config.to_string());
        run(&["build", "--held-out", "held-out", "-q"]);
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
