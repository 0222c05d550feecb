//! Boards that honest people make: nothing about them may be reported.
//!
//! The suite makes a few; `scripts/honest-boards 200` makes more.

use serde_json::{Value, json};
use sha2::Digest;

use crate::harness::{World, board_world, keep_prompts};

/// A small generator: the same number gives the same board.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % most
    }

    fn is(&mut self, of_ten: usize) -> bool {
        self.below(10) < of_ten
    }
}

fn json_of(world: &World, below: &str) -> Value {
    serde_json::from_str(&world.read(below)).expect("JSON")
}

/// Other votes: each prompt convinces the judges more or less. Null is a vote that was not readable.
fn vote(world: &World, bundle: &str, with_null: bool, dice: &mut Dice) {
    let file = format!("{bundle}/judge.json");
    let mut votes = json_of(world, &file);
    for list in votes.as_object_mut().expect("votes").values_mut() {
        let convincing = dice.below(11);
        for vote in list.as_array_mut().expect("a list") {
            *vote = if with_null && dice.is(1) { Value::Null } else { json!(dice.is(convincing)) };
        }
    }
    world.write(&file, votes.to_string());
}

/// Makes board number `number` and returns what is said about it, command by command.
fn make(number: u64) -> (World, Vec<Vec<&'static str>>) {
    let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let world = board_world();
    let mut config = json_of(&world, "board/seeds.json");
    // Repair loops cover the whole set.
    let (has_lift, with_null) = (number % 6 == 5, dice.is(3));
    let models = ["careful", "steady", "memoriser", "careless", "newcomer"];
    let (public, held_out) = (3 + dice.below(6), 2 + dice.below(6));
    if !has_lift {
        for model in models {
            keep_prompts(&world, &format!("board/leaderboard/bundles/{model}"), public);
        }
    }
    for model in &models[..4] {
        keep_prompts(&world, &format!("held-out/{model}"), held_out);
    }
    for model in models {
        vote(&world, &format!("board/leaderboard/bundles/{model}"), with_null, &mut dice);
        if model != "newcomer" {
            vote(&world, &format!("held-out/{model}"), with_null, &mut dice);
        }
    }
    let prompts = world.read("board/leaderboard/bundles/steady/prompts.json");
    config["public_set"]["sha256"] = json!(hex::encode(sha2::Sha256::digest(&prompts)));
    config["public_set"]["n_prompts"] = json!(if has_lift { 51 } else { public });
    config["require_votes"] = json!(!with_null);
    let mut seeds = config["seeds"].as_array().expect("seeds").clone();
    seeds.retain(|_| dice.is(7));
    if seeds.is_empty() {
        seeds.push(config["seeds"][1].clone());
    }
    let turn = dice.below(seeds.len());
    seeds.rotate_left(turn);
    for seed in &mut seeds {
        if !has_lift {
            seed.as_object_mut().expect("a seed").remove("lift_bundle");
        }
        if dice.is(2) {
            seed.as_object_mut().expect("a seed").remove("held_out_bundle");
        }
        if dice.is(4) {
            seed["kind"] = json!("entry");
            seed["about"] = json!({"name": format!("Model {number}"), "weights": "open"});
        }
    }
    config["seeds"] = json!(seeds);
    world.write("board/seeds.json", config.to_string());
    std::fs::remove_file(world.path("board/leaderboard/leaderboard.json")).expect("removed");

    let is_scored = dice.is(7);
    let is_committed = is_scored && dice.is(4);
    let (is_recorded, is_sealed) = (is_committed || dice.is(5), dice.is(5));
    let mut calls = Vec::new();
    if is_committed {
        calls.push(vec!["heldout", "salt", "--held-out", "held-out"]);
        calls.push(vec!["heldout", "commit", "--held-out", "held-out"]);
    }
    let mut build = vec!["build", "--generated-at", "2026-11-16T00:00:00Z"];
    if is_scored {
        build.extend(["--held-out", "held-out"]);
    }
    if is_recorded {
        build.push("--record");
    }
    calls.push(build.clone());
    if is_recorded && dice.is(5) {
        calls.push(vec!["history", "checkpoint"]);
    }
    if is_sealed {
        build.retain(|word| *word != "--record");
        build.push("--seal");
        calls.push(build);
    }
    calls.push(vec!["verify"]);
    if is_scored {
        calls.push(vec!["verify", "--held-out", "held-out"]);
    }
    if number % 10 == 3 {
        let mut render = vec!["render", "--out", "site"];
        if is_scored {
            render.extend(["--held-out", "held-out"]);
        }
        calls.push(render);
        calls.push(vec!["verify", "--site", "site"]);
    }
    (world, calls)
}

#[test]
fn honest_boards_verify_without_an_alarm() {
    let count = std::env::var("GMAT_HONEST").ok().and_then(|it| it.parse().ok()).unwrap_or(6);
    let mut made = [0; 5];
    for number in 0..count {
        let (world, calls) = make(number);
        for call in &calls {
            let ran = world.run(&[&call[..], &["--root", "board"]].concat());
            assert_eq!(ran.code, 0, "board {number}, {call:?}: {}", ran.both());
            let is_quiet = call[0] != "verify" || !ran.both().contains("finding[");
            assert!(is_quiet, "board {number}, {call:?}: {}", ran.both());
        }
        let has = |word: &str| calls.iter().any(|call| call.contains(&word));
        let kinds =
            [has("--held-out"), has("commit"), has("--record"), has("--seal"), has("--site")];
        made.iter_mut().zip(kinds).for_each(|(count, it)| *count += usize::from(it));
    }
    eprintln!("{count} boards: {made:?} scored, committed, recorded, sealed, rendered");
}

/// Recording tools may write votes below the name of the model, which is long enough to be searched for.
#[test]
fn votes_below_the_name_of_a_model_give_no_alarm() {
    let world = board_world();
    let name = "steady-instruct-large-2026-08-31";
    let mut config = json_of(&world, "board/seeds.json");
    let mut seed = config["seeds"][1].clone();
    seed["model"] = json!(name);
    seed.as_object_mut().expect("a seed").remove("lift_bundle");
    config["seeds"] = json!([seed]);
    world.write("board/seeds.json", config.to_string());
    std::fs::remove_file(world.path("board/leaderboard/leaderboard.json")).expect("removed");
    for bundle in ["board/leaderboard/bundles/steady", "held-out/steady"] {
        let answers = world.read(&format!("{bundle}/completions.json"));
        let renamed = answers.replace("demo:steady:", &format!("demo:{name}:"));
        world.write(&format!("{bundle}/completions.json"), renamed);
        let votes = json_of(&world, &format!("{bundle}/judge.json"));
        world.write(&format!("{bundle}/judge.json"), json!({ name: votes }).to_string());
    }
    let held_out = ["--root", "board", "--held-out", "held-out"];
    for command in [&["build"][..], &["verify"], &["render", "--out", "site"]] {
        let ran = world.run(&[command, &held_out].concat());
        assert_eq!(ran.code, 0, "{command:?}: {}", ran.both());
    }
    // The votes themselves are searched for.
    let votes = world.read("held-out/steady/judge.json");
    let (_, votes) = votes.split_once(":{").expect("below a name");
    config["site"]["title"] = json!(votes.chars().take(60).collect::<String>());
    world.write("board/seeds.json", config.to_string());
    let ran = world.run(&[&["verify"], &held_out[..]].concat());
    assert!(ran.code == 1 && ran.both().contains("L-TEXT"), "{}", ran.both());
}
