//! What is refused before anything is sent: no hub is needed.

use std::process::Command;

use crate::harness::{World, finish};

const FETCH: [&str; 5] = ["fetch", "--dataset", "gmat/heldout", "--to", "cache"];

fn git(world: &World, args: &[&str]) {
    let done = Command::new("git").args(args).current_dir(world.path("")).output().expect("git");
    assert!(done.status.success(), "{args:?}: {done:?}");
}

#[test]
fn a_cache_that_git_would_track_is_refused() {
    let world = World::new();
    git(&world, &["init", "-q"]);
    // No hub is asked: this endpoint would refuse the connection.
    let run = |world: &World| {
        let mut command = world.command(&FETCH);
        command.args(["--retries", "0"]).env("HF_ENDPOINT", "http://127.0.0.1:1");
        // Another repository in the environment must not be asked instead.
        command.env("GIT_DIR", "/nowhere").env("GIT_WORK_TREE", "/nowhere");
        finish(&mut command, None)
    };
    let ran = run(&world);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        (
            "finding[L-TREE]: git would track the held-out directory\n  --> cache\n\
         help: move it out of the work tree, or ignore it: `echo /leaderboard/.cache/ >> .gitignore`\n",
            "hub: http://127.0.0.1:1\n"
        )
    );
    world.write(".gitignore", "/cache/\n");
    let ran = run(&world);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("error: the hub cannot be reached\n"), "{}", ran.stderr);
    world.write("cache/gold.json", "{}");
    git(&world, &["add", "-f", "cache/gold.json"]);
    let ran = run(&world);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let reported = "finding[L-TREE]: the held-out directory is tracked by git\n";
    assert!(ran.stdout.contains(reported), "{}", ran.stdout);
    assert!(!ran.both().contains("gold"), "no file of it is named: {}", ran.stderr);
}

#[test]
fn a_repository_without_git_is_an_error() {
    let world = World::new();
    git(&world, &["init", "-q"]);
    let ran = finish(world.command(&FETCH).env("PATH", world.path("empty")), None);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("the program `git` was not found"), "{}", ran.stderr);
}

#[test]
fn a_wrong_endpoint_or_token_is_reported_without_sending_it() {
    let world = World::new();
    for endpoint in ["http://hub.example", "https://u:p@hub.example", "hub.example", "https://h/x"]
    {
        let ran = finish(world.command(&FETCH).env("HF_ENDPOINT", endpoint), None);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("is not usable: it"), "{}", ran.stderr);
    }
    for token in ["hf_can ary", "hf_canary\r\nx: y", "hf_canäry"] {
        let ran = finish(world.command(&FETCH).env("HF_TOKEN", token), None);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.starts_with("error: the token has characters"), "{}", ran.stderr);
        assert!(!ran.both().contains("hf_can"), "{}", ran.stderr);
    }
}

#[test]
fn a_wrong_repository_name_is_a_wrong_call() {
    let world = World::new();
    for name in ["heldout", "a/b/c", "../x", "a b/c"] {
        let ran = world.run(&["fetch", "--dataset", name]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("a repository is `owner/name`"), "{}", ran.stderr);
    }
}

#[test]
fn publish_needs_a_token() {
    let world = World::new();
    super::board(&world);
    super::site(&world, &[]);
    let ran = world.run(&["publish", "--space", "gmat/leaderboard"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("error: there is no token\n"), "{}", ran.stderr);
}
