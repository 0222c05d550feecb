//! Results of promptfoo: a run per provider and prompt, a topic per test.
//!
//! Prompts, variables and answers are beside the scores in its files; none of them is kept.

use std::collections::BTreeMap;

use super::document::{LIMITS, document, without_bom};
use super::json_value::{member, plain_text};
use super::note::{ImportError, Note, Tally};
use super::outcome::ImportOutcome;
use crate::domain::sha16;
use crate::json::{Node, Number, Value, parse_with};
use crate::table::Better;

/// Reads one results file, or its results as JSON lines.
pub fn read(
    file: &str,
    bytes: &[u8],
    tally: &mut Tally,
) -> Result<Vec<ImportOutcome>, ImportError> {
    let text = without_bom(bytes);
    let mut outcomes = Outcomes { file, digest: sha16(bytes), ..Outcomes::default() };
    let first = text.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let is_lines = first.is_some_and(|line| {
        parse_with(line.trim_ascii(), LIMITS)
            .is_ok_and(|document| member(&document.root, &["testIdx"]).is_some())
    });
    if is_lines {
        for (at, line) in text.split(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            match parse_with(line, LIMITS) {
                Ok(document) => outcomes.result(&document.root, tally),
                Err(error) => tally.skip(Note::line(file, at + 1, format!("not JSON: {error}"))),
            }
        }
        return Ok(outcomes.finish(None));
    }
    let document = document(file, bytes)?;
    let root = &document.root;
    let results = member(root, &["results", "results"]).and_then(|node| node.array().ok());
    let results = results.ok_or_else(|| {
        ImportError::shape(file, "a promptfoo results file", "it has no list `results.results`")
    })?;
    for result in results {
        outcomes.result(result, tally);
    }
    Ok(outcomes.finish(plain_text(root, &["results", "timestamp"])))
}

#[derive(Default)]
struct Outcomes<'f> {
    file: &'f str,
    digest: String,
    /// By provider and prompt; the tests without a number so far.
    runs: BTreeMap<(String, u64), (ImportOutcome, u64)>,
}

impl Outcomes<'_> {
    fn result(&mut self, result: &Node<'_>, tally: &mut Tally) {
        let text = |path: &[&str]| plain_text(result, path);
        let count = |key: &str| member(result, &[key]).and_then(|node| node.count().ok());
        let number = |path: &[&str]| {
            let value = member(result, path).and_then(|node| node.number().ok());
            value.map(Number::as_f64).filter(|value| value.is_finite())
        };
        let provider = text(&["provider", "label"])
            .or_else(|| text(&["provider", "id"]))
            .or_else(|| text(&["provider"]));
        let Some(provider) = provider else {
            tally.skip(Note::file(self.file, "a result names no provider"));
            return;
        };
        let prompt = count("promptIdx").unwrap_or(0);
        let (outcome, unnumbered) = self
            .runs
            .entry((provider.to_owned(), prompt))
            .or_insert_with(|| (ImportOutcome::new(self.file, provider, self.digest.clone()), 0));
        let test = count("testIdx").unwrap_or_else(|| {
            *unnumbered += 1;
            *unnumbered - 1
        });
        let test = format!("test {}", test + 1);
        if let Some(Value::Bool(success)) = member(result, &["success"]).map(|node| &node.value) {
            let passed = f64::from(u8::from(*success));
            outcome.metric(&test, "pass", Some(Better::Higher), passed);
        }
        for (name, better, path) in [
            ("score", Better::Higher, ["score"].as_slice()),
            ("latency_ms", Better::Lower, &["latencyMs"]),
            ("cost", Better::Lower, &["cost"]),
            ("tokens", Better::Lower, &["response", "tokenUsage", "total"]),
        ] {
            if let Some(value) = number(path) {
                outcome.metric(&test, name, Some(better), value);
            }
        }
    }

    /// The runs; a provider that was asked in several ways names the prompt as well.
    fn finish(self, at: Option<&str>) -> Vec<ImportOutcome> {
        let several = self.runs.keys().any(|(_, prompt)| *prompt != 0);
        let name =
            |((provider, prompt), (mut outcome, _)): ((String, u64), (ImportOutcome, u64))| {
                if several {
                    outcome.model = format!("{provider} prompt {}", prompt + 1);
                }
                outcome.facet("provider", &provider);
                outcome.at = at.map(str::to_owned);
                outcome
            };
        self.runs.into_iter().map(name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_topics_and_no_prompt_is_kept() {
        let text = r#"{"evalId":"e","results":{"version":3,"timestamp":"2026-05-14T12:00:00.000Z",
            "prompts":[{"raw":"CANARY"}],"stats":{"successes":1,"failures":1,"errors":0},
            "results":[
              {"promptIdx":0,"testIdx":0,"success":true,"score":1,"latencyMs":120,"cost":0.5,
               "provider":{"id":"fictional:a"},"prompt":{"raw":"CANARY"},"response":{"output":"CANARY","tokenUsage":{"total":9}}},
              {"promptIdx":0,"testIdx":1,"success":false,"score":0.25,"provider":{"id":"fictional:a"}},
              {"promptIdx":1,"testIdx":0,"success":true,"score":1,"provider":{"id":"fictional:b","label":"B"}},
              {"score":1}]},"config":{"env":"CANARY"}}"#;
        let mut tally = Tally::default();
        let outcomes = read("p.json", text.as_bytes(), &mut tally).expect("a file");
        let models: Vec<&str> = outcomes.iter().map(|outcome| outcome.model.as_str()).collect();
        assert_eq!(models, ["B prompt 2", "fictional:a prompt 1"]);
        let cells: Vec<_> = outcomes[1]
            .cells
            .iter()
            .map(|(test, measure, value)| (test.as_str(), measure.name.as_str(), *value))
            .collect();
        assert_eq!(
            cells,
            [
                ("test 1", "pass", 1.0),
                ("test 1", "score", 1.0),
                ("test 1", "latency_ms", 120.0),
                ("test 1", "cost", 0.5),
                ("test 1", "tokens", 9.0),
                ("test 2", "pass", 0.0),
                ("test 2", "score", 0.25),
            ]
        );
        assert_eq!(tally.skipped, 1);
        assert!(!format!("{outcomes:?}").contains("CANARY"));
    }
}
