//! `publish`: verify the board, or the ledger where there is no board, check the site, send it to a
//! Space in one commit.

use super::render::ledger_alone;
use super::verify::audited;
use crate::board::AuditScope;
use crate::cli::{Common, Format, Publish};
use crate::domain::{Exit, Failure, Finding};
use crate::fs;
use crate::hub::{self, HubError, SiteFiles, Visibility};
use crate::ui::hub::{connect, with_client};
use crate::ui::{Ui, hub as words};
use crate::workspace::{self, BoardFile, RenderedSite, ReplayDetail, Request, Workspace};

pub(super) fn run(args: &Publish, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let cache = Some(workspace::held_out_cache(&common.root)).filter(|cache| cache.is_dir());
    let held_out = args.held_out.clone().or(cache);
    let request = Request {
        templates: args.templates.clone(),
        statics: args.statics.clone(),
        base_url: args.base_url.clone(),
    };
    let alone = ledger_alone(args.board.as_deref(), &request, held_out.as_deref(), common)?;
    if let Some((workspace, made)) = alone {
        ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
        let mut findings = workspace.ledger()?.check(None, None)?;
        findings.extend(workspace.exposed().cloned());
        ui.findings(&findings)?;
        if findings.iter().any(Finding::decides) {
            return Ok(Exit::No);
        }
        let upload = Upload { board: None, unread_headlines: 0, message: "Publish ledger" };
        return send(args, &workspace, || Ok(made), &upload, common, ui);
    }
    let workspace = Workspace::open(&common.root, common.config.as_deref())?
        .keeping(ReplayDetail::Files)
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
    let board = board?;
    let upload = Upload {
        board: Some(&file.bytes),
        unread_headlines: verdict.verified.audit.held_out_taken,
        message: "Publish board",
    };
    let made = || workspace::render_site(&workspace, &board, &file.bytes, &request);
    send(args, &workspace, made, &upload, common, ui)
}

/// What is sent, beside its files.
struct Upload<'l> {
    /// The bytes of the board that was verified; a ledger alone has none.
    board: Option<&'l [u8]>,
    /// Headlines whose bundles are not at hand, so that the site cannot be searched for them.
    unread_headlines: usize,
    /// The commit message, unless the user writes one.
    message: &'static str,
}

/// Compares, searches and sends the site that `make` makes, or the one in the directory named.
fn send(
    args: &Publish,
    workspace: &Workspace,
    make: impl FnOnce() -> Result<RenderedSite, Failure>,
    upload: &Upload<'_>,
    common: &Common,
    ui: Ui,
) -> Result<Exit, Failure> {
    let mut findings = Vec::new();
    let files: SiteFiles = match &args.site {
        None => make()?.files.into_iter().collect(),
        Some(dir) => {
            let there = fs::read_tree(dir, hub::SITE_LIMIT)?;
            if !args.as_is {
                let unequal = fs::compare_tree(dir, &there, &make()?.files);
                findings.extend(unequal.into_iter().map(unlike));
            }
            there
        }
    };
    findings.extend(upload.board.and_then(|board| hub::other_board(&files, board)));
    let summary = args.message.as_deref().unwrap_or(upload.message);
    let message = ("the commit message".to_owned(), summary.as_bytes().to_vec());
    let words = SiteFiles::from([message]);
    for set in workspace.held_out_sets()?.iter() {
        findings.extend(hub::held_out_files(&files, &set.digests()?));
    }
    for sent in [&files, &words] {
        findings.extend(workspace::search_site_files(sent, workspace)?);
    }
    ui.findings(&findings)?;
    if findings.iter().any(Finding::decides) {
        return Ok(Exit::No);
    }
    unsearched(upload.unread_headlines)?;
    let visibility = if args.private { Visibility::Private } else { Visibility::Public };
    let publish = hub::Publish {
        space: &args.space,
        files: &files,
        summary,
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
