//! New scores from the recorded parts, under other weights. Old lines stay; each new score is a
//! new run of a new epoch that supersedes the old run.

use std::collections::BTreeMap;

use super::history::History;
use super::line::{Line, Rescore};
use super::run::Run;
use crate::domain::config::RunStatus;
use crate::domain::{Failure, round6, sha16};
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
    /// The id of the weights, which new runs must carry as `weights_sha16`.
    pub weights_sha16: String,
    /// Each run with its old and new score.
    pub changes: Vec<(String, Option<f64>, f64)>,
    /// Runs without a new score, and why.
    pub skipped: Vec<(String, Skipped)>,
    /// Live runs that have these weights already.
    pub already: usize,
    /// The lines to append.
    pub lines: Vec<Line>,
}

/// Why a run gets no new score.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Skipped {
    /// The run did not complete, so it has no score.
    #[error("the run is {0}")]
    NotCompleted(&'static str),
    /// A weighted part is not recorded.
    #[error("it lacks `{0}`")]
    Lacks(String),
    /// The weighted mean is not on the scale.
    #[error("its new score {0} is not between 0 and `history.score_scale`")]
    OffScale(f64),
    /// It was rescored under these weights before, and that run was retracted.
    #[error("its rescored run `{0}` was retracted")]
    Retracted(String),
}

/// Computes new scores for all live runs from their recorded parts; runs that already have these
/// weights stay as they are.
pub fn recalibrate(
    history: &History,
    weights: &Weights,
    reason: &str,
    now: &str,
    score_scale: f64,
) -> Recalibration {
    let sha16 = weights.sha16();
    let mut done = Recalibration {
        weights_sha16: sha16.clone(),
        changes: Vec::new(),
        skipped: Vec::new(),
        already: 0,
        lines: Vec::new(),
    };
    for run in history.runs() {
        if run.conditions_id.as_ref() == Some(&sha16) {
            done.already += 1;
            continue;
        }
        let run_id = format!("{}~{sha16}", run.run_id);
        let mut skip = |why: Skipped| done.skipped.push((run.run_id.clone(), why));
        if run.ended() != RunStatus::Completed {
            skip(Skipped::NotCompleted(run.ended().as_str()));
            continue;
        }
        if history.run(&run_id).is_some() {
            skip(Skipped::Retracted(run_id));
            continue;
        }
        let score = match weights.score(run) {
            Err(part) => {
                skip(Skipped::Lacks(part));
                continue;
            }
            Ok(score) if !(0.0..=score_scale).contains(&score) => {
                skip(Skipped::OffScale(score));
                continue;
            }
            Ok(score) => score,
        };
        done.changes.push((run.run_id.clone(), run.aggregate_score, score));
        done.lines.push(Line::Run(Box::new(Run {
            aggregate_score: Some(score),
            recorded_at: Some(now.to_owned()),
            run_id: run_id.clone(),
            conditions_id: Some(sha16.clone()),
            ..run.clone()
        })));
        done.lines.push(Line::Rescore(Rescore {
            kind: "rescore",
            new_weights_sha16: Some(sha16.clone()),
            of: run.run_id.clone(),
            old_weights_sha16: run.conditions_id.clone(),
            reason: reason.to_owned(),
            recorded_at: now.to_owned(),
            run_id,
        }));
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
        let (history, _) = History::from_lines(old.clone());
        let weights = weights(r#"{"datasets": {"x": 3, "y": 1}}"#).expect("weights");
        let done = recalibrate(&history, &weights, "mix changed", "2026-06-01T00:00:00Z", 1.0);
        assert_eq!(done.changes, [("a".into(), Some(0.5), 0.35)]);
        assert_eq!(done.skipped, [("b".into(), Skipped::Lacks("y".into()))]);
        let (history, wrong) = History::from_lines(old.into_iter().chain(done.lines));
        assert_eq!(wrong, []);
        let new = history.run(&format!("a~{}", weights.sha16())).expect("the new run");
        let derived = derive(&history, new, 0.005);
        assert_eq!(derived.moving_average, Some(0.35));
        assert_eq!(derived.notes, ["scored again from a: mix changed"]);
        let ids: Vec<&str> = history.runs().iter().map(|run| run.run_id.as_str()).collect();
        assert_eq!(ids, [new.run_id.as_str(), "b"], "the new run counts instead of the old one");
        let again = recalibrate(&history, &weights, "mix changed", "2026-06-01T00:00:00Z", 1.0);
        assert_eq!((again.changes.len(), again.lines.len(), again.already), (0, 0, 1));
    }

    #[test]
    fn a_second_recalibration_rescores_what_the_first_one_made() {
        let old = r#"{"run_id":"a","run_at":"2026-05-04T12:00:00Z","model":"m","aggregate_score":0.5,"dataset_scores":{"x":0.2,"y":0.8}}"#;
        let mut lines = vec![Line::read(old.as_bytes()).expect("a run").0];
        let mut ids = Vec::new();
        for text in
            [r#"{"datasets": {"x": 1}}"#, r#"{"datasets": {"y": 1}}"#, r#"{"datasets": {"x": 1}}"#]
        {
            let weights = weights(text).expect("weights");
            let (history, _) = History::from_lines(lines.clone());
            let done = recalibrate(&history, &weights, "r", "2026-06-01T00:00:00Z", 1.0);
            assert_eq!(done.changes.len(), 1);
            lines.extend(done.lines);
            let (history, wrong) = History::from_lines(lines.clone());
            assert_eq!(wrong, []);
            ids.push(history.runs()[0].run_id.clone());
            assert_eq!(history.runs().len(), 1);
            assert_eq!(history.current_weights(), Some(weights.sha16().as_str()));
        }
        assert!(ids[2].starts_with(&format!("{}~", ids[1])), "{ids:?}");
    }

    #[test]
    fn weights_are_positive_and_at_least_one() {
        for bad in ["{}", "[]", r#"{"datasets": {"x": 0}}"#, r#"{"x": 1}"#, r#"{"rubrics": {}}"#] {
            assert!(weights(bad).is_err(), "{bad}");
        }
    }
}
