//! A site out.

use serde_json::Value;

use super::{
    CACHED, FakeHub, Files, SPACE, board, commits, empty_space, recorded, site, space, start,
};
use crate::harness::World;

const PUBLISH: [&str; 5] = ["publish", "--space", SPACE, "site", "--as-is"];
const REPOSITORY: &str = "spaces/gmat/leaderboard";

fn world(arguments: &[&str]) -> (World, Files, FakeHub) {
    let world = World::new();
    board(&world);
    let files = site(&world, &[]);
    empty_space(&world);
    let hub = start(&world, arguments);
    (world, files, hub)
}

/// Publishes under faults that must not show: the Space holds the site, by one commit.
fn recovers(arguments: &[&str]) {
    let (world, files, hub) = world(arguments);
    let ran = hub.run(&world, &PUBLISH);
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    assert_eq!(space(&world), files, "{arguments:?}");
    assert_eq!(commits(&world, REPOSITORY), 2, "{arguments:?}");
    hub.end_well();
}

/// Publishes in vain: the Space is as it was.
fn fails(arguments: &[&str], code: i32, words: &str) {
    let (world, _, hub) = world(arguments);
    let ran = hub.run(&world, &PUBLISH);
    assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    assert_eq!(commits(&world, REPOSITORY), 1, "{arguments:?}");
    hub.end_well();
}

#[test]
fn a_site_is_one_commit_and_no_change_is_none() {
    let (world, files, hub) = world(&[]);
    let plan = hub.run(&world, &[&PUBLISH[..], &["--dry-run"]].concat());
    let listed: Vec<&str> =
        plan.stdout.lines().filter_map(|line| line.strip_prefix("send ")).collect();
    assert_eq!(
        listed,
        ["README.md", "assets/logo.png", "assets/style.css", "data/board.json", "index.html"]
    );
    assert_eq!(commits(&world, REPOSITORY), 1, "a dry run sends nothing");
    let ran = hub.run(&world, &PUBLISH);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("published to gmat/leaderboard, commit "), "{}", ran.stdout);
    assert!(ran.stdout.contains(": 5 changed, 0 deleted, 0 unchanged\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nread back: all 5 files are as sent\nsee http://"), "{ran:?}");
    assert_eq!(space(&world), files);

    let again = hub.run(&world, &PUBLISH);
    assert!(again.stdout.contains("gmat/leaderboard is up to date at "), "{}", again.stdout);
    assert_eq!(commits(&world, REPOSITORY), 2);

    let files = site(&world, &[("data/board.json", "{\"rows\":[1]}\n"), ("new.html", "<p>\n")]);
    std::fs::remove_file(world.path("site/assets/style.css")).expect("removed");
    let ran = hub.run(&world, &[&PUBLISH[..], &["--json"]].concat());
    crate::schemas::holds_text("publish", &ran.stdout);
    let reported: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(reported["changed"], serde_json::json!(["data/board.json", "new.html"]));
    assert_eq!(reported["deleted"], serde_json::json!(["assets/style.css"]));
    assert_eq!(reported["committed"], serde_json::json!(true));
    let mut expected = files;
    expected.remove("assets/style.css");
    assert_eq!(space(&world), expected);
    assert_eq!(commits(&world, REPOSITORY), 3);
    hub.end_well();
}

#[test]
fn a_published_site_is_fetched_as_it_is() {
    let (world, files, hub) = world(&[]);
    assert_eq!(hub.run(&world, &PUBLISH).code, 0);
    let fetch = ["fetch", "--published", SPACE, "--to", "got"];
    let ran = hub.run(&world, &fetch);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for (path, bytes) in &files {
        assert_eq!(&std::fs::read(world.path("got").join(path)).expect(path), bytes);
    }
    let again = hub.run(&world, &fetch);
    assert_eq!(again.code, 2, "{}", again.stderr);
    assert!(again.stderr.contains("`got` is not empty"), "{}", again.stderr);
    hub.end_well();
}

