//! What must not be refused: a check that cries wolf is switched off.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::desk::{
    AT, BOARD, BUILD, GATED, MODELS, REQUEST, VERIFY, bundle, config, edit_json, insert, list, map,
    new_set, public, rekey, waiver,
};
use crate::harness::{Ran, World, board_world, copy, finish};

fn good(ran: &Ran, why: &str) {
    assert_eq!(ran.code, 0, "{why}: {}", ran.stderr);
}

/// Built, verified, and verified with the held-out bundles.
fn passes(world: &World, why: &str) -> Value {
    good(&world.run(&BUILD), why);
    good(&world.run(&VERIFY), why);
    good(&world.run(&GATED), why);
    serde_json::from_str(&world.read(BOARD)).expect("a board")
}

/// Gives the newcomer the held-out results of another model.
fn score_newcomer(world: &World, like: &str) {
    copy(&world.path(&format!("held-out/{like}")), &world.path("held-out/newcomer"));
    rekey(world, "held-out/newcomer/completions.json", "demo:newcomer");
}

#[test]
fn pending_rows_and_scored_ones() {
    let world = board_world();
    let fresh = ["build", "--root", "board", "--generated-at", AT, "--drop-headlines"];
    good(&world.run(&fresh), "1");
    good(&world.run(&VERIFY), "1: all rows pending");
    assert_eq!(world.read(BOARD).matches("pending: scored").count(), 5);
    score_newcomer(&world, "steady");
    let board = passes(&world, "2: all rows scored, and 14: two of them equal");
    let models: Vec<&Value> = (1..3).map(|index| &board["entries"][index]["model"]).collect();
    assert_eq!(models, ["newcomer", "steady"]);
    let rates: Vec<&Value> =
        (1..3).map(|index| &board["entries"][index]["held_out"]["pass_rate"]).collect();
    assert_eq!(rates[0], rates[1]);
}

#[test]
fn names_with_colons_and_slashes_and_one_model_of_two_providers() {
    let world = board_world();
    for (index, name, provider, model) in
        [(0, "careful", "ollama", "llama3:8b"), (1, "steady", "github", "openai/gpt-4.1-mini")]
    {
        config(&world, |config| {
            config["seeds"][index]["provider"] = json!(provider);
            config["seeds"][index]["model"] = json!(model);
        });
        for path in [public(name, "completions.json"), format!("held-out/{name}/completions.json")]
        {
            rekey(&world, &path, &format!("{provider}:{model}"));
        }
    }
    passes(&world, "3");
    config(&world, |config| {
        config["seeds"][0]["provider"] = json!("openai");
        config["seeds"][0]["model"] = json!("openai/gpt-4.1-mini");
    });
    for path in [public("careful", "completions.json"), "held-out/careful/completions.json".into()]
    {
        rekey(&world, &path, "openai:openai/gpt-4.1-mini");
    }
    let board = passes(&world, "4 and H19");
    assert_eq!(board["entries"].as_array().expect("rows").len(), 5);
}

#[test]
fn every_accepted_form_of_votes_gives_the_same_board() {
    let world = board_world();
    let flat = world.read(&public("careful", "judge.json"));
    let cell = |world: &World| passes(world, "5: flat and nested")["entries"][0]["public"].clone();
    let expected = cell(&world);
    for name in ["careful", "demo/illustrative"] {
        world.write(&public("careful", "judge.json"), &flat);
        bundle(&world, "careful", "judge.json", |votes| *votes = json!({name: votes.clone()}));
        assert_eq!(cell(&world), expected, "5 and H07: under {name}");
    }
    world.write(&public("careful", "judge.json"), flat);
    bundle(&world, "careful", "judge.json", |votes| {
        votes["backward_four_hours"] = json!([true, null, true]);
    });
    assert_eq!(cell(&world), expected, "6: null votes");
    // A single yes is not a majority of three, which only a board that requires votes asks for.
    bundle(&world, "careful", "judge.json", |votes| {
        votes["ballistic_properties"] = json!([true, null, null]);
    });
    config(&world, |config| config["require_votes"] = json!(false));
    assert_eq!(cell(&world), expected, "6: null votes");
}

#[test]
fn lift_bundles_with_silent_tiers_and_none_at_all() {
    let world = board_world();
    let board = passes(&world, "7: no first draft of a tier passes on paper");
    assert_eq!(board["entries"][2]["close_the_loop"]["dry_run_agreement"]["hard"], Value::Null);
    config(&world, |config| {
        for seed in list(&mut config["seeds"]) {
            map(seed).remove("lift_bundle");
        }
    });
    let board = passes(&world, "8: no lift bundle");
    assert_eq!(board["entries"][0]["close_the_loop"], Value::Null);
}

