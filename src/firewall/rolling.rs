//! Keys of runs of [`SPAN`] normalised characters, one for all four ways to read a run.
//!
//! A run, the run backwards, and both under rot13 share one key: the least of their four hashes.
//! So one look-up finds all four, and which of the four was least distinguishes them.
//! Keys are 64 bits and never confirmed, because two runs that share one by
//! chance are rarer than a broken disk.

/// The shortest part of a secret that counts as a leak, in normalised characters.
pub(super) const SPAN: usize = 24;
/// A run of fewer different characters is a ruler, a row of zeros or of votes, and says nothing.
const LEAST_VARIETY: usize = 7;

/// A run, however it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    /// Pushes a byte to all four readings.
    pub(super) hash: u64,
    /// Which reading this was: bit 0 for backwards, bit 1 for rot13, against an arbitrary origin.
    pub(super) turn: u8,
}

/// How a reading differs from another of the same run.
pub(super) fn turned(one: u8, other: u8) -> &'static str {
    ["", "reversed", "rot13", "reversed rot13"][usize::from((one ^ other) & 3)]
}

/// Says of most keys that are not in a table that they are not, without a look into the table.
#[derive(Debug)]
pub(super) struct Sieve(Vec<u64>);

impl Sieve {
    /// Half a megabyte: it fits in a processor's cache, and few keys of a board share a bit.
    const BITS: u64 = 1 << 22;

    pub(super) fn new() -> Self {
        Self(vec![0; Self::place(Self::BITS - 1).0 + 1])
    }

    pub(super) fn add(&mut self, key: u64) {
        let (word, bit) = Self::place(key);
        self.0[word] |= bit;
    }

    /// Whether the key may have been added.
    pub(super) fn may_have(&self, key: u64) -> bool {
        let (word, bit) = Self::place(key);
        self.0[word] & bit != 0
    }

    #[expect(clippy::cast_possible_truncation, reason = "less than BITS")]
    fn place(key: u64) -> (usize, u64) {
        let at = key % Self::BITS;
        ((at / 64) as usize, 1 << (at % 64))
    }
}

/// Reads normalised characters and gives the key of the last [`SPAN`] of them.
#[derive(Debug, Clone)]
pub(super) struct Roller {
    /// The weights of the last characters; zero for a character that never was.
    ring: [[u64; 2]; RING],
    /// How many characters were read.
    pub(super) count: usize,
    readings: [u64; 4],
}

/// A power of two above [`SPAN`].
pub(super) const RING: usize = 32;

const WEIGHTS: [[u64; 2]; 128] = {
    let mut table = [[0; 2]; 128];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = [scatter(byte as u64), scatter(rot13(byte as char) as u64)];
        byte += 1;
    }
    table
};

/// SplitMix64: a bijection whose output bits each depend on every input bit.
pub(super) const fn scatter(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// What a character adds to a hash, as it is and under rot13.
#[inline]
pub(super) fn weights(character: char) -> [u64; 2] {
    WEIGHTS.get(character as usize).copied().unwrap_or_else(|| [scatter(u64::from(character)); 2])
}

/// The letter thirteen places on; anything else is itself.
pub(super) const fn rot13(character: char) -> char {
    match character {
        'a'..='m' | 'A'..='M' => (character as u8 + 13) as char,
        'n'..='z' | 'N'..='Z' => (character as u8 - 13) as char,
        _ => character,
    }
}

impl Roller {
    /// Rotation of the oldest character of a window.
    const LAST: u32 = 23;

    pub(super) fn new() -> Self {
        Self { ring: [[0; 2]; RING], count: 0, readings: [0; 4] }
    }

    /// Reads one character; from the [`SPAN`]th on there is a key.
    #[expect(clippy::inline_always, reason = "one call for each character that is held out")]
    #[inline(always)]
    pub(super) fn push(&mut self, character: char) -> Option<Key> {
        let new = weights(character);
        let old = self.ring[self.count.wrapping_sub(SPAN) % RING];
        self.ring[self.count % RING] = new;
        self.count += 1;
        // Forwards the newest character has rotation 0 and the oldest LAST; backwards the reverse.
        let [ahead, back, ahead13, back13] = self.readings;
        let forwards = |hash: u64, old: u64, new: u64| {
            (hash ^ old.rotate_left(Self::LAST)).rotate_left(1) ^ new
        };
        let backwards = |hash: u64, old: u64, new: u64| {
            (hash ^ old).rotate_right(1) ^ new.rotate_left(Self::LAST)
        };
        self.readings = [
            forwards(ahead, old[0], new[0]),
            backwards(back, old[0], new[0]),
            forwards(ahead13, old[1], new[1]),
            backwards(back13, old[1], new[1]),
        ];
        (self.count >= SPAN).then(|| least(self.readings))
    }

    /// The key of everything read, if that is less than [`SPAN`].
    pub(super) fn whole(&self) -> Option<Key> {
        let missing = u32::try_from(SPAN.checked_sub(self.count)?).ok().filter(|n| *n > 0)?;
        let [ahead, back, ahead13, back13] = self.readings;
        Some(least([ahead, back.rotate_right(missing), ahead13, back13.rotate_right(missing)]))
    }

    /// Whether the window has enough different characters to say something.
    pub(super) fn is_telling(&self) -> bool {
        let read = self.count.saturating_sub(SPAN)..self.count;
        let weight = |at: usize| self.ring[at % RING][0];
        let is_first = |at: &usize| !(read.start..*at).any(|before| weight(before) == weight(*at));
        read.clone().filter(is_first).count() >= LEAST_VARIETY
    }
}

fn least([ahead, back, ahead13, back13]: [u64; 4]) -> Key {
    let lesser = |one: Key, other: Key| if other.hash < one.hash { other } else { one };
    let plain = lesser(Key { hash: ahead, turn: 0 }, Key { hash: back, turn: 1 });
    let rotated = lesser(Key { hash: ahead13, turn: 2 }, Key { hash: back13, turn: 3 });
    lesser(plain, rotated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(text: &str) -> Key {
        let mut roller = Roller::new();
        let last = text.chars().map(|character| roller.push(character)).last().flatten();
        last.or_else(|| roller.whole()).expect("a key")
    }

    fn disguises(text: &str) -> [String; 4] {
        let back = text.chars().rev().collect::<String>();
        let turned = |text: &str| text.chars().map(rot13).collect::<String>();
        [text.to_owned(), back.clone(), turned(text), turned(&back)]
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
    fn a_sieve_lets_every_key_through_that_it_has_and_few_others() {
        let mut sieve = Sieve::new();
        (0..50_000).for_each(|n| sieve.add(scatter(n)));
        assert!((0..50_000).all(|n| sieve.may_have(scatter(n))));
        let others = (50_000..100_000).filter(|n| sieve.may_have(scatter(*n))).count();
        assert!(others < 1_000, "{others}");
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
