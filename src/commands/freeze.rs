//! `freeze`: a bundle's three files from what was recorded, then `check` on them.

use std::path::Path;

use super::check;
use crate::board;
use crate::cli::{Check, Common, Freeze};
use crate::domain::{Exit, Failure};
use crate::replay::{self, Frozen, Recording};
use crate::store::{self, BUNDLE_FILE_LIMIT, Workspace, Written};
use crate::ui::Ui;

pub(super) fn run(args: &Freeze, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let (name, frozen) = match &args.from {
        Some(from) => flat(args, from, common)?,
        None => recorded(args)?,
    };
    let files = [
        ("completions.json".to_owned(), frozen.completions),
        ("judge.json".to_owned(), frozen.judge),
        ("prompts.json".to_owned(), frozen.prompts),
    ];
    let to = args.to.display();
    ui.say(&match store::write_directory(&args.to, &files)? {
        Written::New => format!("wrote prompts.json, completions.json and judge.json to {to}"),
        Written::Unchanged => format!("{to} holds this bundle already, byte for byte"),
    });
    let check = Check {
        bundle: args.to.clone(),
        model: Some(name),
        submitted_by: None,
        add: false,
        format: args.format,
    };
    check::run(&check, common, ui)
}

/// From answers and votes.
fn recorded(args: &Freeze) -> Result<(String, Frozen), Failure> {
    let read = |path: &Option<std::path::PathBuf>| -> Result<(String, Vec<u8>), Failure> {
        let path = path.as_deref().unwrap_or(Path::new(""));
        Ok((path.display().to_string(), store::read_typed(path, BUNDLE_FILE_LIMIT)?))
    };
    let name = board::whole_name(args.model.as_deref().unwrap_or_default())?;
    let (prompts, completions, votes) =
        (read(&args.prompts)?, read(&args.completions)?, read(&args.votes)?);
    let [prompts, completions, votes] =
        [&prompts, &completions, &votes].map(|(file, bytes)| Recording { file, bytes });
    Ok((name.to_owned(), replay::freeze(name, prompts, completions, votes)?))
}

/// From a bundle as a recording tool wrote it.
fn flat(args: &Freeze, from: &Path, common: &Common) -> Result<(String, Frozen), Failure> {
    let workspace = Workspace::open_if_any(&common.root, common.config.as_deref())?;
    let (mut config, _) = check::terms(workspace.as_ref())?;
    let bundle = store::typed_bundle(&common.root, from)?;
    let name = board::name_of(&bundle.files, args.model.as_deref())?;
    let candidate = board::entrant(&mut config, &name, None, None);
    let frozen = replay::flatten(bundle.files, &config.asked(&candidate.seed))?;
    Ok((name, frozen))
}
