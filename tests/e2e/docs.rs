//! The console blocks of README and docs show what the program prints: each is run.
//!
//! After a change of words: `UPDATE_SNAPSHOTS=1 cargo test --test e2e docs::`, then read the diff.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use gmat_leaderboard::internals::replay::request_digest;
use serde_json::{Value, json};

use crate::fake_hub::FakeHub;
use crate::fake_model::FakeModel;
use crate::harness::{World, copy, frozen};
use crate::hub::{put, tree};

/// Where a reader types the commands of a page: a directory of the world, variables of the
/// environment, and what the page shows instead of a text that differs from machine to machine.
#[derive(Default)]
struct Shell {
    dir: &'static str,
    env: Vec<(&'static str, String)>,
    shown_as: Vec<(String, &'static str)>,
}

/// Runs the commands of a page in a copy of the repository's board.
fn page(name: &str, prepare: fn(&World)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let world = World::new();
    std::fs::copy(root.join("seeds.json"), world.path("seeds.json")).expect("copied");
    for dir in ["leaderboard", "examples"] {
        copy(&root.join(dir), &world.path(dir));
    }
    prepare(&world);
    run(&root.join(name), &world, &Shell::default(), false);
}

/// Compares what the commands of `path` print with what the page shows. Commands without output are
/// run only if `all`: elsewhere they are examples that need other files.
fn run(path: &Path, world: &World, shell: &Shell, all: bool) {
    let text = std::fs::read_to_string(path).expect("a page");
    let mut made = String::new();
    let mut dir = world.path(shell.dir);
    let mut seen = 0;
    for (at, part) in text.split("```console\n").enumerate() {
        let Some((block, rest)) = part.split_once("```").filter(|_| at > 0) else {
            made += part;
            continue;
        };
        made += "```console\n";
        // What a command prints may contain a dollar sign, but not at the start of a line.
        let Some(calls) = block.strip_prefix("$ ") else {
            made += &format!("{block}```{rest}");
            continue;
        };
        for call in calls.split_inclusive('\n').fold(Vec::new(), joined) {
            let mut end = call.find('\n').unwrap_or(call.len());
            while call[..end].ends_with('\\') {
                end += 1 + call[end + 1..].find('\n').expect("the end of the command");
            }
            let (command, shown) = call.split_at(end);
            made += &format!("$ {command}\n");
            let command = command.replace("\\\n", " ");
            if !all && shown.trim().is_empty() {
                made += shown.strip_prefix('\n').unwrap_or(shown);
                continue;
            }
            seen += 1;
            if let Some(below) = command.strip_prefix("cd ") {
                dir = dir.join(below);
            } else {
                let printed = printed(&command, &dir, world, shell);
                made += &shorten(&printed, shown.trim_start_matches('\n'));
            }
            if shown.ends_with("\n\n") {
                made += "\n";
            }
        }
        made += "```";
        made += rest;
    }
    assert!(seen > 0, "{} has no command with its output", path.display());
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, &made).expect("written");
    } else if let Some((shown, printed)) =
        text.lines().zip(made.lines()).find(|(shown, printed)| shown != printed)
    {
        panic!("{} shows\n{shown}\nand the program prints\n{printed}", path.display());
    }
}

/// Puts the lines of each command and its output together.
fn joined(mut calls: Vec<String>, line: &str) -> Vec<String> {
    match (line.strip_prefix("$ "), calls.last_mut()) {
        (None, Some(call)) => *call += line,
        (call, _) => calls.push(call.unwrap_or(line).to_owned()),
    }
    calls
}

/// What is printed, without the lines for which the page has a line `…`.
fn shorten(printed: &str, shown: &str) -> String {
    let shown: Vec<&str> = shown.trim_end().lines().collect();
    let Some(before) = shown.iter().position(|line| *line == "…") else {
        return printed.to_owned();
    };
    let after = shown.len() - before - 1;
    let printed: Vec<&str> = printed.lines().collect();
    let kept = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let (before, after) = (before.min(printed.len()), after.min(printed.len()));
    kept(&printed[..before]) + "…\n" + &kept(&printed[printed.len() - after..])
}

