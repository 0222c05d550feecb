//! LightEval's results file: one run, a topic per task, a measure per metric.
//!
//! What a newcomer gets wrong: `model_config` is dumped whole by its writer and may hold a key
//! to somebody's account. Fields are taken by name; everything else stays in the file.

use std::collections::BTreeMap;

use super::note::{ImportError, Note, Tally};
use super::spell::{compact, is_plain_name, member, sha16};
use crate::json::{Limits, Node, Number, Object, Value, parse_with};
use crate::table::{
    Better, BuildError, Builder, Display, FacetKind, FacetValue, Measure, Reduce, STARTED_AT, Scope,
};

/// Larger files are refused before they are parsed.
pub const SIZE_LIMIT: u64 = 32 << 20;
pub(super) const LIMITS: Limits = Limits { depth: 64, lenient_numbers: true };

/// Reads one file. The same bytes read twice are one run.
pub fn read(builder: &mut Builder, file: &str, bytes: &[u8]) -> Result<Tally, ImportError> {
    let digest = sha16(bytes);
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let document = parse_with(text, LIMITS)
        .map_err(|error| ImportError::Json { file: file.to_owned(), error })?;
    let root = &document.root;
    let shape = |why: String| ImportError::Shape {
        file: file.to_owned(),
        wanted: "a LightEval results file",
        why,
    };
    let name = member(root, &["config_general", "model_name"])
        .or_else(|| member(root, &["config_general", "model_config", "model_name"]))
        .and_then(Node::as_str)
        .ok_or_else(|| shape("it has no `config_general.model_name`".to_owned()))?;
    if !is_plain_name(name) {
        return Err(shape("the model's name holds control characters".to_owned()));
    }
    let results = member(root, &["results"])
        .and_then(|node| node.object().ok())
        .ok_or_else(|| shape("it has no object `results`".to_owned()))?;
    let mut tally = Tally::default();
    let id = format!("le-{digest}");
    if builder.has_run(&id) {
        tally.skip(Note::file(file, format!("holds the same bytes as run `{id}`")));
        return Ok(tally);
    }
    let refused = |error: BuildError| ImportError::Build { place: file.to_owned(), error };
    let run = builder.run(&id);
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
        let topic = builder.topic(task);
        let (suite, few_shot) = task_parts(task);
        if let Some(suite) = suite {
            builder.topic_facet(topic, "suite", suite);
        }
        if let Some(few_shot) = few_shot {
            builder.topic_facet(topic, "few_shot", few_shot);
        }
        for (metric, value) in metrics.object().ok().into_iter().flat_map(Object::iter) {
            let number = match &value.value {
                Value::Number(number) if number.as_f64().is_finite() => number.as_f64(),
                _ => {
                    let what =
                        format!("`results.{task}.{metric}` is no finite number; it is missing");
                    tally.skip(Note::file(file, what));
                    continue;
                }
            };
            let better = higher_is_better(root, task, metric);
            let id = builder.measure(measure(metric, better)).map_err(refused)?;
            builder.cell(run, Scope::Topic(topic), id, number.into(), 0).map_err(refused)?;
        }
        tasks += 1;
    }
    facets(builder, run, root, file, &digest, name);
    tally.loaded = 1;
    if tasks == 0 {
        tally.notes.push(Note::file(file, "holds no task"));
    }
    Ok(tally)
}

/// Whether a key of `results` names an average of tasks rather than a task.
pub(super) fn is_average(task: &str) -> bool {
    task == "all" || task.contains(":_average|")
}

/// A metric as a measure; standard errors are kept but not averaged.
pub(super) fn measure(metric: &str, better: Better) -> Measure {
    let measure = Measure::number(metric).better(better).display(Display::Fixed(4));
    if metric.contains("_stderr") {
        measure.better(Better::Unordered).reduce(Reduce::Given)
    } else {
        measure
    }
}

