//! The static site. [`render`] is pure: board, config, evidence, earlier boards, ledger and program
//! version in, paths and bytes out. The same input gives the same bytes, so `verify --site` can
//! compare a published site file by file.
//!
//! `workspace` loads these inputs from disk; `serve` shows the result on loopback.

mod assets;
mod badge;
mod card;
mod changes;
mod chart;
mod data;
mod engine;
mod error;
mod format;
mod history_data;
mod trends;
mod view;

pub(crate) use assets::{Files, Overrides, schema};
pub(crate) use assets::{built_in, is_built_in};
pub(crate) use chart::{rank_figure, trend_figure};
pub(crate) use error::SiteError;

use std::collections::BTreeMap;

use assets::Assets;
use changes::{BoardChanges, steps};
use engine::Engine;
use serde::Serialize;
use serde_json::json;
use trends::{Known, Ledger, Trends};
use view::{DataFile, EventLine, SiteView, happened};

use crate::board::{Board, Row};
use crate::domain::config::Config;
use crate::domain::sha256;
use crate::facts::{Answers, Facts, Replays, RowFacts, Score, places};
use crate::ledger::{Checkpoint, History, Instant};

/// Renders `text` as a user's index page with a few values. Nothing is kept: it must not panic, hang or
/// take much memory.
#[cfg(not(sealed))]
pub fn try_template(text: &[u8]) {
    let templates = Files::from([("index.html".to_owned(), text.to_vec())]);
    let overrides = Overrides { templates, ..Overrides::default() };
    let page = serde_json::json!({
        "title": "<b>Board</b>", "rows": [{"model": "a", "rate": "0.5"}, {"model": "b", "rate": ""}],
    });
    let Ok(assets) = Assets::load(&overrides) else { return };
    let Ok(engine) = Engine::new(&assets, &serde_json::json!({ "base_url": "" })) else { return };
    let _ = engine.page("index.html", "index.html", &page);
}

/// Everything a site is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inputs<'a> {
    /// The board.
    pub board: &'a Board,
    /// The bytes of the board as published; they are copied and hashed as they are.
    pub bytes: &'a [u8],
    /// The config: texts, seeds, prices.
    pub config: &'a Config,
    /// Its bytes as committed; they are published, because the board is checked against them.
    pub config_bytes: &'a [u8],
    /// What the bundles show, in the order of the board; rows may be missing.
    pub evidence: &'a Replays<'a>,
    /// The boards before this one with their hashes, oldest first.
    pub before: &'a [(Board, String)],
    /// What the ledger says: baselines, and rows that were taken off.
    pub history: &'a History,
    /// Size and root of the ledger; `None` where there is none.
    pub head: Option<Checkpoint>,
    /// The seal of the board and its signature, by path.
    pub seal: &'a [(String, Vec<u8>)],
    /// What the user brings in place of built-in files.
    pub overrides: &'a Overrides,
    /// Where the site will live, in place of the config's.
    pub base_url: Option<&'a str>,
    /// The version of this program.
    pub version: &'a str,
}

impl<'a> Inputs<'a> {
    fn facts(&self) -> Result<Facts<'a>, SiteError> {
        Facts::derive(self.board, self.config, self.evidence, self.history)
            .map_err(SiteError::Baselines)
    }
}

