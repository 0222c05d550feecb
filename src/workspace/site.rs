//! From a workspace on disk to the files of its site: the one way every command takes.

use std::path::{Path, PathBuf};

use crate::board::Board;
use crate::domain::{Exit, Failure, sha256};
use crate::facts::Replays;
use crate::site::{Inputs, Overrides, render, render_ledger};
use crate::workspace::{LedgerSnapshot, ReplayDetail, Workspace};
use crate::{fs, ledger};

/// What a user asks for beyond board, config and bundles.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Templates in place of built-in ones.
    pub templates: Option<PathBuf>,
    /// Static files in place of built-in ones.
    pub statics: Option<PathBuf>,
    /// Where the site will live.
    pub base_url: Option<String>,
}

/// A site that was made.
#[derive(Debug)]
pub struct RenderedSite {
    /// Every file, sorted by path.
    pub files: Vec<(String, Vec<u8>)>,
    /// How many rows it shows.
    pub rows: usize,
    /// Bundles that could not be read; their rows are shown without what needs them.
    pub unread: Vec<Failure>,
}

/// Makes the site of a ledger that has no board beside it; `None` if no run is recorded.
pub fn render_ledger_site(
    workspace: &Workspace,
    request: &Request,
) -> Result<Option<RenderedSite>, Failure> {
    let ledger = workspace.ledger()?;
    let history = ledger.history()?;
    let latest = history.runs().into_iter().map(|run| run.at).max();
    let Some(latest) = latest else { return Ok(None) };
    let overrides = overrides(request)?;
    let files = render_ledger(&Inputs {
        seal: &[],
        board: &Board::empty(
            &workspace.config,
            &format!("{}:00Z", latest.minute().replace(' ', "T")),
        ),
        // The first line names the ledger: it never changes.
        bytes: ledger.bytes().split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default(),
        config: &workspace.config,
        config_bytes: &workspace.config_bytes,
        evidence: &Replays::default(),
        before: &[],
        history,
        head: ledger::head(ledger.bytes()).ok().filter(|head| head.size > 0),
        overrides: &overrides,
        base_url: request.base_url.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
    })?;
    Ok(Some(RenderedSite { files, rows: 0, unread: Vec::new() }))
}

fn overrides(request: &Request) -> Result<Overrides, Failure> {
    Ok(Overrides {
        templates: tree(request.templates.as_deref())?,
        statics: tree(request.statics.as_deref())?,
    })
}

/// Makes the site of `board`, whose bytes are `bytes`.
pub fn render_site(
    workspace: &Workspace,
    board: &Board,
    bytes: &[u8],
    request: &Request,
) -> Result<RenderedSite, Failure> {
    debug_assert_eq!(workspace.kept, ReplayDetail::Files, "pages show answers");
    let (evidence, unread) = workspace.replays(|| ()).of_rows(&workspace.config, board);
    // A row without a bundle is shown without it; a disk that fails must not change a page.
    if let Some(failure) = unread.iter().find(|failure| failure.exit == Exit::World) {
        return Err(failure.clone());
    }
    let overrides = overrides(request)?;
    let ledger = workspace.ledger()?;
    let history = ledger.history()?;
    let before = boards_before(ledger, board, bytes)?;
    let seal = workspace.published_seal(bytes)?;
    let files = render(&Inputs {
        seal: &seal,
        board,
        bytes,
        config: &workspace.config,
        config_bytes: &workspace.config_bytes,
        evidence: &evidence,
        before: &before,
        history,
        head: ledger::head(ledger.bytes()).ok().filter(|head| head.size > 0),
        overrides: &overrides,
        base_url: request.base_url.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
    })?;
    Ok(RenderedSite { files, rows: board.entries.len(), unread })
}

fn tree(dir: Option<&Path>) -> Result<crate::site::Files, Failure> {
    Ok(dir.map(|dir| fs::read_tree(dir, fs::SITE_LIMIT)).transpose()?.unwrap_or_default())
}

/// The recorded boards that are older than `board`, oldest first, each with its hash. A file that
/// the ledger does not name, or whose bytes changed, is not among them.
fn boards_before(
    ledger: &LedgerSnapshot,
    board: &Board,
    bytes: &[u8],
) -> Result<Vec<(Board, String)>, Failure> {
    let own = sha256(bytes);
    let mut boards: Vec<(Board, String)> = ledger
        .boards()?
        .into_iter()
        .filter(|(line, old)| line.board_sha256 != own && old.generated_at < board.generated_at)
        .map(|(line, old)| (old, line.board_sha256))
        .collect();
    boards.sort_by(|a, b| (&a.0.generated_at, &a.1).cmp(&(&b.0.generated_at, &b.1)));
    boards.dedup_by(|a, b| a.1 == b.1);
    Ok(boards)
}
