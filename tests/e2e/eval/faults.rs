//! Every way in which a provider misbehaves ends well: with the same bundle, or with words that help.

use std::time::Instant;

use super::{KEY, SMALL, bundle, run, small};
use crate::fake_model::FakeModel;
use crate::harness::World;

/// A run on three prompts: exit code, output, requests.
fn met(faults: &[&str], more: &[&str]) -> (crate::harness::Ran, FakeModel, World) {
    let (model, world) = (FakeModel::start(faults), small());
    let ran = run(&model, &world, &[&SMALL, &["--to", "out", "--timeout", "1"], more]);
    assert_eq!(model.faults_left(), 0, "{faults:?} were not met: {}", ran.both());
    (ran, model, world)
}

#[test]
fn faults_that_pass_are_waited_out_and_leave_no_trace_in_the_bundle() {
    let (ran, model, world) = met(&[], &[]);
    assert_eq!((ran.code, model.requests().len()), (0, 6), "{}", ran.both());
    let whole = bundle(&world, "out");
    for faults in [
        &["429", "429:0", "429:date", "500", "529"][..],
        &["html503", "html", "garbage"],
        &["reset", "cut"],
        &["endless"],
        &["drip"],
    ] {
        let (ran, model, world) = met(faults, &[]);
        assert_eq!(ran.code, 0, "{faults:?}: {}", ran.both());
        assert_eq!(model.requests().len(), 6 + faults.len(), "{faults:?}");
        assert_eq!(bundle(&world, "out"), whole, "{faults:?}");
        assert!(ran.stderr.contains("trying again in "), "{}", ran.stderr);
        let text = world.read("out/run.json");
        crate::schemas::holds_text("run", &text);
        let run_json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(run_json["answers"]["retries"], faults.len(), "{faults:?}");
    }
    // Two choices are one answer: the first.
    let (ran, _, world) = met(&["two"], &[]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert_eq!(bundle(&world, "out"), whole);
}

#[test]
fn retry_after_is_obeyed_and_a_quota_that_ends_stops_with_the_time_to_come_back() {
    let started = Instant::now();
    let (ran, ..) = met(&["429:1"], &[]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(started.elapsed().as_secs_f64() >= 1.0);
    let (ran, model, world) = met(&["say:x", "429:4000"], &[]);
    assert_eq!((ran.code, model.requests().len()), (3, 2), "{}", ran.both());
    for part in [
        "the provider is limiting requests",
        "status 429: in trouble",
        "it asks to wait 4000 s: run the same command again after 20",
        "0 of 3 prompts are done; every answer so far is in leaderboard/.cache/eval/openai--m-1.jsonl",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let ran = run(&model, &world, &[&SMALL, &["--to", "out"]]);
    assert_eq!((ran.code, model.requests().len()), (0, 2 + 5), "{}", ran.both());
    // Without Retry-After, patience ends by itself.
    let (model, world) = (FakeModel::start(&["500"; 99]), small());
    let ran = run(&model, &world, &[&SMALL, &["--to", "out", "--patience", "1"]]);
    assert_eq!(ran.code, 3, "{}", ran.both());
    assert!(ran.stderr.contains("the provider gives no usable answer"), "{}", ran.stderr);
    assert!((10..40).contains(&model.requests().len()), "{}", model.requests().len());
}

#[test]
fn a_refusal_for_good_stops_at_once_with_the_providers_words() {
    let elsewhere = FakeModel::start(&[]);
    let redirect = format!("redirect:{}/v1/chat/completions", elsewhere.origin);
    for (fault, parts) in [
        ("401", &["does not accept the key", "bad key <token>", "check OPENAI_API_KEY"][..]),
        ("404", &["does not know this model", "in trouble", "did you mean `gpt-4.1-mini`?"]),
        ("400", &["refuses the request", "in trouble", "`--omit temperature`"]),
        ("422", &["refuses the request"]),
        (&redirect, &["the provider redirects, which is not followed"]),
    ] {
        let (model, world) = (FakeModel::start(&[fault]), small());
        let call = [
            "eval",
            "--model",
            "openai:gpt-4.1-mni",
            "--answers-only",
            "--prompts",
            "prompts.json",
            "--to",
            "out",
            "--jobs=1",
        ];
        let ran = run(&model, &world, &[&call]);
        assert_eq!(ran.code, 2, "{fault}: {}", ran.both());
        for part in parts {
            assert!(ran.stderr.contains(part), "{fault}: {part}: {}", ran.stderr);
        }
        let questions = model.requests().iter().filter(|it| it.method == "POST").count();
        assert_eq!(questions, 1, "{fault}");
        assert!(!world.exists("out"));
    }
    assert_eq!(elsewhere.requests().len(), 0, "nothing goes to another origin");
}

#[test]
fn a_server_that_is_not_there_is_not_waited_for() {
    let world = small();
    let call = [
        "eval",
        "--model",
        "ollama:m",
        "--answers-only",
        "--prompts",
        "prompts.json",
        "--to",
        "out",
        "--retry-pause",
        "1",
    ];
    let ran = crate::harness::finish(world.command(&call).env("OLLAMA_HOST", "127.0.0.1:1"), None);
    assert_eq!(ran.code, 3, "{}", ran.both());
    assert!(
        ran.stderr.contains("is the server running, and is the address right?"),
        "{}",
        ran.stderr
    );
}

#[test]
fn answers_are_recorded_as_they_are_and_counted() {
    // a: null and its vote; b: cut off, and a vote that cannot be read twice; c: filtered.
    let faults =
        ["null", "", "length", "say:maybe", "say:who knows", "filter", "say:true or false"];
    let (ran, model, world) = met(&faults, &[]);
    assert_eq!(model.requests().len(), 8, "an unreadable vote is asked for once more");
    for line in [
        "1 of 3 answers reached max_tokens",
        "1 of 3 answers are refusals",
        "2 of 3 answers are empty",
        "1 of 3 votes could not be read and are recorded as null",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.both());
    }
    let judge: serde_json::Value =
        serde_json::from_str(&world.read("out/judge.json")).expect("JSON");
    assert_eq!(judge["b"], serde_json::json!([null]));
    let run_json: serde_json::Value =
        serde_json::from_str(&world.read("out/run.json")).expect("JSON");
    assert_eq!(
        (&run_json["votes"]["asked_again"], &run_json["votes"]["unreadable"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn a_server_that_repeats_the_key_cannot_get_it_recorded() {
    let (ran, _, world) = met(&["echo"], &[]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let text = world.read("out/completions.json");
    assert!(text.contains("<token>") && !text.contains(KEY), "{text}");
}

#[test]
fn a_journal_with_a_cut_line_goes_on_and_a_damaged_one_is_named() {
    let (ran, model, world) = met(&[], &[]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let (whole, file) = (bundle(&world, "out"), "leaderboard/.cache/eval/openai--m-1.jsonl");
    let text = world.read(file);
    std::fs::remove_dir_all(world.path("out")).expect("removed");
    world.write(file, &text[..text.len() - 7]);
    model.forget();
    let ran = run(&model, &world, &[&SMALL, &["--to", "out"]]);
    assert_eq!((ran.code, model.requests().len()), (0, 1), "{}", ran.both());
    assert_eq!(bundle(&world, "out"), whole);
    world.write(file, text.replacen("{\"at\"", "{oops", 1));
    let ran = run(&model, &world, &[&SMALL, &["--to", "out"]]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains(&format!("{file}:1")) && ran.stderr.contains("--restart"),
        "{}",
        ran.stderr
    );
}
