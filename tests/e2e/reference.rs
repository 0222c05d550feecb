//! The pages of docs/reference that are made from the code: every command and flag, every finding code.
//!
//! After a change: `UPDATE_SNAPSHOTS=1 cargo test --test e2e reference::`, then read the diff.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command};
use gmat_leaderboard::internals::cli::{SCHEMAS, TERMS, TOPICS, command};
use gmat_leaderboard::internals::domain::Code;
use gmat_leaderboard::internals::ui::hints::code_help;
use serde_json::Value;

use crate::schemas::schema;

#[test]
fn the_page_of_commands_lists_every_command_and_flag() {
    let mut command = command();
    command.build();
    let mut page = "# Commands\n\n\
        Made from the program's own `--help`. The task-oriented pages are listed in [README](../README.md),\n\
        words with a special meaning in the [glossary](../glossary.md).\n"
        .to_owned();
    let common: Vec<&Arg> = command.get_arguments().filter(|arg| arg.is_global_set()).collect();
    let exit = TOPICS.iter().find(|(name, _)| *name == "exit-codes").expect("a topic").1;
    let _ = write!(page, "\n## Exit codes\n\n```text\n{}\n```\n", exit.trim_end());
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
        A finding has a code, a place and a sentence. `gmat-leaderboard verify --explain CODE` prints the same. Words with a special\n\
        meaning are in the [glossary](../glossary.md). Letters: `E` a number or\n\
        name differs, `B` a bundle, `H` the ledger, `J` the JSON of a file, `L` a leak of the held-out set, `P` a path, `W` the disk.\n\n\
        | code | what it means | what to do |\n|---|---|---|\n"
        .to_owned();
    for code in Code::all() {
        let _ =
            writeln!(page, "| `{code}` | {} | {} |", cell(code.meaning()), cell(&code_help(code)));
    }
    same("findings.md", &page);
}

#[test]
fn the_page_of_json_lists_every_file_and_output() {
    let mut page = "# Files and JSON outputs\n\n\
        Made from the JSON Schemas. `gmat-leaderboard schema NAME` prints one, for a validator or an editor. Words with a special meaning\n\
        are in the [glossary](../glossary.md).\n\n| name | describes |\n|---|---|\n"
        .to_owned();
    for (name, of) in SCHEMAS {
        let link = if *name == "config" { "config.md".to_owned() } else { format!("#{name}") };
        let _ = writeln!(page, "| [`{name}`]({link}) | {} |", cell(of));
    }
    for (name, of) in SCHEMAS.iter().filter(|(name, _)| *name != "config") {
        let schema = schema(name);
        let about = schema["description"].as_str().expect("a description");
        let _ = write!(page, "\n## {name}\n\n{}: {}\n", cell(of), cell(about));
        tables(&schema, &mut page);
    }
    same("json.md", &page);
}

#[test]
fn the_page_of_the_config_lists_every_key() {
    let mut page = "# seeds.json\n\n\
        The config is `seeds.json` below the root, or `leaderboard/seeds.json`; having both is an error. An unknown key is an error that\n\
        names the nearest known one; keys that start with `x-` are yours. Every problem is reported at once, with line, column and key path.\n\
        `render` publishes the file as `v1/config.json`, because a board is checked against it: keep secrets out of it.\n\
        This page is made from the JSON Schema that `gmat-leaderboard schema config` prints. Words with a special meaning are in the\n\
        [glossary](../glossary.md).\n"
        .to_owned();
    tables(&schema("config"), &mut page);
    page += "\n## A seed\n\n```json\n{\n  \"provider\": \"github\",\n  \"model\": \"acme/orbit-2\",\n  \
        \"public_bundle\": \"leaderboard/bundles/orbit-2\",\n  \"about\": {\n    \"name\": \"Orbit 2\", \"organization\": \"Acme\", \"weights\": \"open\",\n    \
        \"parameters\": \"70B\", \"released\": \"2026-03\", \"url\": \"https://example.org/orbit-2\"\n  }\n}\n```\n";
    same("config.md", &page);
}

#[test]
fn the_glossary_lists_every_term() {
    let mut page = "# Glossary\n\n\
        What the words mean that this program uses in its own way. `gmat-leaderboard help terms` prints the same.\n"
        .to_owned();
    assert!(TERMS.is_sorted(), "sort the terms");
    for (term, meaning) in TERMS {
        let _ = write!(page, "\n## {term}\n\n{}\n", escape(meaning));
    }
    same("../glossary.md", &page);
}

/// Adds the keys of a schema, those of its parts after its own.
fn tables(schema: &Value, page: &mut String) {
    let parts = schema["$defs"].as_object().into_iter().flatten();
    let named = parts.map(|(name, part)| (Some(name.as_str()), part));
    for (name, part) in [(None, schema)].into_iter().chain(named) {
        let Some(keys) = part["properties"].as_object() else { continue };
        if let Some(name) = name {
            let _ = write!(page, "\n`{name}`:\n");
        }
        *page += "\n| key | type | meaning |\n|---|---|---|\n";
        for (key, of) in keys {
            let is_required =
                part["required"].as_array().is_some_and(|names| names.iter().any(|it| it == key));
            let optional = if is_required { "" } else { ", optional" };
            let about = of["description"].as_str().unwrap_or_default();
            let _ = writeln!(page, "| `{key}` | {}{optional} | {} |", cell(&kind(of)), cell(about));
        }
    }
}

/// What a value is, in words.
fn kind(of: &Value) -> String {
    if let Some(name) = of["$ref"].as_str() {
        return format!("`{}`", name.trim_start_matches("#/$defs/"));
    }
    if let Some(value) = of.get("const") {
        return format!("`{value}`");
    }
    if let Some(values) = of["enum"].as_array() {
        return values.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" or ");
    }
    if let Some(parts) = of["anyOf"].as_array() {
        return parts.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    let one = |name: &str| match name {
        "array" => format!("array of {}", kind(&of["items"])),
        "object" if of["additionalProperties"].is_object() => {
            format!("object of {}", kind(&of["additionalProperties"]))
        }
        other => other.to_owned(),
    };
    match &of["type"] {
        Value::String(name) => one(name),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            names.map(one).collect::<Vec<_>>().join(" or ")
        }
        _ => "any".to_owned(),
    }
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
    if let Some(more) = command.get_after_long_help() {
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
