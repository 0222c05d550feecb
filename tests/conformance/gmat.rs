//! GMAT scripts with the verdicts of the reference.

use std::collections::{BTreeMap, BTreeSet};

use gmat_leaderboard::gmat::Script;

use super::{files, folder};

/// Every script of every `*.jsonl` in `gmat/`: the verdict is the recorded one. Of a script with a
/// syntax error only that and the rules are compared: nothing is read after the error.
#[test]
fn gmat_scripts_get_the_recorded_verdict() {
    let Some(folder) = folder("gmat") else { return };
    let mut compared = 0;
    let mut differences = Vec::new();
    for path in files(&folder, "jsonl") {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let case: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            if case.get("exception").is_some() {
                continue;
            }
            let text = case["script"].as_str().expect("a script");
            let script = Script::parse(text);
            let fields: BTreeMap<_, _> = script.fields().into_iter().collect();
            let verdict = serde_json::json!({
                "syntax_error": script.has_syntax_error(),
                "blocking_rules": script.blocking_rules(),
                "types": script.types(),
                "fields": fields,
                "commands": script.commands(),
            });
            let keys = ["syntax_error", "blocking_rules", "types", "fields", "commands"];
            let keys = if case["syntax_error"] == true { &keys[..2] } else { &keys[..] };
            for &key in keys.iter().filter(|&&key| verdict[key] != case[key]) {
                differences.push(format!(
                    "{}: {key} is {}, recorded {}\n{text:?}",
                    case["id"], verdict[key], case[key]
                ));
            }
            assert_same_answers(&script, &verdict);
            // Slower than a score, so only some of them.
            if case["syntax_error"] == false && compared % 8 == 0 {
                let found = script.diagnostics();
                let found =
                    found.iter().filter(|it| it.rule.is_blocking()).map(|it| it.rule.name());
                let found: BTreeSet<&str> = found.collect();
                assert!(
                    found.iter().eq(script.blocking_rules().iter()),
                    "{}: {found:?}",
                    case["id"]
                );
            }
            compared += 1;
        }
    }
    eprintln!("gmat: compared {compared} scripts");
    let first = differences.iter().take(5).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} differences, the first are\n{first}", differences.len());
    assert!(compared > 0, "no script in {}", folder.display());
}

/// The quick questions agree with the full lists.
fn assert_same_answers(script: &Script<'_>, verdict: &serde_json::Value) {
    for kind in verdict["types"].as_array().into_iter().flatten() {
        let kind = kind.as_str().expect("text");
        assert!(script.has_type(kind), "{kind}");
        for path in verdict["fields"][kind].as_array().into_iter().flatten() {
            let path = path.as_str().expect("text");
            assert!(script.has_field(kind, path), "{kind}.{path}");
            assert!(!script.has_field("No such type", path));
        }
    }
    for command in verdict["commands"].as_array().into_iter().flatten() {
        assert!(script.has_command(command.as_str().expect("text")), "{command}");
    }
    assert!(!script.has_type("No such type") && !script.has_command("No such command"));
}