/// What a reader sees who types the command.
fn printed(command: &str, dir: &PathBuf, world: &World, shell: &Shell) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_gmat-leaderboard"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().expect("a directory").display());
    let command = command.split("   #").next().unwrap_or_default();
    let ran = Command::new("bash")
        .args(["-c", &format!("({command}) 2>&1")])
        .current_dir(dir)
        .env_clear()
        .env("PATH", path)
        .env("HOME", world.path(""))
        .envs(shell.env.iter().map(|(name, value)| (name, value)))
        .output()
        .expect("bash runs");
    let mut text = String::from_utf8(ran.stdout).expect("text");
    for (own, shown) in &shell.shown_as {
        text = text.replace(own, shown);
    }
    // Ids of commits depend on every byte that was sent.
    let is_commit = |word: &&str| word.len() == 40 && word.bytes().all(|it| it.is_ascii_hexdigit());
    let words = text.clone();
    for word in words.split(|c: char| !c.is_ascii_alphanumeric()).filter(is_commit) {
        text = text.replace(word, "6f2e…");
    }
    if text.is_empty() { text } else { format!("{}\n", text.trim_end()) }
}

#[test]
fn the_tutorial_works_as_written() {
    let world = World::new();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial.md");
    run(&page, &world, &Shell::default(), true);
    let board = world.read("my-board/leaderboard/leaderboard.json");
    let board: Value = serde_json::from_str(&board).expect("JSON");
    assert_eq!(board["entries"][0]["model"], "imaginary/kite-8b", "{board}");
    assert!(board["entries"][0]["held_out"]["pass_rate"].is_f64(), "{board}");
}

/// The answers and votes of a row as a recording tool would write them.
fn recorded(world: &World) {
    let read = |file: &str| -> Value {
        serde_json::from_str(&world.read(&format!("leaderboard/bundles/kite-8b/{file}")))
            .expect("JSON")
    };
    let (prompts, completions, votes) =
        (read("prompts.json"), read("completions.json"), read("judge.json"));
    let (mut answers, mut ballots) = (String::new(), String::new());
    for prompt in prompts.as_array().expect("prompts") {
        let digest = request_digest(prompt["request"].as_str().expect("a request"));
        let key = format!("demo:imaginary/kite-8b:{}", String::from_utf8_lossy(&digest));
        let id = prompt["id"].as_str().expect("an id");
        answers += &format!("{}\n", json!({"id": id, "text": completions[&key]["text"]}));
        ballots += &format!("{}\n", json!({"id": id, "votes": votes[id]}));
    }
    // A model that is not on the board.
    let mut config: Value = serde_json::from_str(&world.read("seeds.json")).expect("JSON");
    let seeds = config["seeds"].as_array_mut().expect("seeds");
    seeds.retain(|seed| seed["model"] != "imaginary/kite-8b");
    world.write("seeds.json", config.to_string());
    world.write("answers.jsonl", answers);
    world.write("votes.jsonl", ballots);
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    page("README.md", |_| {});
}

#[test]
fn the_page_of_analysis_shows_what_the_program_prints() {
    page("docs/analysis.md", |_| {});
}

#[test]
fn the_page_of_lint_shows_what_the_program_prints() {
    page("docs/lint.md", |world| {
        let script = "Create Spacecraft Sat\nSat.DriMass = 850\nCreate ImpulsiveBurn Burn\n\
            Burn.CoordinateSystem = Local\nBurn.Axes = VBN\nBeginMissionSequence\nManeuver Burn(Sat)\n";
        world.write("mission.script", script);
    });
}

#[test]
fn the_page_of_entrants_shows_what_the_program_prints() {
    page("docs/submit.md", recorded);
}

#[test]
fn the_page_of_auditors_shows_what_the_program_prints() {
    page("docs/audit.md", |_| {});
}

#[test]
fn the_page_of_the_firewall_shows_what_the_program_prints() {
    page("docs/firewall.md", |_| {});
}

#[test]
fn the_page_about_changes_shows_what_the_program_prints() {
    page("docs/changed.md", |_| {});
}

/// A git repository with everything in it committed.
fn commit_all(world: &World, dir: &str) {
    let script = "git init -q -b main && git add -A && git -c user.name=x -c user.email=x@example.org commit -qm x";
    let mut git = Command::new("bash");
    let done = git.args(["-c", script]).current_dir(world.path(dir)).status();
    assert!(done.expect("git").success());
}

