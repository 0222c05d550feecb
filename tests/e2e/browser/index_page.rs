//! The first page: what fits on the first screen, how tall rows are, and labels that cover nothing.

use serde_json::{Value, json};

use super::{Page, browser, file, quiet};
use crate::boards::{Shape, site};
use crate::boards::{board, config, write_board};
use crate::harness::World;

/// A board of `rows` scored rows with prices, and names of 4 to 60 letters.
fn priced(rows: usize) -> World {
    let words = ["Vega", "Lodestar Coder", "Kestrel", "Northern Aster Thinking Preview", "Basalt"];
    let names: Vec<String> = (0..rows)
        .map(|at| {
            let mut name = format!("{} {at}", words[at % words.len()]);
            if at % 11 == 5 {
                name.push_str(&" long".repeat(8));
            }
            name.chars().take(60).collect::<String>().trim_end().to_owned()
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut board = board(&Shape { rows, names: &names, ..Shape::default() });
    let mut config = config();
    let mut prices = serde_json::Map::new();
    for (at, row) in board["entries"].as_array_mut().expect("rows").iter_mut().enumerate() {
        if at % 5 != 4 {
            let id = format!("{}:{}", text(&row["provider"]), text(&row["model"]));
            let dollars = [0.05, 0.4, 1.5, 0.15, 6.0, 0.8, 3.0][at * 3 % 7];
            let price = json!({"input": dollars, "output": dollars * 4.0, "date": "2026-11-01", "source": "made up"});
            prices.insert(id, price);
        }
    }
    config["prices"] = prices.into();
    let world = World::new();
    world.write("seeds.json", config.to_string());
    write_board(&world, &board);
    let ran = world.run(&["render", "-q"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    world
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn height(page: &mut Page<'_>, width: u32, height: u32) {
    let phone = width < 600;
    let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone});
    page.call("Emulation.setDeviceMetricsOverride", &size);
}

/// How many elements that match a selector lie inside the window.
fn on_screen(selector: &str) -> String {
    format!(
        "[...document.querySelectorAll('{selector}')].filter((e) => {{ const r = e.getBoundingClientRect(); return r.height > 0 && r.top >= 0 && r.bottom <= innerHeight; }}).length"
    )
}

#[test]
fn the_first_screen_answers_the_questions() {
    let Some(mut browser) = browser("the first screen") else { return };
    let world = priced(30);
    for (width, high, rows) in [(1280, 800, 2), (390, 844, 1)] {
        let mut page = browser.page(width);
        height(&mut page, width, high);
        page.go(&file(&world, "index.html"));
        assert_eq!(page.eval(&on_screen("h1")), json!(1), "the question at {width}");
        assert_eq!(page.eval(&on_screen(".cards .card")), json!(3), "the answers at {width}");
        let seen = page.eval(&on_screen("#board tbody tr[data-slug]")).as_u64().expect("a number");
        assert!(seen >= rows, "{seen} rows at {width}");
        if width == 1280 {
            assert_eq!(page.eval(&on_screen(".plot svg")), json!(1), "the chart");
            let tall = page.eval("document.documentElement.scrollHeight").as_u64();
            assert!(tall.is_some_and(|tall| tall <= 2_100), "{tall:?} px");
        }
        let rows = "Math.max(...[...document.querySelectorAll('#board tbody tr[data-slug]')].map((r) => r.getBoundingClientRect().height))";
        let tallest = page.eval(rows).as_f64().expect("a height");
        assert!(tallest <= if width == 1280 { 40.0 } else { 53.0 }, "{tallest} px at {width}");
        quiet(&mut page, "the first screen");
        page.close();
    }
    for width in [320, 390, 768, 1000, 1280] {
        let mut page = browser.page(width);
        page.go(&file(&world, "index.html"));
        let costs = "[...document.querySelectorAll('td.c-cost')].every((c) => c.getBoundingClientRect().width > 0)";
        assert_eq!(page.eval(costs), json!(true), "cost at {width}");
        assert_eq!(page.overflow(width), "", "{width}");
        page.close();
    }
}

/// Pairs of labels, and of labels and points, that cover each other; labels outside the drawing.
const COVERED: &str = "(() => { \
    const shown = (e) => e.getClientRects().length > 0; \
    const labels = [...document.querySelectorAll('.labels text')].filter(shown).map((e) => [e.textContent, e.getBoundingClientRect()]); \
    const dots = [...document.querySelectorAll('.plot a circle:not(.hit)')].map((e) => ['point', e.getBoundingClientRect()]); \
    const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2; \
    const bad = []; \
    labels.forEach(([name, box], at) => { \
        for (const [other, rect] of [...labels.slice(at + 1), ...dots]) if (meet(box, rect)) bad.push(name + ' / ' + other); \
        if (box.right > innerWidth || box.left < 0) bad.push(name + ' sticks out'); \
    }); \
    return [labels.length, bad.join('; ')]; })()";

#[test]
fn no_label_covers_a_point_or_another_label() {
    let Some(mut browser) = browser("labels") else { return };
    for rows in [3, 10, 30, 100] {
        let world = priced(rows);
        for width in [320, 390, 768, 1000, 1280] {
            let mut page = browser.page(width);
            page.go(&file(&world, "index.html"));
            let found = page.eval(COVERED);
            assert_eq!(found[1], json!(""), "{rows} rows at {width}");
            assert!(found[0].as_u64().is_some_and(|labels| labels > 0), "{rows} rows at {width}");
            let sizes = "Math.min(...[...document.querySelectorAll('.plot text')].filter((e) => e.getClientRects().length).map((e) => parseFloat(getComputedStyle(e).fontSize)))";
            assert!(page.eval(sizes).as_f64().is_some_and(|size| size >= 12.0));
            page.close();
        }
        let mut page = browser.page(1280);
        page.without_scripts();
        page.go(&file(&world, "index.html"));
        let named = "[...document.querySelectorAll('.plot a')].every((a) => a.querySelector('title').textContent && a.getAttribute('aria-label') && a.getAttribute('href'))";
        assert_eq!(page.eval(named), json!(true), "every point has a name and leads somewhere");
        page.close();
    }
}

#[test]
fn small_boards_say_what_they_are() {
    let Some(mut browser) = browser("small boards") else { return };
    let mut page = browser.page(1280);
    let world = site(&Shape { rows: 0, ..Shape::default() });
    page.go(&file(&world, "index.html"));
    let said = "document.querySelector('.entered').textContent";
    assert_eq!(page.eval(said), json!("No model has entered yet."));

    let world = World::new();
    world.write("seeds.json", config().to_string());
    let mut one = board(&Shape { rows: 7, ..Shape::default() });
    let waiting = one["entries"].as_array_mut().expect("rows").pop().expect("the one that waits");
    one["entries"] = json!([waiting]);
    one["entries"][0]["rank"] = json!(1);
    write_board(&world, &one);
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    page.go(&file(&world, "index.html"));
    assert_eq!(
        page.eval(said),
        json!(
            "1 model entered: model-6 solves 14 of 51 public prompts (27%, 17–41). The private test is pending."
        )
    );
    let absent = "document.querySelectorAll('.plot, .cards, #tools, .c-place, .c-public, a[href^=compare]').length";
    assert_eq!(page.eval(absent), json!(0), "nothing that needs two scored rows");
    assert_eq!(
        page.eval("document.querySelector('th.c-score').textContent"),
        json!("Public score, not ranked")
    );
    quiet(&mut page, "small boards");
    page.close();
    for width in [320, 390] {
        let mut page = browser.page(width);
        page.go(&file(&world, "index.html"));
        assert_eq!(page.overflow(width), "", "one pending row at {width}");
        page.close();
    }
}
