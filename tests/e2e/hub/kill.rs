//! `kill -9` or Ctrl-C at any moment, then the same again: as if nothing had happened.

use std::hash::{BuildHasher, RandomState};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::{
    DATASET, FakeHub, SPACE, board, commits, dataset, empty_space, site, space, start, tree,
};
use crate::harness::{World, kill_rounds};

const FETCH: [&str; 5] = ["fetch", "--dataset", DATASET, "--to", "cache"];
const PUBLISH: [&str; 5] = ["publish", "--space", SPACE, "site", "--as-is"];

/// Starts the command and ends it after `pause`.
fn kill(hub: &FakeHub, world: &World, args: &[&str], round: usize, pause: Duration) {
    let mut command = hub.command(world, args);
    let mut child: Child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    std::thread::sleep(pause);
    // Every sixth by Ctrl-C.
    let signal = if round % 6 == 5 { Signal::INT } else { Signal::KILL };
    // It may have ended by itself.
    let _ = rustix::process::kill_process(Pid::from_child(&child), signal);
    child.wait().expect("gone");
}

/// Random moments within `whole`.
fn moments(whole: Duration) -> impl Iterator<Item = Duration> {
    let random = RandomState::new();
    (0..kill_rounds()).map(move |round| {
        let part = u32::try_from(random.hash_one(round) % 1000).expect("below a thousand");
        whole * part / 1000
    })
}

#[test]
fn a_fetch_that_was_killed_is_finished_by_the_next() {
    let world = World::new();
    let files = dataset(&world);
    let hub = start(&world, &[]);
    let started = Instant::now();
    assert_eq!(hub.run(&world, &FETCH).code, 0);
    let whole = started.elapsed();
    for (round, moment) in moments(whole).enumerate() {
        std::fs::remove_dir_all(world.path("cache")).expect("removed");
        kill(&hub, &world, &FETCH, round, moment);
        // Whatever lies there is whole.
        for (path, bytes) in tree(&world.path("cache")) {
            assert_eq!(files.get(&path), Some(&bytes), "round {round}: {path}");
        }
        std::fs::create_dir_all(world.path("cache")).expect("made");
        let ran = hub.run(&world, &FETCH);
        assert_eq!(ran.code, 0, "round {round}: {}", ran.stderr);
        assert_eq!(tree(&world.path("cache")), files, "round {round}");
        let own = std::fs::read_dir(world.path("cache")).expect("there").filter(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            name.to_string_lossy().starts_with(".gmat-leaderboard-tmp")
        });
        assert_eq!(own.count(), 0, "round {round}");
    }
    hub.end_well();
}

#[test]
fn a_publication_that_was_killed_is_finished_by_the_next_in_one_commit() {
    let world = World::new();
    board(&world);
    site(&world, &[]);
    empty_space(&world);
    let hub = start(&world, &[]);
    let started = Instant::now();
    assert_eq!(hub.run(&world, &PUBLISH).code, 0);
    let whole = started.elapsed();
    let mut landed = 2;
    for (round, moment) in moments(whole).enumerate() {
        let board = format!("{{\"rows\":[{round}]}}\n");
        let files =
            site(&world, &[("data/board.json", &board), (&format!("{round}.html"), "<p>\n")]);
        kill(&hub, &world, &PUBLISH, round, moment);
        let ran = hub.run(&world, &PUBLISH);
        assert_eq!(ran.code, 0, "round {round}: {}", ran.stderr);
        assert_eq!(space(&world), files, "round {round}");
        landed += 1;
        // A request that was under way when its sender died may land a moment later.
        assert_eq!(commits(&world, "spaces/gmat/leaderboard"), landed, "round {round}");
    }
    hub.end_well();
}
