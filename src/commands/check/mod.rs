//! `check`: what a bundle scores, why prompts fail, what a maintainer would object to.

mod pull_request;

use std::collections::BTreeMap;
use std::path::Path;

use crate::cli::{Check, Common, Format};
use crate::domain::config::{BelowPath, Config};
use crate::domain::{Code, Exit, Failure, nearest, stamp};
use crate::replay::{self, Asked, BundleFiles, ParsedBundle, RunFile};
use crate::ui::{CheckReport, Ui};
use crate::workspace::{self, ReplayDetail, SeedReplays, Workspace};
use crate::{board, fs};

pub(super) fn run(args: &Check, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let Some(base) = &args.pull_request {
        return pull_request::run(base, args.format, common, ui);
    }
    let Some(typed) = &args.bundle else {
        return Err(Failure::unusable("no bundle was given")
            .help("pass the directory of the bundle, or `--pull-request BASE`"));
    };
    let workspace = Workspace::open_if_any(&common.root, common.config.as_deref())?;
    let (mut config, config_file) = terms(workspace.as_ref())?;
    let run = fs::read_typed(&typed.join("run.json"), fs::OWN_FILE_LIMIT).unwrap_or_default();
    if let Some((extracted @ 1.., total)) = RunFile::parse(&run).and_then(|run| run.extracted) {
        ui.note(&format!("note: {extracted} of {total} answers had text around a code block, which was left out when they were recorded"));
    }
    let mut bundle = workspace::typed_bundle(&common.root, typed)?;
    if !bundle.has_votes {
        if args.add {
            let what =
                format!("bundle `{}` has no judge.json and cannot be entered", bundle.files.dir);
            return Err(Failure::unusable(what).code(Code::BFile).at("--add").help(NEXT));
        }
        bundle.files.judge = replay::accept_all(&bundle.files, config.n_votes)?;
    }
    let parsed = ParsedBundle::parse(&bundle.files)?;
    let dir = bundle.files.dir.clone();
    let name = board::name_of(&dir, args.model.as_deref(), || parsed.models())?;
    let submitter = args.submitted_by.as_deref();
    let mut candidate = board::take_candidate(&mut config, &name, bundle.below.as_ref(), submitter);
    candidate.has_votes = bundle.has_votes;
    if let Some(path) = &args.held_out_bundle {
        let below = BelowPath::parse(path).ok_or_else(|| {
            Failure::unusable(format!("`{path}` is not a path below the held-out directory"))
                .at("--held-out-bundle")
                .help("name the bundle as it is there, for example `acme__m1`")
        })?;
        candidate.seed.held_out_bundle = Some(below);
    }

    let scripts = scripts(&args.prompt, &bundle.files, &config.asked(&candidate.seed));
    let progress = ui.progress(config.seeds.len(), "comparing");
    let others = workspace.as_ref().map(|it| {
        SeedReplays::replay(&it.store, None, &config, ReplayDetail::Counts, false, || {
            progress.step();
        })
        .scored(&config)
    });
    drop(progress);
    let now = fs::moment()?;
    let mut checked = board::check(
        config,
        &config_file,
        (&dir, &parsed),
        candidate,
        others.unwrap_or_default(),
        &stamp(now)[..10],
    )?;
    if args.add && checked.is_clean() {
        add(workspace.as_ref(), &checked, common.config.as_deref())?;
    }
    only(&args.prompt, &mut checked)?;
    let details = args.verbose || !args.prompt.is_empty();
    let typed = typed.display().to_string();
    let report = CheckReport { checked, dir, typed, config_file, add: args.add, details, scripts };
    ui.checked(&report, if common.json { Format::Json } else { args.format })?;
    Ok(report.exit())
}

/// What an entrant does about a bundle without votes.
pub(super) const NEXT: &str = "ask the judge with `eval --votes-only`, or record its votes and run `freeze` again with `--votes FILE`";

/// The recorded scripts of these prompts, by id.
fn scripts(ids: &[String], files: &BundleFiles, asked: &Asked<'_>) -> BTreeMap<String, String> {
    if ids.is_empty() {
        return BTreeMap::new();
    }
    let mut prompts = replay::prompt_texts(files);
    prompts.retain(|prompt| ids.contains(&prompt.id));
    let texts = replay::scripts(files, asked, &prompts);
    prompts.into_iter().zip(texts).filter_map(|(prompt, text)| Some((prompt.id, text?))).collect()
}

/// Keeps only the prompts that were asked for; all that fail if none was.
fn only(asked: &[String], checked: &mut board::Checked) -> Result<(), Failure> {
    let failing = checked.failing.iter().map(|prompt| &prompt.id);
    let known: Vec<&str> = failing.chain(&checked.passing).map(String::as_str).collect();
    if let Some(unknown) = asked.iter().find(|id| !known.contains(&id.as_str())) {
        let what = format!("the bundle has no prompt `{unknown}`");
        return Err(Failure::unusable(what)
            .at("--prompt")
            .meant(nearest(unknown, known), "prompt ids are in prompts.json of the bundle"));
    }
    if !asked.is_empty() {
        checked.failing.retain(|prompt| asked.contains(&prompt.id));
    }
    checked.passing.retain(|id| asked.contains(id));
    Ok(())
}

/// The config to check under and how it is named; without one, the defaults and no name.
pub(super) fn terms(workspace: Option<&Workspace>) -> Result<(Config, String), Failure> {
    match workspace {
        Some(workspace) => Ok((workspace.config.clone(), workspace.config_file.clone())),
        None => Ok((Config::parse(b"{}", "")?, String::new())),
    }
}

fn add(
    workspace: Option<&Workspace>,
    checked: &board::Checked,
    typed: Option<&Path>,
) -> Result<(), Failure> {
    let Some(workspace) = workspace else {
        return Err(Failure::unusable("there is no config to add the entry to")
            .at("--add")
            .help("pass `--config FILE` or `--root DIR`"));
    };
    if !checked.candidate.in_place {
        let place = &checked.candidate.seed.public_bundle;
        return Err(Failure::unusable("the bundle is not below the root, so no seed can name it")
            .at("--add")
            .help(format!("copy it first, for example to `{place}`, and check it there")));
    }
    let path = workspace::find_config(workspace.store.root(), typed)?;
    let bytes =
        Config::add_seed(&workspace.config_bytes, &workspace.config_file, &checked.candidate.seed)?;
    fs::write(&path, &bytes)?;
    Ok(())
}
