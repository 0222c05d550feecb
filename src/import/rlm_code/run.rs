//! One line of runs.jsonl → one run.

use super::cast::{Refused, Tokens, float, seconds, started_at, text, truth};
use super::{Figures, Loader};
use crate::import::document::{LIMITS, without_bom};
use crate::import::note::Note;
use crate::json::{Node, parse_with};
use crate::table::{FacetValue, STARTED_AT};

impl Loader<'_> {
    /// Reads one line; `false` if it was left out, which the tally explains unless it is blank.
    pub fn run_line(&mut self, file: &str, line: usize, bytes: &[u8]) -> bool {
        let bytes = without_bom(bytes).trim_ascii();
        if bytes.is_empty() {
            return false;
        }
        match self.try_line(file, line, bytes) {
            Ok(loaded) => {
                self.tally.loaded += usize::from(loaded);
                loaded
            }
            Err(why) => {
                self.tally.skip(Note::line(file, line, why));
                false
            }
        }
    }

    /// Whether the file was not read before; remembers it.
    #[cfg_attr(sealed, expect(dead_code, reason = "the conformance tests use it"))]
    pub fn begin_runs(&mut self, file: &str) -> bool {
        self.files.insert(file.to_owned())
    }

    fn try_line(&mut self, file: &str, line: usize, bytes: &[u8]) -> Result<bool, Refused> {
        let document = parse_with(bytes, LIMITS)
            .map_err(|error| format!("not JSON: {error}, column {}", error.location.column))?;
        let root = &document.root;
        let object =
            root.object().map_err(|_| format!("the line holds {}, not an object", root.kind()))?;
        let compat = self.options.compat;
        let id = match (text(root, "run_id"), object.get("run_id")) {
            (FacetValue::Text(id), _) => Some(id),
            (_, None) => compat.then_some(""),
            (_, Some(node)) if compat => {
                return Err(format!("`run_id` is {}, not a text", node.kind()));
            }
            _ => None,
        };
        if let Some(id) = id {
            // Upstream compares with runs only: a benchmark's id never matches.
            if self.inside.contains(id) && !compat && !self.options.keep_benchmark_runs {
                self.repeated += 1;
                self.tally.skipped += 1;
                return Ok(false);
            }
            let known =
                if compat { self.runs.find(id).is_some() } else { self.builder.has_run(id) };
            if known {
                return Err(format!("run `{id}` was given before; the first one counts"));
            }
        }
        let figures = figures(root, compat)?;
        let place = format!("{file}:{line}");
        let fallback = format!("{}:{line}", file.rsplit('/').next().unwrap_or(file));
        let run = self.new_run(id, &fallback, &place);
        if let Some(id) = id.filter(|_| compat) {
            self.runs.intern(id);
        }
        self.store(run, figures, text(root, "model").known());
        self.facet(run, "kind", FacetValue::Text("run"));
        for key in ["environment", "model"] {
            self.facet(run, key, text(root, key));
        }
        self.facet(run, STARTED_AT, started_at(root, compat));
        self.facet(run, "source_path", FacetValue::Text(file));
        Ok(true)
    }
}

fn figures(root: &Node<'_>, compat: bool) -> Result<Figures, Refused> {
    let get = |key: &str| root.object().ok().and_then(|object| object.get(key));
    let usage = match get("usage_summary").filter(|node| truth(node, true)) {
        None if !compat => get("usage").filter(|node| truth(node, true)),
        usage => usage,
    };
    let tokens = usage.map_or(Ok(Tokens::default()), |usage| Tokens::read(usage, compat))?;
    let completed = match get("completed") {
        Some(node) if compat || !node.is_null() => Some(truth(node, compat)),
        _ => compat.then_some(false),
    };
    Ok(Figures {
        cost: float(root, "estimated_cost", false).unwrap_or_default(),
        reward: float(root, "total_reward", compat)?,
        steps: float(root, "steps", compat)?,
        cases: Some(1.0),
        completed_cases: completed.map(|done| f64::from(u8::from(done))),
        tokens: tokens.total,
        prompt_tokens: tokens.prompt,
        completion_tokens: tokens.completion,
        duration: seconds(root),
    })
}
