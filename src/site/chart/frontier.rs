//! Held-out against what a passed prompt takes: dollars where rows are priced, else tokens.

use crate::site::format;
use serde::Serialize;

use crate::facts::RowFacts;

use super::labels::{Label, Point, Rect, place};
use super::scatter::{BOTTOM, LEFT, RIGHT, TOP};
use super::{Axis, Tick, number};

/// Rows named as missing from the chart.
const NAMED: usize = 5;

/// The chart.
#[derive(Debug, Serialize)]
pub(in crate::site) struct Frontier {
    id: String,
    title: String,
    description: String,
    /// What a reader wants to know.
    question: &'static str,
    /// What is true of the models on the line.
    claim: &'static str,
    /// What the axis across counts, short and long.
    label: &'static str,
    axis: &'static str,
    /// Which ranked models are not drawn, and why; empty if all are.
    left_out: String,
    ticks_x: Vec<Tick>,
    ticks_y: Vec<Tick>,
    /// Steps, never diagonals: between two models there is no model.
    steps: String,
    points: Vec<Dot>,
    labels: Vec<Label>,
}

#[derive(Debug, Serialize)]
struct Dot {
    x: String,
    y: String,
    best: bool,
}

/// What the axis across counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expense {
    Dollars,
    Tokens,
}

impl Expense {
    fn spent_by(self, row: &RowFacts<'_>) -> Option<f64> {
        let value = match self {
            Self::Dollars => row.cost,
            Self::Tokens => row.tokens,
        };
        // As the tables show it: what is claimed must hold for the numbers a reader sees.
        value.map(|value| self.shown(value))
    }

    fn words(self, value: f64) -> String {
        match self {
            Self::Dollars => format::money(value),
            Self::Tokens => format::amount(value),
        }
    }

    /// The number that [`Self::words`] spells.
    fn shown(self, value: f64) -> f64 {
        let text = self.words(value);
        let text = text.trim_start_matches('$');
        let (digits, unit) = match text.strip_suffix(['k', 'M']) {
            Some(digits) if text.ends_with('k') => (digits, 1e3),
            Some(digits) => (digits, 1e6),
            None => (text, 1.0),
        };
        digits.parse::<f64>().map_or(value, |digits| digits * unit)
    }
}

