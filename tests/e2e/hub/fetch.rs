//! A private dataset in.

use super::{DATASET, FakeHub, Files, dataset, start, tree};
use crate::harness::{World, finish};

const FETCH: [&str; 5] = ["fetch", "--dataset", DATASET, "--to", "cache"];

/// A world with the dataset and a hub that meets these faults.
fn world(arguments: &[&str]) -> (World, Files, FakeHub) {
    let world = World::new();
    let files = dataset(&world);
    let hub = start(&world, arguments);
    (world, files, hub)
}

/// Fetches under one fault, which must not show in the result.
fn recovers(arguments: &[&str]) {
    let (world, files, hub) = world(arguments);
    let ran = hub.run(&world, &FETCH);
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    assert_eq!(tree(&world.path("cache")), files);
    hub.end_well();
}

/// Fetches in vain; nothing half-written may lie there.
fn fails(arguments: &[&str], code: i32, words: &str) {
    let (world, files, hub) = world(arguments);
    let ran = hub.run(&world, &FETCH);
    assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    for (path, bytes) in tree(&world.path("cache")) {
        assert_eq!(files.get(&path), Some(&bytes), "{path}");
    }
    hub.end_well();
}

#[test]
fn a_dataset_arrives_whole_and_only_changes_move_after_that() {
    let (world, mut files, hub) = world(&["--page-size", "4"]);
    let ran = hub.run(&world, &FETCH);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let reported = "cache holds 9 file(s), 13361 bytes, at";
    assert!(ran.stdout.contains(reported), "{}", ran.stdout);
    assert!(ran.stdout.contains(": 9 downloaded, 0 removed\n"), "{}", ran.stdout);
    assert_eq!(tree(&world.path("cache")), files);

    let again = hub.run(&world, &FETCH);
    assert!(again.stdout.contains(": 0 downloaded, 0 removed\n"), "{}", again.stdout);
    let seen = hub.end_well();
    let last = seen.calls().pop().expect("a call");
    assert_eq!(last, "GET /api/datasets/gmat/heldout/revision/main", "nothing changed: one call");

    world.write("hub/datasets/gmat/heldout/main/index.json", "{}\n");
    std::fs::remove_file(world.path("hub/datasets/gmat/heldout/main/deep/1/2/3/4/leaf.txt"))
        .expect("removed");
    files.insert("index.json".to_owned(), b"{}\n".to_vec());
    files.remove("deep/1/2/3/4/leaf.txt");
    world.write("cache/mine.txt", "a file of the user's\n");
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &[&FETCH[..], &["--dry-run"]].concat());
    assert_eq!(ran.stdout, "download index.json\nremove deep/1/2/3/4/leaf.txt\n");
    let ran = hub.run(&world, &[&FETCH[..], &["--json"]].concat());
    crate::schemas::holds_text("fetch", &ran.stdout);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let moved: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(moved["downloaded"], serde_json::json!(["index.json"]));
    assert_eq!(moved["removed"], serde_json::json!(["deep/1/2/3/4/leaf.txt"]));
    assert!(!world.exists("cache/deep"), "folders that became empty go too");
    files.insert("mine.txt".to_owned(), b"a file of the user's\n".to_vec());
    assert_eq!(tree(&world.path("cache")), files);
    hub.end_well();
}

#[test]
fn passing_trouble_is_waited_out() {
    recovers(&["--fault", "GET hub:.*/revision/=503x2"]);
    recovers(&["--fault", "GET hub:.*/tree/=html503,reset", "--page-size", "3"]);
    recovers(&["--fault", "GET hub:.*/resolve/.*index.json=500,504,408"]);
    recovers(&["--fault", "GET cdn:/repos/=truncate:5000,503,reset"]);
    recovers(&["--fault", "GET hub:.*/resolve-cache/.*=corrupt,reset,truncate:3"]);
    recovers(&["--fault", "GET hub:.*/resolve-cache/.*README.md=slow:2:1"]);
    recovers(&["--fault", "GET hub:.*/tree/=badjson"]);
    recovers(&["--fault", "GET cdn:/repos/=403"]);
    recovers(&["--fault", "GET cdn:/repos/=oversize:70000"]);
}