#[test]
fn the_page_of_recording_shows_what_the_program_prints() {
    let world = World::new();
    copy(&frozen().join("board"), &world.path(""));
    let config = world.read("seeds.json").replace("demo/illustrative", "gpt-4.1-mini");
    world.write("seeds.json", config);
    world.write(".gitignore", "/leaderboard/.cache/\n");
    commit_all(&world, "");
    let model = FakeModel::start(&[]);
    let shell = Shell {
        dir: "",
        env: vec![
            ("OPENAI_BASE_URL", format!("{}/v1", model.origin)),
            ("OPENAI_API_KEY", "k".to_owned()),
        ],
        shown_as: vec![(model.origin.clone(), "https://api.openai.com")],
    };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/eval.md");
    run(&page, &world, &shell, false);
}

#[test]
fn the_page_of_hosts_shows_what_the_program_prints() {
    let world = World::new();
    copy(&frozen().join("board"), &world.path("board"));
    copy(&frozen().join("held-out"), &world.path("board/leaderboard/.cache/heldout"));
    put(&world, "hub/datasets/my-org/held-out/main", &tree(&frozen().join("held-out")));
    world.write("hub/datasets/my-org/held-out/settings.json", "{\"private\": true}");
    // Rows of the example are illustrative; one of them becomes a model with open weights.
    for file in ["seeds.json", "leaderboard/leaderboard.json"] {
        let file = format!("board/{file}");
        world.write(&file, world.read(&file).replace("\"illustrative\"", "\"seed\""));
    }
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    config["seeds"][0]["about"] =
        json!({"weights": "open", "url": "https://huggingface.co/acme/orbit-2"});
    world.write("board/seeds.json", config.to_string());
    world.write("board/.gitignore", "/leaderboard/.cache/\n");
    commit_all(&world, "board");
    let hub = FakeHub::start(world.path("hub"), &[("hf_write", "write")], &[]);
    let git = Command::new("git").arg("--version").output().expect("git").stdout;
    let git = String::from_utf8(git).expect("text").replace("git version", "version");
    let shell = Shell {
        dir: "board",
        env: vec![("HF_ENDPOINT", hub.endpoint.clone()), ("HF_TOKEN", "hf_write".to_owned())],
        shown_as: vec![(hub.endpoint.clone(), "https://huggingface.co"), (git, "version 2.47.3\n")],
    };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hosting.md");
    run(&page, &world, &shell, false);
    assert!(hub.seen().violations.is_empty());
}

/// `scripts/peers gmat-copilot` compares whole boards with the real program; here is the layout of
/// its checkout alone.
#[test]
fn the_page_for_users_of_gmat_copilot_shows_what_the_program_prints() {
    let world = World::new();
    let config = json!({
        "eval_protocol_version": "1", "n_votes": 3, "judge_model": "demo/illustrative",
        "seeds": [{"provider": "demo", "model": "careful", "public_bundle": "tests/data/eval/careful"}],
    });
    world.write("gmat-copilot/leaderboard/seeds.json", config.to_string());
    copy(
        &frozen().join("board/leaderboard/bundles/careful"),
        &world.path("gmat-copilot/tests/data/eval/careful"),
    );
    assert_eq!(world.run(&["build", "--root", "gmat-copilot", "-q"]).code, 0);
    commit_all(&world, "gmat-copilot");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/gmat-copilot.md");
    run(&page, &world, &Shell::default(), true);
}

/// Calls of lists without output that need another program or server; each is tried elsewhere.
const ELSEWHERE: [(&str, &str); 13] = [
    ("psql", "scripts/peers databases"),
    ("duckdb", "scripts/peers databases"),
    ("sqlite3", "sql.rs"),
    ("--reveal", "trust.rs"),
    ("--published", "hub/published.rs"),
    ("sha256sum", "trust.rs"),
    ("cd ", "trust.rs"),
    ("cargo ", "the first build"),
    ("scripts/test", "this test"),
    ("curl ", "release.yml"),
    ("gh ", "release.yml"),
    ("SHA256SUMS", "release.yml"),
    ("tar ", "release.yml"),
];

