//! The numbers for machines: CSV, the static `v1/` files, checksums.

use std::collections::BTreeMap;

use serde::Serialize;

use super::view::SiteView;
use crate::domain::config::RunStatus;
use crate::domain::sha256;
use crate::facts::{
    BaselineSource, Cohort, Compared, Facts, PackFacts, PackRunFacts, ReplayCheck, RowComparison,
    RowFacts,
};
use crate::ledger::Hashes;
use crate::table::harmless;
use crate::table::significance::Interval;

/// Config and board as a script: a page from disk may load scripts, but not read files.
pub(super) fn board_script(config: &[u8], board: &[u8]) -> Vec<u8> {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let both = serde_json::json!({ "board": text(board), "config": text(config) });
    format!("globalThis.gmatBoard = {both};\n").into_bytes()
}

/// A column of the CSV: its name, and its cell in a row.
type Column = (&'static str, fn(&RowFacts<'_>, &RowComparison<'_>) -> String);

const COLUMNS: [Column; 35] = [
    ("place", |row, _| known(row.standing.map(|standing| standing.place))),
    ("top_group", |row, _| known(row.standing.map(|standing| standing.is_top))),
    ("rank_low", |row, _| known(row.place.map(|place| place.low))),
    ("rank_high", |row, _| known(row.place.map(|place| place.high))),
    ("provider", |row, _| text(&row.row.provider)),
    ("model", |row, _| text(&row.row.model)),
    ("kind", |row, _| text(&row.row.kind)),
    ("held_out_pass_rate", |row, _| known(row.held_out.map(|score| score.rate))),
    ("held_out_low", |row, _| low(row.held_out.and_then(|score| score.interval))),
    ("held_out_high", |row, _| high(row.held_out.and_then(|score| score.interval))),
    ("held_out_passed", |row, _| known(row.held_out.map(|score| score.passed))),
    ("held_out_prompts", |row, _| known(row.held_out.map(|score| score.total))),
    ("public_pass_rate", |row, _| row.public.rate.to_string()),
    ("public_low", |row, _| low(row.public.interval)),
    ("public_high", |row, _| high(row.public.interval)),
    ("public_passed", |row, _| row.public.passed.to_string()),
    ("public_prompts", |row, _| row.public.total.to_string()),
    ("gap", |row, _| known(row.gap)),
    ("gap_low", |row, _| low(row.gap_interval)),
    ("gap_high", |row, _| high(row.gap_interval)),
    ("overfit", |row, _| known(row.gap_interval.map(|_| row.is_overfit()))),
    ("repair_lift", |row, _| known(row.row.close_the_loop.as_ref().map(|it| it.repair_lift))),
    ("tokens_per_solved", |row, _| number(row.tokens_per_solved, 1)),
    ("cost_per_solved_usd", |row, _| number(row.cost_per_solved, 8)),
    ("state", |row, _| state(row.state).to_owned()),
    ("bundle_sha16", |row, _| text(&row.row.run.recorded_bundle_sha16)),
    ("delta_from_baseline", |_, compared| known(compared.delta_from_baseline)),
    ("baseline_score", |_, compared| known(compared.baseline_score)),
    ("baseline_run_id", |_, compared| text(compared.baseline_run_id.unwrap_or_default())),
    ("baseline_model", |_, compared| text(compared.baseline_model.unwrap_or_default())),
    ("reproducible", |_, compared| compared.grade.as_str().to_owned()),
    ("verified", |_, compared| compared.is_verified.to_string()),
    ("comparable", |_, compared| compared.is_comparable.to_string()),
    ("cohort_id", |_, compared| text(compared.cohort_id.unwrap_or_default())),
    ("reasons", |_, compared| text(&compared.reasons.join(" "))),
];

/// One line per row. Cells of text that a spreadsheet would run as a formula start with `'`.
pub(super) fn csv(facts: &Facts<'_>) -> Vec<u8> {
    let mut out =
        csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    let names = COLUMNS.iter().map(|(name, _)| (*name).to_owned());
    let tiers = facts.tiers.iter().map(|tier| text(&format!("public_{tier}")));
    // Writing into memory cannot fail.
    let _ = out.write_record(names.chain(tiers).collect::<Vec<_>>());
    for row in &facts.rows {
        let compared = RowComparison::from(&row.compared);
        let cells = COLUMNS.iter().map(|(_, cell)| cell(row, &compared));
        let tiers = facts.tiers.iter().map(|tier| known(row.row.public.by_tier.get(tier)));
        let _ = out.write_record(cells.chain(tiers).collect::<Vec<_>>());
    }
    out.into_inner().unwrap_or_default()
}

fn known(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map(|value| format!("{value:.decimals$}")).unwrap_or_default()
}

fn low(interval: Option<Interval>) -> String {
    number(interval.map(|interval| interval.low), 4)
}

fn high(interval: Option<Interval>) -> String {
    number(interval.map(|interval| interval.high), 4)
}

fn text(cell: &str) -> String {
    harmless(cell).into_owned()
}

fn state(state: ReplayCheck) -> &'static str {
    match state {
        ReplayCheck::Match => "replayed",
        ReplayCheck::Mismatch => "differs",
        ReplayCheck::NotRun => "no-bundle",
    }
}

