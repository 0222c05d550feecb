//! `publish`: verify the board, check the site, send it to a Space in one commit.

use super::hub::{connect, with_client};
use super::verify::verdict;
use crate::board::Scope;
use crate::cli::{Common, Format, Publish};
use crate::domain::{Exit, Failure};
use crate::hub::{self, HubError, Visibility};
use crate::store::{self, Workspace};
use crate::ui::{Ui, hub as words};

pub(super) fn run(args: &Publish, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let path = workspace.board_path(args.board.as_deref());
    let file = path.display().to_string();
    // Read once: what is verified is what is compared and sent.
    let bytes = store::read_typed(&path, store::OWN_FILE_LIMIT)?;
    let cache = store::held_out_cache(&common.root);
    let held_out = args.held_out.clone().or_else(|| cache.is_dir().then_some(cache));
    let verdict = verdict(&bytes, &file, &workspace, held_out.as_deref(), Scope::default(), ui)?;
    ui.verdict(&verdict, Format::Human)?;
    if verdict.exit() != Exit::Yes {
        return Ok(verdict.exit());
    }

    let site = args.site.clone().unwrap_or_else(|| workspace.store.path("site"));
    let files = store::read_tree(&site, hub::SITE_LIMIT)?;
    let mut findings = Vec::from_iter(hub::other_board(&files, &bytes));
    if let Some(dir) = &held_out {
        findings.extend(hub::held_out_files(&files, dir)?);
    }
    ui.findings(&findings);
    if !findings.is_empty() {
        return Ok(Exit::No);
    }
    let visibility = if args.private { Visibility::Private } else { Visibility::Public };
    let publish = hub::Publish {
        space: &args.space,
        files: &files,
        summary: &args.message,
        create: args.create.then_some(visibility),
        dry_run: args.dry_run,
    };
    let access = connect(args.network)?;
    if access.token.is_none() && !args.dry_run {
        return Err(HubError::NoToken.into());
    }
    let published = with_client(access, ui, "uploading", |client| publish.run(client))?;
    words::published(ui, &published, &args.space, args.dry_run, common.json)?;
    Ok(Exit::Yes)
}
