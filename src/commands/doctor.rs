//! `doctor`: what is set up and what is not.

use std::collections::BTreeSet;
use std::path::Path;

use crate::board::{Board, Row};
use crate::cli::{Common, Doctor};
use crate::domain::config::Seed;
use crate::domain::{Exit, Failure};
use crate::facts::{self, Baseline};
use crate::fs;
use crate::hub::{Check, CheckState, checkup};
use crate::ui::hub::{connect, with_client};
use crate::ui::{Ui, hints, hub as words};
use crate::workspace::{self, BoardFile, ConfigFile, PUBLIC_DRAFT, Workspace};

pub(super) fn run(args: &Doctor, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let mut checks = vec![git(), config(common), cache(&common.root)];
    checks.extend(baseline(common));
    let access = connect(args.network)?;
    checks.extend(with_client(access, ui, "asking", |client| {
        Ok(checkup(client, args.dataset.as_ref(), args.space.as_ref()))
    })?);
    checks.extend(page(common));
    checks.extend(next(common));
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
        rows().filter_map(|row| row.baseline.as_ref()).map(Baseline::describe).collect();
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

/// What readers of the page would miss.
fn page(common: &Common) -> Vec<Check> {
    let Ok(ConfigFile { config, .. }) =
        workspace::read_config(&common.root, common.config.as_deref())
    else {
        return Vec::new();
    };
    let site = &config.site;
    let mut missing = Vec::new();
    let mut miss = |is_missing: bool, subject: &'static str, what: String, help: &str| {
        if is_missing {
            missing.push(Check::todo(subject, what, help));
        }
    };
    let text = |what: &str| what.to_owned();
    miss(
        site.contact.is_none(),
        "contact",
        text("`site.contact` is not set: readers cannot report a problem"),
        "\"site\": {\"contact\": \"https://example.org/board/issues\"}, or a mail address",
    );
    miss(
        config.repository.is_none() && site.links.is_empty(),
        "links",
        text("neither `repository` nor `site.links` is set: no page leads to the data's home"),
        "\"repository\": \"https://example.org/board\"",
    );
    miss(
        site.license.is_none(),
        "license",
        text("`site.license` is not set: readers do not know how they may use the answers"),
        "an SPDX id, such as \"site\": {\"license\": \"CC-BY-4.0\"}",
    );
    miss(
        site.base_url.is_none(),
        "base_url",
        text(
            "`site.base_url` is not set: no sitemap, and no address in feed, citation and previews",
        ),
        "the address the pages will have, such as \"site\": {\"base_url\": \"https://my-org-leaderboard.static.hf.space\"}",
    );
    let seeds: Vec<&Seed> = config.seeds.iter().filter(|seed| seed.withdrawn.is_none()).collect();
    let of = |is_meant: &dyn Fn(&Seed) -> bool| -> Vec<String> {
        seeds.iter().filter(|seed| is_meant(seed)).map(|seed| seed.id()).collect()
    };
    let unpriced = of(&|seed| !config.prices.contains_key(&seed.id()));
    let unknown = of(&|seed| seed.about.as_ref().is_none_or(|about| about.weights.is_none()));
    let made_up = of(&|seed| seed.kind == "illustrative");
    let some = |ids: &[String]| {
        let dots = if ids.len() > 3 { ", …" } else { "" };
        format!(
            "{} of {} rows ({}{dots})",
            ids.len(),
            seeds.len(),
            ids[..ids.len().min(3)].join(", ")
        )
    };
    miss(
        !unpriced.is_empty(),
        "prices",
        format!("no price for {}: they have no cost", some(&unpriced)),
        "\"prices\": {\"provider:model\": {\"input\": 0.4, \"output\": 1.6, \"date\": \"2026-06-18\", \"source\": \"https://…\"}}, per million tokens",
    );
    miss(
        !unknown.is_empty(),
        "about",
        format!(
            "no `about.weights` for {}: pages cannot show which models are open",
            some(&unknown)
        ),
        "in the seed: \"about\": {\"name\": …, \"organization\": …, \"weights\": \"open\", \"url\": …}",
    );
    miss(
        !made_up.is_empty(),
        "example",
        format!("{} are made up, and every page says so", some(&made_up)),
        "before the board is public, remove their seeds and bundles and `public_set.note`",
    );
    missing
}

/// The first step of docs/hosting.md that is not done.
fn next(common: &Common) -> Option<Check> {
    let workspace = Workspace::open(&common.root, common.config.as_deref()).ok()?;
    let root = &common.root;
    let step = if matches!(fs::exposure(root), Ok(fs::GitExposure::Outside)) {
        "git init -b main".to_owned()
    } else if workspace.config.seeds.is_empty() {
        format!(
            "write the prompts in {PUBLIC_DRAFT}, and record a model: gmat-leaderboard eval --pin --model … --judge … --to leaderboard/bundles/NAME"
        )
    } else if !workspace.board_path(None).is_file() {
        "gmat-leaderboard site".to_owned()
    } else if !workspace::names_program(root) {
        "gmat-leaderboard init --upgrade --source URL --revision COMMIT, so that the workflows can install the program".to_owned()
    } else if !workspace::held_out_cache(root).is_dir() {
        "get the held-out set: gmat-leaderboard fetch --dataset OWNER/NAME; if there is none yet, gmat-leaderboard heldout new".to_owned()
    } else if let Some(step) = unscored(&workspace, root) {
        step
    } else {
        "gmat-leaderboard publish --space OWNER/NAME --dry-run, with --create if there is no Space yet".to_owned()
    };
    Some(Check::todo("next", step, ""))
}

/// What is left until the board has what the bundles at hand give.
fn unscored(workspace: &Workspace, root: &Path) -> Option<String> {
    let board = BoardFile::read(&workspace.board_path(None)).ok()?.board().ok()?;
    let mut seeds = workspace.config.seeds.iter().filter(|seed| seed.withdrawn.is_none());
    if seeds.clone().all(|seed| seed.held_out_bundle.is_none()) {
        return Some("record a model on the held-out set: gmat-leaderboard eval --held-out … --to leaderboard/.cache/heldout/NAME; then gmat-leaderboard check BUNDLE --add --held-out-bundle NAME".to_owned());
    }
    let cache = workspace::held_out_cache(root);
    let is_open = |seed: &&Seed| match board.entries.iter().find(|row| row.id() == seed.id()) {
        Some(row) if row.held_out.rate().is_some() => false,
        Some(_) => {
            seed.held_out_bundle.as_ref().is_some_and(|dir| cache.join(dir.as_str()).is_dir())
        }
        None => workspace.store.path(&seed.public_bundle).is_dir(),
    };
    let id = seeds.find(is_open)?.id();
    Some(format!(
        "gmat-leaderboard build --held-out DIR: `{id}` is not on the board, or has no score yet"
    ))
}

fn cache(root: &Path) -> Check {
    let cache = workspace::held_out_cache(root);
    match fs::exposure(&cache) {
        Ok(exposure) => match exposure.finding(&cache) {
            Some(finding) => {
                Check::ill("cache", finding.what.clone(), hints::worded(&finding).help)
            }
            None => Check::well("cache", format!("`{}` cannot be committed", cache.display())),
        },
        Err(error) => Check::failed("cache", error),
    }
}
