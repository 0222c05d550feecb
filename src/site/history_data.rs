//! `v1/history.json`: the boards known so far, and what the ledger comes to.

use serde::Serialize;

use crate::domain::config::Weights;
use crate::ledger::{Change, Checkpoint, Event, TradeOff, WeekSummary, events, weeks};

use super::changes::BoardChanges;
use super::data::{json, rounded};
use super::trends::Trends;
use crate::facts::{ModelSeries, week_named};

#[derive(Debug, Serialize)]
struct HistoryData<'a> {
    format: u8,
    boards: Vec<BoardLine<'a>>,
    ledger: Option<LedgerData>,
    weeks: Vec<WeekSummary>,
    series: Vec<SeriesData<'a>>,
    best: Vec<BestData<'a>>,
    trade_offs: Vec<TradeData<'a>>,
    events: Vec<Event>,
}

#[derive(Debug, Serialize)]
struct LedgerData {
    lines: u64,
    root_base64: String,
}

/// A run of the last year that was the best so far of its epoch: of all models, or of those whose
/// weights are open or closed.
#[derive(Debug, Serialize)]
struct BestData<'a> {
    weights: Option<&'static str>,
    epoch: &'a str,
    model: &'a str,
    run_id: &'a str,
    run_at: &'a str,
    score: Option<f64>,
}

/// The runs of one model, summed up by week and epoch.
#[derive(Debug, Serialize)]
struct SeriesData<'a> {
    model: &'a str,
    trend: Option<&'static str>,
    in_regression: bool,
    /// Since the latest epoch began, at most a year back.
    change: Option<&'a Change>,
    /// Over the 90 days up to the latest run of the ledger.
    quarter: Option<&'a Change>,
    points: Vec<PointData<'a>>,
}

#[derive(Debug, Serialize)]
struct PointData<'a> {
    week: String,
    epoch: &'a str,
    runs: usize,
    mean_score: Option<f64>,
    moving_average: Option<f64>,
    latency_p95_ms: Option<f64>,
    cost_per_message_usd: Option<f64>,
    cost_per_solved_usd: Option<f64>,
    regression_detected: bool,
}

#[derive(Debug, Serialize)]
struct TradeData<'a> {
    model: &'a str,
    run_id: &'a str,
    run_at: &'a str,
    #[serde(flatten)]
    parts: &'a TradeOff,
    /// How many runs of the last 12 weeks were such, and of how many.
    times: usize,
    of_runs: usize,
}

#[derive(Debug, Serialize)]
struct BoardLine<'a> {
    generated_at: &'a str,
    sha256: &'a str,
    eval_protocol_version: &'a str,
    changes: &'a [super::changes::Change],
}

/// `v1/history.json`
pub(super) fn history(
    steps: &[BoardChanges],
    head: Option<Checkpoint>,
    trends: Option<&Trends<'_>>,
) -> Vec<u8> {
    let boards = steps
        .iter()
        .map(|step| BoardLine {
            generated_at: &step.stamp,
            sha256: &step.sha,
            eval_protocol_version: &step.protocol,
            changes: &step.changes,
        })
        .collect();
    let of_ledger = trends.map(|trends| trends.ledger.history);
    let series = trends.map(|trends| trends.series.as_slice()).unwrap_or_default();
    let traded = trends.map(|trends| trends.traded.as_slice()).unwrap_or_default();
    json(&HistoryData {
        format: 1,
        boards,
        ledger: head.map(|head| LedgerData { lines: head.size, root_base64: head.root_base64() }),
        weeks: of_ledger.map(weeks).unwrap_or_default(),
        series: series.iter().map(series_data).collect(),
        best: trends.map(best).unwrap_or_default(),
        trade_offs: traded
            .iter()
            .map(|traded| TradeData {
                model: &traded.run.model,
                run_id: &traded.run.run_id,
                run_at: &traded.run.run_at,
                parts: &traded.parts,
                times: traded.times.0,
                of_runs: traded.times.1,
            })
            .collect(),
        events: of_ledger.map(events).unwrap_or_default(),
    })
}

fn best<'a>(trends: &'a Trends<'_>) -> Vec<BestData<'a>> {
    let mut best = Vec::new();
    for kind in &trends.kinds {
        for segment in &trends.segments {
            best.extend(trends.records(segment, *kind).into_iter().map(|run| BestData {
                weights: kind.map(Weights::as_str),
                epoch: &segment.epoch,
                model: &run.model,
                run_id: &run.run_id,
                run_at: &run.run_at,
                score: run.aggregate_score,
            }));
        }
    }
    best
}

fn series_data<'a>(series: &'a ModelSeries<'_>) -> SeriesData<'a> {
    let short = |value: Option<f64>, scale: f64| value.map(|value| rounded(value, scale));
    SeriesData {
        model: series.model,
        trend: series.derived.trend.ok().map(crate::ledger::Trend::as_str),
        in_regression: series.fell.is_some(),
        change: series.change.as_ref().ok(),
        quarter: series.quarter.as_ref().ok(),
        points: series
            .points
            .iter()
            .map(|point| PointData {
                week: week_named(point.week).to_string(),
                epoch: &point.epoch,
                runs: point.runs,
                mean_score: short(point.mean, 1e6),
                moving_average: point.average,
                latency_p95_ms: short(point.latency, 1e3),
                cost_per_message_usd: short(point.cost, 1e9),
                cost_per_solved_usd: short(point.cost_per_solved, 1e9),
                regression_detected: point.flagged,
            })
            .collect(),
    }
}
