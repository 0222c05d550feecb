//! Normalises text before matching: drops case, accents, spacing and punctuation.
//!
//! Compatibility decomposition, case folded, letters and digits only. Decomposition rather than
//! composition, because then an accent is a mark of its own and falls away with the punctuation:
//! adding accents hides nothing. Invisible characters fall away the same way.

use unicode_normalization::char::decompose_compatible;

/// Letters that look like Latin ones, and the Latin ones: swapping them is a disguise too.
const LOOK_ALIKES: &str = "аaеeоoрpсcуyхxіiјjѕsһhԁdкkмmтtвbнhαaοoρpνvκkτtιiυuχxεeηnγyωw";

/// The normal form of each byte: a letter or digit, [`DROPPED`], or [`SPECIAL`].
type Table = [u8; 256];
const DROPPED: u8 = 0;
/// Part of a character of several bytes or, in JSON, the start of an escape.
const SPECIAL: u8 = u8::MAX;

static PLAIN: Table = {
    let mut table = [SPECIAL; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let is_kept = byte.is_ascii_alphanumeric();
        table[byte as usize] = if is_kept { byte.to_ascii_lowercase() } else { DROPPED };
        byte += 1;
    }
    table
};

static JSON: Table = {
    let mut table = PLAIN;
    table[b'\\' as usize] = SPECIAL;
    table
};

/// Hands every character of the normal form of `text` to `keep`.
pub(super) fn fold(text: &str, mut keep: impl FnMut(char)) {
    for character in text.chars() {
        match PLAIN.get(character as usize) {
            Some(&DROPPED) => {}
            Some(&SPECIAL) | None => wide(character, &mut keep),
            Some(byte) => keep(char::from(*byte)),
        }
    }
}

