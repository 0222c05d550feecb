//! `render`: the board as a static site, written or compared.

use crate::board::Board;
use crate::cli::{Common, Render, SiteSource};
use crate::domain::{Exit, Failure, Finding};
use crate::fs;
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, Request, Workspace};

pub(super) fn run(args: &Render, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?
        .keeping_bundles()
        .with_held_out(args.held_out.as_deref())?;
    let file = BoardFile::read(&workspace.board_path(args.source.board.as_deref()))?;
    ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
    render(args, &workspace, &file.board()?, &file.bytes, ui)
}

/// Renders `board`, whose bytes are `bytes`.
pub(super) fn render(
    args: &Render,
    workspace: &Workspace,
    board: &Board,
    bytes: &[u8],
    ui: Ui,
) -> Result<Exit, Failure> {
    let made = workspace::make(workspace, board, bytes, &request(&args.source))?;
    made.unread.iter().for_each(|failure| ui.note(&format!("note: {}", failure.what)));
    let out = args.out.clone().unwrap_or_else(|| workspace.store.path("site"));
    let out = out.strip_prefix("./").unwrap_or(&out);
    let mut findings = workspace::site_leaks(workspace, &made.files)?;
    findings.extend(workspace.exposed().cloned());
    if args.check {
        let there = fs::read_tree(out, fs::SITE_LIMIT)?;
        findings.extend(fs::compare_tree(out, &there, &made.files));
    }
    ui.findings(&findings)?;
    if findings.iter().any(Finding::decides) {
        return Ok(Exit::No);
    }
    if args.check {
        let files = made.files.len();
        ui.result(&format!("checked: {files} file(s) of {} are as rendered", out.display()))?;
        return Ok(Exit::Yes);
    }
    fs::write_tree(out, &made.files)?;
    let index = out.join("index.html");
    ui.result(&format!(
        "wrote {} file(s) with {} row(s) to {}",
        made.files.len(),
        made.rows,
        out.display()
    ))?;
    ui.result(&format!("open {}", index.display()))?;
    if args.open {
        ui.open(&index.display().to_string());
    }
    Ok(Exit::Yes)
}

pub(super) fn request(source: &SiteSource) -> Request {
    Request {
        templates: source.templates.clone(),
        statics: source.statics.clone(),
        base_url: source.base_url.clone(),
    }
}
