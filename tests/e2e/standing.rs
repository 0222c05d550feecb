//! How rows stand to the baseline of their cohort: on the pages, in the files, in the tables.

use serde_json::{Value, json};

use crate::boards::{edit_board, two_cohorts, two_cohorts_with_baselines};
use crate::harness::{Ran, World, board_world};

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

fn render(world: &World) {
    ok(world.run(&["render", "--root", "board", "-q"]));
}

fn read(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The entry of `model` in v1/index.json.
fn entry(world: &World, model: &str) -> Value {
    let index = read(world, "board/site/v1/index.json");
    let entries = index["entries"].as_array().expect("rows");
    let id = format!("demo:{model}");
    entries.iter().find(|entry| entry["id"] == id.as_str()).expect(model).clone()
}

/// The part of a page between two texts.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("no {from} in {page}")).1;
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

/// Every text file of the site.
fn pages(world: &World) -> Vec<(String, String)> {
    let files = walkdir::WalkDir::new(world.path("board/site")).into_iter().flatten();
    let files = files.filter(|entry| entry.file_type().is_file());
    let is_text = |path: &std::path::Path| {
        path.extension()
            .is_some_and(|ending| ["html", "json", "csv"].iter().any(|known| ending == *known))
    };
    files
        .filter(|entry| is_text(entry.path()))
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).expect("text");
            (entry.path().display().to_string(), text)
        })
        .collect()
}

fn build(world: &World, day: u32) {
    let stamp = format!("2026-12-0{day}T00:00:00Z");
    let args = ["build", "--root", "board", "--held-out", "held-out", "--generated-at", &stamp];
    ok(world.run(&[&args[..], &["-q"]].concat()));
}

fn rank(world: &World) -> (Value, String) {
    let ran = ok(world.run(&["rank", "--root", "board", "--json"]));
    let table = ok(world.run(&["rank", "--root", "board"]));
    let columns = ok(world.run(&["rank", "--root", "board", "--to", "markdown"]));
    (serde_json::from_str(&ran.stdout).expect("JSON"), table.stdout + &columns.stdout)
}

#[test]
fn six_builds_of_the_same_bundles_have_no_baseline() {
    let world = board_world();
    for day in 1..=6 {
        build(&world, day);
        render(&world);
        for (path, text) in pages(&world) {
            let is_method = path.ends_with("method.html") || path.contains("/schema/");
            assert!(is_method || !text.contains('Δ'), "{path} shows a difference");
            assert!(is_method || !text.contains("no baseline yet"), "{path}");
        }
        let index = read(&world, "board/site/v1/index.json");
        for key in ["baselineScore", "baselineRunId", "baselineModel", "baselineSource"] {
            assert_eq!(index[key], Value::Null, "{key}");
            assert_eq!(index["cohorts"][0][key], Value::Null, "{key}");
        }
        for row in index["entries"].as_array().expect("rows") {
            assert_eq!(row["deltaFromBaseline"], Value::Null);
            assert_eq!((&row["isBaseline"], &row["isComparable"]), (&json!(false), &json!(false)));
        }
        let (rows, table) = rank(&world);
        assert_eq!(rows["entries"][0]["delta_from_baseline"], Value::Null);
        assert_eq!(rows["entries"][0]["baseline"], Value::Null);
        assert!(!table.contains('Δ') && !table.contains("aseline"), "{table}");
        // A recorded board does not make one of its rows earlier than the others.
        if day == 3 {
            let board = "board/leaderboard/leaderboard.json";
            ok(world.run(&["record", "--root", "board", "--board", board, "-q"]));
        }
    }
}

#[test]
fn six_builds_with_an_official_baseline_have_the_same_by_name() {
    let world = board_world();
    let config = official(&world.read("board/seeds.json"), "demo:steady");
    world.write("board/seeds.json", config);
    let mut runs = std::collections::BTreeSet::new();
    for day in 1..=6 {
        build(&world, day);
        render(&world);
        let index = read(&world, "board/site/v1/index.json");
        assert_eq!(index["baselineModel"], "demo:steady");
        assert_eq!(index["cohorts"][0]["baselineModel"], "demo:steady");
        assert_eq!(
            (&index["baselineSource"], &index["baselineScore"]),
            (&json!("official"), &json!(0.733))
        );
        runs.insert(index["baselineRunId"].as_str().expect("an id").to_owned());
        assert_eq!(entry(&world, "careful")["baselineModel"], "demo:steady");
        assert_eq!(entry(&world, "careful")["deltaFromBaseline"], 0.134);
        let page = world.read("board/site/index.html");
        assert!(
            page.contains("Δ is relative to <a href=\"m/demo--steady.html\">steady</a> at 73.3%")
        );
        let csv = world.read("board/site/leaderboard.csv");
        assert!(csv.contains(",demo:steady,"), "{csv}");
        let (rows, table) = rank(&world);
        assert_eq!(rows["entries"][0]["baseline"], "demo:steady");
        assert!(
            table.contains("Δ relative to demo:steady (0.733), the official run of this cohort"),
            "{table}"
        );
    }
    assert_eq!(runs.len(), 6, "the run differs with the stamp, the name does not");
}

