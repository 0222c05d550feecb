//! Picking models and comparing them, and the site inside a Space's frame.

use gmat_leaderboard::table::significance::{best_case_mcnemar, fisher, mcnemar};
use serde_json::json;

use super::{browser, file, quiet};
use crate::boards::{Shape, site, world};
use crate::harness::{World, board_world};
use crate::site::Server;

/// The frozen board, rendered: its rows have public answers.
fn rendered() -> World {
    let world = board_world();
    let ran = world.run(&["render", "--root", "board", "--out", "site", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    world
}

/// What the page says, without the controls that need a script.
const SAID: &str = "['#heading', '#shows', '#compare thead', '#compare tbody', '#pairs', '#differ'].map((part) => document.querySelector(part).innerHTML.replace(/\\s+/g, ' ').replace(/> </g, '><').trim())";

#[test]
fn page_and_script_say_the_same_of_the_first_models() {
    let Some(mut browser) = browser("compare, both ways") else { return };
    let world = rendered();
    let mut page = browser.page(1280);
    page.without_scripts();
    page.go(&file(&world, "compare.html"));
    let without = page.eval(SAID);
    // Without a script a list chooses the columns.
    let columns = "[...document.querySelectorAll('.bare thead a')].filter((one) => one.getClientRects().length).map((one) => one.textContent).join(' ')";
    assert_eq!(page.eval(columns), json!("careful steady careless"));
    page.eval("document.querySelectorAll('#bare option').forEach((one, at) => { one.selected = at === 0 || at === 3; })");
    assert_eq!(page.eval(columns), json!("careful memoriser"));
    page.close();
    let mut page = browser.page(1280);
    page.go(&file(&world, "compare.html"));
    let with = page.eval(SAID);
    for (at, part) in without.as_array().expect("parts").iter().enumerate() {
        assert_eq!(*part, with[at], "part {at}");
    }
    let whys = "[...document.querySelectorAll('.differ td.why')].map((one) => one.textContent)";
    let whys = page.eval(whys);
    let whys: Vec<&str> =
        whys.as_array().expect("reasons").iter().filter_map(|why| why.as_str()).collect();
    let names = ["careful: ", "steady: ", "careless: "];
    assert!(
        whys.len() > 5 && whys.iter().all(|why| names.iter().any(|name| why.starts_with(name))),
        "{whys:?}"
    );
    assert!(whys.iter().any(|why| why.contains("Judge: ")), "{whys:?}");
    // Nine prompts at once, then all; or those that one model solves alone.
    let shown = "[...document.querySelectorAll('.differ tbody tr')].filter((one) => one.getClientRects().length).length";
    assert_eq!(page.eval(shown), json!(9));
    page.eval("document.querySelector('#differ-more').click()");
    assert_eq!(page.eval(shown), json!(whys.len()));
    page.eval("document.querySelector('#differ-2').click()");
    let alone = page.eval("document.querySelectorAll('.differ .only-2').length");
    assert_eq!(page.eval(shown), alone);
    assert_eq!(
        page.eval("document.querySelector('label:has(#differ-2)').textContent.trim()"),
        json!(format!("Only steady solves {alone}"))
    );
    let text = "document.querySelector('.pair p').textContent";
    let sentence = "careful solves 9 public prompts that steady does not; steady solves 3 that careful does not; p = 0.15.";
    assert_eq!(page.eval(text), json!(sentence));
    let links =
        "[...document.querySelectorAll('.pair')][0].querySelectorAll('a[href^=\"p/\"]').length";
    assert_eq!(page.eval(links), json!(12));
    assert_eq!(
        page.eval("document.querySelector('#heading').textContent"),
        json!("careful, steady and careless")
    );
    quiet(&mut page, "compare");
    page.close();
}

#[test]
fn a_lead_on_public_prompts_is_as_significant_as_the_pair_below_says() {
    let Some(mut browser) = browser("compare, public") else { return };
    let world = board_world();
    world.run(&["build", "--root", "board", "--drop-headlines"]);
    let ran = world.run(&["render", "--root", "board", "--out", "site", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut page = browser.page(1280);
    page.without_scripts();
    page.go(&file(&world, "compare.html"));
    let without = page.eval(SAID);
    page.close();
    let mut page = browser.page(1280);
    page.go(&file(&world, "compare.html"));
    assert_eq!(page.eval(SAID), without);
    // Counts alone do not show that the first two differ; their answers do.
    let html = world.read("site/compare.html");
    let (_, data) = html.split_once("data-models=\"").expect("the numbers");
    let (data, _) = data.split_once('"').expect("the numbers");
    let mut models: serde_json::Value =
        serde_json::from_str(&data.replace("&quot;", "\"")).expect("JSON");
    for (row, solved) in [(0, 46), (1, 40)] {
        models["rows"][row]["public"] = json!([solved, 51]);
        models["rows"][row]["solved"] = json!("1".repeat(solved) + &"0".repeat(51 - solved));
    }
    world
        .write("site/compare.html", html.replace(data, &models.to_string().replace('"', "&quot;")));
    let pick = format!(
        "{}?pick={},{}",
        file(&world, "compare.html"),
        models["rows"][0]["slug"],
        models["rows"][1]["slug"]
    );
    page.go(&pick.replace('"', ""));
    let said = "document.querySelector('#shows').textContent + document.querySelector('.pair p').textContent";
    let said = page.eval(said);
    let said = said.as_str().expect("text");
    assert!(said.contains(" is significant on the 51 public prompts."), "{said}");
    assert!(said.ends_with("p = 0.031."), "{said}");
    page.close();
}

#[test]
fn the_tests_of_the_script_are_those_of_the_program() {
    let Some(mut browser) = browser("exact tests") else { return };
    let script = include_str!("../../../static/board.js");
    let from = script.find("  function lnFactorials").expect("the tests");
    let functions = script[from..].trim_end().trim_end_matches("})();");
    let mut page = browser.page(400);
    page.go("about:blank");
    let mut expected: Vec<f64> = Vec::new();
    for a in 0..=60 {
        for b in 0..=60 {
            expected.extend([mcnemar(a, b), best_case_mcnemar(a, b), fisher((a, 60), (b, 60))]);
        }
    }
    expected.push(mcnemar(300, 350));
    let ours = page.eval(&format!(
        "(() => {{ {functions}; const all = []; for (let a = 0; a <= 60; a++) for (let b = 0; b <= 60; b++) all.push(mcnemar(a, b), bestCase(a, b), fisher([a, 60], [b, 60])); all.push(mcnemar(300, 350)); return all; }})()"
    ));
    let ours = ours.as_array().expect("numbers");
    assert_eq!(ours.len(), expected.len());
    for (ours, expected) in ours.iter().zip(expected) {
        let ours = ours.as_f64().expect("a number");
        assert!((ours - expected).abs() <= 1e-9 * expected, "{ours} {expected}");
    }
    page.close();
}

#[test]
fn four_models_are_picked_in_order_and_a_fifth_is_refused_in_words() {
    let Some(mut browser) = browser("tray") else { return };
    let world = site(&Shape { rows: 12, ..Shape::default() });
    let server = Server::start(&world, &[]);
    let mut page = browser.page(390);
    page.go(&server.url("index.html"));
    assert_eq!(page.eval("document.querySelector('.tray').hidden"), json!(true));
    let pick = |at: u32| {
        format!(
            "document.querySelectorAll('.board .pick')[{at}].click(); document.querySelector('.tray').innerText.replace(/\\s+/g, ' ')"
        )
    };
    assert_eq!(page.eval(&pick(2)), json!("1 of 4 Clear"));
    assert_eq!(page.eval(&pick(0)), json!("2 of 4 Compare Clear"));
    page.eval(&pick(4));
    page.eval(&pick(5));
    let refused = page.eval(&pick(6));
    let words = "4 models are picked, the most that can be compared. Remove one first.";
    assert!(refused.as_str().expect("words").starts_with(words), "{refused}");
    assert_eq!(page.eval("document.querySelectorAll('.pick:checked').length"), json!(4));
    let link = page.eval("document.querySelector('.tray a').href");
    page.go(link.as_str().expect("a link"));
    // In the order they were picked: the third row first.
    let slugs = "[...document.querySelectorAll('#compare thead a')].map((one) => one.getAttribute('href').slice(2, -5)).join(',')";
    let picked = page.eval("new URLSearchParams(location.search).get('pick')");
    assert_eq!(page.eval(slugs), picked);
    let name = "document.querySelector('#models option:last-child').value";
    let add = format!(
        "(() => {{ const add = document.querySelector('#add'); add.value = {name}; add.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter' }})); return document.querySelector('#refused').textContent; }})()"
    );
    assert_eq!(
        page.eval(&add),
        json!("This page compares at most 4 models. Remove one to add another.")
    );
    page.eval("document.querySelector('#chips button').click()");
    assert_eq!(page.eval(&add), json!(""));
    assert_eq!(page.eval("document.querySelectorAll('#chips .chip').length"), json!(4));
    page.go(&server.url("compare.html?pick=nobody"));
    assert_eq!(
        page.eval("document.querySelector('#refused').textContent"),
        json!("Not on this board: nobody.")
    );
    assert_eq!(page.overflow(390), "");
    quiet(&mut page, "tray");
    page.close();
}

/// Waits until the frame shows a page whose path ends with `end`, then evaluates in it.
fn framed(end: &str, expression: &str) -> String {
    format!(
        "new Promise((done) => {{ const wait = () => {{ const w = document.querySelector('iframe').contentWindow; try {{ if (w.location.pathname.endsWith('{end}') && w.document.readyState === 'complete' && w.document.querySelector('#full')) {{ setTimeout(() => done(((window, document, location) => {expression})(w, w.document, w.location)), 60); return; }} }} catch {{ /* not there yet */ }} setTimeout(wait, 30); }}; wait(); }})"
    )
}

#[test]
fn inside_a_space_theme_address_and_links_are_the_outer_ones() {
    let Some(mut browser) = browser("space") else { return };
    let world = world(&Shape { rows: 12, ..Shape::default() });
    let mut config: serde_json::Value =
        serde_json::from_str(&world.read("seeds.json")).expect("JSON");
    config["site"]["links"] =
        json!([{"text": "Space", "url": "https://huggingface.co/spaces/gmat/board"}]);
    world.write("seeds.json", config.to_string());
    let frame = |address: &str| {
        format!(
            "<!DOCTYPE html><title>outer</title><link rel=icon href=data:,><body><script>var said = []; addEventListener('message', (event) => said.push(event.data));</script><iframe width=900 height=600 sandbox=\"allow-scripts allow-same-origin allow-popups allow-downloads\" src=\"../index.html{address}\"></iframe>"
        )
    };
    let slug = "github--vendor-0--model-0";
    world.write("t/extra/entry.html", frame(&format!("?__theme=dark&__sign=x&go=m/{slug}")));
    world.write("t/extra/compare.html", frame(&format!("?go=compare&pick={slug}")));
    for (at, bad) in
        ["//example.org", "javascript:alert(1)", "m/../x", "https://example.org", "m/x/y"]
            .iter()
            .enumerate()
    {
        world.write(&format!("t/extra/bad-{at}.html"), frame(&format!("?go={bad}")));
    }
    let server = Server::start(&world, &["--static", "t"]);
    let mut page = browser.page(1280);

    page.go(&server.url("extra/entry.html"));
    let entry = format!("m/{slug}.html");
    let seen = "[document.documentElement.dataset.theme, location.search, document.querySelector('#full').hidden, new URL(document.querySelector('#full').href).pathname]";
    assert_eq!(page.eval(&framed(&entry, seen)), json!(["dark", "", false, format!("/{entry}")]));
    assert_eq!(
        page.eval("JSON.stringify(said.at(-1))"),
        json!(format!("{{\"queryString\":\"go=m/{slug}\",\"hash\":\"\"}}"))
    );
    page.eval(&framed(&entry, "document.querySelector('.home').click()"));
    let copied = "(document.querySelector('[data-copy-link]').click(), new Promise((done) => setTimeout(() => done([document.documentElement.dataset.theme, location.search, document.querySelector('[data-copy-link]').textContent]), 200)))";
    let seen = page.eval(&framed("index.html", copied));
    assert_eq!(
        (&seen[0], &seen[1]),
        (&json!("dark"), &json!("")),
        "the theme stays, outside the address"
    );
    let word = seen[2].as_str().expect("a word");
    assert!(["Copied", "https://huggingface.co/spaces/gmat/board"].contains(&word), "{word}");
    let picked = "(document.querySelectorAll('.pick')[1].click(), location.search)";
    assert_eq!(
        page.eval(&framed("index.html", picked)).as_str().map(|query| query.starts_with("?pick=")),
        Some(true)
    );
    assert_eq!(page.eval("said.at(-1).queryString.startsWith('pick=')"), json!(true));

    page.go(&server.url("extra/compare.html"));
    let chips = "[location.search, document.querySelectorAll('#chips .chip').length]";
    assert_eq!(page.eval(&framed("compare.html", chips)), json!([format!("?pick={slug}"), 1]));
    assert_eq!(page.eval("said.at(-1).queryString"), json!(format!("go=compare&pick={slug}")));
    for at in 0..5 {
        page.go(&server.url(&format!("extra/bad-{at}.html")));
        assert_eq!(
            page.eval(&framed("index.html", "document.querySelectorAll('#board').length")),
            json!(1),
            "{at}"
        );
    }
    // Chromium warns of every frame with these rights, which are those of a Space.
    let mut complaints = page.complaints();
    complaints.retain(|complaint| !complaint.contains("can escape its sandboxing"));
    assert!(complaints.is_empty(), "{complaints:?}");
    page.close();
    // Outside a frame there is no link to the full page, and a link is the page's own.
    let mut page = browser.page(1280);
    page.go(&server.url("index.html"));
    assert_eq!(page.eval("document.querySelector('#full').hidden"), json!(true));
    page.close();
}