/// Makes every file of the site, sorted by path.
pub(crate) fn render(inputs: &Inputs<'_>) -> Result<Vec<(String, Vec<u8>)>, SiteError> {
    let assets = Assets::load(inputs.overrides)?;
    let facts = inputs.facts()?;
    let pin = inputs.config.public_pin.as_deref();
    let answers = Answers::derive(&facts, inputs.evidence, pin);
    let site = SiteView::new(inputs, &facts, !answers.prompts.is_empty(), &sha256(inputs.bytes));
    let engine = Engine::new(&assets, &site)?;
    let mut boards: Vec<(&Board, String)> =
        inputs.before.iter().map(|(board, sha)| (board, sha.clone())).collect();
    boards.push((inputs.board, site.board_sha.clone()));
    let gone = view::tombstones(inputs.board, inputs.before, inputs.history.withdrawals());
    let known = known_models(&facts, &gone, inputs);
    let steps = steps(&boards, inputs.history.withdrawals(), &known);
    let ledger = Ledger::new(inputs, &known);
    let trends = Trends::derive(ledger);
    let happened = happened(&ledger, trends.as_ref());
    let mut out = Output { engine: &engine, files: assets.files(true).collect() };

    out.put("leaderboard.json", inputs.bytes.to_vec());
    out.files.extend(inputs.seal.iter().cloned());
    out.put("v1/config.json", inputs.config_bytes.to_vec());
    out.put("v1/board.js", data::board_script(inputs.config_bytes, inputs.bytes));
    out.put("leaderboard.csv", data::csv(&facts));
    out.put("v1/index.json", data::index(&site, &facts));
    out.put("v1/history.json", history_data::history(&steps, inputs.head, trends.as_ref()));
    out.page("feed.xml", "feed.xml", &FeedPage::new(&steps, &happened))?;
    let downloads = downloads(&out.files);

    for stone in &gone {
        out.page("withdrawn.html", &format!("m/{}.html", stone.slug), stone)?;
    }
    for page in view::index_pages(&facts, &answers, &gone) {
        out.page("index.html", &page.path, &page)?;
    }
    let history = Histories::from_boards(&boards);
    for (at, row) in facts.rows.iter().enumerate() {
        let page =
            view::entry_page(&site, &facts, &answers, at, history.of_row(row, trends.as_ref()));
        out.page("entry.html", &format!("m/{}.html", row.slug), &page)?;
        out.put(format!("v1/entries/{}.json", row.slug), data::entry(&site, row));
        out.put(format!("badge/{}.svg", row.slug), badge::badge(row));
    }
    out.answers(&facts, &answers)?;
    out.packs(&facts, inputs.config)?;
    out.page("compare.html", "compare.html", &view::compare_page(&facts, &answers))?;
    out.page(
        "method.html",
        "method.html",
        &view::method_page(&facts, inputs.config, inputs.history),
    )?;
    let module = assets.module();
    out.page("verify.html", "verify.html", &view::verify_page(&facts, &answers, &module))?;
    out.page("changes.html", "changes.html", &view::changes_page(&steps, &happened))?;
    if let Some(trends) = &trends {
        out.page("trends.html", "trends.html", &view::trends_page(trends))?;
    }
    out.page("data.html", "data.html", &view::data_page(downloads, &facts))?;
    out.page("submit.html", "submit.html", &view::submit_page(&facts, inputs.config, &answers))?;
    out.page("404.html", "404.html", &json!({}))?;
    out.put("README.md", card::card(&site, inputs.config));
    out.finish(&site)
}

/// Makes the site of a ledger without a board: trends, models, weeks, changes and packs. The board
/// of `inputs` has no rows.
pub(crate) fn render_ledger(inputs: &Inputs<'_>) -> Result<Vec<(String, Vec<u8>)>, SiteError> {
    let assets = Assets::load(inputs.overrides)?;
    let facts = inputs.facts()?;
    let site = SiteView::new(inputs, &facts, false, &sha256(inputs.bytes))
        .of_ledger(&facts, &inputs.config.site);
    let engine = Engine::new(&assets, &site)?;
    let known = known_models(&facts, &[], inputs);
    let ledger = Ledger::new(inputs, &known);
    let trends = Trends::derive(ledger);
    let happened = happened(&ledger, trends.as_ref());
    let mut out = Output { engine: &engine, files: assets.files(false).collect() };
    if let Some(trends) = &trends {
        out.page("trends.html", "index.html", &view::trends_page(trends))?;
    }
    out.put("v1/history.json", history_data::history(&[], inputs.head, trends.as_ref()));
    out.page("feed.xml", "feed.xml", &FeedPage::new(&[], &happened))?;
    out.page("changes.html", "changes.html", &view::changes_page(&[], &happened))?;
    out.packs(&facts, inputs.config)?;
    out.page("404.html", "404.html", &json!({}))?;
    out.put("README.md", card::card(&site, inputs.config));
    out.finish(&site)
}

struct Output<'e, 'a> {
    engine: &'e Engine<'a>,
    files: Vec<(String, Vec<u8>)>,
}

/// What the feed shows.
#[derive(Debug, Serialize)]
struct FeedPage<'s> {
    updated: &'s str,
    steps: &'s [BoardChanges],
    happened: &'s [EventLine],
}

impl<'s> FeedPage<'s> {
    fn new(steps: &'s [BoardChanges], happened: &'s [EventLine]) -> Self {
        let stamps = steps.iter().map(|step| &step.stamp).chain(happened.iter().map(|h| &h.stamp));
        let updated = stamps.max_by_key(|stamp| Instant::parse(stamp));
        Self { updated: updated.map_or("", String::as_str), steps, happened }
    }
}

