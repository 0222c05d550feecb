//! The ledger's cases: inserts and what is derived, Slack payloads, the Merkle audit, vectors.

use std::path::{Path, PathBuf};

use gmat_leaderboard::json;
use gmat_leaderboard::ledger::{
    self, Checkpoint, Derived, Frontier, History, NoDelta, NoTrend, Outcome, Rules, Trend,
};
use gmat_leaderboard::notify::{Channel, Scale, payload};
use serde_json::{Value, json};

use super::{files, folder};

/// The cases of a folder, sorted by file name.
fn cases(folder: &Path) -> Vec<(String, Value)> {
    let named = |path: PathBuf| (path.display().to_string(), value(&path));
    files(folder, "json").into_iter().map(named).collect()
}

fn value(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("readable")).expect("JSON")
}

/// Objects unordered, arrays ordered, numbers numerically and exactly. With `open`, `ours` may
/// have keys that `theirs` lacks.
fn same(ours: &Value, theirs: &Value, open: bool) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) => {
            a.as_f64().map(|a| a + 0.0).map(f64::to_bits)
                == b.as_f64().map(|b| b + 0.0).map(f64::to_bits)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, open))
        }
        (Value::Object(a), Value::Object(b)) => {
            (open || a.len() == b.len())
                && b.iter().all(|(key, b)| a.get(key).is_some_and(|a| same(a, b, open)))
        }
        _ => ours == theirs,
    }
}

fn insert(history: &mut History, record: &Value, rules: Rules) -> Value {
    let text = record.to_string();
    let document = json::parse(text.as_bytes()).expect("strict JSON");
    match ledger::insert_record(history, &document.root, rules) {
        Ok(inserted) => serde_json::to_value(inserted.answer()).expect("JSON"),
        Err(reason) => json!({"outcome": Outcome::Rejected, "reason": reason.as_str()}),
    }
}

