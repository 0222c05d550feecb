//! `heldout`: placeholders for a held-out set, the commitment to one, and its reveal.

use std::path::{Path, PathBuf};

use crate::cli::{Common, HeldoutCommit, HeldoutNew, HeldoutReveal, HeldoutSalt};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace::{self, Committed, Workspace, make_prompt_drafts};
use crate::{fs, json};

/// The line that uploads the held-out bundles in `dir` with Hugging Face's own client. The manifest
/// of `fetch` stays here.
pub(super) fn upload_line(dir: &Path) -> String {
    let dir = dir.display();
    format!("hf upload OWNER/NAME {dir} . --repo-type dataset --private --exclude '.*'")
}

pub(super) fn new(args: &HeldoutNew, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let default = || common.root.join("leaderboard/.cache/heldout-draft/prompts.json");
    let out = args.out.clone().unwrap_or_else(default);
    let out = out.strip_prefix("./").unwrap_or(&out);
    let dir = out.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Some(finding) = fs::exposure(dir)?.finding(dir) {
        ui.findings(&[finding])?;
        return Ok(Exit::No);
    }
    let like = fs::prompt_tiers(&args.like)?;
    let canary = format!("gmat-leaderboard:heldout:v1:{}", fs::random_uuid()?);
    let drafts = make_prompt_drafts(args.count.into(), &like, Some(&canary));
    fs::create_private(out, &json::pretty(&drafts))?;
    let tiers = like.keys().map(|tier| {
        let count = drafts.iter().filter(|draft| draft.difficulty == *tier).count();
        format!("{count} {tier}")
    });
    let tiers: Vec<String> = tiers.collect();
    ui.result(&format!(
        "wrote {} placeholders to {}: {}",
        drafts.len(),
        out.display(),
        tiers.join(", ")
    ))?;
    let cache = workspace::held_out_cache(&common.root);
    ui.result(&format!("next: replace every request and intent, keep the canary lines and move the file to {}; then `heldout salt` and `heldout commit`; record each model with `eval --held-out` or `freeze --held-out`; then upload the folder:", cache.display()))?;
    ui.result(&format!("  {}", upload_line(&cache)))?;
    Ok(Exit::Yes)
}

fn held_out(typed: Option<&PathBuf>, common: &Common) -> PathBuf {
    typed.cloned().unwrap_or_else(|| workspace::held_out_cache(&common.root))
}

pub(super) fn salt(args: &HeldoutSalt, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false") {
        return Err(Failure::unusable("the master salt is not made in CI, where it would be lost")
            .help("run it on a maintainer's machine, and upload the file to the private dataset"));
    }
    let dir = held_out(args.held_out.as_ref(), common);
    if let Some(finding) = fs::exposure(&dir)?.finding(&dir) {
        ui.findings(&[finding])?;
        return Ok(Exit::No);
    }
    let path = workspace::make_salt(&dir)?;
    ui.result(&format!("wrote the master salt to {}", path.display()))?;
    ui.result("upload it to the private dataset and keep a second copy: without it no held-out number can be proved")?;
    Ok(Exit::Yes)
}

pub(super) fn commit(args: &HeldoutCommit, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let dir = held_out(args.held_out.as_ref(), common);
    let workspace =
        Workspace::open(&common.root, common.config.as_deref())?.with_held_out(Some(&dir))?;
    if let Some(exposed) = workspace.exposed() {
        ui.findings(std::slice::from_ref(exposed))?;
        return Ok(Exit::No);
    }
    let protocol = &workspace.config.eval_protocol_version;
    match workspace.commit_set()? {
        Committed::New(commitment) => {
            ui.result(&format!(
                "committed to the held-out set of protocol {protocol}: {commitment}"
            ))?;
        }
        Committed::Known(commitment) => {
            ui.result(&format!("the ledger has this commitment already: {commitment}"))?;
        }
        Committed::Other(finding) => {
            ui.findings(&[finding])?;
            return Ok(Exit::No);
        }
    }
    Ok(Exit::Yes)
}

pub(super) fn reveal(args: &HeldoutReveal, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let dir = held_out(args.held_out.as_ref(), common);
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let to = workspace::reveal_dir(&common.root, &args.protocol);
    let rows = workspace.reveal(&dir, &args.protocol, &to)?;
    let to = to.display();
    ui.result(&format!(
        "revealed the set of protocol {} and {rows} bundle(s) in {to}",
        args.protocol
    ))?;
    ui.result(&format!("check it with `gmat-leaderboard verify --reveal {to}`, then commit it"))?;
    Ok(Exit::Yes)
}
