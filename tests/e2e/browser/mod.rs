//! The site in a real Chromium: with and without scripts, at every width, from disk and in a
//! frame. Without Chromium on PATH each test says that it was skipped.

mod answers;
mod budgets;
mod cohorts;
mod compare;
mod derive;
mod devtools;
mod index_page;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use crate::boards::{Shape, site, world};
use crate::harness::World;
use crate::need::skip;
use crate::site::Server;
use devtools::{Browser, Page};

/// One browser for all tests, used by one at a time: several starve each other on a small machine.
static SHARED: Mutex<Option<Browser>> = Mutex::new(None);
/// How many tests use it or wait for it; the last one ends it.
static USERS: AtomicUsize = AtomicUsize::new(0);

/// The shared browser, with a profile of its own for this test.
struct Turn(MutexGuard<'static, Option<Browser>>);

impl Turn {
    fn page(&mut self, width: u32) -> Page<'_> {
        self.0.as_mut().expect("started").page(width)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if USERS.fetch_sub(1, Ordering::SeqCst) == 1 || std::thread::panicking() {
            *self.0 = None;
        }
    }
}

fn browser(test: &str) -> Option<Turn> {
    USERS.fetch_add(1, Ordering::SeqCst);
    let mut turn = Turn(SHARED.lock().unwrap_or_else(PoisonError::into_inner));
    if turn.0.is_none() {
        *turn.0 = Browser::start();
    }
    let Some(browser) = turn.0.as_mut() else {
        skip("chromium", &format!("no chromium on PATH for {test}"));
        return None;
    };
    browser.new_profile();
    Some(turn)
}

fn file(world: &World, below: &str) -> String {
    format!("file://{}", world.path(&format!("site/{below}")).display())
}

const ROWS: &str = "document.querySelectorAll('#board tbody tr[data-slug]').length";
const LAID: &str = "[...document.querySelectorAll('#board tbody tr[data-slug]')].filter((r) => r.getBoundingClientRect().height > 0).length";
const SHOWN: &str = "[...document.querySelectorAll('#board tbody tr[data-slug]')].filter((r) => !r.hidden).map((r) => r.querySelector('.c-name a').textContent).join(' ')";

/// How far what was painted has moved since.
const SHIFTED: &str = "new Promise((done) => { new PerformanceObserver((list) => done(list.getEntries().reduce((sum, shift) => sum + shift.value, 0))).observe({ type: 'layout-shift', buffered: true }); setTimeout(() => done(0), 50); })";

/// Names that a page, a spreadsheet or a file system could take for something else.
fn hostile(long: &str) -> [&str; 8] {
    [
        "<script>alert(1)</script>",
        "=HYPERLINK(\"http://evil\",\"x\")",
        "../../x",
        "evil\u{202e}txt.exe",
        long,
        "🛰️",
        "\"onmouseover=alert(1) x=\"",
        "[x](javascript:alert(1))",
    ]
}

fn quiet(page: &mut Page<'_>, place: &str) {
    let complaints = page.complaints();
    assert!(complaints.is_empty(), "{place}: {}", complaints.join("\n"));
}

#[test]
fn every_page_fits_every_width_and_says_nothing_to_the_console() {
    let Some(mut browser) = browser("widths") else { return };
    let long = "m".repeat(300);
    let hostile = hostile(&long);
    for shape in [
        Shape { rows: 9, names: &hostile, ..Shape::default() },
        Shape { rows: 0, ..Shape::default() },
        Shape { rows: 1, tiers: 0, ..Shape::default() },
        Shape { rows: 5, tiers: 40, ..Shape::default() },
    ] {
        let world = site(&shape);
        // A host shows 404.html at any path, so it needs one.
        let is_own = |page: &String| !page.starts_with("m/") && page != "404.html";
        let mut pages: Vec<String> = pages(&world).into_iter().filter(is_own).collect();
        pages.extend(self::pages(&world).into_iter().filter(|page| page.starts_with("m/")).take(9));
        for width in [320, 390, 1280] {
            let mut page = browser.page(width);
            for (at, path) in pages.iter().enumerate() {
                page.scheme(if at % 2 == 0 { "light" } else { "dark" });
                page.go(&file(&world, path));
                assert_eq!(page.overflow(width), "", "{path} at {width}");
                assert_eq!(page.eval("document.querySelectorAll('h1').length"), json!(1), "{path}");
            }
            quiet(&mut page, &format!("{width}"));
            page.close();
        }
    }
}

