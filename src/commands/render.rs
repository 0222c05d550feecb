//! `render`: the board as a static site, written or compared.

use super::search;
use crate::cli::{Common, Render, SiteSource};
use crate::domain::{Exit, Failure, Finding};
use crate::fs;
use crate::ui::Ui;
use crate::workspace;
use crate::workspace::Request;
use crate::workspace::Workspace;

pub(super) fn run(args: &Render, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let made = workspace::make(&workspace, &request(&args.source))?;
    made.unread.iter().for_each(|failure| ui.note(&format!("note: {}", failure.what)));
    let out = args.out.clone().unwrap_or_else(|| workspace.store.path("site"));
    let out = out.strip_prefix("./").unwrap_or(&out);
    let typed = args.held_out.as_deref();
    let (_, exposed) = typed.map(|dir| workspace.open_held_out(dir)).transpose()?.unzip();
    let sets = search::sets(&workspace, typed, args.is_search_told, ui)?;
    let mut findings = search::site_leaks(&workspace, &sets, &made.files)?;
    findings.extend(exposed.flatten());
    if args.check {
        findings.extend(fs::compare_tree(out, &made.files)?);
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
        board: source.board.clone(),
        templates: source.templates.clone(),
        statics: source.statics.clone(),
        base_url: source.base_url.clone(),
    }
}
