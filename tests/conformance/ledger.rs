//! The ledger's cases: inserts and what is derived, Slack payloads, the Merkle audit, vectors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gmat_leaderboard::internals::domain::config::{Config, Dimension};
use gmat_leaderboard::internals::facts::PackView;
use gmat_leaderboard::internals::facts::{
    self, Grade, Mode, Proofs, ReplayCheck, RunTerms, RunToCompare, ScoringConditions,
};
use gmat_leaderboard::internals::import::result_file;
use gmat_leaderboard::internals::ledger::{
    self, Checkpoint, Derived, Frontier, Hashes, History, NoDelta, NoTrend, RecordOutcome, Rules,
    Trend,
};
use gmat_leaderboard::internals::notify::{self, Channel, Scale};
use gmat_leaderboard::internals::{domain, json};
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
        Err(reason) => json!({"outcome": RecordOutcome::Rejected, "reason": reason.as_str()}),
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
        let report_url = config["report_url"].as_str();
        let posts = notify::posts(&run, &derived, &scale, report_url, &Channel::all(&[]));
        let posts: Vec<Value> = posts
            .iter()
            .map(|post| {
                let key = if post.channel.name == "quality" { "quality" } else { "on_call" };
                json!({"channel": config["channels"][key], "payload": post.payload})
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

#[test]
fn comparability() {
    let Some(folder) = folder("ledger/comparability") else { return };
    let cases = cases(&folder);
    let mut failed = Vec::new();
    for (name, case) in &cases {
        let input = &case["input"];
        let mode = if input["mode"] == "adr" { Mode::Adr } else { Mode::Board };
        let dimensions: Vec<Dimension> = match input["dimensions"].as_array() {
            Some(names) => names
                .iter()
                .map(|name| Dimension::parse(name.as_str().expect("a name")).expect("known"))
                .collect(),
            None if mode == Mode::Adr => vec![Dimension::Pack, Dimension::ScoringMode],
            None => Dimension::DEFAULT.to_vec(),
        };
        let official: Vec<String> = input["official_baselines"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|id| id.as_str().expect("an id").to_owned())
            .collect();
        let runs = input["runs"].as_array().expect("a list");
        let runs: Vec<RunToCompare> =
            runs.iter().map(|run| run_to_compare(run, &dimensions, mode)).collect();
        let ours = match facts::compare(&runs, &official, mode) {
            Ok(comparison) => {
                let packs = comparison.packs.iter().map(|(id, pack)| (id, pack_json(pack)));
                let packs: BTreeMap<_, _> = packs.collect();
                json!({"runs": comparison.runs, "leaderboards": packs})
            }
            Err(errors) => json!({"error": errors[0].to_string()}),
        };
        if !same(&ours, &case["expected"], false) {
            failed.push(format!("{name}\nours {ours:#}\nexpected {:#}", case["expected"]));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    eprintln!("ledger/comparability: {} cases compared", cases.len());
}

fn pack_json(pack: &PackView) -> Value {
    let baseline = pack.baseline.as_ref();
    let rows = pack.rows.iter().map(|(run_id, (is_comparable, delta))| {
        (run_id, json!({"is_comparable": is_comparable, "delta_from_baseline": delta}))
    });
    let rows: BTreeMap<_, _> = rows.collect();
    json!({
        "baseline_run_id": baseline.map(|baseline| &baseline.run_id),
        "baseline_score": baseline.map(|baseline| baseline.score),
        "baseline_source": baseline.map(|baseline| baseline.source),
        "rows": rows,
    })
}

fn run_to_compare(run: &Value, dimensions: &[Dimension], mode: Mode) -> RunToCompare {
    let text = |key: &str| run[key].as_str().map(str::to_owned);
    let hashes = |object: &Value| -> Hashes {
        let members = object.as_object().into_iter().flatten();
        members
            .filter_map(|(field, hash)| Some((field.clone(), hash.as_str()?.to_owned())))
            .collect()
    };
    let rows = run["task_hashes"].as_array().into_iter().flatten();
    let proofs = Proofs {
        tasks: run["tasks"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|task| task.as_str().expect("a task").to_owned())
            .collect(),
        task_hashes: rows
            .map(|row| (row["task"].as_str().expect("a task").to_owned(), hashes(row)))
            .collect(),
        summary_general: run["summary_general_hashes"]
            .is_object()
            .then(|| hashes(&run["summary_general_hashes"])),
        bundle: run["bundle"].is_object().then(|| {
            let replay = match run["bundle"]["replay"].as_str() {
                Some("match") => ReplayCheck::Match,
                Some("mismatch") => ReplayCheck::Mismatch,
                _ => ReplayCheck::NotRun,
            };
            (run["bundle"]["sha16"].as_str().unwrap_or_default().to_owned(), replay)
        }),
    };
    let protocol = &run["eval_protocol_version"];
    let traits = ScoringConditions {
        pack: text("pack"),
        scoring_mode: text("scoring_mode"),
        eval_protocol_version: protocol
            .as_i64()
            .map(|n| n.to_string())
            .or(text("eval_protocol_version")),
        judge_model: text("judge_model"),
        n_votes: run["n_votes"].as_u64(),
        public_set_sha16: text("public_set_sha16"),
        judge_config_sha16: text("judge_config_sha16"),
        generation_sha16: text("generation_sha16"),
        backend: text("backend"),
        metric: text("metric"),
        n_docs: run["n_docs"].as_u64(),
        protocol_sha16: None,
    };
    RunToCompare {
        run_id: text("run_id").expect("an id"),
        model: String::new(),
        pack: text("pack").unwrap_or_default(),
        cohort: facts::cohort_id(&traits, dimensions),
        is_completed: run["status"] == "completed",
        created_at: text("created_at"),
        score: run["score"].as_f64(),
        evidence: facts::grade(&proofs, mode),
    }
}

#[test]
fn hash_vectors() {
    let Some(folder) = folder("ledger") else { return };
    let vectors = value(&folder.join("vectors.json"));
    let hashes = vectors["xxh64_hex"].as_object().expect("an object");
    for (text, hash) in hashes {
        assert_eq!(Some(domain::xxh64_hex(text.as_bytes()).as_str()), hash.as_str(), "{text}");
    }
    let empty = domain::xxh64_hex(b"[]");
    let tokens = vectors["token_hash_of_n_empty_samples"].as_object().expect("an object");
    for (n, hash) in tokens {
        let joined = empty.repeat(n.parse().expect("a number"));
        assert_eq!(Some(domain::xxh64_hex(joined.as_bytes()).as_str()), hash.as_str(), "{n}");
    }
    let traits = ScoringConditions {
        pack: Some("gmat".into()),
        scoring_mode: Some("judge".into()),
        eval_protocol_version: Some("1".into()),
        judge_model: Some("openai/gpt-4.1-mini".into()),
        n_votes: Some(3),
        public_set_sha16: Some("1111111111111111".into()),
        ..ScoringConditions::default()
    };
    let key = facts::cohort_key(&traits, &Dimension::DEFAULT);
    assert_eq!(key.as_deref(), Ok(vectors["cohort_key_canonical"].as_str().expect("a key")));
    let id = facts::cohort_id(&traits, &Dimension::DEFAULT);
    assert_eq!(id.as_deref(), Ok(vectors["cohort_id"].as_str().expect("an id")));
    eprintln!("ledger vectors: {} hashes compared", hashes.len() + tokens.len());
}

#[test]
fn lighteval_samples() {
    let Some(folder) = folder("lighteval-samples") else { return };
    let config = Config::parse(
        br#"{"packs": [{"id": "p", "tasks": ["gsm8k|0"], "primary_metric": "extractive_match",
             "scoring_mode": "deterministic"}]}"#,
        "seeds.json",
    )
    .expect("a config");
    let mut grades = Vec::new();
    for path in files(&folder, "json") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with("results_") {
            continue;
        }
        let bytes = std::fs::read(&path).expect("readable");
        let (result, notes) = result_file::read(&name, &bytes).expect("a results file");
        let time = facts::RunTime::from_result(&result, None, None).expect("a time in the name");
        let run = facts::pack_run(&result, &config.packs[0], &config, &time, &RunTerms::default())
            .expect("a run");
        let facts = run.pack_run.expect("a pack");
        let evidence = facts::grade(&facts.proofs(), Mode::Board);
        assert!(facts.time_zone_assumed);
        // Since 0.11 the hash of the full prompts is that of nothing; a task without hashes spoils all.
        let wanted = match &name {
            old if old.contains("lighteval-0.8") => Grade::Full,
            half if half.contains("litellm-nan") => Grade::None,
            _ => Grade::Weak,
        };
        assert_eq!(evidence.grade, wanted, "{name}: {:?}", evidence.problems);
        assert_eq!(name.contains("nan"), !notes.is_empty(), "{name}: {notes:?}");
        grades.push(evidence.grade);
        // Pasted over every task and the summary, a constant no longer adds up.
        let mut pasted = facts;
        let constant: Hashes =
            facts::HASH_FIELDS.map(|field| (field.into(), "0123456789abcdef".into())).into();
        pasted.task_hashes =
            pasted.tasks.iter().map(|task| (task.clone(), constant.clone())).collect();
        pasted.summary_general_hashes = Some(constant);
        let evidence = facts::grade(&pasted.proofs(), Mode::Board);
        assert_eq!(evidence.grade, Grade::None, "{name}");
        let mismatch = |problem: &String| problem.starts_with("summary_general_mismatch:");
        assert_eq!(
            evidence.problems.iter().filter(|problem| mismatch(problem)).count(),
            4,
            "{name}"
        );
    }
    grades.sort();
    assert_eq!(grades, [Grade::None, Grade::Weak, Grade::Full]);
    eprintln!("lighteval-samples: {} files graded", grades.len());
}
