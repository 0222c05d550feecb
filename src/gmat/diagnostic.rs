//! Findings in words: what is wrong, where, and what was probably meant.
//!
//! Words are made here and only when somebody will read them; scoring never comes this way.
//! Messages quote the script as it is: whoever prints them must escape what a terminal would obey.
//!
//! Lines end at LF only, and columns count characters, from 1.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::advice::Advice;
use super::catalogue::{self, Kind, TypeId};
use super::fault::Fault;
use super::rule::{Rule, Severity};
use crate::domain::nearest;
use crate::gmat::check::{About, Finding, unquoted};
use crate::gmat::index::Names;
use crate::gmat::outline::{Assignment, Form, Span, View};

/// After so many diagnostics no more names are suggested: they cost more than they help.
pub(super) const MOST_SUGGESTIONS: usize = 200;

/// Among so many declared names a misspelt one is looked for.
pub(super) const MOST_CANDIDATES: usize = 500;

/// A place in a script as an editor shows it: both numbers start at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, counting line feeds.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// One thing that is wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that is broken.
    pub rule: Rule,
    /// Where.
    pub position: Position,
    /// How many characters of that line are meant, at least one.
    pub width: usize,
    /// What is wrong, in words; may quote the script.
    pub message: String,
    /// The name that was probably meant; absent when none is near.
    pub suggestion: Option<String>,
}

impl Diagnostic {
    /// How much it weighs.
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Diagnostic", 7)?;
        fields.serialize_field("rule", self.rule.name())?;
        fields.serialize_field("severity", self.severity().name())?;
        fields.serialize_field("line", &self.position.line)?;
        fields.serialize_field("column", &self.position.column)?;
        fields.serialize_field("end_column", &(self.position.column + self.width))?;
        fields.serialize_field("message", &self.message)?;
        fields.serialize_field("suggestion", &self.suggestion)?;
        fields.end()
    }
}

/// Counts lines and columns in one pass over places that only go forward.
#[derive(Debug)]
pub(super) struct Places<'a> {
    text: &'a str,
    at: usize,
    position: Position,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, position: Position { line: 1, column: 1 } }
    }

    /// The position of the byte offset `to`, which is not before the last one asked for.
    pub(super) fn position(&mut self, to: usize) -> Position {
        let passed = self.text.get(self.at..to).unwrap_or_default();
        match memchr::memrchr(b'\n', passed.as_bytes()) {
            None => self.position.column += passed.chars().count(),
            Some(last) => {
                self.position.line += memchr::memchr_iter(b'\n', passed.as_bytes()).count();
                self.position.column = 1 + passed[last + 1..].chars().count();
            }
        }
        self.at = to;
        self.position
    }
}

/// Puts findings into words, in the order of their places.
pub(super) fn describe(
    text: &str,
    view: &View,
    names: &Names,
    mut findings: Vec<Finding>,
) -> Vec<Diagnostic> {
    findings.sort_by_key(|finding| (finding.place.start, finding.rule));
    let mut places = Places::new(text);
    let writer = Writer { text, view, names, first_lines: first_lines(text, view, &findings) };
    findings
        .iter()
        .enumerate()
        .map(|(number, finding)| {
            let (message, suggestion) = writer.message_and_hint(finding, number < MOST_SUGGESTIONS);
            let position = places.position(finding.place.start as usize);
            let width = width(finding.place.text(text));
            Diagnostic { rule: finding.rule, position, width, message, suggestion }
        })
        .collect()
}

/// How many characters of the first line of a piece of text are meant.
fn width(shown: &str) -> usize {
    shown.split('\n').next().unwrap_or_default().trim_end().chars().count().max(1)
}

/// Puts syntax errors into words.
pub(super) fn faults(text: &str, faults: &[Fault]) -> Vec<Diagnostic> {
    let diagnostic = |fault: &Fault| Diagnostic {
        rule: Rule::SyntaxError,
        position: Places::new(text).position(fault.at),
        width: 1,
        message: fault.message(text),
        suggestion: None,
    };
    faults.iter().map(diagnostic).collect()
}

/// Gives advice its places.
pub(super) fn advice(text: &str, mut advice: Vec<Advice>) -> Vec<Diagnostic> {
    advice.sort_by_key(|it| (it.place.start, it.rule));
    let mut places = Places::new(text);
    let diagnostic = |it: Advice| Diagnostic {
        rule: it.rule,
        position: places.position(it.place.start as usize),
        width: width(it.place.text(text)),
        message: it.message,
        suggestion: it.suggestion,
    };
    advice.into_iter().map(diagnostic).collect()
}

/// Where the names that are created again were first created: offset and line, sorted.
fn first_lines(text: &str, view: &View, findings: &[Finding]) -> Vec<(u32, usize)> {
    let mut starts: Vec<u32> = findings
        .iter()
        .filter_map(|finding| match finding.about {
            About::Repeat { first } => view.declaration(first).map(|d| d.name.start),
            _ => None,
        })
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let mut places = Places::new(text);
    starts.into_iter().map(|start| (start, places.position(start as usize).line)).collect()
}

