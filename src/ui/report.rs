//! Words findings and failures: what, where, both sides, what to do.

use anstyle::{AnsiColor, Style};

use super::escape;
use super::hints::{advice_on, help_on};
use crate::board::UsedWaiver;
use crate::domain::config::Waiver;
use crate::domain::{Failure, Finding, Severity};

const BAD: Style = AnsiColor::Red.on_default().bold();
const MILD: Style = AnsiColor::Yellow.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default();

pub(super) fn finding(finding: &Finding) -> String {
    let (style, word) = match finding.severity {
        Severity::Finding => (BAD, "finding"),
        Severity::Note => (MILD, "note"),
    };
    let mut text = format!("{style}{word}[{}]{style:#}: {}\n", finding.code, escape(&finding.what));
    place_line(&mut text, &finding.place());
    match (&finding.published, &finding.rebuilt) {
        (Some(published), Some(rebuilt)) => {
            text += &format!("  published {}, rebuilt {}\n", escape(published), escape(rebuilt));
        }
        (Some(published), None) => text += &format!("  published {}\n", escape(published)),
        (None, Some(rebuilt)) => text += &format!("  rebuilt {}\n", escape(rebuilt)),
        (None, None) => {}
    }
    help_line(&mut text, &help_on(finding));
    text
}

pub(super) fn failure(failure: &Failure) -> String {
    let code = failure.code.map(|code| format!("[{code}]")).unwrap_or_default();
    let mut text = format!("{BAD}error{code}{BAD:#}: {}\n", escape(&failure.what));
    place_line(&mut text, failure.place.as_deref().unwrap_or_default());
    for detail in &failure.details {
        text += &format!("  {}\n", escape(detail));
    }
    help_line(&mut text, &advice_on(failure).unwrap_or_default());
    text
}

/// How many more failures are like `first`.
pub(super) fn more(first: &Failure, count: usize) -> String {
    let code = first.code.map(|code| format!("[{code}]")).unwrap_or_default();
    let what = escape(&first.what);
    format!("{BAD}error{code}{BAD:#}: and {count} more like the first of these: {what}\n")
}

/// One line about a waiver that was used, with the rows it marks.
pub(super) fn waived(used: &UsedWaiver) -> String {
    let UsedWaiver { waiver: Waiver { code, path, who, why, until }, rows } = used;
    let others: Vec<&str> = rows.iter().map(String::as_str).filter(|row| row != path).collect();
    let of =
        if others.is_empty() { String::new() } else { format!(" (row {})", others.join(", ")) };
    format!("waived: {code} at `{path}`{of} until {until}, by {who}: {why}")
}

fn place_line(text: &mut String, place: &str) {
    if !place.is_empty() {
        *text += &format!("  --> {}\n", escape(place));
    }
}

fn help_line(text: &mut String, help: &str) {
    if !help.is_empty() {
        *text += &format!("{HELP}help{HELP:#}: {}\n", escape(help));
    }
}

/// A GitHub workflow command that annotates a file in a pull request; `place` is `,line=…,col=…`, a
/// part of it, or empty.
pub(super) fn annotation(
    level: &str,
    file: &str,
    place: &str,
    title: &str,
    message: &str,
) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    // Lines of a message stay lines; whatever else a terminal would obey does not.
    let lines: Vec<_> = message.split('\n').map(escape).collect();
    format!(
        "::{level} file={}{place},title={}::{}\n",
        property(file),
        property(title),
        data(&lines.join("\n"))
    )
}
