//! The only room that prints. What a command did or found goes to stdout ([`Ui::result`],
//! [`Ui::findings`]); notes, progress, warnings and errors go to stderr ([`Ui::note`]).
//!
//! Most text here comes from files other people wrote, so every string passes [`escape`] before a
//! terminal sees it.

mod analysis;
mod check;
pub mod diff;
mod eval;
pub mod hints;
mod history;
pub mod hub;
mod lint;
mod open;
pub(crate) mod output;
mod progress;
mod report;
mod table;
mod verify;

pub use analysis::{StatRow, nothing_to_correlate};
pub use check::CheckReport;
pub(crate) use diff::{human, markdown};
pub use eval::{EvalCounts, EvalLeft, EvalProgress};
pub use history::{Recorded, SeriesView, WeekShape};
pub use lint::{LintTally, Linted, sarif, verdict};
pub use progress::{Progress, Working};

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use anstream::{AutoStream, ColorChoice};

use crate::domain::config::Config;
use crate::domain::{Code, Failure, Finding, escape_json};
use crate::ledger::Week;
use crate::workspace::{Appended, HeldOutSets};

pub use crate::domain::escape;

/// `1 run`, `3 runs`.
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// How many notes of one code are printed in full.
const NOTES_IN_FULL: usize = 3;
/// How many failures of one kind are printed in full.
const FAILURES_IN_FULL: usize = 4;
/// How many kinds of failures are printed apart.
const FAILURE_KINDS: usize = 50;
/// The notes this process has printed: `site` runs three commands that may find the same.
static NOTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Replaces control characters but tabs and line ends by `?` while active.
struct ControlCharFilter<W> {
    out: W,
    active: bool,
}

impl<W: Write> Write for ControlCharFilter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.active {
            return self.out.write(bytes);
        }
        let tame = |byte: &u8| match byte {
            b'\t' | b'\n' | b'\r' => *byte,
            0..=31 | 127 => b'?',
            _ => *byte,
        };
        self.out.write_all(&bytes.iter().map(tame).collect::<Vec<u8>>())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether stdout took it; a closed pipe is not a failure.
fn taken(written: io::Result<()>) -> Result<bool, Failure> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::world("the result could not be written")
            .at("stdout")
            .detail(error.to_string())),
    }
}

/// Where output goes and how.
#[derive(Debug, Clone, Copy)]
pub struct Ui {
    color: ColorChoice,
    quiet: bool,
    is_data: bool,
}

impl Ui {
    /// `quiet` prints only data, findings and failures. `is_data`: a program reads stdout, so
    /// sentences go to stderr.
    pub fn new(color: ColorChoice, quiet: bool, is_data: bool) -> Self {
        Self { color, quiet, is_data }
    }

    /// Whether results go to a person's terminal rather than into a file or pipe.
    pub fn is_terminal(self) -> bool {
        io::stdout().is_terminal()
    }

    /// Writes tables and data to stdout; styles are dropped where they cannot be shown.
    ///
    /// A closed pipe is not a failure: `gmat-leaderboard … | head` ends quietly.
    pub fn out(self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        let mut out = AutoStream::new(io::stdout().lock(), self.color);
        taken(out.write_all(bytes.as_ref()).and_then(|()| out.flush())).map(drop)
    }

    /// Writes bytes without styles to stdout; `false` if the pipe is closed.
    pub fn stream(self, bytes: &[u8]) -> Result<bool, Failure> {
        let mut out = io::stdout().lock();
        taken(out.write_all(bytes).and_then(|()| out.flush()))
    }

    /// Writes what `fill` produces to stdout; a closed pipe is not a failure.
    pub fn pour(self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        // Replace control characters on a terminal only; files and pipes get the exact bytes.
        let tamed = ControlCharFilter { out: io::stdout().lock(), active: self.is_terminal() };
        let mut out = io::BufWriter::new(tamed);
        taken(fill(&mut out).and_then(|()| out.flush())).map(drop)
    }

    /// Writes one value as one line of JSON to stdout, harmless if that is a terminal.
    pub fn json(self, value: &impl serde::Serialize) -> Result<(), Failure> {
        self.out(json_line(value))
    }

    /// Prints a sentence that says what the command did or found, unless quiet. The line is escaped.
    pub fn result(self, line: &str) -> Result<(), Failure> {
        if self.quiet { Ok(()) } else { self.answer(&format!("{}\n", escape(line))) }
    }

    fn answer(self, text: &str) -> Result<(), Failure> {
        if self.is_data {
            self.err(text);
            return Ok(());
        }
        self.out(text)
    }

    /// Prints a note or a warning to stderr, unless quiet. The line is escaped.
    pub fn note(self, line: &str) {
        if !self.quiet {
            self.err(&format!("{}\n", escape(line)));
        }
    }

