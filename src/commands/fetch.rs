//! `fetch`: the held-out dataset into the ignored cache.

use crate::cli::{Common, Fetch};
use crate::domain::{Exit, Failure};
use crate::hub::{self, Fetched};
use crate::ui::hub::{connect, with_client};
use crate::ui::{Ui, hub as words};
use crate::workspace;

pub(super) fn run(args: &Fetch, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let to = &args.to.clone().unwrap_or_else(|| workspace::held_out_cache(&common.root));
    let fetch = hub::Fetch {
        dataset: &args.dataset,
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
