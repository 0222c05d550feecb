//! Rows that are no longer on the board: their pages stay, so no link to them ever breaks.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::board::{Board, Row};
use crate::domain::slug;
use crate::ledger::Withdraw;
use crate::site::format;

/// What is left of a row.
#[derive(Debug, Clone, Default, Serialize)]
pub(in crate::site) struct Tombstone {
    /// `provider:model`.
    #[serde(skip)]
    pub(in crate::site) id: String,
    pub(in crate::site) slug: String,
    title: String,
    model: String,
    provider: String,
    /// When and why it was withdrawn, as far as the ledger says.
    sentence: String,
    /// The last board it stood on; empty if none is known here.
    date: String,
    board: String,
    public: String,
    held_out: String,
}

/// Every row of an earlier board, and every row the ledger says was withdrawn, that is not on
/// `board` now; sorted by name.
pub(in crate::site) fn tombstones(
    board: &Board,
    before: &[(Board, String)],
    withdrawn: &[Withdraw],
) -> Vec<Tombstone> {
    let now: BTreeSet<String> = board.entries.iter().map(Row::id).collect();
    let mut gone: BTreeMap<String, Tombstone> = BTreeMap::new();
    for (old, sha) in before {
        for row in old.entries.iter().filter(|row| !now.contains(&row.id())) {
            let mut stone = stone(&row.provider, &row.model);
            stone.date = format::date(&old.generated_at);
            stone.board.clone_from(sha);
            stone.public = format::percent(row.public.pass_rate);
            let headline = row.held_out.rate();
            stone.held_out = headline.map_or_else(|| "pending".to_owned(), format::percent);
            gone.insert(row.id(), stone);
        }
    }
    for line in withdrawn {
        let id = format!("{}:{}", line.provider, line.model);
        if now.contains(&id) {
            continue;
        }
        let stone = gone.entry(id).or_insert_with(|| stone(&line.provider, &line.model));
        let (day, reason) = (format::date(&line.recorded_at), format::clean(&line.reason));
        stone.sentence = format!("Withdrawn on {day}: {reason}");
    }
    gone.into_values().collect()
}

fn stone(provider: &str, model: &str) -> Tombstone {
    let model_shown = format::clean(model);
    Tombstone {
        id: format!("{provider}:{model}"),
        slug: slug(provider, model),
        title: format::truncate(&model_shown, 36),
        model: model_shown,
        provider: format::clean(provider),
        sentence: "No longer on the board; no reason is recorded".to_owned(),
        ..Tombstone::default()
    }
}
