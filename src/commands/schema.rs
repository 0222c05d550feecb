//! `schema`: the JSON Schema of a file or an output.

use include_dir::{Dir, File, include_dir};

use crate::cli::Schema;
use crate::domain::{Exit, Failure};
use crate::site;
use crate::ui::Ui;

static SCHEMAS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/schemas");

pub(super) fn run(args: &Schema, ui: Ui) -> Result<Exit, Failure> {
    let own = SCHEMAS.get_file(format!("{}.schema.json", args.of)).and_then(File::contents_utf8);
    // Those of what a site has are published with every site.
    let name = if args.of == "board" { "leaderboard" } else { &args.of };
    ui.out(own.unwrap_or_else(|| site::schema(name)))?;
    Ok(Exit::Yes)
}
