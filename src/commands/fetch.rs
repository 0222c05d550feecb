//! `fetch`: the held-out dataset into the ignored cache, or a published site into a new directory.

use std::path::Path;

use crate::cli::{Common, Fetch};
use crate::domain::{Exit, Failure};
use crate::hub::{self, Endpoint, Fetched, RepoId, Url};
use crate::ui::hub::{connect, with_client};
use crate::ui::{Ui, hub as words};
use crate::workspace;

pub(super) fn run(args: &Fetch, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let Some(dataset) = &args.dataset else { return published(args, common, ui) };
    let to = &args.to.clone().unwrap_or_else(|| workspace::held_out_cache(&common.root));
    let fetch = hub::Fetch {
        dataset,
        revision: &args.revision,
        to,
        allow_public: args.allow_public_store,
        dry_run: args.dry_run,
        jobs: args.jobs.into(),
    };
    let access = connect(args.network)?;
    match with_client(access, ui, "fetching", |client| fetch.run(client))? {
        Fetched::Exposed(finding) => {
            ui.findings(&[finding])?;
            Ok(Exit::No)
        }
        Fetched::Done(moved) => {
            words::fetched(ui, &moved, to, args.dry_run, common.json)?;
            Ok(Exit::Yes)
        }
    }
}

/// Downloads a site from a Space, or from the address it is served at.
fn published(args: &Fetch, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let from = args.published.as_deref().unwrap_or_default();
    let to = args.to.as_deref().unwrap_or(Path::new(""));
    let jobs = args.jobs.into();
    let mut access = connect(args.network)?;
    let moved = if from.contains("://") {
        let url = Url::parse(from).map_err(|why| {
            Failure::unusable(format!("`{from}` is not a usable address: {why}")).at("--published")
        })?;
        // The token is for the hub alone.
        (access.endpoint, access.token) = (Endpoint::parse(&url.origin_text())?, None);
        with_client(access, ui, "fetching", |client| hub::fetch_site(client, from, to, jobs))?
    } else {
        let space: RepoId =
            from.parse().map_err(|what: String| Failure::unusable(what).at("--published"))?;
        with_client(access, ui, "fetching", |client| hub::fetch_space(client, &space, to, jobs))?
    };
    words::fetched(ui, &moved, to, false, common.json)?;
    Ok(Exit::Yes)
}
