//! What changed lately, on the page of trends.

use serde::Serialize;

use super::trends::MOST;
use crate::facts::{Earlier, FlagChange, RunChange};
use crate::ledger::{Instant, NoDelta, Run};
use crate::site::format;
use crate::site::trends::{Ledger, Trends};
use crate::site::view::events::epoch_words;

/// Something that changed.
#[derive(Debug, Default, Serialize)]
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

/// Runs that changed something and models that were withdrawn, newest first.
pub(super) fn changed(trends: &Trends<'_>) -> Vec<Changed> {
    let day = |change: &RunChange<'_>| Instant::of_day(change.run.at.day());
    let mut lines: Vec<(Instant, Option<f64>, Changed)> = trends
        .changes
        .iter()
        .map(|change| (day(change), change.run.aggregate_score, run_line(trends, change)))
        .collect();
    for line in trends.ledger.history.withdrawals() {
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
        score: format::NONE.to_owned(),
        ..Changed::default()
    }
}

fn run_line(trends: &Trends<'_>, change: &RunChange<'_>) -> Changed {
    let ledger = &trends.ledger;
    let RunChange { run, before, .. } = change;
    let place = change.place.map(|(place, all)| {
        let standing = ledger.known.get(&run.model).and_then(|known| known.is_top);
        let group = match standing.filter(|_| change.is_latest && all > 1) {
            Some(true) => ", in the top group",
            Some(false) => ", significantly behind #1",
            None => "",
        };
        match all {
            1 => "the only model scored".to_owned(),
            all => format!("{} of {all}{group}", format::ordinal(place)),
        }
    });
    let moved = match change.delta {
        Ok(delta) => {
            let way = match delta {
                up if up > 0.0 => format!("{} up", ledger.points(delta)),
                down if down < 0.0 => format!("{} down", ledger.points(delta)),
                _ => "no change".to_owned(),
            };
            let before = before.as_ref().filter(|_| delta != 0.0);
            format!("{way}{}", before.map_or("", significance))
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
    let means = match (&change.passed, change.flag) {
        (Some(leader), _) => {
            let by = run.score_minus(leader.run);
            let by = by.map(|by| ledger.points(by)).unwrap_or_default();
            let name = short_name(ledger, leader.run);
            format!("takes the lead from {name} by {by}{}", significance(leader))
        }
        (None, FlagChange::Fell) => format!("flagged as a regression: {moved}"),
        (None, FlagChange::Recovered) => format!("recovered: {moved}"),
        (None, FlagChange::Same) => moved,
    };
    let arrow = |then: Option<String>, now: Option<String>| match (then, now) {
        (Some(then), Some(now)) if then != now => format!("{then} → {now}"),
        (_, now) => now.unwrap_or_default(),
    };
    let cost_before = before.as_ref().and_then(|before| before.cost_per_solved);
    let (trade_off, is_worse) = traded(ledger, change);
    let score = ledger.score_of(run).unwrap_or_else(|| format::NONE.to_owned());
    Changed {
        is_new: change.is_new,
        score: arrow(before.as_ref().and_then(|before| ledger.score_of(before.run)), Some(score)),
        means,
        cost: arrow(cost_before.map(format::money), change.cost_per_solved.map(format::money)),
        trade_off,
        is_worse,
        ..blank(trends, run.at, &run.model)
    }
}

fn significance(earlier: &Earlier<'_>) -> &'static str {
    match earlier.is_significant {
        Some(true) => ", significant",
        Some(false) => ", not significant",
        None => "",
    }
}

fn short_name(ledger: &Ledger<'_>, run: &Run) -> String {
    format::truncate(&ledger.name(&run.model), 24)
}

/// What a change was paid with: parts that fell while others rose, else the cost; and whether it is
/// for the worse.
fn traded(ledger: &Ledger<'_>, change: &RunChange<'_>) -> (String, bool) {
    if let Some(parts) = &change.trade_off {
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
    let ratio = |earlier: &Earlier<'_>| change.cost_ratio(earlier);
    if let Some((leader, times)) = change.passed.as_ref().and_then(|it| Some((it, ratio(it)?))) {
        let name = short_name(ledger, leader.run);
        return match times {
            more if more >= 1.15 => (format!("{more:.1} times the cost of {name}"), true),
            less if less <= 0.87 => {
                (format!("costs {:.0}% less than {name}", (1.0 - less) * 100.0), false)
            }
            _ => (format!("about the cost of {name}"), false),
        };
    }
    let Some(before) = &change.before else { return (String::new(), false) };
    let is_sure = before.is_significant == Some(true);
    let gained = change.run.aggregate_score.zip(before.run.aggregate_score);
    let gained = gained.is_some_and(|(now, then)| now > then) && is_sure;
    match ratio(before) {
        Some(more) if more >= 1.15 && gained => ("costs more".to_owned(), false),
        Some(more) if more >= 1.15 => ("costs more, no clear gain".to_owned(), true),
        Some(less) if less <= 0.87 && !is_sure => {
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
