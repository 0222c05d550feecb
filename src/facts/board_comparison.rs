//! The rows of a board compared with everything recorded before.

use std::collections::{BTreeMap, BTreeSet};

use super::board_runs::{BOARD_PACK, BundleFacts, cohort, public_set, run_id};
use crate::board::{Board, Row};
use crate::domain::Rate;
use crate::domain::config::{Config, Dimension, RunStatus};
use crate::facts::baseline::{Earliest, compare_by};
use crate::facts::{
    BaselineComparison, BaselineError, Mode, Proofs, ReplayCheck, RunToCompare, grade,
};
use crate::ledger::{History, Instant, Run};

/// Every row of `board` compared within its cohort, with all recorded runs of these cohorts as
/// possible baselines; and the run of each row by `provider:model`.
///
/// The baseline of a cohort is the official one, else the single earliest recorded run that was
/// made before this board. All rows of a board share one instant, so none of them is the earliest.
pub fn board_comparison(
    board: &Board,
    facts: &BTreeMap<String, BundleFacts>,
    config: &Config,
    history: &History,
) -> Result<(BaselineComparison, BTreeMap<String, String>), Vec<BaselineError>> {
    let runs = history.runs();
    let recorded: BTreeMap<&str, &str> = runs
        .iter()
        .filter(|run| run.pack_run.is_none() && run.run_at == board.generated_at)
        .map(|run| (run.model.as_str(), run.run_id.as_str()))
        .collect();
    let set = public_set(board, facts, config);
    let mut all_runs: Vec<RunToCompare> = board
        .entries
        .iter()
        .map(|row| {
            let facts = facts.get(&row.id()).ok_or(set.as_deref());
            row_as_run(board, row, facts, config, &recorded)
        })
        .collect();
    let ids: BTreeMap<String, String> =
        all_runs.iter().map(|run| (run.model.clone(), run.run_id.clone())).collect();
    let here: BTreeSet<String> = all_runs.iter().map(|run| run.run_id.clone()).collect();
    let cohorts: BTreeSet<String> =
        all_runs.iter().filter_map(|run| run.cohort.clone().ok()).collect();
    let is_scored = all_runs.iter().any(|run| run.score.is_some());
    // The ledger may hold runs of other things; only these say something about the board.
    let is_related = |run: &&Run| {
        run.pack_run.is_none()
            && !here.contains(&run.run_id)
            && (config.official_baselines.contains(&run.run_id)
                || run.conditions_id.as_ref().is_some_and(|cohort| cohorts.contains(cohort)))
    };
    let built_at = Instant::parse(&board.generated_at);
    let mut earlier: BTreeSet<String> = BTreeSet::new();
    for run in runs.into_iter().filter(is_related) {
        if built_at.is_some_and(|built_at| run.at < built_at) {
            earlier.insert(run.run_id.clone());
        }
        all_runs.push(RunToCompare {
            run_id: run.run_id.clone(),
            model: run.model.clone(),
            pack: BOARD_PACK.into(),
            cohort: run.conditions_id.clone().ok_or_else(|| vec![Dimension::PublicSetSha16]),
            is_completed: run.status == RunStatus::Completed,
            created_at: Some(run.run_at.clone()),
            score: run.aggregate_score,
            evidence: grade(&Proofs::default(), Mode::Board),
        });
    }
    // A run id first, then the row of that name. Names as the config has them, by run.
    let mut official: BTreeMap<String, String> = BTreeMap::new();
    for name in &config.official_baselines {
        let recorded = history.run(name);
        if recorded.is_some_and(|run| run.pack_run.is_some()) {
            continue;
        }
        let by_id = recorded.is_some() || here.contains(name);
        match ids.get(name).filter(|_| !by_id) {
            // Without a single score there is nothing to compare with the row.
            Some(_) if !is_scored => {}
            Some(run_id) => {
                official.insert(run_id.clone(), name.clone());
            }
            None => {
                official.insert(name.clone(), name.clone());
            }
        }
    }
    let names: Vec<String> = official.keys().cloned().collect();
    let written = |run_id: String| official.get(&run_id).cloned().unwrap_or(run_id);
    compare_by(&all_runs, &names, Mode::Board, Earliest::Single(&earlier))
        .map(|comparison| (comparison, ids))
        .map_err(|errors| {
            let explained = errors.into_iter().map(|error| error.explained(history));
            explained.map(|error| error.named(written)).collect()
        })
}

