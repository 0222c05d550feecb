//! `schema`: the JSON Schema of what is published.

use crate::cli::{Schema, SchemaOf};
use crate::domain::{Exit, Failure};
use crate::site;
use crate::ui::Ui;

pub(super) fn run(args: &Schema, ui: Ui) -> Result<Exit, Failure> {
    ui.out(site::schema(match args.of {
        SchemaOf::Board => "leaderboard",
        SchemaOf::Entry => "entry",
        SchemaOf::Index => "index",
        SchemaOf::Pack => "pack",
    }))?;
    Ok(Exit::Yes)
}
