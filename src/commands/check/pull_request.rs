//! `check --pull-request`: whether a pull request enters, updates or withdraws a model and does
//! nothing else.

use std::path::Path;

use crate::board::{ConfigText, submission};
use crate::cli::{Common, Format};
use crate::domain::config::Config;
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::{fs, json, workspace};

/// `base` is the branch that the request, at the root, is to be merged into: a directory with a checkout
/// of it, or its name.
pub(super) fn run(base: &Path, format: Format, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if base.is_dir() {
        return compare(base, format, common, ui);
    }
    let failed = |source| fs::StoreError::Io { verb: "create", path: std::env::temp_dir(), source };
    let dir = tempfile::tempdir().map_err(failed)?;
    let revision = base.to_string_lossy();
    match fs::export(&common.root, &revision, dir.path())? {
        Some(checkout) => compare(&checkout, format, common, ui),
        None => {
            Err(Failure::unusable(format!("`{revision}` is not a directory, branch or commit here"))
                .at("--pull-request")
                .help("name the branch that the request is to be merged into, such as `origin/main`, or a directory with a checkout of it"))
        }
    }
}

fn compare(base: &Path, format: Format, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let (old, new) = (Text::read(base)?, Text::read(&common.root)?);
    let changes = workspace::differing_files(base, &common.root)?;
    let (base, head) = (old.document()?, new.document()?);
    let classified = submission(
        &ConfigText { file: &old.file, document: &base, config: &old.config },
        &ConfigText { file: &new.file, document: &head, config: &new.config },
        &changes,
    );
    let exit = if classified.is_ok() { Exit::Yes } else { Exit::No };
    let format = if common.json { Format::Json } else { format };
    match (&classified, format) {
        (_, Format::Json) => ui.submitted(classified.as_ref().copied().map_err(Vec::as_slice))?,
        (Ok(submission), _) => {
            let article = if submission.name() == "withdrawal" { "a" } else { "an" };
            let (name, id) = (submission.name(), submission.seed().id());
            let files = changes.iter().filter(|change| change.path != new.file).count();
            let files = submission.bundle().map(|it| format!(" and {files} new file(s) of `{it}`"));
            ui.note(&format!(
                "{article} {name} of `{id}`: one seed in {}{}; no other key or file differs from the base",
                new.file,
                files.unwrap_or_default()
            ));
            if let Some(bundle) = submission.bundle() {
                ui.note(&format!(
                    "the answers were not scored; `gmat-leaderboard check {bundle}` does that"
                ));
                ui.out(format!("{bundle}\n"))?;
            }
        }
        (Err(findings), Format::Human) => ui.findings(findings)?,
        (Err(findings), Format::Github) => ui.annotate(findings)?,
    }
    Ok(exit)
}

/// A checkout's config.
struct Text {
    file: String,
    bytes: Vec<u8>,
    config: Config,
}

impl Text {
    fn read(root: &Path) -> Result<Self, Failure> {
        let path = workspace::find_config(root, None)?;
        let bytes = fs::read_typed(&path, fs::OWN_FILE_LIMIT)?;
        let config = Config::parse(&bytes, &path.display().to_string())?;
        let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        Ok(Self { file, bytes, config })
    }

    fn document(&self) -> Result<json::Document<'_>, Failure> {
        json::parse(&self.bytes).map_err(|error| Failure::json(&self.file, &error))
    }
}
