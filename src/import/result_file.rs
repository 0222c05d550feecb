//! A results file as the few facts a pack needs: scores, hashes, how much was evaluated. LightEval
//! writes the hashes; files of lm-evaluation-harness and logs of Inspect have none.
//!
//! Fields are taken by name. The rest of the file, `model_config` above all, may hold keys,
//! addresses and paths of whoever ran it; nothing of it is kept.

use std::collections::BTreeMap;

use super::document::{LIMITS, document, without_bom};
use super::json_value::{compact, is_plain_name, member};
use super::lighteval::{
    generation, generation_sha16, is_average, model, parameters, task_config, time_of_name,
};
use super::note::{ImportError, Note, Tally};
use super::sniff::{HEAD, Sniffed, Source, sniff, sniff_document};
use super::{inspect, lm_eval};
use crate::domain::config::{RunStatus, ScoringMode};
use crate::domain::sha16;
use crate::json::{Node, Object, Value, parse_with};

/// Hashes by field; null and empty ones are left out.
pub type Hashes = BTreeMap<String, String>;

/// What is kept of a results file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResultFile {
    /// The program that wrote it, as run ids start with.
    pub program: &'static str,
    /// First 16 hex digits of the SHA-256 of the file.
    pub sha16: String,
    /// The model.
    pub model: String,
    /// Files of one evaluation share this.
    pub group: Option<String>,
    /// The time in the file, RFC 3339.
    pub at: Option<String>,
    /// The time in the file's name, which names no zone.
    pub local_time: Option<String>,
    /// The tasks, averages left out.
    pub tasks: BTreeMap<String, TaskResult>,
    /// The hashes of each task that has any.
    pub task_hashes: BTreeMap<String, Hashes>,
    /// The hashes over all tasks.
    pub summary_hashes: Option<Hashes>,
    /// Known generation parameters that are numbers or flags, as written.
    pub generation: BTreeMap<String, String>,
    /// Hash of the generation parameters.
    pub generation_sha16: Option<String>,
    /// Whether only a part of the documents was evaluated.
    pub is_partial: bool,
    /// How the score came about, where the file says.
    pub scoring_mode: Option<ScoringMode>,
    /// Who judged, where the file says.
    pub judge_model: Option<String>,
    /// What served the model, where the file says.
    pub backend: Option<String>,
    /// How the run ended, where the file says.
    pub status: Option<RunStatus>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskResult {
    /// Finite metrics.
    pub metrics: BTreeMap<String, f64>,
    /// Its version.
    pub version: Option<i64>,
    /// How many documents were evaluated.
    pub n_docs: Option<u64>,
}

/// Reads the file called `file`; notes say what of it is missing or odd.
pub fn read(file: &str, bytes: &[u8]) -> Result<(ResultFile, Vec<Note>), ImportError> {
    match sniffed(file, bytes) {
        Some(Sniffed::Known(source @ (Source::LmEval | Source::Inspect))) => {
            read_outcome(file, bytes, source)
        }
        _ => read_lighteval(file, bytes),
    }
}

/// What every file of one evaluation says together; a file without a group stays alone.
pub fn merge(results: Vec<(String, ResultFile)>) -> Vec<(String, ResultFile)> {
    let mut merged: Vec<(String, ResultFile)> = Vec::new();
    for (file, result) in results {
        let is_same = |of: &&mut (String, ResultFile)| {
            result.group.is_some() && (&of.1.group, &of.1.model) == (&result.group, &result.model)
        };
        let Some((_, whole)) = merged.iter_mut().find(is_same) else {
            merged.push((file, result));
            continue;
        };
        let mut parts = [whole.sha16.as_str(), result.sha16.as_str()];
        parts.sort_unstable();
        whole.sha16 = sha16(parts.concat().as_bytes());
        whole.tasks.extend(result.tasks);
        whole.is_partial |= result.is_partial;
    }
    merged
}

