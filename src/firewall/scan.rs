//! Everything a file about to be published says, through every disguise, part by part.
//!
//! Walked once to build the index and, only if something was found, once more to say where. So
//! the index need not remember places, and every place is named, not only the first.

use crate::firewall::decode::{Decoder, SHORTEST, SHORTEST_DECODED, decoded_views, views};
use crate::firewall::normalise::fold;
use crate::firewall::rolling::{Grams, Key, Roller, SPAN};
use crate::firewall::strings::Strings;
use crate::json::Document;

/// A text as it was read: where it is and which decoders it took.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'s> {
    pub(super) place: Place<'s>,
    pub(super) decoders: [Option<Decoder>; 2],
}

/// Where a text is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'s> {
    /// In a string of a board, at each of these offsets.
    Field(&'s [usize]),
    /// Over several fields of a board, ending at this offset.
    Between(usize),
    /// At this offset of a page or a little after.
    Page(usize),
    /// Somewhere in a page.
    WholePage,
}

/// A key that was seen.
#[derive(Debug, Clone, Copy)]
pub(super) enum ScannedKey {
    /// Of a part of [`SPAN`] characters.
    Part(Key),
    /// Of a whole field that is shorter.
    Whole(Key),
    /// Of a short run, for a sampler.
    Gram(u64),
}

/// Precision of a place in running text, in bytes.
const STEP: usize = 64;

/// Visits a board: each string and key, what runs over several of them, and the bytes.
pub(super) fn board(document: &Document<'_>, see: &mut impl FnMut(View<'_>, ScannedKey)) {
    let strings = Strings::below(&document.root);
    for (text, offsets) in &strings.distinct {
        views(text, &mut |decoders, view| {
            read(view, View::decode(Place::Field(offsets), decoders), see);
        });
    }
    for sequence in strings.sequences() {
        join(&strings, &sequence, see);
    }
    run_through(document.text, Place::Between, see);
    for decoder in [Decoder::Json, Decoder::Points] {
        for text in decoder.undo(document.text) {
            read(&text, View::decode(Place::Between(0), &[decoder]), see);
        }
    }
}

/// Visits a page of the site, of whatever format.
pub(super) fn page(text: &str, see: &mut impl FnMut(View<'_>, ScannedKey)) {
    run_through(text, Place::Page, see);
    decoded_views(text, &mut |decoders, view| {
        read(view, View::decode(Place::WholePage, decoders), see);
    });
}

/// All parts of `text`, or the whole of it if it is short and a field.
fn read(text: &str, view: View<'_>, see: &mut impl FnMut(View<'_>, ScannedKey)) {
    let (mut roller, mut grams) = (Roller::new(), Grams::default());
    fold(text, |character| {
        if let Some(gram) = grams.push(character) {
            see(view, ScannedKey::Gram(gram));
        }
        if let Some(key) = roller.push(character) {
            see(view, ScannedKey::Part(key));
        }
    });
    let shortest = if view.decoders[0].is_some() { SHORTEST_DECODED } else { SHORTEST };
    let is_field = matches!(view.place, Place::Field(_));
    if let Some(key) = roller.whole().filter(|_| is_field && roller.count >= shortest) {
        see(view, ScannedKey::Whole(key));
    }
}

/// What runs from one string of the sequence into the next.
fn join(strings: &Strings<'_>, sequence: &[usize], see: &mut impl FnMut(View<'_>, ScannedKey)) {
    let (mut roller, mut grams) = (Roller::new(), Grams::default());
    let mut joined = String::new();
    for &string in sequence {
        let (text, offsets) = &strings.distinct[string];
        let view = View::decode(Place::Between(offsets[0]), &[]);
        let start = roller.count;
        fold(text, |character| {
            if let Some(gram) = grams.push(character) {
                see(view, ScannedKey::Gram(gram));
            }
            if let Some(key) = roller.push(character)
                && roller.count - start < SPAN
            {
                see(view, ScannedKey::Part(key));
            }
        });
        joined.push_str(text);
    }
    decoded_views(&joined, &mut |decoders, view| {
        read(view, View::decode(Place::Between(0), decoders), see);
    });
}

/// A long text, with the rough place of each part.
fn run_through(
    text: &str,
    place: fn(usize) -> Place<'static>,
    see: &mut impl FnMut(View<'_>, ScannedKey),
) {
    let (mut roller, mut grams) = (Roller::new(), Grams::default());
    let mut start = 0;
    while start < text.len() {
        let end = (start + STEP..text.len()).find(|at| text.is_char_boundary(*at));
        let end = end.unwrap_or(text.len());
        fold(&text[start..end], |character| {
            let view = View::decode(place(start), &[]);
            if let Some(gram) = grams.push(character) {
                see(view, ScannedKey::Gram(gram));
            }
            if let Some(key) = roller.push(character) {
                see(view, ScannedKey::Part(key));
            }
        });
        start = end;
    }
}

impl<'s> View<'s> {
    fn decode(place: Place<'s>, decoders: &[Decoder]) -> Self {
        Self { place, decoders: [decoders.first().copied(), decoders.get(1).copied()] }
    }
}
