//! Figures for papers: a ranking with its 95% ranges, and a measure over time.
//!
//! Each is a whole SVG file, because it leaves the site: sizes are pixels and colors are in the file.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{Days, spread_heights};
use super::{Axis, number};
use crate::domain::escape_xml;
use crate::ledger::Instant;
use crate::site::format;
use crate::table::{Better, MISSING, MeasureId, Moment, Page, Table, Trend};

const WIDTH: f64 = 760.0;
const EDGE: f64 = 16.0;
/// Height of a row of a ranking.
const ROW: f64 = 24.0;
/// Height of the plot of a measure over time.
const PLOT: f64 = 320.0;
/// Width of a letter at 12 px, on the safe side.
const LETTER: f64 = 7.0;
/// Letters of a name.
const NAME: usize = 36;
/// Rows and lines that are drawn.
const ROWS: usize = 100;
const SERIES: usize = 8;
/// Points of one line.
const POINTS: usize = 400;
/// Colors that stay apart for color-blind readers.
const COLORS: [&str; SERIES] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#6c4aa0", "#555555"];

/// The rows of `page`, each a dot with its range.
pub(crate) fn rank_figure(page: &Page<'_>) -> String {
    let (table, by) = (page.table, page.ranking.measure);
    let ranges = table.ranges(by);
    let rows: Vec<_> = page
        .rows()
        .iter()
        .filter_map(|row| Some((row, row.value.filter(|it| it.is_finite())?)))
        .collect();
    let drawn = &rows[..rows.len().min(ROWS)];
    let measure = table.measure(by);
    let values = drawn.iter().flat_map(|(row, value)| {
        let range = ranges.get(&row.run);
        [Some(*value), range.map(|it| it.low), range.map(|it| it.high)].into_iter().flatten()
    });
    let ticks = Ticks::around(values);
    let names: Vec<String> = drawn
        .iter()
        .map(|(row, _)| format::truncate(&format::clean(table.id(row.run)), NAME))
        .collect();
    let left = EDGE + 34.0 + LETTER * longest(&names);
    let (top, bottom) = (54.0, 54.0 + ROW * size(drawn.len()));
    let across = Axis { from: ticks.from, to: ticks.to, start: left, end: WIDTH - 78.0 };
    let mut out = head(bottom + 58.0, &page.title);
    for tick in &ticks.at {
        let x = across.text(*tick);
        out += &format!(
            "<path d=\"M{x} {} V{}\" stroke=\"#d8dee4\"/><text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#57606a\">{}</text>\n",
            number(top - 6.0),
            number(bottom),
            number(bottom + 18.0),
            ticks.label(*tick)
        );
    }
    for (at, ((row, value), name)) in drawn.iter().zip(&names).enumerate() {
        let y = top + ROW * (size(at) + 0.5);
        let rank = row.rank.map_or_else(|| MISSING.to_owned(), |rank| rank.to_string());
        let (x, shown) = (across.text(*value), escape_xml(&measure.display.show(*value)));
        out += &format!(
            "<text x=\"{EDGE}\" y=\"{base}\">{rank}</text><text x=\"{}\" y=\"{base}\">{}</text>",
            EDGE + 34.0,
            escape_xml(name),
            base = number(y + 4.0),
        );
        let mut words = format!("{}: {shown}", escape_xml(&format::clean(table.id(row.run))));
        if let Some(range) = ranges.get(&row.run) {
            let ends = [range.low, range.high].map(|end| across.text(end));
            let shown_ends =
                [range.low, range.high].map(|end| escape_xml(&measure.display.show(end)));
            words += &format!(", 95% range {} to {}", shown_ends[0], shown_ends[1]);
            out += &format!(
                "<path d=\"M{0} {y} H{1} M{0} {2} V{3} M{1} {2} V{3}\" stroke=\"#0072b2\" stroke-width=\"1.5\" fill=\"none\"/>",
                ends[0],
                ends[1],
                number(y - 4.0),
                number(y + 4.0),
                y = number(y),
            );
        }
        out += &format!(
            "<circle cx=\"{x}\" cy=\"{}\" r=\"4\" fill=\"#0072b2\"><title>{words}</title></circle><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{shown}</text>\n",
            number(y),
            WIDTH - EDGE,
            number(y + 4.0),
        );
    }
    let mut notes = vec![format!(
        "{}{}",
        escape_xml(&format::clean(measure.label())),
        direction(measure.better)
    )];
    notes.push(match drawn.iter().filter(|(row, _)| ranges.contains_key(&row.run)).count() {
        0 => "no 95% range: the sources have neither topics nor numbers of prompts".to_owned(),
        all if all == drawn.len() => "lines: 95% ranges".to_owned(),
        _ => "lines: 95% ranges, where the source gives one".to_owned(),
    });
    let all = page.ranking.rows.len();
    if drawn.len() < all {
        notes.push(format!("{} of {all} runs", drawn.len()));
    }
    out += &format!(
        "<text x=\"{}\" y=\"{}\" fill=\"#57606a\">{}</text>\n</svg>\n",
        number(EDGE),
        number(bottom + 42.0),
        notes.join(" · ")
    );
    out
}

