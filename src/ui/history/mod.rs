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

use crate::domain::round;

/// An absent value.
const ABSENT: &str = "–";

/// A change with its sign, in as many decimals as it takes not to look like 0.
fn signed(value: f64, decimals: usize) -> String {
    let shows = |places: &usize| value == 0.0 || round(value, *places) != 0.0;
    let decimals = (decimals..=6).find(shows).unwrap_or(decimals);
    format!("{:+.decimals$}", round(value, decimals))
}

/// A number, or the mark of an absent one.
fn plain(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| ABSENT.to_owned(), |value| format!("{value:.decimals$}"))
}

/// A change, or the mark of an absent one.
fn change(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| ABSENT.to_owned(), |value| signed(value, decimals))
}
