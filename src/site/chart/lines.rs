//! Lines over time: the best score so far, and what the models of the top cost and how long they
//! take.
//!
//! Places across are percentages, so that letters keep their size at every width; lines are paths in
//! units of a thousandth of the width. A line never crosses a change of protocol or judge: scores on
//! both sides are not comparable.

use serde::Serialize;

use super::labels::{Drawn, FlexLabel, FlexPoint, Sides, place_flexible};
use super::{Axis, Dot, Rule, Tick, number, percent, score_range, score_ticks};
use crate::domain::config::Weights;
use crate::domain::real;
use crate::facts::{ModelSeries, Point, Segment, monday};
use crate::ledger::{Instant, Run};
use crate::site::format;
use crate::site::trends::{Ledger, Trends};
use crate::site::view::epoch_words;

const HEIGHT: f64 = 300.0;
const SMALL: f64 = 160.0;
/// Widths of the plot, in pixels, at which labels must hold. No two are further apart than a name is
/// wide, so that a name cannot meet a point between them.
const WIDE: [f64; 7] = [378.0, 480.0, 580.0, 680.0, 780.0, 880.0, 950.0];
const NARROW: [f64; 4] = [150.0, 230.0, 310.0, 420.0];
/// Units across.
const ACROSS: f64 = 1000.0;
/// Between the end of a line and the rule after it, and again the next line, in units.
const GAP: f64 = 4.0;
/// Other models that are drawn as points; the best ones.
const OTHERS: usize = 100;
/// Letters of a name in the drawing.
const NAME: usize = 14;
/// Between two names under each other, in pixels.
const LINE_HEIGHT: f64 = 17.0;

/// A mark on the axis of dates.
#[derive(Debug, Serialize)]
pub(in crate::site) struct DateTick {
    at: String,
    label: String,
    /// Left out on a phone.
    far: bool,
}

#[derive(Debug, Serialize)]
struct Line {
    /// `first`, `second` or `third`.
    class: &'static str,
    path: String,
}

/// What is written at the end of a line.
#[derive(Debug, Serialize)]
struct End {
    class: &'static str,
    y: String,
    text: String,
    /// For phones.
    short: String,
}

/// Best score over time.
#[derive(Debug, Serialize)]
pub(in crate::site) struct BestChart {
    note: String,
    description: String,
    height: String,
    ticks_x: Vec<DateTick>,
    ticks_y: Vec<Tick>,
    rules: Vec<Rule>,
    lines: Vec<Line>,
    points: Vec<Dot>,
    wide: Vec<FlexLabel>,
    narrow: Vec<FlexLabel>,
    ends: Vec<End>,
    /// From the one end to the other; empty where the texts leave no room for it.
    bracket: String,
}

/// One number of some models over time.
#[derive(Debug, Serialize)]
pub(in crate::site) struct SeriesChart {
    /// Whether all models that are drawn are in the top group.
    #[serde(skip)]
    pub(in crate::site) all_top: bool,
    title: &'static str,
    id: &'static str,
    description: String,
    height: String,
    ticks_x: Vec<DateTick>,
    ticks_y: Vec<Tick>,
    lines: Vec<Line>,
    ends: Vec<End>,
}

/// A number that has a chart of its own.
#[derive(Debug, Clone, Copy)]
pub(in crate::site) struct Measure {
    pub(in crate::site) id: &'static str,
    pub(in crate::site) title: &'static str,
    pub(in crate::site) value: fn(&Point) -> Option<f64>,
    pub(in crate::site) words: fn(f64) -> String,
}

const CLASSES: [&str; 3] = ["first", "second", "third"];

/// From the first to the last day that is shown.
pub(super) struct Days {
    first: Instant,
    span: f64,
}

impl Days {
    /// `None` where all is of one moment: there is no time to draw.
    pub(super) fn new(moments: impl Iterator<Item = Instant> + Clone) -> Option<Self> {
        let (first, last) = (moments.clone().min()?, moments.max()?);
        #[expect(clippy::cast_precision_loss, reason = "seconds of a year")]
        let span = last.seconds_since(first) as f64;
        (span > 0.0).then_some(Self { first, span })
    }

