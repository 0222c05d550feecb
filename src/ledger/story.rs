//! A year of weekly runs for trying the history on: made up, the same every time, and marked so.
//!
//! Five shapes a reader should recognise, by rank: a slow climb, a flat line, a fall that is noticed
//! and mended, one that learns the public set by heart, and a late starter. Half way through the
//! protocol changes, so the averages start again.

use super::history::History;
use super::insert::{Rules, insert, is_regression};
use super::instant::Instant;
use super::line::{Line, Retraction};
use super::round::round;
use super::run::Run;
use crate::table::significance::SplitMix64;

/// Weeks before the board.
const WEEKS: i64 = 52;
/// The first week under the board's own protocol.
const BUMP: i64 = 24;
const NOTE: &str = "illustrative: made up by `demo --history`";

/// The lines of a year that ends a week before `rows`, the board's own runs, each of which its
/// model's series leads up to.
pub fn story(rows: &[Run]) -> Vec<u8> {
    let mut history = History::default();
    let mut random = SplitMix64::new(11);
    let mut lines = Vec::new();
    for week in 0..WEEKS {
        for (index, row) in rows.iter().take(5).enumerate() {
            let starts_late = index % 5 == 4 && week < 30;
            if !starts_late && let Some(run) = week_run(row, index, week, &mut random, &history) {
                lines.extend(Line::Run(Box::new(run.clone())).bytes().unwrap_or_default());
                insert(&mut history, run, RULES);
            }
        }
    }
    if let Some(run) = rows.first().and_then(|row| history.run(&run_id(row, 40)))
        && let Some(last) = history.recorded().last()
    {
        let retraction = Line::Retraction(Retraction {
            kind: "retraction",
            reason: format!("{NOTE}; scored on an old set"),
            recorded_at: last.run_at.clone(),
            run_id: run.run_id.clone(),
        });
        lines.extend(retraction.bytes().unwrap_or_default());
    }
    lines
}

const RULES: Rules = Rules { score_scale: 1.0, epsilon: 0.005 };

fn run_id(row: &Run, week: i64) -> String {
    let name = row.model.rsplit(':').next().unwrap_or_default();
    format!("demo-{name}-{week:02}")
}

fn week_run(
    row: &Run,
    index: usize,
    week: i64,
    random: &mut SplitMix64,
    history: &History,
) -> Option<Run> {
    let day = row.at.day() - 7 * (WEEKS - week);
    let run_at = format!("{}T0{index}:00:00Z", Instant::of_day(day).date());
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let (noise, left) =
        ((random.below(21) as f64 - 10.0) / 1000.0, (WEEKS - week) as f64 / WEEKS as f64);
    let end = row.aggregate_score.unwrap_or(0.45);
    let fell = (38..42).contains(&week);
    let change = match index % 5 {
        0 => -0.22 * left,
        1 => 0.0,
        2 if fell => -0.14,
        2 => 0.03 * left,
        3 => 0.2 * left,
        _ => -0.08 * left,
    };
    // The older protocol was a little easier.
    let protocol = if week < BUMP { 0.04 } else { 0.0 };
    let within = |score: f64| round(score.clamp(0.0, 1.0), 3);
    let score = within(end + change + protocol + noise);
    let public = row.dataset_scores.get("public").copied().unwrap_or(score);
    // Who learns by heart gains in public what is lost elsewhere.
    let learned = if index % 5 == 3 { -0.3 * left - noise } else { change + noise };
    let is_unscored = index == 1 && week == 17;
    let mut run = Run {
        aggregate_score: Some(score).filter(|_| !is_unscored),
        cost_per_message_usd: Some(round(0.002 + 0.001 * left, 6)),
        dataset_scores: [("held_out", score), ("public", within(public + learned))]
            .map(|(name, score)| (name.to_owned(), score))
            .into(),
        eval_protocol_version: if week < BUMP {
            Some("0".into())
        } else {
            row.eval_protocol_version.clone()
        },
        hallucination_rate: Some(if fell && index % 5 == 2 { 0.06 } else { 0.0 }),
        latency_p95_ms: Some(round(1400.0 - 400.0 * (1.0 - left) + 2000.0 * noise, 0)),
        notes: Some(NOTE.into()),
        recorded_at: Some(run_at.clone()),
        rubric_scores: [("structural".to_owned(), within(score + 0.1))].into(),
        run_id: run_id(row, week),
        weights_sha16: if week < BUMP {
            Some("0000000000000000".into())
        } else {
            row.weights_sha16.clone()
        },
        at: Instant::parse(&run_at)?,
        run_at,
        ..row.clone()
    };
    // Flagged while it lasts, not only on the first bad run.
    run.regression_detected =
        (fell && index % 5 == 2) || is_regression(history, &run, RULES, Some(0.06));
    Some(run)
}
