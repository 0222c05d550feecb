//! A board in the ledger: its rows as runs, and the board itself as a line.

use std::collections::BTreeMap;

use crate::board::{Board, HeldOut, Row};
use crate::domain::config::{Config, Dimension, Price, Protocol, RunStatus};
use crate::domain::{Rate, real, round6, sha16, sha256};
use crate::facts::{self, ReplayCheck, ScoringConditions, cohort_id};
use crate::ledger::{BoardLine, History, Instant, Rules, Run, RunKind, is_regression};

/// The pack a board's rows are of.
pub const BOARD_PACK: &str = "gmat";

/// What is known about a row from its bundle, beyond the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleFacts {
    /// Full SHA-256 of the public bundle, in hex.
    pub bundle_sha256: String,
    /// SHA-256 of the public prompts.json alone, in hex.
    pub prompts_sha256: String,
    /// Share of prompts whose completion is structurally fine, where it was replayed.
    pub structural: Option<Rate>,
    /// SHA-256 of the protocol the answers were recorded under, in hex; `None` where it is not known.
    pub protocol_sha256: Option<String>,
    /// What replaying the bundle gave.
    pub replay: ReplayCheck,
}

impl BundleFacts {
    /// SHA-256 of the prompts, and of the protocol where it is known.
    pub(super) fn known(&self) -> (Option<&str>, Option<&str>) {
        (Some(&self.prompts_sha256), self.protocol_sha256.as_deref())
    }
}

/// The facts of every row whose bundle was replayed, by `provider:model`.
pub fn bundle_facts(board: &Board, evidence: &facts::Replays<'_>) -> BTreeMap<String, BundleFacts> {
    let rows = board.entries.iter().zip(&evidence.rows);
    rows.filter_map(|(row, known)| {
        let replay = known.public?;
        let facts = BundleFacts {
            bundle_sha256: replay.sha256.clone(),
            prompts_sha256: replay.prompts_sha256.clone(),
            structural: Some(Rate::of(replay.totals.fine, replay.counts().1)),
            protocol_sha256: known.run.and_then(|run| run.protocol_sha256.clone()),
            replay: ReplayCheck::between(row, Some(replay)),
        };
        Some((row.id(), facts))
    })
    .collect()
}

pub(super) fn cohort(
    board: &Board,
    row: &Row,
    (prompts_sha256, protocol_sha256): (Option<&str>, Option<&str>),
    config: &Config,
) -> Result<String, Vec<Dimension>> {
    let traits = row_traits(board, row, (prompts_sha256, protocol_sha256), config);
    cohort_id(&traits, &config.board_dimensions())
}

/// The SHA-256 of the board's public prompts, for rows whose bundle is not at hand: the pinned set,
/// else that of the first row at hand, which `build` holds all others to.
pub fn public_set(
    board: &Board,
    facts: &BTreeMap<String, BundleFacts>,
    config: &Config,
) -> Option<String> {
    let at_hand = || board.entries.iter().find_map(|row| facts.get(&row.id()));
    config.public_pin.clone().or_else(|| at_hand().map(|facts| facts.prompts_sha256.clone()))
}

/// The id of a row's run: the first 16 hex digits of a SHA-256 over bundle, time and model.
pub(super) fn run_id(facts: &BundleFacts, run_at: &str, model: &str) -> String {
    sha16(format!("{}\n{run_at}\n{model}", facts.bundle_sha256).as_bytes())
}

/// What a row says about how it was scored; the public set is known by the SHA-256 of its prompts.
/// A row whose protocol is not known counts as recorded under the board's own.
pub fn row_traits(
    board: &Board,
    row: &Row,
    (prompts_sha256, protocol_sha256): (Option<&str>, Option<&str>),
    config: &Config,
) -> ScoringConditions {
    let short = |sha256: &str| sha256.get(..16).map(str::to_owned);
    ScoringConditions {
        pack: Some(BOARD_PACK.into()),
        scoring_mode: Some("judge".into()),
        eval_protocol_version: Some(board.eval_protocol_version.clone()),
        judge_model: Some(row.run.judge_model.clone()),
        n_votes: Some(row.run.n_votes),
        public_set_sha16: prompts_sha256.and_then(short),
        backend: Some(row.provider.clone()),
        metric: Some("pass_rate".into()),
        n_docs: Some(row.public.n_prompts),
        protocol_sha16: config
            .protocol
            .as_ref()
            .and_then(|own| protocol_sha256.map_or_else(|| short(&own.sha256()), short)),
        ..ScoringConditions::default()
    }
}

/// The rows of `board` as runs, in rank order; rows whose facts are unknown are returned by name.
///
/// Marks a drop against the run before as a regression, because no other step checks it.
pub fn board_runs(
    board: &Board,
    facts: &BTreeMap<String, BundleFacts>,
    config: &Config,
    history: &History,
) -> Result<Vec<Run>, Vec<String>> {
    let unknown: Vec<String> =
        board.entries.iter().map(Row::id).filter(|id| !facts.contains_key(id)).collect();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let rules = Rules { score_scale: 1.0, ..Rules::from_section(&config.history) };
    let runs = board.entries.iter().filter_map(|row| {
        let facts = facts.get(&row.id())?;
        let mut run = board_run(board, row, facts, config)?;
        let drop = config.history.regression_drop;
        run.regression_detected = is_regression(history, &run, rules, drop);
        Some(run)
    });
    Ok(runs.collect())
}

