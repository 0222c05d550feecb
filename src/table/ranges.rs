//! The 95 % range of each run's value, where its topics or its number of prompts give one.

use std::collections::BTreeMap;

use super::significance::{Interval, Z95, wilson};
use crate::domain::real;
use crate::table::{MeasureId, RunId, Table, TopicId};

impl Table {
    /// The ranges of `measure` by run: Wilson's where every topic is passed or failed, else that of
    /// the mean over the topics; for a rate without topics Wilson's over the prompts that the
    /// measure `NAME_n`, else `n_prompts`, counts. A run without any of these has none.
    pub(crate) fn ranges(&self, measure: MeasureId) -> BTreeMap<RunId, Interval> {
        let mut ranges = BTreeMap::new();
        for ((run, id), numbers) in self.topic_numbers() {
            if id == measure {
                let last: BTreeMap<TopicId, f64> = numbers.into_iter().collect();
                let values: Vec<f64> = last.into_values().collect();
                ranges.extend(range_of(&values).map(|range| (run, range)));
            }
        }
        let name = &self.measure(measure).name;
        let count = [format!("{name}_n"), "n_prompts".to_owned()];
        let Some(count) = count.iter().find_map(|name| self.measure_named(name).ok()) else {
            return ranges;
        };
        let is_rate = |value: &f64| (0.0..=1.0).contains(value);
        if count == measure
            || !self.runs().filter_map(|run| self.number(run, measure)).all(|it| is_rate(&it))
        {
            return ranges;
        }
        for run in self.runs() {
            if let (Some(rate), Some(total)) = (self.number(run, measure), self.number(run, count))
                && !ranges.contains_key(&run)
                && (1.0..1e9).contains(&total)
            {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a share of a count of prompts"
                )]
                let (passed, total) = ((rate * total).round() as u64, total as u64);
                ranges.extend(wilson(passed.min(total), total).map(|range| (run, range)));
            }
        }
        ranges
    }
}

/// The range of the mean of `values`; `None` for fewer than two.
fn range_of(values: &[f64]) -> Option<Interval> {
    let count = values.len() as u64;
    if count < 2 || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let is = |value: f64, wanted: f64| value.to_bits() == wanted.to_bits();
    if values.iter().all(|value| is(*value, 0.0) || is(*value, 1.0)) {
        let passed = values.iter().filter(|value| is(**value, 1.0)).count() as u64;
        return wilson(passed, count);
    }
    let n = real(count);
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = Z95 * (variance / n).sqrt();
    Some(Interval { low: mean - half, high: mean + half })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Builder, Measure, Policy};

    #[test]
    fn passes_and_grades_and_counts_each_have_their_range() {
        let mut builder = Builder::new([Measure::number("passed"), Measure::number("grade")]);
        for (topic, passed, grade) in [("t1", 1.0, 0.2), ("t2", 0.0, 0.4), ("t3", 1.0, 0.9)] {
            let row = [("passed", passed.into()), ("grade", grade.into())];
            builder.add("a", topic, row).expect("added");
        }
        let table = builder.build(&Policy::default()).expect("built").table;
        let range = |name: &str| {
            let id = table.measure_named(name).expect("a measure");
            table.ranges(id)[&table.find("a").expect("a run")]
        };
        assert_eq!(Some(range("passed")), wilson(2, 3));
        let grade = range("grade");
        assert_eq!(format!("{:.3} {:.3}", grade.low, grade.high), "0.092 0.908");

        let mut builder = Builder::default();
        let (score, count) = (
            builder.measure(Measure::number("score")).expect("declared"),
            builder.measure(Measure::number("n_prompts")).expect("declared"),
        );
        let run = builder.run("b");
        builder.aggregate(run, score, 0.8.into()).expect("set");
        builder.aggregate(run, count, 50.0.into()).expect("set");
        let table = builder.build(&Policy::default()).expect("built").table;
        assert_eq!(table.ranges(score).get(&run).copied(), wilson(40, 50));
        assert!(table.ranges(count).is_empty());
    }
}
