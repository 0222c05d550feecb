//! Other people's bytes → cells of one table. Each reader takes bytes and a builder; which file
//! they came from is a name in messages, nothing more.
//!
//! What a newcomer gets wrong: nothing is skipped without a [`Note`], and nothing a reader does
//! not know by name leaves the file.

mod note;
pub mod rlm_code;

pub use note::{ImportError, Note, Tally};