fn board_run(board: &Board, row: &Row, facts: &BundleFacts, config: &Config) -> Option<Run> {
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
        status: RunStatus::Completed,
        conditions_id: cohort(board, row, facts.known(), config).ok(),
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
        if facts::held_out_tiers(board).is_some() {
            for (tier, rate) in &cell.by_tier {
                scores.insert(format!("held_out/{tier}"), rate.value());
            }
        }
    }
    scores
}

/// What one completion cost; `None` where tokens are not recorded.
fn cost(row: &Row, price: &Price) -> Option<f64> {
    let calls = row.usage.get("generation_calls").copied().filter(|calls| *calls > 0)?;
    Some(round6(row.cost(price)? / real(calls)))
}

/// The line that says `board` was published; `None` if the last one says so already.
pub fn board_line(
    board: &Board,
    bytes: &[u8],
    config: &Config,
    history: &History,
    recorded_at: &str,
) -> Option<BoardLine> {
    let board_sha256 = sha256(bytes);
    let last = history.boards().last();
    if last.is_some_and(|last| last.board_sha256 == board_sha256) {
        return None;
    }
    Some(BoardLine {
        board_sha256,
        generated_at: board.generated_at.clone(),
        kind: "board",
        protocol: board.eval_protocol_version.clone(),
        protocol_sha256: config.protocol.as_ref().map(Protocol::sha256),
        recorded_at: recorded_at.to_owned(),
        rows: board.entries.len() as u64,
        serial: last.map_or(1, |last| last.serial + 1),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::read;
    use crate::domain::config::Scalar;
    use crate::json;
    use crate::ledger::Line;

    /// Two rows, of which the second is pending.
    pub(crate) fn example() -> Board {
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
        let pending = format!(r#"{{"pass_rate": null, "status": "{}"}}"#, crate::board::PENDING);
        let text = format!(
            r#"{{"entries": [{}, {}], "eval_protocol_version": "1", "generated_at": "2026-06-18T00:00:00Z",
             "held_out_set": {{"tiers": {{"easy": 10}}}}, "judge_model": "j", "public_set": {{}}, "ranking": "{}"}}"#,
            row(1, "a", &cell("0.7"), "0.1"),
            row(2, "b", &pending, "null"),
            crate::board::RANKING
        );
        let document = json::parse(text.as_bytes()).expect("JSON");
        read(&document.root, "board").expect("a board")
    }

    pub(crate) fn facts(models: &[&str]) -> BTreeMap<String, BundleFacts> {
        let facts = |model: &&str| BundleFacts {
            bundle_sha256: model.repeat(32),
            prompts_sha256: "1".repeat(64),
            structural: Rate::nearest(0.9),
            protocol_sha256: None,
            replay: ReplayCheck::Match,
        };
        models.iter().map(|model| ((*model).to_owned(), facts(model))).collect()
    }

    pub(crate) fn config(text: &str) -> Config {
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
        let mut small = board.clone();
        let sizes = [("easy".to_owned(), 10), ("hard".to_owned(), 4)].into();
        small.held_out_set.insert("tiers".to_owned(), Scalar::Counts(sizes));
        let one_small = board_runs(&small, &both, &config("{}"), &History::default());
        let scores = &one_small.expect("runs")[0].dataset_scores;
        assert!(!scores.contains_key("held_out/easy"), "{scores:?}");
        assert_eq!(runs[0].conditions_id, runs[1].conditions_id);
        let missing = board_runs(&board, &facts(&["p:b"]), &config("{}"), &History::default());
        assert_eq!(missing, Err(vec!["p:a".to_owned()]));
        let plain = config("{}");
        let line = board_line(&board, b"x", &plain, &History::default(), "t").expect("a line");
        let (recorded, _) = History::from_lines([Line::Board(line)]);
        assert_eq!(board_line(&board, b"x", &plain, &recorded, "t"), None);
        let second = board_line(&board, b"y", &plain, &recorded, "t").expect("a line");
        assert_eq!((second.serial, second.protocol_sha256), (2, None));
        let own = config(r#"{"protocol": {}}"#);
        let line = board_line(&board, b"y", &own, &recorded, "t").expect("a line");
        assert_eq!(line.protocol_sha256, Some(Protocol::default().sha256()));
    }

    #[test]
    fn a_protocol_of_its_own_or_an_unknown_one_is_the_boards_and_another_splits_the_cohort() {
        let board = example();
        let cohorts = |config: &Config, second: Option<&str>| {
            let mut both = facts(&["p:a", "p:b"]);
            both.get_mut("p:b").expect("a row").protocol_sha256 = second.map(str::to_owned);
            let runs = board_runs(&board, &both, config, &History::default()).expect("runs");
            runs.into_iter().map(|run| run.conditions_id.expect("a cohort")).collect::<Vec<_>>()
        };
        let (plain, own) = (config("{}"), config(r#"{"protocol": {}}"#));
        let (shipped, other) = (Protocol::default().sha256(), "0".repeat(64));
        let before = cohorts(&plain, None);
        assert_eq!(before, ["e047c61f60488799"; 2]);
        assert_eq!(cohorts(&plain, Some(&other)), before, "without `protocol` nothing changes");
        let unknown = cohorts(&own, None);
        assert!(unknown[0] == unknown[1] && unknown != before, "{unknown:?}");
        assert_eq!(cohorts(&own, Some(&shipped)), unknown);
        let split = cohorts(&own, Some(&other));
        assert!(split[0] == unknown[0] && split[1] != unknown[1], "{split:?}");
    }
}