    /// In units across.
    #[expect(clippy::cast_precision_loss, reason = "seconds of a year")]
    fn at(&self, at: Instant) -> f64 {
        at.seconds_since(self.first) as f64 / self.span * ACROSS
    }

    /// As a share of the width.
    pub(super) fn share(&self, at: Instant) -> f64 {
        self.at(at) / ACROSS
    }

    /// Marks on the axis: where, as a share of the width, and what is written there.
    pub(super) fn marks(&self) -> Vec<(f64, String)> {
        let place = |tick: &DateTick| tick.at.trim_end_matches('%').parse::<f64>().ok();
        let ticks = self.ticks().into_iter();
        ticks.filter_map(|tick| Some((place(&tick)? / 100.0, tick.label))).collect()
    }

    /// The first of some months; the ends where there are fewer than two.
    fn ticks(&self) -> Vec<DateTick> {
        #[expect(clippy::cast_possible_truncation, reason = "days of a year")]
        let days = (self.span / 86_400.0).round() as i64;
        let last = Instant::of_day(self.first.day() + days);
        let all = (self.first.day()..=last.day()).map(Instant::of_day);
        let months: Vec<Instant> = all
            .filter(|day| day.date().ends_with("-01"))
            .filter(|day| (0.0..=ACROSS).contains(&self.at(*day)))
            .collect();
        let shown: Vec<Instant> = match months.len() {
            0 | 1 => vec![self.first, last],
            many => months.into_iter().step_by(many.div_ceil(6)).collect(),
        };
        let is_one_year = self.first.date()[..4] == last.date()[..4];
        let is_first =
            |index: usize| index == 0 || shown[index].date()[..4] != shown[index - 1].date()[..4];
        let tick = |(index, day): (usize, &Instant)| {
            let date = day.date();
            let label = format::date(&date);
            let day_and_month = label.split(',').next().unwrap_or_default();
            DateTick {
                at: percent(self.at(*day).clamp(0.0, ACROSS) / 10.0),
                // `Dec ’25` where a year starts, if there are two.
                label: match day_and_month.split_once(' ') {
                    Some((month, _)) if !is_one_year && is_first(index) => {
                        format!("{month} ’{}", &date[2..4])
                    }
                    _ => day_and_month.to_owned(),
                },
                far: shown.len() > 2 && index % 3 != 0,
            }
        };
        shown.iter().enumerate().map(tick).collect()
    }

    /// Where `segment` ends: at its last run, or before the rule of the next one.
    fn end(&self, segment: &Segment<'_>, next: Option<&Segment<'_>>) -> f64 {
        let last = segment.runs.last().map_or(0.0, |run| self.at(run.at));
        next.map_or(last, |next| last.min(self.at(next.runs[0].at) - 2.0 * GAP))
    }

