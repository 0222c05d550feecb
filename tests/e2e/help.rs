//! `-h` of every command fits a screen, and the examples of `--help` are calls that work.

use clap::Command;
use gmat_leaderboard::internals::cli::command;

use crate::harness::World;

/// Every command that `--help` lists, with its path, the program itself first.
fn all() -> Vec<(String, Command)> {
    fn add(command: &Command, path: &str, into: &mut Vec<(String, Command)>) {
        into.push((path.to_owned(), command.clone()));
        for below in
            command.get_subcommands().filter(|it| it.get_name() != "help" || path.is_empty())
        {
            if !below.is_hide_set() {
                add(below, format!("{path} {}", below.get_name()).trim_start(), into);
            }
        }
    }
    let mut program = command().term_width(80);
    program.build();
    let mut commands = Vec::new();
    add(&program, "", &mut commands);
    commands
}

#[test]
fn the_short_help_of_every_command_fits_80_columns_and_40_lines() {
    let mut wrong = Vec::new();
    let commands = all();
    assert!(commands.len() > 40, "{}", commands.len());
    for (path, mut command) in commands {
        let text = command.render_help().to_string();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        let lines = text.lines().count();
        if lines > 40 || widest > 80 {
            wrong.push(format!("`{path} -h` has {lines} lines and {widest} columns"));
        }
        let has_examples = path.is_empty() || command.has_subcommands() || text.contains("Example");
        if !has_examples {
            wrong.push(format!("`{path} -h` has no example"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_long_help_lists_the_common_options_last() {
    for (path, mut command) in all().into_iter().skip(1) {
        let text = command.render_long_help().to_string();
        let common = text.find("\nCommon options:\n").unwrap_or_else(|| panic!("{path}"));
        let options = text[common..].split("\n\nExample").next().unwrap_or_default();
        let last = options.rfind("\n      --").map(|at| options[at..].trim());
        assert!(last.is_some_and(|last| last.starts_with("--color")), "{path}: {last:?}");
    }
}

/// The example calls of a command's help, as words.
fn examples(command: &mut Command) -> Vec<Vec<String>> {
    let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let text = text.replace("\\\n", " ");
    let calls = text.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("Example: ");
        let at = line.find("gmat-leaderboard ")?;
        let starts = at == 0 || line[..at].ends_with("| ") || line[..at].ends_with("&& ");
        starts.then(|| words(&line[at..]))
    });
    calls.collect()
}

/// The words of a shell command up to a pipe or a redirection; single and double quotes are removed.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            (None, '|' | '>' | '#') => break,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_example_is_a_call_that_the_program_takes() {
    let mut seen = 0;
    for (path, mut of) in all() {
        for call in examples(&mut of) {
            seen += 1;
            let parsed = command().try_get_matches_from(&call);
            assert!(parsed.is_ok(), "{path}: {call:?}\n{}", parsed.expect_err("refused"));
        }
    }
    assert!(seen > 90, "{seen} examples");
}

/// Commands whose examples run in an empty directory with a script; `analysis::` runs those of the
/// analysis commands.
const RUN: &[&str] = &["lint", "completions", "help", "man", "schema"];

#[test]
fn the_examples_of_looking_things_up_run() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let world = World::new();
    let script = std::fs::read(root.join("examples/scripts/misspelt.script")).expect("read");
    world.write("mission.script", &script);
    world.write("scripts/one.script", &script);
    let mut seen = 0;
    for (path, mut of) in all().into_iter().filter(|(path, _)| RUN.contains(&path.as_str())) {
        for call in examples(&mut of) {
            seen += 1;
            let call = call.join(" ").replace("scripts/*.script", "scripts/one.script");
            let args: Vec<&str> = call.split(' ').skip(1).collect();
            let ran = world.run(&args);
            // A finding is an answer, and the script has some.
            assert!(ran.code <= 1 && ran.code >= 0, "{path}: {call}\n{}", ran.stderr);
        }
    }
    assert!(seen > 10, "{seen} examples ran");
}