/// What is derived from one row.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryData<'a> {
    format: u8,
    board_sha256: &'a str,
    id: String,
    page: String,
    place: Option<usize>,
    top_group: Option<bool>,
    rank_low: Option<usize>,
    rank_high: Option<usize>,
    held_out: Option<ScoreData>,
    public: ScoreData,
    gap: Option<f64>,
    gap_interval: Option<[f64; 2]>,
    overfit: Option<bool>,
    tokens_per_solved: Option<f64>,
    cost_per_solved_usd: Option<f64>,
    state: &'static str,
    bundle_sha256: Option<&'a str>,
    flags: Vec<&'a str>,
    #[serde(flatten)]
    standing: RowComparison<'a>,
    entry: &'a crate::board::Row,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ScoreData {
    pass_rate: f64,
    passed: u64,
    prompts: u64,
    interval: Option<[f64; 2]>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct IndexData<'a> {
    format: u8,
    title: &'a str,
    board_sha256: &'a str,
    generated_at: &'a str,
    eval_protocol_version: &'a str,
    judge_model: &'a str,
    generator: &'a str,
    baseline_score: Option<f64>,
    baseline_run_id: Option<&'a str>,
    baseline_model: Option<&'a str>,
    baseline_source: Option<BaselineSource>,
    cohorts: Vec<CohortData<'a>>,
    entries: Vec<IndexLine<'a>>,
}

/// What the rows of one table of the board share.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CohortData<'a> {
    cohort_id: Option<&'a str>,
    words: &'a str,
    rows: usize,
    baseline_score: Option<f64>,
    baseline_run_id: Option<&'a str>,
    baseline_model: Option<&'a str>,
    baseline_source: Option<BaselineSource>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct IndexLine<'a> {
    id: String,
    place: Option<usize>,
    top_group: Option<bool>,
    rank_low: Option<usize>,
    rank_high: Option<usize>,
    held_out: Option<f64>,
    public: f64,
    file: String,
    page: String,
    state: &'a str,
    #[serde(flatten)]
    standing: RowComparison<'a>,
}

fn score(score: crate::facts::Score) -> ScoreData {
    ScoreData {
        pass_rate: score.rate.value(),
        passed: score.passed,
        prompts: score.total,
        interval: score.interval.map(ends),
    }
}

/// Both ends at four decimals, as the CSV has them.
fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high].map(|end| rounded(end, 1e4))
}

pub(super) fn rounded(value: f64, scale: f64) -> f64 {
    (value * scale).round() / scale
}

