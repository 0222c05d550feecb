//! Keys of runs of [`SPAN`] normalised characters, one for every way to read a run.
//!
//! A run, the run backwards, and both with all letters moved on by any number of places (by thirteen:
//! rot13) share one key. A letter counts by its distance from the letter before it, which such a move
//! does not change, and the key is the lesser of the hashes forwards and backwards. So one look-up
//! finds them all, and the key says which one it was.
//! Keys are 64 bits and never confirmed, because two runs that share one by
//! chance are rarer than a broken disk.
//!
//! Most secrets share nothing with what they are compared with, so [`candidates`] first looks at one
//! short run in [`STRIDE`] of their characters.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// The shortest part of a secret that counts as a leak, in normalised characters.
pub(super) const SPAN: usize = 24;
/// A run of fewer different characters is a ruler, a row of zeros or of votes, and says nothing.
const LEAST_VARIETY: usize = 7;
const LETTERS: u8 = 26;

/// A run, however it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) hash: u64,
    /// How it was read: bit 0 for backwards, above it the place of the first letter in the alphabet.
    pub(super) turn: u8,
}

/// How a reading differs from another of the same run.
pub(super) fn turned(one: u8, other: u8) -> &'static str {
    let moved = (LETTERS + (one >> 1) - (other >> 1)) % LETTERS;
    match (moved, (one ^ other) & 1) {
        (0, 0) => "",
        (0, _) => "reversed",
        (13, 0) => "rot13",
        (13, _) => "reversed rot13",
        (_, 0) => "shifted letters",
        _ => "reversed shifted letters",
    }
}

/// A set of keys. They are hashes already and are not hashed again.
pub(super) type Keys = HashSet<u64, BuildHasherDefault<KeyHasher>>;
/// A map from keys.
pub(super) type KeyMap<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// Takes a key for its own hash.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |all, byte| scatter(all ^ u64::from(*byte)));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Says of most keys that are not in a table that they are not, without a look into the table.
#[derive(Debug)]
pub(super) struct Sieve(Vec<u64>);

impl Sieve {
    /// For the keys of that many bytes of text. A small one stays in a processor's cache; a full one
    /// lets more keys through that it was not given.
    pub(super) fn of_text(bytes: usize) -> Self {
        Self(vec![0; (bytes / 16).next_power_of_two().clamp(1 << 12, 1 << 16)])
    }

    pub(super) fn add(&mut self, key: u64) {
        let (word, bits) = self.place(key);
        self.0[word] |= bits;
    }

    /// Whether the key may have been added.
    pub(super) fn may_have(&self, key: u64) -> bool {
        let (word, bits) = self.place(key);
        self.0[word] & bits == bits
    }

    /// A word, and two bits of it.
    fn place(&self, key: u64) -> (usize, u64) {
        let bits = 1 << (key >> 16 & 63) | 1 << (key >> 22 & 63);
        let [low, high, ..] = key.to_le_bytes();
        // The number of words is a power of two.
        (usize::from(u16::from_le_bytes([low, high])) & (self.0.len() - 1), bits)
    }
}

/// For a quarter of a megabyte of text, which is more than the prompts of most sets.
impl Default for Sieve {
    fn default() -> Self {
        Self::of_text(1 << 18)
    }
}

/// Length of the short runs of [`candidates`].
const GRAM: usize = PAIRS as usize + 1;
/// How many short runs are in a run of [`SPAN`] characters.
pub(super) const GRAMS_OF_SPAN: usize = SPAN - GRAM + 1;
/// Every run of [`SPAN`] characters has a short run that starts at a multiple of this.
const STRIDE: usize = GRAMS_OF_SPAN;