    /// Prints what the search of lines found. Returns the weeks that changed, `None` if nothing was
    /// recorded.
    pub fn appended(self, appended: Appended) -> Result<Option<Vec<Week>>, Failure> {
        self.findings(&appended.findings)?;
        if appended.weeks.is_none() {
            self.result("nothing was recorded")?;
        }
        Ok(appended.weeks)
    }

    /// Says that nothing was searched for held-out texts, if that is so and a seed has any.
    pub fn note_unsearched(self, config: &Config, sets: &HeldOutSets) {
        if sets.is_empty() && config.seeds.iter().any(|seed| seed.held_out_bundle.is_some()) {
            self.note(hints::NO_HELD_OUT_SET);
        }
    }

    /// Prints findings, which are part of the result, and notes in the order given. Notes are left
    /// out when quiet, and of one kind only the first few are printed in full.
    pub fn findings(self, findings: &[Finding]) -> Result<(), Failure> {
        let mut counts: BTreeMap<Code, usize> = BTreeMap::new();
        for finding in findings {
            let count = counts.entry(finding.code).or_default();
            if finding.decides() {
                self.answer(&report::finding(finding))?;
                continue;
            }
            *count += 1;
            let text = report::finding(finding);
            if !self.quiet && *count <= NOTES_IN_FULL && is_new(&text) {
                self.err(&text);
            }
        }
        for (code, count) in counts.into_iter().filter(|(_, count)| *count > NOTES_IN_FULL) {
            let line = format!("note[{code}]: and {} more like these", count - NOTES_IN_FULL);
            if is_new(&line) {
                self.note(&line);
            }
        }
        Ok(())
    }

    /// Prints findings and notes as annotations of a pull request.
    pub fn annotate(self, findings: &[Finding]) -> Result<(), Failure> {
        for finding in findings {
            let level = if finding.decides() { "error" } else { "notice" };
            let colon = if finding.path.is_empty() { "" } else { ": " };
            let help = hints::help_on(finding);
            let message = format!("{}\n{}{colon}{help}", finding.what, finding.path);
            let title = finding.code.as_str();
            self.out(report::annotation(level, &finding.file, "", title, &message))?;
        }
        Ok(())
    }

    /// Prints a failure and the others it carries; of failures that differ only in names and
    /// numbers, the first few and how many more there are. Names may be made to look like different
    /// kinds, so the kinds have a limit too.
    pub fn failure(self, failure: &Failure) {
        let mut groups: BTreeMap<String, (usize, &Failure)> = BTreeMap::new();
        for one in std::iter::once(failure).chain(&failure.others) {
            let code = one.code.map(Code::as_str).unwrap_or_default();
            let mut kind = format!("{code} {}", shape(&one.what));
            if groups.len() >= FAILURE_KINDS && !groups.contains_key(&kind) {
                kind = String::new();
            }
            let (count, _) = groups.entry(kind).or_insert((0, one));
            *count += 1;
            if *count <= FAILURES_IN_FULL {
                self.err(&report::failure(one));
            }
        }
        for (count, first) in groups.values().filter(|(count, _)| *count > FAILURES_IN_FULL) {
            self.err(&report::more(first, count - FAILURES_IN_FULL));
        }
    }

    /// A progress bar for `length` steps of `what`; shows itself only on a terminal and only
    /// when the work takes longer than half a second.
    pub fn progress(self, length: usize, what: &'static str) -> Progress {
        Progress::new(length, what, !self.quiet && io::stderr().is_terminal())
    }

    /// Shows on a terminal what a command is doing, if that takes longer than half a second.
    pub fn working(self) -> Working {
        Working::new(self, !self.quiet && io::stderr().is_terminal())
    }

    fn err(self, text: &str) {
        // Ignore the error: there is no other stream to report it on.
        let _ = AutoStream::new(io::stderr().lock(), self.color).write_all(text.as_bytes());
    }
}

fn json_line(value: &impl serde::Serialize) -> String {
    let line = serde_json::to_string(value).unwrap_or_default();
    format!("{}\n", escape_json(&line))
}

/// Whether this process has not printed the note before.
fn is_new(note: &str) -> bool {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).insert(note.to_owned())
}

/// A message without the names it quotes and the numbers in it.
fn shape(what: &str) -> String {
    let words = what.split('`').enumerate().map(|(at, part)| if at % 2 == 1 { "" } else { part });
    words.collect::<Vec<_>>().join("`").replace(|c: char| c.is_ascii_digit(), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_differ_in_names_and_numbers_have_one_shape() {
        assert_eq!(shape("no prompt `a` on line 3"), shape("no prompt `b` on line 12"));
        assert_ne!(shape("no prompt `a`"), shape("no vote on `a`"));
    }

    #[test]
    fn data_on_a_terminal_cannot_command_it() {
        let mut tamed = ControlCharFilter { out: Vec::new(), active: true };
        tamed.write_all(b"a\x1b[2J,\"b\"\r\n\x7f\t").expect("memory");
        assert_eq!(tamed.out, b"a?[2J,\"b\"\r\n?\t");
    }
}
