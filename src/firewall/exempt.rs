//! Texts that may be published although a held-out file contains them too.

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::firewall::decode::decoded_views;
use crate::firewall::normalise::{fold, folded};
use crate::firewall::rare_words::each_long_word;
use crate::firewall::rolling::Roller;

/// Texts and words that are public by construction.
///
/// Only what this program or the pinned public set brings belongs here. Nothing an entrant or
/// the config brings is ever exempt, or the firewall could be opened from outside.
#[derive(Debug, Default)]
pub struct Exempt {
    /// Whole fields: schema constants, tiers, providers, kinds; in normal form.
    fields: HashSet<String>,
    texts: Vec<String>,
    // Read from the texts when a secret was met, because most searches meet none: decoding the
    // templates takes longer than searching a small site.
    plain: OnceLock<Public>,
    decoded: OnceLock<Public>,
}

#[derive(Debug, Default)]
struct Public {
    parts: HashSet<u64>,
    words: HashSet<u64>,
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
    pub fn add_text(&mut self, text: impl Into<String>) {
        self.texts.push(text.into());
        (self.plain, self.decoded) = (OnceLock::new(), OnceLock::new());
    }

    /// Whether a text has the part with this hash, as it is or decoded.
    pub(super) fn has_part(&self, hash: u64) -> bool {
        self.any(|public| public.parts.contains(&hash))
    }

    /// Whether a text has the word with this hash, as it is or decoded.
    pub(super) fn has_word(&self, hash: u64) -> bool {
        self.any(|public| public.words.contains(&hash))
    }

    fn any(&self, holds: impl Fn(&Public) -> bool) -> bool {
        holds(self.plain.get_or_init(|| self.read(false)))
            || holds(self.decoded.get_or_init(|| self.read(true)))
    }

    fn read(&self, is_decoded: bool) -> Public {
        let mut public = Public::default();
        let mut see = |view: &str| {
            let mut roller = Roller::new();
            fold(view, |character| {
                if let Some(key) = roller.push(character) {
                    public.parts.insert(key.hash);
                }
            });
            each_long_word(view, |word| {
                public.words.insert(word);
            });
        };
        for text in &self.texts {
            if is_decoded {
                decoded_views(text, &mut |_, view| see(view));
            } else {
                see(text);
            }
        }
        public
    }

    /// Whether `text` is one of the exempt fields.
    pub(super) fn is_field(&self, text: &str) -> bool {
        self.fields.contains(&folded(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_public_as_it_is_and_decoded() {
        let part = |text: &str| {
            let mut roller = Roller::new();
            text.chars().filter_map(|character| roller.push(character)).last().expect("long").hash
        };
        let mut exempt = Exempt::default();
        exempt.add_text("perigee raised to 7000 km and");
        exempt.add_text("%70erigee lowered to 6800 km no");
        assert!(exempt.has_part(part("perigeeraisedto7000kmand")));
        assert!(exempt.has_part(part("perigeeloweredto6800kmno")));
        assert!(!exempt.has_part(part("perigeeraisedto7001kmand")));
    }
}
