//! What a results file says about one model, before it is known what the run is called.
//!
//! LightEval, lm-evaluation-harness, Inspect, promptfoo and OpenAI evals write one file per
//! evaluation. Only all of them together tell whether a model was evaluated once or several times.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::json_value::plain_text;
use super::note::{ImportError, Note, Tally};
use crate::json::Node;
use crate::table::{
    Better, Builder, Display, FacetKind, FacetValue, Measure, Moment, Reduce, STARTED_AT, Scope,
    lower_by_name,
};

/// One evaluation of one model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportOutcome {
    /// The file.
    pub file: String,
    /// The model.
    pub model: String,
    /// When it was evaluated.
    pub at: Option<String>,
    /// Files of one evaluation share this; each is a run of its own without it.
    pub group: Option<String>,
    /// First 16 hex digits of the SHA-256 of the file.
    pub digest: String,
    /// What else is known about the run.
    pub facets: Vec<(String, String)>,
    /// Task or test, measure, value.
    pub cells: Vec<(String, Measure, f64)>,
    /// Measures that are better lower because of their name alone.
    pub lowered: BTreeSet<String>,
    /// What is known about tasks: the task, the name of the facet, its value.
    pub topic_facets: Vec<(String, &'static str, String)>,
}

impl ImportOutcome {
    /// An evaluation of which nothing is known but the file and the model.
    pub fn new(file: &str, model: &str, digest: String) -> Self {
        Self { file: file.to_owned(), model: model.to_owned(), digest, ..Self::default() }
    }

    /// Adds those texts of the file that are there and plain, each as a fact about the run.
    pub(super) fn texts(&mut self, root: &Node<'_>, facets: &[(&str, &[&str])]) {
        for (facet, path) in facets {
            if let Some(text) = plain_text(root, path) {
                self.facet(facet, text);
            }
        }
    }

    /// Adds a fact about the run.
    pub fn facet(&mut self, name: &str, value: &str) {
        self.facets.push((name.to_owned(), value.to_owned()));
    }

    /// Adds a metric of a task: `better` is the file's own direction; without it the name decides.
    /// Standard errors are kept but not averaged.
    pub fn metric(&mut self, task: &str, name: &str, better: Option<Better>, value: f64) {
        let base = name.rsplit('/').next().unwrap_or(name);
        let is_spread = name.contains("stderr")
            || matches!(base, "std" | "var" | "boostrap_std" | "bootstrap_std");
        let measure = Measure::number(name).display(Display::Fixed(4));
        let measure = match better {
            _ if is_spread => measure.better(Better::Unordered).reduce(Reduce::Given),
            Some(better) => measure.better(better),
            None if lower_by_name(name) => {
                self.lowered.insert(name.to_owned());
                measure.better(Better::Lower)
            }
            None => measure,
        };
        self.cells.push((task.to_owned(), measure, value));
    }

    fn moment(&self) -> Option<i64> {
        self.at.as_deref().and_then(Moment::parse).map(|moment| moment.micros)
    }
}

/// Adds the evaluations as runs called `model@time`. With `latest`, only the newest of each model.
pub fn add_outcomes(
    builder: &mut Builder,
    mut outcomes: Vec<ImportOutcome>,
    latest: bool,
    tally: &mut Tally,
) -> Result<(), ImportError> {
    let mut seen = HashSet::new();
    outcomes.retain(|outcome| {
        let is_new = seen.insert(outcome.digest.clone() + &outcome.model);
        if !is_new {
            tally.skip(Note::file(&outcome.file, "has the same content as another file"));
        }
        is_new
    });
    let mut runs: Vec<Vec<ImportOutcome>> = Vec::new();
    let mut groups: BTreeMap<(String, String), usize> = BTreeMap::new();
    for outcome in outcomes {
        match &outcome.group {
            None => runs.push(vec![outcome]),
            Some(group) => {
                let key = (group.clone(), outcome.model.clone());
                let at = *groups.entry(key).or_insert_with(|| {
                    runs.push(Vec::new());
                    runs.len() - 1
                });
                runs[at].push(outcome);
            }
        }
    }
    for run in &mut runs {
        run.sort_by_key(ImportOutcome::moment);
    }
    if latest {
        keep_latest(&mut runs, tally);
    }
    for run in &runs {
        add_run(builder, run, tally)?;
    }
    Ok(())
}

fn keep_latest(runs: &mut Vec<Vec<ImportOutcome>>, tally: &mut Tally) {
    let mut newest: BTreeMap<String, usize> = BTreeMap::new();
    let moment = |run: &[ImportOutcome]| run.last().and_then(ImportOutcome::moment);
    for (at, run) in runs.iter().enumerate() {
        let Some(first) = run.first() else { continue };
        let best = newest.entry(first.model.clone()).or_insert(at);
        if moment(&runs[*best]) <= moment(run) {
            *best = at;
        }
    }
    let kept: HashSet<usize> = newest.values().copied().collect();
    let mut at = 0;
    runs.retain(|run| {
        let keep = kept.contains(&at);
        at += 1;
        for outcome in run.iter().filter(|_| !keep) {
            let what = format!("left out: `{}` has a newer result", outcome.model);
            tally.skip(Note::file(&outcome.file, what));
        }
        keep
    });
}

fn add_run(
    builder: &mut Builder,
    run: &[ImportOutcome],
    tally: &mut Tally,
) -> Result<(), ImportError> {
    let Some(first) = run.first() else { return Ok(()) };
    let short: String = first.digest.chars().take(8).collect();
    let mut id = format!("{}@{}", first.model, first.at.as_deref().unwrap_or(&short));
    if builder.has_run(&id) {
        id = format!("{id}+{short}");
    }
    let number = builder.run(&id);
    let mut given: HashSet<(&str, &str)> = HashSet::new();
    for outcome in run {
        let refused = |error| ImportError::Build { place: outcome.file.clone(), error };
        for (name, facet, value) in &outcome.topic_facets {
            let topic = builder.topic(name);
            builder.topic_facet(topic, facet, value);
        }
        for (name, measure, value) in &outcome.cells {
            if !given.insert((name, &measure.name)) {
                let what =
                    format!("`{}` of `{name}` was given before; the first counts", measure.name);
                tally.skip(Note::file(&outcome.file, what));
                continue;
            }
            let topic = builder.topic(name);
            let id = builder.measure(measure.clone()).map_err(refused)?;
            builder.cell(number, Scope::Topic(topic), id, (*value).into(), 0).map_err(refused)?;
        }
        tally.lowered.extend(outcome.lowered.iter().cloned());
        tally.loaded += 1;
    }
    let mut set = |key: &str, text: &str| {
        builder.facet(number, key, FacetKind::Text, FacetValue::Text(text));
    };
    set("model", &first.model);
    if let Some(at) = &first.at {
        set(STARTED_AT, at);
    }
    set("source_sha16", &first.digest);
    for (key, text) in &first.facets {
        set(key, text);
    }
    Ok(())
}
