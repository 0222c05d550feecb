//! Everything between brackets: argument lists, groups, lists and arrays, nested without limit.
//!
//! One loop walks through a bracket and all brackets inside it; what is open is a vector. Nothing
//! here may call itself. Inside brackets no statement ends, so every line end is a blank.
//!
//! The four brackets have four grammars. A list takes elements without commas and stray commas; an
//! argument list takes neither, but raw values; an array takes no operators, so `[1 -2]` is two
//! elements where `{1 -2}` is one.

use super::fault::{Expected, Parsed};
use super::reader::Reader;
use crate::gmat::bytes::{is_digit, starts_word, word_length};
use crate::gmat::outline::Span;

/// What an open bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `(…)` after a reference.
    Call,
    /// `(…)` as an operand.
    Group,
    /// `{…}`
    List,
    /// `[…]`
    Array,
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    shape: Shape,
    /// Whether the current element is a reference and nothing else so far, so that `=` may follow.
    bare: bool,
    /// For a call: how many uses had been noted before the reference that is called. Small, because
    /// a script may open as many brackets as it has bytes.
    mark: u32,
}

/// What the walk looks for next.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// An argument, or nothing if it is the `first`; the cursor is right after `(` or `,`.
    Argument { first: bool },
    /// An element, `,` or `}`.
    Item,
    /// An array element, or `]` if it is the `first`.
    Element { first: bool },
    /// An operand, after an operator, `=` or `(`.
    Operand,
    /// What a sign applies to.
    Signed,
    /// `.`, `(`, or what may follow an operand: after a reference whose uses start at `mark`.
    Member { mark: u32 },
    /// What may follow an operand.
    After,
    /// Nothing: the outermost bracket is closed.
    Done,
}

