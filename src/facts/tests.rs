//! What a row is said to be: its place, its cost, its flags.

use std::sync::Arc;

use super::*;
use crate::facts::RowReplay;
use crate::replay::{Asked, BundleFiles};
use crate::testing::{board, easy_row as row, replay};

fn flag_words(facts: &Facts<'_>, model: &str) -> Vec<&'static str> {
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
    assert_eq!(flag_words(&facts, "judge"), ["judged by itself", "same answers"]);
    assert_eq!(flag_words(&facts, "own"), ["self-recorded", "votes missing"]);
    assert_eq!(flag_words(&facts, "shown"), ["illustrative"]);
    assert_eq!(flag_words(&facts, "twin"), ["same answers"]);
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
        flag_words(&Facts::derive(&board, &config, &evidence, &history).expect("facts"), "own")
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
        assert_eq!(flag_words(&facts, "m299"), expected, "{own}");
        assert_eq!(flag_words(&facts, "m000"), expected, "{own}");
        assert_eq!(flag_words(&facts, "m150"), Vec::<&str>::new());
    }
}

#[test]
fn a_tier_is_scored_from_its_counts() {
    // 14 of 51 are 27.45 %; the published rate of three digits is 0.275.
    let board = board(vec![row("m", 14, None), row("away", 14, None)]);
    let replay = replay(14, 3, 1);
    let (config, history) = (Config::default(), History::default());
    let evidence = replays([Some(&replay), None]);
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let counts = |row: &RowFacts<'_>| row.public_tier("easy").map(Score::counts);
    let seen: Vec<_> = facts.rows.iter().map(|row| (&*row.model, counts(row))).collect();
    assert_eq!(seen, [("away", None), ("m", Some((14, 51)))]);
}

/// Two models fail for four errors each and for the judge; a page shows three reasons of each.
#[test]
fn causes_are_counted_of_all_reasons_not_of_those_that_a_page_shows() {
    let script = "Create Craft A\nCreate Motor B\nCreate Balloon C\nCreate Rocket D\n";
    let digest = "ba7816bf8f01cfea";
    let bundle =
        |model: &str| BundleFiles {
            dir: "d".to_owned(),
            secret: false,
            prompts: br#"[{"id": "a", "request": "abc", "intent": "i", "difficulty": "easy"}]"#
                .to_vec()
                .into(),
            completions: serde_json::to_vec(
                &serde_json::json!({format!("demo:{model}:{digest}"): {"text": script}}),
            )
            .expect("JSON"),
            judge: br#"{"a": [false, false, false]}"#.to_vec(),
        };
    let models = ["one", "two"];
    let bundles = models.map(bundle);
    let asked = models.map(|model| Asked {
        provider: "demo",
        model,
        judge_model: "judge",
        n_votes: 3,
        require_votes: true,
    });
    let replayed: Vec<Replay> = (0..2)
        .map(|at| crate::replay::replay(&bundles[at], &asked[at], None).expect("a replay"))
        .collect();
    let of = |at: usize| {
        let mut row = row(models[at], 0, None);
        row.public.n_prompts = 1;
        replayed[at].sha16().clone_into(&mut row.run.recorded_bundle_sha16);
        row.usage.clear();
        row
    };
    let board = board(vec![of(0), of(1)]);
    let (config, history) = (Config::default(), History::default());
    let known = |at: usize| RowReplay {
        public: Some(&replayed[at]),
        files: Some((&bundles[at], asked[at])),
        ..RowReplay::default()
    };
    let evidence = Replays { rows: vec![known(0), known(1)] };
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let answers = Answers::derive(&facts, &evidence, None);
    let causes = &answers.prompts[0].causes;
    assert_eq!(causes.get(&Cause::Judge), Some(&2), "{causes:?}");
    assert_eq!(causes.len(), 5, "{causes:?}");
    let (_, first) = answers.rows().next().expect("a row");
    assert!(first.answers[0].reasons.iter().all(|reason| reason.rule != "votes"));
}

#[test]
fn a_row_is_judged_by_itself_if_its_own_judge_is_its_model() {
    let mut own = row("m", 40, None);
    own.run.judge_model = "m".to_owned();
    let board = board(vec![own, row("other", 40, None)]);
    let (config, history, evidence) = (Config::default(), History::default(), Replays::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let judged: Vec<bool> = facts.rows.iter().map(RowFacts::is_self_judged).collect();
    assert_eq!((judged, flag_words(&facts, "m")), (vec![true, false], vec!["judged by itself"]));
}
