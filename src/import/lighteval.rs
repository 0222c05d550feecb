//! LightEval's results file: one run, a topic per task, a measure per metric.
//!
//! Its writer dumps `model_config` whole, which may hold an API key. Fields are taken by name.

use std::collections::BTreeMap;

use super::document::document;
use super::json_value::{better, compact, is_plain_name, member};
use super::note::{ImportError, Note, Tally};
use super::outcome::ImportOutcome;
use crate::domain::sha16;
use crate::json::{Node, Number, Object, Value};
use crate::table::Better;

/// Larger files are refused before they are parsed.
pub const SIZE_LIMIT: u64 = 32 << 20;

/// Reads one file; `tally` says what of it is missing.
pub fn read(file: &str, bytes: &[u8], tally: &mut Tally) -> Result<ImportOutcome, ImportError> {
    let document = document(file, bytes)?;
    let root = &document.root;
    let shape = |why: &str| ImportError::shape(file, "a LightEval results file", why);
    let name = model(root).ok_or_else(|| shape("it has no `config_general.model_name`"))?;
    if !is_plain_name(name) {
        return Err(shape("the model's name holds control characters"));
    }
    let results = member(root, &["results"])
        .and_then(|node| node.object().ok())
        .ok_or_else(|| shape("it has no object `results`"))?;
    let mut outcome = ImportOutcome::new(file, name, sha16(bytes));
    let mut tasks = 0;
    for (task, metrics) in results.iter() {
        // Averages of tasks are not tasks; they are computed again from the tasks.
        if is_average(task) {
            continue;
        }
        if !is_plain_name(task) {
            tally.skip(Note::file(file, "a task's name holds control characters"));
            continue;
        }
        let (suite, few_shot) = task_parts(task);
        for (facet, value) in [("suite", suite), ("few_shot", few_shot)] {
            let value = value.map(|value| (task.to_string(), facet, value.to_owned()));
            outcome.topic_facets.extend(value);
        }
        for (metric, value) in metrics.object().ok().into_iter().flat_map(Object::iter) {
            match &value.value {
                Value::Number(number) if number.as_f64().is_finite() => {
                    let better = direction(root, task, metric);
                    outcome.metric(task, metric, better, number.as_f64());
                }
                _ => {
                    let what =
                        format!("`results.{task}.{metric}` is not a finite number; it is missing");
                    tally.skip(Note::file(file, what));
                }
            }
        }
        tasks += 1;
    }
    facets(&mut outcome, root);
    if tasks == 0 {
        tally.notes.push(Note::file(file, "holds no task"));
    }
    Ok(outcome)
}

/// The name of the model, as the file has it.
pub(super) fn model<'n>(root: &'n Node<'_>) -> Option<&'n str> {
    member(root, &["config_general", "model_name"])
        .or_else(|| member(root, &["config_general", "model_config", "model_name"]))?
        .as_str()
}

/// The configuration of a task; older files key `config_tasks` without the few-shot part.
pub(super) fn task_config<'n, 'a>(root: &'n Node<'a>, task: &str) -> Option<&'n Node<'a>> {
    let short = task.rsplit_once('|').map_or(task, |(front, _)| front);
    member(root, &["config_tasks", task]).or_else(|| member(root, &["config_tasks", short]))
}

/// Whether a key of `results` names an average of tasks rather than a task.
pub(super) fn is_average(task: &str) -> bool {
    task == "all" || task.contains(":_average|")
}

