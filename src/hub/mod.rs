//! Hugging Face over HTTP: a private dataset in, a static Space out.
//!
//! Never prints, never asks what a board means, and gives the token to nobody but the endpoint.
//! What a newcomer gets wrong: everything a hub sends is a stranger's claim: names, sizes,
//! redirects, links, words. Each is checked where it comes in.

mod answer;
mod checkup;
mod client;
mod digest;
mod error;
mod fetch;
mod manifest;
mod name;
mod outgoing;
mod publish;
mod repo;
mod resolve;
mod token;
mod upload;
mod url;

pub use checkup::{Check, CheckState, checkup};
pub use client::{Client, HubEvent, Patience, Watch};
pub use error::{HubError, Refusal};
pub use fetch::{Fetch, Fetched, Moved};
pub use name::BadName;
pub use outgoing::{held_out_files, other_board};
pub use publish::{Publish, Published, SITE_LIMIT, SiteFiles, Visibility};
pub use repo::{Info, RepoId, RepoKind};
pub use resolve::Resolve;
pub use token::Token;
pub use url::Endpoint;
