//! `freeze`: recorded answers and votes become a bundle, or nothing does.

use std::os::unix::fs::PermissionsExt;

use crate::bundles::{BURN, COAST, DIGESTS, MASS, PROMPTS, VOTES, bundle};
use crate::harness::World;

const CALL: [&str; 11] = [
    "freeze",
    "--model",
    "acme:m1",
    "--prompts",
    "prompts.json",
    "--completions",
    "answers.jsonl",
    "--votes",
    "votes.jsonl",
    "--to",
    "frozen",
];

fn line(id: &str, text: &str) -> String {
    format!("{{\"id\": \"{id}\", \"text\": {}}}\n", serde_json::to_string(text).expect("text"))
}

fn recorded() -> World {
    let world = World::new();
    world.write("prompts.json", PROMPTS);
    let burn = serde_json::to_string(BURN).expect("text");
    let burn = format!(
        "{{\"request\": \"Burn once.\", \"text\": {burn}, \"usage\": {{\"total_tokens\": 7}}}}\n"
    );
    world.write("answers.jsonl", line("mass", MASS) + "\n" + &line("coast", COAST) + &burn);
    world.write(
        "votes.jsonl",
        "{\"id\": \"coast\", \"votes\": [true, true, false]}\n\
         {\"id\": \"burn\", \"vote\": false}\n{\"id\": \"mass\", \"votes\": [true, true, true]}\n\
         {\"id\": \"burn\", \"vote\": null}\n{\"id\": \"burn\", \"vote\": true}\n",
    );
    world
}

