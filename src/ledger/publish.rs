//! A board in the ledger: its rows as runs, the board itself as a line, and its rows compared
//! with everything recorded before.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::baseline::{BaselineError, Comparison, Entrant, compare};
use super::cohort::{Traits, cohort_id};
use super::evidence::{Mode, Proofs, ReplayCheck, grade};
use super::history::History;
use super::insert::{Rules, is_regression};
use super::instant::Instant;
use super::line::BoardLine;
use super::round::round6;
use super::run::{Run, RunKind};
use crate::board::{self, Board, HeldOut, Row};
use crate::domain::Rate;
use crate::domain::config::{Config, Dimension, Price};

/// The pack a board's rows are of.
pub const BOARD_PACK: &str = "gmat";
/// Held-out tiers below this many prompts are never published.
const SMALL_TIER: u64 = 5;

/// What is known about a row from its bundle, beyond the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFacts {
    /// Full SHA-256 of the public bundle, in hex.
    pub bundle_sha256: String,
    /// SHA-256 of the public prompts.json alone, in hex.
    pub prompts_sha256: String,
    /// Share of prompts whose completion is structurally fine, where it was replayed.
    pub structural: Option<Rate>,
    /// What replaying the bundle gave.
    pub replay: ReplayCheck,
}

/// The facts of every row whose bundle was replayed, by `provider:model`.
pub fn row_facts(board: &Board, evidence: &board::Evidence) -> BTreeMap<String, RowFacts> {
    let rows = board.entries.iter().zip(&evidence.rows);
    rows.filter_map(|(row, known)| {
        let replay = known.public.as_ref()?;
        let fine = replay.outcomes.iter().filter(|outcome| outcome.failures.is_empty()).count();
        let matches = row.run.recorded_bundle_sha16 == replay.sha16()
            && row.public.pass_rate == replay.rate();
        let facts = RowFacts {
            bundle_sha256: replay.sha256.clone(),
            prompts_sha256: replay.prompts_sha256.clone(),
            structural: Some(Rate::of(fine, replay.outcomes.len())),
            replay: if matches { ReplayCheck::Match } else { ReplayCheck::Mismatch },
        };
        Some((row.id(), facts))
    })
    .collect()
}

fn cohort(
    board: &Board,
    row: &Row,
    facts: &RowFacts,
    config: &Config,
) -> Result<String, Vec<Dimension>> {
    let traits = row_traits(board, row, Some(&facts.prompts_sha256));
    cohort_id(&traits, &config.cohort_dimensions)
}

/// The id of a row's run: the first 16 hex digits of a SHA-256 over bundle, time and model.
fn run_id(facts: &RowFacts, run_at: &str, model: &str) -> String {
    let digest = Sha256::digest(format!("{}\n{run_at}\n{model}", facts.bundle_sha256));
    hex::encode(&digest[..8])
}

/// What a row says about how it was scored; the public set is known by the SHA-256 of its prompts.
pub fn row_traits(board: &Board, row: &Row, prompts_sha256: Option<&str>) -> Traits {
    Traits {
        pack: Some(BOARD_PACK.into()),
        scoring_mode: Some("judge".into()),
        eval_protocol_version: Some(board.eval_protocol_version.clone()),
        judge_model: Some(row.run.judge_model.clone()),
        n_votes: Some(row.run.n_votes),
        public_set_sha16: prompts_sha256.and_then(|sha256| sha256.get(..16)).map(str::to_owned),
        backend: Some(row.provider.clone()),
        metric: Some("pass_rate".into()),
        n_docs: Some(row.public.n_prompts),
        ..Traits::default()
    }
}

