//! Figures: of measures, of groups, over time.

use serde_json::{Value, json};

use super::super::Ui;
use super::super::table::{Grid, room};
use super::clean;
use crate::domain::Failure;
use crate::table::{
    Discrepancy, Display, Group, MISSING, MeasureId, Summary, Table, Trend, json_number,
};

/// The figures of one measure, over runs or over one run's topics.
#[derive(Debug, Clone, PartialEq)]
pub struct StatRow {
    /// The run, if its topics are summed up.
    pub run: Option<String>,
    /// The measure.
    pub measure: String,
    /// How many could have a value.
    pub of: usize,
    /// The figures.
    pub summary: Option<Summary>,
}

fn short(number: f64) -> String {
    let text = Display::Plain.show(number);
    if text.len() <= 9 { text } else { Display::Fixed(4).show(number) }
}

fn cells(summary: Option<&Summary>) -> [String; 5] {
    summary.map_or_else(
        || std::array::from_fn(|_| MISSING.to_owned()),
        |s| [s.mean, s.median, s.std_dev, s.min, s.max].map(short),
    )
}

const FIGURES: [(&str, bool); 5] =
    [("Mean", true), ("Median", true), ("Std dev", true), ("Min", true), ("Max", true)];

fn figures_json(summary: Option<&Summary>) -> Value {
    summary.map_or_else(|| json!({"count": 0}), |summary| json!(summary))
}

impl Ui {
    /// The figures of each measure.
    pub fn stats(self, rows: &[StatRow], json: bool) -> Result<(), Failure> {
        if json {
            let row = |row: &StatRow| {
                let mut value = figures_json(row.summary.as_ref());
                value["measure"] = row.measure.as_str().into();
                if let Some(run) = &row.run {
                    value["run"] = run.as_str().into();
                }
                value
            };
            return self.json(&rows.iter().map(row).collect::<Vec<_>>());
        }
        let by_run = rows.iter().any(|row| row.run.is_some());
        let mut columns = vec![("Measure", false), ("n", true)];
        if by_run {
            columns.insert(0, ("Run", false));
        }
        columns.extend(FIGURES);
        let mut grid = Grid::new(&columns);
        for row in rows {
            let n = row.summary.map_or(0, |summary| summary.count);
            let n = if n == row.of { n.to_string() } else { format!("{n}/{}", row.of) };
            let mut cells_of = vec![clean(&row.measure), n];
            if by_run {
                cells_of.insert(0, clean(row.run.as_deref().unwrap_or_default()));
            }
            cells_of.extend(cells(row.summary.as_ref()));
            grid.rows.push(cells_of);
        }
        let lengths: &[_] = if by_run { &[(0, 20), (1, 24)] } else { &[(0, 24)] };
        grid.shorten(room(), lengths);
        self.out(grid.draw())
    }

    /// The values of a facet, one a line.
    pub fn values(self, values: &[String], json: bool) -> Result<(), Failure> {
        if json {
            return self.json(&values);
        }
        self.out(values.iter().map(|value| clean(value) + "\n").collect::<String>())
    }

