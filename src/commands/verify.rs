//! `verify`: rebuild every row and the whole board, compare, name every difference.

use std::path::{Path, PathBuf};

use crate::board::{
    Against, AuditScope, Board, Gathered, Reach, audit, gather, not_built_yet, waive,
};
use crate::cli::{Common, Format, Verify};
use crate::domain::{Exit, Failure, stamp};
use crate::firewall::leaks_first;
use crate::fs;
use crate::json::Document;
use crate::ui::{Ui, Verdict};
use crate::workspace::{self, BoardFile, Request, Workspace};

pub(super) fn run(args: &Verify, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let Some(code) = &args.explain {
        return ui.explain(code);
    }
    let format = if common.json { Format::Json } else { args.format };
    let file = if args.board.as_deref() == Some(Path::new("-")) {
        let bytes = fs::read_stdin(fs::OWN_FILE_LIMIT)?;
        BoardFile { path: PathBuf::from("-"), name: "stdin".to_owned(), bytes }
    } else {
        BoardFile::read(&workspace::board_path(&common.root, args.board.as_deref()))?
    };
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
    let Some(mut workspace) = workspace else {
        return Err(Failure::unusable("there is no config to verify the board against")
            .at(common.root.display().to_string())
            .help("pass `--root DIR` of the board's checkout, or `--form-only` to check the board alone"));
    };
    if let Some(entry) = &args.entry {
        workspace.keep_only(entry)?;
    }
    let workspace = workspace.with_held_out(args.held_out.as_deref())?;
    let document = file.document()?;
    let board = file.board_of(&document);
    let mut verdict = verdict(&file, &document, board.as_ref().ok(), &workspace, scope, ui)?;
    if let Some(dir) = &args.site {
        let made = workspace::make(&workspace, &board?, &file.bytes, &Request::default())?;
        verdict.audit.findings.extend(fs::compare_tree(dir, &made.files)?);
        let there = fs::read_tree(dir, fs::SITE_LIMIT)?;
        verdict.audit.findings.extend(workspace::leaks(&there, &workspace)?);
    }
    ui.verdict(&verdict, format)?;
    // For the board alone, `not covered` says that no held-out set is at hand.
    if args.site.is_some() {
        ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
    }
    Ok(verdict.exit())
}

/// Audits a board against the workspace; `board` is `None` where the document is not one.
pub(super) fn verdict(
    file: &BoardFile,
    document: &Document<'_>,
    board: Option<&Board>,
    workspace: &Workspace,
    scope: AuditScope,
    ui: Ui,
) -> Result<Verdict, Failure> {
    let Workspace { config, config_file, .. } = workspace;
    let BoardFile { name, bytes, .. } = file;
    let progress = ui.progress(config.seeds.len(), "replaying");
    let results = workspace.replays(|| progress.step()).scored(config);
    drop(progress);
    let gathered = gather(config, config_file, results, false);
    let against = Against { config, config_file, gathered: &gathered };
    let mut audit = audit(bytes, document, name, Some(&against), scope);
    let read = gathered.read(config);
    let Gathered { findings, failures, skipped, .. } = gathered;
    let mut own = std::mem::take(&mut audit.findings);
    if !scope.every_seed {
        not_built_yet(config, &mut own, || {
            Ok::<_, Failure>(workspace.ledger()?.rows_ever_named()?)
        })?;
    }
    let leaks = workspace::search_workspace(workspace, Some((name, document)))?;
    let (mut ledger, mut baselines) = (Vec::new(), Vec::new());
    if !scope.one_row {
        if let Some(at) = &audit.generated_at {
            ledger = workspace.ledger()?.check(Some((bytes, at)), None)?;
        }
        if let Some(board) = board {
            baselines = workspace.baseline_findings(board)?;
        }
    }
    let exposed = workspace.exposed().cloned().into_iter();
    let injections = workspace.waived_injections();
    let others =
        exposed.chain(findings).chain(injections).chain(own).chain(ledger).chain(baselines);
    let all = leaks_first(leaks, others.collect(), !workspace.held_out_sets()?.is_empty());
    let today = fs::moment()?;
    let reach = match config.seeds.first().filter(|_| scope.one_row) {
        Some(seed) => Reach::Row(seed),
        None => Reach::Board { rows: &audit.rows, read },
    };
    let waived = waive(config, config_file, all, &stamp(today)[..10], &reach);
    audit.findings = waived.findings;
    let failures = failures.into_iter().map(|(_, failure)| failure).collect();
    Ok(Verdict { audit, waivers: waived.used, failures, skipped, form_only: false })
}
