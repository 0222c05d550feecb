//! What changed lately, on the page of trends.

use std::collections::BTreeMap;

use serde::Serialize;

use super::trends::MOST;
use crate::facts::week_of;
use crate::ledger::{Instant, NoDelta, Run, derive, overlap, trade_off};
use crate::site::format;
use crate::site::trends::{Ledger, Trends};
use crate::site::view::events::epoch_words;

/// Something that changed.
#[derive(Debug, Serialize)]
pub(super) struct Changed {
    date: String,
    stamp: String,
    name: String,
    slug: String,
    organization: String,
    is_new: bool,
    score: String,
    means: String,
    cost: String,
    trade_off: String,
    /// Whether the trade-off is a loss.
    is_worse: bool,
}

/// What happened lately: models that are new, take the lead, fall or recover, change by more than
/// chance, and the latest run of every other model; newest first.
pub(super) fn changed(trends: &Trends<'_>) -> Vec<Changed> {
    let history = trends.ledger.history;
    let mut lines: Vec<(Instant, Option<f64>, Changed)> = Vec::new();
    // The latest score of each model, by epoch; and the best run.
    let mut scores: BTreeMap<String, BTreeMap<&str, f64>> = BTreeMap::new();
    let mut best: BTreeMap<String, &Run> = BTreeMap::new();
    let runs: Vec<&Run> = history.runs().into_iter().filter(|run| run.pack_run.is_none()).collect();
    for day in runs.chunk_by(|a, b| a.at.day() == b.at.day()) {
        let leaders = best.clone();
        for run in day {
            let Some(score) = run.aggregate_score else { continue };
            scores.entry(run.epoch()).or_default().insert(&run.model, score);
            let leader = best.entry(run.epoch()).or_insert(run);
            if leader.aggregate_score < Some(score) {
                *leader = run;
            }
        }
        for run in day.iter().filter(|run| week_of(run.at) >= trends.first) {
            let epoch = run.epoch();
            let is_best = best.get(&epoch).is_some_and(|best| std::ptr::eq(*best, *run));
            let leader = leaders.get(&epoch).copied().filter(|_| is_best);
            let of_epoch = scores.get(&epoch);
            if let Some(line) = change(trends, run, leader, of_epoch) {
                lines.push((Instant::of_day(run.at.day()), run.aggregate_score, line));
            }
        }
    }
    for line in history.withdrawals() {
        let Some(at) = Instant::parse(&line.recorded_at) else { continue };
        let model = format!("{}:{}", line.provider, line.model);
        let means = format!("withdrawn: {}", format::clean(&line.reason));
        lines.push((at, None, Changed { means, ..blank(trends, at, &model) }));
    }
    let score = |score: Option<f64>| score.unwrap_or(-1.0);
    lines.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| score(b.1).total_cmp(&score(a.1))));
    lines.truncate(MOST);
    lines.into_iter().map(|(.., line)| line).collect()
}

fn blank(trends: &Trends<'_>, at: Instant, model: &str) -> Changed {
    let known = trends.ledger.known.get(model);
    Changed {
        date: trends.day(at),
        stamp: at.date(),
        name: trends.ledger.name(model),
        slug: trends.ledger.slug(model),
        organization: known.map(|known| known.organization.clone()).unwrap_or_default(),
        is_new: false,
        score: format::NONE.to_owned(),
        means: String::new(),
        cost: String::new(),
        trade_off: String::new(),
        is_worse: false,
    }
}