/// Reads what the importer of `source` reads.
fn read_outcome(
    file: &str,
    bytes: &[u8],
    source: Source,
) -> Result<(ResultFile, Vec<Note>), ImportError> {
    let document = document(file, bytes)?;
    let root = &document.root;
    let is_inspect = source == Source::Inspect;
    let mut tally = Tally::default();
    let outcome = if is_inspect {
        inspect::read(file, bytes, &mut tally)?
    } else {
        Some(lm_eval::read(file, bytes, &mut tally)?)
    };
    let Some(outcome) = outcome else {
        let why = tally.notes.into_iter().map(|note| note.what).collect::<Vec<_>>().join(", ");
        return Err(ImportError::shape(file, "a finished evaluation", why));
    };
    let docs = |task: &str| {
        let count = if is_inspect {
            member(root, &["results", "completed_samples"])
        } else {
            member(root, &["n-samples", task, "effective"])
        };
        count.and_then(|count| count.count().ok())
    };
    let mut tasks: BTreeMap<String, TaskResult> = BTreeMap::new();
    for (task, measure, value) in outcome.cells {
        let n_docs = docs(&task);
        let result = tasks.entry(task).or_default();
        result.n_docs = n_docs;
        result.metrics.insert(measure.name.as_str().to_owned(), value);
    }
    let parameters = member(
        root,
        if is_inspect { &["eval", "model_generate_config"] } else { &["config", "gen_kwargs"] },
    );
    let set = parameters.filter(|node| !node.is_null());
    let result = ResultFile {
        program: if is_inspect { "inspect" } else { "lm-eval" },
        sha16: outcome.digest,
        model: outcome.model,
        group: outcome.group,
        at: outcome.at,
        tasks,
        generation: parameters.map(generation).unwrap_or_default(),
        generation_sha16: set.map(|set| sha16(compact(set).as_bytes())),
        is_partial: outcome.facets.iter().any(|(name, value)| name == "partial" && value == "true"),
        ..ResultFile::default()
    };
    Ok((result, tally.notes))
}

fn read_lighteval(file: &str, bytes: &[u8]) -> Result<(ResultFile, Vec<Note>), ImportError> {
    let document = document(file, bytes)?;
    let root = &document.root;
    let shape = |why: &str| ImportError::shape(file, "a LightEval results file", why);
    let model = model(root).ok_or_else(|| shape("it has no `config_general.model_name`"))?;
    if !is_plain_name(model) {
        return Err(shape("the model's name holds control characters or is too long"));
    }
    let results = member(root, &["results"])
        .and_then(|node| node.object().ok())
        .ok_or_else(|| shape("it has no object `results`"))?;
    let mut notes = Vec::new();
    let mut tasks = BTreeMap::new();
    for (name, metrics) in results.iter() {
        // Averages of tasks are not tasks.
        if is_average(name) {
            continue;
        }
        if !is_plain_name(name) {
            notes.push(Note::file(file, "a task's name holds control characters; it is left out"));
            continue;
        }
        let Ok(metrics) = metrics.object() else {
            notes.push(Note::file(
                file,
                format!("`results.{name}` is not an object; it is left out"),
            ));
            continue;
        };
        let mut task = task(root, name);
        for (metric, value) in metrics.iter().filter(|(metric, _)| is_plain_name(metric)) {
            match &value.value {
                Value::Number(number) if number.as_f64().is_finite() => {
                    task.metrics.insert(metric.to_string(), number.as_f64());
                }
                _ => {
                    let kind = if matches!(value.value, Value::Number(_)) {
                        "not finite"
                    } else {
                        value.kind()
                    };
                    let what = format!("`results.{name}.{metric}` is {kind}; it counts as missing");
                    notes.push(Note::file(file, what));
                }
            }
        }
        tasks.insert(name.to_string(), task);
    }
    let task_hashes = task_hashes(root);
    notes.extend(pasted(file, &task_hashes));
    let limited =
        member(root, &["config_general", "max_samples"]).is_some_and(|limit| !limit.is_null());
    let is_cut = tasks.keys().any(|name| {
        let (effective, original) = (docs(root, name, "effective"), docs(root, name, "original"));
        effective.zip(original).is_some_and(|(effective, original)| effective < original)
    });
    let result = ResultFile {
        program: "le",
        sha16: sha16(bytes),
        model: model.to_owned(),
        local_time: time_of_name(file),
        tasks,
        task_hashes,
        summary_hashes: member(root, &["summary_general", "hashes"]).and_then(hashes),
        generation: parameters(root).map(generation).unwrap_or_default(),
        generation_sha16: generation_sha16(root),
        is_partial: limited || is_cut,
        scoring_mode: said(root, "scoring_mode", ScoringMode::parse)
            .map_err(|()| shape("`scoring_mode` is not deterministic, judge or jury"))?,
        judge_model: said(root, "judge_model", |name| is_plain_name(name).then(|| name.to_owned()))
            .map_err(|()| shape("`judge_model` is not the name of a model"))?,
        backend: said(root, "backend", |name| is_plain_name(name).then(|| name.to_owned()))
            .map_err(|()| shape("`backend` is not a name"))?,
        status: said(root, "status", RunStatus::parse)
            .map_err(|()| shape("`status` is not completed, failed or cancelled"))?,
        ..ResultFile::default()
    };
    Ok((result, notes))
}

