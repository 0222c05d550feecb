//! Ranks of a judge against ranks of the truth, as a picture.

use super::coefficient::average_ranks;
use crate::domain::escape_xml;
use crate::table::{Better, Table};

/// One point per run that both have, as ranks from 1, the best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// The truth's measure.
    pub truth: String,
    /// The judge's measure.
    pub judge: String,
    /// Run, rank in truth, rank by the judge.
    pub points: Vec<(String, f64, f64)>,
}

impl Scatter {
    /// The ranks on one pair of measures; `None` if no run has both.
    pub fn between(
        truth: &Table,
        truth_measure: &str,
        judge: &Table,
        judge_measure: &str,
    ) -> Option<Self> {
        let (t, j) =
            (truth.measure_named(truth_measure).ok()?, judge.measure_named(judge_measure).ok()?);
        let mut pairs: Vec<(&str, f64, f64)> = Vec::new();
        // The best value gets the least number.
        let worse = |table: &Table, measure| match table.measure(measure).better {
            Better::Lower => 1.0,
            _ => -1.0,
        };
        for run in truth.runs() {
            let other = judge.runs().find(|other| judge.id(*other) == truth.id(run));
            if let (Some(a), Some(b)) =
                (truth.number(run, t), other.and_then(|other| judge.number(other, j)))
            {
                pairs.push((truth.id(run), worse(truth, t) * a, worse(judge, j) * b));
            }
        }
        pairs.sort_by(|a, b| a.0.cmp(b.0));
        let ranks = |side: fn(&(&str, f64, f64)) -> f64| {
            average_ranks(&pairs.iter().map(side).collect::<Vec<_>>())
        };
        let (a, b) = (ranks(|pair| pair.1), ranks(|pair| pair.2));
        let points: Vec<_> = pairs
            .iter()
            .zip(a.iter().zip(&b))
            .map(|(p, (a, b))| (p.0.to_owned(), *a, *b))
            .collect();
        (!points.is_empty()).then(|| Self {
            truth: truth_measure.to_owned(),
            judge: judge_measure.to_owned(),
            points,
        })
    }
}

const SIZE: f64 = 420.0;
const EDGE: f64 = 48.0;
/// Colours that stay apart for colour-blind readers.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// All judges in one picture; every point names its run.
pub fn svg(judges: &[(String, Scatter)]) -> String {
    let most = judges
        .iter()
        .flat_map(|(_, scatter)| scatter.points.iter().flat_map(|(_, a, b)| [*a, *b]))
        .fold(2.0, f64::max);
    let place = |rank: f64| EDGE + (rank - 1.0) / (most - 1.0) * (SIZE - 2.0 * EDGE);
    let legend = 18.0 * f64::from(u32::try_from(judges.len()).unwrap_or(0));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>Rank by the judge against rank in truth</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <line x1=\"{EDGE}\" y1=\"{EDGE}\" x2=\"{far}\" y2=\"{far}\" stroke=\"#bbb\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">rank in truth (1 is best)</text>\n\
         <text x=\"14\" y=\"{}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {})\">rank by the judge</text>\n",
        SIZE + legend,
        SIZE / 2.0,
        SIZE - 14.0,
        SIZE / 2.0,
        SIZE / 2.0,
        far = SIZE - EDGE,
    );
    for (at, (name, scatter)) in judges.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        for (run, a, b) in &scatter.points {
            out += &format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\" fill-opacity=\"0.8\"><title>{}: {a} in truth, {b} by {}</title></circle>\n",
                place(*a),
                place(*b),
                escape_xml(run),
                escape_xml(name)
            );
        }
        let y = SIZE + 18.0 * f64::from(u32::try_from(at).unwrap_or(0));
        out += &format!(
            "<circle cx=\"{EDGE}\" cy=\"{}\" r=\"4\" fill=\"{colour}\"/><text x=\"{}\" y=\"{}\">{}: {} against {}</text>\n",
            y - 4.0,
            EDGE + 10.0,
            y,
            escape_xml(name),
            escape_xml(&scatter.judge),
            escape_xml(&scatter.truth)
        );
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Builder, Measure, Policy};

    #[test]
    fn the_best_run_is_first_in_either_direction() {
        let table = |better: Better| {
            let mut builder = Builder::new([Measure::number("m").better(better)]);
            for (run, value) in [("a", 1.0), ("b", 2.0), ("c", 2.0)] {
                builder.add(run, "t", [("m", value.into())]).expect("added");
            }
            builder.build(&Policy::default()).expect("built").table
        };
        let (higher, lower) = (table(Better::Higher), table(Better::Lower));
        let ranks = Scatter::between(&higher, "m", &lower, "m").expect("ranks").points;
        let wanted = [("a", 3.0, 1.0), ("b", 1.5, 2.5), ("c", 1.5, 2.5)];
        assert_eq!(ranks, wanted.map(|(run, a, b)| (run.to_owned(), a, b)));
    }

    #[test]
    fn names_cannot_leave_the_picture() {
        let points = vec![("<script>".to_owned(), 1.0, 2.0), ("b".to_owned(), 2.0, 1.0)];
        let scatter = Scatter { truth: "t&".to_owned(), judge: "j".to_owned(), points };
        let picture = svg(&[("\"x\"".to_owned(), scatter)]);
        assert!(!picture.contains("<script>") && picture.contains("&lt;script&gt;"));
        assert!(picture.contains("t&amp;") && picture.ends_with("</svg>\n"));
    }
}
