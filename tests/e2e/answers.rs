//! Public answers on the site: prompts, prompt pages, pages of models, bundles.

use std::collections::BTreeMap;

use gmat_leaderboard::score_bundle;
use serde_json::{Value, json};

use crate::harness::{World, board_world};
use crate::site::{check_links, files};

const MODELS: [&str; 5] = ["careful", "steady", "memoriser", "careless", "newcomer"];

fn render(world: &World) {
    let ran = world.run(&["render", "--root", "board", "--out", "site", "-q"]);
    assert_eq!((ran.code, ran.both().as_str()), (0, ""));
}

/// The frozen board with its site in `site/`.
fn site() -> World {
    let world = board_world();
    render(&world);
    world
}

/// The text between `start` and `end`, each time they occur.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    text.split(start).skip(1).map(|rest| rest.split(end).next().unwrap_or_default()).collect()
}

/// Whether each model solves each prompt, by replaying the committed bundles.
fn replayed(world: &World) -> BTreeMap<(String, String), bool> {
    let mut all = BTreeMap::new();
    for model in MODELS {
        let dir = world.path(&format!("board/leaderboard/bundles/{model}"));
        let replay = score_bundle(&dir, &format!("demo:{model}")).expect("a bundle");
        for outcome in &replay.outcomes {
            all.insert((outcome.id.clone(), format!("demo--{model}")), outcome.passed());
        }
    }
    all
}

#[test]
fn every_cell_is_what_the_bundles_replay_to() {
    let world = site();
    let replayed = replayed(&world);
    assert_eq!(replayed.len(), MODELS.len() * 51);
    let page = world.read("site/prompts.html");
    let mut cells = BTreeMap::new();
    let links = between(&page, "href=\"p/", "\"></a>");
    for cell in links.into_iter().filter(|link| link.contains("\" aria-label=\"")) {
        let (link, label) = cell.split_once("\" aria-label=\"").expect("a label");
        let (id, row) = link.split_once(".html#").expect("a row");
        cells.insert((id.to_owned(), row.to_owned()), label == "solved");
    }
    assert_eq!(cells, replayed);
    // The count of a line, and the strip for phones.
    for line in between(&page, "<li><a href=\"p/", "</a></li>") {
        let id = line.split(".html").next().expect("an id");
        let solved = replayed.iter().filter(|((of, _), passed)| of == id && **passed).count();
        assert!(line.contains(&format!("<span class=\"n\">{solved} of 5</span>")), "{line}");
        assert_eq!(line.matches("<b></b>").count(), solved, "{line}");
    }
    // The page of each prompt, and the cells of each model.
    for ((id, row), passed) in &replayed {
        let prompt = world.read(&format!("site/p/{id}.html"));
        let class = if *passed { "solved" } else { "failed" };
        assert!(prompt.contains(&format!("<li id=\"{row}\" class=\"{class}\">")), "{id} {row}");
        let entry = world.read(&format!("site/m/{row}.html"));
        let cell = between(&entry, &format!("href=\"../p/{id}.html#{row}\" title=\""), "></a>");
        assert_eq!(cell.len(), 1, "{id} {row}");
        assert!(cell[0].ends_with(&format!(": {class}\"")), "{id} {row}: {}", cell[0]);
    }
}

#[test]
fn a_failed_answer_has_its_reason_request_and_marked_script() {
    let world = site();
    let page = world.read("site/p/bplane_mars_arrival.html");
    let newcomer = between(&page, "<li id=\"demo--newcomer\"", "<li id=")[0];
    assert!(
        newcomer.contains("Line 9: resource <code>MySunFrame</code> is already created"),
        "{newcomer}"
    );
    assert!(newcomer.contains("Judge: 2 of 3 votes no"), "{newcomer}");
    assert!(newcomer.contains("aria-label=\"1 of 3 votes yes\""), "{newcomer}");
    let marked = between(newcomer, "<li class=\"bad\">", "</li>");
    assert_eq!(marked.len(), 1, "{newcomer}");
    assert!(marked[0].contains("<mark>MySunFrame</mark>"), "{}", marked[0]);
    assert!(page.contains("1 of 5 models solves it."), "{page}");
    let entry = world.read("site/m/demo--newcomer.html");
    assert!(entry.contains("“Mars arrival: a trajectory correction 60 days out"), "{entry}");
    // First those that most others solve.
    let solved_by: Vec<usize> = between(&entry, "<td class=\"n\">", " of 5</td>")
        .into_iter()
        .filter_map(|count| count.parse().ok())
        .collect();
    assert!(solved_by.len() > 5 && solved_by.is_sorted_by(|a, b| a >= b), "{solved_by:?}");
}

