//! What the committed bundles show beyond the board: shown on pages and noted by checks, never
//! published in the board itself.

use std::collections::BTreeMap;

use crate::replay::{Asked, BundleFiles, Lift, LiftFiles, Replay, RunFile};

/// What is known of each row, in the order of the board.
#[derive(Debug, Clone, Default)]
pub struct Replays<'r> {
    /// One per row.
    pub rows: Vec<RowReplay<'r>>,
}

/// What the bundles of one row show; nothing where a bundle is absent.
#[derive(Debug, Clone, Default)]
pub struct RowReplay<'r> {
    /// The replayed public bundle.
    pub public: Option<&'r Replay>,
    /// The files of that bundle and whose answers count in them, where they were kept.
    pub files: Option<(&'r BundleFiles, Asked<'r>)>,
    /// What run.json beside the public bundle says, if it is there.
    pub run: Option<&'r RunFile>,
    /// Counts of the repair loop.
    pub lift: Option<LiftCounts>,
    /// The files of the lift bundle, where they were kept.
    pub lift_files: Option<&'r LiftFiles>,
}

/// The repair loop in prompts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiftCounts {
    /// First drafts that run.
    pub base: usize,
    /// Last drafts that run.
    pub repaired: usize,
    /// Prompts of the lift bundle.
    pub prompts: usize,
    /// By tier: dry runs that agree, of first drafts that pass on paper.
    pub agreement: BTreeMap<String, (usize, usize)>,
}

impl From<&Lift> for LiftCounts {
    fn from(lift: &Lift) -> Self {
        let mut counts = Self { prompts: lift.rows.len(), ..Self::default() };
        for row in &lift.rows {
            counts.base += usize::from(row.base.is_runnable());
            counts.repaired += usize::from(row.repaired.is_runnable());
            let (agree, of) = counts.agreement.entry(row.tier.clone()).or_default();
            *agree += usize::from(row.base.is_runnable());
            *of += usize::from(row.base.passes_on_paper);
        }
        counts
    }
}
