//! Files of other programs → cells of one table. Readers take bytes; the file's name is for
//! messages, for the time in it, and for the run where lines do not name one.
//!
//! Nothing is skipped without a [`Note`]. The readers of results files take fields by name; those
//! of CSV and JSON lines take every column.

pub mod board;
pub mod cells;
mod foreign;
pub mod inspect;
pub mod lighteval;
pub mod lm_eval;
mod note;
pub mod openai_evals;
mod outcome;
pub mod promptfoo;
pub mod records;
pub mod result_file;
pub mod rlm_code;
mod sniff;
mod spell;

pub use foreign::Foreign;
pub use note::{ImportError, Note, Tally};
pub use outcome::{Outcome, add_outcomes};
pub use sniff::{HEAD, SUPPORTED, Sniffed, Source, sniff, sniff_document};
