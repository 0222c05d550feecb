//! Words about a hub: where it is, what moved, what is not well.

mod client;

pub(crate) use client::{connect, with_client};

use std::path::Path;

use super::{Ui, escape};
use crate::domain::Failure;
use crate::hub::{Check, CheckState, Endpoint, FetchedFiles, Published, RepoId};

/// What a fetch did or would do. Names are shown only where they were asked for.
pub fn fetched(
    ui: Ui,
    moved: &FetchedFiles,
    to: &Path,
    dry: bool,
    json: bool,
) -> Result<(), Failure> {
    if json {
        return ui.json(moved);
    }
    if dry {
        if moved.downloaded.is_empty() && moved.removed.is_empty() {
            ui.result(&format!("nothing to do: {} is up to date", to.display()))?;
        }
        return plan(ui, ("download", &moved.downloaded), ("remove", &moved.removed));
    }
    let FetchedFiles { files, bytes, downloaded, removed, revision } = moved;
    let revision = &revision[..12];
    ui.result(&format!(
        "{} holds {files} file(s), {bytes} bytes, at {revision}: {} downloaded, {} removed",
        to.display(),
        downloaded.len(),
        removed.len()
    ))?;
    Ok(())
}

/// What a publication did or would do.
pub fn published(
    ui: Ui,
    published: &Published,
    (endpoint, space): (&Endpoint, &RepoId),
    dry: bool,
    json: bool,
) -> Result<(), Failure> {
    if json {
        return ui.json(published);
    }
    let Published { revision, committed, changed, deleted, unchanged, read_back } = published;
    if dry {
        plan(ui, ("send", changed), ("delete", deleted))?;
    }
    let counts =
        format!("{} changed, {} deleted, {unchanged} unchanged", changed.len(), deleted.len());
    ui.result(&match (dry, committed) {
        (true, _) if revision.is_empty() => {
            format!("would make {space} and publish to it: {counts}")
        }
        (true, _) => format!("would publish to {space} on top of {revision}: {counts}"),
        (false, true) => format!("published to {space}, commit {revision}: {counts}"),
        (false, false) => format!("{space} is up to date at {revision}: {unchanged} file(s)"),
    })?;
    if *read_back > 0 {
        ui.result(&format!("read back: all {} files are as sent", read_back + unchanged))?;
    }
    if !dry {
        let endpoint = endpoint.to_string();
        ui.result(&format!("see {}/spaces/{space}", endpoint.trim_end_matches('/')))?;
    }
    Ok(())
}

/// One line for each thing that was looked at, and what to do below those that are not well.
pub fn checks(ui: Ui, checks: &[Check], json: bool) -> Result<(), Failure> {
    if json {
        return ui.json(&checks);
    }
    let mut lines = String::new();
    for Check { subject, state, what, help } in checks {
        let state = match state {
            CheckState::Well => "ok  ",
            CheckState::Ill => "BAD ",
            CheckState::Skipped => "-   ",
            CheckState::Todo => "todo",
        };
        lines += &format!("{state} {subject:8} {}\n", escape(what));
        if !help.is_empty() {
            lines += &format!("              {}\n", escape(help));
        }
    }
    ui.out(lines)
}

fn plan(ui: Ui, first: (&str, &[String]), second: (&str, &[String])) -> Result<(), Failure> {
    let mut lines = String::new();
    for (verb, paths) in [first, second] {
        for path in paths {
            lines += &format!("{verb} {}\n", escape(path));
        }
    }
    ui.out(lines)
}
