//! What is about to be published, indexed through every disguise, and the search for secrets.

use std::collections::HashSet;

use super::decode::{Decoder, SHORTEST, decoded_views, views};
use super::exempt::Exempt;
use super::fold::fold;
use super::gather::Strings;
use super::index::Index;
use super::leak::{Leak, LeakKind};
use super::path::path;
use super::shingle::{Key, Roller, SPAN, turned};
use super::words::{TELLING, rare_words};
use crate::json::{Document, Location};
use crate::replay::{Prompt, Spec};

/// Where a secret comes from.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The held-out file, as it is named to people.
    pub file: &'a str,
    /// Which prompt of it, from 1; 0 for the file as a whole.
    pub number: usize,
}

/// Boards and pages about to be published, ready to be searched.
///
/// A part of a secret of 24 normalised characters is found wherever it stands; a shorter secret
/// only as a whole field of a board. One of fewer than three characters is not looked for: a
/// board may say `1` without having learnt it from the held-out set.
#[derive(Debug)]
pub struct Outgoing<'a> {
    exempt: Exempt,
    files: Vec<File<'a>>,
    /// Offsets of each distinct string of each board.
    strings: Vec<Vec<usize>>,
    views: Vec<View>,
    shingles: Index,
    wholes: Index,
    /// Rare words of the strings that have enough of them.
    words: Vec<(Spot, HashSet<u64>)>,
}

#[derive(Debug)]
struct File<'a> {
    name: String,
    text: &'a str,
    document: Option<&'a Document<'a>>,
}

/// A text that was indexed: where it stands and how it was decoded.
#[derive(Debug, Clone, Copy)]
struct View {
    spot: Spot,
    decoders: [Option<Decoder>; 2],
}

#[derive(Debug, Clone, Copy)]
struct Spot {
    file: u32,
    place: Place,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    /// A string of a board, wherever it occurs.
    String(u32),
    /// Between the fields of a board.
    Between(u32),
    /// A page, at this offset or a little after.
    Page(u32),
    /// Somewhere in a page.
    WholePage,
}

/// Two bits of an indexed number hold the turn of its key.
const TURN_BITS: u32 = 2;
/// How closely a place in running text is remembered, in bytes.
const STEP: usize = 64;
/// What stands between `gmat-leaderboard:heldout:v1` and the secret half of a canary.
const CANARY_COLON: char = ':';

impl<'a> Outgoing<'a> {
    /// Nothing yet.
    pub fn new(exempt: Exempt) -> Self {
        Self {
            exempt,
            files: Vec::new(),
            strings: Vec::new(),
            views: Vec::new(),
            shingles: Index::default(),
            wholes: Index::default(),
            words: Vec::new(),
        }
    }

    /// Adds a board: each string and key, what runs over several of them, and the bytes.
    pub fn add_board(&mut self, name: impl Into<String>, document: &'a Document<'a>) {
        let file = self.add_file(name.into(), document.text, Some(document));
        let strings = Strings::of(&document.root);
        // Fields come first, because the first place of a part is the one that is named.
        let base = self.strings.len();
        for (index, (text, offsets)) in strings.distinct.iter().enumerate() {
            let spot = Spot { file, place: Place::String(small(base + index)) };
            self.strings.push(offsets.clone());
            views(text, &mut |decoders, view| self.index(spot, decoders, view, true));
            let rare = rare_words(text, &self.exempt.words);
            if rare.len() >= TELLING {
                self.words.push((spot, rare));
            }
        }
        for sequence in strings.sequences() {
            self.add_sequence(file, &strings, &sequence);
        }
        self.add_running(file, document.text, Place::Between);
        let spot = Spot { file, place: Place::Between(0) };
        for decoder in [Decoder::Json, Decoder::Points] {
            for view in decoder.undo(document.text) {
                self.index(spot, &[decoder], &view, false);
            }
        }
    }

    /// Adds a page of the site, of whatever format.
    pub fn add_page(&mut self, name: impl Into<String>, text: &'a str) {
        let file = self.add_file(name.into(), text, None);
        self.add_running(file, text, Place::Page);
        let spot = Spot { file, place: Place::WholePage };
        decoded_views(text, &mut |decoders, view| self.index(spot, decoders, view, false));
    }

    fn add_file(&mut self, name: String, text: &'a str, document: Option<&'a Document<'a>>) -> u32 {
        self.files.push(File { name, text, document });
        small(self.files.len() - 1)
    }

    /// Indexes what runs from one string of the sequence into the next.
    fn add_sequence(&mut self, file: u32, strings: &Strings<'_>, sequence: &[usize]) {
        let mut roller = Roller::new();
        let mut joined = String::new();
        for &string in sequence {
            let (text, offsets) = &strings.distinct[string];
            let place = Place::Between(small(offsets[0]));
            let view = self.view(Spot { file, place }, &[]);
            let start = roller.count;
            fold(text, |character| {
                let key = roller.push(character);
                if let Some(key) = key.filter(|_| roller.count - start < SPAN) {
                    self.insert(key, view);
                }
            });
            joined.push_str(text);
        }
        let spot = Spot { file, place: Place::Between(0) };
        decoded_views(&joined, &mut |decoders, view| self.index(spot, decoders, view, false));
    }