/// The stretches of a text in normal form that may have a run of [`SPAN`] characters in common with
/// the texts whose short runs are `known`; see [`Grams`].
pub(super) fn candidates(normal: &str, known: &Sieve) -> Vec<Range<usize>> {
    let bytes = normal.as_bytes();
    let may_have = |at: usize| {
        let run = bytes.get(at..at + GRAM);
        run.is_some_and(|run| gram_key(run).is_none_or(|key| known.may_have(key)))
    };
    // A character has up to four bytes.
    let reach = if normal.is_ascii() { SPAN - GRAM } else { 4 * SPAN };
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for start in (0..bytes.len()).step_by(STRIDE) {
        // A long run around a short one has the short run before it or the one after it as well.
        let is_candidate = may_have(start)
            && (start.checked_sub(GRAM).is_some_and(may_have) || may_have(start + GRAM));
        if !is_candidate {
            continue;
        }
        let is_boundary = |at: &usize| normal.is_char_boundary(*at);
        let end = (start + GRAM + reach..normal.len()).find(is_boundary).unwrap_or(normal.len());
        let start = (0..=start.saturating_sub(reach)).rev().find(is_boundary).unwrap_or(0);
        match stretches.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => stretches.push(start..end),
        }
    }
    stretches
}

/// A long run is at least three short ones: it has a whole one on some side of each in it.
const _: () = assert!(SPAN >= 3 * GRAM);

/// Reads characters and gives the keys of short runs, for [`candidates`].
#[derive(Debug, Default)]
pub(super) struct Grams {
    before: Option<u8>,
    /// What the last pairs of neighbours add.
    pairs: [u64; PAIRS as usize],
    count: usize,
    ahead: u64,
    back: u64,
}

/// In a short run.
const PAIRS: u32 = 7;

impl Grams {
    pub(super) fn push(&mut self, character: char) -> Option<u64> {
        let class = CLASS[u8::try_from(character).map_or(usize::from(u8::MAX), usize::from)];
        if class == OTHER {
            *self = Self::default();
            return None;
        }
        let before = self.before.replace(class)?;
        let new = pair(before, class);
        let old = std::mem::replace(&mut self.pairs[self.count % self.pairs.len()], new);
        self.count += 1;
        self.ahead = self.ahead.rotate_left(1) ^ old.rotate_left(PAIRS) ^ new;
        self.back = (self.back ^ old).rotate_right(1) ^ new.rotate_left(PAIRS - 1);
        (self.count >= self.pairs.len()).then(|| self.ahead.wrapping_add(self.back))
    }
}

/// The key that [`Grams`] gives of one short run; `None` where it gives none.
fn gram_key(run: &[u8]) -> Option<u64> {
    let (mut ahead, mut back) = (0_u64, 0_u64);
    let (first, rest) = run.split_first()?;
    let mut before = CLASS[usize::from(*first)];
    let mut all = before;
    for (place, byte) in (0..).zip(rest) {
        let next = CLASS[usize::from(*byte)];
        let pair = pair(before, next);
        ahead = ahead.rotate_left(1) ^ pair;
        back ^= pair.rotate_left(place);
        before = next;
        all |= next;
    }
    (all & OTHER == 0).then(|| ahead.wrapping_add(back))
}

/// What two neighbours add to the key of a short run: the same in either order, and with both letters
/// moved on.
#[inline]
fn pair(one: u8, other: u8) -> u64 {
    NEIGHBOURS[usize::from(one) % CLASSES][usize::from(other) % CLASSES]
}

/// A power of two above the number of letters and digits.
const CLASSES: usize = 64;
/// Neither letter nor digit: a bit of its own, so that one among others is seen.
const OTHER: u8 = 64;

/// The place of a letter, or of a digit after them.
static CLASS: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut byte = 0_u8;
    while byte < u8::MAX {
        table[byte as usize] = match byte {
            b'a'..=b'z' => byte - b'a',
            b'0'..=b'9' => byte - b'0' + LETTERS,
            _ => OTHER,
        };
        byte += 1;
    }
    table
};

