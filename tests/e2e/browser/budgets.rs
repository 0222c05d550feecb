//! What a page may weigh and do, and what must be legible on it, measured in the browser.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::{SHIFTED, browser, file, pages, quiet, sheets};
use crate::boards::{Shape, site};
use crate::harness::board_world;

const MOST_REQUESTS: usize = 5;
const MOST_BYTES: usize = 45_000;
const MOST_SHEETS: usize = 3;

fn packed(bytes: &[u8]) -> usize {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes).expect("packs");
    packed.finish().expect("packs").len()
}

#[test]
fn the_index_is_light_does_not_shift_and_prints_on_three_sheets_with_cost() {
    let Some(mut browser) = browser("budgets") else { return };
    for rows in [1, 100] {
        let world = site(&Shape { rows, ..Shape::default() });
        for width in [390, 1280] {
            let mut page = browser.page(width);
            page.go(&file(&world, "index.html"));
            assert_eq!(page.eval(SHIFTED), json!(0), "{rows} rows at {width}");
            let loaded = page.requested();
            assert!((3..=MOST_REQUESTS).contains(&loaded.len()), "{loaded:?}");
            let files = loaded.iter().map(|url| url.trim_start_matches("file://"));
            let bytes: usize =
                files.map(|file| packed(&std::fs::read(file).expect("a file"))).sum();
            assert!(bytes <= MOST_BYTES, "{rows} rows: {bytes} bytes");
            page.close();
        }
        let mut page = browser.page(1280);
        page.go(&file(&world, "index.html"));
        let printed = page.call("Page.printToPDF", &json!({}));
        let sheets = sheets(printed["data"].as_str().expect("a document"));
        assert!((1..=MOST_SHEETS).contains(&sheets), "{rows} rows: {sheets} sheets");
        // As wide as a sheet of A4 between its margins.
        page.call("Emulation.setEmulatedMedia", &json!({"media": "print"}));
        page.call(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": 702, "height": 1000, "deviceScaleFactor": 1, "mobile": false}),
        );
        let cost = "[...document.querySelectorAll('#board .c-cost')].every((e) => e.getBoundingClientRect().width > 30)";
        assert_eq!(page.eval(cost), json!(true), "{rows} rows: cost in print");
        let tall = "Math.max(...[...document.querySelectorAll('#board tbody tr[data-slug]')].map((e) => e.getBoundingClientRect().height)) <= 24";
        assert_eq!(page.eval(tall), json!(true), "{rows} rows: rows of one line in print");
        page.close();
    }
}

/// A browser prints no colors behind text unless a page asks for them.
#[test]
fn solved_and_failed_differ_in_print() {
    let Some(mut browser) = browser("print") else { return };
    let world = board_world();
    let ran = world.run(&["render", "--root", "board", "--out", "site", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let all = pages(&world);
    let entry = all.iter().find(|page| page.starts_with("m/")).expect("the page of a model");
    for (path, cells) in [(entry.as_str(), ".cell"), ("prompts.html", ".matrix td > a")] {
        let mut page = browser.page(1280);
        page.go(&file(&world, path));
        page.call("Emulation.setEmulatedMedia", &json!({"media": "print"}));
        let kept = format!(
            "(() => {{ const all = [...document.querySelectorAll('{cells}')]; return all.length > 8 && all.every((e) => [null, '::after'].every((part) => getComputedStyle(e, part).printColorAdjust === 'exact')); }})()"
        );
        assert_eq!(page.eval(&kept), json!(true), "{path}");
        page.close();
    }
}

#[test]
fn every_letter_is_large_enough_and_has_contrast() {
    let Some(mut browser) = browser("letters") else { return };
    let faults = concat!("(", include_str!("../../../scripts/look.d/faults.js"), ")().join('; ')");
    let world = board_world();
    let ran = world.run(&["render", "--root", "board", "--out", "site", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.both());
    let all = pages(&world);
    let one = |folder: &'static str| all.iter().find(move |page| page.starts_with(folder));
    // A host shows 404.html at any path, so it needs one.
    let top = all.iter().filter(|page| !page.contains('/') && *page != "404.html");
    let kinds: Vec<&String> = top.chain(one("m/")).chain(one("p/")).collect();
    assert!(kinds.len() >= 10, "{kinds:?}");
    let mut found = Vec::new();
    for width in [320, 1280] {
        let mut page = browser.page(width);
        for scheme in ["light", "dark"] {
            page.scheme(scheme);
            for path in &kinds {
                page.go(&file(&world, path));
                let bad = page.eval(faults);
                if bad != json!("") {
                    found.push(format!("{path} at {width}, {scheme}: {bad}"));
                }
            }
        }
        quiet(&mut page, "letters");
        page.close();
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
