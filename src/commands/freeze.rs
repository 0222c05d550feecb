//! `freeze`: a bundle's three files from what was recorded, then `check` on them.

use std::path::{Path, PathBuf};

use super::{check, heldout};
use crate::board;
use crate::cli::{Check, Common, Format, Freeze};
use crate::domain::config::{Config, Seed};
use crate::domain::{Exit, Failure, Finding, sha256};
use crate::fs::{self, BUNDLE_FILE_LIMIT, Written};
use crate::json;
use crate::replay::{self, BundleFiles, Frozen, Recording};
use crate::ui::Ui;
use crate::workspace::{self, Workspace};

pub(super) fn run(args: &Freeze, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let (name, frozen) = match &args.from {
        Some(from) => flat(args, from, common)?,
        None => recorded(args)?,
    };
    let frozen = if args.extract { extracted(frozen, ui)? } else { frozen };
    let to =
        Destination { to: &args.to, secret: args.held_out, pin: args.pin, format: args.format };
    finish(&to, &name, frozen, common, ui)
}

/// The bundle with the script of each answer alone.
fn extracted(frozen: Frozen, ui: Ui) -> Result<Frozen, Failure> {
    let (completions, changed, total) = replay::extract_all(&frozen.completions);
    ui.result(&format!(
        "{changed} of {total} answers had text around a code block; only the script was kept"
    ))?;
    Ok(Frozen { completions, ..frozen })
}

/// A config that pins a public set, before it is written.
pub(super) struct Pin {
    path: PathBuf,
    bytes: Vec<u8>,
    said: String,
    note: Option<String>,
}

impl Pin {
    fn write(&self, ui: Ui) -> Result<(), Failure> {
        fs::write(&self.path, &self.bytes)?;
        ui.result(&self.said)?;
        self.note.iter().for_each(|note| ui.note(note));
        Ok(())
    }
}

/// The config with the set of a bundle as the public set of the board; nothing if it is that already.
pub(super) fn pin(prompts: &[u8], common: &Common) -> Result<Option<Pin>, Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let (config, file) = (&workspace.config, &workspace.config_file);
    let document = json::parse(prompts).map_err(|error| Failure::json("prompts.json", &error))?;
    let count = replay::read_prompts(&document, "", false)?.len();
    let sha256 = sha256(prompts);
    if config.public_pin.as_deref() == Some(&sha256) {
        return Ok(None);
    }
    let others = config.seeds.iter().filter(|seed| seed.kind != "illustrative").count();
    if config.public_pin.is_some() && others > 0 {
        let what =
            format!("the config pins another public set, on which {others} seed(s) were recorded");
        return Err(Failure::unusable(what).at(file.clone()).help(
            "leave out `--pin` to add a row to that set; a new set needs a new `eval_protocol_version` and new bundles of all rows: remove their seeds first",
        ));
    }
    let bytes = Config::pin_public_set(&workspace.config_bytes, file, &sha256, count)?;
    let path = workspace::find_config(&common.root, common.config.as_deref())?;
    let said = format!("pinned the public set of {count} prompts in {file}: SHA-256 {sha256}");
    let examples: Vec<String> =
        config.seeds.iter().filter(|seed| seed.kind == "illustrative").map(Seed::id).collect();
    let note = (!examples.is_empty()).then(|| format!(
        "note: the illustrative row(s) {} were recorded on another set; remove their seeds and bundles, and `public_set.note`, from {file}",
        examples.join(", ")
    ));
    Ok(Some(Pin { path, bytes, said, note }))
}

/// Where a bundle goes.
pub(super) struct Destination<'d> {
    pub(super) to: &'d Path,
    /// Whether it is one of the held-out set.
    pub(super) secret: bool,
    /// Whether its set becomes the public set of the board.
    pub(super) pin: bool,
    pub(super) format: Format,
}

/// Writes a bundle, then the pin of its set, and checks the bundle.
pub(super) fn finish(
    &Destination { to, secret, pin: is_pinned, format }: &Destination<'_>,
    name: &str,
    frozen: Frozen,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    if secret {
        return held_out(to, format, name, frozen, common, ui);
    }
    let pin = if is_pinned { pin(&frozen.prompts, common)? } else { None };
    let files = files(frozen);
    ui.result(&wrote(fs::write_directory(to, &files)?, &files, to))?;
    // Last: a pin without a bundle would refuse every other set.
    pin.iter().try_for_each(|pin| pin.write(ui))?;
    if files.len() < 3 {
        let to = to.display();
        ui.result(&format!("incomplete: {to} has no judge.json; {}", check::NEXT))?;
    }
    let check = Check {
        bundle: Some(to.to_owned()),
        model: Some(name.to_owned()),
        submitted_by: None,
        add: false,
        held_out_bundle: None,
        pull_request: None,
        verbose: false,
        prompt: Vec::new(),
        format,
    };
    check::run(&check, common, ui)
}

fn files(frozen: Frozen) -> Vec<(String, Vec<u8>)> {
    let Frozen { prompts, completions, judge } = frozen;
    [
        ("completions.json", Some(completions)),
        ("judge.json", judge),
        ("prompts.json", Some(prompts)),
    ]
    .into_iter()
    .filter_map(|(name, bytes)| Some((name.to_owned(), bytes?)))
    .collect()
}

