//! The rows autojudge-evaluate writes of its correlations.

use std::io::{self, Write};

use serde_json::Value;

use super::{Correlations, Question};
use crate::domain::harmless;

/// The report of autojudge-evaluate: three names, then a value per method in the order asked.
#[derive(Debug, Clone)]
pub struct CorrelationRows {
    /// Methods that have a value somewhere.
    columns: Vec<String>,
    asked: Vec<String>,
    lines: Vec<Line>,
}

/// Judge, truth's measure, judge's measure; and the values by method.
type Line = ([String; 3], Vec<(String, f64)>);

impl CorrelationRows {
    /// Whether no method has a value for any pair of measures.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// An empty report for the methods of `question`.
    pub fn new(question: &Question) -> Self {
        let asked = question.methods.iter().map(|(name, _)| name.clone()).collect();
        Self { columns: Vec::new(), asked, lines: Vec::new() }
    }

    /// Adds what was found for one judge.
    pub fn add(&mut self, judge: &str, found: &Correlations) {
        for (truth_measure, judge_measure, values) in found {
            let names = [judge.to_owned(), truth_measure.clone(), judge_measure.clone()];
            self.lines.push((names, values.clone()));
        }
        let has = |name: &&String| {
            self.lines.iter().any(|(_, values)| values.iter().any(|(known, _)| known == *name))
        };
        self.columns = self.asked.iter().filter(has).cloned().collect();
    }

    /// The names of the columns.
    pub fn header(&self) -> Vec<String> {
        let names = ["Judge", "TruthMeasure", "EvalMeasure"].map(str::to_owned);
        names.into_iter().chain(self.columns.iter().cloned()).collect()
    }

    /// The values of one row, ten decimals each; `None` where the coefficient is undefined.
    fn values<'r>(
        &'r self,
        values: &'r [(String, f64)],
    ) -> impl Iterator<Item = Option<f64>> + use<'r> {
        let value = |name: &String| values.iter().find(|(known, _)| known == name).map(|v| v.1);
        let rounded = |value: f64| (value * 1e10).round() / 1e10;
        self.columns.iter().map(move |name| value(name).filter(|v| v.is_finite()).map(rounded))
    }

    /// One JSON object per row, keys in the order of the header.
    pub fn objects(&self) -> impl Iterator<Item = String> + use<'_> {
        let header = self.header();
        self.lines.iter().map(move |(names, values)| {
            let names = names.iter().map(|name| Value::from(name.as_str()));
            let values = self.values(values).map(Value::from);
            let members = header.iter().zip(names.chain(values));
            let members = members.map(|(key, value)| format!("{}:{value}", Value::from(&key[..])));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        })
    }

    /// CSV with the header.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
        writer.write_record(self.header())?;
        for (names, values) in &self.lines {
            let names = names.iter().map(|name| harmless(name).into_owned());
            let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
            writer.write_record(names.chain(self.values(values).map(number)))?;
        }
        writer.flush()
    }

    /// Rows for a table that people read.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let row = |(names, values): &Line| {
            let number =
                |value: Option<f64>| value.map_or_else(|| "NaN".to_owned(), |v| format!("{v:.6}"));
            names.iter().cloned().chain(self.values(values).map(number)).collect()
        };
        self.lines.iter().map(row).collect()
    }
}
