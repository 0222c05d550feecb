//! Several tables on one page, and the pages of packs.

use serde_json::json;

use super::{browser, file, quiet};
use crate::boards::two_cohorts_with_baselines;
use crate::site::Server;

/// The models of one table from top to bottom, as far as they are shown.
fn models(table: &str) -> String {
    format!(
        "[...document.querySelectorAll('{table} tbody tr:not(.group)')].filter((r) => !r.hidden).map((r) => r.cells[1].querySelector('a').textContent).join(' ')"
    )
}

#[test]
fn two_tables_are_sorted_by_the_difference_each_by_itself_and_filtered_together() {
    let Some((mut browser, _one)) = browser("two tables") else { return };
    let world = two_cohorts_with_baselines();
    let server = Server::start(&world, &["--root", "board"]);
    let mut page = browser.page(1280);
    page.go(&server.url(""));
    let heads = "[...document.querySelectorAll('h2.cohort')].filter((h) => !h.hidden).length";
    let sorted = "[...document.querySelectorAll('th[data-sort=delta]')].map((h) => h.getAttribute('aria-sort')).join(' ')";
    assert_eq!(page.eval(heads), json!(2));
    assert_eq!(page.eval(&models("#board")), json!("careful steady careless"));
    assert_eq!(page.eval(&models("#board-2")), json!("memoriser newcomer"));

    page.eval("document.querySelector('#board th[data-sort=delta] button').click()");
    assert_eq!(page.eval(sorted), json!("descending descending"));
    assert_eq!(page.eval(&models("#board")), json!("careful steady careless"));
    page.eval("document.querySelector('#board-2 th[data-sort=delta] button').click()");
    assert_eq!(page.eval(sorted), json!("ascending ascending"));
    assert_eq!(page.eval(&models("#board")), json!("careless steady careful"));
    assert_eq!(
        page.eval(&models("#board-2")),
        json!("memoriser newcomer"),
        "what has none is last"
    );
    assert_eq!(page.eval("location.search"), json!("?sort=delta&dir=asc"));

    page.eval("(() => { const q = document.querySelector('#q'); q.value = 'memo'; q.dispatchEvent(new Event('input', {bubbles: true})); })()");
    assert_eq!(page.eval("document.querySelector('#count').textContent"), json!("1 of 5 models"));
    assert_eq!(page.eval(heads), json!(1), "a table with no row left goes with its heading");
    assert_eq!(page.eval("document.querySelector('#board').getClientRects().length"), json!(0));
    page.go(&server.url("?sort=delta&dir=asc"));
    assert_eq!(page.eval(&models("#board")), json!("careless steady careful"));
    page.eval("document.querySelector('#pick').click()");
    assert_eq!(page.eval("document.querySelectorAll('.board input').length"), json!(5));
    quiet(&mut page, "two tables");
    page.close();
}

/// The difference of every row as it is shown: in its column, or under the name.
const DIFFERENCES: &str = "[...document.querySelectorAll('.board tbody tr:not(.group)')].map((r) => { \
    const column = r.querySelector('.d'); \
    if (column.getClientRects().length) return column.firstChild.data; \
    const under = getComputedStyle(r.cells[1], '::after'); \
    return under.display === 'block' && under.content.startsWith('\"Δ ') ? r.cells[1].dataset.d.split(',')[0] : 'hidden'; \
    }).join(' ')";

#[test]
fn two_tables_and_packs_fit_every_width_without_scripts_too() {
    let Some((mut browser, _one)) = browser("cohorts") else { return };
    let world = two_cohorts_with_baselines();
    let pack = r#"{"packs": [{"id": "p", "tasks": ["task-with-a-long-name|0", "u|5"], "primary_metric": "acc", "scoring_mode": "deterministic"}],"#;
    world.write("board/seeds.json", world.read("board/seeds.json").replacen('{', pack, 1));
    for (day, model) in [(14, "org/some-model-with-a-rather-long-name-70b"), (15, "m")] {
        world.write(
            &format!("r/results_2026-05-{day}T12-00-00.json"),
            format!("{{\"config_general\": {{\"model_name\": \"{model}\"}}, \"results\": {{\"task-with-a-long-name|0\": {{\"acc\": 0.5}}, \"u|5\": {{\"acc\": 0.{day}}}}}}}"),
        );
    }
    assert_eq!(world.run(&["record", "r", "--pack", "p", "--root", "board", "-q"]).code, 0);
    assert_eq!(world.run(&["render", "--root", "board", "--out", "site", "-q"]).code, 0);
    for width in [320, 390, 480, 680, 810, 1160, 1280] {
        let mut page = browser.page(width);
        page.go(&file(&world, "index.html"));
        let says = page.eval(DIFFERENCES);
        assert_eq!(says, json!("0.0 −13.4 −40.0 0.0 –"), "the difference at {width}");
        for path in ["index.html", "packs/p.html", "m/demo--newcomer.html", "compare.html"] {
            page.go(&file(&world, path));
            assert_eq!(page.overflow(width), "", "{path} at {width}");
        }
        quiet(&mut page, &format!("{width}"));
        page.close();
    }
    let mut page = browser.page(1280);
    page.without_scripts();
    page.go(&file(&world, "index.html"));
    assert_eq!(page.eval("document.querySelectorAll('table.board').length"), json!(2));
    assert_eq!(
        page.eval("document.querySelectorAll('table.board tbody tr:not(.group)').length"),
        json!(5)
    );
    page.close();
}
