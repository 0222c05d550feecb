//! What one reading of a script leaves behind: declarations, assignments, commands.
//!
//! The view holds places in the text, not copies of it, and judges nothing. It is only meaningful
//! together with the text it was read from.
//!
//! Only the configuration (everything before the first top-level `BeginMissionSequence`) declares
//! resources and sets fields, and only what follows has commands; a `Create` inside an `If`
//! declares nothing.

use crate::gmat::catalogue::TypeId;
use crate::gmat::index::Names;
use crate::gmat::keyword::Keywords;

/// A piece of the text, from one byte to before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) const EMPTY: Self = Self { start: 0, end: 0 };

    #[expect(clippy::cast_possible_truncation, reason = "longer scripts are refused unread")]
    pub(super) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The bytes this span covers.
    pub(super) fn slice(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// The text this span covers.
    pub(super) fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// One name of a `Create` in the configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration {
    /// The type as it is written.
    pub(super) kind: Span,
    pub(super) name: Span,
    /// The type in the catalogue; `None` when it has no such type.
    pub(super) id: Option<TypeId>,
    /// Whether no later declaration takes the name away. Known once the view is linked.
    pub(super) is_current: bool,
}

/// The form of a value, as far as the rules ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Number,
    Text,
    /// `true` or `false`, exactly.
    Truth,
    /// A name, or a path whose last step is a field.
    Reference,
    List,
    Array,
    /// Everything else: calls, operators, parentheses, raw values.
    Expression,
}

/// The value of an assignment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) span: Span,
    pub(super) form: Form,
}

/// How the path of an assignment is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    /// One field.
    Flat,
    /// Several fields, in the text just as they are written in a path.
    Plain(Span),
    /// Several fields with layout or arguments between them: the number of the written-out path.
    Spelt(u32),
}

/// An assignment to a field in the configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment {
    /// The name the target starts with.
    pub(super) root: Span,
    /// The declaration of the resource it is about, by number; `None` when there is none. Known
    /// once the view is linked.
    pub(super) owner: Option<u32>,
    /// The last field of the target.
    pub(super) field: Span,
    pub(super) path: Path,
    pub(super) value: Value,
    /// Of `View::elements`, those that stand in this value: from here …
    pub(super) elements_from: u32,
    /// … to before here.
    pub(super) elements_to: u32,
}

/// A script as read, up to its end or its first fault.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) declarations: Vec<Declaration>,
    pub(super) assignments: Vec<Assignment>,
    /// The names that are direct elements of lists assigned to flat fields.
    pub(super) elements: Vec<Span>,
    /// The paths that are not in the text as they are written.
    pub(super) joined_paths: Vec<String>,
    /// The heads of the commands that count, in order.
    pub(super) heads: Vec<Span>,
    /// The keywords of the statements that count and have no head of their own.
    pub(super) keywords: Keywords,
    /// Every name used as a value or an operand; only when uses are asked for.
    pub(super) uses: Vec<Span>,
    /// The raw values, whose words may be names; only when uses are asked for.
    pub(super) raws: Vec<Span>,
    /// The opaque texts of script blocks; only when uses are asked for.
    pub(super) bodies: Vec<Span>,
    /// Every statement but those that close a block; only when uses are asked for.
    pub(super) statements: Vec<Statement>,
}

/// One statement, with its terminator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    pub(super) span: Span,
    /// Whether it is in the mission sequence.
    pub(super) is_mission: bool,
}

impl View {
    /// Forgets everything and keeps the memory, with room for what a script of this length mostly
    /// holds.
    pub(super) fn start(&mut self, length: usize) {
        self.clear();
        self.declarations.reserve(USUAL_DECLARATIONS);
        self.assignments.reserve(length / BYTES_PER_ASSIGNMENT);
        self.heads.reserve(USUAL_DECLARATIONS);
    }

    /// Forgets everything and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.declarations.clear();
        self.assignments.clear();
        self.elements.clear();
        self.joined_paths.clear();
        self.heads.clear();
        self.keywords = Keywords::default();
        self.uses.clear();
        self.raws.clear();
        self.bodies.clear();
        self.statements.clear();
    }

    /// Sorts the names, finds for each assignment the resource it is about, and marks which
    /// declarations stand.
    pub(super) fn link(&mut self, text: &[u8], names: &mut Names) {
        names.sort(text, &self.declarations);
        names.mark_last(text, &mut self.declarations);
        // Assignments to one resource mostly follow each other.
        let mut last: (&[u8], Option<u32>) = (b"", None);
        for assignment in &mut self.assignments {
            let root = assignment.root.slice(text);
            if root != last.0 {
                last = (root, names.find(text, &self.declarations, root));
            }
            assignment.owner = last.1;
        }
    }

    /// The declaration of that number.
    pub(super) fn declaration(&self, number: u32) -> Option<&Declaration> {
        self.declarations.get(number as usize)
    }

    /// The declaration of the resource an assignment is about.
    pub(super) fn owner(&self, assignment: &Assignment) -> Option<&Declaration> {
        self.declaration(assignment.owner?)
    }
}

const USUAL_DECLARATIONS: usize = 16;
const BYTES_PER_ASSIGNMENT: usize = 32;
