//! Runs the binary and compares what it did.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A directory of its own, gone at the end of the test.
pub struct World {
    dir: tempfile::TempDir,
}

/// What a run did.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Everything that was printed.
    pub fn both(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl World {
    pub fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    pub fn below(parent: &Path) -> Self {
        let dir = tempfile::Builder::new().prefix("gmat-lb-").tempdir_in(parent);
        Self { dir: dir.expect("a temporary directory") }
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    pub fn write(&self, below: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        std::fs::write(path, bytes).expect("written");
    }

    pub fn read(&self, below: &str) -> String {
        std::fs::read_to_string(self.path(below)).unwrap_or_else(|error| panic!("{below}: {error}"))
    }

    pub fn exists(&self, below: &str) -> bool {
        self.path(below).exists()
    }

    /// The binary with `args`, in this world, with nothing in the environment but `PATH`.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gmat-leaderboard"));
        command.args(args).current_dir(self.dir.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.dir.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        finish(&mut self.command(args), None)
    }

    pub fn run_with_stdin(&self, args: &[&str], stdin: &[u8]) -> Ran {
        finish(self.command(args).stdin(Stdio::piped()), Some(stdin))
    }
}

/// A user whose processes the kernel counts; root's are not limited.
pub const NOBODY: u32 = 65534;

impl World {
    /// Makes `NOBODY` the owner of everything here; only root can.
    pub fn give_to_nobody(&self) -> bool {
        walkdir::WalkDir::new(self.path("")).into_iter().all(|entry| {
            std::os::unix::fs::chown(entry.expect("walked").path(), Some(NOBODY), None).is_ok()
        })
    }
}

/// Runs `command`, feeding `stdin`, and collects what it did.
pub fn finish(command: &mut Command, stdin: Option<&[u8]>) -> Ran {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let feed = stdin.map(|bytes| {
        let mut pipe = child.stdin.take().expect("a pipe");
        let bytes = bytes.to_vec();
        std::thread::spawn(move || {
            let _ = pipe.write_all(&bytes);
        })
    });
    let output = child.wait_with_output().expect("the binary ends");
    if let Some(feed) = feed {
        feed.join().expect("fed");
    }
    let ran = Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert!(!ran.stderr.contains("panicked at"), "{}", ran.stderr);
    ran
}

/// A board of five rows that never changes, whatever the example board becomes: `board/` as a
/// repository would have it, `held-out/` beside it.
pub fn frozen() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/world")
}

/// A copy of the [`frozen`] board.
pub fn board_world() -> World {
    let world = World::new();
    copy(&frozen(), &world.path(""));
    world
}

/// Copies a directory and what is below it.
pub fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).sort_by_file_name() {
        let entry = entry.expect("walked");
        let target = to.join(entry.path().strip_prefix(from).expect("below"));
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).expect("directories");
        } else {
            std::fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// How often a test kills the program; `GMAT_KILLS=60` tries more moments.
pub fn kill_rounds() -> u32 {
    std::env::var("GMAT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

/// Keeps the first prompts of a bundle: every page is searched, so a small set is enough.
pub fn keep_prompts(world: &World, dir: &str, most: usize) {
    let read = |name: &str| -> Value {
        serde_json::from_str(&world.read(&format!("{dir}/{name}"))).expect("JSON")
    };
    let [mut prompts, mut answers, mut votes] =
        ["prompts.json", "completions.json", "judge.json"].map(read);
    prompts.as_array_mut().expect("prompts").truncate(most);
    let kept = prompts.as_array().expect("prompts");
    let digest = |prompt: &Value| {
        let request = prompt["request"].as_str().expect("a request");
        hex::encode(&<sha2::Sha256 as sha2::Digest>::digest(request)[..8])
    };
    let digests: Vec<String> = kept.iter().map(digest).collect();
    let is_kept = |key: &String| digests.iter().any(|digest| key.ends_with(digest));
    answers.as_object_mut().expect("answers").retain(|key, _| is_kept(key));
    votes.as_object_mut().expect("votes").retain(|id, _| kept.iter().any(|it| it["id"] == **id));
    for (name, value) in [("prompts", &prompts), ("completions", &answers), ("judge", &votes)] {
        world.write(&format!("{dir}/{name}.json"), value.to_string());
    }
}
