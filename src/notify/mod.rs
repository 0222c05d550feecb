//! Tells a channel about a run. The addresses are secrets: they come from the environment, are
//! held in a type that cannot be printed, and no word of the transport is ever repeated.
//!
//! What a newcomer gets wrong: the run is recorded before anybody is told, and stays recorded
//! whether or not telling works.

mod card;

pub use card::{Channel, Scale, payload};