/// The rows of `board` as runs, in rank order; rows whose facts are unknown are returned by name.
///
/// A loss against the run before is marked as a regression here: nobody else looked.
pub fn board_runs(
    board: &Board,
    facts: &BTreeMap<String, RowFacts>,
    config: &Config,
    history: &History,
) -> Result<Vec<Run>, Vec<String>> {
    let unknown: Vec<String> =
        board.entries.iter().map(Row::id).filter(|id| !facts.contains_key(id)).collect();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let rules = Rules { score_scale: 1.0, ..Rules::of(&config.history) };
    let runs = board.entries.iter().filter_map(|row| {
        let facts = facts.get(&row.id())?;
        let mut run = board_run(board, row, facts, config)?;
        let drop = config.history.regression_drop;
        run.regression_detected = is_regression(history, &run, rules, drop);
        Some(run)
    });
    Ok(runs.collect())
}

fn board_run(board: &Board, row: &Row, facts: &RowFacts, config: &Config) -> Option<Run> {
    let model = row.id();
    let scored = row.held_out.cell();
    Some(Run {
        aggregate_score: row.held_out.rate().map(Rate::value),
        cost_per_message_usd: config.prices.get(&model).and_then(|price| cost(row, price)),
        dataset_scores: dataset_scores(row, board),
        eval_protocol_version: Some(board.eval_protocol_version.clone()),
        hallucination_count: None,
        hallucination_rate: None,
        kind: RunKind::Run,
        latency_p95_ms: None,
        n_prompts: Some(scored.map_or(row.public.n_prompts, |cell| cell.n_prompts)),
        notes: None,
        pack_run: None,
        recorded_at: None,
        regression_detected: false,
        report_url: None,
        rubric_scores: [
            ("structural", facts.structural),
            ("repair", row.close_the_loop.as_ref().map(|repair| repair.repaired_runnable)),
        ]
        .into_iter()
        .filter_map(|(name, rate)| Some((name.to_owned(), rate?.value())))
        .collect(),
        at: Instant::parse(&board.generated_at)?,
        run_at: board.generated_at.clone(),
        run_id: run_id(facts, &board.generated_at, &model),
        weights_sha16: cohort(board, row, facts, config).ok(),
        model,
    })
}

fn dataset_scores(row: &Row, board: &Board) -> BTreeMap<String, f64> {
    let mut scores = BTreeMap::from([("public".to_owned(), row.public.pass_rate.value())]);
    for (tier, rate) in &row.public.by_tier {
        scores.insert(format!("public/{tier}"), rate.value());
    }
    if let HeldOut::Scored(cell) = &row.held_out {
        scores.insert("held_out".into(), cell.pass_rate.value());
        // Which tiers are small is known only where the header says so for every tier.
        let sizes = match board.held_out_set.get("tiers") {
            Some(crate::domain::config::Scalar::Counts(sizes)) => sizes.clone(),
            _ => BTreeMap::new(),
        };
        let large = |tier: &String| sizes.get(tier).is_some_and(|size| *size >= SMALL_TIER);
        if cell.by_tier.keys().all(large) {
            for (tier, rate) in &cell.by_tier {
                scores.insert(format!("held_out/{tier}"), rate.value());
            }
        }
    }
    scores
}

/// What one completion cost; `None` where tokens are not recorded.
#[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^53")]
fn cost(row: &Row, price: &Price) -> Option<f64> {
    let tokens = |names: [&str; 2]| names.iter().find_map(|name| row.usage.get(*name)).copied();
    let calls = row.usage.get("generation_calls").copied().filter(|calls| *calls > 0)?;
    let input = tokens(["prompt_tokens", "input_tokens"])? as f64 * price.input;
    let output = tokens(["completion_tokens", "output_tokens"])? as f64 * price.output;
    Some(round6((input + output) / 1e6 / calls as f64))
}

/// The line that says `board` was published; `None` if the last one says so already.
pub fn board_line(
    board: &Board,
    bytes: &[u8],
    history: &History,
    recorded_at: &str,
) -> Option<BoardLine> {
    let board_sha256 = hex::encode(Sha256::digest(bytes));
    let last = history.boards().last();
    if last.is_some_and(|last| last.board_sha256 == board_sha256) {
        return None;
    }
    Some(BoardLine {
        board_sha256,
        generated_at: board.generated_at.clone(),
        kind: "board",
        protocol: board.eval_protocol_version.clone(),
        recorded_at: recorded_at.to_owned(),
        rows: board.entries.len() as u64,
        serial: last.map_or(1, |last| last.serial + 1),
    })
}