/// What the file says under `key`, at the top or in `config_general`; an error if that is not valid.
fn said<T>(root: &Node<'_>, key: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, ()> {
    let found = member(root, &[key]).or_else(|| member(root, &["config_general", key]));
    match found.filter(|node| !node.is_null()) {
        None => Ok(None),
        Some(node) => node.as_str().and_then(parse).map(Some).ok_or(()),
    }
}

/// What a file that packs do not accept is, with an article, if that is known.
pub fn kind(file: &str, bytes: &[u8]) -> Option<&'static str> {
    match sniffed(file, bytes)? {
        Sniffed::Known(Source::LightEval | Source::LmEval | Source::Inspect) => None,
        Sniffed::Known(source) => Some(source.name()),
        Sniffed::Foreign(foreign) => Some(foreign.name()),
        _ => None,
    }
}

fn sniffed(file: &str, bytes: &[u8]) -> Option<Sniffed> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let tail = (head.len() < bytes.len()).then(|| &bytes[bytes.len() - HEAD..]);
    Some(match sniff(file, head, tail, super::cells::ALL) {
        Sniffed::Document => {
            let text = without_bom(bytes);
            sniff_document(&parse_with(text, LIMITS).ok()?.root)
        }
        sniffed => sniffed,
    })
}

fn task(root: &Node<'_>, name: &str) -> TaskResult {
    let version = member(root, &["versions", name]).and_then(|node| node.number().ok()?.as_i64());
    TaskResult { metrics: BTreeMap::new(), version, n_docs: docs(root, name, "effective") }
}

fn task_hashes(root: &Node<'_>) -> BTreeMap<String, Hashes> {
    let tasks = member(root, &["summary_tasks"]).and_then(|tasks| tasks.object().ok());
    tasks
        .into_iter()
        .flat_map(Object::iter)
        .filter(|(name, _)| is_plain_name(name))
        .filter_map(|(name, task)| Some((name.to_string(), hashes(member(task, &["hashes"])?)?)))
        .filter(|(_, hashes)| !hashes.is_empty())
        .collect()
}

/// `effective_num_docs` or `original_num_docs` of a task; −1 means unknown.
fn docs(root: &Node<'_>, task: &str, which: &str) -> Option<u64> {
    member(task_config(root, task)?, &[&format!("{which}_num_docs")])?.count().ok()
}

fn hashes(node: &Node<'_>) -> Option<Hashes> {
    let members = node.object().ok()?.iter().filter(|(_, hash)| !hash.is_null());
    let known = members.filter(|(field, _)| field.starts_with("hash_") && field.len() <= 40);
    let texts = known.map(|(field, hash)| {
        // A hash is short; what is none keeps no more than the room of one.
        let text: String = hash.as_str().unwrap_or("not-a-string").chars().take(16).collect();
        let text =
            if hash.as_str().is_some_and(|hash| hash.len() > 16) { text + "…" } else { text };
        (field.to_string(), text)
    });
    Some(texts.filter(|(_, hash)| !hash.is_empty()).collect())
}

