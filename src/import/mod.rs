//! Parsers for other programs' result files. Those of evaluation programs return an
//! [`ImportOutcome`] for each model that was evaluated; those of any columns add cells to a
//! [`Builder`](crate::table::Builder).
//!
//! The parsers of results files read known keys only, because such files can contain prompts, paths
//! and API keys. CSV, JSON Lines and exports keep every column. Whatever is skipped is reported as a [`Note`].

pub mod cells;
mod document;
pub mod exported;
mod foreign;
pub mod inspect;
mod json_value;
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

pub use document::document;
pub use foreign::Foreign;
pub use note::{ImportError, Note, Tally};
pub use outcome::{ImportOutcome, add_outcomes};
pub use sniff::{HEAD, SUPPORTED, Sniffed, Source, sniff, sniff_document};