#[test]
fn a_year_fits_every_width_and_its_charts_are_read_aloud() {
    let Some(mut browser) = browser("a year") else { return };
    let world = crate::boards::world(&Shape::default());
    world.write("leaderboard/history.jsonl", crate::story::hostile_ledger());
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    for width in [320, 390, 700, 1280] {
        let mut page = browser.page(width);
        for (at, path) in ["trends.html", "changes.html"].into_iter().enumerate() {
            page.scheme(if at % 2 == 0 { "dark" } else { "light" });
            page.go(&file(&world, path));
            page.eval(
                "document.querySelectorAll('details').forEach((one) => { one.open = true; })",
            );
            assert_eq!(page.overflow(width), "", "{path} at {width}");
        }
        page.go(&file(&world, "trends.html"));
        let letters = "Math.min(...[...document.querySelectorAll('.over-time text')].filter((one) => one.getClientRects().length).map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))";
        let smallest = page.eval(letters).as_f64().expect("a size");
        assert!(smallest >= 12.0, "letters of {smallest} px at {width}");
        // Names cover neither each other nor a point.
        let covered = "(() => { const box = (one) => one.getBoundingClientRect(); const names = [...document.querySelectorAll('.labels text, .over-time .end')].filter((one) => one.getClientRects().length); const dots = [...document.querySelectorAll('.over-time :is(a, .dot) :is(circle:not(.hit), rect)')]; const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2; return names.flatMap((one, at) => [...names.slice(at + 1), ...dots].filter((other) => one.closest('.plot') === other.closest('.plot') && meet(box(one), box(other))).map((other) => one.textContent + ' / ' + other.outerHTML)).join('; '); })()";
        assert_eq!(page.eval(covered), json!(""), "{width}");
        let named = "[...document.querySelectorAll('svg[role=img]')].every((one) => one.getAttribute('aria-labelledby').split(' ').every((id) => document.querySelectorAll('#' + id).length === 1 && document.getElementById(id).textContent))";
        assert_eq!(page.eval(named), json!(true));
        quiet(&mut page, &format!("{width}"));
        page.close();
    }
    let mut page = browser.page(1280);
    page.go(&file(&world, "index.html"));
    let parse = "(() => { const d = new DOMParser().parseFromString(FEED, 'application/xml'); return d.querySelector('parsererror') ? 'broken' : d.querySelectorAll('entry').length; })()";
    let feed = json!(world.read("site/feed.xml")).to_string();
    assert!(page.eval(&parse.replace("FEED", &feed)).as_u64().is_some_and(|entries| entries > 10));
    page.close();
}

fn pages(world: &World) -> Vec<String> {
    let root = world.path("site");
    let files = walkdir::WalkDir::new(&root).sort_by_file_name();
    files
        .into_iter()
        .flatten()
        .map(|entry| entry.path().strip_prefix(&root).expect("below").display().to_string())
        .filter(|path| path.strip_suffix(".html").is_some())
        .collect()
}

#[test]
fn without_scripts_every_row_chart_and_word_is_there() {
    let Some(mut browser) = browser("no scripts") else { return };
    let world = site(&Shape { rows: 100, ..Shape::default() });
    let mut page = browser.page(1280);
    page.without_scripts();
    page.go(&file(&world, "index.html"));
    assert_eq!(page.eval(ROWS), json!(100));
    assert_eq!(page.eval("document.querySelectorAll('.plot a[href] > title').length"), json!(86));
    assert_eq!(page.eval("[...document.querySelectorAll('.js-only')].every((e) => e.getClientRects().length === 0)"), json!(true));
    page.go(&file(&world, "compare.html"));
    assert_eq!(page.eval("document.querySelectorAll('#compare thead th').length"), json!(4));
    quiet(&mut page, "no scripts");
    page.close();
}

/// How many pages a PDF has, given in base64.
fn sheets(document: &str) -> usize {
    let bytes = BASE64_STANDARD.decode(document).expect("base64");
    let text: String = bytes.into_iter().map(char::from).collect();
    text.matches("/Type /Page\n").count()
}

