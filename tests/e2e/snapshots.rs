//! What commands print and pages show, byte by byte: one file per case in `tests/snapshots`.
//!
//! After a change of words: `UPDATE_SNAPSHOTS=1 cargo test --test e2e snapshots::`, then read the diff.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gmat_leaderboard::internals::domain::Code;
use gmat_leaderboard::internals::ui::hints::code_help;

use crate::harness::{Ran, World, board_world, copy};

const AT: &str = "2026-11-16T00:00:00Z";
const LEDGER: &str = "board/leaderboard/history.jsonl";
const CELLS: &str = "a nDCG t1 0.5\na nDCG t2 0.75\na nDCG all 0.625\nb nDCG t1 0.25\n\
    b nDCG t2 0.5\nb nDCG all 0.375\nc nDCG t1 0.125\nc nDCG t2 0.875\nc nDCG all 0.5\n";
const SCRIPT: &str = "Create Spacecraft Sat\nSat.Inclination = 51.6\nCreate Propagator Prop\n\
    BeginMissionSequence\nPropagate Prop(Sta) {Sat.ElapsedDays = 1}\n";

/// A name, what is there, and the call.
type Case = (&'static str, fn() -> World, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "build",
        board_world,
        &["build", "--root", "board", "--held-out", "held-out", "--generated-at", AT],
    ),
    ("build-without-held-out", board_world, &["build", "--root", "board", "--generated-at", AT]),
    ("verify", board_world, &["verify", "--root", "board"]),
    ("verify-held-out", board_world, &["verify", "--root", "board", "--held-out", "held-out"]),
    ("verify-tampered", tampered, &["verify", "--root", "board"]),
    ("verify-tampered-json", tampered, &["verify", "--root", "board", "--json"]),
    ("check", board_world, &["check", "--root", "board", "board/leaderboard/bundles/careless"]),
    ("rank", board_world, &["rank", "--root", "board"]),
    ("rank-unknown-measure", board_world, &["rank", "--root", "board", "--by", "pubic"]),
    ("trend", recorded, &["trend", LEDGER, "--model", "demo:careful", "--since", "2026-09-01"]),
    ("compare", board_world, &["compare", "--root", "board", "demo:careful", "demo:careless"]),
    ("correlate", cells, &["correlate", "truth.txt", "judge.txt"]),
    (
        "history",
        recorded,
        &["history", "--root", "board", "--model", "demo:careful", "--since", "2026-09-01"],
    ),
    ("history-verify", recorded, &["history", "verify", "--root", "board"]),
    ("weekly", recorded, &["weekly", "--root", "board", "--week", "2026-W20"]),
    ("freeze", board_world, &["freeze", "--from", "held-out/steady", "--to", "bundle"]),
    ("lint", script, &["lint", "mission.script"]),
    ("lint-explain", World::new, &["lint", "--explain", "unknown-field"]),
    ("publish-refused", tampered, &["publish", "--root", "board", "--space", "o/s", "--dry-run"]),
    ("no-config", World::new, &["verify"]),
    ("unknown-command", World::new, &["verfy"]),
];

fn tampered() -> World {
    let world = board_world();
    let board = "board/leaderboard/leaderboard.json";
    let (text, forged) = (world.read(board), world.read(board).replacen("0.867", "0.967", 1));
    assert_ne!(text, forged);
    world.write(board, forged);
    world
}

/// The frozen board with a year of history.
fn recorded() -> World {
    let world = board_world();
    let year = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/year");
    copy(&year, &world.path("board/leaderboard"));
    world
}

fn cells() -> World {
    let world = World::new();
    world.write("truth.txt", CELLS);
    world.write("judge.txt", CELLS.replace("0.125", "0.625").replace("all 0.5\n", "all 0.75\n"));
    world
}

