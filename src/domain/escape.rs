//! Makes foreign text harmless where it is shown: on a terminal, on a page, in a feed.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Control, bidirectional, zero-width and line-breaking characters become `\u{…}`.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hostile(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// [`escape`] as a string of its own.
pub fn clean(text: &str) -> String {
    escape(text).into_owned()
}

/// The same for a JSON document, which stays one: the characters can only stand in its strings.
pub fn escape_json(document: &str) -> Cow<'_, str> {
    let is_raw = |character: char| !character.is_ascii() && is_hostile(character);
    if !document.chars().any(is_raw) {
        return Cow::Borrowed(document);
    }
    let mut out = String::with_capacity(document.len() + 16);
    for character in document.chars() {
        if is_raw(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                out += &format!("\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Percent-encodes one segment of a URL's path, or one value of its query.
pub fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

fn is_hostile(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_bidi_marks_lose_their_power() {
        assert_eq!(escape("gpt-4 é 衛"), "gpt-4 é 衛");
        assert_eq!(escape("a\u{1b}[2J\nb"), "a\\u{1b}[2J\\u{a}b");
        assert_eq!(escape("x\u{202e}y\u{200d}"), "x\\u{202e}y\\u{200d}");
    }

    #[test]
    fn only_unreserved_characters_are_left_in_a_url() {
        assert_eq!(percent_encode("a b/ü-._~"), "a%20b%2F%C3%BC-._~");
        assert_eq!(percent_encode("refs/pr/1"), "refs%2Fpr%2F1");
    }

    #[test]
    fn a_json_document_stays_the_same_document() {
        let text = "é\u{202e}x\u{e0041}\u{9b}\n";
        let document = serde_json::to_string(text).expect("JSON");
        let escaped = escape_json(&document);
        assert_eq!(escaped, "\"é\\u202ex\\udb40\\udc41\\u009b\\n\"");
        assert_eq!(serde_json::from_str::<String>(&escaped).expect("JSON"), text);
    }
}
