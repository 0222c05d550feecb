//! Whether published rates can be the result of counting prompts at all.
//!
//! A held-out cell cannot be re-derived in public, but it cannot be anything either: some whole
//! numbers of prompts per tier, the same for every row, must explain all published roundings.

use std::collections::BTreeMap;

use crate::board::Cell;
use crate::domain::Rate;

/// What is wrong with the cell of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Misfit {
    /// No counts explain it.
    Impossible,
    /// It has another number of prompts or other tiers than the other rows.
    OtherSet,
    /// Counts explain it, but not with the tier sizes the other rows have.
    OtherSizes,
}

/// Above this many ways to split the prompts into tiers only each rate by itself is checked.
const MAX_SPLITS: u64 = 200_000;

/// How many of `n` prompts can have passed, lowest and highest, if the rate is `rate`.
type Range = Option<(u64, u64)>;

/// Checks the cells of all scored rows against each other; `cells` pairs each with its row.
/// `partial_tiers` says that small tiers may be left out of the published cell.
pub(super) fn misfits(cells: &[(usize, &Cell)], partial_tiers: bool) -> Vec<(usize, Misfit)> {
    let Some(usual) = usual_set(cells) else { return Vec::new() };
    let mut counter = Counter::default();
    let (mut misfits, mut countable) = (Vec::new(), Vec::new());
    for (row, cell) in cells {
        if set_of(cell) != usual {
            misfits.push((*row, Misfit::OtherSet));
        } else if !counter.rate_fits(cell) {
            misfits.push((*row, Misfit::Impossible));
        } else if !partial_tiers && splits_of(cell.n_prompts, cell.by_tier.len()) <= MAX_SPLITS {
            countable.push((*row, *cell));
        }
    }
    let mut conflicts = counter.conflicts(&countable);
    if !conflicts.is_empty() {
        // A forged row before the others makes each of them a conflict. With those first, only it is one.
        let is_accused = |row: usize| conflicts.iter().any(|(it, _)| *it == row);
        countable.sort_by_key(|(row, _)| !is_accused(*row));
        let others = counter.conflicts(&countable);
        if others.len() < conflicts.len() {
            conflicts = others;
        }
    }
    misfits.extend(conflicts);
    misfits.sort_by_key(|(row, _)| *row);
    misfits
}

type Set<'c> = (u64, Vec<&'c str>);

fn set_of(cell: &Cell) -> Set<'_> {
    (cell.n_prompts, cell.by_tier.keys().map(String::as_str).collect())
}

/// The set most rows have; of equally common ones the one of the first row.
fn usual_set<'c>(cells: &[(usize, &'c Cell)]) -> Option<Set<'c>> {
    let mut rows: BTreeMap<Set<'c>, (usize, usize)> = BTreeMap::new();
    for (position, (_, cell)) in cells.iter().enumerate() {
        rows.entry(set_of(cell)).or_insert((0, cells.len() - position)).0 += 1;
    }
    rows.into_iter().max_by_key(|(_, weight)| *weight).map(|(set, _)| set)
}

/// In how many ways `n` prompts fall into `tiers` tiers that are not empty.
fn splits_of(n: u64, tiers: usize) -> u64 {
    let mut ways: u64 = 1;
    for step in 1..tiers as u64 {
        ways = ways.saturating_mul(n.saturating_sub(step)) / step;
    }
    ways
}

/// Remembers which counts a rate allows: boards repeat few rates over many rows.
#[derive(Default)]
struct Counter {
    ranges: BTreeMap<(Rate, u64), Range>,
}

impl Counter {
    fn range(&mut self, rate: Rate, n: u64) -> Range {
        *self.ranges.entry((rate, n)).or_insert_with(|| range(rate, n))
    }

    fn rate_fits(&mut self, cell: &Cell) -> bool {
        if cell.n_prompts == 0 {
            return cell.by_tier.is_empty() && cell.pass_rate == Rate::of(0, 0);
        }
        let tiers_fit = cell.by_tier.len() as u64 <= cell.n_prompts;
        tiers_fit && self.range(cell.pass_rate, cell.n_prompts).is_some()
    }

    /// The cells that no tier sizes explain, and those that need other sizes than the cells before them.
    fn conflicts(&mut self, cells: &[(usize, &Cell)]) -> Vec<(usize, Misfit)> {
        let mut conflicts = Vec::new();
        let mut splits: Option<Vec<Vec<u64>>> = None;
        for (row, cell) in cells {
            let left = match &splits {
                None => self.splits(cell),
                Some(known) => {
                    known.iter().filter(|split| self.explains(cell, split)).cloned().collect()
                }
            };
            if !left.is_empty() {
                splits = Some(left);
            } else if self.splits(cell).is_empty() {
                conflicts.push((*row, Misfit::Impossible));
            } else {
                conflicts.push((*row, Misfit::OtherSizes));
            }
        }
        conflicts
    }

