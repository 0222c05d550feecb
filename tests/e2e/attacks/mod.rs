//! What an entrant, a maintainer, an outsider or a machine can feed the program, one row each:
//! the named code comes first among those of its row, every further one is an expected
//! consequence, and the exit code is right.
//!
//! A tampered board is spelt canonically again unless the attack is about spelling, so that no
//! check gets its catch for free.

#![allow(
    clippy::needless_for_each,
    clippy::print_stderr,
    clippy::too_many_lines,
    reason = "tables of one-line attacks; what is skipped is reported"
)]

mod alone;
mod bundles;
mod desk;
mod files;
mod leaks;
mod pass;
mod property;
mod sealed;
mod shape;
mod tamper;
mod values;

use crate::harness::{Ran, World, board_world};
use crate::module;
use desk::{BOARD, SECRETS};

/// Attacks that nothing offline can refute.
const SKIPPED: &[(&str, &str)] = &[
    ("H06 rebuilt", "votes all true cannot be refuted offline; pages say who recorded them"),
    ("H12 rebuilt", "unreadable votes count as recorded; pages show how many were"),
];

#[test]
fn what_is_not_tested_is_named() {
    for (id, why) in SKIPPED {
        eprintln!("open: {id}: {why}");
    }
}

/// What is run on the manipulated world.
#[derive(Clone, Copy)]
enum Call {
    /// `verify` without held-out bundles.
    Verify,
    /// `verify --held-out`.
    Gated,
    /// `build --held-out`; nothing may be written.
    Build,
    /// `build`, which must refuse; then the board a careless tool would have made of the bundles,
    /// which `verify` must refuse for the same reason.
    Both,
    /// Anything else.
    Args(&'static [&'static str]),
}

/// One attack.
struct Case {
    id: &'static str,
    call: Call,
    exit: i32,
    /// The first code reported of the row, and a part of its place.
    first: (&'static str, &'static str),
    /// Every other code that is reported.
    then: &'static [&'static str],
    attack: fn(&World),
}

/// An attack on the board that `verify` must refuse.
const fn verify(
    id: &'static str,
    first: (&'static str, &'static str),
    then: &'static [&'static str],
    attack: fn(&World),
) -> Case {
    Case { id, call: Call::Verify, exit: 1, first, then, attack }
}

/// One finding or failure as it was printed.
#[derive(Debug)]
struct Reported {
    code: String,
    place: String,
    is_note: bool,
    /// All its lines.
    text: String,
}

fn reported(ran: &Ran) -> Vec<Reported> {
    let mut all: Vec<Reported> = Vec::new();
    for line in ran.stdout.lines().chain(ran.stderr.lines()) {
        let head = ["finding[", "error[", "note["]
            .into_iter()
            .find_map(|word| Some((word, line.strip_prefix(word)?.split_once("]: ")?.0)));
        if let Some((word, code)) = head {
            let (code, place) = (code.to_owned(), String::new());
            all.push(Reported { code, place, is_note: word == "note[", text: line.to_owned() });
        } else if let Some(last) = all.last_mut() {
            last.text += &format!("\n{line}");
            if let Some(place) = line.strip_prefix("  --> ") {
                place.clone_into(&mut last.place);
            }
        }
    }
    all
}

/// The row a place belongs to, or the whole board.
fn row(place: &str) -> &str {
    let end = place.find("entries[").and_then(|from| Some((from, from + place[from..].find(']')?)));
    end.map_or("", |(from, to)| &place[from..=to])
}

/// Runs every case in a world of its own and tells all that went otherwise at once.
fn run_all(cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let world = board_world();
        (case.attack)(&world);
        let is_build = matches!(case.call, Call::Build);
        // Not otherwise: one attack makes the board 5 GB long.
        let before = is_build.then(|| std::fs::read(world.path(BOARD)).ok());
        match case.call {
            Call::Verify => check_both(case, &world, &mut wrong),
            Call::Gated => check(case, &world.run(&desk::GATED), &mut wrong),
            Call::Build => check(case, &world.run(&desk::BUILD), &mut wrong),
            Call::Args(args) => check(case, &world.run(args), &mut wrong),
            Call::Both => {
                check(case, &world.run(&desk::BUILD), &mut wrong);
                if case.exit == 1 {
                    desk::forge(&world);
                }
                check_both(case, &world, &mut wrong);
            }
        }
        if before.is_some_and(|before| std::fs::read(world.path(BOARD)).ok() != before) {
            wrong.push(format!("{}: the board was changed", case.id));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} went otherwise:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
    eprintln!("{} attacks", cases.len());
}