/// One line over time: its name, and time, value and moving mean of each run.
struct Line {
    name: String,
    points: Vec<(Instant, f64, f64)>,
    /// The points that do not continue the line before them.
    breaks: BTreeSet<usize>,
    under: Vec<String>,
}

/// The lines of `trend`: a moving mean for each value of the first facet of `series`, broken where
/// another one of them changes; a dot for each run.
/// `None` where all runs are of one moment.
pub(crate) fn trend_figure(
    table: &Table,
    by: MeasureId,
    trend: &Trend<'_>,
    series: &[&str],
    title: Option<&str>,
) -> Option<String> {
    let measure = table.measure(by);
    let mut lines: BTreeMap<&str, Line> = BTreeMap::new();
    for point in trend.points.iter().filter(|point| point.value.is_finite()) {
        let Some(at) = Moment::parse(point.at).and_then(|at| Instant::of_micros(at.micros)) else {
            continue;
        };
        let known = |facet: &&str| table.facet(point.run, facet).known().unwrap_or_default();
        let name = series.first().map(known).unwrap_or_default();
        let line = lines.entry(name).or_insert_with(|| Line {
            name: format::truncate(&format::clean(name), NAME),
            points: Vec::new(),
            breaks: BTreeSet::new(),
            under: Vec::new(),
        });
        let under: Vec<String> = series.iter().skip(1).map(known).map(str::to_owned).collect();
        if line.under != under {
            line.breaks.insert(line.points.len());
            line.under = under;
        }
        line.points.push((at, point.value, point.moving_mean));
    }
    let mut lines: Vec<Line> = lines.into_values().collect();
    let all = lines.len();
    let last = |line: &Line| line.points.last().map_or(f64::MIN, |point| point.2);
    let is_lower = measure.better == Better::Lower;
    lines.sort_by(
        |a, b| if is_lower { last(a).total_cmp(&last(b)) } else { last(b).total_cmp(&last(a)) },
    );
    // One run makes no line; those that do come first.
    lines.sort_by_key(|line| line.points.len() < 2);
    lines.truncate(SERIES);
    let days = Days::new(lines.iter().flat_map(|line| line.points.iter().map(|point| point.0)))?;
    let ticks =
        Ticks::around(lines.iter().flat_map(|line| line.points.iter().flat_map(|p| [p.1, p.2])));
    let names: Vec<String> = lines.iter().map(|line| line.name.clone()).collect();
    let right = WIDTH - EDGE - LETTER * longest(&names).max(1.0);
    let (left, top) = (EDGE + 48.0, 54.0);
    let up = Axis { from: ticks.from, to: ticks.to, start: top + PLOT, end: top };
    let across = |at: Instant| left + days.share(at) * (right - 12.0 - left);
    let heading = title.map_or_else(|| format!("{} over time", measure.label()), str::to_owned);
    let mut out = head(top + PLOT + 58.0, &heading);
    for tick in &ticks.at {
        let y = up.text(*tick);
        out += &format!(
            "<path d=\"M{left} {y} H{}\" stroke=\"#d8dee4\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#57606a\">{}</text>\n",
            number(right - 12.0),
            number(left - 8.0),
            number(up.at(*tick) + 4.0),
            ticks.label(*tick)
        );
    }
    for (at, label) in days.marks() {
        out += &format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#57606a\">{}</text>\n",
            number(left + at * (right - 12.0 - left)),
            number(top + PLOT + 20.0),
            escape_xml(&label)
        );
    }
    let heights: Vec<f64> = lines.iter().map(|line| up.at(last(line))).collect();
    let ends = spread_heights(&heights, top, top + PLOT);
    for ((line, color), end) in lines.iter().zip(COLORS).zip(ends) {
        let every = line.points.len().div_ceil(POINTS).max(1);
        let kept = line
            .points
            .iter()
            .enumerate()
            .filter(|(at, _)| at % every == 0 || at + 1 == line.points.len());
        let (mut path, mut dots) = (String::new(), String::new());
        let mut before = 0;
        for (place, (at, value, mean)) in kept {
            let is_broken = line.breaks.iter().any(|at| (before + 1..=place).contains(at));
            before = place;
            let is_start = path.is_empty() || is_broken;
            let (x, letter) = (number(across(*at)), if is_start { 'M' } else { 'L' });
            path += &format!("{letter}{x} {}", up.text(*mean));
            dots += &format!("M{x} {}h0", up.text(*value));
        }
        out += &format!(
            "<path d=\"{dots}\" stroke=\"{color}\" stroke-width=\"5\" stroke-linecap=\"round\" opacity=\"0.35\"/><path d=\"{path}\" stroke=\"{color}\" stroke-width=\"2\" fill=\"none\" stroke-linejoin=\"round\"/><text x=\"{}\" y=\"{}\" fill=\"{color}\">{}</text>\n",
            number(right),
            number(end + 4.0),
            escape_xml(&line.name)
        );
    }
    let mut notes = format!(
        "{}{} · dots: runs, lines: moving means",
        escape_xml(&format::clean(measure.label())),
        direction(measure.better)
    );
    if all > SERIES {
        notes += &format!(" · {SERIES} of {all} series, the best ones");
    }
    out += &format!(
        "<text x=\"{}\" y=\"{}\" fill=\"#57606a\">{notes}</text>\n</svg>\n",
        number(EDGE),
        number(top + PLOT + 44.0)
    );
    Some(out)
}

