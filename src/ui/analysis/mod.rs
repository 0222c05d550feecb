//! Words and tables of the analysis commands.

mod compare;
mod correlate;
mod figures;
mod ranking;

use super::hints::advice;
use super::{Ui, escape};
use crate::import::Tally;
use crate::table::Table;
use crate::workspace::LoadEvent;

pub use correlate::nothing_to_correlate;
pub use figures::StatRow;

/// How many notes are printed one by one.
const NOTES: usize = 20;

impl Ui {
    /// Says what was read and what was left out, each with its place.
    fn tally(self, tally: &Tally, hints: bool) {
        for note in tally.notes.iter().take(NOTES) {
            let hint = note.hint.as_ref().filter(|_| hints).and_then(advice);
            let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
            self.note(&format!("note: {}: {}{hint}", note.place, note.what));
        }
        if tally.notes.len() > NOTES {
            self.note(&format!("note: and {} more like these", tally.notes.len() - NOTES));
        }
        if tally.skipped > 0 {
            self.note(&format!("loaded {}, skipped {}", tally.loaded, tally.skipped));
        }
    }

    /// Says what is to be said while sources are read.
    pub fn remark(self, remark: LoadEvent<'_>) {
        match remark {
            LoadEvent::Source(path) => self.note(&format!("reading {}", path.display())),
            LoadEvent::Tally(tally) => self.tally(tally, true),
            LoadEvent::Note(note) => self.note(&format!("note: {note}")),
            LoadEvent::Phase(..) | LoadEvent::Step => {}
        }
    }

    /// Like the one above, for `correlate`, which does not have the flags that notes recommend.
    pub fn remark_without_hints(self, remark: LoadEvent<'_>) {
        match remark {
            LoadEvent::Tally(tally) => self.tally(tally, false),
            other => self.remark(other),
        }
    }
}

fn clean(text: &str) -> String {
    escape(text).into_owned()
}

/// What the source wants known about its columns, a line each, after `lead` if there is any.
fn notes(table: &Table, lead: &str) -> String {
    let notes = table.layout().map(|layout| layout.notes.as_slice()).unwrap_or_default();
    let lines: String = notes.iter().map(|note| clean(note) + "\n").collect();
    if lines.is_empty() { lines } else { format!("{lead}{lines}") }
}