/// A board that `verify` refuses, and the codes of what it prints.
pub struct Refused {
    pub id: &'static str,
    pub world: World,
    pub findings: Vec<String>,
    /// Of bundles, a config or a board that cannot be read.
    pub failures: Vec<String>,
}

/// Tampered boards, bundles and configs in turn, for the page that checks them.
pub fn refused() -> impl Iterator<Item = Refused> {
    let tables = [
        alone::OF_A_BOARD,
        alone::OF_A_BUNDLE,
        values::VALUES,
        values::ROWS,
        values::TOUCHED_BUNDLES,
    ];
    let cases = tables.into_iter().flatten();
    cases.filter(|case| matches!(case.call, Call::Verify | Call::Both)).map(|case| {
        let world = board_world();
        (case.attack)(&world);
        if matches!(case.call, Call::Both) && case.exit == 1 {
            desk::forge(&world);
        }
        let (findings, failures): (Vec<_>, Vec<_>) = reported(&world.run(&desk::VERIFY))
            .into_iter()
            .filter(|it| !it.is_note)
            .partition(|it| it.text.starts_with("finding["));
        let [findings, failures] =
            [findings, failures].map(|all| all.into_iter().map(|it| it.code).collect());
        Refused { id: case.id, world, findings, failures }
    })
}

/// Checks what `verify` finds, and that the module for browsers finds the same.
fn check_both(case: &Case, world: &World, wrong: &mut Vec<String>) {
    let ran = world.run(&desk::VERIFY);
    check(case, &ran, wrong);
    let Some(answer) = module::verify(&world.path("board"), "board/") else { return };
    let all = reported(&ran);
    let program = module::Findings::new(
        all.iter().map(|it| (it.is_note, it.code.as_str(), it.place.as_str())),
    );
    let browser = module::Findings::of_answer(&answer);
    if program != browser {
        wrong.push(format!(
            "{}: in a browser {browser:?}, on the command line {program:?}; after a change of the core, run scripts/wasm",
            case.id
        ));
    }
}

fn check(case: &Case, ran: &Ran, wrong: &mut Vec<String>) {
    let all = reported(ran);
    let deciding: Vec<&Reported> = all.iter().filter(|reported| !reported.is_note).collect();
    let (code, place) = case.first;
    let of_row = |reported: &&&Reported| reported.place.contains(row(place));
    let first = deciding
        .iter()
        .find(of_row)
        .map(|reported| (reported.code.as_str(), reported.place.as_str()));
    let mut codes: Vec<&str> = deciding.iter().map(|reported| reported.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut expected: Vec<&str> = case.then.iter().copied().chain([code]).collect();
    expected.sort_unstable();
    let good = first.is_some_and(|(found, at)| found == code && at.contains(place))
        && codes == expected
        && ran.code == case.exit;
    let leaks = all.iter().filter(|reported| reported.code.starts_with("L-"));
    let quoted = leaks.filter(|reported| reported.text.contains("\n  published ")).count();
    let secret =
        SECRETS.iter().find(|text| ran.stderr.contains(**text) || ran.stdout.contains(**text));
    if !good || quoted > 0 || secret.is_some() {
        let seen: Vec<String> = deciding
            .iter()
            .map(|reported| format!("{} at {}", reported.code, reported.place))
            .collect();
        wrong.push(format!(
            "{}: wanted {} {code} at {place}, then {:?}\n  got {} {seen:#?}{}{}\n{}",
            case.id,
            case.exit,
            case.then,
            ran.code,
            if quoted > 0 { ", a leak with values" } else { "" },
            if secret.is_some() { ", a secret in the output" } else { "" },
            ran.stdout.chars().chain(ran.stderr.chars()).take(600).collect::<String>()
        ));
    }
}
