//! `doctor`: what is set up and what is not.

use std::collections::BTreeSet;
use std::path::Path;

use crate::board::{Board, Row};
use crate::cli::{Common, Doctor};
use crate::domain::{Exit, Failure};
use crate::facts::{self, Baseline};
use crate::fs;
use crate::hub::{Check, CheckState, checkup};
use crate::ui::hub::{connect, with_client};
use crate::ui::{Ui, hub as words};
use crate::workspace::{self, BoardFile, ConfigFile, Workspace};

pub(super) fn run(args: &Doctor, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut checks = vec![git(), config(common), cache(&common.root)];
    checks.extend(baseline(common));
    let access = connect(args.network)?;
    checks.extend(with_client(access, ui, "asking", |client| {
        Ok(checkup(client, args.dataset.as_ref(), args.space.as_ref()))
    })?);
    words::checks(ui, &checks, common.json)?;
    let is_ill = checks.iter().any(|check| check.state == CheckState::Ill);
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
        Ok(ConfigFile { config, name: file, .. })
            if config.findings.iter().any(crate::domain::Finding::decides) =>
        {
            let what = format!("`{file}` has findings");
            Check::ill("config", what, "`gmat-leaderboard build` prints them")
        }
        Ok(ConfigFile { config, name: file, .. }) => {
            Check::well("config", format!("`{file}` has {} seed(s)", config.seeds.len()))
        }
        Err(failure) => Check::failed("config", failure),
    }
}

/// Only where there is a board; what keeps the config from being read is said above.
fn baseline(common: &Common) -> Option<Check> {
    let workspace = Workspace::open(&common.root, common.config.as_deref()).ok()?;
    let board = BoardFile::read(&workspace.board_path(None)).ok()?.board().ok()?;
    match baseline_of(&workspace, &board) {
        Ok(check) => check,
        Err(failure) => Some(Check::failed(BASELINE, failure)),
    }
}

const BASELINE: &str = "baseline";

/// What the rows are compared with, or how to name a baseline.
fn baseline_of(workspace: &Workspace, board: &Board) -> Result<Option<Check>, Failure> {
    let (facts, history) = workspace.bundle_facts(board)?;
    let compared = facts::board_comparison(board, &facts, &workspace.config, history);
    let (comparison, ids) = match compared {
        Ok(compared) => compared,
        Err(errors) => {
            return Ok(Some(Check::failed(BASELINE, facts::baseline_failure(errors))));
        }
    };
    let rows = || board.entries.iter().filter_map(|row| comparison.runs.get(ids.get(&row.id())?));
    let baselines: BTreeSet<String> =
        rows().filter_map(|row| row.baseline.as_ref()).map(Baseline::words).collect();
    let scored: Vec<&Row> =
        board.entries.iter().filter(|row| row.held_out.rate().is_some()).collect();
    let is_without = rows().any(|row| row.baseline.is_none() && row.cohort_id.is_some());
    Ok(match scored[..] {
        [first, _, ..] if is_without && baselines.is_empty() => {
            let what = "none, so no Δ is shown: no single recorded run is earlier than the board";
            let help = format!(
                "to show Δ, name a row in the config: \"official_baselines\": [\"{}\"]",
                first.id()
            );
            Some(Check { help, ..Check::well(BASELINE, what) })
        }
        _ if baselines.is_empty() => None,
        _ => Some(Check::well(BASELINE, baselines.into_iter().collect::<Vec<_>>().join("; "))),
    })
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