static NEIGHBOURS: [[u64; CLASSES]; CLASSES] = {
    let mut table = [[0; CLASSES]; CLASSES];
    let letters = LETTERS as usize;
    let mut one = 0;
    while one < CLASSES {
        let mut other = 0;
        while other < CLASSES {
            let (low, high) = if one < other { (one, other) } else { (other, one) };
            let apart = high - low;
            table[one][other] = if high >= letters {
                // A letter beside a digit may be any.
                let low = if low < letters { 0 } else { low };
                scatter((low * CLASSES + high) as u64)
            } else if 2 * apart > letters {
                STEPS[letters - apart]
            } else {
                STEPS[apart]
            };
            other += 1;
        }
        one += 1;
    }
    table
};

/// Reads normalised characters and gives the key of the last [`SPAN`] of them.
#[derive(Debug, Clone)]
pub(super) struct Roller {
    window: [char; SPAN],
    /// How many characters were read.
    pub(super) count: usize,
    /// The number of the last letter that was read, if one is in the window.
    last: Option<usize>,
    /// The weights of the window, each rotated by the number of its character: to the right for
    /// the reading forwards, to the left for the one backwards.
    ahead: u64,
    back: u64,
}

const WEIGHTS: [u64; 128] = {
    let mut table = [0; 128];
    let mut index = 0;
    while index < 128 {
        table[index] = scatter(index as u64);
        index += 1;
    }
    table
};

/// What a letter adds by its distance from the one before it; the last is for a first letter.
const STEPS: [u64; LETTERS as usize + 1] = {
    let mut table = [0; LETTERS as usize + 1];
    let mut index = 0;
    while index < table.len() {
        table[index] = scatter(u64::MAX - index as u64);
        index += 1;
    }
    table
};
const FIRST: u64 = STEPS[LETTERS as usize];

