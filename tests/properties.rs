//! What must hold of every table, tried on thousands.

use gmat_leaderboard::internals::import::cells::{Format, Lines, Raw, write};
use gmat_leaderboard::internals::import::{exported, records};
use gmat_leaderboard::table::correlate::{self, Base, Judged, Method, Plan, coefficient};
use gmat_leaderboard::table::{
    Aggregates, Better, Builder, Duplicates, Measure, Page, Policy, Scope, Select, Table, Ties,
    Value,
};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

/// One value of one run on one topic, or on all (`None`).
type Fact = (usize, Option<usize>, usize, f64);

const MEASURES: usize = 3;

fn config() -> ProptestConfig {
    let persistence = FileFailurePersistence::WithSource("regressions");
    ProptestConfig {
        failure_persistence: Some(Box::new(persistence)),
        ..ProptestConfig::with_cases(256)
    }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![(0u32..4).prop_map(|n| f64::from(n) / 2.0), -1e6..1e6f64, prop::num::f64::NORMAL,]
}

/// Facts without repetition, in any order.
fn facts() -> impl Strategy<Value = Vec<Fact>> {
    let key = (0usize..5, prop::option::weighted(0.85, 0usize..4), 0..MEASURES);
    prop::collection::btree_map(key, number(), 0..60)
        .prop_map(|map| {
            map.into_iter()
                .map(|((run, topic, measure), value)| (run, topic, measure, value))
                .collect::<Vec<Fact>>()
        })
        .prop_shuffle()
}

fn builder(facts: &[Fact]) -> Builder {
    let mut builder = Builder::default();
    let measures: Vec<_> = (0..MEASURES)
        .map(|at| builder.measure(Measure::number(format!("m{at}"))).expect("a measure"))
        .collect();
    for (line, (run, topic, measure, value)) in (1..).zip(facts) {
        let run = builder.run(&format!("r{run}"));
        let scope = match topic {
            Some(topic) => Scope::Topic(builder.topic(&format!("t{topic}"))),
            None => Scope::All,
        };
        builder.cell(run, scope, measures[*measure], (*value).into(), line).expect("a number");
    }
    builder
}

fn table(facts: &[Fact], aggregates: Aggregates) -> Table {
    let policy = Policy { aggregates, ..Policy::default() };
    builder(facts).build(&policy).expect("no repetition").table
}

/// All cells by name, in one order whatever the table's.
fn cells(table: &Table) -> Vec<(String, Option<String>, String, String)> {
    let mut cells: Vec<_> = table
        .cells()
        .map(|cell| {
            let topic = match cell.scope {
                Scope::Topic(topic) => Some(table.topic_name(topic).to_owned()),
                Scope::All => None,
            };
            let value = match cell.value {
                Value::Number(number) => format!("{:016x}", number.to_bits()),
                Value::Text(text) => text.into_owned(),
            };
            (table.id(cell.run).to_owned(), topic, table.measure(cell.measure).name.clone(), value)
        })
        .collect();
    cells.sort();
    cells
}