#[test]
fn the_page_of_a_model_says_what_v1_says() {
    let world = site();
    for model in MODELS {
        let v1: Value =
            serde_json::from_str(&world.read(&format!("site/v1/entries/demo--{model}.json")))
                .expect("JSON");
        let page = world.read(&format!("site/m/demo--{model}.html"));
        let ranked = !v1["heldOut"].is_null();
        let (score, set) =
            if ranked { (&v1["heldOut"], "private") } else { (&v1["public"], "public") };
        let (passed, total) = (
            score["passed"].as_u64().expect("a count"),
            score["prompts"].as_u64().expect("a count"),
        );
        let end = |at: usize| (score["interval"][at].as_f64().expect("an end") * 100.0).round();
        let percent = (200 * passed + total) / (2 * total);
        let said =
            format!("{passed} of {total} {set} prompts solved ({percent}%, {}–{})", end(0), end(1));
        assert!(page.contains(&said), "{model}: {said}");
        assert_eq!(page.contains("Public, not ranked: "), !ranked, "{model}");
        let public = format!("{} of 51 public prompts solved", v1["public"]["passed"]);
        assert!(page.contains(&format!("<h2 id=\"solved\">{public}</h2>")), "{model}: {public}");
        if ranked {
            let (low, high) = (&v1["rankLow"], &v1["rankHigh"]);
            let place = if low == high { low.to_string() } else { format!("{low}–{high}") };
            assert!(
                page.contains(&format!("Place {place} of 4 when all pairs")),
                "{model}: {place}"
            );
        }
    }
}

