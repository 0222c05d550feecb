//! What a row is said to be: its place, its cost, its flags.

use super::*;
use crate::board::{HeldOut, RowReplay, Run};
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
    own.kind = "entry".to_owned();
    let board = board(vec![row("judge", 40, None), own, shown, row("twin", 40, None)]);
    let public = |votes, texts| RowReplay { public: Some(replay(40, votes, texts)), lift: None };
    let evidence =
        Replays { rows: vec![public(3, 1), public(1, 2), RowReplay::default(), public(3, 1)] };
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
    let mut evidence = Replays::default();
    for own in 2..7 {
        let mut replay = replay(40, 3, 1);
        replay.texts[0] = own;
        evidence.rows.push(RowReplay { public: Some(replay), lift: None });
    }
    let (config, history) = (Config::default(), History::default());
    let facts = Facts::of(&board, &config, &evidence, &history).expect("facts");
    let said: Vec<&str> = facts.rows[0].flags.iter().map(|f| f.sentence.as_str()).collect();
    let sentence = "Identical completions: 50 of 51 are word for word those of b, c, d and 1 more.";
    assert_eq!(said, [sentence]);
    assert_eq!(facts.rows[0].flag_words(), ["identical completions"]);
}

#[test]
fn overfit_is_said_only_beyond_noise_and_a_pending_row_has_no_place() {
    let rows = vec![row("new", 51, None), row("memo", 50, Some(4)), row("fair", 41, Some(11))];
    let board = board(rows);
    let (config, evidence) = (Config::default(), Replays::default());
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
    let (evidence, history) = (Replays::default(), History::default());
    let facts = Facts::of(&board, &config, &evidence, &history).expect("facts");
    let figures = |model: &str| {
        let row = facts.rows.iter().find(|row| row.model == model).expect("a row");
        (row.tokens.map(|tokens| tokens.to_string()), row.cost.map(|cost| cost.to_string()))
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
        words(&Facts::of(&board, &config, &evidence, &history).expect("facts"), "own")
    };
    assert_eq!(flags(""), ["self-recorded"]);
    assert_eq!(flags(r#", "rejudged": false"#), ["self-recorded"]);
    assert_eq!(flags(r#", "rejudged": true"#), Vec::<&str>::new());
}

#[test]
fn copies_are_told_by_the_rule_of_verify_on_boards_of_any_size() {
    // 46 of 51 are 90 %, 45 are not.
    for (own, is_copy) in [(5, true), (6, false)] {
        let board = board((0..300).map(|n| row(&format!("m{n:03}"), 40, None)).collect());
        let mut evidence = Replays::default();
        for n in 0..300_u64 {
            let mut replay = replay(40, 3, 1);
            let text = |at: u64| (n * 1000 + at).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            replay.texts = (0..51).map(text).collect();
            evidence.rows.push(RowReplay { public: Some(replay), lift: None });
        }
        let first = evidence.rows[0].public.as_ref().expect("a replay").texts.clone();
        let copy = evidence.rows[299].public.as_mut().expect("a replay");
        copy.texts[own..].copy_from_slice(&first[own..]);
        let (config, history) = (Config::default(), History::default());
        let facts = Facts::of(&board, &config, &evidence, &history).expect("facts");
        let expected: &[&str] = if is_copy { &["identical completions"] } else { &[] };
        assert_eq!(words(&facts, "m299"), expected, "{own}");
        assert_eq!(words(&facts, "m000"), expected, "{own}");
        assert_eq!(words(&facts, "m150"), Vec::<&str>::new());
    }
}

/// A number as the page shows it.
fn shown(text: &str) -> f64 {
    let text = text.trim_matches(['(', ')']).trim_start_matches('$').trim_end_matches('%');
    let unit = if text.ends_with('k') {
        1e3
    } else if text.ends_with('M') {
        1e6
    } else {
        1.0
    };
    text.trim_end_matches(['k', 'M']).parse::<f64>().expect(text) * unit
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::default()
    })]

    #[test]
    fn no_model_on_the_line_is_beaten_by_the_numbers_of_the_page(
        models in proptest::collection::vec((1_usize..=15, 1_usize..=51, 1_u64..2_000_000, 0_u64..40_000, proptest::option::of(0_u32..300)), 2..9),
    ) {
        let mut prices = BTreeMap::new();
        let mut rows = Vec::new();
        for (at, (held_out, public, input, output, price)) in models.iter().enumerate() {
            let mut row = row(&format!("m{at}"), *public, Some(*held_out));
            row.usage = BTreeMap::from([
                ("input_tokens".to_owned(), *input),
                ("output_tokens".to_owned(), *output),
            ]);
            if let Some(price) = price {
                let price = f64::from(*price) / 100.0;
                let price = Price { input: price, output: price * 4.0, date: String::new(), source: String::new() };
                prices.insert(row.id(), price);
            }
            rows.push(row);
        }
        let board = board(rows);
        let config = Config { prices, ..Config::default() };
        let (evidence, history) = (Replays::default(), History::default());
        let facts = Facts::of(&board, &config, &evidence, &history).expect("facts");
        let moves = crate::site::changes::Moves::since(None, &board);
        let page = &crate::site::view::index_pages(&facts, &moves, &[])[0];
        let page = serde_json::to_value(page).expect("JSON");
        let chart = &page["frontier"];
        proptest::prop_assert!(chart.is_object());
        let all = chart.to_string();
        let priced = facts.rows.iter().filter(|row| row.cost.is_some()).count();
        let is_dollars = chart["label"].as_str().expect("a label").starts_with("Dollars");
        proptest::prop_assert!(is_dollars || !all.contains("cheaper"), "{all}");
        proptest::prop_assert!(!is_dollars || priced >= 2);
        // The table of the page: model, held-out, and what the axis counts.
        let key = if is_dollars { "cost" } else { "tokens" };
        let bodies = page["tables"].as_array().expect("tables").iter();
        let rows = bodies.flat_map(|table| table["bodies"].as_array().expect("bodies"));
        let rows = rows.flat_map(|body| body["rows"].as_array().expect("rows"));
        let table: Vec<(String, f64, f64)> = rows
            .filter_map(|row| {
                let text = |key: &str| row[key].as_str().expect("text").to_owned();
                let spent = Some(text(key)).filter(|spent| !spent.is_empty())?;
                Some((text("model"), shown(&text("held_out")), shown(&spent)))
            })
            .collect();
        let (_, line) = chart["description"].as_str().expect("text").split_once("On the line: ").expect("a line");
        let on_line: Vec<&str> = line.trim_end_matches('.').split("; ").collect();
        proptest::prop_assert!(!on_line.is_empty());
        for said in on_line {
            let model = said.split(' ').next().expect("a name");
            let (_, rate, spent) = table.iter().find(|(name, _, _)| name == model).expect("in the table");
            let beaten = table.iter().find(|(_, other, cost)| {
                other >= rate && cost <= spent && (other > rate || cost < spent)
            });
            proptest::prop_assert!(beaten.is_none(), "{said} is beaten by {beaten:?}");
        }
    }
}
