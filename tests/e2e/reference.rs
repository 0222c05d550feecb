//! The pages of docs/reference that are made from the code: every command and flag, every finding code.
//!
//! After a change: `UPDATE_SNAPSHOTS=1 cargo test --test e2e reference::`, then read the diff.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command};
use gmat_leaderboard::internals::cli::command;
use gmat_leaderboard::internals::domain::Code;

#[test]
fn the_page_of_commands_lists_every_command_and_flag() {
    let mut command = command();
    command.build();
    let mut page = "# Commands\n\n\
        Made from the program's own `--help`. The task-oriented pages are listed in [README](../README.md).\n"
        .to_owned();
    let common: Vec<&Arg> = command.get_arguments().filter(|arg| arg.is_global_set()).collect();
    page += "\n## Options of every command\n\n";
    page += &options(&common);
    let mut count = 0;
    for known in shown(&command) {
        count += section(known, known.get_name(), 2, &mut page);
        for inner in shown(known) {
            let name = format!("{} {}", known.get_name(), inner.get_name());
            count += section(inner, &name, 3, &mut page);
        }
    }
    assert!(count > 150, "{count} options");
    same("commands.md", &page);
}

#[test]
fn the_page_of_findings_lists_every_code() {
    let mut page = "# Findings\n\n\
        A finding has a code, a place and a sentence. `gmat-leaderboard verify --explain CODE` prints the same. Letters: `E` a number or\n\
        name differs, `B` a bundle, `C` the config, `H` the ledger, `L` a leak of the held-out set, `P` a path, `W` the disk.\n\n\
        | code | what it means | what to do |\n|---|---|---|\n"
        .to_owned();
    for code in Code::all() {
        let _ = writeln!(page, "| `{code}` | {} | {} |", cell(code.meaning()), cell(code.help()));
    }
    same("findings.md", &page);
}

/// Commands that `--help` lists; clap's own `help` is not one of the program's.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|it| !it.is_hide_set() && it.get_name() != "help")
}

/// Adds one command to the page and returns the number of its own options.
fn section(command: &Command, name: &str, level: usize, page: &mut String) -> usize {
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").lines().map(str::trim).collect::<Vec<_>>();
    let _ = write!(
        page,
        "\n{} {name}\n\n{}.\n\n```text\n{}\n```\n",
        "#".repeat(level),
        escape(about.trim_end_matches('.')),
        usage.join("\n")
    );
    let own: Vec<&Arg> = command
        .get_arguments()
        .filter(|arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help")
        .collect();
    if !own.is_empty() {
        *page += "\n";
        *page += &options(&own);
    }
    if let Some(more) = command.get_after_help().or(command.get_after_long_help()) {
        let _ = write!(page, "\n```text\n{}\n```\n", more.to_string().trim_end());
    }
    own.len()
}

/// A table of options.
fn options(args: &[&Arg]) -> String {
    let mut table = "| option | what it does |\n|---|---|\n".to_owned();
    for arg in args {
        let help = arg.get_long_help().or(arg.get_help());
        let mut help = help.map(ToString::to_string).unwrap_or_default();
        let values: Vec<_> =
            arg.get_possible_values().iter().map(|it| it.get_name().to_owned()).collect();
        let takes_value = arg.get_action().takes_values();
        if takes_value && !values.is_empty() && !arg.is_hide_possible_values_set() {
            help += &format!("; one of `{}`", values.join("`, `"));
        }
        let default: Vec<_> =
            arg.get_default_values().iter().map(|it| it.to_string_lossy()).collect();
        if takes_value && !default.is_empty() && !arg.is_hide_default_value_set() {
            help += &format!(" (default `{}`)", default.join(" "));
        }
        assert!(!help.is_empty(), "{} has no help", arg.get_id());
        let _ = writeln!(table, "| `{}` | {} |", cell(&spelling(arg)), cell(&help));
    }
    table
}

/// `-o, --out FILE`, or `FILE` for an argument without a flag.
fn spelling(arg: &Arg) -> String {
    let flags =
        [arg.get_short().map(|it| format!("-{it}")), arg.get_long().map(|it| format!("--{it}"))];
    let flags: Vec<String> = flags.into_iter().flatten().collect();
    let names = arg.get_value_names().unwrap_or_default();
    let value = if arg.get_action().takes_values() { names.join(" ") } else { String::new() };
    [flags.join(", "), value].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

/// One line of a Markdown table.
fn cell(text: &str) -> String {
    escape(&text.split_whitespace().collect::<Vec<_>>().join(" ")).replace('|', "\\|")
}

/// `<` would begin a tag.
fn escape(text: &str) -> String {
    text.replace('<', "&lt;")
}

/// The committed page is this one.
fn same(name: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("created");
        std::fs::write(&path, page).expect("written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = committed.lines().zip(page.lines()).find(|(old, new)| old != new);
    assert!(
        committed == page,
        "docs/reference/{name} is out of date, first at {differing:?}: UPDATE_SNAPSHOTS=1 cargo test --test e2e reference::"
    );
}