#[test]
fn sorting_by_keyboard_filtering_and_the_address_go_together() {
    let Some(mut browser) = browser("controls") else { return };
    let world = site(&Shape { rows: 12, ..Shape::default() });
    let server = Server::start(&world, &[]);
    let mut page = browser.page(1280);
    page.go(&server.url(""));
    let by_score = page.eval(SHOWN);
    let sorted_by = "document.querySelector('[aria-sort]').textContent";
    assert_eq!(page.eval(sorted_by), json!("Score"));

    let direction = "document.querySelector('th.c-public').getAttribute('aria-sort')";
    page.eval("document.querySelector('th.c-public button').focus()");
    page.press("Enter", "\r");
    assert_eq!(page.eval(direction), json!("descending"));
    let ordered = "(() => { const n = [...document.querySelectorAll('#board tbody:not(.waiting) .c-public')].map((c) => Number(c.dataset.v)); return n.length > 5 && n.every((v, i) => i === 0 || n[i - 1] >= v); })()";
    assert_eq!(page.eval(ordered), json!(true));
    page.press("Enter", "\r");
    assert_eq!(page.eval(direction), json!("ascending"));
    assert_eq!(page.eval(ordered), json!(false));

    // The largest gap first; rows that wait stay last, whichever way.
    page.eval("document.querySelector('.menu input[value=gap]').click()");
    for _ in 0..2 {
        page.eval("document.querySelector('th.c-gap button').click()");
        let last = "document.querySelector('#board tbody:last-child').className";
        assert_eq!(page.eval(last), json!("waiting"));
    }

    page.eval("(() => { const q = document.querySelector('#q'); q.value = 'vendor-1'; q.dispatchEvent(new Event('input', {bubbles: true})); })()");
    let found = "document.querySelector('#found').textContent";
    let reported = page.eval(found);
    assert!(
        reported.as_str().is_some_and(|reported| reported.ends_with(" of 12 models")),
        "{reported}"
    );
    let (search, shown) = (page.eval("location.search"), page.eval(SHOWN));
    assert_eq!(search, json!("?sort=gap&dir=asc&columns=gap&q=vendor-1"));
    page.go(&server.url(&format!("index.html{}&other=kept", search.as_str().expect("a query"))));
    assert_eq!((page.eval(SHOWN), page.eval(found)), (shown, reported));

    page.eval("(() => { const q = document.querySelector('#q'); q.value = 'nobody'; q.dispatchEvent(new Event('input', {bubbles: true})); })()");
    assert_eq!(page.eval("document.querySelector('#none').getClientRects().length"), json!(1));
    page.eval("document.querySelector('#clear').click()");
    page.eval("document.querySelector('th.c-score button').click()");
    page.eval("document.querySelector('.menu input[value=gap]').click()");
    assert_eq!(page.eval(SHOWN), by_score);
    assert_eq!(page.eval("location.search"), json!("?other=kept"));
    quiet(&mut page, "controls");
    page.close();
}

#[test]
fn picked_rows_are_compared_and_the_theme_is_kept() {
    let Some(mut browser) = browser("compare") else { return };
    let world = site(&Shape { rows: 12, ..Shape::default() });
    let server = Server::start(&world, &[]);
    let mut page = browser.page(1280);
    page.go(&server.url("index.html"));
    assert_eq!(page.eval("localStorage.length"), json!(0));
    let link = page.eval(
        "document.querySelector('.next a[href^=compare]').href.split(',').slice(0, 2).join(',')",
    );
    page.go(link.as_str().expect("a link"));
    assert_eq!(page.eval("document.querySelectorAll('#compare thead th').length"), json!(3));
    assert_eq!(page.eval("document.querySelectorAll('#pairs .pair').length"), json!(1));

    page.scheme("light");
    let background = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(page.eval(background), json!("rgb(255, 255, 255)"));
    page.scheme("dark");
    assert_eq!(page.eval(background), json!("rgb(15, 19, 24)"));
    page.eval("document.querySelector('#theme').click()");
    assert_eq!(
        page.eval(background),
        json!("rgb(255, 255, 255)"),
        "the choice wins over the system"
    );
    page.go(&server.url("method.html"));
    assert_eq!(page.eval(background), json!("rgb(255, 255, 255)"), "and is kept");
    quiet(&mut page, "compare");
    page.close();
}

#[test]
fn the_site_works_in_a_sandboxed_frame_and_its_feed_is_xml() {
    let Some(mut browser) = browser("frame") else { return };
    let world = site(&Shape { rows: 12, ..Shape::default() });
    let server = Server::start(&world, &["--base-url", "https://example.org/board"]);
    world.write("frame.html", format!(
        "<!DOCTYPE html><title>f</title><body><iframe width=640 height=600 sandbox=\"allow-scripts\" src=\"{}\"></iframe>", server.url("")
    ));
    let mut page = browser.page(1280);
    page.go(&format!("file://{}", world.path("frame.html").display()));
    quiet(&mut page, "frame");
    page.go(&server.url("index.html"));
    let parse = "fetch('feed.xml').then((r) => r.text()).then((t) => new DOMParser().parseFromString(t, 'application/xml')).then((d) => d.querySelector('parsererror') ? 'broken' : d.documentElement.localName + ' ' + d.querySelectorAll('entry').length)";
    assert_eq!(page.eval(parse), json!("feed 1"));
    assert_eq!(
        page.eval(&parse.replace("feed.xml", "sitemap.xml").replace("entry", "url")),
        json!("urlset 19")
    );
    quiet(&mut page, "feed");
    page.close();
}