    fn rules(&self, segments: &[Segment<'_>]) -> Vec<Rule> {
        let pairs = segments.windows(2);
        pairs
            .map(|pair| {
                let x = self.at(pair[1].runs[0].at) - GAP;
                let protocol =
                    |segment: &Segment<'_>| segment.runs[0].eval_protocol_version.clone();
                let label = if protocol(&pair[0]) == protocol(&pair[1]) {
                    "judge or test changed".to_owned()
                } else {
                    epoch_words(&pair[1].epoch)
                };
                Rule::new(x / 10.0, label)
            })
            .collect()
    }
}

/// The steps of the best scores so far, and the best run of every other model; `None` where all runs
/// are of one moment.
pub(in crate::site) fn best_chart(trends: &Trends<'_>) -> Option<BestChart> {
    let ledger = &trends.ledger;
    let segments = &trends.segments;
    let days =
        Days::new(segments.iter().flat_map(|segment| segment.runs.iter().map(|run| run.at)))?;
    let share = |run: &Run| ledger.share(run.aggregate_score.unwrap_or_default());
    let others: Vec<Vec<&Run>> = segments.iter().map(Segment::best_of_each).collect();
    let (low, high) = score_range(others.iter().flatten().map(|run| share(run)));
    let up = Axis { from: low, to: high, start: HEIGHT, end: 0.0 };
    let height = |run: &Run| up.at(share(run));

    let (mut lines, mut points, mut named, mut crossed) = (vec![], vec![], vec![], vec![]);
    let mut put = |run: &Run, class: &'static str, quiet: bool, is_top: bool, sides: Sides| {
        let (x, y) = (days.at(run.at), height(run));
        let (name, score) = (ledger.name(&run.model), ledger.score_of(run).unwrap_or_default());
        points.push(Dot {
            x: percent(x / 10.0),
            y: number(y),
            slug: ledger.slug(&run.model),
            title: format!("{name} {score}, {}", format::date(&run.at.date())),
            class,
        });
        let name = format!("{} {score}", format::truncate(&name, NAME));
        named.push(FlexPoint { x: x / ACROSS, y, name, is_top, quiet, sides, must: false });
    };
    let mut on_line: Vec<&str> = Vec::new();
    for (kind, class) in trends.kinds.iter().zip(CLASSES) {
        let mut path = String::new();
        for (at, segment) in segments.iter().enumerate() {
            let next = segments.get(at + 1);
            let end = days.end(segment, next);
            let records = trends.records(segment, *kind);
            // Records later than the dividing line belong to the next segment.
            let records: Vec<&Run> =
                records.into_iter().filter(|run| days.at(run.at) <= end).collect();
            let mut before: Option<(&Run, f64)> = None;
            for (index, run) in records.iter().enumerate() {
                let (x, y) = (days.at(run.at), height(run));
                let until = records.get(index + 1).map_or(end, |next| days.at(next.at));
                match before {
                    None => path.push_str(&format!("M{} {}", number(x), number(y))),
                    Some((_, below)) => {
                        path.push_str(&format!("V{}", number(y)));
                        crossed.push(((x / ACROSS, below), (x / ACROSS, y)));
                    }
                }
                path.push_str(&format!("H{}", number(until)));
                crossed.push(((x / ACROSS, y), (until / ACROSS, y)));
                if before.is_none_or(|(holder, _)| holder.model != run.model) {
                    let sides = if index == 0 { Sides::Right } else { Sides::All };
                    put(run, class, false, next.is_none(), sides);
                }
                on_line.push(&run.run_id);
                before = Some((run, y));
            }
        }
        lines.push(Line { class, path });
    }
    let mut rest: Vec<&Run> = Vec::new();
    for (at, best) in others.iter().enumerate() {
        let end = days.end(&segments[at], segments.get(at + 1));
        let is_other = |run: &&&Run| !on_line.contains(&&*run.run_id) && days.at(run.at) <= end;
        rest.extend(best.iter().filter(is_other));
    }
    rest.sort_by(|a, b| share(b).total_cmp(&share(a)));
    for run in rest.into_iter().take(OTHERS) {
        put(run, "", true, false, Sides::All);
    }
    let rules = days.rules(segments);
    for segment in segments.iter().skip(1) {
        let x = (days.at(segment.runs[0].at) - GAP) / ACROSS;
        crossed.push(((x, 0.0), (x, HEIGHT)));
    }
    let drawn = Drawn { lines: crossed, height: HEIGHT };
    let ends = best_ends(trends, height);
    Some(BestChart {
        note: how_to_read(ledger, low, !rules.is_empty()),
        description: spoken(trends),
        height: number(HEIGHT),
        ticks_x: days.ticks(),
        ticks_y: score_ticks(low, high)
            .into_iter()
            .map(|rate| Tick {
                at: up.text(rate),
                label: ledger.score(rate * ledger.section.score_scale),
            })
            .collect(),
        rules,
        lines,
        points,
        wide: place_flexible(&named, &drawn, &WIDE),
        narrow: place_flexible(&named, &drawn, &NARROW),
        bracket: bracket(&ends),
        ends,
    })
}

