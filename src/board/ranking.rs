//! Scores become a ranked board. The only way to make one.
//!
//! What a newcomer gets wrong: the rows of a board that is built are never all in memory. Each is
//! spelt out when it is written and forgotten again.

use std::cmp::Reverse;

use serde::{Serialize, Serializer};

use super::build::Scored;
use super::model::{Board, RANKING, Row};
use crate::domain::Rate;
use crate::domain::config::{Config, Seed};

/// The rows of a board that is built, best first.
#[derive(Debug)]
pub struct Ranking<'a> {
    config: &'a Config,
    tool_version: &'a str,
    scored: Vec<Scored>,
    /// Positions in `scored`, by rank.
    order: Vec<usize>,
}

/// Ranks the scored seeds, which come in the order of the config, and puts the header on top.
pub fn assemble<'a>(
    config: &'a Config,
    scored: Vec<Scored>,
    generated_at: &str,
    tool_version: &'a str,
) -> Board<Ranking<'a>> {
    let place = |scored: &Scored| (scored.headline(), config.seeds[scored.seed].model.as_str());
    let order = rank(scored.iter().map(place));
    Board {
        entries: Ranking { config, tool_version, scored, order },
        eval_protocol_version: config.eval_protocol_version.clone(),
        generated_at: generated_at.to_owned(),
        held_out_set: config.held_out_set.clone(),
        judge_model: config.judge_model.clone(),
        public_set: config.public_set.clone(),
        ranking: RANKING.to_owned(),
    }
}

/// Headline descending, then model name; pending rows last. Ties keep their order.
pub(super) fn rank<'m>(rows: impl Iterator<Item = (Option<Rate>, &'m str)>) -> Vec<usize> {
    // `None` is least, so a pending headline comes last.
    let mut places: Vec<_> = rows
        .enumerate()
        .map(|(position, (headline, model))| (Reverse(headline), model, position))
        .collect();
    places.sort_unstable();
    places.into_iter().map(|(.., position)| position).collect()
}

impl Ranking<'_> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.scored.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.scored.is_empty()
    }

    /// The rows, spelt out one by one.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> {
        self.order.iter().enumerate().map(|(above, position)| {
            self.scored[*position].row(self.config, above as u64 + 1, self.tool_version)
        })
    }

    /// The seed of each row, and whether the row has a headline.
    pub(super) fn seeds(&self) -> impl Iterator<Item = (&Seed, bool)> {
        let seed = |scored: &Scored| (scored.seed, scored.held_out.is_some());
        self.scored.iter().map(seed).map(|(seed, is_scored)| (&self.config.seeds[seed], is_scored))
    }

    /// Votes per prompt, the same in every row.
    pub(super) fn n_votes(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.config.n_votes)
    }
}

impl Serialize for Ranking<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

impl Board<Ranking<'_>> {
    /// The same board with all its rows in memory.
    pub fn whole(&self) -> Board {
        Board {
            entries: self.entries.rows().collect(),
            eval_protocol_version: self.eval_protocol_version.clone(),
            generated_at: self.generated_at.clone(),
            held_out_set: self.held_out_set.clone(),
            judge_model: self.judge_model.clone(),
            public_set: self.public_set.clone(),
            ranking: self.ranking.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
            ..ProptestConfig::default()
        })]

        #[test]
        fn rank_does_not_depend_on_the_order_of_the_seeds(
            rates in prop::collection::vec(prop::option::of(0_usize..=4), 1..12),
            keys in prop::collection::vec(any::<u64>(), 12),
        ) {
            let rows: Vec<(Option<Rate>, String)> = rates
                .iter()
                .enumerate()
                .map(|(index, passed)| {
                    (passed.map(|passed| Rate::of(passed, 4)), format!("model-{index}"))
                })
                .collect();
            let mut shuffled: Vec<_> = rows.iter().cloned().zip(keys).collect();
            shuffled.sort_by_key(|(_, key)| *key);
            let shuffled: Vec<_> = shuffled.into_iter().map(|(row, _)| row).collect();
            let ranked = |rows: &[(Option<Rate>, String)]| -> Vec<_> {
                let order = rank(rows.iter().map(|(rate, model)| (*rate, model.as_str())));
                order.into_iter().map(|position| rows[position].clone()).collect()
            };
            let best_first = ranked(&rows);
            prop_assert_eq!(&best_first, &ranked(&shuffled));
            for pair in best_first.windows(2) {
                prop_assert!(pair[0].0 >= pair[1].0);
                prop_assert!(pair[0].0 > pair[1].0 || pair[0].1 < pair[1].1);
            }
        }
    }

    #[test]
    fn equal_places_keep_the_order_of_the_config() {
        let same = (Some(Rate::of(1, 2)), "m");
        assert_eq!(
            rank([same, (None, "a"), same, (Some(Rate::of(1, 1)), "z")].into_iter()),
            [3, 0, 2, 1]
        );
    }
}