/// Different tasks ask different questions; the same hash for two of them was pasted.
fn pasted(file: &str, tasks: &BTreeMap<String, Hashes>) -> Vec<Note> {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    let mut notes = Vec::new();
    for (name, hashes) in tasks {
        if let Some(hash) = hashes.get("hash_examples")
            && let Some(other) = seen.insert(hash, name)
        {
            let what = format!("tasks `{other}` and `{name}` carry the same `hash_examples`");
            notes.push(Note::file(file, what));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_named_fields_leave_the_file_and_odd_metrics_are_missing() {
        let text = r#"{"config_general": {"model_name": "org/m", "max_samples": 10, "model_config": {
                "api_key": "sk-CANARY", "base_url": "https://CANARY", "cache_dir": "/home/CANARY",
                "system_prompt": "CANARY", "generation_parameters": {"temperature": 0.0, "seed": null}}},
            "results": {"a|0": {"acc": 0.5, "x": null, "y": "N/A", "z": {"deep": 1}, "w": NaN}, "b|0": 3,
                "all": {"acc": 0.5}, "m:_average|5": {"acc": 1}},
            "versions": {"a|0": 2},
            "config_tasks": {"a": {"original_num_docs": 100, "effective_num_docs": 10}},
            "summary_tasks": {"a|0": {"hashes": {"hash_examples": "aaaaaaaaaaaaaaaa", "hash_cont_tokens": "",
                "hash_input_tokens": null, "other": "CANARY", "hash_full_prompts": "/home/CANARY/very/long/path"}}},
            "summary_general": {"hashes": {}}}"#;
        let (result, notes) =
            read("x/results_2026-05-14T12-00-00.5.json", text.as_bytes()).expect("good");
        let task = &result.tasks["a|0"];
        assert_eq!(task.metrics, BTreeMap::from([("acc".to_owned(), 0.5)]));
        assert_eq!((task.version, task.n_docs, result.tasks.len()), (Some(2), Some(10), 1));
        assert_eq!(result.local_time.as_deref(), Some("2026-05-14T12:00:00.5"));
        assert!(result.is_partial && result.generation_sha16.is_some());
        assert_eq!(result.task_hashes["a|0"].len(), 2);
        let notes: Vec<String> = notes.into_iter().map(|note| note.what).collect();
        assert_eq!(
            notes,
            [
                "`results.a|0.x` is null; it counts as missing",
                "`results.a|0.y` is a string; it counts as missing",
                "`results.a|0.z` is an object; it counts as missing",
                "`results.a|0.w` is not finite; it counts as missing",
                "`results.b|0` is not an object; it is left out",
            ]
        );
        let kept = format!("{result:?}");
        assert!(
            !kept.contains("sk-") && !kept.contains("https") && !kept.contains("very"),
            "{kept}"
        );
    }

    #[test]
    fn other_programs_are_read_and_logs_of_one_evaluation_are_one_run() {
        let lm = br#"{"results":{"gsm8k":{"alias":"gsm8k","exact_match,strict-match":0.5}},"n-samples":{"gsm8k":{"original":9,"effective":7}},
            "group_subtasks":{"gsm8k":[]},"configs":{},"versions":{"gsm8k":3},"n-shot":{"gsm8k":5},"higher_is_better":{},
            "config":{"limit":7,"model":"hf","gen_kwargs":{"temperature":0,"until":["CANARY"]}},"date":1778760000,"model_name":"org/m"}"#;
        let (result, _) = read("results_2026.json", lm).expect("a file");
        let task = &result.tasks["gsm8k"];
        assert_eq!((task.n_docs, task.metrics["exact_match,strict-match"]), (Some(7), 0.5));
        assert_eq!(
            (result.program, result.at.as_deref()),
            ("lm-eval", Some("2026-05-14T12:00:00Z"))
        );
        assert_eq!(result.generation, BTreeMap::from([("temperature".into(), "0".into())]));
        assert!(result.is_partial && !format!("{result:?}").contains("CANARY"));

        let log = |task: &str, status: &str| {
            format!(
                r#"{{"version":2,"status":"{status}","eval":{{"run_id":"R","task":"{task}","model":"org/m","created":"2026-05-14T12:00:00+00:00"}},
                "results":{{"completed_samples":9,"scores":[{{"name":"s","metrics":{{"accuracy":{{"value":0.5}}}}}}]}}}}"#
            )
        };
        let read_log = |task: &str| {
            (task.to_owned(), read(task, log(task, "success").as_bytes()).expect("a log").0)
        };
        let merged = merge(vec![read_log("a"), read_log("b")]);
        let again = merge(vec![read_log("b"), read_log("a")]);
        assert_eq!((merged.len(), merged[0].1.tasks.len()), (1, 2));
        assert_eq!(merged[0].1.sha16, again[0].1.sha16, "in any order");
        let refused = read("c", log("c", "error").as_bytes()).expect_err("unfinished");
        assert_eq!(refused.to_string(), "`c` is not a finished evaluation");
        assert_eq!(kind("c", log("c", "error").as_bytes()), None);
    }

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

        #[test]
        fn any_bytes_are_a_file_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read("results.json", &bytes);
        }
    }
}
