//! What an audit leaves unchecked, in the words of every report.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use super::Audit;

/// Something a reader may think was checked, and was not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotCovered {
    /// The subject.
    pub what: &'static str,
    /// How many rows it is about; absent where it is about the whole board.
    pub rows: Option<usize>,
    /// The reason.
    pub why: Cow<'static, str>,
}

impl NotCovered {
    /// There is no seal.
    pub const UNSEALED: Self = Self::new("seal", "the board has none");
    /// One row was checked; a seal is of the whole board.
    pub const SEAL_OF_BOARD: Self = Self::new("seal", "checked only with the whole board");
    /// The ledger has no `commit` line for the set that ranks.
    pub const UNCOMMITTED: Self = Self::new("held-out set", "the ledger has no commitment to it");
    /// Whoever can rewrite the ledger can rewrite its checkpoints too.
    pub const UNWITNESSED: Self =
        Self::new("rewritten ledger", "no checkpoint from elsewhere was compared");

    /// About the whole board.
    pub const fn new(what: &'static str, why: &'static str) -> Self {
        Self { what, rows: None, why: Cow::Borrowed(why) }
    }
}

impl fmt::Display for NotCovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The subject of one row is the plural without its `s`.
        match self.rows {
            Some(1) => write!(f, "1 {}", self.what.trim_end_matches('s'))?,
            Some(rows) => write!(f, "{rows} {}", self.what)?,
            None => f.write_str(self.what)?,
        }
        write!(f, " ({})", self.why)
    }
}

impl Audit {
    /// The headlines that were not re-derived, if there are any.
    pub fn headlines_not_covered(&self) -> Option<NotCovered> {
        let rows = Some(self.held_out_taken).filter(|rows| *rows > 0)?;
        let why = "checked for form only: no held-out bundle at hand";
        Some(NotCovered { rows: Some(rows), ..NotCovered::new("held-out headlines", why) })
    }
}
