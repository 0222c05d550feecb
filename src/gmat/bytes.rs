//! What the bytes of a script may be, and how far a run of one class reaches.
//!
//! A class is a bit, and a byte may be of several. Nothing here knows what a script is.
//!
//! No byte of a character beyond ASCII is of any class, so a run never ends inside one.

/// A byte of an identifier: a letter, a digit or `_`.
pub(super) const WORD: u8 = 1;
/// A byte that may start an identifier.
pub(super) const LETTER: u8 = 2;
/// An ASCII digit.
pub(super) const DIGIT: u8 = 4;
/// A byte that is layout wherever a token may start.
pub(super) const BLANK: u8 = 8;
/// A byte that a terminator swallows after its first character.
pub(super) const TAIL: u8 = 16;
/// A byte that the scan of a raw value must look at: it ends, marks or interrupts one.
pub(super) const TURN: u8 = 32;
/// A byte that layout may start with: a blank, a comment, a continuation.
pub(super) const LAYOUT: u8 = 64;
/// A byte of the words of a raw value: of an identifier or a number.
pub(super) const PLAIN: u8 = 128;

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "the loop ends at 256")]
        let c = byte as u8;
        class[byte] = match c {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => WORD | LETTER | PLAIN,
            b'0'..=b'9' => WORD | DIGIT | PLAIN,
            b' ' | b'\t' | b'\r' | b'\n' => BLANK | TAIL | TURN | LAYOUT,
            0x0B | 0x0C => BLANK | LAYOUT,
            b'.' => LAYOUT | PLAIN,
            b'%' => TURN | LAYOUT,
            b';' => TAIL | TURN,
            b',' | b')' | b'\'' | b'{' | b'[' | b'(' | b'/' | b'\\' | b':' => TURN,
            _ => 0,
        };
        byte += 1;
    }
    class
}

/// Whether `byte` is of this class.
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASS[usize::from(byte)] & class != 0
}

/// How many of the next bytes are of this class.
#[inline]
pub(super) fn run(bytes: &[u8], class: u8) -> usize {
    bytes.iter().position(|&byte| !is(byte, class)).unwrap_or(bytes.len())
}

/// How many of the next bytes are of an identifier.
#[inline]
pub(super) fn word_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(chunk) = bytes[at..].first_chunk() {
        let others = others(u64::from_le_bytes(*chunk));
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + run(&bytes[at..], WORD)
}

/// The high bit of every byte of eight that is not of an identifier.
///
/// Bytes without their high bit can be added to without one reaching into the next; the sum has
/// its high bit where the byte is at least what was left to 128.
#[inline]
fn others(chunk: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let low = chunk & !HIGH;
    let least = |bytes: u64, limit: u8| bytes + ONES * u64::from(128 - limit);
    let folded = low | (ONES * 0x20);
    let letters = least(folded, b'a') & !least(folded, b'z' + 1);
    let digits = least(low, b'0') & !least(low, b'9' + 1);
    let other_than_underscore = least(low ^ (ONES * u64::from(b'_')), 1);
    (!(letters | digits) & other_than_underscore | chunk) & HIGH
}

/// Whether `byte` may start an identifier.
pub(super) fn starts_word(byte: u8) -> bool {
    is(byte, LETTER)
}

/// Whether `byte` is an ASCII digit.
pub(super) fn is_digit(byte: u8) -> bool {
    is(byte, DIGIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_ends_where_the_table_says_at_every_place_and_for_every_byte() {
        for length in 0..20 {
            for byte in 0..=u8::MAX {
                let mut bytes = b"aZ_09zA9_0aZ_09zA9_0aZ_09".to_vec();
                bytes[length] = byte;
                assert_eq!(word_length(&bytes), run(&bytes, WORD), "byte {byte} at {length}");
                bytes.truncate(length + 1);
                assert_eq!(word_length(&bytes), run(&bytes, WORD), "byte {byte} at the end");
            }
        }
    }
}
