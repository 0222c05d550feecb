//! Ranking: one measure, a direction, shared ranks, the missing last.

use super::measure::Better;
use super::summary::Summary;
use crate::table::{MeasureId, Run, Table};

/// The direction of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The least first.
    Ascending,
    /// The greatest first.
    Descending,
}

impl Order {
    /// The order in which the better comes first.
    pub fn best_first(better: Better) -> Self {
        if better == Better::Lower { Self::Ascending } else { Self::Descending }
    }

    /// `asc` or `desc`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ascending => "asc",
            Self::Descending => "desc",
        }
    }
}

/// How equal values are ordered and numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ties {
    /// They share a rank (1, 2, 2, 4) and stand in the order of their ids.
    #[default]
    Shared,
    /// Positions 1, 2, 3, 4, in the order of the source.
    Position,
}

/// One row of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankRow {
    /// The rank; `None` if the run has no value.
    pub rank: Option<u32>,
    /// Whether another run has the same value.
    pub tied: bool,
    /// The run.
    pub run: Run,
    /// Its value.
    pub value: Option<f64>,
}

/// All runs of a table in order, and what their values are like.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The measure.
    pub measure: MeasureId,
    /// The direction.
    pub order: Order,
    /// Every run.
    pub rows: Vec<RankRow>,
    /// The figures of all values; `None` if there is none.
    pub summary: Option<Summary>,
}

impl Ranking {
    /// The figures of the first `shown` rows.
    pub(crate) fn page_summary(&self, shown: usize) -> Option<Summary> {
        Summary::of(self.rows.iter().take(shown).filter_map(|row| row.value))
    }
}

impl Table {
    /// Ranks all runs by `measure`; `order` defaults to the measure's better direction.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, Measure, Policy, Ties};
    ///
    /// let mut builder = Builder::new([Measure::number("score")]);
    /// for (run, score) in [("a", 0.5), ("b", 0.9), ("c", 0.9), ("d", 0.1)] {
    ///     builder.add(run, "t1", [("score", score.into())])?;
    /// }
    /// let table = builder.build(&Policy::default())?.table;
    /// let ranking = table.rank(table.measure_named("score")?, None, Ties::Shared);
    /// let shown: Vec<_> = ranking.rows.iter().map(|row| (row.rank, table.id(row.run))).collect();
    /// assert_eq!(shown, [(Some(1), "b"), (Some(1), "c"), (Some(3), "a"), (Some(4), "d")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rank(&self, measure: MeasureId, order: Option<Order>, ties: Ties) -> Ranking {
        let order = order.unwrap_or_else(|| Order::best_first(self.measure(measure).better));
        let row = |run| {
            let value = self.number(run, measure).filter(|number| !number.is_nan());
            RankRow { rank: None, tied: false, run, value }
        };
        let mut rows: Vec<RankRow> = self.runs().map(row).collect();
        rows.sort_by(|a, b| {
            let by_value = match (a.value, b.value) {
                (Some(a), Some(b)) if order == Order::Ascending => a.partial_cmp(&b),
                (Some(a), Some(b)) => b.partial_cmp(&a),
                (a, b) => Some(b.is_some().cmp(&a.is_some())),
            };
            let by_id = || match ties {
                Ties::Shared => self.id(a.run).cmp(self.id(b.run)),
                Ties::Position => std::cmp::Ordering::Equal,
            };
            by_value.unwrap_or(std::cmp::Ordering::Equal).then_with(by_id)
        });
        number_ranks(&mut rows, ties);
        let summary = Summary::of(rows.iter().filter_map(|row| row.value));
        Ranking { measure, order, rows, summary }
    }
}

fn number_ranks(rows: &mut [RankRow], ties: Ties) {
    let mut shared = (0, None);
    for at in 0..rows.len() {
        let value = rows[at].value;
        let same = |other: Option<&RankRow>| {
            other.is_some_and(|other| value.is_some() && other.value == value)
        };
        let position = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let (before, after) = (same(at.checked_sub(1).map(|at| &rows[at])), same(rows.get(at + 1)));
        if !before {
            shared = (position, value);
        }
        rows[at].tied = before || after;
        rows[at].rank = match ties {
            Ties::Position => Some(position),
            Ties::Shared => value.map(|_| shared.0),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, Measure, Policy};
    use super::*;

    fn table(values: &[(&str, Option<f64>)]) -> Table {
        let mut builder = Builder::new([Measure::number("m").better(Better::Lower)]);
        for (id, value) in values {
            let run = builder.run(id);
            if let Some(value) = value {
                builder.aggregate(run, MeasureId(0), (*value).into()).expect("a number");
            }
        }
        builder.build(&Policy::default()).expect("a table").table
    }

    #[test]
    fn the_missing_rank_last_without_a_rank_in_both_directions() {
        let table =
            table(&[("a", None), ("b", Some(3.0)), ("c", Some(1.0)), ("d", Some(f64::NAN))]);
        for (order, ids) in [(None, "cbad"), (Some(Order::Descending), "bcad")] {
            let ranking = table.rank(MeasureId(0), order, Ties::Shared);
            let found: String = ranking.rows.iter().map(|row| table.id(row.run)).collect();
            assert_eq!(found, ids);
            assert_eq!(ranking.rows[2].rank, None);
            assert_eq!(ranking.summary.map(|summary| summary.count), Some(2));
        }
    }

    #[test]
    fn ties_are_marked_and_ordered_by_id_or_position() {
        let table = table(&[("z", Some(1.0)), ("a", Some(1.0)), ("m", Some(0.0))]);
        let shared = table.rank(MeasureId(0), None, Ties::Shared);
        let ranks: Vec<_> = shared.rows.iter().map(|row| (row.rank, row.tied)).collect();
        assert_eq!(ranks, [(Some(1), false), (Some(2), true), (Some(2), true)]);
        assert_eq!(table.id(shared.rows[1].run), "a");
        let position = table.rank(MeasureId(0), None, Ties::Position);
        assert_eq!((table.id(position.rows[1].run), position.rows[2].rank), ("z", Some(3)));
    }
}
