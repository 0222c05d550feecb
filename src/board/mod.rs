//! The published artefact: its types, how it is built and ranked, its canonical bytes, and every
//! check that can be made of it. Takes values and gives values.
//!
//! What a newcomer gets wrong: the board holds only what replay produced. Whatever else is known
//! (intervals, badges, per-prompt outcomes) is derived when it is shown, never stored here.

pub mod firewall;
mod model;

pub use model::{Board, Cell, HeldOut, Loop, PENDING, RANKING, Row, Run};
