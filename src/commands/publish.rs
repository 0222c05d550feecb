//! `publish`: the site to a Space, in one commit.

use super::hub::{connect, with_client};
use crate::cli::{Common, Publish};
use crate::domain::{Exit, Failure};
use crate::hub::{self, HubError, Visibility};
use crate::store;
use crate::ui::{Ui, hub as words};

pub(super) fn run(args: &Publish, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let files = store::read_tree(&args.site, hub::SITE_LIMIT)?;
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
