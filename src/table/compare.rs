//! Runs side by side, and topic by topic where both have them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::measure::Better;
use super::significance::{holm, mcnemar, smallest_lead};
use super::summary::real;
use crate::table::{MeasureId, RunId, Table, TopicId};

/// Two runs on the topics they share.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Duel {
    /// The measure.
    pub measure: String,
    /// The first run's id.
    pub a: String,
    /// The second run's id.
    pub b: String,
    /// Topics on which the first is better.
    pub wins: u64,
    /// Topics on which the second is better.
    pub losses: u64,
    /// Topics on which they are equal.
    pub ties: u64,
    /// Topics only one of them has.
    pub unshared: u64,
    /// Exact two-sided sign test (McNemar's, where values are 0 and 1).
    pub p: f64,
    /// The p-value after Holm's correction over all duels of this comparison.
    pub p_holm: f64,
    /// The least share of topics by which one must lead for the test to notice at all.
    pub detects: Option<f64>,
}

/// One measure of all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// The measure.
    pub measure: MeasureId,
    /// One value per run, in the order asked for.
    pub values: Vec<Option<f64>>,
    /// The runs with the best value; none if no direction is better.
    pub best: Vec<usize>,
}

/// Runs side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The runs, in the order asked for.
    pub runs: Vec<RunId>,
    /// One side per measure.
    pub sides: Vec<Side>,
    /// Every pair on every measure that has topics.
    pub duels: Vec<Duel>,
}

impl Comparison {
    /// By how much each run after the first is worse than the first, per measure; positive is
    /// worse. `None` where a value is missing or no direction is better.
    pub fn drops(&self, table: &Table) -> Vec<(MeasureId, RunId, Option<f64>)> {
        let mut drops = Vec::new();
        for side in &self.sides {
            let sign = match table.measure(side.measure).better {
                Better::Higher => Some(1.0),
                Better::Lower => Some(-1.0),
                Better::Unordered => None,
            };
            for (run, value) in self.runs.iter().zip(&side.values).skip(1) {
                let base = side.values.first().copied().flatten();
                let drop =
                    sign.zip(base).zip(*value).map(|((sign, base), value)| sign * (base - value));
                drops.push((side.measure, *run, drop));
            }
        }
        drops
    }
}

impl Table {
    /// Puts `runs` side by side on `measures`.
    ///
    /// ```
    /// use gmat_leaderboard::table::{Builder, Measure, Policy};
    ///
    /// let mut builder = Builder::new([Measure::number("pass")]);
    /// for topic in 0..6 {
    ///     builder.add("a", &format!("t{topic}"), [("pass", 1.0.into())])?;
    ///     builder.add("b", &format!("t{topic}"), [("pass", 0.0.into())])?;
    /// }
    /// let table = builder.build(&Policy::default())?.table;
    /// let runs = [table.find("a")?, table.find("b")?];
    /// let comparison = table.compare(&runs, &[table.measure_named("pass")?]);
    /// let duel = &comparison.duels[0];
    /// assert_eq!((duel.wins, duel.losses, duel.p), (6, 0, 0.03125));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, runs: &[RunId], measures: &[MeasureId]) -> Comparison {
        let sides = measures.iter().map(|measure| self.side(runs, *measure)).collect();
        let numbers = self.topic_numbers();
        let mut duels = Vec::new();
        for measure in measures {
            if self.measure(*measure).topic.is_none() {
                continue;
            }
            let of_run = |run: &RunId| {
                let numbers = numbers.get(&(*run, *measure));
                numbers.into_iter().flatten().copied().collect::<BTreeMap<TopicId, f64>>()
            };
            let topics: Vec<BTreeMap<TopicId, f64>> = runs.iter().map(of_run).collect();
            for (at, a) in runs.iter().enumerate() {
                for (other, b) in runs.iter().enumerate().skip(at + 1) {
                    duels.extend(self.duel(*measure, (*a, &topics[at]), (*b, &topics[other])));
                }
            }
        }
        let p: Vec<f64> = duels.iter().map(|duel: &Duel| duel.p).collect();
        for (duel, p_holm) in duels.iter_mut().zip(holm(&p)) {
            duel.p_holm = p_holm;
        }
        Comparison { runs: runs.to_vec(), sides, duels }
    }

    fn side(&self, runs: &[RunId], measure: MeasureId) -> Side {
        let values: Vec<Option<f64>> = runs.iter().map(|run| self.number(*run, measure)).collect();
        let known = values.iter().flatten().copied();
        let best = match self.measure(measure).better {
            Better::Higher => known.reduce(f64::max),
            Better::Lower => known.reduce(f64::min),
            Better::Unordered => None,
        };
        let best = (0..runs.len()).filter(|at| best.is_some() && values[*at] == best).collect();
        Side { measure, values, best }
    }

    fn duel(
        &self,
        measure: MeasureId,
        (a, a_values): (RunId, &BTreeMap<TopicId, f64>),
        (b, b_values): (RunId, &BTreeMap<TopicId, f64>),
    ) -> Option<Duel> {
        let lower = self.measure(measure).better == Better::Lower;
        let (mut wins, mut losses, mut ties) = (0, 0, 0);
        for (topic, x) in a_values {
            match b_values.get(topic) {
                Some(y) if x > y => *(if lower { &mut losses } else { &mut wins }) += 1,
                Some(y) if x < y => *(if lower { &mut wins } else { &mut losses }) += 1,
                Some(_) => ties += 1,
                None => {}
            }
        }
        let shared = usize::try_from(wins + losses + ties).unwrap_or(0);
        let unshared = (a_values.len() + b_values.len() - 2 * shared) as u64;
        let n: u64 = wins + losses + ties;
        if n == 0 {
            return None;
        }
        let p = mcnemar(wins, losses);
        let share = |lead: u64| {
            real(usize::try_from(lead).unwrap_or(0)) / real(usize::try_from(n).unwrap_or(1))
        };
        Some(Duel {
            measure: self.measure(measure).name.clone(),
            a: self.id(a).to_owned(),
            b: self.id(b).to_owned(),
            wins,
            losses,
            ties,
            unshared,
            p,
            p_holm: p,
            detects: smallest_lead(n, 2).map(share),
        })
    }
}