/// What `run` changed; `None` if it is not worth a line. `leader` was the best until this run beat
/// it, `scores` are those of its epoch at the end of its day.
fn change(
    trends: &Trends<'_>,
    run: &Run,
    leader: Option<&Run>,
    scores: Option<&BTreeMap<&str, f64>>,
) -> Option<Changed> {
    let ledger = &trends.ledger;
    let history = ledger.history;
    let series = &trends.series[*trends.by_model.get(&*run.model)?];
    let derived = derive(history, run, ledger.rules().epsilon);
    let before = history.before_in_epoch(run).next();
    let is_flagged = |run: Option<&Run>| run.is_some_and(|run| run.regression_detected);
    let previous = history.before(run).next();
    let is_new = previous.is_none();
    let passed = leader.filter(|leader| leader.model != run.model);
    let sure = before.and_then(|before| is_significant(ledger, before, run));
    let (fell, recovered) = match (is_flagged(previous), run.regression_detected) {
        (false, true) => (true, false),
        (true, false) => (false, true),
        _ => (false, false),
    };
    let is_latest = std::ptr::eq(series.latest, run);
    if !(is_new || passed.is_some() || sure == Some(true) || fell || recovered || is_latest) {
        return None;
    }
    let place = run.aggregate_score.zip(scores).map(|(score, scores)| {
        let place = 1 + scores.values().filter(|other| **other > score).count();
        let standing = trends.ledger.known.get(&run.model).and_then(|known| known.is_top);
        let group = match standing.filter(|_| is_latest && scores.len() > 1) {
            Some(true) => ", in the top group",
            Some(false) => ", significantly behind #1",
            None => "",
        };
        match scores.len() {
            1 => "the only model scored".to_owned(),
            all => format!("{} of {all}{group}", format::ordinal(place)),
        }
    });
    let moved = match derived.score_delta {
        Ok(delta) => {
            let way = match delta {
                up if up > 0.0 => format!("{} up", ledger.points(delta)),
                down if down < 0.0 => format!("{} down", ledger.points(delta)),
                _ => "no change".to_owned(),
            };
            let sure = match sure.filter(|_| delta != 0.0) {
                Some(true) => ", significant",
                Some(false) => ", not significant",
                None => "",
            };
            format!("{way}{sure}")
        }
        Err(NoDelta::FirstRun) => match place {
            Some(place) => format!("new, {place}"),
            None => "new, waiting for the private test".to_owned(),
        },
        Err(NoDelta::EpochStart) => match place {
            Some(place) => format!("first run under {}, {place}", epoch_words(&run.epoch())),
            None => format!("no score yet under {}", epoch_words(&run.epoch())),
        },
        Err(NoDelta::NoScore) => "no score".to_owned(),
        Err(NoDelta::PrevNoScore) => match place {
            Some(place) => format!("scored for the first time, {place}"),
            None => "no score".to_owned(),
        },
    };
    let means = match (passed, fell, recovered) {
        (Some(leader), ..) => {
            let by = run.aggregate_score.zip(leader.aggregate_score);
            let by = by.map(|(now, then)| ledger.points(now - then)).unwrap_or_default();
            let sure = match is_significant(ledger, leader, run) {
                Some(true) => ", significant",
                Some(false) => ", not significant",
                None => "",
            };
            format!("takes the lead from {} by {by}{sure}", short_name(ledger, leader))
        }
        (_, true, _) => format!("flagged as a regression: {moved}"),
        (.., true) => format!("recovered: {moved}"),
        _ => moved,
    };
    let arrow = |then: Option<String>, now: Option<String>| match (then, now) {
        (Some(then), Some(now)) if then != now => format!("{then} → {now}"),
        (_, now) => now.unwrap_or_default(),
    };
    let cost = |run: &Run| ledger.cost_per_solved(run).map(format::money);
    let (trade_off, is_worse) = traded(ledger, run, before, passed, sure);
    let score = ledger.score_of(run).unwrap_or_else(|| format::NONE.to_owned());
    Some(Changed {
        is_new,
        score: arrow(before.and_then(|run| ledger.score_of(run)), Some(score)),
        means,
        cost: arrow(before.and_then(cost), cost(run)),
        trade_off,
        is_worse,
        ..blank(trends, run.at, &run.model)
    })
}

fn short_name(ledger: &Ledger<'_>, run: &Run) -> String {
    format::truncate(&ledger.name(&run.model), 24)
}

/// Whether the 95% ranges of two runs do not overlap, as `history change` judges it; `None` where it
/// is not known how many prompts they are over.
pub(super) fn is_significant(ledger: &Ledger<'_>, a: &Run, b: &Run) -> Option<bool> {
    let of = |run: &Run| Some((run.aggregate_score?, run.n_prompts));
    overlap(of(a)?, of(b)?, ledger.rules().score_scale).map(|is_same| !is_same)
}

/// What a change was paid with: parts that fell while others rose, else the cost; and whether it is
/// for the worse.
fn traded(
    ledger: &Ledger<'_>,
    run: &Run,
    before: Option<&Run>,
    passed: Option<&Run>,
    sure: Option<bool>,
) -> (String, bool) {
    if let Some(parts) = trade_off(ledger.history, run, ledger.rules().epsilon) {
        let (Some(gain), Some(loss)) = (parts.gains.first(), parts.losses.first()) else {
            return (String::new(), false);
        };
        let said = format!(
            "{} {}, {} {} points",
            part_words(&gain.0),
            ledger.change(gain.1),
            part_words(&loss.0),
            ledger.change(loss.1)
        );
        return (said, part_words(&loss.0) == "private");
    }
    let ratio = |than: &Run| {
        let (then, now) = (ledger.cost_per_solved(than)?, ledger.cost_per_solved(run)?);
        (then > 0.0).then_some(now / then)
    };
    if let Some((leader, times)) = passed.and_then(|leader| Some((leader, ratio(leader)?))) {
        let name = short_name(ledger, leader);
        return match times {
            more if more >= 1.15 => (format!("{more:.1} times the cost of {name}"), true),
            less if less <= 0.87 => {
                (format!("costs {:.0}% less than {name}", (1.0 - less) * 100.0), false)
            }
            _ => (format!("about the cost of {name}"), false),
        };
    }
    let gained = run.aggregate_score.zip(before.and_then(|run| run.aggregate_score));
    let gained = gained.is_some_and(|(now, then)| now > then) && sure == Some(true);
    match before.and_then(ratio) {
        Some(more) if more >= 1.15 && gained => ("costs more".to_owned(), false),
        Some(more) if more >= 1.15 => ("costs more, no clear gain".to_owned(), true),
        Some(less) if less <= 0.87 && sure != Some(true) => {
            ("cheaper, about the same score".to_owned(), false)
        }
        Some(less) if less <= 0.87 => ("cheaper".to_owned(), false),
        _ => (String::new(), false),
    }
}

/// `held_out/hard` is `private, hard`.
fn part_words(part: &str) -> String {
    let (set, tier) = part.split_once('/').map_or((part, None), |(set, tier)| (set, Some(tier)));
    let set = match set {
        "held_out" => "private",
        "structural" => "lint",
        other => other,
    };
    let tier = tier.map(|tier| format!(" {tier}")).unwrap_or_default();
    format::truncate(&format::clean(&format!("{set}{tier}")), 24)
}