fn script() -> World {
    let world = World::new();
    world.write("mission.script", SCRIPT);
    world
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// A call and everything it did, as one text.
fn transcript(args: &[&str], ran: &Ran) -> String {
    let Ran { code, stdout, stderr } = ran;
    let args = args.join(" ");
    format!("$ gmat-leaderboard {args}\nexit code {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
}

/// Compares `text` with its file, or writes that if `UPDATE_SNAPSHOTS` is 1. The answer says where
/// they differ first.
fn differs(name: &str, text: &str) -> Option<String> {
    let path = folder().join(format!("{name}.txt"));
    if std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|it| it == "1") {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
        return None;
    }
    let recorded = std::fs::read_to_string(path).unwrap_or_default();
    let lines = || recorded.split('\n').chain([""]).zip(text.split('\n').chain([""]));
    let at = lines().take_while(|(old, new)| old == new).count();
    let (old, new) = lines().nth(at).unwrap_or_default();
    let line = at + 1;
    (recorded != text)
        .then(|| format!("{name}.txt, line {line}\n  recorded {old}\n  now      {new}"))
}

#[test]
fn commands_print_what_was_recorded() {
    let mut wrong: Vec<String> = CASES
        .iter()
        .filter_map(|(name, world, args)| differs(name, &transcript(args, &world().run(args))))
        .collect();
    let codes: String = Code::all()
        .map(|code| format!("{code}: {}\n  help: {}\n", code.meaning(), code_help(code)))
        .collect();
    wrong.extend(differs("codes", &codes));
    let known: BTreeSet<&str> = CASES.iter().map(|(name, ..)| *name).chain(["codes"]).collect();
    assert_eq!(known.len(), CASES.len() + 1, "two cases have one name");
    for entry in std::fs::read_dir(folder()).expect("recorded").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != SITE && !known.contains(name.trim_end_matches(".txt")) {
            wrong.push(format!("{name}: no case has this name"));
        }
    }
    let help = "if the new words are right: UPDATE_SNAPSHOTS=1 cargo test --test e2e snapshots::";
    assert!(wrong.is_empty(), "{} differ\n{}\n{help}", wrong.len(), wrong.join("\n"));
}

/// The folder of the pages' snapshots.
const SITE: &str = "site";
/// A file of each kind that shows numbers. Of a page what is in `<main>`.
const PAGES: &[&str] = &[
    "changes.html",
    "compare.html",
    "data.html",
    "feed.xml",
    "index.html",
    "leaderboard.csv",
    "m/demo--careful.html",
    "method.html",
    "p/pen_up_first_arc.html",
    "prompts.html",
    "README.md",
    "submit.html",
    "trends.html",
    "v1/entries/demo--careful.json",
    "v1/index.json",
    "verify.html",
];

/// The text without what a new build of styles, scripts or the module changes: the hashes in their names,
/// and the hash and size of the module.
fn without_builds(text: &str) -> String {
    let is_hash = |part: &str| part.len() == 8 && part.bytes().all(|it| it.is_ascii_hexdigit());
    let parts = text.split('.').map(|part| if is_hash(part) { "HASH" } else { part });
    let text = parts.collect::<Vec<_>>().join(".");
    let Some((before, after)) = text.split_once(" kB, in a worker") else { return text };
    let size = before.rsplit(' ').next().expect("a size");
    let hash = &after.split_once("title=\"").expect("a hash").1[..64];
    let text = text.replace(&format!("{size} kB"), "SIZE kB");
    text.replace(hash, "HASH").replace(&hash[..8], "HASH")
}

#[test]
fn pages_show_what_was_recorded() {
    let world = recorded();
    let ran = world.run(&["render", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let wrong: Vec<String> = PAGES
        .iter()
        .filter_map(|path| {
            let text = world.read(&format!("board/site/{path}"));
            let main = text.split_once("<main").and_then(|(_, rest)| rest.split_once("</main>"));
            let shown = main.map_or(&*text, |(main, _)| main);
            differs(&format!("{SITE}/{}", path.replace('/', "-")), &without_builds(shown))
        })
        .collect();
    let help = "if the new pages are right: UPDATE_SNAPSHOTS=1 cargo test --test e2e snapshots::";
    assert!(wrong.is_empty(), "{} differ\n{}\n{help}", wrong.len(), wrong.join("\n"));
}