#[test]
fn the_space_is_made_on_request_as_the_hub_s_own_client_makes_it() {
    let world = World::new();
    board(&world);
    let files = site(&world, &[]);
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &PUBLISH);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("`publish --create` makes a Space"), "{}", ran.stderr);
    for _ in 0..2 {
        let ran = hub.run(&world, &[&PUBLISH[..], &["--create"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    assert_eq!(space(&world), files);
    let seen = hub.end_well();

    // What goes over the wire is what the hub's own client sends, but for the parent.
    let Some(golden) = recorded("transcripts/s3_publish_fresh.jsonl") else { return };
    let golden = std::fs::read_to_string(golden).expect("a transcript");
    let golden: Vec<Value> =
        golden.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let body = |requests: &[Value], part: &str| {
        let mut of =
            requests.iter().filter(|it| it["path"].as_str().expect("a path").contains(part));
        of.next().expect(part)["body"].clone()
    };
    for part in ["/preupload/", "/upload/", "/verify", "/repos/create", "/validate-yaml"] {
        assert_eq!(body(&seen.requests, part), body(&golden, part), "{part}");
    }
    let mut commit = body(&seen.requests, "/commit/");
    let header = commit["ndjson"][0]["value"].as_object_mut().expect("a header");
    assert_eq!(header.remove("parentCommit").expect("a parent").as_str().map(str::len), Some(40));
    assert_eq!(commit, body(&golden, "/commit/"));
}

#[test]
fn scores_of_open_models_are_written_for_their_own_pages() {
    let world = crate::harness::board_world();
    let call = ["export", "--root", "board", "--eval-results", "out", "--dataset", "gmat/scripts"];
    let ran = world.run(&call);
    assert_eq!(ran.code, 2, "{}", ran.both());
    assert!(ran.stderr.contains("error: no row of the board has open weights"), "{}", ran.stderr);
    let board = "board/leaderboard/leaderboard.json";
    world.write(board, world.read(board).replace("\"illustrative\"", "\"seed\""));
    let mut config: Value = serde_json::from_str(&world.read("board/seeds.json")).expect("JSON");
    let open = |url: &str| serde_json::json!({"weights": "open", "url": url});
    config["site"] = serde_json::json!({"title": "A: b", "base_url": "https://example.org/b/"});
    for seed in config["seeds"].as_array_mut().expect("seeds") {
        match seed["model"].as_str() {
            Some("careful") => seed["about"] = open("https://huggingface.co/acme/careful"),
            Some("newcomer") => seed["about"] = open("https://example.org/newcomer"),
            _ => seed["about"] = serde_json::json!({"weights": "closed"}),
        }
    }
    world.write("board/seeds.json", config.to_string());
    let ran = world.run(&call);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (
            0,
            "hf upload acme/careful out/demo--careful.yaml .eval_results/gmat-leaderboard.yaml --create-pr\n\
             hf upload OWNER/MODEL out/demo--newcomer.yaml .eval_results/gmat-leaderboard.yaml --create-pr\n"
        ),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("`about.url` of demo:newcomer does not lead"), "{}", ran.stderr);
    let board: Value = serde_json::from_str(&world.read(board)).expect("JSON");
    let date = &board["generated_at"].as_str().expect("a time")[..10];
    let entry = |task: &str, value: &Value, prompts: &Value| {
        format!(
            "- dataset:\n    id: \"gmat/scripts\"\n    task_id: \"{task}\"\n  value: {value}\n  date: \"{date}\"\n  \
             source:\n    url: \"https://example.org/b/m/demo--careful.html\"\n    name: \"A: b\"\n  \
             notes: \"{prompts} prompts, protocol 1, judged by demo/illustrative\"\n"
        )
    };
    let row = &board["entries"][0];
    let of = |task: &str, set: &str| entry(task, &row[set]["pass_rate"], &row[set]["n_prompts"]);
    assert_eq!(
        world.read("out/demo--careful.yaml"),
        of("private", "held_out") + &of("public", "public")
    );
    assert_eq!(world.read("out/demo--newcomer.yaml").matches("task_id").count(), 1);
}

#[test]
fn what_was_published_is_read_back() {
    // A file arrives changed once, then as it was sent; then never.
    recovers(&["--fault", "GET hub:.*/resolve-cache/.*/index.html=corrupt"]);
    let (world, files, hub) =
        world(&["--fault", "GET hub:.*/resolve-cache/.*/index.html=corruptx2"]);
    let ran = hub.run(&world, &PUBLISH);
    assert_eq!(ran.code, 3, "{}", ran.both());
    assert!(ran.stderr.contains("what arrived is not the file `index.html`"), "{}", ran.stderr);
    assert_eq!(space(&world), files, "the commit has landed; the next run finds nothing to send");
    hub.end_well();
}

#[test]
fn passing_trouble_is_waited_out() {
    recovers(&["--fault", "GET hub:.*/revision/=503x2", "--fault", "GET hub:.*/tree/=reset"]);
    recovers(&["--fault", "POST hub:.*/preupload/=503,429:retry-after=0"]);
    recovers(&[
        "--fault",
        "POST hub:.*/objects/batch=500",
        "--fault",
        "PUT cdn:/upload/=500,reset",
    ]);
    recovers(&["--fault", "PUT cdn:/upload/=403"]);
    recovers(&["--fault", "POST hub:.*/verify=503"]);
}

#[test]
fn an_uncertain_commit_is_settled_by_reading_the_head() {
    // It landed although the answer was lost or was another.
    recovers(&["--fault", "POST hub:.*/commit/=lost"]);
    recovers(&["--fault", "POST hub:.*/commit/=badjson"]);
    recovers(&["--fault", "POST hub:.*/commit/=truncate:10"]);
    // It did not land.
    recovers(&["--fault", "POST hub:.*/commit/=503,reset"]);
    recovers(&["--fault", "POST hub:.*/commit/=429:retry-after=0"]);
    // The head moved, or so the hub said.
    recovers(&["--fault", "POST hub:.*/commit/=412x2"]);
    fails(&["--fault", "POST hub:.*/commit/=412x3"], 3, "another job publishes");
    fails(&["--fault", "POST hub:.*/commit/=503x3"], 3, "the hub reports a server error (503)");
}

/// The hub has answered 500 to commits that landed.
#[test]
fn a_commit_that_landed_and_was_called_failed_is_not_sent_again() {
    let (world, files, hub) = world(&["--fault", "POST hub:.*/commit/=late500"]);
    let ran = hub.run(&world, &[&PUBLISH[..], &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let reported: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(reported["committed"], serde_json::json!(true));
    assert_eq!(space(&world), files);
    assert_eq!(commits(&world, REPOSITORY), 2);
    let seen = hub.end_well();
    let sent = seen.calls().iter().filter(|call| call.contains("/commit/")).count();
    assert_eq!(sent, 1, "the commit was sent once");
}

#[test]
fn a_hub_that_refuses_is_reported_with_its_exit_code() {
    fails(
        &["--fault", "POST hub:.*/commit/=403"],
        2,
        "the token lacks the required permission (403)",
    );
    fails(&["--fault", "POST hub:.*/commit/=401"], 2, "does not accept the token (401)");
    fails(&["--fault", "POST hub:.*/preupload/=413"], 2, "refused the request (413)");
    fails(&["--fault", "POST hub:.*/commit/=redirect:{EVIL}/x"], 2, "it answers an upload");
    let (world, _, hub) = world(&[]);
    let ran = hub.run_as(&world, "hf_read", &PUBLISH);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("you must use a write token"), "{}", ran.stderr);
    hub.end_well();
}

fn refused(prepare: impl Fn(&World), words: &str) {
    let (world, _, hub) = world(&[]);
    prepare(&world);
    let ran = hub.run(&world, &PUBLISH);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    assert_eq!(commits(&world, REPOSITORY), 1);
    hub.end_well();
}

#[test]
fn a_site_that_is_none_is_not_sent() {
    refused(
        |world| world.write("site/.env", "x"),
        "`.env`: hidden files are not allowed in a site",
    );
    refused(|world| world.write("site/a/.git/config", "x"), "`.git`");
    refused(
        |world| world.write("site/gold.py", "x"),
        "`gold.py`: this file type is not allowed in a site",
    );
    refused(|world| world.write("site/Index.html", "x"), "only in case");
    refused(
        |world| {
            std::os::unix::fs::symlink("index.html", world.path("site/x.html")).expect("linked");
        },
        "is a link or a device",
    );
    refused(
        |world| std::fs::remove_file(world.path("site/README.md")).expect("removed"),
        "the site lacks `index.html` or `README.md`",
    );
    refused(
        |world| world.write("site/README.md", "---\nsdk: static\ncolorFrom: orange\n---\n"),
        "\"colorFrom\" must be one of",
    );
}

#[test]
fn a_space_that_is_not_static_is_refused() {
    let world = World::new();
    board(&world);
    site(&world, &[]);
    empty_space(&world);
    world.write("hub/spaces/gmat/leaderboard/settings.json", "{\"sdk\": \"gradio\"}");
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &PUBLISH);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("is `gradio`, not `static`"), "{}", ran.stderr);
    hub.end_well();
}

#[test]
fn three_hundred_files_are_asked_about_in_two_questions() {
    let world = World::new();
    board(&world);
    site(&world, &[]);
    for number in 0..300 {
        world.write(&format!("site/p/{number}.html"), format!("<p>{number}\n"));
    }
    empty_space(&world);
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &PUBLISH);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(space(&world).len(), 305);
    let seen = hub.end_well();
    assert_eq!(seen.calls().iter().filter(|call| call.contains("/preupload/")).count(), 2);
}

