//! The reader. Recursive, which the depth limit makes safe.

use std::borrow::Cow;
use std::collections::HashSet;

use super::float::parse_float;
use super::node::{Document, Location, Node, Number, Object, Value, push_key};

/// What a document may contain.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many arrays and objects may be open at once.
    pub depth: usize,
    /// Accept `NaN`, `Infinity`, overflow and integers beyond 2^53: only for files that other
    /// programs wrote for themselves, never for anything published.
    pub lenient_numbers: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 32, lenient_numbers: false }
    }
}

/// Why a text is not acceptable JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct JsonError {
    /// What is wrong.
    pub fault: Fault,
    /// Line, column, key path.
    pub location: Location,
}

/// What can be wrong with a text that should be JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// A byte order mark.
    #[error("the file starts with a byte order mark")]
    Bom,
    /// Bytes that are not UTF-8.
    #[error("byte {0} is not UTF-8")]
    Utf8(usize),
    /// A key that appears twice in an object.
    #[error("the key `{0}` appears twice in an object")]
    DuplicateKey(String),
    /// `NaN`, `Infinity`, overflow, or an integer that a double cannot hold.
    #[error("`{0}` is not a finite number below 2^53")]
    Number(String),
    /// More open brackets than allowed.
    #[error("nested more than {0} levels deep")]
    Depth(usize),
    /// A syntax error in a text with the markers of a merge conflict.
    #[error("the text has merge conflict markers")]
    Conflict,
    /// Anything else, as what was expected.
    #[error("expected {0}")]
    Syntax(&'static str),
}

/// The largest integer that every reader of JSON agrees on.
const MAX_SAFE_INTEGER: u64 = 1 << 53;

/// Reads one strict document.
pub fn parse(bytes: &[u8]) -> Result<Document<'_>, JsonError> {
    parse_with(bytes, Limits::default())
}

/// Reads one document within `limits`.
pub fn parse_with(bytes: &[u8], limits: Limits) -> Result<Document<'_>, JsonError> {
    read(bytes, limits, Take::Nothing)
}

/// Reads one strict document and hands the members of its root over one by one, each as a document
/// of that member alone: a large file is never in memory as a whole tree. What is returned has
/// `null` in their place. Only once it is returned is it known that all of the text is JSON.
pub fn parse_members<'a>(
    bytes: &'a [u8],
    mut take: impl FnMut(&Document<'a>),
) -> Result<Document<'a>, JsonError> {
    read(bytes, Limits::default(), Take::Members(&mut take))
}

fn read<'a>(
    bytes: &'a [u8],
    limits: Limits,
    take: Take<'a, '_>,
) -> Result<Document<'a>, JsonError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let location = Location::at(good, good.len(), String::new());
        JsonError { fault: Fault::Utf8(error.valid_up_to()), location }
    })?;
    let (path, items, members) = (Vec::new(), Vec::new(), Vec::new());
    let mut parser = Parser { text, bytes, at: 0, open: 0, limits, take, path, items, members };
    parser.document().map_err(|fault| {
        let path = parser.path.iter().rev().fold(String::new(), |mut path, step| {
            match step {
                Step::Index(index) => path.push_str(&format!("[{index}]")),
                Step::Key(key) => push_key(&mut path, key),
            }
            path
        });
        let is_marker =
            |line: &str| ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|it| line.starts_with(it));
        let fault = match fault {
            Fault::Syntax(_) if text.lines().any(is_marker) => Fault::Conflict,
            fault => fault,
        };
        JsonError { fault, location: Location::at(text, parser.at, path) }
    })
}

/// One step of the key path, recorded innermost first while an error travels outwards.
enum Step {
    Index(usize),
    Key(String),
}

/// What is taken out of the tree while it is read.
enum Take<'a, 't> {
    Nothing,
    /// The members of the root.
    Members(&'t mut dyn FnMut(&Document<'a>)),
}

struct Parser<'a, 't> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    open: usize,
    limits: Limits,
    take: Take<'a, 't>,
    path: Vec<Step>,
    /// Elements of the arrays and members of the objects that are still open. Closing one moves
    /// its own into a vector of just their number: half a tree's memory would be spare room else.
    items: Vec<Node<'a>>,
    members: Vec<(Cow<'a, str>, Node<'a>)>,
}

/// Which keys an object has so far. Keys that come in ascending order cannot repeat, and recorded
/// files are sorted, so most objects never need a look at more than the key before.
struct Keys<'a> {
    ascending: bool,
    seen: Option<HashSet<Cow<'a, str>>>,
}

impl<'a> Keys<'a> {
    /// Up to here a look at all members costs less than a hash table.
    const FEW: usize = 16;

