//! The page Verify: how to audit the board.

use serde::Serialize;

use super::answer::name;
use super::of_all;
use crate::facts::{Answers, Facts, ReplayCheck, RowFacts};
use crate::site::assets::Module;
use crate::site::format;

/// What an auditor can do.
#[derive(Debug, Serialize)]
pub(in crate::site) struct VerifyPage<'m> {
    replayed: String,
    differs: Vec<String>,
    absent: String,
    /// Rows to re-derive in the browser; empty where no bundle is published.
    rows: Vec<DerivedRow>,
    module: &'m Module,
}

/// A row as it is published, to be re-derived.
#[derive(Debug, Serialize)]
struct DerivedRow {
    slug: String,
    name: String,
    solved: String,
    has_bundle: bool,
}

/// How to audit the board.
pub(in crate::site) fn verify_page<'m>(
    facts: &Facts<'_>,
    answers: &Answers<'_>,
    module: &'m Module,
) -> VerifyPage<'m> {
    let derived = |(at, row): (usize, &RowFacts<'_>)| DerivedRow {
        slug: row.slug.clone(),
        name: name(row),
        solved: of_all(row.public.counts()),
        has_bundle: answers.row(at).is_some(),
    };
    let has_any = answers.rows().next().is_some();
    let count = |state| facts.rows.iter().filter(|row| row.state == state).count();
    let total = facts.rows.len();
    let absent = count(ReplayCheck::NotRun);
    VerifyPage {
        replayed: format!(
            "{} of {} replayed from committed bundles when this page was made.",
            format::grouped(count(ReplayCheck::Match) as u64),
            format::count(total, "row")
        ),
        differs: facts
            .rows
            .iter()
            .filter(|row| row.state == ReplayCheck::Mismatch)
            .map(|row| row.model.clone())
            .collect(),
        absent: if absent == 0 {
            String::new()
        } else {
            format!(
                "{} without a bundle here: shown as published, marked “no bundle”.",
                format::count(absent, "row")
            )
        },
        rows: facts.rows.iter().enumerate().map(derived).filter(|_| has_any).collect(),
        module,
    }
}
