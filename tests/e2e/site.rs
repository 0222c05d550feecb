//! `render` and `serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::boards::{self, Shape, board, config, site, world, write_board};
use crate::harness::{World, board_world, copy, frozen};

/// A running preview; ended when dropped.
pub struct Server {
    child: Child,
    address: String,
}

impl Server {
    pub fn start(world: &World, args: &[&str]) -> Self {
        let mut command = world.command(&[&["serve", "--port", "0"], args].concat());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("starts");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("a pipe"));
        assert_ne!(said.read_line(&mut line).expect("says where it is"), 0, "it ended");
        let address = line.trim().rsplit(' ').next().expect("an address").to_owned();
        // What it says later must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Self { child, address }
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    pub fn get(&self, path: &str, host: Option<&str>) -> String {
        let at = self.address.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(at).expect("connects");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", host.unwrap_or(at))
            .expect("asks");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("answers");
        reply
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_site_is_written_and_checked() {
    let world = world(&Shape::default());
    let ran = world.run(&["render", "--base-url", "https://example.org/x/"]);
    assert_eq!(ran.stdout, "wrote 44 file(s) with 5 row(s) to site\nopen site/index.html\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let checked = world.run(&["render", "--base-url", "https://example.org/x", "--check"]);
    assert_eq!(
        (checked.code, checked.stdout.as_str()),
        (0, "checked: 44 file(s) of site are as rendered\n")
    );
    assert!(
        world
            .read("site/sitemap.xml")
            .contains("<loc>https://example.org/x/m/github--vendor-0--model-0.html</loc>")
    );
    assert_eq!(
        world.read("site/robots.txt"),
        "User-agent: *\nAllow: /\nSitemap: https://example.org/x/sitemap.xml\n"
    );

    world.write("site/index.html", world.read("site/index.html").replace("95%", "99%"));
    world.write("site/extra.html", "mine");
    std::fs::remove_file(world.path("site/feed.xml")).expect("removed");
    let drift = world.run(&["render", "--base-url", "https://example.org/x", "--check"]);
    assert_eq!(drift.code, 1);
    for line in [
        "finding[E-SITE]: `extra.html` is not part of the site",
        "finding[E-SITE]: `feed.xml` is missing",
        "finding[E-SITE]: `index.html` differs from what is rendered",
    ] {
        assert!(drift.stdout.contains(line), "{}", drift.stdout);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes_and_the_sums_hold() {
    let world = site(&Shape { rows: 30, ..Shape::default() });
    let ran = world.run(&["render", "-q", "--out", "again"]);
    assert_eq!(ran.code, 0);
    let sums = world.read("site/SHA256SUMS");
    assert_eq!(sums, world.read("again/SHA256SUMS"));
    let checked = std::process::Command::new("sha256sum")
        .args(["-c", "--quiet", "SHA256SUMS"])
        .current_dir(world.path("site"))
        .status();
    assert!(checked.is_ok_and(|status| status.success()));
}

#[test]
fn a_directory_with_somebody_elses_file_is_not_replaced() {
    let world = site(&Shape::default());
    world.write("site/notes.txt", "mine");
    let ran = world.run(&["render"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: `site` contains a file that is not part of a site\n  --> site/notes.txt\n  the whole directory would be replaced\nhelp: move the file away, or name another directory: `--out DIR`\n"
    );
    assert_eq!(world.read("site/notes.txt"), "mine");
    std::fs::remove_file(world.path("site/notes.txt")).expect("removed");
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    let left: Vec<String> = std::fs::read_dir(world.path(""))
        .expect("listed")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_override_replaces_one_file_and_a_mistake_in_it_is_reported() {
    let world = world(&Shape::default());
    world.write("t/404.html", "{% extends \"base.html\" %}{% block title %}Gone{% endblock %}{% block main %}<h1>Gone from {{ site.title }}</h1>{% endblock %}");
    world.write("s/board.css", "body { color: teal }");
    world.write("s/extra/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let ran = world.run(&["render", "-q", "--templates", "t", "--static", "s"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(world.read("site/404.html").contains("<h1>Gone from Test board</h1>"));
    assert!(
        world.read("site/index.html").contains("href=\"board.56728551.css\""),
        "{}",
        world.read("site/404.html")
    );
    assert!(world.exists("site/extra/logo.svg"));

    world.write(
        "t/404.html",
        "{% extends \"base.html\" %}\n{% block main %}\n{{ site.titel }}\n{% endblock %}",
    );
    let slip = world.run(&["render", "--templates", "t"]);
    assert_eq!(slip.code, 2);
    assert!(slip.stderr.starts_with("error: template `404.html` uses `site.titel`, which is not defined\n  --> templates/404.html:3 (override)\n  there is: `base_url`, "), "{}", slip.stderr);

    world.write("t/404.html", "{% block main %}{% endfor %}");
    let broken = world.run(&["render", "--templates", "t"]);
    assert!(
        broken.stderr.starts_with(
            "error: template `404.html` cannot be rendered\n  --> templates/404.html:1 (override)\n"
        ),
        "{}",
        broken.stderr
    );

    world.write("t/idnex.html", "x");
    let stray = world.run(&["render", "--templates", "t"]);
    assert!(stray.stderr.starts_with("error: `idnex.html` overrides nothing\n  a template can be one of: `404.html`, `answers-macros.html`, `base.html`, "), "{}", stray.stderr);
}

#[test]
fn a_template_that_would_take_all_time_or_memory_is_stopped() {
    let world = world(&Shape::default());
    let wide = "a width is at most 1000";
    let long = "the page is longer than 67108864 bytes";
    let text = "x".repeat(2000);
    for (template, words) in [
        ("{{ \"x\\ny\"|indent(999999999) }}".to_owned(), wide),
        ("{{ \"x\\ny\"|indent(width=1001) }}".to_owned(), wide),
        ("{{ \"%999999999d\"|format(1) }}".to_owned(), wide),
        ("{{ \"%*d\"|format(999999999, 1) }}".to_owned(), wide),
        (format!("{{% for n in range(99999) %}}{text}{{% endfor %}}"), long),
        (
            "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
                .to_owned(),
            "ran out of fuel",
        ),
    ] {
        world.write("t/404.html", &template);
        let ran = world.run(&["render", "--templates", "t"]);
        assert_eq!(ran.code, 2, "{template:.80}: {}", ran.both());
        assert!(ran.stderr.contains(words), "{template:.80}: {}", ran.stderr);
        assert!(!world.exists("site"), "{template:.80}");
    }
}

#[test]
fn a_pending_row_has_no_rank_and_a_tie_is_a_range() {
    let world = site(&Shape { rows: 7, ..Shape::default() });
    let csv = world.read("site/leaderboard.csv");
    let last = csv.lines().last().expect("a line");
    assert!(last.starts_with(",,,,github,vendor-6/model-6,seed,,,,,"), "{last}");
    let index = world.read("site/index.html");
    let (_, waiting) = index.split_once("Waiting for the private test").expect("a section");
    assert!(waiting.contains("<td class=\"c-place n\">–</td>\n<th scope=\"row\" class=\"c-name\"><span class=\"who\"><a href=\"m/github--vendor-6--model-6.html\">"), "{index}");
}

#[test]
fn foreign_text_is_escaped_for_its_place() {
    let names =
        ["<script>alert(1)</script>", "=HYPERLINK(\"http://evil\",\"x\")", "../../x", "a\u{202e}b"];
    let world = site(&Shape { rows: 4, names: &names, ..Shape::default() });
    let shown = |path: &String| [".html", ".xml", ".md"].iter().any(|end| path.ends_with(end));
    for (path, bytes) in files(&world).into_iter().filter(|(path, _)| shown(path)) {
        let text = String::from_utf8(bytes).unwrap_or_else(|_| panic!("{path} is text"));
        assert!(!text.contains("<script>alert"), "{path}");
        assert!(!text.contains('\u{202e}'), "{path}");
        assert!(!path.contains(".."), "{path}");
    }
    assert!(world.read("site/index.html").contains("&lt;script&gt;alert(1)&lt;</span>"));
    assert!(world.read("site/index.html").contains("a\\u{202e}b"));
    assert!(
        world
            .read("site/leaderboard.csv")
            .contains(",\"'=HYPERLINK(\"\"http://evil\"\",\"\"x\"\")\",")
    );
}

pub fn files(world: &World) -> Vec<(String, Vec<u8>)> {
    let root = world.path("site");
    walkdir::WalkDir::new(&root)
        .sort_by_file_name()
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let below = entry.path().strip_prefix(&root).expect("below").display().to_string();
            (below, std::fs::read(entry.path()).expect("read"))
        })
        .collect()
}

#[test]
fn the_published_schema_holds_for_the_board_and_refuses_another_key() {
    let world = site(&Shape { rows: 7, ..Shape::default() });
    let read =
        |path: &str| serde_json::from_str::<serde_json::Value>(&world.read(path)).expect("JSON");
    let schema =
        jsonschema::validator_for(&read("site/schema/leaderboard.schema.json")).expect("a schema");
    let mut board = read("site/leaderboard.json");
    assert!(schema.is_valid(&board));
    board["entries"][0]["held_out"]["prompts"] = json!(["secret"]);
    assert!(!schema.is_valid(&board));
    assert_eq!(read("site/v1/index.json")["entries"].as_array().map(Vec::len), Some(7));
}

#[test]
fn a_board_that_claims_endless_prompts_is_rendered_all_the_same() {
    let mut endless = board(&Shape { rows: 5, ..Shape::default() });
    for row in endless["entries"].as_array_mut().expect("rows") {
        row["held_out"]["n_prompts"] = json!(9_007_199_254_740_991_u64);
        row["public"]["n_prompts"] = json!(9_007_199_254_740_991_u64);
    }
    let world = world(&Shape::default());
    write_board(&world, &endless);
    let ran = world.run(&["render", "-q"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn links_of_every_page_lead_somewhere() {
    check_links(&site(&Shape { rows: 250, ..Shape::default() }));
}

/// Every link of the site in `site/` leads to a file, and to a place in it where it names one.
pub fn check_links(world: &World) {
    let files = files(world);
    let known: std::collections::BTreeMap<&str, std::borrow::Cow<'_, str>> =
        files.iter().map(|(path, bytes)| (path.as_str(), String::from_utf8_lossy(bytes))).collect();
    for (path, bytes) in files.iter().filter(|(path, _)| path.strip_suffix(".html").is_some()) {
        let text = String::from_utf8_lossy(bytes);
        for part in text.split("href=\"").skip(1).chain(text.split("src=\"").skip(1)) {
            let link = part.split('"').next().unwrap_or_default();
            let target = link.split(['?', '#']).next().unwrap_or_default();
            if ["https:", "data:", "mailto:"].iter().any(|outside| link.starts_with(outside))
                || target.is_empty()
            {
                continue;
            }
            // 404.html is shown at any path, so its links start at the root of the host.
            let target = match (path.split_once('/'), target.strip_prefix("../")) {
                _ if path == "404.html" => target.trim_start_matches('/').to_owned(),
                (Some(_), Some(top)) => top.to_owned(),
                (Some((dir, _)), None) => format!("{dir}/{target}"),
                (None, _) => target.to_owned(),
            };
            let text = known.get(target.as_str());
            let text = text.unwrap_or_else(|| panic!("{path} links to {link}"));
            // Places on pages of prompts and models come from data.
            let made = target.starts_with("p/") || target.starts_with("m/");
            if let Some((_, place)) = link.split_once('#').filter(|_| made) {
                assert!(text.contains(&format!("id=\"{place}\"")), "{path} links to {link}");
            }
        }
    }
}

#[test]
fn a_change_between_boards_is_on_the_page_and_in_the_feed() {
    let world = world(&Shape { rows: 3, ..Shape::default() });
    let mut old = board(&Shape { rows: 3, ..Shape::default() });
    old["generated_at"] = json!("2026-10-01T00:00:00Z");
    let gone = json!("vendor-0/gone");
    old["entries"][2]["model"] = gone;
    let bytes = serde_json::to_vec(&old).expect("JSON");
    let sha = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&bytes));
    world.write(&format!("leaderboard/boards/{sha}.json"), bytes);
    let line = json!({"board_sha256": sha, "generated_at": "2026-10-01T00:00:00Z", "kind": "board",
        "protocol": "2", "recorded_at": "2026-10-01T00:00:00Z", "rows": 3, "serial": 1});
    let line = format!("{line}\n");
    world.write("leaderboard/history.jsonl", &line);
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    let changes = world.read("site/changes.html");
    let removed =
        "<a href=\"m/github--vendor-0--gone.html\">vendor-0/gone</a> left the board; it had 4%.";
    assert!(changes.contains(removed), "{changes}");
    assert!(changes.contains("</a> entered at 3rd place with 4%.</li>"), "{changes}");
    assert!(world.read("site/feed.xml").contains("Board of Nov 15, 2026: 2 changes"));

    // A row that is gone keeps its page, and the ledger's reason stands on it.
    let gone = "site/m/github--vendor-0--gone.html";
    assert!(world.read(gone).contains("No longer on the board; no reason is recorded."));
    world.write(
        "leaderboard/history.jsonl",
        line + "{\"kind\":\"withdraw\",\"model\":\"vendor-0/gone\",\"protocol\":\"2\",\"provider\":\"github\",\"reason\":\"its author <b>asked</b>\",\"recorded_at\":\"2026-11-02T00:00:00Z\"}\n",
    );
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    let words = "Withdrawn on Nov 2, 2026: its author &lt;b&gt;asked&lt;/b&gt;.";
    assert!(world.read(gone).contains(words), "{}", world.read(gone));
    assert!(world.read("site/index.html").contains(words));
}

#[test]
fn a_board_that_is_none_is_refused() {
    let world = World::new();
    world.write("seeds.json", config().to_string());
    write_board(&world, &json!({"entries": []}));
    let ran = world.run(&["render"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.starts_with("error: `leaderboard/leaderboard.json` is not a board\n"),
        "{}",
        ran.stderr
    );
    assert!(!world.exists("site"));
}

#[test]
fn the_preview_serves_reloads_and_answers_only_this_machine() {
    let world = boards::world(&Shape::default());
    let server = Server::start(&world, &[]);
    let index = server.get("/", None);
    assert!(index.starts_with("HTTP/1.1 200 -\r\nContent-Type: text/html"), "{index}");
    assert!(index.contains("<script src=\"/__reload.js\" defer></script>"));
    assert!(server.get("/nope.html", None).starts_with("HTTP/1.1 404"));
    assert!(server.get("/../seeds.json", None).starts_with("HTTP/1.1 404"));
    assert!(server.get("/", Some("evil.example")).starts_with("HTTP/1.1 403"));
    assert!(server.get("/__version", None).ends_with("\r\n\r\n1"));
    let mut newer = board(&Shape { rows: 6, ..Shape::default() });
    newer["generated_at"] = json!("2026-11-16T00:00:00Z");
    write_board(&world, &newer);
    let patient = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        server.get("/__version", None).ends_with("\r\n\r\n2")
    });
    assert!(patient, "the preview notices a new board");
    assert!(server.get("/", None).contains("Nov 16, 2026"));
}

#[test]
fn the_method_page_says_how_well_public_predicts_held_out() {
    let world = board_world();
    assert_eq!(world.run(&["render", "--root", "board"]).code, 0);
    let page = world.read("board/site/method.html");
    let said =
        "Over the 4 models that have both scores, the public order agrees with the held-out order";
    assert!(page.contains(said), "{page}");
    assert!(page.contains("is never published, so nobody can prepare for it"), "{page}");
}

/// The text between two others, of which the first comes next in `text`.
fn cell<'t>(row: &'t str, class: &str) -> &'t str {
    let (_, rest) = row.split_once(&format!("<td class=\"{class} n")).expect(class);
    let (_, rest) = rest.split_once('>').expect("a tag");
    let cell = rest.split_once("</td>").expect("a cell").0;
    cell.rsplit('>').next().expect("text").trim()
}

/// A number as the page writes it.
fn shown(text: &str) -> Option<f64> {
    let digits = text.trim_start_matches('$').trim_end_matches(['%', '¢', 'k', 'M']);
    let unit = match text.chars().last()? {
        '%' | '¢' => 0.01,
        'k' => 1e3,
        'M' => 1e6,
        _ => 1.0,
    };
    digits.parse::<f64>().ok().map(|number| number * unit)
}

#[test]
fn every_number_of_the_index_is_the_one_in_v1_and_in_the_csv() {
    let world = world(&Shape { rows: 40, ..Shape::default() });
    let mut config: Value = serde_json::from_str(&world.read("seeds.json")).expect("JSON");
    let price = json!({"input": 0.4, "output": 1.6, "date": "2026-11-01", "source": "made up"});
    for at in 0..30 {
        let id = format!("{}:vendor-{}/model-{at}", ["github", "openai", "local"][at % 3], at % 9);
        config["prices"][id] = price.clone();
    }
    world.write("seeds.json", config.to_string());
    assert_eq!(world.run(&["render", "-q"]).code, 0);
    let index = world.read("site/index.html");
    let table = world.read("site/leaderboard.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let heads = reader.headers().expect("a head").clone();
    let lines: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let mut compared = 0;
    for part in index.split("<tr data-slug=\"").skip(1) {
        let (slug, row) = part.split_once('"').expect("a slug");
        let entry: Value =
            serde_json::from_str(&world.read(&format!("site/v1/entries/{slug}.json")))
                .expect("JSON");
        let line = lines
            .iter()
            .find(|line| slug == format!("{}--{}", &line[4], line[5].replace('/', "--")))
            .expect("a line");
        let in_csv = |name: &str| {
            let at = heads.iter().position(|head| head == name).expect(name);
            line[at].parse::<f64>().ok()
        };
        let near = |class: &str, value: Option<f64>, csv: Option<f64>, step: f64| {
            assert_eq!(value, csv, "{slug} {class}");
            let page = shown(cell(row, class));
            match (page, value) {
                (None, None) => {}
                (Some(page), Some(value)) => {
                    assert!(
                        (page - value).abs() <= step * page.max(step) + 1e-9,
                        "{slug} {class}: {page} for {value}"
                    );
                }
                other => panic!("{slug} {class}: {other:?}"),
            }
        };
        let place = entry["place"].as_f64();
        assert_eq!(place, in_csv("place"), "{slug}");
        assert_eq!(shown(cell(row, "c-place")), place, "{slug}");
        for (class, score, passed, prompts) in [
            ("c-score", &entry["heldOut"], "held_out_passed", "held_out_prompts"),
            ("c-public", &entry["public"], "public_passed", "public_prompts"),
        ] {
            let share = |passed: Option<f64>, prompts: Option<f64>| Some(passed? / prompts?);
            let value = share(score["passed"].as_f64(), score["prompts"].as_f64());
            let csv = share(in_csv(passed), in_csv(prompts));
            assert_eq!(value, csv, "{slug} {class}");
            let rounded = score["passed"].as_u64().zip(score["prompts"].as_u64());
            let rounded = rounded.map(|(k, n)| format!("{}%", (200 * k + n) / (2 * n)));
            assert_eq!(cell(row, class), rounded.as_deref().unwrap_or("–"), "{slug} {class}");
        }
        let is_top = entry["topGroup"].as_bool();
        let before = &index[..index.find(&format!("<tr data-slug=\"{slug}\"")).expect("the row")];
        let section = before.rsplit("<tbody class=\"").next().expect("a section").split('"').next();
        let expected = is_top.map_or("waiting", |is_top| if is_top { "top" } else { "behind" });
        assert_eq!(section, Some(expected), "{slug}");
        near("c-cost", entry["costPerSolvedUsd"].as_f64(), in_csv("cost_per_solved_usd"), 0.06);
        near("c-tokens", entry["tokensPerSolved"].as_f64(), in_csv("tokens_per_solved"), 0.06);
        compared += 1;
    }
    assert_eq!(compared, 40);
}

/// What a reader sees of a page, in lower case: no code, drawing or script.
fn visible(page: &str) -> String {
    let mut main = page.split("<main").nth(1).expect("a page").to_owned();
    for tag in ["script", "style", "pre", "code", "svg"] {
        while let Some(start) = main.find(&format!("<{tag}")) {
            let end = main[start..].find(&format!("</{tag}>")).map_or(main.len(), |at| start + at);
            main.replace_range(start..end, "");
            // The closing tag is removed with the other tags.
        }
    }
    let words = main.split('<').filter_map(|tag| tag.split_once('>')).map(|(_, text)| text);
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

#[test]
fn every_term_on_a_page_is_explained_on_the_method_page_it_links_to() {
    let world = board_world();
    copy(&frozen().with_file_name("year"), &world.path("board/leaderboard"));
    assert_eq!(world.run(&["render", "--root", "board", "--out", "site", "-q"]).code, 0);
    let method = world.read("site/method.html");
    let explained = |term: &str| {
        ["dt", "b", "h2", "summary"].iter().any(|tag| {
            let start = format!("<{tag}");
            let parts = method.split(start.as_str()).skip(1);
            let mut texts = parts.filter_map(|part| part.split_once('>')?.1.split('<').next());
            texts.any(|text| text.to_lowercase().contains(term))
        })
    };
    // Words that everybody uses in the sense that they have here; and spacecraft have epochs.
    let plain = ["run", "row", "entry", "vote", "judge", "board", "finding", "epoch", "attempt"];
    let (mut seen, mut missing) = (0, std::collections::BTreeSet::new());
    for page in walkdir::WalkDir::new(world.path("site")).into_iter().filter_map(Result::ok) {
        if page.path().extension().is_none_or(|end| end != "html") {
            continue;
        }
        let text = std::fs::read_to_string(page.path()).expect("a page");
        let name = page.path().display().to_string();
        assert!(text.contains("method.html\""), "{name} does not link to Method");
        let words = format!(" {} ", visible(&text).replace(|c: char| !c.is_alphabetic(), " "));
        for (term, _) in gmat_leaderboard::internals::cli::TERMS {
            let is_used = [format!(" {term} "), format!(" {term}s ")];
            if is_used.iter().any(|it| words.contains(it)) && !plain.contains(term) {
                seen += 1;
                if !explained(term) {
                    missing.insert(format!("{term} in {name}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "explain these in templates/method.html: {missing:#?}");
    assert!(seen > 20, "{seen} uses of terms");
}
