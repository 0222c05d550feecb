//! The program works where no thread, or only few, can be started.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{NOBODY, Ran, World, board_world, finish};
use crate::need::skip;

/// A world that `NOBODY` may read and write.
fn world() -> Option<World> {
    let world = board_world();
    if !world.give_to_nobody() {
        skip("root", "only root can run a command as another user");
        return None;
    }
    world.write(
        "truth.txt",
        "m a 1 0.5\nm b 1 0.25\nm c 1 0.125\nm a all 0.5\nm b all 0.25\nm c all 0.125\n",
    );
    Some(world)
}

/// Runs the program as `NOBODY` with no process beside its own.
fn run_alone(world: &World, args: &[&str]) -> Ran {
    let program = world.command(args);
    let mut command = Command::new("bash");
    command.args(["-c", "ulimit -u 1; exec \"$0\" \"$@\""]).arg(program.get_program());
    command.args(program.get_args()).current_dir(world.path("")).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    // A hub that is not there.
    command.env("HF_ENDPOINT", "http://localhost:1");
    finish(command.uid(NOBODY).gid(NOBODY).stdin(Stdio::null()), None)
}

#[test]
fn every_command_works_on_one_thread_where_no_other_can_be_started() {
    let Some(world) = world() else { return };
    let proof = Command::new("bash")
        .args(["-c", "ulimit -u 1; /bin/true; true"])
        .uid(NOBODY)
        .stderr(Stdio::piped())
        .output()
        .expect("bash");
    if !String::from_utf8_lossy(&proof.stderr).contains("fork") {
        skip("linux", "this kernel does not limit processes");
        return;
    }
    let calls: [&[&str]; 8] = [
        &["build", "--root", "board", "--held-out", "held-out"],
        &["verify", "--root", "board"],
        &["verify", "--root", "board", "--held-out", "held-out"],
        &["render", "--root", "board"],
        &["rank", "--root", "board"],
        &["correlate", "truth.txt", "truth.txt"],
        &["check", "--root", "board", "board/leaderboard/bundles/careful"],
        &["lint", "--explain", "syntax-error"],
    ];
    for call in calls {
        let ran = run_alone(&world, call);
        assert_eq!(ran.code, 0, "{call:?}: {}{}", ran.stdout, ran.stderr);
    }
    // Serving needs a second thread, and says so.
    let ran = run_alone(&world, &["serve", "--root", "board", "--port", "0"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("the preview needs a second thread"), "{}", ran.stderr);
    // A name lookup with a time limit takes a thread of its own where there is one.
    let ran = run_alone(&world, &["fetch", "--dataset", "a/b", "--retries", "0"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn the_environment_cannot_ask_for_more_threads_than_cores() {
    let world = board_world();
    let mut serve = world
        .command(&["serve", "--root", "board", "--port", "0"])
        .env("RAYON_NUM_THREADS", "1000")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let mut lines = BufReader::new(serve.stdout.take().expect("a pipe")).lines();
    let said = lines.next().and_then(Result::ok).unwrap_or_default();
    let status = Path::new("/proc").join(serve.id().to_string()).join("status");
    let status = std::fs::read_to_string(status);
    serve.kill().expect("killed");
    serve.wait().expect("ended");
    assert!(said.contains("serving"), "{said}");
    let Ok(status) = status else {
        skip("linux", "no /proc here");
        return;
    };
    let threads = status.lines().find_map(|line| line.strip_prefix("Threads:")).expect("counted");
    let cores = std::thread::available_parallelism().expect("known").get();
    let threads: usize = threads.trim().parse().expect("a number");
    assert!(threads <= cores + 1, "{threads} threads on {cores} cores");
}
