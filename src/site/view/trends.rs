//! The page of trends: what a year of runs comes to, in words first, then drawn, then in numbers.

use crate::site::format;
use serde::Serialize;

use crate::ledger::{Trend, WeekSummary, weeks};
use crate::site::chart::{LINES, Small, Weeks, averages, running_best, small};
use crate::site::trends::{Ledger, Point, Series, Trends, WINDOW, week_named};
use crate::site::view::events::epoch_words;

use super::Term;
use super::year::{lede, notes, summary};

/// Weeks shown before one asks for more.
const WEEKS_SHOWN: usize = 12;
/// Trade-offs and retracted runs shown; more are in `v1/history.json`.
const MOST: usize = 12;
/// Models in the table beyond those that are drawn.
const TABLED: usize = 180;
/// Open regressions told with what to do.
const OPEN_SHOWN: usize = 20;
/// Models of a table of weeks: one column each.
const COLUMNS: usize = 6;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct TrendsPage {
    lede: String,
    summary: Vec<Term>,
    notes: Vec<String>,
    wide: Weeks,
    narrow: Weeks,
    note: String,
    epsilon: String,
    scale: String,
    models: Vec<Model>,
    more_models: Vec<Model>,
    means: Grid,
    open: Vec<Open>,
    open_more: String,
    traded: Vec<Traded>,
    traded_more: String,
    weeks: Vec<WeekLine>,
    more_weeks: Vec<WeekLine>,
    older_weeks: String,
    mixed: String,
    best: Option<Weeks>,
    bests: Vec<BestLine>,
    latency: Vec<Small>,
    latencies: Grid,
    cost: Vec<Small>,
    costs: Grid,
    retracted: Vec<Retracted>,
}

#[derive(Debug, Serialize)]
struct Model {
    name: String,
    slug: String,
    state: String,
    latest: String,
    date: String,
    delta: String,
    average: String,
    trend: String,
    mark: &'static str,
    change: String,
    change_note: String,
    runs: String,
}

/// A table of one number a model and week.
#[derive(Debug, Serialize)]
struct Grid {
    models: Vec<String>,
    lines: Vec<GridLine>,
}

