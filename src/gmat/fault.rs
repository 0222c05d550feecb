//! The first syntax error of a script, and what was expected there.
//!
//! A fault is a byte offset and what was expected. It is worded only for `lint`, because a score only
//! needs to know that the script is broken.
//!
//! There is at most one fault: nothing after it is read.

use super::block::BlockKind;

/// What the grammar would have taken at the place of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Statement,
    StatementEnd,
    /// The kind of the block and where it was opened.
    ClosedBlock(BlockKind, usize),
    /// Where the script block was opened.
    ClosedScript(usize),
    ClosedString,
    IncludePath,
    TypeName,
    ResourceName,
    ArraySize,
    Name,
    FieldName,
    Equals,
    AssignmentTarget,
    Target,
    Callee,
    LoopVariable,
    RangeColon,
    Value,
    SignedValue,
    Argument,
    ListElement,
    ArrayElement,
    CallEnd,
    GroupEnd,
    ListEnd,
    ArrayEnd,
    NameListEnd,
    CommandArgument,
    ContinuedLine,
    NoNul,
    ShorterScript,
}

/// Where a script breaks the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) expected: Expected,
}

/// What a part of the grammar gives, or the fault that stopped it.
pub(super) type Parsed<T> = Result<T, Fault>;

impl Expected {
    fn describe(self) -> &'static str {
        match self {
            Self::Statement => "a statement",
            Self::StatementEnd => "the end of the statement",
            Self::ClosedBlock(kind, _) => kind.closing_word(),
            Self::ClosedScript(_) => "a line that starts with `EndScript`",
            Self::ClosedString => "a closing `'` on the same line",
            Self::IncludePath => "a quoted path after `#Include`",
            Self::TypeName => "a resource type after `Create`",
            Self::ResourceName => "a resource name",
            Self::ArraySize => "an array size: numbers between commas, then `]`",
            Self::Name => "a name",
            Self::FieldName => "a field name after `.`",
            Self::Equals => "`=`",
            Self::AssignmentTarget => "the target of the assignment",
            Self::Target => "the name of a solver",
            Self::Callee => "the name of a function",
            Self::LoopVariable => "the loop variable",
            Self::RangeColon => "`:` and the end of the range",
            Self::Value => "a value",
            Self::SignedValue => "a number, a name or `(` after the sign",
            Self::Argument => "an argument",
            Self::ListElement => "a list element, `,` or `}`",
            Self::ArrayElement => "an array element",
            Self::CallEnd => "`,` or `)` after the argument",
            Self::GroupEnd => "an operator or `)`",
            Self::ListEnd => "`,` or `}` after the list element",
            Self::ArrayEnd => "`,`, `;` or `]` after the array element",
            Self::NameListEnd => "`,` or the closing bracket after the name",
            Self::CommandArgument => "an argument of the command or the end of the statement",
            Self::ContinuedLine => "a line after the continuation `...`",
            Self::NoNul => "no NUL character anywhere",
            Self::ShorterScript => "a script shorter than 4 GiB",
        }
    }
}

impl Fault {
    /// The fault in words, with what is there instead.
    pub(super) fn message(self, text: &str) -> String {
        let rest = text.get(self.at..).unwrap_or_default();
        let found = match rest.chars().next() {
            None => "the end of the script".to_owned(),
            Some('\n' | '\r') => "the end of the line".to_owned(),
            Some(c) if c.is_ascii_alphanumeric() || c == '_' => {
                let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_');
                format!("`{}`", &rest[..length.count().min(LONGEST_SHOWN)])
            }
            Some(c) => format!("`{c}`"),
        };
        let line = |opened| {
            let before = text.as_bytes().get(..opened).unwrap_or_default();
            memchr::memchr_iter(b'\n', before).count() + 1
        };
        let opening = match self.expected {
            Expected::ClosedBlock(kind, opened) => Some((kind.keyword().word(), opened)),
            Expected::ClosedScript(opened) => Some(("BeginScript", opened)),
            _ => None,
        };
        let opening =
            opening.map(|(word, opened)| format!(" for the `{word}` on line {}", line(opened)));
        let expected = match self.expected {
            Expected::ClosedBlock(kind, _) => format!("`{}`", kind.closing_word()),
            other => other.describe().to_owned(),
        };
        format!("expected {expected}{}, found {found}", opening.unwrap_or_default())
    }
}

/// How much of a word a message shows.
const LONGEST_SHOWN: usize = 40;