/// Tries every option that could be thought to help; none may.
fn is_never_sent(prepare: impl Fn(&World), words: &str) {
    let (world, _, hub) = world(&[]);
    prepare(&world);
    std::fs::create_dir(world.path("empty")).expect("made");
    let cases: [&[&str]; 8] = [
        &[],
        &["--create"],
        &["--quiet"],
        &["--json"],
        &["--dry-run"],
        &["--message", "force"],
        &["--board", "./leaderboard/leaderboard.json"],
        &["--held-out", "empty"],
    ];
    for case in cases {
        let ran = hub.run(&world, &[&PUBLISH[..], case].concat());
        assert_eq!(ran.code, 1, "{case:?}: {}", ran.stderr);
        assert!(ran.both().contains(words), "{case:?}: {}", ran.both());
    }
    assert_eq!(commits(&world, REPOSITORY), 1);
    let seen = hub.end_well();
    assert!(seen.requests.is_empty(), "the hub is not even asked");
}

#[test]
fn a_board_that_fails_verify_is_never_sent() {
    is_never_sent(
        |world| {
            let board = world.read("leaderboard/leaderboard.json");
            let tampered = board.replacen("\"rank\": 1", "\"rank\": 2", 1);
            assert_ne!(board, tampered);
            world.write("leaderboard/leaderboard.json", tampered);
        },
        "finding[E-RANK]: ",
    );
}