/// A row as it enters the comparison: by the facts of its bundle, or, where the bundle is not at
/// hand, by the board's public set and without evidence. `recorded` are the runs of this board that
/// the ledger has, by model.
fn row_as_run(
    board: &Board,
    row: &Row,
    facts: Result<&BundleFacts, Option<&str>>,
    config: &Config,
    recorded: &BTreeMap<&str, &str>,
) -> RunToCompare {
    let model = row.id();
    let (run_id, known, proofs) = match facts {
        Ok(facts) => (
            run_id(facts, &board.generated_at, &model),
            facts.known(),
            bundle_proof(&row.run.recorded_bundle_sha16, facts.replay),
        ),
        Err(set) => {
            let id = recorded.get(model.as_str()).map(|run_id| (*run_id).to_owned());
            (id.unwrap_or_else(|| format!("unrecorded:{model}")), (set, None), Proofs::default())
        }
    };
    RunToCompare {
        run_id,
        pack: BOARD_PACK.into(),
        cohort: cohort(board, row, known, config),
        is_completed: true,
        created_at: Some(board.generated_at.clone()),
        score: row.held_out.rate().map(Rate::value),
        evidence: grade(&proofs, Mode::Board),
        model,
    }
}

fn bundle_proof(sha16: &str, replay: ReplayCheck) -> Proofs {
    Proofs { bundle: Some((sha16.to_owned(), replay)), ..Proofs::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::board_runs;
    use crate::facts::board_runs::tests::{config, example, facts};
    use crate::ledger::Line;

    #[test]
    fn rows_compare_with_the_earliest_recorded_run_of_their_cohort() {
        let board = example();
        let both = facts(&["p:a", "p:b"]);
        let runs = board_runs(&board, &both, &config("{}"), &History::default()).expect("runs");
        let earlier = Run {
            aggregate_score: Some(0.5),
            run_id: "first".into(),
            run_at: "2026-01-01T00:00:00Z".into(),
            at: Instant::parse("2026-01-01T00:00:00Z").expect("a moment"),
            ..runs[0].clone()
        };
        let (history, _) = History::from_lines([Line::Run(Box::new(earlier))]);
        let (comparison, ids) =
            board_comparison(&board, &facts(&["p:a"]), &config("{}"), &history).expect("compared");
        let row = |model: &str| &comparison.runs[&ids[model]];
        assert_eq!(row("p:a").delta, Some(0.2));
        assert!(row("p:a").evidence.verified);
        let words = row("p:a").baseline.as_ref().map(crate::facts::Baseline::describe);
        assert_eq!(
            words.as_deref(),
            Some("Δ relative to p:a (0.500), the earliest completed run of this cohort")
        );
        // Its bundle is not at hand: the same cohort, and no evidence.
        assert_eq!(row("p:b").cohort_id, row("p:a").cohort_id);
        assert_eq!(row("p:b").reasons, ["no_score"]);
        assert_eq!(row("p:b").evidence.problems, ["no_evidence"]);
        let lost = board_runs(
            &board,
            &both,
            &config("{}"),
            &History::from_lines([Line::Run(Box::new(Run {
                aggregate_score: Some(0.9),
                run_at: "2026-01-01T00:00:00Z".into(),
                at: Instant::parse("2026-01-01T00:00:00Z").expect("a moment"),
                ..runs[0].clone()
            }))])
            .0,
        );
        assert!(lost.expect("runs")[0].regression_detected, "0.2 is two prompts of ten");
        let unknown = config(r#"{"official_baselines": ["nobody"]}"#);
        let error = board_comparison(&board, &both, &unknown, &history).expect_err("unknown");
        assert_eq!(error[0].to_string(), "official_baseline_unknown:nobody");
        assert_eq!(
            error[0].message(),
            "official baseline `nobody` is not a recorded run or a row of this board"
        );
    }

    /// A recorded run of `model` in the cohort of `like`.
    fn recorded(like: &Run, model: &str, at: &str, score: f64) -> Line {
        Line::Run(Box::new(Run {
            aggregate_score: Some(score),
            model: model.into(),
            run_id: format!("{model}@{at}"),
            run_at: at.into(),
            at: Instant::parse(at).expect("a moment"),
            ..like.clone()
        }))
    }

    fn baseline_of(config_text: &str, lines: Vec<Line>) -> Result<Option<String>, Vec<String>> {
        let board = example();
        let (history, _) = History::from_lines(lines);
        let compared =
            board_comparison(&board, &facts(&["p:a", "p:b"]), &config(config_text), &history);
        let (comparison, ids) = compared
            .map_err(|errors| errors.iter().map(BaselineError::message).collect::<Vec<_>>())?;
        let row = &comparison.runs[&ids["p:a"]];
        assert_eq!(row.baseline.is_none(), row.delta.is_none());
        Ok(row.baseline.as_ref().map(|baseline| baseline.run_id.clone()))
    }

    #[test]
    fn a_board_has_a_baseline_only_if_one_run_is_really_earlier() {
        let board = example();
        let runs = board_runs(&board, &facts(&["p:a", "p:b"]), &config("{}"), &History::default());
        let like = runs.expect("runs").remove(0);
        let line = |model: &str, at: &str| recorded(&like, model, at, 0.5);
        let (first, later) = ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z");
        let none: Vec<(&str, Vec<Line>)> = vec![
            ("an empty ledger", vec![]),
            ("this board itself", vec![Line::Run(Box::new(like.clone()))]),
            ("two at once", vec![line("p:x", first), line("p:y", first), line("p:z", later)]),
            (
                "the same instant in another zone",
                vec![line("p:x", first), line("p:y", "2026-01-01T02:00:00+02:00")],
            ),
            ("after the board", vec![line("p:x", "2027-01-01T00:00:00Z")]),
        ];
        for (why, lines) in none {
            assert_eq!(baseline_of("{}", lines), Ok(None), "{why}");
        }
        let one = vec![line("p:x", first), line("p:y", later), line("p:z", later)];
        assert_eq!(baseline_of("{}", one), Ok(Some(format!("p:x@{first}"))));
    }

    #[test]
    fn an_official_baseline_is_a_run_id_or_else_a_row_of_the_board() {
        let board = example();
        let runs = board_runs(&board, &facts(&["p:a", "p:b"]), &config("{}"), &History::default());
        let like = runs.expect("runs").remove(0);
        let official = |name: &str| format!("{{\"official_baselines\": [\"{name}\"]}}");
        assert_eq!(baseline_of(&official("p:a"), vec![]), Ok(Some(like.run_id.clone())));
        // A recorded run that is called like a row comes first.
        let called = Line::Run(Box::new(Run {
            run_id: "p:a".into(),
            run_at: "2026-01-01T00:00:00Z".into(),
            ..like.clone()
        }));
        assert_eq!(baseline_of(&official("p:a"), vec![called]), Ok(Some("p:a".into())));
        assert_eq!(baseline_of(&official(&like.run_id), vec![]), Ok(Some(like.run_id)));
        let refused = |text: &str| baseline_of(text, vec![]).expect_err("refused").remove(0);
        assert_eq!(
            refused(&official("p:b")),
            "official baseline `p:b` has no score, did not complete, or does not say how it was scored"
        );
        assert_eq!(
            refused(&official("p:c")),
            "official baseline `p:c` is not a recorded run or a row of this board"
        );
    }

    #[test]
    fn an_official_baseline_that_does_not_count_is_reported_with_its_successor() {
        let runs =
            board_runs(&example(), &facts(&["p:a", "p:b"]), &config("{}"), &History::default());
        let like = runs.expect("runs").remove(0);
        let (old, new) = ("p:x@2026-01-01T00:00:00Z", "p:x@2026-02-01T00:00:00Z");
        let line = |run_id: &str| recorded(&like, "p:x", &run_id[4..], 0.5);
        let read = |text: String| Line::read(text.as_bytes()).expect("a line").0;
        let at = "\"recorded_at\":\"2026-04-01T00:00:00Z\",\"reason\":\"r\"";
        let rescore =
            || read(format!(r#"{{"kind":"rescore",{at},"of":"{old}","run_id":"{new}"}}"#));
        let retract =
            |run_id: &str| read(format!(r#"{{"kind":"retraction",{at},"run_id":"{run_id}"}}"#));
        let refused = |name: &str, lines: Vec<Line>| {
            let config = format!("{{\"official_baselines\": [\"{name}\"]}}");
            baseline_of(&config, lines).expect_err("refused").remove(0)
        };
        assert_eq!(
            refused(old, vec![line(old), line(new), rescore()]),
            format!("official baseline `{old}` was rescored; its new run is `{new}`")
        );
        assert_eq!(
            refused(new, vec![line(old), line(new), rescore(), retract(new)]),
            format!("official baseline `{new}` was retracted; run `{old}` counts instead")
        );
        assert_eq!(
            refused(old, vec![line(old), retract(old)]),
            format!("official baseline `{old}` was retracted")
        );
    }
}
