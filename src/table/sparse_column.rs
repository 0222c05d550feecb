//! Values by row: a vector while most rows have one, a map where few do.
//!
//! A file of a few kilobytes can name thousands of runs and thousands of measures and give each
//! measure to one run only. Memory must follow the values, not the product.

use std::collections::HashMap;

/// A vector of up to this many rows is never worth a map.
const SHORT: usize = 64;
/// A vector may have this many rows for each value in it.
const ROOM: usize = 8;

#[derive(Debug, Clone)]
pub(super) struct SparseColumn<T> {
    store: Store<T>,
    count: usize,
}

#[derive(Debug, Clone)]
enum Store<T> {
    Dense(Vec<Option<T>>),
    Sparse { rows: HashMap<u32, T>, end: usize },
}

impl<T> Default for SparseColumn<T> {
    fn default() -> Self {
        Self { store: Store::Dense(Vec::new()), count: 0 }
    }
}

impl<T: Copy> SparseColumn<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn get(&self, row: u32) -> Option<T> {
        match &self.store {
            Store::Dense(rows) => rows.get(row as usize).copied().flatten(),
            Store::Sparse { rows, .. } => rows.get(&row).copied(),
        }
    }

    pub(super) fn set(&mut self, row: u32, value: T) {
        let at = row as usize;
        if let Store::Dense(rows) = &mut self.store
            && at >= rows.len()
            && at >= SHORT.max(ROOM * (self.count + 1))
        {
            let kept = (0u32..).zip(rows.iter()).filter_map(|(row, value)| Some((row, (*value)?)));
            self.store = Store::Sparse { rows: kept.collect(), end: rows.len() };
        }
        let fresh = match &mut self.store {
            Store::Dense(rows) => {
                if rows.len() <= at {
                    rows.resize(at + 1, None);
                }
                rows[at].replace(value).is_none()
            }
            Store::Sparse { rows, end } => {
                *end = (*end).max(at + 1);
                rows.insert(row, value).is_none()
            }
        };
        self.count += usize::from(fresh);
        if let Store::Sparse { rows, end } = &self.store
            && *end <= ROOM / 2 * self.count
        {
            let mut dense = vec![None; *end];
            for (row, value) in rows {
                dense[*row as usize] = Some(*value);
            }
            self.store = Store::Dense(dense);
        }
    }

    pub(super) fn clear(&mut self, row: u32) {
        let removed = match &mut self.store {
            Store::Dense(rows) => rows.get_mut(row as usize).and_then(Option::take),
            Store::Sparse { rows, .. } => rows.remove(&row),
        };
        self.count -= usize::from(removed.is_some());
    }

    /// Removes the values of the rows that `wanted` names and gives those rows in order.
    pub(super) fn take(&mut self, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut taken: Vec<u32> = match &self.store {
            Store::Dense(rows) => {
                let full = (0u32..).zip(rows).filter(|(_, value)| value.is_some());
                full.map(|(row, _)| row).filter(|row| wanted(*row)).collect()
            }
            Store::Sparse { rows, .. } => rows.keys().copied().filter(|row| wanted(*row)).collect(),
        };
        taken.sort_unstable();
        for row in &taken {
            self.clear(*row);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_follows_the_values() {
        let mut lane = SparseColumn::default();
        lane.set(4_000_000_000, 1u8);
        assert!(matches!(&lane.store, Store::Sparse { rows, .. } if rows.len() == 1));
        assert_eq!((lane.get(4_000_000_000), lane.get(0)), (Some(1), None));
        let mut lane = SparseColumn::default();
        for row in 0..10_000u32 {
            lane.set(row, row);
        }
        assert!(matches!(lane.store, Store::Dense(_)));
        lane.set(1_000_000, 7);
        assert!(matches!(lane.store, Store::Sparse { .. }));
        assert_eq!((lane.get(9_999), lane.get(1_000_000)), (Some(9_999), Some(7)));
    }

    #[test]
    fn a_lane_that_fills_up_becomes_a_vector() {
        let mut lane = SparseColumn::default();
        for row in (0..1000u32).rev() {
            lane.set(row, row);
        }
        assert!(matches!(lane.store, Store::Dense(_)));
        assert_eq!((0..1000).filter(|row| lane.get(*row) == Some(*row)).count(), 1000);
        lane.clear(3);
        assert_eq!(lane.take(|row| row >= 10).len(), 990);
        assert!(lane.take(|row| row >= 10).is_empty());
        assert_eq!((lane.count, lane.get(3), lane.get(9)), (9, None, Some(9)));
        assert_eq!(lane.take(|_| true), [0, 1, 2, 4, 5, 6, 7, 8, 9]);
        assert!(lane.is_empty());
    }
}
