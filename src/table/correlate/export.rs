//! Reports as rows: long for machines, one column per judge for people.

use std::io::{self, Write};

use serde::Serialize;

use super::agreement::{Agreement, Report};
use super::scatter::Scatter;
use crate::domain::{escape_latex, escape_markdown, harmless};
use crate::table::MISSING;

/// One judge's report under the judge's name.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The judge.
    pub name: String,
    /// What was found.
    pub report: Report,
    /// Ranks of the first pair of measures, for a picture.
    pub scatter: Option<Scatter>,
}

#[derive(Serialize)]
struct Line<'r> {
    judge: &'r str,
    truth_measure: &'r str,
    judge_measure: &'r str,
    method: String,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    n: usize,
    dropped_draws: usize,
    undefined: Option<String>,
}

fn lines(judged: &[Judged]) -> impl Iterator<Item = Line<'_>> {
    judged.iter().flat_map(|one| {
        one.report.agreements.iter().map(|agreement| Line {
            judge: &one.name,
            truth_measure: &agreement.truth,
            judge_measure: &agreement.judge,
            method: agreement.method.to_string(),
            value: agreement.value.ok(),
            low: agreement.interval.map(|interval| interval.low),
            high: agreement.interval.map(|interval| interval.high),
            n: agreement.n,
            dropped_draws: agreement.dropped_draws,
            undefined: agreement.value.err().map(|why| why.to_string()),
        })
    })
}

/// One JSON document: an entry per judge, pair of measures and method.
pub fn json(judged: &[Judged], out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<Line<'_>> = lines(judged).collect();
    serde_json::to_writer_pretty(&mut *out, &lines)?;
    writeln!(out)
}

/// JSON lines: the entries of [`json`], one a line.
pub fn jsonl(judged: &[Judged], out: &mut dyn Write) -> io::Result<()> {
    for line in lines(judged) {
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)?;
    }
    Ok(())
}

/// CSV: a line per judge, pair of measures and method.
pub fn csv(judged: &[Judged], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
    writer.write_record([
        "judge",
        "truth_measure",
        "judge_measure",
        "method",
        "value",
        "low",
        "high",
        "n",
        "dropped_draws",
        "undefined",
    ])?;
    for line in lines(judged) {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        writer.write_record([
            harmless(line.judge).as_ref(),
            harmless(line.truth_measure).as_ref(),
            harmless(line.judge_measure).as_ref(),
            &line.method,
            &number(line.value),
            &number(line.low),
            &number(line.high),
            &line.n.to_string(),
            &line.dropped_draws.to_string(),
            &line.undefined.unwrap_or_default(),
        ])?;
    }
    writer.flush()
}

/// A header and rows for people: a row per pair of measures and method, a column per judge.
pub fn wide(judged: &[Judged]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut header = vec!["Truth".to_owned(), "Measure".to_owned(), "Method".to_owned()];
    header.extend(judged.iter().map(|one| one.name.clone()));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (at, one) in judged.iter().enumerate() {
        for agreement in &one.report.agreements {
            let Agreement { truth, judge, method, .. } = agreement;
            let key = [truth.clone(), judge.clone(), method.to_string()];
            let place = rows.iter().position(|row| row[..3] == key).unwrap_or_else(|| {
                let mut row = key.to_vec();
                row.resize(3 + judged.len(), MISSING.to_owned());
                rows.push(row);
                rows.len() - 1
            });
            rows[place][3 + at] = value_with_interval(agreement);
        }
    }
    (header, rows)
}

fn value_with_interval(agreement: &Agreement) -> String {
    let n = agreement.n;
    match (agreement.value, agreement.interval) {
        (Err(_), _) => format!("{MISSING} (n {n})"),
        (Ok(value), Some(interval)) => {
            format!("{value:.3} [{:.2}, {:.2}] (n {n})", interval.low, interval.high)
        }
        (Ok(value), None) => format!("{value:.3} (n {n})"),
    }
}

/// A Markdown table.
pub fn markdown(judged: &[Judged], out: &mut dyn Write) -> io::Result<()> {
    let (header, rows) = wide(judged);
    let line = |cells: &[String]| {
        format!(
            "| {} |\n",
            cells.iter().map(|c| escape_markdown(c)).collect::<Vec<_>>().join(" | ")
        )
    };
    out.write_all(line(&header).as_bytes())?;
    writeln!(out, "|{}", " --- |".repeat(header.len()))?;
    rows.iter().try_for_each(|row| out.write_all(line(row).as_bytes()))
}

/// A LaTeX table.
pub fn latex(judged: &[Judged], out: &mut dyn Write) -> io::Result<()> {
    let (header, rows) = wide(judged);
    let line = |cells: &[String]| {
        format!("{} \\\\\n", cells.iter().map(|c| escape_latex(c)).collect::<Vec<_>>().join(" & "))
    };
    writeln!(out, "\\begin{{tabular}}{{{}}}\n\\hline", "l".repeat(header.len()))?;
    out.write_all(line(&header).as_bytes())?;
    writeln!(out, "\\hline")?;
    rows.iter().try_for_each(|row| out.write_all(line(row).as_bytes()))?;
    writeln!(out, "\\hline\n\\end{{tabular}}")
}
/// Writes each run's two ranks on the first pair of measures, an object a run.
pub(crate) fn ranks_json(judges: &[Judged], out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Ranks<'r> {
        judge: &'r str,
        truth_measure: &'r str,
        judge_measure: &'r str,
        run: &'r str,
        truth_rank: f64,
        judge_rank: f64,
    }
    let of_judge = |judged: &'_ Judged| {
        let scatter = judged.scatter.iter();
        let rows = scatter.flat_map(|scatter| scatter.points.iter().map(move |of| (scatter, of)));
        rows.map(|(scatter, (run, truth_rank, judge_rank))| {
            serde_json::to_value(Ranks {
                judge: &judged.name,
                truth_measure: &scatter.truth,
                judge_measure: &scatter.judge,
                run,
                truth_rank: *truth_rank,
                judge_rank: *judge_rank,
            })
        })
        .collect::<Result<Vec<_>, _>>()
    };
    let rows = judges.iter().map(of_judge).collect::<Result<Vec<_>, _>>()?.concat();
    serde_json::to_writer(&mut *out, &rows)?;
    writeln!(out)
}
