//! A made-up year of weekly runs, as the site shows it; and ledgers it must survive.

use serde_json::{Value, json};

use crate::boards::{Shape, site, world};
use crate::harness::{World, board_world, copy, frozen};

/// The frozen board with a year of weekly runs before it, rendered.
fn demo() -> World {
    let world = World::new();
    copy(&frozen(), &world.path("try"));
    copy(&frozen().with_file_name("year"), &world.path("try/board/leaderboard"));
    let ran = world.run(&["render", "--root", "try/board"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    world
}

fn page(world: &World, name: &str) -> String {
    world.read(&format!("try/board/site/{name}"))
}

fn assert_says(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "{text}\nis not in\n{page}");
    }
}

#[test]
fn the_page_of_trends_shows_the_year() {
    let world = demo();
    let trends = page(&world, "trends.html");
    assert_says(
        &trends,
        &[
            "<h1>careful took the lead on Sep\u{a0}21; it scores 87%</h1>",
            "215 runs of 6 models, 1 of them new since Oct 5. Last run: Nov 16, 2026.</p>",
            "<text class=\"end first wide\" x=\"100%\" dx=\"10\" y=",
            ">Best model 87%</text>",
            "</small></th><td class=\"score\">73% → 77%</td><td class=\"means\">takes the lead from steady by 2 points, not significant</td><td class=\"spent\">0.18¢ → 0.17¢</td><td class=\"trade\">costs 48% less than steady</td>",
            "<td class=\"means\">flagged as a regression: 8 points down, not significant</td><td class=\"spent nil\">–</td><td class=\"trade no\">public +5.5, private −8.3 points</td>",
            "<td class=\"means\">new, waiting for the private test</td>",
            "<td>48.3% → 85.6%<small>since Apr 27, 2026, significant</small></td>",
            "<th scope=\"row\"><del>demo-careful-42</del></th><td>careful</td><td>Sep 14</td>",
            "<a href=\"m/demo--veteran.html\">veteran</a><small>withdrawn</small>",
            "<a href=\"trends.html\" aria-current=\"page\">Trends</a>",
        ],
    );
    // For readers: no shell command, no ISO week, no score between 0 and 1.
    let main =
        trends.split("<main").nth(1).and_then(|rest| rest.split("</main>").next()).expect("a page");
    let words: String =
        main.split('<').filter_map(|tag| tag.split_once('>')).map(|(_, text)| text).collect();
    for foreign in ["gmat-leaderboard", "2026-W", "0.867", "--model"] {
        assert!(
            !words.replace("made up by `demo --history`", "").contains(foreign),
            "{foreign} in {words}"
        );
    }
    let weeks = trends.split("id=\"weeks\"").nth(1).expect("the weeks");
    assert_eq!(
        weeks.split("</details>").next().expect("an end").matches("<tr><th scope=\"row\">").count(),
        52
    );
    assert_says(
        &page(&world, "verify.html"),
        &["It has 224 lines; the root over them (RFC 6962) starts with"],
    );
    let root = ["--root", "try/board"];
    let checked = world.run(&[&["history", "verify"], &root[..]].concat());
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    let again = world.run(&[&["render", "--check"], &root[..]].concat());
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(page(&world, "SHA256SUMS"), page(&demo(), "SHA256SUMS"), "the same every time");
}

