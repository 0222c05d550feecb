//! Ranking: one measure, a direction, shared ranks, the missing last.

use super::measure::Better;
use super::summary::Summary;
use crate::table::{MeasureId, RunId, Table};

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
    pub run: RunId,
    /// Its value.
    pub value: Option<f64>,
}

/// All runs of a table in order, and what their values are like.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The measure.
    pub measure: MeasureId,
    /// What decides between runs with equal values, one after the other.
    pub(crate) then: Vec<MeasureId>,
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
        self.rank_by(&[measure], order, ties)
    }

    /// [`Self::rank`] by the first of `measures`; the others decide between equals, each with its
    /// better value first. Runs share a rank only where all values are equal.
    ///
    /// # Panics
    /// If `measures` is empty.
    pub(crate) fn rank_by(
        &self,
        measures: &[MeasureId],
        order: Option<Order>,
        ties: Ties,
    ) -> Ranking {
        let (measure, then) = measures.split_first().expect("a ranking is by a measure");
        let order = order.unwrap_or_else(|| Order::best_first(self.measure(*measure).better));
        let number =
            |run, measure| self.number(run, measure).filter(|number: &f64| !number.is_nan());
        let row = |run| RankRow { rank: None, tied: false, run, value: number(run, *measure) };
        let mut rows: Vec<RankRow> = self.runs().map(row).collect();
        let compare = |a: Option<f64>, b: Option<f64>, order: Order| match (a, b) {
            (Some(a), Some(b)) if order == Order::Ascending => a.partial_cmp(&b),
            (Some(a), Some(b)) => b.partial_cmp(&a),
            (a, b) => Some(b.is_some().cmp(&a.is_some())),
        };
        let rest: Vec<(MeasureId, Order)> =
            then.iter().map(|id| (*id, Order::best_first(self.measure(*id).better))).collect();
        let by_rest = |a: RunId, b: RunId| {
            let mut orders = rest
                .iter()
                .filter_map(|(id, order)| compare(number(a, *id), number(b, *id), *order));
            orders.find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        };
        rows.sort_by(|a, b| {
            let by_id = || match ties {
                Ties::Shared => self.id(a.run).cmp(self.id(b.run)),
                Ties::Position => std::cmp::Ordering::Equal,
            };
            let by_value = compare(a.value, b.value, order).unwrap_or(std::cmp::Ordering::Equal);
            by_value.then_with(|| by_rest(a.run, b.run)).then_with(by_id)
        });
        number_ranks(&mut rows, ties, |a, b| {
            a.value.is_some() && a.value == b.value && by_rest(a.run, b.run).is_eq()
        });
        let summary = Summary::of(rows.iter().filter_map(|row| row.value));
        Ranking { measure: *measure, then: then.to_vec(), order, rows, summary }
    }
}

fn number_ranks(rows: &mut [RankRow], ties: Ties, same: impl Fn(&RankRow, &RankRow) -> bool) {
    let mut shared = 0;
    for at in 0..rows.len() {
        let position = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let before = at.checked_sub(1).is_some_and(|before| same(&rows[before], &rows[at]));
        let after = rows.get(at + 1).is_some_and(|after| same(&rows[at], after));
        if !before {
            shared = position;
        }
        rows[at].tied = before || after;
        rows[at].rank = match ties {
            Ties::Position => Some(position),
            Ties::Shared => rows[at].value.map(|_| shared),
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
    fn a_second_measure_decides_between_equals_by_its_own_direction() {
        let both = [Measure::number("m"), Measure::number("cost").better(Better::Lower)];
        let mut builder = Builder::new(both);
        for (run, m, cost) in [("a", 1.0, 3.0), ("b", 1.0, 2.0), ("c", 1.0, 2.0), ("d", 2.0, 9.0)] {
            builder.add(run, "t", [("m", m.into()), ("cost", cost.into())]).expect("added");
        }
        let table = builder.build(&Policy::default()).expect("a table").table;
        let ranking = table.rank_by(&[MeasureId(0), MeasureId(1)], None, Ties::Shared);
        let found: Vec<_> =
            ranking.rows.iter().map(|row| (table.id(row.run), row.rank, row.tied)).collect();
        let wanted = [("d", 1, false), ("b", 2, true), ("c", 2, true), ("a", 4, false)];
        assert_eq!(found, wanted.map(|(id, rank, tied)| (id, Some(rank), tied)));
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
