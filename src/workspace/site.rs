//! From a workspace on disk to the files of its site: the one way every command takes.

use crate::fs;
use crate::workspace;
use std::path::{Path, PathBuf};

use crate::board::Board;
use crate::domain::Failure;
use crate::ledger::{self, History};
use crate::workspace::{LedgerDir, Workspace};

use crate::site::{Inputs, Overrides, render, sha256};

/// What a user asks for beyond board, config and bundles.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The board; by default the workspace's.
    pub board: Option<PathBuf>,
    /// Templates in place of built-in ones.
    pub templates: Option<PathBuf>,
    /// Static files in place of built-in ones.
    pub statics: Option<PathBuf>,
    /// Where the site will live.
    pub base_url: Option<String>,
}

/// A site that was made.
#[derive(Debug)]
pub struct Made {
    /// Every file, sorted by path.
    pub files: Vec<(String, Vec<u8>)>,
    /// How many rows it shows.
    pub rows: usize,
    /// Bundles that could not be read; their rows are shown without what needs them.
    pub unread: Vec<Failure>,
}

/// Reads what the site is made from, and makes it.
pub fn make(workspace: &Workspace, request: &Request) -> Result<Made, Failure> {
    let path = workspace.board_path(request.board.as_deref());
    make_of(workspace, &fs::read_typed(&path, fs::OWN_FILE_LIMIT)?, request)
}

/// Makes the site of a board given as bytes; they are not read from disk again.
pub fn make_of(workspace: &Workspace, bytes: &[u8], request: &Request) -> Result<Made, Failure> {
    let path = workspace.board_path(request.board.as_deref());
    let board = read_board(&path, bytes)?;
    let (evidence, unread) = workspace::evidence(&workspace.store, &workspace.config, &board);
    let overrides = Overrides {
        templates: tree(request.templates.as_deref())?,
        statics: tree(request.statics.as_deref())?,
    };
    let dir = LedgerDir::below(workspace.store.root());
    let lines = dir.history()?;
    let (history, _) = ledger::read(&lines).usable()?;
    let before = boards_before(&dir, &history, &board, bytes)?;
    let files = render(&Inputs {
        board: &board,
        bytes,
        config: &workspace.config,
        evidence: &evidence,
        before: &before,
        history: &history,
        head: ledger::head(&lines).ok().filter(|head| head.size > 0),
        overrides: &overrides,
        base_url: request.base_url.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
    })?;
    Ok(Made { files, rows: board.entries.len(), unread })
}

fn tree(dir: Option<&Path>) -> Result<crate::site::Files, Failure> {
    Ok(dir.map(|dir| fs::read_tree(dir, fs::SITE_LIMIT)).transpose()?.unwrap_or_default())
}

fn read_board(path: &Path, bytes: &[u8]) -> Result<Board, Failure> {
    let file = path.display().to_string();
    let document = crate::json::parse(bytes).map_err(|error| Failure::json(&file, &error))?;
    crate::board::read(&document.root, &file).map_err(|findings| {
        let mut failure = Failure::unusable(format!("`{}` is not a board", path.display()))
            .at(path.display().to_string())
            .help("`gmat-leaderboard verify --form-only` names every problem with what to do");
        for finding in findings.iter().take(10) {
            failure = failure.detail(format!("{}: {}", finding.path, finding.what));
        }
        failure
    })
}

/// The recorded boards that are older than `board`, oldest first, each with its hash. A file that
/// the ledger does not name, or whose bytes changed, is not among them.
fn boards_before(
    dir: &LedgerDir,
    history: &History,
    board: &Board,
    bytes: &[u8],
) -> Result<Vec<(Board, String)>, Failure> {
    let own = sha256(bytes);
    let mut boards: Vec<(Board, String)> = dir
        .boards(history)?
        .into_iter()
        .filter(|(line, old)| line.board_sha256 != own && old.generated_at < board.generated_at)
        .map(|(line, old)| (old, line.board_sha256))
        .collect();
    boards.sort_by(|a, b| (&a.0.generated_at, &a.1).cmp(&(&b.0.generated_at, &b.1)));
    boards.dedup_by(|a, b| a.1 == b.1);
    Ok(boards)
}
