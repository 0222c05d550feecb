//! A world that fails around the real program: limits on files, full and vanishing disks, signals,
//! clocks that jump, closed streams, many writers at once. (Failures at every step: `tests/disk`.)

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::fs::FlockOperation;
use rustix::process::{Pid, Signal};
use serde_json::Value;

use crate::harness::{NOBODY, Ran, World, board_world, finish};
use crate::need::skip;

const BOARD: &str = "board/leaderboard/leaderboard.json";
const LEDGER: &str = "board/leaderboard/history.jsonl";
const BUILD: [&str; 5] = ["build", "--root", "board", "--held-out", "held-out"];

/// Runs the program by a line of shell that sets something up first.
fn run_after(world: &World, setup: &str, args: &[&str]) -> Ran {
    let program = world.command(args);
    let mut command = Command::new("bash");
    command.args(["-c", &format!("{setup}; exec \"$0\" \"$@\"")]).arg(program.get_program());
    command.args(program.get_args()).current_dir(world.path("")).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    finish(command.stdin(Stdio::null()), None)
}

/// Every file of the world with its bytes; directories have none.
fn files(world: &World) -> BTreeMap<String, Vec<u8>> {
    let root = world.path("");
    let entries =
        walkdir::WalkDir::new(&root).min_depth(1).into_iter().map(|it| it.expect("walked"));
    let read = |entry: walkdir::DirEntry| {
        let below = entry.path().strip_prefix(&root).expect("below").display().to_string();
        let bytes = entry.file_type().is_file().then(|| std::fs::read(entry.path()).expect("read"));
        (below, bytes.unwrap_or_default())
    };
    entries.map(read).collect()
}

/// The names of what differs. An empty ledger is none: its file may be there already.
fn differs(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let is_empty = |name: &str| {
        name.contains("/history.") && one.get(name).or(other.get(name)).is_some_and(Vec::is_empty)
    };
    let differs = |name: &&String| one.get(*name) != other.get(*name) && !is_empty(name);
    names.into_iter().filter(differs).cloned().collect()
}

/// Runs of a model, one a line; `who` makes their ids.
fn runs(who: &str, count: usize) -> String {
    let line = |n| {
        format!(
            r#"{{"run_id":"{who}-{n}","run_at":"2026-05-12T12:00:00Z","model":"a:m","aggregate_score":0.5}}"#
        ) + "\n"
    };
    (0..count).map(line).collect()
}

/// `history.jsonl` as JSON, and the ids of its runs.
fn recorded(world: &World) -> (Vec<Value>, Vec<String>) {
    let lines: Vec<Value> = world
        .read(LEDGER)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let ids = lines.iter().filter_map(|line| Some(line["run_id"].as_str()?.to_owned())).collect();
    (lines, ids)
}

/// What a board with a short ledger has beside it for these tests.
fn world() -> World {
    let world = board_world();
    world.write("board/a.jsonl", runs("a", 1));
    let ran = world.run(&["record", "board/a.jsonl", "--root", "board", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    world.write("board/b.jsonl", runs("b", 40));
    world
}

/// Each command that writes, and a limit below what it writes, in kilobytes.
const WRITERS: [(u32, &[&str]); 8] = [
    (4, &BUILD),
    (0, &["build", "--root", "board", "--held-out", "held-out", "--record", "--seal"]),
    (1, &["record", "board/b.jsonl", "--root", "board"]),
    (0, &["history", "checkpoint", "--root", "board"]),
    (0, &["weekly", "--write", "--root", "board"]),
    (8, &["render", "--root", "board", "--out", "site"]),
    (
        1,
        &[
            "freeze",
            "--from",
            "board/leaderboard/bundles/steady",
            "--to",
            "frozen",
            "--root",
            "board",
        ],
    ),
    (2, &["init", "new"]),
];

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_nothing_is_half_written() {
    let world = world();
    // Written again in any case: otherwise there is nothing to do.
    world.write("board/leaderboard/weekly.json", "[]\n");
    let before = files(&world);
    for (limit, args) in WRITERS {
        let ran = run_after(&world, &format!("ulimit -f {limit}"), args);
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.both());
        assert!(ran.stderr.contains("error[W-IO]: cannot "), "{args:?}: {}", ran.stderr);
        assert_eq!(differs(&files(&world), &before), [""; 0], "{args:?}");
    }
    for (_, args) in WRITERS {
        let ran = world.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.both());
    }
}

