//! Beside the hub's own client: we ask what it asks, what it fetches is what we fetch, what it leaves
//! in a Space is what we leave, and it reads back what we published.
//!
//! Recorded requests of that client, and a stand-in that it accepts, are in `hub/` below
//! `GMAT_CONFORMANCE`. `GMAT_HF_PYTHON` names a python that has the package `huggingface_hub`.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::{DATASET, Files, SPACE, TOKEN, board, dataset, empty_space, run_at, site, space, tree};
use crate::harness::{World, finish};
use crate::need::skip;

const DOWNLOAD: &str = "import sys\nfrom huggingface_hub import snapshot_download\n\
    snapshot_download(sys.argv[1], repo_type=sys.argv[2], local_dir=sys.argv[3])";
const UPLOAD: &str = "import sys\nfrom huggingface_hub import HfApi\n\
    HfApi().upload_folder(repo_id=sys.argv[1], repo_type='space', folder_path=sys.argv[2], \
    delete_patterns=['*'])";

/// The stand-in of the conformance data, running.
struct Peer {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
    endpoint: String,
}

fn script() -> Option<PathBuf> {
    let script = super::recorded("fakehub.py")?;
    let asked = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if asked.is_err() {
        skip("hub", "python3 is not on PATH");
        return None;
    }
    Some(script)
}

impl Peer {
    fn start(world: &World, arguments: &[&str]) -> Option<Self> {
        let mut command = Command::new("python3");
        command.arg(script()?).args(["serve", "--exit-with-stdin", "--token", TOKEN, "--root"]);
        command.arg(world.path("hub")).arg("--transcript").arg(world.path("transcript.jsonl"));
        let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the stand-in starts");
        let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        answers.read_line(&mut line).expect("a line");
        let started: Value = serde_json::from_str(&line).expect("JSON");
        let endpoint = started["endpoint"].as_str().expect("an endpoint").to_owned();
        Some(Self { child, answers, endpoint })
    }

    /// Our program, which must succeed.
    fn run(&self, world: &World, args: &[&str]) {
        let ran = run_at(&self.endpoint, world, TOKEN, args);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }

    /// The hub's own client; false where there is none.
    fn run_client(&self, world: &World, code: &str, args: &[&str]) -> bool {
        let Some(python) = std::env::var_os("GMAT_HF_PYTHON") else {
            skip("reference", "GMAT_HF_PYTHON names no python with huggingface_hub");
            return false;
        };
        let mut client = Command::new(python);
        client.args(["-c", code]).args(args).current_dir(world.path("")).env_clear();
        client.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        client.env("HOME", world.path(""));
        client.env("HF_ENDPOINT", &self.endpoint).env("HF_TOKEN", TOKEN);
        client.env("HF_HUB_DISABLE_XET", "1").env("HF_HUB_DISABLE_TELEMETRY", "1");
        let ran = finish(&mut client, None);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        true
    }

    /// Ends it; with `strict`, no request broke a rule.
    fn end(mut self, strict: bool) {
        drop(self.child.stdin.take());
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("a line");
        self.child.wait().expect("it ends");
        let summary: Value = serde_json::from_str(&line).expect("JSON");
        assert!(!strict || summary["violations"] == serde_json::json!([]), "{summary}");
    }
}

/// What the client downloaded, but for its own notes and the hub's file.
fn downloaded(world: &World, dir: &str) -> Files {
    let mut files = tree(&world.path(dir));
    files.retain(|path, _| !path.starts_with(".cache/") && path != ".gitattributes");
    files
}

#[test]
fn our_requests_are_those_of_the_client() {
    for (golden, serve, ignored) in [
        ("s1_fetch_fresh.jsonl", &["--page-size", "4"][..], &[][..]),
        (
            "extra/x1_resolve_cache_gzip.jsonl",
            &["--resolve-cache", "--gzip"][..],
            &["--skip", "empty.txt"][..],
        ),
    ] {
        let world = World::new();
        dataset(&world);
        let Some(peer) = Peer::start(&world, &[&["--strict"][..], serve].concat()) else { return };
        peer.run(&world, &["fetch", "--dataset", DATASET, "--to", "cache", "--jobs", "1"]);
        peer.end(true);
        let script = script().expect("it ran");
        let golden = script.with_file_name("transcripts").join(golden);
        let mut compare = Command::new("python3");
        compare.arg(&script).arg("compare").arg(&golden).arg(world.path("transcript.jsonl"));
        compare.args(["--ordered", "--fold-head", "--skip", "agent-harnesses"]).args(ignored);
        let compared = finish(&mut compare, None);
        assert_eq!(compared.code, 0, "{}", compared.stdout);
    }
}

#[test]
fn it_reads_back_what_was_published() {
    let world = World::new();
    board(&world);
    empty_space(&world);
    let Some(peer) = Peer::start(&world, &[]) else { return };
    peer.run(&world, &["publish", "--space", SPACE]);
    if !peer.run_client(&world, DOWNLOAD, &[SPACE, "space", "back"]) {
        return;
    }
    let back = downloaded(&world, "back");
    assert_eq!(back, space(&world));
    let ran = world.run(&["render", "--out", "again", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(back, tree(&world.path("again")));
    peer.end(true);
}

#[test]
fn it_leaves_a_space_as_we_leave_it() {
    let world = World::new();
    board(&world);
    let other = "spaces/gmat/other";
    for space in ["spaces/gmat/leaderboard", other] {
        world.write(&format!("hub/{space}/main/.gitattributes"), "*.bin filter=lfs\n");
        world.write(&format!("hub/{space}/main/stale.html"), "<p>old\n");
        world.write(&format!("hub/{space}/settings.json"), "{\"sdk\": \"static\"}");
    }
    let Some(peer) = Peer::start(&world, &[]) else { return };
    for extra in [&[][..], &[("data/board.json", "{\"rows\":[1]}\n"), ("new.html", "<p>\n")]] {
        let files = site(&world, extra);
        peer.run(&world, &["publish", "--space", SPACE, "site", "--as-is"]);
        if !peer.run_client(&world, UPLOAD, &["gmat/other", "site"]) {
            return;
        }
        assert_eq!(space(&world), files);
        let ours = tree(&world.path("hub/spaces/gmat/leaderboard/main"));
        assert_eq!(ours, tree(&world.path(&format!("hub/{other}/main"))));
    }
    peer.end(false);
}

#[test]
fn it_fetches_what_we_fetch() {
    let world = World::new();
    let files = dataset(&world);
    let Some(peer) = Peer::start(&world, &[]) else { return };
    peer.run(&world, &["fetch", "--dataset", DATASET, "--to", "cache"]);
    if peer.run_client(&world, DOWNLOAD, &[DATASET, "dataset", "back"]) {
        assert_eq!(downloaded(&world, "back"), files);
        assert_eq!(tree(&world.path("cache")), files);
    }
    peer.end(false);
}
