//! What the pages say, against the numbers they show.

use std::collections::BTreeMap;

use crate::domain::config::{Config, Price};
use crate::facts::{Answers, Facts, Replays, RowReplay};
use crate::ledger::History;
use crate::testing::{board, easy_row, replay, row};

/// A number as the page shows it.
fn shown(text: &str) -> f64 {
    let digits = text.trim_start_matches('$').trim_end_matches(['%', '¢', 'k', 'M']);
    let unit = match text.chars().last() {
        Some('k') => 1e3,
        Some('M') => 1e6,
        Some('¢') => 0.01,
        _ => 1.0,
    };
    digits.parse::<f64>().expect(text) * unit
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
        let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
        let page = &super::view::index_pages(&facts, &Answers::default(), &[])[0];
        let page = serde_json::to_value(page).expect("JSON");
        let chart = &page["chart"];
        proptest::prop_assert!(chart.is_object());
        let priced = facts.rows.iter().filter(|row| row.cost_per_solved.is_some_and(|cost| cost > 0.0)).count();
        let is_dollars = chart["axis"].as_str().expect("a label").starts_with("Cost");
        proptest::prop_assert!(is_dollars || !chart.to_string().contains("cheaper"), "{chart}");
        proptest::prop_assert_eq!(is_dollars, priced >= 2);
        // The table of the page: model, score, and what the axis counts.
        let key = if is_dollars { "cost" } else { "tokens" };
        let sections = page["sections"].as_array().expect("sections").iter();
        let rows = sections.flat_map(|section| section["rows"].as_array().expect("rows"));
        let table: Vec<(String, f64, f64)> = rows
            .filter(|row| row[key]["value"] != "")
            .map(|row| {
                let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
                (text(&row["name"]), shown(&text(&row["score"]["text"])), shown(&text(&row[key]["text"])))
            })
            .collect();
        let description = chart["description"].as_str().expect("text");
        let on_line: Vec<&str> = match description.split_once("in both: ") {
            Some((_, line)) => line.trim_end_matches('.').split("; ").collect(),
            None => Vec::new(),
        };
        let free = table.iter().filter(|(_, _, spent)| *spent <= 0.0).map(|(_, score, _)| *score);
        let is_beaten = table.iter().all(|(_, score, _)| free.clone().any(|free| free >= *score));
        proptest::prop_assert!(!on_line.is_empty() || is_beaten, "{description}");
        for said in on_line {
            let model = said.split(':').next().expect("a name");
            let (_, rate, spent) = table.iter().find(|(name, _, _)| name == model).expect("in the table");
            let beaten = table.iter().find(|(_, other, cost)| other > rate && cost < spent && *cost > 0.0);
            proptest::prop_assert!(beaten.is_none(), "{said} is beaten by {beaten:?}");
        }
    }
}

#[test]
fn rows_with_equal_counts_share_a_place_on_every_board() {
    let old = board(vec![row("a", 40, Some(12)), row("b", 40, Some(12)), row("c", 40, None)]);
    let board = board(vec![row("a", 40, Some(13)), row("b", 40, Some(12)), row("c", 40, Some(12))]);
    let (config, evidence, history) = (Config::default(), Replays::default(), History::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let boards = [(&old, "1".to_owned()), (&board, "2".to_owned())];
    let histories = super::Histories::from_boards(&boards);
    let places = |row| -> Vec<String> {
        histories.of_row(row, None).lines.into_iter().map(|line| line.place).collect()
    };
    let places: Vec<Vec<String>> = facts.rows.iter().map(places).collect();
    assert_eq!(places, [["1", "1"], ["2", "1"], ["2", "–"]]);
}

#[test]
fn every_section_of_the_stylesheet_starts_outside_of_every_block() {
    let styles = include_str!("../../static/board.css");
    let mut depth = 0_usize;
    for line in styles.lines() {
        assert!(depth == 0 || !line.starts_with("/*"), "a block is still open at {line}");
        depth = depth + line.matches('{').count() - line.matches('}').count();
    }
    assert_eq!(depth, 0);
}

#[test]
fn a_tier_has_one_percentage_on_all_pages() {
    let board = board(vec![easy_row("m", 14, None), easy_row("n", 14, None)]);
    let (bundle, other) = (replay(14, 3, 1), replay(14, 3, 2));
    let known = |public| RowReplay { public: Some(public), ..RowReplay::default() };
    let evidence = Replays { rows: vec![known(&bundle), known(&other)] };
    let (config, history) = (Config::default(), History::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let index = &super::view::index_pages(&facts, &Answers::default(), &[])[0];
    let index = serde_json::to_value(index).expect("JSON");
    let cells = index["sections"][0]["rows"][0]["more"].as_array().expect("cells");
    let tier = cells.iter().find(|cell| cell["key"] == "tier1").expect("a tier");
    assert_eq!(tier["text"], "27%");
}

/// A log scale has no zero: a free model is named beside the drawing, and beats those drawn there.
#[test]
fn a_free_model_is_the_cheapest_and_beats_others_though_it_is_not_drawn() {
    let rows = [("free", 14), ("dear", 13), ("best", 15)];
    let board = board(rows.map(|(name, held_out)| row(name, 40, Some(held_out))).into());
    let price = |input| Price { input, output: input, date: String::new(), source: String::new() };
    let prices = [("free", 0.0), ("dear", 1.0), ("best", 2.0)];
    let prices = prices.map(|(name, input)| (format!("demo:{name}"), price(input)));
    let config = Config { prices: prices.into(), ..Config::default() };
    let (evidence, history) = (Replays::default(), History::default());
    let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
    let page = &super::view::index_pages(&facts, &Answers::default(), &[])[0];
    let page = serde_json::to_value(page).expect("JSON");
    assert_eq!(page["cards"][2]["value"], "free");
    let chart = &page["chart"];
    assert_eq!(chart["left_out"], "Free, so left of the scale: free 93%.");
    let said = chart["description"].as_str().expect("text");
    assert!(said.contains("best: 100%") && !said.contains("dear"), "{said}");
}
