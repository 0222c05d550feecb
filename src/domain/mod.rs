//! The nouns everything else is built from: checked once at the door, never again.
//!
//! Nothing here reads, prints or asks the time. A failed check is a [`Finding`] and a value; a
//! [`Failure`] means that the check could not be made.

mod code;
mod code_table;
pub mod config;
mod escape;
mod exit;
mod failure;
mod finding;
mod hint;
mod name;
mod nearest;
mod phrase;
mod rate;
mod round;
mod sha16;
mod slug;
mod stamp;
mod xxh64;

pub use code::Code;
pub use escape::{
    clean, escape, escape_json, escape_latex, escape_markdown, harmless, percent_encode, unharmed,
};
pub(crate) use escape::{escape_xml, scrub};
pub use exit::Exit;
pub use failure::{Failure, parse_document};
pub use finding::{Finding, Severity};
pub(crate) use hint::{FindingHint, Hint};
pub use name::{is_model, is_provider, name_fault, split_name};
pub use nearest::nearest;
pub(crate) use phrase::capital;
pub use phrase::{list, truncate};
pub use rate::{Gap, Rate, share};
pub(crate) use round::real;
pub use round::{round, round6, signed};
pub use sha16::{sha16, sha256};
pub use slug::slug;
pub(crate) use slug::slug_of;
pub(crate) use stamp::has_shape;
pub use stamp::{day, is_stamp, is_version, stamp};
pub use xxh64::xxh64_hex;
