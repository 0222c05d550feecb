//! The page Changes: what changed from board to board.

use serde::Serialize;

use crate::site::changes::BoardChanges;
use crate::site::format;
use crate::site::view::events::EventLine;

/// The boards known so far.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ChangesPage<'s> {
    heading: String,
    lede: String,
    steps: &'s [BoardChanges],
    happened: &'s [EventLine],
}

/// What changed from board to board.
pub(in crate::site) fn changes_page<'s>(
    steps: &'s [BoardChanges],
    happened: &'s [EventLine],
) -> ChangesPage<'s> {
    let (newest, oldest) = (steps.first(), steps.last());
    let date = |step: Option<&BoardChanges>| step.map(|step| step.date.clone()).unwrap_or_default();
    let heading = match newest.map(|step| step.changes.len()) {
        None => "What happened".to_owned(),
        _ if steps.len() < 2 => format!("The first board is of {}", date(newest)),
        Some(0) => format!("Nothing changed on {}", date(newest)),
        Some(changes) => format!("{} on {}", format::count(changes, "change"), date(newest)),
    };
    let lede = match steps.len() {
        0 => format!("{} in the recorded runs.", format::count(happened.len(), "event")),
        1 => "The next board will say what changed.".to_owned(),
        boards => {
            format!("{} since {}, newest first.", format::count(boards, "board"), date(oldest))
        }
    };
    ChangesPage { heading, lede, steps, happened }
}
