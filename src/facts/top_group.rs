//! Who leads, and who is significantly behind: the place and the group of every scored row.
//!
//! Each row is tested against the leader. The tests are exact and use the published counts alone; the
//! Benjamini–Hochberg procedure at 5 % corrects for their number. Of the rows called "behind", at most
//! one in twenty is expected to be there by chance.

use std::collections::BTreeMap;

use crate::board::{Board, Row};
use crate::facts::order::rank_ranges;
use crate::facts::{RowFacts, Score};
use crate::table::significance::{ALPHA, benjamini_hochberg, best_case_mcnemar, fisher, mcnemar};

/// Place of a scored row among the rows it is ranked with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standing {
    /// Its place; rows with equal counts share one.
    pub(crate) place: usize,
    /// How many rows are ranked with it, itself included.
    pub(crate) ranked: usize,
    /// Whether it is in the top group: not significantly behind the leader.
    pub(crate) is_top: bool,
}

/// Rows that are ranked together: one judge, one number of votes, one size of the held-out set.
#[derive(Debug, Default)]
pub(crate) struct RankGroup {
    pub(crate) judge: String,
    pub(crate) votes: u64,
    /// The scored rows, best first, then those that wait for the private test.
    pub(crate) rows: Vec<usize>,
    /// How many of them are scored.
    pub(crate) scored: usize,
}

impl RankGroup {
    /// The scored rows.
    pub(crate) fn ranked(&self) -> &[usize] {
        &self.rows[..self.scored]
    }
}

/// Sorts `rows`, which are best first, into groups, the largest first, and gives each its standing.
pub(crate) fn rank(rows: &mut [RowFacts<'_>]) -> Vec<RankGroup> {
    let mut groups: Vec<RankGroup> = Vec::new();
    let mut sizes: BTreeMap<Group<'_>, usize> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let (judge, votes) = (row.row.run.judge_model.as_str(), row.row.run.n_votes);
        let waits = |group: &RankGroup| group.judge == judge && group.votes == votes;
        let new = || RankGroup { judge: judge.to_owned(), votes, ..RankGroup::default() };
        let place = if let Some((group, _)) = ranked_among(row.row) {
            *sizes.entry(group).or_insert_with(|| {
                groups.push(new());
                groups.len() - 1
            })
        } else {
            // Waiting rows come last; each joins the largest group it may be ranked in.
            let known = (0..groups.len()).filter(|place| waits(&groups[*place]));
            known.max_by_key(|place| groups[*place].rows.len()).unwrap_or_else(|| {
                groups.push(new());
                groups.len() - 1
            })
        };
        groups[place].rows.push(at);
        groups[place].scored += usize::from(row.held_out.is_some());
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.scored), group.rows.first().copied()));
    for group in &groups {
        let counts: Vec<(u64, u64)> =
            group.ranked().iter().filter_map(|at| rows[*at].held_out.map(Score::counts)).collect();
        let places = standings(&counts).into_iter().zip(rank_ranges(&counts));
        for (at, (standing, range)) in group.ranked().iter().zip(places) {
            (rows[*at].standing, rows[*at].place) = (Some(standing), Some(range));
        }
    }
    groups
}

/// The place of every scored row of `board`, by id: among the rows with its judge, number of votes and
/// size of the held-out set. Equal counts share a place.
pub(crate) fn places(board: &Board) -> BTreeMap<String, usize> {
    let scored = || board.entries.iter().filter_map(|row| Some((row, ranked_among(row)?)));
    let mut groups: BTreeMap<Group<'_>, Vec<(u64, u64)>> = BTreeMap::new();
    for (_, (group, count)) in scored() {
        groups.entry(group).or_default().push(count);
    }
    for counts in groups.values_mut() {
        counts.sort_by(|a, b| b.cmp(a));
    }
    scored().map(|(row, (group, count))| (row.id(), place(&groups[&group], count))).collect()
}

/// Judge, number of votes and size of the held-out set: what is ranked together.
type Group<'a> = (&'a str, u64, u64);

