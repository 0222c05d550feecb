//! Which characters count as blanks and as parts of words in directives and script blocks.
//!
//! These follow what a Unicode regular expression takes for `\s` and `\w`, because directives and
//! whole-word searches are defined by such expressions. The grammar itself is ASCII and must never
//! ask here.
//!
//! `char::is_alphanumeric` also answers yes for combining marks and enclosed letters, which are no
//! parts of words here.

/// Whether `c` is a blank.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}')
}

/// Whether `c` is part of a word.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric() && !unicode_normalization::char::is_combining_mark(c) && !is_enclosed(c)
}

/// Letters in circles and squares: symbols that Unicode also counts as alphabetic.
fn is_enclosed(c: char) -> bool {
    matches!(
        c,
        '\u{24B6}'..='\u{24E9}'
            | '\u{1F130}'..='\u{1F149}'
            | '\u{1F150}'..='\u{1F169}'
            | '\u{1F170}'..='\u{1F189}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_unicode_blanks_and_the_four_separators() {
        for c in [' ', '\t', '\r', '\u{A0}', '\u{2003}', '\u{85}', '\u{1C}', '\u{1F}'] {
            assert!(is_blank(c), "{c:?}");
        }
        for c in ['a', '\0', '\u{200B}', '\u{FEFF}'] {
            assert!(!is_blank(c), "{c:?}");
        }
    }

    #[test]
    fn words_hold_letters_and_numbers_but_no_marks_and_no_symbols() {
        for c in ['a', '_', '9', 'é', '中', '²', 'Ⅷ', '٣'] {
            assert!(is_word(c), "{c:?}");
        }
        for c in ['-', ' ', '\u{301}', '\u{93E}', 'Ⓐ', '€'] {
            assert!(!is_word(c), "{c:?}");
        }
    }
}
