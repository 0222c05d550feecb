//! The parsed tree and its typed accessors.

use std::borrow::Cow;
use std::fmt;

use super::float::parse_float;

/// A parsed text together with its tree.
#[derive(Debug)]
pub struct Document<'a> {
    /// The text the tree borrows from.
    pub text: &'a str,
    /// The one value of the document.
    pub root: Node<'a>,
}

/// One value and where it starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// Byte offset of the value's first character.
    pub at: usize,
    /// The value.
    pub value: Value<'a>,
}

/// A JSON value; strings borrow from the text unless they hold an escape.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(Number<'a>),
    /// A string, unescaped.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Node<'a>>),
    /// An object, in file order.
    Object(Object<'a>),
}

/// A number as written in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<'a>(pub(super) &'a str);

/// The members of an object, in file order, keys unique.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object<'a>(pub(super) Vec<(Cow<'a, str>, Node<'a>)>);

/// A value of another type than wanted, or an absent key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Offset of the value, or of the object that lacks the key.
    pub at: usize,
    /// What was wanted, such as `a string`.
    pub wanted: Cow<'static, str>,
    /// What is there, such as `a number`.
    pub found: &'static str,
}

/// A place in a document, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Key path such as `seeds[1].public_bundle`; empty at the root.
    pub path: String,
}

impl Document<'_> {
    /// Line, column and key path of the innermost value that covers `at`.
    pub fn locate(&self, at: usize) -> Location {
        let mut path = String::new();
        self.root.path_to(at, &mut path);
        Location::at(self.text, at, path)
    }
}

impl Location {
    /// The line that holds the offset `at`, from 1.
    pub fn line_of(text: &str, at: usize) -> usize {
        memchr::memchr_iter(b'\n', &text.as_bytes()[..at.min(text.len())]).count() + 1
    }

    pub(super) fn at(text: &str, at: usize, path: String) -> Self {
        let at = at.min(text.len());
        let before = &text.as_bytes()[..at];
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let line = Self::line_of(text, at);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        Self { line, column, path }
    }
}

/// Appends `.key` or, for a key that is not a plain word, `["key"]`.
pub(super) fn push_key(path: &mut String, key: &str) {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(key);
    } else {
        path.push('[');
        path.push_str(&serde_json::to_string(key).unwrap_or_default());
        path.push(']');
    }
}

impl<'a> Node<'a> {
    /// The type of this value in words.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }

    /// A [`Mismatch`] at this value.
    pub fn mismatch(&self, wanted: impl Into<Cow<'static, str>>) -> Mismatch {
        Mismatch { at: self.at, wanted: wanted.into(), found: self.kind() }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The string.
    pub fn text(&self) -> Result<&Cow<'a, str>, Mismatch> {
        match &self.value {
            Value::String(text) => Ok(text),
            _ => Err(self.mismatch("a string")),
        }
    }

    /// The boolean.
    pub fn boolean(&self) -> Result<bool, Mismatch> {
        match self.value {
            Value::Bool(value) => Ok(value),
            _ => Err(self.mismatch("true or false")),
        }
    }

    /// The number.
    pub fn number(&self) -> Result<Number<'a>, Mismatch> {
        match self.value {
            Value::Number(number) => Ok(number),
            _ => Err(self.mismatch("a number")),
        }
    }

    /// The number as a non-negative integer written without fraction or exponent.
    pub fn count(&self) -> Result<u64, Mismatch> {
        self.number()
            .ok()
            .and_then(Number::as_u64)
            .ok_or_else(|| self.mismatch("a whole number, 0 or more"))
    }

    /// The elements of the array.
    pub fn array(&self) -> Result<&[Node<'a>], Mismatch> {
        match &self.value {
            Value::Array(items) => Ok(items),
            _ => Err(self.mismatch("an array")),
        }
    }

    /// The members of the object.
    pub fn object(&self) -> Result<&Object<'a>, Mismatch> {
        match &self.value {
            Value::Object(object) => Ok(object),
            _ => Err(self.mismatch("an object")),
        }
    }

    /// The value under `key`; a [`Mismatch`] names the object that lacks it.
    pub fn required(&self, key: &'static str) -> Result<&Node<'a>, Mismatch> {
        self.object()?.get(key).ok_or_else(|| Mismatch {
            at: self.at,
            wanted: format!("the key `{key}`").into(),
            found: "an object without it",
        })
    }

    fn path_to(&self, at: usize, path: &mut String) {
        // Children start in ascending order, so the last one that starts at or before `at` covers it.
        match &self.value {
            Value::Array(items) => {
                let next = items.partition_point(|item| item.at <= at);
                if let Some(index) = next.checked_sub(1) {
                    path.push_str(&format!("[{index}]"));
                    items[index].path_to(at, path);
                }
            }
            Value::Object(Object(members)) => {
                let next = members.partition_point(|(_, node)| node.at <= at);
                if let Some((key, node)) = next.checked_sub(1).map(|index| &members[index]) {
                    push_key(path, key);
                    node.path_to(at, path);
                }
            }
            _ => {}
        }
    }
}

impl<'a> Object<'a> {
    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// The members in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&Cow<'a, str>, &Node<'a>)> {
        self.0.iter().map(|(key, node)| (key, node))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> Number<'a> {
    /// The source text.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// Whether it has neither a fraction nor an exponent.
    pub fn is_integer(self) -> bool {
        !self.0.contains(['.', 'e', 'E', 'N', 'I'])
    }

    /// The integer, if it is written as one and not negative.
    pub fn as_u64(self) -> Option<u64> {
        self.is_integer().then(|| self.0.parse().ok()).flatten()
    }

    /// The integer, if it is written as one.
    pub fn as_i64(self) -> Option<i64> {
        self.is_integer().then(|| self.0.parse().ok()).flatten()
    }

    /// The nearest double. Not finite only where [`super::Limits::lenient_numbers`] let it in.
    pub fn as_f64(self) -> f64 {
        match self.0 {
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            text => parse_float(text),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.wanted, self.found)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
