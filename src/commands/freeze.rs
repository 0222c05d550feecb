//! `freeze`: a bundle's three files from what was recorded, then `check` on them.

use std::path::Path;

use super::check;
use crate::board;
use crate::cli::{Check, Common, Format, Freeze};
use crate::domain::{Exit, Failure, Finding};
use crate::fs::{self, BUNDLE_FILE_LIMIT, Written};
use crate::replay::{self, BundleFiles, Frozen, Recording};
use crate::ui::Ui;
use crate::workspace::{self, Workspace};

pub(super) fn run(args: &Freeze, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let (name, frozen) = match &args.from {
        Some(from) => flat(args, from, common)?,
        None => recorded(args)?,
    };
    if args.held_out {
        return held_out(args, &name, frozen, common, ui);
    }
    let files = files(frozen);
    let to = args.to.display();
    ui.result(&wrote(fs::write_directory(&args.to, &files)?, &to))?;
    let check = Check {
        bundle: Some(args.to.clone()),
        model: Some(name),
        submitted_by: None,
        add: false,
        held_out_bundle: None,
        pull_request: None,
        format: args.format,
    };
    check::run(&check, common, ui)
}

fn files(frozen: Frozen) -> [(String, Vec<u8>); 3] {
    [
        ("completions.json".to_owned(), frozen.completions),
        ("judge.json".to_owned(), frozen.judge),
        ("prompts.json".to_owned(), frozen.prompts),
    ]
}

fn wrote(written: Written, to: &impl std::fmt::Display) -> String {
    match written {
        Written::New => format!("wrote prompts.json, completions.json and judge.json to {to}"),
        Written::Unchanged => format!("{to} holds this bundle already, byte for byte"),
    }
}

/// A bundle of the held-out set: replayed before it is written, and only where git ignores it.
fn held_out(
    args: &Freeze,
    name: &str,
    frozen: Frozen,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    let format = if common.json { Format::Json } else { args.format };
    let parent = args.to.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(finding) = fs::exposure(&args.to)?.finding(parent.unwrap_or(&args.to)) {
        ui.froze_held_out(&[finding], None, format)?;
        return Ok(Exit::No);
    }
    let workspace = Workspace::open_if_any(&common.root, common.config.as_deref())?;
    let (mut config, _) = check::terms(workspace.as_ref())?;
    let candidate = board::entrant(&mut config, name, None, None);
    let bundle = BundleFiles {
        dir: args.to.display().to_string(),
        secret: true,
        prompts: frozen.prompts,
        completions: frozen.completions,
        judge: frozen.judge,
    };
    let replay = replay::replay(&bundle, &config.asked(&candidate.seed), None)?;
    let counts = replay.counts();
    let BundleFiles { prompts, completions, judge, .. } = bundle;
    let files = files(Frozen { prompts, completions, judge });
    let is_good = !replay.findings.iter().any(Finding::decides);
    let written = is_good.then(|| fs::write_directory(&args.to, &files)).transpose()?;
    ui.froze_held_out(&replay.findings, Some(counts), format)?;
    let tell = |line: &str| match format {
        Format::Human => ui.result(line),
        Format::Json | Format::Github => Ok(()),
    };
    let Some(written) = written else {
        tell("not ready: nothing was written")?;
        return Ok(Exit::No);
    };
    tell(&wrote(written, &args.to.display()))?;
    let folder = args.to.file_name().unwrap_or_default().to_string_lossy();
    let (passed, total) = counts;
    tell(&format!(
        "ready: {passed} of {total} held-out prompts pass; name it in the seed as \"held_out_bundle\": \"{folder}\", or with `check --add --held-out-bundle {folder}`"
    ))?;
    Ok(Exit::Yes)
}

/// From answers and votes.
fn recorded(args: &Freeze) -> Result<(String, Frozen), Failure> {
    let read = |path: &Option<std::path::PathBuf>| -> Result<(String, Vec<u8>), Failure> {
        let path = path.as_deref().unwrap_or(Path::new(""));
        Ok((path.display().to_string(), fs::read_typed(path, BUNDLE_FILE_LIMIT)?))
    };
    let name = board::whole_name(args.model.as_deref().unwrap_or_default())?;
    let (prompts, completions, votes) =
        (read(&args.prompts)?, read(&args.completions)?, read(&args.votes)?);
    let [prompts, completions, votes] =
        [&prompts, &completions, &votes].map(|(file, bytes)| Recording { file, bytes });
    Ok((name.to_owned(), replay::freeze(name, prompts, completions, votes, args.held_out)?))
}

/// From a bundle as a recording tool wrote it.
fn flat(args: &Freeze, from: &Path, common: &Common) -> Result<(String, Frozen), Failure> {
    let workspace = Workspace::open_if_any(&common.root, common.config.as_deref())?;
    let (mut config, _) = check::terms(workspace.as_ref())?;
    let mut bundle = workspace::typed_bundle(&common.root, from)?;
    bundle.files.secret = args.held_out;
    let name = board::name_of(&bundle.files.dir, args.model.as_deref(), || {
        replay::recorded_models(&bundle.files)
    })?;
    let candidate = board::entrant(&mut config, &name, None, None);
    let frozen = replay::flatten(bundle.files, &config.asked(&candidate.seed))?;
    Ok((name, frozen))
}