/// On a small disk of its own, where one can be mounted; it is gone with the processes that see it.
#[test]
fn a_full_disk_is_an_error_and_what_was_there_stays() {
    const SCRIPT: &str = "
        mount -t tmpfs -o size=16m tmpfs disk && cp -r board held-out disk && cd disk || exit 99
        head -c 20000000 /dev/zero >filler 2>/dev/null
        \"$@\" 2>../said; code=$?
        rm filler; cd .. && cp -r disk/. after; exit $code";
    for (_, args) in WRITERS {
        let world = world();
        world.write("board/leaderboard/weekly.json", "[]\n");
        for dir in ["disk", "after"] {
            std::fs::create_dir(world.path(dir)).expect("made");
        }
        let program = world.command(args);
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "bash", "-c", SCRIPT, "bash"]);
        command.arg(program.get_program()).args(program.get_args()).current_dir(world.path(""));
        let ran = finish(command.stdin(Stdio::null()), None);
        if !world.exists("said") {
            skip("linux", "no disk can be mounted here");
            return;
        }
        let said = world.read("said");
        assert_eq!(ran.code, 3, "{args:?}: {said}{}", ran.both());
        assert!(said.contains("error[W-IO]: cannot "), "{args:?}: {said}");
        let all = files(&world);
        let below = |dir: &str| -> BTreeMap<String, Vec<u8>> {
            let inside = |(name, bytes): (&String, &Vec<u8>)| {
                Some((name.strip_prefix(dir)?.to_owned(), bytes.clone()))
            };
            all.iter().filter_map(inside).collect()
        };
        assert_eq!(differs(&below("after/board"), &below("board")), [""; 0], "{args:?}");
        let is_ours = |name: &&String| name.starts_with("board") || name.starts_with("held-out");
        let after = below("after/");
        let left: Vec<_> = after.keys().filter(|name| !is_ours(name)).collect();
        assert!(left.is_empty(), "{args:?} left {left:?}");
    }
}

#[test]
fn a_directory_that_vanished_or_may_not_be_written_is_named() {
    let world = world();
    // The working directory is gone before the program starts.
    for args in [&["verify"][..], &["build"], &["record", "x.json"], &["rank"], &["init"]] {
        let ran = run_after(&world, "mkdir gone && cd gone && rmdir ../gone", args);
        assert!(matches!(ran.code, 2 | 3), "{args:?}: {} {}", ran.code, ran.both());
        assert!(ran.stderr.starts_with("error"), "{args:?}: {}", ran.stderr);
    }
    if !world.give_to_nobody() {
        skip("root", "only root can run a command as another user");
        return;
    }
    let before = files(&world);
    let setup = "chmod -R a-w board";
    for (_, args) in
        WRITERS.into_iter().filter(|(_, args)| !["init", "freeze", "render"].contains(&args[0]))
    {
        let program = world.command(args);
        let mut command = Command::new("bash");
        command.args(["-c", &format!("{setup}; exec \"$0\" \"$@\"")]).arg(program.get_program());
        command.args(program.get_args()).current_dir(world.path("")).uid(NOBODY).gid(NOBODY);
        let ran = finish(command.stdin(Stdio::null()), None);
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.both());
        assert!(ran.stderr.starts_with("error[W-IO]: cannot "), "{args:?}: {}", ran.stderr);
        assert_eq!(differs(&files(&world), &before), [""; 0], "{args:?}");
    }
}

/// The ledger, locked.
fn locked_ledger(world: &World) -> File {
    let ledger = File::options().append(true).open(world.path(LEDGER)).expect("opened");
    rustix::fs::flock(&ledger, FlockOperation::LockExclusive).expect("locked");
    ledger
}