#[test]
fn the_evidence_shows_what_the_command_prints() {
    let world = site();
    for model in MODELS {
        let page = world.read(&format!("site/m/demo--{model}.html"));
        let command = format!("gmat-leaderboard verify --entry demo:{model}");
        assert!(page.contains(&command), "{page}");
        let ran = world.run(&["verify", "--entry", &format!("demo:{model}"), "--root", "board"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(
            page.contains(&format!("<pre>{}</pre>", ran.stdout.trim_end())),
            "{}\n{page}",
            ran.stdout
        );
    }
}

#[test]
fn bundles_are_published_as_committed_and_links_lead_somewhere() {
    let world = site();
    check_links(&world);
    for model in MODELS {
        for name in ["completions.json", "judge.json"] {
            let published = world.read(&format!("site/bundles/demo--{model}/{name}"));
            assert_eq!(published, world.read(&format!("board/leaderboard/bundles/{model}/{name}")));
        }
    }
    // All rows have these prompts, so they are published once.
    assert_eq!(
        world.read("site/prompts.json"),
        world.read("board/leaderboard/bundles/careful/prompts.json")
    );
    assert!(!world.exists("site/bundles/demo--careful/prompts.json"));

    // A withdrawn row shows no answers, and one without its bundle neither.
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    config["seeds"][0]["withdrawn"] = json!({"reason": "asked by its author"});
    world.write("board/seeds.json", config.to_string());
    std::fs::remove_dir_all(world.path("board/leaderboard/bundles/steady")).expect("removed");
    render(&world);
    check_links(&world);
    for gone in ["careful", "steady"] {
        assert!(!world.exists(&format!("site/bundles/demo--{gone}")), "{gone}");
        let shown = files(&world).into_iter().filter(|(path, _)| path.starts_with("p/"));
        for (path, bytes) in shown {
            assert!(!String::from_utf8_lossy(&bytes).contains(&format!("demo--{gone}")), "{path}");
        }
    }
    assert!(world.read("site/prompts.html").contains("2 models without a bundle of these prompts"));
}

/// Changes the bundle of `newcomer`, and builds the board again.
fn with_bundle(world: &World, edit: impl Fn(&mut Value, &mut Value, &mut Value)) {
    let file = |name: &str| format!("board/leaderboard/bundles/newcomer/{name}.json");
    let names = ["prompts", "completions", "judge"];
    let [mut prompts, mut completions, mut judge] =
        names.map(|name| serde_json::from_str::<Value>(&world.read(&file(name))).expect("JSON"));
    edit(&mut prompts, &mut completions, &mut judge);
    for (name, value) in names.iter().zip([prompts, completions, judge]) {
        world.write(&file(name), value.to_string());
    }
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    let seeds = config["seeds"].as_array_mut().expect("seeds");
    seeds.retain(|seed| seed["model"] == "newcomer");
    config["public_set"].as_object_mut().expect("a header").remove("sha256");
    world.write("board/seeds.json", config.to_string());
    std::fs::remove_file(world.path("board/leaderboard/leaderboard.json")).expect("removed");
    let built = world.run(&["build", "--root", "board", "-q"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
}

#[test]
fn hostile_scripts_and_ids_are_only_text() {
    const HOSTILE: &str =
        "<script>alert(1)</script><!-- /answers -->\u{202e}\u{1b}[2J`\t'\"&amp;\r\nx";
    let world = board_world();
    with_bundle(&world, |prompts, completions, judge| {
        for answer in completions.as_object_mut().expect("answers").values_mut() {
            answer["text"] = json!(HOSTILE);
        }
        for (at, id) in ["../../up", "A b", "a--b", "<b>", "con"].into_iter().enumerate() {
            let old = prompts[at]["id"].as_str().expect("an id").to_owned();
            prompts[at]["id"] = json!(id);
            prompts[at]["title"] = json!("A <i>title</i>");
            let votes = judge.as_object_mut().expect("votes");
            let of = votes.remove(&old).expect("votes of the prompt");
            votes.insert(id.to_owned(), of);
        }
    });
    render(&world);
    check_links(&world);
    let pages: Vec<(String, Vec<u8>)> = files(&world)
        .into_iter()
        .filter(|(path, _)| path.strip_suffix(".html").is_some())
        .collect();
    assert_eq!(pages.iter().filter(|(path, _)| path.starts_with("p/")).count(), 51);
    for (path, bytes) in pages {
        let text = String::from_utf8(bytes).expect("text");
        for bad in ["<script>alert", "\u{202e}", "\u{1b}", "<i>title", "<b>.html"] {
            assert!(!text.contains(bad), "{path} has {bad:?}");
        }
        let marks =
            (text.matches("<!-- answers -->").count(), text.matches("<!-- /answers -->").count());
        assert_eq!(marks.0, marks.1, "{path}");
        assert!(path.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/".contains(&b)), "{path}");
    }
    assert!(world.read("site/prompts.html").contains("A &lt;i&gt;title&lt;/i&gt;"));
    // One row that is not ranked.
    let entry = world.read("site/m/demo--newcomer.html");
    assert!(entry.contains("Public, not ranked: 0 of 51 public prompts solved"), "{entry}");
    assert!(!entry.contains("Against the top group"), "{entry}");
}

#[test]
fn the_page_of_submit_shows_what_the_commands_print() {
    let world = site();
    let page = world.read("site/submit.html");
    let shown = between(&page, "<pre class=\"output\">", "</pre>");
    let [dry_run, checked] = shown[..] else { panic!("{shown:?}") };
    let judge = "openai:demo/illustrative";
    let call = ["eval", "--root", "board", "--model", "openai:m", "--judge", judge, "--dry-run"];
    let ran = world.run(&call);
    assert_eq!(ran.code, 0, "{}", ran.both());
    // Without the estimates, and with the names of the page.
    let plain = |line: &str| match line.split(", ").collect::<Vec<_>>()[..] {
        [calls, input, output, _] => {
            assert!(input.starts_with("about ") && input.ends_with(" input tokens"), "{line}");
            assert!(output.starts_with("at most ") && output.ends_with(" output tokens"), "{line}");
            format!("{calls}, about … input tokens, at most … output tokens, …")
        }
        _ => line.to_owned(),
    };
    let printed: Vec<String> = ran.stdout.lines().map(plain).collect();
    let printed = printed.join("\n").replace("openai:m:", "provider:model:");
    assert_eq!(dry_run, printed.replace("openai:", "provider:"));

    let ran = world.run(&["check", "board/leaderboard/bundles/careful", "--root", "board"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let first = ran.stdout.lines().next().unwrap_or_default();
    let lines: Vec<&str> = checked.lines().collect();
    assert_eq!(lines[0], first.replace("demo:careful", "provider:model"));
    assert!(ran.stdout.lines().any(|line| line == lines[2]), "{checked}\n{}", ran.stdout);
}