/// One line of JSON with a newline.
pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// `v1/entries/<slug>.json`
pub(super) fn entry(site: &SiteView, row: &RowFacts<'_>) -> Vec<u8> {
    json(&EntryData {
        format: 1,
        board_sha256: &site.board_sha,
        id: row.row.id(),
        page: format!("m/{}.html", row.slug),
        place: row.standing.map(|standing| standing.place),
        top_group: row.standing.map(|standing| standing.is_top),
        rank_low: row.place.map(|place| place.low),
        rank_high: row.place.map(|place| place.high),
        held_out: row.held_out.map(score),
        public: score(row.public),
        gap: row.gap.map(crate::domain::Gap::value),
        gap_interval: row.gap_interval.map(ends),
        overfit: row.gap_interval.map(|_| row.is_overfit()),
        tokens_per_solved: row.tokens_per_solved.map(|tokens| rounded(tokens, 10.0)),
        cost_per_solved_usd: row.cost_per_solved.map(|cost| rounded(cost, 1e8)),
        state: state(row.state),
        bundle_sha256: row.replay.map(|replay| replay.sha256.as_str()),
        flags: row.flag_words(),
        standing: RowComparison::from(&row.compared),
        entry: row.row,
    })
}

fn index_line<'a>(row: &'a RowFacts<'_>) -> IndexLine<'a> {
    IndexLine {
        id: row.row.id(),
        place: row.standing.map(|standing| standing.place),
        top_group: row.standing.map(|standing| standing.is_top),
        rank_low: row.place.map(|place| place.low),
        rank_high: row.place.map(|place| place.high),
        held_out: row.held_out.map(|score| score.rate.value()),
        public: row.public.rate.value(),
        file: format!("v1/entries/{}.json", row.slug),
        page: format!("m/{}.html", row.slug),
        state: state(row.state),
        standing: RowComparison::from(&row.compared),
    }
}

fn cohort(cohort: &Cohort) -> CohortData<'_> {
    let reference = cohort.reference.as_ref();
    CohortData {
        cohort_id: cohort.id.as_deref(),
        words: &cohort.words,
        rows: cohort.rows.len(),
        baseline_score: reference.map(|reference| reference.score),
        baseline_run_id: reference.map(|reference| reference.run_id.as_str()),
        baseline_model: reference.map(|reference| reference.id.as_str()),
        baseline_source: reference.map(|reference| reference.source),
    }
}

/// `v1/index.json`
pub(super) fn index(site: &SiteView, facts: &Facts<'_>) -> Vec<u8> {
    let baseline = facts.baseline.as_ref();
    json(&IndexData {
        format: 1,
        title: &site.title,
        board_sha256: &site.board_sha,
        generated_at: &facts.board.generated_at,
        eval_protocol_version: &facts.board.eval_protocol_version,
        judge_model: &facts.board.judge_model,
        generator: &site.version,
        baseline_score: baseline.map(|baseline| baseline.score),
        baseline_run_id: baseline.map(|baseline| baseline.run_id.as_str()),
        baseline_model: baseline.map(|baseline| baseline.model.as_str()),
        baseline_source: baseline.map(|baseline| baseline.source),
        cohorts: facts
            .cohorts
            .iter()
            .filter(|cohort| !cohort.rows.is_empty())
            .map(cohort)
            .collect(),
        entries: facts.rows.iter().map(index_line).collect(),
    })
}

/// The runs of one pack.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PackData<'a> {
    format: u8,
    pack: &'a str,
    baseline_score: Option<f64>,
    baseline_run_id: Option<&'a str>,
    baseline_model: Option<&'a str>,
    baseline_source: Option<BaselineSource>,
    entries: Vec<PackEntry<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PackEntry<'a> {
    run_id: &'a str,
    model: &'a str,
    run_at: &'a str,
    status: Option<RunStatus>,
    scoring_mode: Option<&'a str>,
    judge_model: Option<&'a str>,
    backend: Option<&'a str>,
    file: String,
    page: String,
    pack_score: Option<f64>,
    task_scores: &'a BTreeMap<String, f64>,
    n_docs: Option<u64>,
    is_partial: bool,
    time_zone_assumed: bool,
    #[serde(flatten)]
    standing: RowComparison<'a>,
}

