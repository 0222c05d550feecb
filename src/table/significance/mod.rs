//! Significance tests of differences, from counts alone.
//!
//! Everything here is exact or specified to the bit: no random number that is not seeded.
//! Two overlapping intervals are not a test, and neither is a gap between
//! them; rows scored on the same prompts are compared with [`mcnemar`].
//!
//! ```
//! use gmat_leaderboard::table::significance::{holm, mcnemar, wilson};
//!
//! let interval = wilson(41, 51).expect("there are prompts");
//! assert_eq!(format!("{:.3}-{:.3}", interval.low, interval.high), "0.675-0.890");
//! assert!(mcnemar(5, 0) > 0.05); // five prompts more are not enough
//! assert!(mcnemar(6, 0) < 0.05);
//! assert_eq!(holm(&[0.01, 0.04]), [0.02, 0.04]);
//! ```

mod bootstrap;
mod exact;
mod interval;
mod pairs;

pub use bootstrap::{RankInterval, SplitMix64, rank_bootstrap};
pub use exact::{best_case_mcnemar, fisher, mcnemar};
pub(crate) use interval::Score;
pub use interval::{Interval, newcombe, wilson};
pub(crate) use pairs::smallest_lead;
pub use pairs::{Pair, benjamini_hochberg, holm, pairs, prompts_needed, stat_ranks};

/// A claim is made at this level, after correction.
pub const ALPHA: f64 = 0.05;
/// The two-sided 95 % point of the normal distribution; a constant, so that every platform agrees.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
