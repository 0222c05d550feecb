//! `serve`: a preview of the site on loopback, made again when what it is made from changes.

use std::path::PathBuf;

use crate::cli::{Common, Serve};
use crate::domain::{Exit, Failure, Finding};
use crate::fs;
use crate::serve::Preview;
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, RenderedSite, ReplayDetail, Workspace};

use super::render::{ledger_alone, request};

pub(super) fn run(args: &Serve, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    // Pages with a held-out text are not shown either: a preview is copied and shared.
    let render = |is_told: bool| -> Result<Option<RenderedSite>, Failure> {
        let (request, held_out) = (request(&args.source), args.held_out.as_deref());
        let alone = ledger_alone(args.source.board.as_deref(), &request, held_out, common)?;
        let (workspace, made) = if let Some(alone) = alone {
            alone
        } else {
            let workspace = Workspace::open(&common.root, common.config.as_deref())?
                .keeping(ReplayDetail::Files)
                .with_held_out(held_out)?;
            let file = BoardFile::read(&workspace.board_path(args.source.board.as_deref()))?;
            let made = workspace::render_site(&workspace, &file.board()?, &file.bytes, &request)?;
            (workspace, made)
        };
        if !is_told {
            ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
        }
        let mut findings = workspace::search_rendered_site(&workspace, &made.files)?;
        findings.extend(workspace.exposed().cloned());
        ui.findings(&findings)?;
        Ok(if findings.iter().any(Finding::decides) { None } else { Some(made) })
    };
    let board = workspace::board_path(&common.root, args.source.board.as_deref());
    let sources: Vec<PathBuf> = [
        Some(board.with_file_name("history.jsonl")),
        Some(board),
        // A ledger alone needs no config.
        workspace::find_config(&common.root, common.config.as_deref()).ok(),
        args.source.templates.clone(),
        args.source.statics.clone(),
    ]
    .into_iter()
    .flatten()
    .collect();

    let Some(made) = render(false)? else { return Ok(Exit::No) };
    let preview = Preview::bind(args.port)?;
    ui.result(&match made.rows {
        0 => format!("serving the ledger at {}", preview.address()),
        rows => format!("serving {rows} row(s) at {}", preview.address()),
    })?;
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
