//! Turns recorded evaluation bundles of language models that write GMAT mission scripts into a
//! ranked, aggregate-only board that anybody can re-derive offline, and into the static site
//! that shows it.
//!
//! Three floors: `core` (pure: no file, clock, network or print), `edge` (files, pages, HTTP) and
//! `cli`. A room may use rooms of its own floor or below, never above; `tests/architecture.rs`
//! holds the table.

pub mod gmat;
