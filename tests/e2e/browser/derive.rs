//! Rows are re-derived by the page itself: from a server, in a frame, and from dropped files.

use serde_json::{Value, json};

use super::{Page, browser, quiet};
use crate::attacks::{Refused, refused};
use crate::harness::{World, copy, frozen};
use crate::module;
use crate::site::Server;
use crate::verdict::enter;

/// Waits until the page at hand has an answer, at most 40 seconds, and returns it with status, states
/// and codes.
const ANSWER: &str = "new Promise((done) => { const end = Date.now() + 40000; const box = document.querySelector('#derive'); const look = () => (box.dataset.answer && !box.querySelector('[data-run]').disabled) || Date.now() > end ? done({ answer: box.dataset.answer || 'none after 40 s', codes: box.dataset.codes || '', status: box.querySelector('[data-status]').textContent, states: [...box.querySelectorAll('tbody .said')].map((it) => it.textContent).join(' '), derived: [...box.querySelectorAll('tbody tr')].map((it) => [...it.querySelectorAll('.n')].slice(0, 2).map((n) => n.textContent).join('/')).join('; '), findings: box.querySelector('[data-findings]').textContent }) : setTimeout(look, 20); look(); })";
const RUN: &str = "document.querySelector('#derive [data-run]').click()";
/// As a Space shows a site.
const FRAME: &str = "<!DOCTYPE html><title>f</title><iframe width=1000 height=600 sandbox=\"allow-scripts allow-same-origin allow-popups allow-downloads\" src=\"../verify.html\"></iframe>";