    /// Whether tiers of these sizes explain the cell.
    fn explains(&mut self, cell: &Cell, sizes: &[u64]) -> bool {
        let mut sum = (0, 0);
        for (rate, size) in cell.by_tier.values().zip(sizes) {
            let Some((low, high)) = self.range(*rate, *size) else { return false };
            sum = (sum.0 + low, sum.1 + high);
        }
        // Each tier's counts have no holes, so neither have their sums.
        let total = self.range(cell.pass_rate, cell.n_prompts);
        total.is_some_and(|(low, high)| sum.0 <= high && low <= sum.1)
    }

    /// All tier sizes that explain the cell.
    fn splits(&mut self, cell: &Cell) -> Vec<Vec<u64>> {
        let rates: Vec<Rate> = cell.by_tier.values().copied().collect();
        let mut found = vec![Vec::new()];
        for (position, rate) in rates.iter().enumerate() {
            let later = (rates.len() - position - 1) as u64;
            let mut longer = Vec::new();
            for start in found {
                let left = cell.n_prompts - start.iter().sum::<u64>();
                let sizes = if later == 0 { left..=left } else { 1..=left.saturating_sub(later) };
                for size in sizes.filter(|size| *size > 0) {
                    if self.range(*rate, size).is_some() {
                        longer.push([start.as_slice(), &[size]].concat());
                    }
                }
            }
            found = longer;
        }
        found.retain(|split| self.explains(cell, split));
        found
    }
}

/// Counted outwards from the nearest count, because rounding is not monotone arithmetic.
fn range(rate: Rate, n: u64) -> Range {
    let size = usize::try_from(n).ok()?;
    let fits =
        |count: &u64| usize::try_from(*count).is_ok_and(|count| Rate::of(count, size) == rate);
    let centre = rate.count_of(n).min(n);
    let nearest = [centre, centre.saturating_sub(1), (centre + 1).min(n)].into_iter().find(fits)?;
    // Large sets have many counts per thousandth; their ends are searched by halving.
    let edge = |mut inside: u64, mut outside: u64| {
        if fits(&outside) {
            return outside;
        }
        while inside.abs_diff(outside) > 1 {
            let middle = inside.midpoint(outside);
            if fits(&middle) { inside = middle } else { outside = middle }
        }
        inside
    };
    let reach = n / 1000 + 2;
    Some((edge(nearest, nearest.saturating_sub(reach)), edge(nearest, (nearest + reach).min(n))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(n: u64, rate: f64, tiers: &[(&str, f64)]) -> Cell {
        let exact = |value| Rate::exact(value).expect("thousandths");
        Cell {
            by_tier: tiers.iter().map(|(tier, rate)| ((*tier).to_owned(), exact(*rate))).collect(),
            n_prompts: n,
            pass_rate: exact(rate),
        }
    }

    fn check(cells: &[Cell]) -> Vec<(usize, Misfit)> {
        let cells: Vec<(usize, &Cell)> = cells.iter().enumerate().collect();
        misfits(&cells, false)
    }

    #[test]
    fn counts_that_exist_are_accepted() {
        let tiers = [("easy", 1.0), ("hard", 0.25), ("medium", 0.75)];
        assert_eq!(check(&[cell(12, 0.667, &tiers)]), []);
        assert_eq!(check(&[cell(0, 0.0, &[])]), []);
        let large = cell(2_000_000, 0.5, &[("a", 0.4), ("b", 0.6)]);
        assert_eq!(check(&[large]), []);
    }

    #[test]
    fn a_rate_between_two_counts_is_impossible() {
        assert_eq!(check(&[cell(12, 0.51, &[("easy", 0.5)])]), [(0, Misfit::Impossible)]);
        let tiers = [("easy", 1.0), ("hard", 1.0)];
        assert_eq!(check(&[cell(12, 0.5, &tiers)]), [(0, Misfit::Impossible)]);
    }

    #[test]
    fn rows_share_one_set_and_its_tier_sizes() {
        let a = cell(12, 0.5, &[("easy", 0.5), ("hard", 0.5)]);
        let b = cell(1200, 0.5, &[("easy", 0.5), ("hard", 0.5)]);
        assert_eq!(check(&[a.clone(), a.clone(), b]), [(2, Misfit::OtherSet)]);
        let thirds = cell(12, 0.333, &[("easy", 0.333), ("hard", 0.333)]);
        let fifths = cell(12, 0.417, &[("easy", 0.2), ("hard", 0.571)]);
        assert_eq!(check(std::slice::from_ref(&fifths)), []);
        assert_eq!(check(&[thirds, fifths]), [(1, Misfit::OtherSizes)]);
    }

    #[test]
    fn the_row_that_contradicts_all_others_is_named_wherever_it_is() {
        let thirds = cell(12, 0.333, &[("easy", 0.333), ("hard", 0.333)]);
        let ninths = cell(12, 0.25, &[("easy", 0.667), ("hard", 0.111)]);
        let forged = cell(12, 0.417, &[("easy", 0.2), ("hard", 0.571)]);
        let honest = [thirds, ninths.clone(), ninths];
        assert_eq!(check(&honest), []);
        for place in 0..=honest.len() {
            let mut cells = honest.to_vec();
            cells.insert(place, forged.clone());
            assert_eq!(check(&cells), [(place, Misfit::OtherSizes)], "{place}");
        }
    }
}
