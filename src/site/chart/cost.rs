//! Score against cost: dollars per solved prompt where rows are priced, else tokens.
//!
//! The drawing has no fixed width: places across are percentages, heights and letters are pixels, so
//! text is as large on a phone as on a desk. Labels are placed so that they hold at every width.

use serde::Serialize;

use crate::facts::{Expense, Facts, RankGroup, RowFacts, frontier};
use crate::site::format;

use super::labels::{Drawn, FlexLabel, FlexPoint, only_musts, place_flexible};
use super::{
    Axis, Dot, Stroke, Tick, number, percent, score_range, score_ticks, share_tick, starts_at,
};

/// Models named as missing from the drawing.
const NAMED: usize = 8;
/// Points in the drawing; more are a cloud.
const MOST: usize = 100;
/// Height of the plot in pixels.
const HEIGHT: f64 = 220.0;
/// Widths of the plot, in pixels, at which labels must hold: on a desk and on a phone.
const WIDE: [f64; 4] = [536.0, 640.0, 752.0, 856.0];
const NARROW: [f64; 4] = [232.0, 302.0, 400.0, 551.0];
/// Letters of a name in the drawing.
const NAME: usize = 24;

/// The chart.
#[derive(Debug, Serialize)]
pub(in crate::site) struct CostChart {
    title: String,
    description: String,
    /// How to read it.
    lede: String,
    /// What the axis across counts.
    axis: &'static str,
    /// What is to the left.
    left: &'static str,
    /// Which ranked models are not drawn, and why; empty if all are.
    left_out: String,
    height: String,
    /// Whether the axis up starts above zero.
    broken: bool,
    ticks_x: Vec<Tick>,
    ticks_y: Vec<Tick>,
    /// The cost/score frontier, drawn as steps: no model exists between two points.
    lines: Vec<Stroke>,
    points: Vec<Dot>,
    wide: Vec<FlexLabel>,
    narrow: Vec<FlexLabel>,
}

fn amount_spent(expense: Expense, spent: f64) -> String {
    match expense {
        Expense::Dollars => format::money(spent),
        Expense::Tokens => format::amount(spent),
    }
}