/// One run of a pack, against the baseline of its own cohort.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RunData<'a> {
    format: u8,
    pack: &'a str,
    #[serde(flatten)]
    entry: PackEntry<'a>,
    problems: &'a [String],
    generation_parameters: Option<&'a BTreeMap<String, String>>,
    generation_sha16: Option<&'a str>,
    metric: Option<&'a str>,
    public_set_sha16: Option<&'a str>,
    task_hashes: Option<&'a BTreeMap<String, Hashes>>,
    summary_general_hashes: Option<&'a Hashes>,
    regression_detected: bool,
    recorded_at: Option<&'a str>,
}

/// `v1/runs/<slug>.json`
pub(super) fn run(pack: &PackFacts<'_>, of: &PackRunFacts<'_>) -> Vec<u8> {
    let facts = of.run.pack_run.as_ref();
    json(&RunData {
        format: 1,
        pack: pack.id,
        entry: pack_entry(of, &of.own),
        problems: &of.own.evidence.problems,
        generation_parameters: facts.map(|facts| &facts.generation),
        generation_sha16: facts.and_then(|facts| facts.generation_sha16.as_deref()),
        metric: facts.map(|facts| facts.metric.as_str()),
        public_set_sha16: facts.and_then(|facts| facts.public_set_sha16.as_deref()),
        task_hashes: facts.map(|facts| &facts.task_hashes),
        summary_general_hashes: facts.and_then(|facts| facts.summary_general_hashes.as_ref()),
        regression_detected: of.run.regression_detected,
        recorded_at: of.run.recorded_at.as_deref(),
    })
}

fn pack_entry<'a>(of: &'a PackRunFacts<'_>, compared: &'a Compared) -> PackEntry<'a> {
    let run = of.run;
    let facts = run.pack_run.as_ref();
    let mut standing = RowComparison::from(compared);
    let missing = facts.map(|facts| facts.reasons.as_slice()).unwrap_or_default();
    standing.reasons.splice(0..0, missing.iter().map(String::as_str));
    PackEntry {
        run_id: &run.run_id,
        model: &run.model,
        run_at: &run.run_at,
        status: facts.map(|facts| facts.status),
        scoring_mode: facts.map(|facts| facts.scoring_mode.as_str()),
        judge_model: facts.and_then(|facts| facts.judge_model.as_deref()),
        backend: facts.and_then(|facts| facts.backend.as_deref()),
        file: format!("v1/runs/{}.json", of.slug),
        page: format!("runs/{}.html", of.slug),
        pack_score: run.aggregate_score,
        task_scores: &run.dataset_scores,
        n_docs: facts.and_then(|facts| facts.n_docs),
        is_partial: facts.is_some_and(|facts| facts.partial),
        time_zone_assumed: facts.is_some_and(|facts| facts.time_zone_assumed),
        standing,
    }
}

/// `v1/packs/<slug>.json`
pub(super) fn pack(pack: &PackFacts<'_>) -> Vec<u8> {
    let baseline = pack.baseline.as_ref();
    json(&PackData {
        format: 1,
        pack: pack.id,
        baseline_score: baseline.map(|baseline| baseline.score),
        baseline_run_id: baseline.map(|baseline| baseline.run_id.as_str()),
        baseline_model: baseline.map(|baseline| baseline.model.as_str()),
        baseline_source: baseline.map(|baseline| baseline.source),
        entries: pack.runs.iter().map(|of| pack_entry(of, &of.compared)).collect(),
    })
}

/// `SHA256SUMS` over `files`, which are sorted.
pub(super) fn sums(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut list = String::new();
    for (path, bytes) in files {
        list += &format!("{}  {path}\n", sha256(bytes));
    }
    list.into_bytes()
}