    /// Indexes a long text, remembering roughly where each part stands.
    fn add_running(&mut self, file: u32, text: &str, place: fn(u32) -> Place) {
        let mut roller = Roller::new();
        let mut start = 0;
        while start < text.len() {
            let end = (start + STEP..text.len()).find(|at| text.is_char_boundary(*at));
            let end = end.unwrap_or(text.len());
            let view = self.view(Spot { file, place: place(small(start)) }, &[]);
            fold(&text[start..end], |character| {
                if let Some(key) = roller.push(character) {
                    self.insert(key, view);
                }
            });
            start = end;
        }
    }

    fn index(&mut self, spot: Spot, decoders: &[Decoder], text: &str, is_field: bool) {
        let view = self.view(spot, decoders);
        let mut roller = Roller::new();
        fold(text, |character| {
            if let Some(key) = roller.push(character) {
                self.insert(key, view);
            }
        });
        if let Some(key) = roller.whole().filter(|_| is_field && roller.count >= SHORTEST) {
            self.wholes.insert(key.hash, view | u32::from(key.turn));
        }
    }

    fn view(&mut self, spot: Spot, decoders: &[Decoder]) -> u32 {
        self.views
            .push(View { spot, decoders: [decoders.first().copied(), decoders.get(1).copied()] });
        small(self.views.len() - 1) << TURN_BITS
    }

    fn insert(&mut self, key: Key, view: u32) {
        let View { spot, .. } = self.views[(view >> TURN_BITS) as usize];
        let on_page = matches!(spot.place, Place::Page(_) | Place::WholePage);
        if on_page && self.exempt.shingles.get(key.hash).is_some() {
            return;
        }
        self.shingles.insert(key.hash, view | u32::from(key.turn));
    }

    /// Looks for a prompt: its id, request, intent and what its script must contain.
    pub fn search_prompt(&self, origin: Origin<'_>, prompt: &Prompt<'_>) -> Vec<Leak> {
        let Spec { types, fields, commands } = &prompt.spec;
        let mut spec = [&["required_types"], &types[..], &["required_fields"]].concat();
        for (of, fields) in fields {
            spec.push(of);
            spec.extend(fields);
        }
        spec.push("required_commands");
        spec.extend(commands);
        let dump = spec.concat();
        let secrets = [prompt.id, prompt.request, prompt.intent, &dump].into_iter().chain(spec);
        let mut leaks: Vec<Leak> =
            secrets.flat_map(|secret| self.search_text(origin, secret)).collect();
        let rare = rare_words(&format!("{} {}", prompt.request, prompt.intent), &self.exempt.words);
        for (spot, words) in &self.words {
            if words.intersection(&rare).count() >= TELLING {
                let found = self.leaks(origin, *spot, "").into_iter();
                leaks.extend(found.map(|leak| Leak { kind: LeakKind::Words, ..leak }));
            }
        }
        leaks
    }

    /// Looks for a canary. Everything up to its last colon is its public half.
    pub fn search_canary(&self, origin: Origin<'_>, canary: &str) -> Vec<Leak> {
        let secret = canary.rsplit(CANARY_COLON).next().unwrap_or(canary);
        self.search_text(origin, secret)
    }

    /// Looks for any other text: a completion, a draft, recorded votes.
    pub fn search_text(&self, origin: Origin<'_>, secret: &str) -> Vec<Leak> {
        let mut hits = Vec::new();
        let mut roller = Roller::new();
        fold(secret, |character| {
            if let Some(key) = roller.push(character)
                && let Some(value) = self.shingles.get(key.hash)
                && roller.is_telling()
            {
                hits.push((value >> TURN_BITS, turned(low_bits(value), key.turn)));
            }
        });
        if let Some(key) = roller.whole()
            && roller.count >= SHORTEST
            && let Some(value) = self.wholes.get(key.hash)
            && !self.exempt.is_field(secret)
        {
            hits.push((value >> TURN_BITS, turned(low_bits(value), key.turn)));
        }
        hits.sort_unstable();
        hits.dedup();
        let mut leaks = Vec::new();
        for (view, turn) in hits {
            let View { spot, decoders } = self.views[view as usize];
            let names = decoders.iter().flatten().map(|decoder| decoder.name());
            let names: Vec<&str> = names.chain([turn]).filter(|name| !name.is_empty()).collect();
            leaks.extend(self.leaks(origin, spot, &names.join(", ")));
        }
        leaks
    }

    /// A leak at every occurrence of `spot`.
    fn leaks(&self, origin: Origin<'_>, spot: Spot, disguise: &str) -> Vec<Leak> {
        let file = &self.files[spot.file as usize];
        let path = |at: usize| match file.document {
            Some(document) => path(&document.root, at, &self.exempt),
            None => format!("line {}", Location::line_of(file.text, at)),
        };
        let (kind, paths) = match spot.place {
            Place::String(string) => {
                let offsets = &self.strings[string as usize];
                (LeakKind::Field, offsets.iter().map(|at| path(*at)).collect())
            }
            Place::Between(at) => (LeakKind::Joined, vec![path(at as usize)]),
            Place::Page(at) => (LeakKind::Field, vec![path(at as usize)]),
            Place::WholePage => (LeakKind::Joined, vec![String::new()]),
        };
        let leak = |path| Leak {
            file: file.name.clone(),
            path,
            kind,
            source: origin.file.to_owned(),
            number: origin.number,
            disguise: disguise.to_owned(),
        };
        paths.into_iter().map(leak).collect()
    }
}

fn low_bits(value: u32) -> u8 {
    value.to_le_bytes()[0] & 3
}

/// Files are limited to far less than 4 GB, so offsets and counts fit.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
