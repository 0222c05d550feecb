//! The names in one statement, with what is around them.
//!
//! A second, coarse look at a statement that was read cleanly: enough to ask which names are used
//! where. The grammar proper decides what a statement is.

use crate::gmat::bytes::{DIGIT, LETTER, WORD, is, run};
use crate::gmat::outline::Span;

/// What a token is: a mark of its own, or the byte itself.
const NAME: u8 = b'n';
const NUMBER: u8 = b'0';
const STRING: u8 = b'\'';
/// `==`, `~=`, `<`, `<=`, `>`, `>=`.
const COMPARES: u8 = b'c';
/// No token: the start or the end of the statement.
const NOTHING: u8 = 0;

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: u8,
    span: Span,
}

/// A name or a path of names: `Sat`, `Sat.Earth.RMAG`, `F(1).X`.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// The steps of the path, at least one.
    pub(super) steps: Vec<Span>,
    /// The token before it.
    pub(super) before: u8,
    /// The token behind it.
    pub(super) after: u8,
    /// How many `(` are open, those of its own arguments not counted.
    pub(super) round: usize,
    /// How many `{` are open.
    pub(super) curly: usize,
    /// How many tokens stand before it.
    pub(super) number: usize,
}

impl Name {
    pub(super) fn root(&self) -> Span {
        self.steps[0]
    }

    pub(super) fn is_called(&self) -> bool {
        self.after == b'('
    }
}

/// Finds the names of the statement at `span`.
pub(super) fn names(text: &[u8], span: Span) -> Vec<Name> {
    let tokens = tokens(text, span);
    let kind = |number: Option<usize>| {
        number.and_then(|it| tokens.get(it)).map_or(NOTHING, |token| token.kind)
    };
    let mut found = Vec::new();
    let (mut round, mut curly) = (0_usize, 0_usize);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            b'(' => round += 1,
            b')' => round = round.saturating_sub(1),
            b'{' => curly += 1,
            b'}' => curly = curly.saturating_sub(1),
            NAME => {
                let number = at;
                let mut steps = vec![token.span];
                while kind(Some(at + 1)) == b'.' && kind(Some(at + 2)) == NAME {
                    steps.push(tokens[at + 2].span);
                    at += 2;
                }
                let (before, after) = (kind(number.checked_sub(1)), kind(Some(at + 1)));
                found.push(Name { steps, before, after, round, curly, number });
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn tokens(text: &[u8], span: Span) -> Vec<Token> {
    let (mut at, end) = (span.start as usize, span.end as usize);
    let text = text.get(..end).unwrap_or_default();
    let mut tokens: Vec<Token> = Vec::new();
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let (kind, length) = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C => (NOTHING, 1),
            b'%' => (NOTHING, memchr::memchr(b'\n', rest).unwrap_or(rest.len())),
            b'\'' => {
                let close = memchr::memchr2(b'\'', b'\n', &rest[1..]);
                (STRING, close.map_or(rest.len(), |close| close + 2))
            }
            b'.' if rest.starts_with(b"...") => (NOTHING, 3),
            // A field name may start with a digit.
            _ if is(byte, LETTER)
                || is(byte, DIGIT) && tokens.last().is_some_and(|it| it.kind == b'.') =>
            {
                (NAME, run(rest, WORD))
            }
            _ if is(byte, DIGIT)
                || byte == b'.' && rest.get(1).is_some_and(|next| is(*next, DIGIT)) =>
            {
                (NUMBER, number(rest))
            }
            b'=' | b'~' | b'<' | b'>' if rest.get(1) == Some(&b'=') => (COMPARES, 2),
            b'<' | b'>' => (COMPARES, 1),
            _ => (byte, 1),
        };
        if kind != NOTHING {
            tokens.push(Token { kind, span: Span::new(at, at + length) });
        }
        at += length;
    }
    tokens
}

fn number(rest: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = rest.get(length) {
        let is_sign = matches!(byte, b'+' | b'-') && matches!(rest[length - 1], b'e' | b'E');
        if !(is(byte, WORD) || byte == b'.' || is_sign) {
            break;
        }
        length += 1;
    }
    length.max(1)
}
