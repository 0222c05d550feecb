//! Values over time with a moving mean.

use std::collections::HashMap;

use super::facets::Facet;
use super::moment::Moment;
use super::select::STARTED_AT;
use super::summary::mean;
use crate::table::{MeasureId, RunId, Table};

/// How points are put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Clock {
    /// As instants; what is not a time is left out.
    #[default]
    Instants,
    /// As texts, as one older program does; anything but the empty text counts.
    Texts,
}

/// One run at its time.
#[derive(Debug, Clone, PartialEq)]
pub struct TrendPoint<'t> {
    /// The time as the source writes it.
    pub at: &'t str,
    /// The run.
    pub run: RunId,
    /// Its value.
    pub value: f64,
    /// The mean of the last `window` values up to this one.
    pub moving_mean: f64,
}

/// The points in order, and the runs that could not be placed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trend<'t> {
    /// The points.
    pub points: Vec<TrendPoint<'t>>,
    /// Runs without a time that can be read.
    pub undated: Vec<RunId>,
    /// Runs without a value.
    pub missing: Vec<RunId>,
}

impl Table {
    /// The values of `measure` over time; a `window` of 0 takes all values so far.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, Clock, FacetKind, FacetValue, Measure, Policy};
    ///
    /// let mut builder = Builder::new([Measure::number("score")]);
    /// for (run, day, score) in [("b", "2026-02-01", 0.9), ("a", "2026-01-01", 0.5)] {
    ///     builder.add(run, "t1", [("score", score.into())])?;
    ///     let run = builder.run(run);
    ///     builder.facet(run, "timestamp", FacetKind::Text, FacetValue::Text(day));
    /// }
    /// let table = builder.build(&Policy::default())?.table;
    /// let trend = table.trend(table.measure_named("score")?, 5, Clock::Instants);
    /// assert_eq!(trend.points[1].at, "2026-02-01");
    /// assert_eq!(trend.points[1].moving_mean, 0.7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trend(&self, measure: MeasureId, window: usize, clock: Clock) -> Trend<'_> {
        self.trend_by(None, measure, window, clock)
    }

    /// Like [`Self::trend`], with a series, and a moving mean, for each value of the facet `series`; series in
    /// the order of their names.
    pub fn trend_by(
        &self,
        series: Option<&str>,
        measure: MeasureId,
        window: usize,
        clock: Clock,
    ) -> Trend<'_> {
        self.trend_within(series.as_slice(), measure, window, clock)
    }

    /// [`Self::trend_by`] the first facet of `series`; within it, the moving mean is that of the runs
    /// that agree in all facets of `series`.
    pub(crate) fn trend_within(
        &self,
        series: &[&str],
        measure: MeasureId,
        window: usize,
        clock: Clock,
    ) -> Trend<'_> {
        let facets: Vec<&Facet> =
            series.iter().filter_map(|name| self.facet_named(name).ok()).collect();
        let name_of = |run: RunId| facets.first().and_then(|facet| facet.get(run.0).known());
        let mut trend = Trend::default();
        let mut placed: Vec<(Option<i64>, &str, RunId, f64)> = Vec::new();
        for run in self.runs() {
            let text = self.facet(run, STARTED_AT).known();
            let at = match clock {
                Clock::Instants => text.and_then(Moment::parse).map(|at| at.micros),
                Clock::Texts => None,
            };
            let Some(text) = text.filter(|_| clock == Clock::Texts || at.is_some()) else {
                trend.undated.push(run);
                continue;
            };
            match self.number(run, measure) {
                Some(value) => placed.push((at, text, run, value)),
                None => trend.missing.push(run),
            }
        }
        placed.sort_by(|a, b| {
            let in_time = match clock {
                Clock::Instants => a.0.cmp(&b.0),
                Clock::Texts => a.1.cmp(b.1),
            };
            name_of(a.2).cmp(&name_of(b.2)).then(in_time)
        });
        let mut values: HashMap<Vec<Option<&str>>, Vec<f64>> = HashMap::new();
        for (_, at, run, value) in placed {
            let key = facets.iter().map(|facet| facet.get(run.0).known()).collect();
            let values = values.entry(key).or_default();
            values.push(value);
            let from = if window == 0 { 0 } else { values.len().saturating_sub(window) };
            let moving_mean = mean(&values[from..]).unwrap_or(value);
            trend.points.push(TrendPoint { at, run, value, moving_mean });
        }
        trend
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Builder, FacetKind, FacetValue, Measure, Policy};

    #[test]
    fn a_moving_mean_starts_again_where_another_facet_changes() {
        let mut builder = Builder::new([Measure::number("m")]);
        for (run, day, protocol, value) in [
            ("a", "2026-01-01", "1", 0.0),
            ("b", "2026-02-01", "2", 1.0),
            ("c", "2026-03-01", "1", 0.5),
        ] {
            builder.add(run, "t", [("m", value.into())]).expect("added");
            let run = builder.run(run);
            for (name, text) in [("timestamp", day), ("model", "x"), ("protocol", protocol)] {
                builder.facet(run, name, FacetKind::Text, FacetValue::Text(text));
            }
        }
        let table = builder.build(&Policy::default()).expect("built").table;
        let means = |series: &[&str]| -> Vec<f64> {
            let trend = table.trend_within(series, MeasureId(0), 3, Clock::Instants);
            trend.points.iter().map(|point| point.moving_mean).collect()
        };
        assert_eq!(means(&["model"]), [0.0, 0.5, 0.5]);
        assert_eq!(means(&["model", "protocol"]), [0.0, 1.0, 0.25]);
    }
}