/// The scored rows of `group` whose expense is known and not zero, which a log scale does not have;
/// `None` for fewer than two. Dollars if any two rows are priced, else tokens.
pub(in crate::site) fn cost_chart(facts: &Facts<'_>, group: &RankGroup) -> Option<CostChart> {
    let rows: Vec<&RowFacts<'_>> = group.ranked().iter().map(|at| &facts.rows[*at]).collect();
    let known = |expense: Expense| -> Vec<(&RowFacts<'_>, f64, f64)> {
        let point = |row: &&'_ RowFacts<'_>| Some((expense.spent_by(row)?, row.held_out?.share()));
        rows.iter().filter_map(|row| point(row).map(|(x, y)| (*row, x, y))).collect()
    };
    let expenses = [Expense::Dollars, Expense::Tokens].map(|expense| (expense, known(expense)));
    let is_paid = |(_, spent, _): &(&RowFacts<'_>, f64, f64)| *spent > 0.0;
    let (expense, all) = expenses
        .into_iter()
        .find(|(_, known)| known.iter().filter(|point| is_paid(point)).count() >= 2)?;
    let best = frontier(&all.iter().map(|(_, x, y)| (*x, *y)).collect::<Vec<_>>());
    let paid: Vec<_> = all.into_iter().zip(best).filter(|(point, _)| is_paid(point)).collect();
    let total = paid.len();
    let drawn: Vec<(&RowFacts<'_>, f64, f64, bool)> = paid
        .into_iter()
        .enumerate()
        .filter(|(at, (_, best))| *at < MOST || *best)
        .map(|(_, ((row, x, y), best))| (row, x, y, best))
        .collect();

    let (ticks, from, to) = log_ticks(drawn.iter().map(|(_, spent, ..)| *spent));
    let across = Axis { from: from.ln(), to: to.ln(), start: 0.0, end: 100.0 };
    let (low, high) = score_range(drawn.iter().map(|(.., rate, _)| *rate));
    let up = Axis { from: low, to: high, start: HEIGHT, end: 0.0 };
    let top: Vec<&RowFacts<'_>> = rows.iter().copied().filter(|row| row.is_top()).collect();
    let cheapest = expense.least(&top).map(|(row, _)| row);

    let (mut points, mut named, mut corners, mut said) = (vec![], vec![], vec![], vec![]);
    for (at, (row, spent, rate, best)) in drawn.iter().enumerate() {
        let (x, y) = (across.at(spent.ln()), up.at(*rate));
        let dot = dot(row, (x, y), &amount_spent(expense, *spent), *best);
        if *best {
            corners.push((x, y));
            said.push(dot.title.clone());
        }
        let is_cheapest = cheapest.is_some_and(|cheapest| std::ptr::eq(cheapest, *row));
        let must = *best || at == 0 || is_cheapest;
        let name = format::truncate(&row.name, NAME);
        named.push(FlexPoint {
            x: x / 100.0,
            y,
            name,
            must,
            is_top: row.is_top(),
            ..FlexPoint::default()
        });
        points.push(dot);
    }
    corners.sort_by(|a: &(f64, f64), b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let steps = steps(&corners);
    let area = Drawn {
        lines: steps.iter().map(|(a, b)| ((a.0 / 100.0, a.1), (b.0 / 100.0, b.1))).collect(),
        height: HEIGHT,
    };
    let (what, left, axis) = match expense {
        Expense::Dollars => ("cost", "cheaper", "Cost per solved prompt, list price, log scale"),
        Expense::Tokens => ("tokens", "fewer tokens", "Tokens per solved prompt, log scale"),
    };
    let start = starts_at(low);
    let part = if drawn.len() < total {
        format!(" The first {MOST} of {total} models.")
    } else {
        String::new()
    };
    // Only a free model, which is not drawn, beats every point.
    let (line, unbeaten) = if said.is_empty() {
        let free = "A free model scores at least as high as all of these.";
        (free.to_owned(), free)
    } else {
        let line = said.join("; ");
        (
            format!("On the line, where no other model is better in both: {line}."),
            "No model beats one on the line in both.",
        )
    };
    Some(CostChart {
        title: format!("Score against {what}"),
        description: format!("Up is a higher score, left is {left}. {line}"),
        lede: format!("Up and left is better. {unbeaten}{start}{part}"),
        axis,
        left,
        left_out: left_out(expense, &rows),
        height: number(HEIGHT),
        broken: low > 0.0,
        ticks_x: ticks
            .into_iter()
            .map(|spent| Tick {
                at: percent(across.at(spent.ln())),
                label: tick_label(expense, spent),
            })
            .collect(),
        ticks_y: score_ticks(low, high)
            .into_iter()
            .map(|rate| share_tick(up.text(rate), rate))
            .collect(),
        lines: steps.iter().map(|(from, to)| Stroke::new(*from, *to)).collect(),
        points,
        wide: place_flexible(&named, &area, &WIDE),
        narrow: place_flexible(&only_musts(&named), &area, &NARROW),
    })
}

/// The point of `row` at `x` and `y`.
fn dot(row: &RowFacts<'_>, (x, y): (f64, f64), spent: &str, best: bool) -> Dot {
    let score = row.held_out.map(format::whole_percent).unwrap_or_default();
    Dot {
        x: percent(x),
        y: number(y),
        slug: row.slug.clone(),
        title: format!("{}: {score}, {spent} per solved prompt", format::truncate(&row.name, NAME)),
        class: match (best, row.is_top()) {
            (true, _) => "best",
            (_, true) => "top",
            _ => "",
        },
    }
}

/// Ticks of round dollars or tokens: `0.3¢`, `1¢`, `3k`.
fn tick_label(expense: Expense, spent: f64) -> String {
    let text = amount_spent(expense, spent);
    let (digits, unit) = text.split_at(text.trim_end_matches(['¢', 'k', 'M']).len());
    let digits = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    format!("{digits}{unit}")
}

/// Names the ranked models that have no place on the scale: free ones, and those whose expense is not
/// known.
fn left_out(expense: Expense, rows: &[&RowFacts<'_>]) -> String {
    let unknown = match expense {
        Expense::Dollars => "No list price",
        Expense::Tokens => "No tokens recorded",
    };
    let of = |what: &str, rows: Vec<&RowFacts<'_>>| {
        let name = |row: &&RowFacts<'_>| {
            let score = row.held_out.map(format::whole_percent).unwrap_or_default();
            format!("{} {score}", format::truncate(&row.name, 40))
        };
        let mut names: Vec<String> = rows.iter().take(NAMED).map(name).collect();
        if rows.len() > NAMED {
            names.push(format!("{} more", rows.len() - NAMED));
        }
        (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")))
    };
    let free = |row: &&RowFacts<'_>| expense.spent_by(row).is_some_and(|spent| spent <= 0.0);
    let none = |row: &&RowFacts<'_>| expense.spent_by(row).is_none();
    let [free, none] = [
        of("Free, so left of the scale", rows.iter().copied().filter(free).collect()),
        of(unknown, rows.iter().copied().filter(none).collect()),
    ];
    free.into_iter().chain(none).collect::<Vec<_>>().join(" ")
}

/// The lines that join `corners`, across and then up.
fn steps(corners: &[(f64, f64)]) -> Vec<((f64, f64), (f64, f64))> {
    let mut lines = Vec::new();
    for pair in corners.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let knee = (to.0, from.1);
        lines.extend([(from, knee), (knee, to)]);
    }
    lines.retain(|(from, to)| from != to);
    lines
}

/// Round marks around the values, at least three where that can be had, few enough for a phone, and
/// both ends of the axis.
fn log_ticks(values: impl Iterator<Item = f64> + Clone) -> (Vec<f64>, f64, f64) {
    const DIGITS: [&[f64]; 4] = [
        &[1.0],
        &[1.0, 2.0, 5.0],
        &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
        &[
            1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.5, 2.8, 3.2, 3.6, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0,
            8.0, 9.0,
        ],
    ];
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.fold(0.0, f64::max);
    // Room on both sides for the names of the outermost points.
    let room = (highest / lowest).powf(0.12).max(1.35);
    let (from, to) = (lowest / room, highest * room);
    let marks = |digits: &&'static [f64]| {
        let digits: &'static [f64] = digits;
        (-9..16)
            .flat_map(move |power| digits.iter().map(move |digit| digit * 10_f64.powi(power)))
            .filter(|mark| (from..=to).contains(mark))
            .collect::<Vec<f64>>()
    };
    let enough = DIGITS.iter().map(marks).find(|marks| marks.len() >= 3);
    (enough.unwrap_or_default(), from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_never_run_diagonally() {
        for (from, to) in steps(&[(50.0, 200.0), (60.0, 80.0), (100.0, 20.0)]) {
            let (across, up) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
            assert!(across < 1e-9 || up < 1e-9);
        }
        assert!(steps(&[(50.0, 200.0)]).is_empty());
    }

    #[test]
    fn the_axis_up_holds_every_score() {
        for rates in [vec![0.0, 1.0], vec![0.5, 0.52], vec![0.99, 1.0], vec![0.0, 0.01]] {
            let (low, high) = score_range(rates.iter().copied());
            assert!(rates.iter().all(|rate| (low..=high).contains(rate)), "{low} {high}");
            assert!(high - low > 0.19 && score_ticks(low, high).len() >= 2);
        }
    }
}
