//! GMAT scripts: what one contains and what is wrong with it. Knows nothing of prompts.
//!
//! `Script::parse` reads a script once, in time linear in its length and without recursion, and
//! then answers: is it clean, which rules does it break, which types, fields and commands does it
//! have. Nothing here reads files, prints, or depends on anything but the text.
//!
//! ```
//! use gmat_leaderboard::gmat::Script;
//!
//! let text = "Create Spacecraft Sat\nSat.DriMass = 850\nBeginMissionSequence\nReport Sat\n";
//! let script = Script::parse(text);
//! assert!(script.syntax_error().is_none());
//! assert!(script.has_type("Spacecraft"));
//! assert!(script.has_field("Spacecraft", "DriMass"));
//! assert!(script.has_command("Report"));
//! assert_eq!(script.blocking_rules(), ["unknown-field"]);
//! assert_eq!(script.diagnostics()[0].suggestion.as_deref(), Some("DryMass"));
//! ```
//!
//! A script with a syntax error has no types, fields or commands, and breaks the rule
//! `syntax-error` alone; nothing is guessed about the part that could be read. Only `diagnostics`
//! goes on after the error.

mod advice;
mod block;
mod bracket;
mod bytes;
mod catalogue;
mod check;
mod check_unused;
mod cursor;
mod diagnostic;
mod expression;
mod fast_path;
mod fault;
mod header;
mod index;
mod keyword;
mod outline;
mod reader;
mod rule;
mod statement;
mod suppression;
mod tokens;
mod unicode;

pub use catalogue::RELEASE;
pub use diagnostic::{Diagnostic, Position};
pub use rule::{Rule, Severity};

use std::collections::BTreeSet;

use crate::gmat::check::Finding;
use crate::gmat::index::Names;
use crate::gmat::outline::{Assignment, Path, Span, View};
use diagnostic::Places;
use fault::{Expected, Fault};
use reader::Reader;
use rule::RuleSet;
use suppression::Suppressions;

/// A longer script gets no information but `unused-resource`: what is written by hand is shorter,
/// and diagnostics stay quick.
const LONGEST_ADVISED: usize = 1 << 20;

/// A script that has been read and checked.
#[derive(Debug)]
pub struct Script<'a> {
    text: &'a str,
    fault: Option<Fault>,
    view: View,
    names: Names,
    findings: Vec<Finding>,
}

/// What a script was kept in, for the next one.
#[derive(Debug, Default)]
pub struct Memory {
    view: View,
    names: Names,
}

/// The first place where a text stops being a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where.
    pub position: Position,
    /// What was expected there and what was found; may quote the script.
    pub message: String,
}

impl<'a> Script<'a> {
    /// Reads and checks a script.
    pub fn parse(text: &'a str) -> Self {
        Self::parse_in(text, Memory::default())
    }

    /// Reads and checks a script in the memory of an earlier one, which is quicker when there are
    /// many.
    pub fn parse_in(text: &'a str, memory: Memory) -> Self {
        let Memory { mut view, mut names } = memory;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let bytes = text.as_bytes();
        let fault;
        (view, fault) = if u32::try_from(bytes.len()).is_ok() {
            Reader::new(bytes, view, false).read()
        } else {
            (view, Some(Fault { at: 0, expected: Expected::ShorterScript }))
        };
        // A NUL may hide in a comment or a string, where the grammar does not look.
        let nul = memchr::memchr(0, bytes).map(|at| Fault { at, expected: Expected::NoNul });
        let fault = [fault, nul].into_iter().flatten().min_by_key(|fault| fault.at);
        if fault.is_some() {
            view.clear();
            names.clear();
            return Self { text, fault, view, names, findings: Vec::new() };
        }
        view.link(bytes, &mut names);
        let mut findings = check::check(bytes, &view, &names);
        if !findings.is_empty() {
            let suppressions = Suppressions::parse(text);
            findings.retain(|f| !suppressions.silence(f.rule, f.place.start as usize));
        }
        Self { text, fault, view, names, findings }
    }

    /// Gives up the script for its memory.
    pub fn into_memory(self) -> Memory {
        Memory { view: self.view, names: self.names }
    }

    /// The first syntax error; `None` when the script is clean.
    pub fn syntax_error(&self) -> Option<SyntaxError> {
        self.fault.map(|fault| SyntaxError {
            position: Places::new(self.text).position(fault.at),
            message: fault.message(self.text),
        })
    }

    /// Whether the script has a syntax error; quicker than asking for the error itself.
    pub fn has_syntax_error(&self) -> bool {
        self.fault.is_some()
    }

