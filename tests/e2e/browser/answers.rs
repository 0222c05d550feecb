//! Pages of prompts and models in a browser.

use serde_json::json;

use super::{browser, file, quiet};
use crate::harness::board_world;

#[test]
fn answers_fit_every_width_and_need_no_script() {
    let Some(mut browser) = browser("answers") else { return };
    let world = board_world();
    let ran = world.run(&["render", "--root", "board", "--out", "site", "-q"]);
    assert_eq!((ran.code, ran.both().as_str()), (0, ""));
    for (width, shown) in [(320, "narrow"), (390, "narrow"), (1000, "wide"), (1280, "wide")] {
        let mut page = browser.page(width);
        page.without_scripts();
        for (at, path) in ["prompts.html", "p/bplane_mars_arrival.html", "m/demo--newcomer.html"]
            .into_iter()
            .enumerate()
        {
            page.scheme(if at % 2 == 0 { "dark" } else { "light" });
            page.go(&file(&world, path));
            page.eval(
                "document.querySelectorAll('details').forEach((one) => { one.open = true; })",
            );
            assert_eq!(page.overflow(width), "", "{path} at {width}");
            // A control that needs a script does not show.
            let idle = "[...document.querySelectorAll('.js-only')].filter((one) => one.getClientRects().length).length";
            assert_eq!(page.eval(idle), json!(0), "{path} at {width}");
        }
        // Cells of a model are large enough for a thumb.
        let smallest = "Math.min(...[...document.querySelectorAll('.cells a')].map((one) => one.getBoundingClientRect().width))";
        assert!(page.eval(smallest).as_f64().is_some_and(|px| px >= 28.0), "{width}");
        page.go(&file(&world, "prompts.html"));
        let visible =
            format!("document.querySelector('.matrix-{shown}').getClientRects().length > 0");
        assert_eq!(page.eval(&visible), json!(true), "{width}");
        page.go(&file(&world, "p/bplane_mars_arrival.html"));
        let rows = "[...document.querySelectorAll('.lines > li')].filter((one) => one.getClientRects().length).length";
        assert_eq!(page.eval(rows), json!(5));
        page.eval("document.querySelector('#show-solved').click()");
        assert_eq!(page.eval(rows), json!(1));
        page.eval("document.querySelector('#show-failed').click()");
        assert_eq!(page.eval(rows), json!(4));
        quiet(&mut page, &format!("{width}"));
        page.close();
    }
}

#[test]
fn prompts_are_found_and_ordered() {
    let Some(mut browser) = browser("prompts") else { return };
    let world = board_world();
    let ran = world.run(&["render", "--root", "board", "--out", "site", "-q"]);
    assert_eq!((ran.code, ran.both().as_str()), (0, ""));
    for (width, row) in [(1280, "#matrix tr[data-id]"), (390, "#list li[data-id]")] {
        let mut page = browser.page(width);
        page.go(&file(&world, "prompts.html"));
        let shown = |key: &str| {
            format!(
                "[...document.querySelectorAll('{row}')].filter((one) => one.getClientRects().length).map((one) => one.dataset.{key})"
            )
        };
        let by_tier = page.eval(&shown("id"));
        assert_eq!(by_tier.as_array().map(Vec::len), Some(51), "{width}");
        let order = |how: &str| format!("document.querySelector('#order [value={how}]').click()");
        page.eval(&order("hardest"));
        let solved: Vec<u32> = page
            .eval(&shown("solved"))
            .as_array()
            .expect("counts")
            .iter()
            .filter_map(|count| count.as_str()?.parse().ok())
            .collect();
        assert_eq!(solved.len(), 51);
        assert!(solved.is_sorted(), "{solved:?}");
        page.eval(&order("name"));
        let names = page.eval(&shown("id"));
        let names: Vec<&str> =
            names.as_array().expect("ids").iter().filter_map(|id| id.as_str()).collect();
        assert!(names.is_sorted() && names.len() == 51, "{names:?}");
        page.eval("(() => { const q = document.querySelector('#q'); q.value = 'report'; q.dispatchEvent(new Event('input')); })()");
        let found = page.eval(&shown("id"));
        let found = found.as_array().expect("ids");
        assert!(
            found.len() > 1
                && found.len() < 51
                && found.iter().all(|id| id.as_str().is_some_and(|id| id.contains("report"))),
            "{found:?}"
        );
        page.eval("(() => { const q = document.querySelector('#q'); q.value = 'nothing at all'; q.dispatchEvent(new Event('input')); })()");
        assert_eq!(page.eval("document.querySelector('#none').hidden"), json!(false));
        page.eval("(() => { const q = document.querySelector('#q'); q.value = ''; q.dispatchEvent(new Event('input')); })()");
        page.eval(&order("tier"));
        assert_eq!(page.eval(&shown("id")), by_tier, "{width}");
        // Columns, or cells of a strip: those of the top group, or of the chosen models.
        let cells = if width == 390 { "#list li .strip" } else { "#matrix tbody tr[data-id]" };
        let cells = format!(
            "[...document.querySelector('{cells}').children].slice(-5).filter((one) => one.getClientRects().length).length"
        );
        assert_eq!(page.eval(&cells), json!(5), "{width}");
        page.eval("document.querySelector('#top-only').click()");
        let top = page.eval("document.querySelectorAll('#matrix thead .top').length");
        assert_eq!(page.eval(&cells), top, "{width}");
        page.eval("document.querySelector('#top-only').click()");
        page.eval("document.querySelector('#columns input').click()");
        assert_eq!(page.eval(&cells), json!(4), "{width}");
        assert_eq!(page.eval("location.search.split(',').length"), json!(4), "{width}");
        quiet(&mut page, "prompts");
        page.close();
    }
}
