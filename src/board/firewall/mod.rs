//! The content firewall: is any text of the held-out set in what is about to be published?
//!
//! The published types cannot hold a prompt; their bytes are searched all the same. What is
//! about to leave is indexed once ([`Outgoing`]), through every disguise; then the held-out texts
//! stream past the index and are never kept. So memory follows the size of the board, not of the
//! held-out set, and the time is linear in both.
//!
//! What a newcomer gets wrong: nothing here may repeat a held-out text, not even a key of the
//! board, which may itself be the leak.

mod decode;
mod exempt;
mod fold;
mod gather;
mod index;
mod leak;
mod outgoing;
mod path;
mod shingle;
mod words;

pub use exempt::Exempt;
pub use leak::{Leak, LeakKind, findings};
pub use outgoing::{Origin, Outgoing};

#[cfg(test)]
mod tests;
