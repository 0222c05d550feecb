//! Strict JSON in, canonical JSON out. Every byte that comes from outside as JSON passes here once.
//!
//! Strict means: UTF-8 without a byte order mark, one document, no repeated key at any depth, no
//! `NaN`, no overflow, a depth limit. The tree borrows from the text and every node knows its
//! offset, so a type mistake found later can still name its line and key path.
//!
//! Numbers are kept as their source text. `51` and `51.0` are different things to a verifier,
//! although they are equal to most parsers.

mod append;
mod canonical;
mod float;
mod node;
mod parse;

pub use append::{append, replace};
pub use canonical::pretty;
pub(crate) use canonical::python_float;
pub use float::parse_float;
pub use node::{Document, Location, Mismatch, Node, Number, Object, Value};
pub use parse::{Fault, JsonError, Limits, parse, parse_members, parse_with};
