//! Rows under several judges, and the pages of packs.

use serde_json::json;

use super::{browser, file, quiet};
use crate::boards::two_cohorts_with_baselines;
use crate::site::Server;

/// The models of the board from top to bottom.
const MODELS: &str = "[...document.querySelectorAll('#board tbody tr[data-slug]')].map((r) => r.querySelector('.c-name a').textContent).join(' ')";

#[test]
fn rows_under_another_judge_are_on_a_page_of_their_own() {
    let Some(mut browser) = browser("two judges") else { return };
    let world = two_cohorts_with_baselines();
    let server = Server::start(&world, &["--root", "board"]);
    let mut page = browser.page(1280);
    page.go(&server.url(""));
    assert_eq!(page.eval(MODELS), json!("careful steady careless"));
    let tabs =
        "[...document.querySelectorAll('.tabs a')].map((tab) => tab.textContent).join(' / ')";
    assert_eq!(
        page.eval(tabs),
        json!(
            "Judged by demo/illustrative, 3 votes: 3 models / Judged by other/strict, 1 vote: 2 models"
        )
    );
    let other = page.eval("document.querySelector('.tabs a:not([aria-current])').href");
    page.go(other.as_str().expect("an address"));
    assert_eq!(page.eval(MODELS), json!("memoriser newcomer"));
    assert_eq!(page.eval("document.querySelectorAll('.tabs [aria-current]').length"), json!(1));
    quiet(&mut page, "two judges");
    page.close();
}

#[test]
fn two_judges_and_packs_fit_every_width() {
    let Some(mut browser) = browser("cohorts") else { return };
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
        for path in
            ["index.html", "judge-2.html", "packs/p.html", "m/demo--newcomer.html", "compare.html"]
        {
            page.go(&file(&world, path));
            assert_eq!(page.overflow(width), "", "{path} at {width}");
        }
        quiet(&mut page, &format!("{width}"));
        page.close();
    }
}

/// What the page of two runs shows, in columns: badges, whether each is one box, and the difference
/// of the score.
const PAIR: &str = "(() => {
  const shown = (part) => [...document.querySelectorAll('#two-runs ' + part)].filter((one) => one.getClientRects().length);
  const badges = shown('thead .marks b');
  const scroll = document.querySelector('section.scroll');
  return {
    heading: document.querySelector('#heading').textContent,
    badges: badges.map((one) => one.innerText.trim()).join(' '),
    broken: badges.filter((one) => one.getClientRects().length !== 1).length,
    cut: scroll.scrollWidth - scroll.clientWidth,
    words: shown('tbody tr:first-child > *').map((one) => one.textContent).join(' '),
  };
})()";

#[test]
fn two_runs_of_a_pack_are_compared_at_every_width() {
    let Some(mut browser) = browser("two runs") else { return };
    let world = crate::packs::world();
    let again = world.read("r/results_2026-05-15T12-00-00.json").replace("0.8", "0.80004");
    world.write("r/results_2026-05-18T12-00-00.json", again);
    assert_eq!(world.run(&["record", "r", "--pack", "reasoning", "-q"]).code, 0);
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    for width in [390, 500, 1280] {
        let mut page = browser.page(width);
        page.go(&file(&world, "compare/reasoning.html"));
        let shown = page.eval(PAIR);
        let expected = json!({
            "heading": "org/first and org/second", "badges": "Reproducible Comparable Reproducible Comparable",
            "broken": 0, "cut": 0, "words": "Score 0.550 0.700 +0.150",
        });
        assert_eq!(shown, expected, "at {width}");
        assert_eq!(page.overflow(width), "", "at {width}");
        quiet(&mut page, &format!("two runs at {width}"));
        page.close();
    }
    // Two runs of one model: the heading has their dates, and a small difference is not 0.
    let mut page = browser.page(1280);
    page.go(&file(&world, "compare/reasoning.html"));
    page.eval(
        "for (const [id, date] of [['first', '15'], ['second', '18']]) {
           const select = document.querySelector('#' + id);
           select.value = [...select.options].find((one) => one.textContent === 'org/second, May ' + date + ', 2026').value;
           select.dispatchEvent(new Event('change'));
         }",
    );
    let shown = page.eval(PAIR);
    assert_eq!(shown["heading"], "org/second: May 15, 2026 and May 18, 2026");
    assert_eq!(shown["words"], "Score 0.700 0.700 +0.00003");
    // The address leads to the same pair.
    let address = page.eval("location.href");
    page.go(address.as_str().expect("an address"));
    assert_eq!(page.eval(PAIR), shown);
    quiet(&mut page, "two runs of one model");
    page.close();
}
