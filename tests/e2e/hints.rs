//! What errors and notes recommend works: each printed hint is tried on the command that printed
//! it.

use std::collections::BTreeSet;
use std::ffi::OsString;

use crate::harness::{World, copy, frozen};
use crate::words::{flags, flags_in};

/// A call that goes wrong after `spoil`, and one hint that it must print.
struct Mistake {
    call: &'static str,
    spoil: fn(&World),
    hint: &'static str,
}

const fn mistake(call: &'static str, spoil: fn(&World), hint: &'static str) -> Mistake {
    Mistake { call, spoil, hint }
}

const BOARD: &str = "leaderboard/leaderboard.json";
const CAREFUL: &str = "leaderboard/bundles/careful";

fn nothing(_: &World) {}

fn no_config(world: &World) {
    std::fs::remove_file(world.path("seeds.json")).expect("removed");
}

fn no_seeds(world: &World) {
    world.write("seeds.json", "{\"seeds\": []}");
    std::fs::remove_file(world.path(BOARD)).expect("removed");
}

fn no_bundle(world: &World) {
    std::fs::remove_dir_all(world.path(CAREFUL)).expect("removed");
}

fn no_board(world: &World) {
    std::fs::remove_file(world.path(BOARD)).expect("removed");
}

fn bad_board(world: &World) {
    world.write(BOARD, "{}");
}

fn changed_board(world: &World) {
    world.write(BOARD, world.read(BOARD).replace("0.922", "0.941"));
}

fn recorded(world: &World) {
    assert_eq!(world.run(&["record", "run.json", "-q"]).code, 0);
}

fn torn_ledger(world: &World) {
    recorded(world);
    let ledger = world.read("leaderboard/history.jsonl");
    world.write("leaderboard/history.jsonl", format!("{ledger}{{\"run_id\":"));
}

fn twice(world: &World) {
    world.write("cells.csv", format!("{}a,2,0.3\n", world.read("cells.csv")));
}

fn third_topic(world: &World) {
    world.write("cells.csv", format!("{}a,3,0.3\n", world.read("cells.csv")));
}

fn texts(world: &World) {
    world.write("texts/a.eval", "m1 1 good\nm1 2 good\n");
    world.write("texts/b.eval", "m1 1 bad\nm1 2 good\n");
}

/// Mistakes that people make, by command. All run in the board's directory.
const MISTAKES: &[Mistake] = &[
    mistake("build", no_config, "--config FILE"),
    mistake("build", |w| w.write("leaderboard/seeds.json", "{}"), "--config FILE"),
    mistake("build", nothing, "--held-out DIR"),
    mistake("build", no_seeds, "gmat-leaderboard build --allow-empty"),
    mistake("build --held-out nowhere", nothing, "--held-out"),
    mistake("build --held-out held-out --out - --record", nothing, "record --board FILE"),
    mistake("build --held-out held-out --strict", no_bundle, "--strict"),
    mistake("build --held-out held-out --generated-at today", nothing, "--generated-at"),
    mistake("verify", no_config, "--form-only"),
    mistake("verify", changed_board, "gmat-leaderboard build --out -"),
    mistake("verify", bad_board, "gmat-leaderboard schema board"),
    mistake("verify --explain X-NONE", nothing, "--explain all"),
    mistake("render", bad_board, "gmat-leaderboard verify --form-only"),
    mistake("render", nothing, "--held-out"),
    mistake("render --out mine", |w| w.write("mine/notes.txt", ""), "--out DIR"),
    mistake("render --templates mine", |w| w.write("mine/index.html", "{{ x "), "--templates"),
    mistake("site", no_seeds, "gmat-leaderboard build --allow-empty"),
    mistake("site --held-out held-out --out mine", |w| w.write("mine/notes.txt", ""), "--out DIR"),
    mistake("site --held-out held-out --generated-at today", nothing, "--generated-at"),
    mistake("serve --port 0", no_config, "--root DIR"),
    mistake("serve --port 0", bad_board, "gmat-leaderboard verify --form-only"),
    mistake("demo mine", |w| w.write("mine/board/seeds.json", "{}"), "gmat-leaderboard demo DIR"),
    mistake("diff run.json run.json", nothing, "gmat-leaderboard verify --form-only run.json"),
    mistake("check leaderboard/bundles/careful --add", nothing, "--add"),
    mistake("check leaderboard/bundles/careful --add", no_config, "--config FILE"),
    mistake("check leaderboard/bundles/careful", no_config, "--root DIR"),
    mistake("init", nothing, "gmat-leaderboard site"),
    mistake("publish --space me/board", nothing, "gmat-leaderboard fetch --dataset owner/name"),
    mistake("doctor", no_config, "--root DIR"),
    mistake("doctor", nothing, "--dataset"),
    mistake("record", nothing, "--board leaderboard/leaderboard.json"),
    mistake("record other.json", recorded, "history retract r1 --reason TEXT"),
    mistake("history", torn_ledger, "gmat-leaderboard record --repair"),
    mistake("record --board leaderboard/leaderboard.json", nothing, "--held-out"),
    mistake("record other.json --now 2026-01-01T00:00:00Z", recorded, "--now"),
    mistake("history", nothing, "gmat-leaderboard record run.json"),
    mistake("history --model other", recorded, "gmat-leaderboard history"),
    mistake("history retract none --reason mistake", recorded, "gmat-leaderboard history --json"),
    mistake("weekly", nothing, "gmat-leaderboard record run.json"),
    mistake("rank", no_board, "--root"),
    mistake("rank unclear.txt", nothing, "--from trec_eval"),
    mistake("rank object.json", nothing, "--from"),
    mistake("rank search.txt", nothing, "--from ranking"),
    mistake("rank cells.csv", nothing, "--measure NAME:lower"),
    mistake("rank cells.csv", twice, "--duplicates first"),
    mistake("stats cells.csv --on-missing error", third_topic, "--on-missing fill"),
    mistake("group object.json --on model", nothing, "--from"),
    mistake("trend unclear.txt", nothing, "--from ir_measures_q"),
    mistake("compare a zz cells.csv", nothing, "rank"),
    mistake("export cells.csv --to trec_eval", nothing, "--output DIR/"),
    mistake("correlate cells.csv unclear.txt", nothing, "--judge-from trec_eval"),
    mistake("correlate cells.csv texts --judge-from trec_eval", texts, "--truth-measure"),
    mistake("correlate cells.csv cells.csv", twice, "--duplicates first"),
    mistake("correlate cells.csv judge.csv --on-missing error", third_topic, "--on-missing skip"),
    mistake("correlate cells.csv judge.csv --aggregates keep", nothing, "--aggregates recompute"),
];