/// The group of a scored row, and its counts.
fn ranked_among(row: &Row) -> Option<(Group<'_>, (u64, u64))> {
    let counts = Score::from_cell(row.held_out.cell()?).counts();
    Some(((&row.run.judge_model, row.run.n_votes, counts.1), counts))
}

/// The place of `count` among `counts`, which are best first.
fn place(counts: &[(u64, u64)], count: (u64, u64)) -> usize {
    1 + counts.partition_point(|better| *better > count)
}

/// The standing of each of `counts`: passed and total, best first, with one total.
fn standings(counts: &[(u64, u64)]) -> Vec<Standing> {
    let Some(leader) = counts.first() else { return Vec::new() };
    let p = |count: &(u64, u64)| pair_test(*count, *leader, None).unwrap_or(1.0);
    let p: Vec<f64> = counts[1..].iter().map(p).collect();
    let behind = benjamini_hochberg(&p, ALPHA);
    let is_behind = [false].into_iter().chain(behind);
    counts
        .iter()
        .zip(is_behind)
        .map(|(count, is_behind)| Standing {
            place: place(counts, *count),
            ranked: counts.len(),
            is_top: !is_behind,
        })
        .collect()
}

/// How likely a difference this large is by chance; `None` if the sets differ in size. With `passes`,
/// what each solved of the same prompts, the exact paired test; else the larger of two exact tests,
/// since the counts do not say which prompts were solved.
pub(crate) fn pair_test(
    a: (u64, u64),
    b: (u64, u64),
    passes: Option<(&[bool], &[bool])>,
) -> Option<f64> {
    if let Some((a, b)) = passes {
        let only = |wanted| a.iter().zip(b).filter(|pair| *pair == wanted).count() as u64;
        return Some(mcnemar(only((&true, &false)), only((&false, &true))));
    }
    (a.1 == b.1).then(|| best_case_mcnemar(a.0, b.0).max(fisher(a, b)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn top(counts: &[(u64, u64)]) -> usize {
        standings(counts).iter().filter(|standing| standing.is_top).count()
    }

    #[test]
    fn equal_counts_share_a_place() {
        let places: Vec<usize> =
            standings(&[(90, 120), (80, 120), (80, 120), (80, 120), (70, 120)])
                .iter()
                .map(|standing| standing.place)
                .collect();
        assert_eq!(places, [1, 2, 2, 2, 5]);
        assert_eq!(standings(&[]), []);
    }

    #[test]
    fn a_thousand_rows_do_not_hide_a_large_lead() {
        let mut counts = vec![(112, 120)];
        counts.extend((0..998).map(|at| (112 - at / 12, 120)));
        counts.push((27, 120));
        counts.sort_by(|a, b| b.cmp(a));
        let standings = standings(&counts);
        assert!(standings[0].is_top && !standings[999].is_top);
    }

    #[test]
    fn leaders_share_the_lead_and_few_prompts_show_nothing() {
        assert_eq!(top(&[(100, 120), (100, 120), (20, 120)]), 2);
        assert_eq!(top(&[(9, 10), (8, 10), (7, 10)]), 3);
        assert_eq!(top(&[(51, 60), (39, 60), (24, 60)]), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn rows_below_all_others_never_bring_a_row_back_into_the_top_group(
            total in 1_u64..200,
            shares in prop::collection::vec(0.0_f64..=1.0, 1..30),
            lower in prop::collection::vec(0.0_f64..=1.0, 1..60),
        ) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "small counts")]
            let count = |share: f64, most: u64| (share * most as f64).round() as u64;
            let mut counts: Vec<(u64, u64)> =
                shares.iter().map(|share| (count(*share, total), total)).collect();
            counts.sort_by(|a, b| b.cmp(a));
            let lowest = counts.last().map_or(0, |last| last.0);
            let before = standings(&counts);
            let mut more = counts.clone();
            more.extend(lower.iter().map(|share| (count(*share, lowest), total)));
            more.sort_by(|a, b| b.cmp(a));
            let after = standings(&more);
            for (before, after) in before.iter().zip(&after) {
                prop_assert!(before.is_top || !after.is_top);
            }
        }
    }
}
