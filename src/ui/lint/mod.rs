//! Shows what `lint` found: a line for each diagnostic, source and caret on a terminal, JSON, SARIF,
//! annotations for a pull request.
//!
//! The script is a stranger's text. Everything quoted from it is escaped here, also the file name.

pub mod sarif;
pub mod verdict;

use std::fmt;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::report::annotation;
use super::{count, escape};
use crate::gmat::{Diagnostic, Position, Severity};

const BOLD: Style = Style::new().bold();
const GUTTER: Style = AnsiColor::Blue.on_default().bold();

/// How much of a source line is shown around the place.
const BEFORE: usize = 60;
const AFTER: usize = 60;
/// After so many diagnostics their source is no longer shown.
const MOST_SHOWN: usize = 1000;

/// One file and what is wrong with it.
#[derive(Debug)]
pub struct Linted<'a> {
    file: String,
    text: &'a str,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Linted<'a> {
    /// The `diagnostics` of `file`, whose readable text is `text`.
    pub fn new(file: String, text: &'a str, diagnostics: Vec<Diagnostic>) -> Self {
        Self { file, text, diagnostics }
    }

    /// One line for each diagnostic; on a `terminal` also the source line with a caret.
    pub fn human(&self, terminal: bool) -> String {
        let mut out = String::new();
        let mut lines = self.text.strip_prefix('\u{FEFF}').unwrap_or(self.text).split('\n');
        let (mut number, mut source) = (0, "");
        for (count, diagnostic) in self.diagnostics.iter().enumerate() {
            out += &self.line(diagnostic);
            if terminal && count < MOST_SHOWN {
                while number < diagnostic.position.line {
                    source = lines.next().unwrap_or_default();
                    number += 1;
                }
                out += &caret(diagnostic, source);
            }
        }
        out
    }

    fn line(&self, diagnostic: &Diagnostic) -> String {
        let Position { line, column } = diagnostic.position;
        let severity = diagnostic.severity();
        let style = style(severity);
        format!(
            "{BOLD}{}:{line}:{column}{BOLD:#} {style}{}{style:#} {} {}\n",
            escape(&self.file),
            severity.name(),
            diagnostic.rule.name(),
            escape(&message(diagnostic)),
        )
    }

    /// A workflow command for each diagnostic.
    pub fn github(&self) -> String {
        self.diagnostics
            .iter()
            .map(|diagnostic| {
                let level = match diagnostic.severity() {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Info => "notice",
                };
                let Position { line, column } = diagnostic.position;
                let place = format!(",line={line},col={column}");
                annotation(level, &self.file, &place, diagnostic.rule.name(), &message(diagnostic))
            })
            .collect()
    }

    /// The file as a part of the JSON document.
    pub fn report(&self) -> Report {
        Report { file: self.file.clone(), diagnostics: self.diagnostics.clone() }
    }
}

/// The message with the suggestion.
fn message(diagnostic: &Diagnostic) -> String {
    match &diagnostic.suggestion {
        Some(name) => format!("{}; did you mean `{name}`?", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Info => AnsiColor::Cyan.on_default().bold(),
    }
}

/// A part of a source line as it is shown.
pub(super) fn shown(text: &str) -> String {
    escape(&text.replace('\t', "    ")).into_owned()
}

/// The source line with the place marked below it; of a long line only the part around the place.
fn caret(diagnostic: &Diagnostic, source: &str) -> String {
    let Position { line, column } = diagnostic.position;
    let before = column - 1;
    let skipped = before.saturating_sub(BEFORE);
    let mut rest = source.trim_end_matches('\r').chars().skip(skipped);
    let lead = shown(&rest.by_ref().take(before - skipped).collect::<String>());
    let width = diagnostic.width.min(AFTER);
    let marked = shown(&rest.by_ref().take(width).collect::<String>());
    let tail = shown(&rest.by_ref().take(AFTER - width).collect::<String>());
    let cut = if skipped > 0 { "…" } else { "" };
    let more = if rest.next().is_some() { "…" } else { "" };
    let gutter = " ".repeat(line.to_string().len());
    let indent = " ".repeat(cut.chars().count() + lead.chars().count());
    let carets = "^".repeat(marked.chars().count().max(1));
    let style = style(diagnostic.severity());
    format!(
        " {GUTTER}{line} |{GUTTER:#} {cut}{lead}{marked}{tail}{more}\n \
         {GUTTER}{gutter} |{GUTTER:#} {indent}{style}{carets}{style:#}\n"
    )
}

/// How much was checked and found.
#[derive(Debug, Default, Clone, Copy)]
pub struct LintTally {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
}

impl LintTally {
    /// Counts one more file.
    pub fn add(&mut self, linted: &Linted<'_>) {
        self.files += 1;
        for diagnostic in &linted.diagnostics {
            *match diagnostic.severity() {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
                Severity::Info => &mut self.infos,
            } += 1;
        }
    }

    /// Whether anything counted blocks.
    pub fn blocks(&self) -> bool {
        self.errors + self.warnings > 0
    }

    /// The JSON document.
    pub fn document(&self, files: Vec<Report>) -> impl Serialize + use<> {
        Document { files, errors: self.errors, warnings: self.warnings, infos: self.infos }
    }
}

impl fmt::Display for LintTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} checked: {}, {}, {}",
            count(self.files, "script"),
            count(self.errors, "error"),
            count(self.warnings, "warning"),
            count(self.infos, "info"),
        )
    }
}

#[derive(Debug, Serialize)]
struct Document {
    files: Vec<Report>,
    errors: usize,
    warnings: usize,
    infos: usize,
}

/// What the JSON document says about one file.
#[derive(Debug, Serialize)]
pub struct Report {
    file: String,
    diagnostics: Vec<Diagnostic>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linted<'t>(file: &str, text: &'t str) -> Linted<'t> {
        let (text, diagnostics) = crate::gmat::check_bytes(text.as_bytes());
        Linted::new(file.to_owned(), text, diagnostics)
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn a_terminal_gets_the_source_line_with_a_caret_under_the_name() {
        let text =
            "Create Spacecraft Sat\r\n\tSat.DriMass = 850\r\nBeginMissionSequence\r\nStop Sat\r\n";
        let linted = linted("a.script", text);
        assert_eq!(
            plain(&linted.human(true)),
            "a.script:2:6 warning unknown-field Spacecraft `Sat` has no field `DriMass`; \
             did you mean `DryMass`?\n \
             2 |     Sat.DriMass = 850\n   |         ^^^^^^^\n"
        );
    }

    #[test]
    fn hostile_text_is_escaped_and_a_long_line_is_cut() {
        let text = format!("x = {}\u{1b}[2J {}", "1 + ".repeat(100), "y".repeat(500));
        let linted = linted("a\u{202e}b", &text);
        let shown = plain(&linted.human(true));
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
        assert!(shown.lines().all(|line| line.chars().count() < 150), "{shown}");
        assert!(shown.contains("\\u{1b}"), "{shown}");
    }

    #[test]
    fn the_file_ends_inside_the_last_line_and_the_caret_is_behind_it() {
        let linted = linted("-", "x = (1");
        assert_eq!(
            plain(&linted.human(true)),
            "-:1:7 error syntax-error expected an operator or `)`, found the end of the script\n \
             1 | x = (1\n   |       ^\n"
        );
    }
}
