//! A board in the ledger: its rows as runs, the board itself as a line, and its rows compared
//! with everything recorded before.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::board::{Board, HeldOut, Row, SMALL_TIER};
use crate::domain::config::{Config, Dimension, Price, Protocol, RunStatus};
use crate::domain::{Rate, round6};
use crate::facts::baseline::{Earliest, compare_by};
use crate::facts::{
    self, BaselineComparison, BaselineError, Entrant, Mode, Proofs, ReplayCheck, Traits, cohort_id,
    grade,
};
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
    fn known(&self) -> (Option<&str>, Option<&str>) {
        (Some(&self.prompts_sha256), self.protocol_sha256.as_deref())
    }
}

/// The facts of every row whose bundle was replayed, by `provider:model`.
pub fn row_facts(board: &Board, evidence: &facts::Replays<'_>) -> BTreeMap<String, BundleFacts> {
    let rows = board.entries.iter().zip(&evidence.rows);
    rows.filter_map(|(row, known)| {
        let replay = known.public?;
        let matches = row.run.recorded_bundle_sha16 == replay.sha16()
            && row.public.pass_rate == replay.rate();
        let facts = BundleFacts {
            bundle_sha256: replay.sha256.clone(),
            prompts_sha256: replay.prompts_sha256.clone(),
            structural: Some(Rate::of(replay.totals.fine, replay.counts().1)),
            protocol_sha256: known.run.and_then(|run| run.protocol_sha256.clone()),
            replay: if matches { ReplayCheck::Match } else { ReplayCheck::Mismatch },
        };
        Some((row.id(), facts))
    })
    .collect()
}

fn cohort(
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
fn run_id(facts: &BundleFacts, run_at: &str, model: &str) -> String {
    let digest = Sha256::digest(format!("{}\n{run_at}\n{model}", facts.bundle_sha256));
    hex::encode(&digest[..8])
}

/// What a row says about how it was scored; the public set is known by the SHA-256 of its prompts.
/// A row whose protocol is not known counts as recorded under the board's own.
pub fn row_traits(
    board: &Board,
    row: &Row,
    (prompts_sha256, protocol_sha256): (Option<&str>, Option<&str>),
    config: &Config,
) -> Traits {
    let short = |sha256: &str| sha256.get(..16).map(str::to_owned);
    Traits {
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
        ..Traits::default()
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
        weights_sha16: cohort(board, row, facts.known(), config).ok(),
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
#[expect(clippy::cast_precision_loss, reason = "counts of calls stay far below 2^53")]
fn cost(row: &Row, price: &Price) -> Option<f64> {
    let calls = row.usage.get("generation_calls").copied().filter(|calls| *calls > 0)?;
    Some(round6(row.cost(price)? / calls as f64))
}

/// The line that says `board` was published; `None` if the last one says so already.
pub fn board_line(
    board: &Board,
    bytes: &[u8],
    config: &Config,
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
        protocol_sha256: config.protocol.as_ref().map(Protocol::sha256),
        recorded_at: recorded_at.to_owned(),
        rows: board.entries.len() as u64,
        serial: last.map_or(1, |last| last.serial + 1),
    })
}

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
    let mut entrants: Vec<Entrant> = board
        .entries
        .iter()
        .map(|row| {
            let facts = facts.get(&row.id()).ok_or(set.as_deref());
            row_entrant(board, row, facts, config, &recorded)
        })
        .collect();
    let ids: BTreeMap<String, String> =
        entrants.iter().map(|entrant| (entrant.model.clone(), entrant.run_id.clone())).collect();
    let here: BTreeSet<String> = entrants.iter().map(|entrant| entrant.run_id.clone()).collect();
    let cohorts: BTreeSet<String> =
        entrants.iter().filter_map(|entrant| entrant.cohort.clone().ok()).collect();
    let is_scored = entrants.iter().any(|entrant| entrant.score.is_some());
    // The ledger may hold runs of other things; only these say something about the board.
    let is_related = |run: &&Run| {
        run.pack_run.is_none()
            && !here.contains(&run.run_id)
            && (config.official_baselines.contains(&run.run_id)
                || run.weights_sha16.as_ref().is_some_and(|cohort| cohorts.contains(cohort)))
    };
    let built_at = Instant::parse(&board.generated_at);
    let mut earlier: BTreeSet<String> = BTreeSet::new();
    for run in runs.into_iter().filter(is_related) {
        if built_at.is_some_and(|built_at| run.at < built_at) {
            earlier.insert(run.run_id.clone());
        }
        entrants.push(Entrant {
            run_id: run.run_id.clone(),
            model: run.model.clone(),
            pack: BOARD_PACK.into(),
            cohort: run.weights_sha16.clone().ok_or_else(|| vec![Dimension::PublicSetSha16]),
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
    compare_by(&entrants, &names, Mode::Board, Earliest::Single(&earlier))
        .map(|comparison| (comparison, ids))
        .map_err(|errors| {
            let explained = errors.into_iter().map(|error| error.explained(history));
            explained.map(|error| error.named(written)).collect()
        })
}

/// A row as it enters the comparison: by the facts of its bundle, or, where the bundle is not at
/// hand, by the board's public set and without evidence. `recorded` are the runs of this board that
/// the ledger has, by model.
fn row_entrant(
    board: &Board,
    row: &Row,
    facts: Result<&BundleFacts, Option<&str>>,
    config: &Config,
    recorded: &BTreeMap<&str, &str>,
) -> Entrant {
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
    Entrant {
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

    fn facts(models: &[&str]) -> BTreeMap<String, BundleFacts> {
        let facts = |model: &&str| BundleFacts {
            bundle_sha256: model.repeat(32),
            prompts_sha256: "1".repeat(64),
            structural: Rate::nearest(0.9),
            protocol_sha256: None,
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
            runs.into_iter().map(|run| run.weights_sha16.expect("a cohort")).collect::<Vec<_>>()
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
        let words = row("p:a").baseline.as_ref().map(crate::facts::Baseline::words);
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
            error[0].words(),
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
            .map_err(|errors| errors.iter().map(BaselineError::words).collect::<Vec<_>>())?;
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
