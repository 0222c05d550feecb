//! The rules at work: what a cleanly read configuration says that GMAT would not understand.
//!
//! Rules look at the view and the catalogue and give findings: a rule, a place, and what it is
//! about. They write no words and know no directives.
//!
//! Nothing is reported where little is known. Paths of several steps, types of plugins, expressions
//! and the mission sequence are left alone.

use crate::gmat::Rule;
use crate::gmat::bytes::word_length;
use crate::gmat::catalogue::{self, Kind};
use crate::gmat::index::Names;
use crate::gmat::outline::{Assignment, Form, Path, Span, View};

/// A rule that is broken, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    pub(super) rule: Rule,
    pub(super) place: Span,
    pub(super) about: About,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum About {
    /// The declaration it is at.
    Declaration,
    /// The declaration it is at, and the first one of the same name, by number.
    Repeat { first: u32 },
    /// An assignment, by number.
    Assignment(usize),
}

/// Everything the rules that can block find, in no particular order.
pub(super) fn check(text: &[u8], view: &View, names: &Names) -> Vec<Finding> {
    let mut check = Check { text, view, names, findings: Vec::new() };
    check.declarations();
    check.assignments();
    check.findings
}

struct Check<'a> {
    text: &'a [u8],
    view: &'a View,
    names: &'a Names,
    findings: Vec<Finding>,
}

impl<'a> Check<'a> {
    fn find(&mut self, rule: Rule, place: Span, about: About) {
        self.findings.push(Finding { rule, place, about });
    }

    fn declarations(&mut self) {
        let view = self.view;
        let mut last = Span::EMPTY;
        for declaration in view.declarations.iter().filter(|d| d.id.is_none()) {
            // The names of one `Create` share their type, and what is wrong with it is said once.
            let kind = declaration.kind;
            if kind != last && !catalogue::is_plugin_type(kind.slice(self.text)) {
                self.find(Rule::UnknownResourceType, kind, About::Declaration);
            }
            last = kind;
        }
        for (number, first) in self.names.repeats(self.text, &view.declarations) {
            if let Some(again) = view.declaration(number) {
                self.find(Rule::DuplicateName, again.name, About::Repeat { first });
            }
        }
    }

    fn assignments(&mut self) {
        let view = self.view;
        for (number, assignment) in view.assignments.iter().enumerate() {
            if assignment.path != Path::Flat {
                continue;
            }
            let Some(id) = view.owner(assignment).and_then(|owner| owner.id) else { continue };
            match id.field(assignment.field.slice(self.text)) {
                None => {
                    self.find(Rule::UnknownField, assignment.field, About::Assignment(number));
                }
                Some(kind) => self.value(number, assignment, kind),
            }
        }
    }

    fn value(&mut self, number: usize, assignment: &'a Assignment, kind: Kind) {
        let value = assignment.value;
        if contradicts(kind, value.form) {
            self.find(Rule::TypeMismatch, value.span, About::Assignment(number));
        }
        match kind {
            Kind::Enum(allowed) if !allowed.is_empty() => {
                let word = match value.form {
                    Form::Text => unquoted(value.span),
                    Form::Reference => value.span,
                    _ => return,
                };
                let word = word.slice(self.text);
                if !allowed.iter().any(|allowed| allowed.as_bytes() == word) {
                    self.find(Rule::EnumViolation, value.span, About::Assignment(number));
                }
            }
            Kind::Object(target) | Kind::ObjectArray(target) if !target.is_empty() => {
                match value.form {
                    Form::Reference => {
                        let root = first_word(self.text, value.span);
                        self.object(number, target, root);
                    }
                    Form::List => {
                        let elements =
                            assignment.elements_from as usize..assignment.elements_to as usize;
                        let view = self.view;
                        for &element in view.elements.get(elements).unwrap_or_default() {
                            self.object(number, target, element);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Checks one name that is where a resource fit for `target` is wanted.
    fn object(&mut self, number: usize, target: &str, place: Span) {
        let name = place.slice(self.text);
        if matches!(name, b"true" | b"false") {
            return;
        }
        let about = About::Assignment(number);
        let declared = self.names.find(self.text, &self.view.declarations, name);
        if let Some(declared) = declared.and_then(|number| self.view.declaration(number)) {
            let kind = declared.kind;
            let kind = std::str::from_utf8(kind.slice(self.text)).unwrap_or_default();
            if !catalogue::accepts(target, kind) {
                self.find(Rule::RefTargetMismatch, place, about);
            }
        } else if !catalogue::is_predefined(name) {
            self.find(Rule::UndeclaredReference, place, about);
        }
    }
}

/// Whether a value of this form cannot be what a field of this kind holds.
fn contradicts(kind: Kind, form: Form) -> bool {
    match kind {
        Kind::Real | Kind::Integer => {
            matches!(form, Form::Text | Form::Truth | Form::Array | Form::List)
        }
        Kind::Bool => matches!(form, Form::Number | Form::Text | Form::Array | Form::List),
        Kind::Object(_) | Kind::ObjectArray(_) => matches!(form, Form::Number | Form::Truth),
        _ => false,
    }
}

/// The content of a quoted string.
pub(super) fn unquoted(string: Span) -> Span {
    Span { start: string.start + 1, end: string.end.saturating_sub(1) }
}

/// The identifier a reference starts with.
fn first_word(text: &[u8], reference: Span) -> Span {
    let length = word_length(reference.slice(text));
    Span::new(reference.start as usize, reference.start as usize + length)
}