    /// The figures of each group, for one measure or several.
    pub fn groups(
        self,
        facet: &str,
        measures: &[(&str, Vec<Group>)],
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            let of_measure = |(measure, groups): &(&str, Vec<Group>)| {
                let group = |group: &Group| {
                    let mut value = figures_json(group.summary.as_ref());
                    value[facet] = group.name.as_str().into();
                    value["runs"] = group.runs.len().into();
                    if measures.len() > 1 {
                        value["measure"] = (*measure).into();
                    }
                    value
                };
                groups.iter().map(group).collect::<Vec<_>>()
            };
            return self.json(&measures.iter().flat_map(of_measure).collect::<Vec<_>>());
        }
        let header = clean(facet);
        let mut columns = vec![(header.as_str(), false), ("Runs", true)];
        columns.extend(FIGURES);
        let mut texts = Vec::new();
        for (measure, groups) in measures {
            let mut grid = Grid::new(&columns);
            for group in groups {
                let n = group.summary.map_or(0, |summary| summary.count);
                let runs = group.runs.len();
                let runs = if n == runs { n.to_string() } else { format!("{n}/{runs}") };
                let mut row = vec![clean(&group.name), runs];
                row.extend(cells(group.summary.as_ref()));
                grid.rows.push(row);
            }
            grid.shorten(room(), &[(0, 28)]);
            texts.push(format!("{} by {header}\n\n{}", clean(measure), grid.draw()));
        }
        self.out(texts.join("\n"))
    }

    /// Notes which runs have no place in time or no value.
    pub fn unplaced(self, table: &Table, trends: &[(MeasureId, Trend<'_>)]) {
        let undated =
            trends.first().map(|(_, trend)| (&trend.undated, "readable timestamp".to_owned()));
        let missing = trends.iter().map(|(measure, trend)| {
            let what = match trends.len() {
                1 => "value".to_owned(),
                _ => format!("value of `{}`", table.measure(*measure).name),
            };
            (&trend.missing, what)
        });
        for (runs, why) in undated.into_iter().chain(missing) {
            if !runs.is_empty() {
                let some: Vec<&str> = runs.iter().take(5).map(|run| table.id(*run)).collect();
                let more = if runs.len() > 5 { ", …" } else { "" };
                let (count, list) = (runs.len(), some.join("`, `"));
                let has = if count == 1 { "run has no" } else { "runs have no" };
                self.note(&format!("note: {count} {has} {why}: `{list}`{more}"));
            }
        }
    }

    /// Measures over time as one line of JSON: a list of points.
    pub fn trend_json(
        self,
        table: &Table,
        trends: &[(MeasureId, Trend<'_>)],
        series: Option<&str>,
    ) -> String {
        let of_measure = |(measure, trend): &(MeasureId, Trend<'_>)| {
            let point = |point: &crate::table::TrendPoint<'_>| {
                let mut value = json!({"timestamp": point.at, "entry_id": table.id(point.run),
                       "value": json_number(point.value),
                       "moving_avg": json_number(point.moving_mean)});
                if let Some(facet) = series {
                    value[facet] = json!(table.facet(point.run, facet).known());
                }
                if trends.len() > 1 {
                    value["measure"] = json!(table.measure(*measure).name);
                }
                value
            };
            trend.points.iter().map(point).collect::<Vec<_>>()
        };
        super::super::json_line(&trends.iter().flat_map(of_measure).collect::<Vec<_>>())
    }

    /// Measures over time, one table after the other.
    pub fn trend(
        self,
        table: &Table,
        trends: &[(MeasureId, Trend<'_>)],
        series: Option<&str>,
    ) -> String {
        let mut texts = Vec::new();
        for (measure, trend) in trends {
            let name = clean(&table.measure(*measure).name);
            let mut columns =
                vec![("Time", false), ("ID", false), (name.as_str(), true), ("Moving mean", true)];
            if series.is_some() {
                columns.insert(0, ("Model", false));
            }
            let mut grid = Grid::new(&columns);
            for point in &trend.points {
                let mut row = vec![
                    clean(point.at),
                    clean(table.id(point.run)),
                    short(point.value),
                    short(point.moving_mean),
                ];
                if let Some(facet) = series {
                    let text = table.facet(point.run, facet).known().unwrap_or(MISSING);
                    row.insert(0, clean(text));
                }
                grid.rows.push(row);
            }
            let shift = usize::from(series.is_some());
            grid.shorten(room(), &[(shift, 26), (shift + 1, 28)]);
            texts.push(grid.draw());
        }
        texts.join("\n")
    }

    /// Given aggregates that their topics do not make.
    pub fn discrepancies(
        self,
        found: &[Discrepancy],
        tolerance: f64,
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            return self.json(&found);
        }
        if found.is_empty() {
            return self
                .out(format!("every given aggregate is within {tolerance} of its topics\n"));
        }
        let mut grid = Grid::new(&[
            ("Measure", false),
            ("Run", false),
            ("Given", true),
            ("Recomputed", true),
            ("Difference", true),
        ]);
        for d in found {
            grid.rows.push(vec![
                clean(&d.measure),
                clean(&d.run),
                format!("{:.6}", d.given),
                format!("{:.6}", d.recomputed),
                format!("{:.6}", (d.given - d.recomputed).abs()),
            ]);
        }
        grid.shorten(room(), &[(0, 20), (1, 24)]);
        self.out(grid.draw())
    }
}