fn files(world: &World, dir: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(world.path(dir))
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn scripts_are_taken_out_of_their_code_blocks_if_that_is_asked_for() {
    let world = recorded();
    assert_eq!(world.run(&CALL).code, 0);
    let plain = world.read("frozen/completions.json");
    let fenced = format!("Sure:\n```gmat\n{MASS}\n```\nEnjoy");
    let answers = world.read("answers.jsonl").replace(&line("mass", MASS), &line("mass", &fenced));
    world.write("answers.jsonl", answers);
    let call = |more: &[&str]| world.run(&[&CALL[..9], more].concat());
    assert_eq!(call(&["--to", "as-is"]).code, 0);
    assert!(world.read("as-is/completions.json").contains("Sure:"));
    let ran = call(&["--to", "taken", "--extract"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let reported = "1 of 3 answers had text around a code block; only the script was kept\n";
    assert!(ran.stdout.starts_with(reported), "{}", ran.stdout);
    assert_eq!(world.read("taken/completions.json"), plain.replace("Stop Sat\\n\"", "Stop Sat\""));
    let ran = world.run(&["freeze", "--from", "as-is", "--to", "again", "--extract"]);
    assert!(ran.stdout.starts_with(reported), "{}", ran.both());
    assert_eq!(world.read("again/completions.json"), world.read("taken/completions.json"));
}

#[test]
fn answers_and_votes_become_the_three_files_and_are_checked() {
    let world = recorded();
    let ran = world.run(&CALL);
    let first = "wrote prompts.json, completions.json and judge.json to frozen\n\
         acme:m1 passes 1 of 3 prompts: 0.333";
    assert!(ran.stdout.starts_with(first), "{}", ran.stdout);
    let last = "\nnot checked: the public set and other rows, because there is no config here (`--root DIR` names one)\n\
         ready: no findings, 1 of 3 prompts pass\n";
    assert!(ran.stdout.ends_with(last), "{}", ran.stdout);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(files(&world, "frozen"), ["completions.json", "judge.json", "prompts.json"]);
    assert_eq!(world.read("frozen/prompts.json"), PROMPTS);
    assert_eq!(
        world.read("frozen/judge.json"),
        "{\n  \"burn\": [\n    false,\n    null,\n    true\n  ],\n  \"coast\": [\n    true,\n    true,\n    false\n  ],\n  \
         \"mass\": [\n    true,\n    true,\n    true\n  ]\n}\n"
    );
    let [coast, mass, burn] =
        [COAST, MASS, BURN].map(|text| serde_json::to_string(text).expect("text"));
    let [coast_key, mass_key, burn_key] = DIGESTS;
    assert_eq!(
        world.read("frozen/completions.json"),
        format!(
            "{{\n  \"acme:m1:{burn_key}\": {{\n    \"text\": {burn},\n    \"usage\": {{\n      \"total_tokens\": 7\n    }}\n  }},\n  \
             \"acme:m1:{mass_key}\": {{\n    \"text\": {mass}\n  }},\n  \"acme:m1:{coast_key}\": {{\n    \"text\": {coast}\n  }}\n}}\n"
        )
    );
    let mode = std::fs::metadata(world.path("frozen")).expect("there").permissions().mode();
    assert_eq!(mode & 0o700, 0o700);
}

#[test]
fn the_same_input_gives_the_same_bytes_and_is_left_alone() {
    let world = recorded();
    world.run(&CALL);
    let first = world.read("frozen/completions.json");
    let again = world.run(&CALL);
    assert_eq!(again.code, 0);
    assert!(again.stdout.starts_with("frozen holds this bundle already, byte for byte\n"));
    // Other order, other spelling: the same bytes.
    let mut lines: Vec<String> = world.read("answers.jsonl").lines().map(str::to_owned).collect();
    lines.reverse();
    world.write("answers.jsonl", lines.join("\r\n").replace("\\n", "\\u000a"));
    let again = world.run(&CALL);
    assert!(again.stdout.starts_with("frozen holds this bundle already, byte for byte\n"));
    assert_eq!(world.read("frozen/completions.json"), first);

    world.write("answers.jsonl", line("mass", "") + &line("coast", "") + &line("burn", ""));
    let ran = world.run(&CALL);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: `frozen` is not empty, and its `completions.json` is not what would be written\n\
         help: nothing was changed; name a new directory, or remove this one first\n"
    );
    assert_eq!(world.read("frozen/completions.json"), first);
}

#[test]
fn every_problem_is_reported_with_its_line_and_nothing_is_written() {
    let world = recorded();
    world.write(
        "answers.jsonl",
        line("coats", COAST) + "{\"id\": \"mass\"}\n" + &line("burn", "") + &line("burn", ""),
    );
    world.write(
        "votes.jsonl",
        "{\"id\": \"burn\", \"votes\": [\"yes\"]}\n{\"id\": \"mass\", \"votes\": []",
    );
    let ran = world.run(&CALL);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: there is no prompt `coats`\n  --> answers.jsonl:1\nhelp: did you mean `coast`?\n\
         error[B-TEXT]: `text` is missing\n  --> answers.jsonl:2\n\
         help: if the model gave no answer, record an empty one: \"text\": \"\"\n\
         error: prompt `burn` has an earlier line\n  --> answers.jsonl:4\nhelp: keep one line per prompt\n\
         error: there is no answer for prompt `coast`\n  --> answers.jsonl\nhelp: record it, and add its line\n\
         error[J-SYNTAX]: `votes.jsonl` is not acceptable JSON\n  --> votes.jsonl:2:27\n  expected `,` or `}`\n\
         help: each line must be one complete JSON object\n\
         error[B-VERDICT]: invalid value in `votes.jsonl`: expected true, false or null, found a string\n  --> votes.jsonl:1:26, votes[0]\n\
         help: record votes as lists of true, false or null\n\
         error: there are no votes for prompt `coast`\n  --> votes.jsonl\nhelp: record it, and add its line\n\
         error: there are no votes for prompt `mass`\n  --> votes.jsonl\nhelp: record it, and add its line\n"
    );
    assert_eq!(files(&world, "."), ["answers.jsonl", "prompts.json", "votes.jsonl"]);
}

#[test]
fn votes_nested_under_the_judge_become_flat_and_the_rest_is_copied() {
    let world = World::new();
    bundle(&world, "recorded", "acme:m1");
    world.write("recorded/judge.json", format!("{{\"openai/gpt-4.1-mini\": {VOTES}}}"));
    let ran = world.run(&["freeze", "--from", "recorded", "--to", "flat", "-q"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for file in ["prompts.json", "completions.json"] {
        assert_eq!(world.read(&format!("flat/{file}")), world.read(&format!("recorded/{file}")));
    }
    assert!(world.read("flat/judge.json").starts_with("{\n  \"burn\": [\n    false,\n    null,\n"));

    world.write("recorded/judge.json", format!("{{\"another/judge\": {VOTES}}}"));
    let ran = world.run(&["freeze", "--from", "recorded", "--to", "other"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.starts_with("error[B-JUDGE]: "), "{}", ran.stderr);
    assert!(!world.exists("other"));
}

#[test]
fn a_place_that_cannot_take_a_bundle_is_refused() {
    let world = recorded();
    let to = |place: &'static str| {
        let mut call = CALL;
        call[10] = place;
        call
    };
    std::fs::create_dir(world.path("empty")).expect("made");
    assert_eq!(world.run(&to("empty")).code, 0);
    assert_eq!(files(&world, "empty"), ["completions.json", "judge.json", "prompts.json"]);
    assert_eq!(world.run(&to("no/such/place")).code, 0);
    assert_eq!(files(&world, "no/such/place"), ["completions.json", "judge.json", "prompts.json"]);
    std::os::unix::fs::symlink(world.path("empty"), world.path("link")).expect("linked");
    for (place, error) in [
        ("link", "error[P-SYMLINK]: `link` is a symlink\n"),
        ("prompts.json", "error[P-SPECIAL]: `prompts.json` is not a directory\n"),
        (".", "error: `.` is not empty, and its `completions.json` is not what would be written\n"),
    ] {
        let ran = world.run(&to(place));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{place}");
        assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
    }
    for missing in [1, 3, 5] {
        let mut call = CALL.to_vec();
        call.drain(missing..missing + 2);
        assert_eq!(world.run(&call).code, 2);
    }
}

#[test]
fn a_new_bundle_with_findings_is_written_and_reported() {
    let world = recorded();
    world.write("seeds.json", "{\"n_votes\": 2}");
    let ran = world.run(&CALL);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.contains("finding[B-VOTES]: 3 vote list(s) are longer than 2"),
        "{}",
        ran.stdout
    );
    assert!(world.exists("frozen/judge.json"));
}

/// A call that freezes the recording as a bundle of the held-out set.
fn held_out<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&CALL[..], &["--held-out"], more].concat()
}

