//! Places, special files, broken JSON, and what the machine does to a write.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::desk::{
    AT, BOARD, BUILD, CONFIG, INTENT, bundle, config, edit_json, git, insert, map, public, row,
    spell,
};
use super::{Call, Case, run_all};
use crate::harness::{World, board_world, copy, finish};

const fn build(
    id: &'static str,
    exit: i32,
    first: (&'static str, &'static str),
    attack: fn(&World),
) -> Case {
    Case { id, call: Call::Build, exit, first, then: &[], attack }
}

const fn verify(
    id: &'static str,
    exit: i32,
    first: (&'static str, &'static str),
    attack: fn(&World),
) -> Case {
    Case { id, call: Call::Verify, exit, first, then: &[], attack }
}

const INSIDE: &[&str] =
    &["build", "--root", "board", "--held-out", "board/held-out", "--generated-at", AT];

/// Puts the held-out bundles into the repository of the board.
fn move_inside(world: &World) {
    copy(&world.path("held-out"), &world.path("board/held-out"));
    git(&world.path("board"), &["init", "-q"]);
}

#[test]
fn held_out_bundles_lie_where_they_must_and_are_whole() {
    run_all(&[
        Case {
            call: Call::Args(INSIDE),
            ..build("E01", 1, ("L-TREE", "board/held-out"), |world| {
                move_inside(world);
                git(&world.path("board"), &["add", "-f", "held-out"]);
            })
        },
        Case {
            call: Call::Args(INSIDE),
            ..build("E02", 1, ("L-TREE", "board/held-out"), move_inside)
        },
        build("E03", 2, ("P-PATH", "seeds[0].held_out_bundle"), |world| {
            config(world, |config| {
                config["seeds"][0]["held_out_bundle"] =
                    json!("../board/leaderboard/bundles/careful");
            });
        }),
        build("E06", 1, ("E-HELD-SET", "careful/prompts.json"), |world| {
            edit_json(world, "held-out/careful/prompts.json", |prompts| {
                prompts[0]["structural"] = json!({});
            });
        }),
        build("E07", 1, ("B-MISSING", "careful/completions.json"), |world| {
            edit_json(world, "held-out/careful/completions.json", |texts| {
                let first = map(texts).keys().next().expect("one").clone();
                map(texts).remove(&first);
            });
        }),
        build("E09", 2, ("B-FILE", "careful/prompts.json"), |world| {
            std::fs::remove_file(world.path("held-out/careful/prompts.json")).expect("removed");
        }),
        build("E10", 2, ("B-FILE", "careful/judge.json"), |world| {
            std::fs::remove_file(world.path("held-out/careful/judge.json")).expect("removed");
        }),
    ]);
}

