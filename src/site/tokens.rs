//! What a row's answers took: tokens, and their price where one is known.
//!
//! What a newcomer gets wrong: providers count under two sets of names, and some count only a total.

use crate::board::Row;
use crate::domain::config::Price;

use super::facts::real;

fn usage(row: &Row, names: [&str; 2]) -> Option<u64> {
    names.iter().find_map(|name| row.usage.get(*name).copied())
}

pub(super) fn prompt_tokens(row: &Row) -> Option<u64> {
    usage(row, ["prompt_tokens", "input_tokens"])
}

pub(super) fn completion_tokens(row: &Row) -> Option<u64> {
    usage(row, ["completion_tokens", "output_tokens"])
}

pub(super) fn generation_tokens(row: &Row) -> Option<f64> {
    let both = || Some(prompt_tokens(row)? + completion_tokens(row)?);
    both().or_else(|| row.usage.get("total_tokens").copied()).map(real)
}

pub(super) fn cost(row: &Row, price: &Price) -> Option<f64> {
    let (input, output) = (real(prompt_tokens(row)?), real(completion_tokens(row)?));
    Some((input * price.input + output * price.output) / 1e6)
}

pub(super) fn per_pass(total: Option<f64>, passed: u64) -> Option<f64> {
    total.filter(|_| passed > 0).map(|total| total / real(passed))
}