#[test]
fn a_site_with_another_board_is_never_sent() {
    is_never_sent(
        |world| world.write("site/leaderboard.json", "{}\n"),
        "the board in the site is not the board that was verified",
    );
}

#[test]
fn a_gold_in_any_file_is_never_sent() {
    let hide = |world: &World, path: &str, disguise: fn(&str) -> String| {
        let gold = world.read("held-out/steady/prompts.json");
        let prompts: Value = serde_json::from_str(&gold).expect("JSON");
        let text = disguise(prompts[0]["intent"].as_str().expect("text"));
        let old = std::fs::read(world.path(path)).unwrap_or_default();
        world.write(path, [&old[..], text.as_bytes()].concat());
    };
    let found = "finding[L-TEXT]: contains text of held-out prompt 1 of ";
    is_never_sent(
        |world| hide(world, "site/assets/style.css", |gold| format!("/*{gold}*/")),
        found,
    );
    for (path, disguise) in [
        ("site/index.html", str::to_uppercase as fn(&str) -> String),
        ("site/assets/logo.png", str::to_owned),
    ] {
        let (world, _, hub) = world(&[]);
        hide(&world, path, disguise);
        let ran = hub.run(&world, &PUBLISH);
        assert_eq!(ran.code, 1, "{path}: {}", ran.stderr);
        assert!(ran.stdout.contains(found), "{path}: {}", ran.stdout);
        hub.end_well();
    }
}

