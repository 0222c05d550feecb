//! JSON that this program wrote: a ranking, a comparison, or a list of flat records.

use std::collections::{HashMap, HashSet};

use super::document::document;
use super::json_value::{compact, member};
use super::note::{ImportError, Note, Tally};
use crate::json::{Node, Object, Value as Json};
use crate::table::{
    Better, BuildError, Builder, FacetKind, FacetValue, Measure, MeasureId, STARTED_AT, Scope,
    Value, parse_number,
};

/// Keys that number rows and measure nothing.
const COUNTED: [&str; 2] = ["rank", "tied"];
/// Keys that name the run, in order of preference; else the first key whose values are texts.
const IDS: [&str; 6] = ["entry_id", "id", "run_id", "run", "measure", "judge"];

/// Whether a document is one of ours: `rank --to json`, `compare --json`, or an array of objects.
pub fn is_export(root: &Node<'_>) -> bool {
    if let Ok(items) = root.array() {
        return items.first().is_some_and(|item| item.object().is_ok());
    }
    let Ok(object) = root.object() else { return false };
    let has = |key: &str| object.get(key).is_some();
    (has("entries") && has("metric") && has("order")) || (has("runs") && has("duels"))
}

/// Reads such a document.
pub fn read(builder: &mut Builder, file: &str, bytes: &[u8]) -> Result<Tally, ImportError> {
    let document = document(file, bytes)?;
    let refused = |error: BuildError| ImportError::Build { place: file.to_owned(), error };
    let shape = |why: &str| ImportError::shape(file, "an export of this program", why);
    if let Some(runs) = member(&document.root, &["runs"]) {
        return comparison(builder, runs.object().map_err(|_| shape("`runs` is not an object"))?)
            .map_err(refused);
    }
    let entries = match member(&document.root, &["entries"]) {
        Some(entries) => entries,
        None => &document.root,
    };
    let entries = entries.array().map_err(|_| shape("`entries` is not an array"))?;
    let declared = member(&document.root, &["measures"]).map(declared).unwrap_or_default();
    let mut tally = Tally::default();
    let rows: Vec<&Object<'_>> = entries.iter().filter_map(|entry| entry.object().ok()).collect();
    tally.skipped += entries.len() - rows.len();
    let id = id_key(&rows);
    let measures = if declared.is_empty() { inferred(&rows, &id) } else { declared };
    let mut ids: HashMap<String, MeasureId> = HashMap::new();
    for (key, measure) in measures {
        ids.insert(key, builder.measure(measure).map_err(refused)?);
    }
    for (at, row) in rows.iter().enumerate() {
        let Some(name) = row.get(&id).and_then(text_of) else {
            let what = format!("entry {} has no `{id}`", at + 1);
            tally.skip(Note::file(file, what));
            continue;
        };
        add(builder, &whole(name, row), row, &id, &ids).map_err(refused)?;
        tally.loaded += 1;
    }
    Ok(tally)
}

/// rlm-code cuts `entry_id` to 16 characters, so that runs of one hour share it; the whole id is
/// in another key.
fn whole(name: String, row: &Object<'_>) -> String {
    let longer = |key| row.get(key).and_then(text_of).filter(|id| id.starts_with(&name));
    match name.chars().count() {
        16 => longer("run_id").or_else(|| longer("benchmark_id")).unwrap_or(name),
        _ => name,
    }
}

fn text_of(node: &Node<'_>) -> Option<String> {
    match &node.value {
        Json::Null => None,
        Json::String(text) => Some(text.clone().into_owned()),
        Json::Number(number) => Some(number.as_str().to_owned()),
        Json::Bool(value) => Some(if *value { "1" } else { "0" }.to_owned()),
        _ => Some(compact(node)),
    }
}

