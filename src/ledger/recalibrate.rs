//! Scores made anew from the recorded parts, under other weights. Old lines stay; the new scores
//! are new runs of a new epoch, so the average starts again.

use std::collections::BTreeMap;

use super::cohort::sha16;
use super::history::History;
use super::line::{Line, Rescore};
use super::round::round6;
use super::run::Run;
use crate::domain::Failure;
use crate::json::{self, Mismatch, Node};

/// How much each part weighs.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    datasets: BTreeMap<String, f64>,
    rubrics: BTreeMap<String, f64>,
}

impl Weights {
    /// Reads the file of weights called `file`.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Self, Failure> {
        let document = json::parse(bytes).map_err(|error| Failure::json(file, &error))?;
        Self::read(&document.root).map_err(|mismatch| {
            let example = r#"{"datasets": {"contracts": 2}, "rubrics": {"soundness": 1}}"#;
            Failure::schema(file, &document.locate(mismatch.at), &mismatch)
                .help(format!("weights look like {example}"))
        })
    }

    /// `{"datasets": {name: weight}, "rubrics": {name: weight}}`, either of them optional.
    fn read(node: &Node<'_>) -> Result<Self, Mismatch> {
        let object = node.object()?;
        if let Some((_, other)) =
            object.iter().find(|(key, _)| !matches!(&***key, "datasets" | "rubrics"))
        {
            return Err(other.mismatch("only `datasets` and `rubrics`"));
        }
        let part = |key: &str| -> Result<BTreeMap<String, f64>, Mismatch> {
            let Some(member) = object.get(key) else { return Ok(BTreeMap::new()) };
            let weight = |weight: &Node<'_>| {
                let value = weight.number()?.as_f64();
                if value > 0.0 { Ok(value) } else { Err(weight.mismatch("a weight above 0")) }
            };
            member
                .object()?
                .iter()
                .map(|(name, node)| Ok((name.to_string(), weight(node)?)))
                .collect()
        };
        let weights = Self { datasets: part("datasets")?, rubrics: part("rubrics")? };
        if weights.datasets.is_empty() && weights.rubrics.is_empty() {
            return Err(node.mismatch("at least one weight in `datasets` or `rubrics`"));
        }
        Ok(weights)
    }

    /// What pins these weights: the same for every spelling of the file.
    pub fn sha16(&self) -> String {
        let key = BTreeMap::from([("datasets", &self.datasets), ("rubrics", &self.rubrics)]);
        sha16(&serde_json::to_vec(&key).unwrap_or_default())
    }

    /// The weighted mean, or the part that `run` lacks: a missing part is never weighed away.
    fn score(&self, run: &Run) -> Result<f64, String> {
        let (mut sum, mut whole) = (0.0, 0.0);
        for (weights, scores) in
            [(&self.datasets, &run.dataset_scores), (&self.rubrics, &run.rubric_scores)]
        {
            for (name, weight) in weights {
                sum += weight * scores.get(name).ok_or_else(|| name.clone())?;
                whole += weight;
            }
        }
        Ok(round6(sum / whole))
    }
}

/// What a recalibration would write.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalibration {
    /// Each run with its old and new score.
    pub changes: Vec<(String, Option<f64>, f64)>,
    /// Runs without a new score, and the part they lack.
    pub skipped: Vec<(String, String)>,
    /// The lines to append.
    pub lines: Vec<Line>,
}

/// Scores every run anew that was not scored anew itself; runs that already have these weights
/// stay as they are.
pub fn recalibrate(
    history: &History,
    weights: &Weights,
    reason: &str,
    now: &str,
    score_scale: f64,
) -> Recalibration {
    let sha16 = weights.sha16();
    let mut done = Recalibration { changes: Vec::new(), skipped: Vec::new(), lines: Vec::new() };
    for run in history.runs() {
        if history.rescore(&run.run_id).is_some() || run.weights_sha16.as_ref() == Some(&sha16) {
            continue;
        }
        // Longer than the old id, so at the same instant it stands behind the old run.
        let run_id = format!("{}~{sha16}", run.run_id);
        if history.run(&run_id).is_some() {
            continue;
        }
        match weights.score(run) {
            Err(part) => done.skipped.push((run.run_id.clone(), part)),
            Ok(score) if !(0.0..=score_scale).contains(&score) => {
                done.skipped.push((run.run_id.clone(), "a score within the scale".into()));
            }
            Ok(score) => {
                done.changes.push((run.run_id.clone(), run.aggregate_score, score));
                done.lines.push(Line::Run(Box::new(Run {
                    aggregate_score: Some(score),
                    recorded_at: Some(now.to_owned()),
                    run_id: run_id.clone(),
                    weights_sha16: Some(sha16.clone()),
                    ..run.clone()
                })));
                done.lines.push(Line::Rescore(Rescore {
                    kind: "rescore",
                    new_weights_sha16: Some(sha16.clone()),
                    of: run.run_id.clone(),
                    old_weights_sha16: run.weights_sha16.clone(),
                    reason: reason.to_owned(),
                    recorded_at: now.to_owned(),
                    run_id,
                }));
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::derive;

    fn weights(text: &str) -> Result<Weights, Mismatch> {
        Weights::read(&json::parse(text.as_bytes()).expect("JSON").root)
    }

    #[test]
    fn new_scores_are_new_runs_and_the_average_starts_again() {
        let line = |text: &str| Line::read(text.as_bytes()).expect(text).0;
        let old = [
            line(
                r#"{"run_id":"a","run_at":"2026-05-04T12:00:00Z","model":"m","aggregate_score":0.5,"weights_sha16":"old","dataset_scores":{"x":0.2,"y":0.8}}"#,
            ),
            line(
                r#"{"run_id":"b","run_at":"2026-05-05T12:00:00Z","model":"m","aggregate_score":0.6,"weights_sha16":"old","dataset_scores":{"x":0.4}}"#,
            ),
        ];
        let (history, _) = History::of(old.clone());
        let weights = weights(r#"{"datasets": {"x": 3, "y": 1}}"#).expect("weights");
        let done = recalibrate(&history, &weights, "mix changed", "2026-06-01T00:00:00Z", 1.0);
        assert_eq!(done.changes, [("a".into(), Some(0.5), 0.35)]);
        assert_eq!(done.skipped, [("b".into(), "y".into())]);
        let (history, wrong) = History::of(old.into_iter().chain(done.lines));
        assert_eq!(wrong, []);
        let new = history.run(&format!("a~{}", weights.sha16())).expect("the new run");
        let derived = derive(&history, new, 0.005);
        assert_eq!(derived.moving_average, Some(0.35));
        assert_eq!(
            derived.notes,
            [
                format!("moving average restarted: weights_sha16 old -> {}", weights.sha16()),
                "scored again from a: mix changed".into()
            ]
        );
        let again = recalibrate(&history, &weights, "mix changed", "2026-06-01T00:00:00Z", 1.0);
        assert_eq!((again.changes.len(), again.lines.len()), (0, 0));
    }

    #[test]
    fn weights_are_positive_and_at_least_one() {
        for bad in ["{}", "[]", r#"{"datasets": {"x": 0}}"#, r#"{"x": 1}"#, r#"{"rubrics": {}}"#] {
            assert!(weights(bad).is_err(), "{bad}");
        }
    }
}
