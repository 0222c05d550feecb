//! `lint`: diagnostics for people, machines and pull requests, and answers line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::harness::World;

const FLAWED: &str = "\
Create Spacecraft Sat
Sat.DriMass = 850
Sat.CoordinateSystem = EarthMJ2000Eqq
Create ImpulsiveBurn Burn
Burn.Axes = VBN
Create Satelite Other
BeginMissionSequence
Maneuver Burn(Sat)
";

#[test]
fn a_clean_script_is_exit_0_and_only_counted() {
    let world = World::new();
    world.write("a.script", "Create Spacecraft Sat\nBeginMissionSequence\nStop Sat\n");
    let ran = world.run(&["lint", "a.script"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.stdout, "1 script checked: 0 errors, 0 warnings, 0 infos\n");
}

#[test]
fn each_diagnostic_is_a_line_with_place_severity_rule_and_suggestion() {
    let world = World::new();
    world.write("a.script", FLAWED);
    let ran = world.run(&["lint", "a.script"]);
    assert_eq!(
        ran.stdout,
        "a.script:2:5 warning unknown-field Spacecraft `Sat` has no field `DriMass`; did you mean `DryMass`?\n\
         a.script:3:24 error undeclared-reference `Sat.CoordinateSystem` refers to `EarthMJ2000Eqq`, which is not created; did you mean `EarthMJ2000Eq`?\n\
         a.script:5:13 warning enum-violation `VBN` is not a valid value of `Axes`, which takes `VNB`, `LVLH`, `MJ2000Eq`, `SpacecraftBody`; did you mean `VNB`?\n\
         a.script:6:8 error unknown-resource-type GMAT has no resource type `Satelite`\n\
         1 script checked: 2 errors, 2 warnings, 0 infos\n"
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
}

#[test]
fn information_is_shown_and_does_not_block() {
    let ran = World::new().run_with_stdin(&["lint", "-q", "-"], b"Create Spacecraft Sat\n");
    assert_eq!(
        ran.stdout,
        "-:1:19 info unused-resource resource `Sat` is created and never used\n"
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn json_is_one_document_with_every_file() {
    let world = World::new();
    world.write("good.script", "Stop\n");
    world.write("bad.script", "x = (1\n");
    let expected = "{\"files\":[{\"file\":\"good.script\",\"diagnostics\":[]},\
         {\"file\":\"bad.script\",\"diagnostics\":[{\"rule\":\"syntax-error\",\"severity\":\"error\",\
         \"line\":2,\"column\":1,\"end_column\":2,\"message\":\"expected an operator or `)`, found the end of the script\",\
         \"suggestion\":null}]}],\"errors\":1,\"warnings\":0,\"infos\":0}\n";
    for call in [
        ["lint", "--format", "json", "good.script", "bad.script"].as_slice(),
        &["lint", "--json", "good.script", "bad.script"],
    ] {
        let ran = world.run(call);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (1, expected, ""));
    }
}

#[test]
fn sarif_has_what_the_standard_requires() {
    let world = World::new();
    world.write("a b.script", FLAWED);
    world.write("c.script", "Create Spacecraft Sat\nBeginMissionSequence\nPropgate Sat\n");
    let ran = world.run(&["lint", "--format", "sarif", "a b.script", "c.script"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let log: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "gmat-leaderboard");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let results = run["results"].as_array().expect("results");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert_eq!(results.len(), 5);
    for result in results {
        let index =
            usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_eq!(rules[index]["defaultConfiguration"]["level"], result["level"]);
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    }
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.script");
    let region =
        serde_json::json!({"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 12});
    assert_eq!(place["region"], region);
    let absolute = world.path("c.script");
    let ran = world.run(&["lint", "--format", "sarif", absolute.to_str().expect("text")]);
    assert!(ran.stdout.contains("\"uri\":\"file:///"), "{}", ran.stdout);
    assert_eq!(
        (&results[4]["ruleId"], &results[4]["level"]),
        (&"unknown-command".into(), &"note".into())
    );
}

/// The recipes for editors read what `lint` prints.
#[test]
fn an_editor_can_take_a_line_apart() {
    let world = World::new();
    world.write("a.script", FLAWED);
    let ran = world.run(&["lint", "a.script"]);
    let docs = include_str!("../../docs/lint.md");
    let pattern = r#""regexp": "^(.+?):(\\d+):(\\d+) (error|warning|info) (\\S+) (.*)$""#;
    assert!(docs.contains(pattern), "the recipe for VS Code has another pattern");
    for line in ran.stdout.lines().filter(|line| line.starts_with("a.script:")) {
        let (place, rest) = line.split_once(' ').expect("a place");
        assert_eq!(place.split(':').skip(1).filter(|it| it.parse::<usize>().is_ok()).count(), 2);
        let (severity, rest) = rest.split_once(' ').expect("a severity");
        assert!(["error", "warning", "info"].contains(&severity), "{line}");
        let (rule, message) = rest.split_once(' ').expect("a rule");
        assert!(rule.contains('-') && !message.is_empty(), "{line}");
    }
}

#[test]
fn github_gets_annotations_with_escaped_names_and_messages() {
    let world = World::new();
    world.write("a,b:c%.script", "Create Spacecraft Sat\nSat.Bogus = 1\n");
    let ran = world.run(&["lint", "--format", "github", "a,b:c%.script"]);
    assert_eq!(
        ran.stdout,
        "::notice file=a%2Cb%3Ac%25.script,line=1,col=19,title=unused-resource::resource `Sat` is created and never used\n\
         ::warning file=a%2Cb%3Ac%25.script,line=2,col=5,title=unknown-field::Spacecraft `Sat` has no field `Bogus`\n"
    );
    assert_eq!(ran.code, 1);
}

#[test]
fn a_file_that_cannot_be_read_is_exit_2_and_hides_no_other() {
    let world = World::new();
    world.write("a.script", "Sat..x\n");
    let ran = world.run(&["lint", "absent.script", "a.script"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stdout,
        "a.script:1:5 error syntax-error expected a field name after `.`, found `.`\n"
    );
    assert!(ran.stderr.contains("`absent.script` does not exist"), "{}", ran.stderr);
}

#[test]
fn bytes_that_are_no_text_are_a_syntax_error_at_their_place() {
    let ran = World::new().run_with_stdin(&["lint", "-q", "-"], b"Stop\n'\xC3\xA9\xFF'\n");
    assert_eq!(ran.stdout, "-:2:3 error syntax-error expected UTF-8 text, found the byte 0xFF\n");
    assert_eq!(ran.code, 1);
}

#[test]
fn hostile_text_loses_its_power() {
    let script = "Create Spacecraft Sat\nSat.\u{1b}[2J = 1\n";
    let ran = World::new().run_with_stdin(&["lint", "-q", "-"], script.as_bytes());
    assert_eq!(
        ran.stdout,
        "-:2:5 error syntax-error expected a field name after `.`, found `\\u{1b}`\n"
    );
}

#[test]
fn a_rule_is_explained_and_an_unknown_one_is_refused() {
    let world = World::new();
    let ran = world.run(&["lint", "--explain", "unknown-field"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.starts_with("unknown-field (warning)\n\nThe type of this"),
        "{}",
        ran.stdout
    );
    let ran = world.run(&["lint", "--explain", "unknown-filed"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("unknown-field"), "{}", ran.stderr);
    assert!(ran.stderr.contains("missing-field, missing-type, votes, all]"), "{}", ran.stderr);
}

/// Every reason that `check` can count has an explanation.
#[test]
fn reasons_of_check_are_explained_too() {
    let world = World::new();
    let all = world.run(&["lint", "--explain", "all"]).stdout;
    for reason in
        ["missing-command", "missing-completion", "missing-field", "missing-type", "votes"]
    {
        let ran = world.run(&["lint", "--explain", reason]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{reason}");
        assert!(
            ran.stdout.starts_with(&format!("{reason} (reason of check)\n\n")),
            "{}",
            ran.stdout
        );
        assert!(all.contains(&ran.stdout), "{all}");
    }
}

#[test]
fn a_file_of_a_bundle_is_not_a_script() {
    let world = World::new();
    crate::bundles::bundle(&world, "mine", "acme:m1");
    let ran = world.run(&["lint", "mine/completions.json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: `mine/completions.json` is a file of a bundle, not a script\n\
         help: `gmat-leaderboard check mine --prompt ID` shows a recorded script and what is wrong with it\n"
    );
}

#[test]
fn a_call_without_files_is_refused() {
    let ran = World::new().run(&["lint"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}

#[test]
fn json_lines_are_answered_one_by_one_in_order() {
    let input = concat!(
        r#"{"script": "Create Spacecraft Sat\nSat.SMA = 7000\nBeginMissionSequence\nMy \"f\"\n'l' F( 'a\\b' )"}"#,
        "\n",
        r#"{"id": 7, "script": "Create Spacecraft Sat Sat\nSat.Bogus = 1"}"#,
        "\r\n\n[1]\n{}\n",
        r#"{"script": null}"#,
        "\n{\"script\": \"\n",
    );
    // The last line breaks off inside a string and is not UTF-8 either.
    let input = [input.as_bytes(), b"\xFF"].concat();
    let ran = World::new().run_with_stdin(&["lint", "--jsonl"], &input);
    let expected = [
        r#"{"syntax_error":true,"blocking_rules":["syntax-error"],"types":[],"fields":{},"commands":[]}"#,
        r#"{"syntax_error":false,"blocking_rules":["duplicate-name","unknown-field"],"types":["Spacecraft"],"fields":{"Spacecraft":["Bogus"]},"commands":[]}"#,
        r#"{"error":"the line is empty"}"#,
        r#"{"error":"expected an object, found an array"}"#,
        r#"{"error":"expected the key `script`, found an object without it"}"#,
        r#"{"error":"expected a string, found null"}"#,
    ];
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[..6], expected);
    assert_eq!(lines.len(), 8);
    assert!(lines[6..].iter().all(|line| line.starts_with(r#"{"error":"#)), "{lines:?}");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn a_command_text_is_quoted_as_json() {
    let script =
        r#"{"script": "BeginMissionSequence\nF( 'a\\b', \"\u00e9\t\" )\nIf 1\n% c\nx = 2\nEndIf"}"#;
    let ran = World::new().run_with_stdin(&["lint", "--jsonl"], script.as_bytes());
    assert_eq!(
        ran.stdout,
        "{\"syntax_error\":true,\"blocking_rules\":[\"syntax-error\"],\"types\":[],\"fields\":{},\"commands\":[]}\n"
    );
    let script =
        r#"{"script": "BeginMissionSequence\nF( 'a\\b\u00e9\t\"' )\nIf 1\n% c\nx = 2\nEndIf"}"#;
    let ran = World::new().run_with_stdin(&["lint", "--jsonl"], script.as_bytes());
    assert_eq!(
        ran.stdout,
        "{\"syntax_error\":false,\"blocking_rules\":[],\"types\":[],\"fields\":{},\
         \"commands\":[\"F( 'a\\\\bé\\t\\\"' )\",\"If\",\"assignment_command\",\"comment\"]}\n"
    );
}

#[test]
fn a_line_is_answered_while_the_next_one_has_not_come() {
    let world = World::new();
    let mut child = world
        .command(&["lint", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    for round in 0..3 {
        writeln!(stdin, "{{\"script\": \"Create Spacecraft S{round}\"}}").expect("taken");
        stdin.flush().expect("sent");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("answered");
        assert!(line.contains("\"types\":[\"Spacecraft\"]"), "{line}");
    }
    drop(stdin);
    assert!(child.wait().expect("the binary ends").success());
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let world = World::new();
    let mut child = world
        .command(&["lint", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    let line = format!("{{\"script\": \"{}\"}}\n", "Stop\\n".repeat(1000));
    for _ in 0..1000 {
        if stdin.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}
