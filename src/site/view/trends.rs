//! The page of trends: who leads and how far open models are behind, what changed lately, and what
//! cost and latency do.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::domain::config::Weights;
use crate::facts::{ModelSeries, Point, Segment, WINDOW, is_significant, monday};
use crate::ledger::{Change, Instant, NoChange, Run, Trend, WeekSummary, weeks};
use crate::site::chart::{BestChart, Measure, SeriesChart, best_chart, kind_words, series_chart};
use crate::site::format;
use crate::site::trends::{Ledger, Trends};
use crate::site::view::events::epoch_words;
use crate::site::view::trend_changes::{Changed, changed};

/// Changes, and retracted runs, that are listed.
pub(super) const MOST: usize = 12;
/// Models in the table.
const TABLED: usize = 200;
/// Models of a table of weeks: one column each.
const COLUMNS: usize = 6;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct TrendsPage {
    heading: String,
    lede: Vec<String>,
    best: Option<BestChart>,
    bests: Vec<BestLine>,
    changed: Vec<Changed>,
    /// Cost and latency.
    numbers: Vec<Number>,
    numbers_heading: String,
    models: Vec<Model>,
    models_more: String,
    weeks: Vec<WeekLine>,
    weeks_more: String,
    mixed: String,
    retracted: Vec<Retracted>,
}

/// A run that is drawn.
#[derive(Debug, Serialize)]
struct BestLine {
    date: String,
    name: String,
    slug: String,
    /// Which line it is on; empty for the best run of another model.
    line: &'static str,
    score: String,
    epoch: String,
}

/// A drawing with its table.
#[derive(Debug, Serialize)]
struct Number {
    chart: SeriesChart,
    models: Vec<String>,
    lines: Vec<GridLine>,
}

