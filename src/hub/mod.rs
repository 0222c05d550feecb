//! Hugging Face over HTTP: a private dataset in, a static Space out.
//!
//! Never prints. The token is sent only to the origin of the configured endpoint.
//! Everything a hub sends is a stranger's claim: names, sizes, redirects, links, words. Each is
//! checked where it comes in.

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
mod site;
mod token;
mod upload;
mod url;

#[cfg(not(sealed))]
pub use answer::try_answers;
pub(crate) use answer::{error_message, wait_asked};
pub(crate) use checkup::{Check, CheckState, checkup};
pub(crate) use client::{Client, HubEvent, Patience, transport_words};
pub(crate) use error::{HubError, Refusal};
pub(crate) use fetch::{Fetch, Fetched, FetchedFiles};
pub(crate) use name::BadName;
pub(crate) use outgoing::{held_out_files, other_board};
pub(crate) use publish::{Publish, Published, SITE_LIMIT, SiteFiles, Visibility};
pub(crate) use repo::RepoId;
pub(crate) use resolve::Resolve;
pub(crate) use site::{fetch_site, fetch_space};
pub(crate) use token::{Token, server_words};
pub(crate) use url::{Endpoint, Url};
