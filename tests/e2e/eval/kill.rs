//! `kill -9` at any moment, then the same again: the same bundle, and no answer is asked for twice.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{CALL, FULL, TO, bundle, command, run, undisturbed};
use crate::fake_model::FakeModel;
use crate::harness::{board_world, kill_rounds};

#[test]
fn a_run_that_was_killed_goes_on_where_it_stopped() {
    let whole = undisturbed();
    let (model, world) = (FakeModel::start(&[]), board_world());
    model.pause(Duration::from_millis(5));
    let random = RandomState::new();
    let mut kills = 0;
    for round in 0..kill_rounds() {
        let mut child = command(&model, &world, &[&CALL, &FULL, &["--jobs", "3"]])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let pause = 20 + random.hash_one(round) % 100;
        let until = Instant::now() + Duration::from_millis(pause);
        while Instant::now() < until && child.try_wait().expect("asked").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        kills += u32::from(child.try_wait().expect("asked").is_none());
        child.kill().expect("killed");
        child.wait().expect("gone");
    }
    assert!(kills > kill_rounds() / 2, "{kills} runs were killed");
    let ran = run(&model, &world, &[&CALL, &FULL]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert_eq!(bundle(&world, TO), whole);

    // What was answered may have been lost with the process before it was written, at most once for
    // each worker and kill. What is in the journal is never asked for again.
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    for body in model.answered() {
        *asked.entry(body).or_default() += 1;
    }
    // The three votes of a prompt have equal bodies.
    let wanted = |body: &String| if body.contains("satisfies_intent") { 3 } else { 1 };
    let more: usize = asked.iter().map(|(body, times)| times.saturating_sub(wanted(body))).sum();
    assert!(more <= 3 * kills as usize, "{more} answers were asked for again after {kills} kills");
    let journal = world.read("board/leaderboard/.cache/eval/openai--m-1.jsonl");
    let mut keys: Vec<String> = journal
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["key"].to_string()
        })
        .collect();
    assert_eq!(keys.len(), 204);
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 204, "no answer is recorded twice");
}
