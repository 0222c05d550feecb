//! Posts cards about runs to channels. The addresses are secrets: they come from the environment, are
//! held in a type that cannot be printed, and no word of the transport is ever repeated.
//!
//! The run is recorded before anything is posted, and stays recorded if posting fails.

mod card;
mod channel;
mod post;
mod secret;
mod unsent;

use std::time::Duration;

use serde_json::Value;

use card::payload;
pub use card::{Scale, digest};
pub use channel::Channel;
pub use post::{PAUSE, PostFault, Reply, Transport, deliver, post};
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

/// The posts about `run` to those of `channels` that it is for, in the order they are sent.
pub fn posts(
    run: &Run,
    derived: &Derived,
    scale: &Scale,
    report_url: Option<&str>,
    channels: &[Channel],
) -> Vec<Post> {
    let post = |channel: &Channel| Post {
        run_id: run.run_id.clone(),
        channel: channel.clone(),
        payload: payload(channel.kind, run, derived, scale, report_url),
    };
    channels.iter().filter(|channel| channel.is_for(run)).map(post).collect()
}

/// Sends every post in order, at most one a second to each channel, and says of each why it was
/// not taken, in fixed words. A channel that failed for another reason than the card itself
/// (`http 400`) is not tried again.
pub fn send_all(posts: &[Post], base: Option<&str>) -> Vec<Result<(), String>> {
    let mut used = Vec::new();
    let mut down: Vec<(&Channel, String)> = Vec::new();
    let mut sleep = |wait: Duration| std::thread::sleep(wait);
    let mut one = |card| {
        let Post { channel, payload, .. }: &Post = card;
        if let Some((_, why)) = down.iter().find(|(other, _)| *other == channel) {
            return Err(why.clone());
        }
        let mut fails = |why: String| {
            if !why.starts_with("http 400") {
                down.push((channel, why.clone()));
            }
            why
        };
        let address = match webhook(channel, base) {
            Ok(address) => address,
            Err(why) => return Err(fails(why.to_owned())),
        };
        if used.contains(&channel) {
            sleep(PAUSE);
        }
        used.push(channel);
        let body = serde_json::to_vec(payload).unwrap_or_default();
        deliver(&address, &body, &mut post, &mut sleep).map_err(fails)
    };
    posts.iter().map(&mut one).collect()
}
