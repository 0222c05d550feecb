//! `build` and `verify` on the frozen board, and what the world does to them.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::harness::{World, board_world, copy, finish};

const AT: &str = "2026-11-16T00:00:00Z";
const BOARD: &str = "board/leaderboard/leaderboard.json";

fn build<'a>(extra: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["build", "--root", "board", "--held-out", "held-out", "--generated-at", AT];
    args.extend(extra);
    args
}

#[test]
fn the_committed_board_is_what_its_bundles_give() {
    let world = board_world();
    // The frozen board was built by version 0.1.0.
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    let committed = world.read(BOARD).replace("\"0.1.0\"", &version);
    std::fs::remove_file(world.path(BOARD)).expect("removed");
    let ran = world.run(&build(&[]));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.stdout, format!("wrote 5 row(s) to {BOARD}\n"));
    assert_eq!(world.read(BOARD), committed);
}

#[test]
fn the_committed_board_verifies_and_says_what_was_not_covered() {
    let world = board_world();
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
        "verified: 5 public row(s) reproduce; board is aggregate-only\n\
         not covered: 4 held-out headlines (checked for form only: no held-out bundle at hand); held-out set (the ledger has no commitment to it); seal (the board has none)\n"
    );
    let gated = world.run(&["verify", "--root", "board", "--held-out", "held-out"]);
    assert_eq!(
        (gated.code, gated.stdout.as_str()),
        (
            0,
            "verified: 5 public row(s) reproduce; board is aggregate-only\nheld-out: 4 headline(s) re-derived\nnot covered: held-out set (the ledger has no commitment to it); seal (the board has none)\n"
        )
    );
}

