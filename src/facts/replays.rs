//! What the committed bundles show beyond the board: shown on pages and noted by checks, never
//! published in the board itself.

use crate::replay::{Asked, BundleFiles, LiftCounts, LiftFiles, Replay, RunFile};

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
