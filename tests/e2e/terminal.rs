//! Tables on terminals of several widths, and completion in real shells.

use std::process::{Command, Stdio};

use crate::harness::{World, board_world, finish};
use crate::need::skip;

/// What the program prints on a terminal of `columns` columns, made by `script`.
fn on_terminal(world: &World, columns: usize, args: &[&str]) -> Option<String> {
    let call = format!("stty rows 40 cols {columns} && {}", shell_words(world, args));
    called_on_terminal(world, &call, None)
}

/// The call of the program as a shell reads it.
fn shell_words(world: &World, args: &[&str]) -> String {
    let program = world.command(args);
    let words: Vec<String> = std::iter::once(program.get_program())
        .chain(program.get_args())
        .map(|word| format!("'{}'", word.to_string_lossy()))
        .collect();
    words.join(" ")
}

/// What `call` prints on a terminal of the kind `term`.
fn called_on_terminal(world: &World, call: &str, term: Option<&str>) -> Option<String> {
    let mut command = Command::new("script");
    command.args(["-qec", call, "/dev/null"]).current_dir(world.path("")).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    // What a shell may have exported about another terminal is not asked.
    command.env("COLUMNS", "33").env("NO_COLOR", "1").stdin(Stdio::null());
    command.envs(term.map(|term| ("TERM", term)));
    if Command::new("script").arg("--version").stdout(Stdio::null()).status().is_err() {
        skip("linux", "no `script` to make a terminal with");
        return None;
    }
    let ran = finish(&mut command, None);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    Some(ran.stdout.replace('\r', ""))
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

const IDS: [&str; 5] =
    ["demo:careful", "demo:steady", "demo:memoriser", "demo:careless", "demo:newcomer"];

#[test]
fn work_that_takes_more_than_half_a_second_shows_what_it_is_doing() {
    let world = World::new();
    let run = r#"{"runId":"r","runAt":"2026-02-01T00:00:00Z","model":"a:m","aggregateScore":0.5}"#;
    world.write("run.json", run);
    let record = shell_words(&world, &["record", "-"]);
    let late = format!("(sleep 1; cat run.json) | {record}");
    let Some(text) = called_on_terminal(&world, &late, Some("xterm")) else { return };
    assert!(text.contains(" reading ") && text.contains("recorded 1 run(s)"), "{text}");
    // Nothing of it where no person looks.
    let ran = world.run(&["rank", "--root", "."]);
    assert!(!ran.stderr.contains("building"), "{}", ran.stderr);
}

#[test]
fn a_table_takes_the_width_the_terminal_has() {
    let world = board_world();
    // With a baseline there is a column for the difference, and not all fit in 100.
    let mut config: serde_json::Value =
        serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    config["official_baselines"] = serde_json::json!(["demo:careful"]);
    world.write("board/seeds.json", config.to_string());
    let mut columns = Vec::new();
    for width in [60, 100, 180] {
        let Some(text) = on_terminal(&world, width, &["rank", "--root", "board"]) else { return };
        let table: Vec<&str> =
            text.lines().skip_while(|line| !line.contains("──")).take(6).collect();
        assert!(widest(&table.join("\n")) <= width, "{width}:\n{text}");
        for id in IDS {
            assert!(text.contains(id), "{width}, {id}:\n{text}");
        }
        let header = text.lines().find(|line| line.contains("Rank")).expect("a header");
        columns.push(header.split("  ").filter(|cell| !cell.trim().is_empty()).count());
    }
    assert!(columns[0] < columns[1] && columns[1] < columns[2], "{columns:?}");
}

#[test]
fn a_long_id_is_cut_only_where_the_terminal_is_too_narrow() {
    let world = World::new();
    let id = format!("run-{}", "a".repeat(50));
    world.write("runs.csv", format!("id,score\n{id},0.5\nb,0.25\n"));
    let rank = ["rank", "runs.csv"];
    let Some(narrow) = on_terminal(&world, 50, &rank) else { return };
    assert!(!narrow.contains(&id) && narrow.contains("run-aaaa"), "{narrow}");
    assert!(on_terminal(&world, 100, &rank).expect("a terminal").contains(&id));
}

#[test]
fn the_history_takes_the_width_the_terminal_has() {
    let world = World::new();
    let run = |id: &str, day: u8| {
        format!(
            r#"{{"run_id":"{id}","run_at":"2026-05-{day:02}T12:00:00Z","model":"acme:m","aggregate_score":0.5,"notes":"{}"}}"#,
            "a long note ".repeat(9)
        )
    };
    let ids = ["r".repeat(36), "s".repeat(36)];
    world.write("runs.jsonl", run(&ids[0], 4) + "\n" + &run(&ids[1], 5) + "\n");
    assert_eq!(world.run(&["record", "runs.jsonl"]).code, 0);
    for (width, whole_id, dropped) in [(60, false, true), (90, true, true), (260, true, false)] {
        let Some(text) = on_terminal(&world, width, &["history"]) else { return };
        assert!(widest(&text) <= width, "{width}:\n{text}");
        assert!(text.contains("0.500") && text.contains("rrrrrrr"), "{width}:\n{text}");
        assert_eq!(text.contains(&ids[0]), whole_id, "{width}:\n{text}");
        assert_eq!(text.contains("not fit; `--json` prints all"), dropped, "{width}:\n{text}");
    }
    let piped = world.run(&["history"]).stdout;
    assert!(piped.contains(&"a long note ".repeat(8)) && widest(&piped) > 200, "{piped}");
}

#[test]
fn what_is_piped_is_never_cut() {
    let world = board_world();
    let long = "m".repeat(70);
    world
        .write("runs.csv", format!("id,score,more,model\n{long},0.5,1,{long}-model\nb,0.25,2,c\n"));
    let mut command = world.command(&["rank", "runs.csv"]);
    let ran = finish(command.env("COLUMNS", "40"), None);
    assert!(ran.stdout.contains(&long) && !ran.stdout.contains('…'), "{}", ran.stdout);
    assert!(!ran.stdout.contains("not fit"), "{}", ran.stdout);
    let ran = world.run(&["rank", "--root", "board"]);
    assert!(!ran.stdout.contains("not fit") && !ran.stdout.contains('…'), "{}", ran.stdout);
    let ran = world.run(&["stats", "--root", "board"]);
    assert!(!ran.stdout.contains('…'), "{}", ran.stdout);
}

/// Runs `script` in a shell, with the completion script in the file `completion` and the program
/// on the path; `None` where the shell is missing.
fn in_shell(shell: &str, script: &str) -> Option<String> {
    if Command::new(shell).arg("--version").stdout(Stdio::null()).status().is_err() {
        skip("shells", &format!("no {shell} on PATH"));
        return None;
    }
    let world = World::new();
    let made = world.run(&["completions", shell]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let name = if shell == "zsh" { "_gmat-leaderboard" } else { "completion" };
    world.write(name, made.stdout);
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_gmat-leaderboard"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(shell);
    command.args(["-c", script]).current_dir(world.path("")).env_clear();
    command.env("PATH", format!("{}:{path}", program.parent().expect("a folder").display()));
    command.env("HOME", world.path("")).env("TERM", "xterm").stdin(Stdio::null());
    let ran = finish(&mut command, None);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    Some(ran.stdout)
}

#[test]
fn bash_completes_options_and_values() {
    let script = r#"
        . ./completion
        complete_line() {
            COMP_WORDS=($1 "$2"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _gmat__leaderboard gmat-leaderboard "$2" "${COMP_WORDS[COMP_CWORD-1]}"
            echo "[${COMPREPLY[*]}]"
        }
        complete_line "gmat-leaderboard rank" "--fr"
        complete_line "gmat-leaderboard rank --to" "mark"
        complete_line "gmat-leaderboard history change" "--ov"
        complete_line "gmat-leaderboard" "ver""#;
    let Some(said) = in_shell("bash", script) else { return };
    assert_eq!(said, "[--from]\n[markdown]\n[--over]\n[verify]\n");
}

#[test]
fn fish_completes_options_and_values() {
    let script = r#"
        source ./completion
        complete -C "gmat-leaderboard rank --fr" | string split -f1 \t
        complete -C "gmat-leaderboard rank --to mark" | string split -f1 \t"#;
    let Some(said) = in_shell("fish", script) else { return };
    assert_eq!(said, "--from\nmarkdown\n");
}

#[test]
fn zsh_completes_options_and_values() {
    // A second zsh on a terminal of its own, which is typed into.
    let script = r#"
        zmodload zsh/zpty
        zpty inner zsh -f -i
        zpty -w inner 'PS1= RPS1=; stty -echo; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D'
        zpty -w inner 'say() { print -r -- "<$BUFFER>"; BUFFER=; zle accept-line }; zle -N say; bindkey "^X" say; print ready'
        zpty -r inner text '*ready'
        zpty -w -n inner $'gmat-leaderboard rank --fr\t\x18'
        zpty -r inner text '*>'
        print -r -- $text
        zpty -w -n inner $'gmat-leaderboard rank --to mark\t\x18'
        zpty -r inner text '*>'
        print -r -- $text
        zpty -d inner"#;
    let Some(said) = in_shell("zsh", script) else { return };
    assert!(said.contains("<gmat-leaderboard rank --from"), "{said}");
    assert!(said.contains("<gmat-leaderboard rank --to markdown"), "{said}");
}