/// Every row of `board` compared within its cohort, with all recorded runs of these cohorts as
/// possible baselines, by `provider:model`. Rows whose facts are unknown compare with nobody.
pub fn board_comparison(
    board: &Board,
    facts: &BTreeMap<String, RowFacts>,
    config: &Config,
    history: &History,
) -> Result<(Comparison, BTreeMap<String, String>), Vec<BaselineError>> {
    let mut ids = BTreeMap::new();
    let mut entrants: Vec<Entrant> = Vec::new();
    for row in &board.entries {
        let model = row.id();
        let entrant = match facts.get(&model) {
            Some(facts) => Entrant {
                run_id: run_id(facts, &board.generated_at, &model),
                pack: BOARD_PACK.into(),
                cohort: cohort(board, row, facts, config),
                is_completed: true,
                created_at: Some(board.generated_at.clone()),
                score: row.held_out.rate().map(Rate::value),
                evidence: grade(
                    &bundle_proof(&row.run.recorded_bundle_sha16, facts.replay),
                    Mode::Board,
                ),
            },
            None => Entrant {
                run_id: format!("unrecorded:{model}"),
                pack: BOARD_PACK.into(),
                cohort: Err(vec![Dimension::PublicSetSha16]),
                is_completed: true,
                created_at: Some(board.generated_at.clone()),
                score: row.held_out.rate().map(Rate::value),
                evidence: grade(
                    &bundle_proof(&row.run.recorded_bundle_sha16, ReplayCheck::NotRun),
                    Mode::Board,
                ),
            },
        };
        ids.insert(model, entrant.run_id.clone());
        entrants.push(entrant);
    }
    let here: BTreeSet<String> = entrants.iter().map(|entrant| entrant.run_id.clone()).collect();
    let cohorts: BTreeSet<String> =
        entrants.iter().filter_map(|entrant| entrant.cohort.clone().ok()).collect();
    // Runs of other things may stand in the same ledger; only these say something about the board.
    let is_related = |run: &&Run| {
        run.pack_run.is_none()
            && !here.contains(&run.run_id)
            && (config.official_baselines.contains(&run.run_id)
                || run.weights_sha16.as_ref().is_some_and(|cohort| cohorts.contains(cohort)))
    };
    let recorded = history.runs().into_iter().filter(is_related);
    entrants.extend(recorded.map(|run| Entrant {
        run_id: run.run_id.clone(),
        pack: BOARD_PACK.into(),
        cohort: run.weights_sha16.clone().ok_or_else(|| vec![Dimension::PublicSetSha16]),
        is_completed: true,
        created_at: Some(run.run_at.clone()),
        score: run.aggregate_score,
        evidence: grade(&Proofs::default(), Mode::Board),
    }));
    // An official baseline of a pack is no business of the board.
    let of_pack = |id: &String| history.run(id).is_some_and(|run| run.pack_run.is_some());
    let official: Vec<String> =
        config.official_baselines.iter().filter(|id| !of_pack(id)).cloned().collect();
    compare(&entrants, &official, Mode::Board).map(|comparison| (comparison, ids))
}

