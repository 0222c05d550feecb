//! The console blocks of README and docs show what the program prints: each is run.
//!
//! After a change of words: `UPDATE_SNAPSHOTS=1 cargo test --test e2e docs::`, then read the diff.

use std::path::{Path, PathBuf};
use std::process::Command;

use gmat_leaderboard::internals::replay::request_digest;
use serde_json::{Value, json};

use crate::harness::{World, copy};

/// Runs the commands of a page in a copy of the repository's board.
fn page(name: &str, prepare: fn(&World)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let world = World::new();
    std::fs::copy(root.join("seeds.json"), world.path("seeds.json")).expect("copied");
    for dir in ["leaderboard", "examples"] {
        copy(&root.join(dir), &world.path(dir));
    }
    prepare(&world);
    run(&root.join(name), &world, false);
}

/// Compares what the commands of `path` print with what the page shows. Commands without output are
/// run only if `all`: elsewhere they are examples that need other files.
fn run(path: &Path, world: &World, all: bool) {
    let text = std::fs::read_to_string(path).expect("a page");
    let mut made = String::new();
    let mut dir = world.path("");
    let mut seen = 0;
    for (at, part) in text.split("```console\n").enumerate() {
        let Some((block, rest)) = part.split_once("```").filter(|_| at > 0) else {
            made += part;
            continue;
        };
        made += "```console\n";
        // What a command prints may contain a dollar sign, but not at the start of a line.
        let Some(calls) = block.strip_prefix("$ ") else {
            made += &format!("{block}```{rest}");
            continue;
        };
        for call in calls.split_inclusive('\n').fold(Vec::new(), joined) {
            let mut end = call.find('\n').unwrap_or(call.len());
            while call[..end].ends_with('\\') {
                end += 1 + call[end + 1..].find('\n').expect("the end of the command");
            }
            let (command, shown) = call.split_at(end);
            made += &format!("$ {command}\n");
            let command = command.replace("\\\n", " ");
            if !all && shown.trim().is_empty() {
                made += shown.strip_prefix('\n').unwrap_or(shown);
                continue;
            }
            seen += 1;
            if let Some(below) = command.strip_prefix("cd ") {
                dir = dir.join(below);
            } else {
                made += &shorten(&printed(&command, &dir, world), shown.trim_start_matches('\n'));
            }
            if shown.ends_with("\n\n") {
                made += "\n";
            }
        }
        made += "```";
        made += rest;
    }
    assert!(seen > 0, "{} has no command with its output", path.display());
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, &made).expect("written");
    } else if let Some((shown, printed)) =
        text.lines().zip(made.lines()).find(|(shown, printed)| shown != printed)
    {
        panic!("{} shows\n{shown}\nand the program prints\n{printed}", path.display());
    }
}

/// Puts the lines of each command and its output together.
fn joined(mut calls: Vec<String>, line: &str) -> Vec<String> {
    match (line.strip_prefix("$ "), calls.last_mut()) {
        (None, Some(call)) => *call += line,
        (call, _) => calls.push(call.unwrap_or(line).to_owned()),
    }
    calls
}

/// What is printed, without the lines for which the page has a line `…`.
fn shorten(printed: &str, shown: &str) -> String {
    let shown: Vec<&str> = shown.trim_end().lines().collect();
    let Some(before) = shown.iter().position(|line| *line == "…") else {
        return printed.to_owned();
    };
    let after = shown.len() - before - 1;
    let printed: Vec<&str> = printed.lines().collect();
    let kept = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let (before, after) = (before.min(printed.len()), after.min(printed.len()));
    kept(&printed[..before]) + "…\n" + &kept(&printed[printed.len() - after..])
}

