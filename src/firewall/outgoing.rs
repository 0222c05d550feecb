//! What is about to be published, and the search for secrets in it.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::domain::Finding;
use crate::firewall::Exempt;
use crate::firewall::decode::SHORTEST;
use crate::firewall::leak::{Leak, LeakKind, findings};
use crate::firewall::normalise::folded;
use crate::firewall::path::path;
use crate::firewall::rare_words::{TELLING, long_words};
use crate::firewall::rolling::{Key, Keys, Roller, SPAN, Sieve, candidates, turned};
use crate::firewall::scan::{self, Place, ScannedKey, View};
use crate::firewall::strings::Strings;
use crate::json::{Document, Location};
use crate::replay::{Prompt, Spec};

/// Where a secret comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The held-out file, as it is named to people.
    pub file: &'a str,
    /// Which prompt of it, from 1; 0 for the file as a whole.
    pub number: usize,
}

/// A held-out text that was found. Holds no text; [`Outgoing::findings`] gives its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    file: String,
    number: usize,
    met: MatchKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum MatchKind {
    Part {
        hash: u64,
        turn: u8,
    },
    Whole {
        hash: u64,
        turn: u8,
    },
    /// Index of the field with the rare words.
    Words(usize),
}

/// Boards and pages about to be published, ready to be searched.
///
/// A part of a secret of 24 normalised characters is found wherever it is; a shorter secret
/// only as a whole field of a board. One of fewer than three characters is not looked for, nor an
/// encoded one of fewer than six: a board may say `1` without having learnt it from the held-out
/// set.
#[derive(Debug)]
pub struct Outgoing<'a> {
    exempt: Exempt,
    files: Vec<File<'a>>,
    /// Made when the first text is looked for.
    index: OnceLock<Index>,
    /// Fields with enough words to tell, if they are rare: file, offsets, words.
    wordy: Vec<(usize, Vec<usize>, HashSet<u64>)>,
}

/// The keys of everything that files say.
#[derive(Debug)]
struct Index {
    parts: Keys,
    /// Parts of pages; those that are exempt are here too.
    page_parts: Keys,
    /// Of both.
    sieve: Sieve,
    /// Short runs of everything.
    grams: Sieve,
    wholes: Keys,
}

#[derive(Debug)]
struct File<'a> {
    name: String,
    text: &'a str,
    /// Absent for a page.
    document: Option<&'a Document<'a>>,
    /// Whether boards and pages are made from it.
    is_source: bool,
}

impl<'a> Outgoing<'a> {
    /// Nothing yet.
    pub fn new(exempt: Exempt) -> Self {
        Self { exempt, files: Vec::new(), index: OnceLock::new(), wordy: Vec::new() }
    }

    /// Adds a board.
    pub fn add_board(&mut self, name: impl Into<String>, document: &'a Document<'a>) {
        self.add_document(name.into(), document, false);
    }

    /// Adds a JSON file that boards and pages are made from, such as the config. What is found in
    /// it is not reported again where it was copied to.
    pub fn add_source(&mut self, name: impl Into<String>, document: &'a Document<'a>) {
        self.add_document(name.into(), document, true);
    }

    fn add_document(&mut self, name: String, document: &'a Document<'a>, is_source: bool) {
        for (text, offsets) in Strings::below(&document.root).distinct {
            let words = long_words(text);
            if words.len() >= TELLING {
                self.wordy.push((self.files.len(), offsets, words));
            }
        }
        self.add(File { name, text: document.text, document: Some(document), is_source });
    }

    /// Adds a page of the site, of whatever format.
    pub fn add_page(&mut self, name: impl Into<String>, text: &'a str) {
        self.add(File { name: name.into(), text, document: None, is_source: false });
    }

    /// Adds a text that pages are made from, such as the ledger. What is found in it is not reported
    /// again where it was copied to.
    pub fn add_source_page(&mut self, name: impl Into<String>, text: &'a str) {
        self.add(File { name: name.into(), text, document: None, is_source: true });
    }

    fn add(&mut self, file: File<'a>) {
        self.index.take();
        self.files.push(file);
    }