fn head(height: f64, title: &str) -> String {
    let title = escape_xml(&format::clean(title));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#1b1f24\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{EDGE}\" y=\"28\" font-size=\"16\" font-weight=\"600\">{title}</text>\n",
        height = number(height),
    )
}

fn direction(better: Better) -> &'static str {
    match better {
        Better::Higher => " (higher is better)",
        Better::Lower => " (lower is better)",
        Better::Unordered => "",
    }
}

fn longest(names: &[String]) -> f64 {
    size(names.iter().map(|name| name.chars().count()).max().unwrap_or_default())
}

fn size(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Round numbers along an axis.
struct Ticks {
    from: f64,
    to: f64,
    at: Vec<f64>,
    decimals: usize,
}

impl Ticks {
    /// From the round number below the least of `values` to the one above the greatest.
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < high.abs().max(low.abs()).max(1e-9) * 1e-6 {
            let room = if high.abs() < 1e-9 { 1.0 } else { high.abs() * 0.1 };
            (low, high) = (low - room, high + room);
        }
        let mut step = 1.0;
        while step * 10.0 <= high - low {
            step *= 10.0;
        }
        while step > high - low {
            step /= 10.0;
        }
        // Between 3 and 7 marks.
        step *= match (high - low) / step {
            few if few < 1.6 => 0.25,
            few if few < 3.2 => 0.5,
            few if few < 6.5 => 1.0,
            _ => 2.0,
        };
        let (first, end) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let mut at = Vec::new();
        let mut mark = first;
        while mark <= end && at.len() < 12 {
            at.push(mark * step);
            mark += 1.0;
        }
        let mut decimals = 0;
        let mut scaled = step;
        while decimals < 9 && (scaled - scaled.round()).abs() > 1e-6 {
            scaled *= 10.0;
            decimals += 1;
        }
        Self { from: first * step, to: end * step, at, decimals }
    }

    fn label(&self, value: f64) -> String {
        let text = format!("{value:.*}", self.decimals);
        if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
            text.trim_start_matches('-').to_owned()
        } else {
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Builder, Clock, FacetKind, FacetValue, Measure, Policy, Ties};

    fn table() -> Table {
        let mut builder = Builder::new([Measure::number("passed")]);
        for (run, model, day, passes) in [
            ("<a>", "m&1", "2026-01-01", 1),
            ("b", "m&1", "2026-02-01", 3),
            ("c", "m2", "2026-03-01", 2),
        ] {
            for topic in 0..4 {
                let passed = f64::from(u8::from(topic < passes));
                let values = [("passed", passed.into())];
                builder.add(run, &format!("t{topic}"), values).expect("added");
            }
            let run = builder.run(run);
            builder.facet(run, "model", FacetKind::Text, FacetValue::Text(model));
            builder.facet(run, "timestamp", FacetKind::Text, FacetValue::Text(day));
        }
        builder.build(&Policy::default()).expect("built").table
    }

    #[test]
    fn a_ranking_is_drawn_with_ranges_and_names_cannot_leave_the_picture() {
        let table = table();
        let by = table.measure_named("passed").expect("a measure");
        let ranking = table.rank(by, None, Ties::Shared);
        let svg = rank_figure(&Page::new(&table, &ranking));
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("b: 0.75, 95% range 0.3006") && svg.contains("&lt;a&gt;"), "{svg}");
        assert!(!svg.contains("<a>") && svg.contains("lines: 95% ranges"));
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }

    #[test]
    fn every_model_is_a_line_over_time() {
        let table = table();
        let by = table.measure_named("passed").expect("a measure");
        let trend = table.trend_by(Some("model"), by, 5, Clock::Instants);
        let svg = trend_figure(&table, by, &trend, &["model"], None).expect("a figure");
        assert!(svg.contains("m&amp;1</text>") && svg.contains("m2</text>"), "{svg}");
        let one = Trend { points: trend.points[..1].to_vec(), ..Trend::default() };
        assert!(trend_figure(&table, by, &one, &[], None).is_none());
    }

    #[test]
    fn marks_are_round_and_hold_every_value() {
        for (values, labels) in [
            (vec![0.31, 0.92], "0.2 0.4 0.6 0.8 1.0"),
            (vec![1396.0, 2487.0], "1250 1500 1750 2000 2250 2500"),
            (vec![5.0], "4.5 4.75 5.0 5.25 5.5"),
            (vec![], "0.00 0.25 0.50 0.75 1.00"),
        ] {
            let ticks = Ticks::around(values.iter().copied());
            let found: Vec<String> = ticks.at.iter().map(|at| ticks.label(*at)).collect();
            assert!((3..=8).contains(&found.len()), "{found:?} for {labels}");
            assert!(values.iter().all(|value| (ticks.from..=ticks.to).contains(value)));
        }
    }
}
