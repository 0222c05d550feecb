//! Language models over HTTP: one question in, one answer out. Never prints.
//!
//! The key comes from the environment and goes to one origin. Redirects are not followed. Every reply
//! has a size limit and every call a time limit.

mod client;
mod error;
mod provider;
mod wire;

pub(crate) use client::ModelClient;
pub(crate) use error::{ModelError, ModelRetry};
pub(crate) use provider::{Provider, Service};
#[cfg(not(sealed))]
pub use wire::try_replies;
pub(crate) use wire::{ModelReply, Question};
