//! What is no secret, although a held-out file may hold it too.

use std::collections::HashSet;

use super::decode::views;
use super::fold::{fold, folded};
use super::keys::Keys;
use super::shingle::Roller;
use super::words::words;
use crate::board::schema::own_words;
use crate::board::sets::USUAL_TIERS;
use crate::domain::config::Config;

/// Texts and words that are public by construction.
///
/// Only what this program or the pinned public set brings belongs here. Nothing an entrant or
/// the config brings is ever exempt, or the firewall could be opened from outside.
#[derive(Debug, Default)]
pub struct Exempt {
    /// Whole fields: schema constants, tiers, providers, kinds; in normal form.
    fields: HashSet<String>,
    pub(super) parts: Keys,
    pub(super) words: HashSet<u64>,
}

impl Exempt {
    /// `fields` are schema constants and keys, tiers, providers and kinds: a short secret that
    /// equals one is not looked for, and only keys among them are shown in a leak's path.
    pub fn new<S: AsRef<str>>(fields: impl IntoIterator<Item = S>) -> Self {
        let fields = fields.into_iter().map(|field| folded(field.as_ref())).collect();
        Self { fields, ..Self::default() }
    }

    /// What is public on a board of `config` and in the config itself: the words of both schemas,
    /// tiers, providers and kinds.
    pub fn of_board(config: &Config) -> Self {
        let mut fields: Vec<&str> = own_words().chain(USUAL_TIERS).chain(Config::keys()).collect();
        fields.extend(config.seeds.iter().flat_map(|seed| [&*seed.provider, &*seed.kind]));
        Self::new(fields)
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

    /// Whether `text` is one of the exempt fields.
    pub(super) fn is_field(&self, text: &str) -> bool {
        self.fields.contains(&folded(text))
    }
}
