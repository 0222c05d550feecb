//! Tells a channel about a run. The addresses are secrets: they come from the environment, are
//! held in a type that cannot be printed, and no word of the transport is ever repeated.
//!
//! The run is recorded before anything is posted, and stays recorded if posting fails.

mod card;
mod post;
mod secret;
mod unsent;

use std::time::Duration;

use serde_json::Value;

pub use card::{Channel, Scale, digest, payload};
pub use post::{PAUSE, PostFault, Reply, Transport, Undelivered, deliver, post};
pub use secret::{WebhookSecret, webhook};
pub use unsent::{Unsent, read_unsent, unsent_bytes};

use crate::ledger::{Derived, Run};

/// A card for one channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Post {
    /// Of which run.
    pub run_id: String,
    /// Where it goes.
    pub channel: Channel,
    /// What it says.
    pub payload: Value,
}

/// The posts about `run`, in the order they are sent.
pub fn posts(run: &Run, derived: &Derived, scale: &Scale, report_url: Option<&str>) -> Vec<Post> {
    let payload = payload(run, derived, scale, report_url);
    let post = |channel: &Channel| Post {
        run_id: run.run_id.clone(),
        channel: *channel,
        payload: payload.clone(),
    };
    Channel::for_run(run).iter().map(post).collect()
}

/// Sends every post in order, at most one a second to each channel, and says of each why it was
/// not taken, in fixed words. A channel that failed for another reason than the card itself
/// (`http 400`) is not tried again.
pub fn tell(posts: &[Post], base: Option<&str>) -> Vec<Result<(), String>> {
    let mut used = Vec::new();
    let mut down: Vec<(Channel, String)> = Vec::new();
    let mut sleep = |wait: Duration| std::thread::sleep(wait);
    let mut one = |card: &Post| {
        if let Some((_, why)) = down.iter().find(|(channel, _)| *channel == card.channel) {
            return Err(why.clone());
        }
        let fails = |why: String, down: &mut Vec<(Channel, String)>| {
            if !why.starts_with("http 400") {
                down.push((card.channel, why.clone()));
            }
            why
        };
        let address = match webhook(card.channel, base) {
            Ok(address) => address,
            Err(why) => return Err(fails(why.to_owned(), &mut down)),
        };
        if used.contains(&card.channel) {
            sleep(PAUSE);
        }
        used.push(card.channel);
        let body = serde_json::to_vec(&card.payload).unwrap_or_default();
        deliver(&address, &body, &mut post, &mut sleep)
            .map_err(|error| fails(error.to_string(), &mut down))
    };
    posts.iter().map(&mut one).collect()
}
