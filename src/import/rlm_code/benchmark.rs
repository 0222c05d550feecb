//! One benchmark file → one run, with a topic per case.

use super::cast::{Refused, Tokens, float, int, seconds, started_at, text, truth};
use super::{Figures, Loader};
use crate::domain::sha16;
use crate::import::document::{LIMITS, without_bom};
use crate::import::json_value::compact;
use crate::import::note::Note;
use crate::json::{Node, parse_with};
use crate::table::{FacetKind, FacetValue, RunId, STARTED_AT, Scope};

impl Loader<'_> {
    /// Reads one benchmark file; `false` if it was left out, which the tally explains.
    pub fn benchmark(&mut self, file: &str, bytes: &[u8]) -> bool {
        if self.files.contains(file) {
            return false;
        }
        match self.try_benchmark(file, bytes) {
            Ok(()) => {
                self.files.insert(file.to_owned());
                self.tally.loaded += 1;
                true
            }
            Err(note) => {
                self.tally.skip(note);
                false
            }
        }
    }

    fn try_benchmark(&mut self, file: &str, bytes: &[u8]) -> Result<(), Note> {
        let bytes = without_bom(bytes);
        let document = parse_with(bytes, LIMITS).map_err(|error| {
            Note::file(&format!("{file}:{}", error.location), format!("not JSON: {error}"))
        })?;
        let root = &document.root;
        let refuse = |why: Refused| Note::file(file, format!("not a benchmark: {why}"));
        if root.object().is_err() {
            return Err(refuse(format!("the file holds {}, not an object", root.kind())));
        }
        let compat = self.options.compat;
        let cases: &[Node<'_>] = match root.object().ok().and_then(|o| o.get("case_results")) {
            None => &[],
            Some(node) if node.is_null() && !compat => &[],
            Some(node) => node
                .array()
                .map_err(|_| refuse(format!("`case_results` is {}, not a list", node.kind())))?,
        };
        let id = match text(root, "benchmark_id") {
            FacetValue::Text(id) => Some(id),
            FacetValue::Absent if compat && root.required("benchmark_id").is_err() => Some(""),
            _ if compat => return Err(refuse("`benchmark_id` is not a text".to_owned())),
            _ => None,
        };
        let figures = figures(root, cases, compat).map_err(refuse)?;
        if let Some(id) = id.filter(|id| !compat && !id.is_empty()) {
            let digest = sha16(bytes);
            if self.benchmarks.get(id) == Some(&digest) {
                let what = format!("run `{id}` was given before; the first one counts");
                return Err(Note::file(file, what));
            }
            self.benchmarks.entry(id.to_owned()).or_insert(digest);
        }
        let name = file.rsplit('/').next().unwrap_or(file);
        let run = self.new_run(id, name.strip_suffix(".json").unwrap_or(name), file);
        self.store(run, figures, text(root, "model").known());
        self.facets(run, root, cases, file);
        self.cases(run, cases);
        Ok(())
    }

    fn facets(&mut self, run: RunId, root: &Node<'_>, cases: &[Node<'_>], file: &str) {
        let environment = match root.object().ok().and_then(|o| o.get("environment")) {
            Some(_) => text(root, "environment"),
            None => cases.first().map_or(FacetValue::Absent, |case| text(case, "environment")),
        };
        self.facet(run, "kind", FacetValue::Text("benchmark"));
        self.facet(run, "environment", environment);
        for key in ["model", "preset", "description"] {
            self.facet(run, key, text(root, key));
        }
        self.facet(run, STARTED_AT, started_at(root, self.options.compat));
        self.facet(run, "source_path", FacetValue::Text(file));
        for (key, kind) in [("tags", FacetKind::List), ("metadata", FacetKind::Json)] {
            if let Some(node) = root.object().ok().and_then(|o| o.get(key))
                && !node.is_null()
            {
                self.builder.facet(run, key, kind, FacetValue::Text(&compact(node)));
            }
        }
    }

    /// One topic per case. Upstream knows no cases, so they are left out under compat.
    fn cases(&mut self, run: RunId, cases: &[Node<'_>]) {
        for case in cases {
            if let Some(id) = text(case, "run_id").known() {
                self.inside.insert(id.to_owned());
            }
            let Some(id) = text(case, "case_id").known().filter(|_| !self.options.compat) else {
                continue;
            };
            let topic = Scope::Topic(self.builder.topic(id));
            let completed = case.object().ok().and_then(|object| object.get("completed"));
            let tokens = usage(case, false).unwrap_or_default();
            for (measure, value) in [
                (self.measures.reward, float(case, "total_reward", false).unwrap_or_default()),
                (
                    self.measures.completion_rate,
                    completed.map(|node| f64::from(u8::from(truth(node, false)))),
                ),
                (self.measures.steps, float(case, "steps", false).unwrap_or_default()),
                (self.measures.tokens, tokens.total),
                (self.measures.duration, seconds(case)),
            ] {
                if let Some(number) = value {
                    // The measures are numbers, and so is this.
                    let _ = self.builder.cell(run, topic, measure, number.into(), 0);
                }
            }
        }
    }
}

fn figures(root: &Node<'_>, cases: &[Node<'_>], compat: bool) -> Result<Figures, Refused> {
    let mut tokens = Tokens::default();
    let mut duration = None;
    for case in cases {
        tokens.add(usage(case, compat)?);
        if let Some(seconds) = seconds(case) {
            duration = Some(duration.unwrap_or(0.0) + seconds);
        }
    }
    let cost = match float(root, "estimated_cost", false).unwrap_or_default() {
        // Only if every case says it: a sum over some of them would look cheap.
        None if !cases.is_empty() => {
            let costs =
                cases.iter().map(|case| float(case, "estimated_cost", false).ok().flatten());
            costs.sum()
        }
        cost => cost,
    };
    Ok(Figures {
        cost,
        reward: float(root, "avg_reward", compat)?,
        steps: float(root, "avg_steps", compat)?,
        cases: int(root, "total_cases", compat)?,
        completed_cases: int(root, "completed_cases", compat)?,
        tokens: tokens.total,
        prompt_tokens: tokens.prompt,
        completion_tokens: tokens.completion,
        duration,
    })
}

/// The first of `usage` and `usage_summary` that says anything.
fn usage(case: &Node<'_>, compat: bool) -> Result<Tokens, Refused> {
    let Ok(object) = case.object() else {
        return if compat {
            Err(format!("a case is {}", case.kind()))
        } else {
            Ok(Tokens::default())
        };
    };
    ["usage", "usage_summary"]
        .into_iter()
        .filter_map(|key| object.get(key))
        .find(|node| truth(node, true))
        .map_or(Ok(Tokens::default()), |node| Tokens::read(node, compat))
}