#[derive(Debug, Serialize)]
struct GridLine {
    week: String,
    cells: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Model {
    name: String,
    slug: String,
    state: String,
    latest: String,
    date: String,
    average: String,
    trend: String,
    quarter: String,
    quarter_note: String,
    change: String,
    change_note: String,
    runs: String,
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
    let shown = usize::try_from(WINDOW).unwrap_or(usize::MAX);
    let lines: Vec<WeekLine> =
        summaries.iter().rev().take(shown).map(|week| week_line(ledger, week)).collect();
    let more = |count: usize, what: &str| match count {
        0 => String::new(),
        count => format!("{} in v1/history.json.", format::count(count, what)),
    };
    let mixed = lines.iter().filter(|line| line.mixed).count();
    let numbers: Vec<Number> =
        NUMBERS.into_iter().filter_map(|measure| number(trends, measure)).collect();
    let of_top = numbers.iter().all(|number| number.chart.all_top);
    TrendsPage {
        heading: heading(trends),
        lede: lede(trends),
        best: best_chart(trends),
        bests: bests(trends),
        changed: changed(trends),
        numbers,
        numbers_heading: format!(
            "Cost and latency {}",
            if of_top { "in the top group" } else { "of the best models" }
        ),
        models: trends.series.iter().take(TABLED).map(|series| model(trends, series)).collect(),
        models_more: more(trends.series.len().saturating_sub(TABLED), "more model"),
        weeks_more: more(summaries.len() - lines.len(), "earlier week"),
        weeks: lines,
        mixed: match mixed {
            0 => String::new(),
            count => format!(
                "{} marked *: runs of more than one protocol, whose scores do not compare.",
                format::count(count, "week")
            ),
        },
        retracted: retracted(trends),
    }
}

const NUMBERS: [Measure; 2] = [
    Measure {
        id: "cost",
        title: "Cost per solved prompt",
        value: |point| point.cost_per_solved,
        words: format::money,
    },
    Measure {
        id: "latency",
        title: "Time within which 95 of 100 answers arrive",
        value: |point| point.latency,
        words: seconds,
    },
];

fn seconds(milliseconds: f64) -> String {
    match milliseconds / 1000.0 {
        none if none <= 0.0 => "0 s".to_owned(),
        absurd if absurd >= 1e6 => format!("{absurd:.0e} s"),
        long if long >= 9.95 => format!("{long:.0} s"),
        short => format!("{short:.1} s"),
    }
}

/// The finding of the page.
fn heading(trends: &Trends<'_>) -> String {
    let ledger = &trends.ledger;
    let (Some((since, before)), Some(best)) = (trends.lead(), trends.best(None)) else {
        return "No run of the last year has a score yet".to_owned();
    };
    let name = ledger.name(&best.model);
    let score = ledger.score_of(best).unwrap_or_default();
    let days: BTreeSet<i64> =
        trends.segments.iter().flat_map(|one| &one.runs).map(|run| run.at.day()).collect();
    let behind = match &trends.kinds[..] {
        [one, two] => trends.best(*one).zip(trends.best(*two)).map(|(closed, open)| {
            let of = |run: &Run| run.aggregate_score.unwrap_or_default();
            match (of(closed), of(open)) {
                (closed, open) if closed > open => {
                    format!("open models trail by {}", ledger.points(closed - open))
                }
                (closed, open) if closed < open => {
                    format!("closed models trail by {}", ledger.points(open - closed))
                }
                _ => "open and closed models score the same".to_owned(),
            }
        }),
        _ => None,
    };
    let behind = behind.unwrap_or_else(|| format!("it scores {score}"));
    // A date stays on one line.
    let day = trends.day(since.at).replace(' ', "\u{a0}");
    match before {
        _ if days.len() < 2 => format!("{name} scores highest so far; {behind}"),
        Some(_) => format!("{name} took the lead on {day}; {behind}"),
        None => format!("{name} has led since {day}; {behind}"),
    }
}

fn lede(trends: &Trends<'_>) -> Vec<String> {
    let ledger = &trends.ledger;
    let history = ledger.history;
    let latest = trends.series.iter().map(|series| series.latest.at).max();
    let updated = latest.map_or_else(String::new, |at| format::date(&at.date()));
    let Some(segment) = trends.segments.last() else {
        return vec![format!("Last run: {updated}.")];
    };
    let latest_run = segment.runs[segment.runs.len() - 1];
    let is_private =
        |run: &&Run| run.dataset_scores.get("held_out").copied() == run.aggregate_score;
    let set = match latest_run.n_prompts {
        _ if !segment.runs.iter().all(is_private) => String::new(),
        Some(prompts) if segment.runs.iter().all(|run| run.n_prompts == Some(prompts)) => {
            format!(" on the {prompts} private prompts")
        }
        _ => " on the private prompts".to_owned(),
    };
    let several = trends.segments[0].runs[0].at.day() != latest_run.at.day();
    let mut lines = vec![if several {
        format!("Best score{set} by date of the run, in the last year.")
    } else {
        format!("Scores{set}. A trend needs runs of a second day.")
    }];
    if let [one, two] = trends.kinds[..]
        && let Some((one, two)) = trends.best(one).zip(trends.best(two))
        && let Some(sure) = is_significant(one, two, ledger.section.score_scale)
        && one.aggregate_score != two.aggregate_score
    {
        lines[0].push_str(if sure {
            " The 95% ranges of the best open and the best closed model do not overlap."
        } else {
            " The 95% ranges of the best open and the best closed model overlap."
        });
    }
    let since = latest.map_or(0, Instant::day) - 42;
    let joined = |series: &&ModelSeries<'_>| {
        history.of_model(series.model).next().is_some_and(|run| run.at.day() > since)
    };
    let joined = trends.series.iter().filter(joined).count();
    let runs: usize =
        trends.series.iter().flat_map(|one| &one.points).map(|point| point.runs).sum();
    let mut line = format!(
        "{} of {}",
        format::count(runs, "run"),
        format::count(trends.series.len(), "model")
    );
    if joined > 0 && several {
        let from = trends.day(Instant::of_day(since));
        line.push_str(&format!(", {} of them new since {from}", format::grouped(joined as u64)));
    }
    lines.extend(quarter_line(trends));
    lines.push(format!("{line}. Last run: {updated}."));
    lines
}

