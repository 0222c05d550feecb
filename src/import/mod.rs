//! Other people's bytes → cells of one table. Each reader takes bytes and a builder; which file
//! they came from is a name in messages, nothing more.
//!
//! What a newcomer gets wrong: nothing is skipped without a [`Note`], and nothing a reader does
//! not know by name leaves the file.

pub mod board;
pub mod cells;
pub mod lighteval;
pub mod lm_eval;
mod note;
pub mod records;
pub mod result_file;
pub mod rlm_code;
mod sniff;
mod spell;

pub use note::{ImportError, Note, Tally};
pub use sniff::{HEAD, SUPPORTED, Sniffed, Source, sniff, sniff_document};