#[test]
fn a_site_that_cannot_be_searched_is_never_sent() {
    let (world, _, hub) = world(&[]);
    std::fs::remove_dir_all(world.path(CACHED)).expect("removed");
    std::fs::create_dir(world.path("empty")).expect("made");
    for site in [&["site", "--as-is"][..], &[]] {
        for case in [&[][..], &["--held-out", "empty"], &["--create"], &["--dry-run"]] {
            let ran = hub.run(&world, &[&PUBLISH[..3], site, case].concat());
            assert_eq!(ran.code, 2, "{case:?}: {}", ran.stderr);
            let words = "error: the site cannot be searched for held-out texts: the bundles of \
                1 headline(s) are not at hand\nhelp: fetch them";
            assert!(ran.stderr.contains(words), "{case:?}: {}", ran.stderr);
        }
    }
    let ran = hub.run(&world, &[&PUBLISH[..], &["--held-out", "held-out"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(commits(&world, REPOSITORY), 2);
    hub.end_well();
}

#[test]
fn a_gold_in_the_commit_message_is_never_sent() {
    let (world, _, hub) = world(&[]);
    let prompts: Value =
        serde_json::from_str(&world.read("held-out/steady/prompts.json")).expect("JSON");
    let gold = prompts[0]["request"].as_str().expect("text");
    let args = [&PUBLISH[..], &["--held-out", "held-out", "--message", gold]].concat();
    let ran = hub.run(&world, &args);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("  --> the commit message, "), "{}", ran.stdout);
    assert!(!ran.both().contains(gold), "{}", ran.stderr);
    assert_eq!(commits(&world, REPOSITORY), 1);
    hub.end_well();
}

#[test]
fn a_board_is_rendered_and_published_without_a_directory() {
    let (world, _, hub) = world(&[]);
    let before = super::tree(&world.path(""));
    let ran = hub.run(&world, &["publish", "--space", SPACE, "--held-out", "held-out"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("held-out: 1 headline(s) re-derived\n"), "{}", ran.stdout);
    let sent = space(&world);
    assert_eq!(sent["leaderboard.json"], world.read("leaderboard/leaderboard.json").into_bytes());
    let of_others = |files: &Files| -> Files {
        let others = files.iter().filter(|(path, _)| !path.starts_with("hub/"));
        others.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    };
    let after = super::tree(&world.path(""));
    assert_eq!(of_others(&before), of_others(&after), "publish writes no file");
    let ran = world.run(&["render", "--out", "again", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(sent, super::tree(&world.path("again")), "what render writes");
    hub.end_well();
}

#[test]
fn a_ledger_without_a_board_is_published() {
    let world = World::new();
    let run = |day: &str, score: f64| {
        format!(
            "{{\"runId\":\"r{day}\",\"runAt\":\"2026-05-{day}T12:00:00Z\",\"model\":\"acme:m\",\"aggregateScore\":{score}}}\n"
        )
    };
    world.write("runs.jsonl", run("05", 0.5) + &run("12", 0.6));
    assert_eq!(world.run(&["record", "runs.jsonl"]).code, 0);
    empty_space(&world);
    let hub = start(&world, &[]);
    let publish = ["publish", "--space", SPACE];
    let ran = hub.run(&world, &publish);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(world.run(&["render", "--quiet"]).code, 0);
    let sent = space(&world);
    assert_eq!(sent, super::tree(&world.path("site")), "what render writes");
    let card = String::from_utf8_lossy(&sent["README.md"]).into_owned();
    assert!(card.contains("sdk: static") && card.contains("Last run: May 12, 2026."), "{card}");
    assert!(!sent.contains_key("leaderboard.json"));

    // A ledger that was changed is not sent.
    let ledger = world.read("leaderboard/history.jsonl");
    world.write("leaderboard/history.jsonl", ledger.replace("0.6", "0.9"));
    let ran = hub.run(&world, &publish);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("finding[H-"), "{}", ran.stdout);
    assert_eq!(commits(&world, REPOSITORY), 2);
    hub.end_well();
}

#[test]
fn a_directory_is_sent_only_as_rendered_unless_it_is_wanted_as_it_is() {
    let (world, _, hub) = world(&[]);
    std::fs::remove_dir_all(world.path("site")).expect("removed");
    world.write("own/index.css", "");
    world.write("own/extra/note.txt", "a note\n");
    std::fs::remove_file(world.path("own/index.css")).expect("removed");
    assert_eq!(world.run(&["render", "--static", "own", "--quiet"]).code, 0);
    let publish = ["publish", "--space", SPACE, "site"];
    let refused = |args: &[&str], paths: &[&str]| {
        let ran = hub.run(&world, &[&publish[..], args].concat());
        assert_eq!(ran.code, 1, "{args:?}: {}", ran.stderr);
        for path in paths {
            assert!(ran.stdout.contains(path), "{args:?}: {}", ran.stdout);
        }
        assert!(ran.stdout.contains("--as-is"), "{}", ran.stdout);
        assert_eq!(commits(&world, REPOSITORY), 1);
    };
    refused(&[], &["finding[E-SITE]: `extra/note.txt` is not part of the site"]);
    let same = ["--static", "own", "--dry-run"];
    assert_eq!(hub.run(&world, &[&publish[..], &same].concat()).code, 0);
    let index = world.read("site/index.html");
    world.write("site/index.html", index.replace("</body>", "<p>99%</p></body>"));
    world.write("site/added.html", "<p>hello\n");
    let both = ["`index.html` differs from what is rendered", "`added.html` is not part"];
    refused(&["--static", "own"], &both);
    let ran = hub.run(&world, &[&publish[..], &["--as-is"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(space(&world), super::tree(&world.path("site")));
    hub.end_well();
}

#[test]
fn a_dry_run_says_what_a_space_that_is_to_be_made_would_get() {
    let world = World::new();
    board(&world);
    site(&world, &[]);
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &[&PUBLISH[..], &["--create", "--dry-run"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("send index.html\n"), "{}", ran.stdout);
    let words = "would make gmat/leaderboard and publish to it: 5 changed, 0 deleted, 0 unchanged";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    assert_eq!(hub.run(&world, &[&PUBLISH[..], &["--dry-run"]].concat()).code, 2);
    assert!(!world.exists("hub/spaces/gmat/leaderboard"));
    hub.end_well();
}

#[test]
fn a_held_out_file_is_never_sent() {
    is_never_sent(
        |world| {
            world.write("site/data/x.json", world.read("held-out/steady/prompts.json"));
        },
        "finding[L-TEXT]: `data/x.json` is a file of the held-out set",
    );
}
