//! What `history` and `weekly` write as JSON reads back with equal values.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;

use crate::domain::config::HistorySection;
use crate::ledger::{History, Line, PartsReport, Rules, Run, RunReport, breakdown, derive, weeks};
use crate::ui::json_line;

/// Texts that JSON and terminals stumble over.
fn text() -> impl Strategy<Value = String> {
    let pieces = ["a", " ", "\n", "\"", "\\", "\u{1b}", "\u{202e}", "é", "漢", "🜚", "=", "'", ","];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..6)
        .prop_map(|pieces| pieces.concat())
}

fn parts() -> impl Strategy<Value = BTreeMap<String, f64>> {
    prop::collection::btree_map("[a-c]{1,2}", 0.0..=1.0_f64, 0..4)
}

/// A run without id, of one of a few models, at one of a few hundred hours.
fn run() -> impl Strategy<Value = Value> {
    let share = || prop::option::of(prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0_f64]);
    let large = || prop::option::of(prop_oneof![Just(5e-324), 0.0..1e300_f64, 0.0..1e4_f64]);
    let texts =
        (prop::sample::select(vec!["p:m", "p:n", " p:\u{202e}x "]), prop::option::of(text()));
    let flag = any::<bool>();
    (texts, share(), share(), large(), large(), parts(), parts(), flag, 1u8..28, 0u8..24).prop_map(
        |((model, notes), score, rate, latency, cost, datasets, rubrics, regression, day, hour)| {
            serde_json::json!({
                "model": model, "notes": notes, "aggregate_score": score, "hallucination_rate": rate,
                "latency_p95_ms": latency, "cost_per_message_usd": cost, "dataset_scores": datasets,
                "rubric_scores": rubrics, "regression_detected": regression,
                "run_at": format!("2026-05-{day:02}T{hour:02}:00:00.25+02:00"),
                "recorded_at": "2026-06-01T00:00:00Z",
            })
        },
    )
}

fn read(run: &Value) -> Run {
    match Line::read(run.to_string().as_bytes()) {
        Ok((Line::Run(run), unknown)) => {
            assert_eq!(unknown, Vec::<String>::new());
            *run
        }
        other => panic!("{run}: {other:?}"),
    }
}

fn histories() -> impl Strategy<Value = History> {
    prop::collection::vec(run(), 0..12).prop_map(|runs| {
        let mut history = History::default();
        for (at, mut run) in runs.into_iter().enumerate() {
            run["run_id"] = format!("r{at}").into();
            history.add(read(&run));
        }
        history
    })
}

/// What a reader of the printed line gets.
fn printed(value: &impl serde::Serialize) -> Vec<Value> {
    let line = json_line(value);
    assert_eq!(line.matches('\n').count(), 1, "{line}");
    assert!(!line.contains(['\u{1b}', '\u{202e}']), "{line}");
    serde_json::from_str(&line).expect("JSON")
}

fn bits(number: Option<f64>) -> Option<u64> {
    number.map(f64::to_bits)
}

fn number(value: &Value) -> Option<u64> {
    bits(value.as_f64())
}

proptest! {
    #![proptest_config(crate::testing::proptest_config(512))]

    #[test]
    fn the_series_reads_back(history in histories()) {
        let runs = history.runs();
        let rules = Rules::from_section(&HistorySection::default());
        let reports: Vec<RunReport<'_>> =
            runs.iter().map(|run| RunReport::new(&history, run, rules.epsilon)).collect();
        let rows = printed(&reports);
        prop_assert_eq!(rows.len(), runs.len());
        for (row, run) in rows.iter().zip(runs) {
            prop_assert_eq!(&read(&row["run"]), run);
            let (of, derived) = (derive(&history, run, rules.epsilon), &row["derived"]);
            prop_assert_eq!(number(&derived["score_delta"]), bits(of.score_delta.ok()));
            prop_assert_eq!(number(&derived["hallucination_delta"]), bits(of.hallucination_delta));
            prop_assert_eq!(number(&derived["latency_p95_ms_delta"]), bits(of.latency_delta));
            prop_assert_eq!(number(&derived["cost_per_message_usd_delta"]), bits(of.cost_delta));
            prop_assert_eq!(number(&derived["moving_average"]), bits(of.moving_average));
        }
    }

    #[test]
    fn the_parts_of_each_run_read_back(history in histories()) {
        let (runs, section) = (history.runs(), HistorySection::default());
        let epsilon = Rules::from_section(&section).epsilon;
        let reports: Vec<PartsReport<'_>> =
            runs.iter().map(|run| PartsReport::new(&history, run, epsilon, None)).collect();
        let rows = printed(&reports);
        prop_assert_eq!(rows.len(), runs.len());
        for (row, run) in rows.iter().zip(runs) {
            prop_assert_eq!(row["run_id"].as_str(), Some(run.run_id.as_str()));
            prop_assert_eq!(row["model"].as_str(), Some(run.model.as_str()));
            let parts = breakdown(&history, run, epsilon, None);
            let shown = row["parts"].as_array().expect("parts");
            prop_assert_eq!(shown.len(), parts.len());
            for (shown, part) in shown.iter().zip(parts) {
                prop_assert_eq!(shown["name"].as_str(), Some(part.name.as_str()));
                prop_assert_eq!(number(&shown["value"]), bits(Some(part.value)));
                prop_assert_eq!(number(&shown["delta"]), bits(part.delta));
                prop_assert_eq!(number(&shown["moving_average"]), bits(part.moving_average));
            }
        }
    }

    #[test]
    fn the_weeks_read_back(history in histories()) {
        let weeks = weeks(&history);
        let rows = printed(&weeks);
        prop_assert_eq!(rows.len(), weeks.len());
        for (row, week) in rows.iter().zip(&weeks) {
            let label = week.week.to_string();
            prop_assert_eq!(row["week"].as_str(), Some(label.as_str()));
            prop_assert_eq!(number(&row["avg_aggregate_score"]), bits(week.avg_aggregate_score));
            prop_assert_eq!(number(&row["best_run_score"]), bits(week.best_run_score));
            prop_assert_eq!(number(&row["worst_run_score"]), bits(week.worst_run_score));
            let counts = [
                ("run_count", week.run_count),
                ("scored_run_count", week.scored_run_count),
                ("hallucination_incidents", week.hallucination_incidents),
                ("regressions_detected", week.regressions_detected),
                ("regressions_resolved", week.regressions_resolved),
                ("regressions_open", week.regressions_open),
            ];
            for (key, count) in counts {
                prop_assert_eq!(row[key].as_u64(), Some(count), "{}", key);
            }
        }
    }
}