struct Writer<'a> {
    text: &'a str,
    view: &'a View,
    names: &'a Names,
    first_lines: Vec<(u32, usize)>,
}

impl<'a> Writer<'a> {
    fn message_and_hint(&self, finding: &Finding, suggests: bool) -> (String, Option<String>) {
        let shown = finding.place.text(self.text);
        match finding.about {
            About::Declaration if finding.rule == Rule::UnusedResource => {
                (format!("resource `{shown}` is created and never used"), None)
            }
            About::Declaration => {
                let meant = suggests.then(|| nearest(shown, catalogue::type_names())).flatten();
                (format!("GMAT has no resource type `{shown}`"), meant.map(str::to_owned))
            }
            About::Repeat { first } => {
                let first = self.view.declaration(first).map_or(Span::EMPTY, |d| d.name);
                let line = self.first_lines.binary_search_by_key(&first.start, |&(start, _)| start);
                let line = line.ok().and_then(|at| self.first_lines.get(at)).map_or(1, |f| f.1);
                (format!("resource `{shown}` is already created on line {line}"), None)
            }
            About::Assignment(number) => match self.view.assignments.get(number) {
                Some(assignment) => self.assignment(finding, assignment, suggests),
                None => (String::new(), None),
            },
        }
    }

    fn assignment(
        &self,
        finding: &Finding,
        assignment: &Assignment,
        suggests: bool,
    ) -> (String, Option<String>) {
        let shown = finding.place.text(self.text);
        let root = assignment.root.text(self.text);
        let field = assignment.field.text(self.text);
        let written = self.type_of(root);
        let Some(id) = catalogue::resolve(written.as_bytes()) else {
            return (String::new(), None);
        };
        let kind = id.field(field.as_bytes());
        match (finding.rule, kind) {
            (Rule::UnknownField, _) => {
                let meant = suggests.then(|| nearest(field, id.field_names())).flatten();
                (format!("{written} `{root}` has no field `{field}`"), meant.map(str::to_owned))
            }
            (Rule::EnumViolation, Some(Kind::Enum(allowed))) => {
                let word = match assignment.value.form {
                    Form::Text => unquoted(finding.place).text(self.text),
                    _ => shown,
                };
                let meant = suggests.then(|| nearest(word, allowed.iter().copied())).flatten();
                let allowed = allowed.join("`, `");
                let message =
                    format!("`{word}` is not a valid value of `{field}`, which takes `{allowed}`");
                (message, meant.map(str::to_owned))
            }
            (Rule::RefTargetMismatch, Some(Kind::Object(target) | Kind::ObjectArray(target))) => {
                let actual = self.type_of(shown);
                (format!("`{root}.{field}` takes a {target}, and `{shown}` is a {actual}"), None)
            }
            (Rule::UndeclaredReference, Some(Kind::Object(target) | Kind::ObjectArray(target))) => {
                let meant = suggests.then(|| self.resource_like(shown, target)).flatten();
                (format!("`{root}.{field}` refers to `{shown}`, which is not created"), meant)
            }
            (_, kind) => {
                let wanted = kind.map_or("something else", wanted);
                let got = got(assignment.value.form);
                (format!("`{root}.{field}` takes {wanted}, not {got}"), None)
            }
        }
    }

    /// The type a resource is created with, as written.
    fn type_of(&self, name: &str) -> &str {
        let declarations = &self.view.declarations;
        let found = self.names.find(self.text.as_bytes(), declarations, name.as_bytes());
        found
            .and_then(|number| self.view.declaration(number))
            .map_or("", |declaration| declaration.kind.text(self.text))
    }

    /// A resource of a nearby name that would fit `target`, or an object GMAT brings along.
    fn resource_like(&self, name: &str, target: &str) -> Option<String> {
        let declarations = self.view.declarations.iter().take(MOST_CANDIDATES);
        let fitting = declarations
            .filter(|d| catalogue::accepts(target, d.kind.text(self.text)))
            .map(|d| d.name.text(self.text));
        let types = catalogue::type_names()
            .filter(|t| catalogue::resolve(t.as_bytes()).map(TypeId::category) == Some(target));
        let predefined = catalogue::builtins().chain(types).map(|name| -> &'a str { name });
        nearest(name, fitting.chain(predefined)).map(str::to_owned)
    }
}

fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Real | Kind::Integer => "a number",
        Kind::Bool => "`true` or `false`",
        Kind::Object(_) => "a resource",
        Kind::ObjectArray(_) => "a list of resources",
        _ => "something else",
    }
}

fn got(form: Form) -> &'static str {
    match form {
        Form::Number => "a number",
        Form::Text => "text in quotes",
        Form::Truth => "a truth value",
        Form::Reference => "a reference",
        Form::List => "a list",
        Form::Array => "an array",
        Form::Expression => "an expression",
    }
}