#[test]
fn float_token_counts_and_usage_that_is_not_there() {
    let world = board_world();
    bundle(&world, "careful", "completions.json", |texts| {
        for text in map(texts).values_mut() {
            let total = text["usage"]["total_tokens"].as_f64().expect("a count");
            text["usage"]["total_tokens"] = json!(total);
        }
    });
    bundle(&world, "steady", "completions.json", |texts| {
        for text in map(texts).values_mut() {
            map(text).remove("usage");
        }
    });
    let board = passes(&world, "9");
    assert_eq!(board["entries"][0]["usage"]["total_tokens"], json!(11651));
    assert_eq!(board["entries"][1]["usage"], json!({"generation_calls": 51, "judge_calls": 153}));
}

#[test]
fn prompts_of_any_alphabet_that_resemble_held_out_ones() {
    let world = board_world();
    new_set(&world, |prompts| {
        prompts[0]["request"] = json!("衛星を 51.6° の軌道に — “ISS” \u{1f680}\n");
        prompts[1]["request"] = json!(format!("{} and then stop.", &REQUEST[..20]));
        prompts[2]["intent"] = json!(format!("{} and then stop.", &REQUEST[..20]));
    });
    passes(&world, "10");
}

#[test]
fn an_absent_bundle_is_a_note() {
    let world = board_world();
    std::fs::remove_dir_all(world.path("board/leaderboard/bundles/newcomer")).expect("removed");
    let board = passes(&world, "11");
    assert_eq!(board["entries"].as_array().expect("rows").len(), 4);
}

/// The reference's own board records one vote of three: a note, or a dated waiver.
#[test]
fn the_board_of_the_reference_verifies() {
    let Some(root) = std::env::var_os("GMAT_CONFORMANCE") else {
        crate::need::skip("conformance", "GMAT_CONFORMANCE is not set");
        return;
    };
    let world = World::new();
    copy(&Path::new(&root).join("gmat-copilot"), &world.path("board"));
    let ran = world.run(&VERIFY);
    good(&ran, "12");
    assert!(ran.stderr.contains("note[B-VOTES]"), "{}", ran.stderr);
    edit_json(&world, "board/leaderboard/seeds.json", |config| {
        insert(config, "require_votes", json!(true));
    });
    let strict = world.run(&VERIFY);
    assert_eq!(strict.code, 1, "{}", strict.stderr);
    edit_json(&world, "board/leaderboard/seeds.json", |config| {
        insert(config, "waivers", json!([waiver("B-VOTES", "tests/data/eval")]));
    });
    let ran = world.run(&VERIFY);
    good(&ran, "12: waived");
    let line = "waived: B-VOTES at `tests/data/eval` (row github:openai/gpt-4.1-mini) until";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}

#[test]
fn rates_at_both_ends() {
    let world = board_world();
    for (name, vote) in [("careful", true), ("careless", false)] {
        for path in [public(name, "judge.json"), format!("held-out/{name}/judge.json")] {
            edit_json(&world, &path, |votes| {
                map(votes).values_mut().for_each(|votes| *votes = json!([vote, vote, vote]));
            });
        }
    }
    new_set(&world, |prompts| prompts.retain(|prompt| prompt["difficulty"] == "easy"));
    let board = passes(&world, "13");
    let rows = board["entries"].as_array().expect("rows");
    let of = |model: &str| rows.iter().find(|row| row["model"] == model).expect("a row");
    assert_eq!(of("careless")["public"]["pass_rate"], json!(0.0));
    assert_eq!(of("careless")["held_out"]["pass_rate"], json!(0.0));
    assert_eq!(of("careless")["overfit_gap"], json!(0.0));
    assert_eq!(of("careful")["public"]["pass_rate"], json!(1.0));
    assert_eq!(MODELS.len(), rows.len());
}

#[test]
fn any_locale_time_zone_umask_user_and_path() {
    let world = board_world();
    let dir = world.path("a place with blanks, ünd \u{1f680}");
    std::fs::create_dir(&dir).expect("made");
    for name in ["board", "held-out"] {
        std::fs::rename(world.path(name), dir.join(name)).expect("moved");
    }
    for (name, value) in [
        ("TZ", "Pacific/Kiritimati"),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "C"),
        ("LC_NUMERIC", "de_DE"),
    ] {
        for args in [&BUILD[..], &GATED[..]] {
            let mut command = world.command(args);
            good(&finish(command.current_dir(&dir).env(name, value), None), "15");
        }
    }
    let line =
        format!("umask 0777; exec {} verify --root board", env!("CARGO_BIN_EXE_gmat-leaderboard"));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).current_dir(&dir).env_clear().arg0("sh");
    good(&finish(&mut shell, None), "15: umask");
}
