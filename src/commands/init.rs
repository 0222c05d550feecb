//! `init`: a board's repository, laid out or completed.

use std::path::Path;

use crate::cli::Init;
use crate::domain::{Exit, Failure};
use crate::fs::{self, GitExposure};
use crate::ui::Ui;
use crate::workspace::{self, PUBLIC_DRAFT, ProgramPin, ScaffoldedFile};

pub(super) fn run(args: &Init, ui: Ui) -> Result<Exit, Failure> {
    // A release knows its repository and commit.
    let own = Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.is_empty());
    let program = ProgramPin {
        source: args.source.as_deref().or(own),
        revision: args.revision.as_deref().or(option_env!("GMAT_LEADERBOARD_REVISION")),
    };
    if let Some(source) = program.source.filter(|it| !is_address(it)) {
        return Err(Failure::unusable(format!("`{source}` is not a git address"))
            .at("--source")
            .help("give an https address such as `https://example.org/gmat-leaderboard`"));
    }
    if let Some(revision) = program.revision.filter(|it| !is_commit(it)) {
        return Err(Failure::unusable(format!("`{revision}` is not a commit"))
            .at("--revision")
            .help("give all 40 digits of its hash; branches and tags can move"));
    }
    let mut is_workflow_new = false;
    for laid in workspace::scaffold(&args.dir, program, args.upgrade, args.prompts)? {
        ui.result(&match laid {
            ScaffoldedFile::Written(path) => {
                is_workflow_new |= path.starts_with(".github/workflows/");
                format!("wrote    {path}")
            }
            ScaffoldedFile::Extended(path, lines) => format!("extended {path} by {lines} line(s)"),
            ScaffoldedFile::Kept(path) => format!("kept     {path}"),
            ScaffoldedFile::Removed(path) => format!("removed  {path}"),
        })?;
    }
    if is_workflow_new && !args.upgrade && (program.source.is_none() || program.revision.is_none())
    {
        ui.note("note: the workflows do not say where the program comes from; before you push, run `gmat-leaderboard init --upgrade --source URL --revision COMMIT`");
    }
    let mut first = Vec::new();
    if args.dir != Path::new(".") {
        first.push(format!("cd {}", args.dir.display()));
    }
    if matches!(fs::exposure(&args.dir), Ok(GitExposure::Outside)) {
        first.push("git init -b main".to_owned());
    }
    if !first.is_empty() {
        ui.result(&format!("first: {}", first.join(" && ")))?;
    }
    if args.prompts.is_none() {
        ui.result("next: gmat-leaderboard site")?;
    } else {
        ui.result(&format!("then: replace every request and intent in {PUBLIC_DRAFT}"))?;
        ui.result("next: gmat-leaderboard eval --pin --model PROVIDER:MODEL --judge PROVIDER:MODEL --to leaderboard/bundles/NAME")?;
    }
    Ok(Exit::Yes)
}

/// Whether it can be written between quotes in a workflow, and git takes it.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").unwrap_or_default();
    !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || "-._~/:".contains(c))
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c))
}
