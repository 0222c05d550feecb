//! `render`: the board as a static site, written or compared.

use std::path::Path;

use crate::board::Board;
use crate::cli::{Common, Render, SiteSource};
use crate::domain::{Exit, Failure, Finding};
use crate::fs;
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, RenderedSite, ReplayDetail, Request, Workspace};

pub(super) fn run(args: &Render, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let SiteSource { board, .. } = &args.source;
    let held_out = args.held_out.as_deref();
    let alone = ledger_alone(board.as_deref(), &request(&args.source), held_out, common)?;
    if let Some((workspace, made)) = alone {
        return put(args, &workspace, &made, ui);
    }
    let board = workspace::board_path(&common.root, board.as_deref());
    let workspace = Workspace::open(&common.root, common.config.as_deref())?
        .keeping(ReplayDetail::Files)
        .with_held_out(args.held_out.as_deref())?;
    let file = BoardFile::read(&board)?;
    ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
    render(args, &workspace, &file.board()?, &file.bytes, ui)
}

/// The workspace and the site of a ledger without a board; `None` if a board is `typed` or there, or
/// if no run is recorded.
pub(super) fn ledger_alone(
    typed: Option<&Path>,
    request: &Request,
    held_out: Option<&Path>,
    common: &Common,
) -> Result<Option<(Workspace, RenderedSite)>, Failure> {
    if typed.is_some() || workspace::board_path(&common.root, None).exists() {
        return Ok(None);
    }
    let workspace = Workspace::open_or_default(&common.root, common.config.as_deref())?;
    let workspace = workspace.with_held_out(held_out)?;
    let made = workspace::render_ledger_site(&workspace, request)?;
    Ok(made.map(|made| (workspace, made)))
}

/// Renders `board`, whose bytes are `bytes`.
pub(super) fn render(
    args: &Render,
    workspace: &Workspace,
    board: &Board,
    bytes: &[u8],
    ui: Ui,
) -> Result<Exit, Failure> {
    let made = workspace::render_site(workspace, board, bytes, &request(&args.source))?;
    made.unread.iter().for_each(|failure| ui.note(&format!("note: {}", failure.what)));
    put(args, workspace, &made, ui)
}

/// Searches the files, then writes them or compares them with those that are there.
fn put(args: &Render, workspace: &Workspace, made: &RenderedSite, ui: Ui) -> Result<Exit, Failure> {
    let out = args.out.clone().unwrap_or_else(|| workspace.store.path("site"));
    let out = out.strip_prefix("./").unwrap_or(&out);
    let mut findings = workspace::search_rendered_site(workspace, &made.files)?;
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
    fs::write_tree(out, &made.files, fs::Sync::Nothing)?;
    let index = out.join("index.html");
    let (files, rows) = (made.files.len(), made.rows);
    ui.result(&match rows {
        0 => format!("wrote {files} file(s) of the ledger to {}", out.display()),
        _ => format!("wrote {files} file(s) with {rows} row(s) to {}", out.display()),
    })?;
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
