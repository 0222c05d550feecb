//! `verify`: rebuild every row and the whole board, compare, name every difference.

use crate::fs;
use crate::workspace;
use std::path::Path;

use super::search;
use crate::board::{Against, Gathered, Reach, Scope, audit, gather, not_built_yet, waive};
use crate::cli::{Common, Format, Verify};
use crate::domain::{Exit, Failure, stamp};
use crate::firewall::leaks_first;
use crate::ui::{Ui, Verdict};
use crate::workspace::Request;
use crate::workspace::{HeldOutSets, Workspace};

pub(super) fn run(args: &Verify, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let Some(code) = &args.explain {
        return ui.explain(code);
    }
    let format = if common.json { Format::Json } else { args.format };
    let (file, bytes) = if args.board.as_deref() == Some(Path::new("-")) {
        ("stdin".to_owned(), fs::read_stdin(fs::OWN_FILE_LIMIT)?)
    } else {
        let path = workspace::board_path(&common.root, args.board.as_deref());
        let bytes = fs::read_typed(&path, fs::OWN_FILE_LIMIT)?;
        (path.display().to_string(), bytes)
    };
    let scope = Scope {
        allow_unseeded: args.allow_unseeded,
        allow_empty: args.allow_empty,
        one_row: args.entry.is_some(),
        every_seed: false,
    };
    if args.form_only {
        let audit = audit(&bytes, &file, None, scope)?;
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
    let held_out = args.held_out.as_deref();
    let sets = HeldOutSets::at_hand(&common.root, held_out)?;
    let mut verdict = verdict(&bytes, &file, &workspace, args.held_out.as_deref(), scope, ui)?;
    if let Some(dir) = &args.site {
        let made = workspace::make_of(&workspace, &bytes, &Request::default())?;
        verdict.audit.findings.extend(fs::compare_tree(dir, &made.files)?);
        let there = fs::read_tree(dir, fs::SITE_LIMIT)?;
        verdict.audit.findings.extend(workspace::leaks(&there, &workspace, &sets)?);
    }
    ui.verdict(&verdict, format)?;
    // For the board alone, `not covered` says that no held-out set is at hand.
    if args.site.is_some() {
        search::note_unsearched(&workspace.config, &sets, ui);
    }
    Ok(verdict.exit())
}

/// Audits these bytes of a board against the workspace; they are not read from disk again.
pub(super) fn verdict(
    bytes: &[u8],
    file: &str,
    workspace: &Workspace,
    held_out: Option<&Path>,
    scope: Scope,
    ui: Ui,
) -> Result<Verdict, Failure> {
    let Workspace { store, config, config_file } = workspace;
    let sets = HeldOutSets::at_hand(store.root(), held_out)?;
    let held_out = held_out.map(|dir| workspace.open_held_out(dir)).transpose()?;
    let (held_out, exposed) =
        held_out.map_or((None, None), |(held_out, exposed)| (Some(held_out), exposed));

    let progress = ui.progress(config.seeds.len(), "replaying");
    let results = workspace::score_all(store, held_out.as_ref(), config, || progress.step());
    drop(progress);
    let gathered = gather(config, config_file, results, false);
    let mut audit =
        audit(bytes, file, Some(&Against { config, config_file, gathered: &gathered }), scope)?;
    let read = gathered.read(config);
    let Gathered { findings, failures, skipped, .. } = gathered;
    let mut own = std::mem::take(&mut audit.findings);
    if !scope.every_seed {
        not_built_yet(config, &mut own, || workspace::rows_ever_named(store.root()))?;
    }
    let leaks = workspace::search_workspace(workspace, &sets, Some((file, bytes)))?;
    let ledger = match &audit.generated_at {
        Some(at) if !scope.one_row => {
            workspace::check_ledger(store.root(), Some((bytes, at)), None)?
        }
        _ => Vec::new(),
    };
    let whole = (!scope.one_row).then(|| super::baselines::findings(workspace, bytes));
    let baselines = whole.transpose()?.unwrap_or_default();
    let injections = workspace::waived_injections(store, held_out.as_ref(), config);
    let findings = findings.into_iter().chain(injections);
    let others = exposed.into_iter().chain(findings).chain(own).chain(ledger).chain(baselines);
    let others = others.collect();
    let all = leaks_first(leaks, others, !sets.is_empty());
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
