//! What is no secret, although a held-out file may hold it too.

use std::collections::HashSet;

use crate::firewall::decode::views;
use crate::firewall::normalise::{fold, folded};
use crate::firewall::rare_words::words;
use crate::firewall::rolling::Roller;

/// Texts and words that are public by construction.
///
/// Only what this program or the pinned public set brings belongs here. Nothing an entrant or
/// the config brings is ever exempt, or the firewall could be opened from outside.
#[derive(Debug, Clone, Default)]
pub struct Exempt {
    /// Whole fields: schema constants, tiers, providers, kinds; in normal form.
    fields: HashSet<String>,
    pub(super) parts: HashSet<u64>,
    pub(super) words: HashSet<u64>,
}

impl Exempt {
    /// `fields` are schema constants and keys, tiers, providers and kinds: a short secret that
    /// equals one is not looked for, and only keys among them are shown in a leak's path.
    pub fn new<S: AsRef<str>>(fields: impl IntoIterator<Item = S>) -> Self {
        let fields = fields.into_iter().map(|field| folded(field.as_ref())).collect();
        Self { fields, ..Self::default() }
    }

    /// An embedded template or static file, or the pinned public prompts.json: its parts are no
    /// secret on a page, and its words are not rare.
    pub fn add_text(&mut self, text: &str) {
        views(text, &mut |_, view| {
            let mut roller = Roller::new();
            fold(view, |character| {
                if let Some(key) = roller.push(character) {
                    self.parts.insert(key.hash);
                }
            });
            words(view, |word| {
                self.words.insert(word);
            });
        });
    }

    /// Adds everything that is exempt in `other`.
    pub fn extend(&mut self, other: &Self) {
        self.fields.extend(other.fields.iter().cloned());
        self.parts.extend(&other.parts);
        self.words.extend(&other.words);
    }

    /// Whether `text` is one of the exempt fields.
    pub(super) fn is_field(&self, text: &str) -> bool {
        self.fields.contains(&folded(text))
    }
}
