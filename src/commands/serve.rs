//! `serve`: a preview of the site on loopback, made again when what it is made from changes.

use std::path::PathBuf;

use crate::cli::{Common, Serve};
use crate::domain::{Exit, Failure};
use crate::site::{self, Made, Preview};
use crate::store::{self, Workspace};
use crate::ui::Ui;

use super::render::request;

pub(super) fn run(args: &Serve, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let render = || -> Result<Made, Failure> {
        let workspace = Workspace::open(&common.root, common.config.as_deref())?;
        site::make(&workspace, &request(&args.source))
    };
    let sources: Vec<PathBuf> = [
        Some(store::board_path(&common.root, args.source.board.as_deref())),
        Some(store::find_config(&common.root, common.config.as_deref())?),
        args.source.templates.clone(),
        args.source.statics.clone(),
    ]
    .into_iter()
    .flatten()
    .collect();

    let made = render()?;
    let preview = Preview::bind(args.port)?;
    ui.say(&format!("serving {} row(s) at {}", made.rows, preview.address()));
    if args.open {
        ui.open(&preview.address());
    }
    let mut seen = store::fingerprint(&sources);
    preview.run(made.files, || {
        let now = store::fingerprint(&sources);
        if now == seen {
            return None;
        }
        seen = now;
        match render() {
            Ok(made) => {
                ui.say("made again");
                Some(made.files)
            }
            // What was shown stays until the source is mended.
            Err(failure) => {
                ui.failure(&failure);
                None
            }
        }
    })?;
    Ok(Exit::Yes)
}
