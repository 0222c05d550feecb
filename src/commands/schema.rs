//! `schema`: the JSON Schema of what is published.

use crate::cli::{Schema, SchemaOf};
use crate::domain::{Exit, Failure};
use crate::site;
use crate::ui::Ui;

pub(super) fn run(args: &Schema, ui: Ui) -> Result<Exit, Failure> {
    let schema = match args.of {
        SchemaOf::Board => site::board_schema(),
    };
    ui.out(schema)?;
    Ok(Exit::Yes)
}
