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

/// The id of a row's run: the first 16 hex digits of a SHA-256 over bundle, time and model.
fn run_id(facts: &RowFacts, run_at: &str, model: &str) -> String {
    let digest = Sha256::digest(format!("{}\n{run_at}\n{model}", facts.bundle_sha256));
    hex::encode(&digest[..8])
}

fn traits(board: &Board, row: &Row, facts: &RowFacts) -> Traits {
    Traits {
        pack: Some(BOARD_PACK.into()),
        scoring_mode: Some("judge".into()),
        eval_protocol_version: Some(board.eval_protocol_version.clone()),
        judge_model: Some(row.run.judge_model.clone()),
        n_votes: Some(row.run.n_votes),
        public_set_sha16: facts.prompts_sha256.get(..16).map(str::to_owned),
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
        weights_sha16: cohort_id(&traits(board, row, facts), &config.cohort_dimensions).ok(),
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
                cohort: cohort_id(&traits(board, row, facts), &config.cohort_dimensions),
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
    let recorded = history.runs().into_iter().filter(|run| !here.contains(&run.run_id));
    entrants.extend(recorded.filter(|run| run.pack_run.is_none()).map(|run| Entrant {
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
