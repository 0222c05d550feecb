//! Series, weeks and trends recomputed from the ledger's lines by plain loops, without any code of
//! the program, and compared with what the program says.

use std::collections::{BTreeMap, BTreeSet};

use gmat_leaderboard::internals::ledger;
use serde_json::{Value, json};

use crate::boards::{Shape, world};

/// A small generator of numbers, so that every ledger can be made again from its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A ledger with recalibrations, retractions, late records and several protocols.
fn ledger_of(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(977).wrapping_add(3));
    let mut lines: Vec<Value> = Vec::new();
    let mut ids: Vec<(String, Value)> = Vec::new();
    let mut retracted = BTreeSet::new();
    for step in 0..8 + random.below(22) {
        // Lines are recorded in order; the runs in them may be of any day.
        let recorded_at = format!("2026-07-{:02}T{:02}:00:00Z", 1 + step / 24, step % 24);
        match random.below(10) {
            0 | 1 if !ids.is_empty() => {
                let at = usize::try_from(random.below(ids.len() as u64)).expect("small");
                let (of, mut run) = ids[at].clone();
                let id = format!("{of}~{step}");
                run["run_id"] = json!(id);
                run["aggregate_score"] = json!(hundredths(random.below(101)));
                run["weights_sha16"] = json!(format!("w{}", random.below(3)));
                run["recorded_at"] = json!(recorded_at);
                lines.push(run.clone());
                lines.push(json!({"kind": "rescore", "run_id": id, "of": of, "reason": "weights", "recorded_at": recorded_at}));
                ids.push((id, run));
            }
            2 if !ids.is_empty() => {
                let at = usize::try_from(random.below(ids.len() as u64)).expect("small");
                if retracted.insert(ids[at].0.clone()) {
                    lines.push(json!({"kind": "retraction", "run_id": ids[at].0, "reason": "x", "recorded_at": recorded_at}));
                }
            }
            _ => {
                let id = format!("r{step}");
                let offset =
                    ["Z", "+02:00", "-05:00"][usize::try_from(random.below(3)).expect("small")];
                let rates = [json!(null), json!(0.0), json!(0.25)];
                let rate = &rates[usize::try_from(random.below(3)).expect("small")];
                let mut run = json!({
                    "run_id": id, "model": format!("p:m{}", random.below(3)),
                    "run_at": format!("2026-0{}-{:02}T{:02}:30:00{offset}", 4 + random.below(3), 1 + random.below(28), random.below(24)),
                    "eval_protocol_version": (1 + random.below(2)).to_string(),
                    "regression_detected": random.below(4) == 0,
                    "hallucination_rate": rate,
                    "recorded_at": recorded_at,
                });
                if random.below(6) > 0 {
                    run["aggregate_score"] = json!(hundredths(random.below(101)));
                }
                lines.push(run.clone());
                ids.push((id, run));
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[expect(clippy::cast_precision_loss, reason = "below 101")]
fn hundredths(count: u64) -> f64 {
    count as f64 / 100.0
}

/// Minutes since 1970 of `2026-04-01T12:30:00+02:00`.
fn minutes(text: &str) -> i64 {
    let number = |range: std::ops::Range<usize>| text[range].parse::<i64>().expect(text);
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let mut days = 0;
    for y in 1970..year {
        days += if y % 4 == 0 { 366 } else { 365 };
    }
    let lengths = [31, if year % 4 == 0 { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    days += lengths[..usize::try_from(month - 1).expect("a month")].iter().sum::<i64>() + day - 1;
    let offset = match &text[19..] {
        "Z" => 0,
        other => {
            let hours: i64 = other[1..3].parse().expect(text);
            if other.starts_with('-') { -hours * 60 } else { hours * 60 }
        }
    };
    days * 1440 + number(11..13) * 60 + number(14..16) - offset
}

/// `2026-W20`; all runs are of 2026, which began on a Thursday.
fn week(minutes: i64) -> String {
    let day = minutes.div_euclid(1440) - 56 * 365 - 14;
    format!("2026-W{:02}", (day + 3) / 7 + 1)
}

fn round(value: f64, places: usize) -> f64 {
    let rounded: f64 = format!("{value:.places$}").parse().expect("a number");
    rounded + 0.0
}

/// Runs, mean score, the average at the last scored run, whether a run is flagged.
type Point = (u64, Option<f64>, Option<f64>, bool);

/// What the lines come to.
struct Counted {
    /// Each live run with what is derived for it, in time order.
    rows: Vec<Value>,
    weeks: Vec<Value>,
    /// By model, week and epoch.
    points: BTreeMap<(String, String, String), Point>,
    openings: Vec<String>,
}

fn epoch(run: &Value) -> String {
    let part = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
    format!("{}/{}", part("eval_protocol_version"), part("weights_sha16"))
}

/// The runs that count: one of each original and what was rescored from it.
fn live(lines: &[Value]) -> Vec<Value> {
    let of_kind = |kind: &str| {
        lines.iter().filter(|line| line["kind"].as_str() == Some(kind)).collect::<Vec<_>>()
    };
    let runs: Vec<&Value> = lines.iter().filter(|line| line["kind"].is_null()).collect();
    let id = |run: &Value| run["run_id"].as_str().expect("an id").to_owned();
    let mut parent: BTreeMap<String, (String, i64)> = BTreeMap::new();
    for line in of_kind("rescore") {
        let when = minutes(line["recorded_at"].as_str().expect("a moment"));
        parent.insert(id(line), (line["of"].as_str().expect("an id").to_owned(), when));
    }
    let taken_out: BTreeSet<String> = of_kind("retraction").into_iter().map(id).collect();
    // A run with all it was rescored from, itself first.
    let line_of = |run: &str| {
        let mut chain = vec![run.to_owned()];
        while let Some((of, _)) = parent.get(&chain[chain.len() - 1]) {
            chain.push(of.clone());
        }
        chain
    };
    let kept: Vec<String> = runs
        .iter()
        .map(|run| id(run))
        .filter(|run| line_of(run).iter().all(|one| !taken_out.contains(one)))
        .collect();
    let mut best: BTreeMap<String, (i64, String)> = BTreeMap::new();
    for run in &kept {
        if kept.iter().any(|other| line_of(other)[1..].contains(run)) {
            continue;
        }
        let chain = line_of(run);
        let key = (parent.get(run).map_or(i64::MIN, |(_, when)| *when), run.clone());
        let origin = chain[chain.len() - 1].clone();
        let now = best.entry(origin).or_insert_with(|| key.clone());
        if key > *now {
            *now = key;
        }
    }
    let winners: BTreeSet<String> = best.into_values().map(|(_, run)| run).collect();
    let mut live: Vec<Value> =
        runs.into_iter().filter(|run| winners.contains(&id(run))).cloned().collect();
    live.sort_by_key(|run| (minutes(run["run_at"].as_str().expect("a moment")), id(run)));
    live
}

fn recount(text: &str, epsilon: f64) -> Counted {
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let live = live(&lines);
    let mut counted =
        Counted { rows: vec![], weeks: vec![], points: BTreeMap::new(), openings: vec![] };
    let mut by_week: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, run) in live.iter().enumerate() {
        let before: Vec<&Value> = live[..at]
            .iter()
            .filter(|other| other["model"] == run["model"] && epoch(other) == epoch(run))
            .collect();
        let score = run["aggregate_score"].as_f64();
        let previous = before.last();
        let delta = previous
            .and_then(|previous| Some(round(score? - previous["aggregate_score"].as_f64()?, 6)));
        let mut scores: Vec<f64> =
            before.iter().filter_map(|run| run["aggregate_score"].as_f64()).collect();
        let (mut average, mut trend) = (None, None);
        if let Some(score) = score {
            scores.push(score);
            let mean = |scores: &[f64]| {
                let window = &scores[scores.len().saturating_sub(3)..];
                let mut sum = 0.0;
                let mut count = 0.0;
                for score in window {
                    sum += score;
                    count += 1.0;
                }
                sum / count
            };
            average = Some(round(mean(&scores), 6));
            if scores.len() >= 3 {
                let moved = round(mean(&scores) - mean(&scores[..scores.len() - 1]), 6);
                trend = Some(if moved > epsilon {
                    "improving"
                } else if moved < -epsilon {
                    "declining"
                } else {
                    "stable"
                });
            }
        }
        let week = week(minutes(run["run_at"].as_str().expect("a moment")));
        by_week.entry(week.clone()).or_default().push(at);
        counted.rows.push(json!({
            "run_id": run["run_id"], "model": run["model"], "week": week, "epoch": epoch(run),
            "prev_run_id": previous.map(|previous| previous["run_id"].clone()),
            "score_delta": delta, "moving_average": average, "trend": trend,
        }));
    }
    let mut open: BTreeSet<String> = BTreeSet::new();
    for (week, members) in &by_week {
        let (mut detected, mut resolved, mut incidents) = (0, 0, 0);
        let mut scores: Vec<f64> = Vec::new();
        let mut epochs: BTreeSet<String> = BTreeSet::new();
        let mut cells: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for &at in members {
            let run = &live[at];
            let model = run["model"].as_str().expect("a model").to_owned();
            if run["regression_detected"] == json!(true) {
                if open.insert(model.clone()) {
                    detected += 1;
                    counted.openings.push(run["run_id"].as_str().expect("an id").to_owned());
                }
            } else if open.remove(&model) {
                resolved += 1;
            }
            scores.extend(run["aggregate_score"].as_f64());
            incidents +=
                u64::from(run["hallucination_rate"].as_f64().is_some_and(|rate| rate > 0.0));
            epochs.insert(epoch(run));
            cells.entry((model, epoch(run))).or_default().push(at);
        }
        let mean = mean(&scores);
        let extreme = |better: fn(f64, f64) -> f64| scores.iter().copied().reduce(better);
        counted.weeks.push(json!({
            "avg_aggregate_score": mean.map(|mean| round(mean, 4)),
            "best_run_score": extreme(f64::max), "worst_run_score": extreme(f64::min),
            "epochs": epochs, "hallucination_incidents": incidents,
            "regressions_detected": detected, "regressions_resolved": resolved,
            "regressions_open": open.len(), "run_count": members.len(),
            "scored_run_count": scores.len(), "week": week,
        }));
        for ((model, epoch), runs) in cells {
            let scores: Vec<f64> =
                runs.iter().filter_map(|&at| live[at]["aggregate_score"].as_f64()).collect();
            let last = runs.iter().rev().find(|&&at| live[at]["aggregate_score"].is_number());
            let average = last.and_then(|&at| counted.rows[at]["moving_average"].as_f64());
            let flagged = runs.iter().any(|&at| live[at]["regression_detected"] == json!(true));
            let point = (runs.len() as u64, self::mean(&scores), average, flagged);
            counted.points.insert((model, week.clone(), epoch), point);
        }
    }
    counted
}

fn mean(values: &[f64]) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// Numbers as numbers: `1` and `1.0` are the same.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), plain(value))).collect()
        }
        other => other.clone(),
    }
}

/// The keys of `wanted` out of each of `rows`.
fn only<'v>(rows: impl IntoIterator<Item = &'v Value>, wanted: &[&str]) -> Vec<Value> {
    rows.into_iter()
        .map(|row| {
            plain(
                &wanted
                    .iter()
                    .map(|key| ((*key).to_owned(), row[*key].clone()))
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
            )
        })
        .collect()
}