/// SplitMix64: a bijection whose output bits each depend on every input bit.
pub(super) const fn scatter(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// What a character adds to a hash.
#[inline]
fn weight(character: char) -> u64 {
    WEIGHTS.get(character as usize).copied().unwrap_or_else(|| scatter(u64::from(character)))
}

/// The letter thirteen places on; anything else is itself.
pub(super) fn rot13(character: char) -> char {
    let shift = |first: u8| char::from(first + (character as u8 - first + 13) % 26);
    match character {
        'a'..='z' => shift(b'a'),
        'A'..='Z' => shift(b'A'),
        _ => character,
    }
}

/// The place of a letter in the alphabet.
#[inline]
fn letter(character: char) -> Option<u8> {
    character.is_ascii_lowercase().then(|| character as u8 - b'a')
}

/// What `to` adds after `from`.
#[inline]
fn step(from: u8, to: u8) -> u64 {
    STEPS[usize::from((LETTERS + to - from) % LETTERS)]
}

/// How far the weight of the character with this number is rotated.
#[inline]
fn at(number: usize) -> u32 {
    u32::try_from(number % 64).unwrap_or_default()
}

impl Roller {
    pub(super) fn new() -> Self {
        Self { window: ['\0'; SPAN], count: 0, last: None, ahead: 0, back: 0 }
    }

    /// Reads one character; from the [`SPAN`]th on there is a key.
    #[expect(clippy::inline_always, reason = "one call for each character that is held out")]
    #[inline(always)]
    pub(super) fn push(&mut self, character: char) -> Option<Key> {
        let number = self.count;
        if number >= SPAN {
            self.forget(number - SPAN);
        }
        self.window[number % SPAN] = character;
        self.count += 1;
        if let Some(new) = letter(character) {
            let mut ahead = FIRST;
            if let Some((last, before)) = self.last.and_then(|it| Some((it, self.letter(it)?))) {
                ahead = step(before, new);
                self.back ^= (FIRST ^ step(new, before)).rotate_left(at(last));
            }
            self.ahead ^= ahead.rotate_right(at(number));
            self.back ^= FIRST.rotate_left(at(number));
            self.last = Some(number);
        } else {
            self.ahead ^= weight(character).rotate_right(at(number));
            self.back ^= weight(character).rotate_left(at(number));
        }
        (self.count >= SPAN).then(|| self.key())
    }

    /// Takes character `number`, the oldest, out of the hashes.
    fn forget(&mut self, number: usize) {
        let old = self.window[number % SPAN];
        let Some(place) = letter(old) else {
            self.ahead ^= weight(old).rotate_right(at(number));
            self.back ^= weight(old).rotate_left(at(number));
            return;
        };
        self.ahead ^= FIRST.rotate_right(at(number));
        let next = (number + 1..self.count).find_map(|it| Some((it, self.letter(it)?)));
        if let Some((next, after)) = next {
            // Now that one is the first.
            self.ahead ^= (FIRST ^ step(place, after)).rotate_right(at(next));
            self.back ^= step(after, place).rotate_left(at(number));
        } else {
            self.back ^= FIRST.rotate_left(at(number));
            self.last = None;
        }
    }

    /// The letter with this number, if it is one.
    fn letter(&self, number: usize) -> Option<u8> {
        letter(self.window[number % SPAN])
    }

    /// The key of what is in the window.
    fn key(&self) -> Key {
        let start = self.count.saturating_sub(SPAN);
        let ahead = self.ahead.rotate_left(at(self.count));
        let back = self.back.rotate_right(at(start + 63));
        if back < ahead {
            let first = self.last.and_then(|last| self.letter(last)).unwrap_or_default();
            return Key { hash: back, turn: first << 1 | 1 };
        }
        let first = (start..self.count).find_map(|number| self.letter(number));
        Key { hash: ahead, turn: first.unwrap_or_default() << 1 }
    }

    /// The key of everything read, if that is less than [`SPAN`]. So little text is the same under
    /// rot13 only: with any other move, words of a few letters would be alike by chance.
    pub(super) fn whole(&self) -> Option<Key> {
        let Key { hash, turn } = (self.count < SPAN).then(|| self.key())?;
        Some(Key { hash: hash ^ scatter(u64::from((turn >> 1) % 13)), turn })
    }

    /// Whether the window has enough different characters to say something.
    pub(super) fn is_telling(&self) -> bool {
        let read = &self.window[..self.count.min(SPAN)];
        let first = |(index, character): &(usize, &char)| !read[..*index].contains(character);
        read.iter().enumerate().filter(first).nth(LEAST_VARIETY - 1).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(text: &str) -> Key {
        let mut roller = Roller::new();
        let last = text.chars().map(|character| roller.push(character)).last().flatten();
        last.or_else(|| roller.whole()).expect("a key")
    }

    fn moved(text: &str, places: u8) -> String {
        let place = |it: char| {
            letter(it).map_or(it, |letter| char::from(b'a' + (letter + places) % LETTERS))
        };
        text.chars().map(place).collect()
    }

    fn disguises(text: &str) -> [String; 4] {
        let back = text.chars().rev().collect::<String>();
        [text.to_owned(), back.clone(), moved(text, 13), moved(&back, 13)]
    }

    #[test]
    fn a_sieve_knows_every_key_it_was_given_and_few_others() {
        let mut sieve = Sieve::default();
        let keys = (0..10_000).map(scatter);
        keys.clone().for_each(|key| sieve.add(key));
        assert!(keys.clone().all(|key| sieve.may_have(key)));
        let others = (10_000..20_000).map(scatter).filter(|key| sieve.may_have(*key)).count();
        assert!(others < 100, "{others} of 10,000");
    }

    fn grams_of(text: &str) -> Sieve {
        let (mut known, mut grams) = (Sieve::default(), Grams::default());
        text.chars().filter_map(|character| grams.push(character)).for_each(|it| known.add(it));
        known
    }

    /// Whatever a text has in common with another one, however it is turned.
    #[test]
    fn every_run_that_is_known_is_in_a_candidate() {
        let plain: String = ('a'..='z').chain('0'..='9').cycle().step_by(7).take(300).collect();
        let accented = plain.replace('q', "ω");
        for text in [plain, accented] {
            let characters: Vec<char> = text.chars().collect();
            for run in characters.windows(SPAN) {
                let run: String = run.iter().collect();
                for disguised in [run.clone(), run.chars().rev().collect(), moved(&run, 5)] {
                    let known = grams_of(&format!("7{disguised}0"));
                    let found = candidates(&text, &known);
                    assert!(found.iter().any(|it| text[it.clone()].contains(&run)), "{disguised}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_known_is_no_candidate() {
        let text = "perigeeraisedto7000kmand".repeat(3);
        assert!(candidates(&text, &grams_of("apogeelowered")).is_empty());
        assert!(candidates("", &Sieve::default()).is_empty());
        let all = candidates(&text, &grams_of(&text));
        assert!(matches!(&all[..], [all] if *all == (0..text.len())), "{all:?}");
        // Far from the stretch that is known nothing is read.
        let far = format!("{}{text}{}", "xyz123".repeat(50), "uvw456".repeat(50));
        let found = candidates(&far, &grams_of(&text));
        assert!(found.iter().all(|it| it.start > 250 && it.end < 420), "{found:?}");
    }

    #[test]
    fn letters_that_are_moved_share_a_key_in_a_long_run_only() {
        let text = "perigeeraisedto7000kmandxyz";
        for places in 1..LETTERS {
            let (one, other) = (last(text), last(&moved(text, places)));
            assert_eq!(one.hash, other.hash, "{places}");
            let name = if places == 13 { "rot13" } else { "shifted letters" };
            assert_eq!(turned(other.turn, one.turn), name, "{places}");
            let back: String = moved(&text[3..], places).chars().rev().collect();
            assert_eq!(last(&back).hash, one.hash, "{places}");
            assert_eq!(last("ho05").hash == last(&moved("ho05", places)).hash, places == 13);
        }
    }

    /// Rolled or read at once, whatever is among the letters.
    #[test]
    fn a_key_is_that_of_its_window_alone() {
        let text = "7000kma1b22c333d4444eeee55555f666666g7777777h88888888i9999999990zωσyπx";
        let characters: Vec<char> = text.chars().collect();
        let mut roller = Roller::new();
        for (number, character) in characters.iter().enumerate() {
            let key = roller.push(*character);
            let Some(start) = (number + 1).checked_sub(SPAN) else { continue };
            let alone: String = characters[start..=number].iter().collect();
            assert_eq!(key, Some(last(&alone)), "{alone}");
        }
    }

    #[test]
    fn four_readings_share_a_key_and_can_be_told_apart() {
        let names = ["", "reversed", "rot13", "reversed rot13"];
        for text in ["abc", "ho05", "perigeeraisedto7000kmand", "ωmegaandsigmaareσlettersof"] {
            let tail: String =
                text.chars().skip(text.chars().count().saturating_sub(SPAN)).collect();
            let origin = last(text);
            for (disguised, name) in disguises(&tail).iter().zip(names) {
                let key = last(disguised);
                assert_eq!(
                    (key.hash, turned(key.turn, origin.turn)),
                    (origin.hash, name),
                    "{text}"
                );
            }
        }
        assert_ne!(last("perigeeraisedto7000kmand").hash, last("perigeeraisedto7000kmanc").hash);
        assert_ne!(last("abc").hash, last("abcd").hash);
    }

    #[test]
    fn a_key_forgets_what_lies_before_its_window() {
        assert_eq!(last("xyzperigeeraisedto7000kmand"), last("perigeeraisedto7000kmand"));
    }

    #[test]
    fn a_row_of_zeros_is_not_telling() {
        let telling = |text: &str| {
            let mut roller = Roller::new();
            for character in text.chars() {
                roller.push(character);
            }
            roller.is_telling()
        };
        assert!(!telling("000000000000000000000000000"));
        assert!(!telling("1truetruetrue2truetruetrue3"));
        assert!(telling("perigeeraisedto7000kmand"));
    }
}
