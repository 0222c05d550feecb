//! The direction of the house is a test, not a hope: core ← edge ← cli.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Room, and the rooms it may name. A room may always name itself.
const MAY_KNOW: &[(&str, &[&str])] = &[
    // core
    ("json", &[]),
    ("domain", &["json"]),
    ("gmat", &["domain"]),
    ("replay", &["domain", "json", "gmat"]),
    ("table", &["domain", "json"]),
    ("firewall", &["domain", "json", "replay"]),
    ("board", &["domain", "json", "gmat", "replay", "table", "firewall"]),
    ("import", &["domain", "json", "table"]),
    ("seal", &["domain", "json", "board", "ledger"]),
    ("compat", &["domain", "json", "table", "import"]),
    ("ledger", &["domain", "json", "table", "board", "import"]),
    ("facts", &["domain", "json", "replay", "table", "board", "import", "ledger"]),
    // edge
    ("fs", &["domain", "json"]),
    ("site", &CORE),
    ("workspace", &EDGE),
    ("serve", &EDGE),
    ("hub", &EDGE),
    ("models", &EDGE),
    ("notify", &EDGE),
    // cli
    ("cli", &EVERY),
    ("ui", &EVERY),
    ("commands", &EVERY),
];
const CORE: [&str; 12] = [
    "json", "domain", "gmat", "replay", "table", "firewall", "board", "import", "compat", "ledger",
    "facts", "seal",
];
const EDGE: [&str; 19] = [
    "json",
    "domain",
    "gmat",
    "replay",
    "firewall",
    "board",
    "table",
    "import",
    "compat",
    "ledger",
    "facts",
    "seal",
    "fs",
    "workspace",
    "site",
    "serve",
    "hub",
    "models",
    "notify",
];
const EVERY: [&str; 22] = [
    "json",
    "domain",
    "gmat",
    "replay",
    "firewall",
    "board",
    "table",
    "import",
    "compat",
    "ledger",
    "facts",
    "seal",
    "fs",
    "workspace",
    "site",
    "serve",
    "hub",
    "models",
    "notify",
    "cli",
    "ui",
    "commands",
];

/// What the pure rooms never name.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::time",
    "fs_err",
    "walkdir",
    "ureq",
    "println!",
    "eprintln!",
    "print!(",
    "SystemTime",
    "Timestamp::now",
    "Zoned::now",
];

fn sources() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let entry = entry.expect("src can be walked");
        let is_code = entry.path().extension().is_some_and(|extension| extension == "rs");
        if is_code && entry.file_name() != "tests.rs" {
            let below = entry.path().strip_prefix(&root).expect("below src").to_owned();
            let first = below.components().next().expect("a name").as_os_str().to_string_lossy();
            let name = first.trim_end_matches(".rs").to_owned();
            files.push((name, below, std::fs::read_to_string(entry.path()).expect("readable")));
        }
    }
    files
}

/// The code without its tests: test modules are at the end of a file.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

fn rooms_named(text: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or_default(),
            None => {
                rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
            }
        };
        for name in names.split(',') {
            let room = name.trim().split("::").next().unwrap_or_default();
            if EVERY.contains(&room) {
                rooms.insert(room.to_owned());
            }
        }
    }
    rooms
}