#[derive(Debug, Serialize)]
struct GridLine {
    week: String,
    cells: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Open {
    name: String,
    slug: String,
    sentence: String,
    look: String,
    retract: String,
}

#[derive(Debug, Serialize)]
struct Traded {
    name: String,
    slug: String,
    date: String,
    gains: String,
    losses: String,
    times: String,
}

#[derive(Debug, Serialize)]
struct WeekLine {
    week: String,
    average: String,
    best: String,
    worst: String,
    runs: String,
    incidents: String,
    detected: String,
    resolved: String,
    open: String,
    mixed: bool,
}

#[derive(Debug, Serialize)]
struct BestLine {
    week: String,
    epoch: String,
    score: String,
    name: String,
}

#[derive(Debug, Serialize)]
struct Retracted {
    run: String,
    name: String,
    score: String,
    date: String,
    reason: String,
}

/// The page.
pub(in crate::site) fn trends_page(trends: &Trends<'_>) -> TrendsPage {
    let ledger = &trends.ledger;
    let summaries = weeks(ledger.history);
    let [wide, narrow] = averages(trends);
    let mut models: Vec<Model> = trends.series.iter().map(|series| model(ledger, series)).collect();
    let mut more_models = models.split_off(models.len().min(LINES));
    let undrawn = more_models.len();
    more_models.truncate(TABLED);
    let mut open: Vec<Open> = trends.series.iter().filter_map(|one| open(ledger, one)).collect();
    let unsaid = open.split_off(open.len().min(OPEN_SHOWN)).len();
    let first = trends.first;
    let mut lines: Vec<WeekLine> = Vec::new();
    let inside = summaries.iter().rev().take(usize::try_from(WINDOW).unwrap_or(usize::MAX));
    lines.extend(inside.map(|week| week_line(ledger, week)));
    let older = summaries.len() - lines.len();
    let more_weeks = lines.split_off(lines.len().min(WEEKS_SHOWN));
    let traded_more = trends.traded.len().saturating_sub(MOST);
    TrendsPage {
        lede: lede(trends, &summaries),
        summary: summary(trends),
        notes: notes(trends),
        wide,
        narrow,
        note: if more_models.is_empty() {
            String::new()
        } else {
            format!(
                "The {LINES} models with the best average now are drawn; {} more are not.",
                format::grouped(undrawn as u64)
            )
        },
        epsilon: format::signed(ledger.rules().epsilon, 3).replace('+', ""),
        scale: ledger.rules().score_scale.to_string(),
        means: grid(trends, |point| point.mean, |mean| ledger.score(mean)),
        open_more: if unsaid == 0 {
            String::new()
        } else {
            format!("{} in v1/history.json.", format::count(unsaid, "more model"))
        },
        open,
        traded: trends.traded.iter().take(MOST).map(|traded| traded_line(ledger, traded)).collect(),
        traded_more: if traded_more == 0 {
            String::new()
        } else {
            format!("{} in v1/history.json.", format::count(traded_more, "more model"))
        },
        mixed: mixed(&summaries),
        weeks: lines,
        more_weeks,
        older_weeks: if older == 0 {
            String::new()
        } else {
            format!("{} in v1/history.json.", format::count(older, "earlier week"))
        },
        best: running_best(trends),
        bests: trends
            .bests
            .iter()
            .rev()
            .filter(|best| best.week >= first)
            .take(MOST * 2)
            .map(|best| BestLine {
                week: week_named(best.week).to_string(),
                epoch: epoch_words(&best.epoch),
                score: ledger.score(best.score),
                name: ledger.name(&best.run.model),
            })
            .collect(),
        latency: small(trends, "latency", "p95 latency", |point| point.latency, milliseconds),
        latencies: grid(trends, |point| point.latency, milliseconds),
        cost: small(trends, "cost", "Cost per message", |point| point.cost, format::money),
        costs: grid(trends, |point| point.cost, format::money),
        retracted: retracted(ledger),
        models,
        more_models,
    }
}

fn milliseconds(value: f64) -> String {
    match value {
        absurd if absurd >= 1e9 => format!("{value:.0e} ms"),
        long if long >= 10_000.0 => format!("{:.1} s", value / 1000.0),
        _ => format!("{value:.0} ms"),
    }
}

fn model(ledger: &Ledger<'_>, series: &Series<'_>) -> Model {
    let none = || format::NONE.to_owned();
    let state = match (series.fell.is_some(), series.withdrawn) {
        (true, true) => "withdrawn, in regression",
        (true, false) => "in regression",
        (false, true) => "withdrawn",
        (false, false) => "",
    };
    let (change, change_note) = match &series.change {
        Ok(change) => (
            change.percent.map_or_else(none, |percent| format!("{}%", format::signed(percent, 1))),
            format!(
                "{} → {} since {}; {}",
                ledger.score(change.from),
                ledger.score(change.to),
                change.from_date,
                change.noise_words()
            ),
        ),
        Err(_) => (none(), "fewer than 2 scored runs".to_owned()),
    };
    let (trend, mark) = match series.derived.trend {
        Ok(Trend::Improving) => (Trend::Improving.as_str().to_owned(), "▲"),
        Ok(Trend::Declining) => (Trend::Declining.as_str().to_owned(), "▼"),
        Ok(Trend::Stable) => (Trend::Stable.as_str().to_owned(), ""),
        Err(why) => (why.words().to_owned(), ""),
    };
    Model {
        name: ledger.name(series.model),
        slug: ledger.slug(series.model),
        state: state.to_owned(),
        latest: series.latest.aggregate_score.map_or_else(none, |score| ledger.score(score)),
        date: series.latest.at.date(),
        delta: match series.derived.score_delta {
            Ok(delta) => ledger.change(delta),
            Err(why) => why.words().to_owned(),
        },
        average: series.derived.moving_average.map_or_else(none, |average| ledger.score(average)),
        trend,
        mark,
        change,
        change_note,
        runs: format::count(series.points.iter().map(|point| point.runs).sum(), "run"),
    }
}

fn open(ledger: &Ledger<'_>, series: &Series<'_>) -> Option<Open> {
    let fell = series.fell?;
    let before = ledger.history.before_in_epoch(fell).find_map(|run| run.aggregate_score);
    let how = match (fell.aggregate_score, before) {
        (Some(score), Some(before)) => format!(
            ": scored {}, previously {} ({})",
            ledger.score(score),
            ledger.score(before),
            ledger.change(score - before)
        ),
        (Some(score), None) => format!(": scored {}", ledger.score(score)),
        _ => String::new(),
    };
    Some(Open {
        name: ledger.name(series.model),
        slug: ledger.slug(series.model),
        sentence: format!("flagged on {}{how}", format::date(&fell.at.date())),
        look: format!("gmat-leaderboard history breakdown --model {}", format::shell(series.model)),
        retract: format!(
            "gmat-leaderboard history retract {} --reason …",
            format::shell(&fell.run_id)
        ),
    })
}

fn traded_line(ledger: &Ledger<'_>, traded: &crate::site::trends::Traded<'_>) -> Traded {
    let parts = |parts: &[(String, f64)]| {
        let shown = parts.iter().take(4);
        let each =
            shown.map(|(name, by)| format!("{} {}", format::clean(name), ledger.change(*by)));
        each.collect::<Vec<_>>().join(", ")
    };
    Traded {
        name: ledger.name(&traded.run.model),
        slug: ledger.slug(&traded.run.model),
        date: traded.run.at.date(),
        gains: parts(&traded.parts.gains),
        losses: parts(&traded.parts.losses),
        times: format!("{} of {}", traded.times.0, format::count(traded.times.1, "run")),
    }
}

fn week_line(ledger: &Ledger<'_>, week: &WeekSummary) -> WeekLine {
    let score = |score: Option<f64>| {
        score.map_or_else(|| format::NONE.to_owned(), |score| ledger.score(score))
    };
    WeekLine {
        week: week.week.to_string(),
        average: score(week.avg_aggregate_score),
        best: score(week.best_run_score),
        worst: score(week.worst_run_score),
        runs: week.run_count.to_string(),
        incidents: week.hallucination_incidents.to_string(),
        detected: week.regressions_detected.to_string(),
        resolved: week.regressions_resolved.to_string(),
        open: week.regressions_open.to_string(),
        mixed: week.epochs.len() > 1,
    }
}

fn mixed(summaries: &[WeekSummary]) -> String {
    let window = usize::try_from(WINDOW).unwrap_or(usize::MAX);
    let count = summaries.iter().rev().take(window).filter(|week| week.epochs.len() > 1).count();
    if count == 0 {
        return String::new();
    }
    format!(
        "{} marked *: runs of more than one protocol, whose scores do not compare.",
        format::count(count, "week")
    )
}

/// One number a model and week, newest week first.
fn grid(
    trends: &Trends<'_>,
    value: fn(&Point) -> Option<f64>,
    shown: impl Fn(f64) -> String,
) -> Grid {
    let first = trends.first;
    let known = |series: &&Series<'_>| {
        series.points.iter().any(|point| point.week >= first && value(point).is_some())
    };
    let series: Vec<&Series<'_>> = trends.series.iter().filter(known).take(COLUMNS).collect();
    let line = |week: i64| {
        let cell = |series: &&Series<'_>| {
            let at = series.points.partition_point(|point| point.week < week);
            let points = series.points[at..].iter().take_while(|point| point.week == week);
            // Several epochs in one week: the one that stays is last.
            let text = points.filter_map(value).last().map(&shown);
            text.unwrap_or_else(|| format::NONE.to_owned())
        };
        let cells: Vec<String> = series.iter().map(cell).collect();
        let is_empty = cells.iter().all(|cell| cell == format::NONE);
        (!is_empty).then(|| GridLine { week: week_named(week).to_string(), cells })
    };
    Grid {
        models: series
            .iter()
            .map(|series| format::truncate(&trends.ledger.name(series.model), 24))
            .collect(),
        lines: (first..=trends.last).rev().filter_map(line).collect(),
    }
}

fn retracted(ledger: &Ledger<'_>) -> Vec<Retracted> {
    let mut lines: Vec<_> = ledger.history.retractions().collect();
    lines.sort_by(|a, b| (&b.recorded_at, &b.run_id).cmp(&(&a.recorded_at, &a.run_id)));
    let shown = lines.into_iter().take(MOST).filter_map(|line| {
        let run = ledger.history.run(&line.run_id)?;
        Some(Retracted {
            run: format::clean(&line.run_id),
            name: ledger.name(&run.model),
            score: run
                .aggregate_score
                .map_or_else(|| format::NONE.to_owned(), |score| ledger.score(score)),
            date: run.at.date(),
            reason: format::clean(&line.reason),
        })
    });
    shown.collect()
}