fn wrote(written: Written, files: &[(String, Vec<u8>)], to: &Path) -> String {
    let to = to.display();
    match written {
        Written::New if files.len() < 3 => {
            format!("wrote prompts.json and completions.json to {to}")
        }
        Written::New => format!("wrote prompts.json, completions.json and judge.json to {to}"),
        Written::Completed => format!("added the missing file to {to}; the others are unchanged"),
        Written::Unchanged => format!("{to} holds this bundle already, byte for byte"),
    }
}

/// A bundle of the held-out set: replayed before it is written, and only where git ignores it.
fn held_out(
    to: &Path,
    format: Format,
    name: &str,
    frozen: Frozen,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    let format = if common.json { Format::Json } else { format };
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(finding) = fs::exposure(to)?.finding(parent.unwrap_or(to)) {
        ui.froze_held_out(&[finding], None, format)?;
        return Ok(Exit::No);
    }
    let Frozen { prompts, completions, judge: Some(judge) } = frozen else {
        return Err(Failure::unusable("a held-out bundle needs votes")
            .at("--held-out")
            .help("pass `--votes FILE`, or a recorded bundle that has judge.json"));
    };
    let workspace = Workspace::open_if_any(&common.root, common.config.as_deref())?;
    let (mut config, _) = check::terms(workspace.as_ref())?;
    let candidate = board::take_candidate(&mut config, name, None, None);
    let dir = to.display().to_string();
    let prompts = prompts.into();
    let bundle = BundleFiles { dir, secret: true, prompts, completions, judge };
    let replay = replay::replay(&bundle, &config.asked(&candidate.seed), None)?;
    // Every scoring of a committed set is recorded before its number is shown, and `build` does that.
    let is_committed = match &workspace {
        Some(workspace) => {
            let protocol = &workspace.config.eval_protocol_version;
            workspace.ledger()?.history()?.commit(protocol).is_some()
        }
        None => false,
    };
    let counts = (!is_committed).then(|| replay.counts());
    let BundleFiles { prompts, completions, judge, .. } = bundle;
    let prompts = prompts.to_vec();
    let files = files(Frozen { prompts, completions, judge: Some(judge) });
    let is_good = !replay.findings.iter().any(Finding::decides);
    let written = is_good.then(|| fs::write_directory(to, &files)).transpose()?;
    ui.froze_held_out(&replay.findings, counts, format)?;
    let tell = |line: &str| match format {
        Format::Human => ui.result(line),
        Format::Json | Format::Github => Ok(()),
    };
    let Some(written) = written else {
        tell("not ready: nothing was written")?;
        return Ok(Exit::No);
    };
    tell(&wrote(written, &files, to))?;
    let folder = to.file_name().unwrap_or_default().to_string_lossy();
    let score = match counts {
        Some((passed, total)) => format!("{passed} of {total} held-out prompts pass"),
        None => "`build --held-out` records the attempt and shows the score".to_owned(),
    };
    tell(&format!(
        "ready: {score}; name it in the seed with `gmat-leaderboard check PUBLIC-BUNDLE --add --held-out-bundle {folder}`"
    ))?;
    let all = parent.unwrap_or(Path::new("."));
    tell(&format!("to upload it: {}", heldout::upload_line(all)))?;
    Ok(Exit::Yes)
}

/// From answers and votes.
fn recorded(args: &Freeze) -> Result<(String, Frozen), Failure> {
    let read = |path: &Path| -> Result<(String, Vec<u8>), Failure> {
        Ok((path.display().to_string(), fs::read_typed(path, BUNDLE_FILE_LIMIT)?))
    };
    let name = board::whole_name(args.model.as_deref().unwrap_or_default())?;
    let required = |path: &Option<PathBuf>| read(path.as_deref().unwrap_or(Path::new("")));
    let (prompts, completions) = (required(&args.prompts)?, required(&args.completions)?);
    let votes = args.votes.as_deref().map(read).transpose()?;
    let [prompts, completions] =
        [&prompts, &completions].map(|(file, bytes)| Recording { file, bytes });
    let votes = votes.as_ref().map(|(file, bytes)| Recording { file, bytes });
    Ok((name.to_owned(), replay::freeze(name, prompts, completions, votes, args.held_out)?))
}

/// From a bundle as a recording tool wrote it.
fn flat(args: &Freeze, from: &Path, common: &Common) -> Result<(String, Frozen), Failure> {
    let workspace = Workspace::open_if_any(&common.root, common.config.as_deref())?;
    let (mut config, _) = check::terms(workspace.as_ref())?;
    let mut bundle = workspace::typed_bundle(&common.root, from)?;
    bundle.files.secret = args.held_out;
    if !bundle.has_votes {
        bundle.files.judge = replay::accept_all(&bundle.files, config.n_votes)?;
    }
    let name = board::name_of(&bundle.files.dir, args.model.as_deref(), || {
        replay::recorded_models(&bundle.files)
    })?;
    let candidate = board::take_candidate(&mut config, &name, None, None);
    let mut frozen = replay::flatten(bundle.files, &config.asked(&candidate.seed))?;
    frozen.judge = frozen.judge.filter(|_| bundle.has_votes);
    Ok((name, frozen))
}