fn how_to_read(ledger: &Ledger<'_>, low: f64, is_cut: bool) -> String {
    let start = if low > 0.0 {
        format!(" Scores start at {}.", ledger.score(low * ledger.section.score_scale))
    } else {
        String::new()
    };
    let cut = if is_cut {
        " No line crosses a dashed rule: scores on both sides are not comparable."
    } else {
        ""
    };
    format!(
        "Steps: the best score so far. Small circles: the best run of each other model.{start}{cut}"
    )
}

/// What the line of `kind` is called.
pub(in crate::site) fn kind_words(kind: Option<Weights>) -> (&'static str, &'static str) {
    match kind {
        None => ("Best model", "Best"),
        Some(Weights::Closed) => ("Best closed model", "Closed"),
        Some(Weights::Open) => ("Best open model", "Open"),
    }
}

/// The lines' names with their scores, and the distance between them.
fn best_ends(trends: &Trends<'_>, height: impl Fn(&Run) -> f64) -> Vec<End> {
    let ledger = &trends.ledger;
    let mut ends: Vec<(f64, &'static str, String, String)> = Vec::new();
    let mut best = Vec::new();
    for (kind, class) in trends.kinds.iter().zip(CLASSES) {
        let Some(run) = trends.best(*kind) else { continue };
        let score = ledger.score_of(run).unwrap_or_default();
        let (long, short) = kind_words(*kind);
        ends.push((height(run), class, format!("{long} {score}"), format!("{short} {score}")));
        best.push(run);
    }
    if let [one, two] = best[..]
        && let Some(apart) = one.score_minus(two)
    {
        let apart = ledger.points(apart);
        let middle = f64::midpoint(ends[0].0, ends[1].0);
        ends.push((middle, "apart", format!("{apart} apart"), apart));
    }
    spread(ends, HEIGHT)
}

/// The bracket between the two ends, beside the text of their distance.
fn bracket(ends: &[End]) -> String {
    let [first, _, last] = ends else { return String::new() };
    let at = |end: &End| end.y.parse::<f64>().unwrap_or_default();
    let (from, to) = (at(first) + LINE_HEIGHT / 2.0, at(last) - LINE_HEIGHT / 2.0);
    if to - from < LINE_HEIGHT {
        return String::new();
    }
    format!("M5 {}H1V{}H5", number(from), number(to))
}

/// The heights of texts between `top` and `bottom`, in the order given, moved apart where they would
/// cover each other.
pub(super) fn spread_heights(heights: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|a, b| heights[*a].total_cmp(&heights[*b]));
    let ends = order.iter().map(|at| (heights[*at] - top, "", String::new(), String::new()));
    let placed = spread(ends.collect(), bottom - top);
    let mut spread = heights.to_vec();
    for (at, end) in order.into_iter().zip(placed) {
        spread[at] = end.y.parse::<f64>().map_or(heights[at], |y| y + top);
    }
    spread
}