#[test]
fn a_rate_limit_is_obeyed() {
    let faults = "GET hub:.*/revision/=429:retry-after=1,429:ratelimit=0";
    let (world, files, hub) = world(&["--fault", faults]);
    let started = std::time::Instant::now();
    let ran = hub.run(&world, &FETCH);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(started.elapsed().as_secs_f64() >= 3.0, "1 + 1 and 0 + 1 seconds were asked for");
    assert!(ran.stderr.contains("the hub answered 429 at "), "{}", ran.stderr);
    assert!(ran.stderr.contains("; again in 2.0 s\n"), "{}", ran.stderr);
    assert_eq!(tree(&world.path("cache")), files);
    hub.end_well();
    fails(
        &["--fault", "GET hub:.*/revision/=429:retry-after=9999"],
        3,
        "rate-limiting requests (429)",
    );
}

#[test]
fn a_failure_that_lasts_is_reported_with_its_exit_code() {
    fails(
        &["--fault", "GET hub:.*/revision/=503x6"],
        3,
        "error: the hub reports a server error (503)\n",
    );
    fails(&["--fault", "GET hub:.*/resolve/.*index.json=resetx6"], 3, "cannot be reached");
    fails(&["--fault", "GET hub:.*/resolve-cache/.*index.json=corruptx2"], 3, "`index.json`");
    fails(&["--fault", "GET cdn:/repos/e9=oversize:5x2"], 3, "more than its 10240 bytes");
    fails(&["--fault", "GET hub:.*/tree/=badjsonx6"], 3, "unexpected response from the hub");
    fails(&["--fault", "GET hub:.*/revision/=401"], 2, "does not accept the token (401)");
    fails(&["--fault", "GET hub:.*/resolve/.*index.json=404"], 2, "(404)");
    fails(&["--fault", "GET hub:.*/revision/=409"], 2, "refused the request (409)");
}

#[test]
fn a_stalled_hub_is_given_up() {
    let (world, _, hub) = world(&["--fault", "GET hub:.*/revision/=stall:4000"]);
    let mut args = FETCH.to_vec();
    args.extend(["--retries", "0", "--timeout", "1"]);
    let mut command = world.command(&args);
    command.env("HF_ENDPOINT", &hub.endpoint).env("HF_TOKEN", super::TOKEN);
    let ran = finish(&mut command, None);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("time-out: "), "{}", ran.stderr);
}

#[test]
fn a_regular_file_is_taken_from_the_hub_alone() {
    let redirect = "GET hub:.*/resolve/.*index.json=redirect:{EVIL}/x";
    fails(&["--fault", redirect], 2, "it leads to another host");
    let redirect = "GET hub:.*/revision/=redirect:{EVIL}/x";
    fails(&["--fault", redirect], 2, "it leads to another host");
    let redirect = "GET hub:.*/tree/=redirect:ftp://a/x";
    fails(&["--fault", redirect], 2, "it is neither http nor https");
}

#[test]
fn a_link_to_another_host_gets_nothing() {
    recovers(&["--page-size", "4", "--link-origin", "EVIL"]);
}

