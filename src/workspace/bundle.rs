//! Bundles from disk: their files, and their replays.

use std::path::Path;
use std::sync::Arc;

use crate::board;
use crate::domain::config::{BelowPath, Config, Seed};
use crate::domain::{Code, Failure, Finding};
use crate::fs::{BUNDLE_FILE_LIMIT, Store, StoreError};
use crate::replay::{self, BundleFiles, LiftFiles, PromptSet, Replay, absent_file};

/// Among how many bundles one is looked for whose prompts may serve for all.
const TRIED: usize = 16;

/// Runs with the prompts of the first of these bundles that has any, which most of the others
/// share: they are read once for all that do.
pub(super) fn with_common_prompts<'s, T>(
    store: &Store,
    bundles: impl Iterator<Item = &'s BelowPath>,
    run: impl FnOnce(Option<&PromptSet<'_>>) -> T,
) -> T {
    let bytes = bundles.take(TRIED).find_map(|dir| prompts(store, dir).ok());
    replay::with_prompts(bytes.as_ref().map(|it| it.as_slice()), run)
}

/// The held-out bundle of `seed`, replayed, with its counts alone; `None` if it names none or its completions are absent.
pub fn replay_held_out(
    held_out: &Store,
    config: &Config,
    seed: &Seed,
    common: Option<&PromptSet<'_>>,
) -> Result<Option<Replay>, Failure> {
    let Some(dir) = &seed.held_out_bundle else { return Ok(None) };
    let read = |file| held_out.read(dir.file(file), BUNDLE_FILE_LIMIT);
    let required = |file| read(file).map_err(|error| incomplete(error, dir.as_str(), file));
    match read("completions.json") {
        Err(StoreError::Absent(_)) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(completions) => {
            let files = BundleFiles {
                prompts: prompts(held_out, dir)
                    .map_err(|error| incomplete(error, dir.as_str(), "prompts.json"))?,
                completions,
                judge: required("judge.json")?,
                dir: held_out.path(dir).display().to_string(),
                secret: true,
            };
            let replay = replay::replay_counts(&files, &config.asked(seed), common);
            // The search for held-out texts needs the same files.
            keep_bundle(held_out, dir, files);
            replay.map(Some)
        }
    }
}

/// Keeps the answers and votes of the bundle in `dir` for those who read them after its replay; its
/// prompts are kept already.
pub(super) fn keep_bundle(store: &Store, dir: &BelowPath, files: BundleFiles) {
    store.keep(dir.file("completions.json"), files.completions);
    store.keep(dir.file("judge.json"), files.judge);
}

/// As [`keep_bundle`].
pub(super) fn keep_lift(store: &Store, dir: &BelowPath, files: LiftFiles) {
    store.keep(dir.file("prompts.json"), files.prompts);
    store.keep(dir.file("trajectory.json"), files.trajectory);
    store.keep(dir.file("verdicts.json"), files.verdicts);
}

/// Notes about completions that speak to the judge, in the bundles of the seeds that a waiver of
/// B-INJECT names. `check` looks for them in every bundle; `verify` only has to know whether the
/// waiver is still needed. A bundle that cannot be read is reported by its replay.
pub(super) fn waived_injections(
    root: &Store,
    held_out: Option<&Store>,
    config: &Config,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for seed in board::waived_seeds(config, Code::BInject) {
        let held_out = held_out.zip(seed.held_out_bundle.as_ref());
        let bundles =
            [Some((root, &seed.public_bundle, false)), held_out.map(|(s, dir)| (s, dir, true))];
        for (store, dir, secret) in bundles.into_iter().flatten() {
            let files = static_bundle(store, dir, secret).ok().flatten();
            let examined =
                files.and_then(|files| replay::examine(&files, &config.asked(seed)).ok());
            let findings = examined.map(|examined| examined.replay.findings).unwrap_or_default();
            found.extend(findings.into_iter().filter(|finding| finding.code == Code::BInject));
        }
    }
    found
}

/// Directory and files of the lift bundle of `seed`; `None` if it names none.
pub(super) fn lift_files<'s>(
    root: &Store,
    seed: &'s Seed,
) -> Result<Option<(&'s BelowPath, LiftFiles)>, Failure> {
    let Some(dir) = &seed.lift_bundle else { return Ok(None) };
    let file = |name| required(root, dir, name);
    let files = LiftFiles {
        prompts: file("prompts.json")?,
        trajectory: file("trajectory.json")?,
        verdicts: file("verdicts.json")?,
        dir: dir.to_string(),
    };
    Ok(Some((dir, files)))
}

