//! What the pages say, against the numbers they show.

use std::collections::BTreeMap;

use crate::domain::config::{Config, Price};
use crate::facts::{Facts, Replays};
use crate::ledger::History;
use crate::testing::{board, row};

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
        let facts = Facts::derive(&board, &config, &evidence, &history).expect("facts");
        let moves = super::changes::Moves::since(None, &board);
        let page = &super::view::index_pages(&facts, &moves, &[])[0];
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
