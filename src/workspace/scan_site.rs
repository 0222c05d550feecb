//! Whether any file of a site repeats a text of the held-out set.

use std::borrow::Cow;

use crate::domain::{Failure, Finding};
use crate::site::built_in;
use crate::workspace::{self, Workspace};

/// One finding for every place of `files` where a text of a held-out set stands, except where the
/// config or the ledger brings it: `workspace::search_workspace` reports that.
///
/// What this program and the pinned public set bring is not secret; everything else on a page is
/// searched, whoever brought it.
pub fn leaks<'f>(
    files: impl IntoIterator<Item = (&'f String, &'f Vec<u8>)>,
    workspace: &Workspace,
) -> Result<Vec<Finding>, Failure> {
    if workspace.held_out_sets()?.is_empty() {
        return Ok(Vec::new());
    }
    let mut exempt = workspace.exempt();
    built_in().for_each(|text| exempt.add_text(text));
    // A picture is searched as the text it may carry.
    let texts: Vec<(&String, Cow<'_, str>)> =
        files.into_iter().map(|(path, bytes)| (path, String::from_utf8_lossy(bytes))).collect();
    let pages = texts.iter().map(|(path, text)| (path.as_str(), &**text));
    workspace::search_pages(workspace, pages, exempt)
}

/// What of the held-out sets stands in the config, the ledger or these files of a site.
pub fn site_leaks(
    workspace: &Workspace,
    files: &[(String, Vec<u8>)],
) -> Result<Vec<Finding>, Failure> {
    let mut findings = workspace::search_workspace(workspace, None)?;
    findings.extend(leaks(files.iter().map(|(path, bytes)| (path, bytes)), workspace)?);
    Ok(findings)
}
