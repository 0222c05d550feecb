//! Attacks that the rebuild alone cannot see: a seal, a commitment or the ledger does.

use serde_json::json;

use super::desk::{AT, BOARD, BUILD, CONFIG, VERIFY, board, config, edit_json, list, public, row};
use crate::harness::{World, board_world, copy};

/// Codes that decide, as `verify` prints them.
fn codes(world: &World) -> (i32, Vec<String>) {
    let ran = world.run(&VERIFY);
    let mut codes: Vec<String> =
        super::reported(&ran).into_iter().filter(|it| !it.is_note).map(|it| it.code).collect();
    codes.sort();
    codes.dedup();
    (ran.code, codes)
}

/// The frozen board with two rows: it is built often here.
fn small_world() -> World {
    let world = board_world();
    config(&world, |config| {
        list(&mut config["seeds"])
            .retain(|seed| seed["model"] == "careful" || seed["model"] == "newcomer");
    });
    std::fs::remove_file(world.path(BOARD)).expect("removed");
    world
}

type Attack = (&'static str, fn(&World), &'static [&'static str]);

#[test]
fn what_leaves_every_figure_alone_is_caught_by_the_seal() {
    let attacks: [Attack; 5] = [
        (
            "A14",
            |world| row(world, 0, |row| row["run"]["tool_version"] = json!("0.0.9")),
            &["E-SEAL"],
        ),
        (
            "A24",
            |world| {
                board(world, |board| {
                    let pending = board["entries"][1].clone();
                    for key in ["held_out", "overfit_gap", "rank"] {
                        board["entries"][0][key] = pending[key].clone();
                    }
                });
            },
            &["E-SEAL"],
        ),
        (
            "a headline within its bounds",
            |world| {
                row(world, 0, |row| {
                    let (rate, gap) = (
                        json!(0.533),
                        row["public"]["pass_rate"].as_f64().expect("a rate") - 0.533,
                    );
                    row["held_out"]["pass_rate"] = rate;
                    row["held_out"]["by_tier"] = json!({});
                    row["overfit_gap"] = json!((gap * 1000.0).round() / 1000.0);
                });
            },
            &["E-SEAL"],
        ),
        (
            "H22",
            |world| {
                let [texts, votes] =
                    ["completions.json", "judge.json"].map(|it| public("careful", it));
                let moved = world.read(&texts);
                world.write(&votes, format!("\n{}", world.read(&votes)));
                world.write(&texts, moved.strip_suffix('\n').expect("a line feed"));
            },
            &["E-SEAL"],
        ),
        (
            "H23",
            |world| {
                let file = public("careful-lift", "verdicts.json");
                world.write(&file, world.read(&file) + "\n");
            },
            &["E-SEAL"],
        ),
    ];
    let sealed = small_world();
    let ran = sealed.run(&[&BUILD[..], &["--seal"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert_eq!(codes(&sealed), (0, vec![]));
    for (id, attack, expected) in attacks {
        let world = World::new();
        copy(&sealed.path(""), &world.path(""));
        attack(&world);
        let (code, found) = codes(&world);
        assert_eq!(code, 1, "{id}");
        assert!(expected.iter().all(|it| found.iter().any(|code| code == it)), "{id}: {found:?}");
    }
}

/// K01: a board that was right once.
#[test]
fn an_older_board_is_not_the_last_one_that_the_ledger_has() {
    let world = small_world();
    let build = |at: &str| {
        let mut args = BUILD[..5].to_vec();
        args.extend(["--generated-at", at, "--record", "--seal"]);
        let ran = world.run(&args);
        assert_eq!(ran.code, 0, "{}", ran.both());
        let checkpoint = world.run(&["history", "checkpoint", "--root", "board"]);
        assert_eq!(checkpoint.code, 0, "{}", checkpoint.both());
        checkpoint.stdout
    };
    build(AT);
    let old = World::new();
    copy(&world.path("board"), &old.path("board"));
    edit_json(&world, &public("newcomer", "judge.json"), |votes| {
        votes
            .as_object_mut()
            .expect("votes")
            .values_mut()
            .for_each(|it| *it = json!([false, false, false]));
    });
    let kept = build("2026-11-17T00:00:00Z");
    assert_eq!(codes(&world), (0, vec![]));
    let serve_again = |names: &[&str]| {
        for name in names {
            world.write(name, old.read(name));
        }
        codes(&world)
    };
    let seal = "board/leaderboard/leaderboard.seal.json";
    let (code, found) = serve_again(&[BOARD, seal, &public("newcomer", "judge.json")]);
    assert_eq!((code, found.contains(&"H-BOARD".to_owned())), (1, true), "{found:?}");
    // With the whole repository turned back, only a checkpoint kept elsewhere can say so.
    std::fs::remove_dir_all(world.path("board")).expect("removed");
    copy(&old.path("board"), &world.path("board"));
    assert_eq!(codes(&world), (0, vec![]));
    world.write("kept.txt", kept);
    let ran = world.run(&["history", "verify", "--root", "board", "--against", "kept.txt"]);
    assert_eq!(ran.code, 1, "{}", ran.both());
}

/// K05, A26, E06: numbers that no line of a committed ledger is about.
#[test]
fn a_headline_without_its_lines_in_a_committed_ledger_is_found() {
    let world = small_world();
    for step in ["salt", "commit"] {
        let ran = world.run(&["heldout", step, "--root", "board", "--held-out", "held-out"]);
        assert_eq!(ran.code, 0, "{}", ran.both());
    }
    assert_eq!(world.run(&[&BUILD[..], &["--record"]].concat()).code, 0);
    assert_eq!(codes(&world), (0, vec![]));
    let ledger = "board/leaderboard/history.jsonl";
    let (lines, before) = (world.read(ledger), world.read(BOARD));
    let kept: String = lines
        .lines()
        .filter(|it| !it.contains("\"kind\":\"attempt\""))
        .map(|it| format!("{it}\n"))
        .collect();
    assert_ne!(kept, lines);
    world.write(ledger, kept);
    assert_eq!(codes(&world), (1, vec!["H-ATTEMPT".to_owned()]));
    world.write(ledger, lines);
    // A new version with the old headlines.
    let names = world.read(CONFIG);
    config(&world, |config| config["eval_protocol_version"] = json!("2"));
    board(&world, |board| board["eval_protocol_version"] = json!("2"));
    let (code, found) = codes(&world);
    assert_eq!((code, found.contains(&"E-HELD-SET".to_owned())), (1, true), "{found:?}");
    world.write(CONFIG, names);
    world.write(BOARD, before);
    // All rows on one other set.
    edit_json(&world, "held-out/careful/prompts.json", |prompts| {
        prompts[0]["intent"] = json!("Anything that runs");
    });
    let ran = world.run(&BUILD);
    assert_eq!(ran.code, 1, "{}", ran.both());
    assert!(ran.stdout.contains("finding[E-HELD-SET]"), "{}", ran.both());
}