/// What a team asks of its history: each question has a command and a page that answers it, on a
/// fresh `demo --history`. Its numbers are the same every day; its dates are not.
#[test]
fn each_question_of_a_team_has_a_command_and_a_page() {
    let world = World::new();
    let ran = world.run(&["demo", "try", "--history"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ask = |args: &[&str], answer: &str| {
        let ran = world.run(&[args, &["--root", "try/board"]].concat());
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        assert!(ran.stdout.contains(answer), "{args:?}: {answer} is not in\n{}", ran.stdout);
    };
    let (trends, changes) = (page(&world, "trends.html"), page(&world, "changes.html"));
    // Did a change improve one part while another one fell?
    ask(&["history", "breakdown"], "trade-off: +public, −held_out, −structural");
    assert_says(&trends, &["<td class=\"trade no\">public +5.5, private −8.4 points</td>"]);
    // How much did quality improve over the past quarter?
    let quarter = ["history", "change", "--over", "90d"];
    ask(&quarter, "demo:cardboard/orbiter-3: quality improved 22.1 % (0.728 → 0.889,");
    ask(&quarter, "demo:paper-rocket/cram-1: quality declined 33.1 % (0.589 → 0.394,");
    assert_says(
        &trends,
        &[
            "Average of three runs over 90 days: Orbiter 3 improved 22.1% (72.8% → 88.9%, not significant); Cram 1 declined 33.1%",
        ],
    );
    // Is anything worse before users complain about it?
    ask(&["weekly"], "REGRESSION opened by");
    assert_says(&changes, &["Cram 1</a> fell from 42% to 33%, flagged as a regression."]);
    // Where does it go, beyond one score?
    ask(&["history", "--model", "demo:cardboard/orbiter-3"], "0.889  improving");
    assert_says(&trends, &["Average of 3</th><th scope=\"col\">Trend</th>", "▲ improving"]);
}

#[test]
fn changes_rows_withdrawn_pages_feed_and_data_agree() {
    let world = demo();
    assert_says(
        &page(&world, "changes.html"),
        &[
            "<h1>5 changes on Nov 16, 2026</h1>",
            "A new protocol: scores and places do not compare with those of the board before.</p>",
            "<li>The board moved from protocol 0 to 1.</li>",
            "<li><a href=\"m/demo--careful.html\">careful</a> rose from 2nd to 1st: 67% → 80%, public 73% → 86% <small>(new private result, new public run)</small>.</li>",
            "<li><a href=\"m/demo--steady.html\">steady</a> fell from 1st to 2nd because careful rose <small>(new public run)</small>.</li>",
            "<li><a href=\"m/demo--veteran.html\">veteran</a> was withdrawn; it had 60% <small>(illustrative: made up by `demo --history`; its authors asked for it)</small>.</li>",
            "<a href=\"m/demo--careless.html\">careless</a> fell from 47% to 32%, flagged as a regression.</li>",
            "<a href=\"m/demo--careful.html\">careful</a> takes the lead from steady with 77%.</li>",
        ],
    );
    assert_says(
        &page(&world, "m/demo--careless.html"),
        &[
            "<h2 id=\"history\">History</h2>",
            "52 recorded runs; the latest: 47% on Nov 16, 2026, stable. <a href=\"../trends.html\">Trends</a></p>",
        ],
    );
    assert_says(
        &page(&world, "m/demo--veteran.html"),
        &[
            "Withdrawn on Jul 6, 2026: illustrative: made up by",
            "Last shown on the board of Jun 1, 2026",
        ],
    );
    let feed = page(&world, "feed.xml");
    assert_says(
        &feed,
        &["<title>memoriser: regression</title>", "<updated>2026-11-16T00:00:00Z</updated>"],
    );
    let ids: Vec<&str> = feed.split("<id>").skip(1).filter_map(|id| id.split('<').next()).collect();
    let distinct: std::collections::BTreeSet<&&str> = ids[1..].iter().collect();
    assert_eq!(distinct.len(), ids.len() - 1, "every entry has its own id");

    crate::schemas::holds_text("site-history", &page(&world, "v1/history.json"));
    let data: Value = serde_json::from_str(&page(&world, "v1/history.json")).expect("JSON");
    assert_eq!(data["ledger"]["lines"], 224);
    let head = world.run(&["history", "verify", "--root", "try/board", "--json"]);
    let head: Value = serde_json::from_str(&head.stdout).expect("JSON");
    assert_eq!(data["ledger"]["root_base64"], head["root"]);
    let weekly: Value =
        serde_json::from_str(&world.read("try/board/leaderboard/weekly.json")).expect("JSON");
    assert_eq!(data["weeks"], weekly, "the weeks of the ledger");
    let series = data["series"].as_array().expect("series");
    assert_eq!(series.len(), 6);
    assert_eq!(series[0]["model"], "demo:careful");
    assert_eq!(series[0]["points"].as_array().map(Vec::len), Some(51), "one was retracted");
    assert_eq!(data["boards"].as_array().map(Vec::len), Some(6));
}

/// The leftmost and rightmost point of every line of a path: `M`, `L`, `H`, `V`, all absolute.
fn spans(path: &str) -> Vec<(f64, f64)> {
    let mut spans: Vec<(f64, f64)> = Vec::new();
    let starts = path.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(at, _)| at);
    let starts: Vec<usize> = starts.chain([path.len()]).collect();
    for pair in starts.windows(2) {
        let (letter, numbers) = path[pair[0]..pair[1]].split_at(1);
        if letter == "V" {
            continue;
        }
        let x = numbers.split(' ').next().expect("a number");
        let x: f64 = x.parse().unwrap_or_else(|_| panic!("{x} in {path}"));
        if letter == "M" {
            spans.push((x, x));
        }
        let last = spans.last_mut().expect("a path starts with M");
        *last = (last.0.min(x), last.1.max(x));
    }
    spans
}

/// How many rules and lines the drawings of `page` have; no line may cross a rule. Rules are in
/// percent of the width, lines in thousandths of it.
fn assert_no_crossing(page: &str) -> (usize, usize) {
    let rules: Vec<f64> = across(page, "rule").iter().map(|(x, _)| x * 10.0).collect();
    let svg = page.split("class=\"plot over-time\"").nth(1).expect("a drawing");
    let paths = svg.split("</svg>").next().expect("an end").split(" d=\"").skip(1);
    let paths = paths.filter_map(|rest| rest.split('"').next());
    let lines: Vec<(f64, f64)> = paths.flat_map(spans).collect();
    for rule in &rules {
        for (low, high) in &lines {
            assert!(high < rule || low > rule, "{low} to {high} crosses {rule}\n{svg}");
        }
    }
    (rules.len(), lines.len())
}

/// Where the lines of a class start and end, in percent of the drawing's width.
fn across(page: &str, class: &str) -> Vec<(f64, f64)> {
    let start = format!("<line class=\"{class}\" ");
    let lines = page.split(start.as_str()).skip(1);
    let x = |line: &str, end: &str| -> f64 {
        let rest = line.split_once(end).expect("a place").1;
        rest.split('%').next().and_then(|x| x.parse().ok()).expect("a percentage")
    };
    lines.map(|line| (x(line, "x1=\""), x(line, "x2=\""))).collect()
}

#[test]
fn no_line_crosses_a_new_protocol() {
    let world = demo();
    let (rules, lines) = assert_no_crossing(&page(&world, "trends.html"));
    assert_eq!((rules, lines), (1, 2), "one line on each side of the rule");
    let entry = page(&world, "m/demo--careful.html");
    let (rules, steps) = (across(&entry, "rule"), across(&entry, "step"));
    assert_eq!((rules.len(), steps.len()), (1, 4), "the scores on both sides of a rule");
    for (rule, _) in rules {
        for (low, high) in &steps {
            assert!(*high < rule || *low > rule, "{low} to {high} crosses {rule}");
        }
    }

    // Also where a run of the old protocol is recorded late, and where two epochs take turns.
    let world = self::world(&Shape::default());
    let mut lines = String::new();
    for week in 0..12 {
        for (model, protocol) in [("a:x", week / 6), ("a:y", week % 2), ("a:x", 0)] {
            lines += &json!({
                "run_id": format!("{model}-{week}-{protocol}-{}", lines.len()),
                "run_at": format!("2026-0{}-{:02}T12:00:00Z", 1 + week / 4, 1 + week % 4 * 7),
                "model": model, "aggregate_score": 0.5 + f64::from(week) / 50.0,
                "eval_protocol_version": protocol.to_string(),
            })
            .to_string();
            lines.push('\n');
        }
    }
    world.write("leaderboard/history.jsonl", lines);
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    let (rules, lines) = assert_no_crossing(&world.read("site/trends.html"));
    assert!(rules >= 1 && lines > rules, "{rules} rules, {lines} lines");
}

/// A world whose config says which weights are open, with these runs: model, day, score.
fn ledger_world(runs: &[(&str, &str, f64)]) -> World {
    let world = world(&Shape { rows: 4, ..Shape::default() });
    let seed = |at: usize| {
        let weights = if at.is_multiple_of(2) { "closed" } else { "open" };
        let about = json!({"name": format!("Model {at}"), "weights": weights});
        json!({"provider": "x", "model": at.to_string(), "public_bundle": "b", "about": about})
    };
    let mut config: Value = serde_json::from_str(&world.read("seeds.json")).expect("JSON");
    config["seeds"] = (0..4).map(seed).collect();
    world.write("seeds.json", config.to_string());
    let mut lines = String::new();
    for (index, (model, day, score)) in runs.iter().enumerate() {
        let run = json!({
            "run_id": format!("r{index}"), "run_at": format!("{day}T12:00:00Z"), "model": format!("x:{model}"),
            "aggregate_score": score, "n_prompts": 120, "eval_protocol_version": "1",
        });
        lines += &format!("{run}\n");
    }
    world.write("leaderboard/history.jsonl", lines);
    let ran = world.run(&["render", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    world
}

#[test]
fn the_heading_says_how_far_open_models_are_behind_and_no_more_than_is_known() {
    let heading = |runs: &[(&str, &str, f64)]| {
        let trends = ledger_world(runs).read("site/trends.html");
        let heading = trends.split("<h1>").nth(1).and_then(|rest| rest.split('<').next());
        (heading.expect("a heading").to_owned(), trends)
    };
    let (said, page) = heading(&[
        ("0", "2026-06-01", 0.6),
        ("1", "2026-06-01", 0.5),
        ("2", "2026-09-01", 0.8),
        ("3", "2026-10-01", 0.7),
    ]);
    assert_eq!(said, "Model 2 took the lead on Sep\u{a0}1; open models trail by 10 points");
    assert_says(
        &page,
        &[
            ">Best closed model 80%</text>",
            ">Best open model 70%</text>",
            ">10 points apart</text>",
            "The 95% ranges of the best open and the best closed model overlap.",
            "takes the lead from Model 0 by 20 points, significant",
            "aria-label=\"Model 3 70%, Oct 1, 2026\" class=\"dot second\"",
        ],
    );
    let (said, _) = heading(&[("0", "2026-06-01", 0.6), ("1", "2026-06-08", 0.9)]);
    assert_eq!(said, "Model 1 took the lead on Jun\u{a0}8; closed models trail by 30 points");
    let (said, _) =
        heading(&[("0", "2026-06-01", 0.6), ("0", "2026-06-08", 0.6), ("2", "2026-06-08", 0.5)]);
    assert_eq!(said, "Model 0 has led since Jun\u{a0}1; it scores 60%", "closed models only");
    // One day is not a trend, and nothing is drawn.
    let (said, page) = heading(&[("0", "2026-06-01", 0.6), ("1", "2026-06-01", 0.5)]);
    assert_eq!(said, "Model 0 scores highest so far; open models trail by 10 points");
    assert_says(&page, &["A trend needs runs of a second day."]);
    assert!(!page.contains("over-time"), "no drawing of one day");
    // Unknown is not closed: a leader of which nothing is known leaves one line.
    let (said, page) =
        heading(&[("0", "2026-06-01", 0.6), ("1", "2026-06-08", 0.5), ("new", "2026-06-09", 0.7)]);
    assert_eq!(said, "new took the lead on Jun\u{a0}9; it scores 70%");
    assert!(page.contains(">Best model 70%</text>") && !page.contains("Best open model"));
}

#[test]
fn without_runs_there_is_no_page_of_trends_and_no_link_to_one() {
    let world = site(&Shape::default());
    for history in [None, Some("")] {
        if let Some(history) = history {
            world.write("leaderboard/history.jsonl", history);
            assert_eq!(world.run(&["render", "-q"]).code, 0);
        }
        assert!(!world.exists("site/trends.html"));
        let index = world.read("site/index.html");
        assert!(!index.contains("trends.html") && !index.contains("Ledger of"), "{index}");
        let data: Value = serde_json::from_str(&world.read("site/v1/history.json")).expect("JSON");
        assert_eq!((&data["ledger"], &data["weeks"]), (&Value::Null, &json!([])));
    }
    // A run without a score is a run: the page says what is missing.
    world.write(
        "leaderboard/history.jsonl",
        "{\"run_id\":\"r\",\"run_at\":\"2026-05-04T12:00:00Z\",\"model\":\"m\"}\n",
    );
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    let trends = world.read("site/trends.html");
    assert_says(
        &trends,
        &[
            "<h1>No run of the last year has a score yet</h1>",
            "<p class=\"lede\">Last run: May 4, 2026.</p>",
            "<td class=\"means\">new, waiting for the private test</td>",
        ],
    );
    assert!(!trends.contains("NaN") && !trends.contains("inf"), "{trends}");
}

/// A ledger whose every text is out to break a page.
pub fn hostile_ledger() -> String {
    let long = "m".repeat(300);
    let evil = [
        "x:<script>alert(1)</script>",
        "x:\"onload=alert(1) x=\"",
        "x:]]></desc><script>",
        &long,
        "x:evil\u{202e}txt.exe",
        "{{ 7 * 7 }}",
    ];
    let mut lines = String::new();
    for week in 0..20 {
        for (at, model) in evil.iter().enumerate() {
            let score = 0.3 + f64::from(week) / 60.0;
            lines += &json!({
                "run_id": format!("<b>{at}-{week}"), "model": model,
                "run_at": format!("2026-0{}-{:02}T0{at}:00:00Z", 1 + week / 4, 1 + week % 4 * 7),
                "aggregate_score": score, "latency_p95_ms": 1e12, "cost_per_message_usd": 1e-9,
                "dataset_scores": {"<i>up": score, "<i>down": 1.0 - score},
                "eval_protocol_version": if week < 9 { "<u>0" } else { "&1" },
                "regression_detected": week > 17 || week == 4, "notes": "<img src=x onerror=alert(1)>",
            })
            .to_string();
            lines.push('\n');
        }
    }
    for (kind, key, value) in
        [("retraction", "run_id", "<b>0-2"), ("withdraw", "model", "<script>alert(1)</script>")]
    {
        let mut line = json!({"kind": kind, "reason": "</p><script>alert(2)</script>", "recorded_at": "2026-06-01T00:00:00Z"});
        line[key] = json!(value);
        if kind == "withdraw" {
            line["provider"] = json!("x");
            line["protocol"] = json!("1");
        }
        lines += &line.to_string();
        lines.push('\n');
    }
    lines
}

#[test]
fn hostile_names_in_the_ledger_stay_text_on_every_page() {
    let world = world(&Shape::default());
    world.write("leaderboard/history.jsonl", hostile_ledger());
    let ran = world.run(&["render", "-q"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for file in ["trends.html", "changes.html", "feed.xml", "index.html"] {
        let text = world.read(&format!("site/{file}"));
        for evil in
            ["<script>alert", "<img src=x", "<b>0-", "<i>up", "<u>0", "\"onload=", "\u{202e}"]
        {
            assert!(!text.contains(evil), "{evil} in {file}");
        }
    }
    let trends = world.read("site/trends.html");
    assert_says(&trends, &["&lt;script&gt;alert(1)&lt;", "{{ 7 * 7 }}"]);
    assert!(world.read("site/SHA256SUMS").contains("  m/x--"), "the withdrawn row has its page");
    serde_json::from_str::<Value>(&world.read("site/v1/history.json")).expect("JSON");
}

#[test]
fn a_long_ledger_gives_a_short_page() {
    let world = world(&Shape::default());
    let mut lines = String::new();
    for week in 0..150 {
        for model in 0..40 {
            // Four weeks a month.
            let (year, month, day) = (2020 + week / 48, 1 + week / 4 % 12, 1 + week % 4 * 7);
            lines += &format!(
                "{{\"run_id\":\"{week}-{model}\",\"run_at\":\"{year}-{month:02}-{day:02}T12:00:00Z\",\"model\":\"p:m{model}\",\"aggregate_score\":0.{}}}\n",
                100 + (week * 7 + model * 13) % 800
            );
        }
    }
    world.write("leaderboard/history.jsonl", lines);
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    let trends = world.read("site/trends.html");
    assert!(trends.len() < 300_000, "{}", trends.len());
    assert_says(
        &trends,
        &["6,000 runs of 40 models. Last run: ", "98 earlier weeks in v1/history.json."],
    );
    let data: Value = serde_json::from_str(&world.read("site/v1/history.json")).expect("JSON");
    assert_eq!(data["weeks"].as_array().map(Vec::len), Some(150));
    assert_eq!(data["series"][0]["points"].as_array().map(Vec::len), Some(150));
}

#[test]
fn a_held_out_text_in_the_ledger_or_an_old_board_is_found() {
    let world = board_world();
    let prompts: Value =
        serde_json::from_str(&world.read("held-out/careful/prompts.json")).expect("JSON");
    let secret = prompts[3]["request"].as_str().expect("a request");
    let run = json!({
        "run_id": "r1", "run_at": "2026-05-04T12:00:00Z", "model": "m", "aggregate_score": 0.5,
        "notes": format!("as asked: {secret}"),
    });
    world.write("run.json", run.to_string());
    let record = ["record", "--root", "board", "run.json", "--now", "2026-05-05T00:00:00Z"];

    // With fetched bundles at hand nothing is recorded.
    std::fs::create_dir_all(world.path("board/leaderboard/.cache")).expect("made");
    let copied = std::process::Command::new("cp")
        .args(["-r", "held-out", "board/leaderboard/.cache/heldout"])
        .current_dir(world.path(""))
        .status();
    assert!(copied.is_ok_and(|status| status.success()));
    let refused = world.run(&record);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(refused.stdout.contains("--> the lines to be recorded"), "{}", refused.stdout);
    assert!(refused.stdout.ends_with("nothing was recorded\n"), "{}", refused.stdout);
    assert!(!refused.both().contains(secret));
    assert_eq!(world.read("board/leaderboard/history.jsonl"), "");
    std::fs::remove_dir_all(world.path("board/leaderboard/.cache")).expect("removed");

    // Without them it is, and the next audit with the set finds it.
    assert_eq!(world.run(&record).code, 0);
    let verify = ["verify", "--root", "board", "--held-out", "held-out"];
    let found = world.run(&verify);
    assert_eq!(found.code, 1, "{}", found.stderr);
    assert!(found.stdout.contains("finding[L-TEXT]"), "{}", found.stdout);
    assert!(found.stdout.contains("board/leaderboard/history.jsonl"), "{}", found.stdout);
    assert!(!found.both().contains(secret));

    world.write("board/leaderboard/history.jsonl", "");
    world.write("board/leaderboard/boards/ab.json", json!({"note": secret}).to_string());
    let found = world.run(&verify);
    assert_eq!(found.code, 1, "{}", found.stderr);
    assert!(found.stdout.contains("board/leaderboard/boards/ab.json"), "{}", found.stdout);
}