impl Reader<'_> {
    /// Takes the argument list, group, list or array that opens here, to its closing bracket.
    ///
    /// An opening `(` is an argument list: a group outside brackets goes through `group`.
    pub(super) fn bracket(&mut self) -> Parsed<()> {
        let shape = match self.cursor.peek() {
            b'{' => Shape::List,
            b'[' => Shape::Array,
            _ => Shape::Call,
        };
        self.walk(shape)
    }

    /// Takes the parenthesised expression that opens here.
    pub(super) fn group(&mut self) -> Parsed<()> {
        self.walk(Shape::Group)
    }

    fn walk(&mut self, shape: Shape) -> Parsed<()> {
        self.brackets.clear();
        let mut element = PendingElement::default();
        let mut next = self.open(shape, 0);
        loop {
            next = match next {
                Next::Argument { first } => self.argument(first)?,
                Next::Item => self.item(&mut element)?,
                Next::Element { first } => {
                    self.cursor.skip_layout();
                    if first && self.cursor.eat(b']') { self.close() } else { self.element()? }
                }
                Next::Operand => {
                    self.cursor.skip_layout();
                    self.operand(false, Expected::Value)?
                }
                Next::Signed => self.signed()?,
                Next::Member { mark } => self.inner_member(mark, &mut element)?,
                Next::After => self.after(&mut element)?,
                Next::Done => return Ok(()),
            };
        }
    }

    /// Steps into the bracket that opens here.
    fn open(&mut self, shape: Shape, mark: u32) -> Next {
        self.cursor.at += 1;
        self.brackets.push(Bracket { shape, bare: false, mark });
        match shape {
            Shape::Call => Next::Argument { first: true },
            Shape::Group => Next::Operand,
            Shape::List => Next::Item,
            Shape::Array => Next::Element { first: true },
        }
    }

    /// Leaves the innermost bracket, whose closing character has been taken.
    fn close(&mut self) -> Next {
        let Some(closed) = self.brackets.pop() else { return Next::Done };
        match closed.shape {
            _ if self.brackets.is_empty() => Next::Done,
            Shape::Call => Next::Member { mark: closed.mark },
            Shape::Group | Shape::List | Shape::Array => Next::After,
        }
    }

    fn set_bare(&mut self, bare: bool) {
        if let Some(top) = self.brackets.last_mut() {
            top.bare = bare;
        }
    }

    fn argument(&mut self, first: bool) -> Parsed<Next> {
        if self.raw_value() {
            self.cursor.skip_layout();
            return self.end_argument();
        }
        self.cursor.skip_layout();
        if first && self.cursor.eat(b')') {
            return Ok(self.close());
        }
        self.operand(true, Expected::Argument)
    }

    fn item(&mut self, element: &mut PendingElement) -> Parsed<Next> {
        self.cursor.skip_layout();
        match self.cursor.peek() {
            b',' => {
                self.cursor.at += 1;
                Ok(Next::Item)
            }
            b'}' => {
                self.cursor.at += 1;
                Ok(self.close())
            }
            byte => {
                if self.wants_elements && self.brackets.len() == 1 && starts_word(byte) {
                    element.start = self.cursor.at;
                    element.is_reference = true;
                }
                self.operand(true, Expected::ListElement)
            }
        }
    }

    fn element(&mut self) -> Parsed<Next> {
        match self.cursor.peek() {
            byte if starts_word(byte) => {
                let start = self.cursor.at;
                self.cursor.word();
                self.note_use(start, self.cursor.at);
                Ok(Next::After)
            }
            b'\'' => self.string().map(|()| Next::After),
            b'+' | b'-' => {
                self.cursor.at += 1;
                Ok(Next::Signed)
            }
            _ => self.number(Expected::ArrayElement).map(|()| Next::After),
        }
    }

    /// Takes an operand; a reference that begins an element may turn out to be an option.
    fn operand(&mut self, begins_element: bool, expected: Expected) -> Parsed<Next> {
        let byte = self.cursor.peek();
        self.set_bare(begins_element && starts_word(byte));
        match byte {
            _ if starts_word(byte) => Ok(self.inner_reference()),
            b'\'' => self.string().map(|()| Next::After),
            b'(' => Ok(self.open(Shape::Group, 0)),
            b'{' => Ok(self.open(Shape::List, 0)),
            b'[' => Ok(self.open(Shape::Array, 0)),
            b'+' | b'-' => {
                self.cursor.at += 1;
                Ok(Next::Signed)
            }
            _ => self.number(expected).map(|()| Next::After),
        }
    }

    fn inner_reference(&mut self) -> Next {
        let mark = self.uses_noted();
        let start = self.cursor.at;
        self.cursor.word();
        self.note_use(start, self.cursor.at);
        Next::Member { mark }
    }

    fn signed(&mut self) -> Parsed<Next> {
        self.cursor.skip_layout();
        match self.cursor.peek() {
            byte if starts_word(byte) => Ok(self.inner_reference()),
            b'(' => Ok(self.open(Shape::Group, 0)),
            b'+' | b'-' => {
                self.cursor.at += 1;
                Ok(Next::Signed)
            }
            byte if is_digit(byte) || byte == b'.' => {
                self.number(Expected::SignedValue).map(|()| Next::After)
            }
            _ => self.fault(Expected::SignedValue),
        }
    }

    fn inner_member(&mut self, mark: u32, element: &mut PendingElement) -> Parsed<Next> {
        self.cursor.skip_layout();
        match self.cursor.peek() {
            b'.' => {
                self.cursor.at += 1;
                self.cursor.skip_layout();
                if !self.cursor.field() {
                    return self.fault(Expected::FieldName);
                }
                self.forget_uses_after(mark);
                if self.brackets.len() == 1 {
                    element.is_call = false;
                }
                Ok(Next::Member { mark })
            }
            b'(' => {
                if self.brackets.len() == 1 {
                    element.is_call = true;
                }
                Ok(self.open(Shape::Call, mark))
            }
            _ => Ok(Next::After),
        }
    }

    fn after(&mut self, element: &mut PendingElement) -> Parsed<Next> {
        self.cursor.skip_layout();
        let Some(&Bracket { shape, bare, .. }) = self.brackets.last() else {
            return Ok(Next::Done);
        };
        if shape == Shape::Array {
            return self.after_element();
        }
        let continues =
            self.cursor.operator() || bare && shape != Shape::Group && self.cursor.equals();
        if continues {
            self.set_bare(false);
            if self.brackets.len() == 1 {
                element.is_reference = false;
            }
            return Ok(Next::Operand);
        }
        match shape {
            Shape::List => {
                if self.brackets.len() == 1 {
                    self.keep(element);
                }
                self.next_item()
            }
            Shape::Call => self.end_argument(),
            _ if self.cursor.eat(b')') => Ok(self.close()),
            _ => self.fault(Expected::GroupEnd),
        }
    }

    fn end_argument(&mut self) -> Parsed<Next> {
        if self.cursor.eat(b',') {
            return Ok(Next::Argument { first: false });
        }
        if self.cursor.eat(b')') { Ok(self.close()) } else { self.fault(Expected::CallEnd) }
    }

    /// After a list element another one may follow at once; anything else is `,` or `}`.
    fn next_item(&self) -> Parsed<Next> {
        match self.cursor.peek() {
            b',' | b'}' | b'\'' | b'(' | b'{' | b'[' | b'.' => Ok(Next::Item),
            byte if starts_word(byte) || is_digit(byte) => Ok(Next::Item),
            _ => self.fault(Expected::ListEnd),
        }
    }

    fn after_element(&mut self) -> Parsed<Next> {
        match self.cursor.peek() {
            b',' | b';' => {
                self.cursor.at += 1;
                Ok(Next::Element { first: false })
            }
            b']' => {
                self.cursor.at += 1;
                Ok(self.close())
            }
            b'\'' | b'+' | b'-' | b'.' => Ok(Next::Element { first: false }),
            byte if starts_word(byte) || is_digit(byte) => Ok(Next::Element { first: false }),
            _ => self.fault(Expected::ArrayEnd),
        }
    }

    /// Keeps the name of a direct element that is a reference and not a call.
    fn keep(&mut self, element: &mut PendingElement) {
        if element.is_reference && !element.is_call {
            let bytes = self.cursor.bytes().get(element.start..).unwrap_or_default();
            let length = word_length(bytes);
            self.view.elements.push(Span::new(element.start, element.start + length));
        }
        *element = PendingElement::default();
    }
}

/// The element of the outermost list that is being read, if it may be a name.
#[derive(Clone, Copy, Debug, Default)]
struct PendingElement {
    start: usize,
    is_reference: bool,
    is_call: bool,
}
