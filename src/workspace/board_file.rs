//! The file of a board, read once.

use std::path::{Path, PathBuf};

use crate::board::Board;
use crate::domain::{Failure, parse_document};
use crate::fs::{OWN_FILE_LIMIT, read_typed};
use crate::json::Document;

/// The bytes of a board, and the file they come from.
#[derive(Debug, Clone)]
pub struct BoardFile {
    /// The file.
    pub path: PathBuf,
    /// How it is named to people.
    pub name: String,
    /// The bytes as they are there.
    pub bytes: Vec<u8>,
}

impl BoardFile {
    /// Reads the board at `path`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = read_typed(path, OWN_FILE_LIMIT)?;
        Ok(Self { path: path.to_owned(), name: path.display().to_string(), bytes })
    }

    /// The bytes as JSON.
    pub fn document(&self) -> Result<Document<'_>, Failure> {
        parse_document(&self.bytes, &self.name)
    }

    /// The board that the bytes hold.
    pub fn board(&self) -> Result<Board, Failure> {
        self.board_of(&self.document()?)
    }

    /// The board in the document, which holds the bytes as JSON.
    pub fn board_of(&self, document: &Document<'_>) -> Result<Board, Failure> {
        Board::from_node(&document.root, &self.name).map_err(|failure| {
            failure.help(format!(
                "`gmat-leaderboard verify --form-only {}` names every problem with what to do",
                self.name
            ))
        })
    }
}