/// Every model that config, boards or ledger name, by `provider:model`.
fn known_models(
    facts: &Facts<'_>,
    gone: &[view::Tombstone],
    inputs: &Inputs<'_>,
) -> BTreeMap<String, Known> {
    let earlier = inputs.before.iter().flat_map(|(board, _)| board.entries.iter().map(Row::id));
    let recorded = inputs.history.models().map(str::to_owned);
    let mut models: BTreeMap<String, Known> =
        earlier.chain(recorded).map(|id| (id, Known::default())).collect();
    for seed in &inputs.config.seeds {
        let Some(about) = &seed.about else { continue };
        let text = |text: &Option<String>| format::clean(text.as_deref().unwrap_or_default());
        let (name, organization) = (text(&about.name), text(&about.organization));
        let known = Known { name, organization, weights: about.weights, ..Known::default() };
        models.insert(seed.id(), known);
    }
    for stone in gone {
        models.entry(stone.id.clone()).or_default().slug.clone_from(&stone.slug);
    }
    for row in &facts.rows {
        let known = models.entry(row.row.id()).or_default();
        known.slug.clone_from(&row.slug);
        row.organization_shown().unwrap_or_default().clone_into(&mut known.organization);
        known.is_top = row.standing.map(|standing| standing.is_top);
    }
    for (id, name) in facts.model_names(models.iter().map(|(id, known)| (id, &known.name))) {
        models.entry(id).or_default().name = name;
    }
    models
}

impl Output<'_, '_> {
    fn put(&mut self, path: impl Into<String>, bytes: Vec<u8>) {
        self.files.push((path.into(), bytes));
    }

    fn page<T: Serialize>(
        &mut self,
        template: &str,
        path: &str,
        page: &T,
    ) -> Result<(), SiteError> {
        let bytes = self.engine.page(template, path, page)?;
        self.put(path, bytes);
        Ok(())
    }

    /// The packs and their runs.
    fn packs(&mut self, facts: &Facts<'_>, config: &Config) -> Result<(), SiteError> {
        for pack in &facts.packs {
            let page = view::pack_page(pack, facts, config);
            self.page("pack.html", &format!("packs/{}.html", pack.slug), &page)?;
            self.put(format!("v1/packs/{}.json", pack.slug), data::pack(pack));
            if let Some(page) = view::pack_compare_page(pack, config) {
                self.page("pack-compare.html", &format!("compare/{}.html", pack.slug), &page)?;
            }
            for of in &pack.runs {
                let page = view::run_page(pack, of, config);
                self.page("run.html", &format!("runs/{}.html", of.slug), &page)?;
                self.put(format!("v1/runs/{}.json", of.slug), data::run(pack, of));
            }
        }
        Ok(())
    }

    /// The public prompts, each with what every model answered, and the bundles.
    fn answers(&mut self, facts: &Facts<'_>, answers: &Answers<'_>) -> Result<(), SiteError> {
        let Some(page) = view::prompts_page(facts, answers) else { return Ok(()) };
        self.page("prompts.html", "prompts.html", &page)?;
        let scripts = view::inline_scripts(answers);
        for (at, prompt) in answers.prompts.iter().enumerate() {
            let page = view::prompt_page(facts, answers, &scripts, at);
            self.page("prompt.html", &format!("p/{}.html", prompt.slug), &page)?;
        }
        self.put("prompts.json", answers.prompts_json.to_vec());
        for (at, row) in answers.rows() {
            let (slug, files) = (&facts.rows[at].slug, row.files);
            // A thousand rows would have a thousand copies.
            if **files.prompts != *answers.prompts_json {
                self.put(format!("bundles/{slug}/prompts.json"), files.prompts.to_vec());
            }
            self.put(format!("bundles/{slug}/completions.json"), files.completions.clone());
            self.put(format!("bundles/{slug}/judge.json"), files.judge.clone());
            if let Some(lift) = row.lift {
                let dir = format!("bundles/{slug}/lift");
                self.put(format!("{dir}/prompts.json"), lift.prompts.clone());
                self.put(format!("{dir}/trajectory.json"), lift.trajectory.clone());
                self.put(format!("{dir}/verdicts.json"), lift.verdicts.clone());
            }
        }
        Ok(())
    }