fn bundle_proof(sha16: &str, replay: ReplayCheck) -> Proofs {
    Proofs { bundle: Some((sha16.to_owned(), replay)), ..Proofs::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::read;
    use crate::json;
    use crate::ledger::Line;

    /// Two rows, of which the second is pending.
    fn example() -> Board {
        let cell = |rate: &str| {
            format!(r#"{{"by_tier": {{"easy": {rate}}}, "n_prompts": 10, "pass_rate": {rate}}}"#)
        };
        let row = |rank: u8, model: &str, held_out: &str, gap: &str| {
            format!(
                r#"{{"close_the_loop": null, "held_out": {held_out}, "kind": "seed", "model": "{model}",
                 "overfit_gap": {gap}, "provider": "p", "public": {}, "rank": {rank}, "run": {{
                 "judge_model": "j", "n_votes": 3, "recorded_bundle_sha16": "a0cab7b3f7de44b4",
                 "submitted_by": "s", "tool_version": "0.1.0", "verified": true}},
                 "usage": {{"generation_calls": 10, "input_tokens": 1000, "judge_calls": 30, "output_tokens": 500}}}}"#,
                cell("0.8")
            )
        };
        let pending = format!(r#"{{"pass_rate": null, "status": "{}"}}"#, board::PENDING);
        let text = format!(
            r#"{{"entries": [{}, {}], "eval_protocol_version": "1", "generated_at": "2026-06-18T00:00:00Z",
             "held_out_set": {{"tiers": {{"easy": 10}}}}, "judge_model": "j", "public_set": {{}}, "ranking": "{}"}}"#,
            row(1, "a", &cell("0.7"), "0.1"),
            row(2, "b", &pending, "null"),
            board::RANKING
        );
        let document = json::parse(text.as_bytes()).expect("JSON");
        read(&document.root, "board").expect("a board")
    }

    fn facts(models: &[&str]) -> BTreeMap<String, RowFacts> {
        let facts = |model: &&str| RowFacts {
            bundle_sha256: model.repeat(32),
            prompts_sha256: "1".repeat(64),
            structural: Rate::nearest(0.9),
            replay: ReplayCheck::Match,
        };
        models.iter().map(|model| ((*model).to_owned(), facts(model))).collect()
    }

    fn config(text: &str) -> Config {
        Config::parse(text.as_bytes(), "seeds.json").expect("a config")
    }

    const PRICED: &str =
        r#"{"prices": {"p:a": {"input": 1, "output": 2, "date": "2026-01-01", "source": "s"}}}"#;

    #[test]
    fn a_row_becomes_a_run_of_its_cohort() {
        let board = example();
        let both = facts(&["p:a", "p:b"]);
        let runs = board_runs(&board, &both, &config(PRICED), &History::default()).expect("runs");
        let first = &runs[0];
        assert_eq!((first.aggregate_score, first.n_prompts), (Some(0.7), Some(10)));
        assert_eq!(first.cost_per_message_usd, Some(0.0002));
        let names: Vec<&str> = first.dataset_scores.keys().map(String::as_str).collect();
        assert_eq!(names, ["held_out", "held_out/easy", "public", "public/easy"]);
        assert_eq!(first.rubric_scores.get("structural"), Some(&0.9));
        assert_eq!(runs[1].aggregate_score, None);
        assert_eq!(runs[0].weights_sha16, runs[1].weights_sha16);
        let missing = board_runs(&board, &facts(&["p:b"]), &config("{}"), &History::default());
        assert_eq!(missing, Err(vec!["p:a".to_owned()]));
        let line = board_line(&board, b"x", &History::default(), "t").expect("a line");
        let (recorded, _) = History::of([Line::Board(line)]);
        assert_eq!(board_line(&board, b"x", &recorded, "t"), None);
        assert_eq!(board_line(&board, b"y", &recorded, "t").map(|line| line.serial), Some(2));
    }

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
        let (history, _) = History::of([Line::Run(Box::new(earlier))]);
        let (comparison, ids) =
            board_comparison(&board, &facts(&["p:a"]), &config("{}"), &history).expect("compared");
        let row = |model: &str| &comparison.runs[&ids[model]];
        assert_eq!(row("p:a").delta, Some(0.2));
        assert!(row("p:a").evidence.verified);
        let words = row("p:a").baseline.as_ref().map(super::super::Baseline::words);
        assert_eq!(
            words.as_deref(),
            Some("Δ relative to first (0.500), the earliest completed run of this cohort")
        );
        assert_eq!(row("p:b").reasons, ["unknown:public_set_sha16", "no_score"]);
        let lost = board_runs(
            &board,
            &both,
            &config("{}"),
            &History::of([Line::Run(Box::new(Run {
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
    }
}
