//! Whether any file of a site repeats a text of the held-out set.

use std::borrow::Cow;

use crate::board::firewall::{Exempt, Outgoing};
use crate::domain::{Failure, Finding};
use crate::store::{self, Store, Workspace};

use super::assets;

/// One finding for every place of `files` where a text of a bundle below `held_out` stands.
///
/// What this program brings and what the pinned public set says is no secret; nothing else that
/// stands on a page is exempt, whoever brought it.
pub fn leaks<'f>(
    files: impl IntoIterator<Item = (&'f String, &'f Vec<u8>)>,
    workspace: &Workspace,
    held_out: &Store,
) -> Result<Vec<Finding>, Failure> {
    let mut exempt = Exempt::default();
    assets::built_in().for_each(|text| exempt.add_text(text));
    if let Some(prompts) = workspace.pinned_prompts() {
        exempt.add_text(&prompts);
    }
    // A picture is searched as the text it may carry.
    let texts: Vec<(&String, Cow<'_, str>)> =
        files.into_iter().map(|(path, bytes)| (path, String::from_utf8_lossy(bytes))).collect();
    let mut outgoing = Outgoing::new(exempt);
    for (path, text) in &texts {
        outgoing.add_page(path.as_str(), text);
    }
    let hits = store::search_held_out(held_out, &outgoing)?;
    Ok(outgoing.findings(&hits))
}