#[test]
fn a_thousand_rows_are_paged_and_searched_as_one() {
    let Some(mut browser) = browser("a thousand rows") else { return };
    let world = site(&Shape { rows: 1000, ..Shape::default() });
    // Also just above the widths at which columns go.
    for width in [320, 390, 680, 1000, 1280] {
        let mut page = browser.page(width);
        for (path, rows) in [("index.html", 200), ("index-5.html", 200)] {
            page.go(&file(&world, path));
            assert_eq!(page.eval(LAID), json!(rows), "{path}");
            assert_eq!(page.overflow(width), "", "{path} at {width}");
            assert_eq!(page.eval(SHIFTED), json!(0), "{path} at {width}");
        }
        for path in ["compare.html", "m/github--vendor-0--model-0.html"] {
            page.go(&file(&world, path));
            assert_eq!(page.overflow(width), "", "{path} at {width}");
        }
        quiet(&mut page, "a thousand rows");
        page.close();
    }

    let mut page = browser.page(1280);
    page.without_scripts();
    page.go(&file(&world, "index.html"));
    assert_eq!(page.eval(LAID), json!(200), "without scripts");
    let pages = "[...document.querySelectorAll('.pages > *')].map((e) => e.textContent).join(', ')";
    assert_eq!(page.eval(pages), json!("Page 1, Page 2, Page 3, …, Page 5"));
    page.close();

    // A page cannot say who is first of all by another column, so none sorts; the search is over all.
    let mut page = browser.page(1280);
    page.go(&file(&world, "index.html"));
    assert_eq!(page.eval("document.querySelector('#board thead button')"), json!(null));
    page.eval("(() => { const q = document.querySelector('#q'); q.value = 'model-99'; q.dispatchEvent(new Event('input', {bubbles: true})); })()");
    assert_eq!(
        page.eval("document.querySelector('#found').textContent"),
        json!("11 of 1000 models")
    );
    assert_eq!(page.eval("document.querySelectorAll('#hits a').length"), json!(11));
    let opened = page.eval("document.querySelector('#hits a').getAttribute('href')");
    assert!(world.exists(&format!("site/{}", opened.as_str().expect("an address"))), "{opened}");

    // Any rows can be compared; one that is not on the board says so.
    page.go(&file(&world, "compare.html"));
    let slugs = page.eval("JSON.parse(document.querySelector('#compare').dataset.models).rows.slice(-2).map((row) => row.slug).join(',')");
    let slugs = slugs.as_str().expect("slugs");
    page.go(&format!("{}?pick={slugs},absent", file(&world, "compare.html")));
    let columns = "document.querySelectorAll('#compare thead th').length";
    assert_eq!(page.eval(columns), json!(3));
    let unknown = "document.querySelector('#refused').textContent";
    assert_eq!(page.eval(unknown), json!("Not on this board: absent."));
    quiet(&mut page, "a thousand rows, searched");
    page.close();
}

#[test]
fn hostile_names_stay_text_in_feed_sitemap_table_and_address() {
    let Some(mut browser) = browser("hostile names") else { return };
    let long = "m".repeat(300);
    let names = hostile(&long);
    let shape = Shape { rows: 9, names: &names, ..Shape::default() };
    let world = world(&shape);
    let ran = world.run(&["render", "-q", "--base-url", "https://example.org/b&c"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));

    let table = world.read("site/leaderboard.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 9);
    let models: Vec<&str> = rows.iter().map(|row| &row[5]).collect();
    for name in &names {
        let cell = if name.starts_with('=') { format!("'{name}") } else { (*name).to_owned() };
        assert!(models.contains(&cell.as_str()), "{name}");
    }

    let mut page = browser.page(390);
    for (path, root, least) in [("feed.xml", "feed", 1), ("sitemap.xml", "urlset", 16)] {
        let parse = format!(
            "(() => {{ const d = new DOMParser().parseFromString({}, 'application/xml');\
             return d.querySelector('parsererror') ? 'broken' : d.documentElement.localName + ' ' + d.querySelectorAll('script, b').length + ' ' + (d.querySelectorAll('entry, url').length >= {least}); }})()",
            json!(world.read(&format!("site/{path}")))
        );
        page.go("about:blank");
        assert_eq!(page.eval(&parse), json!(format!("{root} 0 true")), "{path}");
    }
    page.go(&format!("{}?pick=%3Cimg%20src=x%20onerror=alert(1)%3E", file(&world, "compare.html")));
    assert_eq!(
        page.eval("document.querySelector('#refused').textContent"),
        json!("Not on this board: <img src=x onerror=alert(1)>.")
    );
    page.go(&format!("{}?q=%3Cscript%3E&sort=__proto__&dir=x", file(&world, "index.html")));
    assert_eq!(page.eval("document.querySelector('#found').textContent"), json!("1 of 9 models"));
    quiet(&mut page, "hostile names");
    page.close();
}
