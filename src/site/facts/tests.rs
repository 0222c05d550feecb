//! What a row is said to be: its place, its cost, its flags.

use super::*;
use crate::board::{HeldOut, RowEvidence, Run};
use crate::replay::Outcome;

/// A row that passes `public` of 51 and `held_out` of 15.
fn row(model: &str, public: usize, held_out: Option<usize>) -> Row {
    let cell = |passed, total: usize| Cell {
        by_tier: BTreeMap::new(),
        n_prompts: total as u64,
        pass_rate: Rate::of(passed, total),
    };
    let public = cell(public, 51);
    let headline = held_out.map(|passed| cell(passed, 15));
    Row {
        close_the_loop: None,
        overfit_gap: headline.as_ref().map(|h| Gap::between(public.pass_rate, h.pass_rate)),
        held_out: headline.map_or(HeldOut::Pending, HeldOut::Scored),
        kind: "seed".to_owned(),
        model: model.to_owned(),
        provider: "demo".to_owned(),
        public,
        rank: 1,
        run: Run {
            judge_model: "judge".to_owned(),
            n_votes: 3,
            recorded_bundle_sha16: "00".repeat(8),
            submitted_by: "seed".to_owned(),
            tool_version: "0.1.0".to_owned(),
            verified: true,
        },
        usage: BTreeMap::from([
            ("prompt_tokens".to_owned(), 1_000_000),
            ("completion_tokens".to_owned(), 100_000),
        ]),
    }
}

fn board(entries: Vec<Row>) -> Board {
    Board {
        entries,
        eval_protocol_version: "1".to_owned(),
        generated_at: "2026-11-15T00:00:00Z".to_owned(),
        held_out_set: BTreeMap::new(),
        judge_model: "judge".to_owned(),
        public_set: BTreeMap::new(),
        ranking: crate::board::RANKING.to_owned(),
    }
}

/// A bundle of 51 prompts, `passed` of them passed, with `votes` votes each.
fn replay(passed: usize, votes: usize, texts: u64) -> Replay {
    let outcome = |at: usize| Outcome {
        id: at.to_string(),
        tier: "easy".to_owned(),
        failures: Vec::new(),
        votes: vec![Some(at < passed); votes],
        judged: Some(at < passed),
    };
    Replay {
        outcomes: (0..51).map(outcome).collect(),
        usage: BTreeMap::new(),
        sha256: "00".repeat(32),
        prompts_sha256: String::new(),
        texts: vec![texts; 51],
        has_crlf: false,
        findings: Vec::new(),
    }
}

fn words(facts: &Facts<'_>, model: &str) -> Vec<&'static str> {
    let row = facts.rows.iter().find(|row| row.model == model).expect("a row");
    row.flags.iter().map(|flag| flag.word).collect()
}

#[test]
fn flags_say_what_a_reader_must_see() {
    let mut shown = row("shown", 40, None);
    shown.kind = "illustrative".to_owned();
    let mut own = row("own", 40, None);
    own.kind = "self-recorded".to_owned();
    let board = board(vec![row("judge", 40, None), own, shown, row("twin", 40, None)]);
    let public = |votes, texts| RowEvidence { public: Some(replay(40, votes, texts)), lift: None };
    let evidence =
        Evidence { rows: vec![public(3, 1), public(1, 2), RowEvidence::default(), public(3, 1)] };
    let (config, history) = (Config::default(), History::default());
    let facts = Facts::of(&board, &config, &evidence, &history).expect("facts");
    assert_eq!(words(&facts, "judge"), ["judged by itself", "identical completions"]);
    assert_eq!(words(&facts, "own"), ["self-recorded", "votes missing"]);
    assert_eq!(words(&facts, "shown"), ["illustrative"]);
    assert_eq!(words(&facts, "twin"), ["identical completions"]);
    let states: Vec<State> = facts.rows.iter().map(|row| row.state).collect();
    assert_eq!(states, [State::Replayed, State::Replayed, State::Absent, State::Replayed]);
}

#[test]
fn who_shares_most_completions_with_many_is_told_so_once() {
    let names = ["a", "b", "c", "d", "e"];
    let board = board(names.map(|name| row(name, 40, None)).into());
    let mut evidence = Evidence::default();
    for own in 2..7 {
        let mut replay = replay(40, 3, 1);
        replay.texts[0] = own;
        evidence.rows.push(RowEvidence { public: Some(replay), lift: None });
    }
    let (config, history) = (Config::default(), History::default());
    let facts = Facts::of(&board, &config, &evidence, &history).expect("facts");
    let said: Vec<&str> = facts.rows[0].flags.iter().map(|f| f.sentence.as_str()).collect();
    let sentence =
        "Identical completions: up to 50 of 51 are word for word those of b, c, d and 1 more.";
    assert_eq!(said, [sentence]);
    assert_eq!(facts.rows[0].flag_words(), ["identical completions"]);
}

#[test]
fn overfit_is_said_only_beyond_noise_and_a_pending_row_has_no_place() {
    let rows = vec![row("new", 51, None), row("memo", 50, Some(4)), row("fair", 41, Some(11))];
    let board = board(rows);
    let (config, evidence) = (Config::default(), Evidence::default());
    let history = History::default();
    let facts = Facts::of(&board, &config, &evidence, &history).expect("facts");
    let seen: Vec<(&str, bool, bool)> = facts
        .rows
        .iter()
        .map(|row| (row.model.as_str(), row.is_overfit(), row.place.is_some()))
        .collect();
    assert_eq!(seen, [("fair", false, true), ("memo", true, true), ("new", false, false)]);
    assert_eq!(facts.scored, 2);
}

#[test]
fn cost_needs_a_price_and_tokens_a_pass() {
    let board = board(vec![row("priced", 50, None), row("none", 0, None)]);
    let price = Price { input: 1.0, output: 10.0, date: String::new(), source: String::new() };
    let config =
        Config { prices: BTreeMap::from([("demo:priced".to_owned(), price)]), ..Config::default() };
    let (evidence, history) = (Evidence::default(), History::default());
    let facts = Facts::of(&board, &config, &evidence, &history).expect("facts");
    let figures = |model: &str| {
        let row = facts.rows.iter().find(|row| row.model == model).expect("a row");
        (row.tokens.map(|tokens| tokens.to_string()), row.cost.map(|cost| cost.to_string()))
    };
    assert_eq!(figures("priced"), (Some("22000".to_owned()), Some("0.04".to_owned())));
    assert_eq!(figures("none"), (None, None));
}