/// Takes out of `week` what `weekly` says beyond weekly.json, and recounts its models.
fn compare_models(week: &mut Value, text: &str, seed: u64) {
    let members = week.as_object_mut().expect("a week");
    let models = members.remove("models").expect("models");
    members.remove("previous_week");
    members.remove("avg_aggregate_score_delta");
    let models = models.as_array().expect("models");
    let sum = |key: &str| models.iter().map(|model| list_or_count(&model[key])).sum::<u64>();
    for (whole, part) in [
        ("run_count", "run_count"),
        ("scored_run_count", "scored_run_count"),
        ("hallucination_incidents", "hallucination_incidents"),
        ("regressions_detected", "regressions_opened"),
        ("regressions_resolved", "regressions_resolved"),
    ] {
        assert_eq!(week[whole].as_u64(), Some(sum(part)), "seed {seed}: {whole}");
    }
    for model in models {
        assert!(text.contains(&format!("\"model\":{}", model["model"])), "seed {seed}");
        if let (Some(now), Some(before)) =
            (model["avg_aggregate_score"].as_f64(), model["previous_avg_aggregate_score"].as_f64())
        {
            let delta = model["score_delta"].as_f64().expect("a difference");
            assert!((now - before - delta).abs() < 1e-9, "seed {seed}: {model}");
        }
    }
}

