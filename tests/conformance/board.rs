//! Whole boards of the reference: every folder that has a config, bundles and a board.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::need::skip;

fn run(args: &[&str], root: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gmat-leaderboard"))
        .args(args)
        .arg("--root")
        .arg(root)
        .env_clear()
        .output()
        .expect("the binary runs")
}

fn boards() -> Vec<PathBuf> {
    let Some(root) = std::env::var_os("GMAT_CONFORMANCE") else {
        skip("conformance", "GMAT_CONFORMANCE is not set");
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("a readable folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|folder| folder.join("leaderboard/leaderboard.json").is_file())
        .collect();
    folders.sort();
    folders
}

/// The board without the one value that names the program that made it.
fn without_version(text: &str) -> String {
    let version = |line: &&str| !line.trim_start().starts_with("\"tool_version\"");
    text.lines().filter(version).collect::<Vec<_>>().join("\n")
}

#[test]
fn boards_of_the_reference_are_rebuilt_byte_for_byte_and_verify() {
    for folder in boards() {
        let path = folder.join("leaderboard/leaderboard.json");
        let published = std::fs::read_to_string(&path).expect("a board");
        let board: serde_json::Value = serde_json::from_str(&published).expect("JSON");
        let at = board["generated_at"].as_str().expect("a stamp");
        let built = run(&["build", "--generated-at", at, "--out", "-"], &folder);
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let built = String::from_utf8(built.stdout).expect("text");
        assert_eq!(without_version(&built), without_version(&published), "{}", folder.display());
        let verified = run(&["verify"], &folder);
        let said = String::from_utf8_lossy(&verified.stdout);
        assert!(verified.status.success(), "{said}");
        let rows = board["entries"].as_array().expect("rows").len();
        assert!(said.contains(&format!("verified: {rows} public row(s) reproduce")), "{said}");
        eprintln!("{}: compared {rows} row(s)", folder.display());
    }
}

/// Generated workloads, against the installed reference: the same bytes, and each one's `verify`
/// accepts the other's board.
#[test]
fn generated_boards_agree_with_the_installed_reference() {
    let (tools, python) = (std::env::var_os("GMAT_TOOLS"), std::env::var_os("GMAT_REFERENCE"));
    let (Some(tools), Some(python)) = (tools, python) else {
        skip("reference", "GMAT_TOOLS or GMAT_REFERENCE is not set");
        return;
    };
    let reference = Path::new(&python).with_file_name("gmat-copilot");
    let scratch = tempfile::tempdir().expect("a directory");
    let good = |command: &mut Command| {
        let output = command.output().expect("runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    for (seed, rows, prompts) in [("1", "3", "12"), ("2", "5", "51"), ("3", "2", "120")] {
        let (root, held_out) =
            (scratch.path().join(format!("g{seed}")), scratch.path().join(format!("h{seed}")));
        let generator = Path::new(&tools).join("gen_board.py");
        good(
            Command::new(&python)
                .arg(generator)
                .args(["--seeds", rows, "--prompts", prompts, "--seed", seed, "--lift"])
                .arg("--out")
                .arg(&root)
                .arg("--held-out")
                .arg(&held_out),
        );
        let config = root.join("seeds.json");
        let (ours, theirs) = (root.join("ours.json"), root.join("theirs.json"));
        let common = |command: &mut Command| {
            command.arg("--config").arg(&config).arg("--root").arg(&root);
        };
        let binary = || Command::new(env!("CARGO_BIN_EXE_gmat-leaderboard"));
        let peer = || {
            let mut command = Command::new(&reference);
            command.arg("leaderboard");
            command
        };
        for (mut command, out) in [(binary(), &ours), (peer(), &theirs)] {
            command
                .args(["build", "--generated-at", "2026-01-01T00:00:00Z"])
                .arg("--held-out")
                .arg(&held_out);
            command.arg("--out").arg(out);
            common(&mut command);
            good(&mut command);
        }
        let read = |path: &Path| std::fs::read_to_string(path).expect("a board");
        assert_eq!(without_version(&read(&ours)), without_version(&read(&theirs)), "seed {seed}");
        for (mut command, board) in [(binary(), &theirs), (peer(), &ours)] {
            command.arg("verify").arg(board);
            common(&mut command);
            good(&mut command);
        }
        eprintln!("generated boards: compared {rows} row(s) of {prompts} prompts");
    }
}