/// Who rose and who fell most over the last quarter; `None` where no average changed.
fn quarter_line(trends: &Trends<'_>) -> Option<String> {
    let ledger = &trends.ledger;
    let mut changes: Vec<(&ModelSeries<'_>, &Change, f64)> = trends
        .series
        .iter()
        .filter(|series| !series.withdrawn)
        .filter_map(|series| {
            let change = series.quarter.as_ref().ok()?;
            Some((series, change, change.percent.filter(|percent| percent.abs() >= 0.05)?))
        })
        .collect();
    changes.sort_by(|a, b| b.2.total_cmp(&a.2));
    let said = |(series, change, percent): &(&ModelSeries<'_>, &Change, f64)| {
        format!(
            "{} {} {:.1}% ({} → {}{})",
            ledger.name(series.model),
            if *percent > 0.0 { "improved" } else { "declined" },
            percent.abs(),
            ledger.fine(change.from),
            ledger.fine(change.to),
            sureness(change)
        )
    };
    let first = changes.first().filter(|(.., percent)| *percent > 0.0);
    let last = changes.last().filter(|(.., percent)| *percent < 0.0);
    let said: Vec<String> = first.into_iter().chain(last).map(said).collect();
    (!said.is_empty()).then(|| format!("Average of three runs over 90 days: {}.", said.join("; ")))
}

fn sureness(change: &Change) -> &'static str {
    match change.within_noise {
        Some(true) => ", not significant",
        Some(false) => ", significant",
        None => "",
    }
}

/// Every run that is drawn, newest first.
fn bests(trends: &Trends<'_>) -> Vec<BestLine> {
    let ledger = &trends.ledger;
    let mut runs: Vec<(&Run, &Segment<'_>, Option<Weights>)> = Vec::new();
    for kind in &trends.kinds {
        for segment in &trends.segments {
            let records = trends.records(segment, *kind);
            runs.extend(records.into_iter().map(|run| (run, segment, *kind)));
        }
    }
    let on_line: BTreeSet<&str> = runs.iter().map(|(run, ..)| &*run.run_id).collect();
    let line = |run: &Run, segment: &Segment<'_>, line: &'static str| BestLine {
        date: format::date(&run.at.date()),
        name: ledger.name(&run.model),
        slug: ledger.slug(&run.model),
        line,
        score: ledger.score_of(run).unwrap_or_default(),
        epoch: epoch_words(&segment.epoch),
    };
    let mut lines: Vec<(Instant, BestLine)> = Vec::new();
    for segment in &trends.segments {
        let others = segment.best_of_each().into_iter();
        let others = others.filter(|run| !on_line.contains(&*run.run_id));
        lines.extend(others.map(|run| (run.at, line(run, segment, ""))));
    }
    let drawn = |(run, segment, kind): &(&Run, &Segment<'_>, Option<Weights>)| {
        (run.at, line(run, segment, kind_words(*kind).0))
    };
    lines.extend(runs.iter().map(drawn));
    lines.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    lines.into_iter().take(TABLED).map(|(_, line)| line).collect()
}

fn number(trends: &Trends<'_>, measure: Measure) -> Option<Number> {
    let chart = series_chart(trends, measure)?;
    let known = |series: &&ModelSeries<'_>| {
        let mut points = series.points.iter().filter(|point| point.week >= trends.first);
        points.any(|point| (measure.value)(point).is_some())
    };
    let series: Vec<&ModelSeries<'_>> = trends.top_first().filter(known).take(COLUMNS).collect();
    let line = |week: i64| {
        let cell = |series: &&ModelSeries<'_>| {
            let is_then = |point: &&Point| point.week == week;
            // Several epochs in one week: the one that stays is last.
            let value = series.points.iter().filter(is_then).filter_map(measure.value).next_back();
            value.map_or_else(|| format::NONE.to_owned(), measure.words)
        };
        let cells: Vec<String> = series.iter().map(cell).collect();
        let is_empty = cells.iter().all(|cell| cell == format::NONE);
        (!is_empty).then(|| GridLine { week: format::date(&monday(week).date()), cells })
    };
    let name = |series: &&ModelSeries<'_>| format::truncate(&trends.ledger.name(series.model), 24);
    Some(Number {
        chart,
        models: series.iter().map(name).collect(),
        lines: (trends.first..=trends.last).rev().filter_map(line).collect(),
    })
}

