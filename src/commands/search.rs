//! What the commands that write or check a board or a page share: the search for held-out texts.

use crate::workspace;
use std::path::Path;

use crate::domain::config::Config;
use crate::domain::{Failure, Finding};
use crate::ui::Ui;
use crate::workspace::{HeldOutSets, Workspace};

/// The held-out sets at hand, and a note where there is none although seeds name one. `is_told`:
/// another part of the same command printed the note.
pub(super) fn sets(
    workspace: &Workspace,
    typed: Option<&Path>,
    is_told: bool,
    ui: Ui,
) -> Result<HeldOutSets, Failure> {
    let sets = HeldOutSets::at_hand(workspace.store.root(), typed)?;
    if !is_told {
        note_unsearched(&workspace.config, &sets, ui);
    }
    Ok(sets)
}

/// Says that nothing was searched for held-out texts, if that is so and a seed has any.
pub(super) fn note_unsearched(config: &Config, sets: &HeldOutSets, ui: Ui) {
    if sets.is_empty() && config.seeds.iter().any(|seed| seed.held_out_bundle.is_some()) {
        ui.note(
            "note: no held-out set at hand, so nothing was searched for held-out texts; \
             fetch it, or name it with --held-out",
        );
    }
}

/// What of the held-out sets stands in the config, the ledger or these files of a site.
pub(super) fn site_leaks(
    workspace: &Workspace,
    sets: &HeldOutSets,
    files: &[(String, Vec<u8>)],
) -> Result<Vec<Finding>, Failure> {
    let mut findings = workspace::search_workspace(workspace, sets, None)?;
    findings.extend(workspace::leaks(
        files.iter().map(|(path, bytes)| (path, bytes)),
        workspace,
        sets,
    )?);
    Ok(findings)
}
