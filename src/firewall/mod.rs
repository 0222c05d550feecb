//! The content firewall: is any text of the held-out set in what is about to be published?
//!
//! The published types cannot hold a prompt; their bytes are searched all the same. What is
//! about to leave is indexed once ([`Outgoing`]), through every disguise; then the held-out texts
//! stream past the index and are never kept. So memory follows the size of the board, not of the
//! held-out set, and the time is linear in both.
//!
//! ```
//! use gmat_leaderboard::internals::firewall::{Exempt, Origin, Outgoing};
//!
//! let page = "<p>Cebcntngr hagvy gur crevtrr vf 7000 xz</p>";
//! let mut outgoing = Outgoing::new(Exempt::default());
//! outgoing.add_page("index.html", page);
//! let origin = Origin { file: "held/m1/prompts.json", number: 3 };
//! let hits = outgoing.search_text(&origin, "Propagate until the perigee is 7000 km.");
//! let finding = &outgoing.findings(&hits)[0];
//! assert_eq!(finding.path, "line 1");
//! assert_eq!(finding.what, "contains text of held-out prompt 3 of `held/m1/prompts.json`, encoded as rot13");
//! ```
//!
//! Nothing here may repeat a held-out text, not even a key of the board, which may itself be the
//! leak.

mod decode;
mod exempt;
mod held_out_prompts;
mod leak;
mod ledger;
mod normalise;
mod outgoing;
mod path;
mod public_answers;
mod rare_words;
mod redact;
mod rolling;
mod runs;
mod scan;
mod strings;
mod unpack;

pub use exempt::Exempt;
pub use held_out_prompts::{HeldOutPrompts, REMEDY};
pub use ledger::unescaped_ledger;
pub use outgoing::{Hit, Origin, Outgoing};
pub use public_answers::split_answers;
pub use redact::leaks_first;
pub(crate) use unpack::unpacked;

#[cfg(test)]
mod tests;