fn list_or_count(value: &Value) -> u64 {
    value.as_u64().or_else(|| Some(value.as_array()?.len() as u64)).expect("a count or a list")
}

const DERIVED: [&str; 7] =
    ["run_id", "week", "epoch", "prev_run_id", "score_delta", "moving_average", "trend"];

#[test]
fn the_library_agrees_with_a_recount_of_the_lines() {
    let (mut superseded, mut retracted) = (0, 0);
    for seed in 0..300 {
        let text = ledger_of(seed);
        let parsed = ledger::read(text.as_bytes());
        assert_eq!(parsed.findings, [], "{text}");
        let history = parsed.history;
        let counted = recount(&text, 0.005);
        let rows = serde_json::to_value(ledger::derive_all(&history, 0.005)).expect("JSON");
        let rows = only(rows.as_array().expect("rows"), &DERIVED);
        assert_eq!(rows, only(&counted.rows, &DERIVED), "seed {seed}\n{text}");
        let weeks = serde_json::to_value(ledger::weeks(&history)).expect("JSON");
        assert_eq!(plain(&weeks), plain(&json!(counted.weeks)), "seed {seed}\n{text}");
        let openings: Vec<String> = ledger::events(&history)
            .into_iter()
            .filter_map(|event| match event.what {
                ledger::EventKind::RegressionOpened { run_id, .. } => Some(run_id),
                _ => None,
            })
            .collect();
        assert_eq!(openings, counted.openings, "seed {seed}\n{text}");
        let ids = || history.recorded().iter().map(|run| run.run_id.as_str());
        superseded += ids().filter(|id| history.superseded_by(id).is_some()).count();
        retracted += ids().filter(|id| history.retraction(id).is_some()).count();
    }
    assert!(superseded > 300 && retracted > 300, "{superseded} superseded, {retracted} retracted");
}

