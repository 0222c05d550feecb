//! `heldout new`: placeholders for a held-out set, where git cannot see them.

use std::path::Path;

use crate::cli::{Common, HeldoutNew};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace::drafts;
use crate::{fs, json};

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
    let drafts = drafts(args.count.into(), &like, &canary);
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
    ui.result("replace every request and intent, keep the canary lines, and upload the set to a private dataset")?;
    Ok(Exit::Yes)
}
