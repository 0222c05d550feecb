//! One reading of a script: the state the grammar's parts share, and references.
//!
//! The reader goes through the text once, from left to right, with one token of look-ahead, and
//! stops at the first fault. Open brackets and blocks are kept in vectors, never on the call stack:
//! a script may nest as deep as it is long.
//!
//! `ends` says whether a statement may end at this place. Where it may, a line end ends it; where
//! it may not, a line end is a blank like any other.

use super::block::Block;
use super::bracket::Bracket;
use super::cursor::Cursor;
use super::fault::{Expected, Fault, Parsed};
use super::keyword::Keyword;
use crate::gmat::bytes::{WORD, is, word_length};
use crate::gmat::catalogue::words::is_command;
use crate::gmat::outline::{Span, View};

/// After so many faults the rest of a script is not read.
const MOST_FAULTS: usize = 50;

/// The state of a reading.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub(super) struct Reader<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) view: View,
    pub(super) blocks: Vec<Block>,
    pub(super) brackets: Vec<Bracket>,
    /// The fields of a reference outside all brackets, if they are asked for.
    pub(super) steps: Option<Vec<Span>>,
    pub(super) section: Section,
    /// Whether statements here are listed: in the mission sequence and under no `Else`.
    pub(super) listing: bool,
    /// Whether names that are used are noted.
    pub(super) wants_uses: bool,
    /// Whether the direct elements of the next list are noted.
    pub(super) wants_elements: bool,
    /// Where the statement starts that is being read.
    pub(super) statement_at: usize,
    /// Whether a word that closes an outer block also ends the blocks inside, which is a fault.
    pub(super) closes_early: bool,
}

/// The two parts of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Before the first top-level `BeginMissionSequence`.
    Configuration,
    /// After it.
    Mission,
}

/// A name with what is asked of it: `Sat`, `Sat.SMA`, `A(1).B`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub(super) start: usize,
    pub(super) root_end: usize,
    pub(super) end: usize,
    /// How many fields are named.
    pub(super) fields: u32,
    pub(super) first_field: Span,
    pub(super) last_field: Span,
    /// Whether layout or arguments stand between its fields.
    pub(super) is_loose: bool,
    /// Whether the last step is an argument list.
    pub(super) is_call: bool,
    pub(super) after: After,
}

/// What follows a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Another token.
    Token,
    /// A comment, and then another token.
    Comment,
    /// Nothing: the statement ended, and its terminator has been taken.
    End,
}

impl Reference {
    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Whether the statement ended after it.
    pub(super) fn ended(&self) -> bool {
        self.after == After::End
    }

    pub(super) fn root(&self) -> Span {
        Span::new(self.start, self.root_end)
    }
}

impl<'a> Reader<'a> {
    /// What is read goes into `view`, in place of what was there.
    pub(super) fn new(bytes: &'a [u8], mut view: View, wants_uses: bool) -> Self {
        view.start(bytes.len());
        Self {
            cursor: Cursor::new(bytes),
            view,
            blocks: Vec::new(),
            brackets: Vec::new(),
            steps: None,
            section: Section::Configuration,
            listing: false,
            wants_uses,
            wants_elements: false,
            statement_at: 0,
            closes_early: false,
        }
    }

    /// Reads the whole script.
    pub(super) fn read(mut self) -> (View, Option<Fault>) {
        let fault = self.statements().err();
        (self.view, fault)
    }

    /// Reads the whole script and goes on after a fault, at the next line that looks like a
    /// statement. Gives the faults, and what was left out after each.
    pub(super) fn read_on(mut self) -> (View, Vec<Fault>, Vec<Span>) {
        let (mut faults, mut skipped) = (Vec::new(), Vec::new());
        while let Err(fault) = self.statements() {
            faults.push(fault);
            if faults.len() == MOST_FAULTS {
                break;
            }
            self.wants_elements = false;
            if matches!(fault.expected, Expected::ClosedBlock(..)) {
                self.blocks.pop();
                continue;
            }
            let from = self.statement_at;
            self.cursor.at = next_statement(self.cursor.bytes(), from);
            skipped.push(Span::new(from, self.cursor.at));
        }
        (self.view, faults, skipped)
    }

    /// The fault of not finding `expected` here.
    #[cold]
    pub(super) fn fault<T>(&self, expected: Expected) -> Parsed<T> {
        Err(Fault { at: self.cursor.at, expected })
    }

    /// Takes the terminator if the statement ends here; otherwise goes to the next token.
    ///
    /// A comment that is met on the way is followed by a line end or the end of the script, and
    /// that ends the statement.
    #[inline]
    pub(super) fn ends_here(&mut self) -> bool {
        self.cursor.terminator() || self.ends_after_layout()
    }

    fn ends_after_layout(&mut self) -> bool {
        self.cursor.skip_blanks();
        if self.cursor.peek() != b'%' {
            return false;
        }
        self.cursor.skip_comment();
        self.note_comment(true);
        self.cursor.terminator()
    }

