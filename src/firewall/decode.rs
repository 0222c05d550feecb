//! The disguises that change characters, undone: escapes, encodings, mark-up.
//!
//! Decoders nest two deep. Reversal and rot13 of plain text need no decoder, because a key is
//! for all these readings; they are here only as the outer layer over another disguise.
//! A decoder hands back only what it changed, with enough text around it,
//! so that a page with three escapes is not read three times more.

use std::iter;

use crate::firewall::rolling::{SPAN, rot13};
use crate::firewall::runs::runs;
use crate::firewall::unpack::unpacked;

/// One disguise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decoder {
    Json,
    Html,
    Url,
    Base64,
    Hex,
    Points,
    Markup,
    Reverse,
    Rot13,
    Base32,
    Swapped,
    Base85,
}

const ALL: [Decoder; 12] = [
    Decoder::Json,
    Decoder::Html,
    Decoder::Url,
    Decoder::Base64,
    Decoder::Hex,
    Decoder::Points,
    Decoder::Markup,
    Decoder::Reverse,
    Decoder::Rot13,
    Decoder::Base32,
    Decoder::Swapped,
    Decoder::Base85,
];

/// How many letters and digits around a changed place are handed back: a part of [`SPAN`]
/// characters that holds the place fits in, even if it is wrapped in hex once more.
const AROUND: usize = 2 * SPAN + 16;
/// Above this size, base64 and hex are looked for in unbroken runs only.
const LARGE: usize = 64 << 10;
const LARGE_RUN: usize = 16;
/// Above this size, the encodings that people rarely use are looked for in long unbroken runs only:
/// a part of [`SPAN`] characters and more fits into one.
const FIELD: usize = 4 << 10;
const RARE_RUN: usize = 2 * SPAN;
/// The shortest secret there is; see `Outgoing`.
pub(super) const SHORTEST: usize = 3;
/// The shortest field that counts when it was decoded: eight digits of a hash decode to `ecc` by
/// chance.
pub(super) const SHORTEST_DECODED: usize = 6;
/// Longest `<…>` taken for a tag.
const LONGEST_TAG: usize = 2000;

/// Shows `text` to `visit` as it is and through every disguise, with the decoders used.
pub(super) fn views(text: &str, visit: &mut dyn FnMut(&[Decoder], &str)) {
    visit(&[], text);
    decoded_views(text, visit);
}

/// Like [`views`], but skips the undecoded text.
pub(super) fn decoded_views(text: &str, visit: &mut dyn FnMut(&[Decoder], &str)) {
    for outer in ALL {
        for piece in outer.undo(text) {
            if !outer.is_turn() {
                visit(&[outer], &piece);
            }
            for inner in ALL.into_iter().filter(|inner| inner.may_be_inside()) {
                for piece in inner.undo(&piece) {
                    visit(&[outer, inner], &piece);
                }
            }
        }
    }
}