/// `suite|task|5` → suite and few-shot count; newer keys have no suite.
fn task_parts(task: &str) -> (Option<&str>, Option<&str>) {
    let parts: Vec<&str> = task.split('|').collect();
    let few_shot = parts.last().copied().filter(|part| {
        parts.len() > 1 && !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    (if parts.len() == 3 { Some(parts[0]) } else { None }, few_shot)
}

/// The better direction, if the file says it.
fn direction(root: &Node<'_>, task: &str, metric: &str) -> Option<Better> {
    let listed = task_config(root, task)
        .and_then(|config| member(config, &["metrics"]).or_else(|| member(config, &["metric"])))
        .and_then(|list| list.array().ok());
    let base = metric.trim_end_matches("_stderr");
    let found = listed
        .into_iter()
        .flatten()
        .find(|entry| member(entry, &["metric_name"]).and_then(Node::as_str) == Some(base));
    better(member(found?, &["higher_is_better"]))
}

fn facets(outcome: &mut ImportOutcome, root: &Node<'_>) {
    outcome.at = time_of_name(&outcome.file);
    if outcome.at.is_some() {
        outcome.facet("time_zone_assumed", "true");
    }
    let general = |key: &str| member(root, &["config_general", key]);
    outcome.texts(root, &[("lighteval_sha", &["config_general", "lighteval_sha"])]);
    let tasks = member(root, &["config_tasks"]).and_then(|node| node.object().ok());
    let count = |task: &Node<'_>, key: &str| {
        member(task, &[key]).and_then(|node| node.number().ok()).map(Number::as_f64)
    };
    let cut = tasks.into_iter().flat_map(Object::iter).any(|(_, task)| {
        match (count(task, "effective_num_docs"), count(task, "original_num_docs")) {
            (Some(effective), Some(original)) => effective >= 0.0 && effective < original,
            _ => false,
        }
    });
    let limited = general("max_samples").is_some_and(|node| !node.is_null());
    outcome.facet("partial", if cut || limited { "true" } else { "false" });
    if let Some(sha16) = generation_sha16(root) {
        outcome.facet("generation_sha16", &sha16);
    }
    let examples = member(root, &["summary_general", "hashes", "hash_examples"]);
    if let Some(hash) = examples
        .and_then(Node::as_str)
        .filter(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        outcome.facet("hash_examples", hash);
    }
}

/// The generation parameters.
pub(super) fn parameters<'n, 'a>(root: &'n Node<'a>) -> Option<&'n Node<'a>> {
    member(root, &["config_general", "generation_parameters"])
        .or_else(|| member(root, &["config_general", "model_config", "generation_parameters"]))
}

/// Known parameters that are numbers or flags; a text could hold a prompt.
pub(super) fn generation(parameters: &Node<'_>) -> BTreeMap<String, String> {
    const KNOWN: [&str; 12] = [
        "do_sample",
        "frequency_penalty",
        "max_gen_toks",
        "max_new_tokens",
        "max_tokens",
        "min_p",
        "presence_penalty",
        "repetition_penalty",
        "seed",
        "temperature",
        "top_k",
        "top_p",
    ];
    let members = parameters.object().ok().into_iter().flat_map(Object::iter);
    let known = members.filter(|(key, value)| {
        KNOWN.contains(&key.as_ref()) && matches!(value.value, Value::Number(_) | Value::Bool(_))
    });
    known.map(|(key, value)| (key.to_string(), compact(value))).collect()
}

/// Hash of the generation parameters that are set, and of the system prompt, which is not kept.
pub(super) fn generation_sha16(root: &Node<'_>) -> Option<String> {
    let generation = parameters(root)?;
    let system = member(root, &["config_general", "model_config", "system_prompt"]);
    let members = generation.object().ok()?.iter().filter(|(_, value)| !value.is_null());
    let mut set: BTreeMap<String, String> =
        members.map(|(key, value)| (key.to_string(), compact(value))).collect();
    if let Some(system) = system.and_then(Node::as_str) {
        set.insert("system_prompt_sha16".into(), sha16(system.as_bytes()));
    }
    Some(sha16(&serde_json::to_vec(&set).ok()?))
}

/// `results_2026-05-14T12-00-00.123456….json` → `2026-05-14T12:00:00.123456`: the writer replaces
/// colons and names no zone.
pub(super) fn time_of_name(file: &str) -> Option<String> {
    let name = file.rsplit('/').next()?.strip_prefix("results_")?;
    let stamp = name.get(..19)?;
    let (day, time) = stamp.split_once('T')?;
    let fraction: String = name[19..]
        .strip_prefix('.')
        .map(|rest| rest.chars().take_while(char::is_ascii_digit).collect())
        .unwrap_or_default();
    let fraction = if fraction.is_empty() { fraction } else { format!(".{fraction}") };
    let text = format!("{day}T{}{fraction}", time.replace('-', ":"));
    crate::table::Moment::parse(&text).map(|_| text)
}

#[cfg(test)]
mod tests {
    use super::super::outcome::add_outcomes;
    use super::*;
    use crate::table::{Builder, Policy, STARTED_AT};

    const FILE: &str = r#"{"config_general":{"model_name":"org/m","max_samples":null,
        "model_config":{"api_key":"sk-secret","base_url":"http://x","cache_dir":"/home/someone"}},
        "results":{"gsm8k|0":{"em":0.5,"em_stderr":0.1,"note":"N/A"},"wiki|0":{"ppl":NaN},
        "mmlu:_average|5":{"acc":1},"all":{"em":0.5}},
        "config_tasks":{"gsm8k|0":{"metrics":[{"metric_name":"em","higher_is_better":false}]}}}"#;

    #[test]
    fn tasks_are_topics_and_no_secret_leaves_the_file() {
        let mut builder = Builder::default();
        let name = "results_2026-05-14T12-00-00.123456.json";
        let mut tally = Tally::default();
        let outcome = read(name, FILE.as_bytes(), &mut tally).expect("a file");
        let again = read("copy.json", FILE.as_bytes(), &mut Tally::default()).expect("a file");
        add_outcomes(&mut builder, vec![outcome, again], false, &mut tally).expect("cells");
        assert_eq!((tally.loaded, tally.skipped), (1, 3));
        let table = builder.build(&Policy::default()).expect("a table").table;
        let run = table.find("org/m@2026-05-14T12:00:00.123456").expect("one run");
        let em = table.measure_named("em").expect("a measure");
        assert_eq!(table.number(run, em), Some(0.5));
        assert_eq!(table.measure(em).better, Better::Lower);
        assert_eq!(table.facet(run, STARTED_AT).known(), Some("2026-05-14T12:00:00.123456"));
        assert_eq!(table.facet(run, "partial").known(), Some("false"));
        let everything = format!("{table:?}");
        for secret in ["sk-secret", "http://x", "someone"] {
            assert!(!everything.contains(secret), "{secret}");
        }
    }

    #[test]
    fn the_time_comes_from_the_name() {
        assert_eq!(
            time_of_name("x/results_2026-05-14T12-00-00.json").as_deref(),
            Some("2026-05-14T12:00:00")
        );
        assert_eq!(time_of_name("results.json"), None);
        assert_eq!(time_of_name("results_2026-99-14T12-00-00.json"), None);
        assert_eq!(time_of_name("results_äää6-05-14T12-00-00.json"), None);
    }
}