fn world() -> World {
    let world = World::new();
    copy(&frozen().join("board"), &world.path(""));
    copy(&frozen().join("board"), &world.path("elsewhere"));
    copy(&frozen().join("held-out"), &world.path("held-out"));
    let run = |score: &str| {
        format!(
            r#"{{"run_id":"r1","run_at":"2026-05-04T12:00:00Z","model":"m","aggregate_score":{score}}}"#
        )
    };
    world.write("run.json", run("0.5"));
    world.write("other.json", run("0.75"));
    world.write("object.json", "{\"x\": 1}");
    world.write("unclear.txt", "a 1 0.5\nb 1 0.75\n");
    world.write("search.txt", "q1 Q0 d1 1 0.5 mine\nq1 Q0 d2 2 0.25 mine\n");
    world.write("cells.csv", "run,topic,value\na,1,0.5\na,2,0.25\nb,1,0.75\nb,2,0.5\n");
    world.write("judge.csv", "run,topic,value\na,1,0.5\na,2,0.5\nb,1,0.75\nb,2,0.5\n");
    world
}

/// A printed recommendation.
#[derive(Debug, PartialEq, Eq)]
enum Hint<'a> {
    /// A whole call, without the program's name.
    Call(&'a str),
    /// Flags to add, with their values.
    Add(&'a str),
    /// A flag that is only named.
    Named(&'a str),
}

/// The hints of one printed line.
fn hints<'a>(line: &'a str, program: &clap::Command) -> Vec<Hint<'a>> {
    if let Some(call) = line.strip_prefix("next: gmat-leaderboard ") {
        return vec![Hint::Call(call)];
    }
    let mut hints = Vec::new();
    let mut before = "";
    for (at, part) in line.split('`').enumerate() {
        if at % 2 == 0 {
            hints.extend(flags_in(part).into_iter().map(Hint::Named));
            before = part.trim_end();
            continue;
        }
        let call = part.strip_prefix("gmat-leaderboard ");
        let first = part.split(' ').next().unwrap_or_default();
        if let Some(call) = call {
            hints.push(Hint::Call(call));
        } else if part.contains(' ') && program.find_subcommand(first).is_some() {
            hints.push(Hint::Call(part));
        } else if let Some(flag) = part.strip_prefix("--") {
            let drops = ["leave", "leave out", "without"].iter().any(|word| before.ends_with(word));
            match flag.split_once(' ') {
                Some((flag, _)) if drops => hints.push(Hint::Named(flag)),
                Some(_) => hints.push(Hint::Add(part)),
                None => hints.push(Hint::Named(flag)),
            }
        }
    }
    hints
}

/// The command that `args` call.
fn called<'a>(program: &'a clap::Command, args: &[&str]) -> &'a clap::Command {
    args.iter().fold(program, |command, word| command.find_subcommand(word).unwrap_or(command))
}

/// `args` with the flags of `hint` set as it says.
fn with<'a>(args: &[&'a str], hint: &'a str) -> Vec<&'a str> {
    let words: Vec<&str> = hint.split(' ').collect();
    let mut result = Vec::new();
    let mut skip = false;
    for word in args {
        if std::mem::take(&mut skip) {
            continue;
        }
        skip = word.starts_with("--") && words.contains(word);
        if !skip {
            result.push(*word);
        }
    }
    result.extend(words);
    result
}