    /// Looks for a prompt: its id, request, intent and what its script must contain.
    pub fn search_prompt(&self, origin: &Origin<'_>, prompt: &Prompt<'_>) -> Vec<Hit> {
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
        let mut hits: Vec<Hit> =
            secrets.flat_map(|secret| self.search_text(origin, secret)).collect();
        let long = long_words(&format!("{} {}", prompt.request, prompt.intent));
        for (index, (_, _, words)) in self.wordy.iter().enumerate() {
            let shared: Vec<&u64> = words.intersection(&long).collect();
            let is_rare = |word: &&&u64| !self.exempt.has_word(***word);
            if shared.len() >= TELLING && shared.iter().filter(is_rare).count() >= TELLING {
                hits.push(origin.hit(MatchKind::Words(index)));
            }
        }
        hits
    }

    /// Looks for a canary. Everything up to its last colon is its public half.
    pub fn search_canary(&self, origin: &Origin<'_>, canary: &str) -> Vec<Hit> {
        let secret = canary.rsplit(':').next().unwrap_or(canary);
        self.search_text(origin, secret)
    }

    /// Looks for any other text: a completion, a draft, recorded votes.
    pub fn search_text(&self, origin: &Origin<'_>, secret: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        let normal = folded(secret);
        let index = self.index.get_or_init(|| Index::new(&self.files));
        for stretch in candidates(&normal, &index.grams) {
            let mut roller = Roller::new();
            for character in normal[stretch].chars() {
                if let Some(Key { hash, turn }) = roller.push(character)
                    && index.sieve.may_have(hash)
                    && (index.parts.contains(&hash) || index.page_parts.contains(&hash))
                    && roller.is_telling()
                    && (index.parts.contains(&hash) || !self.exempt.has_part(hash))
                {
                    hits.push(origin.hit(MatchKind::Part { hash, turn }));
                }
            }
        }
        if (SHORTEST..SPAN).contains(&normal.chars().take(SPAN).count())
            && let Some(Key { hash, turn }) = whole(&normal)
            && index.wholes.contains(&hash)
            && !self.exempt.is_field(secret)
        {
            hits.push(origin.hit(MatchKind::Whole { hash, turn }));
        }
        hits
    }

    /// Every place where the secrets that were met stand, one finding a place. A text that a source
    /// holds is reported there alone.
    pub fn findings(&self, hits: &[Hit]) -> Vec<Finding> {
        if hits.is_empty() {
            return Vec::new();
        }
        let mut by_hash: HashMap<(bool, u64), Vec<&Hit>> = HashMap::new();
        let mut leaks = Vec::new();
        let is_source = |index: usize| self.files[self.wordy[index].0].is_source;
        let in_source = |hit: &&Hit| matches!(hit.met, MatchKind::Words(index) if is_source(index));
        let worded: HashSet<(&str, usize)> =
            hits.iter().filter(in_source).map(|hit| (&*hit.file, hit.number)).collect();
        for hit in hits {
            match hit.met {
                MatchKind::Part { hash, .. } => by_hash.entry((false, hash)).or_default().push(hit),
                MatchKind::Whole { hash, .. } => by_hash.entry((true, hash)).or_default().push(hit),
                MatchKind::Words(index)
                    if !is_source(index) && worded.contains(&(&*hit.file, hit.number)) => {}
                MatchKind::Words(index) => {
                    let (file, offsets, _) = &self.wordy[index];
                    let place = Place::Field(offsets);
                    leaks.extend(self.leaks(&self.files[*file], place, LeakKind::Words, hit, ""));
                }
            }
        }
        let mut named = HashSet::new();
        let mut explained: HashSet<(bool, u64)> = HashSet::new();
        let files = || self.files.iter().enumerate();
        let sources_first =
            files().filter(|(_, file)| file.is_source).chain(files().filter(|(_, f)| !f.is_source));
        for (index, file) in sources_first {
            file.visit(|view, seen| {
                let (is_whole, key) = match seen {
                    ScannedKey::Part(key) => (false, key),
                    ScannedKey::Whole(key) => (true, key),
                    ScannedKey::Gram(_) => return,
                };
                let Some(met) = by_hash.get(&(is_whole, key.hash)) else { return };
                // On a page, what is exempt is not seen.
                if file.document.is_none() && !is_whole && self.exempt.has_part(key.hash) {
                    return;
                }
                if file.is_source {
                    explained.insert((is_whole, key.hash));
                } else if explained.contains(&(is_whole, key.hash)) {
                    return;
                }
                for hit in met {
                    let disguise = view.disguise(key, hit);
                    let place = (index, view.place.first(), disguise.clone());
                    if !named.insert((place, &hit.file, hit.number)) {
                        continue;
                    }
                    leaks.extend(self.leaks(file, view.place, view.place.kind(), hit, &disguise));
                }
            });
        }
        findings(leaks)
    }

