//! What the runs come to, in words: the top of the page of trends, and a sentence on a row's page.

use std::collections::BTreeMap;

use super::Term;
use crate::ledger::{Run, Trend, WeekSummary};
use crate::site::format;
use crate::site::trends::{Ledger, RECENT, Series, Trends, week_named, week_of};
use crate::site::view::events::epoch_words;

/// Names in one line of the summary.
const NAMED: usize = 5;

/// How much there is, in a sentence.
pub(super) fn lede(trends: &Trends<'_>, summaries: &[WeekSummary]) -> String {
    let runs: u64 = summaries.iter().map(|week| week.run_count).sum();
    format!(
        "{} of {} in {}, up to {}.",
        format::count(usize::try_from(runs).unwrap_or(usize::MAX), "run"),
        format::count(trends.series.len(), "model"),
        format::count(summaries.len(), "week"),
        week_named(trends.last)
    )
}

/// The page in a few lines, every number computed.
pub(super) fn summary(trends: &Trends<'_>) -> Vec<Term> {
    let ledger = &trends.ledger;
    let term = |name: &str, value: String| Term { name: name.to_owned(), value };
    let mut lines: Vec<Term> = best_now(trends).into_iter().collect();
    for trend in [Trend::Improving, Trend::Declining, Trend::Stable] {
        let is = |series: &&Series<'_>| {
            series.derived.trend == Ok(trend) && week_of(series.latest.at) > trends.last - RECENT
        };
        let names = named(ledger, trends.series.iter().filter(is));
        let mut name = trend.as_str().to_owned();
        name[..1].make_ascii_uppercase();
        lines.extend(names.map(|names| term(&name, names)));
    }
    let open = trends.series.iter().filter(|series| series.fell.is_some());
    let count = open.clone().count();
    lines.push(match named(ledger, open) {
        Some(names) => term(&format::count(count, "open regression"), names),
        None => term("Open regressions", "none".to_owned()),
    });
    if let Some(bump) = trends.bumps.last() {
        let since = week_named(bump.week);
        let text =
            format!("{} since {since}; scores before it do not compare", epoch_words(&bump.epoch));
        lines.push(term("Protocol", text.trim_start_matches("protocol ").to_owned()));
    }
    lines
}

/// The names of some models; `None` if there is none.
fn named<'s>(ledger: &Ledger<'_>, series: impl Iterator<Item = &'s Series<'s>>) -> Option<String> {
    let names: Vec<String> = series.map(|series| ledger.name(series.model)).collect();
    match names.len() {
        0 => None,
        1..=NAMED => Some(format::list(&names)),
        more => Some(format!("{} and {} more", names[..NAMED].join(", "), more - NAMED)),
    }
}

/// What people wrote about the runs of the window, the most frequent first.
pub(super) fn notes(trends: &Trends<'_>) -> Vec<String> {
    let first = trends.first;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for series in &trends.series {
        let runs = trends.ledger.history.of_model(series.model).rev();
        for run in runs.take_while(|run| week_of(run.at) >= first) {
            if let Some(note) = &run.notes {
                *counts.entry(note).or_default() += 1;
            }
        }
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let shown = counts.into_iter().take(3);
    shown
        .map(|(note, count)| {
            let note = format::truncate(&format::clean(note), 200);
            format!("Note on {}: {note}", format::count(count, "run"))
        })
        .collect()
}

/// The best run of the latest week that has a scored one.
fn best_now(trends: &Trends<'_>) -> Option<Term> {
    let scored = |series: &Series<'_>| {
        let point = series.points.iter().rev().find(|point| point.mean.is_some())?;
        Some(point.week)
    };
    let week = trends.series.iter().filter_map(scored).max()?;
    let runs = trends.series.iter().flat_map(|series| {
        let runs = trends.ledger.history.of_model(series.model).rev();
        let inside = runs.take_while(move |run| week_of(run.at) >= week);
        inside.filter(move |run| week_of(run.at) == week).collect::<Vec<&Run>>()
    });
    let best = runs.filter(|run| run.aggregate_score.is_some()).max_by(|a, b| {
        let score = |run: &Run| run.aggregate_score.unwrap_or(-1.0);
        score(a).total_cmp(&score(b)).then_with(|| b.run_id.cmp(&a.run_id))
    })?;
    let ledger = &trends.ledger;
    let derived = crate::ledger::derive(ledger.history, best, ledger.rules().epsilon);
    let delta = match derived.score_delta {
        Ok(delta) => ledger.change(delta),
        Err(why) => why.words().to_owned(),
    };
    let name = if week == trends.last {
        "Best this week".to_owned()
    } else {
        format!("Best of {}", week_named(week))
    };
    let score = ledger.score(best.aggregate_score?);
    Some(Term { name, value: format!("{} ({score}, {delta})", ledger.name(&best.model)) })
}

/// What the recorded runs of `model` come to; empty if there is none.
pub(in crate::site) fn runs_sentence(trends: &Trends<'_>, model: &str) -> String {
    let Some(series) = trends.by_model.get(model).map(|at| &trends.series[*at]) else {
        return String::new();
    };
    let ledger = &trends.ledger;
    let runs = format::count(series.points.iter().map(|point| point.runs).sum(), "recorded run");
    let date = format::date(&series.latest.at.date());
    let score = match series.latest.aggregate_score {
        Some(score) => format!("{} on {date}", ledger.score(score)),
        None => format!("no score on {date}"),
    };
    let trend = match series.derived.trend {
        Ok(trend) => format!(", {}", trend.as_str()),
        Err(_) => String::new(),
    };
    format!("{runs}; the latest: {score}{trend}.")
}