/// What a reader sees who types the command.
fn printed(command: &str, dir: &PathBuf, world: &World) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_gmat-leaderboard"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().expect("a directory").display());
    let command = command.split("   #").next().unwrap_or_default();
    let ran = Command::new("bash")
        .args(["-c", &format!("({command}) 2>&1")])
        .current_dir(dir)
        .env_clear()
        .env("PATH", path)
        .env("HOME", world.path(""))
        .output()
        .expect("bash runs");
    let text = String::from_utf8(ran.stdout).expect("text");
    if text.is_empty() { text } else { format!("{}\n", text.trim_end()) }
}

#[test]
fn the_tutorial_works_as_written() {
    let world = World::new();
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial.md"), &world, true);
    let board = world.read("my-board/leaderboard/leaderboard.json");
    let board: Value = serde_json::from_str(&board).expect("JSON");
    assert_eq!(board["entries"][0]["model"], "imaginary/kite-8b", "{board}");
    assert!(board["entries"][0]["held_out"]["pass_rate"].is_f64(), "{board}");
}

/// The answers and votes of a row as a recording tool would write them.
fn recorded(world: &World) {
    let read = |file: &str| -> Value {
        serde_json::from_str(&world.read(&format!("leaderboard/bundles/kite-8b/{file}")))
            .expect("JSON")
    };
    let (prompts, completions, votes) =
        (read("prompts.json"), read("completions.json"), read("judge.json"));
    let (mut answers, mut ballots) = (String::new(), String::new());
    for prompt in prompts.as_array().expect("prompts") {
        let digest = request_digest(prompt["request"].as_str().expect("a request"));
        let key = format!("demo:imaginary/kite-8b:{}", String::from_utf8_lossy(&digest));
        let id = prompt["id"].as_str().expect("an id");
        answers += &format!("{}\n", json!({"id": id, "text": completions[&key]["text"]}));
        ballots += &format!("{}\n", json!({"id": id, "votes": votes[id]}));
    }
    // A model that is not on the board.
    let mut config: Value = serde_json::from_str(&world.read("seeds.json")).expect("JSON");
    let seeds = config["seeds"].as_array_mut().expect("seeds");
    seeds.retain(|seed| seed["model"] != "imaginary/kite-8b");
    world.write("seeds.json", config.to_string());
    world.write("answers.jsonl", answers);
    world.write("votes.jsonl", ballots);
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    page("README.md", |_| {});
}

#[test]
fn the_page_of_analysis_shows_what_the_program_prints() {
    page("docs/analysis.md", |_| {});
}

#[test]
fn the_page_of_lint_shows_what_the_program_prints() {
    page("docs/lint.md", |world| {
        let script = "Create Spacecraft Sat\nSat.DriMass = 850\nCreate ImpulsiveBurn Burn\n\
            Burn.CoordinateSystem = Local\nBurn.Axes = VBN\nBeginMissionSequence\nManeuver Burn(Sat)\n";
        world.write("mission.script", script);
    });
}

#[test]
fn the_page_of_entrants_shows_what_the_program_prints() {
    page("docs/submit.md", recorded);
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = walkdir::WalkDir::new(root.join("docs"))
        .into_iter()
        .map(|it| it.expect("walked").into_path());
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for page in pages.chain(top).filter(|path| path.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|it| it.0)
        {
            if link.contains("://") {
                continue;
            }
            seen += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let to = if file.is_empty() {
                page.clone()
            } else {
                page.parent().expect("a directory").join(file)
            };
            let is_there =
                to.exists() && (anchor.is_empty() || anchors(&to).iter().any(|it| it == anchor));
            if !is_there {
                wrong.push(format!(
                    "{}: {link}",
                    page.strip_prefix(root).unwrap_or(&page).display()
                ));
            }
        }
    }
    assert!(seen > 40 && wrong.is_empty(), "{seen} links; dead: {wrong:#?}");
}

/// The anchors that a forge gives the headings of a page.
fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    headings
        .map(|heading| {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
            kept.map(|it| if it == ' ' { '-' } else { it }).collect()
        })
        .collect()
}