    fn leaks(
        &self,
        file: &File<'_>,
        place: Place<'_>,
        kind: LeakKind,
        hit: &Hit,
        disguise: &str,
    ) -> Vec<Leak> {
        let leak = |path| Leak {
            file: file.name.clone(),
            path,
            kind,
            source: hit.file.clone(),
            number: hit.number,
            disguise: disguise.to_owned(),
        };
        let at = |at: usize| match file.document {
            Some(document) => path(&document.root, at, &self.exempt),
            None => format!("line {}", Location::line_of(file.text, at)),
        };
        match place {
            Place::Field(offsets) => offsets.iter().map(|offset| leak(at(*offset))).collect(),
            Place::Between(offset) | Place::Page(offset) => vec![leak(at(offset))],
            Place::WholePage => vec![leak(String::new())],
        }
    }
}

impl Index {
    fn new(files: &[File<'_>]) -> Self {
        let [mut parts, mut page_parts, mut wholes] = <[Keys; 3]>::default();
        let size = files.iter().map(|file| file.text.len()).sum();
        let (mut sieve, mut grams) = (Sieve::of_text(size), Sieve::of_text(size));
        for file in files {
            let parts = if file.document.is_some() { &mut parts } else { &mut page_parts };
            file.visit(|_, seen| match seen {
                ScannedKey::Part(key) => {
                    sieve.add(key.hash);
                    parts.insert(key.hash);
                }
                ScannedKey::Whole(key) => {
                    wholes.insert(key.hash);
                }
                ScannedKey::Gram(gram) => grams.add(gram),
            });
        }
        Self { parts, page_parts, sieve, grams, wholes }
    }
}

/// The key of all of a short text.
fn whole(normal: &str) -> Option<Key> {
    let mut roller = Roller::new();
    for character in normal.chars() {
        roller.push(character);
    }
    roller.whole()
}

impl File<'_> {
    fn visit(&self, mut see: impl FnMut(View<'_>, ScannedKey)) {
        match self.document {
            Some(document) => scan::board(document, &mut see),
            None => scan::page(self.text, &mut see),
        }
    }
}

impl Origin<'_> {
    fn hit(&self, met: MatchKind) -> Hit {
        Hit { file: self.file.to_owned(), number: self.number, met }
    }
}

impl Place<'_> {
    /// Tells places of one file apart.
    fn first(self) -> Option<usize> {
        match self {
            Self::Field(offsets) => offsets.first().copied(),
            Self::Between(offset) | Self::Page(offset) => Some(offset),
            Self::WholePage => None,
        }
    }

    fn kind(self) -> LeakKind {
        match self {
            Self::Field(_) | Self::Page(_) => LeakKind::Field,
            Self::Between(_) | Self::WholePage => LeakKind::Joined,
        }
    }
}

impl View<'_> {
    /// What a secret is dressed as where `key` was seen.
    fn disguise(&self, key: Key, hit: &Hit) -> String {
        let turn = match hit.met {
            MatchKind::Part { turn, .. } | MatchKind::Whole { turn, .. } => turned(key.turn, turn),
            MatchKind::Words(_) => "",
        };
        let names = self.decoders.iter().flatten().map(|decoder| decoder.name());
        names.chain([turn]).filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
    }
}
