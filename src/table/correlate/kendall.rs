//! Counting pairs in O(n log n): Knight's way for tau, a tree of counts for AP.

/// How pairs of items stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pairs {
    /// All pairs.
    pub(super) all: i64,
    /// Tied in the first.
    pub(super) tied_a: i64,
    /// Tied in the second.
    pub(super) tied_b: i64,
    /// Concordant minus discordant.
    pub(super) balance: i64,
}

fn choose_two(n: usize) -> i64 {
    let n = i64::try_from(n).unwrap_or(i64::MAX / 4);
    n * (n - 1) / 2
}

/// Pairs inside runs of equal neighbours.
fn tied<T>(items: &[T], same: impl Fn(&T, &T) -> bool) -> i64 {
    items.chunk_by(same).map(|run| choose_two(run.len())).sum()
}

#[expect(clippy::float_cmp, reason = "ties are exact equality")]
pub(super) fn count(a: &[f64], b: &[f64]) -> Pairs {
    let mut items: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
    items.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let tied_a = tied(&items, |x, y| x.0 == y.0);
    let tied_both = tied(&items, |x, y| x == y);
    let mut second: Vec<f64> = items.iter().map(|item| item.1).collect();
    let mut space = second.clone();
    let swaps = sort_counting(&mut second, &mut space);
    let tied_b = tied(&second, |x, y| x == y);
    let all = choose_two(a.len());
    Pairs { all, tied_a, tied_b, balance: all - tied_a - tied_b + tied_both - 2 * swaps }
}

/// Merge sort that counts how often a later item is smaller than an earlier one.
fn sort_counting(items: &mut [f64], space: &mut [f64]) -> i64 {
    let middle = items.len() / 2;
    if middle == 0 {
        return 0;
    }
    let mut swaps = sort_counting(&mut items[..middle], &mut space[..middle])
        + sort_counting(&mut items[middle..], &mut space[middle..]);
    let (mut left, mut right) = (0, middle);
    for slot in space.iter_mut() {
        if right == items.len() || (left < middle && items[left] <= items[right]) {
            *slot = items[left];
            left += 1;
        } else {
            *slot = items[right];
            right += 1;
            swaps += i64::try_from(middle - left).unwrap_or(0);
        }
    }
    items.copy_from_slice(space);
    swaps
}

/// The mean, over items that some other item beats in `y`, of the share of those that also beat
/// it in `x`; `None` if no item is beaten in `y`.
#[expect(clippy::float_cmp, clippy::cast_precision_loss, reason = "exact ties; small counts")]
pub(super) fn mean_share(x: &[f64], y: &[f64]) -> Option<f64> {
    let mut levels: Vec<f64> = x.to_vec();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let level = |value: f64| levels.partition_point(|known| known.total_cmp(&value).is_lt());
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&i, &j| y[j].total_cmp(&y[i]));
    // Counts of inserted items by level of x, as a Fenwick tree.
    let mut tree = vec![0usize; levels.len() + 1];
    let (mut sum, mut beaten, mut inserted) = (0.0, 0usize, 0usize);
    for group in order.chunk_by(|&i, &j| y[i] == y[j]) {
        if inserted > 0 {
            for &item in group {
                let mut not_above = 0;
                let mut at = level(x[item]) + 1;
                while at > 0 {
                    not_above += tree[at];
                    at &= at - 1;
                }
                sum += (inserted - not_above) as f64 / inserted as f64;
                beaten += 1;
            }
        }
        for &item in group {
            let mut at = level(x[item]) + 1;
            while at < tree.len() {
                tree[at] += 1;
                at += at & at.wrapping_neg();
            }
            inserted += 1;
        }
    }
    (beaten > 0).then(|| sum / beaten as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_agrees_with_looking_at_every_pair() {
        let mut random = crate::table::significance::SplitMix64::new(3);
        for n in 0..40 {
            let draw = |random: &mut crate::table::significance::SplitMix64| -> Vec<f64> {
                (0..n).map(|_| f64::from(u8::try_from(random.below(6)).unwrap_or(0))).collect()
            };
            let (a, b) = (draw(&mut random), draw(&mut random));
            let mut slow = Pairs { all: 0, tied_a: 0, tied_b: 0, balance: 0 };
            for i in 0..n {
                for j in 0..i {
                    slow.all += 1;
                    let (x, y) = (a[i] - a[j], b[i] - b[j]);
                    slow.tied_a += i64::from(x.abs() < 0.5);
                    slow.tied_b += i64::from(y.abs() < 0.5);
                    slow.balance += if x * y > 0.0 {
                        1
                    } else if x * y < 0.0 {
                        -1
                    } else {
                        0
                    };
                }
            }
            assert_eq!(count(&a, &b), slow);
        }
    }
}