impl Decoder {
    /// The disguise in a word or two.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON escapes",
            Self::Html => "HTML escapes",
            Self::Url => "URL escapes",
            Self::Base64 => "base64",
            Self::Hex => "hex",
            Self::Points => "code points",
            Self::Markup => "broken by tags",
            Self::Reverse => "reversed",
            Self::Rot13 => "rot13",
            Self::Base32 => "base32",
            Self::Swapped => "base64 in swapped case",
            Self::Base85 => "base85",
        }
    }

    /// Keys see through it.
    fn is_turn(self) -> bool {
        matches!(self, Self::Reverse | Self::Rot13)
    }

    /// Whether it is looked for below another one: keys see through turns, and the rare ones would
    /// make the search several times slower.
    fn may_be_inside(self) -> bool {
        !self.is_turn() && !matches!(self, Self::Base32 | Self::Swapped | Self::Base85)
    }

    /// What `text` is without the disguise: the parts that change.
    pub(super) fn undo(self, text: &str) -> Vec<String> {
        let least = if text.len() > LARGE { LARGE_RUN } else { 1 };
        let rare = if text.len() > FIELD { RARE_RUN } else { 1 };
        match self {
            Self::Json => unescape(text, b'\\', json_escape),
            Self::Html => unescape(text, b'&', html_escape),
            Self::Url => unescape(text, b'%', url_escape),
            Self::Markup => unescape(text, b'<', tag),
            Self::Base64 => BASE64.undo(text, least),
            Self::Hex if text.contains("0x") || text.contains("0X") => {
                HEX.undo(&text.replace("0x", "").replace("0X", ""), least)
            }
            Self::Hex => HEX.undo(text, least),
            Self::Points => code_points(text),
            Self::Reverse => vec![text.chars().rev().collect()],
            Self::Rot13 => vec![text.chars().map(rot13).collect()],
            Self::Base32 => BASE32.undo(text, rare),
            Self::Swapped => SWAPPED.undo(text, rare),
            Self::Base85 => {
                // The end of Adobe's frame would be read as one more digit.
                let text = text.trim_end().trim_end_matches("~>");
                BASE85.iter().flat_map(|of| of.undo(text, rare)).collect()
            }
        }
    }
}

/// What an escape at the start of some bytes stands for: how long it is, and its meaning.
struct Escape {
    length: usize,
    meaning: Meaning,
}

enum Meaning {
    Nothing,
    Byte(u8),
    Character(char),
}

fn unescape(text: &str, sign: u8, escape: fn(&[u8]) -> Option<Escape>) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut changes = Vec::new();
    let mut from = 0;
    for at in memchr::memchr_iter(sign, bytes) {
        if at < from {
            continue;
        }
        let Some(found) = escape(&bytes[at..]) else { continue };
        out.extend_from_slice(&bytes[from..at]);
        changes.push(out.len());
        match found.meaning {
            Meaning::Nothing => {}
            Meaning::Byte(byte) => out.push(byte),
            Meaning::Character(character) => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        from = at + found.length;
    }
    if changes.is_empty() {
        return Vec::new();
    }
    out.extend_from_slice(&bytes[from..]);
    surroundings(&out, &changes)
}

/// The parts of `text` around the changed places, joined where they touch.
fn surroundings(text: &[u8], changes: &[usize]) -> Vec<String> {
    let solid = |at: &usize| text[*at].is_ascii_alphanumeric();
    let solid: Vec<usize> = (0..text.len()).filter(solid).collect();
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut next = 0;
    for &change in changes {
        next += solid[next..].iter().take_while(|at| **at < change).count();
        let start = next.checked_sub(AROUND).map_or(0, |first| solid[first]);
        let end = solid.get(next + AROUND).map_or(text.len(), |last| *last);
        match parts.last_mut() {
            Some(last) if start <= last.1 => last.1 = end,
            _ => parts.push((start, end)),
        }
    }
    parts.iter().map(|&(start, end)| String::from_utf8_lossy(&text[start..end]).into()).collect()
}

fn json_escape(bytes: &[u8]) -> Option<Escape> {
    let simple = |meaning| Some(Escape { length: 2, meaning });
    match bytes.get(1)? {
        b'u' if bytes.get(2) == Some(&b'{') => {
            let digits = bytes[3..].iter().take(7).position(|byte| *byte == b'}')?;
            character(&bytes[3..3 + digits], 16, digits + 4)
        }
        b'u' => {
            let unit = |at: usize| number(bytes.get(at..at + 4)?, 16);
            let first = unit(2)?;
            let low = (0xd800..0xdc00).contains(&first).then(|| {
                let second = (bytes.get(6..8)? == b"\\u").then(|| unit(8)).flatten()?;
                char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + second.checked_sub(0xdc00)?)
            });
            match low.flatten() {
                Some(pair) => Some(Escape { length: 12, meaning: Meaning::Character(pair) }),
                None => character(&bytes[2..6], 16, 6),
            }
        }
        b'x' => character(bytes.get(2..4)?, 16, 4),
        b'n' | b'r' | b't' | b'b' | b'f' => simple(Meaning::Nothing),
        quoted if quoted.is_ascii_punctuation() => simple(Meaning::Byte(*quoted)),
        _ => None,
    }
}

