//! The bundle the reference recorded: explained, and frozen again from its parts.

use gmat_leaderboard::internals::replay::{
    Asked, BundleFiles, Recording, examine, flatten, freeze, request_digest,
};
use serde_json::{Value, json};

#[test]
fn the_recorded_bundle_is_explained_and_freezes_to_its_own_bytes() {
    let Some(folder) = crate::folder("gmat-copilot") else { return };
    let bundle = folder.join("tests/data/eval");
    let read = |name: &str| std::fs::read(bundle.join(name)).expect("a file");
    let files = || BundleFiles {
        dir: "eval".into(),
        secret: false,
        prompts: read("prompts.json").into(),
        completions: read("completions.json"),
        judge: read("judge.json"),
    };
    let (provider, model) = ("github", "openai/gpt-4.1-mini");
    let judge_model = model;
    let asked = Asked { provider, model, judge_model, n_votes: 3, require_votes: false };

    let examined = examine(&files(), &asked).expect("readable");
    assert_eq!(examined.replay.counts(), (41, 51));
    assert_eq!(examined.failing.len(), 10);
    assert!(examined.failing.iter().all(|failing| !failing.reasons.is_empty()));

    let parsed = |name: &str| -> Value { serde_json::from_slice(&read(name)).expect("JSON") };
    let (prompts, completions, judge) =
        (parsed("prompts.json"), parsed("completions.json"), parsed("judge.json"));
    let (mut answers, mut votes) = (String::new(), String::new());
    for prompt in prompts.as_array().expect("prompts") {
        let request = prompt["request"].as_str().expect("a request");
        let digest = String::from_utf8_lossy(&request_digest(request)).into_owned();
        let mut answer = completions[format!("{provider}:{model}:{digest}")].clone();
        answer["request"] = json!(request);
        answers += &format!("{answer}\n");
        let id = prompt["id"].as_str().expect("an id");
        votes += &format!("{}\n", json!({"id": id, "votes": judge[id]}));
    }
    let bytes = read("prompts.json");
    let frozen = freeze(
        &format!("{provider}:{model}"),
        Recording { file: "prompts.json", bytes: &bytes },
        Recording { file: "answers.jsonl", bytes: answers.as_bytes() },
        Some(Recording { file: "votes.jsonl", bytes: votes.as_bytes() }),
        false,
    )
    .expect("frozen");
    assert!(frozen.prompts == bytes, "prompts.json differs");
    assert!(frozen.completions == read("completions.json"), "completions.json differs");
    assert!(frozen.judge == Some(read("judge.json")), "judge.json differs");

    // As the reference's recorder writes them: under the judge's name.
    let nested = json!({ judge_model: judge }).to_string().into_bytes();
    let flat = flatten(BundleFiles { judge: nested, ..files() }, &asked).expect("flat");
    assert_eq!(flat, frozen);
    eprintln!("entry: compared {} prompts and 3 files", examined.replay.outcomes.len());
}