    #[expect(clippy::ptr_arg, reason = "a borrowed key stays borrowed when it is kept")]
    fn admit(&mut self, key: &Cow<'a, str>, members: &[(Cow<'a, str>, Node<'a>)]) -> bool {
        self.ascending &= members.last().is_none_or(|(last, _)| last < key);
        if self.ascending {
            return true;
        }
        if members.len() < Self::FEW {
            return members.iter().all(|(earlier, _)| earlier != key);
        }
        let all = || members.iter().map(|(earlier, _)| earlier.clone()).collect();
        self.seen.get_or_insert_with(all).insert(key.clone())
    }
}

type Parsed<T> = Result<T, Fault>;

impl<'a> Parser<'a, '_> {
    fn document(&mut self) -> Parsed<Document<'a>> {
        if self.text.starts_with('\u{feff}') {
            return Err(Fault::Bom);
        }
        self.blanks();
        if self.at == self.bytes.len() {
            return Err(Fault::Empty);
        }
        let root = self.node()?;
        self.blanks();
        if self.at < self.bytes.len() {
            return Err(Fault::Syntax("the end of the file after the JSON value"));
        }
        Ok(Document { text: self.text, root })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn node(&mut self) -> Parsed<Node<'a>> {
        let at = self.at;
        let value = match self.peek() {
            Some(b'"') => Value::String(self.string()?),
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => self.number()?,
            _ => return Err(Fault::Syntax("a JSON value")),
        };
        Ok(Node { at, value })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Parsed<Value<'a>>) -> Parsed<Value<'a>> {
        if self.open == self.limits.depth {
            return Err(Fault::Depth(self.limits.depth));
        }
        self.open += 1;
        self.at += 1;
        self.blanks();
        let value = read(self)?;
        self.open -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Parsed<Value<'a>> {
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(Vec::new()));
        }
        let first = self.items.len();
        let mut index = 0;
        loop {
            let node = self.node().inspect_err(|_| self.path.push(Step::Index(index)))?;
            index += 1;
            self.items.push(node);
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(self.items.drain(first..).collect()));
                }
                _ => return Err(Fault::Syntax("`,` or `]`")),
            }
            self.blanks();
        }
    }

    fn object(&mut self) -> Parsed<Value<'a>> {
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(Object::default()));
        }
        let first = self.members.len();
        let mut keys = Keys { ascending: true, seen: None };
        loop {
            if self.peek() != Some(b'"') {
                return Err(Fault::Syntax("a key in double quotes"));
            }
            let key_at = self.at;
            let key = self.string()?;
            if !keys.admit(&key, &self.members[first..]) {
                self.at = key_at;
                return Err(Fault::DuplicateKey(key.into_owned()));
            }
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(Fault::Syntax("`:`"));
            }
            self.at += 1;
            self.blanks();
            match self.node() {
                Ok(node) => {
                    let member = self.hand_over((key, node));
                    self.members.push(member);
                }
                Err(fault) => {
                    self.path.push(Step::Key(key.into_owned()));
                    return Err(fault);
                }
            }
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(Object(self.members.drain(first..).collect())));
                }
                _ => return Err(Fault::Syntax("`,` or `}`")),
            }
            self.blanks();
        }
    }

    /// A member of the root, if anybody takes those, leaves its key and its place.
    fn hand_over(&mut self, member: (Cow<'a, str>, Node<'a>)) -> (Cow<'a, str>, Node<'a>) {
        let Take::Members(take) = &mut self.take else { return member };
        if self.open > 1 {
            return member;
        }
        let (key, at) = (member.0.clone(), member.1.at);
        let value = Value::Object(Object(vec![member]));
        take(&Document { text: self.text, root: Node { at: 0, value } });
        (key, Node { at, value: Value::Null })
    }

    fn word(&mut self, word: &'static str, value: Value<'a>) -> Parsed<Value<'a>> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(Fault::Syntax("a JSON value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Parsed<Value<'a>> {
        let start = self.at;
        let mut end = start + usize::from(self.peek() == Some(b'-'));
        if let Some(b'N' | b'I') = self.bytes.get(end) {
            let is_here = |word: &&str| self.bytes[start..].starts_with(word.as_bytes());
            if let Some(word) = ["NaN", "Infinity", "-Infinity"].into_iter().find(is_here) {
                if !self.limits.lenient_numbers {
                    return Err(Fault::Number(word.to_owned()));
                }
                self.at += word.len();
                return Ok(Value::Number(Number(word)));
            }
        }
        let digits = |from: usize| {
            self.bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let whole = digits(end);
        if whole == 0 || (whole > 1 && self.bytes[end] == b'0') {
            return Err(Fault::Syntax("a number without leading zeros"));
        }
        end += whole;
        let mut exact = true;
        if self.bytes.get(end) == Some(&b'.') {
            let fraction = digits(end + 1);
            if fraction == 0 {
                return Err(Fault::Syntax("a digit after the decimal point"));
            }
            end += 1 + fraction;
            exact = false;
        }
        let has_exponent = matches!(self.bytes.get(end), Some(b'e' | b'E'));
        if has_exponent {
            let sign = usize::from(matches!(self.bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent == 0 {
                return Err(Fault::Syntax("a digit in the exponent"));
            }
            end += 1 + sign + exponent;
            exact = false;
        }
        let literal = &self.text[start..end];
        let holds = if exact {
            let size = literal.trim_start_matches('-').parse::<u64>();
            size.is_ok_and(|size| size <= MAX_SAFE_INTEGER)
        } else {
            // Without an exponent it takes more digits than this to be too large.
            (!has_exponent && literal.len() < 300) || parse_float(literal).is_finite()
        };
        if !holds && !self.limits.lenient_numbers {
            // Text can hide in digits: what is echoed stays short.
            return Err(Fault::Number(literal.chars().take(24).collect()));
        }
        self.at = end;
        Ok(Value::Number(Number(literal)))
    }

    fn string(&mut self) -> Parsed<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        let end = self.plain_end(start);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(&self.text[start..end]));
        }
        // Up to the next quote, escaped or not: mostly the whole string, so that it grows once.
        let rest = memchr::memchr(b'"', &self.bytes[end..]).unwrap_or_default();
        let mut out = String::with_capacity(end - start + rest);
        let mut from = start;
        loop {
            let end = self.plain_end(from);
            out.push_str(&self.text[from..end]);
            self.at = end;
            match self.bytes.get(end) {
                Some(b'"') => {
                    self.at = end + 1;
                    return Ok(Cow::Owned(out));
                }
                // Scripts have one at the end of every line.
                Some(b'\\') if self.bytes.get(end + 1) == Some(&b'n') => {
                    out.push('\n');
                    self.at += 2;
                }
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => return Err(Fault::Syntax("an escaped control character")),
                None => return Err(Fault::Syntax("the closing `\"` of a string")),
            }
            from = self.at;
        }
    }

    /// Index of the first quote, backslash or control character at or after `from`, eight bytes
    /// at a time: subtraction borrows into a byte's high bit exactly where it is too small.
    fn plain_end(&self, from: usize) -> usize {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = ONES << 7;
        let mut at = from;
        while let Some(chunk) = self.bytes[at..].first_chunk::<8>() {
            let chunk = u64::from_le_bytes(*chunk);
            let below = |value: u64, limit: u64| value.wrapping_sub(ONES * limit) & !value;
            let hits = below(chunk, 0x20)
                | below(chunk ^ (ONES * u64::from(b'"')), 1)
                | below(chunk ^ (ONES * u64::from(b'\\')), 1);
            if hits & HIGH != 0 {
                return at + (hits & HIGH).trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
        self.bytes[at..].iter().position(special).map_or(self.bytes.len(), |skip| at + skip)
    }

    fn escape(&mut self, out: &mut String) -> Parsed<()> {
        let plain = match self.bytes.get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(out),
            _ => return Err(Fault::Syntax("one of the escapes of JSON after `\\`")),
        };
        out.push(plain);
        self.at += 2;
        Ok(())
    }

    fn unicode_escape(&mut self, out: &mut String) -> Parsed<()> {
        let first = self.hex4(self.at)?;
        let mut length = 6;
        let code = if (0xd800..0xdc00).contains(&first) {
            let second = self.hex4(self.at + 6).unwrap_or_default();
            if !(0xdc00..0xe000).contains(&second) {
                return Err(Fault::Syntax("the second half of a surrogate pair"));
            }
            length = 12;
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        let Some(character) = char::from_u32(code) else {
            return Err(Fault::Syntax("the first half of a surrogate pair"));
        };
        out.push(character);
        self.at += length;
        Ok(())
    }

    fn hex4(&self, backslash: usize) -> Parsed<u32> {
        let digits = match self.bytes.get(backslash..backslash + 6) {
            Some([b'\\', b'u', digits @ ..]) if digits.iter().all(u8::is_ascii_hexdigit) => digits,
            _ => return Err(Fault::Syntax("four hexadecimal digits after `\\u`")),
        };
        let text = std::str::from_utf8(digits).unwrap_or_default();
        Ok(u32::from_str_radix(text, 16).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;
