//! `site`: build, verify and render in one go.

use crate::board::AuditScope;
use crate::cli::{Build, Common, Format, Render, Site};
use crate::commands::{build, render, verify};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace::{ReplayDetail, Workspace};

pub(super) fn run(args: &Site, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let _lock = build::lock(&common.root, None, ui);
    let workspace = Workspace::open(&common.root, common.config.as_deref())?
        .keeping(ReplayDetail::Files)
        .with_held_out(args.held_out.as_deref())?;
    let kept = if workspace.scores_headlines() { None } else { build::kept(&workspace, None, ui)? };
    let is_kept = kept.is_some();
    let (board, file) = if let Some(kept) = kept {
        kept
    } else {
        let args = Build { generated_at: args.generated_at.clone(), ..Build::default() };
        let Some(built) = build::write(&args, &workspace, ui)? else { return Ok(Exit::No) };
        built
    };
    let document = file.document()?;
    let scope = AuditScope::default();
    let verdict = verify::audited(&workspace, &file, &document, Some(&board), scope, ui)?;
    ui.verdict(&verdict, if common.json { Format::Json } else { Format::Human })?;
    if verdict.exit() != Exit::Yes {
        return Ok(verdict.exit());
    }
    // Where the board was built, the note was printed then.
    if is_kept {
        ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
    }
    let render = Render { out: args.out.clone(), open: args.open, ..Render::default() };
    render::render(&render, &workspace, &board, &file.bytes, ui)
}