#[test]
fn a_board_with_a_baseline_offers_the_difference_as_a_column() {
    let world = board_world();
    let baseline = "memoriser";
    world.write("board/seeds.json", official(&world.read("board/seeds.json"), "demo:memoriser"));
    render(&world);
    let index = world.read("board/site/index.html");
    assert_eq!(index.matches("<table").count(), 1);
    let all = read(&world, "board/site/v1/index.json");
    let run = all["baselineRunId"].as_str().expect("a baseline");
    assert_eq!(entry(&world, baseline)["isBaseline"], true);
    for said in [
        format!(
            "Δ is relative to <a href=\"m/demo--{baseline}.html\">{baseline}</a> at 26.7%, the official run of this cohort (run <code>{run}</code>)."
        ),
        "<td class=\"c-delta n more\" hidden data-v=\"0.000000\">0.0 baseline</td>".to_owned(),
        "<td class=\"c-delta n more\" hidden>– no score yet</td>".to_owned(),
    ] {
        assert!(index.contains(&said), "{said} in {index}");
    }

    let page = world.read("board/site/m/demo--newcomer.html");
    assert!(page.contains("<li class=\"not\">Not comparable: no score yet</li>"), "{page}");
    assert!(page.contains("<dt>Comparable</dt><dd>no<small>no score yet</small></dd>"), "{page}");
    let page = world.read(&format!("board/site/m/demo--{baseline}.html"));
    assert!(
        page.contains("<li>Reproducible</li>\n<li>Verified</li>\n<li>Comparable</li>"),
        "{page}"
    );
    let compare = world.read("board/site/compare.html");
    assert!(
        compare.contains("<th scope=\"row\">Δ vs baseline<small>percentage points</small></th>"),
        "{compare}"
    );
}

#[test]
fn rows_under_another_judge_stand_on_a_page_of_their_own() {
    let world = two_cohorts_with_baselines();
    render(&world);
    let (first, second) =
        (world.read("board/site/index.html"), world.read("board/site/judge-2.html"));
    for (page, inside, outside) in [
        (
            &first,
            ["careful", "steady", "careless"].as_slice(),
            ["memoriser", "newcomer"].as_slice(),
        ),
        (&second, &["memoriser", "newcomer"], &["careful", "steady", "careless"]),
    ] {
        let has = |model: &&&str| page.contains(&format!("<tr data-slug=\"demo--{model}\""));
        assert_eq!(inside.iter().filter(has).count(), inside.len(), "{page}");
        assert_eq!(outside.iter().filter(has).count(), 0, "{page}");
    }
    // Each table has its own baseline; of two at one instant neither is that of the whole board.
    let all = read(&world, "board/site/v1/index.json");
    let words = all["cohorts"][1]["words"].as_str().expect("words");
    assert!(words.starts_with("protocol 1 · strict ×1 · set "), "{words}");
    for said in [
        "Δ is relative to <a href=\"m/demo--memoriser.html\">memoriser</a> at 26.7%",
        ">0.0 baseline</td>",
    ] {
        assert!(second.contains(said), "{said} in {second}");
    }
    let rows: Vec<u64> = all["cohorts"]
        .as_array()
        .expect("cohorts")
        .iter()
        .filter_map(|c| c["rows"].as_u64())
        .collect();
    assert_eq!(rows, [3, 2]);
    let model = |at: usize| all["cohorts"][at]["baselineModel"].clone();
    assert_eq!((model(0), model(1)), (json!("demo:careful"), json!("demo:memoriser")));
    assert_eq!(all["baselineModel"], Value::Null);
    assert_ne!(entry(&world, "careful")["cohortId"], entry(&world, "newcomer")["cohortId"]);
    let compare = world.read("board/site/compare.html");
    let data = between(&compare, "data-models=\"", "\"").replace("&quot;", "\"");
    let data: Value = serde_json::from_str(&data).expect("JSON");
    let cohort = |slug: &str| {
        let rows = data["rows"].as_array().expect("rows");
        rows.iter().find(|row| row["slug"] == slug).expect("a row")["cohort"].clone()
    };
    assert_eq!(cohort("demo--careful"), cohort("demo--steady"));
    assert_ne!(cohort("demo--careful"), cohort("demo--memoriser"), "never compared");
}