/// The measures a ranking says it has, by key.
fn declared(list: &Node<'_>) -> Vec<(String, Measure)> {
    let of_item = |item: &Node<'_>| {
        let object = item.object().ok()?;
        let text = |key: &str| object.get(key).and_then(Node::as_str);
        let name = text("name")?;
        let measure = match text("kind") {
            Some("text") => Measure::text(name),
            _ => Measure::number(name),
        };
        let better = match text("better") {
            Some("lower") => Better::Lower,
            Some("unordered") => Better::Unordered,
            _ => Better::Higher,
        };
        Some((text("key")?.to_owned(), measure.better(better).aggregate_only()))
    };
    list.array().unwrap_or_default().iter().filter_map(of_item).collect()
}

/// The key that names the run.
fn id_key(rows: &[&Object<'_>]) -> String {
    let has = |key: &&&str| rows.iter().any(|row| row.get(key).and_then(text_of).is_some());
    if let Some(key) = IDS.iter().find(has) {
        return (*key).to_owned();
    }
    let is_text = |node: &Node<'_>| node.as_str().is_some_and(|text| parse_number(text).is_none());
    let first = rows.first().and_then(|row| row.iter().find(|(_, node)| is_text(node)));
    let fallback = || rows.first().and_then(|row| row.iter().next());
    first.or_else(fallback).map(|(key, _)| key.to_string()).unwrap_or_default()
}

/// The keys whose every value is a number.
fn inferred(rows: &[&Object<'_>], id: &str) -> Vec<(String, Measure)> {
    let mut order: Vec<String> = Vec::new();
    let (mut seen, mut texts) = (HashSet::new(), HashSet::new());
    for (key, node) in rows.iter().flat_map(|row| row.iter()) {
        if key == id || key == STARTED_AT || COUNTED.contains(&key.as_ref()) || node.is_null() {
            continue;
        }
        if seen.insert(key.to_string()) {
            order.push(key.to_string());
        }
        if text_of(node).is_none_or(|text| parse_number(&text).is_none()) {
            texts.insert(key.to_string());
        }
    }
    let numeric = order.into_iter().filter(|key| !texts.contains(key));
    numeric.map(|key| (key.clone(), Measure::number(key).aggregate_only())).collect()
}

fn add(
    builder: &mut Builder,
    id: &str,
    row: &Object<'_>,
    id_key: &str,
    measures: &HashMap<String, MeasureId>,
) -> Result<(), BuildError> {
    let run = builder.run(id);
    for (key, node) in row.iter() {
        let Some(text) = text_of(node) else { continue };
        if let Some(measure) = measures.get(key.as_ref()) {
            let value = match parse_number(&text) {
                Some(number) if builder.is_number(*measure, Scope::All) => Value::Number(number),
                _ => Value::from(text.as_str()),
            };
            builder.cell(run, Scope::All, *measure, value, 0)?;
        } else if key != id_key && !COUNTED.contains(&key.as_ref()) {
            let kind = match &node.value {
                Json::Array(items) if items.iter().all(|item| item.as_str().is_some()) => {
                    FacetKind::List
                }
                Json::Array(_) | Json::Object(_) => FacetKind::Json,
                _ => FacetKind::Text,
            };
            builder.facet(run, key, kind, FacetValue::Text(&text));
        }
    }
    Ok(())
}

/// `compare --json`: runs by id, each with its `metrics` and what else is known about it.
fn comparison(builder: &mut Builder, runs: &Object<'_>) -> Result<Tally, BuildError> {
    let mut tally = Tally::default();
    for (id, node) in runs.iter() {
        let run = builder.run(id);
        for (key, node) in node.object().into_iter().flat_map(Object::iter) {
            if key != "metrics" {
                if let Some(text) = text_of(node) {
                    builder.facet(run, key, FacetKind::Text, FacetValue::Text(&text));
                }
                continue;
            }
            for (name, node) in node.object().into_iter().flat_map(Object::iter) {
                let measure = builder.measure(Measure::number(name.as_ref()).aggregate_only())?;
                if let Some(number) = text_of(node).as_deref().and_then(parse_number) {
                    builder.cell(run, Scope::All, measure, number.into(), 0)?;
                }
            }
        }
        tally.loaded += 1;
    }
    Ok(tally)
}