/// The three files of the static bundle at `dir`; `None` if the directory is absent.
pub fn static_bundle(
    store: &Store,
    dir: &BelowPath,
    secret: bool,
) -> Result<Option<BundleFiles>, Failure> {
    let prompts = match prompts(store, dir) {
        Err(StoreError::Absent(_)) if !store.has_directory(dir.as_ref())? => return Ok(None),
        prompts => prompts.map_err(|error| incomplete(error, dir.as_str(), "prompts.json"))?,
    };
    let completions = required(store, dir, "completions.json")?;
    let judge = required(store, dir, "judge.json")?;
    Ok(Some(BundleFiles { dir: dir.to_string(), secret, prompts, completions, judge }))
}

/// A static bundle whose directory the user typed.
#[derive(Debug)]
pub struct TypedBundle {
    /// Its files; a bundle below the root is named by its path there, as a seed would name it.
    pub files: BundleFiles,
    /// That path.
    pub below: Option<BelowPath>,
    /// Whether it has a judge.json; without one `files.judge` is empty.
    pub has_votes: bool,
}

/// Reads the static bundle in `dir`, which may lack judge.json.
pub fn typed_bundle(root: &Path, dir: &Path) -> Result<TypedBundle, Failure> {
    let own = Store::open(dir)?;
    let below = below(root, dir);
    let (store, name) = match &below {
        Some(below) => (Store::open(root)?, below.to_string()),
        None => (own, dir.display().to_string().trim_end_matches('/').to_owned()),
    };
    let read = |file: &str| {
        let path = below.as_ref().map_or_else(|| file.to_owned(), |below| below.file(file));
        store.read(path, BUNDLE_FILE_LIMIT)
    };
    let required = |file| read(file).map_err(|error| incomplete(error, &name, file));
    let (prompts, completions) = (required("prompts.json")?, required("completions.json")?);
    let (judge, has_votes) = match read("judge.json") {
        Err(StoreError::Absent(_)) => (Vec::new(), false),
        judge => (judge?, true),
    };
    let prompts = prompts.into();
    let files = BundleFiles { dir: name, secret: false, prompts, completions, judge };
    Ok(TypedBundle { files, below, has_votes })
}

/// Scores the static bundle in `dir` for the model `name`, written as `provider:model`. A failure means
/// that the bundle cannot be read; what can be read but is wrong is in [`Replay::findings`].
pub fn score_bundle(dir: &Path, name: &str) -> Result<Replay, Failure> {
    let mut config = Config::parse(b"{}", "")?;
    let candidate = board::take_candidate(&mut config, board::whole_name(name)?, None, None);
    let TypedBundle { files, has_votes, .. } = typed_bundle(dir, dir)?;
    if !has_votes {
        return Err(absent_file(&files.dir, "judge.json"));
    }
    replay::replay(&files, &config.asked(&candidate.seed), None)
}

/// The path of `dir` below `root`, links resolved; `None` if it lies elsewhere.
fn below(root: &Path, dir: &Path) -> Option<BelowPath> {
    let (root, dir) = (std::fs::canonicalize(root).ok()?, std::fs::canonicalize(dir).ok()?);
    BelowPath::parse(dir.strip_prefix(root).ok()?.to_str()?)
}

/// The prompts.json in `dir`, in the memory of another bundle's if that has the same bytes.
fn prompts(store: &Store, dir: &BelowPath) -> Result<Arc<Vec<u8>>, StoreError> {
    store.read_kept(dir.file("prompts.json"), BUNDLE_FILE_LIMIT)
}

fn required(store: &Store, dir: &BelowPath, file: &str) -> Result<Vec<u8>, Failure> {
    store
        .read(dir.file(file), BUNDLE_FILE_LIMIT)
        .map_err(|error| incomplete(error, dir.as_str(), file))
}

fn incomplete(error: StoreError, dir: &str, file: &str) -> Failure {
    if error.is_absent() { absent_file(dir, file) } else { error.into() }
}
