//! What a solved prompt takes, in dollars or in tokens: which row takes least, and which rows no other beats.

use crate::facts::RowFacts;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expense {
    /// List price.
    Dollars,
    /// Tokens of generation.
    Tokens,
}

impl Expense {
    /// What `row` takes for a solved prompt; zero if it is free.
    pub(crate) fn spent_by(self, row: &RowFacts<'_>) -> Option<f64> {
        match self {
            Self::Dollars => row.cost_per_solved,
            Self::Tokens => row.tokens_per_solved,
        }
    }

    /// The row that takes least, and how much; the first of equals.
    pub(crate) fn least<'r, 'a>(
        self,
        rows: &[&'r RowFacts<'a>],
    ) -> Option<(&'r RowFacts<'a>, f64)> {
        let known = rows.iter().filter_map(|row| Some((*row, self.spent_by(row)?)));
        known.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Which of the points (expense, score) no other beats: one that is no worse in both and better in one.
/// Equals both stay.
pub(crate) fn frontier(points: &[(f64, f64)]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        points[a].0.total_cmp(&points[b].0).then(points[b].1.total_cmp(&points[a].1))
    });
    let mut keep = vec![false; points.len()];
    let mut last: Option<(f64, f64)> = None;
    for at in order {
        let equal = last.is_some_and(|last| last == points[at]);
        if equal || last.is_none_or(|(_, highest)| points[at].1 > highest) {
            keep[at] = true;
            last = Some(points[at]);
        }
    }
    keep
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_keeps_equals_and_drops_the_dominated() {
        let points = [(10.0, 0.5), (10.0, 0.5), (10.0, 0.4), (20.0, 0.5), (30.0, 0.9), (40.0, 0.8)];
        assert_eq!(frontier(&points), [true, true, false, false, true, false]);
    }
}