#[test]
fn a_row_whose_bundle_is_not_here_keeps_its_place_and_loses_its_badges() {
    let world = board_world();
    let config = world.read("board/seeds.json");
    assert!(config.contains("\"sha256\""), "the public set is pinned");
    world.write("board/seeds.json", official(&config, "demo:careful"));
    render(&world);
    let cohort = entry(&world, "steady")["cohortId"].clone();
    std::fs::remove_dir_all(world.path("board/leaderboard/bundles/steady")).expect("removed");
    render(&world);
    let index = world.read("board/site/index.html");
    assert_eq!(index.matches("<table").count(), 1, "the board is not split");
    let row = entry(&world, "steady");
    assert_eq!((&row["cohortId"], &row["deltaFromBaseline"]), (&cohort, &json!(-0.134)));
    assert_eq!(
        (&row["isReproducible"], &row["isVerified"], &row["isComparable"]),
        (&json!(false), &json!(false), &json!(true))
    );
    assert_eq!(row["reasons"], json!(["no_evidence"]));
    let row = between(&index, "<tr data-slug=\"demo--steady\"", "</tr>");
    assert!(row.contains(">no bundle</span>"), "{row}");
    let page = world.read("board/site/m/demo--steady.html");
    assert!(page.contains("<li class=\"not\">Not checked: its bundle is not here</li>"), "{page}");
    for wrong in [
        "<li>Reproducible",
        "<li>Verified",
        "Expect",
        "<b>Covered:</b>",
        "verified: 1 public row",
        "verify --entry demo:steady</pre>",
    ] {
        assert!(!page.contains(wrong), "{wrong} in {page}");
    }
    // Without a pin the set of the other rows is the board's.
    let pin = between(&config, "\"sha256\":", "\n");
    let unpinned = config.replace(&format!("\"sha256\":{pin}"), "\"x\": true");
    world.write("board/seeds.json", official(&unpinned, "demo:careful"));
    render(&world);
    assert_eq!(entry(&world, "steady")["cohortId"], cohort);
    // A bundle that gives something else is not evidence.
    let world = board_world();
    edit_board(&world, |row| {
        if row["model"] == "steady" {
            row["public"]["pass_rate"] = json!(0.9);
        }
    });
    render(&world);
    let row = entry(&world, "steady");
    assert_eq!(
        (&row["grade"], &row["reasons"]),
        (&json!("none"), &json!(["no_baseline", "bundle_mismatch"]))
    );
    let index = world.read("board/site/index.html");
    let row = between(&index, "<tr data-slug=\"demo--steady\"", "</tr>");
    assert!(row.contains("<span class=\"flag bad\""), "{row}");
    let page = world.read("board/site/m/demo--steady.html");
    let said = "<li class=\"bad\">Not reproducible: the bundle here gives other numbers or another hash</li>";
    assert!(page.contains(said), "{page}");
}

#[test]
fn the_files_below_v1_are_as_their_schemas_say() {
    let world = two_cohorts();
    world.write("board/seeds.json", with_pack(&world.read("board/seeds.json")));
    world.write("results_2026-05-14T12-00-00.json", RESULT);
    ok(world.run(&[
        "record",
        "results_2026-05-14T12-00-00.json",
        "--pack",
        "p",
        "--root",
        "board",
        "-q",
    ]));
    render(&world);
    let holds = |schema: &str, file: &str| {
        let schema = read(&world, &format!("board/site/schema/{schema}.schema.json"));
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let mut value = read(&world, &format!("board/site/v1/{file}.json"));
        let wrong: Vec<String> =
            validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{file}: {wrong:?}");
        value["secret"] = json!("x");
        assert!(!validator.is_valid(&value), "{file} takes any key");
    };
    holds("index", "index");
    for model in ["careful", "newcomer"] {
        holds("entry", &format!("entries/demo--{model}"));
    }
    holds("pack", "packs/p");
    let csv = world.read("board/site/leaderboard.csv");
    let head = csv.lines().next().expect("a head");
    assert!(head.contains(",delta_from_baseline,baseline_score,baseline_run_id,baseline_model,reproducible,verified,comparable,cohort_id,reasons,"), "{head}");
}

const RESULT: &str =
    r#"{"config_general": {"model_name": "org/m"}, "results": {"t|0": {"acc": 0.5}}}"#;

fn with_pack(config: &str) -> String {
    let pack = r#"{"packs": [{"id": "p", "tasks": ["t|0"], "primary_metric": "acc", "scoring_mode": "deterministic"}],"#;
    config.replacen('{', pack, 1)
}

fn official(config: &str, id: &str) -> String {
    config.replacen('{', &format!("{{\"official_baselines\": [\"{id}\"],"), 1)
}

const UNKNOWN: &str = "error[H-BASELINE]: official baseline `nobody` is not a recorded run or a row of this board\n  --> official_baselines\nhelp: `official_baselines` names completed, scored runs by id, or rows of the board as provider:model; at most one per cohort\n";

