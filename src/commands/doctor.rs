//! `doctor`: what is set up and what is not.

use crate::fs;
use crate::workspace;
use std::path::Path;

use crate::cli::{Common, Doctor};
use crate::domain::{Exit, Failure};
use crate::hub::{Check, State, checkup};
use crate::ui::hub::{connect, with_client};
use crate::ui::{Ui, hub as words};
use crate::workspace::Workspace;

pub(super) fn run(args: &Doctor, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut checks = vec![git(), config(common), cache(&common.root)];
    checks.extend(baseline(common));
    let access = connect(args.network)?;
    checks.extend(with_client(access, ui, "asking", |client| {
        Ok(checkup(client, args.dataset.as_ref(), args.space.as_ref()))
    })?);
    words::checks(ui, &checks, common.json)?;
    let is_ill = checks.iter().any(|check| check.state == State::Ill);
    Ok(if is_ill { Exit::No } else { Exit::Yes })
}

fn git() -> Check {
    match fs::git_version() {
        Some(version) => Check::well("git", version),
        None => Check::ill("git", "the program `git` was not found", "install git"),
    }
}

fn config(common: &Common) -> Check {
    match workspace::read_config(&common.root, common.config.as_deref()) {
        Ok((config, file)) if config.findings.iter().any(crate::domain::Finding::decides) => {
            let what = format!("`{file}` breaks a rule of the board");
            Check::ill("config", what, "`gmat-leaderboard build` names it")
        }
        Ok((config, file)) => {
            Check::well("config", format!("`{file}` has {} seed(s)", config.seeds.len()))
        }
        Err(failure) => Check::failed("config", failure),
    }
}

/// Only where there is a board; what keeps the config from being read is said above.
fn baseline(common: &Common) -> Option<Check> {
    let workspace = Workspace::open(&common.root, common.config.as_deref()).ok()?;
    let board = workspace::read_board(&workspace.board_path(None)).ok()?.board.ok()?;
    match super::baselines::checkup(&workspace, &board) {
        Ok(check) => check,
        Err(failure) => Some(Check::failed("baseline", failure)),
    }
}

fn cache(root: &Path) -> Check {
    let cache = workspace::held_out_cache(root);
    match fs::exposure(&cache) {
        Ok(exposure) => match exposure.finding(&cache) {
            Some(finding) => Check::ill("cache", finding.what, finding.help),
            None => Check::well("cache", format!("`{}` cannot be committed", cache.display())),
        },
        Err(error) => Check::failed("cache", error),
    }
}