fn html_escape(bytes: &[u8]) -> Option<Escape> {
    let semicolon = |end: usize| end + usize::from(bytes.get(end) == Some(&b';'));
    let span =
        |from: usize, of: fn(&u8) -> bool| bytes[from..].iter().take_while(|b| of(b)).count();
    match bytes.get(1..3)? {
        [b'#', b'x' | b'X'] => {
            let end = 3 + span(3, u8::is_ascii_hexdigit);
            character(&bytes[3..end], 16, semicolon(end))
        }
        [b'#', _] => {
            let end = 2 + span(2, u8::is_ascii_digit);
            character(&bytes[2..end], 10, semicolon(end))
        }
        _ => {
            let end = 1 + span(1, u8::is_ascii_alphanumeric);
            let named = bytes.get(end) == Some(&b';') && (3..=10).contains(&end);
            // `&amp;` may be the outer layer of another escape; the other names are of signs.
            let meaning = match &bytes[1..end] {
                b"amp" => Meaning::Byte(b'&'),
                b"lt" => Meaning::Byte(b'<'),
                b"gt" => Meaning::Byte(b'>'),
                b"percnt" => Meaning::Byte(b'%'),
                b"bsol" => Meaning::Byte(b'\\'),
                b"plus" => Meaning::Byte(b'+'),
                b"sol" => Meaning::Byte(b'/'),
                _ => Meaning::Nothing,
            };
            named.then_some(Escape { length: end + 1, meaning })
        }
    }
}

fn url_escape(bytes: &[u8]) -> Option<Escape> {
    if let Some(b'u' | b'U') = bytes.get(1) {
        return character(bytes.get(2..6)?, 16, 6);
    }
    let byte = u8::try_from(number(bytes.get(1..3)?, 16)?).ok()?;
    Some(Escape { length: 3, meaning: Meaning::Byte(byte) })
}

fn tag(bytes: &[u8]) -> Option<Escape> {
    let opens = bytes.get(1).is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!'));
    let end = memchr::memchr(b'>', &bytes[..bytes.len().min(LONGEST_TAG)]);
    let length = end.filter(|_| opens)? + 1;
    Some(Escape { length, meaning: Meaning::Nothing })
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let plain = digits.iter().all(u8::is_ascii_alphanumeric);
    u32::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| plain)?, radix).ok()
}

fn character(digits: &[u8], radix: u32, length: usize) -> Option<Escape> {
    let character = char::from_u32(number(digits, radix)?)?;
    Some(Escape { length, meaning: Meaning::Character(character) })
}

/// The value of each byte as a digit, or [`NOT_A_DIGIT`].
type Digits = [u8; 256];
const NOT_A_DIGIT: u8 = u8::MAX;

/// A way to write bytes as digits: a group of `DIGITS` of them for `BYTES` bytes.
struct Packing<const BASE: u64, const DIGITS: usize, const BYTES: usize> {
    values: Digits,
}

type Base85 = Packing<85, 5, 4>;

static HEX: Packing<16, 2, 1> = Packing::new(&[b"0123456789ABCDEF", b"0123456789abcdef"]);
static BASE32: Packing<32, 8, 5> =
    Packing::new(&[b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"abcdefghijklmnopqrstuvwxyz234567"]);
static BASE64: Packing<64, 4, 3> = Packing::new(&[
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
]);
static SWAPPED: Packing<64, 4, 3> = Packing::new(&[
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_",
]);
static BASE85: [Base85; 3] =
    [Packing::new(&[ALPHABETS[0]]), Packing::new(&[ALPHABETS[1]]), Packing::new(&[ALPHABETS[2]])];

