//! Rare words: the trace that re-ordering a prompt leaves.

use std::collections::HashSet;

use crate::firewall::normalise::fold;
use crate::firewall::rolling::scatter;

/// How many rare words of one prompt make a field worth a look.
pub(super) const TELLING: usize = 5;
const LEAST_LETTERS: usize = 4;
const LEAST_DIGITS: usize = 3;

/// Hands a hash of each word of `text` that is long enough to be rare to `keep`. A decimal point
/// belongs to its number.
pub(super) fn each_long_word(text: &str, mut keep: impl FnMut(u64)) {
    let (mut hash, mut length, mut is_number) = (0, 0, true);
    let mut characters = text.chars().chain([' ']).peekable();
    while let Some(character) = characters.next() {
        if character.is_alphanumeric() {
            fold(character.encode_utf8(&mut [0; 4]), |folded| {
                hash = scatter(hash ^ u64::from(folded));
                length += 1;
                is_number &= folded.is_ascii_digit();
            });
            continue;
        }
        let next_is_digit = characters.peek().is_some_and(char::is_ascii_digit);
        if character == '.' && is_number && length > 0 && next_is_digit {
            continue;
        }
        if length >= if is_number { LEAST_DIGITS } else { LEAST_LETTERS } {
            keep(hash);
        }
        (hash, length, is_number) = (0, 0, true);
    }
}

/// The words of `text` that are long enough to be rare.
pub(super) fn long_words(text: &str) -> HashSet<u64> {
    let mut long = HashSet::new();
    each_long_word(text, |word| {
        long.insert(word);
    });
    long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_and_numbers_are_never_rare() {
        let rare = long_words;
        assert_eq!(rare("raise an orbit to 51.6 or 7000 km, by 12").len(), 4);
        assert_eq!(rare("Raise ORBIT 51.6 7000"), rare("51.6, raise! 7000: orbit."));
        assert_ne!(rare("516.0"), rare("51.6"));
        assert!(rare("a bc def 12 99").is_empty());
    }
}
