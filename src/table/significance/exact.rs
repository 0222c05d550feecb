//! Exact tests on counts: integers where they fit, logarithms beyond.

use crate::domain::real;

/// Up to here every binomial coefficient, and their sum 2^n, fits into 128 bits with room to
/// multiply by n.
const INTEGERS: u64 = 120;
/// Beyond so many prompts Fisher's test would take longer than anyone waits.
const WALKED: u64 = 20_000;

/// Two-sided exact McNemar test (= sign test): `only_a` prompts only A passes, `only_b` only B.
pub fn mcnemar(only_a: u64, only_b: u64) -> f64 {
    let minor = only_a.min(only_b);
    let n = only_a + only_b;
    let tail = if n <= INTEGERS {
        let sum: u128 = (0..=minor).map(|i| binomial(n, i)).sum();
        ratio(sum, 1 << n)
    } else {
        // Largest term first, the rest by the ratio of neighbours: all terms are positive.
        let largest = ln_binomial(n, minor) - real(n) * std::f64::consts::LN_2;
        let (mut term, mut sum) = (1.0, 0.0);
        for i in (0..=minor).rev() {
            sum += term;
            term *= real(i) / real(n - i + 1);
        }
        largest.exp() * sum
    };
    (2.0 * tail).min(1.0)
}

/// The smallest p that [`mcnemar`] could give two rows that pass `first` and `second` of the same
/// prompts, whatever the pairing: if even this is above the level, the tie is a theorem.
pub fn best_case_mcnemar(first: u64, second: u64) -> f64 {
    let lead = i32::try_from(first.abs_diff(second)).unwrap_or(i32::MAX);
    2f64.powi(1 - lead).min(1.0)
}

/// Fisher's exact two-sided test of `(passed, total)` against `(passed, total)`, from the margins
/// alone. More passes than prompts count as all prompts. Beyond twenty thousand prompts it is an
/// upper bound, so that it claims too little rather than too much.
pub fn fisher(first: (u64, u64), second: (u64, u64)) -> f64 {
    let (n1, n2) = (first.1, second.1);
    let (k1, k2) = (first.0.min(n1), second.0.min(n2));
    let passed = k1 + k2;
    let possible = passed.saturating_sub(n2)..=passed.min(n1);
    if n1 + n2 <= INTEGERS {
        let weight = |x: u64| binomial(n1, x) * binomial(n2, passed - x);
        let seen = weight(k1);
        let extreme: u128 = possible.map(weight).filter(|weight| *weight <= seen).sum();
        return ratio(extreme, binomial(n1 + n2, passed));
    }
    if n1 + n2 > WALKED {
        // Hoeffding's inequality for the difference of two means.
        let difference = real(k1) / real(n1.max(1)) - real(k2) / real(n2.max(1));
        let size = real(n1) * real(n2) / real(n1 + n2);
        return (2.0 * (-2.0 * size * difference * difference).exp()).min(1.0);
    }
    // Weights relative to the largest, each from its neighbour: no logarithm, nothing overflows.
    let first = *possible.start();
    let mut weights: Vec<f64> = possible.map(|_| 1.0).collect();
    let up = |at: usize| {
        let x = first + at as u64;
        real(n1 - x) * real(passed - x) / (real(x + 1) * real(n2 + x + 1 - passed))
    };
    let mode = ((n1 + 1) * (passed + 1) / (n1 + n2 + 2)).saturating_sub(first);
    let mode = usize::try_from(mode).unwrap_or(usize::MAX).min(weights.len() - 1);
    for at in mode + 1..weights.len() {
        weights[at] = weights[at - 1] * up(at - 1);
    }
    for at in (0..mode).rev() {
        weights[at] = weights[at + 1] / up(at);
    }
    // Equal weights differ by rounding here; real neighbours differ by far more.
    let seen = usize::try_from(k1 - first).map_or(0.0, |at| weights[at]);
    let limit = seen * (1.0 + 1e-9);
    let extreme: f64 = weights.iter().filter(|weight| **weight <= limit).sum();
    (extreme / weights.iter().sum::<f64>()).min(1.0)
}

fn binomial(n: u64, k: u64) -> u128 {
    let k = k.min(n - k);
    (0..k).fold(1, |product, i| product * u128::from(n - i) / u128::from(i + 1))
}

fn ln_binomial(n: u64, k: u64) -> f64 {
    let k = k.min(n - k);
    (0..k).map(|i| (real(n - i) / real(i + 1)).ln()).sum()
}

#[expect(clippy::cast_precision_loss, reason = "the quotient is rounded once more anyway")]
fn ratio(part: u128, whole: u128) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-10 * b.abs().max(1e-300)
    }

    #[test]
    fn integers_and_logarithms_agree_at_the_border() {
        // 121 discordant prompts go through logarithms; the integers still hold that one.
        for minor in [0, 1, 30, 60] {
            let n = INTEGERS + 1;
            let sum: u128 = (0..=minor).map(|i| binomial(n, i)).sum();
            let exact = (2.0 * ratio(sum, 1 << n)).min(1.0);
            assert!(close(mcnemar(minor, n - minor), exact), "{minor}");
        }
        let (inside, beyond) = (fisher((50, 60), (40, 60)), fisher((500, 600), (400, 600)));
        assert!(beyond < inside && inside < 0.06, "{beyond} {inside}");
    }

    #[test]
    fn a_bound_stands_in_for_what_nobody_could_walk() {
        let (walked, bound) =
            (fisher((5_400, 9_000), (5_000, 9_000)), fisher((6_000, 10_001), (5_555, 10_001)));
        assert!(walked < 1e-8 && walked < bound && bound < 1e-8, "{walked} {bound}");
        let most = (1 << 53) - 1;
        assert!(close(fisher((most, most), (most, most)), 1.0));
        assert!(fisher((most, most), (0, most)) < 1e-300);
    }

    #[test]
    fn no_difference_is_no_evidence() {
        for p in [mcnemar(0, 0), mcnemar(7, 7), best_case_mcnemar(3, 3), best_case_mcnemar(3, 4)] {
            assert!(close(p, 1.0));
        }
        assert!(close(fisher((0, 0), (0, 0)), 1.0));
        assert!(close(fisher((900, 1000), (900, 1000)), 1.0));
        assert!(mcnemar(5000, 0) < 1e-300);
    }
}