#[test]
fn two_thousand_files_come_in_three_pages() {
    let world = World::new();
    for number in 0..2000 {
        let path = format!("hub/datasets/gmat/heldout/main/f{number:04}.txt");
        world.write(&path, format!("{number}\n"));
    }
    world.write("hub/datasets/gmat/heldout/main/z/last.txt", "last\n");
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &[&FETCH[..], &["--jobs", "16"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(tree(&world.path("cache")).len(), 2001);
    let seen = hub.end_well();
    let pages = seen.calls().iter().filter(|call| call.contains("/tree/")).count();
    assert_eq!(pages, 3);
}

#[test]
fn hostile_names_are_refused_before_the_first_download() {
    for name in ["../evil.txt", "/evil", "a\\b", "c:x", "INDEX.json", "index.json", "index.json/x"]
    {
        let entry = serde_json::json!([
            {"type": "file", "path": name, "oid": "0".repeat(40), "size": 6}
        ]);
        let world = World::new();
        dataset(&world);
        let extra = "hub/datasets/gmat/heldout/extra_tree.json";
        world.write(extra, entry.to_string());
        let hub = start(&world, &[]);
        let ran = hub.run(&world, &FETCH);
        assert_eq!(ran.code, 2, "{name}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("names in the listing that are refused: 1"),
            "{name}: {}",
            ran.stderr
        );
        assert!(!world.exists("evil.txt"));
        assert!(tree(&world.path("cache")).is_empty());
        let seen = hub.end_well();
        assert!(!seen.calls().iter().any(|call| call.contains("/resolve/")), "{name}");
    }
}

#[test]
fn an_unknown_kind_of_entry_and_a_huge_file_are_refused() {
    for (entry, words) in [
        (
            serde_json::json!({"type": "unknown", "path": "x", "oid": "0".repeat(40), "size": 1}),
            "unexpected response from the hub",
        ),
        (
            serde_json::json!({"type": "file", "path": "x", "oid": "0".repeat(40), "size": 1_u64 << 40}),
            "above the limit",
        ),
    ] {
        let world = World::new();
        dataset(&world);
        let extra = "hub/datasets/gmat/heldout/extra_tree.json";
        world.write(extra, serde_json::json!([entry]).to_string());
        let hub = start(&world, &[]);
        let ran = hub.run(&world, &FETCH);
        assert!(ran.code == 2 || ran.code == 3, "{}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        assert!(tree(&world.path("cache")).is_empty());
        hub.end_well();
    }
}

#[test]
fn a_public_dataset_is_a_leak_unless_it_has_graduated() {
    let world = World::new();
    let files = dataset(&world);
    world.write("hub/datasets/gmat/heldout/settings.json", "{\"private\": false}");
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &FETCH);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let reported = "finding[L-STORE]: the dataset `gmat/heldout` is not private\n";
    assert!(ran.stdout.contains(reported), "{}", ran.stdout);
    assert!(!world.exists("cache"));
    let ran = hub.run(&world, &[&FETCH[..], &["--allow-public-store"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(tree(&world.path("cache")), files);
    hub.end_well();
}

#[test]
fn each_refusal_has_its_words() {
    let (world, _, hub) = world(&[]);
    for (token, dataset, words) in [
        ("hf_wrong", DATASET, "error: the hub does not accept the token (401)\n"),
        (
            "hf_none",
            DATASET,
            "error: the repository does not exist, or this token may not see it (404)\n",
        ),
        (
            "hf_read",
            "gmat/other",
            "error: the repository does not exist, or this token may not see it (404)\n",
        ),
        ("", DATASET, "error: the hub requires a token (401)\n"),
    ] {
        let ran = hub.run_as(&world, token, &["fetch", "--dataset", dataset, "--to", "cache"]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let ran = hub.run(&world, &[&FETCH[..], &["--revision", "a/b"]].concat());
    assert!(ran.stderr.contains("error: the revision does not exist (404)\n"), "{}", ran.stderr);
    let ran = hub.run_as(&world, "hf_read", &FETCH);
    assert_eq!(ran.code, 0, "a token that reads is enough: {}", ran.stderr);
    hub.end_well();
}

#[test]
fn the_token_file_will_do() {
    let (world, files, hub) = world(&[]);
    world.write(".cache/huggingface/token", format!("{}\n", super::TOKEN));
    let ran = finish(hub.command(&world, &FETCH).env_remove("HF_TOKEN"), None);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(tree(&world.path("cache")), files);
    hub.end_well();
}

#[test]
fn a_file_that_fetch_did_not_write_is_never_replaced() {
    let (world, _, hub) = world(&[]);
    world.write("cache/index.json", "written by hand\n");
    let ran = hub.run(&world, &FETCH);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("would replace `index.json`"), "{}", ran.stderr);
    assert_eq!(world.read("cache/index.json"), "written by hand\n");
    assert_eq!(tree(&world.path("cache")).len(), 1);
    hub.end_well();
}

#[test]
fn a_symlink_in_the_cache_leads_nowhere() {
    let (world, _, hub) = world(&[]);
    world.write("outside/task.json", "theirs\n");
    std::fs::create_dir_all(world.path("cache/bundles")).expect("made");
    std::os::unix::fs::symlink(world.path("outside"), world.path("cache/bundles/b001"))
        .expect("linked");
    let ran = hub.run(&world, &FETCH);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert_eq!(tree(&world.path("outside")).len(), 1);
    assert_eq!(world.read("outside/task.json"), "theirs\n");
    hub.end_well();
}

#[test]
fn a_file_may_become_a_folder_and_back() {
    let world = World::new();
    let main = "hub/datasets/gmat/heldout/main";
    world.write(&format!("{main}/a"), "file\n");
    world.write(&format!("{main}/b/c"), "folder\n");
    let hub = start(&world, &[]);
    assert_eq!(hub.run(&world, &FETCH).code, 0);
    hub.end_well();
    std::fs::remove_dir_all(world.path(main)).expect("removed");
    world.write(&format!("{main}/a/x"), "folder\n");
    world.write(&format!("{main}/b"), "file\n");
    let hub = start(&world, &[]);
    let ran = hub.run(&world, &FETCH);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let files = tree(&world.path("cache"));
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a/x", "b"]);
    hub.end_well();
}