#[test]
fn a_held_out_bundle_is_reported_in_the_requested_format() {
    for more in [&["--json"][..], &["--format", "json"]] {
        let world = recorded();
        let ran = world.run(&held_out(more));
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(answer["command"], "freeze");
        assert_eq!(answer["answer"], "yes");
        assert_eq!((&answer["passed"], &answer["n"]), (&1.into(), &3.into()));
        assert_eq!(answer["findings"], serde_json::json!([]));
    }
    let world = recorded();
    world.write("prompts.json", PROMPTS.replace("A burn.", "REPLACE: the intent"));
    let ran = world.run(&held_out(&["--format", "github"]));
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::error "), "{}", ran.stdout);
    assert!(!world.path("frozen").exists());
}

#[test]
fn messages_about_held_out_recordings_quote_nothing() {
    let prompts = PROMPTS
        .replace("\"coast\"", "\"sesame-1\"")
        .replace("\"burn\"", "\"sesame-2\"")
        .replace("\"mass\"", "\"sesame-3\"");
    let cases = [
        (line("sesame-1", COAST) + &line("sesame-1", COAST), "prompt number 1 has an earlier line"),
        (line("sesame-9", COAST), "no prompt has this id"),
        ("{\"id\": \"sesame-1\", \"sesame\": 1, \"text\": \"\"}\n".into(), "unknown key\n"),
        ("{\"id\": \"sesame-1\", \"text\": sesame}\n".into(), "is not acceptable JSON"),
        ("{\"id\": \"sesame-1\", \"text\": \"\", \"usage\": {\"Sesame\": 1}}\n".into(), "expected"),
        (line("sesame-1", COAST), "there is no answer for prompt number 2"),
        (
            "{\"id\": \"sesame-1\", \"request\": \"Burn once.\", \"text\": \"\"}\n".into(),
            "different prompts",
        ),
    ];
    for (answers, said) in cases {
        let world = recorded();
        world.write("prompts.json", &prompts);
        world.write("answers.jsonl", &answers);
        world.write("votes.jsonl", "");
        let ran = world.run(&held_out(&[]));
        assert_eq!(ran.code, 2, "{answers}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{answers}: {}", ran.stderr);
        let reported = (ran.stdout + &ran.stderr).to_lowercase();
        assert!(!reported.contains("sesame"), "{answers}: {reported}");
    }
    // The same from a recorded bundle whose votes name a prompt that is not there.
    let world = recorded();
    assert_ne!(world.run(&CALL).code, 2);
    world.write("frozen/judge.json", "{\"sesame\": [1]}");
    let call = ["freeze", "--from", "frozen", "--model", "acme:m1", "--to", "held", "--held-out"];
    let ran = world.run(&call);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(!ran.stderr.contains("sesame"), "{}", ran.stderr);
}

#[test]
fn answers_without_votes_are_frozen_as_incomplete_and_completed_later() {
    let world = recorded();
    let call: Vec<&str> =
        CALL.into_iter().filter(|word| !["--votes", "votes.jsonl"].contains(word)).collect();
    let ran = world.run(&call);
    let first = "wrote prompts.json and completions.json to frozen\n\
        incomplete: frozen has no judge.json; ask the judge with `eval --votes-only`, or record its votes and run `freeze` again with `--votes FILE`\n\
        acme:m1, structural only: 2 of 3 prompts have the structure they ask for\n";
    assert!(ran.stdout.starts_with(first), "{}", ran.stdout);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(files(&world, "frozen"), ["completions.json", "prompts.json"]);
    // A copy of it is incomplete too.
    let ran = world.run(&["freeze", "--from", "frozen", "--to", "copy"]);
    assert!(ran.stdout.contains("\nincomplete: copy has no judge.json; "), "{}", ran.stdout);
    assert_eq!(world.read("copy/completions.json"), world.read("frozen/completions.json"));

    let ran = world.run(&CALL);
    let first = "added the missing file to frozen; the others are unchanged\nacme:m1 passes 1 of 3";
    assert!(ran.stdout.starts_with(first), "{}", ran.stdout);
    assert_eq!(files(&world, "frozen"), ["completions.json", "judge.json", "prompts.json"]);
    // Other answers than those that were voted on are not mixed in.
    world.write("copy/completions.json", "{}");
    let mut other = CALL;
    other[10] = "copy";
    let ran = world.run(&other);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(files(&world, "copy"), ["completions.json", "prompts.json"]);
    let mut held_out = call;
    held_out.push("--held-out");
    let ran = world.run(&held_out);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("a held-out bundle needs votes"), "{}", ran.stderr);
}
