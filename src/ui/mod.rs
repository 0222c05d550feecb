//! The only room that prints. Results go to stdout, everything said to a person to stderr.
//!
//! What a newcomer gets wrong: most text here comes from files other people wrote, so every
//! string passes [`escape`] before a terminal sees it.

mod analysis;
mod check;
mod grid;
mod history;
pub mod hub;
mod lint;
mod open;
mod progress;
mod report;
pub mod review;
mod verify;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use crate::domain::{Code, Failure, Finding, escape_json};

pub use crate::domain::escape;
pub use analysis::{StatRow, nothing_to_correlate};
pub use check::CheckReport;
pub use history::{Recorded, SeriesView};
pub use lint::{Linted, Tally, verdict};
pub use progress::Progress;
pub use report::github_annotation;
pub use verify::Verdict;

/// How many notes of one code are told in full.
const NOTES_IN_FULL: usize = 3;

/// Replaces control characters but tabs and line ends by `?` while active.
struct Tamed<W> {
    out: W,
    active: bool,
}

impl<W: Write> Write for Tamed<W> {
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

/// Where output goes and how.
#[derive(Debug, Clone, Copy)]
pub struct Ui {
    color: ColorChoice,
    quiet: bool,
}

impl Ui {
    /// `quiet` keeps everything but results, findings and failures to itself.
    pub fn new(color: ColorChoice, quiet: bool) -> Self {
        Self { color, quiet }
    }

    /// Whether results go to a person's terminal rather than into a file or pipe.
    pub fn is_terminal(self) -> bool {
        io::stdout().is_terminal()
    }

    /// Writes a result to stdout; styles are dropped where they cannot be shown.
    ///
    /// A reader that went away is no failure: `gmat-leaderboard … | head` ends quietly.
    pub fn out(self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        let mut out = AutoStream::new(io::stdout().lock(), self.color);
        match out.write_all(bytes.as_ref()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::world("the result could not be written")
                    .at("stdout")
                    .detail(error.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// Writes bytes that hold no styles to stdout, as they are; says whether anybody still reads.
    pub fn stream(self, bytes: &[u8]) -> Result<bool, Failure> {
        let mut out = io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(Failure::world("the result could not be written")
                .at("stdout")
                .detail(error.to_string())),
        }
    }

    /// Writes what `fill` gives to stdout as it comes; a reader that went away is no failure.
    pub fn pour(self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        // Data goes out as it is, except to a terminal, which obeys what it is told.
        let tamed = Tamed { out: io::stdout().lock(), active: self.is_terminal() };
        let mut out = io::BufWriter::new(tamed);
        match fill(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::world("the result could not be written")
                    .at("stdout")
                    .detail(error.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// Writes one value as one line of JSON to stdout, harmless if that is a terminal.
    pub fn json(self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let line = serde_json::to_string(value).unwrap_or_default();
        self.out(format!("{}\n", escape_json(&line)))
    }

    /// Says a line to a person, unless quiet. The line is escaped.
    pub fn say(self, line: &str) {
        if !self.quiet {
            self.err(&format!("{}\n", escape(line)));
        }
    }

    /// Tells findings and notes in the order given; notes are withheld when quiet, and of one kind
    /// only the first few are told in full.
    pub fn findings(self, findings: &[Finding]) {
        let mut told: BTreeMap<Code, usize> = BTreeMap::new();
        for finding in findings {
            let count = told.entry(finding.code).or_default();
            let shown = finding.decides() || (!self.quiet && *count < NOTES_IN_FULL);
            *count += usize::from(!finding.decides());
            if shown {
                self.err(&report::finding(finding));
            }
        }
        for (code, count) in told.into_iter().filter(|(_, count)| *count > NOTES_IN_FULL) {
            self.say(&format!("note[{code}]: and {} more like these", count - NOTES_IN_FULL));
        }
    }

    /// Tells findings and notes as annotations of a pull request.
    fn annotate(self, findings: &[Finding]) -> Result<(), Failure> {
        for finding in findings {
            let level = if finding.decides() { "error" } else { "notice" };
            let message = format!("{}\n{}: {}", finding.what, finding.path, finding.help);
            let title = finding.code.as_str();
            self.out(github_annotation(level, &finding.file, None, title, &message))?;
        }
        Ok(())
    }

    /// Tells a failure and the others it carries.
    pub fn failure(self, failure: &Failure) {
        self.err(&report::failure(failure));
        for other in &failure.others {
            self.err(&report::failure(other));
        }
    }

    /// A progress bar for `length` steps of `what`; shows itself only on a terminal and only
    /// when the work takes longer than half a second.
    pub fn progress(self, length: usize, what: &'static str) -> Progress {
        Progress::new(length, what, !self.quiet && io::stderr().is_terminal())
    }

    fn err(self, text: &str) {
        // If stderr is gone there is nobody left to tell.
        let _ = AutoStream::new(io::stderr().lock(), self.color).write_all(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_on_a_terminal_cannot_command_it() {
        let mut tamed = Tamed { out: Vec::new(), active: true };
        tamed.write_all(b"a\x1b[2J,\"b\"\r\n\x7f\t").expect("memory");
        assert_eq!(tamed.out, b"a?[2J,\"b\"\r\n?\t");
    }
}
