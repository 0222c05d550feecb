//! What a row is said to be: its place, its cost, its flags.

use std::sync::Arc;

use super::*;
use crate::facts::RowReplay;
use crate::replay::{PromptOutcome, Totals};
use crate::testing::board;

/// A bundle of 51 prompts, `passed` of them passed, with `votes` votes each.
fn replay(passed: usize, votes: usize, texts: u32) -> Replay {
    let outcome = |at: usize| PromptOutcome {
        id: at.to_string(),
        tier: "easy".to_owned(),
        failures: Vec::new(),
        votes: vec![Some(at < passed); votes],
        judged: Some(at < passed),
    };
    let outcomes: Vec<PromptOutcome> = (0..51).map(outcome).collect();
    Replay {
        totals: Totals::count(&outcomes),
        outcomes,
        usage: BTreeMap::new(),
        sha256: "00".repeat(32),
        prompts_sha256: String::new(),
        texts: vec![texts; 51].into(),
        has_crlf: false,
        findings: Vec::new(),
    }
}

/// A row whose prompts are all easy, as those of [`replay`].
fn row(model: &str, public: usize, held_out: Option<usize>) -> Row {
    let mut row = crate::testing::row(model, public, held_out);
    row.public.by_tier = BTreeMap::from([("easy".to_owned(), row.public.pass_rate)]);
    row
}

fn words(facts: &Facts<'_>, model: &str) -> Vec<&'static str> {
    let row = facts.rows.iter().find(|row| row.model == model).expect("a row");
    row.flags.iter().map(|flag| flag.word).collect()
}

/// These replays, one per row.
fn replays<'r>(rows: impl IntoIterator<Item = Option<&'r Replay>>) -> Replays<'r> {
    let row = |public| RowReplay { public, ..RowReplay::default() };
    Replays { rows: rows.into_iter().map(row).collect() }
}

