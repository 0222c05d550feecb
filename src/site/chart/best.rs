//! The best score so far, and whose it is.

use crate::site::format;
use crate::site::trends::{Best, Trends};

use super::weeks::{Frame, Line, NARROW, Name, Weeks, marks, plain};
use super::{Axis, Tick, number};

/// The best score so far of every epoch, and who held it.
pub(in crate::site) fn running_best(trends: &Trends<'_>) -> Option<Weeks> {
    let first = trends.first;
    let mut held: Vec<&Best<'_>> = Vec::new();
    for (at, best) in trends.bests.iter().enumerate() {
        let next = trends.bests.get(at + 1).filter(|next| next.epoch == best.epoch);
        // Beaten before the window, or of an epoch that ended before it.
        if next.is_none_or(|next| next.week > first) && best.until >= first {
            held.push(best);
        }
    }
    let last = *held.last()?;
    let (ticks, from, to) = marks(held.iter().map(|best| best.score));
    let up = Axis { from, to, start: NARROW.bottom - 90.0, end: NARROW.top };
    let frame = Frame {
        class: "",
        right: 368.0,
        bottom: NARROW.bottom - 90.0,
        height: NARROW.height - 90.0,
        ..NARROW
    };
    let mut drawing = frame.drawing("best", trends);
    drawing.ticks_y =
        ticks.into_iter().map(|mark| Tick { at: up.text(mark), label: plain(mark) }).collect();
    let across = frame.across(trends);
    #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
    let x = |week: i64| across.at(week.max(first) as f64);
    let bumps = trends.bumps_shown();
    let mut path = String::new();
    let mut holder = None;
    for (at, best) in held.iter().enumerate() {
        let next = held.get(at + 1).filter(|next| next.epoch == best.epoch);
        // A step ends at the next one, at the next rule, or with its epoch; never beyond a rule.
        let rule = bumps.iter().find(|bump| bump.week > best.week).map(|bump| bump.week);
        #[expect(clippy::cast_precision_loss, reason = "weeks of a window")]
        let rule = rule.map_or(frame.right, |week| across.at(week as f64 - 0.8));
        let end = x(next.map_or(best.until, |next| next.week)).min(rule);
        let side = |week: i64| bumps.partition_point(|bump| bump.week <= week);
        let follows =
            |before: &Best<'_>| before.epoch == best.epoch && side(before.week) == side(best.week);
        let starts = at == 0 || !follows(held[at - 1]);
        let y = up.at(best.score);
        let start = if starts {
            format!("M{} {}", number(x(best.week)), number(y))
        } else {
            format!("V{}", number(y))
        };
        path.push_str(&format!("{start}H{}", number(end)));
        if holder != Some((&best.run.model, &best.epoch)) {
            holder = Some((&best.run.model, &best.epoch));
            drawing.names.push(Name {
                class: "s0".to_owned(),
                x: number(x(best.week) + 3.0),
                y: number(y + 14.0),
                text: format::truncate(&trends.ledger.name(&best.run.model), 20),
            });
        }
    }
    drawing.lines.push(Line {
        class: "steps".to_owned(),
        path,
        dots: String::new(),
        flags: String::new(),
    });
    drawing.title = String::from("Best score so far under each protocol");
    drawing.description = format!(
        "Steps that only rise; they start again where the protocol changes. Now {} by {}.",
        trends.ledger.score(last.score),
        trends.ledger.name(&last.run.model)
    );
    Some(drawing)
}