/// The program, started with `args`.
fn started(world: &World, args: &[&str]) -> Child {
    let mut command = world.command(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts")
}

/// The program, started with `args`, once it waits for a lock.
fn waiting(world: &World, args: &[&str]) -> Child {
    let mut child = started(world, args);
    let id = child.id().to_string();
    let waits = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.get(1) == Some(&"->") && words.get(5) == Some(&&*id)
    };
    while !std::fs::read_to_string("/proc/locks").expect("read").lines().any(waits) {
        assert_eq!(child.try_wait().expect("asked"), None, "{args:?} did not wait");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// The exit code of a program that was started, and what it printed.
fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().expect("ends");
    let printed = [output.stderr, output.stdout].concat();
    (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
}

/// Else a board would be recorded before the one that it replaces, or replace one that it was not
/// compared with.
#[test]
fn of_two_builds_of_a_board_one_waits_until_the_other_has_recorded_its_own() {
    let recording = [&BUILD[..], &["--record"]].concat();
    for (second, code, said) in
        [(&recording[..], 0, ""), (&["build", "--root", "board", "--record"], 1, "[E-HELD]")]
    {
        let world = world();
        let ran = world.run(&["build", "--root", "board", "--drop-headlines"]);
        assert_eq!(ran.code, 0, "{}", ran.both());
        let ledger = locked_ledger(&world);
        let first = waiting(&world, &recording);
        let board = world.read(BOARD);
        let second = waiting(&world, second);
        assert!(world.read(BOARD) == board, "written while another build was not done");
        // What changes meanwhile counts for the build that waits.
        let config = world.read("board/seeds.json");
        assert!(config.contains("\"Illustrative. Prompts"));
        world.write(
            "board/seeds.json",
            config.replace("\"Illustrative. Prompts", "\"Changed. Prompts"),
        );
        drop(ledger);
        let (first, second) = (ended(first), ended(second));
        assert_eq!(first.0, Some(0), "{}", first.1);
        assert_eq!(second.0, Some(code), "{}", second.1);
        let waited = "note: waiting for another build in board/leaderboard\n";
        assert!(second.1.starts_with(waited) && second.1.contains(said), "{}", second.1);
        assert_eq!(world.read(BOARD).contains("Changed. Prompts"), code == 0);
        let ran = world.run(&["history", "verify", "--root", "board"]);
        assert_eq!(ran.code, 0, "{}", ran.both());
    }
}

/// A line that another process is still writing is not reported as damage.
#[test]
fn a_reader_waits_until_the_last_line_is_whole() {
    for args in [&["history", "verify"][..], &["history"], &["verify"], &["trend"]] {
        let world = world();
        let ran = world.run(&["record", "board/b.jsonl", "--root", "board", "-q"]);
        assert_eq!(ran.code, 0, "{}", ran.both());
        let whole = world.read(LEDGER);
        let (half, rest) = whole.split_at(whole.len() - 40);
        world.write(LEDGER, half);
        let mut ledger = locked_ledger(&world);
        let mut child = started(&world, &[args, &["--root", "board"]].concat());
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(child.try_wait().expect("asked"), None, "{args:?} did not wait");
        ledger.write_all(rest.as_bytes()).expect("written");
        drop(ledger);
        let (code, said) = ended(child);
        assert_eq!(code, Some(0), "{args:?}: {said}");
    }
}

/// Reads that give a byte at a time, waits that a signal interrupts, a process that is stopped.
#[test]
fn short_reads_and_interrupted_calls_change_nothing() {
    let world = world();
    let whole = world.read(LEDGER);
    // Another process has the ledger.
    let ledger = locked_ledger(&world);
    let mut child = world
        .command(&["record", "-", "--root", "board", "-q"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let id = Pid::from_child(&child);
    let disturb = || {
        for signal in [Signal::XFSZ, Signal::STOP, Signal::CONT, Signal::WINCH] {
            rustix::process::kill_process(id, signal).expect("sent");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    // The handler must be there before the first signal: it is once the program reads.
    std::thread::sleep(Duration::from_millis(200));
    let mut pipe = child.stdin.take().expect("a pipe");
    for (number, byte) in runs("slow", 2).bytes().enumerate() {
        pipe.write_all(&[byte]).expect("fed");
        if number % 10 == 0 {
            disturb();
        }
    }
    drop(pipe);
    (0..20).for_each(|_| disturb());
    assert_eq!(world.read(LEDGER), whole, "it waits for the lock");
    drop(ledger);
    let (code, said) = ended(child);
    assert_eq!(code, Some(0), "{said}");
    assert!(world.read(LEDGER).starts_with(&whole));
    assert_eq!(recorded(&world).1, ["a-0", "slow-0", "slow-1"]);
}

#[test]
fn a_clock_that_jumps_never_turns_the_ledger_back() {
    let world = board_world();
    let at = |second: i64, args: &[&str]| {
        let mut command = world.command(args);
        finish(command.env("SOURCE_DATE_EPOCH", second.to_string()), None)
    };
    // Ten years ahead, then back, then on.
    let moments = [1_800_000_000_i64, 2_115_360_000, 1_800_000_060, 1_800_000_120];
    for (number, second) in moments.into_iter().enumerate() {
        world.write("run.json", runs(&format!("r{number}"), 1));
        let ran = at(second, &["record", "run.json", "--root", "board"]);
        assert_eq!(ran.code, 0, "{}", ran.both());
    }
    let stamps: Vec<String> = recorded(&world)
        .0
        .iter()
        .map(|line| line["recorded_at"].as_str().expect("a time").to_owned())
        .collect();
    assert_eq!(
        stamps,
        [
            "2027-01-15T08:00:00Z",
            "2037-01-12T08:00:00Z",
            "2037-01-12T08:00:00Z",
            "2037-01-12T08:00:00Z"
        ]
    );
    let verify = ["verify", "--root", "board"];
    let said = "note[H-ORDER]: the ledger ends at 2037-01-12T08:00:00Z, which is after this machine's clock\n";
    let ran = at(1_800_000_180, &verify);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    // A day is left for clocks that differ.
    for (second, is_noted) in
        [(2_115_360_000 - 24 * 3600, false), (2_115_360_000 - 24 * 3600 - 1, true)]
    {
        let ran = at(second, &verify);
        assert_eq!((ran.code, ran.stderr.contains(said)), (0, is_noted), "{}", ran.both());
    }
}

#[test]
fn a_closed_or_full_stdout_changes_no_file() {
    // Each run has its own moment.
    let without_times = |text: String| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains("generated_at"));
        lines.map(|it| it.split("recorded_at").next().unwrap_or_default().to_owned()).collect()
    };
    for (_, args) in &WRITERS[..5] {
        let (open, closed) = (world(), world());
        let expected = open.run(args);
        assert_eq!(expected.code, 0, "{args:?}: {}", expected.both());
        // What the program opens first must not become its standard output.
        let ran = run_after(&closed, "exec >&- 2>&-", args);
        assert_eq!(ran.code, 0, "{args:?}");
        for name in [BOARD, LEDGER] {
            let [now, wanted] = [&closed, &open].map(|it| without_times(it.read(name)));
            assert_eq!(now, wanted, "{args:?}: {name}");
        }
    }
    let world = world();
    for args in [
        &["verify", "--root", "board"][..],
        &["rank", "--root", "board"],
        &["build", "--root", "board", "--out", "-"],
    ] {
        let ran = run_after(&world, "exec >/dev/full", args);
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.both());
        let words = "error: the result could not be written\n";
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn twelve_builds_and_records_at_once_lose_nothing() {
    let world = board_world();
    for n in 0..6 {
        world.write(&format!("r{n}.jsonl"), runs(&format!("r{n}"), 20));
    }
    let done = AtomicBool::new(false);
    let record = |n: usize| world.run(&["record", &format!("r{n}.jsonl"), "--root", "board", "-q"]);
    let build = |n: usize| {
        let at = format!("2026-11-16T00:00:{n:02}Z");
        world.run(&[&BUILD[..], &["--generated-at", &at, "--record", "-q"]].concat())
    };
    let reads = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..12)
            .map(|n| scope.spawn(move || if n % 2 == 0 { record(n / 2) } else { build(n) }))
            .collect();
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !done.load(Ordering::Relaxed) {
                let board = world.read(BOARD);
                assert!(board.starts_with("{\n") && board.ends_with("\n}\n"), "a broken board");
                let ledger = std::fs::read_to_string(world.path(LEDGER)).unwrap_or_default();
                let whole = ledger.rfind('\n').map_or("", |end| &ledger[..end]);
                for line in whole.lines() {
                    serde_json::from_str::<Value>(line).expect("a whole line");
                }
                reads += 1;
            }
            reads
        });
        let ran: Vec<Ran> = writers.into_iter().map(|it| it.join().expect("ran")).collect();
        done.store(true, Ordering::Relaxed);
        for ran in ran {
            assert_eq!(ran.code, 0, "{}", ran.both());
        }
        reader.join().expect("read")
    });
    assert!(reads > 0);
    let (lines, ids) = recorded(&world);
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "one is there twice");
    let ours = ids.iter().filter(|id| id.starts_with('r')).count();
    assert_eq!(ours, 6 * 20);
    let serials: Vec<u64> = lines.iter().filter_map(|line| line["serial"].as_u64()).collect();
    assert_eq!(serials, (1..=serials.len() as u64).collect::<Vec<_>>());
    assert!(!serials.is_empty());
    let ran = world.run(&["history", "verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let left: Vec<String> =
        files(&world).into_keys().filter(|it| it.contains("-leaderboard-new-")).collect();
    assert!(left.is_empty(), "{left:?}");
}