#[test]
fn a_held_out_directory_that_is_not_there_is_not_pending() {
    let world = board_world();
    let before = world.read(BOARD);
    let ran = world.run(&["build", "--root", "board", "--held-out", "nowhere"]);
    assert_eq!(ran.code, 2, "E05");
    assert!(
        ran.stderr.starts_with("error: the held-out directory does not exist\n  --> nowhere\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(world.read(BOARD), before);
}

#[test]
fn paths_stay_where_they_must_and_only_files_are_read() {
    let started = Instant::now();
    run_all(&[
        build("F01", 2, ("P-PATH", "seeds[0].public_bundle"), |world| {
            config(world, |config| config["seeds"][0]["public_bundle"] = json!("../outside"));
        }),
        build("F03", 2, ("P-PATH", ""), |world| {
            let dir = world.path("board/leaderboard/bundles/careful");
            std::fs::rename(&dir, world.path("outside")).expect("moved");
            symlink(world.path("outside"), dir).expect("linked");
        }),
        build("F04", 2, ("P-SPECIAL", ""), |world| {
            let path = world.path(&public("careful", "completions.json"));
            std::fs::remove_file(&path).expect("removed");
            assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
        }),
        build("F05", 2, ("P-SPECIAL", ""), |world| {
            let path = world.path(&public("careful", "judge.json"));
            std::fs::remove_file(&path).expect("removed");
            symlink("/dev/zero", path).expect("linked");
        }),
        build("F07", 2, ("P-PATH", "seeds[0].public_bundle"), |world| {
            config(world, |config| config["seeds"][0]["public_bundle"] = json!(""));
        }),
        build("F07 NUL", 2, ("P-PATH", "seeds[0].public_bundle"), |world| {
            config(world, |config| config["seeds"][0]["public_bundle"] = json!("a\0b"));
        }),
        build("F07 dot", 2, ("P-PATH", "seeds[0].public_bundle"), |world| {
            config(world, |config| config["seeds"][0]["public_bundle"] = json!("."));
        }),
        Case {
            call: Call::Args(&["build", "--root", "board", "--out", "link.json"]),
            ..build("F08", 2, ("P-SYMLINK", ""), |world| {
                world.write("else.json", "kept");
                symlink("else.json", world.path("link.json")).expect("linked");
            })
        },
        build("F09", 2, ("P-PATH", ""), |world| {
            let path = world.path(&public("careful", "prompts.json"));
            std::fs::remove_file(&path).expect("removed");
            symlink(world.path("held-out/careful/prompts.json"), path).expect("linked");
        }),
    ]);
    assert!(started.elapsed() < Duration::from_secs(120), "something waited");
}

#[test]
fn a_file_that_is_not_json_or_not_a_board_is_reported_as_such() {
    run_all(&[
        verify("G02", 2, ("J-DUPKEY", "entries[0]"), |world| {
            spell(
                world,
                BOARD,
                "\"held_out\": {",
                "\"held_out\": {\"pass_rate\": 1.0}, \"held_out\": {",
            );
        }),
        verify("G03", 2, ("J-NUMBER", "leaderboard.json:"), |world| {
            spell(world, BOARD, "\"pass_rate\": 0.867", "\"pass_rate\": NaN");
        }),
        verify("G04", 2, ("J-NUMBER", "leaderboard.json:"), |world| {
            spell(world, BOARD, "\"overfit_gap\": 0.055", "\"overfit_gap\": Infinity");
        }),
        verify("G06", 2, ("J-NUMBER", "rank"), |world| {
            spell(world, BOARD, "\"rank\": 1", &format!("\"rank\": {}", "9".repeat(5000)));
        }),
        verify("G07", 2, ("J-UTF8", "leaderboard.json"), |world| {
            let mut bytes = world.read(BOARD).into_bytes();
            bytes.insert(40, 0xff);
            world.write(BOARD, bytes);
        }),
        verify("G08", 2, ("J-BOM", "leaderboard.json"), |world| {
            world.write(BOARD, format!("\u{feff}{}", world.read(BOARD)));
        }),
        verify("G10", 2, ("J-SYNTAX", "leaderboard.json"), |world| world.write(BOARD, "")),
        verify("G12", 1, ("E-SCHEMA", "leaderboard.json"), |world| world.write(BOARD, "[]\n")),
        verify("G14", 1, ("E-SCHEMA", "entries"), |world| {
            edit_json(world, BOARD, |board| board["entries"] = json!({"a": "b"}));
        }),
        Case {
            then: &["E-ROW-MISSING"],
            ..verify("G14 rows", 1, ("E-SCHEMA", "entries[0]"), |world| {
                edit_json(world, BOARD, |board| board["entries"][0] = json!("careful"));
            })
        },
        Case {
            then: &["E-ROW-MISSING"],
            ..verify("G15", 1, ("E-SCHEMA", "entries[0]"), |world| {
                row(world, 0, |row| {
                    map(row).remove("model");
                });
            })
        },
        verify("G16", 1, ("E-SCHEMA", "entries[0]"), |world| {
            row(world, 0, |row| {
                map(row).remove("run");
            });
        }),
        Case {
            then: &["E-ROW-MISSING"],
            ..verify("G18", 1, ("E-SCHEMA", "entries[0].model"), |world| {
                row(world, 0, |row| row["model"] = json!(["careful"]));
            })
        },
    ]);
    let world = board_world();
    std::fs::remove_file(world.path(BOARD)).expect("removed");
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(
        (ran.code, ran.stderr.lines().next()),
        (2, Some("error: `board/leaderboard/leaderboard.json` does not exist")),
        "G11"
    );
}

#[test]
fn a_config_or_bundle_that_is_not_of_its_type_is_unusable() {
    run_all(&[
        build("G19", 2, ("E-SCHEMA", "seeds[0]"), |world| {
            config(world, |config| {
                map(&mut config["seeds"][0]).remove("model");
            });
        }),
        build("G20", 2, ("E-SCHEMA", "n_votes"), |world| {
            config(world, |config| config["n_votes"] = json!("three"));
        }),
        build("G22", 2, ("J-UTF8", "seeds.json"), |world| {
            let mut bytes = world.read(CONFIG).into_bytes();
            bytes.insert(40, 0xff);
            world.write(CONFIG, bytes);
        }),
        build("G23", 2, ("E-SCHEMA", "seeds.json"), |world| world.write(CONFIG, "[]")),
        build("G24", 2, ("J-DUPKEY", "seeds"), |world| {
            spell(world, CONFIG, "\"seeds\": [", "\"seeds\": [], \"seeds\": [");
        }),
        both("G26", ("J-UTF8", "completions.json"), |world| {
            let path = public("careful", "completions.json");
            let mut bytes = world.read(&path).into_bytes();
            bytes.insert(2, 0xff);
            world.write(&path, bytes);
        }),
        both("G27", ("B-FILE", "judge.json"), |world| {
            std::fs::remove_file(world.path(&public("careful", "judge.json"))).expect("removed");
        }),
        both("G28", ("B-FILE", "prompts.json"), |world| {
            std::fs::remove_file(world.path(&public("careful", "prompts.json"))).expect("removed");
        }),
        both("G30", ("E-SCHEMA", "judge.json"), |world| {
            world.write(&public("careful", "judge.json"), "[]");
        }),
        both("G31", ("B-VERDICT", "judge.json"), |world| {
            bundle(world, "careful", "judge.json", |votes| {
                map(votes)
                    .values_mut()
                    .for_each(|votes| *votes = json!(["false", "false", "false"]));
            });
        }),
        both("G32", ("B-VERDICT", "judge.json"), |world| {
            bundle(world, "careful", "judge.json", |votes| {
                votes["backward_four_hours"] = json!("no");
            });
        }),
        both("G34", ("E-SCHEMA", "completions.json"), |world| {
            bundle(world, "careful", "completions.json", |texts| {
                *map(texts).values_mut().next().expect("one") = json!("Create Spacecraft S");
            });
        }),
        both("G35", ("B-TEXT", "completions.json"), |world| {
            bundle(world, "careful", "completions.json", |texts| {
                map(texts).values_mut().next().expect("one")["text"] =
                    json!(["Create Spacecraft S"]);
            });
        }),
        both("G36", ("J-NUMBER", "completions.json"), |world| {
            spell(
                world,
                &public("careful", "completions.json"),
                "\"total_tokens\": 382",
                "\"total_tokens\": 1e999",
            );
        }),
        both("G38", ("B-USAGE", "completions.json"), |world| {
            bundle(world, "careful", "completions.json", |texts| {
                map(texts).values_mut().next().expect("one")["usage"]["total_tokens"] =
                    json!(-1_000_000);
            });
        }),
        both("G39", ("J-DEPTH", "prompts.json"), |world| {
            world.write(&public("careful", "prompts.json"), "[".repeat(100_000));
        }),
        both("G40", ("J-SIZE", ""), |world| {
            let file = std::fs::OpenOptions::new()
                .write(true)
                .open(world.path(&public("careful", "judge.json")));
            file.expect("opened").set_len((64 << 20) + 1).expect("sparse");
        }),
        both("G42", ("B-FILE", "completions.json"), |world| {
            world.write(&public("careful", "completions.json"), "");
        }),
        both("G43", ("E-SCHEMA", "prompts.json"), |world| {
            bundle(world, "careful", "prompts.json", |prompts| {
                map(&mut prompts[0]).remove("request");
            });
        }),
        both("G44", ("E-SCHEMA", "prompts.json"), |world| {
            bundle(world, "careful", "prompts.json", |prompts| {
                prompts[0]["structural"]["required_types"] = json!("Spacecraft");
            });
        }),
        both("D25", ("B-USAGE", "completions.json"), |world| {
            bundle(world, "careful", "completions.json", |texts| {
                let usage = &mut map(texts).values_mut().next().expect("one")["usage"];
                insert(usage, INTENT, json!(1));
            });
        }),
        both("D26", ("B-USAGE", "completions.json"), |world| {
            bundle(world, "careful", "completions.json", |texts| {
                let usage = &mut map(texts).values_mut().next().expect("one")["usage"];
                insert(usage, "generation_calls", json!(-51));
                insert(usage, "judge_calls", json!(0));
            });
        }),
    ]);
}

const fn both(id: &'static str, first: (&'static str, &'static str), attack: fn(&World)) -> Case {
    Case { id, call: Call::Both, exit: 2, first, then: &[], attack }
}

#[test]
fn a_write_that_cannot_be_done_changes_nothing() {
    run_all(&[
        Case {
            call: Call::Args(&["build", "--root", "board", "--out", "nowhere/board.json"]),
            ..build("J01", 2, ("W-IO", ""), |_| {})
        },
        Case {
            call: Call::Args(&["build", "--root", "board", "--out", "board"]),
            ..build("J02", 2, ("P-SPECIAL", ""), |_| {})
        },
        Case {
            call: Call::Args(&["build", "--root", "board", "--out", "/dev/full"]),
            ..build("J03", 3, ("W-IO", ""), |_| {})
        },
        Case {
            call: Call::Args(&[
                "verify",
                "board/leaderboard/leaderboard.json",
                "--config",
                "board/seeds.json",
                "--root",
                "elsewhere",
            ]),
            ..verify("J07", 1, ("E-BUNDLE", "entries[0]"), |world| {
                world.write("elsewhere/README.md", "another repository");
            })
        },
        Case {
            call: Call::Args(&["build", "--root", "board", "--generated-at", "yesterday"]),
            ..build("J09", 2, ("E-HEADER", "generated_at"), |_| {})
        },
    ]);
}

#[test]
fn a_board_is_replaced_not_written_over() {
    let world = board_world();
    let inode = |world: &World| std::fs::metadata(world.path(BOARD)).expect("there").ino();
    let before = inode(&world);
    assert_eq!(world.run(&BUILD).code, 0);
    assert_ne!(inode(&world), before, "J05");
    let names: Vec<_> =
        std::fs::read_dir(world.path("board/leaderboard")).expect("read").flatten().collect();
    assert_eq!(names.len(), 2, "bundles and the board, no temporary file");
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_failure() {
    let world = board_world();
    let line =
        format!("{} build --root board --out - | true", env!("CARGO_BIN_EXE_gmat-leaderboard"));
    let ran = finish(Command::new("sh").arg("-c").arg(line).current_dir(world.path("")), None);
    let is_note = |line: &str| line.starts_with("note: no held-out set at hand");
    assert_eq!((ran.code, ran.stderr.lines().all(is_note)), (0, true), "J06: {}", ran.stderr);
}

/// K24. Root may write anywhere, so as root the build runs as nobody.
#[test]
fn a_directory_that_may_not_be_written_is_the_worlds_failure() {
    let world = board_world();
    let before = world.read(BOARD);
    let is_root = std::fs::metadata(world.path("")).expect("there").uid() == 0;
    let open = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("allowed");
    };
    open(&world.path(""), 0o755);
    open(&world.path("board/leaderboard"), 0o555);
    let mut command = world.command(&BUILD);
    if is_root {
        command.uid(65534).gid(65534);
    }
    let ran = finish(&mut command, None);
    open(&world.path("board/leaderboard"), 0o755);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("error[W-IO]: cannot write `board/leaderboard/leaderboard.json`: "),
        "{}",
        ran.stderr
    );
    assert_eq!(world.read(BOARD), before);
}

/// K25: a checkout with CRLF line ends is reported as what it is.
#[test]
fn line_ends_that_git_changed_are_named() {
    let world = board_world();
    for file in ["prompts.json", "completions.json", "judge.json"] {
        let path = public("careful", file);
        world.write(&path, world.read(&path).replace('\n', "\r\n"));
    }
    let ran = world.run(&["verify", "--root", "board"]);
    let reported = super::reported(&ran);
    let codes: Vec<&str> = reported.iter().map(|reported| reported.code.as_str()).collect();
    assert_eq!((ran.code, codes.as_slice()), (1, &["B-SET", "E-HASH"][..]), "{}", ran.stderr);
    for reported in reported {
        assert!(reported.text.contains("help: the file has CRLF line ends"), "{}", reported.text);
    }
    let world = board_world();
    world.write(BOARD, world.read(BOARD).replace('\n', "\r\n"));
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("finding[J-CANON]"), "{}", ran.stdout);
    assert!(ran.stdout.contains("help: the file has CRLF line ends"), "{}", ran.stdout);
}