#[test]
fn history() {
    let Some(folder) = folder("ledger/history") else { return };
    let cases = cases(&folder);
    let mut failed = Vec::new();
    for (name, case) in &cases {
        let config = &case["input"]["config"];
        let score_scale = config["score_scale"].as_f64().unwrap_or(1.0);
        let epsilon =
            config["trend_epsilon"].as_f64().unwrap_or(ledger::default_epsilon(score_scale));
        let rules = Rules { score_scale, epsilon };
        let mut history = History::default();
        for record in case["input"]["existing"].as_array().expect("a list") {
            insert(&mut history, record, rules);
        }
        let results: Vec<Value> = case["input"]["inserts"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|record| insert(&mut history, record, rules))
            .collect();
        let file_order: Vec<&str> =
            history.recorded().iter().map(|run| run.run_id.as_str()).collect();
        let ours = json!({
            "results": results,
            "file_order": file_order,
            "rows": ledger::derive_all(&history, epsilon),
            "weeks": ledger::weeks(&history),
        });
        if !same(&ours, &case["expected"], true) {
            failed.push(format!("{name}\nours {ours:#}\nexpected {:#}", case["expected"]));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    eprintln!("ledger/history: {} cases compared", cases.len());
}

#[test]
fn slack() {
    let Some(folder) = folder("ledger/slack") else { return };
    let cases = cases(&folder);
    for (name, case) in &cases {
        let config = &case["input"]["config"];
        let score_scale = config["score_scale"].as_f64().expect("a scale");
        let scale = Scale {
            score_scale,
            decimals: config["decimals"].as_u64().map_or(3, |n| usize::try_from(n).expect("small")),
            epsilon: config["trend_epsilon"]
                .as_f64()
                .unwrap_or(ledger::default_epsilon(score_scale)),
        };
        let text = case["input"]["entry"].to_string();
        let document = json::parse(text.as_bytes()).expect("strict JSON");
        let run = ledger::Run::read(&document.root, score_scale).expect("a run").run;
        let derived = derived(&run, &case["input"]["derived"]);
        let posts: Vec<Value> = Channel::of(&run)
            .iter()
            .map(|channel| {
                let key = if *channel == Channel::Quality { "quality" } else { "on_call" };
                let payload = payload(&run, &derived, &scale, config["report_url"].as_str());
                json!({"channel": config["channels"][key], "payload": payload})
            })
            .collect();
        let ours = json!({"posts": posts});
        assert!(same(&ours, &case["expected"], false), "{name}\n{ours:#}");
    }
    eprintln!("ledger/slack: {} cases compared", cases.len());
}

/// What the case says is derived; what it does not say plays no part in a card.
fn derived(run: &ledger::Run, given: &Value) -> Derived {
    let score_delta =
        match (given["score_delta"].as_f64(), given["score_delta_null_because"].as_str()) {
            (Some(delta), _) => Ok(delta),
            (None, Some("epoch_start")) => Err(NoDelta::EpochStart),
            (None, Some("no_score")) => Err(NoDelta::NoScore),
            (None, Some("prev_no_score")) => Err(NoDelta::PrevNoScore),
            (None, _) => Err(NoDelta::FirstRun),
        };
    let trend = match given["trend"].as_str() {
        Some("improving") => Ok(Trend::Improving),
        Some("stable") => Ok(Trend::Stable),
        Some("declining") => Ok(Trend::Declining),
        _ => Err(NoTrend::InsufficientRuns),
    };
    let notes = given["notes"].as_array().expect("a list").iter();
    Derived {
        run_id: run.run_id.clone(),
        week: run.at.week(),
        epoch: run.epoch(),
        prev_run_id: None,
        score_delta,
        hallucination_delta: None,
        latency_delta: None,
        cost_delta: None,
        moving_average: None,
        trend,
        notes: notes.map(|note| note.as_str().expect("a note").to_owned()).collect(),
    }
}

#[test]
fn merkle() {
    let Some(folder) = folder("ledger/merkle") else { return };
    let cases = cases(&folder);
    for (name, case) in &cases {
        let history = case["input"]["history"].as_str().expect("text");
        assert_eq!(case["input"]["origin"].as_str(), Some(ledger::ORIGIN), "{name}");
        let checkpoints: Vec<Option<Checkpoint>> = case["input"]["checkpoints"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|text| Checkpoint::parse(text.as_str().expect("text")))
            .collect();
        let ours = match ledger::audit(history.as_bytes(), &checkpoints) {
            Ok(anchored) => json!({
                "ok": true,
                "size": anchored.head.size,
                "root": anchored.head.root_base64(),
                "unanchored_lines": anchored.unanchored_lines,
            }),
            Err(tampering) => json!({"ok": false, "error": tampering.to_string()}),
        };
        assert!(same(&ours, &case["expected"], false), "{name}\n{ours:#}");
    }
    eprintln!("ledger/merkle: {} cases compared", cases.len());
}

#[test]
fn merkle_roots() {
    let Some(folder) = folder("ledger") else { return };
    let vectors = value(&folder.join("rfc6962-vectors.json"));
    let unhex = |text: &Value| hex::decode(text.as_str().expect("text")).expect("hex");
    let mut frontier = Frontier::default();
    let leaves: Vec<Vec<u8>> =
        vectors["ct_leaves_hex"].as_array().expect("a list").iter().map(unhex).collect();
    let roots = vectors["roots_hex"].as_array().expect("a list");
    for (size, root) in roots.iter().enumerate() {
        assert_eq!(frontier.root().to_vec(), unhex(root), "{size}");
        if let Some(leaf) = leaves.get(size) {
            frontier.push(leaf);
        }
    }
    let row_ids = value(&folder.join("vectors.json"));
    for (run_id, row_id) in row_ids["row_id"].as_object().expect("an object") {
        assert_eq!(Some(ledger::row_id(run_id).as_str()), row_id.as_str(), "{run_id}");
    }
    eprintln!("ledger vectors: {} roots compared", roots.len());
}
