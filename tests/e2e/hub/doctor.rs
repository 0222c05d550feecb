//! What is set up and what is not.

use super::{DATASET, SPACE, dataset, empty_space, start};
use crate::harness::World;

const DOCTOR: [&str; 5] = ["doctor", "--dataset", DATASET, "--space", SPACE];

#[test]
fn everything_well_is_one_line_each() {
    let world = World::new();
    dataset(&world);
    empty_space(&world);
    world.write(
        "seeds.json",
        r#"{"seeds": [], "repository": "https://example.org/b",
            "site": {"contact": "a@example.org", "license": "MIT", "base_url": "https://example.org/"}}"#,
    );
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &DOCTOR);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("ok   git      version "), "{}", lines[0]);
    assert_eq!(
        lines[1..],
        [
            "ok   config   `seeds.json` has 0 seed(s)",
            "ok   cache    `leaderboard/.cache/heldout` cannot be committed",
            "ok   token    of `user`, role `write`",
            "ok   dataset  `gmat/heldout` is private",
            "ok   Space    `gmat/leaderboard` is static",
            "todo next     git init -b main",
        ]
    );
    hub.end_well();
}

#[test]
fn what_is_not_well_says_what_to_do() {
    let world = World::new();
    dataset(&world);
    empty_space(&world);
    world.write("hub/datasets/gmat/heldout/settings.json", "{\"private\": false}");
    world.write("hub/spaces/gmat/leaderboard/settings.json", "{\"sdk\": \"docker\"}");
    let hub = start(&world, &[]);
    let ran = hub.run_as(&world, "hf_wrong", &DOCTOR);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("BAD  config   "), "{}", ran.stdout);
    let reported =
        "BAD  token    the hub does not accept the token (401)\n              it is wrong";
    assert!(ran.stdout.contains(reported), "{}", ran.stdout);
    let ran = hub.run(&world, &[&DOCTOR[..], &["--json"]].concat());
    let checks: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(checks[4]["state"], "ill");
    assert_eq!(checks[5]["what"], "`gmat/leaderboard` is `docker`, not `static`");
    hub.end_well();
}

#[test]
fn what_a_public_page_lacks_is_named_with_the_key_to_set() {
    let world = World::new();
    assert_eq!(world.run(&["init", "mine"]).code, 0);
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &["doctor", "--root", "mine"]);
    assert_eq!(ran.code, 0, "nothing of it fails: {}", ran.both());
    for line in [
        "todo contact  `site.contact` is not set: readers cannot report a problem\n",
        "todo links    neither `repository` nor `site.links` is set",
        "todo license  `site.license` is not set",
        "todo base_url `site.base_url` is not set",
        "todo prices   no price for 1 of 1 rows (demo:steady): they have no cost\n",
        "todo example  1 of 1 rows (demo:steady) are made up",
        "todo next     git init -b main\n",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("todo about"), "its weights are known: {}", ran.stdout);
}

#[test]
fn the_next_step_is_the_first_that_is_not_done() {
    let world = crate::harness::board_world();
    let hub = start(&world, &[]);
    let revision = "0123456789abcdef0123456789abcdef01234567";
    let init = ["init", "board", "--source", "https://example.org/p", "--revision", revision];
    assert_eq!(world.run(&init).code, 0);
    let git = ["init", "-q", "-b", "main"];
    let git = std::process::Command::new("git").args(git).current_dir(world.path("board")).status();
    assert!(git.expect("git").success());
    let next = |dataset: &str| {
        let ran = hub.run(&world, &["doctor", "--root", "board", "--dataset", dataset]);
        ran.stdout
    };
    let is_next = |step: &str| {
        let said = next(DATASET);
        assert!(said.contains(&format!("todo next     {step}")), "{step}: {said}");
    };
    is_next("get the held-out set: ");
    world.write("board/leaderboard/.cache/heldout/x", "");
    is_next("gmat-leaderboard publish --space OWNER/NAME --dry-run, with --create");
    world.write("board/leaderboard/.cache/heldout/newcomer/prompts.json", "");
    is_next("gmat-leaderboard build --held-out DIR: `demo:newcomer` is not on the board, or");
    let config = world.read("board/seeds.json");
    world.write("board/seeds.json", config.replace("\"steady\"", "\"steadier\""));
    is_next("gmat-leaderboard build --held-out DIR: `demo:steadier` is not on the board");
    world.write("board/seeds.json", config.replace("\"held_out_bundle\"", "\"x-held\""));
    is_next("record a model on the held-out set: gmat-leaderboard eval --held-out ");
    let said = next("gmat/none");
    assert!(said.contains("makes a Space, `hf upload` a dataset"), "{said}");
}

#[test]
fn a_board_without_a_baseline_gets_a_row_to_name() {
    let world = crate::harness::board_world();
    let hub = start(&world, &[]);
    let line = |world: &World| {
        let ran = hub.run(world, &["doctor", "--root", "board"]);
        let reported = ran.stdout.split_once("baseline ").map(|(_, rest)| rest.to_owned());
        reported.unwrap_or_else(|| panic!("{}{}", ran.stdout, ran.stderr))
    };
    assert!(
        line(&world).starts_with(
            "none, so no Δ is shown: no single recorded run is earlier than the board\n              \
             to show Δ, name a row in the config: \"official_baselines\": [\"demo:careful\"]\n"
        ),
        "{}",
        line(&world)
    );
    let config = world.read("board/seeds.json");
    let official =
        |name: &str| config.replacen('{', &format!("{{\"official_baselines\": [\"{name}\"],"), 1);
    world.write("board/seeds.json", official("demo:careful"));
    assert!(line(&world).starts_with("Δ relative to demo:careful (0.867), the official run"));
    world.write("board/seeds.json", official("demo:nobody"));
    assert!(line(&world).starts_with(
        "official baseline `demo:nobody` is not a recorded run or a row of this board\n"
    ));
}
