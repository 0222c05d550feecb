//! Files of cells: one value per line, in several column orders.
//!
//! The aggregate's name (`all`) is a word of these files. It is read here, written here, and known
//! nowhere else.

mod detect;
mod format;
mod read;
mod verify;
mod write;

pub use detect::{Detected, detect, guess_by_topics};
pub use format::Format;
pub use read::{Lines, Raw, Typing, run_name};
pub use verify::incomplete;
pub(crate) use write::write_line;
pub use write::{WriteError, write, write_by_run};

/// What the aggregate's topic is called unless somebody says otherwise.
pub const ALL: &str = "all";