#[test]
fn a_room_names_only_rooms_of_its_own_floor_or_below() {
    let mut wrong = Vec::new();
    for (room, file, text) in sources() {
        if ["lib", "main", "internals", "testing"].contains(&room.as_str()) {
            continue;
        }
        let Some((_, allowed)) = MAY_KNOW.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{}: room `{room}` is not in the table", file.display()));
            continue;
        };
        for named in rooms_named(without_tests(&text)) {
            if named != room && !allowed.contains(&named.as_str()) {
                wrong.push(format!("{}: `{room}` names `{named}`", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_core_is_pure() {
    let mut wrong = Vec::new();
    for (room, file, text) in sources() {
        // ExitCode is a value; only `domain/exit.rs` may name where it comes from.
        if !CORE.contains(&room.as_str()) || file.ends_with("domain/exit.rs") {
            continue;
        }
        for word in IMPURE {
            if without_tests(&text).contains(word) {
                wrong.push(format!("{}: names `{word}`", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let silent: Vec<String> = sources()
        .into_iter()
        .filter(|(_, _, text)| !text.starts_with("//! "))
        .map(|(_, file, _)| file.display().to_string())
        .collect();
    assert!(silent.is_empty(), "no `//!` at the top of: {}", silent.join(", "));
}

#[test]
fn only_ui_prints() {
    let wrong: Vec<String> = sources()
        .into_iter()
        .filter(|(room, _, text)| {
            let text = without_tests(text);
            room != "ui"
                && ["println!", "eprintln!", "io::stdout()", "io::stderr()"]
                    .iter()
                    .any(|w| text.contains(w))
        })
        .map(|(_, file, _)| file.display().to_string())
        .collect();
    assert!(wrong.is_empty(), "prints: {}", wrong.join(", "));
}

#[test]
fn each_command_has_one_file_or_folder() {
    let line = gmat_leaderboard::internals::cli::command();
    let shown = line.get_subcommands().filter(|command| !command.is_hide_set());
    let commands: BTreeSet<String> = shown.map(|command| command.get_name().to_owned()).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("src/commands can be listed")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .filter(|name| name != "mod")
        .collect();
    assert_eq!(files, commands, "left: names in src/commands; right: commands");
}

/// Names that two rooms may both export, because each is the plain word of its own format.
const SHARED_NAMES: &[&str] = &["Ranking", "Severity", "Trend", "Value"];

#[test]
fn types_that_rooms_export_have_unique_names() {
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (room, file, text) in sources() {
        // The types of `cli` are the arguments of commands and carry their names.
        if room == "cli" || file != Path::new(&room).join("mod.rs") {
            continue;
        }
        for (at, _) in text.match_indices("pub ").chain(text.match_indices("pub(crate) ")) {
            let item = text[at..].trim_start_matches("pub(crate) ").trim_start_matches("pub ");
            let end = if item.starts_with("use ") { ';' } else { '{' };
            let is_export =
                ["use ", "struct ", "enum ", "type "].iter().any(|w| item.starts_with(w));
            let head = item.split(end).next().unwrap_or_default();
            let words = head.split(|c: char| !c.is_alphanumeric() && c != '_');
            let is_type = |word: &&str| {
                word.starts_with(|c: char| c.is_ascii_uppercase())
                    && word.contains(|c: char| c.is_ascii_lowercase())
            };
            for name in words.filter(is_type).filter(|_| is_export) {
                rooms.entry(name.to_owned()).or_default().insert(room.clone());
            }
        }
    }
    let twice: Vec<_> = rooms
        .into_iter()
        .filter(|(name, rooms)| rooms.len() > 1 && !SHARED_NAMES.contains(&name.as_str()))
        .collect();
    assert!(twice.is_empty(), "exported by several rooms: {twice:?}");
}

/// Other people's programs that the core may advise to run.
const OTHER_PROGRAMS: &[&str] =
    &["gh ", "git ", "iconv ", "inspect ", "ir_measures ", "minisign ", "trec_eval "];

/// Where the core writes the name of the program into a file it makes, as its author.
const NAMES_THE_AUTHOR: &[&str] = &["ledger/sql.rs"];

/// What `text` says in backticks that only a command line understands.
fn calls_of_the_program(text: &str, commands: &[String]) -> Vec<String> {
    // The parts of a line between backticks are those with an odd number.
    let spans = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let spans = spans.flat_map(|line| line.split('`').enumerate());
    let is_flag = |span: &str| {
        span.match_indices("--").any(|(at, _)| {
            span[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
                && !span[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-')
        })
    };
    let is_call = |quoted: bool, span: &str| {
        let mut words = span.split(' ');
        let command = words.next().filter(|word| quoted && commands.iter().any(|it| it == word));
        command.is_some() && words.next().is_some()
    };
    let is_other = |span: &str| OTHER_PROGRAMS.iter().any(|program| span.starts_with(program));
    spans
        .map(|(number, span)| (number % 2 == 1, span))
        .filter(|(quoted, span)| is_flag(span) || is_call(*quoted, span))
        .filter(|(quoted, span)| !(*quoted && is_other(span)))
        .map(|(_, span)| span.trim().to_owned())
        .collect()
}

#[test]
fn the_core_names_no_command_or_flag() {
    let line = gmat_leaderboard::internals::cli::command();
    let mut commands: Vec<String> =
        line.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    commands.push("gmat-leaderboard".to_owned());
    let named = |text: &str| calls_of_the_program(text, &commands);
    // The rule can fail, and lets the rest pass.
    for wrong in ["\"pass `--out -`\"", "\"`freeze FILE` writes it\"", "\"given with --out\""] {
        assert_eq!(named(wrong).len(), 1, "{wrong}");
    }
    for right in ["\"see `git diff --check`\"", "\"`check` is a key\"", "// `build --strict`"] {
        assert_eq!(named(right), [""; 0], "{right}");
    }
    let mut wrong = Vec::new();
    for (room, file, text) in sources() {
        let is_author = NAMES_THE_AUTHOR.iter().any(|name| file.ends_with(name));
        if CORE.contains(&room.as_str()) && !is_author {
            let spans = named(without_tests(&text)).into_iter();
            wrong.extend(spans.map(|span| format!("{}: {span}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "these words belong into ui/hints.rs:\n{}", wrong.join("\n"));
}