fn load(bytes: &[u8], format: Format, name: &str) -> Result<Table, String> {
    let mut raw = Raw::default();
    let lines = Lines { format, header: false, all_topic: "all", strict_blanks: false };
    raw.read(lines, name, None, bytes).map_err(|error| error.to_string())?;
    let mut builder = Builder::default();
    raw.add_to(&mut builder, &[], false).map_err(|error| error.to_string())?;
    let policy = Policy { aggregates: Aggregates::Keep, ..Policy::default() };
    Ok(builder.build(&policy).map_err(|error| error.to_string())?.table)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read_again(facts in facts(), format in prop::sample::select(&Format::ALL)) {
        let table = table(&facts, Aggregates::Keep);
        let mut bytes = Vec::new();
        if write(&table, format, "all", &mut bytes).is_ok() {
            let name = table.runs().next().map_or("none", |run| table.id(run));
            prop_assert_eq!(cells(&load(&bytes, format, name).expect("our own lines")), cells(&table));
        }
    }

    #[test]
    fn recomputing_twice_is_recomputing_once(facts in facts()) {
        let once = table(&facts, Aggregates::Recompute);
        let policy = Policy { aggregates: Aggregates::Recompute, ..Policy::default() };
        let twice = Builder::from_table(once.clone()).build(&policy).expect("a table").table;
        prop_assert_eq!(cells(&once), cells(&twice));
    }

    #[test]
    fn selecting_then_recomputing_is_recomputing_the_selection(
        facts in facts(),
        runs in prop::collection::btree_set(0usize..5, 0..5),
        topics in prop::collection::btree_set(0usize..4, 0..4),
    ) {
        let select = Select {
            runs: Some(runs.iter().map(|run| format!("r{run}")).collect()),
            topics: Some(topics.iter().map(|topic| format!("t{topic}")).collect()),
            ..Select::default()
        };
        let policy = Policy { aggregates: Aggregates::Recompute, ..Policy::default() };
        let selected = table(&facts, Aggregates::Keep).select(&select, &policy).expect("a table").table;
        let kept: Vec<Fact> = facts
            .iter()
            .filter(|(run, topic, ..)| runs.contains(run) && topic.is_some_and(|topic| topics.contains(&topic)))
            .copied()
            .collect();
        prop_assert_eq!(cells(&selected), cells(&table(&kept, Aggregates::Recompute)));
    }

    #[test]
    fn a_ranking_does_not_depend_on_the_order_of_input(facts in facts(), seed in any::<u64>()) {
        let mut shuffled = facts.clone();
        let mut random = gmat_leaderboard::table::significance::SplitMix64::new(seed);
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, random.below(at + 1));
        }
        let ranks = |facts: &[Fact]| {
            // Only given aggregates: a sum of doubles depends on its order in the last digit.
            let table = table(facts, Aggregates::Keep);
            let ranking = table.rank(table.measure_named("m0").expect("m0"), None, Ties::Shared);
            let row = |row: &gmat_leaderboard::table::RankRow| {
                (row.rank, row.tied, table.id(row.run).to_owned(), row.value.map(f64::to_bits))
            };
            ranking.rows.iter().map(row).collect::<Vec<_>>()
        };
        prop_assert_eq!(ranks(&facts), ranks(&shuffled));
    }

    #[test]
    fn a_judge_that_is_the_truth_agrees_fully(values in prop::collection::btree_set(-1000i32..1000, 3..40)) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        for base in [Base::TauB, Base::TauA, Base::TauApB, Base::Spearman, Base::Pearson] {
            let value = coefficient(base, &values, &values).expect("defined");
            prop_assert!((value - 1.0).abs() < 1e-12, "{base:?} {value}");
        }
    }

    #[test]
    fn merging_is_associative(a in facts(), b in facts(), c in facts()) {
        let keep = |facts: &[Fact]| table(facts, Aggregates::Keep);
        for duplicates in [Duplicates::Error, Duplicates::First, Duplicates::Last] {
            let policy = Policy { aggregates: Aggregates::Keep, duplicates, ..Policy::default() };
            let merge = |x: Option<Table>, y: Option<Table>| -> Option<Table> {
                let mut builder = Builder::from_table(x?);
                builder.merge(&y?).ok()?;
                Some(builder.build(&policy).ok()?.table)
            };
            let left = merge(merge(Some(keep(&a)), Some(keep(&b))), Some(keep(&c)));
            let right = merge(Some(keep(&a)), merge(Some(keep(&b)), Some(keep(&c))));
            prop_assert_eq!(left.as_ref().map(cells), right.as_ref().map(cells), "{:?}", duplicates);
        }
    }

    #[test]
    fn no_line_is_too_strange_to_be_refused_in_words(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(&b" \t\r\n.0129{}\":,ae"[..])], 0..200),
        format in prop::sample::select(&Format::ALL),
    ) {
        if let Err(words) = load(&bytes, format, "f") {
            prop_assert!(!words.is_empty());
        }
    }
}

/// Names that CSV, JSON and spreadsheets stumble over.
fn name() -> impl Strategy<Value = String> {
    let pieces = [
        "a", "B", "0", "1.5", ",", "\"", "'", "\n", "\r\n", "=", "+", "-", "@", "|", "é", "漢",
        "🜚", "{", "}", "null", "nan", " ", "\t", ";",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..6)
        .prop_map(|pieces| pieces.concat())
}

