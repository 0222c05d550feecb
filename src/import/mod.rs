//! Parsers for other programs' result files. Each adds cells to a
//! [`Builder`](crate::table::Builder).
//!
//! The LightEval and lm-evaluation-harness parsers read known keys only, because such files can
//! contain paths and API keys. CSV and JSON Lines keep every column. Whatever is skipped is
//! reported as a [`Note`].

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
