//! Whether every run has what the others have, as the newest judge program checks it.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::{Kind, Measure, Scope, Table};

/// How many runs a message names.
const SHOWN: usize = 5;

/// The first thing that is incomplete, in words; `None` if nothing is.
pub fn incomplete(table: &Table) -> Option<String> {
    incomplete_topics(table)
        .or_else(|| incomplete_measures(table))
        .or_else(|| lost_aggregates(table))
}

fn incomplete_topics(table: &Table) -> Option<String> {
    let mut topics: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for cell in table.cells() {
        if let Scope::Topic(topic) = cell.scope {
            topics.entry(table.id(cell.run)).or_default().insert(table.topic_name(topic));
        }
    }
    let all: BTreeSet<&str> = topics.values().flatten().copied().collect();
    let short: Vec<String> = topics
        .iter()
        .filter(|(_, has)| has.len() < all.len())
        .map(|(run, has)| {
            let missing: Vec<&str> = all.difference(has).copied().collect();
            format!("run `{run}` lacks `{}`", missing.join("`, `"))
        })
        .collect();
    let more = short.len().saturating_sub(SHOWN);
    let shown = short.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    (!short.is_empty()).then(|| {
        let runs = if short.len() == 1 { "run lacks" } else { "runs lack" };
        format!("{} {runs} some of the {} topics: {shown}{more}", short.len(), all.len())
    })
}

fn incomplete_measures(table: &Table) -> Option<String> {
    let mut words = Vec::new();
    for (per_topic, what) in [(true, "rows"), (false, "aggregate rows")] {
        let kind = |m: &Measure| -> Option<Kind> { if per_topic { m.topic } else { m.aggregate } };
        let mut places: BTreeSet<(&str, Option<&str>)> = BTreeSet::new();
        let mut has: BTreeMap<&str, BTreeSet<(&str, Option<&str>)>> = BTreeMap::new();
        for cell in table.cells().filter(|cell| (cell.scope != Scope::All) == per_topic) {
            let topic = match cell.scope {
                Scope::Topic(topic) => Some(table.topic_name(topic)),
                Scope::All => None,
            };
            let place = (table.id(cell.run), topic);
            places.insert(place);
            has.entry(table.measure(cell.measure).name.as_str()).or_default().insert(place);
        }
        for (_, measure) in table.measures().filter(|(_, measure)| kind(measure).is_some()) {
            let found = has.get(measure.name.as_str()).cloned().unwrap_or_default();
            if found.len() < places.len() {
                let runs: BTreeSet<&str> = found.iter().map(|(run, _)| *run).collect();
                let runs: Vec<&str> = runs.into_iter().take(SHOWN).collect();
                words.push(format!(
                    "measure `{}` is missing from {} of {} {what} (only in `{}`)",
                    measure.name,
                    places.len() - found.len(),
                    places.len(),
                    runs.join("`, `")
                ));
            }
        }
    }
    (!words.is_empty()).then(|| words.join("; "))
}

fn lost_aggregates(table: &Table) -> Option<String> {
    let mut runs = BTreeSet::new();
    let mut has: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for cell in table.cells() {
        match cell.scope {
            Scope::Topic(_) => _ = runs.insert(table.id(cell.run)),
            Scope::All => {
                let name = table.measure(cell.measure).name.as_str();
                has.entry(name).or_default().insert(table.id(cell.run));
            }
        }
    }
    let words: Vec<String> = table
        .measures()
        .filter(|(_, measure)| measure.aggregate.is_some())
        .filter_map(|(_, measure)| {
            let found = has.get(measure.name.as_str()).cloned().unwrap_or_default();
            let lost = runs.difference(&found).count();
            let name = &measure.name;
            (lost > 0).then(|| {
                format!("the aggregate of `{name}` is missing for {lost} of {} runs", runs.len())
            })
        })
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}