/// The digits of base 85 in three spellings: of Adobe, of RFC 1924 and of ZeroMQ.
pub(super) const ALPHABETS: [&[u8; 85]; 3] = [
    b"!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstu",
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~",
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#",
];

impl<const BASE: u64, const DIGITS: usize, const BYTES: usize> Packing<BASE, DIGITS, BYTES> {
    /// The digits may be spelled in several ways.
    const fn new(spellings: &[&[u8]]) -> Self {
        let mut values = [NOT_A_DIGIT; 256];
        let mut which = 0;
        while which < spellings.len() {
            let mut value = 0_u8;
            while (value as usize) < spellings[which].len() {
                values[spellings[which][value as usize] as usize] = value;
                value += 1;
            }
            which += 1;
        }
        Self { values }
    }

    /// The digits in runs of `text` that have at least `least` of them.
    fn digits(&self, text: &str, least: usize) -> Vec<u8> {
        let value = |byte: &u8| self.values[usize::from(*byte)];
        let mut digits = Vec::with_capacity(text.len());
        for run in runs(text.as_bytes(), least, |byte| value(&byte) != NOT_A_DIGIT) {
            digits.extend(run.iter().map(value));
        }
        digits
    }

    /// What `text` says. All that is not a digit is dropped, then the digits are read from every place
    /// in a group, because what is before shifts what follows.
    fn undo(&self, text: &str, least: usize) -> Vec<String> {
        let digits = self.digits(text, least);
        if digits.len() * BYTES / DIGITS < SHORTEST_DECODED {
            return Vec::new();
        }
        let mut pieces = Vec::new();
        let mut bytes = Vec::with_capacity(digits.len());
        for start in 0..DIGITS.min(digits.len()) {
            bytes.clear();
            let (groups, rest) = digits[start..].as_chunks::<DIGITS>();
            for group in groups {
                bytes.extend_from_slice(&Self::decode(*group));
            }
            // The last group may be short: it is filled up with the highest digit, as base 85 asks
            // for; in the other bases any would do.
            let mut last = [BASE.to_le_bytes()[0] - 1; DIGITS];
            last[..rest.len()].copy_from_slice(rest);
            bytes.extend_from_slice(&Self::decode(last)[..rest.len() * BYTES / DIGITS]);
            pieces.extend(texts(&bytes));
        }
        pieces
    }

    fn decode(group: [u8; DIGITS]) -> [u8; BYTES] {
        let value = group.iter().fold(0, |all, digit| all * BASE + u64::from(*digit));
        // Five digits of base 85 may be more than four bytes; those are not text.
        let value = if value >> (8 * BYTES) == 0 { value } else { 0 };
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(&value.to_be_bytes()[8 - BYTES..]);
        bytes
    }
}

/// What decoded bytes say as they are, and unpacked.
fn texts(bytes: &[u8]) -> impl Iterator<Item = String> {
    let unpacked = unpacked(bytes);
    let unpacked: Vec<String> = unpacked.iter().flat_map(|it| readable(it)).collect();
    readable(bytes).chain(unpacked)
}

/// The stretches of `bytes` that read as text: long ones, or all of it. Zero bytes are let
/// through, because wide encodings are full of them.
fn readable(bytes: &[u8]) -> impl Iterator<Item = String> {
    let is_control = |c: char| c.is_control() && !matches!(c, '\0' | '\t' | '\n' | '\r');
    let all = bytes.len();
    let is_long = move |length: usize| length >= SPAN || (length == all && all >= SHORTEST);
    // Most decoded bytes are noise: a stretch between two control bytes is short there, and is
    // passed over before it is read as UTF-8.
    runs(bytes, all.clamp(SHORTEST, SPAN), |byte| !IS_CONTROL[usize::from(byte)])
        .flat_map(<[u8]>::utf8_chunks)
        .filter(move |chunk| is_long(chunk.valid().len()))
        .flat_map(move |chunk| chunk.valid().split(is_control))
        .filter(move |text| is_long(text.len()))
        .map(str::to_owned)
}