/// The character that `u` and four digits after a backslash stand for in JSON; gives their length.
/// No other escape stands for a letter or digit.
fn escaped(rest: &[u8], keep: &mut impl FnMut(char)) -> usize {
    let unit = |at: usize| {
        let digits = rest.get(at..at + 5)?.strip_prefix(b"u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let Some(first) = unit(0) else { return usize::from(rest.starts_with(b"u")) };
    let second = rest.get(5).filter(|byte| **byte == b'\\').and_then(|_| unit(6));
    let mut decoded = char::decode_utf16([first].into_iter().chain(second));
    match decoded.next() {
        Some(Ok(character)) => {
            fold(character.encode_utf8(&mut [0; 4]), keep);
            if character.len_utf16() == 2 { 11 } else { 5 }
        }
        _ => 5,
    }
}

/// The normal form of `text`.
pub(super) fn folded(text: &str) -> String {
    folded_file(text, false)
}

/// [`folded`] of the contents of a file. In JSON an escape is the character it stands for, so that
/// files need not be parsed.
pub(super) fn folded_file(text: &str, is_json: bool) -> String {
    let bytes = text.as_bytes();
    let table = if is_json { &JSON } else { &PLAIN };
    // Mostly ASCII, of which a letter or digit is one byte: what is not is written over.
    let mut out = vec![0; bytes.len()];
    let (mut at, mut end) = (0, 0);
    // In ASCII only an escape is special, and that is found much faster.
    let is_ascii = text.is_ascii();
    let next_special = |rest: &[u8]| match (is_ascii, is_json) {
        (true, true) => memchr::memchr(b'\\', rest),
        (true, false) => None,
        (false, _) => rest.iter().position(|byte| table[usize::from(*byte)] == SPECIAL),
    };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let plain = next_special(rest).unwrap_or(rest.len());
        let (groups, last) = rest[..plain].as_chunks::<8>();
        for group in groups {
            end += fold_bytes(group, table, &mut out[end..end + 8]);
        }
        end += fold_bytes(last, table, &mut out[end..end + last.len()]);
        at += plain;
        if let [b'\\', sign, ..] = &bytes[at..]
            && sign.is_ascii()
            && *sign != b'u'
        {
            at += 2;
            continue;
        }
        let mut other = String::new();
        if bytes.get(at) == Some(&b'\\') {
            at += 1 + escaped(&bytes[at + 1..], &mut |character| other.push(character));
        } else if let Some(character) = text[at..].chars().next() {
            at += character.len_utf8();
            wide(character, &mut |character| other.push(character));
        }
        let left = bytes.len().saturating_sub(at);
        out.resize(out.len().max(end + other.len() + left), 0);
        out[end..end + other.len()].copy_from_slice(other.as_bytes());
        end += other.len();
    }
    out.truncate(end);
    String::from_utf8(out).expect("whole characters")
}

/// Writes the normal form of `bytes`, none of which is special, to the start of `out`, which is as long;
/// gives its length.
#[inline]
fn fold_bytes(bytes: &[u8], table: &Table, out: &mut [u8]) -> usize {
    let mut kept = 0;
    for byte in bytes {
        let folded = table[usize::from(*byte)];
        out[kept] = folded;
        kept += usize::from(folded != DROPPED);
    }
    kept
}

fn wide(character: char, keep: &mut impl FnMut(char)) {
    let character = match u32::from(character) {
        // Tag characters: ASCII that no font shows.
        code @ 0xe0020..=0xe007e => char::from_u32(code - 0xe0000).unwrap_or(character),
        _ => character,
    };
    // Down, up and down again, because some letters have several lower or upper forms; decomposed
    // again, because case mapping composes.
    decompose_compatible(character, |part| {
        let upper = part.to_lowercase().flat_map(char::to_uppercase);
        let lower = upper.flat_map(char::to_lowercase);
        lower.for_each(|lower| decompose_compatible(lower, |part| plain(part, keep)));
    });
}

fn plain(character: char, keep: &mut impl FnMut(char)) {
    if character.is_alphanumeric() {
        let mut pairs = LOOK_ALIKES.chars();
        let known = pairs.by_ref().step_by(2).position(|known| known == character);
        let latin = known.and_then(|index| LOOK_ALIKES.chars().nth(2 * index + 1));
        keep(latin.unwrap_or(character));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Draws;

    #[test]
    fn dress_is_taken_off() {
        for (text, normal) in [
            ("Raise the Perigee, to 7000 km!", "raisetheperigeeto7000km"),
            ("ﬁnd ⓐ ｗｉｄｅ x² №5", "findawidex2no5"),
            ("é e\u{301} Å", "eea"),
            ("z\u{200d}e\u{200b}r\u{feff}o\u{ad}", "zero"),
            ("STRASSE straße ΣΑΣ σας", "strassestrasseσaσσaσ"),
            ("\u{430}lph\u{430}", "alpha"),
            ("\u{e0047}\u{e0041}", "ga"),
            ("", ""),
        ] {
            assert_eq!(folded(text), normal, "{text}");
        }
    }

    #[test]
    fn escapes_of_a_json_file_are_the_characters_they_stand_for() {
        for (file, normal, plain) in [
            (r#"{"a": "Raise\nthe\tÉ \"x\" \\n \/ b"}"#, "araisetheexnb", "araisenthetexnb"),
            (r#""\u0041\u00e9\ud83d\udef0\ud800x\uZZ""#, "aexzz", "u0041u00e9ud83dudef0ud800xuzz"),
            ("\"\\", "", ""),
            ("\"a\\éb\\🛰c\\u\\uéf", "aebcef", "aebcuuef"),
            ("\"\\u00", "00", "u00"),
        ] {
            assert_eq!(folded_file(file, true), normal, "{file}");
            assert_eq!(folded_file(file, false), plain, "{file}");
        }
    }

    #[test]
    fn any_text_is_folded() {
        let pieces =
            ["\\", "\\u", "\\ud83d", "\\udef0", "u", "00e9", "\"", "é", "🛰", "ﷺ", "x", " "];
        let mut draws = Draws(1);
        for _ in 0..20_000 {
            let text: String = (0..12).map(|_| draws.pick(&pieces)).collect();
            for is_json in [false, true] {
                let normal = folded_file(&text, is_json);
                assert_eq!(folded(&normal), normal, "{text}");
            }
        }
    }

    #[test]
    fn both_ways_to_fold_agree() {
        for text in ["Raise É to 7000 km", "ﬁnd \u{e0041} x² straße", "\u{ff}\u{80}a", ""] {
            let mut out = String::new();
            fold(text, |character| out.push(character));
            assert_eq!(out, folded(text), "{text}");
        }
    }

    #[test]
    fn case_never_matters() {
        for character in (0..=0x10_ffff).filter_map(char::from_u32) {
            let upper: String = character.to_uppercase().collect();
            let lower: String = character.to_lowercase().collect();
            if upper == lower {
                continue;
            }
            let plain = folded(&character.to_string());
            assert_eq!(folded(&upper), plain, "{character:?}");
            assert_eq!(folded(&lower), plain, "{character:?}");
        }
    }
}
