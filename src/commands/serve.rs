//! `serve`: a preview of the site on loopback, made again when what it is made from changes.

use std::path::PathBuf;

use crate::cli::{Common, Serve};
use crate::domain::{Exit, Failure, Finding};
use crate::fs;
use crate::serve::Preview;
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, Made, Workspace};

use super::render::request;

pub(super) fn run(args: &Serve, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    // Pages with a held-out text are not shown either: a preview is copied and shared.
    let render = |is_told: bool| -> Result<Option<Made>, Failure> {
        let workspace = Workspace::open(&common.root, common.config.as_deref())?
            .keeping_bundles()
            .with_held_out(args.held_out.as_deref())?;
        let file = BoardFile::read(&workspace.board_path(args.source.board.as_deref()))?;
        let made =
            workspace::make(&workspace, &file.board()?, &file.bytes, &request(&args.source))?;
        if !is_told {
            ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
        }
        let mut findings = workspace::site_leaks(&workspace, &made.files)?;
        findings.extend(workspace.exposed().cloned());
        ui.findings(&findings)?;
        Ok(if findings.iter().any(Finding::decides) { None } else { Some(made) })
    };
    let sources: Vec<PathBuf> = [
        Some(workspace::board_path(&common.root, args.source.board.as_deref())),
        Some(workspace::find_config(&common.root, common.config.as_deref())?),
        args.source.templates.clone(),
        args.source.statics.clone(),
    ]
    .into_iter()
    .flatten()
    .collect();

    let Some(made) = render(false)? else { return Ok(Exit::No) };
    let preview = Preview::bind(args.port)?;
    ui.result(&format!("serving {} row(s) at {}", made.rows, preview.address()))?;
    if args.open {
        ui.open(&preview.address());
    }
    let mut seen = fs::fingerprint(&sources);
    preview.run(made.files, || {
        let now = fs::fingerprint(&sources);
        if now == seen {
            return None;
        }
        seen = now;
        match render(true) {
            Ok(None) => None,
            Ok(Some(made)) => {
                ui.note("rendered again");
                Some(made.files)
            }
            // What was shown stays until the source is fixed.
            Err(failure) => {
                ui.failure(&failure);
                None
            }
        }
    })?;
    Ok(Exit::Yes)
}
