//! The position of the reader in a script, and the scans every part of the grammar shares.
//!
//! The cursor knows characters and layout, never grammar: it does not decide whether a statement
//! may end here, it only answers whether one does. It never allocates and never goes back further
//! than the start of the scan it is in.
//!
//! There is no token stream. The same characters are different tokens at different places (`.5`
//! after a reference is a member, `a b` after `=` is one raw value, a line end is a terminator only
//! where a statement may end), so the grammar asks for what it wants.

use memchr::{memchr, memchr2};

use crate::gmat::bytes::{
    BLANK, DIGIT, LAYOUT, LETTER, PLAIN, TAIL, TURN, WORD, is, run, word_length,
};

/// A place in the bytes of a script.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    /// Raw values that begin with two quotes and start before this place are known to meet a
    /// bracket. They all read the quotes after them alike, so without this a line of `'',` would
    /// be read once per argument.
    refused_before: usize,
    /// Where the last continuation ends.
    continued_at: Option<usize>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, refused_before: 0, continued_at: None }
    }

    /// The byte at the cursor; 0 at the end, which no script may contain anyway.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.byte(self.at)
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Steps over `byte` if it is here.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let here = self.peek() == byte;
        self.at += usize::from(here);
        here
    }

    /// The next line end, or the end of the script.
    fn line_end(&self, from: usize) -> usize {
        self.bytes
            .get(from..)
            .and_then(|rest| memchr(b'\n', rest))
            .map_or(self.bytes.len(), |n| from + n)
    }

    /// Skips blanks, line ends and continuations.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            let byte = self.peek();
            if is(byte, BLANK) {
                self.at += 1;
            } else if byte == b'.' {
                let Some(after) = self.continuation() else { return };
                self.continued_at = Some(after);
                self.at = after;
            } else {
                return;
            }
        }
    }

    /// Skips blanks, line ends, continuations and comments; says whether there was a comment.
    #[inline]
    pub(super) fn skip_layout(&mut self) -> bool {
        // Mostly a token follows at once or after one blank.
        let mut byte = self.peek();
        if byte == b' ' {
            self.at += 1;
            byte = self.peek();
        }
        is(byte, LAYOUT) && self.skip_long_layout()
    }

    #[inline(never)]
    fn skip_long_layout(&mut self) -> bool {
        let mut comment = false;
        loop {
            self.skip_blanks();
            if self.peek() != b'%' {
                return comment;
            }
            comment = true;
            self.skip_comment();
        }
    }

    /// Skips to the end of the line.
    pub(super) fn skip_comment(&mut self) {
        self.at = self.line_end(self.at);
    }

    /// Where a continuation that starts here ends: three dots, blanks, and the line end.
    fn continuation(&self) -> Option<usize> {
        let mut at = self.bytes.get(self.at..)?.starts_with(b"...").then_some(self.at + 3)?;
        while self.byte(at) != b'\n' && is(self.byte(at), BLANK) {
            at += 1;
        }
        (self.byte(at) == b'\n').then_some(at + 1)
    }

    /// Where a continuation promised another line, if only blanks follow it to the end.
    pub(super) fn broken_continuation(&self) -> Option<usize> {
        let at = self.continued_at?;
        let rest = self.bytes.get(at..)?;
        rest.iter().all(|&byte| is(byte, BLANK)).then_some(at)
    }

    /// Takes a statement terminator: an optional comment, then `;`, a line end or the end of the
    /// script, then whatever follows of `;`, blanks and line ends. Without one, only blanks have
    /// been skipped.
    pub(super) fn terminator(&mut self) -> bool {
        let mut at = self.at;
        loop {
            match self.byte(at) {
                b' ' | b'\t' | b'\r' => at += 1,
                b';' | b'\n' => break,
                b'%' => {
                    at = self.line_end(at);
                    break;
                }
                _ => {
                    self.at = at;
                    if at < self.bytes.len() {
                        return false;
                    }
                    break;
                }
            }
        }
        self.at = at + run(self.bytes.get(at..).unwrap_or_default(), TAIL);
        true
    }

    /// Whether `.` and a letter stand here: a member, and no layout before it.
    #[inline]
    pub(super) fn is_at_member(&self) -> bool {
        self.peek() == b'.' && is(self.byte(self.at + 1), LETTER)
    }

    /// Takes the identifier that starts here.
    #[inline]
    pub(super) fn word(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let word = &rest[..word_length(rest)];
        self.at += word.len();
        word
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Takes the field name that starts here: a word that is not all digits.
    pub(super) fn field(&mut self) -> bool {
        let word = self.word();
        let named = word.iter().any(|&byte| !is(byte, DIGIT));
        self.at -= if named { 0 } else { word.len() };
        named
    }

    /// Takes the longest number that starts here.
    pub(super) fn number(&mut self) -> bool {
        let from = self.at;
        let whole = self.digits();
        if self.peek() == b'.' && (whole || is(self.byte(self.at + 1), DIGIT)) {
            self.at += 1;
            self.digits();
        }
        if self.at == from {
            return false;
        }
        if matches!(self.peek(), b'e' | b'E') {
            let mantissa = self.at;
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            if !self.digits() {
                self.at = mantissa;
            }
        }
        true
    }

    #[inline]
    fn digits(&mut self) -> bool {
        let length = run(self.rest(), DIGIT);
        self.at += length;
        length > 0
    }

    /// Takes the quoted string that starts here; it must end on its line.
    pub(super) fn string(&mut self) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        match memchr2(b'\'', b'\n', rest) {
            Some(end) if rest[end] == b'\'' => {
                self.at += end + 2;
                true
            }
            _ => false,
        }
    }

    /// Takes the binary operator that starts here.
    pub(super) fn operator(&mut self) -> bool {
        let length = match (self.peek(), self.byte(self.at + 1)) {
            (b'=' | b'~' | b'<' | b'>', b'=') => 2,
            (b'+' | b'-' | b'*' | b'/' | b'^' | b'|' | b'&' | b'<' | b'>', _) => 1,
            _ => return false,
        };
        self.at += length;
        true
    }

    /// Takes a single `=`; `==` is another token.
    pub(super) fn equals(&mut self) -> bool {
        let here = self.peek() == b'=' && self.byte(self.at + 1) != b'=';
        self.at += usize::from(here);
        here
    }

    /// Takes a raw value: text that is neither quoted nor an expression, such as a path, a date or
    /// two words, up to the end of the argument or statement. Otherwise the cursor stays.
    pub(super) fn raw_value(&mut self) -> bool {
        let mut at = self.at;
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        let doubled = self.byte(at) == b'\'';
        if doubled {
            at += 1;
            if self.byte(at) != b'\'' || at < self.refused_before {
                return false;
            }
        }
        let from = at;
        // Mostly the value is one word or number and nothing raw.
        at += run(self.bytes.get(at..).unwrap_or_default(), PLAIN);
        if matches!(self.byte(at), b';' | b'\n' | b'\r' | b'%' | b',' | b')' | b'(' | b'{') {
            return false;
        }
        let mut raw = doubled;
        let mut after_word = at > from;
        let mut blank = false;
        loop {
            let byte = self.byte(at);
            if !is(byte, TURN) {
                if at >= self.bytes.len() {
                    break;
                }
                let word = is(byte, PLAIN);
                raw |= blank && after_word && word;
                blank = false;
                after_word = word;
                at += 1;
                continue;
            }
            match byte {
                b' ' | b'\t' => blank = true,
                b'\'' => {
                    let rest = self.bytes.get(at + 1..).unwrap_or_default();
                    at += match memchr2(b'\'', b'\n', rest) {
                        Some(end) if rest[end] == b'\'' => end + 1,
                        Some(end) => end,
                        None => rest.len(),
                    };
                    after_word = false;
                    blank = false;
                }
                b'{' | b'[' | b'(' => {
                    if doubled {
                        self.refused_before = at;
                    }
                    return false;
                }
                b'/' | b'\\' | b':' => {
                    raw = true;
                    blank = false;
                    after_word = false;
                }
                _ => break,
            }
            at += 1;
        }
        if !raw || at == from {
            return false;
        }
        self.at = at;
        true
    }

    /// Takes the opaque text of a script block, up to the line that starts with `EndScript`, and
    /// gives where it starts and ends; `None` when no such line follows.
    pub(super) fn script_body(&mut self) -> Option<(usize, usize)> {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
        let from = self.at;
        let mut line = from;
        loop {
            let mut at = line;
            while matches!(self.byte(at), b' ' | b'\t') {
                at += 1;
            }
            if self.bytes.get(at..).is_some_and(|rest| rest.starts_with(b"EndScript")) {
                let next = self.byte(at + b"EndScript".len());
                if !is(next, WORD) && next != b'.' {
                    self.at = at;
                    return Some((from, line));
                }
            }
            line = self.line_end(at) + 1;
            if line > self.bytes.len() {
                return None;
            }
        }
    }
}