/// `suite|task|5` → suite and few-shot count; newer keys have no suite.
fn task_parts(task: &str) -> (Option<&str>, Option<&str>) {
    let parts: Vec<&str> = task.split('|').collect();
    let few_shot = parts.last().copied().filter(|part| {
        parts.len() > 1 && !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    (if parts.len() == 3 { Some(parts[0]) } else { None }, few_shot)
}

fn higher_is_better(root: &Node<'_>, task: &str, metric: &str) -> Better {
    // Older files key `config_tasks` without the few-shot part.
    let short = task.rsplit_once('|').map_or(task, |(front, _)| front);
    let config =
        member(root, &["config_tasks", task]).or_else(|| member(root, &["config_tasks", short]));
    let listed = config
        .and_then(|config| member(config, &["metrics"]).or_else(|| member(config, &["metric"])))
        .and_then(|list| list.array().ok());
    let base = metric.trim_end_matches("_stderr");
    let found = listed
        .into_iter()
        .flatten()
        .find(|entry| member(entry, &["metric_name"]).and_then(Node::as_str) == Some(base));
    match found.and_then(|entry| member(entry, &["higher_is_better"])).map(|node| &node.value) {
        Some(Value::Bool(false)) => Better::Lower,
        _ => Better::Higher,
    }
}

fn facets(
    builder: &mut Builder,
    run: crate::table::Run,
    root: &Node<'_>,
    file: &str,
    digest: &str,
    name: &str,
) {
    let mut set = |key: &str, text: &str| {
        builder.facet(run, key, FacetKind::Text, FacetValue::Text(text));
    };
    set("model", name);
    if let Some(at) = time_of_name(file) {
        set(STARTED_AT, &at);
        set("time_zone_assumed", "true");
    }
    set("source_sha16", digest);
    let general = |key: &str| member(root, &["config_general", key]);
    if let Some(sha) = general("lighteval_sha").and_then(Node::as_str).filter(|s| is_plain_name(s))
    {
        set("lighteval_sha", sha);
    }
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
    set("partial", if cut || limited { "true" } else { "false" });
    if let Some(sha16) = generation_sha16(root) {
        set("generation_sha16", &sha16);
    }
    let examples = member(root, &["summary_general", "hashes", "hash_examples"]);
    if let Some(hash) = examples
        .and_then(Node::as_str)
        .filter(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        set("hash_examples", hash);
    }
}

/// Hash of the generation parameters that are set, and of the system prompt, which is not kept.
pub(super) fn generation_sha16(root: &Node<'_>) -> Option<String> {
    let generation = member(root, &["config_general", "generation_parameters"])
        .or_else(|| member(root, &["config_general", "model_config", "generation_parameters"]))?;
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
    use super::*;
    use crate::table::Policy;

    const FILE: &str = r#"{"config_general":{"model_name":"org/m","max_samples":null,
        "model_config":{"api_key":"sk-secret","base_url":"http://x","cache_dir":"/home/someone"}},
        "results":{"gsm8k|0":{"em":0.5,"em_stderr":0.1,"note":"N/A"},"wiki|0":{"ppl":NaN},
        "mmlu:_average|5":{"acc":1},"all":{"em":0.5}},
        "config_tasks":{"gsm8k|0":{"metrics":[{"metric_name":"em","higher_is_better":false}]}}}"#;

    #[test]
    fn tasks_are_topics_and_no_secret_leaves_the_file() {
        let mut builder = Builder::default();
        let name = "results_2026-05-14T12-00-00.123456.json";
        let tally = read(&mut builder, name, FILE.as_bytes()).expect("a file");
        assert_eq!((tally.loaded, tally.skipped), (1, 2));
        let again = read(&mut builder, "copy.json", FILE.as_bytes()).expect("a file");
        assert_eq!((again.loaded, again.skipped), (0, 1));
        let table = builder.build(&Policy::default()).expect("a table").table;
        let run = table.find("le-").expect("one run");
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
