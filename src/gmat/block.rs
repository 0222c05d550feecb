//! Blocks of statements: what opens one, what closes it, and whether its statements are listed.
//!
//! `EndIf` closes an `If` only when the `If` is the innermost open block; anywhere else it is an
//! ordinary command of that name, and the script stays clean.

use super::keyword::Keyword;

/// A statement that holds statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    If,
    While,
    For,
    Target,
    Optimize,
}

impl BlockKind {
    pub(super) const fn keyword(self) -> Keyword {
        match self {
            Self::If => Keyword::If,
            Self::While => Keyword::While,
            Self::For => Keyword::For,
            Self::Target => Keyword::Target,
            Self::Optimize => Keyword::Optimize,
        }
    }

    /// Whether `word` closes a block of this kind.
    pub(super) fn is_closed_by(self, word: &[u8]) -> bool {
        word == self.closing_word().as_bytes()
    }

    /// The word that closes a block of this kind.
    pub(super) const fn closing_word(self) -> &'static str {
        match self {
            Self::If => "EndIf",
            Self::While => "EndWhile",
            Self::For => "EndFor",
            Self::Target => "EndTarget",
            Self::Optimize => "EndOptimize",
        }
    }
}

/// An open block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// Where the statement that opened it goes on after its first word.
    pub(super) opened: usize,
    /// Whether its `Else` has been read.
    pub(super) otherwise: bool,
    /// Whether the block itself is listed: in the mission sequence and under no `Else`.
    pub(super) listed: bool,
}