/// Texts at their heights, moved apart where they would cover each other.
fn spread(mut ends: Vec<(f64, &'static str, String, String)>, height: f64) -> Vec<End> {
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let middle = ends.iter().map(|end| end.0).sum::<f64>() / real(ends.len() as u64);
    for at in 1..ends.len() {
        ends[at].0 = ends[at].0.max(ends[at - 1].0 + LINE_HEIGHT);
    }
    // Pushed down only; half of it back up keeps the texts beside their lines.
    let moved = ends.iter().map(|end| end.0).sum::<f64>() / real(ends.len() as u64);
    let (top, bottom) = (ends.first().map_or(0.0, |e| e.0), ends.last().map_or(0.0, |e| e.0));
    let by = (moved - middle).max(bottom - height).min(top);
    ends.into_iter()
        .map(|(y, class, text, short)| End { class, y: number(y - by), text, short })
        .collect()
}

/// What the drawing shows, for a listener.
fn spoken(trends: &Trends<'_>) -> String {
    let ledger = &trends.ledger;
    let said = trends.kinds.iter().filter_map(|kind| {
        let run = trends.best(*kind)?;
        let (score, day) = (ledger.score_of(run)?, format::date(&run.at.date()));
        Some(format!("{}: {} with {score} on {day}.", kind_words(*kind).0, ledger.name(&run.model)))
    });
    said.collect::<Vec<_>>().join(" ")
}

/// The lines of the first three models that have the number on more than one day, those of the top
/// group first; `None` if there is none.
pub(in crate::site) fn series_chart(trends: &Trends<'_>, measure: Measure) -> Option<SeriesChart> {
    let segment = trends.segments.last()?;
    let start = segment.runs[0].at;
    let inside = |series: &&ModelSeries<'_>| -> Vec<(Instant, f64)> {
        let points = series.points.iter().filter(|point| point.epoch == segment.epoch);
        points
            .filter_map(|point| Some((monday(point.week).max(start), (measure.value)(point)?)))
            .collect()
    };
    let shown: Vec<(&ModelSeries<'_>, Vec<(Instant, f64)>)> = trends
        .top_first()
        .map(|series| (series, inside(&series)))
        .filter(|(_, points)| points.len() > 1)
        .take(CLASSES.len())
        .collect();
    let days = Days::new(shown.iter().flat_map(|(_, points)| points.iter().map(|(at, _)| *at)))?;
    let most = shown.iter().flat_map(|(_, points)| points).map(|(_, value)| *value);
    let top = round_up(most.fold(0.0, f64::max));
    let up = Axis { from: 0.0, to: top, start: SMALL, end: 0.0 };
    let (mut lines, mut ends, mut said) = (vec![], vec![], vec![]);
    for ((series, points), class) in shown.iter().zip(CLASSES) {
        let mut path = String::new();
        for (at, value) in points {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            path.push_str(&format!("{letter}{} {}", number(days.at(*at)), up.text(*value)));
        }
        lines.push(Line { class, path });
        let name = trends.ledger.name(series.model);
        if let (Some((_, from)), Some((_, to))) = (points.first(), points.last()) {
            ends.push((
                up.at(*to),
                class,
                format::truncate(&name, 15),
                format::truncate(&name, 11),
            ));
            let words = measure.words;
            said.push(format!("{name} from {} to {}", words(*from), words(*to)));
        }
    }
    Some(SeriesChart {
        all_top: shown.iter().all(|(series, _)| trends.ledger.is_top(series.model)),
        title: measure.title,
        id: measure.id,
        description: format!("{}.", said.join("; ")),
        height: number(SMALL),
        ticks_x: days.ticks(),
        ticks_y: [0.0, 0.5, 1.0]
            .map(|part| Tick { at: up.text(part * top), label: (measure.words)(part * top) })
            .into(),
        lines,
        ends: spread(ends, SMALL),
    })
}

/// The next number at or above `value` that is round and has a round half.
fn round_up(value: f64) -> f64 {
    if value < 1e-9 {
        return 1.0;
    }
    let mut unit = 1.0;
    while unit * 10.0 <= value {
        unit *= 10.0;
    }
    // By multiplication: the same on every machine.
    while unit > value {
        unit /= 10.0;
    }
    let digits = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let above = digits.into_iter().map(|digit| digit * unit).find(|round| *round >= value);
    above.unwrap_or(10.0 * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_at_the_ends_never_cover_each_other() {
        for ys in [[10.0, 12.0, 11.0], [0.0, 0.0, 0.0], [300.0, 299.0, 298.0], [0.0, 300.0, 150.0]]
        {
            let ends = ys.map(|y| (y, "first", String::new(), String::new()));
            let ends = spread(ends.into(), 300.0);
            let ys: Vec<f64> = ends.iter().map(|end| end.y.parse().expect("a number")).collect();
            assert!(ys.windows(2).all(|pair| pair[1] - pair[0] > LINE_HEIGHT - 0.2), "{ys:?}");
            assert!(ys.iter().all(|y| (-0.1..=300.1).contains(y)), "{ys:?}");
        }
    }

    #[test]
    fn an_axis_ends_at_a_round_number() {
        assert_eq!(
            [2230.0, 0.0, 0.0041].map(round_up).map(|top| format!("{top:.3}")),
            ["3000.000", "1.000", "0.005"]
        );
    }
}