#[test]
fn the_binary_agrees_with_a_recount_of_the_lines() {
    for seed in 1000..1008 {
        let text = ledger_of(seed);
        let counted = recount(&text, 0.005);
        if counted.rows.is_empty() {
            continue;
        }
        let world = world(&Shape::default());
        world.write("leaderboard/history.jsonl", &text);
        let said = |args: &[&str]| -> Value {
            let ran = world.run(args);
            serde_json::from_str(&ran.stdout).expect(&ran.stderr)
        };
        let history = said(&["history", "--json"]);
        let derived: Vec<Value> =
            history.as_array().expect("rows").iter().map(|row| row["derived"].clone()).collect();
        // The command lists model by model.
        let mut rows = counted.rows.clone();
        rows.sort_by_key(|row| row["model"].as_str().expect("a model").to_owned());
        assert_eq!(only(&derived, &DERIVED), only(&rows, &DERIVED), "seed {seed}");
        // What the command prints is read back as the runs of the ledger.
        for row in history.as_array().expect("rows") {
            let id = row["run"]["run_id"].as_str().expect("an id");
            let line = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
            let line = line.into_iter().find(|line| line["kind"].is_null() && line["run_id"] == id);
            let line = line.expect("its line");
            assert_eq!(row["run"]["aggregate_score"].as_f64(), line["aggregate_score"].as_f64());
            assert_eq!(row["run"]["run_at"], line["run_at"]);
        }
        let mut weeks = said(&["weekly", "--all", "--json"]);
        for week in weeks.as_array_mut().expect("weeks") {
            compare_models(week, &text, seed);
        }
        assert_eq!(plain(&weeks), plain(&json!(counted.weeks)), "seed {seed}");
        assert_eq!(world.run(&["weekly", "--write", "-q"]).code, 0);
        let written: Value =
            serde_json::from_str(&world.read("leaderboard/weekly.json")).expect("JSON");
        assert_eq!(plain(&written), plain(&weeks));
        let ran = world.run(&["render", "-q"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        let data: Value = serde_json::from_str(&world.read("site/v1/history.json")).expect("JSON");
        assert_eq!(plain(&data["weeks"]), plain(&weeks), "seed {seed}");
        compare_points(&data, &counted, seed);
        compare_best(&data, &text, seed);
        compare_page(&world.read("site/trends.html"), &counted, seed);
    }
}

/// The points of `v1/history.json`.
fn compare_points(data: &Value, counted: &Counted, seed: u64) {
    let mut seen = 0;
    for series in data["series"].as_array().expect("series") {
        let model = series["model"].as_str().expect("a model");
        for point in series["points"].as_array().expect("points") {
            let text = |key: &str| point[key].as_str().expect(key).to_owned();
            let key = (model.to_owned(), text("week"), text("epoch"));
            let (runs, mean, average, flagged) = counted.points.get(&key).expect("a point");
            assert_eq!(point["runs"].as_u64(), Some(*runs), "seed {seed}, {key:?}");
            assert_eq!(point["moving_average"].as_f64(), *average, "seed {seed}, {key:?}");
            assert_eq!(point["regression_detected"], json!(flagged), "seed {seed}, {key:?}");
            let near = match (point["mean_score"].as_f64(), mean) {
                (Some(said), Some(mean)) => (said - mean).abs() < 1e-6,
                (said, mean) => said.is_none() && mean.is_none(),
            };
            assert!(near, "seed {seed}, {key:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, counted.points.len(), "seed {seed}");
}

/// `May 11, 2026` of `2026-W20`.
fn monday(week: &str) -> String {
    let week: i64 = week[6..].parse().expect("a week");
    // The first week began on December 29.
    let mut day = (week - 1) * 7 - 3;
    let months =
        [("Jan", 31), ("Feb", 28), ("Mar", 31), ("Apr", 30), ("May", 31), ("Jun", 30), ("Jul", 31)];
    for (month, length) in months {
        if day < length {
            return format!("{month} {}, 2026", day + 1);
        }
        day -= length;
    }
    panic!("{week} is later than July");
}

/// The best runs of each epoch in `v1/history.json`, by a plain loop: of one day only the best.
fn compare_best(data: &Value, text: &str, seed: u64) {
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let live = live(&lines);
    let mut seen = 0;
    for best in data["best"].as_array().expect("a list") {
        let own = live.iter().find(|run| run["run_id"] == best["run_id"]).expect("a run");
        let score = own["aggregate_score"].as_f64().expect("a score");
        assert_eq!(best["score"].as_f64(), Some(score), "seed {seed}");
        assert_eq!(best["weights"], json!(null), "nothing says which weights are open");
        let day = |run: &Value| minutes(run["run_at"].as_str().expect("a moment")).div_euclid(1440);
        for run in live.iter().filter(|run| epoch(run) == epoch(own) && day(run) <= day(own)) {
            let other = run["aggregate_score"].as_f64().unwrap_or(-1.0);
            let is_below = if day(run) < day(own) { other < score } else { other <= score };
            assert!(is_below || run["run_id"] == own["run_id"], "seed {seed}: {run} beats {own}");
        }
        seen += 1;
    }
    assert!(seen > 0, "seed {seed}");
}

/// The table of weeks on the page of trends.
fn compare_page(page: &str, counted: &Counted, seed: u64) {
    let section = page.split("id=\"weeks\"").nth(1).expect("the weeks");
    let section = section.split("</details>").next().expect("its end");
    let rows: Vec<Vec<&str>> = section
        .split("<tr><th scope=\"row\">")
        .skip(1)
        .map(|row| {
            let cells = row.split("<td").skip(1);
            let texts = cells.map(|cell| {
                let (_, text) = cell.split_once('>').expect("a cell");
                text.split('<').next().expect("its text")
            });
            std::iter::once(row.split('<').next().expect("a day")).chain(texts).collect()
        })
        .collect();
    let score = |value: &Value| {
        value.as_f64().map_or("–".to_owned(), |score| format!("{:.1}%", score * 100.0))
    };
    let expected: Vec<Vec<String>> = counted
        .weeks
        .iter()
        .rev()
        .map(|week| {
            let text = |key: &str| week[key].to_string();
            vec![
                monday(week["week"].as_str().expect("a label")),
                score(&week["avg_aggregate_score"]),
                score(&week["best_run_score"]),
                score(&week["worst_run_score"]),
                text("run_count"),
                text("hallucination_incidents"),
                text("regressions_detected"),
                text("regressions_resolved"),
                text("regressions_open"),
            ]
        })
        .collect();
    assert_eq!(rows, expected, "seed {seed}");
}