/// The ranked `rows` whose expense is known; `None` for fewer than two. Dollars if at least two rows
/// are priced, else tokens.
pub(in crate::site) fn frontier(id: &str, rows: &[RowFacts<'_>]) -> Option<Frontier> {
    let known = |expense: Expense| -> Vec<(&RowFacts<'_>, f64, f64)> {
        let point = |row| Some((row, expense.spent_by(row)?, row.held_out?.rate.value()));
        rows.iter().filter_map(point).collect()
    };
    let expenses = [Expense::Dollars, Expense::Tokens].map(|expense| (expense, known(expense)));
    let is_drawn = |known: &[(&RowFacts<'_>, f64, f64)]| {
        known.len() >= 2 && known.iter().any(|(_, spent, _)| *spent > 0.0)
    };
    let (expense, known) = expenses.into_iter().find(|(_, known)| is_drawn(known))?;
    let left_out = left_out(expense, rows);
    let best = undominated(&known.iter().map(|(_, x, y)| (*x, *y)).collect::<Vec<_>>());
    let (ticks, from, to) =
        log_ticks(known.iter().map(|(_, spent, _)| *spent).filter(|spent| *spent > 0.0));
    let across = Axis { from: from.ln(), to: to.ln(), start: LEFT, end: RIGHT };
    let up = Axis::rates(BOTTOM, TOP);
    let (mut corners, mut points, mut named, mut said) = (vec![], vec![], vec![], vec![]);
    for ((row, spent, rate), best) in known.into_iter().zip(best) {
        // A free model is left of all others, where a logarithm ends.
        let x = if spent > 0.0 { across.at(spent.ln()) } else { LEFT };
        let y = up.at(rate);
        if best {
            corners.push((x, y));
            let unit = if expense == Expense::Tokens { " tokens" } else { "" };
            let spent = expense.words(spent);
            said.push(format!("{} {:.1}% at {spent}{unit}", row.model, rate * 100.0));
        }
        points.push(Dot { x: number(x), y: number(y), best });
        named.push(Point { x, y, name: format::truncate(&row.model, 24), must: best });
    }
    corners.sort_by(|a: &(f64, f64), b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let lines: Vec<Rect> =
        steps(&corners).windows(2).map(|ends| Rect::line(ends[0], ends[1])).collect();
    let tick = |spent: f64| Tick { at: across.text(spent.ln()), label: tick_label(expense, spent) };
    let (question, claim, label, axis) = match expense {
        Expense::Dollars => (
            "What does it cost?",
            "No model is both cheaper and better than those on the line.",
            "Dollars per pass, log scale",
            "Dollars per passed public prompt at list prices, judge excluded",
        ),
        Expense::Tokens => (
            "What does it take?",
            "No model both uses fewer tokens and scores better than those on the line.",
            "Tokens per pass, log scale",
            "Generation tokens per passed public prompt",
        ),
    };
    let (noun, left) = match expense {
        Expense::Dollars => ("cost", "cheaper"),
        Expense::Tokens => ("tokens", "fewer tokens"),
    };
    Some(Frontier {
        id: id.to_owned(),
        title: format!("Held-out pass rate against {noun} per passed prompt"),
        description: format!(
            "Left is {left}, up is better; {noun} on a logarithmic axis. {claim} On the line: {}.",
            said.join("; ")
        ),
        question,
        claim,
        label,
        axis,
        left_out,
        ticks_x: ticks.into_iter().map(tick).collect(),
        ticks_y: up.percent_ticks(),
        steps: path(&steps(&corners)),
        points,
        labels: place(&named, &lines, (LEFT, RIGHT), (TOP, BOTTOM)),
    })
}

fn tick_label(expense: Expense, spent: f64) -> String {
    match expense {
        Expense::Dollars => format::money(spent),
        Expense::Tokens => format::amount(spent).replace(".00", "").replace(".0", ""),
    }
}

fn left_out(expense: Expense, rows: &[RowFacts<'_>]) -> String {
    let missing: Vec<&RowFacts<'_>> = rows
        .iter()
        .filter(|row| row.held_out.is_some() && expense.spent_by(row).is_none())
        .collect();
    if missing.is_empty() {
        return String::new();
    }
    let mut names: Vec<String> =
        missing.iter().take(NAMED).map(|row| format::truncate(&row.model, 40)).collect();
    if missing.len() > NAMED {
        names.push(format!("{} more", missing.len() - NAMED));
    }
    let what = match expense {
        Expense::Dollars => "no cost is known",
        Expense::Tokens => "no tokens are recorded",
    };
    format!("Not drawn, because {what}: {}.", format::list(&names))
}

/// Standard dominance on (cost, rate): out if another is no worse in both and better in one.
/// Equals both stay.
fn undominated(points: &[(f64, f64)]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        points[a].0.total_cmp(&points[b].0).then(points[b].1.total_cmp(&points[a].1))
    });
    let mut keep = vec![false; points.len()];
    let mut last: Option<(f64, f64)> = None;
    for at in order {
        let equal = last.is_some_and(|last| last == points[at]);
        if equal || last.is_none_or(|(_, highest)| points[at].1 > highest) {
            keep[at] = true;
            last = Some(points[at]);
        }
    }
    keep
}

/// The ends of the lines that join `corners`, and go on to the right edge.
fn steps(corners: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut ends: Vec<(f64, f64)> = Vec::new();
    for (x, y) in corners {
        ends.extend(ends.last().map(|(_, before)| (*x, *before)));
        ends.push((*x, *y));
    }
    ends.extend(ends.last().map(|(_, y)| (RIGHT, *y)));
    ends
}

fn path(ends: &[(f64, f64)]) -> String {
    let Some(((x, y), rest)) = ends.split_first() else { return String::new() };
    let mut path = format!("M{} {}", number(*x), number(*y));
    for (at, (x, y)) in rest.iter().enumerate() {
        // Lines across and up take turns.
        let step =
            if at % 2 == 0 { format!("H{}", number(*x)) } else { format!("V{}", number(*y)) };
        path.push_str(&step);
    }
    path
}

/// Round marks around the values, at least three and at most seven where that can be had, and
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
    let (from, to) = (lowest / 1.35, highest * 1.35);
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
    fn the_frontier_keeps_equals_and_drops_the_dominated() {
        let points = [(10.0, 0.5), (10.0, 0.5), (10.0, 0.4), (20.0, 0.5), (30.0, 0.9), (40.0, 0.8)];
        assert_eq!(undominated(&points), [true, true, false, false, true, false]);
    }

    #[test]
    fn steps_never_run_diagonally() {
        assert_eq!(path(&steps(&[(50.0, 200.0), (100.0, 80.0)])), "M50 200H100V80H390");
        assert_eq!(path(&steps(&[])), "");
    }
}
