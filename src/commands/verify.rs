//! `verify`: rebuild every row and the whole board, compare, name every difference.

use std::path::{Path, PathBuf};

use crate::board::{AuditScope, Board, audit};
use crate::cli::{Common, Format, Verify};
use crate::domain::{Exit, Failure};
use crate::fs;
use crate::json::Document;
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, ReplayDetail, Request, Verdict, Workspace};

pub(super) fn run(args: &Verify, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let Some(code) = &args.explain {
        return ui.explain(code);
    }
    let format = if common.json { Format::Json } else { args.format };
    let file = if args.board.as_deref() == Some(Path::new("-")) {
        let bytes = fs::read_stdin(fs::OWN_FILE_LIMIT)?;
        BoardFile { path: PathBuf::from("-"), name: "stdin".to_owned(), bytes }
    } else {
        let published = args.published.as_ref().map(|dir| dir.join("leaderboard.json"));
        let typed = published.as_deref().or(args.board.as_deref());
        BoardFile::read(&workspace::board_path(&common.root, typed))?
    };
    let site = args.site.as_ref().or(args.published.as_ref());
    let scope = AuditScope {
        allow_unseeded: args.allow_unseeded,
        allow_empty: args.allow_empty,
        one_row: args.entry.is_some(),
        every_seed: false,
    };
    if args.form_only {
        let audit = audit(&file.bytes, &file.document()?, &file.name, None, scope);
        let verdict = Verdict::of_form(audit);
        ui.verdict(&verdict, format)?;
        return Ok(verdict.exit());
    }

    let workspace = Workspace::open_if_any(&common.root, common.config.as_deref())?;
    if let Some(dir) = args.published.as_deref().filter(|_| workspace.is_none()) {
        return published_alone(dir, &file, scope, format, ui);
    }
    let Some(mut workspace) = workspace else {
        return Err(Failure::unusable("there is no config to verify the board against")
            .at(common.root.display().to_string())
            .help("pass `--root DIR` of the board's checkout, or `--form-only` to check the board alone"));
    };
    if let Some(entry) = &args.entry {
        workspace.keep_only(entry)?;
    }
    if site.is_some() {
        workspace = workspace.keeping(ReplayDetail::Files);
    }
    let workspace = workspace.with_held_out(args.held_out.as_deref())?.with_seal(args.seal.clone());
    let document = file.document()?;
    let board = file.board_of(&document);
    let mut verdict = audited(&workspace, &file, &document, board.as_ref().ok(), scope, ui)?;
    if let Some(dir) = site {
        let made = workspace::render_site(&workspace, &board?, &file.bytes, &Request::default())?;
        let mut there = fs::read_tree(dir, fs::SITE_LIMIT)?;
        if args.published.is_some() {
            workspace::without_foreign(&mut there);
            verdict.verified.audit.findings.extend(workspace::check_sums(dir, &there));
        }
        verdict.verified.audit.findings.extend(fs::compare_tree(dir, &there, &made.files));
        verdict.verified.audit.findings.extend(workspace::search_site_files(&there, &workspace)?);
    }
    if let Some(dir) = &args.reveal {
        let (findings, revealed) = workspace.check_reveal(dir, &file)?;
        verdict.verified.audit.findings.extend(findings);
        verdict.revealed = Some(revealed);
    }
    ui.verdict(&verdict, format)?;
    // For the board alone, `not covered` says that no held-out set is at hand.
    if site.is_some() {
        ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
    }
    Ok(verdict.exit())
}

/// [`Workspace::verify`] with a progress bar.
pub(super) fn audited(
    workspace: &Workspace,
    file: &BoardFile,
    document: &Document<'_>,
    board: Option<&Board>,
    scope: AuditScope,
    ui: Ui,
) -> Result<Verdict, Failure> {
    let progress = ui.progress(workspace.config.seeds.len(), "replaying");
    workspace.verify(file, document, board, scope, || progress.step())
}

/// Checks a published site without its repository: its files against each other.
fn published_alone(
    dir: &Path,
    file: &BoardFile,
    scope: AuditScope,
    format: Format,
    ui: Ui,
) -> Result<Exit, Failure> {
    let mut there = fs::read_tree(dir, fs::SITE_LIMIT)?;
    workspace::without_foreign(&mut there);
    let mut audit = audit(&file.bytes, &file.document()?, &file.name, None, scope);
    audit.findings.extend(workspace::check_sums(dir, &there));
    let rows = file.board().ok().map(|board| {
        let (findings, rows) = workspace::check_alone(dir, &there, &board);
        audit.findings.extend(findings);
        rows
    });
    let verdict = Verdict::of_form(audit);
    ui.verdict(&verdict, format)?;
    if format == Format::Human {
        ui.result(&format!(
            "without the repository: {} row(s) reproduce from their published bundles; pages, ledger and config are not compared",
            rows.unwrap_or_default()
        ))?;
    }
    Ok(verdict.exit())
}