fn model(trends: &Trends<'_>, series: &ModelSeries<'_>) -> Model {
    let ledger = &trends.ledger;
    let none = || format::NONE.to_owned();
    let state = match (series.fell.is_some(), series.withdrawn) {
        (true, true) => "withdrawn, in regression",
        (true, false) => "in regression",
        (false, true) => "withdrawn",
        (false, false) => "",
    };
    let (change, change_note) = match &series.change {
        Ok(change) => (
            format!("{} → {}", ledger.fine(change.from), ledger.fine(change.to)),
            format!("since {}{}", format::date(&change.from_date), sureness(change)),
        ),
        Err(_) => (none(), "fewer than 2 scored runs".to_owned()),
    };
    let (quarter, quarter_note) = match &series.quarter {
        Ok(change) => (
            change.percent.map_or_else(none, |percent| format!("{}%", format::signed(percent, 1))),
            format!(
                "{} → {}{}",
                ledger.fine(change.from),
                ledger.fine(change.to),
                sureness(change)
            ),
        ),
        Err(NoChange::TooFew(_)) => (none(), "fewer than 2 scored runs".to_owned()),
        Err(NoChange::Epochs(..)) => (none(), "protocol or judge changed".to_owned()),
    };
    Model {
        name: ledger.name(series.model),
        slug: ledger.slug(series.model),
        state: state.to_owned(),
        latest: ledger.score_of(series.latest).unwrap_or_else(none),
        date: trends.day(series.latest.at),
        average: series.derived.moving_average.map_or_else(none, |average| ledger.fine(average)),
        trend: match series.derived.trend {
            Ok(Trend::Improving) => "▲ improving".to_owned(),
            Ok(Trend::Declining) => "▼ declining".to_owned(),
            Ok(trend) => trend.as_str().to_owned(),
            Err(why) => why.reason().to_owned(),
        },
        quarter,
        quarter_note,
        change,
        change_note,
        runs: format::count(series.points.iter().map(|point| point.runs).sum(), "run"),
    }
}

fn week_line(ledger: &Ledger<'_>, week: &WeekSummary) -> WeekLine {
    let score = |score: Option<f64>| {
        score.map_or_else(|| format::NONE.to_owned(), |score| ledger.fine(score))
    };
    WeekLine {
        week: format::date(&week.week.monday()),
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

fn retracted(trends: &Trends<'_>) -> Vec<Retracted> {
    let ledger = &trends.ledger;
    let mut lines: Vec<_> = ledger.history.retractions().collect();
    lines.sort_by(|a, b| (&b.recorded_at, &b.run_id).cmp(&(&a.recorded_at, &a.run_id)));
    let shown = lines.into_iter().take(MOST).filter_map(|line| {
        let run = ledger.history.run(&line.run_id)?;
        Some(Retracted {
            run: format::clean(&line.run_id),
            name: ledger.name(&run.model),
            score: ledger.score_of(run).unwrap_or_else(|| format::NONE.to_owned()),
            date: trends.day(run.at),
            reason: format::clean(&line.reason),
        })
    });
    shown.collect()
}

/// What the recorded runs of `model` come to; empty if there is none.
pub(in crate::site) fn runs_sentence(trends: &Trends<'_>, model: &str) -> String {
    let Some(series) = trends.by_model.get(model).map(|at| &trends.series[*at]) else {
        return String::new();
    };
    let runs = format::count(series.points.iter().map(|point| point.runs).sum(), "recorded run");
    let date = format::date(&series.latest.at.date());
    let score = match trends.ledger.score_of(series.latest) {
        Some(score) => format!("{score} on {date}"),
        None => format!("no score on {date}"),
    };
    let trend = match series.derived.trend {
        Ok(trend) => format!(", {}", trend.as_str()),
        Err(_) => String::new(),
    };
    format!("{runs}; the latest: {score}{trend}.")
}
