//! The headers of blocks: what is between `If`, `While`, `For`, `Target`, `Optimize` and the
//! first statement inside.
//!
//! A header opens its block before it is read, so that comments in it count as the block's. It
//! closes nothing: that is done where statements start.
//!
//! The string after `If` is a label when a condition can follow it and the condition itself when
//! none does.

use super::block::{Block, BlockKind};
use super::fault::{Expected, Parsed};
use super::reader::{After, Reader};
use crate::gmat::bytes::{is_digit, starts_word};

impl Reader<'_> {
    /// Opens a block and goes to the first token of its header.
    fn open_block(&mut self, kind: BlockKind) {
        self.list(kind.keyword());
        let opened = self.cursor.at;
        self.blocks.push(Block { kind, opened, otherwise: false, listed: self.listing });
        self.skip_header_layout();
    }

    fn skip_header_layout(&mut self) {
        let comment = self.cursor.skip_layout();
        self.note_comment(comment);
    }

    fn label(&mut self) -> Parsed<()> {
        if self.cursor.peek() == b'\'' {
            self.string()?;
            self.skip_header_layout();
        }
        Ok(())
    }

    pub(super) fn conditional(&mut self, kind: BlockKind) -> Parsed<()> {
        self.open_block(kind);
        let start = self.cursor.at;
        let (_, ended) = if self.cursor.peek() == b'\'' {
            self.string()?;
            if self.ends_here() {
                return Ok(());
            }
            match self.cursor.peek() {
                // The string was a label if a condition can start here, even with a sign.
                b'\'' | b'(' | b'[' | b'{' | b'+' | b'-' | b'.' => self.value(true)?,
                byte if starts_word(byte) || is_digit(byte) => self.value(true)?,
                _ => self.value_after_string(start)?,
            }
        } else {
            self.value(true)?
        };
        if ended { Ok(()) } else { self.fault(Expected::StatementEnd) }
    }

    pub(super) fn counted(&mut self) -> Parsed<()> {
        self.open_block(BlockKind::For);
        self.label()?;
        if !starts_word(self.cursor.peek()) {
            return self.fault(Expected::LoopVariable);
        }
        let variable = self.reference(false)?;
        self.note_comment(variable.after == After::Comment);
        if !self.cursor.equals() {
            return self.fault(Expected::Equals);
        }
        self.skip_header_layout();
        self.value(false)?;
        if self.cursor.peek() != b':' {
            return self.fault(Expected::RangeColon);
        }
        for _ in 0..2 {
            if self.cursor.eat(b':') {
                self.cursor.skip_layout();
                let (_, ended) = self.value(true)?;
                if ended {
                    return Ok(());
                }
            }
        }
        self.fault(Expected::StatementEnd)
    }

    pub(super) fn solved(&mut self, kind: BlockKind) -> Parsed<()> {
        self.open_block(kind);
        self.label()?;
        if !starts_word(self.cursor.peek()) {
            return self.fault(Expected::Target);
        }
        if self.reference(true)?.ended() {
            return Ok(());
        }
        if self.cursor.peek() != b'{' {
            return self.fault(Expected::StatementEnd);
        }
        self.bracket()?;
        self.end_statement()
    }
}
