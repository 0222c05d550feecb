//! From a workspace on disk to the files of its site: the one way every command takes.

use std::path::{Path, PathBuf};

use crate::board::Board;
use crate::domain::Failure;
use crate::ledger;
use crate::store::{self, LedgerDir, Workspace};

use super::{Inputs, Overrides, data, render};

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
    make_of(workspace, &store::read_typed(&path, store::OWN_FILE_LIMIT)?, request)
}

/// Makes the site of a board given as bytes; they are not read from disk again.
pub fn make_of(workspace: &Workspace, bytes: &[u8], request: &Request) -> Result<Made, Failure> {
    let path = workspace.board_path(request.board.as_deref());
    let board = read_board(&path, bytes)?;
    let (evidence, unread) = store::evidence(&workspace.store, &workspace.config, &board);
    let overrides = Overrides {
        templates: tree(request.templates.as_deref())?,
        statics: tree(request.statics.as_deref())?,
    };
    let before = boards_before(workspace, &board, bytes)?;
    let lines = LedgerDir::below(workspace.store.root()).history()?;
    let (history, _) = ledger::read(&lines).usable()?;
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

fn tree(dir: Option<&Path>) -> Result<super::Files, Failure> {
    Ok(dir.map(|dir| store::read_tree(dir, store::SITE_LIMIT)).transpose()?.unwrap_or_default())
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

/// The recorded boards below `leaderboard/boards/` that are older than `board`, oldest first.
fn boards_before(
    workspace: &Workspace,
    board: &Board,
    bytes: &[u8],
) -> Result<Vec<(Board, String)>, Failure> {
    let dir = workspace.store.path("leaderboard/boards");
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let own = data::sha256(bytes);
    let mut boards = Vec::new();
    for (name, bytes) in store::read_tree(&dir, store::SITE_LIMIT)? {
        let Some(sha) = name.strip_suffix(".json").filter(|sha| **sha != own) else { continue };
        let parsed = crate::json::parse(&bytes).map_err(|error| Failure::json(&name, &error))?;
        if let Ok(old) = crate::board::read(&parsed.root, &name)
            && old.generated_at < board.generated_at
        {
            boards.push((old, sha.to_owned()));
        }
    }
    boards.sort_by(|a, b| (&a.0.generated_at, &a.1).cmp(&(&b.0.generated_at, &b.1)));
    Ok(boards)
}