/// Each call of a list that shows no output, on a board with a year of runs.
#[test]
fn every_listed_call_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let world = World::new();
    let ran = world.run(&["demo", "first", "--entries", "10", "--history", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let run = |n: u8| {
        json!({"run_id": format!("new-{n}"), "run_at": "2026-11-18T12:00:00Z", "model": "acme:m1",
            "aggregate_score": 0.5, "scores": {"datasets": {"x": 0.5}}})
        .to_string()
    };
    world.write("first/board/run.json", run(1));
    world.write("first/board/old-runs/a.jsonl", run(2) + "\n");
    world.write("bin/some-runner", format!("#!/bin/sh\necho '{}'\n", run(3)));
    let runner = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(world.path("bin/some-runner"), runner).expect("executable");
    copy(&world.path("first/held-out"), &world.path("first/board/leaderboard/.cache/heldout"));
    let board = "first/board/leaderboard/leaderboard.json";
    let mut config: Value =
        serde_json::from_str(&world.read("first/board/seeds.json")).expect("JSON");
    config["packs"] = json!([{"id": "reasoning", "tasks": ["toy_arith"], "primary_metric": "acc",
        "scoring_mode": "deterministic"}]);
    world.write("first/board/seeds.json", config.to_string());
    let results = "first/board/results_2026-05-14T12-00-00.123456.json";
    let recorded =
        "tests/data/corpus/lm_eval/fictional__large/results_2026-11-17T09-51-52.001937.json";
    std::fs::copy(root.join(recorded), world.path(results)).expect("copied");
    for args in [
        &["build", "--root", "first/board", "--held-out", "first/held-out", "--seal", "-q"][..],
        &["record", results, "--pack", "reasoning", "--root", "first/board", "-q"],
        &["render", "--root", "first/board", "-q"],
    ] {
        let ran = world.run(args);
        assert_eq!(ran.code, 0, "{}", ran.both());
    }
    world.write("first/board/downloaded.json", world.read(board));
    let (mut seen, mut calls) = (0, 0);
    for page in pages(root) {
        let name = page.strip_prefix(root).expect("below").display().to_string();
        let text = std::fs::read_to_string(&page).expect("a page");
        for block in text.split("```console\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            if block.starts_with("$ ") {
                continue;
            }
            for line in block.lines().filter(|line| !line.is_empty()) {
                calls += 1;
                if ELSEWHERE.iter().any(|(part, _)| line.contains(part)) {
                    continue;
                }
                copy(&world.path("first/board"), &world.path("now"));
                if line.contains("leaderboard build") {
                    std::fs::remove_file(world.path("now/leaderboard/leaderboard.json"))
                        .expect("there");
                }
                let line = line
                    .split("   #")
                    .next()
                    .unwrap_or_default()
                    .replace("BEFORE.json", "$(ls leaderboard/boards | head -n 1)")
                    .replace("--root checkout", "--root .")
                    .replace("--seal FILE", "--seal leaderboard/leaderboard.seal.json")
                    .replace("--held-out DIR", "--held-out leaderboard/.cache/heldout");
                let path = format!("{}:$PATH", world.path("bin").display());
                let call = format!("set -o pipefail; PATH={path}; {line}; echo \"exit $?\"");
                let printed = printed(&call, &world.path("now"), &world, &Shell::default());
                assert!(printed.ends_with("exit 0\n"), "{name}: {line}\n{printed}");
                std::fs::remove_dir_all(world.path("now")).expect("removed");
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen} of {calls} calls");
}

#[test]
fn every_page_with_outputs_is_run() {
    let own = include_str!("docs.rs");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for page in pages(root) {
        let name = page.strip_prefix(root).expect("below").display().to_string();
        let text = std::fs::read_to_string(&page).expect("a page");
        // A block in a list, or without its language, would be left out.
        assert!(!text.contains("\n```\n$ ") && !text.contains(" ```console"), "{name}");
        let is_shown = text.split("```console\n").skip(1).any(|block| {
            let block = block.split("```").next().unwrap_or_default();
            let calls = block.strip_prefix("$ ").map(|block| block.replace("\\\n", " "));
            calls.is_some_and(|it| {
                it.lines().skip(1).any(|line| !line.starts_with("$ ") && !line.is_empty())
            })
        });
        let is_run =
            own.contains(&format!("page(\"{name}\"")) || own.contains(&format!("join(\"{name}\")"));
        assert!(!is_shown || is_run, "{name} shows outputs that no test runs");
        seen += usize::from(is_shown);
    }
    assert!(seen > 5, "{seen} pages with outputs");
}

/// README and the pages of docs.
fn pages(root: &Path) -> Vec<PathBuf> {
    let docs = walkdir::WalkDir::new(root.join("docs")).sort_by_file_name().into_iter();
    let docs = docs.map(|it| it.expect("walked").into_path());
    let docs = docs.filter(|path| path.extension().is_some_and(|it| it == "md"));
    std::iter::once(root.join("README.md")).chain(docs).collect()
}

/// The place of the first use of `term` outside of code and headings.
fn first_use(text: &str, term: &str) -> Option<usize> {
    let mut is_block = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        is_block ^= line.trim_start().starts_with("```");
        if is_block || line.starts_with('#') {
            continue;
        }
        let mut spot = start;
        for (part, words) in line.split('`').enumerate() {
            let lower = words.to_lowercase();
            let is_word = |found: &usize| {
                let end = lower[found + term.len()..].trim_start_matches('s');
                let before = lower[..*found].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '.')
                    && !end.starts_with(|c: char| c.is_alphanumeric() || c == '-')
            };
            let found = lower.match_indices(term).map(|it| it.0).find(|it| is_word(it));
            if let Some(found) = found.filter(|_| part % 2 == 0) {
                return Some(spot + found);
            }
            spot += words.len() + 1;
        }
    }
    None
}