fn any_number() -> impl Strategy<Value = f64> {
    let special = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        0.0,
        1e300,
        -1e300,
        1e-300,
        5e-324,
        11651.0,
        1e15,
        1e16,
        0.1,
        123_456.789,
    ];
    prop_oneof![prop::sample::select(special.to_vec()), prop::num::f64::ANY, number()]
}

/// A table of runs with strange names, measures with strange names, and holes.
fn strange() -> impl Strategy<Value = Table> {
    let names = |least, most| prop::collection::btree_set(name(), least..most);
    (names(1, 6), names(1, 5)).prop_flat_map(|(runs, measures)| {
        let (runs, measures): (Vec<_>, Vec<_>) =
            (runs.into_iter().collect(), measures.into_iter().collect());
        let count = runs.len() * measures.len();
        let values = prop::collection::vec(prop::option::weighted(0.8, any_number()), count);
        let lower = prop::collection::vec(any::<bool>(), measures.len());
        (Just(runs), Just(measures), values, lower).prop_map(|(runs, measures, values, lower)| {
            let mut builder = Builder::default();
            let mut values = values.into_iter();
            let ids: Vec<_> = measures
                .iter()
                .zip(lower)
                .map(|(name, lower)| {
                    let better = if lower { Better::Lower } else { Better::Higher };
                    builder.measure(Measure::number(name).better(better)).expect("a measure")
                })
                .collect();
            for run in &runs {
                let run = builder.run(run);
                for id in &ids {
                    if let Some(value) = values.next().flatten() {
                        builder.aggregate(run, *id, value.into()).expect("a number");
                    }
                }
            }
            builder.build(&Policy::default()).expect("a table").table
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, ..config() })]

    #[test]
    fn exports_are_read_again_with_the_same_values(table in strange()) {
        let by = table.measures().find(|(id, _)| table.has_values(*id));
        prop_assume!(by.is_some());
        let (by, _) = by.expect("assumed");
        let ranking = table.rank(by, None, Ties::Shared);
        let page = Page::new(&table, &ranking);
        let (mut csv, mut json) = (Vec::new(), Vec::new());
        page.csv(&mut csv).expect("written");
        page.json(&mut json).expect("written");
        let build = |builder: Builder| builder.build(&Policy::default()).expect("a table").table;
        let bits = |table: &Table| {
            // Any NaN is NaN.
            let normal = |text: String| u64::from_str_radix(&text, 16).ok().map(f64::from_bits)
                .map_or(text, |number| if number.is_nan() { "nan".to_owned() } else { format!("{number:?}") });
            cells(table).into_iter().map(|(run, _, measure, value)| (run, measure, normal(value))).collect::<Vec<_>>()
        };
        let mut builder = Builder::default();
        exported::read(&mut builder, "f.json", &json).expect("our own JSON");
        let again = build(builder);
        prop_assert_eq!(bits(&again), bits(&table), "{}", String::from_utf8_lossy(&json));
        for (id, measure) in again.measures() {
            let known = table.measure(table.measure_named(&measure.name).expect("a measure"));
            prop_assert_eq!(again.measure(id).better, known.better);
        }
        let mut builder = Builder::default();
        records::read_csv(&mut builder, "f.csv", &csv, records::Given::default()).expect("our own CSV");
        prop_assert_eq!(bits(&build(builder)), bits(&table), "{}", String::from_utf8_lossy(&csv));
        let mut lines = Vec::new();
        write(&table, Format::Jsonl, "all", &mut lines).expect("JSON lines hold any text");
        prop_assert_eq!(bits(&load(&lines, Format::Jsonl, "f").expect("our own lines")), bits(&table));
    }
}

#[test]
fn separators_in_names_do_not_mislead() {
    for name in ["a\t\t\tb", "a;;;b"] {
        let mut builder = Builder::default();
        let measure = builder.measure(Measure::number(name)).expect("a measure");
        let run = builder.run("r");
        builder.aggregate(run, measure, 0.5.into()).expect("a number");
        let table = builder.build(&Policy::default()).expect("a table").table;
        let mut csv = Vec::new();
        Page::new(&table, &table.rank(measure, None, Ties::Shared)).csv(&mut csv).expect("written");
        let mut builder = Builder::default();
        records::read_csv(&mut builder, "f.csv", &csv, records::Given::default()).expect("our own");
        let again = builder.build(&Policy::default()).expect("a table").table;
        assert_eq!(cells(&again), cells(&table), "{}", String::from_utf8_lossy(&csv));
    }
}

/// What `correlate` found for judges with strange names, on tables that share most of their runs.
fn judged() -> impl Strategy<Value = Vec<Judged>> {
    let judge = (name(), facts(), facts(), 0usize..20);
    prop::collection::vec(judge, 1..4).prop_map(|judges| {
        let report = |(name, truth, judge, bootstrap): (String, Vec<Fact>, Vec<Fact>, usize)| {
            let plan = Plan { methods: Method::defaults(), bootstrap, ..Plan::default() };
            let side = |facts: &[Fact]| table(facts, Aggregates::Recompute);
            let report = correlate::correlate(&side(&truth), &side(&judge), &plan);
            Judged { name, report: report.expect("measures are named alike"), scatter: None }
        };
        judges.into_iter().map(report).collect()
    })
}

/// One line of `correlate`: texts as they are, numbers by their bits.
type Agreed = (Vec<String>, Vec<Option<u64>>);

const AGREED_TEXTS: [&str; 4] = ["judge", "truth_measure", "judge_measure", "method"];
const AGREED_NUMBERS: [&str; 5] = ["value", "low", "high", "n", "dropped_draws"];

fn agreed_json(row: &serde_json::Value) -> Agreed {
    let text = |key: &&str| row[key].as_str().expect("a text").to_owned();
    let number = |key: &&str| row[key].as_f64().map(f64::to_bits);
    (AGREED_TEXTS.iter().map(text).collect(), AGREED_NUMBERS.iter().map(number).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..config() })]

    #[test]
    fn what_correlate_writes_holds_the_same_values_in_every_format(judged in judged()) {
        let expected: Vec<Agreed> = judged.iter().flat_map(|one| one.report.agreements.iter().map(|of| {
            let texts = [&one.name, &of.truth, &of.judge, &of.method.to_string()].map(Clone::clone);
            let ends = |end: fn(&gmat_leaderboard::table::significance::Interval) -> f64| of.interval.as_ref().map(end);
            #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
            let numbers = [of.value.ok(), ends(|it| it.low), ends(|it| it.high), Some(of.n as f64), Some(of.dropped_draws as f64)];
            (texts.to_vec(), numbers.map(|number| number.map(f64::to_bits)).to_vec())
        })).collect();
        let (mut json, mut jsonl, mut csv) = (Vec::new(), Vec::new(), Vec::new());
        correlate::json(&judged, &mut json).expect("written");
        correlate::jsonl(&judged, &mut jsonl).expect("written");
        correlate::csv(&judged, &mut csv).expect("written");

        let document: Vec<serde_json::Value> = serde_json::from_slice(&json).expect("JSON");
        prop_assert_eq!(document.iter().map(agreed_json).collect::<Vec<_>>(), expected.clone());
        let lines = serde_json::Deserializer::from_slice(&jsonl).into_iter::<serde_json::Value>();
        let lines: Vec<Agreed> = lines.map(|line| agreed_json(&line.expect("JSON"))).collect();
        prop_assert_eq!(lines, expected.clone());
        let mut reader = csv::Reader::from_reader(csv.as_slice());
        let header = reader.headers().expect("a header").clone();
        let at = |key: &str| header.iter().position(|name| name == key).expect("a column");
        let rows: Vec<Agreed> = reader.records().map(|row| {
            let row = row.expect("CSV");
            let text = |key: &&str| gmat_leaderboard::internals::domain::unharmed(&row[at(key)]).to_owned();
            let number = |key: &&str| {
                // A number is never prefixed.
                Some(&row[at(key)]).filter(|text| !text.is_empty())
                    .map(|text| text.parse::<f64>().expect("a number").to_bits())
            };
            (AGREED_TEXTS.iter().map(text).collect(), AGREED_NUMBERS.iter().map(number).collect())
        }).collect();
        prop_assert_eq!(rows, expected);
    }
}
