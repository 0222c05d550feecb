//! Escapes foreign text for where it is shown: a terminal, a page, a URL, CSV, LaTeX, Markdown.

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

/// Escapes a JSON document, which stays one: the characters can only be in its strings.
pub fn escape_json(document: &str) -> Cow<'_, str> {
    let is_raw =
        |character: char| (!character.is_ascii() || character == '\u{7f}') && is_hostile(character);
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

/// `text` without `secret`, also where characters that are not seen split it.
pub(crate) fn scrub(text: &str, secret: &str) -> String {
    let plain = text.replace(secret, "<token>");
    let seen: String = plain.chars().filter(|it| !is_hostile(*it)).collect();
    if seen.contains(secret) { seen.replace(secret, "<token>") } else { plain }
}

/// Text without line breaks and characters that are not seen, for one cell of a page.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_hostile(c) { ' ' } else { c }).collect()
}

/// What a spreadsheet takes for the start of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The text, with an apostrophe before what a spreadsheet would run as a formula. [`unharmed`]
/// takes it off again; a text that already has one there gets a second.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(FORMULA) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text without the apostrophe that `harmless` put in front.
pub fn unharmed(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(FORMULA) => rest,
        _ => text,
    }
}

/// Text for an element or attribute of XML; control characters become blanks.
pub(crate) fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}

/// Text that LaTeX sets as it is.
pub fn escape_latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '↑' => out.push_str("$\\uparrow$"),
            '↓' => out.push_str("$\\downarrow$"),
            '–' => out.push_str("--"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(character);
            }
            character => out.push(character),
        }
    }
    out
}

/// Text that Markdown shows as it is.
pub fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '~' | '#' | '$' => {
                out.push('\\');
                out.push(character);
            }
            character => out.push(character),
        }
    }
    out
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
    fn a_secret_that_is_split_is_still_one() {
        assert_eq!(scrub("a hf_x\u{1}y\u{200b}z b\u{7}", "hf_xyz"), "a <token> b");
        assert_eq!(scrub("a hf_x y\u{7}", "hf_xyz"), "a hf_x y\u{7}");
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

    #[test]
    fn names_cannot_break_a_latex_table() {
        assert_eq!(
            escape_latex("a_b&c|50%\\x{}"),
            "a\\_b\\&c\\textbar{}50\\%\\textbackslash{}x\\{\\}"
        );
    }

    #[test]
    fn names_cannot_break_a_markdown_table() {
        assert_eq!(escape_markdown("a|b_c&<d>\n*"), "a\\|b\\_c&amp;&lt;d> \\*");
        assert_eq!(escape_markdown("a\u{1b}b\u{9b}c\u{202e}d"), "a b c d");
        assert_eq!(escape_latex("a\u{1b}b\u{9b}c\u{202e}d"), "a b c d");
    }

    #[test]
    fn nothing_starts_a_formula() {
        for text in ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"] {
            assert!(harmless(text).starts_with('\''), "{text}");
        }
        assert_eq!(harmless("a=b"), "a=b");
        for text in ["=1", "'=1", "''=1", "'a", "a", "", "'", "-", "'-"] {
            assert_eq!(unharmed(&harmless(text)), text);
        }
    }
}
