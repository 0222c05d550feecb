//! The way of an entrant, the wire formats, and the bounds.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{CALL, FULL, KEY, SMALL, TO, bundle, run, small, undisturbed};
use crate::fake_model::FakeModel;
use crate::harness::{World, board_world, copy};

fn journal(world: &World) -> String {
    world.read("leaderboard/.cache/eval/openai--m-1.jsonl")
}

#[test]
fn an_entrant_gets_from_a_key_to_an_entry() {
    let (model, world) = (FakeModel::start(&[]), board_world());
    copy(&world.path("board"), &world.path("base"));
    let ran = run(&model, &world, &[&CALL, &FULL]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(
        ran.stderr.contains(&format!("asking openai:m-1 at {}", model.origin)),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("wrote prompts.json, completions.json and judge.json"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("openai:m-1 passes "), "{}", ran.stdout);
    let next = format!("next: gmat-leaderboard check {TO} --submitted-by YOUR-NAME --add\n");
    assert!(ran.stdout.ends_with(&next), "{}", ran.stdout);

    // One answer and three votes for each prompt; the judge sees neither fences nor comments.
    let requests = model.requests();
    let votes: Vec<_> = requests.iter().filter(|it| it.is_vote()).collect();
    assert_eq!((requests.len(), votes.len()), (204, 153));
    for vote in votes {
        let text = vote.body["messages"][0]["content"].as_str().expect("text");
        let (_, script) = text.split_once("comments removed:").expect("a script");
        assert!(script.contains("Create Spacecraft") && !script.contains('%'), "{script}");
        assert_eq!(script.matches("```").count(), 2, "{script}");
    }
    let completions: Value =
        serde_json::from_str(&world.read(&format!("{TO}/completions.json"))).expect("JSON");
    let answers = completions.as_object().expect("answers");
    assert_eq!(answers.len(), 51);
    for (key, answer) in answers {
        assert!(key.starts_with("openai:m-1:"), "{key}");
        assert!(!answer["text"].as_str().expect("text").contains("```"), "{answer}");
        let usage: BTreeSet<&String> = answer["usage"].as_object().expect("usage").keys().collect();
        assert_eq!(usage.into_iter().collect::<Vec<_>>(), ["completion_tokens", "prompt_tokens"]);
    }
    let run_json: Value =
        serde_json::from_str(&world.read(&format!("{TO}/run.json"))).expect("JSON");
    let shown = world.run(&["eval", "--root", "board", "--show-protocol"]).stdout;
    assert!(shown.starts_with(&format!(
        "protocol sha256: {}\n",
        run_json["protocol_sha256"].as_str().expect("a hash")
    )));
    assert_eq!(run_json["answers"]["total"], 51);
    assert_eq!(run_json["answers"]["answered_as"], json!(["m-1"]));
    assert_eq!(run_json["answers"]["settings"], json!({"max_tokens": 4096, "temperature": 0.0}));
    assert_eq!(run_json["votes"]["total"], 153);
    let extracted = run_json["answers"]["extracted"].as_u64().expect("a count");
    assert!(extracted > 10, "{run_json}");
    assert!(
        ran.stdout.contains(&format!("{extracted} of 51 answers had text around a code block")),
        "{}",
        ran.stdout
    );
    assert!(run_json["answers"]["usage"].as_object().expect("usage").len() == 51, "{run_json}");

    // The same call again asks nothing and changes nothing.
    let before = (bundle(&world, TO), world.read(&format!("{TO}/run.json")));
    model.forget();
    let ran = run(&model, &world, &[&CALL, &FULL]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert_eq!(model.requests().len(), 0);
    assert_eq!((bundle(&world, TO), world.read(&format!("{TO}/run.json"))), before);

    let ran = world.run(&["check", "--root", "board", TO, "--submitted-by", "me", "--add"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let reported = format!("note: {extracted} of 51 answers had text around a code block, which");
    assert!(ran.stderr.contains(&reported), "{}", ran.stderr);
    // A checkout of the request has no journal: git ignores it.
    copy(&world.path("board"), &world.path("theirs"));
    std::fs::remove_dir_all(world.path("theirs/leaderboard/.cache")).expect("removed");
    let ran = world.run(&["check", "--root", "theirs", "--pull-request", "base"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let ran = world.run(&["build", "--root", "board", "--held-out", "held-out", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(world.read("board/leaderboard/leaderboard.json").contains("\"m-1\""));
    let ran = world.run(&["render", "--root", "board", "--out", "site", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let page = world.read("site/m/openai--m-1.html");
    assert!(page.contains(", by run.json"), "the page says when the answers were recorded");
}

#[test]
fn two_people_with_two_keys_make_the_same_bundle() {
    let (model, world) = (FakeModel::start(&[]), board_world());
    let answers = ["eval", "--root", "board", "--model", "openai:m-1", "--answers-only"];
    let ran = run(&model, &world, &[&answers, &FULL]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(
        ran.stdout.contains("next: gmat-leaderboard eval --votes-only --judge"),
        "{}",
        ran.stdout
    );
    assert!(!world.exists(&format!("{TO}/judge.json")));
    std::fs::remove_dir_all(world.path("board/leaderboard/.cache"))
        .expect("the other has no journal");
    model.forget();
    let votes = ["eval", "--root", "board", "--judge", "openai:demo/illustrative", "--votes-only"];
    let ran = run(&model, &world, &[&votes, &FULL]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(model.requests().iter().all(crate::fake_model::Request::is_vote));
    assert_eq!(bundle(&world, TO), undisturbed());
    let run_json: Value =
        serde_json::from_str(&world.read(&format!("{TO}/run.json"))).expect("JSON");
    assert_eq!(
        (&run_json["answers"]["total"], &run_json["votes"]["total"]),
        (&json!(51), &json!(153))
    );
}

#[test]
fn each_provider_is_asked_in_its_own_format() {
    let bearer = format!("Bearer {KEY}");
    for (typed, more, path, header) in [
        ("openai:m-1", &[][..], "/v1/chat/completions", ("authorization", bearer.as_str())),
        (
            "github:o/m-1",
            &["--base-url", "ORIGIN/inference", "--as", "acme:m-1"],
            "/inference/chat/completions",
            ("authorization", &bearer),
        ),
        ("anthropic:m-1", &[], "/v1/messages", ("x-api-key", KEY)),
        ("ollama:m-1:30b", &[], "/api/chat", ("content-type", "application/json")),
    ] {
        let (model, world) = (FakeModel::start(&[]), small());
        let more: Vec<String> = more.iter().map(|it| it.replace("ORIGIN", &model.origin)).collect();
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let call = [
            "eval",
            "--model",
            typed,
            "--answers-only",
            "--limit",
            "1",
            "--prompts",
            "prompts.json",
        ];
        let ran = run(&model, &world, &[&call, &more]);
        assert_eq!(ran.code, 0, "{typed}: {}", ran.both());
        let requests = model.requests();
        let [request] = &requests[..] else { panic!("{requests:?}") };
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", path));
        assert_eq!(request.headers.get(header.0).map(String::as_str), Some(header.1), "{typed}");
        let body = &request.body;
        assert_eq!(body["model"].as_str(), typed.split_once(':').map(|(_, it)| it));
        let messages = body["messages"].as_array().expect("messages");
        assert_eq!(
            messages.last().expect("one"),
            &json!({"role": "user", "content": "Propagate a"})
        );
        match typed.split(':').next() {
            Some("anthropic") => {
                assert_eq!(request.headers["anthropic-version"], "2023-06-01");
                assert!(body["system"].as_str().expect("a system text").contains("```gmat"));
                assert_eq!(
                    (&body["max_tokens"], &body["temperature"]),
                    (&json!(4096), &json!(0.0))
                );
            }
            Some("ollama") => {
                assert_eq!(body["stream"], false);
                assert_eq!(body["options"], json!({"num_predict": 4096, "temperature": 0.0}));
                assert!(!request.headers.contains_key("authorization"));
            }
            _ => {
                assert_eq!(messages[0]["role"], "system");
                assert_eq!(
                    (&body["max_tokens"], &body["temperature"]),
                    (&json!(4096), &json!(0.0))
                );
            }
        }
    }
}

#[test]
fn a_setting_that_a_model_refuses_is_left_out_and_changes_the_protocol() {
    let (model, world) = (FakeModel::start(&[]), small());
    let ran = run(&model, &world, &[&SMALL, &["--omit", "temperature", "--to", "out"]]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let first = &model.requests()[0].body;
    assert!(first.get("temperature").is_none() && first["max_tokens"] == 4096, "{first}");
    let run_json: Value = serde_json::from_str(&world.read("out/run.json")).expect("JSON");
    let own = world.run(&["eval", "--show-protocol"]).stdout;
    assert!(!own.contains(run_json["protocol_sha256"].as_str().expect("a hash")));
    assert_eq!(run_json["answers"]["settings"], json!({"max_tokens": 4096}));
}

#[test]
fn a_first_look_gives_reasons_in_the_words_of_check() {
    let (model, world) = (FakeModel::start(&[]), small());
    let call = ["eval", "--model", "openai:m-1", "--prompts", "prompts.json"];
    let ran = run(&model, &world, &[&call, &["--answers-only", "--limit", "3"]]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let reason = "c       fails\n  missing-command: the mission sequence has no `Maneuver`\n";
    assert!(ran.stdout.contains(reason), "{}", ran.stdout);
}

#[test]
fn a_first_look_writes_no_bundle_and_its_answers_are_kept() {
    let (model, world) = (FakeModel::start(&[]), small());
    let other =
        ["eval", "--model", "openai:m-1", "--judge", "ollama:any", "--prompts", "prompts.json"];
    let ran = run(&model, &world, &[&other, &["--limit", "2"]]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(ran.stdout.contains(" of 2 prompts pass (95 % interval"), "{}", ran.stdout);
    assert_eq!(model.requests().len(), 4);
    model.forget();
    // Another judge for the whole bundle is refused; the answers are not asked for again.
    let ran = run(&model, &world, &[&other, &["--to", "out"]]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("the judge of this board is `judge-1`, not `any`"),
        "{}",
        ran.stderr
    );
    let ran = run(&model, &world, &[&SMALL, &["--to", "out"]]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert_eq!(model.requests().iter().filter(|it| !it.is_vote()).count(), 1);
    // Starting anew asks everything and keeps the old journal beside the new one.
    model.forget();
    let ran = run(&model, &world, &[&SMALL, &["--restart", "--to", "again"]]);
    assert_eq!((ran.code, model.requests().len()), (0, 6), "{}", ran.both());
    assert_eq!(bundle(&world, "out"), bundle(&world, "again"));
    assert!(world.exists("leaderboard/.cache/eval/openai--m-1.old.jsonl"));
}

#[test]
fn a_dry_run_asks_nothing_and_bounds_stop_before_they_are_passed() {
    let (model, world) = (FakeModel::start(&[]), small());
    let prices = r#"{"judge_model": "judge-1", "n_votes": 1, "prices": {
        "openai:m-1": {"input": 1, "output": 10, "date": "2026-01-01", "source": "s"},
        "openai:judge-1": {"input": 1, "output": 10, "date": "2026-01-01", "source": "s"}}}"#;
    let ran = run(&model, &world, &[&SMALL, &["--max-usd", "1", "--to", "out"]]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("the config has no price for `openai:m-1`"), "{}", ran.stderr);
    world.write("seeds.json", prices);
    let ran = run(&model, &world, &[&SMALL, &["--dry-run"]]);
    assert_eq!((ran.code, model.requests().len()), (0, 0), "{}", ran.both());
    assert!(ran.stdout.contains("openai:m-1: 3 calls, about "), "{}", ran.stdout);
    assert!(
        ran.stdout.ends_with("dry run: 6 calls, at most $0.14; nothing was asked\n"),
        "{}",
        ran.stdout
    );

    // An answer may cost 4096 output tokens: four cents.
    let ran = run(&model, &world, &[&SMALL, &["--max-usd", "0.03", "--to", "out"]]);
    assert_eq!((ran.code, model.requests().len()), (3, 0), "{}", ran.both());
    assert!(ran.stderr.contains("the next call could pass $0.0300"), "{}", ran.stderr);
    for _ in 0..2 {
        let ran = run(&model, &world, &[&SMALL, &["--max-calls", "2", "--to", "out"]]);
        assert_eq!(ran.code, 3, "{}", ran.both());
        assert!(ran.stderr.contains("stopped after 2 calls"), "{}", ran.stderr);
    }
    assert_eq!((model.requests().len(), journal(&world).lines().count()), (4, 4));
    let ran = run(&model, &world, &[&SMALL, &["--max-calls", "2", "--to", "out"]]);
    assert_eq!((ran.code, model.requests().len()), (0, 6), "{}", ran.both());
}

#[test]
fn a_call_that_cannot_work_says_what_is_missing() {
    let world = small();
    let reported = |args: &[&str], environment: &[(&str, &str)]| {
        let mut command = world.command(&[&["eval"], args].concat());
        let ran = crate::harness::finish(command.envs(environment.iter().copied()), None);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.both());
        ran.stderr
    };
    let text = reported(&[], &[("OPENAI_API_KEY", "k"), ("MODELS_PAT", "k")]);
    for part in [
        "no model was given",
        "github (MODELS_PAT is set), openai (OPENAI_API_KEY is set), ollama (needs no key)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let both = [
        "--model",
        "openai:m",
        "--judge",
        "openai:judge-1",
        "--to",
        "out",
        "--prompts",
        "prompts.json",
    ];
    let text = reported(&both, &[]);
    assert!(
        text.contains("there is no key for `openai`") && text.contains("set OPENAI_API_KEY"),
        "{text}"
    );
    let text = reported(&["--model", "opnai:m", "--answers-only", "--to", "o"], &[]);
    assert!(text.contains("did you mean `openai:…`?"), "{text}");
    let text = reported(
        &[
            "--model",
            "openai:m",
            "--base-url",
            "http://far/v1",
            "--as",
            "a:m",
            "--answers-only",
            "--to",
            "o",
        ],
        &[],
    );
    assert!(text.contains("it is plain http, which only this machine may use"), "{text}");
    let text = reported(&["--model", "openai:m", "--base-url", "http://localhost:1/v1"], &[]);
    assert!(text.contains("has no name yet") && text.contains("--as PROVIDER:MODEL"), "{text}");
    let text = reported(&["--model", "openai:m", "--to", "o"], &[("OPENAI_API_KEY", "k")]);
    assert!(text.contains("no judge was given") && text.contains("`judge-1`"), "{text}");
    let text = reported(&["--model", "ollama:m", "--answers-only", "--to", "o"], &[]);
    assert!(text.contains("there is no public set here"), "{text}");
    let text = reported(&both, &[("OPENAI_API_KEY", "two words")]);
    assert!(
        text.contains("OPENAI_API_KEY has characters that no key has")
            && !text.contains("two words"),
        "{text}"
    );
}

#[test]
fn a_key_goes_to_one_server_only() {
    let (model, other, world) = (FakeModel::start(&[]), FakeModel::start(&[]), small());
    let base = format!("{}/v1", model.origin);
    let typed = ["eval", "--model", "openai:m-1", "--as", "acme:m-1", "--base-url", &base];
    let judge = ["--judge", "openai:judge-1", "--prompts", "prompts.json", "--limit", "1"];
    // The variable names the other server.
    let ask = |more: &[&str]| run(&other, &world, &[&typed, &judge, more]);
    let ran = ask(&[]);
    assert_eq!(ran.code, 2, "{}", ran.both());
    let what =
        format!("OPENAI_API_KEY would go to two servers, {} and {}", model.origin, other.origin);
    assert!(ran.stderr.contains(&what), "{}", ran.stderr);
    assert_eq!((model.requests().len(), other.requests().len()), (0, 0));
    let ran = ask(&["--judge-base-url", &base]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(ran.stderr.contains("every answer is kept in "), "{}", ran.stderr);
    assert_eq!((model.requests().len(), other.requests().len()), (2, 0));
    let ran = ask(&["--judge-base-url", &base]);
    assert!(ran.stderr.contains("going on: 2 of 2 answers and votes are in "), "{}", ran.stderr);
    assert_eq!(model.requests().len(), 2);
}

#[test]
fn a_dry_run_needs_no_key() {
    let world = small();
    let call = ["eval", "--model", "openai:m-1", "--judge", "github:judge-1", "--dry-run"];
    let ran = world.run(&[&call[..], &["--prompts", "prompts.json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(ran.stdout.contains("calls; nothing was asked"), "{}", ran.stdout);
}

#[test]
fn a_journal_that_git_would_track_is_refused() {
    let (model, world) = (FakeModel::start(&[]), small());
    let git = |args: &[&str]| {
        let output =
            std::process::Command::new("git").args(args).current_dir(world.path("")).output();
        assert!(output.expect("git runs").status.success());
    };
    git(&["init", "-q"]);
    let ran = run(&model, &world, &[&SMALL, &["--to", "out"]]);
    assert_eq!((ran.code, model.requests().len()), (2, 0), "{}", ran.both());
    assert!(ran.stderr.contains("git would track the journal of answers"), "{}", ran.stderr);
    world.write(".gitignore", "/leaderboard/.cache/\n");
    let ran = run(&model, &world, &[&SMALL, &["--to", "out"]]);
    assert_eq!(ran.code, 0, "{}", ran.both());
}