#[test]
fn no_page_uses_a_term_before_it_leads_to_the_glossary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for page in pages(root).iter().filter(|page| !page.ends_with("glossary.md")) {
        let text = std::fs::read_to_string(page).expect("a page");
        let link = text.find("glossary.md)").unwrap_or(text.len());
        for (term, _) in gmat_leaderboard::internals::cli::TERMS {
            // Words that everybody uses in the sense that they have here.
            if ["run", "row", "entry", "vote", "judge", "board", "finding"].contains(term) {
                continue;
            }
            if first_use(&text, term).is_some_and(|at| at < link) {
                let name = page.strip_prefix(root).unwrap_or(page).display();
                wrong.push(format!("{name}: `{term}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "link docs/glossary.md before these terms: {wrong:#?}");
    assert_eq!(first_use("a `bundle`\n# bundle\nbundles here", "bundle"), Some(20));
    assert_eq!(first_use("unbundled", "bundle"), None);
}

/// A row with a private score: passed and total of both sets.
struct Scored {
    model: String,
    private: (u64, u64),
    public: (u64, u64),
}

/// The example of docs/statistics.md, with the numbers of the committed board.
fn worked_example(root: &Path) -> String {
    use gmat_leaderboard::table::significance::{
        benjamini_hochberg, best_case_mcnemar, fisher, newcombe, wilson,
    };
    let board = std::fs::read(root.join("leaderboard/leaderboard.json")).expect("the board");
    let board: Value = serde_json::from_slice(&board).expect("JSON");
    let counts = |cell: &Value| -> Option<(u64, u64)> {
        let total = cell["n_prompts"].as_u64()?;
        // Rates are rounded to three decimals, and a set has far fewer than 1000 prompts.
        let rate = cell["pass_rate"].as_f64()?;
        let passed = (0..=total).min_by(|a, b| {
            let off = |passed: &u64| (f64_of(*passed) / f64_of(total) - rate).abs();
            off(a).total_cmp(&off(b))
        });
        passed.map(|passed| (passed, total))
    };
    let mut rows: Vec<Scored> = Vec::new();
    for entry in board["entries"].as_array().expect("rows") {
        let (Some(private), Some(public)) = (counts(&entry["held_out"]), counts(&entry["public"]))
        else {
            continue;
        };
        let model = entry["model"].as_str().expect("a model").to_owned();
        rows.push(Scored { model, private, public });
    }
    let leader = rows[0].private;
    let p: Vec<f64> = rows[1..]
        .iter()
        .map(|row| best_case_mcnemar(row.private.0, leader.0).max(fisher(row.private, leader)))
        .collect();
    let behind = benjamini_hochberg(&p, 0.05);
    let mut text = "| model | solved | score | 95% range | p against the leader | top group |\n|---|---|---|---|---|---|\n".to_owned();
    for (at, Scored { model, private: (passed, total), .. }) in rows.iter().enumerate() {
        let range = wilson(*passed, *total).expect("an interval");
        let score = f64_of(*passed) / f64_of(*total);
        let (p, top) = match at.checked_sub(1) {
            None => ("–".to_owned(), "yes"),
            Some(at) => (format!("{:.4}", p[at]), if behind[at] { "no" } else { "yes" }),
        };
        text += &format!(
            "| `{model}` | {passed} of {total} | {score:.3} | {:.3} to {:.3} | {p} | {top} |\n",
            range.low, range.high
        );
    }
    let of = |name: &str| rows.iter().find(|row| row.model.ends_with(name)).expect("a row");
    let (first, other) = (&rows[0], of("cram-1"));
    let range = wilson(first.private.0, first.private.1).expect("an interval");
    let gap = |row: &Scored| {
        let range = newcombe(row.public, row.private).expect("an interval");
        let value = f64_of(row.public.0) / f64_of(row.public.1)
            - f64_of(row.private.0) / f64_of(row.private.1);
        (value, range)
    };
    text += &format!(
        "\n`{}` solved {} of {} private prompts. Wilson's interval says that its true score is plausibly between {:.1} % and {:.1} %.\n",
        first.model,
        first.private.0,
        first.private.1,
        range.low * 100.0,
        range.high * 100.0
    );
    for row in [first, other] {
        let (value, range) = gap(row);
        let verdict = if range.low > 0.0 {
            "above 0, so it is marked as likely overfit"
        } else {
            "not above 0, so it is not marked"
        };
        text += &format!(
            "\n`{}` solved {} of {} public prompts, {:+.3} against the private ones. The range of this difference is {:+.3} to {:+.3}: {verdict}.\n",
            row.model, row.public.0, row.public.1, value, range.low, range.high
        );
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "counts of prompts are small")]
fn f64_of(count: u64) -> f64 {
    count as f64
}

#[test]
fn the_worked_example_of_statistics_is_computed() {
    const MARKS: [&str; 2] = ["<!-- made by tests/e2e/docs.rs -->\n", "<!-- end -->"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("docs/statistics.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(MARKS[0]).expect("a mark");
    let (shown, after) = rest.split_once(MARKS[1]).expect("a mark");
    let made = format!("\n{}\n", worked_example(root));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let page = format!("{before}{}{made}{}{after}", MARKS[0], MARKS[1]);
        std::fs::write(&path, page).expect("written");
    } else {
        assert_eq!(shown, made);
    }
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = walkdir::WalkDir::new(root.join("docs"))
        .into_iter()
        .map(|it| it.expect("walked").into_path());
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for page in pages.chain(top).filter(|path| path.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|it| it.0)
        {
            if link.contains("://") {
                continue;
            }
            seen += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let to = if file.is_empty() {
                page.clone()
            } else {
                page.parent().expect("a directory").join(file)
            };
            let is_there =
                to.exists() && (anchor.is_empty() || anchors(&to).iter().any(|it| it == anchor));
            if !is_there {
                wrong.push(format!(
                    "{}: {link}",
                    page.strip_prefix(root).unwrap_or(&page).display()
                ));
            }
        }
    }
    assert!(seen > 40 && wrong.is_empty(), "{seen} links; dead: {wrong:#?}");
}

/// The anchors that a forge gives the headings of a page.
fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    headings
        .map(|heading| {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
            kept.map(|it| if it == ' ' { '-' } else { it }).collect()
        })
        .collect()
}

#[test]
fn every_template_is_listed_with_the_values_it_sees() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/site.md")).expect("the page");
    let table = page.split("what it sees in `page`").nth(1).expect("the table");
    let mut templates = 0;
    for entry in std::fs::read_dir(root.join("templates")).expect("templates") {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let row = table.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/site.md does not list {name}"));
        let text = std::fs::read_to_string(&path).expect("a template");
        for rest in text.split("page.").skip(1) {
            let key: String =
                rest.chars().take_while(|it| it.is_ascii_lowercase() || *it == '_').collect();
            let is_listed = key.is_empty() || row.contains(&format!("`{key}`"));
            assert!(is_listed, "docs/site.md does not list {key} for {name}");
        }
        templates += 1;
    }
    assert!(templates > 15, "{templates}");
}