    /// The names of the rules of severity error or warning that the script breaks, each once,
    /// sorted.
    pub fn blocking_rules(&self) -> Vec<&'static str> {
        let mut set = RuleSet::default();
        if self.fault.is_some() {
            set.insert(Rule::SyntaxError);
        }
        for rule in self.findings.iter().map(|it| it.rule).filter(|it| it.is_blocking()) {
            set.insert(rule);
        }
        set.iter().map(Rule::name).collect()
    }

    /// Everything there is to say about the script, in the order of the text: what blocks it, what
    /// else is wrong after a syntax error, and information that never counts in a score.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let bytes = self.bytes();
        let expected = self.fault.map(|fault| fault.expected);
        if expected == Some(Expected::ShorterScript) {
            return self.blocking_diagnostics();
        }
        let read = |closes_early| {
            Reader { closes_early, ..Reader::new(bytes, View::default(), true) }.read_on()
        };
        let (mut view, mut faults, mut skipped) = read(false);
        if faults.iter().any(|fault| matches!(fault.expected, Expected::ClosedBlock(..))) {
            // Then the word that closes an outer block shows where the inner one should end.
            (view, faults, skipped) = read(true);
        }
        faults.extend(self.fault.filter(|_| expected == Some(Expected::NoNul)));
        let mut names = Names::default();
        view.link(bytes, &mut names);
        let (mut statements, mut advice) = (Vec::new(), Vec::new());
        if bytes.len() <= LONGEST_ADVISED {
            statements = advice::with_bodies(bytes, &view);
            advice = advice::advise(self.text, &view, &statements, &skipped);
        }
        let mut findings = check::check(bytes, &view, &names);
        // Names in statements with a syntax error may be created or used there.
        let maybe: BTreeSet<&str> =
            skipped.iter().flat_map(|span| advice::words_in(self.text, *span)).collect();
        findings.retain(|finding| {
            finding.rule != Rule::UndeclaredReference
                || !maybe.contains(finding.place.text(self.text))
        });
        view.bodies.extend(skipped);
        findings.extend(check_unused::check(self.text, &view, &statements));
        if findings.len() + advice.len() > 0 {
            let suppressions = Suppressions::parse(self.text);
            findings.retain(|f| !suppressions.silence(f.rule, f.place.start as usize));
            advice.retain(|a| !suppressions.silence(a.rule, a.place.start as usize));
        }
        let mut all = diagnostic::describe(self.text, &view, &names, findings);
        all.extend(diagnostic::faults(self.text, &faults));
        all.extend(diagnostic::advice(self.text, advice));
        all.sort_by_key(|diagnostic| (diagnostic.position, diagnostic.rule));
        all.dedup();
        all
    }

    /// What blocks the script: its first syntax error, or else the rules it breaks.
    pub(crate) fn blocking_diagnostics(&self) -> Vec<Diagnostic> {
        match self.fault {
            Some(fault) => diagnostic::faults(self.text, &[fault]),
            None => diagnostic::describe(self.text, &self.view, &self.names, self.findings.clone()),
        }
    }

    /// The types of the resources the script creates, each once, sorted.
    pub fn types(&self) -> Vec<&'a str> {
        let standing = self.view.declarations.iter().filter(|d| d.is_current);
        let mut types: Vec<_> = standing.map(|d| d.kind.text(self.text)).collect();
        types.sort_unstable();
        types.dedup();
        types
    }

    /// For each type, sorted, the paths of the fields that are set on its resources, each once,
    /// sorted.
    pub fn fields(&self) -> Vec<(&'a str, Vec<&str>)> {
        let types = self.types();
        let paths = self.set_fields(&types);
        let mut rest = paths.as_slice();
        (0..)
            .zip(types)
            .map(|(number, kind)| {
                let (own, others) = rest.split_at(rest.partition_point(|&(of, _)| of <= number));
                rest = others;
                (kind, own.iter().map(|&(_, path)| path).collect())
            })
            .collect()
    }

    /// Each field that is set on a resource, once: the number of its type in `types`, and its
    /// path; sorted.
    pub fn set_fields(&self, types: &[&str]) -> Vec<(u32, &str)> {
        let mut last = (None, 0);
        // The type, the first bytes of the path and the assignment in one number: what sorts such
        // numbers is quicker than what compares names.
        let mut keys: Vec<u128> = Vec::with_capacity(self.view.assignments.len());
        for (number, assignment) in (0_u32..).zip(&self.view.assignments) {
            let Some(owner) = self.view.owner(assignment) else { continue };
            if last.0 != assignment.owner {
                let kind = owner.kind.text(self.text);
                last = (assignment.owner, types.partition_point(|&known| known < kind));
            }
            let prefix = u128::from(self.path_prefix(assignment));
            keys.push((last.1 as u128) << 96 | prefix << 32 | u128::from(number));
        }
        keys.sort_unstable();
        let mut set: Vec<(u32, &str)> = Vec::with_capacity(keys.len());
        for alike in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
            let from = set.len();
            set.extend(alike.iter().filter_map(|key| self.keyed(*key)));
            if alike.len() > 1 {
                sort_and_dedup_from(&mut set, from);
            }
        }
        set
    }

    /// The type and the path behind a key of `set_fields`.
    #[expect(clippy::cast_possible_truncation, reason = "both are kept in 32 bits")]
    fn keyed(&self, key: u128) -> Option<(u32, &str)> {
        let assignment = self.view.assignments.get(key as u32 as usize)?;
        Some(((key >> 96) as u32, self.path(assignment)))
    }

    /// The words the statements of the mission sequence are listed under, each once, sorted.
    pub fn commands(&self) -> Vec<&'a str> {
        let heads = self.view.heads.iter().map(|head| head.text(self.text));
        let keywords = self.view.keywords.words().map(|word| -> &'a str { word });
        let mut commands: Vec<_> = heads.chain(keywords).collect();
        commands.sort_unstable();
        commands.dedup();
        commands
    }

    /// Whether the script creates a resource of this type.
    pub fn has_type(&self, wanted: &str) -> bool {
        let mut standing = self.view.declarations.iter().filter(|d| d.is_current);
        standing.any(|d| d.kind.slice(self.bytes()) == wanted.as_bytes())
    }

    /// Whether the script sets the field with this path on a resource of this type.
    pub fn has_field(&self, wanted_type: &str, path: &str) -> bool {
        self.view.assignments.iter().any(|assignment| {
            self.path(assignment) == path
                && self
                    .view
                    .owner(assignment)
                    .is_some_and(|d| d.kind.slice(self.bytes()) == wanted_type.as_bytes())
        })
    }

    /// Whether a statement of the mission sequence is listed under this word.
    pub fn has_command(&self, wanted: &str) -> bool {
        self.view.keywords.words().any(|word| word == wanted)
            || self.view.heads.iter().any(|head| head.slice(self.bytes()) == wanted.as_bytes())
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The first bytes of a path as a number: paths that differ in it are ordered by it.
    fn path_prefix(&self, assignment: &Assignment) -> u64 {
        match assignment.path {
            Path::Flat => index::prefix(self.bytes(), assignment.field),
            Path::Plain(span) => index::prefix(self.bytes(), span),
            Path::Spelt(_) => {
                let path = self.path(assignment).as_bytes();
                index::prefix(path, Span::new(0, path.len()))
            }
        }
    }

    fn path(&self, assignment: &Assignment) -> &str {
        match assignment.path {
            Path::Flat => assignment.field.text(self.text),
            Path::Plain(span) => span.text(self.text),
            Path::Spelt(number) => {
                self.view.joined_paths.get(number as usize).map_or("", String::as_str)
            }
        }
    }
}

/// Sorts what is at and behind `from`, and drops repetitions there.
fn sort_and_dedup_from(set: &mut Vec<(u32, &str)>, from: usize) {
    set[from..].sort_unstable();
    let mut kept = from;
    for at in from + 1..set.len() {
        if set[at] != set[kept] {
            kept += 1;
            set[kept] = set[at];
        }
    }
    set.truncate(kept + 1);
}

/// The diagnostics of a script file, and as much of it as is UTF-8. A byte that is not UTF-8 is a
/// syntax error.
pub(crate) fn check_bytes(bytes: &[u8]) -> (&str, Vec<Diagnostic>) {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return (text, Script::parse(text).diagnostics()),
        Err(error) => error,
    };
    let at = error.valid_up_to();
    let text = std::str::from_utf8(&bytes[..at]).unwrap_or_default();
    let line = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = text.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let byte = bytes.get(at).copied().unwrap_or_default();
    let diagnostic = Diagnostic {
        rule: Rule::SyntaxError,
        position: Position { line, column },
        width: 1,
        message: format!("expected UTF-8 text, found the byte 0x{byte:02X}"),
        suggestion: None,
    };
    (text, vec![diagnostic])
}