#[test]
fn official_baselines_that_do_not_hold_stop_build_and_render() {
    let world = board_world();
    let (config, board) = ("board/seeds.json", "board/leaderboard/leaderboard.json");
    let (good, before) = (world.read(config), world.read(board));
    world.write(config, official(&good, "demo:careful"));
    render(&world);
    let baseline = entry(&world, "steady")["baselineRunId"].as_str().expect("an id").to_owned();
    world.write(config, official(&good, "nobody"));
    for command in [
        ["render", "--root", "board"].as_slice(),
        &["build", "--root", "board", "--drop-headlines"],
    ] {
        let ran = world.run(command);
        assert_eq!(ran.code, 2, "{command:?}");
        assert!(ran.stderr.ends_with(UNKNOWN), "{command:?}: {}", ran.stderr);
    }
    assert_eq!(world.read(board), before);
    let ran = world.run(&["verify", "--root", "board"]);
    assert_eq!(ran.code, 1);
    let found = "finding[H-BASELINE]: official baseline `nobody` is not a recorded run or a row of this board\n  --> board/seeds.json, official_baselines\n";
    assert!(ran.stdout.contains(found), "{}", ran.stdout);
    // One that is a row of this board holds, and is reported.
    world.write(config, official(&good, &baseline));
    render(&world);
    let index = world.read("board/site/index.html");
    assert!(
        index.contains(&format!("the official run of this cohort (run <code>{baseline}</code>)")),
        "{index}"
    );
    assert_eq!(read(&world, "board/site/v1/index.json")["baselineSource"], "official");
}

#[test]
fn rank_and_compare_say_how_the_rows_of_a_board_stand() {
    let world = board_world();
    world.write("board/seeds.json", official(&world.read("board/seeds.json"), "demo:careful"));
    let args = ["--root", "board"];
    let ran = ok(world.run(&[["rank", "--json"].as_slice(), &args].concat()));
    let page: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let first = &page["entries"][0];
    assert_eq!(first["baseline"], "demo:careful");
    assert_eq!(first["baseline_run_id"].as_str().map(str::len), Some(16));
    assert_eq!((&first["reproducible"], &first["comparable"]), (&json!("full"), &json!("yes")));
    assert_eq!(page["entries"][4]["reasons"], "no_score");
    assert_eq!(page["entries"][4]["delta_from_baseline"], Value::Null);

    let ran = ok(world.run(&[["rank"].as_slice(), &args].concat()));
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        (
            "\
Leaderboard (by held_out)

Rank  ID              Held-out ↑  Public ↑  Gap ↓       Δ  Repro  Comp  Lift ↑  Tokens ↓  Tok/solved ↓  Baseline
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
   1  demo:careful         0.867     0.922  0.055   0.000  full   yes    0.250    11,651           264  demo:careful
   2  demo:steady          0.733     0.804  0.071  -0.134  full   yes        –     6,964           186  demo:careful
   3  demo:careless        0.467     0.529  0.062  -0.400  full   yes    0.333     5,242           220  demo:careful
   4  demo:memoriser       0.267     0.980  0.713  -0.600  full   yes        –    17,485          1286  demo:careful
   –  demo:newcomer            –     0.706      –       –  full   no         –    10,729           298  demo:careful

5 of 5 runs · mean 0.584 · 1 without a value
Δ relative to demo:careful (0.867), the official run of this cohort
",
            "reading board/leaderboard/leaderboard.json\n"
        )
    );
    let by = "held_out,delta_from_baseline";
    let two = ["compare", "demo:steady", "demo:newcomer", "--by", by];
    let ran = ok(world.run(&[two.as_slice(), &args].concat()));
    assert_eq!(
        ran.stdout,
        "\
Measure      demo:steady  demo:newcomer
────────────────────────────────────────
Held-out ↑         0.733              –
Δ                 -0.134              –
Repro               full           full
Comp                 yes             no
Baseline    demo:careful   demo:careful
Reasons                –       no_score

Δ relative to demo:careful (0.867), the official run of this cohort
"
    );
    let ran = ok(world.run(&[two.as_slice(), &args, &["--json"]].concat()));
    let both: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(both["runs"]["demo:newcomer"]["comparable"], "no");
    assert_eq!(both["runs"]["demo:steady"]["metrics"]["delta_from_baseline"], -0.134);
    // Somebody else's board comes without bundles, so nothing is known of how its rows stand.
    let other = ok(world.run(&["rank", "board/leaderboard/leaderboard.json", "--to", "csv"]));
    assert!(!other.stdout.contains("comparable"), "{}", other.stdout);
    let filtered =
        ok(world.run(&[["rank", "--where", "comparable=no", "--json"].as_slice(), &args].concat()));
    let page: Value = serde_json::from_str(&filtered.stdout).expect("JSON");
    assert_eq!(page["filtered_entries"], 1);
}
