//! Scores become a ranked board. The only way to make one.

use std::cmp::Reverse;

use super::build::Scored;
use super::model::Board;
use crate::domain::Rate;
use crate::domain::config::Config;

/// Ranks the scored seeds, which come in the order of the config, and puts the header on top.
pub fn assemble(
    config: &Config,
    scored: &[Scored],
    generated_at: &str,
    tool_version: &str,
) -> Board {
    let place = |scored: &Scored| (scored.headline(), config.seeds[scored.seed].model.as_str());
    let order = rank(scored.iter().map(place));
    let row =
        |(above, at): (usize, &usize)| scored[*at].row(config, above as u64 + 1, tool_version);
    Board {
        entries: order.iter().enumerate().map(row).collect(),
        ..Board::empty(config, generated_at)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

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
