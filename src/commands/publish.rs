//! `publish`: verify the board, check the site, send it to a Space in one commit.

use super::verify::audited;
use crate::board::AuditScope;
use crate::cli::{Common, Format, Publish};
use crate::domain::{Exit, Failure, Finding};
use crate::fs;
use crate::hub::{self, HubError, SiteFiles, Visibility};
use crate::ui::hub::{connect, with_client};
use crate::ui::{Ui, hub as words};
use crate::workspace::{self, BoardFile, Request, Workspace};

pub(super) fn run(args: &Publish, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let cache = Some(workspace::held_out_cache(&common.root)).filter(|cache| cache.is_dir());
    let held_out = args.held_out.clone().or(cache);
    let workspace = Workspace::open(&common.root, common.config.as_deref())?
        .keeping_bundles()
        .with_held_out(held_out.as_deref())?;
    // Read once: what is verified is what is compared and sent.
    let file = BoardFile::read(&workspace.board_path(args.board.as_deref()))?;
    let document = file.document()?;
    let board = file.board_of(&document);
    ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
    let scope = AuditScope { every_seed: true, ..AuditScope::default() };
    let verdict = audited(&workspace, &file, &document, board.as_ref().ok(), scope, ui)?;
    ui.verdict(&verdict, Format::Human)?;
    if verdict.exit() != Exit::Yes {
        return Ok(verdict.exit());
    }

    let request = Request {
        templates: args.templates.clone(),
        statics: args.statics.clone(),
        base_url: args.base_url.clone(),
    };
    let board = board?;
    let made = || workspace::make(&workspace, &board, &file.bytes, &request);
    let mut findings = Vec::new();
    let files: SiteFiles = match &args.site {
        None => made()?.files.into_iter().collect(),
        Some(dir) => {
            let there = fs::read_tree(dir, hub::SITE_LIMIT)?;
            if !args.as_is {
                let unequal = fs::compare_tree(dir, &there, &made()?.files);
                findings.extend(unequal.into_iter().map(unlike));
            }
            there
        }
    };
    findings.extend(hub::other_board(&files, &file.bytes));
    let message = ("the commit message".to_owned(), args.message.clone().into_bytes());
    let words = SiteFiles::from([message]);
    for set in workspace.held_out_sets()?.iter() {
        findings.extend(hub::held_out_files(&files, &set.digests()?));
    }
    for leaving in [&files, &words] {
        findings.extend(workspace::leaks(leaving, &workspace)?);
    }
    ui.findings(&findings)?;
    if findings.iter().any(Finding::decides) {
        return Ok(Exit::No);
    }
    unsearched(verdict.audit.held_out_taken)?;
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
    let endpoint = access.endpoint.clone();
    let published = with_client(access, ui, "uploading", |client| publish.run(client))?;
    words::published(ui, &published, (&endpoint, &args.space), args.dry_run, common.json)?;
    Ok(Exit::Yes)
}

/// What to do about a file of DIR that is not as rendered.
fn unlike(finding: Finding) -> Finding {
    finding.help(
        "render DIR again; name the --templates, --static and --base-url it was rendered with; \
         or send it as it is with --as-is",
    )
}

/// What cannot be searched for could leave with any file, so nothing is sent.
fn unsearched(headlines: usize) -> Result<(), Failure> {
    if headlines == 0 {
        return Ok(());
    }
    let what = format!(
        "the site cannot be searched for held-out texts: the bundles of {headlines} headline(s) are not at hand"
    );
    Err(Failure::unusable(what)
        .help("fetch them (`gmat-leaderboard fetch --dataset owner/name`), or name their directory with --held-out"))
}
