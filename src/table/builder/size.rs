//! Bounds on what a table may hold, checked before memory is taken.

use super::{BuildError, Builder};

/// The most cells, and the most runs × columns, of a table.
pub(super) const MAX_CELLS: u64 = 50_000_000;
/// The most values that a policy may make up. Each takes 24 bytes, and a file of two megabytes
/// must stay below 500 megabytes.
pub(super) const MAX_MADE: u64 = 10_000_000;

impl Builder {
    /// Refuses a table that would be too large to show. Exports and views write a field for each
    /// run and column, also where there is no value.
    pub(super) fn check_size(&self) -> Result<(), BuildError> {
        let content = &self.content;
        let columns = content.measures.len() as u64 + content.facets.len() as u64;
        let runs = content.runs.len() as u64;
        let cells = content.cells.len() as u64;
        if runs.saturating_mul(columns) > MAX_CELLS {
            return Err(BuildError::TooLarge { runs, columns });
        }
        if cells > MAX_CELLS {
            return Err(BuildError::TooManyCells(cells));
        }
        Ok(())
    }
}

/// Refuses to make up more values than [`MAX_MADE`].
pub(super) fn check_made(count: u64) -> Result<(), BuildError> {
    if count > MAX_MADE { Err(BuildError::TooManyHoles(count)) } else { Ok(()) }
}