fn rendered() -> World {
    // Chromium does not hand out files below /dev, where the directory for temporary files may be.
    let world = World::below(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")));
    copy(&frozen(), &world.path(""));
    let ran = world.run(&["render", "-q", "--root", "board"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    world
}

fn address(world: &World, below: &str) -> String {
    format!("file://{}", world.path(below).display())
}

/// Drops files and folders on the page.
fn drop_on(page: &mut Page<'_>, files: &[String]) {
    page.eval(
        "Object.assign(document.querySelector('#derive').dataset, { answer: '', codes: '' })",
    );
    let data = json!({"items": [], "files": files, "dragOperationsMask": 1});
    for kind in ["dragEnter", "dragOver", "drop"] {
        let event = json!({"type": kind, "x": 200, "y": 200, "data": data});
        page.call("Input.dispatchDragEvent", &event);
    }
}

fn all_reproduced(answer: &Value, rows: usize) {
    assert_eq!(answer["answer"], json!("yes"), "{answer}");
    assert_eq!(answer["states"], json!(vec!["✓ reproduced"; rows].join(" ")), "{answer}");
    let derived = answer["derived"].as_str().expect("counts");
    for (published, derived) in derived.split("; ").filter_map(|it| it.split_once('/')) {
        assert_eq!(published, derived);
    }
    let reported = answer["findings"].as_str().expect("words");
    for words in ["(checked for form only: no held-out", "held-out texts (not searched for"] {
        assert!(reported.contains(words), "{words}: {reported}");
    }
}

#[test]
fn every_row_reproduces_from_a_server_from_disk_and_in_a_frame() {
    let Some(mut browser) = browser("re-deriving") else { return };
    let world = rendered();
    world.write("own/extra/frame.html", FRAME);
    let server = Server::start(&world, &["--root", "board", "--static", "own"]);
    let mut page = browser.page(390);
    page.go(&server.url("verify.html"));
    assert!(page.requested().iter().all(|it| !it.contains("/module.")), "loaded before a click");
    page.eval(RUN);
    all_reproduced(&page.eval(ANSWER), 5);
    assert_eq!(page.overflow(390), "");
    // The row of an entry page alone.
    let slug = page.eval("document.querySelector('#derive tr[data-slug]').dataset.slug");
    let entry = format!("m/{}.html", slug.as_str().expect("a slug"));
    page.go(&server.url(&entry));
    page.eval("document.querySelector('[data-derive]').click()");
    all_reproduced(&page.eval(ANSWER), 1);
    assert_eq!(page.overflow(390), "");
    quiet(&mut page, "from a server");
    page.close();

    // In a Space the site is in a sandboxed frame.
    let mut page = browser.page(1280);
    page.go(&server.url("extra/frame.html"));
    let inside = "document.querySelector('iframe').contentDocument";
    page.eval(&RUN.replace("document", inside));
    all_reproduced(&page.eval(&ANSWER.replace("document", inside)), 5);
    // Chromium warns about every frame with these words, so the log is not empty.
    page.close();

    let mut page = browser.page(1280);
    page.go(&address(&world, "board/site/verify.html"));
    page.eval(RUN);
    let refused = page.eval(ANSWER);
    assert!(refused["findings"].as_str().is_some_and(|it| it.contains("drop")), "{refused}");
    drop_on(&mut page, &[world.path("board/site").display().to_string()]);
    all_reproduced(&page.eval(ANSWER), 5);
    drop_on(&mut page, &[world.path("board/leaderboard").display().to_string()]);
    all_reproduced(&page.eval(ANSWER), 5);
    let bundle = "board/leaderboard/bundles/steady";
    let three = ["prompts.json", "completions.json", "judge.json"];
    let three = three.map(|name| world.path(&format!("{bundle}/{name}")).display().to_string());
    drop_on(&mut page, &three);
    let one = page.eval(ANSWER);
    assert_eq!(one["answer"], json!("yes"), "{one}");
    assert_eq!(one["states"].as_str().map(|it| it.matches("reproduced").count()), Some(1), "{one}");
    quiet(&mut page, "from disk");
    page.close();
}

#[test]
fn a_tampered_board_bundle_or_config_is_named_with_the_codes_of_the_command_line() {
    let Some(mut browser) = browser("tampering") else { return };
    let world = rendered();
    let mut page = browser.page(1280);
    page.go(&address(&world, "board/site/verify.html"));
    let board = "board/leaderboard/leaderboard.json";
    let votes = "board/leaderboard/bundles/careful/judge.json";
    let cases: [(&str, &str, &str); 5] = [
        (board, "\"pass_rate\": 0.9", "\"pass_rate\": 0.8"),
        (board, "\"rank\": 1", "\"rank\": 2"),
        (board, "\"generated_at\"", "\"generated_at\": \"x\", \"generated_at\""),
        (votes, "true", "false"),
        ("board/seeds.json", "\"n_votes\": 3", "\"n_votes\": 5"),
    ];
    for (file, from, to) in cases {
        let kept = world.read(file);
        let tampered = kept.replacen(from, to, 1);
        assert_ne!(kept, tampered, "{file}: {from}");
        world.write(file, tampered);
        let ran = world.run(&["verify", "--root", "board", "--json"]);
        drop_on(&mut page, &[world.path("board").display().to_string()]);
        let answer = page.eval(ANSWER);
        assert_ne!(answer["answer"], json!("yes"), "{file}: {from}");
        let codes = match serde_json::from_str::<Value>(&ran.stdout) {
            Ok(reported) => {
                let findings = reported["findings"].as_array().expect("a list");
                let codes = findings.iter().map(|it| it["code"].as_str().expect("a code"));
                codes.collect::<Vec<_>>().join(" ")
            }
            // The board cannot be read at all.
            Err(_) => String::new(),
        };
        assert_eq!(answer["codes"], json!(codes), "{file}: {from}: {answer}");
        let code = ran.both().split(['[', ']']).nth(1).unwrap_or_default().to_owned();
        let reported = answer["findings"].as_str().expect("words");
        assert!(!codes.is_empty() || reported.contains(&code), "{code}: {reported}");
        world.write(file, kept);
    }
    // An entry that waits for its first build is a note; a copy that no line of the ledger names is not.
    enter(&world, "entry");
    drop_on(&mut page, &[world.path("board").display().to_string()]);
    let answer = page.eval(ANSWER);
    assert_eq!(answer["answer"], json!("yes"), "{answer}");
    assert!(answer["findings"].as_str().is_some_and(|it| it.contains("not built yet")), "{answer}");
    world.write("board/leaderboard/boards/old.json", "{}");
    drop_on(&mut page, &[world.path("board").display().to_string()]);
    assert_eq!(page.eval(ANSWER)["codes"], json!("H-BOARD"));
    quiet(&mut page, "tampering");
    page.close();
}

#[test]
fn what_verify_refuses_the_page_refuses_with_the_same_codes() {
    let Some(mut browser) = browser("attacks") else { return };
    let site = rendered();
    let mut page = browser.page(1280);
    page.go(&address(&site, "board/site/verify.html"));
    let (mut dropped, mut wrong) = (0, Vec::new());
    for Refused { id, world, mut findings, failures } in refused() {
        // A link or a pipe cannot be dropped on a page.
        if module::verify(&world.path("board"), "board/").is_none() {
            continue;
        }
        dropped += 1;
        // As in `rendered`.
        let shown = World::below(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")));
        copy(&world.path("board"), &shown.path("board"));
        drop_on(&mut page, &[shown.path("board").display().to_string()]);
        let answer = page.eval(ANSWER);
        let said = answer["findings"].as_str().unwrap_or_default();
        let mut codes: Vec<&str> =
            answer["codes"].as_str().unwrap_or_default().split_whitespace().collect();
        codes.sort_unstable();
        findings.sort_unstable();
        let is_named = failures.iter().all(|code| said.contains(&format!("[{code}]")));
        if codes != findings || !is_named || answer["answer"] == json!("yes") {
            wrong.push(format!("{id}: {findings:?} {failures:?}, on the page {answer}"));
        }
        // A page without an answer takes 40 seconds.
        if wrong.len() == 3 {
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(dropped >= 30, "{dropped}");
    page.close();
}

#[test]
fn an_answer_of_ones_own_is_scored_with_marks() {
    let Some(mut browser) = browser("own answer") else { return };
    let world = rendered();
    let first = std::fs::read_dir(world.path("board/site/p")).expect("pages").next();
    let first = first.expect("a page").expect("listed").file_name();
    let mut page = browser.page(390);
    page.go(&address(&world, &format!("board/site/p/{}", first.to_string_lossy())));
    let score = |script: &str| {
        format!(
            "(() => {{ const form = document.querySelector('#own'); const result = document.querySelector('[data-result]'); result.replaceChildren(); form.querySelector('textarea').value = {}; form.requestSubmit(); return new Promise((done) => {{ const look = () => result.childElementCount ? done(result.innerHTML) : setTimeout(look, 20); look(); }}); }})()",
            json!(script)
        )
    };
    let reported = page.eval(&score("Create Satelite Sat\n<b>"));
    let reported = reported.as_str().expect("words");
    assert!(reported.contains("<mark>Satelite</mark>") && !reported.contains("<b>"), "{reported}");
    assert!(
        reported.contains("GMAT has no resource type")
            && reported.contains("Fails before the judge"),
        "{reported}"
    );
    assert_eq!(page.overflow(390), "");
    quiet(&mut page, "own answer");
    page.close();
}