/// `args` with real values where a hint has placeholders.
fn filled<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let before = [&[""], args].concat();
    let fill = |(word, before): (&&'a str, &&str)| match (*before, *word) {
        ("--held-out", "DIR") => "held-out",
        ("--root", "DIR") => "elsewhere",
        ("--config", "FILE") => "elsewhere/seeds.json",
        (_, "FILE") => BOARD,
        (_, "DIR") => "new",
        (_, "DIR/") => "new/",
        (_, "NAME:lower") => "value:lower",
        (_, "NAME:higher") => "value:higher",
        (_, "TEXT") => "mistake",
        (_, word) => word,
    };
    args.iter().zip(&before).map(fill).collect()
}

fn program() -> clap::Command {
    let mut program = gmat_leaderboard::internals::cli::command();
    program.build();
    program
}

/// The call that follows `hint`, which `args` printed; `None` if the hint only names a flag.
fn followed<'a>(
    hint: &Hint<'a>,
    args: &[&'a str],
    program: &clap::Command,
) -> Result<Option<Vec<&'a str>>, String> {
    let mut known = BTreeSet::from(["help".to_owned(), "version".to_owned()]);
    flags(called(program, args), &mut known);
    let next = match hint {
        Hint::Named(flag) if known.contains(*flag) => return Ok(None),
        Hint::Named(flag) => return Err(format!("the command has no --{flag}")),
        Hint::Add(hint) => with(args, hint),
        Hint::Call(call) => call.split(' ').collect(),
    };
    let next = filled(&next);
    let words = ["gmat-leaderboard"].iter().chain(&next).map(OsString::from);
    match gmat_leaderboard::internals::cli::parse(words) {
        Ok(_) => Ok(Some(next)),
        Err(error) => Err(format!("{next:?} is not a call: {error}")),
    }
}

/// What is wrong with following a hint of a `help:` line by the call `next`.
fn fault(next: &[&str], hint: &Hint<'_>, error: &str, world: &World) -> Option<String> {
    // `serve` would wait for a reader, `fetch` for the network, and `demo` has its own tests.
    if ["serve", "fetch", "demo"].contains(&next[0]) {
        return None;
    }
    let ran = world.run(next);
    let is_refused = match hint {
        Hint::Call(_) => ran.code == 2,
        _ => ran.stderr.contains(error),
    };
    is_refused.then(|| format!("{next:?}: {}", ran.stderr))
}

#[test]
fn every_printed_hint_works_on_the_command_that_printed_it() {
    let program = program();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for mistake in MISTAKES {
        let args: Vec<&str> = mistake.call.split(' ').collect();
        let first = world();
        (mistake.spoil)(&first);
        let ran = first.run(&args);
        let printed = ran.both();
        let error = ran.stderr.lines().find(|line| line.starts_with("error")).unwrap_or("error");
        let mut seen: Vec<Hint<'_>> = Vec::new();
        for line in printed.lines() {
            for hint in hints(line, &program) {
                if seen.contains(&hint) {
                    continue;
                }
                let fault = match followed(&hint, &args, &program) {
                    Ok(Some(next)) if line.starts_with("help: ") => {
                        let world = world();
                        (mistake.spoil)(&world);
                        fault(&next, &hint, error, &world)
                    }
                    Ok(_) => None,
                    Err(fault) => Some(fault),
                };
                if let Some(fault) = fault {
                    wrong.push(format!("`{}` recommends {hint:?}: {fault}", mistake.call));
                }
                seen.push(hint);
            }
        }
        tried += seen.len();
        let expected = mistake.hint.trim_start_matches("gmat-leaderboard ");
        let is_there = seen.iter().any(|hint| match hint {
            Hint::Call(text) | Hint::Add(text) => text.starts_with(expected),
            Hint::Named(flag) => expected.strip_prefix("--") == Some(flag),
        });
        if !is_there && !printed.contains(&format!("`{expected}`")) {
            wrong.push(format!("`{}` does not recommend {expected}:\n{printed}", mistake.call));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 60, "{tried} hints tried");
}

#[test]
fn a_hint_that_its_command_does_not_take_is_found() {
    let program = program();
    let line = "help: pass `--drop-headlines`, `--from nonsense`, `history retract r1` or --port";
    let faults: Vec<String> = hints(line, &program)
        .iter()
        .filter_map(|hint| followed(hint, &["rank", "cells.csv"], &program).err())
        .collect();
    assert_eq!(faults.len(), 4, "{faults:?}");
    assert_eq!(faults[0], "the command has no --drop-headlines");
    assert!(faults[1].contains("invalid value 'nonsense'"), "{}", faults[1]);
    assert!(faults[2].contains("--reason"), "{}", faults[2]);
    assert_eq!(faults[3], "the command has no --port");
}