    /// Adds what lists the other files, and sorts.
    fn finish(mut self, site: &SiteView) -> Result<Vec<(String, Vec<u8>)>, SiteError> {
        let mut robots = "User-agent: *\nAllow: /\n".to_owned();
        if !site.base_url.is_empty() {
            let mut paths: Vec<String> = self
                .files
                .iter()
                .map(|(path, _)| path.clone())
                .filter(|path| path.strip_suffix(".html").is_some_and(|page| page != "404"))
                .collect();
            paths.sort();
            let day: String = site.stamp.chars().take(10).collect();
            self.page("sitemap.xml", "sitemap.xml", &json!({ "paths": paths, "day": day }))?;
            robots.push_str(&format!("Sitemap: {}sitemap.xml\n", site.base_url));
        }
        self.put("robots.txt", robots.into_bytes());
        self.files.sort();
        if let Some(pair) = self.files.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(SiteError::Twice(pair[0].0.clone()));
        }
        let sums = data::sums(&self.files);
        self.put("SHA256SUMS", sums);
        self.files.sort();
        Ok(self.files)
    }
}

fn downloads(files: &[(String, Vec<u8>)]) -> Vec<DataFile> {
    [
        ("leaderboard.json", "The board: aggregates only, canonical bytes"),
        ("v1/config.json", "The config of the board: models, bundles, protocol, waivers"),
        ("leaderboard.csv", "One line per row, with intervals and rank ranges"),
        ("schema/leaderboard.schema.json", "JSON Schema of the board"),
        ("v1/index.json", "Every row with its files"),
        ("v1/history.json", "Every board known so far with its changes; weeks, series and events"),
        ("feed.xml", "Atom feed of the changes"),
    ]
    .into_iter()
    .filter_map(|(name, what)| {
        let (path, bytes) = files.iter().find(|(path, _)| path == name)?;
        let size = format::count(bytes.len(), "byte");
        Some(DataFile { path: path.clone(), what, bytes: size, sha256: sha256(bytes) })
    })
    .collect()
}

/// Every row on every board, by id.
struct Histories<'a> {
    boards: Vec<RowsOfBoard<'a>>,
}

/// A board, its hash, and its rows by id, each with its place if it is scored.
type RowsOfBoard<'a> = (&'a Board, &'a str, BTreeMap<String, (&'a Row, Option<usize>)>);

impl<'a> Histories<'a> {
    fn from_boards(boards: &'a [(&'a Board, String)]) -> Self {
        let rows = |board: &'a Board| {
            let places = places(board);
            let row = |row: &'a Row| (row.id(), (row, places.get(&row.id()).copied()));
            board.entries.iter().map(row).collect()
        };
        Self {
            boards: boards.iter().map(|(board, sha)| (*board, sha.as_str(), rows(board))).collect(),
        }
    }

    /// What is known of the row over time; nothing if there is one board only and no run.
    fn of_row(&self, row: &RowFacts<'_>, trends: Option<&Trends<'_>>) -> view::RowHistory {
        let id = row.row.id();
        let runs = trends.map(|trends| view::runs_sentence(trends, &id)).unwrap_or_default();
        if self.boards.len() < 2 {
            return view::RowHistory { runs, ..view::RowHistory::default() };
        }
        let is_ranked = row.held_out.is_some();
        let point = |(board, _, rows): &RowsOfBoard<'_>| {
            let (row, _) = rows.get(&id)?;
            let cell = if is_ranked { row.held_out.cell()? } else { &row.public };
            Some(chart::RunPoint {
                at: Instant::parse(&board.generated_at)?,
                stamp: board.generated_at.clone(),
                score: Score::from_cell(cell),
                protocol: board.eval_protocol_version.clone(),
                judge: row.run.judge_model.clone(),
                bundle: row.run.recorded_bundle_sha16.clone(),
            })
        };
        let points: Vec<chart::RunPoint> = self.boards.iter().filter_map(point).collect();
        let lines = self.boards.iter().rev().filter_map(|(board, sha, rows)| {
            let (row, place) = rows.get(&id)?;
            let headline = row.held_out.rate();
            Some(view::HistoryLine {
                date: format::date(&board.generated_at),
                board: sha.chars().take(12).collect(),
                protocol: format::clean(&board.eval_protocol_version),
                held_out: headline.map_or_else(|| "pending".to_owned(), format::percent),
                public: format::percent(row.public.pass_rate),
                place: place.map_or_else(|| format::NONE.to_owned(), |place| place.to_string()),
            })
        });
        let set = if is_ranked { "Private" } else { "Public" };
        view::RowHistory { lines: lines.collect(), drawn: chart::runs(set, &points), runs }
    }
}

#[cfg(test)]
mod tests;