/// Control bytes of ASCII that texts do not have.
static IS_CONTROL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] =
            byte.is_ascii_control() && !matches!(byte, 0 | b'\t' | b'\n' | b'\r');
        byte += 1;
    }
    table
};

/// Characters written as their decimal code points.
fn code_points(text: &str) -> Vec<String> {
    // A code point has at least as many digits as its character has bytes.
    if text.len() < SPAN {
        return Vec::new();
    }
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for point in
        numbers.map(|digits| digits.parse().ok().and_then(char::from_u32)).chain(iter::once(None))
    {
        match point {
            Some(point) if point >= ' ' || point.is_whitespace() => piece.push(point),
            _ if piece.len() >= SPAN => pieces.push(std::mem::take(&mut piece)),
            _ => piece.clear(),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undone(decoder: Decoder, text: &str) -> String {
        decoder.undo(text).join("|")
    }

    #[test]
    fn the_page_of_the_firewall_lists_every_decoder() {
        let page = include_str!("../../docs/firewall.md").replace('\n', " ");
        for decoder in ALL {
            assert!(page.contains(decoder.name()), "{}", decoder.name());
        }
    }

    #[test]
    fn escapes_are_undone_and_what_is_no_escape_stays() {
        for (decoder, text, plain) in [
            (Decoder::Json, r#"a\"b\\n\u00e9\ud83d\ude00\x41\u{42}\n."#, "a\"b\\né😀AB."),
            (Decoder::Json, r"a\ud800b\", ""),
            (Decoder::Html, "a&amp;#98;&#98;&#x63;&#100 &deg;&unknown", "a&#98;bcd &unknown"),
            (Decoder::Html, "a & b &;", ""),
            (Decoder::Url, "a%20b%C2%B0%u0041%zz%4", "a b°A%zz%4"),
            (Decoder::Url, "100%+1", ""),
            (Decoder::Markup, "a<b>c</b>d < e", "acd < e"),
            (Decoder::Hex, "68 6f 5f 30 35 36", "ho_056"),
            (Decoder::Base64, "aG9fMDU2", "ho_056"),
            (Decoder::Base64, "aG9f\nMDU2", "ho_056"),
            (Decoder::Base64, "github", ""),
            (Decoder::Base32, "NBXV6MBVGY", "ho_056|`jl"),
            (Decoder::Swapped, "Ag9Fmdu2", "ho_056"),
            (Decoder::Base85, "Xm4LIH8wW", "ho_0567"),
        ] {
            assert_eq!(undone(decoder, text), plain, "{decoder:?} {text}");
        }
    }

    #[test]
    fn the_frame_of_adobe_hides_no_letter() {
        for (framed, plain) in [
            ("<~BOu!j?SF>q~>", "held_056"),
            ("<~BOu!j?SF>q2Z~>", "held_0567"),
            ("<~BOu!j?SF>q2`L~>\n", "held_05678"),
            ("<~BOu!j?SF>q2`Ne~>", "held_056789"),
        ] {
            let pieces = Decoder::Base85.undo(framed);
            assert!(pieces.iter().any(|piece| piece == plain), "{framed} {pieces:?}");
        }
    }

    #[test]
    fn only_the_surroundings_of_a_change_are_handed_back() {
        let far = "word ".repeat(100);
        let pieces = Decoder::Html.undo(&format!("{far}&#65;{far}{far}&#66;"));
        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().all(|piece| piece.len() < 4 * AROUND), "{pieces:?}");
        assert!(pieces[0].contains('A') && pieces[1].ends_with('B'));
        let dense = "&#65;".repeat(500);
        assert_eq!(Decoder::Html.undo(&dense), ["A".repeat(500)]);
    }
}