#[test]
fn flags_say_what_a_reader_must_see() {
    let mut shown = row("shown", 40, None);
    shown.kind = "illustrative".to_owned();
    let mut own = row("own", 40, None);
    own.kind = "entry".to_owned();
    let board = board(vec![row("judge", 40, None), own, shown, row("twin", 40, None)]);
    let (first, second, fourth) = (replay(40, 3, 1), replay(40, 1, 2), replay(40, 3, 1));
    let evidence = replays([Some(&first), Some(&second), None, Some(&fourth)]);
    let (config, history) = (Config::default(), History::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    assert_eq!(words(&facts, "judge"), ["judged by itself", "same answers"]);
    assert_eq!(words(&facts, "own"), ["self-recorded", "votes missing"]);
    assert_eq!(words(&facts, "shown"), ["illustrative"]);
    assert_eq!(words(&facts, "twin"), ["same answers"]);
    let states: Vec<ReplayCheck> = facts.rows.iter().map(|row| row.state).collect();
    assert_eq!(
        states,
        [ReplayCheck::Match, ReplayCheck::Match, ReplayCheck::NotRun, ReplayCheck::Match]
    );
}

#[test]
fn a_bundle_gives_a_row_only_with_its_hash_and_every_rate() {
    let (published, replay) = (row("m", 40, None), replay(40, 3, 1));
    let (mut hash, mut tier) = (published.clone(), published.clone());
    hash.run.recorded_bundle_sha16 = "11".repeat(8);
    tier.public.by_tier.clear();
    let check = |row| ReplayCheck::between(row, Some(&replay));
    assert_eq!(check(&published), ReplayCheck::Match);
    assert_eq!([check(&hash), check(&tier)], [ReplayCheck::Mismatch; 2]);
}

#[test]
fn a_row_that_shares_most_completions_with_many_is_flagged_once() {
    let names = ["a", "b", "c", "d", "e"];
    let board = board(names.map(|name| row(name, 40, None)).into());
    let own_first = |own| {
        let mut replay = replay(40, 3, 1);
        Arc::make_mut(&mut replay.texts)[0] = own;
        replay
    };
    let bundles: Vec<Replay> = (2..7).map(own_first).collect();
    let evidence = replays(bundles.iter().map(Some));
    let (config, history) = (Config::default(), History::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let said: Vec<&str> = facts.rows[0].flags.iter().map(|f| f.sentence.as_str()).collect();
    let sentence = "Identical completions: 50 of 51 are word for word those of b, c, d and 1 more.";
    assert_eq!(said, [sentence]);
    assert_eq!(facts.rows[0].flag_words(), ["same answers"]);
}

#[test]
fn overfit_is_said_only_beyond_noise_and_a_pending_row_has_no_place() {
    let rows = vec![row("new", 51, None), row("memo", 50, Some(4)), row("fair", 41, Some(11))];
    let board = board(rows);
    let (config, evidence) = (Config::default(), Replays::default());
    let history = History::default();
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let seen: Vec<(&str, bool, bool)> = facts
        .rows
        .iter()
        .map(|row| (row.model.as_str(), row.is_overfit(), row.place.is_some()))
        .collect();
    assert_eq!(seen, [("fair", false, true), ("memo", true, true), ("new", false, false)]);
    assert_eq!(facts.scored, 2);
}

#[test]
fn a_row_is_placed_among_the_rows_it_is_ranked_with() {
    let mut rows: Vec<Row> = (0..9).map(|at| row(&format!("m{at}"), 40, Some(at))).collect();
    for row in &mut rows[..4] {
        row.run.judge_model = "another".to_owned();
    }
    let board = board(rows);
    let (config, evidence, history) = (Config::default(), Replays::default(), History::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let highest = |row: &RowFacts<'_>| Some((row.standing?.ranked, row.place?.high));
    let mut seen: Vec<_> = facts.rows.iter().map(highest).collect();
    seen.dedup();
    assert_eq!(seen, [Some((5, 5)), Some((4, 4))]);
}

#[test]
fn cost_needs_a_price_and_tokens_a_pass() {
    let board = board(vec![row("priced", 50, None), row("none", 0, None)]);
    let price = Price { input: 1.0, output: 10.0, date: String::new(), source: String::new() };
    let config =
        Config { prices: BTreeMap::from([("demo:priced".to_owned(), price)]), ..Config::default() };
    let (evidence, history) = (Replays::default(), History::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let figures = |model: &str| {
        let row = facts.rows.iter().find(|row| row.model == model).expect("a row");
        (
            row.tokens_per_solved.map(|tokens| tokens.to_string()),
            row.cost_per_solved.map(|cost| cost.to_string()),
        )
    };
    assert_eq!(figures("priced"), (Some("22000".to_owned()), Some("0.04".to_owned())));
    assert_eq!(figures("none"), (None, None));
}

#[test]
fn an_entry_is_self_recorded_until_a_maintainer_judged_it_again() {
    let mut own = row("own", 40, None);
    own.kind = "entry".to_owned();
    let board = board(vec![own]);
    let (evidence, history) = (Replays::default(), History::default());
    let flags = |extra: &str| {
        let text = format!(
            r#"{{"seeds": [{{"provider": "demo", "model": "own", "kind": "entry", "public_bundle": "b"{extra}}}]}}"#
        );
        let config = Config::parse(text.as_bytes(), "seeds.json").expect("a config");
        words(&Facts::derive(&board, &config, &evidence, &history).expect("facts"), "own")
    };
    assert_eq!(flags(""), ["self-recorded"]);
    assert_eq!(flags(r#", "rejudged": false"#), ["self-recorded"]);
    assert_eq!(flags(r#", "rejudged": true"#), Vec::<&str>::new());
}

#[test]
fn a_row_is_called_by_name_and_organization() {
    let names = |models: &[&str], seeds: &str| {
        let board = board(models.iter().map(|model| row(model, 40, None)).collect());
        let config = format!(r#"{{"seeds": [{seeds}]}}"#);
        let config = Config::parse(config.as_bytes(), "seeds.json").expect("a config");
        let (evidence, history) = (Replays::default(), History::default());
        let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
        let shown = |row: &RowFacts<'_>| match row.organization_shown() {
            Some(organization) => format!("{} · {organization}", row.name),
            None => row.name.clone(),
        };
        facts.rows.iter().map(shown).collect::<Vec<_>>()
    };
    let seed = |about: &str| {
        format!(
            r#"{{"provider": "demo", "model": "a/b-1", "public_bundle": "b", "about": {about}}}"#
        )
    };
    assert_eq!(names(&["a/b-1", "llama3:8b"], ""), ["b-1 · a", "llama3:8b · demo"]);
    assert_eq!(names(&["a/b-1"], &seed("{}")), ["b-1 · a"]);
    let about = seed(r#"{"name": "Bee 1", "organization": "Apiary"}"#);
    assert_eq!(names(&["a/b-1"], &about), ["Bee 1 · Apiary"]);
    // The vendor is shown once.
    assert_eq!(names(&["acme/acme-orbit"], ""), ["acme-orbit"]);
    assert_eq!(names(&["a/b-1"], &seed(r#"{"name": "A B 1"}"#)), ["A B 1"]);
    assert_eq!(names(&["acme/acmeist"], ""), ["acmeist · acme"]);
    // Rows with the same name are shown with their full id.
    assert_eq!(names(&["x/b-1", "y/b-1"], ""), ["demo:x/b-1 · x", "demo:y/b-1 · y"]);
}

#[test]
fn rows_of_one_name_get_their_provider() {
    let mut other = row("b-1", 40, None);
    other.provider = "acme".to_owned();
    let board = board(vec![row("b-1", 40, None), other]);
    let (config, evidence, history) = (Config::default(), Replays::default(), History::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let names: Vec<&str> = facts.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["b-1 (demo)", "b-1 (acme)"]);
    assert!(facts.rows.iter().all(|row| row.about.is_none()));
    let others = ["demo:c", "acme:c", "acme:b-1", "demo:d", "demo:e"].map(str::to_owned);
    let given = ["", "", "", "D", ""].map(str::to_owned);
    let names = facts.model_names(others.iter().zip(&given));
    let names: Vec<&str> = others.iter().map(|id| names[id].as_str()).collect();
    assert_eq!(names, ["demo:c", "acme:c", "b-1 (acme)", "D", "e"]);
}

#[test]
fn copies_are_found_by_the_rule_of_verify_on_boards_of_any_size() {
    // 46 of 51 are 90 %, 45 are not.
    for (own, is_copy) in [(5, true), (6, false)] {
        let board = board((0..300).map(|n| row(&format!("m{n:03}"), 40, None)).collect());
        let bundle = |n: u32| {
            let mut replay = replay(40, 3, 1);
            let text = |at: u32| (n * 1000 + at).wrapping_mul(0x9e37_79b9);
            replay.texts = (0..51).map(text).collect();
            replay
        };
        let mut bundles: Vec<Replay> = (0..300).map(bundle).collect();
        let first = bundles[0].texts.clone();
        Arc::make_mut(&mut bundles[299].texts)[own..].copy_from_slice(&first[own..]);
        let evidence = replays(bundles.iter().map(Some));
        let (config, history) = (Config::default(), History::default());
        let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
        let expected: &[&str] = if is_copy { &["same answers"] } else { &[] };
        assert_eq!(words(&facts, "m299"), expected, "{own}");
        assert_eq!(words(&facts, "m000"), expected, "{own}");
        assert_eq!(words(&facts, "m150"), Vec::<&str>::new());
    }
}
