//! Words what the ledger says: records, series, parts, weeks, checks.
//!
//! An absent value is `–` with its reason, never 0 and never a blank.

mod record;
mod series;
#[cfg(test)]
mod tests;
mod views;
mod week;

pub use record::Recorded;
pub use series::SeriesView;
pub use week::WeekShape;

use crate::domain::signed;

/// An absent value.
const ABSENT: &str = "–";

/// A number, or the mark of an absent one.
fn plain(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| ABSENT.to_owned(), |value| format!("{value:.decimals$}"))
}

/// A change, or the mark of an absent one.
fn change(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| ABSENT.to_owned(), |value| signed(value, decimals))
}