    /// Goes to the next token: past the end of the statement only if it `ends` here.
    pub(super) fn step(&mut self, ends: bool) -> bool {
        if ends {
            return self.ends_here();
        }
        self.cursor.skip_layout();
        false
    }

    /// The statement must end here.
    pub(super) fn end_statement(&mut self) -> Parsed<()> {
        if self.ends_here() { Ok(()) } else { self.fault(Expected::StatementEnd) }
    }

    /// Lists a comment that is directly in a block.
    pub(super) fn note_comment(&mut self, seen: bool) {
        if seen && self.listing && !self.blocks.is_empty() {
            self.view.keywords.insert(Keyword::Comment);
        }
    }

    /// Notes that a name is used.
    pub(super) fn note_use(&mut self, start: usize, end: usize) {
        if self.wants_uses {
            self.view.uses.push(Span::new(start, end));
        }
    }

    /// Takes a raw value, if one starts here.
    pub(super) fn raw_value(&mut self) -> bool {
        let start = self.cursor.at;
        let is_raw = self.cursor.raw_value();
        if is_raw && self.wants_uses {
            self.view.raws.push(Span::new(start, self.cursor.at));
        }
        is_raw
    }

    /// Takes a quoted string.
    pub(super) fn string(&mut self) -> Parsed<()> {
        if self.cursor.string() { Ok(()) } else { self.fault(Expected::ClosedString) }
    }

    /// Takes a number.
    pub(super) fn number(&mut self, expected: Expected) -> Parsed<()> {
        if self.cursor.number() { Ok(()) } else { self.fault(expected) }
    }

    /// Takes the reference that starts here with an identifier.
    pub(super) fn reference(&mut self, ends: bool) -> Parsed<Reference> {
        let start = self.cursor.at;
        self.cursor.word();
        self.reference_from(start, ends)
    }

    /// Takes the rest of a reference whose identifier, from `start` to here, is already read.
    pub(super) fn reference_from(&mut self, start: usize, ends: bool) -> Parsed<Reference> {
        let root_end = self.cursor.at;
        let mark = self.uses_noted();
        self.note_use(start, root_end);
        let mut reference = Reference {
            start,
            root_end,
            end: root_end,
            fields: 0,
            first_field: Span::EMPTY,
            last_field: Span::EMPTY,
            is_loose: false,
            is_call: false,
            after: After::Token,
        };
        loop {
            reference.end = self.cursor.at;
            if self.cursor.is_at_member() {
                reference.after = After::Token;
            } else if ends {
                if self.ends_here() {
                    reference.after = After::End;
                    return Ok(reference);
                }
            } else {
                let comment = self.cursor.skip_layout();
                reference.after = if comment { After::Comment } else { After::Token };
            }
            match self.cursor.peek() {
                b'.' => {
                    let field = self.member()?;
                    if reference.fields == 0 {
                        reference.first_field = field;
                    } else {
                        reference.is_loose |= reference.last_field.end + 1 != field.start;
                    }
                    reference.last_field = field;
                    reference.fields += 1;
                    reference.is_call = false;
                    self.forget_uses_after(mark);
                }
                b'(' => {
                    self.bracket()?;
                    reference.is_call = true;
                }
                _ => return Ok(reference),
            }
        }
    }

    /// Takes `.` and the field after it.
    fn member(&mut self) -> Parsed<Span> {
        self.cursor.at += 1;
        self.cursor.skip_layout();
        let from = self.cursor.at;
        if !self.cursor.field() {
            return self.fault(Expected::FieldName);
        }
        let field = Span::new(from, self.cursor.at);
        if let Some(steps) = &mut self.steps {
            steps.push(field);
        }
        Ok(field)
    }

    /// Of a path only its root counts as used, not the arguments inside the path.
    pub(super) fn forget_uses_after(&mut self, mark: u32) {
        if self.wants_uses {
            self.view.uses.truncate(mark as usize + 1);
        }
    }

    /// How many uses have been noted: never more than the script has bytes.
    #[expect(clippy::cast_possible_truncation, reason = "longer scripts are refused unread")]
    pub(super) fn uses_noted(&self) -> u32 {
        self.view.uses.len() as u32
    }
}

/// Where the next line after `from` starts that looks like a statement; else the end.
fn next_statement(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        let Some(end) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)) else {
            return bytes.len();
        };
        let continues = bytes[at..at + end].trim_ascii_end().ends_with(b"...");
        at += end + 1;
        let line = bytes[at..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        if !continues && looks_like_statement(line.trim_ascii_start()) {
            return at;
        }
    }
}

fn looks_like_statement(line: &[u8]) -> bool {
    let length = word_length(line);
    let (word, rest) = line.split_at(length);
    if is_command(word) {
        return true;
    }
    let is_target = |byte: &u8| matches!(byte, b'.' | b'(' | b')') || is(*byte, WORD);
    let target = rest.iter().take_while(|byte| is_target(byte)).count();
    let rest = rest[target..].trim_ascii_start();
    length > 0 && rest.starts_with(b"=") && !rest.starts_with(b"==")
}