#[test]
fn one_row_can_be_verified_alone_and_a_misspelt_one_is_corrected() {
    let world = board_world();
    let ran = world.run(&["verify", "--root", "board", "--entry", "demo:steady"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.starts_with("verified: 1 public row(s) reproduce"), "{}", ran.stdout);
    let ran = world.run(&["verify", "--root", "board", "--entry", "demo:stedy"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("help: did you mean `demo:steady`?"), "{}", ran.stderr);
}

#[test]
fn a_downloaded_board_can_be_audited_alone() {
    let world = board_world();
    std::fs::copy(world.path(BOARD), world.path("downloaded.json")).expect("copied");
    let ran = world.run(&["verify", "downloaded.json", "--form-only"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.contains(
            "not covered: config (--form-only); bundles (--form-only); held-out headlines"
        ),
        "{}",
        ran.stdout
    );
    let text =
        world.read("downloaded.json").replace("\"overfit_gap\": 0.713", "\"overfit_gap\": 0.013");
    world.write("downloaded.json", text);
    let ran = world.run(&["verify", "downloaded.json", "--form-only"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("finding[E-GAP]"), "{}", ran.stdout);
}

#[test]
fn machine_output_is_one_line_with_both_sides() {
    let world = board_world();
    let text = world.read(BOARD).replace("\"pass_rate\": 0.98\n", "\"pass_rate\": 1.0\n");
    world.write(BOARD, text);
    let ran = world.run(&["verify", "--root", "board", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let verdict: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one JSON document");
    assert_eq!(ran.stdout.lines().count(), 1);
    assert_eq!(verdict["answer"], "no");
    let finding = &verdict["findings"][0];
    assert_eq!(finding["code"], "E-DIFF");
    assert_eq!(finding["path"], "entries[3].public.pass_rate");
    assert_eq!((&finding["published"], &finding["rebuilt"]), (&"1.0".into(), &"0.98".into()));
}

#[test]
fn the_same_bytes_come_out_whatever_the_machine_is_like() {
    let world = board_world();
    let first = world.run(&build(&["--out", "-"])).stdout;
    assert!(!first.is_empty());
    for (name, value) in [
        ("RAYON_NUM_THREADS", "1"),
        ("RAYON_NUM_THREADS", "8"),
        ("TZ", "Pacific/Kiritimati"),
        ("LC_ALL", "tr_TR.UTF-8"),
    ] {
        let ran = finish(world.command(&build(&["--out", "-"])).env(name, value), None);
        assert_eq!(ran.stdout, first, "{name}={value}");
    }
    // Files created in another order lie in another order in the directory.
    let other = World::new();
    let mut files: Vec<_> = walkdir::WalkDir::new(world.path("")).into_iter().flatten().collect();
    files.reverse();
    for file in files.iter().filter(|file| file.file_type().is_file()) {
        let below =
            file.path().strip_prefix(world.path("")).expect("below").to_str().expect("text");
        other.write(below, std::fs::read(file.path()).expect("read"));
    }
    assert_eq!(other.run(&build(&["--out", "-"])).stdout, first);
    assert_eq!(world.run(&build(&[])).code, 0);
    let umask = format!(
        "umask 077 && exec {} {}",
        env!("CARGO_BIN_EXE_gmat-leaderboard"),
        build(&[]).join(" ")
    );
    let ran = finish(Command::new("sh").arg("-c").arg(umask).current_dir(world.path("")), None);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(world.read(BOARD), first);
    assert_eq!(
        std::fs::metadata(world.path(BOARD)).expect("there").permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn source_date_epoch_stamps_the_board() {
    let world = board_world();
    let args = ["build", "--root", "board", "--out", "-"];
    let ran = finish(world.command(&args).env("SOURCE_DATE_EPOCH", "1781740800"), None);
    assert!(ran.stdout.contains("\"generated_at\": \"2026-06-18T00:00:00Z\""), "{}", ran.stdout);
    let ran = finish(world.command(&args).env("SOURCE_DATE_EPOCH", "soon"), None);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("`SOURCE_DATE_EPOCH` is not a number of seconds"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_build_that_is_killed_leaves_the_old_board() {
    let world = board_world();
    let old = world.read(BOARD);
    let new = old.replace(AT, "2026-11-17T00:00:00Z");
    for delay in 0..40 {
        world.write(BOARD, &old);
        let args = [
            "build",
            "--root",
            "board",
            "--held-out",
            "held-out",
            "--generated-at",
            "2026-11-17T00:00:00Z",
        ];
        let mut child =
            world.command(&args).stderr(std::process::Stdio::null()).spawn().expect("starts");
        std::thread::sleep(Duration::from_micros(delay * 900));
        child.kill().expect("killed or gone");
        child.wait().expect("ended");
        let now = world.read(BOARD);
        assert!(now == old || now == new, "a torn board after {delay} steps");
    }
}

#[test]
fn twelve_builds_at_once_never_show_a_broken_board() {
    let world = board_world();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..12).map(|_| scope.spawn(|| world.run(&build(&[])).code)).collect();
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !done.load(Ordering::Relaxed) {
                let text = world.read(BOARD);
                assert!(text.starts_with("{\n") && text.ends_with("\n}\n"), "a broken read");
                reads += 1;
            }
            reads
        });
        let codes: Vec<i32> = builds.into_iter().map(|it| it.join().expect("ran")).collect();
        done.store(true, Ordering::Relaxed);
        assert_eq!(codes, [0; 12]);
        assert!(reader.join().expect("read") > 0);
    });
}

#[test]
fn an_absent_bundle_is_a_note_and_strict_makes_it_an_error() {
    let world = board_world();
    std::fs::remove_dir_all(world.path("board/leaderboard/bundles/newcomer")).expect("removed");
    let ran = world.run(&build(&[]));
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stderr,
        "note: skip newcomer: no recorded public bundle at leaderboard/bundles/newcomer\n"
    );
    assert_eq!(ran.stdout, format!("wrote 4 row(s) to {BOARD}\n"));
    let before = world.read(BOARD);
    let ran = world.run(&build(&["--strict"]));
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error[E-BUNDLE]: no recorded public bundle at"), "{}", ran.stderr);
    assert_eq!(world.read(BOARD), before);
}

#[test]
fn every_problem_of_a_config_is_reported_at_once() {
    let world = World::new();
    world.write(
        "seeds.json",
        r#"{"n_votes": "three", "seed": [], "seeds": [{"public_bundle": "../x"}, {"model": 5, "public_bundle": "b"}]}"#,
    );
    let ran = world.run(&["build"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    for reported in [
        "seeds.json:1:13, n_votes",
        "did you mean `seeds`?",
        "error[P-PATH]: the path `../x` leads out of its directory",
        "expected the key `model`",
        "seeds[1].model",
    ] {
        assert!(ran.stderr.contains(reported), "{reported} is not in\n{}", ran.stderr);
    }
    assert_eq!(ran.stderr.matches("error[").count(), 5, "{}", ran.stderr);
}

/// Many problems are counted, whatever their names are.
#[test]
fn a_config_with_thousands_of_problems_prints_a_page_of_them() {
    let world = World::new();
    for name in ["key", "`", "` a`"] {
        // Letters, because messages that differ in numbers are of one kind.
        let letters = |n: usize| -> String {
            n.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
        };
        let keys: Vec<String> = (0..5000).map(|n| format!("\"{name}{}\": 0", letters(n))).collect();
        world.write("seeds.json", format!("{{\"seeds\": [], {}}}", keys.join(", ")));
        let started = std::time::Instant::now();
        let ran = world.run(&["build"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{name}");
        let shown = ran.stderr.matches("error[").count();
        assert!(shown <= 110, "{name}: {shown} problems");
        assert!(ran.stderr.contains(" more like the first of these: "), "{:.2000}", ran.stderr);
        // Quadratic, it took 12 s for four times as many.
        assert!(started.elapsed() < Duration::from_secs(8), "{name}: {:?}", started.elapsed());
    }
}

type Attack = fn(&Path);

/// Paths that are not files, files that are too large, and a disk that is full.
#[test]
fn a_hostile_file_system_gets_a_clear_error_and_changes_nothing() {
    let bundle = "board/leaderboard/bundles/careful/completions.json";
    let attacks: [(&str, i32, &str, Attack); 5] = [
        ("a FIFO", 2, "P-SPECIAL", |path| {
            std::fs::remove_file(path).expect("removed");
            assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
        }),
        ("a directory", 2, "P-SPECIAL", |path| {
            std::fs::remove_file(path).expect("removed");
            std::fs::create_dir(path).expect("created");
        }),
        ("2 GB", 2, "J-SIZE", |path| {
            let file = std::fs::OpenOptions::new().write(true).open(path).expect("opened");
            file.set_len(2 << 30).expect("sparse");
        }),
        ("a link out of the root", 2, "P-PATH", |path| {
            std::fs::rename(path, path.ancestors().nth(5).expect("above").join("moved.json"))
                .expect("moved");
            std::os::unix::fs::symlink("../../../../moved.json", path).expect("linked");
        }),
        ("a link to a device", 2, "P-SPECIAL", |path| {
            std::fs::remove_file(path).expect("removed");
            std::os::unix::fs::symlink("/dev/zero", path).expect("linked");
        }),
    ];
    for (name, code, reported, attack) in attacks {
        let world = board_world();
        let before = world.read(BOARD);
        attack(&world.path(bundle));
        let ran = world.run(&build(&[]));
        assert_eq!(ran.code, code, "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains(&format!("error[{reported}]")), "{name}: {}", ran.stderr);
        assert_eq!(world.read(BOARD), before, "{name}");
    }
}

#[test]
fn the_output_is_written_whole_or_not_at_all() {
    let world = board_world();
    world.write("else.json", "kept");
    std::os::unix::fs::symlink("else.json", world.path("link.json")).expect("linked");
    for (out, code, reported) in [
        ("/dev/full", 3, "W-IO"),
        ("nowhere/board.json", 2, "W-IO"),
        ("board", 2, "P-SPECIAL"),
        ("link.json", 2, "P-SYMLINK"),
    ] {
        let ran = world.run(&build(&["--out", out]));
        assert_eq!(ran.code, code, "{out}: {}", ran.stderr);
        assert!(ran.stderr.contains(&format!("error[{reported}]")), "{out}: {}", ran.stderr);
    }
    assert_eq!(world.read("else.json"), "kept");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let world = board_world();
    let line = format!(
        "{} {} | true",
        env!("CARGO_BIN_EXE_gmat-leaderboard"),
        build(&["--out", "-"]).join(" ")
    );
    let ran = finish(Command::new("sh").arg("-c").arg(line).current_dir(world.path("")), None);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn the_demo_shows_a_model_fall_and_a_leak_refused() {
    let world = World::new();
    let ran = world.run(&["demo", "try"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let board = world.read("try/board/leaderboard/leaderboard.json");
    assert!(board.contains("\"overfit_gap\": 0.647"), "{board}");
    let again = world.run(&["demo", "try"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("the directory for the demo is not empty"), "{}", again.stderr);
    let leak = world.run(&["demo", "leak", "--leak"]);
    assert_eq!(leak.code, 0, "{}", leak.stderr);
    assert!(
        leak.stdout.contains("finding[L-TEXT]: contains text of held-out prompt 1 of"),
        "{}",
        leak.stdout
    );
    assert!(leak.stdout.contains("seeds.json, public_set.note"), "{}", leak.stdout);
    assert!(leak.stdout.contains("build ended with exit code 1"), "{}", leak.stdout);
    assert!(!world.exists("leak/board/leaderboard/leaderboard.json"));
}

/// What `render` of this repository shows is what `demo --history` unpacks.
#[test]
fn the_example_board_is_the_demo_and_verifies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let world = World::new();
    let mut command = world.command(&["demo", "try", "--history", "-q"]);
    let ran = finish(command.env("SOURCE_DATE_EPOCH", "1794787200"), None);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let files = |from: &Path| {
        let files = walkdir::WalkDir::new(from).sort_by_file_name().into_iter();
        let files = files.map(|entry| entry.expect("walked").into_path());
        let files =
            files.filter(|path| path.is_file() && !path.to_string_lossy().contains(".cache"));
        let named = files.map(|path| {
            (
                path.strip_prefix(from).expect("below").to_owned(),
                std::fs::read(&path).expect("read"),
            )
        });
        named.collect::<std::collections::BTreeMap<_, _>>()
    };
    let (made, committed) =
        (files(&world.path("try/board/leaderboard")), files(&root.join("leaderboard")));
    for name in made.keys().chain(committed.keys()) {
        assert_eq!(
            made.get(name),
            committed.get(name),
            "{}: run scripts/refresh-board 2026-11-16T00:00:00Z",
            name.display()
        );
    }
    assert_eq!(
        world.read("try/board/seeds.json").as_bytes(),
        std::fs::read(root.join("seeds.json")).expect("read")
    );
    copy(&root.join("leaderboard"), &world.path("own/leaderboard"));
    world.write("own/seeds.json", world.read("try/board/seeds.json"));
    let ran = world.run(&["verify", "--root", "own"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
}

/// Names of a board's rows on its pages, as the config has them.
fn names(world: &World, name: &str) -> Vec<String> {
    let config = world.read(&format!("{name}/board/seeds.json"));
    let config: serde_json::Value = serde_json::from_str(&config).expect("JSON");
    let seeds = config["seeds"].as_array().expect("seeds");
    seeds.iter().filter_map(|seed| seed["about"]["name"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_demo_of_any_size_mixes_the_states_of_rows() {
    let world = World::new();
    for rows in [1, 3, 30] {
        let name = format!("d{rows}");
        let ran = world.run(&["demo", &name, "--entries", &rows.to_string(), "-q"]);
        assert_eq!(ran.code, 0, "{rows}: {}", ran.stderr);
        let board = world.read(&format!("{name}/board/leaderboard/leaderboard.json"));
        let board: serde_json::Value = serde_json::from_str(&board).expect("JSON");
        let entries = board["entries"].as_array().expect("rows");
        assert_eq!(entries.len(), rows);
        let count =
            |is: &dyn Fn(&serde_json::Value) -> bool| entries.iter().filter(|row| is(row)).count();
        let pending = count(&|row| row["held_out"]["pass_rate"].is_null());
        let overfit = count(&|row| row["overfit_gap"].as_f64().is_some_and(|gap| gap > 0.4));
        let own = count(&|row| row["kind"] == "entry");
        let judge = count(&|row| row["model"] == board["judge_model"]);
        let seen = (pending, overfit, own, judge);
        let expected = match rows {
            1 => (1, 0, 0, 0),
            3 => (0, 1, 0, 1),
            _ => (4, 3, 3, 1),
        };
        assert_eq!(seen, expected, "{rows}: pending, overfit, self-recorded, judged by itself");
        let names = names(&world, &name);
        assert!(names.iter().all(|name| (4..=60).contains(&name.chars().count())), "{names:?}");
        if rows >= 30 {
            let longest = names.iter().map(|name| name.chars().count()).max();
            let shortest = names.iter().map(|name| name.chars().count()).min();
            assert_eq!((shortest, longest), (Some(4), Some(60)), "{rows}: {names:?}");
        }
        assert!(world.exists(&format!("{name}/board/site/m/demo--tinfoil--quarry-1.html")));
    }
    // Readers filter by who made a model, not by whose server answered.
    let index = world.read("d30/board/site/index.html");
    let (_, choices) = index.split_once("id=\"f-provider\"").expect("a choice of providers");
    let choices = choices.split_once("</select>").map_or("", |(choices, _)| choices);
    assert!(choices.contains("<option>Imaginary AI</option>"), "{choices}");
    assert!(!choices.contains("<option>demo</option>"), "{choices}");
}

#[test]
fn a_built_board_can_be_recorded_and_then_verifies_with_its_ledger() {
    let world = board_world();
    let ran = world.run(&build(&["--record"]));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("recorded 5 run(s), 0 known already"), "{}", ran.stdout);
    assert_eq!(world.run(&["history", "checkpoint", "--root", "board"]).code, 0);
    assert_eq!(world.run(&["verify", "--root", "board"]).code, 0);
    let history = world.read("board/leaderboard/history.jsonl");
    world.write("board/leaderboard/history.jsonl", history.replace("0.867", "0.967"));
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("finding[H-"), "{}", ran.stdout);
    let ran = world.run(&build(&["--record", "--out", "-"]));
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}

#[test]
fn a_site_is_verified_file_by_file() {
    let world = board_world();
    assert_eq!(world.run(&["render", "--root", "board"]).code, 0);
    let args = ["verify", "--root", "board", "--site", "board/site"];
    let ran = world.run(&args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = world.read("board/site/index.html").replace("86.7", "96.7");
    world.write("board/site/index.html", page);
    let ran = world.run(&args);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("finding[E-SITE]: `index.html` differs"), "{}", ran.stdout);
}
